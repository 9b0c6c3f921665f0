"""What each action does, strong and weak, and how conditions, grips and hands go on from there (CHR-ACT, -CND)."""

from typing import Any

import pytest

from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand import legal, ratings
from app.rulesets.chronicle.hand.settings import HandSettings
from app.rulesets.chronicle.hand.state import Fighter, Grip
from tests.rulesets.chronicle.hand.stage import (
    Table,
    acts,
    asked,
    closes,
    defends,
    dice,
    faults,
    foot,
    of_kind,
    person,
    rules,
    stage,
    strike,
    wounds,
)

SET_UPS = {  # skills hit, strong, weak
    "bash": (("C", "S"), -3, -1),
    "flurry": (("F", "C"), -3, -1),
    "feint": (("F", "V"), -3, -1),
    "push": (("C", "F"), -3, -1),
    "trip": (("F", "V"), -3, -1),
    "hold": (("V", "S"), 0, -1),
    "tackle": (("C", "V", "S"), 0, -1),
}
MEETS = {"bash": "parry", "flurry": "parry", "feint": "mind", "push": "strength", "trip": "strength",
         "hold": "parry", "tackle": "mind", "quick": "parry", "vicious": "parry", "controlled": "parry"}  # fmt: skip
OWN = {"quick": -2, "vicious": -4, "controlled": -4, "tackle": -3}


def _played(action: str, *, strong: bool, luck: dict[str, int] | None = None, **order: Any) -> Table:
    """Ann does it to Bea at sword distance, and the round is closed."""
    log = stage(person("ann", 0), person("bea", 2))
    closes(log, acts(ann={"action": action, "target": "bea", **order}), {})
    if asked(log).get("bea") == "defend":
        closes(log, defends(bea={"ann": MEETS[action]}), strike("ann", "bea", strong=strong) | (luck or {}))
    return log


def _only(action: str, *, strong: bool) -> Table:
    """As `_played`, for actions that leave the defender no choice: their dice fall when the actions open."""
    log = stage(person("ann", 0), person("bea", 2))
    closes(log, acts(ann=f"{action} bea"), strike("ann", "bea", strong=strong))
    return log


@pytest.mark.parametrize("strong", [True, False])
@pytest.mark.parametrize("action", SET_UPS)
def test_set_up_actions(action: str, strong: bool) -> None:
    log = _only(action, strong=strong) if action == "feint" else _played(action, strong=strong)
    on, hard, soft = SET_UPS[action]
    given = [(p.action, p.on, p.amount) for p in log.state.fight["bea"].penalties]
    amount = hard if strong else soft
    assert given == ([(action, on, amount)] if amount else [])
    assert [p.amount for p in log.state.fight["ann"].penalties] == (
        [OWN[action]] if action in OWN and not strong else []
    )
    assert log.state.fight["bea"].prone == (action == "trip" and strong)
    assert log.state.fight.held("bea") == (action == "hold" and strong)
    assert log.state.fight.tackled("bea") == (action == "tackle" and strong)


@pytest.mark.parametrize("action", ["quick", "vicious", "controlled"])
def test_a_weak_attack_costs_the_attacker(action: str) -> None:
    """CHR-ACT-03, -10, -14."""
    log = _played(action, strong=False)
    assert [(p.on, p.amount) for p in log.state.fight["ann"].penalties] == [((), OWN[action])]
    hurt = {"quick": wounds(left_leg=(1, False))}.get(action, wounds())
    assert log.state.fight["bea"].wounds == hurt


def test_all_defences_means_the_four_defences_only() -> None:
    """CHR-DEF-13, -15."""
    log = _played("vicious", strong=False)
    fight = log.state.fight
    fight.round, fight["ann"].weakening = 2, 1
    assert ratings.defence(fight, "ann", "strength", "bea", "push").total == 3 - 4 - 1
    assert ratings.action(fight, "ann", "bash", "bea").total == 3 - (fight.distance("ann", "bea") != 2)


def test_a_strong_controlled_attack_goes_to_the_weapon_arm_of_who_is_silent() -> None:
    log = _played("controlled", strong=True)
    assert log.state.fight["bea"].wounds == wounds(right_arm=(0, True))
    assert log.state.fight.weapon("bea").key == "hands"  # CHR-WND-04


def test_protect_and_pick_by_standing_choice() -> None:
    """CHR-ACT-02: the protected part is safe, the attacker's wish comes next."""
    log = stage(person("ann", 0), person("bea", 2))
    log.state.standing["bea"] = log.state.stands("bea").model_copy(update={"protect": "body"})
    closes(log, acts(ann={"action": "quick", "target": "bea", "stand": {"strike": "body"}}), {})
    closes(log, defends(bea={"ann": "parry"}), strike("ann", "bea", strong=True))
    assert log.state.fight["bea"].wounds == wounds(head=(1, False))


