"""Every known mistake in the rules' code is noticed by the case files: what they do not notice, they do not prove."""

from typing import Any

import pytest

from app.engine.ruleset import Ruleset
from app.rulesets import RULESETS
from tests.rulesets import mutants

pytestmark = pytest.mark.once

LEAST = 30
EACH = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)


@EACH
def test_every_mutant_is_noticed(ruleset: Ruleset[Any, Any]) -> None:
    assert len(mutants.read(ruleset.key)) >= LEAST
    problems = mutants.unnoticed(ruleset.key)
    assert not problems, "\n\n".join(problems)


@EACH
def test_mutants_cite_rules_and_change_something(ruleset: Ruleset[Any, Any]) -> None:
    for mutant in mutants.read(ruleset.key):
        assert mutant.rules
        assert all(rule in ruleset.rulebook for rule in mutant.rules), mutant
        assert mutant.find != mutant.replace
