"""A fight in the order of the book: ready, pairs, then rounds of joining, footwork, actions, defences and wounds.

`resolve` resolves one closed step and continues by itself until there is another decision.
"""

from typing import Any

from app.engine.chance import Chance
from app.engine.ruleset import GM, Answers, Step
from app.rulesets.chronicle.hand import declarations as de
from app.rulesets.chronicle.hand import effects, exchange, footwork, many, moves
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.asks import free_people, joining, surrendering, victors, waits
from app.rulesets.chronicle.hand.desk import at_the_desk
from app.rulesets.chronicle.hand.grid import Square, read
from app.rulesets.chronicle.hand.legal import hands_of
from app.rulesets.chronicle.hand.state import OTHER, Fight, Move, Side

NOTHING: exchange.Said = {}


def resolve(log: ev.FightLog, step: Step, answers: Answers[Any], chance: Chance) -> None:
    """Resolves one closed step, then all phases that need no answer."""
    said: exchange.Said = {str(seat): answer for seat, answer in answers.of.items()}
    if step.pace == "whenever":
        at_the_desk(log, said[GM].says)
        return
    _settle(log, said, chance)
    while not waits(log.state):
        _settle(log, NOTHING, chance)


def _settle(log: ev.FightLog, said: exchange.Said, chance: Chance) -> None:
    """Resolves one phase, with its answers."""
    match log.state.fight.phase:
        case "setting":
            _lay(log, said)
        case "ready":
            _ready(log, said)
        case "pair":
            _pair(log, said, chance)
        case "join":
            staying = _join(log, said)
            if not _stand_apart(log, staying):
                footwork.contest(log, chance)
        case "foot" | "free" | "move":
            _move(log, said, chance)
        case "act":
            exchange.opened(log, said)
        case "defend":
            exchange.met(log, said)
            if not log.state.fight.contested:
                exchange.checked(log, chance)
        case "dodge":
            if log.state.fight.contested:
                exchange.dodged_again(log, said)
            else:
                exchange.checked(log, chance)
        case "protect":
            effects.protected(log, said)
        case "pick":
            effects.picked(log, said)
        case "mercy":
            _mercy(log, said)
            effects.close(log, chance)
            log.emit(ev.Stage("next"), rule="CHR-RND-08")
        case _:
            _next(log, said)


def _lay(log: ev.FightLog, said: exchange.Said) -> None:
    """The ground; an absent GM leaves it unbounded and empty (step B0)."""
    fight = log.state.fight
    says: de.Setting = said[GM].says if GM in said else de.Setting()
    description = fight.description if says.description is None else says.description.strip()
    blocked = tuple(square for text in says.blocked.split() if (square := read(text)))
    places = tuple((key, square) for key, text in says.at.items() if key in fight.fighters and (square := read(text)))
    log.emit(ev.Laid(description, says.width, says.height, blocked, places, says.gap, says.ambush), rule="CHR-MUL-07")
    log.emit(ev.Stage("ready"), rule="CHR-RND-02")


def _ready(log: ev.FightLog, said: exchange.Said) -> None:
    """Locked choices and items in hand, of all fighters at once (CHR-RND-02, -03)."""
    for one in list(log.state.fight.fighters.values()):
        answer = said.get(one.seat)
        says: de.Readiness = answer.says.of.get(one.key, de.Readiness()) if answer else de.Readiness()
        choices = {what: getattr(says, what) or usual for what, usual in one.choices.items()}
        right, left, carried = hands_of(one, says)
        how = answer.how if answer else "default"
        event = ev.Readied(one.key, tuple(choices.items()), right, left, tuple(carried), how)
        log.emit(event, rule="CHR-RND-03")
        exchange.stand(log, one, says.stand)
    _to_pairs(log)


def _to_pairs(log: ev.FightLog) -> None:
    log.emit(ev.Stage("pair", first=many.first_side(log.state.fight)), rule="CHR-MUL-03")


def _pair(log: ev.FightLog, said: exchange.Said, chance: Chance) -> None:
    """Pairs in turn; then fighters left over choose a combat, or wait if there is no room (CHR-MUL-02 to -06)."""
    fight = log.state.fight
    found = many.pairs(fight)
    if found:
        side = many.turn(fight)
        answer = next(iter(said.values()), None)
        own, _, other = (answer.says.pair if answer else "").partition(":")
        chosen = (own, other) if (own, other) in found else found[0]
        how = answer.how if answer else "default"
        log.emit(ev.Paired(fight.combats_ever + 1, *chosen, side, how), rule="CHR-MUL-04")
        return
    key = many.left_over(fight)
    if not key:
        _take_places(log, chance)
        return
    rooms = many.rooms(fight, key, fight.combats)
    if not rooms:
        log.emit(ev.Waits(key), rule="CHR-MUL-02")
        return
    answer = next(iter(said.values()), None)
    combat = answer.says.combat if answer and answer.says.combat in rooms else rooms[0]
    log.emit(ev.Joined(key, combat, answer.how if answer else "default"), rule="CHR-MUL-05")


