"""Fighters between fights: ladder, health, what may be unlocked, and what each of the table's switches changes."""

from typing import Any

import pytest
from pydantic import ValidationError

from app.engine.ruleset import GM, Brief, Seat, Setup
from app.rulesets.duel import CHARACTER, DUEL
from app.rulesets.duel.data import ABILITIES, ACTIONS, LADDER, LADDER_DICE, TREES
from app.rulesets.duel.opponents import OPPONENTS
from app.rulesets.duel.settings import DICE, Settings
from app.rulesets.duel.sheets import Sheet, in_list_order
from app.rulesets.duel.state import State

BOOK = {key: tuple(entry for entry in tree.entries if entry not in tree.house) for key, tree in TREES.items()}
ON, OFF = Settings(), Settings(house_health="off")


def _sheet(defence: int = 0, offence: int = 0, **more: Any) -> Sheet:
    unlocks = (*BOOK["defence"][:defence], *BOOK["offence"][:offence])
    return Sheet(**{"name": "Kim", "level": max(1, len(unlocks)), "unlocks": unlocks} | more)


@pytest.mark.parametrize(
    ("defence", "offence", "stamina", "hp"),
    [
        (1, 0, 6, 10), (0, 1, 6, 10), (3, 2, 6, 12), (4, 0, 8, 14), (0, 3, 8, 12), (4, 3, 10, 16), (3, 3, 8, 14),
        (7, 3, 10, 18), (8, 3, 12, 20), (8, 6, 16, 22), (8, 9, 20, 24), (12, 9, 20, 28), (15, 10, 20, 30),
    ],
)  # fmt: skip
def test_ladder_and_health(defence: int, offence: int, stamina: int, hp: int) -> None:
    """The ledger's examples (4, 3, 4 + 3 and 8 + 9 unlocks) and what lies between them (DUE-70 to DUE-72)."""
    sheet = _sheet(defence, offence)
    assert (sheet.stamina_max, sheet.hp_max(ON), sheet.hp_max(OFF)) == (stamina, hp, 10)


def test_the_ladder_is_the_top_of_its_dice() -> None:
    assert LADDER == tuple(count * size for count, size in LADDER_DICE) == (6, 8, 10, 12, 16, 20)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"unlocks": ("guard", "resist"), "level": 1}, "At level 1 you can have at most 1 unlocked; these are 2"),
        ({"unlocks": ("resist",)}, "begins with Guard"),
        ({"unlocks": ("guard", "flurry"), "level": 2}, "begins with Bide"),
        ({"unlocks": ("guard", "guard"), "level": 2}, "twice"),
        ({"unlocks": ("guard", "jab"), "level": 2}, "nothing called 'jab'"),
        ({"unlocks": ("guard", "agile"), "level": 2, "active": ("flurry",)}, "Flurry is not unlocked"),
        ({"hp": -1}, "greater than or equal to 0"),
    ],
)
def test_unlawful_sheets_are_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        Sheet.model_validate({"name": "Kim", **fields})


def test_a_level_may_wait_to_be_spent() -> None:
    assert _sheet(1, 0, level=5).actions(ON)[-1] == "guard"


def test_hp_left_empty_in_a_form_is_unhurt() -> None:
    sheet = CHARACTER.validate_python({"name": "Kim", "hp": ""})
    assert sheet.hp_now(ON) == 10
    assert _sheet(4, 0, hp=13).hp_now(ON) == 13
    assert _sheet(4, 0, hp=13).hp_now(OFF) == 10, "never above the maximum of this table"


def _start(settings: dict[str, Any], **unlocks: tuple[str, ...]) -> State:
    sheets = {key: Sheet(name=key, level=len(some), unlocks=some) for key, some in unlocks.items()}
    brief = Brief(kind="duel", title="", seats={**{Seat(key): (key,) for key in sheets}, GM: ()})
    DUEL.needs(brief, sheets)
    return DUEL.start(Setup(brief=brief, settings=Settings.model_validate(settings), sheets=sheets, kept={}))


def test_house_actions_are_known_only_where_they_are_in_play() -> None:
    some = ("bide", "pummel", "the-reads")
    off, on = (_start({"house_actions": is_}, ann=some, bob=("guard",)) for is_ in ("off", "on"))
    assert off.fighters["ann"].actions[-1] == "bide"
    assert on.fighters["ann"].actions[-3:] == some
    assert {key for key, action in ACTIONS.items() if action.pack == "house"} == {
        entry for tree in TREES.values() for entry in tree.house
    }


def test_house_health_changes_health_and_nothing_else() -> None:
    off, on = (_start({"house_health": is_}, ann=BOOK["defence"][:4], bob=("guard",)) for is_ in ("off", "on"))
    assert (off.fighters["ann"].hp_max, on.fighters["ann"].hp_max) == (10, 14)
    assert (off.fighters["ann"].hp, on.fighters["ann"].hp) == (10, 14)
    off.fighters["ann"].hp = off.fighters["ann"].hp_max = off.fighters["ann"].hp_start = 14
    off.settings = on.settings
    assert off == on


def test_tree_mode_list_wants_the_order_of_the_list() -> None:
    ahead = ("guard", "leg-sweep")
    assert _start({"tree_mode": "free"}, ann=ahead, bob=("guard",))
    with pytest.raises(ValidationError, match="bob has unlocked an entry out of order"):
        _start({"tree_mode": "list"}, ann=("guard", "elbow-block"), bob=ahead)


def test_the_order_of_the_list_and_the_house_entries_in_it() -> None:
    """The order of unlocking is not kept, so that it cannot matter; only what is missing can."""
    assert in_list_order(reversed(BOOK["defence"][:5]), house=False)
    assert in_list_order(BOOK["offence"], house=False) and not in_list_order(BOOK["offence"], house=True)
    assert in_list_order(TREES["offence"].entries, house=True) and in_list_order(TREES["offence"].entries, house=False)
    assert not in_list_order(("bide", "uppercut"), house=False)


def test_a_momentum_die_is_one_of_six() -> None:
    for size in DICE:
        assert Settings.model_validate({"momentum_die": f"d{size}"}).die == size
        assert Settings.model_validate({"momentum_die": size}).die == size
    for wrong in ("d7", "3", 100, "", True, None):
        with pytest.raises(ValidationError):
            Settings.model_validate({"momentum_die": wrong})


def test_ready_opponents_fight_at_every_table() -> None:
    """Whatever the table has switched on: they are the GM's, and nobody asks in which order they have learned."""
    for key, sheet in OPPONENTS.items():
        brief = Brief(kind="duel", title="", seats={Seat("ann"): ("ann",), GM: ()}, given={"opponent": key})
        sheets = {"ann": Sheet(name="Ann")}
        assert DUEL.needs(brief, sheets) == {"record/ann"}
        state = DUEL.start(Setup(brief=brief, settings=Settings(tree_mode="list"), sheets=sheets, kept={}))
        assert state.order == ("ann", key) and len(state.fighters[key].abilities) <= 2
        assert set(sheet.unlocks) <= set(state.fighters[key].actions) | set(ABILITIES)
