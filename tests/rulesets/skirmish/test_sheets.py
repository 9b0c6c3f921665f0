"""Sheets between fights: what fits on one, the ten slots, rest, the campaign's own things, and groups of foes."""

from typing import Any

import pytest
from pydantic import ValidationError

from app.engine.ruleset import GM, Brief, Faults, Seat, Setup, Viewer
from app.rulesets.skirmish import SKIRMISH
from app.rulesets.skirmish.desk import FOES
from app.rulesets.skirmish.fight.settings import Settings
from app.rulesets.skirmish.fight.state import STATE, Possession, combatant, sheet_of, start
from app.rulesets.skirmish.sheet import catalogue, homebrew
from app.rulesets.skirmish.sheet.foe_templates import TEMPLATES
from app.rulesets.skirmish.sheet.gear import WEAPONS
from app.rulesets.skirmish.sheet.muster import muster, whole
from app.rulesets.skirmish.sheet.samples import HERO_LINES, heroes, the_ruined_keep
from app.rulesets.skirmish.sheet.sheet_figures import blank, sheet_figures
from app.rulesets.skirmish.sheet.sheet_state import condition, dead, heal, unfit
from app.rulesets.skirmish.sheet.sheets import Carried, Sheet, SkirmishOpening, Wound
from app.rulesets.skirmish.view.view import view

BLADE = homebrew.GEAR.validate_python(
    {"id": "own_moon_blade", "name": "moon blade", "kind": "weapon", "die": "8", "speed": "fast", "slots": 2}
)
HEX = homebrew.GEAR.validate_python({"id": "own_hex", "name": "hex", "kind": "weapon", "spell": "fast", "slots": 0})
TROLL = homebrew.KINDS["foes"].adapter.validate_python(
    {"id": "own_bog_troll", "name": "Bog troll", "mgt": 17, "hp": 14, "gear": [{"gear": "own_moon_blade"}]}
)
OWN = {"gear": {BLADE.id: BLADE, HEX.id: HEX}, "foes": {TROLL.id: TROLL}}


def _gear(**places: str) -> list[dict[str, str]]:
    return [{"gear": key, "held": place} for place, keys in places.items() for key in keys.split()]


def _sheet(**more: Any) -> Sheet:
    return Sheet.model_validate({"name": "Kim", **more})


@pytest.mark.parametrize(
    ("fields", "at", "words"),
    [
        ({"gear": _gear(main="dagger axe")}, "gear", "The main hand holds two things: dagger and axe"),
        ({"gear": _gear(main="greatsword", off="shield")}, "gear", "greatsword needs both hands, but the off hand"),
        ({"gear": _gear(off="maul")}, "gear", "The maul needs both hands"),
        ({"gear": _gear(main="shield")}, "gear", "The shield goes in the off hand"),
        ({"gear": _gear(worn="shield")}, "gear", "held in a hand, not worn"),
        ({"gear": _gear(worn="rope")}, "gear", "can't be worn"),
        ({"gear": _gear(worn="light heavy")}, "gear", "Only one armour can be worn"),
        ({"gear": _gear(main="heavy")}, "gear", "Wear it, or put it in the pack"),
        ({"gear": _gear(pack="fire_bolt")}, "gear", "choose it under Spells"),
        ({"gear": _gear(pack="tent " * 5 + "rope")}, "gear", "fills 11 slots, but there are only 10"),
        ({"spells": ["rope"]}, "spells", "is not a spell"),
        ({"proficient": ["rope"]}, "proficient", "is not a weapon"),
        ({"mgt": 12, "mgt_max": 11}, "mgt", "At most the MGT of 11"),
        ({"hp": 7, "hp_max": 6}, "hp", "At most the Max HP of 6"),
    ],
)
def test_what_does_not_fit_is_named_at_its_field(fields: dict[str, Any], at: str, words: str) -> None:
    with pytest.raises(ValidationError, match=words) as refused:
        _sheet(**fields)
    assert [fault["loc"] for fault in refused.value.errors()] == [(at,)]


def test_parts_of_the_body_and_unknown_things_fit_anywhere() -> None:
    """A dragon's three weapons need no hand; a sheet with a thing that is gone stays readable."""
    sheet = _sheet(gear=_gear(main="claws bite own_gone", off="shield", worn="scales light"))
    assert [one.name for one in catalogue.weapons_at_hand(sheet, {})] == ["claws", "bite"]
    assert catalogue.gear_of("own_gone", {}) is None and sheet_figures(sheet, {}).gone == ("gone",)
    assert catalogue.armor(sheet, {}) == 3, "never more (SKI-58)"


