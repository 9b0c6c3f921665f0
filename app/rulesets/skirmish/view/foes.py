"""The GM's foes in mid-fight: how everybody is, newcomers, copies, hiding, and a foe's sheet."""

from collections.abc import Mapping, Sequence

from app.engine.gm_desk import Foes, Form, Vital
from app.engine.muster import Newcomers, newcomers
from app.engine.unused_names import newcomers_name, unnumbered
from app.rulesets.skirmish.fight.state import Combatant, sheet_of
from app.rulesets.skirmish.sheet.foe_templates import FoeKind
from app.rulesets.skirmish.sheet.muster import MOST, slug, spoken, zone_keys
from app.rulesets.skirmish.sheet.sheets import Sheet
from app.rulesets.skirmish.view.view import View, Who

MOST_AT_ONCE = 20  # in one act of the GM


def vitals(view: View) -> tuple[Vital, ...]:
    return tuple(
        Vital(
            key=who.key,
            name=who.name,
            health=f"{who.hp} of {who.hp_max} HP" if who.hp is not None and who.able else who.health,
            conditions=who.conditions,
            able=who.able,
            hidden=who.hidden,
            foe=not who.pc,
            character=who.character,
        )
        for who in view.fighters.values()
    )


def join(view: View, rows: Sequence[Mapping[str, str]]) -> tuple[Form, ...]:
    """Newcomers of a group come in together, unless each gets a name of its own: hidden ones, later numbers, and a
    leader, who comes first."""
    forms: list[Form] = []
    taken = {who.name for who in view.fighters.values()}
    for group in newcomers(rows, view.templates, FOES.most):
        if not group.count:
            continue
        kind, like = view.templates[group.kind], _like(view, group)
        names = group.names(kind.name, taken)
        taken |= set(names)
        leads = bool(group.row.get("leader"))
        if group.hidden or leads or kind.leader or names[0] != (group.name or kind.name):
            forms += [
                _joins(group.kind, name, 1, {**like, "leader": "yes" if (leads or kind.leader) and not n else ""})
                for n, name in enumerate(names)
            ]
        else:  # the first of that name: the rules number them in the same way
            full, rest = divmod(group.count, MOST_AT_ONCE)
            forms += [_joins(group.kind, group.name, n, like) for n in [MOST_AT_ONCE] * full + [rest] * bool(rest)]
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
        "group": who.group,
        "zone": who.zone,
        "side": who.side,
    }
    return _joins(kind, newcomers_name(unnumbered(who.name), taken, hidden=who.hidden), 1, like)


def keep(view: View, key: str) -> Sheet:
    """The foe as a character's sheet, as it is now."""
    one: Combatant = view.known.combatants[key]
    full = {"mgt_max": one.mgt_max, "agi_max": one.agi_max, "wil_max": one.wil_max, "hp_max": max(1, one.hp_max)}
    more = {"spells": [spell.id for spell in one.spells], "proficient": list(one.proficient)}
    return Sheet.model_validate({**sheet_of(one), **full, **more, "name": one.name})


def _like(view: View, group: Newcomers) -> dict[str, str]:
    """The choices of a group's card; raises ValueError, in words, for a zone that is not there."""
    row, wanted = group.row, " ".join(group.row.get("zone", "").split())
    keys = zone_keys([zone.model_dump() for zone in view.zones.values()])
    if wanted and wanted.casefold() not in keys:
        there = ", ".join(zone.name for zone in view.zones.values())
        raise ValueError(f"There is no zone called “{wanted[:40]}”. There is: {there}.")
    return {
        "hidden": row.get("hidden", ""),
        "shown": row.get("shown", ""),
        "habit": row.get("habit") or view.templates[group.kind].habit,
        "group": row.get("group") or view.templates[group.kind].name,
        "zone": keys.get(wanted.casefold(), ""),
    }


def _joins(kind: str, name: str, count: int, like: Mapping[str, str]) -> Form:
    return {"what": "join", "template": kind, "name": name, "count": str(count), **like}


def _kind(view: View, who: Who) -> str:
    """The kind that this one was made from: by its key, else by its name, else by its numbers."""
    kinds: Mapping[str, FoeKind] = view.templates
    for found in (slug(unnumbered(who.key, "-")), slug(unnumbered(who.name))):
        for kind, one in kinds.items():
            if found in (slug(spoken(kind)), slug(one.name)):
                return kind
    mine = (who.hp_max, *(getattr(view.known.combatants[who.key], f"{name}_max") for name in ("mgt", "agi", "wil")))
    return next((kind for kind, one in kinds.items() if mine == (one.hp, one.mgt, one.agi, one.wil)), "")


FOES: Foes[View] = Foes(book=lambda view: view.templates, join=join, copy=copy, keep=keep, hides=True, most=MOST)
