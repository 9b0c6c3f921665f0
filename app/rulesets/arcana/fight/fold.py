"""Folds events into a fight's state, and tells who may see each event (ledger 1.7, 1.9)."""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from typing import assert_never, cast

from app.engine.ruleset import LoggedEvent, Viewer
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import HOLD, kept, reacting
from app.rulesets.arcana.fight.flight import Flight, by_key, in_order
from app.rulesets.arcana.fight.fold_spells import (
    count_down,
    drop,
    fade,
    give_back,
    lapse,
    lend,
    mend,
    remain,
    spend,
    ward,
    wear,
)
from app.rulesets.arcana.fight.hands import holding, near
from app.rulesets.arcana.fight.skills import right
from app.rulesets.arcana.fight.state import Clash, Fighter, Held, Stage, State
from app.rulesets.arcana.fight.tasks import Focus, Task, aimed
from app.rulesets.arcana.rules.book import STATUSES


def apply(state: State, told: LoggedEvent[ev.Event]) -> None:
    event = told.event
    match event:  # checked in this order, so the most frequent come first
        case ev.Revealed():
            one = state.fighters[event.who]
            one.turn, one.said = event.turn, (*one.said, told.number)
            if event.turn.extra is not None:
                first = state.spell(event.turn.major.spell) if event.turn.major else None
                one.surged |= right(one, event.turn, first) == "surge"
        case ev.Paid():
            one = state.fighters[event.who]
            one.fp -= event.fp
            one.paid = one.paid or event.fp > 0
        case ev.Launched():
            pass
        case ev.Aloft():
            _aloft(state, event.flight)
        case ev.Struck():
            _came_to(state, "is_hit", event.target if event.hit else "")
            if event.label and event.target in state.fighters and event.target != event.who:
                target = state.fighters[event.target]
                if event.who not in target.struck_by:
                    target.struck_by = tuple(sorted((*target.struck_by, event.who)))
            if event.by == "unseen" and event.label:
                state.fighters[event.who].on_mark = event.hit
            if event.label:
                state.struck[event.label] = (event.hit, event.hit and event.kept == 20, told.number)
                if event.blocked or (event.by == "block" and not event.hit and not event.fate):
                    state.blocked |= {event.label}
        case ev.Checked():
            _checked(state, event)
        case ev.Judged():
            state.cards[event.who] = event.card
        case ev.Damaged():
            _came_to(state, "is_hit", event.target)
            if event.type == "poison" and event.target in state.fighters:
                state.fighters[event.target].poison += event.amount - event.absorbed
        case ev.Changed():
            one = state.fighters[event.who]
            _came_to(state, "falls", event.who if event.state != "up" and one.hp > 0 else "")
            one.hp, one.fp, one.dead = event.hp, event.fp, event.state == "dead"
        case ev.Faced():
            state.fighters[event.who].facing = event.facing
        case ev.Moved():
            one = state.fighters[event.who]
            if event.how != "push" and one.came is None:
                one.came = event.start
            if event.how != "push" and event.end != event.start:
                one.went = (*one.went, (event.start, event.end))
            one.out = one.out and (one.exposed or event.how == "push" or event.start == event.end)
            one.place = event.end
        case ev.Resisted():
            state.fighters[event.who].resists += int(not event.passive)
        case ev.Stage():
            _stage(state, cast(Stage, event.stage))
        case ev.Kept():
            _kept(state.fighters[event.who], event)
        case ev.Questioned():
            state.questions = event.questions
        case ev.Ruled():
            state.rulings[event.key] = event.ruling
        case ev.Clashing():
            state.clash = Clash(event.phase, dict(event.goals), event.who)
        case ev.Matched():
            state.cards |= {card.owner: card for card in event.cards}
            state.rounds = event.rounds
        case ev.Named():
            state.named[event.who] = event.spell
        case ev.Round():
            state.rounds = state.rounds[1:]
        case ev.Landed():
            del state.air[: event.count]
            state.struck.clear()
            state.blocked = frozenset()
            state.tried.clear()
        case ev.Tried():
            state.tried[event.label] = event.tries
        case ev.Emerged():
            state.fighters[event.who].exposed = state.fighters[event.who].out = True
        case ev.Covered():
            state.fighters[event.who].out = False
        case ev.Used():
            spend(state.fighters[event.who].items, event.item)
            if event.item == "antidote":
                state.fighters[event.target].poison = 0
        case ev.Bled():
            lost = sum(STATUSES[key].loses.hp for key in event.because if key.startswith("poisoned"))
            state.fighters[event.who].poison += lost
        case ev.Gave():
            _gave(state, event)
        case ev.Drew():
            _drew(state, state.fighters[event.who], event)
        case ev.Noticed():
            state.fighters[event.who].noticed_by |= {*event.by}
        case ev.Discovered():
            state.fighters[event.who].discovered = True
        case ev.Gained():
            _gained(state, event)
        case ev.Ended():
            state.fighters[event.who].statuses.pop(event.status, None)
        case ev.Lent():
            lend(state.fighters[event.who], event, state.cycle)
        case ev.Lapsed():
            if not event.over:
                lapse(state, event)
        case ev.Mended():
            mend(state.fighters[event.who], event)
        case ev.Remains():
            remain(state, event)
        case ev.Warded() | ev.Snared() | ev.Collapsed():
            ward(state, event)
        case ev.Dropped():
            drop(state, event)
        case ev.Reeled():
            one = state.fighters[event.who]
            one.reels = {"declared": "", "fails": "fails", "turns": event.target}[event.how]
        case ev.Worn():
            _worn(state.fighters[event.who], event)
        case ev.Ticked():
            _ticked(state)
        case ev.Rested():
            state.fighters[event.who].fp += event.fp
        case ev.Over():
            state.over, state.winner, state.stage = True, event.side, "over"
        case ev.Focused():
            state.fighters[event.who].focus = Focus(event.action.spell, event.action, state.cycle)
        case ev.Broke():
            _broke(state, event)
        case ev.Begun():
            state.fighters[event.who].task = Task(event.what, event.action, 1, event.cycles)
        case ev.Went():
            if (task := state.fighters[event.who].task) is not None:
                task.done = event.done
        case ev.Learnt():
            _learnt(state.fighters[event.who], event)
        case ev.Watches():
            _watches(state.fighters[event.who], event)
        case ev.Retaliated():
            state.fighters[event.who].struck_back = True
        case ev.Donned():
            _donned(state.fighters[event.who], event.armour)
        case (
            ev.Laid()
            | ev.Zoned()
            | ev.ObjectsLaid()
            | ev.ObjectDamaged()
            | ev.Placed()
            | ev.Shown()
            | ev.Unaware()
            | ev.Corrected()
            | ev.Armed()
            | ev.Left()
            | ev.Desk()
        ):
            _arranged(state, event)
        case (
            ev.Void() | ev.Spoke() | ev.Healed() | ev.Slammed() | ev.Described()
            | ev.Looks() | ev.Joined() | ev.Hid() | ev.Sensed()
        ):  # fmt: skip
            pass
        case _:
            assert_never(event)


