"""What others get of a wizards' fight is the same, byte for byte, whatever somebody hidden declares, and whether there
is anybody hidden at all.

The same fight is played twice, with the same luck. Every page of whoever does not know of the hidden one is then
compared, once campaign, ids, hashes and times are masked; so are the streams of real servers.
"""

import json
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI

from app.rulesets.arcana.sheet.sheets import Attributes, Sheet
from app.table import envelopes, opening
from tests.arcana_fight import PEOPLE, lay
from tests.web.browser import Browser
from tests.web.role_matrix import SCENE, SEAT, VERDICTS, address
from tests.web.seated_fight import Fight, seated
from tests.web.test_identity import MASKS, UNLIKE, WORDS

pytestmark = pytest.mark.anyio

Typed = Mapping[str, str]
SNEAK: dict[str, Any] = {
    "attributes": Attributes(FIN=60, SPR=14, POW=14, INT=14), "proficient": ("Stealth", "wand"), "level": 5,
    "schools": dict.fromkeys(("restoration", "transmutation"), "novice"), "spells": ("mend", "stone_skin"),
    "hp_stated": 300, "fp_stated": 300,
}  # fmt: skip
"""So good at it that no die of anybody's notices them."""
STURDY = {key: PEOPLE[key].model_copy(update={"hp_stated": 300, "fp_stated": 300}) for key in ("ada", "ben")}
TROLL = {"key": "troll", "name": "Troll", "foe": "troll", "place": "14,10", "habit": "hold"}
LURKER = {
    "key": "lurker", "name": "Xanthippe", "hidden": "yes", "place": "24,18", "habit": "hold",
    **Sheet(name="Xanthippe", **SNEAK).model_dump(mode="json", exclude={"name"}),
}  # fmt: skip
AT = {"ada": "10,10", "ben": "10,12"}
MEND = {"what": "major", "major.do": "cast", "major.spell": "mend"}
WAIT = {"when.who": "ada", "when.verb": "casts", "when.guards": "all"}
DEEDS: tuple[tuple[str, Typed], ...] = (
    ("holds", {"what": "hold"}),
    ("moves", {"what": "major", "major.do": "move", "major.to": "26,16"}),
    ("moves with care, evades", {"what": "minors", "minors.0.do": "considered", "minors.0.to": "25,17",
                                 "minors.1.do": "evade"}),
    ("casts on itself", {**MEND, "major.target": "{me}"}),
    ("steps and searches", {"what": "major", "major.do": "search", "free.step": "25,18"}),
    ("waits for what comes", {**MEND, "major.target": "{me}", **WAIT}),
    ("waits for what never comes", {**MEND, "major.target": "{me}", **WAIT, "when.verb": "searches"}),
    ("tries what no rule knows", {"what": "major", "major.do": "custom", "major.words": "I knot the rope."}),
    ("interrupts", {**MEND, "major.target": "{me}", **WAIT, "when.verb": "speaks", "when.mode": "interrupt"}),
    ("has words of its own for it", {**MEND, "major.target": "{me}", "when.verb": "text", "when.words": "It rains."}),
)  # fmt: skip
"""What somebody hidden does in one cycle after the other."""
AT_THE_DESK: Mapping[int, Sequence[dict[str, str]]] = {
    2: ({"what": "place", "who": "lurker", "at": "25,18"},),
    4: ({"what": "join", "template": "imp", "hidden": "yes", "at": "31,22", "habit": "hold"},
        {"what": "correct", "who": "imp", "fp": "1", "status": "prone", "reason": "It slips on a root."}),
    8: ({"what": "out", "who": "imp", "reason": "It has seen enough."},),
}  # fmt: skip
"""What the GM does to somebody hidden before a cycle's declarations are in."""
HOLD: Typed = {"what": "hold"}
CLOSELY = (4, 8)
"""Cycles in which the pages round the scene are looked at after a draft and a seal, too."""
WHOLLY = (4, 8, 10)
"""Cycles after whose reveal every page is looked at that there is: the GM would be asked in the last three."""
OTHERS: tuple[Typed, ...] = (
    {"ada": "spark", "ben": "blow"},
    {"ada": "mend", "ben": "search"},
    {"ada": "mend", "ben": "evade"},
)
PLAIN: Mapping[str, Typed] = {
    "hold": {"what": "hold"},
    "spark": {"what": "major", "major.do": "cast", "major.spell": "spark_volley", "major.target": "troll"},
    "blow": {"what": "major", "major.do": "attack", "major.weapon": "club", "major.target": "troll",
             "when.who": "ada", "when.verb": "casts", "when.guards": "all"},
    "mend": {**MEND, "major.target": "ben"},
    "search": {"what": "major", "major.do": "search"},
    "evade": {"what": "minors", "minors.0.do": "evade", "minors.1.do": "communicate", "minors.1.words": "Careful!"},
}  # fmt: skip
UNAWARE = ("ada", "sam")
AROUND = (SCENE, f"{SCENE}/live", f"{SCENE}/receipts", f"{SEAT}/", f"{SEAT}/live", f"{SEAT}/awaits")
EVERY = tuple(
    route
    for (method, route), verdict in VERDICTS.items()
    if method == "GET" and route.startswith(SEAT) and verdict != "stream"
)
"""Whatever has an address below somebody's chair, pages that are the GM's alone among them."""
LEFT_OUT = (*UNLIKE, "content-length")  # sizes are compared once words of several lengths are masked
LINES = 20
THING = uuid.UUID(int=7)  # no entry, crossing or member has this id