def test_slots_count_things_wounds_and_fatigue() -> None:
    """SKI-71: items 1, bulky 2, severe wounds 1, Fatigue 1; spells and the body none."""
    gear = _gear(main="halberd", worn="light", pack="rope chalk claws own_moon_blade")
    sheet = _sheet(gear=gear, spells=["spark"], fatigue=2, wounds=[{"place": "head"}])
    assert catalogue.slots_used(sheet, OWN) == 2 + 1 + 1 + 0 + 0 + 2 + 2 + 1
    assert catalogue.slots_used(sheet, {}) == 8, "an unknown thing fills one"
    boxes = sheet_figures(sheet, OWN).boxes
    kinds = ["thing", "more", "thing", "thing", "thing", "more", "wound", "fatigue", "fatigue", "free"]
    assert [box.kind for box in boxes] == kinds
    fuller = sheet.model_copy(update={"fatigue": 4})
    assert [box.over for box in sheet_figures(fuller, OWN).boxes] == [False] * 10 + [True]
    assert sheet_figures(fuller, OWN).full and not sheet_figures(sheet, OWN).full


def test_rest_restores_hp_unless_no_slot_is_left() -> None:
    """SKI-71, SKI-87."""
    hurt = _sheet(hp=0, hp_max=5, mgt=7, mgt_max=10, fatigue=3, wounds=[Wound(place="left arm")])
    assert condition(hurt) == ("0 of 5 HP", "MGT 7 of 10", "3 Fatigue", "wound: left arm")
    rested = heal(hurt)
    assert (rested.hp, rested.mgt, rested.fatigue, rested.wounds) == (5, 7, 3, hurt.wounds)
    more = [Wound(place="torso"), *hurt.wounds, Wound(place="torso"), Wound(place="right leg", treated=True)]
    worse = hurt.model_copy(update={"wounds": more})
    assert condition(worse)[-1] == "wounds: torso (2), left arm and treated right leg"
    full = heal(hurt.model_copy(update={"fatigue": 9}))
    assert full.hp == 0 and condition(full)[-1] == "all 10 slots full"
    assert unfit(hurt) == "", "at 0 HP one still fights"
    lame = _sheet(agi=0, agi_max=12, hp=2)
    assert unfit(lame) == "paralysed at AGI 0" and not dead(lame) and unfit(heal(lame)) == ""
    gone = _sheet(dead=True, hp=1, hp_max=4)
    assert dead(gone) and dead(_sheet(mgt=0, mgt_max=9)) and heal(gone).hp == 1 and condition(gone) == ("dead",)


def test_rolled_attributes_are_swapped_once() -> None:
    """SKI-86."""
    rolled = {"mgt": 6, "mgt_max": 8, "wil": 15, "swap": "mgt-wil"}
    sheet = _sheet(**rolled)
    assert (sheet.mgt, sheet.mgt_max, sheet.wil, sheet.wil_max, sheet.swap) == (15, 15, 6, 8, "")
    assert _sheet(**sheet.model_dump()) == sheet


def test_hands_are_tidied_after_a_fight() -> None:
    """What no longer fits goes into the pack, so that the sheet can be read."""
    mess = _gear(main="axe greatsword", off="mace dagger", worn="light rope medium") + _gear(main="claws")
    there = catalogue.stowed([Carried.model_validate(one) for one in mess], {})
    assert [one.held for one in there] == ["main", "pack", "off", "pack", "worn", "pack", "pack", "main"]
    assert _sheet(gear=there).gear == there


def test_a_sheet_can_be_read_after_any_fight() -> None:
    """Whatever a GM corrects and somebody picks up; what is on the floor is taken along."""
    one = combatant("kim", _sheet(gear=_gear(main="axe", pack="tent " * 4)), "kim", "company", "a", Settings(), {})
    one.mgt, one.hp, one.fatigue, one.status = 18, 17, 25, "dead"
    one.things += [Possession(f"x-{n}", gear, "main") for n, gear in enumerate((BLADE, WEAPONS["maul"]))]
    one.things[0].held = "floor"
    left = _sheet(**sheet_of(one))
    assert (left.mgt, left.hp, left.dead) == (10, 4, True)
    assert [(carried.gear, carried.held) for carried in left.gear] == [("axe", "pack"), *[("tent", "pack")] * 4]


