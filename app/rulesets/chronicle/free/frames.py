"""Frames of checks: the difficulty, and the result of failure, before any roll (CHR-CHK-06 to -09)."""

from app.rulesets.chronicle.checks import DIFFICULTY, rating_of_total
from app.rulesets.chronicle.free import declarations as de
from app.rulesets.chronicle.free import events as ev
from app.rulesets.chronicle.free.state import CONSEQUENCE, Attempt, SceneLog, State


def rating(says: de.Frame | de.Desk) -> int:
    """The named difficulty, as a rating (CHR-CHK-06, CHR-CHK-12)."""
    if says.difficulty is None:
        return DIFFICULTY
    return rating_of_total(says.difficulty) if says.counted == "total" else says.difficulty


def usual(state: State, attempt: Attempt) -> de.Frame:
    """The default frame: difficulty 3, but no second try before the situation changes (CHR-CHK-13)."""
    tried = not attempt.against and state.failures(attempt.who, attempt.skill)
    return de.Frame(verdict="refuse" if tried else "roll")


def tell_frame(log: SceneLog, attempt: Attempt, says: de.Frame, how: str, votes: tuple[str, ...] = ()) -> None:
    """Emits difficulty and consequence, before any roll."""
    rule = {"free": "CHR-CHK-09", "refuse": "CHR-CHK-13"}.get(says.verdict, "CHR-CHK-06")
    difficulty = rating(says)
    if attempt.against:
        difficulty = log.state.opposing(attempt)
        rule = "CHR-CHK-03" if says.verdict == "roll" else rule
    elif says.verdict == "roll" and votes:
        rule = "CHR-CHK-07"
    consequence = says.consequence.strip() or (CONSEQUENCE if says.verdict == "roll" else "")
    event = ev.Framed(attempt.key, says.verdict, difficulty, consequence, how, votes)
    log.emit(event, rule=rule, because=(attempt.told,))
