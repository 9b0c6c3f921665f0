"""What a run of the suite is made of: a tenth of what is slow, by the content; what a change can touch."""

from pathlib import Path

import pytest

from tests import changes, selection

ROOT = Path(__file__).resolve().parent.parent.parent


def test_a_tenth_is_picked_by_the_content_and_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"test {number}" for number in range(1000)]

    monkeypatch.setenv(selection.NIGHTLY, "no")

    def picked(tree: str) -> set[str]:
        monkeypatch.setenv(selection.TREE, tree)
        return {name for name in names if selection.in_this_tenth(name)}

    once, other = picked("one tree"), picked("another")
    assert 60 < len(once) < 140 and picked("one tree") == once
    assert len(once & other) < 40, "another content, another tenth"
    monkeypatch.setenv(selection.NIGHTLY, "yes")
    assert picked("one tree") == set(names)


def test_a_change_touches_what_uses_it_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    files = set((ROOT / "tests").rglob("test_*.py"))

    def touched(*changed: str) -> set[str]:
        monkeypatch.setattr(changes, "files_since", lambda revision: [ROOT / name for name in changed])
        return {file.relative_to(ROOT / "tests").as_posix() for file in changes.touched("HEAD", files)}

    counting = touched("app/calendar/repeat.py")
    assert {"calendar/test_repeat.py", "almanac/test_time_walk.py", "start/test_house.py"} <= counting
    assert "practice/test_mind.py" not in counting and "engine/test_chance.py" not in counting
    page = touched("templates/campaign/home.html")
    assert {"web/test_people_pages.py", "browser/test_people.py"} <= page and "calendar/test_repeat.py" not in page
    case = touched("tests/rulesets/duel/cases/clash/any.toml")
    assert {"rulesets/duel/test_legal.py", "rulesets/test_cases.py"} <= case
    assert len(touched("pyproject.toml")) == len(files), "nobody knows what that touches"


def test_a_revision_that_git_does_not_know_is_told() -> None:
    with pytest.raises(ValueError, match="no-such-revision"):
        changes.touched("no-such-revision", set())
