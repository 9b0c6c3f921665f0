"""Sample wizards of the first level, all different, and a fight for three of them."""

from typing import Any

from pydantic import JsonValue

from app.engine.ruleset import GM, Brief, Demo, Seat, Trial
from app.rulesets.arcana.sheet.sheets import Places, Points, Sheet


def heroes() -> dict[str, Sheet]:
    """Returns a duellist, a guardian, a trickster, a healer and a student of forbidden arts."""
    return {one.name.lower(): one for one in (_isaura(), _brom(), _pim(), _nerys(), _vesper())}


def at_the_broken_gate() -> tuple[dict[str, Sheet], Brief]:
    """Returns Isaura, Brom and Nerys before a wall with a gate; behind it a troll, two imps and a hidden mage."""
    sheets = {key: sheet for key, sheet in heroes().items() if key in ("isaura", "brom", "nerys")}
    description = (
        "The tower’s gate hangs from one hinge. Behind it a troll straightens up, and two imps on the wall stop "
        "quarrelling to look at you."
    )
    foes: list[JsonValue] = [
        {"key": "troll", "name": "Troll", "foe": "troll", "grade": "minor", "place": "22,14"},
        {"key": "red_imp", "name": "Red imp", "foe": "imp", "place": "19,8"},
        {"key": "grey_imp", "name": "Grey imp", "foe": "imp", "habit": "guard", "guards": "troll", "place": "20,19"},
        {"key": "mage", "name": "Hedge mage", "foe": "hedge_mage", "habit": "hold", "place": "27,17", "hidden": "yes"},
    ]
    wall = {f"17,{y}": "full" if y in (11, 12, 17, 18) else "half" for y in (*range(4, 13), *range(17, 26))}
    given: JsonValue = {
        "description": description,
        "foes": foes,
        "at": {"isaura": "9,12", "brom": "11,15", "nerys": "8,18"},
        "covers": {**wall},
        "lay_out": "no",
    }
    seats = {Seat(key): (key,) for key in sheets} | {GM: ()}
    return sheets, Brief(kind="fight", title="At the broken gate", seats=seats, given=given)


def blank() -> dict[str, Any]:
    """Returns the initial values of an empty sheet: a sound wizard who only lacks a name (ARC-121)."""
    return Sheet(
        name="?",
        how="assigned",
        places=Places(SPR=0, FIN=1, ATH=2, POW=3, INT=4, PER=5, CHR=6),
        points=Points(SPR=1, ATH=1, FIN=1),
        proficient=("wand", "hexes", "Speed", "Health", "Willpower"),
        spells=("spark_volley", "stinger", "force_push", "spell_shield", "slow_mend"),
        weapons=("wand", "dagger"),
        wood="malediction",
        armour="robes",
        items={"healing_draught": 1},
    ).model_dump(mode="json") | {"name": ""}


def _isaura() -> Sheet:
    return Sheet(
        name="Isaura",
        species="midblood",
        how="assigned",
        places=Places(SPR=0, FIN=1, ATH=2, POW=3, INT=4, PER=5, CHR=6),
        points=Points(ATH=1, FIN=1, POW=1),
        proficient=("wand", "hexes", "curses", "Speed", "Willpower"),
        skills=("confident_accuracy", "shadow_walker"),
        schools={"malediction": "novice"},
        spells=("spark_volley", "force_push", "stun_bolt", "seeker_darts", "spell_shield"),
        weapons=("wand", "dagger"),
        wood="malediction",
        core="restoration",
        armour="robes",
        items={"healing_draught": 1},
        note="Duellist. Strikes first, strikes far, and keeps a stun ready for anyone who comes close.",
    )


def _brom() -> Sheet:
    return Sheet(
        name="Brom",
        species="half_giant",
        how="assigned",
        places=Places(ATH=0, SPR=1, INT=2, FIN=3, PER=4, POW=5, CHR=6),
        points=Points(INT=1, SPR=1),
        proficient=("simple", "Strength", "Health", "warding", "wand"),
        skills=("parry",),
        schools={"restoration": "novice"},
        spells=("spell_shield", "reinforce", "lesser_ward", "snare_ward", "slow_mend"),
        weapons=("wand", "club"),
        wood="restoration",
        core="restoration",
        armour="padded",
        shield="small_shield",
        items={"healing_draught": 1},
        note="Guardian. Stands in front; anything that gets past the shield meets the club.",
    )


