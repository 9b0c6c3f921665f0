"""The rulebooks: complete, readable, and in step with what the code cites."""

import re
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import pytest

from app.engine.rulebook import Rule, Rulebook
from app.engine.ruleset import Ruleset
from app.rulesets import RULESETS
from app.rulesets.arcana.settings import Settings as ArcanaSettings
from app.rulesets.chronicle.settings import Settings as ChronicleSettings
from app.rulesets.council.settings import Settings as CouncilSettings
from app.rulesets.duel.settings import Settings as DuelSettings
from app.rulesets.whiskey.settings import Settings as WhiskeySettings


@dataclass(frozen=True)
class Known:
    """What is known of a rulebook beforehand."""

    prefix: str
    ids: tuple[str, ...]
    settings: frozenset[str]
    chapters: tuple[str, ...]
    ours: frozenset[str] = frozenset()  # settings of the table, not of the rules


def _to(last: int, prefix: str, start: int = 1) -> tuple[str, ...]:
    return tuple(f"{prefix}-{n:02}" for n in range(start, last + 1))


BOOKS = {
    "whiskey": Known(
        "WHI",
        _to(64, "WHI"),
        frozenset(WhiskeySettings.model_fields),
        (
            "The round", "Declaring", "Who meets whom", "Checks and damage", "Cards and decks", "Areas",
            "Ability cards", "Absence and the GM",
        ),
    ),
    "duel": Known(
        "DUE",
        _to(78, "DUE"),
        frozenset(DuelSettings.model_fields),
        (
            "The fight", "Setup", "The initial clash", "Combos", "Resolving a clash", "Traits", "Abilities",
            "Characters", "Ending", "Absence and chance",
        ),
        frozenset({"best_of", "seconds"}),
    ),
    "arcana": Known(
        "ARC",
        _to(175, "ARC"),
        frozenset(ArcanaSettings.model_fields),
        (
            "The cycle", "What comes when", "Actions", "If-thens", "Movement and cover", "Accuracy and instincts",
            "Stealth and critical strikes", "Characters", "Damage and health", "Magic", "Gear and foes",
        ),
    ),
    "council": Known(
        "COU",
        _to(29, "COU"),
        frozenset(CouncilSettings.model_fields),
        ("Deciding together", "A vote", "What comes next", "A draft", "A roll", "Absence"),
        frozenset({"seconds"}),
    ),
    "chronicle": Known(
        "CHR",
        (
            *_to(15, "CHR-CHK"), *_to(19, "CHR-SKL"), *_to(16, "CHR-MOT"),
            *_to(14, "CHR-CHA"),
            *_to(15, "CHR-HEA"),
            *_to(17, "CHR-RND"), *_to(16, "CHR-FTW"), *_to(37, "CHR-ACT"), *_to(18, "CHR-DEF"), *_to(11, "CHR-EQP"),
            *_to(16, "CHR-WND"), *_to(11, "CHR-CND"), *_to(20, "CHR-MUL"),
            "CHR-FLO-06", "CHR-TRV-21",  # of the flow and of travel: what hand-to-hand needs
        ),
        frozenset(ChronicleSettings.model_fields),
        (
            "Checks", "Skills", "Motivations", "Characters", "Healing", "A round of a fight", "Footwork and distance",
            "Actions in a fight", "Defences", "Weapons and armour", "Wounds in a fight", "Conditions", "Many fighters",
        ),
        frozenset({"hand_between", "hand_seconds"}),
    ),
}  # fmt: skip
EACH = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)


def _rules(keep: str = "") -> list[Any]:
    """Every rule of every rulebook; with `keep` those whose origin it is, or whose text has it."""
    rules = (rule for ruleset in RULESETS for rule in ruleset.rulebook)
    return [pytest.param(rule, id=rule.id) for rule in rules if keep in (rule.origin, "") or keep in rule.text]


def _book(rule: Rule) -> Known:
    return next(known for known in BOOKS.values() if rule.id.startswith(known.prefix))


@EACH
def test_every_id_stands_once(ruleset: Ruleset[Any, Any]) -> None:
    assert sorted(rule.id for rule in ruleset.rulebook) == sorted(BOOKS[ruleset.key].ids)


@EACH
def test_chapters_come_in_reading_order(ruleset: Ruleset[Any, Any]) -> None:
    chapters, book = BOOKS[ruleset.key].chapters, ruleset.rulebook
    assert tuple(dict.fromkeys(rule.chapter for rule in book)) == chapters
    order = [chapters.index(rule.chapter) for rule in book]
    assert order == sorted(order), "a chapter is torn in two"


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


@pytest.mark.parametrize("rule", _rules("`"))
def test_a_value_in_the_text_belongs_to_a_setting(rule: Rule) -> None:
    named = re.findall(r"`(\w+) = \w+`", rule.text)
    assert rule.setting is not None
    assert set(named) <= _book(rule).settings


@EACH
def test_settings_and_rules_name_each_other(ruleset: Ruleset[Any, Any]) -> None:
    known, text = BOOKS[ruleset.key], " ".join(rule.text for rule in ruleset.rulebook)
    named = {rule.setting for rule in ruleset.rulebook if rule.setting} | set(re.findall(r"`(\w+) = \w+`", text))
    assert named == known.settings - known.ours


def _python(ruleset: Ruleset[Any, Any]) -> list[Traversable]:
    """A ruleset's sources, those of its kinds in folders of their own too."""
    room = files(f"app.rulesets.{ruleset.key}")
    folders = [room, *(room / kind.key for kind in ruleset.kinds if (room / kind.key).is_dir())]
    return [entry for folder in folders for entry in folder.iterdir() if entry.name.endswith(".py")]


@EACH
def test_what_the_code_cites_exists(ruleset: Ruleset[Any, Any]) -> None:
    book: Rulebook = ruleset.rulebook
    sources = [entry.read_text(encoding="utf-8") for entry in _python(ruleset)]
    mention = re.compile(rf"""["']({BOOKS[ruleset.key].prefix}-(?:[A-Z]+-)?\d+)\b""")
    cited = {rule for source in sources for rule in mention.findall(source)}
    assert cited, "no source cites any rule"
    assert cited <= book.rules.keys()
