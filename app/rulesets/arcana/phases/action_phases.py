"""Phases 3 and 4: interrupts, launches, landings batch by batch, and conditional actions (ARC-12 to ARC-17, ARC-43)."""

from collections.abc import Iterable, Sequence
from math import isqrt
from operator import attrgetter

from app.engine.chance import Chance, Roll
from app.engine.ifthen import THEM, Verdict
from app.rulesets.arcana.effects import (
    cleaving,
    concentration,
    custom_actions,
    hazards,
    mercy,
    object_damage,
    stealth,
    wards,
)
from app.rulesets.arcana.effects.batch import Crowd, Pending, settle_batch
from app.rulesets.arcana.effects.landing import Landing
from app.rulesets.arcana.effects.object_damage import Breaking
from app.rulesets.arcana.effects.wards import Springing
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import STANCES_AND_MOVES, Action
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.flight import Flight
from app.rulesets.arcana.fight.movement import MOVES
from app.rulesets.arcana.fight.roll_parts import ills, only, skill, swayed, total
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.phases import movement_phases
from app.rulesets.arcana.phases.launch import counter
from app.rulesets.arcana.phases.multi_cycle import launch
from app.rulesets.arcana.rules.grid import Cell, gap2
from app.rulesets.arcana.rules.rulings import Ruling

OTHERWISE = STANCES_AND_MOVES | {"search", "counterspell"}  # actions with a phase of their own


def actions(given: Iterable[Action], them: str = "") -> list[tuple[int, Action]]:
    """Returns the actions of phase 3 or 4 with their slots; THEM is replaced by `them`."""
    found: list[tuple[int, Action]] = []
    for one in given:
        if one.do not in OTHERWISE:
            aimed = one.model_copy(update={"target": them}) if one.target == THEM else one
            found.append((len(found) + 1, aimed))
    return found


def unconditional(log: FightLog, chance: Chance) -> None:
    """3-II: launches all remaining unconditional actions and named counterspells together (ARC-12, ARC-56)."""
    state = log.state
    for who in list(state.fighters):
        one = state.fighters[who]
        if one.dead:
            continue
        if state.named.get(who):
            counter(log, who, state.named[who], chance)
        for slot, action in actions(one.turn.plain()):
            launch(log, who, slot, action, chance)


def next_batch(state: State) -> list[Flight]:
    """Returns the flights that land next; `state.air` is in the order of landing (ARC-14, ARC-15)."""
    found: list[Flight] = []
    for flight in state.air:
        if flight.arrives > state.cycle or (found and flight.key != found[0].key):
            break
        found.append(flight)
    return found


def strike(log: FightLog, batch: Sequence[Flight], chance: Chance) -> list[Flight]:
    """Checks the accuracy of a batch, actor by actor (ledger 1.5), and of parts thrown back. Returns all of it."""
    for flight in _by_actor(batch):
        _landing(log.state, flight)(log, flight, chance).strike()
    for flight in _by_actor(batch):
        Landing(log, flight, chance).throw_back()
    whole = next_batch(log.state)
    for flight in _by_actor(whole):
        if flight.back and flight not in batch:
            Landing(log, flight, chance).strike()
    return whole


def _landing(state: State, flight: Flight) -> type[Landing]:
    """The class that resolves a flight; one at an object has no other targets."""
    at_object = bool(flight.targets) and flight.targets[0][0] in state.objects
    return Springing if flight.sprung else Breaking if at_object else Landing


