"""Tasks that take several majors: books, rituals, dressing, aim, acts of one's own (ARC-27, ARC-155, ARC-159)."""

from dataclasses import replace
from typing import Any

import pytest

from app.engine.chance import ScriptedChance
from app.engine.log import Recorder
from app.rulesets.arcana import outcome
from app.rulesets.arcana.fight.casting import price
from app.rulesets.arcana.fight.declarations import HOLD, Action, React, Turn
from app.rulesets.arcana.fight.fold import apply
from app.rulesets.arcana.fight.state import Held, State
from app.rulesets.arcana.phases import cycle as phases
from app.rulesets.arcana.phases.legal import check
from app.rulesets.arcana.phases.questions import rule
from app.rulesets.arcana.rules.book import SPELLS, WEAPONS
from app.rulesets.arcana.rules.rulings import Ruling
from app.rulesets.arcana.view.options import can
from tests.rulesets.arcana.plain import plain
from tests.rulesets.arcana.ring import at, cast, cycle, fight, mage, major, minors, of, strike, when

ON = Action(do="continue")
READ = Action(do="cast", spell="mend", target="ben", book=True)
NEVER = React(resist="never")
MENDED = {"ARC-148/cast/ada/1/1": 8, "ARC-134/heal/ada/1>ben/2/1": 2, "ARC-134/heal/ada/1>ben/2/2": 2}


def table(**given: Any) -> State:
    reader = replace(mage("ada"), spells=("spark_volley",), books=("mend",), wardrobe=("vest",), **given)
    return fight(at(reader, 0), at(plain("ben"), 4, hp=11), at(mage("orc"), 6, side="foes"))


def test_a_book_takes_two_majors_and_half_as_much_again() -> None:
    """ARC-155: the check and the price come with the second."""
    state = table()
    assert check(state, "ada", major(READ)) == {}
    told = cycle(state, {"ada": major(READ)})
    assert [one.cycles for one in of(told, "begun")] == [2] and not of(told, "launched") and not of(told, "paid")
    assert check(state, "ada", major(ON)) == {}
    told = cycle(state, {"ada": major(ON)}, MENDED)
    assert (state.fighters["ben"].hp, [one.fp for one in of(told, "paid")]) == (15, [8])
    assert state.fighters["ada"].task is None
    prices = {level: next(one for one in SPELLS.values() if one.level == level) for level in ("beginner", "master")}
    one = state.fighters["ada"]
    assert [price(one, spell, 0, book=True) for spell in prices.values()] == [6, 17]


def test_the_silent_read_on_and_the_same_again_is_the_same_task() -> None:
    """ARC-09, ARC-27."""
    for second in ({}, {"ada": major(READ)}):
        state = table()
        cycle(state, {"ada": major(READ)})
        cycle(state, second, MENDED)
        assert state.fighters["ben"].hp == 15


def test_a_book_teaches() -> None:
    """ARC-155: known by heart after 6 − INT modifier successful uses, at least one."""
    for intelligence, uses in ((10, 6), (18, 2), (19, 2)):
        state = table(
            attributes={**mage("ada").attributes, "INT": intelligence}, studied={"mend": 4} if uses == 6 else {}
        )
        state.fighters["ada"].fp = 99
        state.fighters["ben"].hp = -9
        for number in (1, 2):
            cycle(state, {"ada": major(READ)})
            cycle(state, {}, MENDED)
            assert ("mend" in state.fighters["ada"].body.spells) == (number == 2)
        assert state.fighters["ada"].body.studied["mend"] == uses


@pytest.mark.parametrize(
    "turn", [HOLD, major(strike("orc")), minors(Action(do="evade"))], ids=["hold", "blow", "evade"]
)
def test_anything_else_aborts_it_and_its_progress_is_lost(turn: Turn) -> None:
    """ARC-27."""
    state = table()
    cycle(state, {"ada": major(READ)})
    told = cycle(state, {"ada": turn})
    assert [one.why for one in of(told, "broke")] == ["lets it go"] and state.fighters["ada"].task is None
    assert "not begun anything" in check(state, "ada", major(ON))["major.do"]


def test_who_cannot_act_stops() -> None:
    """ARC-27, ARC-10."""
    state = table()
    cycle(state, {"ada": major(READ)})
    state.fighters["ada"].statuses["stunned"] = Held(2, 1)
    assert [one.why for one in of(cycle(state, {}), "broke")] == ["cannot act"]


