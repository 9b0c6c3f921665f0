"""The scene's pages as a browser without JavaScript uses them: forms, answers, refusals, desk, tutorial."""

import itertools
import json
import re
import uuid
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters, seats, tokens
from app.models.people import Campaign, Character, Member
from app.models.scenes import Claim, Scene
from app.play.demo import ensure_demo
from app.table import envelopes, gm_actions
from app.table.loaded_scene import LoadedScene
from app.table.runtime import Runtime
from tests.kinds import KINDS
from tests.web.browser import Browser, Page

pytestmark = pytest.mark.anyio

Sit = Callable[[str], Browser]
ROAD = "/c/the-goblin-road"


@pytest.fixture
async def sit(site: FastAPI, open_browser: Callable[[], Browser]) -> Sit:
    """Opens a browser in one seat of the demo."""
    runtime: Runtime = site.state.runtime
    cookies = {}
    async with runtime.sessions.begin() as session:
        await ensure_demo(session, runtime.vault)
        for member in await session.scalars(select(Member)):
            cookies[member.handle] = tokens.fresh()
            await seats.sit_down(session, member, "test", cookies[member.handle])

    def open_one(handle: str) -> Browser:
        browser = open_browser()
        browser.http.cookies.set("signet", cookies[handle], domain="signet.test", path=f"{ROAD}/{handle}")
        return browser

    return open_one


@pytest.fixture
async def scene(site: FastAPI, sit: Sit) -> str:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        return str((await session.scalars(select(Scene.id))).one())


def at(scene: str, handle: str) -> str:
    return f"{ROAD}/{handle}/scene/{scene}"


async def seal(browser: Browser, page: Page, typed: dict[str, str] | None = None, act: str = "seal") -> Page:
    """Press one of the buttons of the page's first question, with some fields typed over."""
    asked = [form for form in page.forms if form.action.endswith("/lay")]
    form = asked[0] if act == "take_back" else next(form for form in asked if len(form.names) > 4)
    typed = typed or {}
    assert set(typed) <= form.names | {"of.alice.engage"}
    fields = [(name, value) for name, value in form.fields if name not in typed]
    return await browser.post(form.action, [*fields, *typed.items(), ("_act", act)])


async def test_a_round_without_javascript(sit: Sit, scene: str) -> None:
    gm, people = sit("gm"), {name: sit(name) for name in ("alice", "bob", "charlie")}
    page = await gm.get(at(scene, "gm"))
    assert "Set the scene" in page.text
    page = await seal(gm, page, {"description": "Rain. The goblins wait."})
    assert page.status == 200 and "Rain. The goblins wait." in page.text
    page = await seal(gm, page)
    assert "Sealed at" in page.text and "Waiting for Alice, Bob and Charlie." in page.text
    for name, target in (("alice", "sword-goblin"), ("bob", "red-axe"), ("charlie", "old-axe")):
        page = await people[name].get(at(scene, name))
        assert 'data-said="the sword goblin"' in page.html and ">Sword goblin<" in page.html
        assert name != "charlie" or "for Bob (not hurt)" in page.html, "so that Mend is not wasted"
        page = await seal(people[name], page, {f"of.{name}.attack": target})
        assert page.status == 200
    for name in ("alice", "gm"):
        page = await (people.get(name) or gm).get(at(scene, name))
        assert "Round 1, opened together" in page.text and "Alice attacks the sword goblin." in page.text
    why = re.search(r'href="([^"]+/why/\d+)"', page.html)
    assert why is not None
    told = await gm.get(why[1])
    assert told.status == 200 and "WHI-" in told.text
    assert (await gm.get(at(scene, "gm") + "/why/99999")).status == 404
    named = re.findall(r'class="why"[^>]* aria-label="([^"]+)"', page.html)
    assert len(named) == page.html.count(">Why?</a>") == len(set(named)), "each by its line"
    assert any("Alice" in name and name.startswith("Why: ") for name in named), named
    levels = [int(level) for level in re.findall(r"<h(\d)", page.html)]
    assert levels[0] == 1 and all(two - one <= 1 for one, two in itertools.pairwise(levels)), levels
    for heading in ("The board", "Your decisions", "Log", "Table talk"):
        assert re.search(rf"<h2[^>]*>{heading}</h2>", page.html), heading


