"""Many combatants: pairing, lines, limits of one against many, joining, splitting, waves (CHR-MUL)."""

import random
from typing import Any

import pytest

from app.engine.ruleset import GM, Brief, Seat, Setup
from app.rulesets.chronicle.gear import Carried
from app.rulesets.chronicle.hand import HAND, legal, many
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.settings import HandSettings
from app.rulesets.chronicle.hand.state import Combat
from app.rulesets.chronicle.sheets import Sheet, Skills
from tests.rulesets.chronicle.hand.ring import begin, play, setup
from tests.rulesets.chronicle.hand.soundness import sound
from tests.rulesets.chronicle.hand.stage import (
    Table,
    acts,
    asked,
    closes,
    defends,
    faults,
    foot,
    of_kind,
    person,
    stage,
    step,
    strike,
    view,
)


def _begun(a: int, b: int, **minds: int) -> Table:
    sheets = {
        key: Sheet(name=key, skills=Skills(fighting_mind=minds.get(key, 2)), weapons=(Carried.of("Sword"),))
        for key in (*(f"a{n}" for n in range(a)), *(f"b{n}" for n in range(b)))
    }
    seats = {Seat(side): tuple(key for key in sheets if key[0] == side) for side in "ab"} | {GM: ()}
    brief = Brief(kind="hand", title="", seats=seats, given={"sides": {key: key[0] for key in sheets}})
    log = begin(Setup(brief=brief, settings=HandSettings(), sheets=sheets, kept={}))
    closes(log, {}, {})
    closes(log, {}, {})
    return log


@pytest.mark.parametrize(
    ("a", "b", "minds", "first"),
    [
        (3, 2, {}, "a"),
        (2, 3, {}, "b"),
        (2, 2, {"b1": 3}, "b"),
        (2, 2, {"b1": 3, "a1": 3, "a0": 3}, "a"),
        (2, 2, {}, "a"),
    ],
)
def test_who_names_the_first_pair(a: int, b: int, minds: dict[str, int], first: str) -> None:
    """CHR-MUL-03."""
    log = _begun(a, b, **minds)
    assert asked(log) == {first: "pair"}
    assert step(log).key == "pair/1"


def test_sides_alternate_and_the_rest_join() -> None:
    """CHR-MUL-04, -05: three against two."""
    log = _begun(3, 2)
    assert faults(log, "a", {"pair": "b0:a0"})
    closes(log, {"a": {"pair": "a2:b0"}}, {})
    assert asked(log) == {"b": "pair"}
    closes(log, {"b": {"pair": "b1:a0"}}, {})
    assert asked(log) == {"a": "join_pair"}
    rolled = foot("a0", "b1", won=True, number=1) | foot("b0", "a1", won=True, number=1)
    rolled |= foot("b0", "a2", won=True, number=1)
    told = closes(log, {"a": {"combat": 1}}, rolled)
    assert [(c.a, c.b) for c in log.state.fight.combats] == [(["a1", "a2"], ["b0"]), (["a0"], ["b1"])]
    assert dict(of_kind(told, ev.Placed)[0].at) == {
        "a0": (0, 3), "a1": (3, 0), "a2": (3, 1), "b0": (0, 0), "b1": (3, 3)
    }  # fmt: skip


def test_six_against_one_is_a_wave() -> None:
    """CHR-MUL-02."""
    log = _begun(1, 6)
    told = closes(log, {}, {})
    assert asked(log) == {"b": "join"}
    assert step(log).asks[0].about == ("b4", "b5")
    closes(log, {}, {label: 4 for n in range(4) for label in foot("a0", f"b{n}", won=True, number=1)})
    assert [one.who for one in of_kind(told, ev.Waits)] == ["b4", "b5"]
    assert log.state.fight.combats[0].b == ["b0", "b1", "b2", "b3"]
    assert asked(log) == {"a": "act", "b": "act"}
    sound(log.state)


def _one_and_three(**more: Any) -> Table:
    return stage(person("ann", 0, **more), person("bea", 2, -1), person("bert", 2, 0), person("bo", 2, 1))


