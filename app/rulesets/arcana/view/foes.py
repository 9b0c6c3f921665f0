"""The GM's foes in mid-fight: how everybody is, newcomers, copies, hiding, and a foe's sheet."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.engine.gm_desk import Foes, Form, Vital
from app.engine.muster import newcomers
from app.engine.ruleset import GM
from app.engine.unused_names import newcomers_name, unnumbered
from app.rulesets.arcana.fight.state import Fighter
from app.rulesets.arcana.rules.book import SCHOOLS, WEAPONS
from app.rulesets.arcana.sheet.body import of_foe
from app.rulesets.arcana.sheet.foes import GRADES
from app.rulesets.arcana.sheet.sheets import PROFICIENCIES, Sheet
from app.rulesets.arcana.view.view import View


def vitals(view: View) -> tuple[Vital, ...]:
    return tuple(
        Vital(
            key=key,
            name=one.body.name,
            health=f"{one.hp} of {one.body.hp_max} HP, {one.fp} FP" if key in view.numbers else view.looks[key],
            conditions=tuple(words for words, _ in view.conditions(key)),
            able=one.able and not one.down,
            hidden=one.hidden,
            foe=one.seat == GM,
            character=one.character if view.is_gm else "",
        )
        for key, one in view.people.items()
    )


def join(view: View, rows: Sequence[Mapping[str, str]]) -> tuple[Form, ...]:
    """One act for each newcomer."""
    forms: list[Form] = []
    taken = {one.body.name for one in view.people.values()}
    for group in newcomers(rows, view.templates, FOES.most):
        like = {name: group.row.get(name, "") for name in ("grade", "habit", "guards", "hidden") if group.row.get(name)}
        if like.get("guards"):
            like["habit"] = "guard"
        names = group.names(view.templates[group.kind].name, taken)
        taken |= set(names)
        forms += [{"what": "join", "template": group.kind, "name": name, "side": "foes", **like} for name in names]
    return tuple(forms)


def copy(view: View, key: str) -> Form | None:
    """One more like this one, unhurt; None for one with a sheet of its own."""
    one = view.people[key]
    if one.foe not in view.templates:
        return None
    taken = {other.body.name for other in view.people.values()}
    like = {"grade": _grade(view, one), "habit": one.habit, "side": one.side, "hidden": "yes" if one.hidden else ""}
    guards = one.guards if one.guards in view.people else ""
    name = newcomers_name(unnumbered(one.body.name), taken, hidden=one.hidden)
    return {"what": "join", "template": one.foe, "name": name, "guards": guards, **like}


def keep(view: View, key: str) -> Sheet:
    """A sheet has no natural attacks, no hide and no resistances: its note says them."""
    one, body = view.people[key], view.people[key].body
    natural = [weapon.name for name, weapon in body.weapons.items() if name not in WEAPONS]
    notes = [f"Natural attacks: {', '.join(natural)}."] if natural else []
    notes += [f"Resists {kind}: {percent} %." for kind, percent in body.resists.items()]
    notes += [f"Suffers {percent} % more from {kind}." for kind, percent in body.suffers.items()]
    sheet: dict[str, Any] = {
        "name": body.name,
        "level": body.level,
        "attributes": dict(body.attributes),
        "proficient": [name for name in PROFICIENCIES if name in body.proficient],
        "schools": {name: level for name, level in body.schools.items() if name in SCHOOLS},
        "spells": body.spells,
        "weapons": [name for name in body.weapons if name in WEAPONS and name != "unarmed"],
        "items": dict(one.items),
        "expertise_bonus": body.expertise,
        "hp_stated": body.hp_max,
        "fp_stated": body.fp_max,
        "hp": one.hp,
        "fp": one.fp,
        "dead": one.dead,
        "note": " ".join(notes),
    }
    return Sheet.model_validate(sheet)


def _grade(view: View, one: Fighter) -> str:
    row = view.templates[one.foe]
    made = (grade for grade in GRADES if of_foe("x", row, grade).attributes == dict(one.body.attributes)
            and of_foe("x", row, grade).hp_max == one.body.hp_max)  # fmt: skip
    return next(made, "standard")


FOES: Foes[View] = Foes(book=lambda view: view.templates, join=join, copy=copy, keep=keep, hides=True)
