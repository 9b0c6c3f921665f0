"""The fight as one viewer may know it: the same state without hidden foes, and with made-up numbers for secret ones.

Checks of a form ask it the same questions as the rules ask the whole state.
"""

from collections.abc import Collection, Mapping
from copy import copy
from dataclasses import replace

from app.engine.ruleset import Viewer
from app.rulesets.skirmish.fight.state import Combatant, Now, State
from app.rulesets.skirmish.sheet.gear import Weapon

UNKNOWN = 10  # an attribute that the viewer does not know


def state_for(state: State, viewer: Viewer) -> State:
    """A copy of the state without what the viewer may not know."""
    if viewer.gm:
        return state
    announced = _announced(state.now)
    seen = {c.key: _known(c, viewer, announced) for c in state.combatants.values() if not c.hidden}
    return replace(
        state,
        combatants=seen,
        surprised=state.surprised if state.now.free else "",
        surprise=state.surprise if state.now.free else 0,
        ambush=state.ambush if state.now.free else False,
        called=None,
        groups={},
        desk=0,
        own_foes={},
        now=_now(state.now, seen),
    )


def _now(now: Now, seen: Mapping[str, Combatant]) -> Now:
    """The newest turn without hidden foes and the numbers of events, whose gaps would count what is hidden."""
    return replace(
        now,
        declared={who: declared for who, declared in now.declared.items() if who in seen},
        told={},
        reacted={},
        initiative=0,
        acting=0,
        brutal=[],
        wavering=[],
    )


def _announced(now: Now) -> Collection[tuple[str, str]]:
    """Who casts which spell in the newest turn, by key: everybody has heard it."""
    return {(who, deed.weapon) for who, one in now.declared.items() for deed in one.deeds if deed.do == "cast"}


def _as_heard(spell: Weapon) -> Weapon:
    """A spell without its die and what else is its caster's secret; that it is a blast shows in who is attacked."""
    return Weapon(id=spell.id, name=spell.name, spell=spell.spell, reach="far", blast=spell.blast)


def full(who: Combatant, viewer: Viewer) -> bool:
    """Whether the viewer knows all the numbers of somebody."""
    return viewer.gm or who.shown or who.seat in viewer.seats


def _known(who: Combatant, viewer: Viewer, announced: Collection[tuple[str, str]]) -> Combatant:
    if full(who, viewer):
        return who
    one = copy(who)
    for part in ("mgt", "agi", "wil"):
        hurt = getattr(who, part) < getattr(who, f"{part}_max")
        if part not in who.known:
            setattr(one, part, UNKNOWN)
        setattr(one, f"{part}_max", getattr(one, part) + hurt)
    one.hp_max = UNKNOWN
    one.hp = UNKNOWN if who.hp >= who.hp_max else min(who.hp, 1)  # how somebody looks, everybody sees
    one.fatigue, one.kills, one.proficient = 0, dict[str, int](), list[str]()
    one.habit, one.leader = "", False
    one.things = [
        copy(thing) for thing in who.things if thing.held in ("main", "off", "worn", "floor") or thing.at_hand
    ]
    one.spells = [_as_heard(spell) for spell in who.spells if (who.key, spell.id) in announced]
    one.critical = "out"
    return one