def test_alone_one_parries_twice() -> None:
    """CHR-MUL-16, -18: the third is met otherwise, or not at all."""
    log = _one_and_three(prone=True)
    closes(log, acts(bea="bash ann", bert="bash ann", bo="bash ann"), {})
    every = dict.fromkeys(("bea", "bert", "bo"), "parry")
    assert "two actions" in faults(log, "ann", defends(ann=every)["ann"])["of.ann.how.bea"]
    assert not faults(log, "ann", defends(ann=every | {"bo": "none"})["ann"])
    assert (
        "Choose a defence"
        in faults(log, "ann", defends(ann=every | {"bert": "none", "bo": "none"})["ann"])["of.ann.how.bo"]
    )
    usual = HAND.default(view(log, "ann"), step(log).asks[0])
    assert sorted(usual.of["ann"].how.values()) == ["none", "parry", "parry"]


def test_one_move_dodges_those_it_fits() -> None:
    """CHR-MUL-17: from one side all, from two sides some."""
    log = _one_and_three()
    closes(log, acts(bea="bash ann", bert="bash ann", bo="bash ann"), {})
    dodge = dict.fromkeys(("bea", "bert", "bo"), "dodge")
    assert not faults(log, "ann", defends(ann=(dodge, "-1,0"))["ann"])
    log = stage(person("ann", 0), person("bea", 2), person("bert", -2))
    closes(log, acts(bea="bash ann", bert="bash ann"), {})
    wrong = faults(log, "ann", defends(ann=({"bea": "dodge", "bert": "dodge"}, "-1,0"))["ann"])
    assert list(wrong) == ["of.ann.how.bert"]


def test_footwork_of_one_against_many() -> None:
    """CHR-MUL-12, -13."""
    log = _one_and_three()
    closes(log, {}, {})
    luck = foot("ann", "bea", won=True, number=2) | foot("ann", "bert", won=False, number=2)
    told = closes(log, {}, luck | foot("ann", "bo", won=True, number=2))
    assert [one.who for one in of_kind(told, ev.Stepped)] == ["bert"]
    closes(log, {}, {})
    luck = {}
    for foe in ("bea", "bert", "bo"):
        luck |= foot("ann", foe, won=True, number=3)
    told = closes(log, {}, luck)
    assert [one.who for one in of_kind(told, ev.Stepped)] == ["bea", "bert", "bo", "ann"]


def _two_dodgers(*, contest: str) -> Table:
    """Bea and Bert both dodge to 2,1: hers by combatant order, for no footwork was rolled (CHR-DEF-07)."""
    ann, art = person("ann", 0), person("art", 0, 1)
    log = stage(ann, art, person("bea", 1, 0), person("bert", 1, 1))
    fight = log.state.fight
    fight.combats = [Combat(1, ["ann"], ["bea"]), Combat(2, ["art"], ["bert"])]
    fight["art"].combat = fight["bert"].combat = 2
    stand = {"action": "wait", "stand": {"contest": contest}}
    closes(log, acts(ann="bash bea", art="bash bert", bert=stand), {})
    return log


BOTH = defends(bea=({"ann": "dodge"}, "2,1"), bert=({"art": "dodge"}, "2,1"))
STRONG = strike("ann", "bea", strong=True) | strike("art", "bert", strong=True)


def test_two_dodgers_want_one_square() -> None:
    log = _two_dodgers(contest="")
    told = closes(log, BOTH, STRONG)
    contested = of_kind(told, ev.Contested)[0]
    assert (contested.keeps, contested.yields) == ("bea", ("bert",))
    assert log.state.fight["bea"].at == (2, 1)
    assert log.state.fight["bert"].at == (2, 0)


def test_who_lost_the_square_may_want_to_choose() -> None:
    """Another square or another defence, before any die is rolled; the GM may even stand somebody in the way."""
    log = _two_dodgers(contest="ask")
    closes(log, BOTH, {})
    assert asked(log) == {"bert": "dodge"}
    assert step(log).key == "r1/dodge/bert"
    assert list(faults(log, "bert", {"how": {"art": "dodge"}, "square": "2,1"})) == ["square"]
    log.state.fight.fighters["zed"] = person("zed", 2, 1)
    closes(log, {"bert": {"how": {"art": "parry"}}}, STRONG)
    assert log.state.fight["bert"].at == (1, 1)
    assert log.state.fight["bea"].at == (1, 0)


