"""What a turn may hold, and what is said otherwise (SKI-13, SKI-16, SKI-20, SKI-27, SKI-46, SKI-78 to SKI-83)."""

from typing import Any

import pytest

from app.engine.ruleset import GM, Ask, Brief, Faults, Seat, Setup, Viewer
from app.rulesets.skirmish import SKIRMISH
from app.rulesets.skirmish.fight.settings import Settings
from app.rulesets.skirmish.fight.state import State, start
from app.rulesets.skirmish.sheet.foe_templates import TEMPLATES
from app.rulesets.skirmish.sheet.sheets import Carried, Sheet
from app.rulesets.skirmish.sheet.sketch import parse

FIELD = "Yard\nPool: slow\nGate\nCell: trapped\nYard -- Gate\nYard -- Pool\nGate ~~ Tower\nYard || Vault\nYard -- Cell"
ANN = Seat("ann")


def fight() -> State:
    """Ann in the Yard with Og, who is near; Ub in the Gate, Ix in the Tower; a hidden foe in the Yard."""
    gear = [("shortsword", "main"), ("dagger", "off"), ("crossbow", "pack"), ("shield", "pack")]
    ann = Sheet(
        name="Ann",
        gear=tuple(Carried.model_validate({"gear": key, "held": held}) for key, held in gear),
        spells=("spark", "fire_bolt"),
    )
    foes = [
        TEMPLATES["bandit"].foe(key, key.title(), zone=zone, hidden=key == "lurk").model_dump(mode="json")
        for key, zone in (("og", "yard"), ("ub", "gate"), ("ix", "tower"), ("lurk", "yard"))
    ]
    zones = [zone.model_dump(mode="json") for zone in parse(FIELD)]
    given: Any = {"foes": foes, "zones": zones, "at_once": True}
    brief = Brief(kind="skirmish", title="A test", seats={ANN: ("ann",), GM: ()}, given=given)
    return start(Setup(brief=brief, settings=Settings(), sheets={"ann": ann}, kept={}))


def faults(state: State, *deeds: dict[str, Any], turn: str = "", **more: Any) -> Faults:
    """The faults of Ann's turn: quick with one action, full with two."""
    nothing: dict[str, Any] = {}
    first, then = (*deeds, nothing)[:2]
    said = {"turn": turn or ("full" if then else "quick"), "first": first, "then": then, **more}
    says = SKIRMISH.declaration.validate_python({"ask": "declare", "of": {"ann": said}})
    view = SKIRMISH.view(state, Viewer(seats=frozenset({ANN})))
    return {
        name.removeprefix("of.ann."): words
        for name, words in SKIRMISH.check(view, Ask(seat=ANN, kind="declare"), says).items()
    }


def strike(target: str = "og", **more: Any) -> dict[str, Any]:
    return {"do": "attack", "target": target, "weapon": "ann-1", **more}


def go(zone: str, close: str = "") -> dict[str, Any]:
    return {"do": "move", "zone": zone, "close": close}


LEGAL: dict[str, tuple[dict[str, Any], ...]] = {
    "hold": ({"do": "hold"},),
    "a throw at somebody near": (strike(weapon="ann-2"),),
    "a move next door": (go("gate"),),
    "a shift": (go("yard", "og"),),
    "move, then strike": (go("yard", "og"), strike()),
    "move next door, then strike": (go("gate", "ub"), strike("ub")),
    "two weapons": (go("yard", "og"), strike(second="ann-2")),
    "two moves": (go("gate"), go("tower", "ix")),
    "out of the pool": (go("pool"), go("yard")),
    "a quick retreat": ({"do": "retreat", "zone": "gate"},),
    "a fast spell": ({"do": "cast", "spell": "spark", "target": "og"},),
    "take in hand": ({"do": "ready", "item": "ann-3"},),
    "move, then a gambit": (go("yard", "og"), {"do": "gambit", "gambit": "shove", "target": "og", "zone": "gate"}),
}


@pytest.mark.parametrize("deeds", LEGAL.values(), ids=LEGAL)
def test_turns_that_may_be_sealed(deeds: tuple[dict[str, Any], ...]) -> None:
    assert faults(fight(), *deeds) == {}