def test_results_never_change_this_rounds_checks() -> None:
    """CHR-RND-07: both Bash at once, and both roll with their whole Strength."""
    log = stage(person("ann", 0), person("bea", 2))
    closes(log, acts(ann="bash bea", bea="bash ann"), {})
    luck = strike("ann", "bea", strong=True) | strike("bea", "ann", strong=True)
    told = closes(log, defends(ann={"bea": "parry"}, bea={"ann": "parry"}), luck)
    assert [struck.mine.total for struck in of_kind(told, ev.Struck)] == [3, 3]


def test_a_strong_push_moves_the_victim_and_its_dodge_does_not_count() -> None:
    """CHR-ACT-22 to -24."""
    log = stage(person("ann", 0), person("bea", 2))
    closes(log, acts(ann="push bea"), {})
    told = closes(log, defends(bea=({"ann": "dodge"}, "3,1")), strike("ann", "bea", strong=True))
    assert log.state.fight["bea"].at == (3, 0)
    assert [step.why for step in of_kind(told, ev.Stepped)] == ["push", "approach"]
    assert log.state.fight.distance("ann", "bea") == 2


def test_dodging_moves_whether_it_helps_or_not_and_may_be_followed() -> None:
    """CHR-DEF-06."""
    log = stage(person("ann", 0), person("bea", 2))
    closes(log, acts(ann={"action": "bash", "target": "bea", "stand": {"follow": "ask"}}), {})
    closes(log, defends(bea=({"ann": "dodge"}, "3,0")), strike("ann", "bea", strong=False))
    assert log.state.fight["bea"].at == (3, 0)
    assert asked(log) == {"ann": "move"}
    assert faults(log, "ann", {"to": "2,0"})
    closes(log, {"ann": {"to": "1,0"}}, {})
    assert log.state.fight.distance("ann", "bea") == 2


def test_a_tackle_that_is_let_go_leaves_its_victim_prone() -> None:
    """CHR-CND-05, -09: this round it still counts."""
    log = stage(person("ann", 0), person("bea", 1))
    log.state.fight.grips.append(Grip("ann", "bea", "tackled", "left"))
    closes(log, acts(ann={"action": "wait", "release": ["bea"]}), {})
    assert not log.state.fight.grips
    assert log.state.fight["bea"].prone


@pytest.mark.parametrize(("option", "prone"), [("off", False), ("on", True)])
def test_a_broken_tackle(option: Any, prone: bool) -> None:
    """CHR-ACT-30."""
    log = stage(person("ann", 0), person("bea", 1), settings=HandSettings(tackle_break_leaves_prone=option))
    log.state.fight.grips.append(Grip("ann", "bea", "tackled", "left"))
    closes(log, acts(bea="break-tackle ann"), dice("CHR-ACT-30/r1/bea>ann", 8, 8, 10))
    assert not log.state.fight.tackled("bea")
    assert log.state.fight["bea"].prone == prone


def test_ended_and_inflicted_in_one_round_is_inflicted() -> None:
    """CHR-RND-10."""
    log = stage(person("ann", 0), person("bea", 2, prone=True))
    closes(log, acts(ann="trip bea", bea="stand"), strike("ann", "bea", strong=True))
    assert log.state.fight["bea"].prone


def test_who_keeps_somebody_has_one_hand_less() -> None:
    """CHR-ACT-32, CHR-EQP-02: the halberd's grip is opened, and stays one-handed while the Hold lasts."""
    log = stage(person("ann", 0, right="halberd"), person("bea", 2))
    assert "take one hand off" in faults(log, "ann", acts(ann="hold bea")["ann"])["of.ann.action"]
    closes(log, acts(ann={"action": "hold", "target": "bea", "grip": "one"}), {})
    closes(log, defends(bea={"ann": "parry"}), strike("ann", "bea", strong=True))
    fight = log.state.fight
    assert fight.held("bea") and fight.busy("ann", "left") and fight.one_handed("ann")
    assert fight.distance("ann", "bea") == 1  # CHR-ACT-33


def test_the_helpless_have_no_defence_and_can_be_killed() -> None:
    """CHR-WND-08, -09, -12."""
    hurt = {"wounds": wounds(head=(0, True))}
    log = stage(person("ann", 0), person("bea", 2, **hurt), person("bert", 2, 1))
    assert not legal.acts(log.state.fight, "bea")
    told = closes(log, acts(ann="bash bea"), {})
    assert rules(told, ev.Struck) == ["CHR-WND-12"]
    log = stage(person("ann", 0), person("bea", 2, **hurt), person("bert", 2, 1))
    told = closes(log, acts(ann="kill bea"), {})
    assert log.state.fight["bea"].gone == "dead"
    assert rules(told, ev.Gone) == ["CHR-WND-09"]


