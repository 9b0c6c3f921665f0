"""Drafting a cast as a browser without JavaScript does it: begun, sealed, picked in turn, and read by everybody."""

import html
import re
import uuid
from typing import Any, get_args

import pytest

from app.campaign import seats
from app.rulesets.chronicle.draft import events as ev
from app.table.reading import EventSight
from app.web.drawing.sentences import event_line, event_reason
from app.web.http.templating import environment
from tests.web.browser import Page
from tests.web.test_decisions import EYES, Evening, evening

__all__ = ["evening"]

pytestmark = pytest.mark.anyio


async def _begin(evening: Evening, without: tuple[str, ...] = (), typed: dict[str, str] | None = None) -> Page:
    page = await evening.get("gm", "/draft?ruleset=chronicle")
    form = page.form("/draft")
    typed = {"settings.cast_size": "1-5", **(typed or {})}
    fields = [(n, v) for n, v in form.fields if n not in typed and (n, v) not in {("who[]", one) for one in without}]
    opened = await evening.browsers["gm"].post(form.action, [*fields, *typed.items()])
    if (found := re.search(r"/scene/([0-9a-f-]{36})", opened.path)) is not None:
        evening.table.scene = uuid.UUID(found[1])
    return opened


async def _usual(evening: Evening, rules: str) -> None:
    async with evening.table.runtime.sessions.begin() as session:
        campaign = await seats.hold(session, evening.table.campaign)
        campaign.settings = {**campaign.settings, "ruleset": rules}


async def test_a_draft_from_the_home_to_the_goals(evening: Evening) -> None:
    assert "Pick the cast" not in (await evening.get("gm")).text
    await _usual(evening, "chronicle")
    assert "Pick the cast" in (await evening.get("gm")).text
    assert "Pick the cast" not in (await evening.get("ann")).text
    opened = await _begin(evening, without=("cyd",))
    assert "How many main characters does each of you play?" in opened.text
    assert "Sealed at" in (await evening.answer("ann", number="2")).text
    for who in EYES:
        assert "Set 1" not in (await evening.scene(who)).text
    await evening.answer("bea", number="1")
    seen = await evening.table.sight("gm")
    assert len(seen.view.sets) == 3
    for who in EYES:
        page = await evening.scene(who)
        first, second = seen.view.coming[:2]
        assert "Set 3" in page.text and "3 of 3 sets are left." in " ".join(page.text.split())
        text = " ".join(page.text.split())
        assert ("You pick now." in text) == (who == first)
        assert f"{first.title()} is picking." in text or who == first
        if first != second:
            assert ("Then it is your turn." in text) == (who == second)
        assert ("Pick a set" in text) == (who == first)
        assert page.html.count('class="tick"') == 3
    names = iter(("Ella", "Morten", "Ida"))
    for number, who in ((3, seen.view.coming[0]), (1, seen.view.coming[1]), (2, seen.view.coming[2])):
        refused = await evening.answer(who, number="", name=" ", past="Canary 3318")
        text = html.unescape(refused.html)
        assert refused.status == 422 and "Choose one of the sets that are left." in text
        assert "Give them a name." in text and "Canary 3318" in text and 'aria-invalid="true"' in text
        page = await evening.answer(
            who, number=str(number), name=next(names), home="The <mill>", past="Over the hills."
        )
    assert "The cast is complete: 3 main characters." in " ".join(page.text.split())
    for who in EYES:
        page = await evening.scene(who)
        assert "The &lt;mill&gt;" in page.html and "Over the hills." in page.text
        links = re.findall(r'href="[^"]*/characters/([a-z0-9-]+)#goals"', page.html)
        assert len(links) == {"ann": 2, "bea": 1}.get(who, 0), who
    mine = re.findall("/characters/([a-z0-9-]+)#goals", (await evening.scene("ann")).html)
    page = await evening.get("ann", f"/characters/{mine[0]}")
    assert 'id="goals"' in page.html and "Picking the cast" in page.text
    home = await evening.get("bea")
    assert all(name in home.text for name in ("Ella", "Morten", "Ida"))
    why = await evening.get("sam", f"/scene/{evening.table.scene}/why/3")
    assert "CHR-CHA-02" in why.text and "4d4 show" in why.text

    sheet = f"/bea/characters/{mine[0]}"
    assert sheet in (await evening.scene("bea")).html
    given = await evening.browsers["ann"].post(evening.at("ann", f"/characters/{mine[0]}/hand-over"), {"to": ""})
    assert given.status == 200
    assert sheet not in (await evening.scene("bea")).html, "a link into nothing, on a page kept from before"


