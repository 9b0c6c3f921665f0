"""Steps and words that rulesets share."""

import pytest

from app.engine.ruleset import GM
from app.engine.sentences import and_list
from app.engine.steps import gm_desk, retry_suffix


def test_a_step_that_is_asked_anew_has_another_key() -> None:
    assert [f"r3/declare{retry_suffix(tries)}" for tries in (1, 2, 3)] == ["r3/declare", "r3/declare-2", "r3/declare-3"]


def test_only_the_gm_knows_of_the_desk_and_nobody_waits_for_it() -> None:
    step = gm_desk(4, "Change something in the fight")
    (ask,) = step.asks
    assert (step.key, step.pace) == ("gm/4", "whenever")
    assert (ask.kind, ask.known_to, ask.opens) == ("desk", frozenset({GM}), "end")


@pytest.mark.parametrize(
    ("names", "text"), [([], ""), (["Ann"], "Ann"), (["Ann", "Bea"], "Ann and Bea"), (["a", "b", "c"], "a, b and c")]
)
def test_names_as_people_say_them(names: list[str], text: str) -> None:
    assert and_list(names) == text
