"""A duel's pages as a browser without JavaScript uses them: every phase for every eye, and words for every event."""

import dataclasses
import html
import json
import re
from collections.abc import Callable
from typing import Any, get_args

import pytest
from fastapi import FastAPI

from app.campaign import seats, tokens
from app.engine.chance import Roll
from app.receipts import luck
from app.rulesets.duel import events as ev
from app.rulesets.duel.sheets import Sheet
from app.table.reading import Chapter, EventSight, StepSight, sight
from app.table.runtime import Runtime
from app.web.drawing.sentences import event_reason
from app.web.http.templating import environment
from tests.duel_fight import Laid, lay
from tests.web.browser import Browser, Page

pytestmark = pytest.mark.anyio

WHYS = ("ended", "finisher", "parry", "exhausted", "universal")
PLACE = ("campaign", "scene", "step", "seat", "ask")
EYES = ("gm", "mira", "tomo", "sam")


class Evening:
    """Everybody at a duel, each with a browser."""

    def __init__(self, laid: Laid, browsers: dict[str, Browser]) -> None:
        self.laid, self.browsers = laid, browsers

    async def page(self, who: str) -> Page:
        page = await self.browsers[who].get(self.laid.at(who))
        assert page.status == 200
        return page

    async def press(self, who: str, kind: str, name: str, value: str, **more: str) -> Page:
        """Press one of the buttons of a question, as a browser sends it: the fields, then the button."""
        page = await self.page(who)
        assert re.search(rf'<button[^>]* name="{name}" value="{value}"', page.html), f"no button {name}={value}"
        form = next(f for f in page.forms if f.action.endswith("/lay") and ("_step", step_of(page, kind)) in f.fields)
        fields = [(n, v) for n, v in form.fields if n not in more]
        return await self.browsers[who].post(form.action, [*fields, *more.items(), (name, value)])

    async def clash(self, **moves: str) -> None:
        for who, action in moves.items():
            page = await self.press(who, "move", "action", action)
            assert page.status == 200, page.text


def step_of(page: Page, kind: str) -> str:
    """The step of the question of that kind."""
    places = [json.loads(html.unescape(text)) for text in re.findall(r"data-seal='([^']+)'", page.html)]
    found = [place["step"] for place in places if place["ask"] == kind]
    assert found, f"nothing of the kind {kind} is asked here"
    return str(found[0])


@pytest.fixture
async def begin(site: FastAPI, open_browser: Callable[[], Browser]) -> Callable[..., Any]:
    async def begin_one(sheets: dict[str, Sheet] | None = None, opponent: str = "", **settings: Any) -> Evening:
        runtime: Runtime = site.state.runtime
        browsers = {}
        async with runtime.sessions.begin() as session:
            laid = await lay(session, runtime.vault, sheets, opponent, **settings)
            for who, member in laid.people.items():
                token = tokens.fresh()
                await seats.sit_down(session, member, "test", token)
                browsers[who] = open_browser()
                path = f"/c/{laid.campaign.slug}/{who}"
                browsers[who].http.cookies.set("signet", token, domain="signet.test", path=path)
        return Evening(laid, browsers)

    return begin_one


async def test_every_phase_for_every_eye(begin: Callable[..., Any]) -> None:
    duel: Evening = await begin()
    for who in EYES:
        page = await duel.page(who)
        asked = "Which half of the die is yours?" in page.text
        assert asked == (who in ("mira", "tomo")) and "Mira" in page.text and "HP" in page.text
        assert "rulesets/duel/duel.css" in page.html and "After closing time" in page.text
    assert "Sealed at" in (await duel.press("mira", "half", "half", "high")).text
    watched = await duel.page("sam")
    assert 'aria-label="Mira has sealed"' in watched.html and 'aria-label="Tomo has not sealed yet"' in watched.html
    assert "wants the upper half" not in watched.text, "what is sealed is not told"
    await duel.press("tomo", "half", "half", "low")
    assert "Mira gets 5 to 8, Tomo gets 1 to 4." in (await duel.page("sam")).text

    hand = await duel.page("tomo")
    assert "The initial clash" in hand.text and 'name="action" value="jab"' in hand.html
    assert 'value="straight"' not in re.sub(r"add=opener.*?</li>", "", hand.html, flags=re.S)
    assert "There is no combo yet in the initial clash" not in hand.text, "Surprise! helps Tomo out"
    assert "There is no combo yet in the initial clash" in (await duel.page("mira")).text
    await duel.clash(mira="guard")
    await duel.clash(tomo="jab")
    for who in EYES:
        page = await duel.page(who)
        assert "Tomo plays Jab for 1 stamina." in page.text and "Mira plays Guard." in page.text
        assert "loses no HP (1 damage − 1 blocked)" in page.text, page.text
        assert ("Continue your combo?" in page.text) == (who == "tomo")
        assert "Tomo gets the offence: Offence beats Defence. The die is set to 4." in page.text
        assert "The momentum die shows 4 of 8, in Tomo’s half." in page.html
    await duel.press("tomo", "combo", "go", "on")
    page = await duel.page("mira")
    assert (
        "You defend" in page.text
        and "You are on the defence: you can use only Defence and universal actions." in page.text
    )
    await duel.clash(mira="leg-sweep", tomo="hook")
    page = await duel.page("sam")
    assert "loses 3 HP (3 damage)" in page.text and "13" in page.text
    why = await duel.browsers["sam"].get(next(iter(re.findall(r'href="([^"]+/why/\d+)"', page.html))))
    assert "DUE-" in why.text


