"""What comes before the first round: the ground, choices and arms, pairs, and first places (steps B0 to B3)."""

from typing import Any

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.options import Choice, Options
from app.engine.ruleset import GM, Answers, Ask, Faults, Phase, Seat, Step
from app.rulesets.chronicle.hand import asks, exchange, footwork, legal, many
from app.rulesets.chronicle.hand import declarations as de
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.asks import NOT_YOURS, Of
from app.rulesets.chronicle.hand.grid import Ground, read
from app.rulesets.chronicle.hand.state import State
from app.rulesets.chronicle.hand.view import View

PAIRS = Phase(words="Who fights whom", steps=("pair",), default="take the first pair or combat")


def _may_lay(view: View, ask: Ask, says: de.Setting) -> Faults:
    fight = view.fight
    blocked = [read(text) for text in says.blocked.split()]
    if None in blocked:
        return {"blocked": "Write squares as x,y separated by spaces: 4,2 5,2."}
    faults: Faults = {}
    people = sum(one.here for one in fight.fighters.values())
    if says.width and says.height and says.width * says.height - len(set(blocked)) < people:
        faults["width"] = f"That is too small for {people} people."
    if bool(says.width) != bool(says.height):
        faults["height" if says.width else "width"] = "Enter both, or leave both empty for open ground."
    taken: set[Any] = set()
    for key, text in says.at.items():
        if not text:
            continue
        square = read(text)
        ground = Ground(says.width, says.height, frozenset(filter(None, blocked)), taken)
        if key not in fight.fighters:
            faults[f"at.{key[:60]}"] = "Nobody in this fight has that name."
        elif square is None or not ground.free(square):
            faults[f"at.{key}"] = "Write a free square as x,y: 3,0."
        else:
            taken.add(square)
    return faults


def _lay(log: ev.FightLog, answers: Answers[de.Setting], chance: Chance) -> None:
    """The ground; an absent GM leaves it unbounded and empty (step B0)."""
    fight, says = log.state.fight, answers.of[GM].says
    description = fight.description if says.description is None else says.description.strip()
    blocked = tuple(square for text in says.blocked.split() if (square := read(text)))
    places = tuple((key, square) for key, text in says.at.items() if key in fight.fighters and (square := read(text)))
    log.emit(ev.Laid(description, says.width, says.height, blocked, places, says.gap, says.ambush), rule="CHR-MUL-07")
    log.emit(ev.Stage("ready"), rule="CHR-RND-02")


SETTING: Of[de.Setting] = Decision(
    de.Setting,
    step=lambda state: asks.step(
        state.fight, "setting", "The ground", asks.of_gm("setting", "Lay out the ground"), "rule"
    ),
    resolve=_lay,
    phase=Phase(words="The ground", steps=("setting",), default="choose open ground", gms=True, opening=True),
    check=_may_lay,
    default=lambda view, ask: de.Setting(gap=view.fight.gap, ambush=view.fight.ambush),
)


def _getting_ready(state: State) -> Step:
    here = {key: [key] for key, one in state.fight.fighters.items() if one.here}
    return asks.step(
        state.fight, "ready", "Making ready", asks.by_seat(state.fight, "ready", "Prepare", here, late=True)
    )


def _may_take(view: View, ask: Ask, says: de.Ready) -> Faults:
    faults: Faults = {}
    for key, one in says.of.items():
        if key not in view.mine:
            faults[f"of.{key[:60]}.right"] = NOT_YOURS
            continue
        for hand, reason in legal.why_not_hands(view.fight[key], one).items():
            faults[f"of.{key}.{hand}"] = reason
    return faults


def _ready(log: ev.FightLog, answers: Answers[de.Ready], chance: Chance) -> None:
    """Locked choices and items in hand, of all fighters at once (CHR-RND-02, -03)."""
    for one in list(log.state.fight.fighters.values()):
        answer = answers.of.get(Seat(one.seat))
        says = answer.says.of.get(one.key, de.Readiness()) if answer else de.Readiness()
        choices = {what: getattr(says, what) or usual for what, usual in one.choices.items()}
        right, left, carried = legal.hands_of(one, says)
        how = answer.how if answer else "default"
        event = ev.Readied(one.key, tuple(choices.items()), right, left, tuple(carried), how)
        log.emit(event, rule="CHR-RND-03")
        exchange.stand(log, one, says.stand)
    to_pairs(log)