@pytest.mark.parametrize(
    ("action", "field", "words"),
    [
        (READ.model_copy(update={"pp": 1}), "major.pp", "cannot use power points"),
        (READ.model_copy(update={"spell": "spark_volley"}), "major.spell", "from your books"),
        (Action(do="don", item="steel_plate"), "major.item", "armour you carry"),
        (Action(do="aim", weapon="club"), "major.weapon", "grows with aim"),
        (Action(do="custom", cycles=3), "major.words", "Say what you do"),
    ],
)
def test_what_cannot_be_begun(action: Action, field: str, words: str) -> None:
    assert words in check(table(), "ada", major(action))[field]


def test_a_task_waits_for_no_condition() -> None:
    state = table()
    assert "several cycles" in check(state, "ada", major(READ, when=when("orc", "attacks")))["when.guards"]


def test_reading_one_is_open() -> None:
    """ARC-108: a blow at somebody who casts from a book is a strike at somebody unwary."""
    state = table()
    cycle(state, {"ada": major(READ)})
    dice = MENDED | {"ARC-148/cast/orc/1/1": 8, "ARC-71/accuracy/orc/1>ada/1": 15, "ARC-128/damage/orc/1>ada/1/1": 1,
                     "ARC-128/damage/orc/1>ada/1/2": 1, "ARC-110/critical/orc/1>ada/1": 1}  # fmt: skip
    told = cycle(state, {"ada": Turn(major=ON, react=NEVER), "orc": major(cast("spark_volley", "ada"))}, dice)
    assert of(told, "damaged")[0].triggers == ("ARC-108",)


def ritual(cycles: int = 3) -> State:
    spell = SPELLS["mend"].model_copy(update={"id": "own_rite", "name": "Rite", "kind": "ritual", "cycles": cycles})
    performer = replace(mage("ada"), spells=("own_rite",))
    state = fight(at(performer, 0), at(plain("ben"), 4, hp=11), at(mage("orc"), 6, side="foes"))
    state.own_spells["own_rite"] = spell
    return state


def test_a_ritual_takes_its_cycles_and_then_the_check() -> None:
    """ARC-159."""
    state = ritual()
    cycle(state, {"ada": major(cast("own_rite", "ben"))})
    assert not of(cycle(state, {}), "paid")
    assert [one.fp for one in of(cycle(state, {}, MENDED), "paid")] == [5] and state.fighters["ben"].hp == 15


def test_hurt_it_has_to_begin_again() -> None:
    """ARC-159: the same die against 10; whoever says nothing begins anew."""
    for face, done in ((10, 2), (9, 0)):
        state = ritual()
        cycle(state, {"ada": major(cast("own_rite", "ben"))})
        dice = {"ARC-148/cast/orc/1/1": 8, "ARC-71/accuracy/orc/1>ada/1": 15, "ARC-128/damage/orc/1>ada/1/1": 1,
                "ARC-128/damage/orc/1>ada/1/2": 1, "ARC-110/critical/orc/1>ada/1": 1,
                "ARC-158/keep/ada/orc/1/1": face}  # fmt: skip
        told = cycle(state, {"ada": Turn(major=ON, react=NEVER), "orc": major(cast("spark_volley", "ada"))}, dice)
        task = state.fighters["ada"].task
        assert task is not None and task.done == done
        assert [one.again for one in of(told, "broke")] == [True] * (done == 0)


def test_dressing_takes_as_long_as_it_is_heavy() -> None:
    """ARC-27: medium armour 10 cycles; what was worn is carried along."""
    state = table()
    cycle(state, {"ada": major(Action(do="don", item="vest"))})
    for _ in range(8):
        cycle(state, {})
    assert state.fighters["ada"].body.armour == "casual"
    assert [one.armour for one in of(cycle(state, {}), "donned")] == ["vest"]
    assert state.fighters["ada"].body.armour == "vest" and state.fighters["ada"].task is None


def test_aim_makes_a_rifle_accurate_farther_away() -> None:
    """ARC-166: 40 m, 100 m after two cycles of aim; beyond it to twice as far, with disadvantage."""
    shooter = replace(plain("ada"), weapons={"rifle": WEAPONS["rifle"]})
    aim, shot = major(Action(do="aim", weapon="rifle")), major(strike("orc", "rifle"))
    for cycles, dice in ((0, 2), (1, 2), (2, 1), (3, 1)):
        state = fight(at(shooter, 0), at(plain("orc"), 75, side="foes"))
        for number in range(cycles):
            cycle(state, {"ada": aim} if number == 0 else {})
        told = cycle(state, {"ada": shot}, {f"ARC-71/accuracy/ada/1>orc/{n}": 2 for n in range(1, dice + 1)})
        assert len(of(told, "struck")[0].rolls) == dice
        assert state.fighters["ada"].task is None, "the shot uses the aim"
    far = fight(at(shooter, 0), at(plain("orc"), 190, side="foes"))
    assert of(cycle(far, {"ada": shot}), "void")


