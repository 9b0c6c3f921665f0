"""What a check of receipts finds out, and what it knows on its way."""

from dataclasses import dataclass, field

from app.receipts.file import Row


@dataclass(slots=True)
class Report:
    """What was found. `wrong` is empty if all that could be checked holds."""

    wrong: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    closings: int = 0
    seals: int = 0
    opened: int = 0
    closed: int = 0
    draws: int = 0
    waiting_draws: int = 0  # veiled, and the scene is not over
    replayed: int = 0
    head: bytes = b""

    def expect(self, holds: bool, says: str) -> bool:
        """Note what is wrong unless it holds."""
        if not holds:
            self.wrong.append(says)
        return holds


@dataclass(slots=True)
class Walk:
    """What is known while the record is read from its beginning."""

    link: bytes
    thread: bytes
    seeds: dict[str, tuple[bytes, bytes | None]] = field(default_factory=dict)  # step key -> open seed, veiled seed
    drawn: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)  # stream, label -> size, face
    heads: set[str] = field(default_factory=set)
    rows: dict[tuple[str, str], Row] = field(default_factory=dict)  # step, seat
    salted: bool = False  # a player's own salt is in the luck
