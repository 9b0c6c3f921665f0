"""A campaign's own spells and foes in a fight: cast, resisted, refused where they are gone, and who sees them."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from app.engine.ruleset import GM, SPECTATOR, Brief, Seat, Setup, Viewer
from app.rulesets.arcana.fight.muster import start
from app.rulesets.arcana.fight.state import STATE
from app.rulesets.arcana.rules.book import SPELLS, Spell
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.foes import FOES, Foe
from app.rulesets.arcana.sheet.sheets import Sheet
from app.rulesets.arcana.view.options import can
from app.rulesets.arcana.view.view import view
from tests.rulesets.arcana.ring import at, cast, cycle, fight, mage, major, of

FROST = Spell.model_validate({
    "id": "own_frost_ring", "name": "Frost Ring", "discipline": "hexes", "level": "beginner", "hostile": True,
    "shape": {"form": "bolt", "metres": "20"}, "block": True, "accuracy": "instinct",
    "resist": {"attr": "SPR", "on_success": "half"},
    "effect": [{"op": "damage", "n": "2", "d": 6, "type": "force"}, {"op": "status", "id": "stunned", "cycles": "2"}],
})  # fmt: skip
HAG = Foe.model_validate({
    **FOES["troll"].model_dump(), "id": "own_bog_hag", "name": "Žába", "spells": ["own_frost_ring"],
    "attacks": {"bite": {"d": [4, 6, 8], "type": "poison", "reach": 2}},
})  # fmt: skip
OWN = {"spells": {FROST.id: FROST}, "foes": {HAG.id: HAG}}


def test_the_school_follows_from_the_discipline() -> None:
    assert (FROST.school, FROST.attr, FROST.dv) == ("malediction", "SPR", 4)


def test_an_own_spell_is_cast_like_any_other() -> None:
    ada = replace(mage("ada"), spells=(FROST.id, "own_gone"))
    state = fight(at(ada, 0), at(mage("orc"), 5, side="them"))
    state.own_spells = {FROST.id: FROST}
    assert [one.id for one in can(state, "ada").spells] == [FROST.id], "a spell that is gone is not offered"
    told = cycle(
        state,
        {"ada": major(cast(FROST.id, "orc"))},
        {"ARC-148/cast/ada/1/1": 6, "ARC-71/accuracy/ada/1>orc/1": 15, "ARC-128/damage/ada/1>orc/1/1": 3}
        | {"ARC-128/damage/ada/1>orc/1/2": 4, "ARC-124/resist/ada/1>orc/1": 2},
    )
    assert of(told, "damaged")[0].type == "force" and state.fighters["orc"].hp == 20 - 7
    assert state.fighters["orc"].has("stunned")


def setup(*spells: str, foe: str = HAG.id, own: Any = None, count: str = "2") -> Setup[Sheet, Settings]:
    given = {"muster": {foe: {"count": count}}, "lay_out": ""}
    brief = Brief(kind="fight", title="Bog", seats={Seat("ada"): ("ada",), GM: ()}, given=given)
    sheets = {"ada": Sheet(name="Ada", spells=spells)}
    return Setup(brief=brief, settings=Settings(), sheets=sheets, kept={}, own=OWN if own is None else own)


def test_own_foes_come_by_their_name_and_number() -> None:
    state = start(setup(FROST.id))
    assert {key: one.body.name for key, one in state.fighters.items() if one.foe} == {
        "own_bog_hag_1": "Žába 1",
        "own_bog_hag_2": "Žába 2",
    }
    assert [one.body.name for one in start(setup(count="1")).fighters.values() if one.foe] == ["Žába"]
    again = STATE.validate_json(STATE.dump_json(state))
    assert again.own_spells == OWN["spells"] and again.own_foes == OWN["foes"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (setup("own_lost_song"), "Ada knows one of your own spells, “lost song”, which no longer exists. Add a spell"),
        (setup(own={"foes": OWN["foes"], "spells": {}}), "Žába 1 knows one of your own spells, “frost ring”"),
        (setup(foe="own_gone"), "There is no foe own_gone among your own"),
    ],
)
def test_what_is_gone_is_refused_in_words(given: Setup[Sheet, Settings], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        start(given)


def test_players_see_own_spells_and_gms_own_foes() -> None:
    """What only GMs read is in no view of anybody else, whole or in part."""
    state = start(setup(FROST.id))
    for viewer in (Viewer(seats=frozenset({Seat("ada")})), SPECTATOR):
        seen = view(state, viewer)
        assert seen.known.spell(FROST.id) == FROST and seen.known.own_foes == {} and seen.templates == {}
    assert view(state, Viewer(seats=frozenset({GM}), gm=True)).templates.keys() == {*FOES, HAG.id}
    assert not set(SPELLS) & set(OWN["spells"])