READY: Of[de.Ready] = Decision(
    de.Ready,
    step=_getting_ready,
    resolve=_ready,
    phase=Phase(words="Making ready", steps=("ready",), default="keep their usual choices", opening=True),
    check=_may_take,
    words={"Prepare <name>": "Get <name> ready"},
)


def to_pairs(log: ev.FightLog) -> None:
    log.emit(ev.Stage("pair", first=many.first_side(log.state.fight)), rule="CHR-MUL-03")


def _naming(state: State) -> Step:
    """Asks the side whose turn it is; no one if there is only one way (CHR-MUL-04)."""
    fight, side = state.fight, many.turn(state.fight)
    asked = asks.aloud(many.speaker(fight, side), "pair", "Name a pair", side) if len(many.pairs(fight)) > 1 else ()
    return asks.step(fight, f"pair/{fight.turn}", "Who fights whom", asked, "react")


def _pairs(view: View, ask: Ask) -> Options:
    return {
        "pair": tuple(
            Choice(f"{own}:{other}", f"{view.the(own)} against {view.the(other)}") for own, other in view.pairs
        )
    }


def _pair(log: ev.FightLog, answers: Answers[de.Pair], chance: Chance) -> None:
    """Pairs in turn (CHR-MUL-02 to -04)."""
    fight = log.state.fight
    found, side = many.pairs(fight), many.turn(fight)
    answer = next(iter(answers.of.values()), None)
    own, _, other = (answer.says.pair if answer else "").partition(":")
    chosen = (own, other) if (own, other) in found else found[0]
    how = answer.how if answer else "default"
    log.emit(ev.Paired(fight.combats_ever + 1, *chosen, side, how), rule="CHR-MUL-04")


PAIR: Of[de.Pair] = Decision(
    de.Pair,
    step=_naming,
    resolve=_pair,
    phase=PAIRS,
    options=_pairs,
    words={"Name a pair": "Choose who fights whom"},
)


def _over(state: State) -> Step:
    """Asks a fighter left over; no one if there is only one way (CHR-MUL-05)."""
    fight, asked = state.fight, tuple[Ask, ...]()
    key = many.left_over(fight)
    if key and len(many.rooms(fight, key, fight.combats)) > 1:
        asked = asks.aloud(fight[key].seat, "join_pair", f"Choose a combat for {fight[key].name}", key)
    return asks.step(fight, f"pair/{fight.turn}", "Who fights whom", asked, "react")


def _join_pair(log: ev.FightLog, answers: Answers[de.JoinPair], chance: Chance) -> None:
    """Fighters left over choose a combat, or wait if there is no room (CHR-MUL-05, -06)."""
    fight = log.state.fight
    key = many.left_over(fight)
    if not key:
        _take_places(log, chance)
        return
    rooms = many.rooms(fight, key, fight.combats)
    if not rooms:
        log.emit(ev.Waits(key), rule="CHR-MUL-02")
        return
    answer = next(iter(answers.of.values()), None)
    combat = answer.says.combat if answer and answer.says.combat in rooms else rooms[0]
    log.emit(ev.Joined(key, combat, answer.how if answer else "default"), rule="CHR-MUL-05")


def _take_places(log: ev.FightLog, chance: Chance) -> None:
    """Before the first round, all take their places; later pairs fight from where they are (CHR-MUL-11)."""
    if log.state.fight.round:
        footwork.contest(log, chance)
        return
    log.emit(ev.Placed(tuple(many.lines(log.state.fight))), rule="CHR-MUL-11")
    begin(log, 1)


JOIN_PAIR: Of[de.JoinPair] = Decision(
    de.JoinPair,
    step=_over,
    resolve=_join_pair,
    phase=PAIRS,
    options=lambda view, ask: {"combat": tuple(Choice(str(number), f"combat {number}") for number in view.rooms)},
)


def begin(log: ev.FightLog, number: int) -> None:
    """Begins a round."""
    log.emit(ev.Began(number), rule="CHR-RND-05")
    log.emit(ev.Stage("join"), rule="CHR-MUL-14")
