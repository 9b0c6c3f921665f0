"""A GM's secret rolls: how they are made, written down and checked (docs/fairness.md)."""

import json
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.engine.chance import face
from app.engine.dice import Die, Throw
from app.receipts import chain, luck
from app.receipts.file import Entry, Hex
from app.receipts.log import PlacedEntry
from app.receipts.report import Report, SecretRoll, Walk


class _Text(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class RolledDie(_Text):
    """One die of a roll: `face` is 1..size; `low` is the number on its first face, `sign` whether it adds."""

    sign: Literal[1, -1]
    size: int = Field(ge=2)
    low: Literal[0, 1]
    face: int

    @property
    def worth(self) -> int:
        return self.sign * (self.face - 1 + self.low)


class Rolled(_Text):
    """A roll as it is written down. Its formula and its total follow from the dice."""

    purpose: str
    dice: list[RolledDie] = Field(min_length=1)
    bonus: int
    salt: Hex

    @property
    def formula(self) -> str:
        return str(Throw(tuple(Die(one.size, one.low == 0, one.sign) for one in self.dice), self.bonus))

    @property
    def total(self) -> int:
        return sum(one.worth for one in self.dice) + self.bonus

    @property
    def faces(self) -> str:
        """Returns what each die adds: "4, 9"; "" where that is the total."""
        return ", ".join(_minus(one.worth) for one in self.dice) if len(self.dice) > 1 or self.bonus else ""

    @property
    def result(self) -> str:
        """Returns the roll in one line: "2d10+3 = 16 (4, 9)", "d20 = 7"."""
        return f"{self.formula} = {_minus(self.total)}{f' ({self.faces})' if self.faces else ''}"

    @property
    def said(self) -> str:
        """Returns the roll with its purpose: "“Who hears it?”: d20 = 7"."""
        return f"“{self.purpose}”: {self.result}"


def _minus(number: int) -> str:
    return str(number).replace("-", "−")


def label(number: int, place: int) -> str:
    """Returns the label of a die: the roll's number in the scene and the die's place in the roll, both from 1."""
    return f"secret/{number}/{place}"


def make(seed: bytes, number: int, purpose: str, throw: Throw, salt: bytes) -> str:
    """Rolls, and returns the text that is hashed and kept until it opens."""
    dice = [
        {
            "sign": die.sign,
            "size": die.size,
            "low": 0 if die.zero else 1,
            "face": face(seed, label(number, at), die.size),
        }
        for at, die in enumerate(throw.dice, start=1)
    ]
    return chain.canonical({"purpose": purpose, "dice": dice, "bonus": throw.bonus, "salt": salt.hex()})


def read(text: str) -> Rolled:
    """Returns a roll from its text. Raises ValueError where it is none, or is not written as it was hashed."""
    raw = json.loads(text)
    if chain.canonical(raw) != text:
        raise ValueError("not written the way it was hashed")
    return Rolled.model_validate(raw)


def check_record(report: Report, walk: Walk, entry: Entry) -> None:
    """Checks that secret rolls are numbered without a gap, and that a shown one is the one that was made."""
    if entry.what == "rolled":
        report.rolls += 1
        report.expect(entry.n == report.rolls, f"Secret roll {entry.n}: rolls are missing or out of order.")
        walk.rolls.append(SecretRoll(entry.wax or "", walk.thread, walk.salted))
        return
    number = entry.n or 0
    report.expect(number not in report.told_rolls, f"Secret roll {number} was shown twice.")
    _open(report, walk, number, entry.roll)


def check_opened(report: Report, walk: Walk, root: bytes, records: Sequence[PlacedEntry]) -> None:
    """Checks, once the scene is over, that every secret roll is open, and that its luck gave its dice."""
    number, bare = 0, sum(not made.salted for made in walk.rolls)
    if bare:
        which = "roll 1: its" if bare == 1 else f"rolls 1 to {bare}: their"
        report.notes.append(f"Secret {which} luck was drawn before any player's browser had put a salt in.")
    for one in records:
        if one.entry.what != "rolled":
            report.expect(one.roll is None, "A secret roll opens in the place of something else.")
            continue
        number += 1
        rolled = _open(report, walk, number, one.roll)
        if rolled is None:
            continue
        made = walk.rolls[number - 1]
        seed = luck.rolled_seed(root, number, made.thread)
        right = [face(seed, label(number, at), die.size) for at, die in enumerate(rolled.dice, start=1)]
        report.draws += len(right)
        shown = [die.face for die in rolled.dice]
        report.expect(shown == right, f"Secret roll {number} shows {shown}, which its luck did not give.")


def _open(report: Report, walk: Walk, number: int, text: str | None) -> Rolled | None:
    """Checks an opened roll against its hash; returns None where it is not the roll that was made."""
    known = walk.rolls[number - 1].wax if 0 < number <= len(walk.rolls) else None
    right = text is not None and chain.rolled_digest(number, text).hex() == known
    if not report.expect(right, f"Secret roll {number} is missing, or is not the one that was made.") or text is None:
        return None
    try:
        rolled = read(text)
    except (ValidationError, ValueError, RecursionError):
        report.wrong.append(f"Secret roll {number} cannot be read.")
        return None
    report.told_rolls[number] = rolled.said
    return rolled
