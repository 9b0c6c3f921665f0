"""People's pages over HTTP: from the first campaign to the last device, with and without the right to."""

import asyncio
import re
from collections.abc import Callable
from urllib.parse import urlsplit

import httpx2
import pytest
from fastapi import FastAPI
from sqlalchemy import func, select

from app.campaign import tokens
from app.models.people import Campaign, Device, Invitation, Member
from app.table.runtime import Runtime
from tests.web.browser import Browser, Page

pytestmark = pytest.mark.anyio

Open = Callable[[], Browser]
BASE = "/c/the-goblin-road"


async def found(browser: Browser, title: str = "The Goblin Road", name: str = "Gerda") -> Page:
    return await browser.send(await browser.get("/new"), "/new", {"title": title, "name": name, "ruleset": "toy"})


async def invite(gm: Browser, base: str = f"{BASE}/gerda", **typed: str) -> str:
    page = await gm.send(await gm.get(f"{base}/people"), "/people/invite", typed)
    assert page.status == 200, page.text
    return urlsplit(page.values["invitation-link"]).path


async def join(browser: Browser, path: str, name: str) -> Page:
    page = await browser.get(path)
    ticked = {"me": "yes"} if "me" in page.form("").names else {}
    return await browser.send(page, "", {"name": name, **ticked})


@pytest.fixture
async def gm(open_browser: Open) -> Browser:
    browser = open_browser()
    await found(browser)
    return browser


@pytest.fixture
async def alice(open_browser: Open, gm: Browser) -> Browser:
    browser = open_browser()
    await join(browser, await invite(gm), "Alice")
    return browser


async def count(site: FastAPI, model: type) -> int:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        return await session.scalar(select(func.count()).select_from(model)) or 0


async def test_from_a_new_campaign_to_two_at_the_table(open_browser: Open) -> None:
    gm, alice = open_browser(), open_browser()
    kept = await found(gm)
    assert kept.status == 200 and "Your campaign is ready" in kept.text and kept.path == f"{BASE}/gerda/"
    assert re.fullmatch(r"http://signet.test/enter/the-goblin-road/[\w-]{43}", kept.values["way-back"])
    home = await gm.get(f"{BASE}/gerda/")
    assert home.status == 200 and "Open the first scene" in home.text and "way-back" not in home.values
    seated = await join(alice, await invite(gm, for_name="Alice"), "Alice")
    assert seated.status == 200 and "You have joined, Alice" in seated.text and seated.path == f"{BASE}/alice/"
    home = await alice.get(f"{BASE}/alice/")
    assert home.status == 200 and "No scene yet" in home.text and "Gerda" in home.text


async def test_a_form_sent_twice_founds_one_campaign_and_seats_one_member(
    site: FastAPI, open_browser: Open, gm: Browser
) -> None:
    page = await gm.get("/new")
    answers = [await gm.send(page, "/new", {"title": "Twice", "name": "G"}) for _ in range(2)]
    assert answers[0].values["way-back"] == answers[1].values["way-back"]
    assert await count(site, Campaign) == 2
    alice = open_browser()
    page = await alice.get(await invite(gm))
    links = [(await alice.send(page, "", {"name": "Alice"})).values["way-back"] for _ in range(2)]
    assert links[0] == links[1] and await count(site, Member) == 3
    assert (await alice.get(f"{BASE}/alice/")).status == 200


async def test_previews_of_a_link_do_not_use_it(open_browser: Open, gm: Browser) -> None:
    path = await invite(gm)
    for _ in range(5):
        preview = await open_browser().get(path)
        assert preview.status == 200 and "set-cookie" not in preview.headers
    assert "You have joined" in (await join(open_browser(), path, "Alice")).text
    again = await open_browser().get(path)
    assert "This invitation was used" in again.text and "Alice has joined" in again.text


async def test_a_program_that_presses_the_only_button_uses_no_invitation_up(open_browser: Open, gm: Browser) -> None:
    """With a name filled in, or the heroes' buttons: nothing is typed and nothing ticked."""
    path = await invite(gm, for_name="Dora")
    scanner, form = open_browser(), (await open_browser().get(path)).form("")
    for pressed in ("", *(value for name, value in form.buttons if name == "hero")):
        answer = await scanner.post(path, [*form.fields, *([("hero", pressed)] if pressed else [])])
        assert answer.status == 409 and "Tick this box, then join." in answer.text, pressed
        assert dict(answer.form("").fields)["name"] == "Dora"
    assert "You have joined, Dora" in (await join(open_browser(), path, "Dora")).text