async def test_every_seal_is_answered_with_its_receipt(begin: Callable[..., Any]) -> None:
    """Whoever seals last opens the step with it, and has to have noted what was sealed as well as the first one."""
    duel: Evening = await begin()
    for who, half in (("mira", "high"), ("tomo", "low")):
        page = await duel.page(who)
        form = next(f for f in page.forms if ("_step", "halves") in f.fields)
        fields = dict(form.fields)
        salt, words = "ab" * 32, f'[["half","{half}"]]'
        place = json.loads(html.unescape(re.findall(r"data-seal='([^']+halves[^']+)'", page.html)[0]))
        wax = luck.seal(*(place[name] for name in PLACE), bytes.fromhex(salt), words).commitment.hex()
        fields |= {"half": half, "_words": words, "_salt": salt, "_wax": wax}
        for press in ("first", "again, for the answer was lost"):
            answer = await duel.browsers[who].post(form.action, fields, **{"HX-Request": "true"})
            assert answer.status == 200, answer.text
            found = [json.loads(html.unescape(one)) for one in re.findall(r"data-receipt='([^']+)'", answer.html)]
            own = [one for one in found if one["step"] == "halves"]
            assert [(one["seat"], one["revision"], one["wax"]) for one in own] == [(who, 1, wax)], (who, press)
    assert "The initial clash" in answer.text and "data-receipt=" not in (await duel.page("tomo")).html


async def test_giving_up_takes_a_tick_and_ends_it(begin: Callable[..., Any]) -> None:
    duel: Evening = await begin(best_of="3")
    page = await duel.page("tomo")
    form = next(f for f in page.forms if ("_step", "concede/tomo") in f.fields)
    refused = await duel.browsers["tomo"].post(form.action, form.fields)
    assert refused.status == 422 and "Tick the box if you really want to give up." in refused.text
    done = await duel.browsers["tomo"].post(form.action, [*form.fields, ("sure", "yes")])
    assert "Mira wins the match" in done.text and "Tomo gives up." in done.text
    for who in EYES:
        assert "This scene is over." in (await duel.page(who)).text
        assert 'id="whenever-concede' not in (await duel.page(who)).html


async def test_what_cannot_be_played_is_refused_in_words(begin: Callable[..., Any]) -> None:
    duel: Evening = await begin()
    await duel.press("mira", "half", "half", "low")
    await duel.press("tomo", "half", "half", "low")
    assert "Both want the same half, and the coin comes up" in (await duel.page("sam")).text
    refused = await duel.press("tomo", "move", "action", "jab", add="opener")
    assert refused.status == 422 and "Jab already has that trait." in refused.text
    refused = await duel.press("tomo", "move", "action", "straight")
    assert refused.status == 422 and "There is no combo yet in the initial clash" in refused.text
    sealed = await duel.press("tomo", "move", "action", "straight", add="opener")
    assert "Sealed at" in sealed.text
    assert re.search(r'class="action is-offence is-chosen" name="action" value="straight"', sealed.html)
    assert "is-chosen" not in (await duel.page("mira")).html