def test_the_gm_says_how_long_an_act_takes() -> None:
    """ARC-27, section 5: as long as its author says, or the GM; its check comes with the last cycle."""
    act = major(Action(do="custom", words="I pick the lock", cycles=2, attr="INT"))
    for value, cycles in ((0, 2), (3, 3)):
        state = table()
        log: Recorder[State, Any] = Recorder(state, apply)
        phases.reveal(log, {"ada": act}, {}, ScriptedChance({}))
        (asked,) = state.questions
        assert (asked.key, asked.value) == ("length/ada", 2)
        rule(log, {"length/ada": Ruling(yes=True, value=value)} if value else {}, "sealed")
        phases.go_to(log, "steps")
        phases.go_on(log, ScriptedChance({}))
        for _ in range(cycles - 2):
            cycle(state, {})
        told = cycle(state, {}, {"ARC-116/custom/ada/1/1": 15})
        assert [one.ok for one in of(told, "checked")] == [True] and state.fighters["ada"].task is None


def test_a_bolt_flies_a_hundred_metres_in_a_cycle() -> None:
    """ARC-18: up to 100 m at once, up to 200 m in the next cycle; its accuracy is checked there."""
    spell = SPELLS["stinger"].model_copy(update={"id": "own_far"})
    spell = spell.model_copy(update={"shape": spell.shape.model_copy(update={"metres": "500"})})
    for far, cycles in ((100, 0), (100.5, 1), (200, 1), (250, 2)):
        state = fight(at(replace(mage("ada"), spells=("own_far",)), 0), at(plain("orc"), far, side="foes"))
        state.own_spells["own_far"] = spell
        told = played(state, {"ada": major(cast("own_far", "orc"))}, {"ARC-148/cast/ada/1/1": 8} | (
            {"ARC-71/accuracy/ada/1>orc/1": 2} if not cycles else {}))  # fmt: skip
        for number in range(1, cycles + 1):
            assert not of(told, "struck") and state.later
            told = played(state, {}, {"ARC-71/accuracy/ada/1/c1>orc/1": 2} if number == cycles else {})
        assert len(of(told, "struck")) == 1 and not state.later and not state.air


def played(state: State, turns: dict[str, Turn], dice: dict[str, int]) -> list[Any]:
    """One cycle of a log that goes on: what lands late follows from its launch."""
    chance = ScriptedChance(dice)
    log: Recorder[State, Any] = Recorder(state, apply, last=100 * state.cycle)
    phases.resolve(log, turns, chance)
    assert chance.unused() == []
    return log.events


def test_forms_know_what_goes_on() -> None:
    """ARC-155: what is under way, how far it has come and what its next cycle costs."""
    state = table()
    assert can(state, "ada").going is None
    assert [one.price for one in can(state, "ada").books] == [8]
    cycle(state, {"ada": major(READ)})
    going = can(state, "ada").going
    assert going is not None and (going.do, going.what, going.done, going.cycles, going.price) == (
        "continue", "book", 1, 2, 8,
    )  # fmt: skip


def test_what_was_read_and_put_on_goes_home_with_its_owner() -> None:
    """ARC-27, ARC-155."""
    state = table()
    state.fighters["ada"].character = "ada"
    cycle(state, {"ada": major(READ)})
    cycle(state, {}, MENDED)
    cycle(state, {"ada": major(Action(do="don", item="vest"))})
    for _ in range(9):
        cycle(state, {})
    sheet: Any = outcome(state).sheets["ada"]
    assert (sheet["studied"], sheet["armour"], sheet["wardrobe"]) == ({"mend": 1}, "vest", [])


def test_conditions_watch_what_a_task_comes_to() -> None:
    """ARC-45: reading is casting; it heals in the cycle in which it is cast."""
    state = table()
    blow = Action(do="communicate", words="stop")
    for second, fired in ((False, False), (True, True)):
        dice = MENDED if second else {}
        turns = {"ada": major(ON if second else READ), "orc": minors(blow, when=when("ada", "heals", "ben"))}
        told = cycle(state, turns, dice)
        assert bool(of(told, "spoke")) == fired