def test_a_hand_that_is_lost_lets_go() -> None:
    """CHR-WND-16."""
    log = stage(person("ann", 0), person("bea", 1, right="dagger"))
    log.state.fight.grips.append(Grip("ann", "bea", "held", "left"))
    closes(log, acts(bea={"action": "controlled", "target": "ann", "stand": {"strike": "left_arm"}}), {})
    closes(log, defends(ann={"bea": "parry"}), strike("bea", "ann", strong=True))
    assert not log.state.fight.grips


def _hands(**more: Any) -> Fighter:
    return person("ann", 0, **more)


@pytest.mark.parametrize(
    ("ann", "action", "word"),
    [
        (_hands(left="shield"), "hold", "free hand"),
        (_hands(wounds=wounds(left_arm=(0, True), right_arm=(0, True))), "quick", "useless"),
        (_hands(wounds=wounds(left_leg=(0, True))), "stand", "stand up"),
        (_hands(), "stand", "on your feet"),
        (_hands(), "break-hold", "not HELD"),
        (_hands(), "flee", "too near"),
        (_hands(), "kill", "helpless"),
        (_hands(), "dance", "Choose an action"),
    ],
)
def test_what_cannot_be_ordered(ann: Fighter, action: str, word: str) -> None:
    log = stage(ann, person("bea", 2))
    assert word in " ".join(faults(log, "ann", acts(ann=f"{action} bea")["ann"]).values())


@pytest.mark.parametrize("action", ["push", "trip"])
def test_without_arms_push_and_trip_are_left(action: str) -> None:
    """CHR-WND-13."""
    ann = person("ann", 0, wounds=wounds(left_arm=(0, True), right_arm=(0, True)))
    log = stage(ann, person("bea", 1))
    assert not faults(log, "ann", acts(ann=f"{action} bea")["ann"])
    assert ratings.reach(log.state.fight, "ann", action) == 1


def test_fleeing_and_giving_up() -> None:
    """CHR-ACT-35, -36."""
    log = stage(person("ann", 0), person("bea", 4))
    closes(log, acts(ann="flee"), {})
    assert log.state.fight["ann"].gone == "fled"
    log = stage(person("ann", 0), person("bea", 2))
    closes(log, acts(ann={"action": "wait", "surrender": "yes"}), {})
    assert asked(log) == {"bea": "mercy"}
    closes(log, {"bea": {"refuse": ["ann"]}}, {})
    assert log.state.fight["ann"].here
    closes(log, {}, foot("ann", "bea", won=True, number=2))
    closes(log, acts(ann={"action": "wait", "surrender": "yes"}), {})
    closes(log, {}, {})
    assert log.state.fight["ann"].gone == "surrendered"
    assert not log.state.fight.combats


def test_ready_and_drop() -> None:
    """CHR-ACT-34."""
    log = stage(person("ann", 0, carried=["dagger"]), person("bea", 2))
    closes(log, acts(ann={"action": "ready", "item": "dagger", "into": "left", "drop": ["right"]}), {})
    one = log.state.fight["ann"]
    assert (one.right, one.left, one.carried, one.lost) == ("", "dagger", [], ["sword"])


@pytest.mark.parametrize(
    ("weapon", "armour", "more"),
    [("mace", "plate", 2), ("mace", "metal", 1), ("rock", "none", -2), ("", "none", -4), ("sword", "plate", 0)],
)
def test_weapons_change_attacks(weapon: str, armour: Any, more: int) -> None:
    """CHR-EQP-01, -03 to -05: attacks only."""
    d = 2 if weapon in ("mace", "sword") else 1
    fight = stage(person("ann", 0, right=weapon), person("bea", d, armour=armour)).state.fight
    assert ratings.action(fight, "ann", "quick", "bea").total == 3 + more
    assert ratings.action(fight, "ann", "flurry", "bea").total == 3


def test_bare_hands_parry_bare_hands_only() -> None:
    """CHR-EQP-05."""
    armed = stage(person("ann", 0), person("bea", 1, right="")).state.fight
    assert "parry" not in legal.defences(armed, "bea", "ann", "quick")
    bare = stage(person("ann", 0, right=""), person("bea", 1, right="")).state.fight
    assert "parry" in legal.defences(bare, "bea", "ann", "quick")


def test_undefended() -> None:
    """CHR-DEF-17: PRONE and without anything to parry with."""
    fight = stage(person("ann", 0), person("bea", 1, right="", prone=True, armour="plate")).state.fight
    assert legal.defences(fight, "bea", "ann", "quick") == []
    assert ratings.defence(fight, "bea", "none", "ann", "quick").total == -4 + 4
