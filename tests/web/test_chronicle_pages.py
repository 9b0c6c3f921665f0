"""A free scene's pages as a browser without JavaScript uses them: a check from proposal to dice, and words for all."""

import html
import re
from collections.abc import Callable
from typing import Any, get_args

import pytest
from fastapi import FastAPI

from app.campaign import characters, founding, seats, tokens
from app.engine.ruleset import GM
from app.models.people import Role
from app.rulesets import find
from app.rulesets.chronicle import samples
from app.rulesets.chronicle.free import events as ev
from app.table.opening import open_scene
from app.table.runtime import Runtime
from tests.web.browser import Browser, Page, PageForm

pytestmark = pytest.mark.anyio

HOSTS = {"act-shown", "act-judged", "act-done"}  # at a table without a GM


class Evening:
    """Ella, Morten, the GM and Sam, who watches, each with a browser."""

    def __init__(self, at: str, browsers: dict[str, Browser]) -> None:
        self.at, self.browsers = at, browsers

    async def page(self, who: str) -> Page:
        page = await self.browsers[who].get(self.at.format(who=who))
        assert page.status == 200, page.text
        return page

    async def say(self, who: str, step: str, /, **typed: str) -> Page:
        """Fill a form in, as somebody who leaves everything else as it stands, and send it."""
        page = await self.page(who)
        steps = [value for form in page.forms for name, value in form.fields if name == "_step"]
        assert step in steps, f"{step} is not asked of {who}, but {steps}"
        form = next(f for f in page.forms if f.action.endswith("/lay") and ("_step", step) in f.fields)
        kept = [(name, value) for name, value in form.fields if name not in typed and name != "_act"]
        return await self.browsers[who].post(form.action, [*kept, *typed.items(), ("_act", "seal")])

    def press(self, page: Page, action: str) -> str:
        return next(form.action for form in page.forms if form.action.endswith(action))

    async def fight_form(self) -> PageForm:
        """The form for a fight inside this scene, which the GM's desk offers."""
        link = re.search(r'href="([^"]*outer=[^"]*kind=hand)"', (await self.page("gm")).html)
        assert link is not None
        page = await self.browsers["gm"].get(html.unescape(link[1]))
        assert page.status == 200 and "A scene inside" in page.text and "Save for later" not in page.text
        return next(one for one in page.forms if one.action.endswith("/scenes/new"))

    async def fight(self, **typed: str) -> Page:
        """The GM opens a fight inside this scene; returns its page."""
        new = await self.fight_form()
        fields = [(name, value) for name, value in new.fields if name not in (*typed, "_doubt")]
        page = await self.browsers["gm"].post(new.action, [*fields, *typed.items()])
        return await self.browsers["gm"].get(page.headers["location"]) if page.status == 303 else page


@pytest.fixture
async def begin(site: FastAPI, open_browser: Callable[[], Browser]) -> Callable[..., Any]:
    async def begin_one(**settings: Any) -> Evening:
        runtime: Runtime = site.state.runtime
        rules = find("chronicle")
        sheets, brief = samples.the_flood_at_the_mill()
        browsers = {}
        async with runtime.sessions.begin() as session:
            founded = await founding.found_campaign(session, "The Valley", rules.key, "GM", "test")
            people = {"gm": founded.member}
            for key, sheet in sheets.items():
                people[key] = await seats.add_member(session, founded.campaign, sheet.name, Role.PLAYER)
                typed = rules.character.dump_python(sheet, mode="json")
                await characters.create(session, founded.campaign, sheet.name, rules.key, typed, people[key])
            people["sam"] = await seats.add_member(session, founded.campaign, "Sam", Role.SPECTATOR)
            scene = await open_scene(session, runtime.vault, founded.campaign.id, rules.key, brief, settings)
            for who, member in people.items():
                token = tokens.fresh()
                await seats.sit_down(session, member, "test", token)
                browsers[who] = open_browser()
                path = f"/c/{founded.campaign.slug}/{who}"
                browsers[who].http.cookies.set("signet", token, domain="signet.test", path=path)
        return Evening(f"/c/{founded.campaign.slug}/{{who}}/scene/{scene}", browsers)

    return begin_one