def take_effect(log: FightLog, batch: Sequence[Flight], chance: Chance) -> None:
    """Applies the effects of a batch: dice by actor, then all effects together (ARC-15)."""
    pending: dict[str, Pending] = {}
    flights, up = _by_actor(batch), cleaving.standing(log.state, batch)
    before = stealth.health(log.state)
    shared: dict[str, dict[int, tuple[Roll, ...]]] = {}
    for flight in custom_actions.group(log, flights, chance):
        landing = _landing(log.state, flight)(log, flight, chance, pending)
        if flight.sprung:
            landing.shared = shared.setdefault(flight.tag, {})
        landing.go()
    marked = log.state.wards or log.state.ground
    places = {who: one.place for who, one in log.state.fighters.items()} if marked else {}
    object_damage.settle(log, pending)
    if not flights[0].sprung:  # a ward has no attacker
        mercy.have(log, pending, chance)
    settle_batch(log, pending, Crowd(log))
    stealth.hurt(log, before, chance)
    cleft = cleaving.go_on(log, flights, up, chance)
    log.emit(ev.Landed(len(batch)), rule="ARC-14")
    label = _open_label(log.state, batch)
    for harmed, name in ((pending, label), *cleft):
        concentration.after(log, harmed, name, chance)
    pushed = {who: (start, log.state.fighters[who].place) for who, start in places.items()}
    ways = {who: ends for who, ends in pushed.items() if ends[0] != ends[1]}
    hazards.trodden(log, ways, f"push/{label}", chance)
    wards.entered(log, ways)


def _open_label(state: State, batch: Sequence[Flight]) -> str:
    """The label of a batch in dice that all may see: of its first flight, if there is one, of somebody not hidden."""
    labels = [(one.who in state.hiders, one.label) for one in batch if not one.back]
    return min(labels, key=lambda one: one[0])[1]


def _by_actor(batch: Sequence[Flight]) -> list[Flight]:
    return sorted(batch, key=attrgetter("who", "slot"))


def interrupts(log: FightLog, chance: Chance) -> bool:
    """3-I, or before a movement: carries out a successful interrupt completely, the nearest first (ARC-49, ARC-50).

    Each interrupter tries once a cycle. Returns True if one was in time; it lands before the next one tries.
    """
    state = log.state
    while (card := next_to_try(state)) is not None:
        who = card.owner
        guarded = actions(state.fighters[who].turn.guarded(), card.watched)
        if _in_time(log, card, place_of(state, guarded[0][1]) if guarded else None, chance):
            carry_out(log, [who], chance)
            log.emit(ev.Stage("land"), rule="ARC-14")
            return True
    return False


def next_to_try(state: State) -> Verdict | None:
    """Returns the nearest interrupter who has not tried yet; None: all have, or the GM forbids the rest."""
    place = {key: one.place for key, one in state.fighters.items()}
    found = [card for card in state.cards.values() if card.tries_first and _may_try(state, card)]
    return min(found, key=lambda card: (gap2(place[card.owner], place[card.watched]), card.owner), default=None)


def _may_try(state: State, card: Verdict) -> bool:
    one, allowed = state.fighters[card.owner], state.rulings.get(f"interrupt/{card.owner}", Ruling(yes=True)).yes
    waits = card.verdict == "fired" and card.owner not in state.forestalling
    guarded = one.turn.guarded()
    goes = any(action.do in MOVES for action in guarded)
    return waits and allowed and one.able and (goes or bool(actions(guarded, card.watched)))


def _in_time(log: FightLog, card: Verdict, aim: Cell | None, chance: Chance) -> bool:
    """Whether an interrupt is in time: a check against quickness and distance, or the GM's ruling (ARC-49)."""
    state, who = log.state, card.owner
    one = state.fighters[who]
    ruling = state.rulings.get(f"interrupt/{who}", Ruling(yes=True))
    if ruling.waived or (state.settings.interrupt_check == "gm" and not ruling.value):
        log.emit(ev.Checked(who, "interrupt", (), 0, 0, True, card.watched), rule="ARC-49", because=_both(state, card))
        return True
    opposed = state.settings.interrupt_check == "opposed" and not ruling.value
    value = _quickness(log, card, aim, chance) if opposed else ruling.value or in_time_value(state, card, aim)
    thrown, ways = swayed(one, chance, f"ARC-49/interrupt/{who}", state.settings)
    parts = (*skill(one.body, "FIN", "Speed"), *ills(one))
    ok = thrown.kept + total(parts) >= value
    log.emit(
        ev.Checked(who, "interrupt", thrown.rolls, total(parts), value, ok, card.watched, thrown.kept, parts, ways),
        rule="ARC-49", because=_both(state, card),
    )  # fmt: skip
    return ok


