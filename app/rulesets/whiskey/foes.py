"""The GM's foes in mid-battle: how everybody is, newcomers, copies, hiding, and a foe's sheet."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.engine.gm_desk import Foes, Form, Vital
from app.engine.muster import newcomers
from app.engine.unused_names import newcomers_name, unnumbered
from app.rulesets.whiskey.declarations import slug
from app.rulesets.whiskey.sheets import Sheet
from app.rulesets.whiskey.view import View, Who

MOST_AT_ONCE = 20  # in one act of the GM


def vitals(view: View) -> tuple[Vital, ...]:
    return tuple(
        Vital(
            key=who.key,
            name=who.name,
            health=f"{who.hp} of {who.hp_max} HP" if who.hp is not None and who.health != "gone" else who.health,
            able=who.able,
            hidden=who.hidden,
            foe=not who.pc,
            character=who.character,
        )
        for who in view.fighters.values()
    )


def join(view: View, rows: Sequence[Mapping[str, str]]) -> tuple[Form, ...]:
    """Newcomers of a group come in together, unless each gets a name of its own: hidden ones, and later numbers."""
    forms: list[Form] = []
    taken = {who.name for who in view.fighters.values()}
    for group in newcomers(rows, view.templates, FOES.most):
        if not group.count:
            continue
        guards = group.row.get("guards", "")
        like = {name: group.row.get(name, "") for name in ("hidden", "shown")} | {
            "habit": "guard" if guards else group.row.get("habit", "nearest"),
            "guards": guards,
        }
        names = group.names(view.templates[group.kind].name, taken)
        taken |= set(names)
        if group.hidden or names[0] != (group.name or view.templates[group.kind].name):
            forms += [_joins(group.kind, name, 1, like) for name in names]
        else:  # the first of that name: the rules number them in the same way
            whole, rest = divmod(group.count, MOST_AT_ONCE)
            forms += [_joins(group.kind, group.name, n, like) for n in [MOST_AT_ONCE] * whole + [rest] * bool(rest)]
    return tuple(forms)


def copy(view: View, key: str) -> Form | None:
    """One more like this one, as it was when it came; None where no kind of the book is like it."""
    who = view.fighters[key]
    kind = _kind(view, who)
    if not kind:
        return None
    taken = {one.name for one in view.fighters.values()}
    like = {
        "hidden": "yes" if who.hidden else "",
        "shown": "yes" if who.shown else "",
        "habit": who.habit,
        "guards": who.guards if who.guards in view.fighters else "",
        "side": "players" if who.side == "players" else "enemies",
    }
    return _joins(kind, newcomers_name(unnumbered(who.name), taken, hidden=who.hidden), 1, like)


def keep(view: View, key: str) -> Sheet:
    who = view.fighters[key]
    numbers: dict[str, Any] = {"combat": who.combat, "base": who.base, "die": who.die, "hp": who.hp}
    return Sheet.model_validate(
        {**numbers, "name": who.name, "hp_max": who.hp_max, "guard_capacity": who.capacity}
        | {"cards": [card.key for card in who.cards], "faction": who.faction, "side": who.side}
    )


def _joins(kind: str, name: str, count: int, like: Mapping[str, str]) -> Form:
    return {"what": "join", "template": kind, "name": name, "count": str(count), **like}


def _kind(view: View, who: Who) -> str:
    """The kind of the book that this one was made from: by its key, else by its numbers."""
    for kind, sheet in view.templates.items():
        if unnumbered(who.key, "-") == slug(sheet.name):
            return kind
    mine = (who.base, who.die, who.hp_max, who.capacity, tuple(card.key for card in who.cards))
    for kind, sheet in view.templates.items():
        if mine == (sheet.base, sheet.die, sheet.hp_max, sheet.guard_capacity, sheet.cards):
            return kind
    return ""


FOES: Foes[View] = Foes(book=lambda view: view.templates, join=join, copy=copy, keep=keep, hides=True, most=60)