async def test_a_check_from_its_proposal_to_its_dice(begin: Callable[..., Any]) -> None:
    table: Evening = await begin()
    for who in ("gm", "ella", "morten", "sam"):
        page = await table.page(who)
        assert "The river is over its banks" in page.text and "rulesets/chronicle/chronicle.css" in page.html
        assert ("Say what Ella tries, or talk" in page.text) == (who == "ella")
        assert "Ask for no favour" in page.text, "what drives somebody is open to all"
        assert "Difficulty to change it: 4" in page.text
    wrong = await table.say("ella", "own/ella/1", what="check", skill="", aim="up to the roof")
    assert wrong.status == 422 and "Choose a skill." in wrong.text and 'value="up to the roof"' in wrong.html
    await table.say("ella", "own/ella/1", what="check", skill="jump_climb", aim="up to the roof")
    page = await table.page("gm")
    assert "What is at stake?" in page.text and "Ella: up to the roof" in page.text
    assert "Roll?" not in (await table.page("ella")).text, "nobody rolls before the GM has said what it is about"
    await table.say("gm", "c1/frame", verdict="roll", difficulty="17", counted="total", consequence="The gutter falls.")
    for who in ("ella", "morten", "sam"):
        page = await table.page(who)
        assert "50 % (320 of 640)" in page.text and "The gutter falls." in page.text
        assert ("Leave it" in page.text) == (who == "ella")
    await table.say("ella", "c1/go", go="change", words="with a ladder")
    await table.say("gm", "c1/frame-2", verdict="roll", difficulty="-12")
    await table.say("ella", "c1/go-2", go="roll")
    page = await table.page("sam")
    assert "Ella succeeds." in page.text and "against 14 − 12 = 2" in page.text
    assert "Ella tries another way: with a ladder" in page.text
    why = await table.browsers["sam"].get(re.findall(r'href="([^"]+/why/\d+)"', page.html)[-1])
    assert "CHR-CHK-" in why.text
    rule = await table.browsers["sam"].get(re.findall(r'href="(\S+/rulebook/chronicle/CHR-[^"]+)"', why.html)[0])
    assert rule.status == 200


async def test_everything_that_happens_has_its_sentence(begin: Callable[..., Any]) -> None:
    table: Evening = await begin()
    said = {
        "situation": {"words": "The rain stops.", "terrain": "marsh"},
        "stir": {"who": "ella", "motivation": "bold", "talker": "morten", "context": "on the river",
                 "topic": "the children"},
        "object": {"who": "morten", "drive": "d1", "words": "He asked for a rope."},
        "ungrow": {"who": "morten", "drive": "d1", "words": "It did no harm."},
        "played": {"who": "morten", "drive": "d1"},
        "bring": {"name": "The miller", "main": ""},
        "promote": {"who": "the-miller"},
        "call": {"who": "the-miller", "skill": "hide", "aim": "behind the chimney", "against": "ella",
                 "other_skill": "notice"},
    }  # fmt: skip
    await table.say("morten", "own/morten/1", what="grow", drive="d1")
    await table.say("morten", "own/morten/2", what="guide", pair="5")
    for number, (what, typed) in enumerate(said.items(), 1):
        page = await table.say("gm", f"gm/{number}", what=what, **typed)
        assert page.status == 200, (what, page.text)
    await table.say("gm", "c1/go", go="roll")
    await table.say("ella", "own/ella/1", what="check", skill="run", aim="home")
    await table.say("gm", "c2/frame", verdict="free", difficulty="")
    await table.say("morten", "own/morten/3", what="check", skill="swim", aim="across")
    await table.say("gm", "c3/frame", verdict="roll", difficulty="5")
    await table.say("morten", "c3/go", go="leave")
    fight = await table.fight(title="Knives out")
    await table.browsers["gm"].post(table.press(fight, "/act/leave"), [])
    assert "Back to The flood at the mill" in (await table.browsers["gm"].get(fight.path)).text
    await table.say("gm", "gm/9", what="end", words="They sleep.")
    page = await table.page("sam")
    folded = re.findall(r'hx-get="([^"]+/log\?round=[^"]+)"', page.html)
    pages = [page, *[await table.browsers["sam"].get(html.unescape(path)) for path in folded]]
    text = " ".join(one.text for one in pages)
    for words in (
        "The rain stops.", ": the d12 shows", "Morten acted against a Driving Motivation", "is played out",
        "Proud, arrogant falls from 10 to 9", "Proud, arrogant is 10 again. It did no harm.",
        "Proud, arrogant is the stronger half", "The miller joins the scene.",
        "The miller is now a main character.", "The miller tries, with Hide against Ella’s Notice",
        "There is no risk, so it simply works.", "Morten does not try.", "The scene is over. They sleep.", "d1,000,000",
        "“Knives out” is over, and nothing came of it.", "Morten comes back unhurt.",
    ):  # fmt: skip
        assert words in text, words
    kinds = {one.__dataclass_fields__["kind"].default for one in get_args(get_args(ev.Event)[0])}
    seen = set(re.findall(r'<li class="is-([a-z-]+)"', " ".join(one.html for one in pages)))
    assert kinds - seen <= {"acted", "joined", "driven", "swayed", *HOSTS}, kinds - seen
    assert (await table.page("ella")).text.count("The scene is over") > 0