def test_a_combat_splits_by_position() -> None:
    """CHR-MUL-10, -15: art comes to help ann against three."""
    log = _one_and_three()
    art = person("art", 2, 3)
    log.state.fight.fighters = {
        key: one for key, one in sorted({**log.state.fight.fighters, "art": art}.items(), key=lambda it: it[1].side)
    }
    closes(log, {}, {})
    told = closes(log, {}, {})
    assert asked(log) == {"art": "join"}
    assert view(log, "art").joins == {"art": ("1",)}
    luck = foot("ann", "bea", won=False, number=2) | foot("ann", "bert", won=False, number=2)
    told = closes(log, {"art": {"of": {"art": {"combat": "1"}}}}, luck | foot("art", "bo", won=False, number=2))
    assert of_kind(told, ev.Split)[0].into == ((1, ("ann",), ("bea", "bert")), (2, ("art",), ("bo",)))


def test_free_people_pair_off_anew_when_no_combat_is_left() -> None:
    """CHR-MUL-09."""
    log = stage(person("ann", 0), person("bea", 2), phase="next")
    log.state.fight.combats = []
    log.state.fight["ann"].combat = log.state.fight["bea"].combat = 0
    closes(log, {}, {})
    assert asked(log) == {"ann": "join", "bea": "join"}
    closes(log, {}, foot("ann", "bea", won=True, number=2))
    assert [(c.a, c.b) for c in log.state.fight.combats] == [(["ann"], ["bea"])]


def test_the_next_wave_comes_when_the_first_is_gone() -> None:
    """CHR-MUL-02, CHR-DEF-16: two who waited meet the lone one, and are not weakened yet."""
    people = [person("ann", 0), *(person(f"b{n}", 3, n) for n in range(6))]
    log = stage(*people, phase="next", number=2)
    fight = log.state.fight
    fight.combats, fight.waiting = [], ["b4", "b5"]
    for one in fight.fighters.values():
        one.combat, one.gone = 0, "surrendered" if one.key in ("b0", "b1", "b2", "b3") else ""
    fight["ann"].weakening = 1
    closes(log, {}, {})
    closes(log, {}, {})
    assert asked(log) == {"b4": "pair"}
    closes(log, {}, foot("ann", "b4", won=True, number=3) | foot("ann", "b5", won=True, number=3))
    assert [(c.a, c.b) for c in fight.combats] == [(["ann"], ["b4", "b5"])]
    assert [fight[key].weakening for key in ("ann", "b4")] == [1, 0]


def test_an_ambush_needs_no_dice_in_the_first_round() -> None:
    """CHR-TRV-21."""
    log = begin(setup(1, 1, random.Random(11).choice))
    closes(log, {GM: {"ambush": "b", "gap": "1"}}, {})
    told = closes(log, {}, {})
    contest = of_kind(told, ev.Contest)[0]
    assert (contest.winner, contest.check) == ("b0", None)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (3, 2)])
def test_a_whole_fight_comes_to_its_end(a: int, b: int) -> None:
    """A duel and three against two, answers at random, a fifth of them left to the rules."""
    luck = random.Random(31)
    winners = set()
    for _ in range(6):
        log = begin(setup(a, b, luck.choice))
        for _step in play(log, luck, 3000, silent=0.2):
            pass
        assert log.state.fight.phase == "over"
        winners.add(log.state.fight.winner)
        assert set(HAND.outcome(log.state).sheets) == set(log.state.fight.fighters)
    assert winners & {"a", "b"}


def test_the_limit_of_parries_is_for_the_lone_alone() -> None:
    log = stage(person("ann", 0), person("art", 0, 1), person("bea", 2))
    closes(log, acts(ann="bash bea", art="bash bea"), {})
    assert not faults(log, "bea", defends(bea={"ann": "parry", "art": "parry"})["bea"])
    assert legal.PARRIES_OF_ONE == 2
    assert many.MOST == 4