async def test_the_skip_link_leads_to_the_question(sit: Sit, scene: str) -> None:
    """Between the heading that it leads to and the first field is nothing to stop at but a phone's grip."""
    page = (await sit("gm").get(at(scene, "gm"))).html
    assert page.index('class="skip" href="#decisions"') < page.index("<header")
    after = page[page.index('id="decisions"') :].partition('class="grip"')[2].partition("</p>")[2]
    stops = re.findall(r"<(a|summary|button|input(?! type=.hidden)|select|textarea)\b", after)
    assert stops[0] == "textarea"
    assert 'href="#main">Skip to content' in (await sit("sam").get(at(scene, "sam"))).html


async def test_what_cannot_be_sealed_is_said_at_the_field_and_kept(sit: Sit, scene: str) -> None:
    gm, alice = sit("gm"), sit("alice")
    await seal(gm, await gm.get(at(scene, "gm")))
    page = await alice.get(at(scene, "alice"))
    refused = await seal(
        alice, page, {"of.alice.attack": "", "of.alice.rider": "text", "of.alice.rider_text": "I shout"}
    )
    assert refused.status == 422 and "Choose whom to attack" in refused.text and "I shout" in refused.html
    refused = await seal(alice, page, {"of.alice.intent": "advance", "of.alice.engage": ""})
    assert refused.status == 422 and "The way is barred. Choose whom to engage: the old axe goblin." in refused.text
    drafted = await seal(alice, page, {"of.alice.attack": "red-axe"}, act="draft")
    assert "This is a draft, not a seal." in drafted.text and "It is not used if the time runs out." in drafted.text
    sealed = await seal(alice, drafted)
    assert "Sealed at" in sealed.text
    late = await seal(alice, page, {"of.alice.attack": "old-axe"})
    assert late.status in (200, 409), "the same press is answered with its first receipt, a new one with 409"
    taken = await seal(alice, sealed, act="take_back")
    assert "This is a draft, not a seal." in taken.text


