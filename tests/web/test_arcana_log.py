"""Arcana's log: a sentence for every kind of event, with its dice, its target number and what the bonus is made of."""

import dataclasses
import html
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI

from app.engine.chance import Roll
from app.engine.ifthen import Verdict
from app.rulesets import find
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import Action, React, Turn, When
from app.rulesets.arcana.fight.state import Fighter
from app.rulesets.arcana.rules.rulings import Question, Ruling
from app.rulesets.arcana.view.film import FILMED
from app.table.reading import EventSight, SceneSight, sight
from app.table.runtime import Runtime
from app.web.drawing.sentences import event_reason
from app.web.http.templating import environment, ruleset_template
from tests.arcana_fight import Laid, lay
from tests.rulesets.arcana.plain import plain
from tests.web.browser import Browser
from tests.web.seated_fight import Fight, seated, sit

pytestmark = pytest.mark.anyio

D20, D8 = Roll(label="ARC-71/a", size=20, face=12), Roll(label="ARC-71/b", size=20, face=17)
PARTS, BRACE = (("FIN", 1), ("Expertise: wand", 2)), (("Brace", -1),)
ADA = Fighter(plain("ada"), "players", "ada", (0, 0), 20, 20)


def card(verdict: Any, why: Any, **given: Any) -> Verdict:
    return Verdict(owner="ada", verdict=verdict, why=why, **given)


def judged(verdict: Any, why: Any, time: Any = "", **given: Any) -> ev.Judged:
    return ev.Judged("ada", card(verdict, why, **given), time)


def check(what: Any, ok: bool, about: str = "", value: int = 10, **given: Any) -> ev.Checked:
    return ev.Checked("ada", what, (D20,), 3, value, ok, about, parts=PARTS, **given)


def struck(by: str, hit: bool, **given: Any) -> ev.Struck:
    return ev.Struck("ada", "troll", "spark_volley", (D20,), 12, 3, 10, by, hit, parts=PARTS, **given)


def harm(amount: int, **given: Any) -> ev.Damaged:
    return ev.Damaged("ada", "troll", "spark_volley", "fire", (Roll(label="x", size=6, face=4),), 3,
                      given.pop("critical", ()), given.pop("triggers", ()), given.pop("halved", False), amount,
                      **given)  # fmt: skip


