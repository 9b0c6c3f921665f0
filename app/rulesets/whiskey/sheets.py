"""Sheets, and the opening form of a battle with its areas and foes (WHI-10, WHI-46, WHI-57)."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, field_validator, model_validator

from app.engine.form_fields import OpeningForm, Seconds, Ticked
from app.engine.muster import keys_once
from app.rulesets.whiskey.cards import CARDS

Number = Annotated[int, Field(ge=-99, le=999)]
Key = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,59}$")]
Name = Annotated[str, Field(min_length=1, max_length=60)]


CardKey = Annotated[
    str,
    WithJsonSchema(
        {
            "type": "string",
            "enum": list(CARDS),
            "x-labels": {card.key: f"{card.name}. {card.text}" for card in CARDS.values()},
        }
    ),
]
"""The key of a card in `CARDS`; the schema lists the cards and their effects for forms."""


class Sheet(BaseModel):
    """A fighter. A hit deals `base` + `die` × one d6 (WHI-38); at 0 HP a character is out of the battle (WHI-45)."""

    model_config = ConfigDict(extra="ignore")

    name: Name
    combat: Annotated[Number, Field(description="Combat plus a card must be higher than the opponent's combat.")] = 10
    base: Annotated[int, Field(ge=0, le=999, title="Damage: base", description="Damage of a hit before the roll.")] = 3
    die: Annotated[
        int, Field(ge=0, le=99, title="Damage: times the roll", description="A hit adds its d6 roll this many times.")
    ] = 1
    hp: Annotated[int, Field(ge=-9999, le=9999, title="HP now", description="At 0, out of the battle.")] = 15
    hp_max: Annotated[int, Field(ge=1, le=9999, title="Max HP")] = 15
    guard_capacity: Annotated[
        int, Field(ge=1, le=99, title="Can guard against", description="Attackers stopped when guarding.")
    ] = 1
    cards: Annotated[tuple[CardKey, ...], Field(title="Ability cards")] = ()
    faction: Annotated[
        Key, Field(title="Draws from the deck of", description="Characters who share a deck share their luck.")
    ] = "players"
    side: Annotated[Key, Field(title="Fights on the side of")] = "players"
    note: Annotated[str, Field(max_length=2000)] = ""

    @model_validator(mode="before")
    @classmethod
    def _whole(cls, given: object) -> object:
        if isinstance(given, dict) and "hp_max" not in given and "hp" in given:
            return {**given, "hp_max": given["hp"]}
        return given

    @model_validator(mode="before")
    @classmethod
    def _own_deck(cls, given: object) -> object:
        """A sheet without a deck draws from its side's deck (WHI-47)."""
        if isinstance(given, dict) and "faction" not in given and "side" in given:
            return {**given, "faction": cls._deck_of(given["side"])}
        return given

    @classmethod
    def _deck_of(cls, side: object) -> object:
        return side

    @field_validator("cards")
    @classmethod
    def _known(cls, cards: tuple[str, ...]) -> tuple[str, ...]:
        for card in cards:
            if card not in CARDS:
                raise ValueError(f"There is no ability card {card[:40]!r}. There are: {', '.join(sorted(CARDS))}.")
        return tuple(dict.fromkeys(cards))


class Foe(Sheet):
    """A character of the GM in one battle. `habit` suggests his declarations, `guards` names whom a guard protects."""

    key: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]{0,59}$")]
    faction: Key = "enemies"
    side: Key = "enemies"
    hidden: Ticked = False
    shown: Ticked = False  # everyone may know this one's numbers
    habit: Literal["nearest", "last", "guard", "stand"] = "nearest"
    guards: str = ""

    @classmethod
    def _deck_of(cls, side: object) -> object:
        """The players' friends have a separate deck."""
        return "friends" if side == "players" else side


class Area(BaseModel):
    """A named area of the battlefield and all who bar the way to it, as the GM sees it (WHI-57)."""

    model_config = ConfigDict(extra="ignore")

    key: Key
    name: Name
    barrers: tuple[str, ...] = ()
    exit: Ticked = False


class Given(OpeningForm):
    """The opening form of a battle; the characters come from the seats."""

    description: Annotated[str, Field(max_length=4000)] = ""
    foes: Annotated[tuple[Foe, ...], Field(max_length=20_000)] = ()
    areas: Annotated[tuple[Area, ...], Field(max_length=40)] = ()
    seconds: Seconds = None  # for each round's declarations
    at_once: Ticked = False  # the first round begins with the declarations; areas still need the scene's step first

    @model_validator(mode="after")
    def _keys_once(self) -> "Given":
        keys_once((foe.key for foe in self.foes), "foes")
        keys_once((area.key for area in self.areas), "areas")
        return self
