"""The findings of a check of receipts, and its state on the way."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from app.receipts.file import LateRow, Row

Seeds = tuple[bytes | None, bytes | None]
"""A closing's open luck (None if not everybody may know of it) and its veiled luck (None until the scene is over)."""


@dataclass(slots=True)
class Report:
    """The findings. `wrong` is empty if all that could be checked holds, `unplayed` if nothing had to be left out."""

    wrong: list[str] = field(default_factory=list)
    unplayed: list[str] = field(default_factory=list)  # what could not be replayed by the rules
    notes: list[str] = field(default_factory=list)
    closings: int = 0
    seals: int = 0
    opened: int = 0
    closed: int = 0
    draws: int = 0
    waiting_draws: int = 0  # veiled, and the scene is not over
    replayed: int = 0
    browsers: int = 0  # player seals with a browser's salt, according to the server
    rolls: int = 0  # the GM's secret rolls
    acts: dict[str, str] = field(default_factory=dict)  # what a GM did to steps before they closed: key -> words
    given_back: dict[str, Collection[str] | None] = field(default_factory=dict)
    """Steps of which seals were given back -> the seats; None: not open yet."""
    told_rolls: dict[int, str] = field(default_factory=dict)  # those that are open, by number, in words
    ballots: int = 0  # own ballots of secret votes that were found in the count
    compared: int = 0  # seals compared with what their owner's browser noted
    result: str | None = None  # of the scene, as `chain.canonical` writes it; None without a replay to its end
    head: bytes = b""
    heads: set[str] = field(default_factory=set)  # every head of the record

    @property
    def code(self) -> int:
        """The exit code: 0 all right, 1 wrong, 3 nothing wrong, but the rules could not be replayed."""
        return 1 if self.wrong else 3 if self.unplayed else 0

    def expect(self, holds: bool, says: str) -> bool:
        """Adds `says` to `wrong` unless `holds`; returns `holds`."""
        if not holds:
            self.wrong.append(says)
        return holds


class SecretRoll(NamedTuple):
    """A roll that a GM made in secret: its hash, and the luck that was known when it was made."""

    wax: str
    thread: bytes
    salted: bool  # a salt made by a player's browser was in the luck


class Moment(NamedTuple):
    """The luck that is public at some moment of a scene."""

    thread: bytes
    salted: bool


@dataclass(slots=True)
class Walk:
    """The state of a check while it reads the record from its beginning."""

    link: bytes
    thread: bytes
    seeds: dict[str, Seeds] = field(default_factory=dict)  # by step key
    rows: dict[tuple[str, str], Row] = field(default_factory=dict)  # step, seat
    late: dict[tuple[str, str], LateRow] = field(default_factory=dict)  # step, seat; what opened at the end
    told: int = 0  # public events so far
    links: int = 0  # opened so far
    salted: bool = False  # a salt made by a player's browser is in the luck
    moments: list[Moment] = field(default_factory=list)  # after each public record
    parts: dict[str, list[bytes | None]] = field(default_factory=dict)  # of a closing's players in seat order, by step
    rolls: list[SecretRoll] = field(default_factory=list)  # in order, from number 1
    asked: set[str] | None = None  # keys of all steps that the rules asked; None without a complete replay