EVENTS: tuple[tuple[Any, str], ...] = (
    (ev.Stage("land"), "The cycle continues."),
    (ev.Kept("ada", React()), "Your private choices are noted."),
    (ev.Questioned((Question(key="knot/ada", about="knot", who=("ada",)),)), "The reveal raises questions"),
    (ev.Ruled("condition/ada", Ruling(yes=True)), "The GM rules that Ada’s condition is met."),
    (ev.Ruled("condition/ada", Ruling(yes=False), "default"), "is not met (the book’s default)."),
    (ev.Ruled("interrupt/ada", Ruling(yes=True, value=12)), "lets Ada try to act first, against 12."),
    (ev.Ruled("interrupt/ada", Ruling(yes=True, waived=True)), "act first, without a check."),
    (ev.Ruled("interrupt/ada", Ruling(yes=False, words="Too far.")), "does not let Ada act first. Too far."),
    (
        ev.Ruled("knot/ada", Ruling(yes=False)),
        "The if-thens of Ada and others wait for each other: the GM lets none of them happen.",
    ),
    (ev.Ruled("custom/ada/1", Ruling(yes=True)), "The GM lets Ada try."),
    (ev.Ruled("custom/ada/1", Ruling(yes=False)), "does not allow Ada’s action."),
    (
        ev.Ruled("counter/ada/troll", Ruling(yes=True)),
        "Ada’s counterspell turns away the troll’s attack, if the counterspell is cast.",
    ),
    (
        ev.Ruled("counter/ada/troll", Ruling(yes=True, waived=True)),
        "throws back the troll’s attack, if the counterspell is cast.",
    ),
    (ev.Ruled("counter/ada/troll", Ruling(yes=False)), "Ada’s counterspell has its ordinary effect."),
    (ev.Ruled("collide/move", Ruling(yes=True)), "Two fighters want the same place: the GM rules a body slam."),
    (ev.Clashing("move", (), ("ada",)), "the GM decides."),
    (ev.Matched((), ()), "All conditions are compared with the revealed actions."),
    (ev.Named("ada", "stone_skin"), "Ada names Stone Skin for the counterspell."),
    (ev.Named("ada", "", "default"), "Ada names no spell for the counterspell (time ran out)."),
    (ev.Round(1), "The next round of if-thens is launched."),
    (ev.Landed(2), "lands together."),
    (ev.Tried("ada/1>troll", "troll", False), "The troll does not resist."),
    (ev.Tried("ada/1>troll", "troll", True), "The target tries to resist."),
    (ev.Rested("ada", 2), "Ada regains 2 FP."),
    (ev.Looks("troll", "below half"), "The troll looks badly hurt."),
    (ev.Looks("troll", "dead"), "The troll is dead."),
    (
        ev.Revealed("ada", Turn(major=Action(do="attack", target="troll", weapon="unarmed"))),
        "with their bare hands.",
    ),
    (ev.Revealed("ada", Turn(), "default"), "Ada waits and does nothing (time ran out)."),
    (ev.Revealed("ada", Turn(), "draft"), "(from a draft)"),
    (ev.Revealed("ada", Turn(), "standing"), "(standing choice)"),
    (ev.Revealed("ada", Turn(), "surprised"), "Ada is surprised and does nothing."),
    (
        ev.Revealed("ada", Turn(major=Action(do="search"), when=When(who="troll", verb="attacks", whom="me"))),
        "If the troll attacks Ada, then Ada searches.",
    ),
    (ev.Faced("ada", (1, 0)), "They turn towards their targets."),
    (ev.Emerged("ada"), "Ada leaves cover."),
    (ev.Covered("ada"), "Ada is back in cover."),
    (ev.Moved("ada", "step", (0, 0), (1, 0), (1, 0)), "Ada steps 0.5 m east."),
    (ev.Moved("ada", "considered", (0, 0), (4, 0), (4, 0)), "Ada moves carefully 2 m east."),
    (ev.Moved("ada", "move", (0, 0), (6, 0), (5, 0)), "Ada moves 2.5 m east, 0.5 m short of their goal."),
    (ev.Moved("ada", "move", (0, 0), (1, 0), (0, 0)), "Ada cannot move: someone is in the way."),
    (ev.Moved("ada", "push", (0, 0), (9, 0), (6, 0)), "Ada is pushed 3 m east."),
    (
        check("casting", True, "spark_volley"),
        "Ada’s Spark Volley is cast: 12 + 3 = 15 against 10 (Finesse +1, Expertise: wand +2).",
    ),
    (check("casting", False, "spark_volley", 16), "Ada’s Spark Volley fails: 12 + 3 = 15 against 16"),
    (check("search", True, value=0), "Ada searches: 12 + 3 = 15 (Finesse +1, Expertise: wand +2)."),
    (check("stealth", True, value=0), "Ada tries to stay out of sight: 12 + 3 = 15"),
    (check("hide", True, value=0), "Ada hides: 12 + 3 = 15"),
    (check("hide", False, value=0), "Ada finds nothing to hide behind"),
    (check("quickness", True, "troll"), "Ada rolls quickness because the troll tries to act first: 12 + 3 = 15"),
    (check("interrupt", True, "troll"), "Ada acts before the troll: 12 + 3 = 15 against 10"),
    (check("interrupt", False, "troll", 20), "Ada is too slow to act before the troll: 12 + 3 = 15 against 20"),
    (ev.Checked("ada", "interrupt", (), 0, 0, True, "troll"), "Ada acts before the troll: the GM allows it."),
    (check("shake_off", True, "trapped"), "Ada shakes off trapped: 12 + 3 = 15 against 10"),
    (
        ev.Checked("ada", "rider", (D20,), 0, 0, True, "burned_mild"),
        "Lasting effect on Ada: 12, mildly burned.",
    ),
    (ev.Checked("ada", "rider", (D20,), 0, 0, False, ""), "Lasting effect on Ada: 12, none."),
    (check("custom", False, "swing on the lamp", 15), "Ada fails (“swing on the lamp”): 12 + 3 = 15"),
    (
        check("casting", True, "mend", kept=12, sways=(("blinded", -1),)),
        "(Finesse +1, Expertise: wand +2; disadvantage: blinded).",
    ),
    (ev.Noticed("troll", ("ada",)), "Ada notices the troll."),
    (ev.Noticed("troll", ("ada", "ben")), "Ada and Ben notice the troll."),
    (ev.Paid("ada", 5), "Ada pays 5 FP."),
    (ev.Paid("ada", 0), "Nothing is paid."),
    (ev.Void("ada", "attack", "the target is out of reach"), "Ada’s attack comes to nothing: the target is out"),
    (ev.Spoke("ada", "Run!"), "Ada says: “Run!”"),
    (ev.Spoke("ada", "", ("ben",)), "Ada says something in code to Ben."),
    (ev.Spoke("ada", "Now.", ("ben",)), "Ada says in code to Ben: “Now.”"),
    (ev.Used("ada", "healing_draught", "ben"), "on Ben."),
    (ev.Used("ada", "healing_draught", "ada"), "Ada uses"),
    (ev.Launched("ada", "attack", "unarmed", "troll", 0), "Ada strikes at the troll with their bare hands."),
    (ev.Launched("ada", "cast", "spark_volley", "troll", 0), "Ada launches Spark Volley at the troll."),
    (ev.Launched("ada", "cast", "mend", "ada", 0), "Ada launches Mend on themselves."),
    (ev.Launched("ada", "stand", "", "", 0), "Ada gets up."),
    (ev.Launched("ada", "hide", "", "", 0), "Ada tries to hide."),
    (ev.Launched("ada", "custom", "", "troll", 0), "Ada tries something unusual, on the troll."),
    (ev.Launched("ada", "use", "antidote", "", 0), "It is launched"),
    (ev.Launched("ada", "use", "Rope", "troll", 0), "Ada uses Rope on the troll."),
    (ev.Launched("ada", "drop", "Rope", "ada", 0), "It is launched"),
    (ev.Drew("ada", "Rope", ("", ""), True), "Ada picks up Rope."),
    (ev.Dropped("ada", "Rope", (3, 4)), "Ada puts down Rope."),
    (
        struck("block", True),
        "Ada’s Spark Volley hits the troll: 12 + 3 = 15 against Block 10 (Finesse +1, Expertise: wand +2).",
    ),
    (
        struck("block", False),
        "The troll blocks Ada’s Spark Volley: 12 + 3 = 15 against Block 10 (Finesse +1, Expertise: wand +2). Ada’s d20 "
        "shows 12. With Finesse +1, Expertise: wand +2: 15 to hit. Needed: 10, the troll’s Block.",
    ),
    (
        harm(7, resists=50, absorbed=1),
        "The troll resists 50 % of this kind of damage. A shield absorbs 1, so 6 get through.",
    ),
    (struck("dodge", False), "Ada’s Spark Volley misses the troll: 12 + 3 = 15 against Dodge 10"),
    (struck("stationary", True), "against standing still 10"),
    (
        ev.Struck("ada", "troll", "wand", (D20, D8), 12, 0, 10, "dodge", True, sways=BRACE),
        "12 not counted: 17 against Dodge 10 (disadvantage: Brace).",
    ),
    (
        ev.Resisted("troll", "trip", (D20,), -1, 12, False, 12, (("FIN", 1), ("tried before", -2))),
        "12 − 1 = 11 against 12 (Finesse +1, tried before −2). The troll’s d20 shows 12. "
        "With Finesse +1, tried before −2: 11 to resist. Needed: 12, the caster’s Resist value.",
    ),
    (ev.Resisted("troll", "trip", (D20,), 0, 12, True), "The troll resists Trip: 12 against 12."),
    (harm(7), "Spark Volley deals 7 fire damage to the troll: 4 + 3."),
    (
        harm(14, by=2, critical=(Roll(label="x", size=6, face=6),), triggers=("ARC-106",)),
        "14 fire damage to the troll: 4 + 3 (× 2 for a critical strike) Critical die for caught while casting: 6.",
    ),
    (
        harm(1, halved=True, resists=50, suffers=10, weapon=2, absorbed=1),
        "a shield absorbs 1: 4 + 3 (× 2 for the weapon, halved by a Resist, 50 % resisted, 10 % more suffered).",
    ),
    (ev.Healed("ada", "ben", "mend", (D20,), 2, 14), "Mend heals Ben for 14 HP: 12 + 2."),
    (
        ev.Damaged("ada", "ada", "caltrops", "piercing", (D20,), 0, (), (), False, 12),
        "Ada steps on caltrops and takes 12 piercing damage: 12.",
    ),
    (
        ev.Damaged("ada", "ada", "fall", "bludgeoning", (D20,), 0, (), (), False, 12),
        "Ada falls and takes 12 bludgeoning damage: 12.",
    ),
    (ev.Slammed("ada", D20), "Ada takes 12 damage in a body slam."),
    (ev.Bled("troll", 1, 0, ("critical",)), "Critical: the troll loses 1 more HP."),
    (ev.Bled("ada", 2, 1, ("burned_mild", "critical")), "Mildly burned and critical: Ada loses 2 HP and 1 FP."),
    (ev.Changed("ada", 13, 20, "up", hp_before=20, fp_before=20), "Ada loses 7 HP: 20 − 7 = 13."),
    (
        ev.Changed("ada", -2, 10, "critical", hp_before=5, fp_before=12),
        "Ada loses 7 HP: 5 − 7 = −2 and loses 2 FP: 12 − 2 = 10, is down.",
    ),
    (ev.Changed("ada", 15, 20, "up", hp_before=10, fp_before=20), "Ada gains 5 HP: 10 + 5 = 15."),
    (ev.Changed("ada", -12, 0, "dead", hp_before=-12, fp_before=0), "Ada dies."),
    (ev.Changed("ada", 20, 20, "up", hp_before=20, fp_before=20), "HP and FP stay the same."),
    (ev.Gained("ada", "burned_mild", 3, "spark_volley"), "Ada is mildly burned for 3 cycles, from Spark Volley."),
    (ev.Gained("ada", "prone", 0), "Ada is prone."),
    (ev.Ended("ada", "prone"), "Ada is no longer prone."),
    (ev.Lent("ada", "block", 2, 3, "stone_skin"), "Ada has +2 on Block for 3 cycles, from Stone Skin."),
    (ev.Lent("ada", "shield", 10, 0, "floating_shield"), "Ada has a shield of 10 points, from"),
    (ev.Worn("ada", "armour", 1), "Ada’s armour loses 1 Block."),
    (ev.Worn("ada", "shield", 4), "Ada’s shield absorbs 4."),
    (ev.Worn("ada", "armour", 2, "", (D8,)), "armour loses 2 Block instead of any damage"),
    (ev.Lent("ada", "resistance", 10, 1200, "rune_of_resistance", type="fire"), "Ada takes 10 % less fire damage"),
    (ev.Lent("ada", "speed_proficiency", 1, 100, "haste"), "Ada has +1 on Speed"),
    (ev.Lent("ada", "misses", 1, 0, "glimpse"), "Ada will be missed by the next attack, from Glimpse."),
    (ev.Lapsed("ada", "", "wither"), "Wither on Ada ends."),
    (ev.Mended("ada", "spell_shield", 2), "Ada’s shield regains 2 points."),
    (ev.Remains("ada", "troll", "kindle", (0,), 1), "Kindle keeps harming the troll for 1 cycle."),
    (ev.Remains("ada", "", "acid_cloud", (0,), 40), "Acid Cloud keeps harming anyone there for 40 cycles."),
    (ev.Remains("ada", "", "dark_shroud", (), 40, obscures="total"), "makes it too dark to see"),
    (ev.Dropped("ada", "club", (3, 4), (D8,)), "Ada drops a club, which flies away"),
    (ev.Sensed("ada", "troll", (3, 4)), "Ada senses the troll, 2.5 m away."),
    (ev.Reeled("ada", (D20,), "fails"), "Ada is confused and fails to act: 12."),
    (ev.Reeled("ada", (D20,), "turns", "troll"), "and turns on the troll: 12."),
    (ev.Described("ada", "troll", "It glows."), "On the troll: It glows."),
    (judged("fired", "met", round=1, watched="troll"), "Ada’s if-then triggers because of the troll."),
    (
        judged("fired", "met", "in_time", round=1, watched="troll", tries_first=True),
        "Ada’s if-then triggers in time, before the troll acts.",
    ),
    (
        judged("fired", "met", "late", round=1, watched="troll", tries_first=True),
        "triggers because of the troll, too late to act first.",
    ),
    (
        judged("fired", "knot_let_loose", round=2, knot=("ada", "ben")),
        "triggers: Ada and Ben waited for each other, and the GM let it all happen.",
    ),
    (judged("not_fired", "not_met"), "does not trigger: what it waits for did not happen."),
    (judged("not_fired", "waited", watched="ben"), "it waited for Ben, whose own if-then never triggered."),
    (
        judged("not_fired", "knot", knot=("ada", "ben", "cleo")),
        "does not trigger: Ada, Ben and Cleo wait for each other.",
    ),
    (
        judged("blocked", "lost", round=1, watched="troll", note="cannot act"),
        "triggers because of the troll but is blocked: cannot act.",
    ),
    (ev.Ticked(1), "The cycle ends"),
    (ev.Laid("A gate.", 40, 30, ()), "The ground is laid out."),
    (ev.Placed("ada", (4, 5)), "The GM moves Ada."),
    (ev.Shown("troll", False), "The troll is now in plain sight."),
    (ev.Unaware(("ada",)), "Some have not noticed their attackers"),
    (ev.Corrected("ada", "miscounted", hp=-1, status="prone"), "corrects Ada: miscounted (−1 HP, prone)."),
    (ev.Corrected("ada", "", fp=3, status="prone", off=True), "corrects Ada (3 FP, no longer prone)."),
    (ev.Joined("imp-2", "Imp 2", "foes"), "Imp 2 joins the fight."),
    (ev.Armed("ada", ADA), "A newcomer is ready."),
    (ev.Left("troll", "it flees"), "The troll leaves the fight: it flees."),
    (ev.Desk(True), "The GM’s change is made"),
    (ev.Over("players"), "The fight is over: the players win."),
    (ev.Over("", "Night falls."), "The fight is over. Night falls."),
)