def _came_to(state: State, what: str, who: str) -> None:
    """Recorded only if conditions may refer to outcomes (ARC-45)."""
    if who and state.settings.outcome_conditions == "on":
        state.outcomes |= {f"{what}/{who}"}


def _aloft(state: State, flight: Flight) -> None:
    """The flights of wards, and those thrown back, are sorted in among those in the air."""
    if flight.sprung or flight.back:
        state.air = by_key([*state.air, flight], state.cycle)
        return
    state.countering |= {flight.who} if flight.slot == 0 else frozenset()
    (state.later if flight.arrives > state.cycle else state.air).append(flight)


def _stage(state: State, stage: Stage) -> None:
    if stage != "resist" and (stage, state.stage) != ("land", "resist"):
        late = state.stage == "transport" and state.settings.transport_timing == "with_actions"
        on_time = late or state.stage in ("launch", "round", "collide")
        state.amid = "" if stage != "land" or on_time else state.stage
    state.stage, state.tries, state.spoilt = stage, 1, frozenset()
    state.halts += int(stage == "resist")
    if stage == "launch":
        state.air += [flight for flight in state.later if flight.arrives <= state.cycle]
        state.later = [flight for flight in state.later if flight.arrives > state.cycle]
    if stage == "land":
        state.air = in_order(state.air, state.cycle)
    if stage not in ("collide", "transport", "steps"):
        state.clash = None