ILLEGAL: dict[str, tuple[tuple[dict[str, Any], ...], str]] = {
    "nobody": ((strike(""),), "first.target"),
    "oneself": ((strike("ann"),), "first.target"),
    "a hidden foe": ((strike("lurk"),), "first.target"),
    "a hidden substitute": ((go("yard", "og"), strike(spare=["lurk"])), "then.spare"),
    "a strike at somebody near": ((strike(),), "first.target"),
    "a weapon of nobody": ((strike(weapon="og-1"),), "first.weapon"),
    "a weapon in the pack": ((strike(weapon="ann-3"),), "first.weapon"),
    "a spell as a weapon": ((strike(weapon="spark"),), "first.weapon"),
    "the same weapon twice": ((go("yard", "og"), strike(second="ann-1")), "then.second"),
    "two strikes": ((strike(), strike()), "then.do"),
    "an ordinary spell, quickly": (({"do": "cast", "spell": "fire_bolt", "target": "og"},), "turn"),
    "an ordinary spell and a move": (({"do": "cast", "spell": "fire_bolt", "target": "og"}, go("gate")), "then.do"),
    "somebody else’s spell": (({"do": "cast", "spell": "nothing", "target": "og"},), "first.spell"),
    "a careful withdrawal, quickly": (({"do": "withdraw", "zone": "gate"},), "turn"),
    "a zone that is not next door": ((go("tower"),), "first.zone"),
    "through a wall": ((go("vault"),), "first.zone"),
    "no such zone": ((go("moon"),), "first.zone"),
    "a shift to nobody": ((go("yard"),), "first.zone"),
    "beside somebody elsewhere": ((go("yard", "ub"),), "first.close"),
    "beside a hidden foe": ((go("yard", "lurk"),), "first.close"),
    "a gambit from afar": (({"do": "gambit", "gambit": "trip", "target": "og"},), "first.target"),
    "own words without words": (
        (go("yard", "og"), {"do": "gambit", "gambit": "other", "target": "og", "words": " "}),
        "then.words",
    ),
    "readying nothing": (({"do": "ready", "item": ""},), "first.item"),
    "readying what is in hand": (({"do": "ready", "item": "ann-1"},), "first.item"),
}


@pytest.mark.parametrize(("deeds", "field"), ILLEGAL.values(), ids=ILLEGAL)
def test_turns_that_may_not_be_sealed(deeds: tuple[dict[str, Any], ...], field: str) -> None:
    found = faults(fight(), *deeds)
    assert list(found) == [field] and found[field].endswith("."), found


def test_leaving_slow_ground_or_crossing_a_hindered_boundary_takes_a_full_turn() -> None:
    state = fight()
    state.combatants["ann"].zone = "pool"
    assert "takes a full turn" in faults(state, go("yard"))["first.zone"]
    assert faults(state, go("yard"), turn="full") == {}
    state.combatants["ann"].zone = "gate"
    assert "takes a full turn" in faults(state, go("tower"))["first.zone"]
    assert faults(state, go("tower", "ix"), strike("ix")) == {}


def test_a_retreat_with_an_enemy_beside_takes_a_full_turn_and_there_is_none_out_of_a_trap() -> None:
    state = fight()
    state.close = [("ann", "og")]
    assert "Og" in faults(state, {"do": "retreat"})["turn"]
    assert faults(state, {"do": "retreat"}, turn="full") == {}
    state.combatants["ann"].zone = "cell"
    assert "no safe way" in faults(state, {"do": "retreat"})["first.do"]


def test_a_weapon_that_is_not_ready_must_be_readied_first() -> None:
    state = fight()
    bow = state.combatants["ann"].things[2]
    bow.held, bow.spent = "main", True
    state.combatants["ann"].things[0].held = "pack"
    assert "isn’t loaded" in faults(state, strike(weapon="ann-3"))["first.weapon"]
    assert faults(state, {"do": "ready", "item": "ann-3"}) == {}


def test_a_full_turn_of_one_quick_action_is_sent_back() -> None:
    state = fight()
    state.close = [("ann", "og")]
    assert list(faults(state, strike(), turn="full")) == ["then.do"]
    assert list(faults(state, {}, strike(), turn="full")) == ["first.do"]


def test_strangers_and_orders_that_cannot_be_followed() -> None:
    says = SKIRMISH.declaration.validate_python({"ask": "declare", "of": {"og": {}, "x" * 79: {}}})
    view = SKIRMISH.view(fight(), Viewer(seats=frozenset({ANN})))
    assert len(SKIRMISH.check(view, Ask(seat=ANN, kind="declare"), says)) == 2
    assert list(faults(fight(), {}, sacrifice={"ann-1": "any"})) == ["sacrifice"]