@dataclass
class Night:
    """One of several fights that are alike, and everything that others got of it."""

    table: Fight
    got: dict[str, tuple[int, int, bytes]] = field(default_factory=dict)
    seen: dict[tuple[str, str], int] = field(default_factory=dict)

    async def look(self, state: str, routes: Sequence[str] = (SCENE,), by: Sequence[str] = UNAWARE) -> None:
        """Pages of everybody who may not know, headers included; of each number and each character one."""
        slug, _, _, scene = self.table.at.removeprefix("/c/").split("/")
        for who in by:
            parts = {"slug": slug, "handle": who, "scene_id": scene, "entry_id": THING, "crossing_id": THING}
            for route in routes:
                numbers = range(1, LINES + 1) if "{number}" in route else (1,)
                people = ("ben", "cleo", "lurker") if "{who}" in route else ("ben",)
                for number, whose in ((number, whose) for number in numbers for whose in people):
                    path = address(route, **parts, number=number, who=whose)
                    answer = await self.table.browsers[who].http.get(path)
                    head = "\n".join(
                        f"{name}: {value}" for name, value in answer.headers.items() if name not in LEFT_OUT
                    )
                    body = masked(f"{head}\n\n".encode() + answer.content, path)
                    where = f"{state}: {who} {route.replace(SCENE, 'SCENE').replace(SEAT, 'HOME')} {number} {whose}"
                    self.got[where] = (answer.status_code, len(body), body)

    async def send(self, who: str, step: str, typed: Typed, act: str = "seal") -> None:
        """Seal as the page's form does."""
        seen = self.seen.get((who, step), 0)
        control = {"_step": step, "_seat": who, "_revision": str(seen), "_request": str(uuid.uuid4()), "_act": act}
        path = f"{self.table.at.format(who=who)}/lay"
        answer = await self.table.browsers[who].http.post(
            path, data={**control, **typed}, headers={"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate"}
        )
        assert answer.status_code == 303, (who, step, typed, re.findall(r'class="fault"[^>]*>[^<]*', answer.text))
        self.seen[who, step] = seen + 1


def masked(body: bytes, path: str) -> bytes:
    slug = path.split("/")[2].encode()
    body = WORDS.sub(b"<words>", re.sub(rb"\b%b\b" % re.escape(slug), b"<campaign>", body))
    for pattern, put in MASKS:
        body = re.sub(pattern, put, body, flags=re.DOTALL)
    return body


def of(who: str, typed: Typed) -> dict[str, str]:
    return {f"of.{who}.{name}": value.format(me=who) for name, value in typed.items()}


def differing(one: Night, two: Night) -> list[str]:
    """Where pages differ, with the first place at which they do."""
    assert list(one.got) == list(two.got)
    found = []
    for where, (status, size, left) in one.got.items():
        other, other_size, right = two.got[where]
        if (status, size, left) != (other, other_size, right):
            at = next((i for i, (x, y) in enumerate(zip(left, right, strict=False)) if x != y), min(size, other_size))
            near = slice(max(0, at - 80), at + 80)
            found.append(f"{where} ({size}, {other_size}): {left[near]!r} but {right[near]!r}")
    return found


@pytest.fixture
def same_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's own randomness, from which all luck and all salts come, gives the same to both."""
    for room in (opening, envelopes):
        monkeypatch.setattr(room, "os", SimpleNamespace(urandom=lambda size: b"\x05" * size))


Begin = Callable[..., Any]


@pytest.fixture
def begin(site: FastAPI, open_browser: Callable[[], Browser], same_luck: None) -> Begin:
    async def begin_one(sheets: Any = STURDY, rules: Mapping[str, str] | None = None, **given: Any) -> Night:
        clocks = {"planning_seconds": 3600, "ruling_seconds": 3600, **(rules or {})}
        table = await seated(site, open_browser, lay, sheets=sheets, given={"at": AT, **given}, settings=clocks)
        return Night(table)

    return begin_one


