"""A scene that cannot begin says why."""

from app.engine.faults import explain
from app.engine.refusal import refusal


def test_its_words_are_what_pages_show() -> None:
    (fault,) = refusal("Nobody {named} takes part.").errors()
    assert (fault["loc"], fault["msg"]) == ((), "Value error, Nobody {named} takes part.")
    assert explain(fault) == "Nobody {named} takes part."