async def test_the_gm_fights_for_an_opponent_and_opens_a_duel_by_form(begin: Callable[..., Any]) -> None:
    duel: Evening = await begin(opponent="champion")
    page = await duel.page("gm")
    assert "Which half of the die is yours?" in page.text and "Old champion" in page.text
    await duel.press("gm", "half", "half", "high")
    await duel.press("mira", "half", "half", "")
    page = await duel.page("gm")
    assert "pay with stamina only" not in page.text and "The initial clash as Old champion" in page.text
    blank = await duel.browsers["gm"].get(f"/c/{duel.laid.campaign.slug}/gm/scenes/new")
    assert "Opponent A duel needs two fighters" in blank.text
    typed = {"title": "Again", "seat[]": "tomo", "given.opponent": "brawler", "settings.best_of": "3"}
    form = blank.form("/scenes/new")
    fields = [(n, v) for n, v in form.fields if n not in typed]
    fields += [("given.so_far.high", "tomo"), ("given.so_far.fighters.brawler.hp", "1")]  # only a case may say that
    opened = await duel.browsers["gm"].post(form.action, [*fields, *typed.items()])
    assert opened.status == 200 and "Dockside brawler" in opened.text and "Bout 1 of a best of 3" in opened.text
    assert "Which half of the die is yours?" in opened.text
    stranger = {**typed, "given.opponent": "nobody-knows"}
    wrong = await duel.browsers["gm"].post(form.action, [*fields, *stranger.items()])
    assert wrong.status == 422 and "There is no opponent called" in wrong.text
    strict = {**typed, "settings.tree_mode": "list", "seat[]": "tomo", "held": "copy"}
    wrong = await duel.browsers["gm"].post(
        form.action, [*((n, v) for n, v in fields if n not in strict), *strict.items()]
    )
    assert wrong.status == 422 and "this table goes through each tree in the order of its list" in wrong.text
    fields = [(n, v) for n, v in fields if n != "settings.stall_limit"]
    wrong = await duel.browsers["gm"].post(
        form.action, [*fields, *typed.items(), ("settings.stall_limit", "1"), ("given.description", "x")]
    )
    assert wrong.status == 422 and "At least 5." in wrong.text and "Input should" not in wrong.text


async def test_extras_are_shown_to_those_who_have_them(begin: Callable[..., Any]) -> None:
    angry = Sheet(name="Mira", level=8, unlocks=("bide", "rage", "surprise", "guard"))
    calm = Sheet(name="Tomo", level=2, unlocks=("guard", "leg-sweep"))
    duel: Evening = await begin({"mira": angry, "tomo": calm})
    await duel.press("mira", "half", "half", "high")
    await duel.press("tomo", "half", "half", "low")
    page = await duel.page("mira")
    assert 'name="rage"' in page.html and 'name="add"' in page.html and 'name="ability"' not in page.html
    other = await duel.page("tomo")
    assert 'name="rage"' not in other.html and 'name="add"' not in other.html


