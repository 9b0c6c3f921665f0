"""The asks of a fight: one per ordinary cycle; further asks only when a decision is needed (ledger 1.2)."""

from dataclasses import replace

from app.engine.ruleset import GM, Ask, Phase, Seat, Step
from app.engine.sentences import and_list
from app.engine.steps import gm_desk, retry_suffix
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.phases import questions
from app.rulesets.arcana.phases.action_phases import next_batch

PHASES = (
    Phase(words="The ground", steps=("setting",), default="leave the ground as it is", gms=True, opening=True),
    Phase(words="Declarations", steps=("plan",), default="wait, or continue what they have begun"),
    Phase(words="The GM’s rulings", steps=("rule",), default="give the book’s answers", gms=True),
    Phase(words="Collisions", steps=("collide",), default="give the book’s answer", gms=True),
    Phase(words="Counterspells", steps=("counter",), default="cast none", unseen=True),
    Phase(words="What they do", steps=("countered",), default="keep the ordinary effect", gms=True),
    Phase(words="Resisting", steps=("resist",), default="not resist", unseen=True),
    Phase(words="What comes next", steps=("next",), default="end the fight", gms=True),
)

WORDS = {
    "Answer what the reveal raises": "Answer the questions from the reveal",
    "Say what counterspells do": "Decide what the counterspells do",
    "Say what becomes of bodies in one place": "Decide what happens to people in the same place",
    "End the fight or go on": "End the fight or start another cycle",
    "Declare for everybody of yours": "Declare for all your characters",
    "Resist or not": "Decide whether to resist",
    "Cycle <n>: the GM’s word": "Cycle <n>: the GM’s rulings",
    "Cycle <n>: two in one place": "Cycle <n>: collisions",
    "Cycle <n>: after it": "Cycle <n>: what comes next",
}


def steps(state: State) -> tuple[Step, ...]:
    """Returns the open step and the GM's desk; nothing once the fight is over."""
    if state.over:
        return ()
    return _at_hand(state), gm_desk(state.desk, "Change something in the fight")


def _at_hand(state: State) -> Step:
    settings = state.settings
    match state.stage:
        case "setting":
            ask = Ask(seat=GM, kind="setting", call="Lay out the ground", opens="end")  # it may name hidden combatants
            return Step(key=f"setting{retry_suffix(state.tries)}", title="The ground", asks=(ask,), pace="rule")
        case "rule":
            about = tuple(one.key for one in questions.open_questions(state))
            ask = _gm(state, Ask(seat=GM, kind="rule", call="Answer what the reveal raises", about=about, opens="end"))
            return _step(state, "rule", "the GM’s word", (ask,), "rule", settings.ruling_seconds)
        case "countered":
            about = tuple(one.key for one in questions.open_questions(state))
            ask = _gm(state, Ask(seat=GM, kind="rule", call="Say what counterspells do", about=about, opens="end"))
            return _step(state, "countered", "what counterspells do", (ask,), "rule", settings.ruling_seconds)
        case "collide":
            phase = state.clash.phase if state.clash else ""
            ask = _gm(state, Ask(seat=GM, kind="collide", call="Say what becomes of bodies in one place", opens="end"))
            return _step(state, f"collide-{phase}", "two in one place", (ask,), "rule", settings.ruling_seconds)
        case "counter":
            return _step(state, "counter", "counterspells", _counters(state), "react", settings.counterspell_seconds)
        case "resist":
            key = f"resist-{state.halts}"
            return _step(state, key, "resisting", _resists(state), "react", settings.resist_seconds)
        case "next":
            ask = Ask(seat=GM, kind="next", call="End the fight or go on")
            return _step(state, "next", "after it", (ask,), "rule", settings.ruling_seconds)
        case _:
            return _step(state, "plan", "declarations", _plan(state), "plan", settings.planning_seconds)


def _gm(state: State, ask: Ask) -> Ask:
    """Hides the ask from the other seats if it is only about hidden combatants."""
    return ask if questions.in_the_open(state) else replace(ask, known_to=frozenset({GM}))


def _step(state: State, key: str, title: str, asks: tuple[Ask, ...], pace: str, seconds: int | None) -> Step:
    return Step(
        key=f"c{state.cycle}/{key}{retry_suffix(state.tries)}",
        title=f"Cycle {state.cycle}: {title}",
        asks=asks,
        pace=pace,  # type: ignore[arg-type]
        seconds=seconds,
    )


def _plan(state: State) -> tuple[Ask, ...]:
    """Asks all living combatants, including hidden, unaware and unable ones, as cover; and always the GM (ARC-11).

    The texts stay sealed until the fight is over: they contain reactions and the actions of hidden combatants (ledger
    1.7).
    """
    seats: dict[str, list[str]] = {}
    for key, one in state.fighters.items():
        if not one.dead and one.seat != GM:
            seats.setdefault(one.seat, []).append(key)
    first = state.settings.unseal_until_close == "off"
    names = {seat: and_list(state.fighters[key].body.name for key in keys) for seat, keys in seats.items()}
    found = [
        Ask(seat=Seat(seat), kind="plan", call=f"Declare for {names[seat]}", about=tuple(keys), opens="end",
            first_stands=first)
        for seat, keys in sorted(seats.items())
    ]  # fmt: skip
    return (*found, Ask(seat=GM, kind="plan", call="Declare for everybody of yours", opens="end", first_stands=first))


def _counters(state: State) -> tuple[Ask, ...]:
    """Known only to the seats asked; others would learn who prepared a counterspell (ARC-55)."""
    return _asked(state, "counter", "Name your counterspell", {who: who for who in questions.to_name(state)}, True)


def _resists(state: State) -> tuple[Ask, ...]:
    due = {label: who for label, who, _ in questions.resists(state, next_batch(state))}
    return _asked(state, "resist", "Resist or not", due, False)


def _asked(state: State, kind: str, call: str, due: dict[str, str], first: bool) -> tuple[Ask, ...]:
    seats: dict[str, list[str]] = {}
    for label, who in sorted(due.items()):
        seats.setdefault(state.fighters[who].seat, []).append(label)
    return tuple(
        Ask(
            seat=Seat(seat), kind=kind, call=call, about=tuple(labels), known_to=frozenset({Seat(seat)}),
            opens="end", first_stands=first,
        )
        for seat, labels in sorted(seats.items(), key=lambda pair: (pair[0] == GM, pair[0]))
    )  # fmt: skip
