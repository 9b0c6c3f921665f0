"""Every page of a scene, of every kind of every ruleset, at its beginning, midway and at its end, for every role.

Which pages there are, and who may open them, is what the matrix of routes says; so a new page is asked for here too.
"""

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest
from fastapi import FastAPI

from app.campaign import founding, seats
from app.engine.unions import members
from app.models.people import Campaign, Member, Role
from app.receipts.setup import STEP
from app.table import closing, envelopes, gm_actions
from app.table.envelopes import Submission
from app.table.reading import SceneSight, sight
from app.table.runtime import Runtime
from app.web.drawing.sentences import has_words
from app.web.http.templating import environment, ruleset_template
from tests.kinds import KINDS, Kind, Rules, begin
from tests.selection import nightly
from tests.server import ROOT
from tests.web.browser import Browser
from tests.web.role_matrix import SCENE, VERDICTS, address
from tests.web.seated_fight import sit

pytestmark = pytest.mark.anyio

OF_RULESETS = re.compile(r"""["']rulesets/(?:(\w+)/([\w/-]+\.\w+)["'])?""")
OWN_PAGES = "app/rulesets/*/templates/**/*.html"
PAGES = [route for method, route in VERDICTS if method == "GET" and route.startswith(SCENE)]
OF_GMS = [route for route in PAGES if VERDICTS["GET", route] == "gm"]
EACH_COMMIT = {"gm": [SCENE, *OF_GMS], "ann": PAGES, "sam": [SCENE]}
"""Who asks for which pages with each commit; by night everybody asks for all of them."""
ENDS: Mapping[str, tuple[str, str, list[tuple[str, str]]]] = {
    "battle": ("gm", "desk", [("what", "end"), ("reason", "Night falls.")]),
    "fight": ("gm", "desk", [("what", "end"), ("reason", "Night falls.")]),
    "discussion": ("gm", "desk", [("what", "end")]),
    "free": ("gm", "desk", [("what", "end")]),
    "hand": ("gm", "desk", [("what", "end"), ("reason", "Night falls.")]),
    "mass": ("gm", "desk", [("what", "end"), ("reason", "Night falls.")]),
    "duel": ("mira", "concede", [("sure", "yes")]),
    "skirmish": ("gm", "desk", [("what", "end"), ("reason", "Night falls.")]),
}
"""Which seat ends a scene by which ask; the other kinds end when everybody has answered."""
SENDS = re.compile(r"""hx-(post|put|patch|delete)|formaction|method=["']?post""", re.IGNORECASE)
MIDWAY = 6  # steps that are closed before the middle of those


@dataclass
class Evening:
    """One campaign with people of every game: a GM, Ann and Bea who play, Sam who watches."""

    runtime: Runtime
    campaign: Campaign
    people: dict[str, Member]
    browsers: dict[str, Browser]
    scene: uuid.UUID

    async def begin(self, rules: Rules, kind: Kind) -> None:
        async with self.runtime.sessions.begin() as session:
            self.scene = await begin(session, self.runtime.vault, self.campaign, self.people, rules, kind)

    async def sight(self, who: str) -> SceneSight:
        async with self.runtime.repeatable_read() as session:
            return await sight(session, self.runtime.vault, self.campaign.id, self.scene, self.people[who])

    async def play(self, most: int) -> None:
        """Close so many steps, one after another, as if nobody were there."""
        for _ in range(most):
            async with self.runtime.locked_scene(self.campaign.id, self.scene) as (session, live):
                rows = await gm_actions.open_steps(session, live)
                row = next((row for row in rows if STEP.validate_python(row.spec).pace != "whenever"), None)
                if row is None:
                    return
                assert await closing.close(session, live, row, "gm"), f"{row.key} is stuck"

    async def end(self, kind: Kind) -> None:
        if kind.key in ENDS:
            seat, ask, pairs = ENDS[kind.key]
            who = "gm" if seat == "gm" else "ann"
            asked = [one for step in (await self.sight(who)).steps for one in step.asks]
            mine = next(one.mine for one in asked if (one.seat, one.kind) == (seat, ask))
            async with self.runtime.locked_scene(self.campaign.id, self.scene) as (session, live):
                step = next(
                    step
                    for step in live.kind.steps(live.state)
                    for one in step.asks
                    if (one.seat, one.kind) == (seat, ask)
                )
                laid = Submission(step.key, seat, pairs, mine.revision if mine else 0, uuid.uuid4(), ready=True)
                await envelopes.lay(session, live, self.people[who].id, laid)
        await self.play(20)
        assert (await self.sight("sam")).status == "over"

    async def every_page(self, when: str) -> list[tuple[object, ...]]:
        """What was not answered as the matrix of routes says."""
        wrong: list[tuple[object, ...]] = []
        for who in ("gm", "ann", "sam"):
            told = [one.number for chapter in (await self.sight(who)).chapters for one in chapter.events]
            for route in PAGES if nightly() else EACH_COMMIT[who]:
                if ("{number}" in route and not told) or "{seat}" in route:
                    continue
                numbers = {"number": told[-1]} if told else {}
                path = address(route, slug=self.campaign.slug, handle=who, scene_id=self.scene, **numbers)
                expected = 403 if VERDICTS["GET", route] == "gm" and who != "gm" else 200
                last = "?step=999" if route.endswith("/replay") else ""  # there the board, and what came of it
                answer = await self.browsers[who].get(path + last)
                if answer.status != expected or not answer.html:
                    wrong.append((when, who, path, answer.status))
        return wrong + (await self._as_others(when) if when != "at its beginning" else [])

    async def _as_others(self, when: str) -> list[tuple[object, ...]]:
        """The GM sees the scene as each seat does, with nothing to press; not as the GM's own, nor when it is over."""
        wrong: list[tuple[object, ...]] = []
        seen = await self.sight("gm")
        others = [one.seat for one in seen.seats if seen.status == "open"]
        for seat in ("spectator", *(others if nightly() else others[:1])):
            at = f"/c/{self.campaign.slug}/{self.people['gm'].handle}/scene/{self.scene}/as/{seat}"
            page = await self.browsers["gm"].get(at)
            if page.status != (409 if seat == "gm" or seen.status != "open" else 200):
                wrong.append((when, at, page.status))
            paths = [f"{at}/live", *re.findall(rf"{at}/why/\d+", page.html)[-1:]] if page.status == 200 else []
            pages = [page, *[await self.browsers["gm"].get(path) for path in paths]]
            wrong += [(when, at, "can be sent") for one in pages if SENDS.search(one.html)]
            wrong += [(when, one.path, one.status) for one in pages[1:] if one.status != 200]
        return wrong


