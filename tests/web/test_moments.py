"""Moments of the real world: one function writes them, with the date unless it is today; forms keep what they show."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.db.page_version import PageVersion
from app.web.drawing.moments import Form, clock_tag, moment_said, time_tag
from app.web.forms.moments import WrongMoment, moment_of
from app.web.http.page_cache import PageCache

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 11, 29, 18, 13, 47, tzinfo=UTC)


@pytest.mark.parametrize(
    ("after", "form", "words"),
    [
        (timedelta(hours=2), "time", "20:13 UTC"),
        (timedelta(hours=6), "time", "30 November, 00:13 UTC"),
        (timedelta(days=3), "time", "2 December, 18:13 UTC"),
        (timedelta(days=-1), "time", "28 November, 18:13 UTC"),
        (timedelta(days=40), "time", "8 January 2027, 18:13 UTC"),
        (timedelta(), "both", "29 November, 18:13 UTC"),
        (timedelta(days=40), "both", "8 January 2027, 18:13 UTC"),
        (timedelta(), "date", "29 November 2026"),
        (timedelta(days=1), "short", "Mon 30 Nov, 18:13 UTC"),
        (timedelta(days=40), "short", "Fri 8 Jan 2027, 18:13 UTC"),
    ],
)
def test_a_moment_has_its_date_unless_it_is_today(after: timedelta, form: Form, words: str) -> None:
    assert moment_said(NOW + after, NOW, form) == words


def test_moments_and_clocks_of_pages() -> None:
    then = datetime.now(UTC) + timedelta(days=3)
    tag = time_tag(then)
    assert f'datetime="{then.isoformat()}" data-local="time"' in tag and f"{then.day} {then:%B}" in tag
    clock = clock_tag(NOW + timedelta(days=1), NOW)
    assert "until 30 November, 18:13 UTC" in clock and f'data-now="{NOW.isoformat()}"' in clock
    assert "until 18:13:57 UTC" in clock_tag(NOW + timedelta(seconds=10), NOW)


def test_no_template_writes_a_moment_by_itself() -> None:
    """But for fields of forms, which have date and time apart, and days that are no moments."""
    allowed = {"desk/card.html": 2, "calendar/feeds.html": 2}
    templates = [*ROOT.glob("templates/**/*.html"), *ROOT.glob("app/rulesets/*/templates/**/*.html")]
    assert len(templates) > 100
    for path in templates:
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(ROOT / "templates").as_posix() if path.is_relative_to(ROOT / "templates") else path.name
        assert len(re.findall(r"strftime", text)) == allowed.get(name, 0), name
        assert "<time" not in text, name
    scripts = {path.name: path.read_text(encoding="utf-8") for path in ROOT.glob("static/js/*.js")}
    writers = [name for name, text in scripts.items() if re.search(r"toLocale\w*String|DateTimeFormat\([^)]", text)]
    assert writers == ["local-time.js"]


def test_a_cached_page_is_of_one_day() -> None:
    """It leaves out the date of that day."""
    pages: PageCache[str, int] = PageCache()
    evening = PageVersion(datetime(2026, 11, 29, 23, 59, tzinfo=UTC), ("1",))
    pages.keep("key", 1, evening, "said at 18:13")
    assert pages.get("key", 1, PageVersion(evening.now + timedelta(seconds=30), ("1",))) == "said at 18:13"
    assert pages.get("key", 1, PageVersion(evening.now + timedelta(minutes=2), ("1",))) is None


BERLIN = "Europe/Berlin"
SECOND = datetime(2027, 10, 31, 1, 30, tzinfo=UTC)  # the second 02:30 of that night in Berlin


def test_a_form_keeps_the_moment_that_it_has_shown() -> None:
    """Of the hour that comes twice in autumn, too, and with its seconds."""
    typed = ("2027-10-31", "02:30", BERLIN)
    assert moment_of(*typed) == SECOND - timedelta(hours=1), "typed anew, the first counts"
    assert moment_of(*typed, SECOND.isoformat()) == SECOND
    first = SECOND - timedelta(hours=1)
    assert moment_of(*typed, first.isoformat()) == first
    assert moment_of("2027-10-31", "01:30", "UTC", (SECOND + timedelta(seconds=7)).isoformat()).second == 7
    assert moment_of("2027-10-31", "02:31", BERLIN, SECOND.isoformat()) == first + timedelta(minutes=1), "changed"
    assert moment_of("2027-10-31", "02:30", "UTC+2", SECOND.isoformat()) == first


@pytest.mark.parametrize(
    "shown", ["", "soon", "2027-10-31T01:30", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:00-12:00", "2027"]
)
def test_what_no_form_has_shown_counts_for_nothing(shown: str) -> None:
    assert moment_of("2027-10-31", "02:30", BERLIN, shown) == SECOND - timedelta(hours=1)
    with pytest.raises(WrongMoment, match="like 2026-12-24"):
        moment_of("tomorrow", "02:30", BERLIN, shown)
