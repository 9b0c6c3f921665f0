"""Calling decisions as a browser without JavaScript does it, playing them, and what nobody may read of them."""

import html
import re
import uuid
from collections.abc import Callable, Sequence
from typing import Any, get_args

import pytest
from fastapi import FastAPI

from app.campaign import seats, tokens
from app.engine.chance import Roll
from app.models.people import Campaign
from app.receipts.file import parse
from app.receipts.verify import check
from app.rulesets.council import events as ev
from app.table.reading import EventSight, sight
from app.table.runtime import Runtime
from app.web.drawing.sentences import event_reason
from app.web.http.templating import environment
from tests.table.table import Table, sit_down
from tests.web.browser import Browser, Page

pytestmark = pytest.mark.anyio

EYES = ("gm", "ann", "bea", "cyd", "sam")


class Evening:
    """Ann, Bea, Cyd, a GM and Sam, who watches, each with a browser."""

    def __init__(self, table: Table, slug: str, browsers: dict[str, Browser]) -> None:
        self.table, self.slug, self.browsers = table, slug, browsers

    def at(self, who: str, path: str = "/") -> str:
        return f"/c/{self.slug}/{who}{path}"

    async def get(self, who: str, path: str = "/") -> Page:
        return await self.browsers[who].get(self.at(who, path))

    async def scene(self, who: str) -> Page:
        page = await self.get(who, f"/scene/{self.table.scene}")
        assert page.status == 200
        return page

    async def call(self, kind: str, typed: dict[str, str], by: str = "gm", without: Sequence[str] = ()) -> Page:
        """Fill in the form and send it; the scene it opens is the evening's from now on."""
        page = await self.get(by, f"/decide/{kind}")
        assert page.status == 200, page.text
        form = page.form(f"/decide/{kind}")
        assert set(typed) <= form.names, form.names
        fields = [(n, v) for n, v in form.fields if n not in typed and v not in without] + list(typed.items())
        answer = await self.browsers[by].post(form.action, fields)
        if found := re.search(r"/scene/([0-9a-f-]{36})$", answer.path):
            self.table.scene = uuid.UUID(found[1])
        return answer

    async def answer(self, who: str, seat: str = "", **typed: str) -> Page:
        page = await self.scene(who)
        forms = [one for one in page.forms if one.action.endswith("/lay")]
        form = next(one for one in forms if not seat or ("_seat", seat) in one.fields)
        names = {name.replace("__", ".") for name in typed}
        fields = [(n, v) for n, v in form.fields if n not in names and n != "_act"]
        fields += [(name.replace("__", "."), value) for name, value in typed.items()]
        return await self.browsers[who].post(form.action, [*fields, ("_act", "seal")])


@pytest.fixture
async def evening(site: FastAPI, open_browser: Callable[[], Browser]) -> Evening:
    runtime: Runtime = site.state.runtime
    table = await sit_down(runtime)
    browsers: dict[str, Browser] = {}
    async with runtime.sessions.begin() as session:
        campaign = await session.get(Campaign, table.campaign)
        assert campaign is not None
        for who in EYES:
            browsers[who], token = open_browser(), tokens.fresh()
            await seats.sit_down(session, table.people[who], "test", token)
            browsers[who].http.cookies.set("signet", token, domain="signet.test", path=f"/c/{campaign.slug}/{who}")
    return Evening(table, campaign.slug, browsers)


QUESTION = {"given.purpose": "Which way?", "given.options": "the pass\nthe ferry\n", "given.otherwise": "2"}


async def test_a_question_is_put_sealed_and_answered_with_its_reason(evening: Evening) -> None:
    opened = await evening.call("vote", QUESTION)
    assert "Which way?" in opened.text and "In a tie" in opened.text
    home = await evening.get("ann")
    assert "Your turn: vote · Which way?" in home.text
    for who, choice in (("ann", "1"), ("bea", "1"), ("cyd", "2")):
        assert "Sealed at" in (await evening.answer(who, choice=choice)).text
    for who in ("gm", "sam"):
        page = await evening.scene(who)
        assert "verdict" not in page.html and 'class="count"' not in page.html
    page = await evening.answer("gm", choice="1")
    assert "3 of 4 votes: the pass." in " ".join(page.text.split())
    for who in EYES:
        page = await evening.scene(who)
        assert re.search(r"Ann</b>\s+votes for “the pass”", page.html), "an open ballot names everybody"
    why = await evening.get("sam", f"/scene/{evening.table.scene}/why/6")
    assert "COU-05" in why.text and "COU-04" in why.text


