"""One turn cycle from the reveal to its end, in the phases of the ledger (1.4), event by event.

A cycle runs by itself until a decision is needed; everything it still has to do is in the state.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest

from app.engine.chance import Chance
from app.engine.ifthen import Verdict
from app.rulesets.arcana.effects import concentration, confusion, sentinel
from app.rulesets.arcana.effects.stealth import notice, surprised_by
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import HOLD, Turn, open_turn, reacting
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.ifthens import Way, ended, read
from app.rulesets.arcana.fight.state import Fighter, Stage, State
from app.rulesets.arcana.phases import (
    action_phases,
    defaults,
    movement_interrupts,
    movement_phases,
    questions,
    retribution,
)
from app.rulesets.arcana.phases.end_phase import end
from app.rulesets.arcana.rules.rulings import Ruling

WAITED = frozenset({"setting", "plan", "rule", "collide", "counter", "countered", "resist", "next", "over"})


def reveal(log: FightLog, turns: Mapping[str, Turn], how: Mapping[str, str], chance: Chance) -> None:
    """Opens all declarations at once; combatants missing in `turns` continue a task or hold (ARC-07, ARC-09).

    Those unaware of their attackers hold in the first cycle; their envelopes are not opened (ARC-11).
    """
    state = log.state
    taken = surprised_by(log, turns, chance)
    for who, one in state.fighters.items():
        if one.dead:
            continue
        surprised = who in taken
        said = turns[who] if who in turns else defaults.turn(state, who)
        turn = HOLD if surprised else _done(one, concentration.filled(state, who, said))
        way = "surprised" if surprised else how.get(who, "sealed")
        opened = open_turn(turn)
        number = log.emit(ev.Revealed(who, opened, way), rule="ARC-11" if surprised else "ARC-07")
        if opened is not turn and opened != turn:
            words = tuple(action.words if action.allies else "" for action in turn.minors)
            log.emit(ev.Kept(who, turn.react, words), rule="ARC-06", because=(number,))
    concentration.at_the_reveal(log)
    sentinel.choose(log, chance)
    asked = questions.raised(state)
    if asked:
        log.emit(ev.Questioned(asked), rule="ARC-48")
        if not questions.halts(state):
            questions.rule(log, {}, "default")
    go_to(log, "rule" if questions.halts(state) else "steps")


def _done(one: Fighter, turn: Turn) -> Turn:
    """A combatant unable to act only shakes off a status; its Resist policy stays (ARC-10, ARC-127)."""
    shakes = turn.major is not None and turn.major.do == "shake_off" and turn.when is None
    return turn if one.able or shakes else reacting(HOLD, turn.react)


def go_on(log: FightLog, chance: Chance) -> None:
    """Runs the cycle up to the next decision."""
    while log.state.stage not in WAITED:
        advance(log, chance)


def advance(log: FightLog, chance: Chance) -> None:
    """Runs one phase; attacks of wards land before it (ARC-160)."""
    state = log.state
    if state.stage != "land" and state.air and state.air[0].sprung:
        go_to(log, "land")
        return
    match state.stage:
        case "steps":
            confusion.confused(log, chance)
            _phase(log, "step", movement_phases.free(log), chance)
        case "considered":
            if not movement_interrupts.movement(log, "considered", chance):
                _phase(log, "considered", movement_phases.moves(log, "considered"), chance)
        case "transport":
            # With late movement, interrupts were tried before the launch.
            if late(state) or not movement_interrupts.movement(log, "move", chance):
                _phase(log, "move", movement_phases.moves(log, "move"), chance)
        case "match":
            _match(log)
        case "interrupts":
            if not action_phases.interrupts(log, chance):
                go_to(log, "launch")
        case "launch":
            action_phases.unconditional(log, chance)
            go_to(log, "transport" if late(state) else "land")
        case "land":
            _land(log, chance)
        case "round":
            _round(log, chance)
        case _:
            _end(log, chance)


def _phase(log: FightLog, how: str, goals: dict[str, tuple[int, int]], chance: Chance) -> None:
    """Runs phases 0 to 2; asks the GM about bodies in one place if the setting says so (ARC-20)."""
    who = movement_phases.clashing(log, goals) if log.state.settings.collisions == "ask" else ()
    if who and (questions.in_hiding(log.state) or questions.bumps(log.state, who)):
        log.emit(ev.Clashing(how, tuple(sorted(goals.items())), who), rule="ARC-20")
        go_to(log, "collide")
        return
    movement_phases.go(log, goals, how, chance)
    _onward(log, how, chance)


def _onward(log: FightLog, how: str, chance: Chance) -> None:
    """Goes to the stage after a phase of movement; after the free part, stealth is compared (ledger 1.4)."""
    if how == "step":
        notice(log, chance)
    if how == "move":
        go_to(log, "land" if late(log.state) else "match")
    else:
        go_to(log, "considered" if how == "step" else "match" if late(log.state) else "transport")


def late(state: State) -> bool:
    """Whether transport movement comes after the launches (ARC-13)."""
    return state.settings.transport_timing == "with_actions"


def collided(log: FightLog, slam: bool, words: str, how: str, chance: Chance) -> None:
    """Applies the GM's ruling on bodies in one place, then makes the movement (ARC-20, ARC-21)."""
    clash = log.state.clash
    if clash is None:  # a log of before 27 November 2026 came back to this question after what had landed
        go_to(log, "round")
        return
    key = f"collide/{clash.phase}"
    log.emit(ev.Ruled(key, Ruling(yes=slam, words=words), how), rule="ARC-20")
    movement_phases.go(log, clash.goals, clash.phase, chance, harm=slam)
    _onward(log, clash.phase, chance)


