"""The rules that are built so far: what tests/rulesets/test_rulebooks.py asks of rulebooks that are shipped."""

import re
from pathlib import Path

import pytest

from app.engine.rulebook import Rule, load
from app.rulesets import arcana
from app.rulesets.arcana.rules.settings import Settings

BOOK = load("app.rulesets.arcana")
CHAPTERS = (
    "The cycle", "What comes when", "Actions", "If-thens", "Movement and cover", "Accuracy and instincts",
    "Stealth and critical strikes", "Characters", "Damage and health", "Magic", "Gear and foes",
)  # fmt: skip


def test_chapters_are_whole() -> None:
    assert tuple(dict.fromkeys(rule.chapter for rule in BOOK)) == CHAPTERS
    order = [CHAPTERS.index(rule.chapter) for rule in BOOK]
    assert order == sorted(order)


@pytest.mark.parametrize("rule", tuple(BOOK), ids=lambda rule: rule.id)
def test_a_rule_reads_well(rule: Rule) -> None:
    assert re.fullmatch(r"ARC-(0[1-9]|[1-9]\d|1[0-6]\d|17[0-5])", rule.id)
    assert rule.title and len(rule.title) < 60 and 40 < len(rule.text) < 700 and rule.text.endswith(".")
    assert rule.text == " ".join(rule.text.split())
    assert rule.origin == "book" or (rule.since and rule.since.endswith("."))


def test_settings_and_rules_name_each_other() -> None:
    text = " ".join(rule.text for rule in BOOK)
    named = {rule.setting for rule in BOOK if rule.setting} | set(re.findall(r"`(\w+) = \w+`", text))
    assert named == set(Settings.model_fields)


def test_what_the_code_cites_exists() -> None:
    sources = [path.read_text(encoding="utf-8") for path in Path(arcana.__file__).parent.rglob("*.py")]
    cited = {rule for source in sources for rule in re.findall(r"""["'](ARC-\d+)\b""", source)}
    assert len(cited) > 40 and cited <= BOOK.rules.keys()
