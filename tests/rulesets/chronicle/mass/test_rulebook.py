"""The rulebook of mass battles is complete: every id of the ledger, every setting with exactly its options."""

import re
from collections import Counter
from itertools import groupby
from typing import get_args

import pytest

from app.engine.rulebook import Rule, load
from app.rulesets.chronicle import RULESET
from app.rulesets.chronicle.mass.settings import MassSettings
from app.rulesets.chronicle.mass.troops import TROOPS
from app.rulesets.chronicle.next_scenes import FlowSettings

BOOK = load("app.rulesets.chronicle.mass", "rulebook.toml", "rulebook-fighting.toml")
ELSEWHERE = {"battle_quiet_rounds", "mass_seconds", *FlowSettings.model_fields}
IN_WORDS = [name for name in MassSettings.model_fields if name not in ELSEWHERE]
COUNTS = {"ARM": 16, "UNI": 12, "TER": 15, "PLC": 12, "MOV": 10, "CLU": 7, "RNG": 11, "MEL": 17, "END": 13}
TEXT = " ".join(rule.text for rule in BOOK)


def test_ids_are_the_ledgers_in_reading_order() -> None:
    assert list(BOOK.rules) == [f"CHR-{part}-{nth:02}" for part, most in COUNTS.items() for nth in range(1, most + 1)]


def test_each_part_is_one_chapter_of_its_own() -> None:
    chapters = [chapter for chapter, _ in groupby(rule.chapter for rule in BOOK)]
    parts = {rule.chapter: rule.id[4:7] for rule in BOOK}
    assert [parts[chapter] for chapter in chapters] == list(COUNTS)
    assert not parts.keys() & {rule.chapter for rule in RULESET.rulebook if rule.id not in BOOK}


@pytest.mark.parametrize("rule", list(BOOK), ids=lambda rule: rule.id)
def test_a_rule_reads_well(rule: Rule) -> None:
    assert rule.title and len(rule.title) < 60
    assert 40 < len(rule.text) < 700 and rule.text.endswith(".")
    assert rule.text == " ".join(rule.text.split()), "a stray line break or double space"
    assert rule.origin == "book" or rule.since, "a ruling says why"
    assert not rule.since or rule.since.endswith(".")


def test_no_two_rules_have_one_title() -> None:
    titles = Counter(rule.title for rule in RULESET.rulebook)
    assert [title for title in (rule.title for rule in BOOK) if titles[title] > 1] == []


def test_every_setting_is_described_and_no_other() -> None:
    named = {rule.setting for rule in BOOK if rule.setting} | {name for name, _ in _values()}
    assert named == {*IN_WORDS, "battle_quiet_rounds"}
    assert all(rule.setting for rule in BOOK if re.search(r"`\w+ = ", rule.text))


@pytest.mark.parametrize("name", IN_WORDS)
def test_every_option_is_described(name: str) -> None:
    """The default in words, each other option by its value."""
    first, *others = get_args(MassSettings.model_fields[name].annotation)
    assert MassSettings.model_fields[name].default == first
    assert sorted(value for key, value in _values() if key == name) == sorted(others)


def test_the_number_of_quiet_rounds_is_the_default() -> None:
    assert f"After {MassSettings().battle_quiet_rounds} rounds" in BOOK["CHR-END-13"].text
    assert [value for key, value in _values() if key == "battle_quiet_rounds"] == ["0"]


def test_table_of_troops() -> None:
    """CHR-ARM-02 in words is table 3.1."""
    text = BOOK["CHR-ARM-02"].text
    for troop in TROOPS.values():
        assert f"{troop.name} {troop.strength}, {troop.movement} and {troop.cost}" in text
    assert f"Only bowmen have a Range: {TROOPS['BW'].range} hexes" in text


def _values() -> list[tuple[str, str]]:
    """The settings with a value that the texts name."""
    return re.findall(r"`(\w+) = ([\w-]+)`", TEXT)
