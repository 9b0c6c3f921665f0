"""Duels without a table: the engine, two ways to choose, and luck from a generator given from outside."""

import random
from collections.abc import Callable, Sequence

from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Brief, Seat, Setup, Viewer
from app.practice.mind import Choice, weigh
from app.rulesets.duel import DUEL
from app.rulesets.duel import declarations as de
from app.rulesets.duel.check import check
from app.rulesets.duel.data import ABILITIES, ACTIONS
from app.rulesets.duel.opponents import OPPONENTS
from app.rulesets.duel.samples import heroes
from app.rulesets.duel.settings import Settings
from app.rulesets.duel.sheets import Sheet
from app.rulesets.duel.state import State
from app.rulesets.duel.view import View

A, B = "a", "b"
LONGEST = 100  # clashes; a fight that is not over by then counts as a draw
SHEETS = {**OPPONENTS, **heroes()}
BOOK = tuple(key for key, one in ACTIONS.items() if one.pack == "book")
Way = Callable[[View, str, random.Random], Choice]


def begun(first: Sheet, second: Sheet, settings: Settings | None = None) -> State:
    brief = Brief(kind="duel", title="Practice", seats={Seat(A): (A,), Seat(B): (B,), GM: ()})
    return DUEL.start(Setup(brief=brief, settings=settings or Settings(), sheets={A: first, B: second}, kept={}))


def view_of(state: State, who: str) -> View:
    found: View = DUEL.view(state, Viewer(seats=frozenset({Seat(who)})))
    return found


def lawful(view: View, who: str) -> list[de.Move]:
    """Every move that the rules let this seat seal now, found by asking them."""
    ask = DUEL.steps(begun(SHEETS["novice"], SHEETS["novice"]))[0].asks[(A, B).index(who)]
    adds = ("", "opener", "discombobulate", "momentum")
    if view.fighters[who].must_rest:
        return [de.Move(action="rest")]
    able = {one.key for one in view.fighters[who].abilities}
    return [
        move
        for option in view.options[who]
        for add in (adds if "surprise" in able else adds[:1])
        for rage in (range(option.cost + 2) if "rage" in able else (0,))
        if not check(view, ask, move := de.Move(action=option.action.key, add=add, rage=rage))
    ]


def uniform(view: View, who: str, luck: random.Random) -> Choice:
    match view.phase:
        case "halves":
            return de.Half(half=luck.choice(("high", "low")))
        case "combo":
            return de.Combo(go=luck.choice(("on", "end")))
        case _:
            return luck.choice(lawful(view, who))


def solved(view: View, who: str, luck: random.Random) -> Choice:
    return weigh(view, who).pick(luck)


def close(state: State, answers: dict[str, Choice], seed: bytes) -> Recorder[State, object]:
    """The first open step closed with these answers; the state moves on."""
    log: Recorder[State, object] = Recorder(state, DUEL.apply)
    step = DUEL.steps(state)[0]
    said = Answers(of={Seat(who): Answer(says=says) for who, says in answers.items()})
    DUEL.resolve(log, step, said, SeededChance(seed, seed))
    return log


def duel(first: Sheet, second: Sheet, ways: Sequence[Way], seed: int, settings: Settings | None = None) -> State:
    """A whole fight; a stalled one is a draw, as it is where the referee is silent."""
    luck = random.Random(seed)
    state = begun(first, second, settings)
    way = dict(zip((A, B), ways, strict=True))
    while state.clash <= LONGEST and (steps := DUEL.steps(state)):
        answers: dict[str, Choice] = {}
        for ask in steps[0].asks:
            if ask.kind == "stalled":
                answers[str(GM)] = de.Stalled()  # type: ignore[assignment]
            else:
                who = ask.about[0]
                answers[who] = way[who](view_of(state, who), who, luck)
        close(state, answers, luck.randbytes(32))
    return state


def anybody(luck: random.Random) -> Sheet:
    """A fighter with any of the book's actions and any two abilities."""
    entries = [key for key in BOOK if not ACTIONS[key].basic]
    known = luck.sample(entries, luck.randint(0, len(entries)))
    able = luck.sample(sorted(ABILITIES), 2)
    unlocks = tuple(dict.fromkeys(("guard", "bide", *known, *able)))
    return Sheet(name="Anybody", level=40, unlocks=unlocks, active=tuple(able), hp=luck.randint(1, 20))