def _without(flights: Iterable[Flight], who: str) -> list[Flight]:
    """The flights without those of, or to, a combatant who left."""
    return [
        replace(flight, targets=tuple(target for target in flight.targets if target[0] != who))
        for flight in flights
        if flight.who != who
    ]


def _broke(state: State, event: ev.Broke) -> None:
    """A Focus ends with its shields and bonuses, and its flights that have not landed (ARC-157, ARC-158)."""
    one = state.fighters[event.who]
    if event.what != "focus" and one.task is not None:
        one.task = replace(one.task, done=0) if event.again else None
    if event.what != "focus" or one.focus is None:
        return
    for key in (event.who, one.focus.action.target):
        if key in state.fighters:
            other = state.fighters[key]
            give_back(other, lambda loan: loan.source == event.name and loan.by in ("", event.who))
    state.remains = [left for left in state.remains if (left.by, left.spell) != (event.who, event.name)]
    state.air = [flight for flight in state.air if flight.who != event.who or flight.using != event.name]
    one.focus = None


def _donned(one: Fighter, armour: str) -> None:
    """The old armour is carried along; its damage does not pass to the new one."""
    carried = tuple(key for key in (*one.body.wardrobe, one.body.armour) if key not in (armour, "casual"))
    one.body, one.armour_lost, one.dressed = replace(one.body, armour=armour, wardrobe=carried), 0, True


def _learnt(one: Fighter, event: ev.Learnt) -> None:
    spells = (*one.body.spells, event.spell) if event.by_heart else one.body.spells
    one.body = replace(one.body, studied={**one.body.studied, event.spell: event.uses}, spells=spells)


def _finished(one: Fighter) -> bool:
    """Whether a task ends with this cycle: it is done, or its aim was used."""
    task = one.task
    if task is None:
        return False
    return aimed(task, one.turn) if task.what == "aim" else task.done >= task.cycles


def _kept(one: Fighter, event: ev.Kept) -> None:
    """Puts the reactions and coded words back into the revealed declaration."""
    one.turn = kept(one.turn, event.react, event.words)


Arranging = (
    ev.Laid | ev.Zoned | ev.ObjectsLaid | ev.ObjectDamaged | ev.Placed | ev.Shown | ev.Unaware | ev.Corrected
    | ev.Armed | ev.Left | ev.Desk
)  # fmt: skip


def _arranged(state: State, event: Arranging) -> None:
    """The GM's changes: ground, corrections, newcomers."""
    match event:
        case ev.Laid():
            state.description, state.width, state.height = event.description, event.width, event.height
            state.covers, state.cover_sides = dict(event.covers), dict(event.sides)
        case ev.Zoned():
            state.zones = event.zones
        case ev.ObjectsLaid():
            _objects_laid(state, event)
        case ev.ObjectDamaged():
            state.objects[event.who] = replace(state.objects[event.who], hp=event.hp)
        case ev.Placed():
            state.fighters[event.who].place, state.fighters[event.who].out = event.place, False
        case ev.Shown():
            one = state.fighters[event.who]
            one.hidden, one.noticed_by, one.discovered = event.hidden, frozenset(), False
            for other in state.fighters.values() if event.hidden else ():
                other.watched = tuple(key for key in other.watched if key != event.who)
            state.hiders = state.hiders | {event.who} if event.hidden else state.hiders - {event.who}
        case ev.Unaware():
            state.unaware = frozenset(event.who)
        case ev.Corrected():
            _corrected(state, event)
        case ev.Armed():
            state.fighters[event.who] = deepcopy(event.fighter)  # the event must not change
            state.fighters = dict(sorted(state.fighters.items()))
            if event.fighter.hidden:
                state.hiders |= {event.who}
        case ev.Left():
            one = state.fighters.pop(event.who, None)
            state.air, state.later = (_without(flights, event.who) for flights in (state.air, state.later))
            state.wards = [left for left in state.wards if left.by != event.who]
            if one is not None and event.who not in state.hiders:
                state.gone[event.who] = one.body.name
            state.hiders -= {event.who}
        case ev.Desk():
            state.desk, state.tries = state.desk + 1, state.tries + int(event.anew)
            state.spoilt = frozenset() if event.anew else state.spoilt.union(event.spoils)


