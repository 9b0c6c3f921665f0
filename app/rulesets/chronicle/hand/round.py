"""A round: joining, footwork, actions, defences, moves and wounds, in the order of the book; and what follows it.

The fight goes on by itself until there is another decision.
"""

from collections.abc import Mapping
from typing import Any

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.options import Choice, Options
from app.engine.ruleset import GM, Answers, Ask, Faults, Phase, Seat, Step
from app.rulesets.chronicle.hand import asks, effects, footwork, many, moves
from app.rulesets.chronicle.hand import declarations as de
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.aftermath import MERCY, PICK, PROTECT
from app.rulesets.chronicle.hand.asks import NOT_YOURS, Of
from app.rulesets.chronicle.hand.desk import DESK
from app.rulesets.chronicle.hand.exchange import ACT, DEFEND, DODGE
from app.rulesets.chronicle.hand.grid import Square, read, spell
from app.rulesets.chronicle.hand.opening import JOIN_PAIR, PAIR, READY, SETTING, begin, to_pairs
from app.rulesets.chronicle.hand.state import OTHER, Fight, Move, State
from app.rulesets.chronicle.hand.view import View

NOBODY_SAID: Answers[Any] = Answers()


def open_now(state: State) -> tuple[Step, ...]:
    """The current step, and the GM's optional one; none once the scene is over."""
    if state.fight.phase == "over":
        return ()
    return _at_hand(state).step(state), DESK.step(state)


def go_on(log: ev.FightLog, chance: Chance) -> None:
    """Resolves all steps that need no answer."""
    while log.state.fight.phase != "over":
        at_hand = _at_hand(log.state)
        if at_hand.step(log.state).asks:
            return
        at_hand.resolve(log, NOBODY_SAID, chance)


def _at_hand(state: State) -> Of[Any]:
    """The decision that the scene waits for, or goes on without."""
    fight = state.fight
    if fight.phase == "pair":
        return PAIR if many.pairs(fight) else JOIN_PAIR
    return _OF["move" if fight.phase in ("foot", "free") else fight.phase]


def _joining(state: State) -> Step:
    fight = state.fight
    about = {key: [key] for key in many.joining(fight)}
    return asks.step(fight, "join", "Who joins", asks.by_seat(fight, "join", "Join, wait or leave:", about), "react")


def _may_join(view: View, ask: Ask, says: de.Join) -> Faults:
    faults: Faults = {}
    for key, one in says.of.items():
        if key not in view.joins:
            faults[f"of.{key[:60]}.combat"] = NOT_YOURS
        elif one.combat == "free":
            if not view.fight[key].combat:
                faults[f"of.{key}.combat"] = "You are already free."
        elif one.combat not in ("", "leave", *view.joins[key]):
            faults[f"of.{key}.combat"] = (
                "That combat is out of reach, or has no room: an enemy must be within 3 squares."
            )
    return faults


def _join(log: ev.FightLog, answers: Answers[de.Join], chance: Chance) -> None:
    """Free fighters and victors join a combat, stay or leave; then two and more against many split (step R1)."""
    staying = _joined(log, answers)
    effects.end_combats(log)
    for combat in list(log.state.fight.combats):
        if into := many.split(log.state.fight, combat):
            log.emit(ev.Split(combat.number, tuple(into)), rule="CHR-MUL-15")
    if not _stand_apart(log, staying):
        footwork.contest(log, chance)


def _joined(log: ev.FightLog, answers: Answers[de.Join]) -> list[str]:
    """Returns the victors who chose to stay with those who are down."""
    staying = []
    for key in many.joining(log.state.fight):
        one, fight = log.state.fight[key], log.state.fight
        if one.combat and key not in many.victors(fight):
            continue  # an enemy has already joined their combat
        answer = answers.of.get(Seat(one.seat))
        says = answer.says.of.get(key, de.Joining()) if answer else de.Joining()
        how = answer.how if answer else "default"
        if says.combat == "leave":
            effects.leave(log, key, "left", "CHR-MUL-14")
            continue
        _come_in(log, key, says.combat, how)
        if fight[key].combat == 0:
            log.emit(ev.Intended(key, says.move, how), rule="CHR-FTW-16")
        elif key in many.victors(fight) and how != "default":
            staying.append(key)
    return staying


