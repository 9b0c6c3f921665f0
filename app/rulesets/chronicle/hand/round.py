"""A fight in the order of the book: ready, pairs, then rounds of joining, footwork, actions, defences and wounds.

`resolve` tells what comes of one closed step and goes on by itself as long as nobody has anything left to decide.
"""

from typing import Any

from app.engine.chance import Chance
from app.engine.ruleset import GM, Answers, Step, Tale
from app.rulesets.chronicle.hand import declarations as de
from app.rulesets.chronicle.hand import effects, exchange, footwork, many, moves
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.asks import free_people, joining, surrendering, victors, waits
from app.rulesets.chronicle.hand.desk import at_the_desk
from app.rulesets.chronicle.hand.grid import Square, read
from app.rulesets.chronicle.hand.legal import hands_of
from app.rulesets.chronicle.hand.state import OTHER, Fight, Move, Side, State

Table = Tale[State, ev.Event]
NOTHING: exchange.Said = {}


def resolve(tale: Table, step: Step, answers: Answers[Any], chance: Chance) -> None:
    """Tell what comes of one closed step."""
    said: exchange.Said = {str(seat): answer for seat, answer in answers.of.items()}
    if step.pace == "whenever":
        at_the_desk(tale, said[GM].says)
        return
    _settle(tale, said, chance)
    while not waits(tale.state):
        _settle(tale, NOTHING, chance)


def _settle(tale: Table, said: exchange.Said, chance: Chance) -> None:
    """One phase, with what was said in it."""
    match tale.state.fight.phase:
        case "setting":
            _lay(tale, said)
        case "ready":
            _ready(tale, said)
        case "pair":
            _pair(tale, said, chance)
        case "join":
            staying = _join(tale, said)
            if not _stand_apart(tale, staying):
                footwork.contest(tale, chance)
        case "foot" | "free" | "move":
            _move(tale, said, chance)
        case "act":
            exchange.opened(tale, said)
        case "defend":
            exchange.met(tale, said)
            if not tale.state.fight.contested:
                exchange.checked(tale, chance)
        case "dodge":
            if tale.state.fight.contested:
                exchange.dodged_again(tale, said)
            else:
                exchange.checked(tale, chance)
        case "protect":
            effects.protected(tale, said)
        case "pick":
            effects.picked(tale, said)
        case "mercy":
            _mercy(tale, said)
            effects.close(tale, chance)
            tale.tell(ev.Stage("next"), rule="CHR-RND-08")
        case _:
            _next(tale, said)


def _lay(tale: Table, said: exchange.Said) -> None:
    """The ground; an absent GM leaves it unbounded and empty (step B0)."""
    fight = tale.state.fight
    says: de.Setting = said[GM].says if GM in said else de.Setting()
    description = fight.description if says.description is None else says.description.strip()
    blocked = tuple(square for text in says.blocked.split() if (square := read(text)))
    places = tuple((key, square) for key, text in says.at.items() if key in fight.fighters and (square := read(text)))
    tale.tell(ev.Laid(description, says.width, says.height, blocked, places, says.gap, says.ambush), rule="CHR-MUL-07")
    tale.tell(ev.Stage("ready"), rule="CHR-RND-02")


def _ready(tale: Table, said: exchange.Said) -> None:
    """Locked choices and things in hand, of everybody at once (CHR-RND-02, -03)."""
    for one in list(tale.state.fight.fighters.values()):
        answer = said.get(one.seat)
        says: de.Readiness = answer.says.of.get(one.key, de.Readiness()) if answer else de.Readiness()
        choices = {what: getattr(says, what) or usual for what, usual in one.choices.items()}
        right, left, carried = hands_of(one, says)
        how = answer.how if answer else "default"
        event = ev.Readied(one.key, tuple(choices.items()), right, left, tuple(carried), how)
        tale.tell(event, rule="CHR-RND-03")
        exchange.stand(tale, one, says.stand)
    _to_pairs(tale)


def _to_pairs(tale: Table) -> None:
    tale.tell(ev.Stage("pair", first=many.first_side(tale.state.fight)), rule="CHR-MUL-03")


