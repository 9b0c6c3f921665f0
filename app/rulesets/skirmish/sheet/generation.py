"""A character rolled in a minute: three attributes, HP, and a kit to start with (SKI-86)."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.engine.chance import Chance
from app.engine.ruleset import Dice
from app.rulesets.skirmish.sheet.gear import BOOK
from app.rulesets.skirmish.sheet.sheets import Carried, GearId, Placement, Sheet, SpellId
from app.rulesets.skirmish.sheet.wording import short

ATTRIBUTES = ("mgt", "agi", "wil")
KIT_DIE = 20


class Kit(BaseModel):
    """What a new character has, by where it is."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    main: GearId
    off: GearId = ""
    worn: GearId = ""
    pack: Annotated[tuple[GearId, ...], Field(min_length=2)]
    spells: tuple[SpellId, ...] = ()

    def gear(self) -> tuple[Carried, ...]:
        hands = [Carried(gear=key, held=place) for place, key in self._ready() if key]
        return (*hands, *(Carried(gear=key) for key in self.pack))

    def _ready(self) -> tuple[tuple[Placement, str], ...]:
        return (("main", self.main), ("off", self.off), ("worn", self.worn))

    def words(self) -> str:
        """Its things in a line: "longsword d8, shield (Armor +1), rope, 25 feet"."""
        keys = (*(key for _, key in self._ready() if key), *self.pack, *self.spells)
        return "; ".join(short(BOOK[key]) for key in keys)


def _read() -> dict[int, Kit]:
    raw = tomllib.loads(files("app.rulesets.skirmish").joinpath("data", "kits.toml").read_text(encoding="utf-8"))
    return {number: Kit.model_validate(kit) for number, kit in enumerate(raw["kit"], 1)}


KITS: Mapping[int, Kit] = _read()
"""By the face of the d20."""


def rolled(name: str, chance: Chance) -> tuple[Sheet, tuple[Dice, ...]]:
    """A new character, and every die in order. On the sheet two attributes may then be swapped, once."""
    numbers: dict[str, int] = {}
    dice: list[Dice] = []
    for attribute in ATTRIBUTES:
        three = tuple(chance.die(6, f"SKI-86/{attribute}-{n}") for n in (1, 2, 3))
        numbers[attribute] = sum(roll.face for roll in three)
        added = " + ".join(str(roll.face) for roll in three)
        dice.append(Dice(about=attribute.upper(), rolls=three, text=f"{added} = {numbers[attribute]}."))
    hp = chance.die(6, "SKI-86/hp")
    dice.append(Dice(about="HP", rolls=(hp,), text=f"{hp.face} HP."))
    lot = chance.die(KIT_DIE, "SKI-86/kit")
    kit = KITS[lot.face]
    dice.append(Dice(about="Kit", rolls=(lot,), text=f"Number {lot.face}: {kit.words()}."))
    sheet = Sheet.model_validate(
        {**numbers, "name": name, "hp": hp.face, "gear": kit.gear(), "spells": kit.spells, "swap": "open"}
    )
    return sheet, tuple(dice)