async def test_the_players_vote_where_there_is_no_gm(begin: Callable[..., Any]) -> None:
    table: Evening = await begin(table_gm="none")
    await table.say("ella", "own/ella/1", what="check", skill="run", aim="home")
    await table.say("ella", "c1/frame", verdict="roll", difficulty="1", consequence="You stumble.")
    assert "You stumble." not in (await table.page("morten")).text, "votes are sealed"
    await table.say("morten", "c1/frame", verdict="roll", difficulty="1")
    page = await table.page("sam")
    assert "Difficulty 1. If it fails: You stumble." in page.text and "(in favour: Ella and Morten)" in page.text


async def test_the_players_vote_back_what_the_host_does(begin: Callable[..., Any]) -> None:
    table: Evening = await begin(table_gm="none")
    assert "Everyone reads this first." in (await table.page("gm")).text
    await table.say("gm", "gm/1", what="bring", name="The <miller>")
    page = await table.page("sam")
    assert "The host wants this, if no vote takes it back: The <miller> comes in." in page.text
    assert "joins the scene" not in page.text
    page = await table.page("ella")
    assert "Does it stand?" in page.text and "The <miller> comes in." in page.text
    await table.say("ella", "back/1", back="yes")
    assert "Take it back" not in (await table.page("sam")).text, "votes are sealed"
    await table.say("morten", "back/1", back="yes")
    page = await table.page("sam")
    assert "The vote takes it back, and nothing happens. (in favour: Ella and Morten)" in page.text
    await table.say("gm", "gm/2", what="stir", who="ella", motivation="bold", context="here", topic="the weir")
    assert ": the d12 shows" not in (await table.page("sam")).text, "nothing is rolled before the vote"
    await table.say("ella", "back/2", back="yes")
    await table.say("morten", "back/2", back="no")
    page = await table.page("sam")
    assert "It stands. (no majority against it)" in page.text and ": the d12 shows" in page.text
    assert "gm/3" in (await table.page("gm")).html, "the desk is open again"


async def test_a_gm_opens_a_free_scene_and_a_player_makes_a_character(begin: Callable[..., Any]) -> None:
    table: Evening = await begin()
    base = table.at.split("/scene/")[0]
    page = await table.browsers["gm"].get(f"{base.format(who='gm')}/scenes/new?ruleset=chronicle")
    assert page.status == 200 and "Who judges" in page.text
    form = page.form(f"{base.format(who='gm')}/scenes/new")
    typed = {"title": "Afterwards", "given.description": "A kitchen.", "held": "copy"}
    fields = [(name, value) for name, value in form.fields if name not in typed]
    opened = await table.browsers["gm"].post(form.action, [*fields, *typed.items(), ("seat[]", "ella")])
    assert opened.status == 200 and "A kitchen." in opened.text, opened.text
    new = await table.browsers["ella"].get(f"{base.format(who='ella')}/characters/new?ruleset=chronicle")
    assert new.status == 200 and "Fighting mind" in new.text and "Proud, arrogant" in new.text
    made = await table.browsers["ella"].send(
        new,
        f"{base.format(who='ella')}/characters",
        {
            "sheet.name": "Ida",
            "sheet.skills.run": "7",
            "sheet.motivations.proud": "10",
            "sheet.motivations.modest": "3",
        },
    )
    assert made.status == 422 and "at most 12" in made.text
    made = await table.browsers["ella"].send(
        made, f"{base.format(who='ella')}/characters", {"sheet.motivations.modest": "2"}
    )
    assert made.status == 200 and "Ida" in made.text


def test_every_seat_is_known() -> None:
    sheets, brief = samples.the_flood_at_the_mill()
    assert {str(seat) for seat in brief.seats} == {*sheets, str(GM)}
