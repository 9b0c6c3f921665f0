"""The worked examples of the book and of the ledger, EXH-01 to EXH-11."""

from fractions import Fraction
from itertools import product

import pytest

from app.rulesets.chronicle.checks import odds
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand import legal, many, ratings
from app.rulesets.chronicle.hand.actions import PARTS
from app.rulesets.chronicle.hand.grid import distance, distance_name
from app.rulesets.chronicle.hand.state import Fight, Grip, Penalty
from tests.rulesets.chronicle.hand.stage import (
    Table,
    acts,
    closes,
    defends,
    dice,
    faults,
    of_kind,
    person,
    rules,
    stage,
    strike,
    wounds,
)


def test_exh_01_shield_and_plate() -> None:
    """Control 3, Parry on Control, shield and plate: 2, and 6 against an Attack Action."""
    bea = person("bea", 2, choices={"parry": "C"}, left="shield", armour="plate")
    fight = stage(person("ann", 0), bea).state.fight
    assert ratings.defence(fight, "bea", "parry", "ann", "bash").total == 2
    parry = ratings.defence(fight, "bea", "parry", "ann", "quick")
    assert parry.total == 6
    assert [(term.words, term.amount) for term in parry.terms] == [
        ("Control", 3), ("Parry", -2), ("Shield", 1), ("Plate armour", 4)
    ]  # fmt: skip


@pytest.mark.parametrize(("x", "less"), [(1, -1), (2, 0), (3, -1)])
def test_exh_02_a_sword_at_another_distance(x: int, less: int) -> None:
    fight = stage(person("ann", 0), person("bea", x)).state.fight
    assert ratings.action(fight, "ann", "bash", "bea").total == 3 + less
    assert ratings.defence(fight, "bea", "parry", "ann", "bash").total == 3 - 2 + less


def test_exh_03_the_figure() -> None:
    figure = {"Dagger distance": [(1, 0), (1, 1)], "Sword distance": [(2, 0), (2, 1), (2, 2)],
              "Spear distance": [(3, 0), (3, 1), (3, 2), (3, 3)]}  # fmt: skip
    for name, squares in figure.items():
        assert {distance_name(distance((0, 0), square)) for square in squares} == {name}
    assert distance_name(distance((0, 0), (4, 1))) == "Out of distance"


def test_exh_04_prone_at_spear_distance() -> None:
    log = stage(person("ann", 0, prone=True), person("bea", 3))
    for action in ("quick", "vicious", "controlled", "bash", "flurry", "feint", "trip"):
        assert "cannot move" in faults(log, "ann", acts(ann=f"{action} bea")["ann"])["of.ann.action"]
    assert "PRONE" in faults(log, "ann", acts(ann="push bea")["ann"])["of.ann.action"]


def test_exh_05_weakening() -> None:
    log = stage(person("ann", 0), person("bea", 2))
    seen = []
    for number in range(1, 9):
        seen.append(log.state.fight["ann"].weakening)
        _idle(log, number)
    assert seen == [0, 0, 1, 1, 2, 2, 3, 3]


def _idle(log: Table, number: int) -> None:
    """A round in which nobody does anything, and the next one's footwork, which Ann wins without moving far."""
    closes(log, {}, {})
    closes(log, {}, dice(f"CHR-FTW-04/r{number + 1}/ann>bea", 8, 8, 10))


def test_exh_06_a_strong_bash_and_the_parry_after_it() -> None:
    bea = person("bea", 2, skills={"C": 4}, choices={"parry": "C"})
    log = stage(person("ann", 0), bea)

    def parry() -> int:
        fight = log.state.fight
        fight["ann"].x, fight["ann"].y, fight["bea"].x, fight["bea"].y = 0, 0, 2, 0
        return ratings.defence(fight, "bea", "parry", "ann", "bash").total

    found = [parry()]
    closes(log, acts(ann="bash bea"), {})
    closes(log, defends(bea={"ann": "parry"}), strike("ann", "bea", strong=True))
    closes(log, {}, dice("CHR-FTW-04/r2/ann>bea", 8, 8, 10))
    for number in (2, 3):
        found.append(parry())
        _idle(log, number)
    found.append(parry())
    assert found == [2, -1, -2, 1]


