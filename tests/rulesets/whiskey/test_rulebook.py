"""The rulebook of Whiskey: complete, readable, and in step with what the code cites."""

import re
from importlib.resources import files

import pytest

from app.engine.rulebook import Rule, load
from app.rulesets.whiskey.settings import Settings

BOOK = load("app.rulesets.whiskey")
LAST = 64
CHAPTERS = [
    "The round",
    "Declaring",
    "Who meets whom",
    "Checks and damage",
    "Cards and decks",
    "Areas",
    "Ability cards",
    "Absence and the GM",
]
MENTION = re.compile(r"""["'](WHI-\d+)\b""")


def test_every_id_stands_once() -> None:
    assert sorted(rule.id for rule in BOOK) == [f"WHI-{number:02}" for number in range(1, LAST + 1)]


def test_chapters_come_in_reading_order() -> None:
    seen = list(dict.fromkeys(rule.chapter for rule in BOOK))
    assert seen == CHAPTERS
    order = [CHAPTERS.index(rule.chapter) for rule in BOOK]
    assert order == sorted(order), "a chapter is torn in two"


@pytest.mark.parametrize("rule", list(BOOK), ids=lambda rule: rule.id)
def test_a_rule_reads_well(rule: Rule) -> None:
    assert rule.title and len(rule.title) < 60
    assert 40 < len(rule.text) < 700
    assert rule.text == " ".join(rule.text.split()), "a stray line break or double space"
    assert rule.text.endswith((".", "?"))
    assert rule.origin in ("book", "ruling")


@pytest.mark.parametrize("rule", [rule for rule in BOOK if rule.origin == "ruling"], ids=lambda rule: rule.id)
def test_a_ruling_says_why(rule: Rule) -> None:
    assert rule.since and rule.since.endswith(".")


@pytest.mark.parametrize("rule", [rule for rule in BOOK if "`" in rule.text], ids=lambda rule: rule.id)
def test_a_value_in_the_text_belongs_to_the_named_setting(rule: Rule) -> None:
    named = re.findall(r"`(\w+) = \w+`", rule.text)
    assert rule.setting is not None and all(name == rule.setting for name in named)


def test_settings_and_rules_name_each_other() -> None:
    assert {rule.setting for rule in BOOK if rule.setting} == Settings.model_fields.keys()


def test_what_the_code_cites_exists() -> None:
    folder = files("app.rulesets.whiskey")
    sources = [entry for entry in folder.iterdir() if entry.name.endswith(".py")]
    cited = {rule for source in sources for rule in MENTION.findall(source.read_text(encoding="utf-8"))}
    assert cited, "no source cites any rule"
    assert cited <= BOOK.rules.keys()