def _pair(tale: Table, said: exchange.Said, chance: Chance) -> None:
    """Pairs in turn; then the people left over choose a combat, or wait where there is no room (CHR-MUL-02 to -06)."""
    fight = tale.state.fight
    found = many.pairs(fight)
    if found:
        side = many.turn(fight)
        answer = next(iter(said.values()), None)
        own, _, other = (answer.says.pair if answer else "").partition(":")
        chosen = (own, other) if (own, other) in found else found[0]
        how = answer.how if answer else "default"
        tale.tell(ev.Paired(fight.combats_ever + 1, *chosen, side, how), rule="CHR-MUL-04")
        return
    key = many.left_over(fight)
    if not key:
        _take_places(tale, chance)
        return
    rooms = many.rooms(fight, key, fight.combats)
    if not rooms:
        tale.tell(ev.Waits(key), rule="CHR-MUL-02")
        return
    answer = next(iter(said.values()), None)
    combat = answer.says.combat if answer and answer.says.combat in rooms else rooms[0]
    tale.tell(ev.Joined(key, combat, answer.how if answer else "default"), rule="CHR-MUL-05")


def _take_places(tale: Table, chance: Chance) -> None:
    """Before the first round everybody takes their place; later pairs fight from where they stand (CHR-MUL-11)."""
    if tale.state.fight.round:
        footwork.contest(tale, chance)
        return
    tale.tell(ev.Placed(tuple(many.lines(tale.state.fight))), rule="CHR-MUL-11")
    _begin(tale, 1)


def _begin(tale: Table, number: int) -> None:
    tale.tell(ev.Began(number), rule="CHR-RND-05")
    tale.tell(ev.Stage("join"), rule="CHR-MUL-14")


def _join(tale: Table, said: exchange.Said) -> list[str]:
    """The free and the victors join a combat, stay or leave; then what is two and more against many splits (step R1).

    Returns who said that they stay with those who are down.
    """
    staying = []
    for key in joining(tale.state.fight):
        one, fight = tale.state.fight[key], tale.state.fight
        if one.combat and key not in victors(fight):
            continue  # an enemy has come for them already
        answer = said.get(one.seat)
        says: de.Joining = answer.says.of.get(key, de.Joining()) if answer else de.Joining()
        how = answer.how if answer else "default"
        if says.combat == "leave":
            effects.leave(tale, key, "left", "CHR-MUL-14")
            continue
        _come_in(tale, key, says.combat, how)
        if fight[key].combat == 0:
            tale.tell(ev.Intended(key, says.move, how), rule="CHR-FTW-16")
        elif key in victors(fight) and how != "default":
            staying.append(key)
    effects.end_combats(tale)
    for combat in list(tale.state.fight.combats):
        if into := many.split(tale.state.fight, combat):
            tale.tell(ev.Split(combat.number, tuple(into)), rule="CHR-MUL-15")
    return staying


def _stand_apart(tale: Table, staying: list[str]) -> bool:
    """No combat is left between able people while both sides have some: they pair off anew (CHR-MUL-09).

    Whoever has said that they stay with the down does; the other victors turn away for it.
    """
    fight = tale.state.fight
    if any(all(any(fight.able(key) for key in combat.of(side)) for side in OTHER) for combat in fight.combats):
        return False
    ready = [key for key in fight.fighters if fight.able(key) and key not in staying]
    if {fight[key].side for key in ready} != set(OTHER):
        return False
    for key in ready:
        _turn_away(tale, key, "default")
    effects.end_combats(tale)
    _to_pairs(tale)
    return True


def _come_in(tale: Table, key: str, wish: str, how: str) -> None:
    """Into a combat by its number, or against a free enemy by his key, if that is still possible; or away from one."""
    fight = tale.state.fight
    if wish not in ("free", *many.ways_in(fight, key)):
        return
    _turn_away(tale, key, how)
    if wish.isdecimal():
        tale.tell(ev.Joined(key, int(wish), how), rule="CHR-MUL-14")
    elif wish != "free":
        event = ev.Paired(fight.combats_ever + 1, key, wish.removeprefix("vs:"), fight[key].side, how)
        tale.tell(event, rule="CHR-MUL-14")