def _quickness(log: FightLog, card: Verdict, aim: Cell | None, chance: Chance) -> int:
    """The die of the interrupted combatant, if the check is opposed (ARC-49)."""
    state, who = log.state, card.watched
    other = state.fighters[who]
    thrown, ways = swayed(other, chance, f"ARC-49/quickness/{card.owner}", state.settings)
    parts = (*skill(other.body, "FIN", "Speed"), *ills(other), *only(("distance", _tens(state, card, aim))))
    checked = ev.Checked(who, "quickness", thrown.rolls, total(parts), 0, True, card.owner, thrown.kept, parts, ways)
    log.emit(checked, rule="ARC-49", because=_both(state, card))
    return thrown.kept + total(parts)


def place_of(state: State, action: Action) -> Cell | None:
    """Returns the place of the combatant, object or point that an action is aimed at; None: none."""
    return state.place_of(action.target) or action.at


def _tens(state: State, card: Verdict, aim: Cell | None) -> int:
    """The number of full ten metres from the interrupter to the target of its own action."""
    return isqrt(gap2(state.fighters[card.owner].place, aim)) // 1000 if aim is not None else 0


def in_time_value(state: State, card: Verdict, aim: Cell | None) -> int:
    """Returns the value an interrupt has to reach by the setting; 0: no fixed value (ledger 1.6)."""
    how = state.settings.interrupt_check
    if how in ("opposed", "gm"):
        return 0
    if how != "passive_speed":
        return int(how.removeprefix("fixed_"))
    other = state.fighters[card.watched]
    return 10 + other.body.mod("FIN") + other.body.bonus("Speed") + _tens(state, card, aim)


def carry_out(log: FightLog, owners: list[str], chance: Chance) -> None:
    """Carries out conditional actions: first all movements at once, then the rest, launched together from the new
    places (ARC-43, ARC-51)."""
    state = log.state
    able = dict.fromkeys(who for who in owners if state.fighters[who].able)
    for who in able:
        stealth.triggered(log, who, chance)
    gone = movement_phases.guarded(log, list(able), f"if-then-{_tag(state, owners)}", chance) if able else {}
    for who in owners:
        one, card = state.fighters[who], state.cards[who]
        if who not in able:
            judge(log, blocked(card, "cannot act"), "ARC-51")
            continue
        notes = [gone[who]] if gone.get(who) else []
        number, made = len(one.turn.plain()), int(gone.get(who) == "")
        guarded, because = one.turn.guarded(), _both(state, card)
        if any(action.do == "search" for action in guarded) and not one.reels:
            stealth.searched(log, who, chance, because)
        for slot, action in actions(guarded, card.watched):
            note = launch(log, who, slot + number, action, chance, conditional=True, because=because)
            made += not note
            notes += [note] if note else []
        judge(log, card if made or not notes else blocked(card, notes[0]), "ARC-43")


def _tag(state: State, owners: Sequence[str]) -> str:
    """The label of one round's movement dice: the round, or the successful interrupter."""
    first = state.cards[owners[0]]
    return first.owner if first.owner in state.early else str(first.round)


def blocked(card: Verdict, note: str) -> Verdict:
    return Verdict(
        owner=card.owner, verdict="blocked", why="lost", round=card.round, watched=card.watched, knot=card.knot,
        tries_first=card.tries_first, note=note,
    )  # fmt: skip


def judge(log: FightLog, card: Verdict, rule: str) -> None:
    """Emits the result of an if-then; for an interrupt, also whether it was in time (ARC-49)."""
    time = "" if not card.tries_first else "in_time" if card.owner in log.state.early else "late"
    log.emit(ev.Judged(card.owner, card, time), rule=rule, because=_both(log.state, card))


def _both(state: State, card: Verdict) -> tuple[int, ...]:
    """The reveal events of an if-then's owner, of the watched combatant and of its knot."""
    said = [*state.fighters[card.owner].said]
    if card.watched in state.fighters:
        said += state.fighters[card.watched].said
    for key in card.knot:
        said += state.fighters[key].said
    return tuple(sorted(set(said)))
