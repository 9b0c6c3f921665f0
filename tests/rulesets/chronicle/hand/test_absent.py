"""Whoever is away does what the tables say, at each kind of step; and wrong answers are told at their fields."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from app.engine.chance import ScriptedChance
from app.engine.ruleset import GM, Answer, Answers, Seat
from app.rulesets.chronicle.hand import HAND
from app.rulesets.chronicle.hand import declarations as de
from app.rulesets.chronicle.hand.state import Move
from tests.rulesets.chronicle.hand.ring import begin, setup
from tests.rulesets.chronicle.hand.stage import (
    Table,
    acts,
    asked,
    closes,
    defends,
    faults,
    foot,
    person,
    stage,
    step,
    strike,
    view,
    wounds,
)


def _fresh(phase: Any) -> Table:
    log = begin(setup(2, 1, random.Random(2).choice))
    while log.state.fight.phase != phase:
        closes(log, {}, {})
    return log


def _foot() -> Table:
    log = stage(person("ann", 0), person("bea", 2))
    closes(log, acts(ann={"action": "wait", "stand": {"distance": "ask"}}), {})
    closes(log, {}, foot("ann", "bea", won=True, number=2))
    return log


def _free() -> Table:
    log = stage(person("ann", 0), person("art", 0, 6), person("bea", 2), phase="free")
    log.state.fight.combats[0].a, log.state.fight["art"].combat = ["ann"], 0
    log.state.fight.work = [Move("art", "free", 0, 3)]
    log.state.fight.intents = {"art": "ask"}
    return log


def _join() -> Table:
    log = _free()
    log.state.fight.phase, log.state.fight.work = "join", []
    return log


def _defend() -> Table:
    log = stage(person("ann", 0), person("bea", 2))
    closes(log, acts(ann="bash bea"), {})
    return log


def _asks(**stands: Any) -> Table:
    log = stage(person("ann", 0), person("bea", 2))
    orders = {"ann": {"action": "quick", "target": "bea", "stand": stands.get("ann", {})},
              "bea": {"action": "wait", "stand": stands.get("bea", {})}}  # fmt: skip
    closes(log, acts(**orders), {})
    return log


def _protect() -> Table:
    log = _asks(bea={"protect": "ask"})
    closes(log, defends(bea={"ann": "parry"}), strike("ann", "bea", strong=True))
    return log


def _pick(*, strong: bool) -> Table:
    log = _asks(ann={"strike": "ask"}, bea={"suffer": "ask"})
    closes(log, defends(bea={"ann": "parry"}), strike("ann", "bea", strong=strong))
    return log


def _push() -> Table:
    log = stage(person("ann", 0), person("bea", 2))
    closes(log, acts(ann={"action": "push", "target": "bea", "stand": {"steps": "ask"}}), {})
    closes(log, defends(bea={"ann": "strength"}), strike("ann", "bea", strong=True))
    return log


def _mercy() -> Table:
    log = stage(person("ann", 0), person("bea", 2))
    closes(log, acts(ann={"action": "wait", "surrender": "yes"}), {})
    return log


def _next() -> Table:
    log = stage(person("ann", 0), person("bea", 2))
    closes(log, {}, {})
    return log


ABSENT: list[tuple[Callable[[], Table], str, Callable[[Any], bool]]] = [
    (lambda: _fresh("setting"), "setting", lambda d: d == de.Setting()),
    (lambda: _fresh("ready"), "ready", lambda d: d == de.Ready()),
    (lambda: _fresh("pair"), "pair", lambda d: d.pair == "a0:b0"),
    (_join, "join", lambda d: d == de.Join()),
    (_foot, "move", lambda d: d.to == "0,-1"),  # nearest to the sword's distance, one step, lowest y (step R3)
    (_free, "move", lambda d: d.to == "0,6"),
    (lambda: stage(person("ann", 0), person("bea", 2)), "act", lambda d: d == de.Act()),
    (_defend, "defend", lambda d: d.of["bea"].how == {"ann": "parry"}),  # lower than Dodge, but without a move
    (_protect, "protect", lambda d: d == de.Protect()),
    (lambda: _pick(strong=True), "pick", lambda d: d == de.Pick()),
    (_push, "move", lambda d: d.to == "3,0"),
    (_mercy, "mercy", lambda d: d.refuse == ()),
    (_next, "next", lambda d: d.go == "on"),
]


@pytest.mark.parametrize(("where", "kind", "expected"), ABSENT)
def test_the_absent(where: Callable[[], Table], kind: str, expected: Callable[[Any], bool]) -> None:
    log = where()
    ask = step(log).asks[0]
    assert ask.kind == kind
    seen = view(log, ask.seat)
    said = HAND.default(seen, ask)
    assert expected(said), said
    assert not HAND.check(seen, ask, said)


def test_what_silence_brings_at_the_body() -> None:
    """Step R9: the head is protected; a strong Quick goes to the body then, a weak one to the left leg."""
    log = _protect()
    closes(log, {}, {})
    assert log.state.fight["bea"].wounds == wounds(body=(1, False))
    log = _pick(strong=False)
    assert asked(log) == {"bea": "pick"}
    closes(log, {}, {})
    assert log.state.fight["bea"].wounds == wounds(left_leg=(1, False))


WRONG: list[tuple[Callable[[], Table], str, dict[str, Any], str]] = [
    (lambda: _fresh("setting"), GM, {"width": "2", "height": ""}, "height"),
    (lambda: _fresh("setting"), GM, {"width": "1", "height": "2"}, "width"),
    (lambda: _fresh("setting"), GM, {"blocked": "here"}, "blocked"),
    (lambda: _fresh("setting"), GM, {"at": {"a0": "1,1", "a1": "1,1"}}, "at.a1"),
    (lambda: _fresh("setting"), GM, {"at": {"nobody": "1,1"}}, "at.nobody"),
    (_join, "art", {"of": {"art": {"combat": "1"}}}, "of.art.combat"),
    (_join, "art", {"of": {"bea": {}}}, "of.bea.combat"),
    (_foot, "ann", {"to": "9,9"}, "to"),
    (_defend, "bea", {"of": {"bea": {"how": {"ann": "mind"}}}}, "of.bea.how.ann"),
    (_defend, "bea", {"of": {"bea": {"how": {"ann": "dodge"}, "square": "1,0"}}}, "of.bea.square"),
    (_defend, "bea", {"of": {"bea": {"how": {"ann": "none"}}}}, "of.bea.how.ann"),
    (_defend, "bea", {"of": {"ann": {}}}, "of.ann.square"),
    (_protect, "bea", {"of": {"zoe": "head"}}, "of.zoe"),
    (lambda: _pick(strong=True), "ann", {"of": {"ann": "head"}}, "of.ann"),  # protected
    (_mercy, "bea", {"refuse": ["bea"]}, "refuse"),
]


@pytest.mark.parametrize(("where", "seat", "says", "field"), WRONG)
def test_wrong_answers_are_told_at_their_fields(
    where: Callable[[], Table], seat: str, says: dict[str, Any], field: str
) -> None:
    found = faults(where(), seat, says)
    assert list(found) == [field]
    assert found[field].endswith((".", "?")) or ":" in found[field]


def _at_the_desk(log: Table, **says: Any) -> dict[str, str]:
    """Act at the desk, if it may be; the faults otherwise."""
    desk = HAND.steps(log.state)[1]
    said = HAND.declaration.validate_python({**says, "ask": "desk"})
    found = HAND.check(view(log, GM), desk.asks[0], said)
    if not found:
        HAND.resolve(log, desk, Answers(of={Seat(GM): Answer(says=said)}), ScriptedChance({}))
    return found


def test_the_desk_corrects_brings_in_takes_out_and_ends() -> None:
    log = stage(person("ann", 0), person("bea", 2))
    before = step(log).key
    assert list(_at_the_desk(log, what="correct", who="ann", prone="yes")) == ["reason"]
    hurt = {"left_leg": {"minor": "2", "major": "yes"}}
    assert not _at_the_desk(
        log, what="correct", who="ann", x="0", y="1", prone="yes", wounds=hurt, reason="He slipped."
    )
    one = log.state.fight["ann"]
    assert (one.at, one.prone, one.wounds) == ((0, 1), True, wounds(left_leg=(2, True)))
    assert step(log).key == f"{before}-2"
    assert list(_at_the_desk(log, what="correct", who="ann", x="2", y="0", reason="There.")) == ["x"]
    assert not _at_the_desk(log, what="join", template="guard", side="a")
    assert log.state.fight["guard"].combat == 0
    assert not _at_the_desk(log, what="join", template="guard", count="2")
    assert [one.name for one in log.state.fight.side("b") if one.seat == GM] == ["Town guard 2", "Town guard 3"]
    assert not _at_the_desk(log, what="join", template="guard", count="20")
    assert list(_at_the_desk(log, what="join", template="guard", count="16")) == ["count"], "25 are there, of 40"
    assert not _at_the_desk(log, what="out", who="ann", reason="Called away.")
    assert log.state.fight["ann"].gone == "out"
    assert list(_at_the_desk(log, what="out", who="ann", reason="Again.")) == ["who"]
    assert not _at_the_desk(log, what="join", template="guard", count="16"), "who is gone takes no room"
    assert not _at_the_desk(log, what="end")
    assert HAND.steps(log.state) == ()
    assert log.state.fight.winner == ""


def test_what_was_dropped_stays_behind_who_flees() -> None:
    """Aftermath: wounds and what is left of the belongings go to the sheets."""
    log = begin(setup(1, 1, random.Random(11).choice))
    fight = log.state.fight
    one = fight["a0"]
    one.lines, one.lost, one.gone = ["Grandfather's Sword", "Dagger"], ["sword"], "fled"
    one.wounds = wounds(head=(1, False))
    after: Any = HAND.outcome(log.state).sheets["a0"]
    assert after["weapons"] == ["Dagger"]
    assert after["wounds"]["head"]["minor"] == 1
    one.gone = ""
    assert "weapons" not in HAND.outcome(log.state).sheets["a0"]  # type: ignore[operator]
