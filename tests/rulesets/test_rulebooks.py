"""The rulebooks: complete, readable, and in step with what the code cites."""

import re
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from app.engine.rulebook import Rule, Rulebook
from app.engine.ruleset import Ruleset
from app.rulesets import SHIPPED

EACH = pytest.mark.parametrize("ruleset", SHIPPED, ids=lambda ruleset: ruleset.key)


def _rules(keep: str = "") -> list[Any]:
    """Every rule of every rulebook; with `keep` those whose origin it is, or whose text has it."""
    rules = (rule for ruleset in SHIPPED for rule in ruleset.rulebook)
    return [pytest.param(rule, id=rule.id) for rule in rules if keep in (rule.origin, "") or keep in rule.text]


def _prefix(rule_id: str) -> str:
    """What the ids of a rulebook have in common: "CHR" of "CHR-ACT-03"."""
    return rule_id.partition("-")[0]


def _settings(ruleset: Ruleset[Any, Any]) -> set[str]:
    """The settings that change a rule."""
    fields = ruleset.settings.json_schema().get("properties", {})
    return {name for name, schema in fields.items() if not schema.get("x-house")}


def test_each_rulebook_has_a_prefix_of_its_own() -> None:
    prefixes = [{_prefix(rule.id) for rule in ruleset.rulebook} for ruleset in SHIPPED]
    assert all(len(prefix) == 1 for prefix in prefixes), prefixes
    assert len(set[str]().union(*prefixes)) == len(SHIPPED)


@EACH
def test_ids_are_counted_without_a_gap(ruleset: Ruleset[Any, Any]) -> None:
    """From 01 in each part; a part of which there is but one rule may be the beginning of a chapter to come."""
    parts: dict[str, list[int]] = {}
    for rule in ruleset.rulebook:
        part, _, number = rule.id.rpartition("-")
        parts.setdefault(part, []).append(int(number))
    for part, numbers in parts.items():
        assert len(numbers) == 1 or sorted(numbers) == [*range(1, len(numbers) + 1)], part


@EACH
def test_no_chapter_is_torn_in_two(ruleset: Ruleset[Any, Any]) -> None:
    runs = [chapter for chapter, _ in groupby(rule.chapter for rule in ruleset.rulebook)]
    assert len(set(runs)) == len(runs)


@pytest.mark.parametrize("rule", _rules())
def test_a_rule_reads_well(rule: Rule) -> None:
    assert rule.title and len(rule.title) < 60
    assert 40 < len(rule.text) < 700
    assert rule.text == " ".join(rule.text.split()), "a stray line break or double space"
    assert rule.text.endswith((".", "?"))
    assert rule.origin in ("book", "ruling")


@pytest.mark.parametrize("rule", _rules("ruling"))
def test_a_ruling_says_why(rule: Rule) -> None:
    assert rule.origin == "book" or (rule.since and rule.since.endswith("."))


@EACH
def test_credits_read_well(ruleset: Ruleset[Any, Any]) -> None:
    for credit in ruleset.rulebook.credits:
        assert credit.title and not credit.title.endswith(".")
        assert credit.took == " ".join(credit.took.split()) and credit.took.endswith(".")
        assert not re.search(r"https?:|www\.", f"{credit.title} {credit.took} {credit.author} {credit.licence}")


@EACH
def test_a_value_in_the_text_belongs_to_a_setting(ruleset: Ruleset[Any, Any]) -> None:
    for rule in ruleset.rulebook:
        named = re.findall(r"`(\w+) = \w+`", rule.text)
        assert not named or rule.setting is not None, rule.id
        assert set(named) <= _settings(ruleset), rule.id


@EACH
def test_settings_and_rules_name_each_other(ruleset: Ruleset[Any, Any]) -> None:
    text = " ".join(rule.text for rule in ruleset.rulebook)
    named = {rule.setting for rule in ruleset.rulebook if rule.setting} | set(re.findall(r"`(\w+) = \w+`", text))
    assert named == _settings(ruleset)


def _python(ruleset: Ruleset[Any, Any]) -> list[Path]:
    """A ruleset's sources, with those of its packages."""
    return sorted(Path(str(files(ruleset.package))).rglob("*.py"))


@EACH
def test_what_the_code_cites_exists(ruleset: Ruleset[Any, Any]) -> None:
    book: Rulebook = ruleset.rulebook
    sources = [entry.read_text(encoding="utf-8") for entry in _python(ruleset)]
    prefix = {_prefix(rule_id) for rule_id in book.rules}.pop()
    mention = re.compile(rf"""["']({prefix}-(?:[A-Z]+-)?\d+)\b""")
    cited = {rule for source in sources for rule in mention.findall(source)}
    assert cited, "no source cites any rule"
    assert cited <= book.rules.keys()