def _objects_laid(state: State, event: ev.ObjectsLaid) -> None:
    """Removed objects stay in the log by name; flights no longer reach them."""
    there = {one.key: one for one in event.objects}
    for key in [key for key in state.objects if key not in there]:
        state.gone[key] = state.objects[key].called
        state.later = _without(state.later, key)
    state.objects = there


def _corrected(state: State, event: ev.Corrected) -> None:
    one = state.fighters[event.who]
    one.hp = one.hp if event.hp is None else event.hp
    one.fp = one.fp if event.fp is None else event.fp
    one.dead = one.dead and event.hp is None
    for key in ("critical", "stable") if event.hp is not None and event.hp > 0 else ():
        one.statuses.pop(key, None)  # ARC-138
    if event.status and event.off:
        one.statuses.pop(event.status, None)
    elif event.status:
        one.statuses[event.status] = Held(event.cycles, state.cycle)


def _checked(state: State, event: ev.Checked) -> None:
    if event.what in ("casting", "rider"):  # the most frequent checks; their results have events of their own
        return
    one = state.fighters[event.who]
    total = (event.kept or max((roll.face for roll in event.rolls), default=0)) + event.bonus
    if event.what == "search":
        one.search = total
    elif event.what == "composure":
        one.quiet += 1
    elif event.what == "stealth":
        one.stealth, one.stole = total, state.cycle
    elif event.what == "exhausted":
        one.tires = not event.ok
    elif event.what == "interrupt":
        state.forestalling |= {event.who}
        state.early |= {event.who} if event.ok else frozenset()
    elif event.what == "hide" and event.ok:
        one.hidden, one.stealth, one.noticed_by, one.discovered = True, total, frozenset(), False
        state.hiders |= {event.who}


def _gave(state: State, event: ev.Gave) -> None:
    """Items move one at a time, weapons with their material (ARC-28)."""
    giver, taker = state.fighters[event.who], state.fighters[event.target]
    giver.traded = taker.traded = giver.traded or bool(event.items)
    for key in event.items:
        if key in giver.items:
            spend(giver.items, key)
            taker.items[key] = taker.items.get(key, 0) + 1
        elif key in giver.body.weapons:
            arm = giver.body.weapons[key]
            kept = {name: one for name, one in giver.body.weapons.items() if name != key}
            giver.hands = holding(giver)
            taker.hands = holding(taker)
            giver.body = replace(giver.body, weapons=kept)
            taker.body = replace(taker.body, weapons={**taker.body.weapons, key: arm})


def _drew(state: State, one: Fighter, event: ev.Drew) -> None:
    """A shield does not help unless held; a thing picked up leaves the ground (ARC-167)."""
    if event.picked:
        there = next(it for it in near(state, event.who) if it.what == event.item)
        state.lying.remove(there)
        if there.weapon is None:
            one.items[event.item] = one.items.get(event.item, 0) + 1
            return
        if there.by in state.fighters and there.by != event.who:  # it changed hands by way of the ground
            one.traded = True
            state.fighters[there.by].traded = True
        one.body = replace(one.body, weapons={**one.body.weapons, event.item: there.weapon})
    one.hands, shield = event.hands, one.body.shield or one.slung
    held = shield if shield in event.hands else ""
    if held != one.body.shield:
        one.body = replace(one.body, shield=held)
    one.slung = shield if shield and not held else ""


def _gained(state: State, event: ev.Gained) -> None:
    """The longer duration and the worse grade stay; they do not add up (ARC-142)."""
    statuses, now, family = state.fighters[event.who].statuses, state.cycle, STATUSES[event.status].family
    kin = [key for key in statuses if key == event.status or (family and STATUSES[key].family == family)]
    worst = max((*kin, event.status), key=lambda key: STATUSES[key].grade)
    old = statuses.get(worst)
    since = old.since if old is not None else now  # it continues in this cycle, so this cycle still counts
    lasts = (event.cycles, *(statuses[key].left - (statuses[key].since < now) for key in kin))
    ends = event.cycles > 0 and all(statuses[key].left for key in kin)
    left = max(lasts) + (since < now) if ends else 0
    for key in kin:
        if key != worst:
            del statuses[key]
    if old is not None and (worst != event.status or left == old.left):
        old.left, old.value = left, max(old.value, event.value if worst == event.status else 0)
        return
    value = max(event.value, old.value if old is not None else 0)
    statuses[worst] = Held(left, since, event.source, value, event.by, event.tied, event.shake)


