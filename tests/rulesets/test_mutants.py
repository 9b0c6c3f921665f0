"""Every known mistake in the rules' code is noticed by the case files: what they do not notice, they do not prove."""

import os
from typing import Any

import pytest

from app.engine.ruleset import Ruleset
from app.rulesets import SHIPPED
from tests.rulesets import mutants
from tests.selection import changed_files, nightly

ENOUGH = 30  # mutants of a large rulebook; of a small one two a rule
EACH = pytest.mark.parametrize("ruleset", SHIPPED, ids=lambda ruleset: ruleset.key)


@EACH
def test_every_mutant_is_noticed(ruleset: Ruleset[Any, Any]) -> None:
    """By night all of them; with `--changed` those of changed files."""
    changed = {os.path.relpath(path, mutants.ROOT / "app/rulesets" / ruleset.key) for path in changed_files()}
    every = mutants.read(ruleset.key)
    assert len(every) >= min(ENOUGH, 2 * len(ruleset.rulebook.rules))
    wanted = [number for number, mutant in enumerate(every) if nightly() or mutant.file in changed]
    problems = mutants.unnoticed(ruleset.key, wanted) if wanted else []
    assert not problems, "\n\n".join(problems)


@EACH
def test_mutants_cite_rules_and_change_something(ruleset: Ruleset[Any, Any]) -> None:
    """With every commit: a file that was moved would show only where its mutant's turn comes."""
    for mutant in mutants.read(ruleset.key):
        file = mutants.ROOT / "app/rulesets" / ruleset.key / mutant.file
        assert file.read_text(encoding="utf-8").count(mutant.find) == 1, mutant
        assert mutant.rules
        assert all(rule in ruleset.rulebook for rule in mutant.rules), mutant
        assert mutant.find != mutant.replace