class Night:
    """A fight with a browser for everybody."""

    def __init__(self, laid: Laid, browsers: dict[str, Browser], runtime: Runtime) -> None:
        self.laid, self.browsers, self.runtime = laid, browsers, runtime

    async def sight(self, who: str) -> SceneSight:
        async with self.runtime.sessions() as session:
            laid = self.laid
            return await sight(session, self.runtime.vault, laid.campaign.id, laid.scene, laid.people[who])


@pytest.fixture
async def begin(site: FastAPI, open_browser: Callable[[], Browser]) -> Callable[..., Any]:
    async def begin_one(**given: Any) -> Night:
        runtime: Runtime = site.state.runtime
        async with runtime.sessions.begin() as session:
            laid = await lay(session, runtime.vault, **given)
            browsers = await sit(session, open_browser, laid)
        return Night(laid, browsers, runtime)

    return begin_one


def text_of(markup: object) -> str:
    return " ".join(re.sub(r"<[^>]+>", "", html.unescape(str(markup))).split())


async def test_every_event_has_its_sentence(begin: Callable[..., Any]) -> None:
    """Its dice, target number and parts stand in it; what says nothing of itself has a reason all the same."""
    night: Night = await begin()
    seen = await night.sight("gm")
    words: Any = environment().get_template("rulesets/arcana/log.html").make_module({"sight": seen, "desk": None})
    wrong: list[tuple[str, str]] = []
    for event, said in EVENTS:
        told = EventSight(2, "ARC-12", (1,), event, "c1/plan")
        text = text_of(event_reason(words, told, seen, None))
        whole = text.endswith((".", "”", ")")) and "  " not in text and "None" not in text
        if said not in text or not whole or re.search(r" [.,:;]|[+−] [+−]|-\d|\.\.", text):
            wrong.append((said, text))
    assert not wrong, "\n".join(f"{said!r} not in, or not whole: {text!r}" for said, text in wrong)


