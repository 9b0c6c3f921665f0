"""Whoever is down still defends, and so a combat goes on for them, whoever else is there (CHR-WND-11, -MUL-09, -20)."""

from typing import Any

import pytest

from app.engine.ruleset import GM
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.settings import HandSettings
from app.rulesets.chronicle.hand.state import Combat, Fighter
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
    wounds,
)

DOWN = wounds(body=(0, True))
HELPLESS = wounds(head=(0, True))


def down(key: str, x: int, y: int = 0, **more: Any) -> Fighter:
    return person(key, x, y, wounds=DOWN, **more)


def apart(*combats: tuple[str, str], people: list[Fighter], **more: Any) -> Table:
    """After a round, everybody in the combats named by their keys; who is in none is free."""
    log = stage(*people, phase="next", **more)
    fight = log.state.fight
    fight.combats, fight.combats_ever = [Combat(n, [a], [b]) for n, (a, b) in enumerate(combats, 1)], len(combats)
    for one in fight.fighters.values():
        one.combat = next((c.number for c in fight.combats if one.key in c.everybody), 0)
    return log


def met(told: list[Any]) -> dict[str, str]:
    """Who met a blow with what; each of them by dice."""
    assert all(one.check for one in of_kind(told, ev.Struck))
    return {one.target: one.defence for one in of_kind(told, ev.Struck)}


def on(log: Table, luck: dict[str, int] | None = None) -> list[Any]:
    assert asked(log) == {GM: "next"}
    return closes(log, {GM: {"go": "on"}}, luck or {})


@pytest.mark.parametrize("how", ["parry", "strength", "mind"])
def test_who_is_down_defends_in_a_duel(how: str) -> None:
    """No dodge, no order, no footwork of their own; the three defences of the rulebook."""
    action = {"parry": "vicious", "strength": "push", "mind": "feint"}[how]
    log = stage(person("ann", 0), down("bea", 2))
    assert asked(log) == {"ann": "act"}
    assert [way.defence for way in view(log, "ann").option("ann", action, "bea").against] == [how]  # type: ignore[union-attr]
    told = closes(log, acts(ann=f"{action} bea"), strike("ann", "bea", strong=False))
    assert met(told) == {"bea": how}
    assert not of_kind(told, ev.CombatOver)


def test_a_duel_goes_on_when_the_gm_wants_it_and_ends_with_the_blow_to_the_head() -> None:
    log = stage(person("ann", 0), down("bea", 4), phase="next")
    on(log)
    told = closes(log, acts(ann={"action": "wait", "stand": {"distance": "sword"}}), {})
    assert not of_kind(told, ev.CombatOver)
    on(log)
    assert log.state.fight.distance("ann", "bea") == 2  # nobody contests the step; the standing choice takes it
    blow = {"action": "controlled", "target": "bea", "stand": {"strike": "head"}}
    told = closes(log, acts(ann=blow), strike("ann", "bea", strong=True, number=3))
    assert met(told) == {"bea": "parry"}
    assert of_kind(told, ev.CombatOver)[0].winner == "a"
    on(log)
    told = closes(log, acts(ann="kill bea"), {})
    assert [(one.who, one.why) for one in of_kind(told, ev.Gone)] == [("bea", "dead")]


@pytest.mark.parametrize("between", ["ask", "go-on"])
def test_the_gm_is_asked_while_somebody_is_down_and_the_usual_is_the_end(between: Any) -> None:
    log = stage(person("ann", 0), down("bea", 2), settings=HandSettings(hand_between=between))
    closes(log, {}, {})
    assert asked(log) == {GM: "next"}
    told = closes(log, {}, {})
    assert [(one.on, one.winner) for one in of_kind(told, ev.RoundOver)] == [(False, "a")]


def test_no_round_is_begun_in_which_nothing_can_happen() -> None:
    for people, reason in (
        ((down("ann", 0), down("bea", 2)), "Nobody here can act"),
        ((person("ann", 0), down("bea", 2, gone="fled")), "No enemy is left"),
    ):
        log = stage(*people, phase="next")
        assert reason in faults(log, GM, {"go": "on"})["go"]
        assert not faults(log, GM, {"go": "end"})
        assert reason in view(log, GM).no_round


def test_two_who_go_down_at_once_end_their_combat() -> None:
    log = stage(person("ann", 0), person("bea", 2))
    hit = {"strike": "body"}
    closes(log, acts(ann={"action": "controlled", "target": "bea", "stand": hit},
                      bea={"action": "controlled", "target": "ann", "stand": hit}), {})  # fmt: skip
    luck = strike("ann", "bea", strong=True) | strike("bea", "ann", strong=True)
    told = closes(log, defends(ann={"bea": "parry"}, bea={"ann": "parry"}), luck)
    assert [one.winner for one in of_kind(told, ev.CombatOver)] == [""]


def test_several_stand_over_several_who_are_down() -> None:
    """Four there, two able on one side: nothing splits, each may step nearer, both attack."""
    log = stage(person("ann", 0), person("art", 0, 1), down("bea", 3), down("bert", 3, 1), phase="next")
    on(log)
    assert asked(log) == {"ann": "act", "art": "act"}
    luck = strike("ann", "bea", strong=False, number=2) | strike("art", "bert", strong=False, number=2)
    assert met(closes(log, acts(ann="bash bea", art="bash bert"), luck)) == {"bea": "parry", "bert": "parry"}
    sound(log.state)