def _turn_away(tale: Table, key: str, how: str) -> None:
    if combat := tale.state.fight[key].combat:
        tale.tell(ev.TurnedAway(combat, key, how), rule="CHR-MUL-09")


def _move(tale: Table, said: exchange.Said, chance: Chance) -> None:
    """The list of moves, one after another as far as nobody has to be asked; then what follows when all have moved."""
    fight = tale.state.fight
    if fight.work and said:
        _answered(tale, fight.work[0], said)
    while fight.work:
        move = fight.work[0]
        stand = tale.state.stands(moves.chooser(move))
        if moves.asked(fight, stand, move):
            return
        _step(tale, move, moves.usual(fight, stand, move), "standing")
    if fight.phase == "foot":
        free = [Move(key, "free", 0, 3) for key in free_people(fight) if key in fight.intents]
        tale.tell(ev.Stage("free" if free else "act", tuple(free)), rule="CHR-FTW-16" if free else "CHR-RND-06")
    elif fight.phase == "free":
        tale.tell(ev.Stage("act"), rule="CHR-RND-06")
    else:
        effects.wild(tale, chance)


_RULES = {
    "foot": "CHR-FTW-05",
    "free": "CHR-FTW-16",
    "push": "CHR-ACT-22",
    "follow": "CHR-DEF-06",
    "approach": "CHR-ACT-24",
    "grapple": "CHR-ACT-33",
}


def _answered(tale: Table, move: Move, said: exchange.Said) -> None:
    """Where the one who was asked goes; a square that is gone by now gives way to what the rules would do."""
    fight, by = tale.state.fight, moves.chooser(move)
    answer = said.get(fight[by].seat)
    wish = read(answer.says.to) if answer else None
    if answer and wish is not None and wish in moves.options(fight, move):
        _step(tale, move, wish, answer.how)
    else:
        _step(tale, move, moves.usual(fight, tale.state.stands(by), move), "default")


def _step(tale: Table, move: Move, square: Square, how: str) -> None:
    fight, by = tale.state.fight, moves.chooser(move)
    one = fight[move.who]
    event = ev.Stepped(one.combat, move.who, move.why, one.at, square, by, how, move.other)
    tale.tell(event, rule=_RULES[move.why], because=_cause(fight, move))


def _cause(fight: Fight, move: Move) -> tuple[int, ...]:
    """The contest that gave somebody this move, or the action it belongs to."""
    if move.why == "foot":
        return (fight.contests[move.who],) if move.who in fight.contests else ()
    order = fight.orders.get(moves.chooser(move))
    return (order.cause,) if order else ()


def _mercy(tale: Table, said: exchange.Said) -> None:
    """A surrender is taken unless an enemy of the combat refuses (CHR-ACT-36)."""
    fight = tale.state.fight
    for key in surrendering(fight):
        for foe in fight.foes(key):
            answer = said.get(foe.seat)
            if answer and fight.able(foe.key) and key in answer.says.refuse and not fight.orders[key].refused:
                because = (fight.orders[key].number,)
                tale.tell(ev.Refused(foe.combat, key, foe.key, answer.how), rule="CHR-ACT-36", because=because)


def _next(tale: Table, said: exchange.Said) -> None:
    """Another round while both sides have somebody able and willing, unless the GM ends it (CHR-MUL-20)."""
    fight = tale.state.fight
    sides = able_sides(fight)
    says: de.Next = said[GM].says if GM in said else de.Next(go="on" if len(sides) > 1 else "end")
    on = says.go == "on"
    winner = sides[0] if len(sides) == 1 and not on else ""
    tale.tell(ev.RoundOver(fight.round, on, winner, says.words.strip()), rule="CHR-MUL-20")
    if on:
        _begin(tale, fight.round + 1)


def able_sides(fight: Fight) -> list[Side]:
    return [side for side in OTHER if any(fight.able(one.key) for one in fight.side(side))]
