"""The only source of luck: dice and picks by label.

A draw is named, not counted: its value depends on (seed, label, size) alone, so the order in which code draws does not
matter and a hidden draw shifts no other draw. A label contains rule, subjects and purpose and is unique in its closing:
"WHI-36/card/alice>goblin1". Every `Roll` goes into an event unchanged, so that anyone can recompute it.
"""

import functools
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

from app.engine.frozen import frozen

T = TypeVar("T")
_NUMBER = re.compile(r"-?\d+")


@frozen(kw_only=True)
class Roll:
    """One result of luck: `face` is 1..size. A pick of the k-th of n things is a roll of size n with face k."""

    label: str
    size: int
    face: int
    stream: Literal["open", "veiled"] = "open"


class Chance(Protocol):
    """Luck of one closing. Luck that a later decision must not know is rolled in that later closing (ARC-127)."""

    def die(self, size: int, label: str) -> Roll: ...

    def pick(self, among: tuple[T, ...], label: str) -> tuple[T, Roll]:
        """Returns one of `among`, all equally likely. Decks pass the cards left, so that no hidden order exists."""
        ...

    @property
    def veiled(self) -> "Chance":
        """Luck that is published only when the scene is over (ARC-101)."""
        ...


def face(seed: bytes, label: str, size: int) -> int:
    """Returns 1..size without modulo bias: SHA-256 of tag, seed, label, size and attempt, repeated while too high."""
    if size < 1:
        raise ValueError(f"a draw needs at least one face, got {size} for {label!r}")
    even, attempt = _even(size), 0
    while True:
        text = f"signet-roll-1\n{seed.hex()}\n{label}\n{size}\n{attempt}"
        value = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
        if value < even:
            return 1 + value % size
        attempt += 1


@functools.lru_cache
def _even(size: int) -> int:
    """Returns the largest multiple of `size` that is at most 2^256."""
    return (1 << 256) - ((1 << 256) % size)


@dataclass(slots=True)
class SeededChance:
    """Luck from two seeds: one is published with the closing, the other when the scene is over."""

    seed: bytes
    veil: bytes
    stream: Literal["open", "veiled"] = "open"
    used: set[str] = field(default_factory=set)
    _veiled: "SeededChance | None" = None

    def die(self, size: int, label: str) -> Roll:
        _once(label, self.used)
        return Roll(label=label, size=size, face=face(self.seed, label, size), stream=self.stream)

    def pick(self, among: tuple[T, ...], label: str) -> tuple[T, Roll]:
        roll = self.die(len(among), label)
        return among[roll.face - 1], roll

    @property
    def veiled(self) -> "SeededChance":
        if self.stream == "veiled":
            return self
        if self._veiled is None:
            self._veiled = SeededChance(self.veil, self.veil, "veiled")
        return self._veiled


@dataclass(slots=True)
class ScriptedChance:
    """Luck scripted for cases and tests: label -> face. A label that no draw uses is a mistake too; see `unused`.

    For a pick, the script may give the text of the picked thing instead of its position, which makes case files
    readable. If the things are numbers, like cards, it must, since a bare number could be either. A label that ends in
    "*" covers all labels with that prefix that the script does not list; the longest match counts. A `recorded` script
    consists of the faces of an earlier run, so a number in it is always a position.
    """

    script: Mapping[str, int | str]
    stream: Literal["open", "veiled"] = "open"
    used: set[str] = field(default_factory=set)
    recorded: bool = False

    def die(self, size: int, label: str) -> Roll:
        given = self._given(label)
        if not isinstance(given, int) or not 1 <= given <= size:
            raise LookupError(f"the script says {given!r} for {label!r}, which has the faces 1..{size}")
        return Roll(label=label, size=size, face=given, stream=self.stream)

    def pick(self, among: tuple[T, ...], label: str) -> tuple[T, Roll]:
        given, names = self._given(label), [str(thing) for thing in among]
        bare = isinstance(given, int) and label in self.script and not self.recorded
        if isinstance(given, int) and bare and all(map(_NUMBER.fullmatch, names)):
            raise LookupError(_both_readings(given, label, names))
        if isinstance(given, str):
            if given not in names:
                raise LookupError(f"the script picks {given!r} for {label!r}; there is {', '.join(names)}")
            given = names.index(given) + 1
        if not 1 <= given <= len(among):
            raise LookupError(f"the script picks number {given} for {label!r}; there are {len(among)}")
        return among[given - 1], Roll(label=label, size=len(among), face=given, stream=self.stream)

    @property
    def veiled(self) -> "ScriptedChance":
        return self if self.stream == "veiled" else ScriptedChance(self.script, "veiled", self.used, self.recorded)

    @property
    def drawn(self) -> set[str]:
        """The labels of all draws."""
        return {label for label in self.used if not label.endswith("*")}

    def unused(self) -> list[str]:
        """The labels that were never drawn, in the script's order."""
        return [label for label in self.script if label not in self.used]

    def _given(self, label: str) -> int | str:
        _once(label, self.used)
        if label in self.script:
            return self.script[label]
        many = [one for one in self.script if one.endswith("*") and label.startswith(one[:-1])]
        if not many:
            raise LookupError(f"the script has no value for the draw {label!r}")
        found = max(many, key=len)
        self.used.add(found)
        return self.script[found]


def _both_readings(given: int, label: str, names: list[str]) -> str:
    """Returns the error text for a bare number that could be a card's value or its position among the cards left."""
    itself = f'"{given}"' if str(given) in names else "which is not there"
    place = f'"{names[given - 1]}"' if 1 <= given <= len(names) else "which is not there"
    may = f"may mean {given} itself ({itself}) or number {given} of those to pick from ({place})"
    return f"the script's {given} for {label!r} {may}; write the one you mean in quotes"


def _once(label: str, used: set[str]) -> None:
    if label in used:
        raise ValueError(f"the draw {label!r} was made twice in one closing; labels name one draw each")
    used.add(label)