async def test_a_browser_without_cookies_is_told_so_and_loses_nothing(open_browser: Open, gm: Browser) -> None:
    path, typed = await invite(gm), {"name": "Alice"}
    page = await open_browser().get(path)
    refusing = open_browser()
    form = page.form("")
    fields = [(name, value) for name, value in form.fields if name not in typed] + list(typed.items())
    answer = await refusing.http.post(path, data=dict(fields), headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 303
    landed = await open_browser().get(answer.headers["location"])  # without the cookie
    assert landed.status == 401 and "this browser keeps no cookies" in landed.text
    kept = await open_browser().post(path, fields)  # the same form, once they are allowed
    assert kept.status == 200 and "You have joined, Alice" in kept.text


async def test_who_has_sat_down_is_led_to_the_table_by_the_same_invitation(
    site: FastAPI, open_browser: Open, gm: Browser
) -> None:
    path, erin = await invite(gm), open_browser()
    await join(erin, path, "Erin")
    again = await erin.get(path)
    assert again.status == 200 and "You are Erin here" in again.text and f'href="{BASE}/erin/"' in again.html
    assert "Go to the table" in again.text and "This invitation was used" not in again.text
    assert "You are Erin here" not in (await gm.get(path)).text
    assert "You are" not in (await erin.get(await invite(gm))).text, "another invitation is another chair"
    async with site.state.runtime.sessions.begin() as session:
        member = (await session.scalars(select(Member).where(Member.handle == "erin"))).one()
        member.removed_at = func.now()
    assert "This invitation was used" in (await erin.get(path)).text


async def test_of_twenty_who_press_at_once_one_sits_down(site: FastAPI, open_browser: Open, gm: Browser) -> None:
    path = await invite(gm)
    crowd = [open_browser() for _ in range(20)]
    pages = await asyncio.gather(*(one.get(path) for one in crowd))
    results = await asyncio.gather(
        *(one.send(page, "", {"name": f"Racer {n}"}) for n, (one, page) in enumerate(zip(crowd, pages, strict=True)))
    )
    assert sorted(result.status for result in results) == [200] + [409] * 19
    assert await count(site, Member) == 2
    inside = [(await one.get(f"{BASE}/racer-{n}/")).status for n, one in enumerate(crowd)]
    assert [n for n, status in enumerate(inside) if status == 200] == [
        n for n, result in enumerate(results) if result.status == 200
    ]


async def test_a_personal_link_seats_another_device_and_dies_when_a_new_one_is_made(
    site: FastAPI, open_browser: Open, gm: Browser
) -> None:
    alice, phone, late = open_browser(), open_browser(), open_browser()
    first = urlsplit((await join(alice, await invite(gm), "Alice")).values["way-back"]).path
    welcome = await phone.get(first)
    assert "Welcome back, Alice" in welcome.text and (await phone.get(f"{BASE}/alice/")).status == 401
    assert (await phone.send(welcome, "/enter")).path == f"{BASE}/alice/"
    devices = await count(site, Device)
    assert (await phone.send(await phone.get(first), "/enter")).status == 200
    assert await count(site, Device) == devices, "a browser that sits there already is not one more device"
    code = re.search(
        r"[2-9A-Z]{4}-[2-9A-Z]{4}", (await phone.send(await phone.get(f"{BASE}/alice/you"), "/you/code")).text
    )
    page = await alice.send(await alice.get(f"{BASE}/alice/you"), "/you/link")
    second = urlsplit(page.values["way-back"]).path
    assert (await late.get(first)).status == 404
    assert (await late.send(welcome, "/enter")).status == 404
    assert (await late.get(second)).status == 200
    assert "all your other browsers are signed out" in page.text and (await alice.get(f"{BASE}/alice/")).status == 200
    assert (await phone.get(f"{BASE}/alice/")).status == 401, "it may be whoever has seen the link"
    assert code is not None
    tried = await phone.post("/code", {"campaign": "the-goblin-road", "code": code[0]})
    assert tried.status == 422 and "This code does not work" in tried.text


async def test_nobody_elses_page_shows_a_way_in(open_browser: Open, gm: Browser) -> None:
    alice = open_browser()
    link = (await join(alice, await invite(gm), "Alice")).values["way-back"].rsplit("/", 1)[1]
    for path in ("/", "/people", "/you"):
        page = await gm.get(f"{BASE}/gerda{path}")
        assert page.status == 200 and link not in page.html and "/enter/" not in page.html.replace("/enter/</code>", "")


async def test_a_code_seats_one_more_device(open_browser: Open, gm: Browser, alice: Browser) -> None:
    shown = await alice.send(await alice.get(f"{BASE}/alice/you"), "/you/code")
    code = re.search(r"[2-9A-Z]{4}-[2-9A-Z]{4}", shown.text.split("type:")[1])
    assert code is not None
    phone = open_browser()
    wrong = await phone.send(await phone.get("/code/the-goblin-road"), "/code", {"code": "aaaa bbbb"})
    assert wrong.status == 422 and "This code does not work" in wrong.text
    assert dict(wrong.form("/code").fields) == {"campaign": "the-goblin-road", "code": "aaaa bbbb"}
    seated = await phone.send(wrong, "/code", {"code": code[0].lower().replace("-", "")})
    assert seated.path == f"{BASE}/alice/" and seated.status == 200
    again = open_browser()
    closed = await again.get(f"{BASE}/alice/")
    assert closed.status == 401
    assert (await again.send(closed, "/code", {"code": code[0]})).status == 422


@pytest.mark.parametrize(
    "typed",
    ["The Goblin Road", "the-goblin-road", "http://192.168.0.7:8000/c/the-goblin-road/alice/", "/code/the-goblin-road"],
)
async def test_a_campaign_is_found_by_title_name_or_address(open_browser: Open, alice: Browser, typed: str) -> None:
    shown = await alice.send(await alice.get(f"{BASE}/alice/you"), "/you/code")
    code = re.search(r"[2-9A-Z]{4}-[2-9A-Z]{4}", shown.text.split("type:")[1])
    phone = open_browser()
    page = await phone.send(await phone.get("/code"), "/code", {"campaign": typed, "code": code[0] if code else ""})
    assert page.path == f"{BASE}/alice/"


async def test_guessing_codes_is_stopped(open_browser: Open, alice: Browser) -> None:
    thief = open_browser()
    page = await thief.get("/code/the-goblin-road")
    answers = [(await thief.send(page, "/code", {"code": f"AAAA-AAA{n}"})).status for n in range(2, 10)]
    answers += [(await thief.send(page, "/code", {"code": f"BBBB-BBB{n}"})).status for n in range(2, 6)]
    assert answers == [422] * 10 + [429] * 2


async def test_what_is_shown_once_stands_on_a_page_that_can_be_loaded_again(gm: Browser, alice: Browser) -> None:
    """Behind every change is a page with an address of its own; the secret stands in no address."""
    presses = (
        (gm, f"{BASE}/gerda/people", "/people/invite", "invitation-link"),
        (alice, f"{BASE}/alice/you", "/you/link", "way-back"),
        (alice, f"{BASE}/alice/you", "/you/code", ""),
        (alice, f"{BASE}/alice/calendar/feeds", "/feeds/make", "feed-real"),
    )
    for browser, page, action, field in presses:
        made = await browser.send(await browser.get(page), action)
        assert made.status == 200 and made.path == page
        secret = made.values[field] if field else re.findall(r"\b[2-9A-Z]{4}-[2-9A-Z]{4}\b", made.text)[0]
        what = {"way-back": "link", "": "code", "feed-real": "address"}.get(field, "invitation")
        assert secret in (await browser.get(f"{page}?new={what}")).html, "loaded again"
        assert secret not in (await browser.get(page)).html
    shown = {"signet_shown": tokens.fresh()}
    for browser, page, what in ((gm, f"{BASE}/gerda/people", "invitation"), (alice, f"{BASE}/alice/you", "link"),
                                (alice, f"{BASE}/alice/calendar/feeds", "address")):  # fmt: skip
        browser.http.cookies.set("signet_shown", shown["signet_shown"], domain="signet.test", path=page)
        planted = await browser.get(f"{page}?new={what}")
        assert planted.status == 200 and shown["signet_shown"] not in planted.html, "what opens nothing is not shown"
    alice.http.cookies.set("signet_shown", shown["signet_shown"], domain="signet.test", path=f"{BASE}/alice")
    assert "way-back" not in (await alice.get(f"{BASE}/alice/?new=seat")).values


async def test_a_browser_is_shown_out_by_its_owner(open_browser: Open, gm: Browser) -> None:
    alice, phone = open_browser(), open_browser()
    link = urlsplit((await join(alice, await invite(gm), "Alice")).values["way-back"]).path
    await phone.send(await phone.get(link), "/enter")
    you = await alice.get(f"{BASE}/alice/you")
    other = [form.action for form in you.forms if form.action.endswith("/close")]
    assert len(other) == 2 and "Firefox on Linux" in you.text
    assert "other browsers are signed out" in (await alice.send(you, "/close-others")).text
    assert (await phone.get(f"{BASE}/alice/")).status == 401
    you = await alice.get(f"{BASE}/alice/you")
    left = await alice.send(you, "/close")
    assert left.path.split("?")[0] == "/" and (await alice.get(f"{BASE}/alice/")).status == 401
    assert {cookie.name for cookie in alice.http.cookies.jar if cookie.value} == {"signet_joined"}, "no secret is left"


async def test_the_wrong_seat_stays_closed(open_browser: Open, gm: Browser, alice: Browser) -> None:
    other = open_browser()
    await found(other, title="Elsewhere", name="Otto")
    for browser, path in ((alice, f"{BASE}/gerda/"), (gm, f"{BASE}/alice/"), (gm, "/c/elsewhere/otto/")):
        page = await browser.get(path)
        assert page.status == 401 and "not signed in to this seat" in page.text and page.has_form("/code")
    cookie = next(one for one in alice.http.cookies.jar if one.name == "signet")
    for path in (f"{BASE}/gerda/", "/c/elsewhere/otto/", f"{BASE}/nobody/", "/c/no-such/alice/"):
        stolen = httpx2.Cookies({"signet": cookie.value or ""})
        other.http.cookies = stolen
        assert (await other.get(path)).status == 401, path


async def test_another_campaigns_things_are_not_there(site: FastAPI, open_browser: Open, gm: Browser) -> None:
    otto = open_browser()
    await found(otto, title="Elsewhere", name="Otto")
    await invite(otto, "/c/elsewhere/otto")
    await otto.post("/c/elsewhere/otto/characters", {"ruleset": "toy", "sheet.name": "Rex", "sheet.luck": "1"})
    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        foreign = await session.scalar(select(Invitation.id))
        device = await session.scalar(
            select(Device.id).join(Member, Device.member_id == Member.id).where(Member.handle == "otto")
        )
    base = f"{BASE}/gerda"
    for path in ("/characters/rex", "/characters/rex/edit"):
        assert (await gm.get(base + path)).status == 404, path
    for path in (
        f"/people/invitations/{foreign}/renew",
        f"/people/invitations/{foreign}/revoke",
        "/people/of/otto/remove",
        "/people/of/otto/invite",
        f"/you/devices/{device}/close",
        "/characters/rex/aside",
    ):
        assert (await gm.post(base + path)).status == 404, path
    handed = await gm.post(f"{base}/people/hand-over", {"character": "rex", "to": ""})
    assert handed.status == 404 and "no such character" in handed.text
    assert (await otto.get("/c/elsewhere/otto/characters/rex")).status == 200


async def test_players_have_no_gm_powers(site: FastAPI, open_browser: Open, gm: Browser, alice: Browser) -> None:
    base = f"{BASE}/alice"
    page = await alice.get(f"{base}/people")
    assert not page.has_form("/invite") and not page.has_form("/remove")
    assert "Only GMs see these" not in (await alice.get(f"{base}/")).text
    for path in ("/people/invite", "/people/of/gerda/remove", "/people/of/alice/role", "/notes", "/campaign"):
        refused = await alice.post(base + path, {"role": "gm", "title": "Mine", "body": "x", "ruleset": "toy"})
        assert refused.status == 403 and "GM" in refused.text, path
    assert await count(site, Invitation) == 1


async def test_a_removed_member_is_out_at_once(gm: Browser, alice: Browser) -> None:
    await alice.post(f"{BASE}/alice/characters", {"ruleset": "toy", "sheet.name": "Rex", "sheet.luck": "1"})
    page = await gm.get(f"{BASE}/gerda/people")
    assert "plays Rex" in page.text
    out = await gm.send(page, "/people/of/alice/remove")
    assert out.status == 200 and "Player removed" in out.text and not out.has_form("/of/alice/remove")
    assert (await alice.get(f"{BASE}/alice/")).status == 401
    assert (await alice.post(f"{BASE}/alice/you/link")).status == 401
    assert "GM characters" in (await gm.get(f"{BASE}/gerda/")).text


async def test_the_only_gm_stays(gm: Browser, alice: Browser) -> None:
    page = await gm.get(f"{BASE}/gerda/people")
    refused = await gm.send(page, "/people/of/gerda/role", {"role": "player"})
    assert refused.status == 409 and "is the only GM" in refused.text
    assert (await gm.send(page, "/people/of/alice/role", {"role": "gm"})).status == 200
    assert (await alice.get(f"{BASE}/alice/people")).has_form("/invite")
    stepped_down = await gm.send(page, "/people/of/gerda/role", {"role": "player"})
    assert stepped_down.status == 200 and not stepped_down.has_form("/invite")
    assert (await gm.post(f"{BASE}/gerda/people/of/alice/role", {"role": "player"})).status == 403
    assert (await gm.get(f"{BASE}/gerda/")).status == 200


async def test_an_invitation_into_somebodys_place(open_browser: Open, gm: Browser, alice: Browser) -> None:
    await alice.post(f"{BASE}/alice/characters", {"ruleset": "toy", "sheet.name": "Rex", "sheet.luck": "1"})
    page = await gm.send(await gm.get(f"{BASE}/gerda/people"), "/of/alice/invite")
    path = urlsplit(page.values["invitation-link"]).path
    assert (await alice.get(f"{BASE}/alice/")).status == 200, "nothing happens before somebody sits down"
    new = open_browser()
    welcome = await new.get(path)
    assert "Your character: Rex." in welcome.text and dict(welcome.form("").fields)["name"] == "Alice"
    assert (await new.send(welcome, "", {"me": "yes"})).status == 200
    assert (await alice.get(f"{BASE}/alice/")).status == 401
    assert "Yours" in (await new.get(f"{BASE}/alice-2/")).text


async def test_invitations_show_their_state_and_can_be_withdrawn(open_browser: Open, gm: Browser) -> None:
    path = await invite(gm, for_name="Bob")
    page = await gm.get(f"{BASE}/gerda/people")
    assert "not used yet" in page.text
    renewed = await gm.send(page, "/renew")
    fresh = urlsplit(renewed.values["invitation-link"]).path
    assert (await open_browser().get(path)).status == 404
    gone = await gm.send(renewed, "/revoke")
    assert "withdrawn" in gone.text
    late = await open_browser().get(fresh)
    assert late.status == 410 and "was withdrawn" in late.text and not late.has_form("")


async def test_the_gms_notes_and_the_campaigns_words(gm: Browser, alice: Browser) -> None:
    home = await gm.get(f"{BASE}/gerda/")
    kept = await gm.send(home, "/notes", {"body": "The inn burns.\r\nNobody knows."})
    assert "Your notes are saved" in kept.text and "The inn burns.\nNobody knows." in kept.html
    stale = await gm.send(home, "/notes", {"body": "I had a better idea"})
    assert stale.status == 409 and "Someone changed" in stale.text
    assert "I had a better idea" in stale.text and "The inn burns." in stale.text
    assert "The inn burns" not in (await alice.get(f"{BASE}/alice/")).text
    named = await gm.send(home, "/campaign", {"title": "The Orc Road", "about": "Mud & <b>rain</b>"})
    assert named.status == 200 and "Mud & <b>rain</b>" in named.text and "<b>rain" not in named.html
    assert "The Orc Road" in (await alice.get(f"{BASE}/alice/")).text


async def test_sheets_are_made_kept_handed_over_and_laid_aside(gm: Browser, alice: Browser) -> None:
    base = f"{BASE}/alice/characters"
    made = await alice.send(await alice.get(f"{base}/new"), "/characters", {"sheet.name": "Rex", "sheet.luck": "2"})
    assert made.path == f"{base}/rex" and "Character created" in made.text and "yours" in made.text
    old = await alice.get(f"{base}/rex/edit")
    kept = await alice.send(old, "/rex", {"sheet.name": "Rex the Bold", "sheet.luck": "3"})
    assert kept.path == f"{base}/rex" and "Rex the Bold" in kept.text
    stale = await alice.send(old, "/rex", {"sheet.name": "Rex the Late", "sheet.luck": "4"})
    assert stale.status == 409 and dict(stale.form("/rex").fields)["sheet.name"] == "Rex the Late"
    assert (await alice.send(stale, "/rex")).status == 200, "having seen the warning, it may be kept"
    people = await alice.get(f"{BASE}/alice/people")
    handed = await alice.send(people, "/hand-over", {"character": "rex", "to": "gerda"})
    assert handed.status == 200 and "Character handed over" in handed.text
    assert (await alice.get(f"{base}/rex/edit")).status == 403
    assert (await alice.post(f"{base}/rex", {"sheet.name": "Mine again", "sheet.luck": "0"})).status == 403
    aside = await gm.send(await gm.get(f"{BASE}/gerda/characters/rex"), "/aside")
    assert "Character retired" in aside.text and "Retired (1)" in (await gm.get(f"{BASE}/gerda/")).text
    assert (await gm.send(aside, "/back")).status == 200


async def test_gms_make_sheets_for_others_and_spectators_make_none(
    open_browser: Open, gm: Browser, alice: Browser
) -> None:
    page = await gm.get(f"{BASE}/gerda/characters/new")
    made = await gm.send(page, "/characters", {"sheet.name": "Rex", "sheet.luck": "0", "owner": "alice"})
    assert "played by Alice" in made.text
    sam = open_browser()
    await join(sam, await invite(gm, role="spectator"), "Sam")
    assert (await sam.get(f"{BASE}/sam/characters/new")).status == 403
    assert (await sam.post(f"{BASE}/sam/characters", {"ruleset": "toy", "sheet.name": "X"})).status == 403
    refused = await gm.send(page, "/characters", {"sheet.name": "Sly", "sheet.luck": "0", "owner": "sam"})
    assert refused.status == 409 and "only watches" in refused.text


async def test_names_tell_people_apart_and_are_shown_as_text(open_browser: Open, gm: Browser, alice: Browser) -> None:
    renamed = await alice.send(await alice.get(f"{BASE}/alice/you"), "/you/name", {"name": "<script>alert(1)</script>"})
    assert renamed.status == 200 and "<script>alert(1)" not in renamed.html and renamed.path == f"{BASE}/alice/you"
    taken = await alice.send(renamed, "/you/name", {"name": "gerda"})
    assert taken.status == 409 and "already has a player called Gerda" in taken.text
    assert dict(taken.form("/you/name").fields)["name"] == "gerda"
    bob = open_browser()
    refused = await join(bob, await invite(gm), "GERDA")
    assert refused.status == 409 and "already has a player called Gerda" in refused.text


async def test_several_seats_live_in_one_browser(gm: Browser) -> None:
    await join(gm, await invite(gm), "Alice")
    await join(gm, await invite(gm), "Bob")
    for handle, name in (("gerda", "Gerda"), ("alice", "Alice"), ("bob", "Bob")):
        page = await gm.get(f"{BASE}/{handle}/you")
        assert page.status == 200 and dict(page.form("/you/name").fields)["name"] == name


async def test_open_pages_fetch_their_live_part_alone(gm: Browser, alice: Browser) -> None:
    for browser, base in ((gm, f"{BASE}/gerda"), (alice, f"{BASE}/alice")):
        for path, inside in (("/live", "Scenes"), ("/people/live", "At the table")):
            part = await browser.get(base + path, **{"HX-Request": "true"})
            assert part.status == 200 and "<html" not in part.html and inside in part.text
            assert part.html.strip().startswith('<div id="live"')
    assert "Withdraw" not in (await alice.get(f"{BASE}/alice/people/live")).text


async def test_an_empty_chair_is_offered_with_one_press(open_browser: Open, gm: Browser) -> None:
    await gm.post(f"{BASE}/gerda/characters", {"ruleset": "toy", "sheet.name": "Rex", "sheet.luck": "1", "owner": ""})
    page = await gm.get(f"{BASE}/gerda/people")
    chair = next(
        form for form in page.forms if ("role", "player") in form.fields and dict(form.fields).get("characters")
    )
    made = await gm.post(chair.action, chair.fields)
    welcome = await open_browser().get(urlsplit(made.values["invitation-link"]).path)
    assert "Your character: Rex." in welcome.text
    assert "Empty chairs" in (await gm.get(f"{BASE}/gerda/people/live")).text
