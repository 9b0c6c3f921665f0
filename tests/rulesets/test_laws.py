"""The laws of the interface, applied to every kind of scene of every ruleset and to the toy of the tests."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.rulesets import SHIPPED
from tests import toy
from tests.rulesets.laws import (
    LAWS,
    Subject,
    a_scene_of_defaults_ends_or_idles,
    walk,
    what_the_gm_may_not_know_changes_nothing_on_a_see_as_page,
)
from tests.rulesets.subjects import SUBJECTS, missing
from tests.rulesets.toy_subject import TOY_SUBJECT
from tests.selection import nightly

pytestmark = pytest.mark.first

WALKS = settings(max_examples=100 if nightly() else 5, suppress_health_check=list(HealthCheck))
EACH = pytest.mark.parametrize(
    "subject", [TOY_SUBJECT, *SUBJECTS], ids=lambda subject: f"{subject.ruleset.key}-{subject.key}"
)


@EACH
@WALKS
@given(data=st.data())
def test_every_law_holds_at_every_closing(subject: Subject, data: st.DataObject) -> None:
    for at in walk(subject, data.draw):
        for law in LAWS:
            law(subject, data.draw, at)


@EACH
@WALKS
@given(data=st.data())
def test_a_scene_of_defaults_ends_or_idles(subject: Subject, data: st.DataObject) -> None:
    a_scene_of_defaults_ends_or_idles(subject, data.draw)


@EACH
@settings(WALKS, max_examples=50 if nightly() else 2)
@given(data=st.data())
def test_what_the_gm_may_not_know_changes_nothing_on_a_see_as_page(subject: Subject, data: st.DataObject) -> None:
    for at in walk(subject, data.draw):
        what_the_gm_may_not_know_changes_nothing_on_a_see_as_page(subject, data.draw, at)


def test_every_kind_of_scene_is_a_subject() -> None:
    assert missing(*SHIPPED) == [], "a ruleset ships with kinds that no law walks through"
    assert missing(toy.TOY) == ["tests/rulesets/toy/subject.py: a Subject for the kind 'door'"]