async def test_whom_one_does_not_know_of_is_someone(begin: Callable[..., Any]) -> None:
    """A name is looked up in what the viewer knows, never in the event."""
    night: Night = await begin()
    seen = await night.sight("ada")
    blind = dataclasses.replace(seen, view=_without(seen.view, "troll"))
    words: Any = environment().get_template("rulesets/arcana/log.html").make_module({"sight": blind, "desk": None})
    for event, _ in EVENTS:
        told = EventSight(2, "ARC-12", (1,), event, "c1/plan")
        assert "Troll" not in text_of(event_reason(words, told, blind, None))


def _without(view: Any, who: str) -> Any:
    people = {key: one for key, one in view.known.fighters.items() if key != who}
    return dataclasses.replace(view, menus={}, known=dataclasses.replace(view.known, fighters=people))


def does(who: str, **fields: str) -> dict[str, str]:
    return {f"of__{who}__{name}": value for name, value in fields.items()}


async def play(table: Fight) -> None:
    """A first cycle: Ada casts at the troll, Ben answers whoever attacks her, Cleo waits for what never comes."""
    spell = {"major__do": "cast", "major__spell": "spark_volley", "major__target": "troll"}
    blow = {"major__do": "attack", "major__weapon": "club", "major__target": "them"}
    assert (await table.answer("ada", "plan", **does("ada", **spell))).status == 200
    waits = does("ben", **blow, when__who="troll", when__verb="attacks", when__mode="interrupt")
    assert (await table.answer("ben", "plan", **waits)).status == 200
    mends = {"major__do": "cast", "major__spell": "mend", "major__target": "ada"}
    never = does("cleo", **mends, when__who="imp", when__verb="searches")
    assert (await table.answer("cleo", "plan", **never)).status == 200
    near = {"major__do": "attack", "major__weapon": "fists", "major__target": "ada"}
    page = await table.answer("gm", "plan", **does("imp", major__do=""), **does("troll", **near))
    assert page.status == 200, re.findall(r"fault[^>]*>([^<]*)<", page.html)
    if "rule" in await table.asked("gm"):
        assert (await table.answer("gm", "rule")).status == 200


