"""Battlefields that a campaign keeps: what fits, with which of them a scene begins, and that it has copies."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from app.engine.log import Recorder
from app.engine.ruleset import Brief
from app.rulesets.chronicle import RULESET
from app.rulesets.chronicle.mass import MASS, maps
from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.field_text import FIELDS, ready_made, spell_field
from app.rulesets.chronicle.mass.maps import BATTLEFIELDS, MAPS, MOST_SHOWN, KeptMap
from tests.rulesets.chronicle.mass.battles import copied, setup
from tests.rulesets.chronicle.mass.stage import BattleLog, answer, ask_of, faults, only
from tests.rulesets.chronicle.mass.test_opening import ARMIES

MARSH = Field(12, 12, {(3, 3): "closed", (4, 4): "impassable"}, {(5, 5): 2})


def kept(key: str, name: str, *, shown: bool = False, field: Field = MARSH) -> KeptMap:
    return KeptMap(id=key, name=name, shown=shown, map=spell_field(field))


SECRET, OPEN = kept("own_ambush", "The pass where they wait"), kept("own_marsh", "The marsh", shown=True)


def opened(*there: KeptMap, **given: Any) -> BattleLog:
    """A battle at its first decision, with these maps in its setup."""
    start = setup({"armies": ARMIES, **given})
    return Recorder(MASS.start(replace(start, own={MAPS: {one.id: one for one in there}})), MASS.apply)


def test_a_scene_begins_with_the_map_it_names_and_those_that_players_see() -> None:
    there = {one.id: one for one in (SECRET, OPEN)}
    for field, found in (("", {"own_marsh"}), ("own_ambush", {"own_ambush", "own_marsh"}), ("pass", {"own_marsh"})):
        brief = Brief(kind="mass", title="", seats={}, given={"field": field})
        assert maps.in_scene(brief, there) == found, field
    assert maps.in_scene(Brief(kind="free", title="", seats={}, given={"field": "own_ambush"}), there) == set()
    many = {f"own_{n:02}": kept(f"own_{n:02}", f"Map {n}", shown=True) for n in range(20)}
    assert len(maps.in_scene(Brief(kind="mass", title="", seats={}, given=None), many)) == MOST_SHOWN


def test_a_map_is_a_field_with_room() -> None:
    with pytest.raises(ValidationError, match="Line 2: “X” means nothing there"):
        BATTLEFIELDS.adapter.validate_python({"id": "own_a", "name": "A", "map": ". . .\n. x\n. . ."})
    narrow = kept("own_a", "A", field=Field(3, 3))
    assert BATTLEFIELDS.fits(narrow, {})["map"].startswith("The map has no room")
    shown = {f"own_{n}": kept(f"own_{n}", f"Map {n}", shown=True) for n in range(MOST_SHOWN)}
    assert "Hide one of those first" in BATTLEFIELDS.fits(OPEN, {MAPS: shown})["shown"]
    assert BATTLEFIELDS.fits(SECRET, {MAPS: shown}) == {} == BATTLEFIELDS.fits(shown["own_3"], {MAPS: shown})
    assert {key: one.field for key, one in BATTLEFIELDS.book.items()} == {key: ready_made(key) for key in FIELDS}
    assert BATTLEFIELDS.text(OPEN, {})[0] == "12 rows, 138 hexes, 1 Closed, 1 Impassable, 1 high."
    assert RULESET.homebrew == {MAPS: BATTLEFIELDS}


def test_the_gm_opens_a_battle_on_a_map_that_players_have_not_seen() -> None:
    log = opened(SECRET, OPEN, field="own_ambush")
    assert log.state.field == MARSH and log.state.place == "own_ambush"
    assert list(log.state.offered) == ["own_marsh"]
    with pytest.raises(ValidationError, match="no longer has that battlefield"):
        opened(OPEN, field="own_ambush")
    small = kept("own_small", "Small", field=Field(3, 3))
    with pytest.raises(ValidationError, match="no room for two armies"):
        opened(small, field="own_small")


def test_players_choose_among_the_maps_that_they_see() -> None:
    """What is chosen is copied; the others leave the scene with the first army."""
    log = opened(SECRET, OPEN, how="ambush")
    view, ask = ask_of(log, "ann")
    assert [one.key for one in MASS.options(view, ask)["field"]] == [*FIELDS, "own_marsh", "own"]
    assert list(view.fields) == [*FIELDS, "own_marsh"]
    assert faults(log, "ann", field="own_ambush") == {"field": "Choose one of the options."}
    (told,) = only(answer(log, ann={"field": "own_marsh"}), "battlefield")
    assert (told.place, told.name, told.field) == ("own_marsh", "The marsh", MARSH)
    assert view.field_name(told.place, told.name) == "“The marsh”"
    assert log.state.field == MARSH and "own_marsh" in log.state.offered
    assert copied(log.state) == log.state
    answer(log, bob={})
    assert log.state.offered == {}


def test_an_old_state_is_read_without_maps() -> None:
    state = opened(field="plain").state
    raw = MASS.state.dump_python(state, mode="json")
    del raw["offered"]
    assert MASS.state.validate_python(raw) == state