async def test_a_secret_ballot_shows_ballots_without_names(evening: Evening) -> None:
    await evening.call("vote", {**QUESTION, "settings.secret": "on"})
    for who, choice in (("ann", "1"), ("bea", "2"), ("cyd", "1"), ("gm", "0")):
        await evening.answer(who, choice=choice)
    for who in EYES:
        page = await evening.scene(who)
        text = " ".join(page.text.split())
        assert "2 of 3 votes: the pass." in text and "in a secret ballot" in text
        assert "votes for" not in text
        [listed] = re.findall(r'<details class="ballots".*?</details>', page.html, re.DOTALL)
        assert "4 ballots, without names" in listed and not re.search(r"\b(Ann|Bea|Cyd|GM)\b", listed)
        assert 'class="voters' not in page.html
        file = (await evening.browsers[who].http.get(evening.at(who, f"/scene/{evening.table.scene}/receipts"))).text
        words = [line for line in file.splitlines() if re.search(r'choice[\\"]*,[\\"]*\d', line)]
        assert len(words) == (who != "sam") and all(f'"seat": "{who}"' in line for line in words), words


async def test_nobody_reads_a_vote_before_the_last_one_is_in(evening: Evening) -> None:
    """A draft's words, a seal's words: in nobody else's page, home, receipts or live part."""
    await evening.call("vote", QUESTION)
    await evening.answer("ann", choice="1", canary="ann-canary-wxyz")
    for who in EYES:
        for path in ("/", "/live", *(f"/scene/{evening.table.scene}{end}" for end in ("", "/live", "/receipts"))):
            answer = await evening.browsers[who].http.get(evening.at(who, path))
            if who != "ann":
                assert "wxyz" not in answer.text, (who, path)
                assert "checked> the pass" not in answer.text
    assert "checked" in (await evening.scene("ann")).html


async def remove(evening: Evening, who: str) -> None:
    page = await evening.browsers["gm"].post(evening.at("gm", f"/people/of/{who}/remove"), {})
    assert page.status == 200, page.text


def awaited(page: Page) -> str:
    """The line of the page on who is waited for, and the envelopes."""
    return page.text_of("awaits", "envelopes")


async def test_a_vote_opens_without_a_voter_who_was_removed(evening: Evening) -> None:
    await evening.call("vote", QUESTION)
    for who in ("gm", "bea"):
        await evening.answer(who, choice="1")
    await remove(evening, "cyd")
    page = await evening.scene("bea")
    assert "Waiting for Ann." in awaited(page) and "nobody plays" in awaited(page)
    assert "Nobody plays Cyd" in (await evening.get("gm", "/desk")).text
    await evening.answer("ann", choice="1")
    assert "This scene is over." in awaited(await evening.scene("ann"))


async def test_a_removal_opens_no_secret_ballot_by_itself(evening: Evening) -> None:
    """The last one missing goes: what the others sealed stays closed until the GM opens it. A seal that is in counts,
    whoever laid it."""
    await evening.call("vote", {**QUESTION, "settings.secret": "on"})
    for who in ("gm", "ann", "bea"):
        await evening.answer(who, choice="1")
    await remove(evening, "cyd")
    await remove(evening, "bea")
    page = await evening.scene("ann")
    assert "All who are here have sealed. It opens when the GM says." in awaited(page)
    desk = await evening.get("gm", "/desk")
    assert "everybody else has sealed, and nobody plays Cyd." in desk.text
    again = {"step": "vote", "seat": "cyd"}
    refused = await evening.browsers["gm"].post(evening.at("gm", f"/scene/{evening.table.scene}/act/wait-again"), again)
    assert "Nobody plays Cyd now." in refused.text
    opens = next(one for one in (await evening.scene("gm")).forms if one.action.endswith("/act/open"))
    over = await evening.browsers["gm"].post(opens.action, opens.fields)
    assert "This scene is over." in awaited(over) and "1 did not vote" in over.text
    file = (await evening.browsers["gm"].http.get(evening.at("gm", f"/scene/{evening.table.scene}/receipts"))).text
    report = check(parse(file))
    assert report.wrong + report.unplayed == []


async def test_the_new_holder_of_an_empty_seat_is_asked(evening: Evening) -> None:
    await evening.call("vote", QUESTION)
    for who in ("gm", "ann", "bea"):
        await evening.answer(who, choice="1")
    await remove(evening, "cyd")
    given = {"seat": "cyd", "to": "ann"}
    await evening.browsers["gm"].post(evening.at("gm", f"/scene/{evening.table.scene}/act/chair"), given)
    assert "Your turn" in awaited(await evening.scene("ann"))
    await evening.answer("ann", seat="cyd", choice="2")
    assert "This scene is over." in awaited(await evening.scene("bea"))


