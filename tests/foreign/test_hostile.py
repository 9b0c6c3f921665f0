"""Broken and hostile files: each is read or refused in our words, by one child, within its limits."""

import re
from collections import Counter

import pytest

from app.calendar.days import reckoning
from app.calendar.imports import Imported
from app.campaign.pictures import LONGEST_SIDE
from app.errors import BadFile
from app.foreign.door import Door
from app.web.calendar.imports import CALENDAR
from app.web.campaign.handouts import PICTURE
from tests.foreign.hostile import HostileFile, hostile_files
from tests.selection import nightly

pytestmark = pytest.mark.anyio

OF_LIBRARIES = re.compile(
    r"validation|Expecting|Exceeds|should (match|have|be a valid)|Value error|cannot identify|truncated|Traceback|Error"
)
AT_LIMITS = ("takes too long", "takes too much memory")


async def test_every_file_is_read_or_refused_by_one_child(caplog: pytest.LogCaptureFixture) -> None:
    door, seen = Door(), Counter[str]()
    try:
        for file in hostile_files(2026, 20_000 if nightly() else 200):
            child = door.child
            seen[f"{file.kind}s {(end := await _end(door, file))}"] += 1
            assert child is None or door.child is child or end in AT_LIMITS, file.name
    finally:
        await door.close()
    assert not caplog.records, "a converter failed in a way that it does not know"
    for kind in ("calendars", "pictures"):
        assert seen[f"{kind} read"] and seen[f"{kind} refused"], seen
        assert not seen[f"{kind} takes too long"], seen


async def _end(door: Door, file: HostileFile) -> str:
    """What becomes of a file."""
    try:
        found = await door.read(CALENDAR if file.kind == "calendar" else PICTURE, file.body)
    except BadFile as refused:
        words = str(refused)
        assert words[-1] == "." and len(words) < 400 and not OF_LIBRARIES.search(words), (file.name, words)
        return next((limit for limit in AT_LIMITS if limit in words), "refused")
    if isinstance(found, Imported):
        assert reckoning(found.shape).said(found.today) and all(len(line) < 2000 for line in found.lost), file.name
        assert len(found.entries) <= 2000 and all(len(one.text) <= 4000 for one in found.entries), file.name
    else:
        assert 0 < found.width <= LONGEST_SIDE and 0 < found.height <= LONGEST_SIDE and found.body, file.name
    return "read"