def _crossed(**more: Any) -> Table:
    """Ann stands over Bea, and Bert over Art, next to each other."""
    people = [person("ann", 0), down("art", 0, 2), down("bea", 2), person("bert", 2, 2)]
    return apart(("ann", "bea"), ("art", "bert"), people=people, **more)


def test_victors_may_stay_with_the_down_though_enemies_are_near() -> None:
    log = _crossed()
    on(log)
    assert asked(log) == {"ann": "join", "bert": "join"}
    assert view(log, "ann").joins == {"ann": ("2",)} and view(log, "bert").joins == {"bert": ("1",)}
    stay = {"of": {}}
    closes(log, {"ann": stay, "bert": stay}, {})
    assert asked(log) == {"ann": "act", "bert": "act"}
    luck = strike("ann", "bea", strong=False, number=2) | strike("bert", "art", strong=False, number=2)
    assert met(closes(log, acts(ann="bash bea", bert="bash art"), luck)) == {"bea": "parry", "art": "parry"}


def test_victors_who_say_nothing_are_paired_with_each_other() -> None:
    """As before: with no combat left between people who can act, they pair off anew, and the down are free."""
    log = _crossed()
    on(log)
    told = closes(log, {}, foot("ann", "bert", won=True, number=2))
    assert [(one.combat, one.who) for one in of_kind(told, ev.TurnedAway)] == [(1, "ann"), (2, "bert")]
    assert [(c.a, c.b) for c in log.state.fight.combats] == [(["ann"], ["bert"])]
    sound(log.state)


def test_a_victor_goes_on_to_another_combat() -> None:
    log = _crossed()
    on(log)
    told = closes(log, {"ann": {"of": {"ann": {"combat": "2"}}}}, foot("ann", "bert", won=True, number=2))
    assert [one.who for one in of_kind(told, ev.Joined)] == ["ann"]
    assert [(c.a, c.b) for c in log.state.fight.combats] == [(["ann", "art"], ["bert"])]
    assert log.state.fight["bea"].combat == 0
    told = closes(log, acts(bert="bash art"), strike("bert", "art", strong=False, number=2))
    assert met(told) == {"art": "parry"}  # who is down beside an able friend defends too
    sound(log.state)


def test_a_victor_turns_away_and_walks() -> None:
    people = [person("ann", 0), person("art", 0, 9), down("bea", 2), person("bert", 2, 9)]
    log = apart(("ann", "bea"), ("art", "bert"), people=people)
    on(log)
    assert asked(log) == {"ann": "join"}
    assert faults(log, "ann", {"of": {"ann": {"combat": "2"}}})  # too far
    luck = foot("art", "bert", won=True, number=2)
    closes(log, {"ann": {"of": {"ann": {"combat": "free", "move": "near"}}}}, luck)
    assert log.state.fight["ann"].at[1] == 3 and log.state.fight["ann"].combat == 0
    sound(log.state)


@pytest.mark.parametrize("taken", [True, False])
def test_the_free_come_to_somebody_down(taken: bool) -> None:
    """Into the combat that a friend has with them, or into one of their own."""
    people = [person("ann", 0), person("art", 3, 1), down("bea", 2)]
    log = apart(*([("ann", "bea")] if taken else []), people=people)
    on(log)
    wish = "1" if taken else "vs:bea"
    assert view(log, "art").joins == {"art": (wish,)}
    closes(log, {"art": {"of": {"art": {"combat": wish}}}}, {})
    assert met(closes(log, acts(art="bash bea"), strike("art", "bea", strong=False, number=2))) == {"bea": "parry"}


def test_the_free_walk_to_the_helpless_and_kill_them() -> None:
    """No round without anybody asked: a Killing Blow that is out of reach can be walked to."""
    log = apart(people=[person("ann", 0), person("bea", 6, wounds=HELPLESS)])
    on(log)
    assert step(log).key == "r2/join"
    closes(log, {"ann": {"of": {"ann": {"move": "near"}}}}, {})
    told = closes(log, acts(ann="kill bea"), {})
    assert [(one.who, one.why) for one in of_kind(told, ev.Gone)] == [("bea", "dead")]


def test_waves_still_come() -> None:
    """The lone one has four down before them; the two who waited are met at once."""
    people = [person("ann", 0), *(person(f"b{n}", 3, n, wounds=DOWN if n < 4 else wounds()) for n in range(6))]
    log = stage(*people, phase="next")
    fight = log.state.fight
    fight.combats, fight.waiting = [Combat(1, ["ann"], ["b0", "b1", "b2", "b3"])], ["b4", "b5"]
    fight["b4"].combat = fight["b5"].combat = 0
    on(log)
    closes(log, {}, {})
    assert asked(log) == {"b4": "pair"}
    closes(log, {}, foot("ann", "b4", won=True, number=2) | foot("ann", "b5", won=True, number=2))
    assert [(c.a, c.b) for c in fight.combats] == [(["ann"], ["b4", "b5"])]
