"""Each form of the people's pages with wrong, huge and hostile values: a word at the field, the text kept, never a 500.

The table names each form once; a form that is not in it fails the last test.
"""

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute

from tests.web.browser import Browser, Page
from tests.web.test_people_pages import BASE, found, invite, join

Open = Callable[[], Browser]

LONG = "x" * 30_000
RECORD = "9" * 5000
HOSTILE = {
    "a NUL byte": "a\x00b",
    "control signs": "a\x07\x1bb",
    "a turned word": "abc\u202egnp.exe",
    "bytes that are no text": "\udcff\udcfe",
    "half of a pair": "\ud800",
    "markup": "<img src=x onerror=alert(1)>\"'><script>",
    "template language": "{{ 7 * 7 }}{% raise %}",
    "a database's words": "'; DROP TABLE members; --",
    "a path": "../../../etc/passwd",
    "only invisible signs": "\u200b\u2060",
    "blanks": "   \t ",
    "nothing": "",
    "very long": LONG,
    "a record": RECORD,
    "no number": "NaN",
    "infinity": "1e999",
    "below zero": "-1",
    "a list": "[1,2,3]",
    "many scripts": "Zoë 张伟 Ωμέγα 👩‍👩‍👧",
}


@dataclass(frozen=True)
class Place:
    """One form: where its page is, where it goes, what is put into which fields, and what would be right."""

    page: str
    action: str
    fields: tuple[str, ...] = ()
    right: dict[str, str] = field(default_factory=dict)
    who: str = "gm"


PLACES = (
    Place(
        "/new", "/new", ("title", "name", "ruleset", "_once"), {"title": "A", "name": "B", "ruleset": "toy"}, "guest"
    ),
    Place("JOIN", "", ("name", "_once"), {"name": "Nina"}, "guest"),
    Place("ENTER", "/enter", ("_token",), {}, "guest"),
    Place("/code/the-goblin-road", "/code", ("campaign", "code"), {"code": "ABCD-EFGH"}, "guest"),
    Place("/", "/notes", ("body", "version"), {"body": "x"}),
    Place("/", "/campaign", ("title", "about", "ruleset"), {}),
    Place("/delete", "/delete", ("typed",), {"typed": "?"}),
    Place("/people", "/people/invite", ("for_name", "role", "_once"), {}),
    Place("/people", "/people/of/alice/role", ("role",), {}),
    Place("/people", "/people/of/alice/invite", ("_once",), {}),
    Place("/people", "/renew", ("_once",), {}),
    Place("/people", "/people/hand-over", ("character", "to"), {}),
    Place("/lines", "/lines", ("text", "kind"), {"text": "Spiders"}),
    Place("/you", "/you/name", ("name",), {}),
    Place("/you", "/you/link", ("_once",), {}),
    Place("/you", "/you/drafts", ("drafts",), {}),
    Place(
        "/characters/new?ruleset=toy",
        "/characters",
        ("ruleset", "owner", "sheet.name", "sheet.luck"),
        {"sheet.name": "Rex", "sheet.luck": "1"},
    ),
    Place("/characters/ann", "/characters/ann/care", ("seen", "care.helper"), {}),
    Place("/characters/ann/edit", "/characters/ann", ("version", "sheet.name", "sheet.luck"), {}),
    Place("/characters/mine", "/characters/mine/goals", ("body", "version"), {"body": "x"}),
    Place("/characters/ann", "/characters/ann/hand-over", ("to",), {}),
    Place("/characters/ann", "/characters/ann/promote", ("to",), {}),
    Place("/characters/dead", "/characters/dead/successor", ("who",), {}),
    Place("/characters/dead", "/characters/dead/later", ("later",), {}),
    Place(
        "/own/new?rules=arcana&kind=spells",
        "/own",
        (
            *(
                "own.name",
                "own.discipline",
                "own.level",
                "own.upkeep",
                "own.note",
                "own.shape.form",
                "own.shape.metres",
            ),
            *("own.accuracy", "own.resist.attr", "own.resist.prof", "own.effect.0.op", "own.effect.0.n"),
            *("own.effect.0.d", "own.effect.0.type", "own.effect.1.op", "ruleset", "kind"),
        ),
        {"own.name": "Frost"},
    ),
    Place(
        "/own/new?rules=arcana&kind=foes&like=troll",
        "/own",
        (
            *("own.name", "own.hp.0", "own.attributes.ATH.1", "own.size", "own.speed", "own.attacks.0.key"),
            *("own.attacks.0.d.2", "own.attacks.0.reach", "own.attacks.2.key", "own.resists.fire", "own.note"),
            *("own.schools.sorcery", "own.immune_below", "own.level"),
        ),
        {"own.name": "Hag"},
    ),
    Place("/own/own_bog_hag", "/own/own_bog_hag", ("version", "own.name", "own.hide.0"), {}),
    Place("/own/own_bog_hag", "/delete", ("told",), {}),
    Place("/characters/ann", "/characters/ann/notes", ("body", "version"), {"body": "x"}),
)
NO_FIELDS = (
    "/people/of/alice/remove",
    "/revoke",
    "/you/code",
    "/close",
    "/close-others",
    "/aside",
    "/aid",  # buttons alone; what else may be sent there is in test_bad_input.py
    "/promotions",  # a list alone, as above
    "/grow",
    "/back",
    "/confirm",
)


