"""The night's copy: when it is due, that it is made, and what goes with it."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.ops import backup, nightly
from tests.start.test_backup import settings

DAY = timedelta(days=1)
EVENING = datetime(2026, 11, 21, 22, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("last", "now", "due"),
    [
        (EVENING, EVENING + timedelta(hours=5, minutes=59), False),
        (EVENING, EVENING + timedelta(hours=6), True),
        (EVENING + timedelta(hours=6), EVENING + DAY, False),
        (EVENING - 30 * DAY, EVENING, True),  # the computer slept for a month
        (EVENING - timedelta(hours=18), EVENING, False),
        (EVENING - timedelta(hours=18, minutes=1), EVENING, True),
    ],
)
def test_it_is_due_once_four_o_clock_has_passed(last: datetime, now: datetime, due: bool) -> None:
    assert nightly.due(last, now) is due


def test_a_copy_is_made_once_a_night(db_url: str, tmp_path: Path) -> None:
    given, now = settings(db_url, tmp_path / "kept"), datetime.now(UTC)
    assert not nightly.back_up_if_due(given, now - timedelta(seconds=1), now.replace(hour=3)), "no night has passed yet"
    assert nightly.back_up_if_due(given, now - 2 * DAY, now)
    assert not nightly.back_up_if_due(given, now - 2 * DAY, now)
    (copy,) = backup.copies(tmp_path / "kept")
    assert backup.why(copy) == "nightly" and abs(backup.moment(copy) - now) < timedelta(minutes=2)


def test_a_full_disk_ends_no_evening(db_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("no folder")
    given = settings(db_url, tmp_path / "file" / "kept")
    assert not nightly.back_up_if_due(given, EVENING - 9 * DAY, datetime.now(UTC))
    assert "the nightly copy failed: UserError" in caplog.text


def test_old_copies_go_and_each_kind_is_counted_apart(db_url: str, tmp_path: Path) -> None:
    now = datetime.now(UTC)

    def lay(days: int, why: str) -> Path:
        place = tmp_path / f"signet-{(now - days * DAY).strftime(backup.MOMENT)}-{why}.dump"
        place.write_bytes(b"a copy")
        return place

    nights = [lay(days, "nightly") for days in (1, 2, 3, 9)]
    others = [lay(days, why) for days, why in ((1, "by_hand"), (4, "0005"), (9, "0004"))]
    other = tmp_path / "signet-holiday.txt"
    other.write_text("not ours")
    made = backup.make(settings(db_url, tmp_path, backups_kept=3, backups_nights=7), nightly.WHY)
    assert set(backup.copies(tmp_path)) == {made, nights[0], nights[1], others[0], others[1]}
    assert other.exists() and os.path.getsize(made) > 1000