def _take_places(log: ev.FightLog, chance: Chance) -> None:
    """Before the first round, all take their places; later pairs fight from where they are (CHR-MUL-11)."""
    if log.state.fight.round:
        footwork.contest(log, chance)
        return
    log.emit(ev.Placed(tuple(many.lines(log.state.fight))), rule="CHR-MUL-11")
    _begin(log, 1)


def _begin(log: ev.FightLog, number: int) -> None:
    log.emit(ev.Began(number), rule="CHR-RND-05")
    log.emit(ev.Stage("join"), rule="CHR-MUL-14")


def _join(log: ev.FightLog, said: exchange.Said) -> list[str]:
    """Free fighters and victors join a combat, stay or leave; then two and more against many split (step R1).

    Returns the victors who chose to stay with those who are down.
    """
    staying = []
    for key in joining(log.state.fight):
        one, fight = log.state.fight[key], log.state.fight
        if one.combat and key not in victors(fight):
            continue  # an enemy has already joined their combat
        answer = said.get(one.seat)
        says: de.Joining = answer.says.of.get(key, de.Joining()) if answer else de.Joining()
        how = answer.how if answer else "default"
        if says.combat == "leave":
            effects.leave(log, key, "left", "CHR-MUL-14")
            continue
        _come_in(log, key, says.combat, how)
        if fight[key].combat == 0:
            log.emit(ev.Intended(key, says.move, how), rule="CHR-FTW-16")
        elif key in victors(fight) and how != "default":
            staying.append(key)
    effects.end_combats(log)
    for combat in list(log.state.fight.combats):
        if into := many.split(log.state.fight, combat):
            log.emit(ev.Split(combat.number, tuple(into)), rule="CHR-MUL-15")
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
    _to_pairs(log)
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


def _move(log: ev.FightLog, said: exchange.Said, chance: Chance) -> None:
    """Makes the listed moves one by one until one needs an answer; then starts the next phase."""
    fight = log.state.fight
    if fight.work and said:
        _answered(log, fight.work[0], said)
    while fight.work:
        move = fight.work[0]
        stand = log.state.stands(moves.chooser(move))
        if moves.asked(fight, stand, move):
            return
        _step(log, move, moves.usual(fight, stand, move), "standing")
    if fight.phase == "foot":
        free = [Move(key, "free", 0, 3) for key in free_people(fight) if key in fight.intents]
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


def _answered(log: ev.FightLog, move: Move, said: exchange.Said) -> None:
    """The answered move; if the square is no longer possible, the default one."""
    fight, by = log.state.fight, moves.chooser(move)
    answer = said.get(fight[by].seat)
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


def _mercy(log: ev.FightLog, said: exchange.Said) -> None:
    """A surrender is accepted unless an enemy of the combat refuses (CHR-ACT-36)."""
    fight = log.state.fight
    for key in surrendering(fight):
        for foe in fight.foes(key):
            answer = said.get(foe.seat)
            if answer and fight.able(foe.key) and key in answer.says.refuse and not fight.orders[key].refused:
                because = (fight.orders[key].number,)
                log.emit(ev.Refused(foe.combat, key, foe.key, answer.how), rule="CHR-ACT-36", because=because)


def _next(log: ev.FightLog, said: exchange.Said) -> None:
    """Another round while both sides have able fighters, unless the GM ends the fight (CHR-MUL-20)."""
    fight = log.state.fight
    sides = able_sides(fight)
    says: de.Next = said[GM].says if GM in said else de.Next(go="on" if len(sides) > 1 else "end")
    on = says.go == "on"
    winner = sides[0] if len(sides) == 1 and not on else ""
    log.emit(ev.RoundOver(fight.round, on, winner, says.words.strip()), rule="CHR-MUL-20")
    if on:
        _begin(log, fight.round + 1)


def able_sides(fight: Fight) -> list[Side]:
    return [side for side in OTHER if any(fight.able(one.key) for one in fight.side(side))]
