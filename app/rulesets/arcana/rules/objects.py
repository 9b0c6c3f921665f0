"""Objects: lifeless things on the ground that can be attacked, and the lines in which a GM writes them (ARC-79)."""

import re
from collections.abc import Iterable

from app.engine.frozen import frozen
from app.rulesets.arcana.rules.book import Damage, Spell
from app.rulesets.arcana.rules.grid import Cell
from app.rulesets.arcana.rules.schema import LONGEST_ID

MOST = 60
LARGEST = 2000  # cm
HARDEST = 20  # either way
PREFIX = "object:"  # of every key, so that no object is ever mistaken for a combatant
NAME = r"([^\W\d_][\w ’'-]*?)"
CELL = r"([0-9]{1,3}) ?, ?([0-9]{1,3})"
SIZE = r"([0-9]{1,4}(?:\.[0-9]{1,2})?) ?(cm|m)"
HP = r"(?:([0-9]{1,4}) ?/ ?)?([0-9]{1,4}) ?hp"
LINE = re.compile(rf"{NAME}(?: at)? {CELL} {SIZE}(?: ([+−-]) ?([0-9]{{1,2}}))?(?: {HP})?", re.IGNORECASE)
LIKE = "write an object like barrel 12,4 1 m +2 15 hp: name, place, size, and optionally a modifier and HP"
ONE_TARGET = "Only a spell that does damage to one target can be aimed at an object."


class WrongObject(ValueError):
    """A line that cannot be read, with a message for its author."""


@frozen()
class Object:
    """A lifeless thing. Without HP, the GM decides what damage does to it."""

    name: str
    at: Cell
    size: int  # cm
    modifier: int = 0  # added to the value needed to hit it
    hp: int | None = None
    hp_max: int | None = None

    @property
    def key(self) -> str:
        return PREFIX + self.name.lower().replace(" ", "_")

    @property
    def broken(self) -> bool:
        return self.hp == 0

    @property
    def called(self) -> str:
        """Its name in a sentence: "the barrel"; a capitalised name gets no article."""
        return self.name if self.name[0].isupper() else f"the {self.name}"

    @property
    def label(self) -> str:
        """Its name on the map and in lists: "Barrel"."""
        return self.name[0].upper() + self.name[1:]

    @property
    def health(self) -> str:
        """Its remaining HP in words; "" if its HP are not counted."""
        if self.hp is None:
            return ""
        if self.broken:
            return "broken"
        return f"{self.hp} HP" if self.hp == self.hp_max else f"{self.hp} of {self.hp_max} HP"

    @property
    def measures(self) -> str:
        """Its size and how hard it is to hit: "1 m, 2 harder to hit"."""
        harder = f", {abs(self.modifier)} {'harder' if self.modifier > 0 else 'easier'} to hit" if self.modifier else ""
        return f"{_size(self.size)}{harder}"


def may_strike(spell: Spell) -> bool:
    """Whether a spell can be aimed at an object: a bolt that does damage and needs no condition of its target."""
    harms = any(isinstance(one, Damage) for one in spell.effect)
    return harms and spell.hostile and spell.shape.form == "bolt" and not spell.requires


def read_objects(text: str, wide: int, high: int) -> tuple[Object, ...]:
    """Returns objects in the order of their lines. Raises WrongObject for a bad or repeated line or place."""
    found: dict[str, Object] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = " ".join(line.split())
        if not words:
            continue
        try:
            one = _read(words)
            _fits(one, found, wide, high)
        except WrongObject as wrong:
            raise WrongObject(f"Line {number}: {wrong}.") from None
        found[one.key] = one
    if len(found) > MOST:
        raise WrongObject(f"That is {len(found)} objects; at most {MOST} are allowed.")
    return tuple(found.values())


def _read(words: str) -> Object:
    read = LINE.fullmatch(words)
    if read is None:
        raise WrongObject(LIKE)
    name, x, y, length, unit, sign, more, left, hp = read.groups()
    size = round(float(length) * (1 if unit.lower() == "cm" else 100))
    modifier = int(more or 0) * (1 if sign == "+" else -1)
    most = int(hp) if hp else None
    return Object(name, (int(x), int(y)), size, modifier, int(left) if left else most, most)


def _fits(one: Object, there: dict[str, Object], wide: int, high: int) -> None:
    if len(one.key) > LONGEST_ID:
        raise WrongObject("that name is too long")
    if one.key in there:
        raise WrongObject(f"{one.called} is already there; number them, such as {one.name} 2")
    if not (one.at[0] < wide and one.at[1] < high):
        raise WrongObject(f"the ground goes from 0,0 to {wide - 1},{high - 1}")
    if other := next((other for other in there.values() if other.at == one.at), None):
        raise WrongObject(f"{other.called} is already at {one.at[0]},{one.at[1]}; give each a separate place")
    if not 1 <= one.size <= LARGEST:
        raise WrongObject(f"an object is between 1 cm and {LARGEST // 100} m in size")
    if abs(one.modifier) > HARDEST:
        raise WrongObject(f"the modifier must be between −{HARDEST} and +{HARDEST}")
    if one.hp_max == 0:
        raise WrongObject("an object must have at least 1 HP, or leave its HP out")
    if one.hp is not None and one.hp_max is not None and one.hp > one.hp_max:
        raise WrongObject(f"it has at most {one.hp_max} HP")


def write_objects(objects: Iterable[Object]) -> str:
    """Returns the same objects as lines."""
    return "\n".join(
        f"{one.name} {one.at[0]},{one.at[1]} {_size(one.size)}"
        + (f" {one.modifier:+d}" if one.modifier else "")
        + ("" if one.hp is None else f" {one.hp} hp" if one.hp == one.hp_max else f" {one.hp}/{one.hp_max} hp")
        for one in objects
    )


def _size(size: int) -> str:
    return f"{size / 100:g} m" if size >= 100 else f"{size} cm"
