"""From opened declarations to clashes: builds the plans for the interception, emits its results with their causes."""

from collections.abc import Hashable, Mapping
from typing import Any

from app.engine.chance import Chance, Roll
from app.engine.ruleset import Answer, Log, Seat
from app.rulesets.whiskey import events as ev
from app.rulesets.whiskey.cards import CARDS
from app.rulesets.whiskey.interception import Met, Plan, pair
from app.rulesets.whiskey.state import State

RULES = {"free": "WHI-12", "guard": "WHI-14", "mutual": "WHI-25", "picked": "WHI-28"}
MOST_CAUSES = 12  # in one "Why?"; a crowd has too many threats to name all


def pair_up(log: Log[State, ev.Event], answers: Mapping[Seat, Answer[Any]], chance: Chance) -> None:
    """Emits every clash, every stop, broken loops, and guards who meet no attacker (WHI-11 to WHI-30)."""
    state = log.state
    names = list(state.fighters)
    plans = _plans(state)
    rolls: dict[tuple[int, ...], tuple[int, Roll | None]] = {}

    def pick(loop: tuple[int, ...]) -> int:
        rolls[loop] = _pick(state, names, loop, chance)
        return rolls[loop][0]

    met = pair(plans, pick)
    stopped: dict[str, int] = {}
    loops: dict[tuple[int, ...], int] = {}
    choices: dict[int, int] = {}  # guard -> the event of his choice
    threats = _threats(state)
    chosen = _chosen(met)
    for found in met:
        by, other = names[found.by], names[found.other]
        because = _causes(state, found, by, other, threats, stopped)
        if found.loop:
            if found.loop not in loops:
                loops[found.loop] = _tell_loop(log, names, found.loop, rolls[found.loop], len(loops) + 1)
            because = (*because, loops[found.loop])
        if found.among > 1:
            took = chosen[found.by]
            if took[0] == found.other:
                choices[found.by] = _tell_choice(log, names, found, took, plans[found.by], because)
            because = (*because, choices[found.by])
        number = log.emit(ev.Met(f"{by}>{other}", by, other, found.why), rule=RULES[found.why], because=because)
        if found.stopped:
            stopped[other] = log.emit(ev.Stopped(other, by), rule=_stop_rule(state, by, other), because=(number,))
    _idle(log, {names[found.by] for found in met} | set(stopped))


def _stop_rule(state: State, by: str, other: str) -> str:
    """The rule of a stop: by a guard (WHI-14), or by an attack, which also pins a guard (WHI-20)."""
    if state.last.declared[by].intent == "defend":
        return "WHI-14"
    return "WHI-20" if state.last.declared[other].intent == "defend" else "WHI-13"


def _chosen(met: list[Met]) -> dict[int, list[int]]:
    """Guard -> the attackers he took, in the order of his choice."""
    found: dict[int, list[int]] = {}
    for one in met:
        if one.among:
            found.setdefault(one.by, []).append(one.other)
    return found


def _tell_choice(
    log: Log[State, ev.Event], names: list[str], found: Met, took: list[int], plan: Plan, because: tuple[int, ...]
) -> int:
    """Emits whom a guard took of several: preferred ones (WHI-16), as many as he may (WHI-22), else one (WHI-15)."""
    who = names[found.by]
    rule = "WHI-22" if plan.capacity > 1 else "WHI-16" if took[0] in plan.prefers else "WHI-15"
    d = log.state.last.declared[who]
    event = ev.Chose(who, d.target or f"area:{d.area}", tuple([names[w] for w in took]), found.among)
    return log.emit(event, rule=rule, because=because)


def _plans(state: State) -> dict[int, Plan]:
    places = state.places()
    areas = {d.area for d in state.last.declared.values() if d.intent == "defend" and d.area}
    sides = sorted({f.side for f in state.fighters.values()})
    return {places[who]: _plan(state, places, d, areas, sides) for who, d in state.last.declared.items()}


def _plan(state: State, places: Mapping[str, int], d: ev.Declared, areas: set[str], sides: list[str]) -> Plan:
    fighter = state.fighters[d.who]
    cards = [CARDS[key] for key in (d.rider, d.card) if key] if d.rider or d.card else []
    slips = bool(cards) and any(card.slips for card in cards)
    if d.intent in ("attack", "advance") and d.target:
        # An advance that engages a barrer is an attack on him (WHI-21, WHI-56).
        return Plan(attacks=places[d.target], caught_by=() if slips else (("who", d.target),))
    if d.intent == "advance":
        caught: tuple[Hashable, ...] = ()
        if d.area in areas and not slips:
            caught = tuple(("area", d.area, side) for side in sides if side != fighter.side)
        return Plan(caught_by=caught)
    if d.intent == "defend":
        ward: Hashable = ("who", d.target) if d.target else ("area", d.area, fighter.side)
        capacity = max([fighter.capacity, *(card.capacity for card in cards)])
        prefers = tuple(places[who] for who in d.prefer if who in places)
        return Plan(guards=ward, prefers=prefers, capacity=capacity)
    return Plan()


def _pick(state: State, names: list[str], loop: tuple[int, ...], chance: Chance) -> tuple[int, Roll | None]:
    """Casual: the player's character who spoke first. Otherwise any member, by luck (WHI-27, WHI-29)."""
    if state.settings.mode == "casual":
        pcs = [who for who in loop if state.fighters[names[who]].pc]
        if pcs:
            return min(pcs, key=lambda who: (state.last.declared[names[who]].rank, who)), None
    members = tuple(names[who] for who in loop)
    picked, roll = chance.pick(members, f"WHI-29/pick/{'>'.join(members)}")
    return loop[members.index(picked)], roll


def _tell_loop(
    log: Log[State, ev.Event], names: list[str], loop: tuple[int, ...], picked: tuple[int, Roll | None], order: int
) -> int:
    because = tuple(sorted(log.state.last.told[names[who]] for who in loop))[:MOST_CAUSES]
    who, roll = picked
    members = tuple(names[w] for w in loop)
    # Loops are broken one by one, first the one with the earliest member in the roster.
    stuck = log.emit(ev.Stuck(members, order), rule="WHI-26" if order == 1 else "WHI-29", because=because)
    return log.emit(ev.Loop(members, names[who], roll), rule="WHI-27", because=(stuck,))


def _threats(state: State) -> dict[str, list[str]]:
    """Attackers by target ("attack:…") and guards by ward ("guard:…")."""
    found: dict[str, list[str]] = {}
    for d in state.last.declared.values():
        if d.target:
            found.setdefault(("guard:" if d.intent == "defend" else "attack:") + d.target, []).append(d.who)
    return found


def _causes(
    state: State,
    found: Met,
    by: str,
    other: str,
    threats: Mapping[str, list[str]],
    stopped: Mapping[str, int],
) -> tuple[int, ...]:
    """The declarations that led to this clash, and the stops that cleared the way."""
    told = state.last.told
    causes = [told[by]]
    if found.why != "free" and other in told:
        causes.append(told[other])
    in_the_way = [threats.get(f"attack:{by}")]
    if state.last.declared[by].intent != "defend":
        in_the_way.append(threats.get(f"guard:{other}"))
    for those in in_the_way:
        causes += [stopped[who] for who in those[:MOST_CAUSES] if who in stopped] if those else ()
    return tuple(dict.fromkeys(causes))[:MOST_CAUSES]


def _idle(log: Log[State, ev.Event], busy: set[str]) -> None:
    for d in list(log.state.last.declared.values()):
        if d.intent == "defend" and d.who not in busy:
            log.emit(ev.Idle(d.who), rule="WHI-19", because=(log.state.last.told[d.who],))