async def test_what_is_wrong_is_said_at_its_field(evening: Evening) -> None:
    for typed, without, said in (
        ({}, ("ann", "bea", "cyd"), "Nobody takes part."),
        ({"who[]": "sam"}, (), "There is no player “sam” here."),
        ({"settings.cast_size": "7"}, (), "Choose one"),
        ({"given.seconds": "soon"}, (), "number"),
    ):
        page = await _begin(evening, without, typed)
        assert page.status == 422 and said in page.text, (typed, page.text[-900:])
        assert "Not started yet" in page.text
    for rules in ("whiskey", "council", "x"):
        assert (await evening.get("gm", f"/draft?ruleset={rules}")).status == 404
    assert (await evening.get("ann", "/draft?ruleset=chronicle")).status == 403
    page = await evening.get("gm", "/scenes/new?ruleset=chronicle&kind=draft")
    assert page.status == 200 and "draft" not in page.html.split("<main")[1].lower()


async def test_the_gm_opens_a_pick_that_waits_for_somebody_away(evening: Evening) -> None:
    await _begin(evening)
    for who in ("ann", "bea", "cyd"):
        await evening.answer(who, number="1")
    gm = evening.browsers["gm"]
    at = evening.at("gm", f"/scene/{evening.table.scene}")
    await gm.post(f"{at}/act/pause")
    assert not (await evening.scene("gm")).has_form("/act/open")
    page = await gm.post(f"{at}/act/go-on")
    for pick in (1, 2, 3):
        assert ("step", f"draft/{pick}") in page.form("/act/open").fields
        page = await gm.send(page, "/act/open")
    assert "The cast is complete" in page.text and not page.has_form("/act/open")


async def test_one_press_twice_is_one_draft(evening: Evening) -> None:
    form = (await evening.get("gm", "/draft?ruleset=chronicle")).form("/draft")
    one, other = [await evening.browsers["gm"].post(form.action, form.fields) for _ in range(2)]
    assert one.path == other.path and one.status == 200


async def test_sizes_are_nobody_elses_before_they_open(evening: Evening) -> None:
    await _begin(evening)
    await evening.answer("ann", number="4", canary="ann-canary-5583")
    for who in EYES:
        for path in ("/", "/live", *(f"/scene/{evening.table.scene}{end}" for end in ("", "/live", "/receipts"))):
            answer = await evening.browsers[who].http.get(evening.at(who, path))
            if who != "ann":
                assert "canary-5583" not in answer.text and 'value="4" checked' not in answer.text, (who, path)
    assert 'value="4" checked' in (await evening.scene("ann")).html


async def test_there_are_words_for_every_event(evening: Evening) -> None:
    await _begin(evening)
    for who in ("ann", "bea", "cyd"):
        await evening.answer(who, number="1")
    seen = await evening.table.sight("gm")
    told: list[Any] = [event.event for chapter in seen.chapters for event in chapter.events]
    taken = ["ann", 1, "sealed", "Ella", "", "", "", "", "", ""]
    told += [ev.Taken(*taken), ev.Taken(*[*taken[:2], "default", *taken[3:]]), ev.Sized("ann", 3, "default")]
    told += [*(ev.Full("ann", number) for number in (1, 2, 3)), *(ev.Drafted(number) for number in (1, 4))]
    assert {type(event) for event in told} == set(get_args(get_args(ev.Event)[0])), "an event nobody has words for"
    words: Any = environment().get_template("rulesets/chronicle/draft/log.html").make_module({"desk": None})
    for event in told:
        sight_of = EventSight(1, "CHR-CHA-02", (), event, "x")
        for say in (event_line, event_reason):
            text = str(say(words, sight_of, seen, None))
            assert text and "{" not in text and "None" not in text, (event, text)