async def test_what_the_campaign_refuses_in_a_scene_is_shown_beside_what_was_typed(
    sit: Sit, scene: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lay(session: AsyncSession, live: LoadedScene, *given: object) -> None:
        alice = (await session.scalars(select(Character).where(Character.slug == "alice"))).one()
        gm = (await session.scalars(select(Member).where(Member.handle == "gm"))).one()
        gm_actions.say(session, live, gm, "This goes as it came.")
        await characters.retire(session, alice, gm)

    gm = sit("gm")
    page = await gm.get(at(scene, "gm"))
    monkeypatch.setattr(envelopes, "lay", lay)
    refused = await seal(gm, page, {"description": "Rain. The goblins wait."})
    assert (
        refused.status == 409
        and "Alice is in a scene now. You can retire the character when the scene is over." in refused.text
    )
    assert "Rain. The goblins wait." in refused.html and "This goes as it came." not in refused.text
    monkeypatch.undo()
    page = await seal(gm, refused)
    assert page.status == 200 and "Rain. The goblins wait." in page.text, "the page can be sent as it is"


async def test_the_gms_desk(sit: Sit, scene: str) -> None:
    gm, alice, sam = sit("gm"), sit("alice"), sit("sam")
    page = await seal(gm, await gm.get(at(scene, "gm")))
    page = await gm.send(page, "/act/time")
    assert "GM set a time limit of 2 minutes." in page.text
    page = await gm.send(page, "/act/pause")
    assert not page.has_form("/act/open"), "what would be refused is not offered"
    assert "Paused until" in (await sam.get(at(scene, "sam"))).text
    refused = await gm.post(at(scene, "gm") + "/act/open", {"step": "r1/declare"})
    assert refused.status == 409 and "The scene is paused. Resume it first." in refused.text
    page = await gm.send(page, "/act/go-on")
    assert (await alice.post(at(scene, "alice") + "/act/open", {"step": "r1/declare"})).status == 403
    page = await gm.send(page, "/act/open")
    assert "GM opened “Round 1” early." in page.text and "Alice did not answer" in page.text
    said = await alice.send(await alice.get(at(scene, "alice")), "/say", {"said": "<b>Hold</b> the bridge!"})
    assert "&lt;b&gt;Hold&lt;/b&gt; the bridge!" in said.html
    long = await alice.send(said, "/say", {"said": "x" * 2001})
    assert long.status == 422 and "x" * 2001 in long.html and "the limit is 2000" in long.text
    page = await gm.send(await gm.get(at(scene, "gm")), "/act/leave")
    assert "The scene was abandoned" in page.text
    assert (await gm.post(at(scene, "gm") + "/act/pause")).status == 409
    assert (await gm.post(at(scene, "gm") + "/act/dance")).status == 404
    assert (await gm.get(f"{ROAD}/gm/scene/nonsense")).status == 404


async def test_once_more_with_the_same_people_and_foes(sit: Sit, scene: str) -> None:
    """Two presses, also where the form could not express the foes; what the GM changes on the form counts."""
    gm = sit("gm")
    over = await gm.send(await gm.get(at(scene, "gm")), "/act/leave")
    page = await gm.get(re.findall(r'href="([^"]*again=[^"]*)"', over.html)[0])
    typed = page.form("/scenes/new").fields
    assert [value for name, value in typed if name == "seat[]"] == ["alice", "bob", "charlie"], typed
    assert ("title", "Goblins in the woods 2") in typed
    refused = await gm.post(f"{ROAD}/gm/scenes/new", [("again", scene), ("title", "x" * 121), ("seat[]", "alice")])
    assert refused.status == 422 and ("again", scene) in refused.form("/scenes/new").fields
    again = await gm.post(f"{ROAD}/gm/scenes/new", [one for one in typed if one != ("seat[]", "charlie")])
    sam, new = sit("sam"), again.path.rsplit("/", 1)[1]
    first, second = (await sam.get(at(scene, "sam"))).text, (await sam.get(at(new, "sam"))).text
    for who in ("Alice", "Bob", "Sword goblin", "Red axe goblin", "Old axe goblin"):
        assert who in first and who in second, who
    assert "Goblins in the woods 2" in second and "Charlie" in first and "Charlie" not in second
    for again_of, status in ((str(uuid.uuid4()), 404), (scene.upper(), 200)):
        assert (await gm.get(f"{ROAD}/gm/scenes/new?again={again_of}")).status == status, again_of
    assert "again=" not in (await sit("alice").get(at(scene, "alice"))).html


@pytest.mark.parametrize(
    ("reason", "told"), [("The goblins run off.", "The goblins run off."), ("", "The GM ended it.")]
)
async def test_the_end_tells_what_the_gm_says_of_it(sit: Sit, scene: str, reason: str, told: str) -> None:
    """Where the rules name no winner."""
    gm = sit("gm")
    page = await gm.get(at(scene, "gm"))
    desk = next(form for form in page.forms if any(name == "what" for name, _ in form.fields))
    said = {"what": "end", "reason": reason}
    fields = [(name, value) for name, value in desk.fields if name not in said and name != "_act"]
    over = await gm.post(f"{at(scene, 'gm')}/lay", [*fields, *said.items(), ("_act", "seal")])
    card = over.html.partition('id="ending"')[2].partition("On the sheets")[0]
    assert over.status == 200 and "The battle is over</h2>" in card
    assert told in card and "obody wins" not in card


async def test_a_home_leads_to_the_scene_and_players_to_a_trial(sit: Sit, scene: str) -> None:
    for who in ("alice", "gm"):
        page = await sit(who).get(f"{ROAD}/{who}/")
        assert re.search(rf'class="go" href="{at(scene, who)}">Go to the scene', page.html)
        assert page.has_form("/try/whiskey") == (who == "alice"), "invited players never see the front page"


async def test_once_more_as_at_the_start(site: FastAPI, sit: Sit, scene: str) -> None:
    """A practice round on copies: it begins with the sheets and decks of the old scene, and holds and keeps nothing."""
    gm, runtime = sit("gm"), site.state.runtime
    await gm.send(await gm.get(at(scene, "gm")), "/act/leave")
    async with runtime.sessions.begin() as session:
        alice = (await session.scalars(select(Character).where(Character.slug == "alice"))).one()
        alice.sheet = {**alice.sheet, "hp": 0}
    home = await gm.get(f"{ROAD}/gm/")
    assert "Play the demo again, as at the start" in home.text
    page = await gm.get(f"{ROAD}/gm/scenes/new?again={scene}&start=yes")
    typed = page.form("/scenes/new").fields
    assert ("start", "yes") in typed and ("seat[]", "alice") in typed, "she is down on her sheet"
    new = (await gm.post(f"{ROAD}/gm/scenes/new", typed)).path.rsplit("/", 1)[1]
    async with runtime.sessions() as session:
        briefs = []
        for one in (scene, new):
            row = (await session.scalars(select(Scene).where(Scene.id == uuid.UUID(one)))).one()
            briefs.append(json.loads(runtime.vault.decrypt(row.setup, f"{row.campaign_id}/{row.id}/setup")))
        assert briefs[0]["sheets"] == briefs[1]["sheets"] and briefs[0]["kept"] == briefs[1]["kept"]
        assert not (await session.scalars(select(Claim))).all()


async def test_a_gm_lets_somebody_in_without_leaving_the_scene(
    sit: Sit, scene: str, open_browser: Callable[[], Browser]
) -> None:
    gm, stranger = sit("gm"), open_browser()
    made = await gm.post(f"{ROAD}/gm/people/group-link")
    link = re.findall(r"/group/the-goblin-road/[\w-]+", made.html)[0]
    fields = [(name, value) for name, value in (await stranger.get(link)).form("").fields if name != "name"]
    shown = re.findall(r'data-shown="([^"]+)"', (await gm.get(at(scene, "gm"))).html)[0]
    await stranger.post(link, [*fields, ("name", "Dora")])
    headers = {"HX-Request": "true", "Signet-Shown": shown}
    assert "Dora asks to join" in (await gm.get(at(scene, "gm") + "/live", **headers)).text, "the open page fetches it"
    page = await gm.get(at(scene, "gm"))
    assert "Dora asks to join" in page.text
    assert "Dora" not in (await sit("alice").get(at(scene, "alice"))).text
    back = await gm.send(page, "/admit")
    assert back.path == at(scene, "gm") and "asks to join" not in back.text
    assert "Dora" in (await gm.get(f"{ROAD}/gm/people")).text


async def test_every_kind_of_scene_has_a_page_to_open_it(sit: Sit, scene: str) -> None:
    gm = sit("gm")
    for rules, kind in KINDS:
        page = await gm.get(f"{ROAD}/gm/scenes/new?ruleset={rules.key}&kind={kind.key}")
        assert page.status == 200 and page.has_form("/scenes/new"), (kind.key, page.text)


async def test_a_character_in_use_is_asked_about(sit: Sit, scene: str, site: FastAPI) -> None:
    gm = sit("gm")
    blank = (await gm.get(f"{ROAD}/gm/scenes/new")).form("/scenes/new")
    page = await gm.post(blank.action, [*blank.fields, ("_muster", "add wolf")])
    wordy = await gm.send(page, "/scenes/new", {"title": "x" * 121, "given.muster.0.count": "2"})
    assert wordy.status == 422 and "That is 121 characters" in wordy.text and 'value="2"' in wordy.html
    wild = await gm.send(page, "/scenes/new", {"title": "Wolves", "given.muster.0.count": "many"})
    assert wild.status == 422 and "Wolf: enter how many" in wild.text
    odd = await gm.send(page, "/scenes/new", {"title": "Wolves", "settings.declaration": "shouted"})
    assert odd.status == 422 and "Choose one of the options." in odd.text and "Input should" not in odd.text
    held = await gm.send(page, "/scenes/new", {"title": "Wolves", "given.muster.0.count": "2"})
    assert held.status == 422 and "are in “Goblins in the woods”" in held.text
    opened = await gm.send(held, "/scenes/new", {"held": "copy"})
    assert opened.status == 200 and "Wolf 2" in opened.text and opened.path != at(scene, "gm")
    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        assert len((await session.scalars(select(Scene))).all()) == 2


async def test_a_latecomer_is_seated_from_the_desk(sit: Sit, scene: str, site: FastAPI) -> None:
    runtime: Runtime = site.state.runtime
    gm = sit("gm")
    async with runtime.sessions.begin() as session:
        campaign = (await session.scalars(select(Campaign).where(Campaign.demo))).one()
        bob = (await session.scalars(select(Character).where(Character.slug == "bob"))).one()
        session.add(
            Character(
                campaign_id=campaign.id, id=uuid.uuid4(), slug="dora", name="Dora", ruleset="whiskey",
                owner_id=bob.owner_id, sheet={**bob.sheet, "name": "Dora"},
            )
        )  # fmt: skip
    page = await gm.send(await gm.get(at(scene, "gm")), "/act/enter", {"who": "dora"})
    assert page.status == 200 and "Dora comes in." in page.text
    page = await seal(gm, page)
    assert "Dora" in page.text and "Also waiting for Alice, Bob, Charlie and Dora." in page.text


async def test_the_tutorial_plays_a_round(open_browser: Callable[[], Browser]) -> None:
    you = open_browser()
    page = await you.post("/try/whiskey")
    assert page.status == 200 and "You play Alice and Bob." in page.text
    for who in ("alice", "bob"):
        form = next(f for f in page.forms if any(v == who for n, v in f.fields if n == "_seat"))
        fields = [(n, v) for n, v in form.fields if n not in (f"of.{who}.attack", "_act")]
        page = await you.post(f"{page.path}/lay", [*fields, (f"of.{who}.attack", "shaman"), ("_act", "seal")])
        assert page.status == 200
    assert "The bodyguards cut you off" in page.text and "The first bodyguard cuts Alice off." in page.text
    assert "declare for Alice" in page.text, "the book has set the next scene and sealed for its side"