@pytest.fixture
async def played(site: FastAPI, open_browser: Callable[[], Browser]) -> Fight:
    table = await seated(site, open_browser, lay, given={"at": {"ada": "10,10", "ben": "10,12"}, "foes": NEAR})
    await play(table)
    return table


NEAR = [
    {"key": "troll", "name": "Troll", "foe": "troll", "place": "12,10"},
    {"key": "imp", "name": "Imp", "foe": "imp", "place": "30,20", "habit": "hold"},
]


async def test_cards_and_film_stand_on_the_page_after_the_reveal(played: Fight) -> None:
    for who in ("ada", "ben", "sam", "gm"):
        page = await played.page(who)
        assert page.status == 200
        cards = re.findall(r'class="ifthen is-(\w+)" data-card="(\w+)"', page.html)
        assert ("not_fired", "cleo") in cards and [key for _, key in cards if key != "cleo"] == ["ben"]
        assert "If the imp searches, then Cleo casts Mend on Ada." in page.text
        assert "Did not trigger: what it waits for did not happen." in page.text
        assert "data-film-play" in page.html and "rulesets/arcana/arcana-film.css" in page.html


def test_the_steps_that_play_are_those_that_have_a_film() -> None:
    ceremony = environment().get_template(ruleset_template(find("arcana"), "fight", "log.html")).module.ceremony
    assert set(ceremony) == {kind.__dataclass_fields__["kind"].default for kind in FILMED}


