"""The fighters of a scene, made of sheets and of the GM's foes, and their arms (step B0)."""

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from app.engine.form_fields import blank_as
from app.engine.muster import Group, keys_once, usual_sides, with_muster
from app.engine.refusal import refusal
from app.engine.ruleset import GM, Brief, Setup
from app.engine.unused_names import unused
from app.rulesets.chronicle.arms import SHIELD
from app.rulesets.chronicle.arms import best_hands as best
from app.rulesets.chronicle.gear import Carried, Worn
from app.rulesets.chronicle.hand.actions import CHOICES, Skill
from app.rulesets.chronicle.hand.ratings import better
from app.rulesets.chronicle.hand.settings import HandSettings
from app.rulesets.chronicle.hand.state import Fight, Fighter, Side, State
from app.rulesets.chronicle.sheets import Sheet, Skills

MOST = 40  # fighters in one scene; for more, a mass battle is the better game
MOST_OF_A_KIND = 20

FOES: dict[str, Sheet] = {
    key: Sheet(
        name=name,
        is_main=False,
        standing=standing,
        skills=Skills(control=c, fighting_mind=f, speed=v, strength=s),
        weapons=tuple(map(Carried.of, weapons)),
        armour=Worn.of(armour),
        shield=shield,
    )
    for key, name, standing, (c, f, v, s), weapons, armour, shield in (
        ("villager", "Villager", "Grabbed whatever was at hand", (2, 1, 2, 2), ("Club",), "", False),
        ("brigand", "Brigand", "Lives off the road", (2, 3, 3, 2), ("Axe", "Dagger"), "Other", False),
        ("guard", "Town guard", "Paid to stand there", (3, 3, 2, 3), ("Spear", "Dagger"), "Metal", True),
        ("duellist", "Duellist", "Quick and well taught", (4, 4, 5, 2), ("Fencing sword", "Dagger"), "", False),
        ("sergeant", "Sergeant", "Has seen many fights", (4, 5, 3, 4), ("Mace", "Dagger"), "Metal", True),
        ("knight", "Knight", "In full plate", (5, 5, 3, 5), ("Sword", "Dagger"), "Plate", True),
        (
            "halberdier",
            "Halberdier",
            "Keeps everyone at a distance",
            (3, 3, 3, 4),
            ("Halberd", "Dagger"),
            "Metal",
            False,
        ),
    )
}
"""Ready-made fighters of the GM, by key."""


def carried(sheet: Sheet) -> list[str]:
    """All items of the book that a character can take in hand."""
    items = [one.item for one in sheet.weapons if one.item]
    shield = sheet.shield or SHIELD in items
    return [*(item for item in items if item != SHIELD), *([SHIELD] if shield else [])]


def fighter(key: str, sheet: Sheet, side: Side, seat: str, *, character: str = "") -> Fighter:
    """Makes a fighter, ready by default: the better rating of each choice, the best weapon in hand."""
    skills: dict[Skill, int] = {
        "C": sheet.skills.control,
        "F": sheet.skills.fighting_mind,
        "V": sheet.skills.speed,
        "S": sheet.skills.strength,
    }
    one = Fighter(
        key=key,
        name=sheet.name,
        side=side,
        seat=seat,
        skills=skills,
        choices={what: better(skills, what) for what in CHOICES},
        wounds=sheet.wounds,
        armour=sheet.armour.armour,
        carried=carried(sheet),
        character=character,
        lines=[one.name for one in sheet.weapons],
        counts=[] if all(one.by_words for one in sheet.weapons) else [one.counts for one in sheet.weapons],
    )
    one.right, one.left = usual_hands(one)
    for item in (one.right, one.left):
        if item:
            one.carried.remove(item)
    return one


def belongings(one: Fighter) -> list[Carried]:
    """The weapons of a fighter's sheet as they came; from words alone if the log has no more."""
    counts = one.counts or map(Carried.read, one.lines)
    return [Carried(counts=row, name=line) for row, line in zip(counts, one.lines, strict=True)]