async def cycle(night: Night, number: int, who: str, does: Typed) -> None:
    """One cycle: looked at after a draft, after the hidden one's seal, after the reveal."""
    closely, name, step = number in CLOSELY, f"cycle {number}", f"c{number}/plan"
    for act in AT_THE_DESK.get(number, ()) if who == "lurker" else ():
        assert (await night.table.answer("gm", "desk", **act)).status == 200
    others = OTHERS[number % len(OTHERS)]
    by = who if who in night.table.browsers else "gm"
    sent = of(who, does) if who else {}
    if closely:
        await night.send(by, step, sent, "draft")
        await night.look(f"{name}, drafted", AROUND)
    await night.send(by, step, sent)
    if closely:
        await night.look(f"{name}, the hidden one sealed", AROUND)
    for one in ("ada", "ben", "cleo", "gm"):
        if one != by and one in night.table.browsers:
            await night.send(one, step, of(one, PLAIN[others[one]]) if one in others else {})
    await night.look(f"{name}, opened", EVERY if number in WHOLLY else (SCENE,))


async def evening(night: Night, who: str, deeds: Sequence[Typed]) -> Night:
    await night.look("at first", EVERY)
    for number, does in enumerate(deeds, 1):
        await cycle(night, number, who, does)
    return night


BUSY = [does for _, does in DEEDS]


async def test_in_one_cycle_a_hidden_foe_is_as_if_it_did_not_exist(begin: Begin) -> None:
    """The short form of the next test, for each commit. The same foe in plain sight is another fight, and the
    comparison says so."""
    fights: tuple[tuple[list[dict[str, Any]], str], ...] = (
        ([TROLL, LURKER], "lurker"),
        ([TROLL], ""),
        ([TROLL, {**LURKER, "hidden": ""}], "lurker"),
    )
    nights = []
    for foes, who in fights:
        nights.append(await begin(foes=foes))
        await nights[-1].look("at first", AROUND)
        await cycle(nights[-1], 1, who, dict(DEEDS)["waits for what comes"] if who else {})
    hidden, without, plain = nights
    assert differing(hidden, without) == []
    assert [where for where in differing(hidden, plain) if "at first: ada SCENE 1" in where]


@pytest.mark.nightly
async def test_a_hidden_foe_is_as_if_it_did_not_exist(begin: Begin) -> None:
    busy = await evening(await begin(foes=[TROLL, LURKER]), "lurker", BUSY)
    without = await evening(await begin(foes=[TROLL]), "", [{}] * len(DEEDS))
    assert len(busy.got) > 100
    assert differing(busy, without) == []


@pytest.mark.nightly
async def test_whatever_a_hidden_player_does_others_get_the_same(begin: Begin) -> None:
    """Cleo fights for herself, against all others."""
    sheets = {**STURDY, "cleo": Sheet(name="Cleo", **SNEAK)}
    apart: dict[str, Any] = {"foes": [TROLL], "sides": {"cleo": "wolves"}, "hidden": ["cleo"]}
    apart["at"] = {**AT, "cleo": LURKER["place"]}
    busy = await evening(await begin(sheets, **apart), "cleo", BUSY)
    assert "nobody is asked about you in the middle" in (await busy.table.page("cleo")).text
    still = await evening(await begin(sheets, **apart), "cleo", [HOLD] * len(DEEDS))
    assert differing(busy, still) == []


@pytest.mark.nightly
async def test_a_table_that_waits_for_the_hidden_leaves_one_more_line_in_its_record(begin: Begin) -> None:
    """docs/security.md: with `hidden_questions = ask` the others see the wait, and afterwards that it was there; not of
    whom it was, nor of what."""
    nights, records, asked = [], [], []
    for does in (dict(DEEDS)["tries what no rule knows"], HOLD):
        night = await begin(rules={"hidden_questions": "ask"}, foes=[TROLL, LURKER])
        for who, typed in (("gm", of("lurker", does)), ("ada", of("ada", PLAIN["evade"])), ("ben", of("ben", HOLD))):
            await night.send(who, "c1/plan", typed)
        asked.append(await night.table.asked("gm"))
        await night.look("while the GM is asked")
        if asked[-1] == ["rule"]:
            await night.send("gm", "c1/rule", {})
        await night.look("after it", EVERY)
        answer = await night.table.browsers["ada"].http.get(f"{night.table.at.format(who='ada')}/receipts")
        lines = [json.loads(line) for line in answer.text.splitlines()]
        records.append([json.loads(line["record"]) for line in lines if "record" in line])
        nights.append(night)
    assert asked == [["rule"], ["plan"]]
    found = {re.findall(r"^(.*?): \w+ (\S+)", where)[0] for where in differing(*nights)}
    assert found == {("while the GM is asked", "SCENE"), ("after it", "SCENE/receipts")}
    waited, plain = records
    assert [one["what"] for one in waited] == ["closing", "told"] and [one["what"] for one in plain] == ["closing"]
    assert waited[0]["events"] + waited[1]["events"] == plain[0]["events"]
    assert set(waited[1]) == {"what", "events"}
