"""The log by rounds: the newest on the page, older ones folded under a headline and fetched when they are opened."""

import dataclasses
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi import FastAPI

from app.campaign import seats, tokens
from app.engine.steps import round_of
from app.models.people import Campaign
from app.models.scenes import EventRow
from app.table import gm_actions, history, reading
from app.table.history import Round
from app.table.loaded_scene import LoadedScene
from app.table.reading import SceneSight
from app.table.runtime import Runtime
from tests.selection import nightly
from tests.table.table import Table, sit_down
from tests.web.browser import Browser
from tests.web.test_identity import WORDS, masked

pytestmark = pytest.mark.anyio

PEOPLE = ("ann", "bea", "cyd", "gm", "sam")
HTMX = {"HX-Request": "true"}


@dataclass
class Evening:
    """A long scene at the toy's table, and a browser for each member."""

    table: Table
    slug: str
    browsers: dict[str, Browser]

    def at(self, who: str) -> str:
        return f"/c/{self.slug}/{who}/scene/{self.table.scene}"

    async def fetch(self, who: str, path: str) -> str:
        answer = await self.browsers[who].http.get(self.at(who) + path, headers=HTMX)
        assert answer.status_code == 200
        return answer.text

    async def play(self, first: int, last: int, *, steal: bool = False) -> None:
        for number in range(first, last + 1):
            if steal:
                await self.table.lay("cyd", f"r{number}/steal", {"what": f"jewel {number}"})
            for who in ("ann", "bea"):
                await self.table.lay(who, f"r{number}/knock", {"times": 1, "note": f"{who} in {number}"})

    async def sight(self, who: str, **how: Any) -> SceneSight:
        runtime = self.table.runtime
        async with runtime.repeatable_read() as session:
            there = (self.table.campaign, self.table.scene, self.table.people[who])
            seen = await reading.sight(session, runtime.vault, *there, **how)
        return dataclasses.replace(seen, now=seen.made_at)


@pytest.fixture
async def evening(site: FastAPI, open_browser: Callable[[], Browser]) -> AsyncIterator[Evening]:
    runtime: Runtime = site.state.runtime
    table = await sit_down(runtime)
    await table.open(rounds=60)
    browsers = {who: open_browser() for who in PEOPLE}
    async with runtime.sessions.begin() as session:
        slug = (await session.get_one(Campaign, table.campaign)).slug
        for who, member in table.people.items():
            cookie = tokens.fresh()
            await seats.sit_down(session, member, "test", cookie)
            browsers[who].http.cookies.set("signet", cookie, domain="signet.test", path=f"/c/{slug}/{who}")
    yield Evening(table, slug, browsers)


def newest(rounds: tuple[Round, ...]) -> tuple[Round, ...]:
    return rounds[-2:]


@pytest.mark.parametrize(
    "key, named",
    [("r3/declare-2", "r3/"), ("b1/c2/clash", "b1/c2/"), ("c1/plan", "c1/"), ("gm/4", ""), ("own/ann2/1", "")],
)
def test_a_step_names_its_round(key: str, named: str) -> None:
    assert round_of(key) == named


async def test_older_rounds_fold_and_are_fetched(evening: Evening) -> None:
    """Finds rounds that are nowhere on the page, fetched lines that are others, and links that lead astray."""
    await evening.play(1, 14)
    page = await evening.browsers["ann"].get(evening.at("ann"))
    folded = re.findall(r'<details class="round" id="round-(r\d+)-knock"', page.html)
    assert folded == ["r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13"]
    assert 'id="before-r6-knock"' in page.html and "Round 6: 3 events" in page.text
    assert "ann in 14" in page.html and "ann in 13" in page.html and "ann in 12" not in page.html
    assert "ann in 14" not in "".join(re.findall(r"<details class=\"round\".*?</details>", page.html, re.DOTALL))
    lines = await evening.fetch("ann", "/log?round=r3/knock")
    told = re.sub(r'aria-label="[^"]*"', "", lines)
    assert re.findall(r"ann in \d+", told) == ["ann in 3"] and lines.lstrip().startswith('<div class="told"')
    numbers = [int(number) for number in re.findall(r'id="e(\d+)"', lines)]
    assert numbers == [7, 8, 9], "as in the whole log: two knocks and the luck of each round"
    assert await evening.fetch("ann", f"/log?event={numbers[1]}") == lines
    earlier = await evening.fetch("ann", "/log?before=r6/knock")
    assert re.findall(r"Round \d+: 3 events", earlier) == [f"Round {n}: 3 events" for n in range(1, 6)]
    assert "before-" not in earlier, "these are all"
    whole = await evening.browsers["ann"].get(f"{evening.at('ann')}/log?event={numbers[1]}")
    assert 'id="round-r3-knock" data-first="7" data-last="9" open>' in whole.html and "ann in 3" in whole.html
    live = re.search(r'hx-get="([^"]+/live\?round=[^"]+)"', whole.html)
    assert live and "ann in 3" in (await evening.browsers["ann"].get(live[1])).html, "also after a change"
    for wrong in ("?round=r99/knock", "?event=0", "?event=9999", "?event=x", "?event=" + "9" * 400, "?round=r1/steal"):
        answer = await evening.browsers["ann"].http.get(f"{evening.at('ann')}/log{wrong}")
        assert answer.status_code == 404 and "There is no such round" in answer.text, wrong