def test_the_forms_offer_the_campaigns_own_things() -> None:
    figures = sheet_figures(None, OWN)
    assert [choice.key for choice in figures.gear[0].choices] == ["own_moon_blade"]
    assert "own_hex" in [choice.key for choice in figures.spell_choices]
    assert figures.known >= {"own_moon_blade", "own_hex", "rope", "light"}
    assert _sheet(**(blank() | {"name": "Kim"})).gear


def test_what_refers_to_own_things() -> None:
    sheet = _sheet(gear=_gear(pack="own_moon_blade rope"), spells=["own_hex"], proficient=["axe", "own_staff"])
    kinds = homebrew.KINDS
    assert kinds["gear"].within(sheet) == {"own_moon_blade", "own_hex", "own_staff"}
    assert kinds["gear"].within(TROLL) == {"own_moon_blade"}
    assert kinds["foes"].fits(TROLL, OWN) == {} and list(kinds["foes"].fits(TROLL, {})) == ["gear"]
    brief = Brief(kind="skirmish", title="", seats={GM: ()}, given={"muster": [{"kind": TROLL.id, "count": "1"}]})
    read = SkirmishOpening.model_validate(muster(brief.given))
    later = Brief(kind="skirmish", title="", seats={GM: ()}, given=read.model_dump(mode="json"))
    scene = kinds["foes"].scene
    assert scene is not None and scene(brief, OWN["foes"]) == scene(later, OWN["foes"]) == {TROLL.id}


def test_groups_of_foes() -> None:
    """Unique names and keys, one group for each kind, and one leader; own kinds get their numbers in the scene."""
    rows = [
        {"kind": "bandit", "count": "2", "leader": "yes", "shown": "yes"},
        {"kind": "guard_captain", "count": "2", "group": "Watch", "name": "Guard", "habit": "hold"},
        {"kind": TROLL.id, "count": "2", "hidden": "yes"},
    ]
    foes = SkirmishOpening.model_validate(muster({"muster": rows})).foes
    assert [foe.name for foe in foes] == ["Bandit 1", "Bandit 2", "Guard 1", "Guard 2", "Bog troll 1", "Bog troll 2"]
    assert [foe.leader for foe in foes] == [True, False, True, False, False, False]
    assert [foe.group for foe in foes][:3] == ["Bandit", "Bandit", "Watch"]
    assert foes[0].hp == foes[0].hp_max == 4 and foes[0].shown and foes[2].habit == "hold"
    troll = whole(foes[-1], OWN)
    assert (troll.name, troll.mgt, troll.hp_max, troll.hidden, troll.key) == (
        "Bog troll 2", 17, 14, True, "bog-troll-2",
    )  # fmt: skip
    with pytest.raises(ValidationError, match="There is no foe “Bog troll” among your own"):
        whole(foes[-1], {})
    for wrong in ({"kind": "no_such", "count": "1"}, {"kind": "bandit", "count": "61"}):
        with pytest.raises(ValueError, match=r"no foe of that kind|from 0 to 60"):
            muster({"muster": [wrong]})


def test_own_things_are_in_the_fight_and_own_foes_are_the_gms_secret() -> None:
    """Newcomers have them too; a state with them survives JSON."""
    read = SkirmishOpening.model_validate(muster({"muster": [{"kind": TROLL.id, "count": "1", "hidden": "yes"}]}))
    brief = Brief(kind="skirmish", title="", seats={Seat("kim"): ("kim",), GM: ()}, given=read.model_dump(mode="json"))
    sheets = {"kim": _sheet(gear=_gear(main="own_moon_blade"), spells=["own_hex"])}
    state = start(Setup(brief=brief, settings=Settings(), sheets=sheets, kept={}, own=OWN))
    assert STATE.validate_json(STATE.dump_json(state)) == state
    kim, troll = state.combatants.values()
    assert [one.gear.name for one in kim.weapons] == ["moon blade"] and [one.name for one in kim.spells] == ["hex"]
    assert (troll.name, troll.mgt, troll.things[0].gear) == ("Bog troll", 17, BLADE)
    gm, player = (view(state, Viewer(seats=frozenset({seat}), gm=seat == GM)) for seat in (GM, Seat("kim")))
    assert TROLL.id in gm.templates and not player.templates and not player.known.own_foes
    forms = FOES.join(gm, [{"kind": TROLL.id, "count": "2", "zone": "the field"}])
    assert [form["name"] for form in forms] == ["Bog troll 2", "Bog troll 3"] and forms[0]["zone"] == "field"
    led = FOES.join(gm, [{"kind": "wolf", "count": "2", "leader": "yes"}])
    assert [(form["count"], form["leader"]) for form in led] == [("1", "yes"), ("1", "")], "a leader comes first"
    again = FOES.copy(gm, troll.key)
    assert again is not None and again["template"] == TROLL.id and again["hidden"] == "yes"
    with pytest.raises(ValueError, match="There is no zone called “Moon”"):
        FOES.join(gm, [{"kind": "wolf", "count": "1", "zone": "Moon"}])


