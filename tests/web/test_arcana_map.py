"""The map of a wizards' fight as the server draws it: everything for those who may know, nothing of what hides."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from fastapi import FastAPI

from app.engine.ruleset import GM, SPECTATOR, Brief, Seat, Setup, Viewer
from app.rulesets.arcana import FIGHT
from app.rulesets.arcana.fight.lingering import Ward
from app.rulesets.arcana.fight.state import Held, State
from app.rulesets.arcana.rules.cover import Wrong, read_walls, walls, write_walls
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.view.picture import letters_of, mark, metres, wind
from app.web.http.templating import environment
from tests.arcana_fight import FOES, PEOPLE, lay
from tests.web.browser import Browser
from tests.web.seated_fight import Fight, seated

ADA = Viewer(seats=frozenset({Seat("ada")}), gm=False)
DESK = Viewer(seats=frozenset({GM}), gm=True)


def begin(**given: Any) -> State:
    seats = {Seat(key): (key,) for key in PEOPLE} | {GM: ()}
    brief = Brief(kind="fight", title="At the gate", seats=seats, given={"lay_out": "no", **FOES, **given})
    return FIGHT.start(Setup(brief=brief, settings=Settings(), sheets=PEOPLE, kept={}))


class Sight:
    """What a board's template needs of the page it stands on."""

    def __init__(self, state: State, viewer: Viewer) -> None:
        self.view = FIGHT.view(state, viewer)
        self.chapters: tuple[Any, ...] = ()


def drawn(state: State, viewer: Viewer = ADA) -> str:
    template = environment().get_template("rulesets/arcana/board.html")
    return template.render(sight=Sight(state, viewer))


