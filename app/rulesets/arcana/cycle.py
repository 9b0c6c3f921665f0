"""One turn cycle from the reveal to its end, in the exact phases of the ledger (1.4): pure, told event by event."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from math import isqrt

from app.engine.chance import Chance
from app.engine.ifthen import THEM, Card, Reading
from app.rulesets.arcana import events as ev
from app.rulesets.arcana.aim import throw
from app.rulesets.arcana.batch import Crowd, change
from app.rulesets.arcana.body import STEP, considered, special, transport
from app.rulesets.arcana.book import STATUSES
from app.rulesets.arcana.conditions import Way, read
from app.rulesets.arcana.declarations import HOLD, STANCES_AND_MOVES, Action, Turn
from app.rulesets.arcana.landing import land
from app.rulesets.arcana.launch import Flight, Table, launch
from app.rulesets.arcana.space import Cell, cut, gap2, settle
from app.rulesets.arcana.state import Fighter

SEARCH = 2  # ARC-29


def resolve(tale: Table, turns: Mapping[str, Turn], chance: Chance, how: Mapping[str, str] | None = None) -> None:
    """Tell the cycle. `turns` may lack somebody, who holds; `how` says how each declaration came about.

    Those unaware of their attackers hold in the first cycle, whatever their envelope says: it is not opened (ARC-11).
    """
    state = tale.state
    for who, one in state.fighters.items():
        if one.dead:
            continue
        surprised = state.cycle == 1 and who in state.unaware
        turn = HOLD if surprised or not _may(one, turns.get(who, HOLD)) else turns.get(who, HOLD)
        way = "surprised" if surprised else (how or {}).get(who, "sealed")
        tale.tell(ev.Revealed(who, turn, way), rule="ARC-11" if surprised else "ARC-07")
    now = {who: one.turn for who, one in state.fighters.items() if not one.dead}
    ways, emerged = _free(tale, now, chance)
    ways += _moving(tale, now, chance, "considered", emerged)
    ways += _moving(tale, now, chance, "move", emerged)
    reading = read(state, now, _joined(ways), emerged)
    for card in reading.cards.values():
        if card.verdict == "not_fired":
            tale.tell(ev.Judged(card.owner, card), rule="ARC-48" if card.why == "knot" else "ARC-42")
    crowd = Crowd(tale)
    early = _interrupts(tale, now, reading, chance, crowd)
    _unconditional(tale, now, chance, crowd)
    for owners in reading.rounds:
        _carry_out(tale, now, reading, [who for who in owners if who not in early], chance, crowd)
    _end(tale)


def _may(one: Fighter, turn: Turn) -> bool:
    """Who cannot act declares nothing, except to shake off what holds them (ARC-10)."""
    return one.able or (turn.major is not None and turn.major.do == "shake_off" and turn.when is None)


# --------------------------------------------------------------------------------------------------- phases 0 to 2


def _free(tale: Table, now: Mapping[str, Turn], chance: Chance) -> tuple[list[Way], list[str]]:
    """Phase 0: facing, steps, coming out of cover, then stealth against perception (ARC-60, ARC-61, ARC-99)."""
    state, emerged = tale.state, list[str]()
    for who, turn in now.items():
        one = state.fighters[who]
        if not one.able:
            continue
        if turn.free.emerge and state.cover(who) != "none":
            tale.tell(ev.Emerged(who), rule="ARC-61")
            emerged.append(who)
        facing = _facing(tale, who, turn)
        if facing != one.facing and facing != (0, 0):
            tale.tell(ev.Faced(who, facing), rule="ARC-69")
    goals = {
        who: cut(state.fighters[who].place, turn.free.step, STEP)
        for who, turn in now.items()
        if turn.free.step is not None and not (turn.major and turn.major.do == "move") and _free_to_go(tale, who)
    }
    ways = _go(tale, goals, "step", chance, emerged)
    _notice(tale, now, chance)
    return ways, emerged


def _facing(tale: Table, who: str, turn: Turn) -> Cell:
    """ARC-69: as declared, else towards the target of what is done anyway, else along the movement."""
    place = tale.state.fighters[who].place
    goal = turn.free.face
    for action in turn.plain() if goal is None else ():
        if action.target in tale.state.fighters and action.target != who:
            goal = tale.state.fighters[action.target].place
        elif action.to is not None:
            goal = goal or action.to
    return (goal[0] - place[0], goal[1] - place[1]) if goal is not None else tale.state.fighters[who].facing


def _free_to_go(tale: Table, who: str) -> bool:
    one = tale.state.fighters[who]
    return one.able and not one.still and not one.forbidden("movement")


def _notice(tale: Table, now: Mapping[str, Turn], chance: Chance) -> None:
    state = tale.state
    values: dict[str, int] = {}
    for who, one in state.fighters.items():
        if one.hidden and one.able and who in now and now[who].plain():
            thrown = throw(chance.veiled, f"ARC-99/stealth/{who}", state.settings)
            bonus = one.body.mod("FIN") + one.body.bonus("Stealth") + one.checks
            tale.tell(ev.Checked(who, "stealth", thrown.rolls, bonus, 0, True), rule="ARC-99")
            values[who] = thrown.kept + bonus
    for who, turn in now.items():
        if turn.plain() and turn.plain()[0].do == "search" and state.fighters[who].able:
            body = state.fighters[who].body
            thrown = throw(chance, f"ARC-29/search/{who}", state.settings)
            bonus = body.mod("PER") + body.bonus("Observation") + SEARCH + state.fighters[who].checks
            tale.tell(ev.Checked(who, "search", thrown.rolls, bonus, 0, True), rule="ARC-29")
    for who, one in state.fighters.items():
        if not one.hidden or one.dead:
            continue
        for key in state.enemies(who):
            other = state.fighters[key]
            searching = other.search > 0
            if key in one.noticed_by or other.dead or not (searching or who in values):
                continue
            seen = max(other.body.passive_perception - (5 if other.has("asleep") else 0), other.search)
            if values.get(who, one.stealth) <= seen:
                tale.tell(ev.Noticed(who, (key,)), rule="ARC-98")


def _moving(tale: Table, now: Mapping[str, Turn], chance: Chance, do: str, emerged: list[str]) -> list[Way]:
    """Phases 1 and 2: everybody at once, cut short where it turns out too far (ARC-66, ARC-68)."""
    goals: dict[str, Cell] = {}
    for who, turn in now.items():
        for action in turn.plain():
            if action.do != do or action.to is None:
                continue
            if not _free_to_go(tale, who):
                tale.tell(ev.Void(who, do, "cannot move"), rule="ARC-144")
                continue
            one = tale.state.fighters[who]
            goals[who] = cut(one.place, action.to, allowance(tale, one, action))
    return _go(tale, goals, "considered" if do == "considered" else "move", chance, emerged)


def allowance(tale: Table, one: Fighter, action: Action) -> int:
    """How far this movement may go, in cm."""
    slow = one.encumbered
    if action.do == "considered":
        return 0 if one.has("prone") else considered(one.body, tale.state.settings, encumbered=slow)
    if action.gait == "special" or one.has("prone"):
        return special(one.body, encumbered=slow)
    return transport(one.body, encumbered=slow)


def _go(tale: Table, goals: Mapping[str, Cell], how: str, chance: Chance, emerged: list[str]) -> list[Way]:
    """One phase of movement with its body slams (ARC-20, ARC-21)."""
    state, ways = tale.state, list[Way]()
    moving = {who: goal for who, goal in goals.items() if goal != state.fighters[who].place}
    if not moving:
        return ways
    starts = {key: one.place for key, one in state.fighters.items()}
    ends, slammed = settle(starts, moving)
    for who in sorted(moving):
        covered = state.cover(who)
        manner = "step" if how == "step" else "considered" if how == "considered" else "move"
        tale.tell(ev.Moved(who, manner, starts[who], moving[who], ends[who]), rule="ARC-66")
        ways.append(Way(who=who, start=starts[who], end=ends[who]))
        if covered != "none" and ends[who] != starts[who] and state.cover(who) == "none":
            tale.tell(ev.Emerged(who), rule="ARC-61")
            emerged.append(who)
    for who in slammed:
        roll = chance.die(state.settings.body_slam, f"ARC-21/slam/{how}/{who}")
        number = tale.tell(ev.Slammed(who, roll), rule="ARC-21")
        change(tale, who, roll.face, 0, (), (number,))
    return ways


def _joined(ways: Iterable[Way]) -> list[Way]:
    """A step and a movement of one combatant are one way, from where it started to where it ended."""
    found: dict[str, Way] = {}
    for way in ways:
        first = found.get(way.who, way)
        found[way.who] = replace(way, start=first.start)
    return [way for way in found.values() if way.start != way.end]


# --------------------------------------------------------------------------------------------------- phases 3 and 4


def _actions(actions: Iterable[Action], them: str = "") -> list[tuple[int, Action]]:
    """Without movement and stances, which have their own time, each with its slot."""
    found = [one for one in actions if one.do not in STANCES_AND_MOVES | {"search"}]
    aimed = [one.model_copy(update={"target": them}) if one.target == THEM else one for one in found]
    return list(enumerate(aimed, 1))


def _unconditional(tale: Table, now: Mapping[str, Turn], chance: Chance, crowd: Crowd) -> None:
    flights: list[Flight] = []
    for who in sorted(now):
        for slot, action in _actions(now[who].plain()):
            if tale.state.fighters[who].dead:
                continue
            flight = launch(tale, who, slot, action, chance)
            if isinstance(flight, Flight):
                flights.append(flight)
    _land(tale, flights, chance, crowd)


def _land(tale: Table, flights: Iterable[Flight], chance: Chance, crowd: Crowd) -> None:
    """Batches by distance; of one actor's two the second never before the first (ARC-14, ARC-15, ARC-17)."""
    keyed: list[tuple[tuple[int, int], Flight]] = []
    last: dict[str, tuple[int, int]] = {}
    for flight in sorted(flights, key=lambda one: (one.who, one.slot)):
        key = (flight.distance2, 0)
        if flight.who in last and key <= last[flight.who]:
            key = (last[flight.who][0], last[flight.who][1] + 1)
        last[flight.who] = key
        keyed.append((key, flight))
    keyed.sort(key=lambda pair: (pair[0], pair[1].who, pair[1].slot))
    for _, batch in groupby(keyed, key=lambda pair: pair[0]):
        land(tale, [flight for _, flight in batch], chance, crowd)