AT_THE_DESK: tuple[tuple[dict[str, str], dict[str, str]], ...] = (
    ({"what": "place", "who": "wolf", "zone": "field"}, {"who": "is hidden, and declarations are open"}),
    ({"what": "place", "who": "kim", "zone": "field", "close": "kim"}, {"close": "Choose someone else"}),
    ({"what": "place", "who": "kim", "zone": "moon"}, {"zone": "Choose a zone"}),
    ({"what": "place", "who": "bandit", "zone": "field"}, {"who": "The bandit is out of the fight"}),
    ({"what": "correct", "who": "wolf", "wil": "0", "reason": "So."}, {"who": "is hidden"}),
    ({"what": "correct", "who": "kim", "wil": "0", "reason": "So."}, {}),
    ({"what": "correct", "who": "kim"}, {"hp": "Enter what changes"}),
    ({"what": "field", "sketch": ""}, {"sketch": "Write at least one zone"}),
    ({"what": "join", "template": "wolf", "zone": "moon"}, {"zone": "Choose a zone"}),
    ({"what": "join", "template": "wolf", "count": "20"}, {}),
    ({"what": "out", "who": "bandit", "reason": "So."}, {"who": "Bandit has left already"}),
    ({"what": "hide", "who": "goblin"}, {}),
)
"""What a GM types while declarations are open, the wolf hidden and the bandit gone, and what is wrong with it."""


def test_what_a_gm_cannot_change_at_the_desk() -> None:
    foes = [TEMPLATES[kind].foe(kind, hidden=kind == "wolf") for kind in ("wolf", "bandit", "goblin")]
    given = SkirmishOpening(foes=tuple(foes), at_once=True).model_dump(mode="json")
    brief = Brief(kind="skirmish", title="", seats={Seat("kim"): ("kim",), GM: ()}, given=given)
    state = start(Setup(brief=brief, settings=Settings(), sheets={"kim": _sheet()}, kept={}))
    state.combatants["bandit"].status = "fled"
    ask = SKIRMISH.steps(state)[-1].asks[0]

    def wrong(says: dict[str, str]) -> Faults:
        seen = view(state, Viewer(seats=frozenset({GM}), gm=True))
        return SKIRMISH.check(seen, ask, SKIRMISH.declaration.validate_python({"ask": "desk", **says}))

    for says, faults in AT_THE_DESK:
        found = wrong(says)
        assert set(found) == set(faults), says
        assert all(words in found[name] for name, words in faults.items()), found
    state.phase = "react"
    assert "in the middle of a turn" in wrong({"what": "hide", "who": "goblin"})["who"]


def test_the_demo_is_in_order() -> None:
    """Four heroes who differ, five foes with a detachment and a leader, a hindered link, cover and a hazard."""
    sheets, brief = the_ruined_keep()
    assert set(sheets) == set(HERO_LINES) == set(heroes()) and len({one.gear[0].gear for one in sheets.values()}) == 4
    read = SkirmishOpening.model_validate(muster(brief.given))
    assert len(read.foes) == 5 and any(foe.detachment for foe in read.foes) and any(foe.leader for foe in read.foes)
    keys = {zone.key for zone in read.zones}
    assert {foe.zone for foe in read.foes} | {read.start, read.foes_start} <= keys
    assert any(link.way == "hindered" for zone in read.zones for link in zone.links)
    assert any(zone.cover for zone in read.zones) and any(zone.hazard for zone in read.zones)
    assert list(brief.seats) == [*map(Seat, sheets), GM]