@pytest.fixture
async def evening(site: FastAPI, open_browser: Callable[[], Browser]) -> Evening:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        founded = await founding.found_campaign(session, "Every game", "whiskey", "GM", "test")
        people = {"gm": founded.member}
        for name, role in (("Ann", Role.PLAYER), ("Bea", Role.PLAYER), ("Sam", Role.SPECTATOR)):
            people[name.lower()] = await seats.add_member(session, founded.campaign, name, role)
        evening = Evening(runtime, founded.campaign, people, {}, uuid.uuid4())
        evening.browsers = await sit(session, open_browser, evening)
    return evening


async def test_every_page_of_every_kind_of_scene(evening: Evening) -> None:
    """200, or the refusal that the matrix of routes names; never a page that its ruleset forgot.

    A commit asks for them midway, where most is on them, and at the end of a battle and of kinds that are short by
    then."""
    wrong = []
    for rules, kind in KINDS:
        await evening.begin(rules, kind)
        if nightly():
            wrong += await evening.every_page("at its beginning")
        await evening.play(MIDWAY if kind.key in ENDS else 1)
        midway = (await evening.sight("sam")).status == "open"
        if midway:
            wrong += await evening.every_page("midway")
        if nightly() or not midway or kind.key == "battle":
            await evening.end(kind)
            wrong += await evening.every_page("at its end")
    assert wrong == []


@pytest.mark.parametrize("rules, kind", KINDS, ids=lambda one: one.key)
def test_every_kind_of_event_has_words(rules: Rules, kind: Kind) -> None:
    """A line, or at least what the answer to "Why?" says; and no words are left of an event that is gone."""
    log = environment().get_template(ruleset_template(rules, kind.key, "log.html"))
    words = log.make_module({"sight": None, "desk": None, "seated": None})
    known = set(members(kind.event))
    assert [event for event in known if not has_words(words, event)] == []
    macros = {name.partition("_")[2] for name in vars(words) if name.startswith(("told_", "why_"))}
    assert macros <= {event.replace("-", "_") for event in known}


def test_one_place_knows_where_the_templates_of_rulesets_lie() -> None:
    """Pages ask `ruleset_template`; a ruleset names its own alone, and those that are there."""
    wrong = []
    for path in (*(ROOT / "app").rglob("*.py"), *(ROOT / "templates").rglob("*.html"), *ROOT.glob(OWN_PAGES)):
        place = path.relative_to(ROOT).parts
        own = ROOT.joinpath(*place[:3]) if place[1] == "rulesets" and path.suffix == ".html" else None
        for found in OF_RULESETS.finditer(path.read_text()):
            if (
                own is None
                or found[1] != own.name
                or not any((own / kind / found[2]).is_file() for kind in ("templates", "static"))
            ):
                if path != ROOT / "app/web/http/templating.py":
                    wrong.append(
                        f"{path.relative_to(ROOT)}: {found[0]} is built by hand; ask ruleset_template() for it"
                    )
    assert wrong == []
