"""Better words for stored sentences."""

from typing import Any, Literal

from app.engine.decisions import Decision, derived
from app.engine.form_fields import FormModel
from app.engine.ruleset import SceneKind, Step
from app.engine.wording import call_of, in_words, title_of

WORDS = {
    "Look at the pairing": "Check who fights whom",
    "Round <n>: the word": "Round <n>: rulings",
    "Say what <name>’s check is about": "Set the difficulty of <name>’s check",
}


def test_a_stored_sentence_is_read_whole() -> None:
    """Finds words that are put into a longer sentence, a name that is lost, or a name that is read as a pattern."""
    assert in_words({}, "Look at the pairing") == "Look at the pairing"
    assert in_words(WORDS, "Look at the pairing") == "Check who fights whom"
    assert in_words(WORDS, "Look at the pairing, Ann") == "Look at the pairing, Ann"
    assert in_words(WORDS, "Round 12: the word") == "Round 12: rulings"
    assert (
        in_words(WORDS, "Say what \\1 <name> (.*)’s check is about") == "Set the difficulty of \\1 <name> (.*)’s check"
    )


class Move(FormModel):
    ask: Literal["move"] = "move"


def test_words_of_a_kind_that_stores_none() -> None:
    """Finds a round's number that is lost, and words of a person in what is stored."""
    move: Decision[Any, Any, Any, Move] = Decision(
        Move,
        step=lambda state: Step(key="b1/c2/move-3", title=""),
        resolve=lambda log, answers, chance: None,
        title="Combat <n>: moves",
        call="Move the units of <seat>",
    )
    drawn: Any = SceneKind(**{**dict.fromkeys(NEEDED), **derived((move,), lambda state: ())})  # type: ignore[arg-type]
    assert title_of(drawn, "b1/c2/move-3", "") == "Combat 2: moves"
    assert title_of(drawn, "b1/c2/luck", "") == "", "no decision has that word"
    assert call_of(drawn, "move", "", "<n> & Ann") == "Move the units of <n> & Ann"
    assert title_of(drawn, "b1/c2/move-3", "As it was") == "As it was"


NEEDED = ("key", "title", "state", "event", "start", "view", "sees", "apply", "outcome")
