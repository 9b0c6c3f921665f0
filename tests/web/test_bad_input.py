"""Every address that changes something × everything that nobody should send: an answer in words, nothing lost, no 5xx.

The forms are taken from the pages themselves, as a browser would send them, and then spoiled.
"""

import functools
import html
import itertools
import re
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from fnmatch import fnmatch
from urllib.parse import quote_from_bytes

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from selectolax.lexbor import LexborHTMLParser, LexborNode
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.engine.ruleset import Brief, Seat
from app.models.people import Campaign, Member
from app.play.demo import ensure_demo
from app.table import ending, pauses
from app.table.loaded_scene import LoadedScene, lock
from app.table.opening import open_scene
from app.table.runtime import Runtime
from app.web.http.limits import Meter
from tests.selection import nightly
from tests.web.browser import Browser, Fields, Page
from tests.web.changing_forms import HOME, ROWS, Row

pytestmark = pytest.mark.anyio

Open = Callable[[], Browser]

HUGE = "x" * 1_000_000
LONG = "long " * 5_000
VALUES: tuple[str, ...] = (
    "",
    "\x00",
    "a\ud800b",
    "-1",
    "99999999999999999999999",
    "1e309",
    "²٣",
    "00000000-0000-0000-0000-000000000000",
    "<script>alert(1)</script>\"'{{7*7}}",
    "'; DROP TABLE campaign; --",
    "../../gm",
    "\u202eabc\u200b",
    "{}[]",
    LONG,
)
SIGN = "typed%02dwords"
CHOSEN_OR_TYPED = "textarea, select, input:not([type='hidden']):not([readonly])"


def encoded(pairs: Fields) -> bytes:
    return "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in pairs).encode()


@functools.cache
def _quoted(text: str) -> str:
    return quote_from_bytes(text.encode("utf-8", "surrogatepass"))