def _stand_apart(log: ev.FightLog, staying: list[str]) -> bool:
    """Pairs all anew if no combat has able fighters on both sides while both sides have some (CHR-MUL-09).

    Fighters who chose to stay with the down do so; the other victors turn away for it.
    """
    fight = log.state.fight
    if any(all(any(fight.able(key) for key in combat.of(side)) for side in OTHER) for combat in fight.combats):
        return False
    ready = [key for key in fight.fighters if fight.able(key) and key not in staying]
    if {fight[key].side for key in ready} != set(OTHER):
        return False
    for key in ready:
        _turn_away(log, key, "default")
    effects.end_combats(log)
    to_pairs(log)
    return True


def _come_in(log: ev.FightLog, key: str, wish: str, how: str) -> None:
    """Joins a combat by its number, or a free enemy by key, if that is still possible; or leaves a combat."""
    fight = log.state.fight
    if wish not in ("free", *many.ways_in(fight, key)):
        return
    _turn_away(log, key, how)
    if wish.isdecimal():
        log.emit(ev.Joined(key, int(wish), how), rule="CHR-MUL-14")
    elif wish != "free":
        event = ev.Paired(fight.combats_ever + 1, key, wish.removeprefix("vs:"), fight[key].side, how)
        log.emit(event, rule="CHR-MUL-14")


def _turn_away(log: ev.FightLog, key: str, how: str) -> None:
    if combat := log.state.fight[key].combat:
        log.emit(ev.TurnedAway(combat, key, how), rule="CHR-MUL-09")


JOIN: Of[de.Join] = Decision(
    de.Join,
    step=_joining,
    resolve=_join,
    phase=Phase(words="Who joins", steps=("join",), default="follow their standing choice"),
    check=_may_join,
    words={"Join, wait or leave: <name>": "Choose whether to join, wait or leave, for <name>"},
)


def _moving(state: State) -> Step:
    """Asks about the first move of the list, unless a standing choice or the ground leaves nothing to ask."""
    fight = state.fight
    title = {"foot": "Footwork", "free": "Those without a combat"}.get(fight.phase, "Moves")
    return asks.step(fight, f"{fight.phase}/{fight.turn}", title, _mover(state), "react")


def _mover(state: State) -> tuple[Ask, ...]:
    fight = state.fight
    if not fight.work:
        return ()
    move = fight.work[0]
    who = moves.chooser(move)
    if not moves.asked(fight, state.stands(who), move):
        return ()
    name = fight[move.who].name
    call = {
        "push": f"Push {name}",
        "follow": f"Step after {fight[move.other].name}, or not" if move.other else "",
        "approach": f"Approach with {name}",
        "grapple": f"Close in with {name}",
    }.get(move.why, f"Move {name}")
    return asks.aloud(fight[who].seat, "move", call, move.who)


def _squares(view: View, ask: Ask) -> Options:
    """The squares within reach, the usual one first."""
    moving = view.moving
    squares = sorted(moving.squares, key=lambda square: square != moving.usual) if moving else ()
    return {"to": tuple(Choice(spell(square), spell(square), piece=spell(square)) for square in squares)}


def _move(log: ev.FightLog, answers: Answers[de.Step], chance: Chance) -> None:
    """Makes the listed moves one by one until one needs an answer; then starts the next phase."""
    fight = log.state.fight
    if fight.work and answers.of:
        _answered(log, fight.work[0], answers)
    while fight.work:
        move = fight.work[0]
        stand = log.state.stands(moves.chooser(move))
        if moves.asked(fight, stand, move):
            return
        _step(log, move, moves.usual(fight, stand, move), "standing")
    if fight.phase == "foot":
        free = [Move(key, "free", 0, 3) for key in many.free_people(fight) if key in fight.intents]
        log.emit(ev.Stage("free" if free else "act", tuple(free)), rule="CHR-FTW-16" if free else "CHR-RND-06")
    elif fight.phase == "free":
        log.emit(ev.Stage("act"), rule="CHR-RND-06")
    else:
        effects.wild(log, chance)