def foes(*rows: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    return tuple({"foe": "imp", **row} for row in rows)


def test_everybody_stands_where_they_are() -> None:
    page = drawn(begin(at={"ada": "4,6"}, covers={"10,9": "full", "10,10": "full", "12,4": "half"}))
    assert re.findall(r'data-who="(\w+)" data-x="(\d+)" data-y="(\d+)"', page)[-1] == ("ada", "4", "6")
    assert 'viewBox="-2 -2 44 34"' in page and "20 by 15 metres" in page
    assert page.count('class="token side-a') == 3 and page.count('class="token side-b') == 2
    assert 'class="wall is-full" fill="url(#hatch-full)" x="10" y="9" width="1" height="2"' in page
    assert "Full cover at 10,9 to 10,10." in page and "Half cover at 12,4." in page
    assert "three-quarter cover" not in page, "no key for what is not there"
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    assert "At 2 m, 3 m (4,6), looks east" in text and "13.2 m from Ada" in text
    assert "10 of 10 HP" in text and "30 of 30 HP" not in text and "fresh" in text
    assert "30 of 30 HP" in drawn(begin(), DESK)


def test_what_is_in_hand_is_told_from_what_is_carried() -> None:
    state = begin()
    state.fighters["ben"].hands = ("club", "")
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", drawn(state)))
    assert "Holds club; carries wand." in text


def test_what_lies_on_somebody_is_told_with_its_end() -> None:
    state = begin()
    one = state.fighters["ada"]
    one.statuses["prone"], one.statuses["stunned"] = Held(0, 1), Held(2, 1)
    one.hp, state.fighters["imp"].dead = 0, True
    page = drawn(state)
    assert '<b class="cond">Prone</b>' in page and "2 cycles left" in page
    assert 'class="cross"' in page and 'class="hp-all"' in page and "<b>Imp</b>" in page
    assert re.search(r'data-of="imp".*?class="health">dead<', page, re.DOTALL)


def test_who_hides_leaves_no_trace() -> None:
    """The same bytes with and without them: no id, no number, no gap in a line, no larger frame, no other order."""
    shown = foes({"key": "a", "name": "A"}, {"key": "c", "name": "C"})
    many = [{"key": f"b{n}", "name": f"B{n}", "hidden": True} for n in range(20)]
    lurking = foes({"key": "b", "name": "B", "hidden": True, "place": "300,200"}, *many)
    others = foes({"key": "0", "name": "Nobody", "hidden": True, "side": "wolves"})
    without, with_them = begin(foes=shown), begin(foes=(*lurking, *shown, *others))
    for viewer in (ADA, SPECTATOR):
        assert drawn(with_them, viewer) == drawn(without, viewer)
    assert 'data-who="b19"' in drawn(with_them, DESK)
    with_them.fighters["b"].noticed_by |= {"ada"}
    page = drawn(with_them, ADA)
    assert 'data-who="b"' in page and "is-hidden" in page
    assert drawn(with_them, SPECTATOR) == drawn(without, SPECTATOR)


def test_names_are_only_names() -> None:
    name = "</title><script>alert('x')</script>\"&{{ 7 * 7 }}"
    page = drawn(begin(foes=foes({"key": "imp", "name": name}, {"key": "sp", "name": "‮ \u0301"})), DESK)
    assert "<script" not in page and "49" not in page
    assert "&lt;script&gt;alert(&#39;x&#39;)" in page
    assert 'class="mark" y=".15">?<' in page


def test_eight_people_are_light_and_a_thousand_are_drawn() -> None:
    eight = drawn(begin(foes=foes(*({"key": f"f{n}", "name": f"Foe {n}"} for n in range(5)))))
    assert eight.count("data-who=") == 8 and len(eight.encode()) < 30_000
    crowd = drawn(begin(foes=foes(*({"key": f"f{n}", "name": f"Foe {n}"} for n in range(997)))), DESK)
    assert crowd.count("data-who=") == 1000 and crowd.count('class="name"') == 0
    assert len(crowd.encode()) < 1_000_000


def test_sides_keep_their_shapes_when_another_appears() -> None:
    assert letters_of({"players", "foes"}) == {"players": "a", "foes": "b"}
    assert letters_of({"players", "wolves", "foes"}) == {"players": "a", "foes": "b", "wolves": "c"}
    assert letters_of({"ada", "ben"}) == {"ada": "a", "ben": "b"}
    assert list(letters_of({str(n) for n in range(6)}).values()) == ["a", "b", "c", "d", "d", "d"]


@pytest.mark.parametrize(
    ("one", "other", "far"),
    [((0, 0), (0, 0), "0.0"), ((0, 0), (6, 0), "3.0"), ((0, 0), (1, 1), "0.8"), ((0, 0), (6, 1), "3.1")],
)
def test_distances_are_rounded_up(one: tuple[int, int], other: tuple[int, int], far: str) -> None:
    assert metres(one, other) == far


def test_cover_is_drawn_in_few_pieces() -> None:
    block = {f"{x},{y}": "full" for x in range(4) for y in range(3)}
    found = walls({**block, "9,9": "half", "3,0": "none"})  # type: ignore[dict-item]
    assert [(w.x, w.y, w.wide, w.high) for w in found] == [(0, 0, 3, 3), (3, 1, 1, 2), (9, 9, 1, 1)]


def test_tokens_and_winds() -> None:
    assert [mark(name) for name in ("Ada", "Axe goblin", "Troll 12", "Li", "…", "GM")] == [
        "Ad", "Ag", "T12", "Li", "?", "Gm",
    ]  # fmt: skip
    assert [wind(cell) for cell in ((1, 0), (0, 3), (-5, -4), (0, 0))] == ["east", "south", "north-west", ""]


def test_cover_is_written_in_lines_and_read_again() -> None:
    text = "Wall 10,4 to 10,9 full\n\n8,3  HALF\n12,2-14,3 three-quarter cover\n13,2 none"
    covers = read_walls(text, 40, 30)
    assert covers["10,7"] == "full" and covers["8,3"] == "half" and "13,2" not in covers
    assert write_walls(covers) == (
        "12,2 to 12,3 three-quarter\n14,2 to 14,3 three-quarter\n8,3 half\n13,3 three-quarter\n10,4 to 10,9 full"
    )
    assert read_walls(write_walls(covers), 40, 30) == covers


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a wall", "Line 1: write cover like"),
        ("1,1 half\n2,2 quarter", "Line 2: write"),
        ("40,1 full", "Line 1: the ground goes from 0,0 to 39,29."),
        ("-1,1 full", "Line 1: write"),
        ("١,1 full", "Line 1: write"),
        ("\n".join(["0,0 to 39,29 full"] * 99), "Line 14: that is too much cover"),
    ],
)
def test_what_is_no_cover_is_told_with_its_line(text: str, fault: str) -> None:
    with pytest.raises(Wrong, match="^" + re.escape(fault)):
        read_walls(text, 40, 30)


@pytest.fixture
def begin_one(site: FastAPI, open_browser: Callable[[], Browser]) -> Callable[..., Any]:
    async def lay_one(**given: Any) -> Fight:
        return await seated(site, open_browser, lay, given=given)

    return lay_one