async def test_pages_say_who_answers_for_a_seat_without_a_player(evening: Evening) -> None:
    """Bea's character goes to the GM, who is waited for."""
    await evening.table.open(thief=False)
    await remove(evening, "bea")
    page = awaited(await evening.scene("ann"))
    assert "Also waiting for the GM (for Bea)." in page, page


async def test_a_ballot_without_a_choice_is_not_sealed(evening: Evening) -> None:
    await evening.call("vote", QUESTION)
    page = await evening.answer("ann")
    assert page.status == 422 and "Choose one of the answers, or abstain." in page.text


async def test_a_draft_goes_there_and_back(evening: Evening) -> None:
    beds = {"given.purpose": "Beds", "given.things": "bench\nbed\nhay\nfloor", "given.most.cyd": "1"}
    await evening.call("order", beds, without=("bea",))
    for who in ("ann", "cyd"):
        await evening.answer(who)
    seen = await evening.table.sight("gm")
    assert set(seen.view.order) == {"ann", "cyd"} and seen.view.left == (1, 2, 3, 4)
    first = seen.view.order[0]
    page = await evening.scene(first)
    assert "Your turn to pick" in page.text
    others = "cyd" if first == "ann" else "ann"
    assert "Your turn to pick" not in (await evening.scene(others)).text
    page = await evening.answer(first, thing="2")
    assert re.search(r"takes\s+<b>bed</b>", page.html)
    while (seen := await evening.table.sight("gm")).status == "open":
        assert seen.view.turn
        await evening.answer(seen.view.turn, thing=str(seen.view.left[0]))
    taken = [who for _, who in sorted(seen.view.taken.items())]
    assert taken.count("cyd") == 1 and taken.count("ann") == 3


async def test_dice_fall_when_all_hands_are_in(evening: Evening) -> None:
    await evening.call("roll", {"given.purpose": "Does it rain?", "given.dice": "2d6+d10(0-9)-1"})
    for who in ("ann", "bea"):
        await evening.answer(who)
    assert "The dice show" not in (await evening.scene("gm")).text
    page = await evening.answer("cyd")
    text = " ".join(page.text.split())
    assert "The dice show" in text and "Ann, Bea and Cyd added randomness." in text
    seen = await evening.table.sight("gm")
    assert seen.view.total == sum(seen.view.worth) - 1


async def test_what_is_wrong_is_said_at_its_field_and_typed_text_stays(evening: Evening) -> None:
    wrong: tuple[tuple[str, dict[str, str], str, str], ...] = (
        ("vote", {"given.purpose": "Canary 11", "given.options": "one"}, "2 to 12 answers", "Canary 11"),
        ("vote", {"given.purpose": "", "given.options": "one\ntwo"}, "Fill this in.", "two"),
        ("vote", {**QUESTION, "given.otherwise": "9"}, "no answer number 9", "the ferry"),
        ("vote", {**QUESTION, "given.options": "x" * 130 + "\nb"}, "At most 120 characters", "x" * 130),
        ("order", {"given.purpose": "Beds", "given.things": "bed\nBed"}, "is listed twice", "Bed"),
        ("order", {"given.purpose": "Beds", "given.most.ann": "99"}, "At most 60.", "99"),
        ("roll", {"given.purpose": "Rain", "given.dice": "two dice"}, "Write dice like 2d6+1", "two dice"),
        ("roll", {"given.purpose": "Rain\x00", "given.dice": "d6"}, "not allowed here", "d6"),
    )
    for kind, typed, said, kept in wrong:
        page = await evening.call(kind, typed)
        assert page.status == 422, (kind, typed)
        assert said in page.text and 'aria-invalid="true"' in page.html, (kind, typed, page.text)
        assert kept in html.unescape(page.html), (kind, kept)
    page = await evening.call("vote", QUESTION, without=("ann", "bea", "cyd", "yes"))
    assert page.status == 422 and "Too few people take part: at least two must." in page.text
    page = await evening.call("vote", QUESTION, without=("ann", "bea", "yes"))
    assert page.status == 422
    strange = {**QUESTION, "who[]": "sam"}
    page = await evening.call("vote", strange)
    assert page.status == 422 and "There is no player “sam” here." in page.text


