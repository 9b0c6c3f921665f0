"""Every known mistake in the rules' code is noticed by the case files: what they do not notice, they do not prove."""

from pathlib import Path
from typing import Any

import pytest

from app.engine.ruleset import Ruleset
from app.rulesets import RULESETS
from tests.rulesets import mutants

pytestmark = pytest.mark.once

LEAST = 30
EACH = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)


@EACH
def test_the_cases_pass_without_any_mutant(ruleset: Ruleset[Any, Any], tmp_path: Path) -> None:
    code, said = mutants.run(ruleset.key, mutants.copy(tmp_path))
    assert code == 0, said[-2000:]


@EACH
def test_every_mutant_is_noticed(ruleset: Ruleset[Any, Any], tmp_path: Path) -> None:
    known = mutants.read(ruleset.key)
    assert len(known) >= LEAST
    problems = mutants.unnoticed(ruleset.key, known, tmp_path)
    assert not problems, "\n\n".join(problems)


@EACH
def test_mutants_cite_rules_and_change_something(ruleset: Ruleset[Any, Any]) -> None:
    for mutant in mutants.read(ruleset.key):
        assert mutant.rules
        assert all(rule in ruleset.rulebook for rule in mutant.rules), mutant
        assert mutant.find != mutant.replace
