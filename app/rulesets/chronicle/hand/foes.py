"""The GM's fighters in mid-fight: how everybody is, newcomers, copies, and a fighter's sheet."""

from collections.abc import Mapping, Sequence

from app.engine.gm_desk import Foes, Form, Vital
from app.engine.muster import newcomers
from app.engine.ruleset import GM
from app.engine.unused_names import next_name, unnumbered
from app.rulesets.chronicle.gear import Carried, Worn
from app.rulesets.chronicle.hand.actions import Skill
from app.rulesets.chronicle.hand.muster import belongings
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


def join(view: View, rows: Sequence[Mapping[str, str]]) -> tuple[Form, ...]:
    """One act for each newcomer."""
    forms: list[Form] = []
    taken = {one.name for one in view.people.values()}
    for group in newcomers(rows, view.templates, FOES.most):
        names = group.names(view.templates[group.kind].name, taken)
        taken |= set(names)
        side = group.row.get("side") or "b"
        forms += [{"what": "join", "template": group.kind, "name": name, "side": side} for name in names]
    return tuple(forms)


def copy(view: View, key: str) -> Form | None:
    """One more like this one, unhurt; None where its key names no kind of the book."""
    one = view.fight.fighters[key]
    kind = unnumbered(key, "-")
    if one.character or kind not in view.templates:
        return None
    name = next_name(unnumbered(one.name), {other.name for other in view.people.values()})
    return {"what": "join", "template": kind, "name": name, "side": one.side}


def keep(view: View, key: str) -> Sheet:
    one = view.fight.fighters[key]
    kind = view.templates.get(unnumbered(key, "-"))
    return Sheet(
        name=one.name,
        is_main=False,
        standing=kind.standing if kind is not None else "",
        skills=Skills.model_validate({name: one.skills[what] for what, name in SKILLS.items()}),
        weapons=tuple(belongings(one)) or tuple(map(Carried.of, _arms(one))),
        armour=Worn.model_validate({"counts": one.armour}),
        shield="shield" in (one.left, one.right, *one.carried),
        wounds=one.wounds,
    )


def _arms(one: Fighter) -> list[str]:
    return [item for item in (one.right, one.left, *one.carried) if item and item != "shield"]


FOES: Foes[View] = Foes(book=lambda view: view.templates, join=join, copy=copy, keep=keep)