async def test_one_press_twice_is_one_decision(evening: Evening) -> None:
    page = await evening.get("gm", "/decide/roll")
    form = page.form("/decide/roll")
    fields = [(n, v) for n, v in form.fields if n not in ("given.purpose", "given.dice")]
    fields += [("given.purpose", "Rain?"), ("given.dice", "d6")]
    one, other = [await evening.browsers["gm"].post(form.action, fields) for _ in range(2)]
    assert one.path == other.path and one.status == 200


async def test_players_call_decisions_where_the_campaign_says_so(evening: Evening) -> None:
    for who in ("ann", "sam"):
        assert "Start a vote" not in (await evening.get(who)).text
        assert (await evening.get(who, "/decide/vote")).status == 403
    page = await evening.browsers["gm"].send(
        await evening.get("gm"), "/decide/ways", {"council_players": "yes", "council_next": "yes"}
    )
    assert "Decision settings saved." in page.html
    assert "Start a vote" in (await evening.get("ann")).text
    assert (await evening.call("roll", {"given.purpose": "Rain?", "given.dice": "d6"}, by="ann")).status == 200
    assert (await evening.get("sam", "/decide/vote")).status == 403


async def test_council_is_no_games_rules(evening: Evening) -> None:
    for path in ("/characters/new?ruleset=council", "/characters/new?ruleset=nothing"):
        page = await evening.get("gm", path)
        assert page.status == 404, path
        assert "Deciding together" not in html.unescape(page.html).split("<main")[1]
    new = await evening.get("gm", "/scenes/new?ruleset=council")
    assert new.status == 200 and "Deciding together" not in new.text
    front = await evening.browsers["gm"].get("/new")
    assert "Deciding together" not in front.text
    book = await evening.browsers["gm"].get("/rulebook")
    assert "Deciding together" in book.text


ROLL = Roll(label="x", size=20, face=7)
EVENTS: tuple[Any, ...] = (
    *(ev.Voted("ann", choice, how) for choice, how in ((1, "sealed"), (0, "sealed"), (0, "default"))),
    ev.Ballots((("", 0), ("0a" * 16, 1))),
    *(ev.Counted((2, 1), none) for none in (0, 1)),
    ev.Decided(1, "won", 2, 3),
    *(ev.Decided(choice, why, 1, 1) for choice in (0, 1) for why in ("tie", "short", "nobody")),
    *(
        ev.Marked("ann", "ann", when, days, title, place, "", (), how)
        for when in ("follow", "on", "none")
        for days, title, place in ((0, "", ""), (4, "The spy", "inn"))
        for how in ("sealed", "default")
    ),
    ev.Entered(4, 4, "The spy", "talk", "inn", ("ann",)),
    ev.Unplanned(),
    *(ev.Threw("ann", ROLL, again) for again in (1, 2)),
    ev.Ordered(("ann", "bea")),
    *(ev.Picked("ann", 1, "sealed", why) for why in ("chosen", "silent", "last")),
    *(ev.Drafted(left) for left in (0, 1, 2)),
    *(ev.Rolled((ROLL,), (7,), bonus, 3, hands) for bonus in (0, -2) for hands in ((), ("ann",))),
)  # fmt: skip


async def test_there_are_words_for_every_event(evening: Evening) -> None:
    """Every kind of event makes a line or at least a reason, in a scene of its own kind."""
    kinds = {type(event) for event in EVENTS}
    assert kinds == set(get_args(get_args(ev.Event)[0])), "an event nobody has words for"
    await evening.call("vote", QUESTION)
    vote = await evening.table.sight("gm")
    await evening.call("order", {"given.purpose": "Beds", "given.things": "bed"})
    draft = await evening.table.sight("gm")
    async with evening.table.runtime.sessions() as session:
        book = (evening.table.runtime.vault, evening.table.campaign, evening.table.scene, evening.table.people["gm"])
        assert (await sight(session, *book)).kind == "order"
    words: Any = environment().get_template("rulesets/council/log.html").make_module({"static": None})
    for event in EVENTS:
        seen = vote if isinstance(event, ev.Voted | ev.Ballots | ev.Counted | ev.Decided) else draft
        if isinstance(event, ev.Marked | ev.Entered | ev.Unplanned | ev.Rolled):
            continue  # their scenes are played above and in tests/play/test_decisions.py
        told = EventSight(1, "COU-01", (), event, "x")
        text = " ".join(str(event_reason(words, told, seen, None)).split())
        assert text.endswith((".", "</b>.", "</details>")), (event, text)
        assert "None" not in text and "{" not in text
