"""Dice expressions: "2d6+1", "d100", "d8+d8+d10(0-9)" (COU-22, COU-24)."""

import re
from dataclasses import dataclass
from itertools import groupby

MOST_DICE, MOST_FACES, MOST_BONUS = 40, 1_000_000, 1_000_000
_TERM = re.compile(r"([+-])(?:(\d{0,3})d(\d{1,7}|%)(z|\(0-\d{1,7}\))?|(\d{1,7}))", re.ASCII)


@dataclass(frozen=True, slots=True)
class Die:
    """One die; `zero`: its faces begin at 0. `sign` -1 subtracts it."""

    size: int
    zero: bool = False
    sign: int = 1

    def worth(self, face: int) -> int:
        return self.sign * (face - self.zero)


@dataclass(frozen=True, slots=True)
class Throw:
    dice: tuple[Die, ...]
    bonus: int = 0

    def __str__(self) -> str:
        """Returns the expression that reads as this throw, without spaces: "2d8+d10(0-9)-1"."""
        terms = [_term(die, sum(1 for _ in same)) for die, same in groupby(self.dice)]
        return "".join(terms).removeprefix("+") + (f"{self.bonus:+d}" if self.bonus else "")


def read(text: str) -> Throw:
    """Reads a dice expression. Raises ValueError, in words for its author, if it is not one."""
    rest = re.sub(r"\s+", "", text).replace("–", "-").replace("−", "-").lower()
    rest = rest if rest[:1] in ("+", "-") else f"+{rest}"
    dice: list[Die] = []
    bonus = 0
    while rest:
        found = _TERM.match(rest)
        if found is None:
            raise ValueError("Write dice like 2d6+1, d100 or 2d8+d10(0-9).")
        sign, many, faces, zero, plain = found.groups()
        minus = -1 if sign == "-" else 1
        if plain:
            bonus += minus * int(plain)
        else:
            dice += [_die(faces, zero, minus)] * (int(many) if many else 1)
        rest = rest[found.end() :]
    if not 1 <= len(dice) <= MOST_DICE:
        raise ValueError(f"Write between 1 and {MOST_DICE} dice; here are {len(dice)}.")
    if abs(bonus) > MOST_BONUS:
        raise ValueError(f"You can add at most {MOST_BONUS:,}.")
    return Throw(tuple(dice), bonus)


def _die(faces: str, zero: str | None, sign: int) -> Die:
    size = 100 if faces == "%" else int(faces)
    if not 2 <= size <= MOST_FACES:
        raise ValueError(f"A die must have 2 to {MOST_FACES:,} faces.")
    if zero and zero != "z" and zero != f"(0-{size - 1})":
        raise ValueError(f"A d{size} that begins at 0 ends at {size - 1}: write d{size}(0-{size - 1}).")
    return Die(size, bool(zero), sign)


def _term(die: Die, many: int) -> str:
    zero = f"(0-{die.size - 1})" if die.zero else ""
    return f"{'-' if die.sign < 0 else '+'}{many if many > 1 else ''}d{die.size}{zero}"