def _pim() -> Sheet:
    return Sheet(
        name="Pim",
        species="goblin",
        how="assigned",
        places=Places(SPR=0, FIN=1, INT=2, CHR=3, ATH=4, POW=5, PER=6),
        points=Points(ATH=2, SPR=1),
        proficient=("wand", "Stealth", "Speed", "psionics", "hexes"),
        skills=("moving_target",),
        schools={"illusion": "novice"},
        spells=("wail", "hush", "phantoms", "stinger", "force_push"),
        weapons=("dagger", "sling"),
        armour="sports",
        items={"spirit_draught": 1, "antidote": 1, "Lantern": 1},
        note="Trickster. Needs no wand, is hard to hit and harder to find.",
    )


def _nerys() -> Sheet:
    return Sheet(
        name="Nerys",
        species="newblood",
        how="assigned",
        places=Places(PER=0, SPR=1, ATH=2, FIN=3, INT=4, POW=5, CHR=6),
        points=Points(SPR=2, PER=1),
        proficient=("healing", "Willpower", "Observation", "Compassion", "wand"),
        skills=("emergency_care", "meditation"),
        schools={"restoration": "novice"},
        spells=("mend", "slow_mend", "stabilise", "blessing", "sun_flare"),
        weapons=("wand", "quarterstaff"),
        wood="restoration",
        core="restoration",
        armour="robes",
        items={"healing_draught": 2, "antidote": 1, "Rope": 1},
        note="Healer. None of her friends stays down for long.",
    )


def _vesper() -> Sheet:
    return Sheet(
        name="Vesper",
        species="vampire",
        how="assigned",
        places=Places(SPR=0, POW=1, FIN=2, ATH=3, CHR=4, INT=5, PER=6),
        points=Points(EVL=2),
        proficient=("necromancy", "wand", "Intimidation", "Willpower", "Speed"),
        skills=("overcome_resistance",),
        schools={"forbidden": "novice"},
        spells=("shadow_bolt", "necrosis", "cruel_slash", "dread", "dark_shroud"),
        weapons=("wand", "rapier"),
        wood="forbidden",
        core="forbidden",
        armour="formal",
        items={"spirit_draught": 1},
        note="Forbidden arts. Polite, pale, and better seen from a distance.",
    )


DEMO: Demo[Sheet] = Demo(
    title="The Broken Gate",
    about="Three young wizards, a tower that has stood empty for a hundred years, and a light in its window.",
    set_up=at_the_broken_gate,
    settings={
        "planning_seconds": None,
        "ruling_seconds": None,
        "resist_seconds": None,
    },  # no clocks, so that there is time to look around
)


def a_light_in_the_cellar() -> tuple[dict[str, Sheet], Brief]:
    """Returns the duellist before an imp and a walking corpse."""
    sheets = {"isaura": heroes()["isaura"]}
    foes: list[JsonValue] = [
        {"key": "imp", "name": "Imp", "foe": "imp", "grade": "minor", "place": "18,12"},
        {"key": "corpse", "name": "Walking corpse", "foe": "walking_corpse", "grade": "minor", "place": "21,15"},
    ]
    given: JsonValue = {
        "description": "An imp holds up a lantern, and something that was a watchman once gets to its feet.",
        "foes": foes,
        "at": {"isaura": "10,13"},
        "lay_out": "no",
    }
    seats = {Seat("isaura"): ("isaura",), GM: ()}
    return sheets, Brief(kind="fight", title="A light in the cellar", seats=seats, given=given)


TRIAL: Trial[Sheet] = Trial(
    title="Arcana in two minutes",
    button="Try a wizards’ fight",
    set_up=a_light_in_the_cellar,
    settings=DEMO.settings,
    page="trial.html",
)