COIN = Roll(size=2, face=1, label="DUE-08/coin/halves")
EVENTS: tuple[tuple[Any, str], ...] = (
    (ev.Wished("mira", "high", "sealed"), "Mira wants the upper half, 5 to 8."),
    (ev.Wished("mira", "", "default"), "Mira takes the half that is left."),
    (ev.Sides("mira", "tomo"), "Mira gets 5 to 8, Tomo gets 1 to 4."),
    (ev.Sides("mira", "tomo", COIN), "Both want the same half, and the coin comes up heads: Mira gets 5 to 8"),
    (ev.Breath("mira", 6), "Mira begins with 6 stamina."),
    (ev.Breath("mira", 3, (COIN, COIN), 1), "Mira begins with 3 stamina (1 + 1 + 1 for Agile)."),
    (ev.Played("tomo", "jab", 1), "Tomo plays Jab for 1 stamina."),
    (ev.Played("tomo", "rest", 0, how="default", forced=True), "Tomo is exhausted and must Rest."),
    (ev.Played("tomo", "block", 0, how="default"), "Tomo plays Block (time ran out)."),
    (ev.Played("tomo", "hook", 3, 1, "opener"), "stamina, 1 of it paid with 2 HP, and Surprise! adds Opener."),
    (ev.Played("tomo", "hook", 3, ability="rage"), "and names Rage."),
    (ev.Copied("tomo", "jab", 2), "Tomo’s Ditto copies Jab and now costs 2."),
    (
        ev.Advantage("tomo", "offence", 4),
        "Tomo gets the offence: Offence beats Defence. The die is set to 4.",
    ),
    (ev.Advantage("tomo", "trait", 4), "Offence and Defence beat an action that is neither"),
    (ev.Advantage("tomo", "cheaper", 4), "both actions are of the same kind, and the cheaper one is quicker"),
    (ev.Advantage("tomo", "coin", 4, COIN), "same kind, same cost, and the coin comes up heads"),
    (ev.Paid("tomo", 2, 4), "Tomo pays 2 stamina: 6 − 2 = 4."),
    (
        ev.Paid("tomo", 2, 0, 0, True, 1),
        "pays 2 stamina: 1 − 2 = −1. That is exhausting: the next action must be Rest, and the missing 1 stamina costs",
    ),
    (ev.Paid("tomo", 1, 3, 2), "Tomo pays 1 stamina and 2 HP: 4 − 1 = 3."),
    (ev.Streak("tomo"), "Flurry adds 1 momentum."),
    (
        ev.Dodged("mira", "tomo"),
        "Mira’s action dodges, because it costs more than Tomo’s action. So Tomo’s action has no effect.",
    ),
    (ev.Hurt("mira", 9, 7, damage=3, blocked=1), "Mira loses 2 HP (3 damage − 1 blocked): 9 − 2 = 7."),
    (ev.Hurt("mira", 9, 9, damage=1, blocked=1), "Mira loses no HP (1 damage − 1 blocked)."),
    (ev.Hurt("mira", 9, 8, damage=3, reversed=2), "Mira loses 1 HP (3 damage − 2 turned on Tomo): 9 − 1 = 8."),
    (
        ev.Hurt("mira", 1, -2, extra=1, returned=1, own=1),
        "(1 from Don’t Even Try + 1 turned back + 1 from exhaustion or Rage)",
    ),
    (ev.Healed("mira", 1, 8, "action"), "Mira regains 1 HP: 7 + 1 = 8."),
    (ev.Healed("mira", 1, 8, "recuperate"), "Mira regains 1 HP from Recuperate: 7 + 1 = 8."),
    (ev.Rested("mira", 1, 5), "Mira regains 1 stamina: 4 + 1 = 5."),
    (ev.Tired("mira", 1, 5), "Mira is tired out and loses 1 stamina: 6 − 1 = 5."),
    (ev.Swung(5, 6, 2, 1), "The momentum die moves from 5 to 6 (5 + 2 for Mira − 1 for Tomo)."),
    (
        ev.Swung(8, 8, 1, 0, "imposing"),
        "stays at 8 (8 + 1 for Mira, but the die can go no further), because a combo ended",
    ),
    (ev.Stored("mira", "opportunity", 2), "Mira sees an opening: the next action with Damage deals 2 more."),
    (ev.Stored("mira", "opportunity", -2), "Mira uses the opening: 2 more damage."),
    (ev.Stored("mira", "discombobulate", 1), "Mira is thrown off: the next action costs 1 more."),
    *((ev.ComboOver("tomo", why, 2), "Tomo’s combo of 2 actions is over: ") for why in WHYS),  # type: ignore[arg-type]
    (ev.Checked("tomo", 3), "The die shows 3, so Tomo has the offence."),
    (ev.Clashed("combo", 1), "The clash is over, and the attacker may continue the combo."),
    (ev.Clashed("clash"), "The clash is over, and the next one begins."),
    (ev.Clashed("ditto"), "Ditto: first choose what to copy."),
    (ev.Clashed("stalled"), "This fight is going nowhere: the referee decides."),
    (ev.WentOn("tomo"), "Tomo continues the combo."),
    (ev.WentOn("gm"), "The referee lets the fight continue."),
    (ev.BoutOver("mira", "defeat", "mira"), "Tomo goes down. Mira wins the duel."),
    (ev.BoutOver("mira", "conceded"), "Tomo gives up. Mira wins the bout."),
    (ev.BoutOver("", "both", "-"), "Both go down at once. Nobody wins: a draw."),
    (ev.BoutOver("", "stalled"), "The referee ends it. The bout is a draw."),
)


async def test_every_event_has_its_sentence(site: FastAPI, begin: Callable[..., Any]) -> None:
    assert {type(event) for event, _ in EVENTS} == set(get_args(get_args(ev.Event)[0]))
    duel: Evening = await begin()
    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        laid = duel.laid
        seen = await sight(session, runtime.vault, laid.campaign.id, laid.scene, laid.people["sam"])
    sides = EventSight(1, "DUE-07", (), ev.Sides("mira", "tomo"), "halves")
    step = StepSight("halves", "Halves", "plan", "closed", None, None, None, None, "all", False, ())
    seen = dataclasses.replace(seen, chapters=(Chapter(step, (sides,)),))
    words: Any = environment().get_template("rulesets/duel/log.html").make_module({"sight": seen})
    for event, said in EVENTS:
        told = EventSight(2, "DUE-03", (1,), event, "c2/clash")
        text = " ".join(re.sub(r"<[^>]+>", "", html.unescape(str(event_reason(words, told, seen, None)))).split())
        assert said in text, text
        assert text.endswith(".") and "- " not in text and "  " not in text and "−-" not in text