async def test_every_line_with_a_why_has_reasons_with_rules(played: Fight) -> None:
    page = await played.page("ada")
    whys = dict.fromkeys(re.findall(r'href="([^"]+/why/\d+)"', page.html))
    assert len(whys) > 4
    for href in whys:
        why = await played.browsers["ada"].get(href)
        assert why.status == 200 and "ARC-" in why.text and "The rules say so." not in why.text
    struck = re.search(r'class="is-struck" id="e(\d+)"', page.html)
    assert struck is not None
    chain = (await played.browsers["ada"].get(f"{played.at.format(who='ada')}/why/{struck[1]}")).text
    assert "ARC-12" in chain and "ARC-07" in chain, "from the landing back to the declaration"


async def test_older_cycles_play_as_films_and_the_replay_too(played: Fight) -> None:
    for who in ("ada", "ben", "cleo", "gm"):  # whoever is down is not asked
        if "plan" in await played.asked(who):
            assert (await played.answer(who, "plan")).status == 200
    page = await played.page("ada")
    steps = re.findall(r'data-film-play="([^"]+)"', page.html)
    assert steps[0] == "c1/plan" and "c2/plan" in steps
    at = played.at.format(who="ada")
    asked = "&".join(f"step={key}" for key in steps if key.startswith("c1/"))
    film = json.loads((await played.browsers["ada"].get(f"{at}/film?{asked}")).html)
    titles = [frame["title"] for frame in film["frames"]]
    assert titles[:2] == ["", "Everything opens"] and "Launches" in titles and film["most"] == 20_000
    assert {op["op"] for frame in film["frames"] for op in frame["draw"]} >= {"open", "fly", "card"}
    lines = [number for frame in film["frames"] for number in re.findall(r' href="[^"]*/why/(\d+)', frame["lines"])]
    assert lines and len(lines) == len(set(lines))
    back = await played.browsers["ada"].get(f"{at}/replay?chapter=c1/plan")
    assert 'data-film-now="c1/plan"' in back.html and "Spark Volley" in back.text
    beginning = await played.browsers["ada"].get(f"{at}/replay")
    assert "data-film-now" not in beginning.html and 'class="opened"' not in beginning.html
    nowhere = await played.browsers["ada"].get(f"{at}/replay?chapter=c99/plan")
    assert nowhere.status == 200


async def test_what_is_hidden_is_in_no_card_and_no_film(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    foes = [NEAR[0], {"key": "lurker", "name": "Xanthippe", "foe": "imp", "place": "20,20", "hidden": "yes"}]
    table = await seated(site, open_browser, lay, given={"at": {"ada": "10,10"}, "foes": foes})
    for who in ("ada", "ben", "cleo"):
        await table.answer(who, "plan")
    near = {"major__do": "attack", "major__weapon": "fists", "major__target": "ada"}
    page = await table.answer("gm", "plan", **does("troll", **near), **{"of.lurker.what": "hold"})
    assert page.status == 200, re.findall(r"fault[^>]*>([^<]*)<", page.html)
    assert "Xanthippe" in (await table.page("gm")).text
    for who in ("ada", "sam"):
        text = (await table.page(who)).html
        assert "Xanthippe" not in text and "lurker" not in text and "data-film-play" in text
        film = (await table.browsers[who].get(f"{table.at.format(who=who)}/film?step=c1/plan")).html
        assert "Xanthippe" not in film and "lurker" not in film and "fists" in film