def _some(names: list[str], texts: set[str]) -> list[str]:
    """Five texts and five other fields at most, evenly out of all: a form with eighty rows is no surprise."""
    kinds = ([name for name in names if name in texts], [name for name in names if name not in texts])
    return [name for kind in kinds for name in kind[:: -(-len(kind) // 5) or 1]]


@dataclass
class Sent:
    """A spoiled form: what it is called, what goes over the wire, and which texts an answer has to give back."""

    called: str
    body: bytes
    kind: str = "application/x-www-form-urlencoded"
    kept: tuple[str, ...] = ()


def signed(fields: Fields, texts: set[str]) -> Fields:
    """A form whose free texts carry signs to look for in the answer."""
    return [(name, SIGN % n if name in texts else value) for n, (name, value) in enumerate(fields)]


def spoiled(fields: Fields, texts: set[str], turn: int) -> Iterator[Sent]:
    """One form in its spoiled shapes.

    A commit sends one value a field; then, by turns from form to form, one with a single field that is spoiled, or in
    a shape that no browser sends."""
    typed = signed(fields, texts)
    mine = [(name, value) for name, value in typed if not name.startswith("_")]
    rest = [pair for pair in typed if pair not in mine]
    all_of_one = [Sent(f"all = {one[:24]!r}", encoded([(n, one) for n, _ in mine] + rest)) for one in VALUES if mine]
    alone, shapes = list(_one_alone(typed, texts)), list(_misshapen(typed))
    if nightly():
        yield from (*all_of_one, *alone, *shapes)
        return
    if mine:
        values = itertools.islice(itertools.cycle(VALUES), turn, None)
        pairs = [(name, value) for (name, _), value in zip(mine, values, strict=False)]
        yield Sent(f"values from the {turn}th on", encoded([*pairs, *rest]))
    odd = alone if turn % 2 and alone else shapes
    yield odd[turn // 2 % len(odd)]


def _one_alone(typed: Fields, texts: set[str]) -> Iterator[Sent]:
    """A form in which one field is spoiled and all others are right."""
    for name in _some(list(dict.fromkeys(name for name, _ in typed)), texts):
        kept = tuple(value for other, value in typed if other in texts and other != name)
        yield Sent(f"{name} with NUL", encoded([(n, "x\x00y" if n == name else v) for n, v in typed]), kept=kept)
        yield Sent(f"{name} missing", encoded([(n, v) for n, v in typed if n != name]), kept=kept)


def _misshapen(typed: Fields) -> Iterator[Sent]:
    """A form that no browser would send so."""
    yield Sent("nothing", b"")
    yield Sent("huge", encoded([*typed[:-1], ((typed or [("x", "")])[-1][0], HUGE)]))
    yield Sent("all twice", encoded([*typed, *((n, v + "!") for n, v in typed)]))
    yield Sent("a name as group and value", encoded([*typed, *((f"{n}.x", "1") for n, _ in typed), ("of.alice", "1")]))
    yield Sent("a name as list", encoded([(f"{n}[]", v) for n, v in typed]))
    yield Sent("deep names", encoded([*typed, (".".join("a" * 60), "1"), ("....", "1"), ("[]", "1")]))
    yield Sent("3000 fields", encoded([*typed, *((f"f{n}", "1") for n in range(3000))]))
    yield Sent("bytes that are no text", encoded(typed) + b"&%ff%fe=%zz&\xff\xfe=\xff&&=&")
    yield Sent("JSON", b'{"_step": [null]}', "application/json")
    yield Sent("text", encoded(typed), "text/plain")
    yield Sent("a strange charset", encoded(typed), "application/x-www-form-urlencoded; charset=utf-16", kept=())
    yield Sent("multipart without a boundary", encoded(typed), "multipart/form-data")
    yield Sent(
        "multipart that breaks off",
        b'--b\r\nContent-Disposition: form-data; name="a"',
        "multipart/form-data; boundary=b",
    )
    files = "".join(
        f'--b\r\nContent-Disposition: form-data; name="{n}"; filename="f"\r\n\r\nx\r\n' for n, _ in typed or [("x", "")]
    )
    yield Sent("files", f"{files}--b--\r\n".encode(), "multipart/form-data; boundary=b")


class Table:
    """The demo with Alice asked to declare, and everything the rows' pages need."""

    def __init__(self, site: FastAPI, open_browser: Open) -> None:
        self.site = site
        self.open_browser = open_browser
        self.seats: dict[str, Browser] = {}
        self.at: dict[str, str] = {}
        self.pages: dict[str, Page] = {}  # the rows' pages as they were seen first

    async def sit_down(self) -> "Table":
        """The GM and Alice in their seats of the demo."""
        runtime: Runtime = self.site.state.runtime
        async with runtime.sessions.begin() as session:
            links = {re.split(r"\W", label)[0]: path for label, path in await ensure_demo(session, runtime.vault)}
        for name in ("GM", "Alice"):
            self.seats[name] = self.open_browser()
            await self.seats[name].send(await self.seats[name].get(links[name]), "/enter")
        self.at["alice"], self.at["bob"] = links["Alice"], links["Bob"]
        found = re.search(r"/scene/[0-9a-f-]{36}", (await self.seats["GM"].get(f"{HOME}/gm/")).html)
        assert found
        self.at["scene"] = found[0]
        return self

    async def set_up(self) -> "Table":
        """What the rows' pages need besides."""
        runtime: Runtime = self.site.state.runtime
        laptop = self.open_browser()
        await laptop.send(await laptop.get(self.at["alice"]), "/enter")
        host = self.seats["GM"]
        self.at["notes"], self.at["foes"] = (f"{self.at['scene']}/{page}" for page in ("notes", "foes"))
        await host.post(f"{HOME}/gm{self.at['scene']}/rolls", {"purpose": "Who hears it?", "formula": "d20"})
        for sample in ("Rex", "Ida"):
            page = await host.get(f"{HOME}/gm/characters/new?sample=Alice")
            made = await host.send(page, "/characters", {"sheet.name": sample})
            assert made.status == 200, made.text
        toys = (("Old", 1, ""), ("Young", 1, ""), ("Dead", -13, "alice"), ("Slow", 1, "alice"))
        for name, luck, owner in toys:
            sheet = {"ruleset": "toy", "sheet.name": f"{name} Toy", "sheet.luck": str(luck), "owner": owner}
            assert (await host.post(f"{HOME}/gm/characters", sheet)).status == 200
        await self.seats["Alice"].post(f"{HOME}/alice/characters/dead-toy/later", {"later": "yes"})
        for name, sample in (("GM", "Mira"), ("Alice", "Tomo"), ("Alice", "Mira")):
            page = await self.seats[name].get(f"{HOME}/{name.lower()}/characters/new?ruleset=duel&sample={sample}")
            called = {"sheet.name": f"{name} {sample}"}
            assert (await self.seats[name].send(page, "/characters", called)).status == 200
        await self._end_a_scene(runtime, "duel", "duel", "gm-mira", "alice-tomo")
        await self._end_a_scene(runtime, "toy", "door", "old-toy", "young-toy")
        self.at["paused"] = await self._paused_scene(runtime, "slow-toy")
        for name in ("old-toy", "young-toy"):
            page = await self.seats["Alice"].get(f"{HOME}/alice/characters/new")
            assert "Withdraw" in (await self.seats["Alice"].send(page, "/promotions", {"who": name})).text
        for mine in ("alice-tomo", "alice-mira"):  # one is declined, one accepted
            page = await self.seats["Alice"].get(f"{HOME}/alice/")
            asked = await self.seats["Alice"].send(page, "/challenges", {"challenger": mine})
            assert asked.status == 200, asked.text
        hag = await host.get(f"{HOME}/gm/own/new?rules=arcana&kind=foes&like=troll")
        assert (await host.send(hag, "/own", {"own.name": "Hag"})).status == 200
        letter = await host.post(f"{HOME}/gm/handouts/new", {"title": "A letter", "text": "Come at once."})
        found = re.search(r"/handouts/([0-9a-f-]{36})/change", letter.html)
        assert found
        self.at["handout"] = f"{HOME}/gm{found[0]}"
        self.at["with a feed"] = f"{HOME}/alice/calendar/feeds"
        await self.seats["Alice"].post(self.at["with a feed"] + "/make", {"kind": "real"})
        put = await host.get(f"{HOME}/gm/calendar/entries/new?kind=session")
        when = {"title": "We play", "real_date": "2999-01-01", "real_time": "20:00"}
        self.at["entry"] = (await host.send(put, "/entries", when)).path.rpartition("/")[2]
        fight = {"title": "A fight", "kind": "scene", "standing": "pass"}
        self.at["fight"] = (await host.send(put, "/entries", fight)).path.rpartition("/")[2]
        dwarvish = await host.get(f"{HOME}/gm/calendar/others?from=festivals")
        assert (await host.send(dwarvish, "/calendar/others", {"name": "Dwarvish"})).status == 200
        ahead = await host.get(f"{HOME}/gm/calendar/move")
        self.at["moved"] = (await host.send(ahead, "/calendar/go")).path.removeprefix(f"{HOME}/gm")
        assert "/moved/" in self.at["moved"]
        blue = {"ruleset": "toy", "sheet.name": "Blue Toy", "sheet.bruises": "60"}
        assert (await host.post(f"{HOME}/gm/characters", blue)).status == 200
        switched_on = await host.post(f"{HOME}/gm/people/group-link", {"_page": "people"})
        self.at["group"] = "/group/" + switched_on.values["group-link"].split("/group/")[1]
        for _ in range(2):
            invited = await host.send(await host.get(f"{HOME}/gm/people"), "/people/invite")
            self.at["invitation"] = "/join/" + invited.values["invitation-link"].split("/join/")[1]
        return self

    async def _end_a_scene(self, runtime: Runtime, rules: str, kind: str, *who: str) -> None:
        """One that is over, for what may be asked after it."""
        async with runtime.sessions.begin() as session:
            live = await self._open_a_scene(runtime, session, rules, kind, *who)
            await ending.release(session, live, "over", live.now)

    async def _paused_scene(self, runtime: Runtime, who: str) -> str:
        """Paused for more than a day, so that its players may vote to go on."""
        async with runtime.sessions.begin() as session:
            live = await self._open_a_scene(runtime, session, "toy", "door", who)
            host = (await session.scalars(select(Member).where(Member.handle == "gm"))).one()
            await pauses.pause(session, live, host)
            live.row.paused_at = live.now - timedelta(hours=25)
            return f"/scene/{live.id}"

    async def _open_a_scene(
        self, runtime: Runtime, session: AsyncSession, rules: str, kind: str, *who: str
    ) -> LoadedScene:
        campaign = (await session.scalars(select(Campaign).where(Campaign.demo))).one().id
        brief = Brief(kind=kind, title="Over", seats={Seat(one): (one,) for one in who}, given={})
        scene = await open_scene(session, runtime.vault, campaign, rules, brief)
        live = await lock(session, runtime.vault, campaign, scene)
        assert live is not None
        return live

    async def form_of(self, row: Row) -> tuple[Browser, str, Fields, set[str]]:
        """The row's form as its page shows it now: who sends it, where to, its fields, its free texts."""
        browser = self.seats.get(row.who) or self.open_browser()
        if not row.page:
            return browser, row.action.replace("{scene}", self.at.get("scene", "")), list(row.extra), set()
        page = await browser.get(self._address(row))
        assert page.status == 200, f"{row.page}: {page.status} {page.text[-300:]}"
        self.pages.setdefault(row.page, page)
        forms = [
            one
            for one in page.forms
            if fnmatch(one.action, f"*{row.action}") and (not row.pick or row.pick in one.names)
        ]
        assert forms, f"no form for {row.action} {row.pick} on {row.page}: {page.text[-600:]}"
        form = forms[0]
        extra = {name for name, _ in row.extra}
        fields = [(n, v) for n, v in form.fields if n not in extra] + list(row.extra)
        fields += [(name, "") for name in sorted(form.names - {n for n, _ in fields}) if not name.endswith("[]")]
        return browser, form.action or page.path, fields, _texts(page, form.names)

    async def set_the_scene(self) -> None:
        """On to the declarations, if none of the spoiled forms was good enough for that."""
        host = self.seats["GM"]
        page = await host.get(f"{HOME}/gm{self.at['scene']}")
        form = next((one for one in page.forms if "description" in one.names), None)
        if form is not None:
            assert (await host.post(form.action, form.fields)).status == 200

    def _address(self, row: Row) -> str:
        base, marker, rest = row.page.partition("{")
        return base + self.at[rest.rstrip("}")] if marker else row.page

    async def send(self, browser: Browser, action: str, sent: Sent) -> Page:
        self.site.state.meter = Meter()  # how often one may try is tested elsewhere
        said = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate", "Content-Type": sent.kind}
        answer = await browser.http.post(action, content=sent.body, headers=said)
        return Page(answer.status_code, action, answer.text, answer.headers)


def _texts(page: Page, names: set[str]) -> set[str]:
    """Which of a form's fields take free text."""
    inputs = re.findall(r'<(?:textarea|input(?=[^>]*type="text"))[^>]*\bname="([^"]+)"', page.html)
    return {name for name in inputs if name in names}


@pytest.fixture
async def table(site: FastAPI, open_browser: Open) -> AsyncIterator[Table]:
    yield await Table(site, open_browser).sit_down()


def unkept(page: Page) -> list[str]:
    """The forms in live parts of a page from which a refresh would take what was typed or chosen: without data-keep, or
    without an id of their own or around them (static/js/keep.js)."""
    found = []
    for form in LexborHTMLParser(page.html).css("[hx-trigger^='signet:changed'] form[method='post']"):
        if not form.css(CHOSEN_OR_TYPED):
            continue
        around = itertools.takewhile(lambda one: "hx-trigger" not in one.attributes, _upwards(form))
        if "data-keep" not in form.attributes or not any("id" in one.attributes for one in around):
            found.append(form.attributes.get("action") or "")
    return found


def _upwards(node: LexborNode | None) -> Iterator[LexborNode]:
    while node is not None:
        yield node
        node = node.parent


def changing_routes(site: FastAPI) -> set[str]:
    routes = [one.path for one in iter_route_contexts(site.routes) if "POST" in (one.methods or ())]
    return {path for path in routes if path}


async def test_every_address_that_changes_something_is_in_the_table(site: FastAPI) -> None:
    assert changing_routes(site) == {row.route for row in ROWS}


def faults_of(answer: Page, sent: Sent) -> list[str]:
    """What is wrong with an answer."""
    wrong: list[str] = []
    if answer.status >= 500:
        wrong.append(f"{answer.status}")
    elif answer.status >= 400:
        if not re.search(r'class="[^"]*\b(notice bad|fault)\b|role="alert"|<h1>', answer.html):
            wrong.append(f"{answer.status} without a word")
        seated = "This invitation was used" in answer.html or "Go to the table" in answer.html
        if answer.status == 422 or (answer.status == 409 and not seated):
            shown = html.unescape(answer.html)
            wrong += [f"{answer.status}, and what was typed is lost: {text}" for text in sent.kept if text not in shown]
    elif "<script>alert(1)" in answer.html:
        wrong.append("a script of somebody's")
    return wrong


async def test_whatever_is_sent_is_answered_in_words(table: Table) -> None:
    await table.set_up()
    wrong: list[str] = []
    for turn, row in enumerate(ROWS):
        browser, action, fields, texts = await table.form_of(row)
        for number, sent in enumerate(spoiled(fields, texts, turn)):
            if row.moves:  # each answer that is taken makes the form before it stale; that is tested once, below
                browser, action, now, texts = await table.form_of(row)
                sent = next(itertools.islice(spoiled(now, texts, turn), number, None))
            answer = await table.send(browser, action, sent)
            wrong += [f"{row.route} as {row.who}, {sent.called}: {fault}" for fault in faults_of(answer, sent)]
        if row.leads and not nightly():
            browser, action, fields, texts = await table.form_of(row)
            right = Sent("as it stands", encoded(signed(fields, texts)))
            assert (await table.send(browser, action, right)).status == 303, row.route
        if row.pick == "description":
            await table.set_the_scene()
    wrong += [f"{name}: {action} is not kept" for name, page in table.pages.items() for action in unkept(page)]
    assert wrong == [], "\n".join(wrong)


PLACES = ("nobody", "%00", "%ff%d8", "..%2f..%2fgm", "00000000-0000-0000-0000-000000000000", "1" * 3000, "<script>")


async def test_addresses_that_are_made_up_lead_to_a_page_that_says_so(site: FastAPI, table: Table) -> None:
    good = {"slug": "the-goblin-road", "handle": "gm", "who": "alice", "what": "pause", "token": "x" * 43}
    good["scene_id"] = table.at["scene"].rsplit("/", 1)[1]
    wrong: list[str] = []
    turns = itertools.cycle(PLACES)
    for route in sorted(changing_routes(site)):
        for part in re.findall(r"{(\w+)}", route):
            for place in PLACES if nightly() else (next(turns),):
                address = re.sub(r"{(\w+)}", lambda m: place if m[1] == part else good.get(m[1], place), route)  # noqa: B023
                answer = await table.send(table.seats["GM"], address, Sent(place, b"name=x&_step=r1/scene&_seat=gm"))
                if not 400 <= answer.status < 500 or "<h1>" not in answer.html:
                    wrong.append(f"{route} with {part} = {place[:40]}: {answer.status}")
    assert wrong == [], "\n".join(wrong)
