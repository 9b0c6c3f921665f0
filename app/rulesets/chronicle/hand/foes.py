"""The GM's fighters in mid-fight: how everybody is, newcomers, copies, and a fighter's sheet."""

from collections.abc import Mapping

from app.engine.desks import Picker
from app.engine.gm_desk import Vital
from app.engine.ruleset import GM
from app.engine.unused_names import unnumbered
from app.rulesets.chronicle.gear import Carried, Worn
from app.rulesets.chronicle.hand.actions import Skill
from app.rulesets.chronicle.hand.muster import MOST_OF_A_KIND, belongings
from app.rulesets.chronicle.hand.state import Fighter
from app.rulesets.chronicle.hand.view import View
from app.rulesets.chronicle.sheets import Sheet, Skills

SKILLS: Mapping[Skill, str] = {"C": "control", "F": "fighting_mind", "V": "speed", "S": "strength"}
GONE = {"out": "takes no more part", "left": "has left", "surrendered": "has surrendered", "fled": "has fled"}


def vitals(view: View) -> tuple[Vital, ...]:
    found = []
    for key, who in view.people.items():
        one = view.fight.fighters[key]
        health = ", ".join(who.wounds) or ("dead" if who.gone == "dead" else "unhurt")
        gone = (GONE[who.gone],) if who.gone in GONE else ()
        found.append(
            Vital(
                key=key,
                name=who.name,
                health=health,
                conditions=(*gone, *who.conditions),
                able=who.able and not who.gone,
                foe=one.seat == GM,
                character=one.character if view.is_gm else "",
            )
        )
    return tuple(found)


def _kind(view: View, key: str) -> str:
    """The kind that a fighter's key names; "" for a character, and for one of no kind of the book."""
    kind = unnumbered(key, "-")
    return kind if kind in view.templates and not view.fight[key].character else ""


def keep(view: View, key: str) -> Sheet:
    kind = view.templates.get(unnumbered(key, "-"))
    return sheet_of(view.fight.fighters[key], kind.standing if kind is not None else "")


def sheet_of(one: Fighter, standing: str = "") -> Sheet:
    """A fighter as a sheet, with the wounds of the fight."""
    return Sheet(
        name=one.name,
        is_main=False,
        standing=standing,
        skills=Skills.model_validate({name: one.skills[what] for what, name in SKILLS.items()}),
        weapons=tuple(belongings(one)) or tuple(map(Carried.of, _arms(one))),
        armour=Worn.model_validate({"counts": one.armour}),
        shield="shield" in (one.left, one.right, *one.carried),
        wounds=one.wounds,
    )


def _arms(one: Fighter) -> list[str]:
    return [item for item in (one.right, one.left, *one.carried) if item and item != "shield"]


PICKER: Picker[View] = Picker(
    people=vitals,
    kinds=lambda view: view.templates,
    like=lambda view, group, number: {"side": group.row.get("side") or "b"},
    kind_of=_kind,
    like_one=lambda view, key: {"side": view.fight[key].side},
    apart=lambda view, group: True,
    hides=False,
    most=MOST_OF_A_KIND,
)
FOES = PICKER.foes(keep)