@pytest.fixture
async def table(site: FastAPI, open_browser: Open) -> dict[str, Browser | str]:
    """A GM with a character, Alice, an open invitation, and Alice's personal link."""
    gm, alice = open_browser(), open_browser()
    await found(gm)
    link = (await join(alice, await invite(gm), "Alice")).values["way-back"]
    await gm.post(f"{BASE}/gerda/characters", {"ruleset": "toy", "sheet.name": "Ann", "sheet.luck": "1"})
    dead = {"ruleset": "toy", "sheet.name": "Dead", "sheet.luck": "-13", "owner": "alice"}
    await gm.post(f"{BASE}/gerda/characters", dead)
    mine = {"ruleset": "toy", "sheet.name": "Mine", "sheet.luck": "1", "owner": "gerda"}
    await gm.post(f"{BASE}/gerda/characters", mine)
    hag = await gm.get(f"{BASE}/gerda/own/new?rules=arcana&kind=foes&like=troll")
    assert (await gm.send(hag, "/own", {"own.name": "Bog Hag"})).status == 200
    return {"gm": gm, "alice": alice, "JOIN": await invite(gm), "ENTER": urlsplit(link).path, "guest": open_browser()}


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rates have tests of their own; here one sender does more in a second than a person does in an hour."""
    monkeypatch.setattr("app.web.http.limits.Meter.wait", lambda *_: 0.0)


async def open_page(table: dict[str, Browser | str], place: Place) -> tuple[Browser, Page]:
    browser = table[place.who]
    assert isinstance(browser, Browser)
    known = table.get(place.page, place.page)
    path = str(known) if place.who == "guest" else f"{BASE}/gerda{place.page}"
    page = await browser.get(path)
    assert page.status == 200, (path, page.text)
    return browser, page


EACH_COMMIT = ("/new", "/lines", "/characters", "/own")
"""The forms that a commit tries: read by hand, of the campaign, a ruleset's sheet, and a ruleset's own things."""


@pytest.mark.anyio
async def test_one_hostile_value_a_field_is_answered_in_words(table: dict[str, Browser | str]) -> None:
    """The short form of the next test, for each commit; no place of these is changed by an answer."""
    kinds = itertools.cycle(HOSTILE)
    for action in EACH_COMMIT:
        place = next(one for one in PLACES if one.action == action)
        browser, page = await open_page(table, place)
        for name in place.fields:
            await _send(browser, page, place, name, next(kinds))


@pytest.mark.nightly
@pytest.mark.anyio
@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place.page} {place.action}")
async def test_hostile_values_are_answered_in_words(table: dict[str, Browser | str], place: Place) -> None:
    for name in place.fields:
        browser, page = await open_page(table, place)
        for kind in HOSTILE:
            answer = await _send(browser, page, place, name, kind)
            if place.page == "JOIN" and answer.status == 200:
                gm = table["gm"]
                assert isinstance(gm, Browser)
                table["JOIN"] = await invite(gm)
                browser, page = await open_page(table, place)


async def _send(browser: Browser, page: Page, place: Place, name: str, kind: str) -> Page:
    """Send a page's form with a hostile value in one field, all others right, and look at the answer."""
    form, value = page.form(place.action), HOSTILE[kind]
    pairs = [(key, text) for key, text in form.fields if key not in place.right and key != name]
    pairs += [(key, text) for key, text in place.right.items() if key != name] + [(name, value)]
    answer = await browser.post(form.action or page.path, _encodable(pairs))
    where = f"{kind} in {name} of {place.action}"
    assert answer.status < 500, where
    assert answer.status in (200, 404, 409, 410, 422), (where, answer.status)
    assert "<h1" in answer.html and "Traceback" not in answer.html, where
    assert "<script>alert" not in answer.html and "<img src=x" not in answer.html, where
    if answer.status == 422 and name in _texts(answer, place.action):
        _keeps(answer, place, name, value, where)
    return answer


