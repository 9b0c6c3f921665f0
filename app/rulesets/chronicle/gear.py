"""Weapons and armour on a sheet: the row of the book's lists that each counts as, and a free name.

Older sheets have words alone, from which the row was guessed. The guess is stored as "as-sword", until the owner
chooses a row. A name beside a choice is never interpreted.
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializationInfo,
    SerializerFunctionWrapHandler,
    WithJsonSchema,
    model_serializer,
    model_validator,
)

from app.rulesets.chronicle.arms import (
    ARMOUR,
    ARMOUR_NAMES,
    DISTANCE_NAMES,
    ITEMS,
    SHIELD,
    SHIELD_PARRY,
    WEAPONS,
    Armour,
    Weapon,
)

GUESSED = "as-"
NONE = "none"


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−")


def _does(weapon: Weapon) -> str:
    """A row of table 3.4 in words (CHR-EQP-01)."""
    said = [DISTANCE_NAMES[weapon.distance]]
    if weapon.attacks:
        said.append(f"attacks {_signed(weapon.attacks)}")
    if weapon.against_plate is not None:
        said.append(f"{_signed(weapon.against_plate)} against plate")
    if weapon.parry != 0:
        said.append("no Parry" if weapon.parry is None else f"Parry {_signed(weapon.parry)}")
    return ", ".join([*said, *(["two hands"] if weapon.hands == 2 else [])])


def _choice(rows: Mapping[str, str], guessed: Mapping[str, str]) -> WithJsonSchema:
    """The book's rows in its order; a guess has a label but is not a choice."""
    labels = {key: ", guessed from its name. ".join(rows[row].split(". ")) for key, row in guessed.items()}
    return WithJsonSchema({"type": "string", "enum": list(rows), "x-labels": {**rows, **labels}})


_WEAPONS = {
    **{key: f"{one.name}. {_does(one)}" for key, one in WEAPONS.items()},
    SHIELD: f"Shield. Parry {_signed(SHIELD_PARRY)}, at any distance",
    NONE: "Not a weapon in the book; not used in fights",
}
_ARMOUR_OF: dict[Armour, str] = {"other": " (anything but metal)", "metal": " (mail, scales and the like)", "plate": ""}
_ARMOUR = {
    NONE: ARMOUR_NAMES["none"],
    **{key: f"{ARMOUR_NAMES[key]}. {_signed(ARMOUR[key])} against attacks{of}" for key, of in _ARMOUR_OF.items()},
}
_GUESSED_WEAPONS = {GUESSED + key: key for key in _WEAPONS}
_GUESSED_ARMOUR = {GUESSED + key: key for key in _ARMOUR if key != NONE}


class _Gear(BaseModel):
    """One thing. In JSON, as stored, words that determine the row are stored without it, as they always were; in
    Python, as in forms, there are both row and name.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, json_schema_extra={"x-bare": "name"})

    known: ClassVar[frozenset[str]]
    plain: ClassVar[Mapping[str, str]]  # the default names of things

    counts: str
    name: str

    @classmethod
    def of(cls, words: str) -> Self:
        """Makes a thing from words alone."""
        return cls.model_validate(words)

    @classmethod
    def read(cls, words: str) -> str:
        """The row for words alone: the book's own word is that row, anything else is an old guess."""
        raise NotImplementedError

    @property
    def row(self) -> str:
        """The row of the book's list that it counts as."""
        return self.counts.removeprefix(GUESSED)

    @property
    def by_words(self) -> bool:
        """Whether the words alone determine the row, as on older sheets."""
        return self.read(self.name) == self.counts

    @model_validator(mode="before")
    @classmethod
    def _of_words(cls, given: Any) -> Any:
        if isinstance(given, str):
            return {"counts": cls.read(given), "name": given}
        if isinstance(given, dict) and not given.get("name"):
            return {**given, "name": cls.plain.get(str(given.get("counts")), "")}
        return given

    @model_validator(mode="after")
    def _in_the_book(self) -> Self:
        if self.counts not in self.known:
            raise ValueError("Choose what it counts as from the list.")
        return self

    @model_serializer(mode="wrap")
    def _spelt(self, whole: SerializerFunctionWrapHandler, info: SerializationInfo) -> Any:
        if info.mode == "json":
            return self.name if self.by_words else whole(self)
        return {**whole(self), "name": "" if self.name == self.plain.get(self.counts) else self.name}


class Carried(_Gear):
    """A weapon of the book, a shield, or a thing that no one fights with (CHR-EQP-01)."""

    known = frozenset({*_WEAPONS, *_GUESSED_WEAPONS})
    plain = {**{key: one.name for key, one in WEAPONS.items()}, SHIELD: "Shield"}

    counts: Annotated[str, _choice(_WEAPONS, _GUESSED_WEAPONS), Field(title="Counts as")]
    name: Annotated[str, Field(title="Called", max_length=120)] = ""

    @classmethod
    def read(cls, words: str) -> str:
        said = words.casefold().replace("-", " ").strip()
        key = said.replace(" ", "-")
        if key in ITEMS:
            return key
        return GUESSED + max((item for item in ITEMS if item.replace("-", " ") in said), key=len, default=NONE)

    @model_validator(mode="after")
    def _called(self) -> Self:
        if self.counts == NONE and not self.name.strip():
            raise ValueError("Write what it is called: it is not a weapon in the book.")
        return self

    @property
    def item(self) -> str:
        """The item that a hand can hold; "" for anything that is not a weapon of the book."""
        return self.row if self.row in ITEMS else ""


METAL = ("metal", "mail", "chain", "scale", "ring", "lamell", "brigandine")


class Worn(_Gear):
    """Armour: plate, other metal, anything else, or none (CHR-EQP-07)."""

    known = frozenset({*_ARMOUR, *_GUESSED_ARMOUR})
    plain = {"other": "Other", "metal": "Metal", "plate": "Plate"}

    counts: Annotated[str, _choice(_ARMOUR, _GUESSED_ARMOUR), Field(title="Counts as")] = NONE
    name: Annotated[str, Field(title="Called", max_length=120)] = ""

    @classmethod
    def read(cls, words: str) -> str:
        said = words.casefold().strip()
        if said in ("", "no", "-"):
            return NONE
        if said in ARMOUR:
            return said
        if "plate" in said and "other metal" not in said:
            return GUESSED + "plate"
        return GUESSED + ("metal" if any(word in said for word in METAL) else "other")

    @property
    def armour(self) -> Armour:
        """The armour that counts in defences, by its key in the book's list."""
        return next(key for key in ARMOUR if key == self.row)
