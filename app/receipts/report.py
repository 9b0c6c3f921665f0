"""What a check of receipts finds out, and what it knows on its way."""

from dataclasses import dataclass, field

from app.receipts.file import LateRow, Row

Seeds = tuple[bytes | None, bytes | None]
"""Of a closing: its open luck (none where not everybody may know of it), its veiled luck (none until the end)."""


@dataclass(slots=True)
class Report:
    """What was found. `wrong` is empty if all that could be checked holds, `unplayed` if nothing had to be left out."""

    wrong: list[str] = field(default_factory=list)
    unplayed: list[str] = field(default_factory=list)  # what the rules should tell again, and could not
    notes: list[str] = field(default_factory=list)
    closings: int = 0
    seals: int = 0
    opened: int = 0
    closed: int = 0
    draws: int = 0
    waiting_draws: int = 0  # veiled, and the scene is not over
    replayed: int = 0
    browsers: int = 0  # seals that players' browsers made, says the server
    compared: int = 0  # seals held against what their owner noted
    head: bytes = b""
    heads: set[str] = field(default_factory=set)  # of every moment

    @property
    def code(self) -> int:
        """For the command line: 0 all right, 1 wrong, 3 nothing wrong, but the rules could not be played again."""
        return 1 if self.wrong else 3 if self.unplayed else 0

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
    seeds: dict[str, Seeds] = field(default_factory=dict)  # by step key
    rows: dict[tuple[str, str], Row] = field(default_factory=dict)  # step, seat
    late: dict[tuple[str, str], LateRow] = field(default_factory=dict)  # step, seat; what opened at the end
    told: int = 0  # events so far that everybody may see
    salted: bool = False  # a player's own salt is in the luck
    asked: set[str] | None = None  # every step the rules ever asked; None: they were not played again, or not whole