def _encodable(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Lone surrogates as a browser would send them: as the sign for what cannot be said."""
    return [(name, value.encode("utf-8", "replace").decode()) for name, value in pairs]


def _texts(answer: Page, action: str) -> set[str]:
    if not answer.has_form(action):
        return set()
    shown = re.findall(r"<(?:input|textarea)[^>]*>", answer.html)
    named = {name: tag for tag in shown for name in re.findall(r'name="([^"]+)"', tag)}
    return {name for name, tag in named.items() if 'type="hidden"' not in tag and 'type="radio"' not in tag}


def _keeps(answer: Page, place: Place, name: str, value: str, where: str) -> None:
    assert "aria-invalid" in answer.html and 'class="fault"' in answer.html, where
    kept = dict(answer.form(place.action).fields)[name]
    sent = value.encode("utf-8", "replace").decode().replace("\0", "\ufffd")  # as a browser reads a NUL in a page
    assert kept.replace("\r\n", "\n").strip() == sent.strip() or kept == sent, where


@pytest.mark.anyio
async def test_a_thousand_boxes_and_strange_names_are_answered_in_words(table: dict[str, Browser | str]) -> None:
    gm = table["gm"]
    assert isinstance(gm, Browser)
    odd: list[tuple[str, str]] = [
        ("sheet.name.x", "1"), ("sheet.name", "2"), ("sheet." + "a." * 50 + "b", "3"), ("sheet[]", "4"), ("", "5"),
        ("sheet..", "6"), ("sheet.luck[]", "7"), ("\x00", "8"), ("constructor", "9"), ("__proto__.x", "10"),
    ]  # fmt: skip
    for pairs in ([pair] for pair in odd if pair[0] != "sheet.name"):
        answer = await gm.post(f"{BASE}/gerda/characters", [("ruleset", "toy"), *pairs])
        assert answer.status == 422 and "<h1" in answer.html, pairs
    answer = await gm.post(f"{BASE}/gerda/characters", [("ruleset", "toy"), *odd])
    assert answer.status == 422
    many = [("characters", str(n)) for n in range(1000)] + [("role", "player")]
    assert (await gm.post(f"{BASE}/gerda/people/invite", many)).status == 422


@pytest.mark.anyio
async def test_addresses_that_are_no_addresses_lead_nowhere(table: dict[str, Browser | str]) -> None:
    gm = table["gm"]
    assert isinstance(gm, Browser)
    odd = ["x", "%00", "%ff", "..%2f..", "a" * 3000, "0" * 36, "%F0%9F%90%89", "null", "-1", "%3Cscript%3E"]
    for one in odd:
        for path in (f"/characters/{one}", f"/characters/{one}/edit"):
            assert (await gm.get(f"{BASE}/gerda{path}")).status == 404, path
        for path in (
            f"/people/of/{one}/remove",
            f"/people/invitations/{one}/revoke",
            f"/you/devices/{one}/close",
            f"/characters/{one}",
        ):
            assert (await gm.post(f"{BASE}/gerda{path}")).status == 404, path
        for path in (f"/join/the-goblin-road/{one}", f"/join/{one}/{'a' * 43}", f"/enter/{one}/{'a' * 43}"):
            assert (await gm.get(path)).status == 404, path
        assert (await gm.get(f"/c/{one}/gerda/")).status == (404 if "/" in unquote(one) else 401), one
        assert (await gm.get(f"/c/the-goblin-road/{one}/")).status in (401, 404), one
        assert (await gm.get(f"/code/{one}")).status == (404 if "/" in unquote(one) else 200), one
    for query, status in (("ruleset=%00", 404), ("ruleset=" + "a" * 5000, 404), ("sample=%00&ruleset=toy", 200)):
        assert (await gm.get(f"{BASE}/gerda/characters/new?{query}")).status == status, query


@pytest.mark.anyio
async def test_cookies_of_any_form_open_nothing(site: FastAPI, open_browser: Open) -> None:
    browser = open_browser()
    for value in ("", "x", "a" * 43, "a" * 5000, '"', "a=b; signet=c", "%00", "é"):
        header = {"Cookie": f"signet={value}".encode("latin-1")}
        answer = await browser.http.get(f"{BASE}/gerda/", headers=header)
        assert answer.status_code == 401, value


def test_every_form_is_in_the_table() -> None:
    from app.web.campaign import home
    from app.web.characters import lifecycle, sheets
    from app.web.homebrew import pages
    from app.web.members import entry, my_seat, people

    posts = [
        route.path
        for room in (home, sheets, entry, lifecycle, pages, people, my_seat)
        for route in room.router.routes
        if isinstance(route, APIRoute) and "POST" in route.methods
    ]
    covered = {place.action for place in PLACES if place.action} | set(NO_FIELDS) | {"/join/{slug}/{token}"}

    def known(path: str) -> bool:
        known = {"/of/": "alice", "/successor": "dead", "/later": "dead", "/goals": "mine"}
        path = path.replace("{thing}", "own_bog_hag")
        plain = path.replace("{who}", next((who for part, who in known.items() if part in path), "ann"))
        return any(plain.endswith(action) for action in covered)

    assert len(posts) > 15 and [path for path in posts if not known(path)] == []