def _match(log: FightLog) -> None:
    """Matches all conditions against what was revealed and moved (ledger 1.6)."""
    state = log.state
    ways = [Way(who=who, start=start, end=end) for who, one in state.fighters.items() for start, end in one.went]
    ways += movement_phases.meant(log, "move") if late(state) else []
    emerged = [who for who, one in state.fighters.items() if one.exposed]
    reading = read(state, {who: one.turn for who, one in state.fighters.items() if not one.dead}, ways, emerged)
    for card in reading.cards.values():
        if card.verdict == "not_fired" and (card.why == "knot" or state.settings.outcome_conditions == "off"):
            action_phases.judge(log, card, "ARC-48" if card.why == "knot" else "ARC-42")
    if reading.rounds:
        fired = tuple(_tried(state, card) for card in reading.cards.values() if card.verdict == "fired")
        log.emit(ev.Matched(fired, reading.rounds), rule="ARC-46")
    questions_left = questions.to_name(state)
    if questions_left:
        go_to(log, "counter")
    else:
        name(log, {}, {})


def _tried(state: State, card: Verdict) -> Verdict:
    """The card of an if-then: that of an interrupt in time stays as it was, that of a late one is marked as tried."""
    if card.owner in state.early:
        return state.cards[card.owner]
    return replace(card, tries_first=True) if card.owner in state.forestalling else card


def name(log: FightLog, given: Mapping[str, str], how: Mapping[str, str]) -> None:
    """Names counterspells; asks the GM whether they do more than their ordinary effect (ARC-57)."""
    questions.name(log, given, how)
    if asked := questions.countered(log.state):
        log.emit(ev.Questioned(asked), rule="ARC-57")
        if questions.halts(log.state):
            go_to(log, "countered")
            return
        questions.rule(log, {}, "default")
    go_to(log, "interrupts")


def _land(log: FightLog, chance: Chance) -> None:
    """Lands batch by batch, until a target wants to be asked whether it resists (ARC-127). After what landed before the
    launch, the interrupted stage continues (ARC-50)."""
    state = log.state
    while batch := action_phases.next_batch(state):
        whole = action_phases.strike(log, batch, chance)
        if questions.resists(state, whole):
            go_to(log, "resist")
            return
        action_phases.take_effect(log, whole, chance)
    go_to(log, state.amid or "round")


def _round(log: FightLog, chance: Chance) -> None:
    """Runs the next round of if-thens, and the retributions due (ARC-46, ARC-174)."""
    state = log.state
    if state.settings.outcome_conditions == "on":
        _outcomes(log)
    back = retribution.due(state)
    if not state.rounds and not back:
        retribution.in_vain(log)
        for card in ended(state).cards.values() if state.settings.outcome_conditions == "on" else ():
            action_phases.judge(log, card, "ARC-42")
        go_to(log, "end")
        return
    if state.rounds:
        owners = [who for who in state.rounds[0] if who not in state.early]
        log.emit(ev.Round(1), rule="ARC-46")
        action_phases.carry_out(log, owners, chance)
    retribution.strike(log, back, chance)
    go_to(log, "land")


def _outcomes(log: FightLog) -> None:
    """Adds if-thens about outcomes to the coming rounds (ARC-45, ARC-46)."""
    state = log.state
    reading = ended(state)
    if reading.rounds:
        fired = tuple(card for card in reading.cards.values() if card.verdict == "fired")
        rounds = tuple((*one, *more) for one, more in zip_longest(state.rounds, reading.rounds, fillvalue=()))
        log.emit(ev.Matched(fired, rounds), rule="ARC-45")


def _end(log: FightLog, chance: Chance) -> None:
    """Runs phase 5; when one side is left, asks whether the fight ends (ARC-01)."""
    end(log, chance)
    concentration.lapse(log)
    go_to(log, "next" if len(log.state.standing) < 2 else "plan")


def go_to(log: FightLog, stage: Stage) -> None:
    log.emit(ev.Stage(stage), rule="ARC-13")


def resolve(log: FightLog, turns: Mapping[str, Turn], chance: Chance, how: Mapping[str, str] | None = None) -> None:
    """Resolves a whole cycle with the book's defaults for all decisions on the way (ledger 5)."""
    reveal(log, turns, how or {}, chance)
    go_on(log, chance)
    while log.state.stage in ("rule", "collide", "counter", "countered", "resist"):
        silent(log, chance)
        go_on(log, chance)


def silent(log: FightLog, chance: Chance) -> None:
    """Applies the default of the open step (ledger 5)."""
    state = log.state
    match state.stage:
        case "rule" | "countered":
            questions.rule(log, {}, "default")
            go_to(log, "steps" if state.stage == "rule" else "interrupts")
        case "collide":
            collided(log, True, "", "default", chance)
        case "counter":
            name(log, {}, {})
        case _:
            questions.decide(log, {}, action_phases.next_batch(state))
            landed(log, chance)


def landed(log: FightLog, chance: Chance) -> None:
    """Applies the batch that waited for a Resist; its damage dice are rolled only now (ARC-127)."""
    action_phases.take_effect(log, action_phases.next_batch(log.state), chance)
    go_to(log, "land")