def _interrupts(tale: Table, now: Mapping[str, Turn], reading: Reading, chance: Chance, crowd: Crowd) -> set[str]:
    """Who came first: carried out at once, completely, the nearest interrupter before the others (ARC-49, ARC-50)."""
    state, done = tale.state, set[str]()
    cards = [card for card in reading.cards.values() if card.tries_first]
    place = {key: one.place for key, one in state.fighters.items()}
    for card in sorted(cards, key=lambda card: (gap2(place[card.owner], place[card.watched]), card.owner)):
        who, one, other = card.owner, state.fighters[card.owner], state.fighters[card.watched]
        actions = _actions(now[who].guarded(), card.watched)
        if not actions or not one.able:
            continue
        aim = actions[0][1].target
        far = isqrt(gap2(one.place, state.fighters[aim].place)) // 1000 if aim in state.fighters else 0
        value = 10 + other.body.mod("FIN") + other.body.bonus("Speed") + far
        if state.settings.interrupt_check == "fixed_15":
            value = 15
        thrown = throw(chance, f"ARC-49/interrupt/{who}", state.settings)
        bonus = one.body.mod("FIN") + one.body.bonus("Speed") + one.checks
        ok = thrown.kept + bonus >= value
        tale.tell(ev.Checked(who, "interrupt", thrown.rolls, bonus, value, ok, card.watched), rule="ARC-49")
        if ok:
            done.add(who)
            _carry_out(tale, now, reading, [who], chance, crowd)
    return done