def _watches(one: Fighter, event: ev.Watches) -> None:
    """Foes that a sentinel once watched still count after they are lost from sight (ARC-109)."""
    if event.lost:
        one.watched = tuple(key for key in one.watched if key not in event.whom)
        return
    one.watches = sum(roll.face for roll in event.rolls) or one.watches
    one.watched, one.watching = (*one.watched, *event.whom), one.watching + len(event.whom)


def _worn(one: Fighter, event: ev.Worn) -> None:
    if event.what == "armour":
        one.armour_lost += event.by
        return
    wear(one, event)


def _ticked(state: State) -> None:
    """ARC-22: durations, then what lasts one cycle only. A status gained in this cycle does not count down yet."""
    for one in state.fighters.values():
        one.task = None if _finished(one) else one.task
        if one.statuses:
            for held in one.statuses.values():
                if held.since < state.cycle and held.left:
                    held.left = held.left - 1 or -1
            one.statuses = {key: held for key, held in one.statuses.items() if held.left >= 0}
        count_down(one, state.cycle)
        one.last = one.turn if one.turn.major or one.turn.minors else reacting(one.last, one.turn.react)
        one.turn, one.said, one.exposed, one.resists, one.paid, one.search, one.came = (
            HOLD,
            (),
            False,
            0,
            False,
            0,
            None,
        )
        one.quiet, one.struck_by, one.struck_back, one.went = 0, (), False, ()
    state.questions, state.rounds, state.halts = (), (), 0
    state.early = state.forestalling = frozenset()
    fade(state)
    for left in state.wards:
        left.struck = frozenset()
    state.rulings.clear()
    state.cards.clear()
    state.named.clear()
    state.countering = state.outcomes = frozenset()
    state.cycle += 1


def sees(event: ev.Event, viewer: Viewer) -> bool:
    """Whether a viewer sees an event; those of hidden combatants, if the viewer knows of them (ledger 1.7)."""
    match event:
        case ev.Kept():
            return bool(viewer.seats.intersection(event.to or ()))
        case ev.Revealed() if event.instead is not None:
            mine = event.to is None or bool(viewer.seats.intersection(event.to))
            return mine and not (viewer.gm or viewer.seats.intersection(event.instead))
        case ev.Spoke() if event.allies and event.words:
            return bool(viewer.seats.intersection(event.to or ()))  # coded: the GM does not see it either
        case (
            ev.Stage() | ev.Matched() | ev.Named() | ev.Round() | ev.Landed() | ev.Armed() | ev.Unaware() | ev.Desk()
            | ev.Clashing() | ev.Questioned() | ev.Tried() | ev.Aloft()
        ):  # fmt: skip
            return viewer.gm
        case ev.Laid() | ev.Zoned() | ev.ObjectsLaid() | ev.ObjectDamaged() | ev.Ticked() | ev.Over():
            return True
        case (
            ev.Revealed() | ev.Faced() | ev.Emerged() | ev.Covered() | ev.Moved() | ev.Checked() | ev.Noticed()
            | ev.Paid() | ev.Void() | ev.Spoke() | ev.Used() | ev.Launched() | ev.Struck() | ev.Resisted()
            | ev.Damaged() | ev.Healed() | ev.Slammed() | ev.Bled() | ev.Changed() | ev.Gained() | ev.Ended()
            | ev.Lent() | ev.Worn() | ev.Described() | ev.Judged() | ev.Ruled() | ev.Rested() | ev.Looks()
            | ev.Placed() | ev.Shown() | ev.Corrected() | ev.Joined() | ev.Left() | ev.Focused() | ev.Broke() | ev.Hid()
            | ev.Discovered() | ev.Remains() | ev.Lapsed() | ev.Mended() | ev.Dropped() | ev.Sensed() | ev.Reeled()
            | ev.Warded() | ev.Snared() | ev.Collapsed() | ev.Watches() | ev.Retaliated()
            | ev.Gave() | ev.Drew() | ev.Begun() | ev.Went() | ev.Donned() | ev.Learnt()
        ):  # fmt: skip
            return viewer.gm or event.to is None or bool(viewer.seats.intersection(event.to))
        case _:
            assert_never(event)