_RULES = {
    "foot": "CHR-FTW-05",
    "free": "CHR-FTW-16",
    "push": "CHR-ACT-22",
    "follow": "CHR-DEF-06",
    "approach": "CHR-ACT-24",
    "grapple": "CHR-ACT-33",
}


def _answered(log: ev.FightLog, move: Move, answers: Answers[de.Step]) -> None:
    """The answered move; if the square is no longer possible, the default one."""
    fight, by = log.state.fight, moves.chooser(move)
    answer = answers.of.get(Seat(fight[by].seat))
    wish = read(answer.says.to) if answer else None
    if answer and wish is not None and wish in moves.options(fight, move):
        _step(log, move, wish, answer.how)
    else:
        _step(log, move, moves.usual(fight, log.state.stands(by), move), "default")


def _step(log: ev.FightLog, move: Move, square: Square, how: str) -> None:
    fight, by = log.state.fight, moves.chooser(move)
    one = fight[move.who]
    event = ev.Stepped(one.combat, move.who, move.why, one.at, square, by, how, move.other)
    log.emit(event, rule=_RULES[move.why], because=_cause(fight, move))


def _cause(fight: Fight, move: Move) -> tuple[int, ...]:
    """The contest that gave this move, or the action it belongs to."""
    if move.why == "foot":
        return (fight.contests[move.who],) if move.who in fight.contests else ()
    order = fight.orders.get(moves.chooser(move))
    return (order.cause,) if order else ()


MOVE: Of[de.Step] = Decision(
    de.Step,
    step=_moving,
    resolve=_move,
    phase=Phase(words="Footwork", steps=("foot", "free"), default="move to the usual square"),
    options=_squares,
    words={
        "Step after <name>, or not": "Decide whether to follow <name>",
        "Round <n>: those without a combat": "Round <n>: free fighters",
    },
)
AFTER_CHECKS = Phase(words="Moves", steps=("move",), default="move to the usual square")


def _after(state: State) -> Step:
    """Asks the GM, unless both sides are able and the setting says that the fight goes on."""
    wanted = state.fight.settings.hand_between == "ask" or many.left_lying(state.fight)
    asked = asks.of_gm("next", "Go on or end the fight") if wanted else ()
    return asks.step(state.fight, "next", "After the round", asked, "rule")


def _another(view: View, ask: Ask) -> Options:
    """Another round first, while both sides can fight."""
    on = Choice("on", "Next round", why_not=view.no_round)
    end = Choice("end", "End the fight")
    return {"go": (on, end) if len(many.able_sides(view.fight)) > 1 else (end, on)}


def _next(log: ev.FightLog, answers: Answers[de.Next], chance: Chance) -> None:
    """Another round while both sides have able fighters, unless the GM ends the fight (CHR-MUL-20)."""
    fight = log.state.fight
    sides = many.able_sides(fight)
    says = answers.of[GM].says if answers.of else de.Next(go="on" if len(sides) > 1 else "end")
    on = says.go == "on"
    winner = sides[0] if len(sides) == 1 and not on else ""
    log.emit(ev.RoundOver(fight.round, on, winner, says.words.strip()), rule="CHR-MUL-20")
    if on:
        begin(log, fight.round + 1)


NEXT: Of[de.Next] = Decision(
    de.Next,
    step=_after,
    resolve=_next,
    phase=Phase(words="After the round", steps=("next",), default="continue while both sides can fight", gms=True),
    options=_another,
    words={"Go on or end the fight": "Start another round or end the fight"},
)
DECISIONS = (
    SETTING, READY, PAIR, JOIN_PAIR, JOIN, MOVE, ACT, DEFEND, DODGE, AFTER_CHECKS, PROTECT, PICK, MERCY, NEXT, DESK
)  # fmt: skip
_OF: Mapping[str, Of[Any]] = {one.kind: one for one in DECISIONS if isinstance(one, Decision)}
