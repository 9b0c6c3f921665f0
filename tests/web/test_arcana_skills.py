"""Skills that leave something to choose: their fields without JavaScript, faults at them, and what the log says."""

import html
import re
from collections.abc import Callable, Mapping

import pytest
from fastapi import FastAPI

from app.rulesets.arcana.sheet.sheets import Attributes, Sheet
from tests.arcana_fight import lay
from tests.web.browser import Browser
from tests.web.seated_fight import Fight, seated

pytestmark = pytest.mark.anyio

SKILLS = ("sentinel", "merciful", "area_dodge", "quickloose", "instinctive_retribution")
PAIR: Mapping[str, Sheet] = {
    "ben": Sheet(name="Ben", attributes=Attributes(ATH=15, FIN=13), weapons=("sling",), hp_stated=40, skills=SKILLS),
    "cleo": Sheet(name="Cleo", weapons=("club",), materials={"club": "silver"}),
}
NEAR = {"at": {"ben": "10,10", "cleo": "25,10", "troll": "11,12", "imp": "30,10"}}
WARY = {
    "of.ben.what": "minors", "of.ben.minors.0.do": "considered", "of.ben.minors.0.to": "9,10",
    "of.ben.minors.1.do": "attack", "of.ben.minors.1.weapon": "sling", "of.ben.minors.1.target": "troll",
    "of.ben.back.do": "attack", "of.ben.back.weapon": "sling", "of.ben.back.target": "troll",
    "of.ben.react.on_killing": "spare", "of.ben.react.on_area": "leap", "of.ben.react.watch[]": "imp",
}  # fmt: skip


@pytest.fixture
def begin(site: FastAPI, open_browser: Callable[[], Browser]) -> Callable[..., object]:
    async def begin_one(**settings: str) -> Fight:
        return await seated(site, open_browser, lay, sheets=PAIR, given=NEAR, settings=settings)

    return begin_one


async def test_what_is_chosen_reads_back_and_is_told(begin: Callable[..., object]) -> None:
    """ARC-109, ARC-174: what others may not know of it they do not read."""
    table: Fight = await begin()  # type: ignore[misc]
    page = await table.answer("ben", "plan", act="draft", **WARY)
    for said in (
        "I move carefully 0.5 m west and quickly attack the troll with a sling.",
        "I let every attack hit me and strike back at the troll with a sling. I keep an eye on the imp.",
        "If I would kill someone, I leave them unconscious instead, if I can. "
        "If an area attack misses me, I leap out of it.",
    ):
        assert said in page.text, re.findall(r"(?:read-back|class=.fault)[^>]*>[^<]*", page.html)
    assert (await table.answer("ben", "plan", **WARY)).status == 200
    assert "with a silver club" in (await table.answer("cleo", "plan", act="draft", **{
        "of.cleo.what": "major", "of.cleo.major.do": "attack", "of.cleo.major.target": "imp",
        "of.cleo.major.weapon": "club",
    })).text  # fmt: skip
    await table.answer("cleo", "plan", **{"of.cleo.what": "hold"})
    assert (await table.answer("gm", "plan")).status == 200
    own, other = (await table.page("ben")).text, (await table.page("cleo")).text
    assert "Ben keeps an eye on the imp" in own and "You keep an eye on the imp" in own
    assert "keeps an eye on" not in other
    assert "lets every attack hit" in other and "strikes back at the troll: Instinctive Retribution" in other


LACKS: tuple[tuple[dict[str, str], str, str], ...] = (
    ({"of.cleo.react.on_killing": "spare"}, "react.on_killing", "This needs the skill Merciful."),
    ({"of.cleo.react.on_killing": "perhaps"}, "react.on_killing", "Choose what your killing blow does"),
    ({"of.cleo.react.on_area": "leap"}, "react.on_area", "This needs the skill Area Dodge."),
    ({"of.cleo.react.watch[]": "imp"}, "react.watch", "This needs the skill Sentinel."),
    ({"of.cleo.what": "major", "of.cleo.major.do": "help"}, "major.target", "Choose whom you help."),
)


async def test_what_needs_a_skill_says_so_at_its_field(begin: Callable[..., object]) -> None:
    table: Fight = await begin()  # type: ignore[misc]
    form = await table.form("cleo", "plan")
    for typed, field, words in LACKS:
        page = await table.send("cleo", form, **{"of.cleo.what": "hold", **typed})
        assert page.status == 422, typed
        found = re.search(rf'id="fault-of-cleo-{field.replace(".", "-")}">([^<]*)<', page.html)
        assert found is not None and words in html.unescape(found[1]), (typed, page.text)


UNFIT: tuple[tuple[dict[str, str], str], ...] = (
    ({"of.ben.back.weapon": "rifle"}, "back.weapon"),
    ({"of.ben.back.target": "nobody"}, "back.target"),
    ({"of.ben.back.do": "search"}, "back.do"),
    ({"of.ben.minors.0.do": "evade"}, "minors.1.do"),
    ({"of.ben.minors.1.weapon": "unarmed"}, "minors.1.weapon"),
)


async def test_what_does_not_fit_says_so_at_its_field(begin: Callable[..., object]) -> None:
    table: Fight = await begin()  # type: ignore[misc]
    form = await table.form("ben", "plan")
    for typed, field in UNFIT:
        page = await table.send("ben", form, **{**WARY, **typed})
        assert page.status == 422, typed
        assert f'id="fault-of-ben-{field.replace(".", "-")}"' in page.html, (typed, page.text)


async def test_where_the_table_grapples_the_form_has_it(begin: Callable[..., object]) -> None:
    """ARC-172."""
    shove = {"of.ben.what": "major", "of.ben.major.do": "shove", "of.ben.major.target": "troll"}
    off: Fight = await begin()  # type: ignore[misc]
    assert 'value="grapple"' not in (await off.page("ben")).html
    assert (await off.answer("ben", "plan", **shove)).status == 422
    on: Fight = await begin(grappling="on")  # type: ignore[misc]
    page = await on.answer("ben", "plan", act="draft", **shove, **{"of.ben.major.way": "prone"})
    assert "I shove the troll to the ground." in page.text
    page = await on.answer("ben", "plan", **shove, **{"of.ben.major.way": "sideways"})
    assert 'id="fault-of-ben-major-choice"' in page.html