@pytest.mark.anyio
async def test_the_ground_is_laid_without_scripts(begin_one: Callable[..., Any]) -> None:
    table: Fight = await begin_one(lay_out="yes")
    desk = await table.page("gm")
    assert 'name="at.troll" size="8" maxlength="12" value="30,10"' in desk.html
    page = await table.answer("gm", "setting", wide="5", at__ada="9,2", walls="10,4 to 10,9 fall", hidden__imp="yes")
    assert page.status == 422 and "Imp stands beyond" not in page.text, "the form says where everybody is to stand"
    assert "The ground goes from 0,0 to 9,29." in page.text and "Line 1: write cover" in page.text
    assert "10,4 to 10,9 fall" in page.text and 'name="at.ada" size="8" maxlength="12" value="9,2"' in page.html
    page = await table.answer(
        "gm", "setting", description="A yard.", wide="25", high="12", at__ada="9,2", at__troll="40,20", at__imp="33,7",
        walls="10,4 to 10,9 full\n1,1 half", hidden__imp="yes", **{"unaware[]": "ben"},
    )  # fmt: skip
    assert page.status == 200, page.text
    seen = await table.page("ada")
    assert 'data-who="ada" data-x="9" data-y="2"' in seen.html and 'data-who="troll" data-x="40"' in seen.html
    assert "Full cover at 10,4 to 10,9." in seen.text and "25 by 12 metres" in seen.html
    assert "33,7" not in seen.text and "somebody hides" not in (await table.page("sam")).text
    assert not re.search(r"\bImp\b", seen.text) and 'data-who="imp"' not in seen.html
    page = await table.answer("gm", "desk", what="walls", walls="3,3 three-quarter")
    assert page.status == 200, page.text
    seen = await table.page("ada")
    assert "Three-quarter cover at 3,3." in seen.text and "Full cover" not in seen.text
    page = await table.answer("gm", "desk", what="walls", walls="3,3")
    assert page.status == 422 and "Line 1: write" in page.text


@pytest.mark.anyio
async def test_ground_that_is_too_small_for_somebody_is_refused(begin_one: Callable[..., Any]) -> None:
    table: Fight = await begin_one(lay_out="yes")
    page = await table.answer("gm", "setting", wide="12", at__imp="", at__troll="1,1")
    assert page.status == 422 and "The imp is standing beyond that." in page.text
    page = await table.answer("gm", "setting", wide="1", high="9999")
    assert page.status == 422 and page.html.count('class="fault"') >= 2


@pytest.mark.anyio
async def test_terrain_is_laid_without_scripts(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    table = await seated(site, open_browser, lay, given={"lay_out": "yes"}, settings={"terrain": "on"})
    page = await table.answer("gm", "setting", terrain="lava 1,1")
    assert page.status == 422 and "Line 1: write terrain like mud 10,10 to 14,12. There is indoors" in page.text
    assert "lava 1,1" in page.text
    page = await table.answer("gm", "setting", terrain="mud 3,2 to 5,4", walls="8,3 half from north")
    assert page.status == 200, page.text
    seen = await table.page("ada")
    assert "Mud at 3,2 to 5,4: a move that starts there goes 0.8 times as far." in seen.text
    assert '<rect class="zone" fill="url(#hatch-zone)" x="3" y="2" width="3" height="3">' in seen.html
    assert "Half cover at 8,3, only against what comes from north." in seen.text
    assert '<path class="bar" d="M8 3h1"/>' in seen.html and "8,3 half from north" in (await table.page("gm")).text
    page = await table.answer("gm", "desk", what="terrain", terrain="ice 1,1")
    assert page.status == 200, page.text
    seen = await table.page("ada")
    assert "Ice at 1,1: a move that starts there goes 0.75 times as far." in seen.text and "Mud at" not in seen.text


@pytest.mark.anyio
async def test_without_the_setting_there_is_no_terrain(begin_one: Callable[..., Any]) -> None:
    table: Fight = await begin_one()
    assert 'name="terrain"' not in (await table.page("gm")).html
    page = await table.answer("gm", "desk", what="terrain", terrain="ice 1,1")
    assert page.status == 422, page.text
    assert "Ice at" not in (await table.page("ada")).text


def test_wards_are_drawn_for_those_who_know_of_them() -> None:
    """ARC-160: the own side's, and those that have struck before one's eyes."""
    state = begin()
    sides = {key: one.side for key, one in state.fighters.items()}
    state.wards = [Ward("w1", "snare_ward", by, sides[by], (9, 4), "circle", 200) for by in ("ada", "imp")]
    assert 'cx="9.5" cy="4.5" r="4.0"' in drawn(state) and "Snare Ward at 9,4, 2 m wide, laid by Ada" in drawn(state)
    assert drawn(state).count("<title>Snare Ward<") == 1 and drawn(state, DESK).count("<title>Snare Ward<") == 2
    state.wards[1].known = frozenset({sides["ada"]})
    assert drawn(state).count("<title>Snare Ward<") == 2
