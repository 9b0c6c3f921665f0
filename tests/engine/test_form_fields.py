"""What forms send: text, and nothing for fields left empty."""

from typing import Annotated

import pytest
from pydantic import Field, TypeAdapter, ValidationError

from app.engine.form_fields import EMPTY_AS_ZERO, FormModel, OpeningForm, Seconds, Ticked, blank_as


class Answer(FormModel):
    hp: Annotated[Annotated[int, Field(ge=-9, le=99)] | None, blank_as(None)] = None
    count: Annotated[int, blank_as(1)] = 1
    rage: Annotated[int, EMPTY_AS_ZERO] = 0
    sure: Ticked = False


def test_a_field_left_empty_has_a_meaning() -> None:
    assert Answer.model_validate({"hp": "", "count": "", "rage": ""}) == Answer()
    assert Answer.model_validate({"hp": "-3", "count": "2", "rage": None}) == Answer(hp=-3, count=2)


@pytest.mark.parametrize(("text", "ticked"), [("on", True), ("yes", True), ("", False), ("no", False), ("off", False)])
def test_a_checkbox(text: str, *, ticked: bool) -> None:
    assert Answer.model_validate({"sure": text}).sure is ticked


def test_a_form_is_read_once_and_what_it_does_not_have_is_dropped() -> None:
    answer = Answer.model_validate({"odd": "field"})
    assert answer.model_dump() == {"hp": None, "count": 1, "rage": 0, "sure": False}
    with pytest.raises(ValidationError):
        answer.count = 2  # type: ignore[misc]


def test_an_opening_takes_its_defaults_for_what_is_empty() -> None:
    class Opening(OpeningForm):
        description: str = "A field."
        count: int = 3

    assert Opening.model_validate({"description": "", "count": ""}) == Opening()
    assert Opening.model_validate({"count": "4"}).count == 4


def test_a_clock_runs_at_least_five_seconds_or_not_at_all() -> None:
    seconds: TypeAdapter[int | None] = TypeAdapter(Seconds)
    assert (seconds.validate_python(""), seconds.validate_python("60")) == (None, 60)
    with pytest.raises(ValidationError):
        seconds.validate_python("4")
