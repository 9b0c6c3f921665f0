"""Every case of every ruleset, and which rules they show."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.casefiles.play import Case, Failed, play, play_file, read
from app.casefiles.vocabulary import vocabulary
from app.casefiles.words import Unusable, names, unlisted
from app.engine.ruleset import Ruleset
from app.engine.unions import class_of, members
from app.rulesets import SHIPPED, find

pytestmark = pytest.mark.first

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MOST_EXCUSES = 6
KEYS = [ruleset.key for ruleset in SHIPPED]
CASES = {key: sorted((HERE / key / "cases").rglob("*.toml")) for key in KEYS}
PATHS = [path for paths in CASES.values() for path in paths]


@pytest.mark.parametrize(
    "path", PATHS, ids=lambda path: "/".join((path.relative_to(HERE).parts[0], path.parent.name, path.stem))
)
def test_case(path: Path) -> None:
    result = play_file(path)
    assert result.verdict == "passed", result.problem


def _of_each_kind() -> list[Any]:
    """The first case of each kind of scene in which somebody answers, and the first about days, as TOML reads them."""
    found = {}
    for path in PATHS:
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        if "refused" not in case and (case.get("day") or any(step.get("answers") for step in case.get("step", ()))):
            found.setdefault((case["ruleset"], case.get("kind", "day")), case)
    return [pytest.param(case, id="/".join(names)) for names, case in found.items()]


@pytest.mark.parametrize("case", _of_each_kind())
def test_a_field_the_rules_do_not_know_is_noticed(case: dict[str, Any]) -> None:
    days, answered = case.get("day", []), [step["answers"] for step in case.get("step", ()) if step.get("answers")]
    care = [day.setdefault("care", {}) for day in days[:1]]
    answers = [says for seats in answered[:1] for says in seats.values()]
    setup = [case.setdefault("settings", {}), case.setdefault("given", {})] if answered else []
    for table in (*case.get("character", ()), *setup, *answers, *care):
        table["no-such-field"] = 1
        with pytest.raises(Unusable, match="no-such-field"):
            play(Case.model_validate(case))
        del table["no-such-field"]


@pytest.mark.parametrize("ruleset", SHIPPED, ids=KEYS)
def test_every_rule_has_a_case_or_an_excuse(ruleset: Ruleset[Any, Any]) -> None:
    shown = {rule for path in CASES[ruleset.key] for rule in tomllib.loads(path.read_text(encoding="utf-8"))["rules"]}
    excused = {rule.id for rule in ruleset.rulebook if rule.excuse or rule.shown_in}
    assert shown | excused == {rule.id for rule in ruleset.rulebook}
    assert not shown & excused, "an excuse is no longer needed"


def test_a_rule_that_no_scene_plays_is_shown_by_the_test_that_it_names() -> None:
    for rule in (rule for ruleset in SHIPPED for rule in ruleset.rulebook if rule.shown_in):
        text = (ROOT / str(rule.shown_in)).read_text(encoding="utf-8")
        docs = re.findall(r'^(?:async )?def test_[^\n]*\n    """(.*?)"""', text, re.DOTALL | re.MULTILINE)
        assert any(rule.id in doc for doc in docs), f"{rule.shown_in} does not show {rule.id}"
        assert not rule.excuse, rule.id


def test_every_rule_of_the_calendar_is_in_the_rulebook() -> None:
    """What the calendar does by a rule of Chronicle, its players can read."""
    sources = [
        path for room in ("almanac", "calendar", "play", "models") for path in (ROOT / "app" / room).rglob("*.py")
    ]
    cited = {rule for path in sources for rule in re.findall(r"CHR-CAL-\d+", path.read_text(encoding="utf-8"))}
    assert cited and cited <= set(find("chronicle").rulebook.rules)


@pytest.mark.parametrize("ruleset", SHIPPED, ids=KEYS)
def test_listed_luck_is_drawn(ruleset: Ruleset[Any, Any]) -> None:
    """By a case, or at least somewhere in the rules. That what is drawn is listed, the runner holds in each case."""
    raw = [tomllib.loads(path.read_text(encoding="utf-8")) for path in CASES[ruleset.key]]
    scripts = [play.get("luck", {}) for case in raw for play in (*case.get("step", ()), *case.get("day", ()))]
    drawn = {label for script in scripts for label in script}
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "app/rulesets" / ruleset.key).rglob("*.py"))
    for label in ruleset.luck:
        shown = len(unlisted(drawn, [label])) < len(drawn)
        assert shown or f'"{label.partition("<")[0]}' in sources, label


@pytest.mark.parametrize("ruleset", SHIPPED, ids=KEYS)
def test_the_vocabulary_names_every_event_and_every_ask(ruleset: Ruleset[Any, Any]) -> None:
    lines = list(vocabulary(ruleset))
    heads = {line.split()[0] for line in lines if line.startswith("    ")}
    for kind in ruleset.kinds:
        assert {*members(kind.event), *members(kind.declaration)} <= heads
        assert kind.so_far is None or {*names(class_of(kind.so_far.says))} <= heads
    assert not [line for line in lines if len(line) > 130 or "anything" in line.split()]


def test_a_draw_that_is_not_listed_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    case = read((HERE / "whiskey/cases/pairing/shaman.toml").read_text(encoding="utf-8"))
    without = {label: text for label, text in find("whiskey").luck.items() if "die" not in label}
    monkeypatch.setattr("app.casefiles.play.find", lambda key: replace(find(key), luck=without))
    with pytest.raises(Failed, match=r"luck\.toml does not list: WHI-36/die/first>alice"):
        play(case)


@pytest.mark.parametrize("ruleset", SHIPPED, ids=KEYS)
def test_excuses_are_few_and_give_a_reason(ruleset: Ruleset[Any, Any]) -> None:
    excuses = [rule.excuse for rule in ruleset.rulebook if rule.excuse]
    assert len(excuses) <= MOST_EXCUSES
    assert all(len(excuse.split()) > 5 for excuse in excuses)


@pytest.mark.parametrize("key", KEYS)
def test_no_two_cases_have_one_title(key: str) -> None:
    titles = [tomllib.loads(path.read_text(encoding="utf-8"))["title"] for path in CASES[key]]
    assert len(set(titles)) == len(titles)
