"""The laws of the interface, applied to every ruleset and to the toy of the tests."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.rulesets.arcana.subject import FIGHT_SUBJECT
from tests.rulesets.chronicle.hand.subject import HAND_SUBJECT
from tests.rulesets.chronicle.subject import DRAFT_SUBJECT, FREE_SUBJECT
from tests.rulesets.council.subject import COUNCIL_SUBJECTS
from tests.rulesets.duel.subject import DUEL_SUBJECT
from tests.rulesets.laws import LAWS, Draw, Subject
from tests.rulesets.toy_subject import TOY_SUBJECT
from tests.rulesets.whiskey.subject import WHISKEY_SUBJECT

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    "subject",
    [
        TOY_SUBJECT,
        WHISKEY_SUBJECT,
        DUEL_SUBJECT,
        FREE_SUBJECT,
        DRAFT_SUBJECT,
        HAND_SUBJECT,
        FIGHT_SUBJECT,
        *COUNCIL_SUBJECTS,
    ],
    ids=lambda subject: f"{subject.ruleset.key}-{subject.key}",
)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@settings(max_examples=25, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_law(law: Callable[[Subject, Draw], None], subject: Subject, data: st.DataObject) -> None:
    law(subject, data.draw)
