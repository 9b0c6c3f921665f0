"""A scene that cannot begin says why."""

import pytest
from pydantic import TypeAdapter, ValidationError

from app.engine.faults import explain
from app.engine.refusal import refusal


def test_its_words_are_what_pages_show() -> None:
    (fault,) = refusal("Nobody {named} takes part.").errors()
    assert (fault["loc"], fault["msg"]) == ((), "Value error, Nobody {named} takes part.")
    assert explain(fault) == "Nobody {named} takes part."


def test_a_fault_that_is_not_known_is_not_told_in_the_librarys_words() -> None:
    with pytest.raises(ValidationError) as wrong:
        TypeAdapter(bytes).validate_python(7)
    assert explain(wrong.value.errors()[0]) == "That does not fit here. Enter something else."