def test_exh_07_breaking_a_hold() -> None:
    ann = person("ann", 0, skills={"V": 4, "S": 4}, choices={"hold": "S"})
    log = stage(ann, person("bea", 1, skills={"S": 5}, choices={"hold": "S"}))
    log.state.fight.grips.append(Grip("bea", "ann", "held", "left"))
    told = closes(log, acts(ann="break-hold bea"), dice("CHR-ACT-29/r1/ann>bea", 8, 8, 2))
    broke = of_kind(told, ev.Broke)[0]
    assert (broke.mine.total, broke.theirs.total, broke.check.target, broke.check.total) == (2, 5, 19, 19)
    assert not log.state.fight.grips


def test_exh_08_the_third_minor_on_a_leg() -> None:
    log = stage(person("ann", 0), person("bea", 2, wounds=wounds(left_leg=(2, False))))
    closes(log, acts(ann={"action": "quick", "target": "bea", "stand": {"strike": "left_leg"}}), {})
    told = closes(log, defends(bea={"ann": "parry"}), strike("ann", "bea", strong=True))
    leg = log.state.fight["bea"].wounds.left_leg
    assert (leg.major, leg.minor) == (True, 1)
    assert log.state.fight.prone("bea")
    assert "stand up" in legal.why_not(log.state.fight, "bea", "stand", "")
    assert rules(told, ev.Wounded) == ["CHR-WND-02"]


def test_exh_09_vicious_on_a_major() -> None:
    log = stage(person("ann", 0), person("bea", 2, wounds=wounds(right_arm=(0, True)), left="sword", right=""))
    closes(log, acts(ann="vicious bea"), {})
    wild = {"CHR-ACT-07/r1/ann>bea/severity": 5, "CHR-ACT-07/r1/ann>bea/part": 2}
    told = closes(log, defends(bea={"ann": "parry"}), strike("ann", "bea", strong=True) | wild)
    assert log.state.fight["bea"].wounds == wounds(right_arm=(0, True), body=(1, False))
    assert [(one.part, one.wound, one.instead) for one in of_kind(told, ev.Wounded)] == [("body", "minor", "right_arm")]


def test_exh_10_five_against_two() -> None:
    people = [person(key, 0) for key in ("anna", "ansel")] + [person(f"b{n}", 3, n) for n in range(5)]
    fight: Fight = stage(*people).state.fight
    fight.combats[0].a, fight.combats[0].b = ["anna"], ["b0"]
    fight.combats.append(type(fight.combats[0])(2, ["ansel"], ["b1"]))
    assert many.rooms(fight, "b2", fight.combats) == [1, 2]
    fight.combats[0].b.append("b2")
    assert many.rooms(fight, "b3", fight.combats) == [2]
    fight.combats[1].b.append("b3")
    assert many.rooms(fight, "b4", fight.combats) == [1, 2]


def test_exh_11_two_thirds_and_one_third() -> None:
    """Exactly 2/3 for two Minors and 1/3 for a Major, every part alike: counted over both dice."""
    found: dict[tuple[str, str], Fraction] = {}
    for how_bad, where in product(range(1, 7), range(1, 7)):
        log = stage(person("ann", 0), person("bea", 2))
        closes(log, acts(ann="vicious bea"), {})
        wild = {"CHR-ACT-07/r1/ann>bea/severity": how_bad, "CHR-ACT-07/r1/ann>bea/part": where}
        closes(log, defends(bea={"ann": "parry"}), strike("ann", "bea", strong=True) | wild)
        for part in PARTS:
            one = log.state.fight["bea"].wounds.of(part)
            if one.hurt:
                key = (part, "major" if one.major else f"{one.minor} minor")
                found[key] = found.get(key, Fraction()) + Fraction(1, 36)
    assert found == {
        (part, what): chance
        for part in PARTS
        for what, chance in (("2 minor", Fraction(1, 9)), ("major", Fraction(1, 18)))
    }


def test_every_action_is_strong_in_half_of_all_cases_between_equals() -> None:
    """The check of the reading in CHR-RND-17."""
    assert odds(3, 3) == Fraction(1, 2)


def test_penalties_count_in_the_two_rounds_after() -> None:
    """CHR-RND-11."""
    penalty = Penalty("bash", ("C", "S"), -3, since=4)
    assert [penalty.active(number) for number in range(4, 8)] == [False, True, True, False]
