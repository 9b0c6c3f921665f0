"""Four heroes, and the fight in the yard of a ruined keep."""

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from app.engine.ruleset import GM, Brief, Demo, Seat, Trial
from app.rulesets.skirmish.sheet.foe_templates import TEMPLATES
from app.rulesets.skirmish.sheet.sheets import Carried, Placement, Sheet
from app.rulesets.skirmish.sheet.sketch import parse

KEEP = """
Yard (8)
Gatehouse: cover
Gallery (4): cover
Cistern: slow, hazard cold water d4
Yard -- Gatehouse
Yard ~~ Gallery
Gallery -> Cistern
Cistern ~~ Yard
"""


GREEN: Mapping[str, Any] = {"mgt": 6, "agi": 6, "wil": 7, "hp": 3}
"""New to the trade: heroes whose players are new to the rules live long enough to learn them."""


def heroes() -> dict[str, Sheet]:
    """Four characters who each do something else well (house numbers, by the companion's bands)."""
    return {
        "maren": _hero(
            "Maren", (14, 9, 10), 6, _gear(main="longsword", off="shield", worn="medium", pack="rope torch")
        ),
        "sefton": _hero("Sefton", (9, 15, 11), 5, _gear(main="longbow", worn="light", pack="shortsword rations")),
        "ilse": _hero(
            "Ilse", (8, 11, 15), 4, _gear(main="sages_staff", pack="lantern chalk"), spells=("fire_bolt", "spark")
        ),
        "goran": _hero("Goran", (16, 8, 9), 6, _gear(main="greataxe", worn="crude", pack="crowbar bandages")),
    }


HERO_LINES: Mapping[str, str] = {
    "maren": "Sword and shield: holds the line, and can Block or take a blow with her gear.",
    "sefton": "The archer: shoots two zones far, dodges well, and has a blade for close quarters.",
    "ilse": "Staff and spells: a quick spark nearby, or a fire bolt two zones far.",
    "goran": "The great axe: slow and terrible. Needs room, and someone to keep the enemy busy.",
}


def the_ruined_keep() -> tuple[dict[str, Sheet], Brief]:
    """Bandits hold the gatehouse of a keep with goblins they have hired; an archer stands in the gallery."""
    foes = [
        _foe(
            "bandit_chief", "chief", "Sallow Kate", group="Kate’s band", zone="gatehouse", shown=True, leader=True,
            mgt=8, agi=8, wil=10, hp=5,
        ),
        _foe("bandit", "bandit-1", "Bandit", group="Kate’s band", zone="gatehouse", shown=True, **GREEN),
        _foe("bandit_archer", "archer", "Bandit archer", group="Kate’s band", zone="gallery", shown=True, **GREEN),
        _foe("goblin_mob", "mob", "Goblin mob", zone="gatehouse", shown=True, mgt=6, agi=6, wil=6, hp=3),
        _foe("wolf", "wolf", "Wolf", zone="cistern", hidden=True, mgt=7, agi=8, hp=3),
    ]  # fmt: skip
    description = (
        "The gate of the old keep hangs open. In the yard between you and the gatehouse lie crates with the miller’s "
        "mark. A woman with an axe steps out, and behind her a crowd of goblins with more teeth than spears. Above, in "
        "the gallery, a bowstring creaks."
    )
    zones: list[JsonValue] = [zone.model_dump(mode="json") for zone in parse(KEEP)]
    sheets = heroes()
    seats = {Seat(key): (key,) for key in sheets} | {GM: ()}
    given: JsonValue = {
        "description": description,
        "foes": foes,
        "zones": zones,
        "start": "yard",
        "foes_start": "gatehouse",
        "at_once": True,
    }
    return sheets, Brief(kind="skirmish", title="At the ruined keep", seats=seats, given=given)


def _hero(name: str, scores: tuple[int, int, int], hp: int, gear: tuple[Carried, ...], **more: Any) -> Sheet:
    mgt, agi, wil = scores
    return Sheet.model_validate({"name": name, "mgt": mgt, "agi": agi, "wil": wil, "hp": hp, "gear": gear, **more})


def _gear(pack: str, **held: str) -> tuple[Carried, ...]:
    places: dict[Placement, str] = {"main": held["main"], "off": held.get("off", ""), "worn": held.get("worn", "")}
    ready = [Carried(gear=key, held=place) for place, key in places.items() if key]
    return (*ready, *(Carried(gear=key) for key in pack.split()))


def _foe(kind: str, key: str, name: str, **more: Any) -> JsonValue:
    made: dict[str, JsonValue] = TEMPLATES[kind].foe(key, name, **more).model_dump(mode="json")
    return made


DEMO: Demo[Sheet] = Demo(
    title="The Ruined Keep",
    about="A yard full of stolen crates, a gatehouse full of bandits, and a cold cistern below the gallery.",
    set_up=the_ruined_keep,
)

BRAVE: Mapping[str, Any] = {**GREEN, "wil": 12, "hp": 4}


def the_stolen_crates() -> tuple[dict[str, Sheet], Brief]:
    """Two heroes and two bandits who are new to the trade, in a yard with a gatehouse."""
    sheets = {key: sheet for key, sheet in heroes().items() if key in ("maren", "sefton")}
    foes = [
        _foe("bandit", f"bandit-{number}", f"Bandit {number}", zone="gatehouse", shown=True, **BRAVE)
        for number in (1, 2)
    ]
    zones: list[JsonValue] = [zone.model_dump(mode="json") for zone in parse("Yard (8)\nGatehouse\nYard -- Gatehouse")]
    given: JsonValue = {
        "description": "Two bandits sit on the miller’s crates in the gatehouse. They have seen you.",
        "foes": foes,
        "zones": zones,
        "start": "yard",
        "foes_start": "gatehouse",
        "at_once": True,
    }
    seats = {Seat(key): (key,) for key in sheets} | {GM: ()}
    return sheets, Brief(kind="skirmish", title="The stolen crates", seats=seats, given=given)


TRIAL: Trial[Sheet] = Trial(
    title="Zone skirmish in two minutes",
    button="Try a skirmish",
    set_up=the_stolen_crates,
    page="trial.html",
)
