"""The film of a closed step: its frames follow from each other, and tell each reader no more than the log does."""

import json
from typing import Any

import pytest

from app.web.scene.film import edits
from tests.web.test_rounds import Evening, evening

__all__ = ["evening"]
pytestmark = pytest.mark.anyio


async def filmed(evening: Evening, who: str, *keys: str) -> list[dict[str, Any]]:
    """The frames, each with its whole `table`."""
    answer = await evening.browsers[who].http.get(f"{evening.at(who)}/film", params={"step": list(keys)})
    assert answer.status_code == 200, answer.text
    table: list[str] = []
    frames: list[dict[str, Any]] = json.loads(answer.text)["frames"]
    for frame in frames:
        for begin, end, text in frame["edits"]:
            table[begin:end] = text.split("\n") if text else []
        frame["table"] = "\n".join(table)
    return frames


async def test_the_first_frame_is_sealed_and_the_last_tells_everything(evening: Evening) -> None:
    await evening.play(1, 3)
    frames = await filmed(evening, "ann", "r2/knock")
    assert [frame["title"] for frame in frames][:1] == [""] and frames[0]["lines"] == ""
    assert "opened" not in frames[0]["table"] and "sealed" in frames[0]["table"]
    assert "opened" in frames[-1]["table"]
    told = "".join(frame["lines"] for frame in frames)
    assert "ann in 2" in told and "bea in 2" in told
    assert "ann in 3" not in json.dumps(frames), "nothing of a later round"
    both = await filmed(evening, "ann", "r2/knock", "r3/knock")
    assert both[0]["step"] == "r2/knock" and both[-1]["step"] == "r3/knock"
    assert "ann in 3" in both[-1]["lines"]


async def test_a_step_that_a_reader_may_not_know_has_no_film(evening: Evening) -> None:
    await evening.play(1, 2, steal=True)
    assert await filmed(evening, "cyd", "r1/steal") == [], "known, and without a ceremony"
    for who, key in (("ann", "r1/steal"), ("sam", "r1/steal"), ("cyd", "r9/knock"), ("cyd", "")):
        answer = await evening.browsers[who].http.get(f"{evening.at(who)}/film", params={"step": key})
        assert answer.status_code == 404 and "There is no such step" in answer.text
    assert await filmed(evening, "ann") == [], "of no step"
    assert "jewel" not in json.dumps(await filmed(evening, "ann", "r1/knock", "r1/steal", "r2/knock"))


@pytest.mark.parametrize(
    ("old", "new"),
    [("", "a b"), ("a b c", "a x c"), ("a b c", ""), ("a b", "b a"), ("a a a b", "a b b b"), ("x", "x")],
)
def test_edits_turn_one_frame_into_the_next(old: str, new: str) -> None:
    lines = old.split()
    assert all(text or begin < end for begin, end, text in edits(lines, new.split()))
    for begin, end, text in edits(old.split(), new.split()):
        lines[begin:end] = text.split("\n") if text else []
    assert lines == new.split()