async def test_the_story_comes_by_pages(evening: Evening) -> None:
    """Finds rounds that no page of the story has, or that two have; the file has all of them."""
    await evening.play(1, 23)
    told = []
    for number in (1, 2):
        page = await evening.browsers["sam"].get(f"{evening.at('sam')}/story?page={number}")
        told += [int(found) for found in re.findall(r"ann in (\d+)", page.html)]
        assert f"Page {number} of 2" in page.text
    assert told == list(range(1, 24))
    file = await evening.browsers["sam"].http.get(f"{evening.at('sam')}/story.txt")
    assert [int(found) for found in re.findall(r"ann in (\d+)", file.text)] == told
    for odd in ("0", "x", "999", "9" * 400, "-1"):
        assert (await evening.browsers["sam"].get(f"{evening.at('sam')}/story?page={odd}")).status == 200


async def test_a_part_of_the_log_is_the_same_as_in_the_whole(evening: Evening) -> None:
    """Finds events that a history numbers, places or leaves out otherwise than a reader who reads everything anew."""
    histories = evening.table.runtime.histories
    rounds = 4 if nightly() else 3
    for number in range(1, rounds + 1):
        await evening.play(number, number, steal=number % 2 == 0)
        await evening.table.lay("gm", f"bell/{number - 1}", {})
        for who in PEOPLE:
            whole = await evening.sight(who)
            for _ in range(2):
                part = await evening.sight(who, histories=histories, choose=newest)
                assert part.chapters == whole.chapters[-len(part.chapters) :] and part.chapters
                assert dataclasses.replace(part, chapters=()) == dataclasses.replace(whole, chapters=())
            assert await evening.sight(who, histories=histories) == whole
    assert len(whole.rounds) == rounds and whole.rounds[1].steps[0] == "r2/knock"


async def test_what_a_page_reads_does_not_grow_with_the_rounds(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Finds a page that reads the whole log again, or is longer for it."""
    read: list[int] = []
    real = reading.read_event

    def counted(live: LoadedScene, row: EventRow) -> Any:
        read.append(row.number)
        return real(live, row)

    monkeypatch.setattr(reading, "read_event", counted)
    monkeypatch.setattr(history, "read_event", counted)
    sizes, counts = [], []
    for first, last in ((1, 10), (11, 13)):
        await evening.play(first, last)
        for _ in range(2):
            read.clear()
            page = await evening.browsers["gm"].get(evening.at("gm"))  # a GM's page is always drawn
        sizes.append(len(page.html))
        counts.append(len(read))
    assert counts == [6, 6], "three events in each of the two newest rounds"
    assert sizes[1] < 1.05 * sizes[0]


async def test_a_snapshot_is_not_told_what_came_after_it(evening: Evening) -> None:
    """Finds a page that tells a round while its steps still wait for it: the history is shared, the snapshot is not."""
    await evening.play(1, 2)
    runtime = evening.table.runtime
    there = (evening.table.campaign, evening.table.scene, evening.table.people["sam"])
    async with runtime.repeatable_read() as session:
        before = await reading.sight(session, runtime.vault, *there)
        await evening.play(3, 3)
        assert len((await evening.sight("sam", histories=runtime.histories)).rounds) == 3
        again = await reading.sight(session, runtime.vault, *there, histories=runtime.histories)
    assert dataclasses.replace(again, now=before.now) == before and len(before.rounds) == 2


@pytest.mark.nightly
async def test_a_hidden_theft_shows_in_no_fold(evening: Evening) -> None:
    """Finds rounds that fold, headlines or fetched lines that differ for readers who may not know of the thief."""
    shown: dict[bool, dict[str, str]] = {}
    for steal in (True, False):
        await evening.table.act(gm_actions.leave)
        await evening.table.open(rounds=60, honest=not steal)
        evening.table.seen.clear()
        await evening.play(1, 9, steal=steal)
        shown[steal] = {}
        for who in ("ann", "sam", "gm"):
            for path in ("", "/log?round=r2/knock", "/log?before=r6/knock", "/log?event=8", "/story"):
                answer = await evening.browsers[who].http.get(
                    evening.at(who) + path, headers=HTMX if "?" in path else {}
                )
                text = masked(WORDS.sub(b"<words>", answer.content)).decode()
                shown[steal][who + path] = re.sub(r"face=\d|total\W+\d+", "", re.sub(r"\s+", " ", text))
    differ = [name for name in shown[True] if shown[True][name] != shown[False][name]]
    assert {name for name in differ if not name.startswith("gm")} == set()
    assert "gm/log?round=r2/knock" in differ, "the GM may know of it"