def _carry_out(
    tale: Table, now: Mapping[str, Turn], reading: Reading, owners: list[str], chance: Chance, crowd: Crowd
) -> None:
    """What these if-thens guard: launched together with places as they are now, then landed (ARC-51)."""
    flights: list[Flight] = []
    for who in owners:
        card = reading.cards[who]
        if not tale.state.fighters[who].able:
            _judge(tale, reading.blocked(who, "cannot act"), "ARC-51")
            continue
        number, notes = len(now[who].plain()), list[str]()
        made = 0
        for slot, action in _actions(now[who].guarded(), card.watched):
            flight = launch(tale, who, slot + number, action, chance, conditional=True)
            if isinstance(flight, Flight):
                flights.append(flight)
                made += 1
            else:
                notes.append(flight)
        _judge(tale, card if made or not notes else reading.blocked(who, notes[0]), "ARC-43")
    _land(tale, flights, chance, crowd)


def _judge(tale: Table, card: Card, rule: str) -> None:
    tale.tell(ev.Judged(card.owner, card), rule=rule)


# --------------------------------------------------------------------------------------------------------- phase 5


def _end(tale: Table) -> None:
    """ARC-22: what goes on harming, then durations and FP; the end is proposed when one side is left (ARC-01)."""
    state, rested = tale.state, list[str]()
    for who, one in state.fighters.items():
        if one.dead:
            continue
        old = {key: STATUSES[key] for key, held in one.statuses.items() if held.since < state.cycle}
        hp = sum(status.loses.hp for status in old.values()) + int("critical" in old)
        fp = sum(status.loses.fp for status in old.values())
        if hp or fp:
            number = tale.tell(ev.Bled(who, hp, fp, tuple(sorted(old))), rule="ARC-22")
            change(tale, who, hp, fp, (), (number,))
    for who, one in state.fighters.items():
        stopped = any(STATUSES[key].no_regain for key in one.statuses)
        if not (one.dead or one.paid or stopped):
            rested.append(who)
    tale.tell(ev.Ticked(state.cycle, tuple(rested)), rule="ARC-139")
    sides = sorted({one.side for one in state.fighters.values() if not one.dead and not _down(one)})
    if len(sides) < 2:
        tale.tell(ev.Over(sides[0] if sides else ""), rule="ARC-01")


def _down(one: Fighter) -> bool:
    return any(one.has(key) for key in ("critical", "stable", "unconscious"))