def usual_hands(one: Fighter) -> tuple[str, str]:
    """The best weapon in the right hand, a shield in the left; with a useless arm, the weapon in the other."""
    weapon, shield = best(one.carried)
    if not one.arm_able("right"):
        return "", weapon or shield
    return weapon, shield if one.arm_able("left") else ""


class Foe(Sheet):
    """A fighter of the GM in one fight."""

    key: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]{0,59}$")]
    side: Literal["a", "b"] = "b"


class Given(BaseModel):
    """The opening form of a fight: the GM's foes, and the side of each character.

    A form's {"muster": [{"kind": "guard", "count": "2", "side": "b"}]} becomes foes with unique names and keys.
    """

    model_config = ConfigDict(extra="ignore")

    description: Annotated[str, Field(max_length=4000)] = ""
    foes: Annotated[tuple[Foe, ...], Field(max_length=MOST)] = ()
    sides: Annotated[dict[str, Literal["", "a", "b"]], Field(max_length=MOST)] = Field(default_factory=dict)
    ambush: Literal["", "a", "b"] = ""  # the side that lay in wait, and its first distance (CHR-TRV-21)
    gap: Annotated[int, blank_as(3), Field(ge=1, le=4)] = 3

    @model_validator(mode="after")
    def _keys_once(self) -> "Given":
        keys_once((foe.key for foe in self.foes), "people")
        return self


def muster(given: Any) -> Any:
    """Turns a form's groups into foes."""
    return with_muster(given, _name, _several, MOST_OF_A_KIND)


def _name(kind: str) -> str:
    if kind not in FOES:
        raise ValueError("There is no fighter of that kind.")
    return FOES[kind].name


def _several(group: Group) -> list[dict[str, Any]]:
    sheet, side = FOES[group.kind].model_dump(mode="json"), group.row.get("side") or "b"
    return [
        {**sheet, "key": f"{group.kind}{behind.replace(' ', '-')}", "name": name, "side": side}
        for behind, name in zip(group.keys, group.names, strict=True)
    ]


GIVEN = Annotated[Given, BeforeValidator(muster)]


def _sides(brief: Brief, given: Given) -> dict[str, Side]:
    usual: dict[str, Side] = usual_sides(brief, "a", "b", foes=bool(given.foes))
    return {key: given.sides.get(key) or side for key, side in usual.items()}


def needs(brief: Brief, sheets: Mapping[str, Sheet]) -> frozenset[str]:
    """Claims no stored values: only wounds, which are on sheets, outlast a fight. Refuses a fight without two sides."""
    _people(brief, sheets)
    return frozenset()


def _people(brief: Brief, sheets: Mapping[str, Sheet]) -> dict[str, Fighter]:
    given = Given.model_validate(muster(brief.given or {}))
    side = _sides(brief, given)
    found: list[Fighter] = []
    for seat, keys in brief.seats.items():
        found += [fighter(key, sheets[key], side[key], str(seat), character=key) for key in keys]
    taken = {one.key for one in found}
    for foe in given.foes:
        key = free_key(taken, foe.key)
        taken.add(key)
        found.append(fighter(key, foe, foe.side, GM))
    able = [one.side for one in found if not one.wounds.head.major and not one.wounds.dead]
    if len(set(able)) < 2:
        raise refusal("A fight needs an able fighter on both sides. Add opponents, or move people to side B.")
    if len(able) > MOST:
        raise refusal(f"Here are {len(able)} people; hand-to-hand combat allows {MOST}. Play a mass battle instead.")
    found.sort(key=lambda one: one.side)
    return {one.key: one for one in found}


def free_key(taken: Collection[str], key: str) -> str:
    return unused(key, taken, lambda number: f"{key}-{number}")


def start(setup: Setup[Sheet, Any]) -> State:
    """All fighters in combatant order, side A first, ready by default (step B0)."""
    given = Given.model_validate(muster(setup.brief.given or {}))
    own = setup.settings.model_dump(include=set(HandSettings.model_fields))
    people = _people(setup.brief, setup.sheets)
    for one in people.values():
        if one.wounds.dead:
            one.gone = "dead"
    fight = Fight(HandSettings.model_validate(own), given.description, people, gap=given.gap, ambush=given.ambush)
    return State(fight)
