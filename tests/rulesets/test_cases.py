"""Every case of every ruleset, and which rules they show."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from app.cases import play_file
from app.engine.ruleset import Ruleset
from app.rulesets import RULESETS

pytestmark = pytest.mark.once

HERE = Path(__file__).parent
MOST_EXCUSES = 6
KEYS = [ruleset.key for ruleset in RULESETS]
CASES = {key: sorted((HERE / key / "cases").rglob("*.toml")) for key in KEYS}
PATHS = [path for paths in CASES.values() for path in paths]


def _excuses(key: str) -> list[dict[str, str]]:
    path = HERE.parents[1] / f"docs/rules/{key}-excuses.toml"
    return list(tomllib.loads(path.read_text(encoding="utf-8"))["excuse"])


@pytest.mark.parametrize("path", PATHS, ids=lambda path: "/".join((path.parts[-4], path.parent.name, path.stem)))
def test_case(path: Path) -> None:
    result = play_file(path)
    assert result.verdict == "passed", result.problem


@pytest.mark.parametrize("ruleset", RULESETS, ids=KEYS)
def test_every_rule_has_a_case_or_an_excuse(ruleset: Ruleset[Any, Any]) -> None:
    shown = {rule for path in CASES[ruleset.key] for rule in tomllib.loads(path.read_text(encoding="utf-8"))["rules"]}
    excused = {excuse["id"] for excuse in _excuses(ruleset.key)}
    assert shown | excused == {rule.id for rule in ruleset.rulebook}
    assert not shown & excused, "an excuse is no longer needed"


@pytest.mark.parametrize("key", KEYS)
def test_excuses_are_few_and_give_a_reason(key: str) -> None:
    excuses = _excuses(key)
    assert len(excuses) <= MOST_EXCUSES
    assert all(len(excuse["reason"].split()) > 5 for excuse in excuses)


@pytest.mark.parametrize("key", KEYS)
def test_no_two_cases_have_one_title(key: str) -> None:
    titles = [tomllib.loads(path.read_text(encoding="utf-8"))["title"] for path in CASES[key]]
    assert len(set(titles)) == len(titles)
