"""A free scene step by step: a check is proposed, framed, then rolled or left; with optional acts between (CHR-CHK)."""

from typing import Any

from app.engine.chance import Chance
from app.engine.ruleset import GM, Answer, Answers, Ask, Phase, Seat, Step
from app.engine.steps import retry_suffix
from app.rulesets.chronicle import host
from app.rulesets.chronicle.checks import check
from app.rulesets.chronicle.free import declarations as de
from app.rulesets.chronicle.free import desk
from app.rulesets.chronicle.free import events as ev
from app.rulesets.chronicle.free.frames import rating, tell_frame, usual
from app.rulesets.chronicle.free.state import Attempt, SceneLog, State, seat_of
from app.rulesets.chronicle.rulings import ruled, ruling_asks
from app.rulesets.chronicle.skills import SKILLS

PHASES = (
    Phase(words="What it is about", steps=("frame",), default="set difficulty 3, or refuse if it was tried before"),
    Phase(words="Roll or leave it", steps=("go",), default="not roll"),
    host.PHASE,
)

WORDS = {
    "Say what <name>’s check is about": "Set the difficulty of <name>’s check",
    "Roll for <name>, or not": "Roll for <name>, or give up",
    "Try something with <name>": "Say what <name> tries",
}


def steps(state: State) -> tuple[Step, ...]:
    """Each check waits on its own; the optional steps of players and GM are always open, and nothing waits for them."""
    if state.over:
        return ()
    open_now = [_attempt(state, one) for one in state.attempts.values() if one.stage != "done"]
    desks = [_desk(state, seat) for seat in state.seats if seat != GM]
    return (*open_now, *(step for step in desks if step), host.desk_or_act(state, gms_desk(state)))


def _attempt(state: State, attempt: Attempt) -> Step:
    about, name = (attempt.key,), state.people[attempt.who].name
    title = f"{name} tries something: {SKILLS[attempt.skill].name}"
    if attempt.stage == "go":
        ask = Ask(
            seat=seat_of(state, attempt.who), kind="go", call=f"Roll for {name}, or not", about=about, open_to=None
        )
        return Step(key=f"{attempt.key}/go{retry_suffix(attempt.turn)}", title=title, asks=(ask,), pace="react")
    key = f"{attempt.key}/frame{retry_suffix(attempt.turn)}"
    calls = (f"Say what {name}’s check is about", f"Vote on {name}’s check")
    asks = ruling_asks(state, "frame", about, by=attempt.voters, calls=calls)
    return Step(key=key, title=title, asks=asks, pace="rule")


def gms_desk(state: State) -> Step:
    """The desk as it is open while no act is to be voted on."""
    ask = Ask(seat=GM, kind="desk", call="Change something")
    return Step(key=f"gm/{_uses(state, GM)}", title="The GM’s desk", asks=(ask,), pace="whenever")


def _uses(state: State, seat: str) -> int:
    return state.acted.get(seat, 0) + 1


def _desk(state: State, seat: str) -> Step | None:
    mine = tuple(key for key, one in state.people.items() if one.seat == seat and not one.sheet.wounds.dead)
    if not mine:
        return None
    names = " or ".join(state.people[key].name for key in mine)
    ask = Ask(seat=Seat(seat), kind="own", call=f"Try something with {names}", about=mine)
    return Step(key=f"own/{seat}/{_uses(state, seat)}", title=f"What {names} does", asks=(ask,), pace="whenever")


def resolve(log: SceneLog, step: Step, answers: Answers[Any], chance: Chance) -> None:
    """Resolves one closed step."""
    head, _, rest = step.key.partition("/")
    if head == "gm":
        desk.at_the_desk(log, answers.of[GM].says, chance)
    elif head == "own":
        ((seat, answer),) = answers.of.items()
        desk.between(log, str(seat), answer.says)
    elif head == "back":
        host.judge(log, answers, desk.acted)
    elif rest.startswith("frame"):
        _frame(log, log.state.attempts[head], answers)
    else:
        ((_, answer),) = answers.of.items()
        _go(log, log.state.attempts[head], answer, chance)


def _frame(log: SceneLog, attempt: Attempt, answers: Answers[de.Frame]) -> None:
    """The frame as the table rules, with the first consequence that its votes name; else the default (CHR-CHK-07)."""
    ruling = ruled(answers, _gist)
    says = ruling.says or usual(log.state, attempt)
    worded = [answers.of[Seat(seat)].says.consequence.strip() for seat in ruling.votes]
    if ruling.votes:
        says = says.model_copy(update={"consequence": next(filter(None, worded), "")})
    tell_frame(log, attempt, says, ruling.how, ruling.votes)


def _gist(says: de.Frame) -> tuple[str, int | None]:
    """What votes have in common that count as one."""
    return says.verdict, rating(says) if says.verdict == "roll" else None


def _go(log: SceneLog, attempt: Attempt, answer: Answer[Any], chance: Chance) -> None:
    says: de.Go = answer.says
    if says.go != "roll":
        words = says.words.strip() if says.go == "change" else ""
        log.emit(ev.Declined(attempt.key, words, answer.how), rule="CHR-CHK-08", because=(attempt.told,))
        return
    state = log.state
    mine, theirs = state.rating(attempt.who, attempt.skill), state.opposing(attempt)
    label = f"CHR-CHK-01/{attempt.key}"
    if attempt.roller == attempt.who:
        rolled = check(chance, label, mine, theirs)
        success = rolled.success
    else:  # the other side rolls, so the attempt succeeds if that roll fails (CHR-CHK-04)
        rolled = check(chance, label, theirs, mine)
        success = not rolled.success
    rule = "CHR-CHK-01" if attempt.roller == attempt.who else "CHR-CHK-05"
    log.emit(ev.Rolled(attempt.key, attempt.roller, success, rolled), rule=rule, because=(attempt.told,))
