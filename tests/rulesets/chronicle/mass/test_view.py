"""What a viewer sees of a battle, what forms are filled in with, and defaults and steps of every ask."""

import json
from random import Random
from typing import get_args

from app.engine.ruleset import SPECTATOR, Seat
from app.engine.wording import call_of, title_of
from app.rulesets.chronicle.mass import MASS, placing
from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.hexes import spell
from tests.rulesets.chronicle.mass.battles import begin, play, read_form, setup, some_given, some_settings, viewer
from tests.rulesets.chronicle.mass.stage import answer, ask_of, faults, stage


def test_units_and_odds_are_in_words() -> None:
    log = stage({"a1": "PK L6", "a2": "PK A1", "b1": "HC L7"}, "order")
    view = MASS.view(log.state, SPECTATOR)
    assert (view.units["a1"].name, view.units["b1"].name) == ("Pikemen 1", "Heavy cavalry 1")
    assert (view.units["a1"].hex, view.units["a1"].engaged, view.units["a2"].engaged) == ("L6", True, False)
    (pair,) = view.pairs
    assert (pair.who, pair.other, pair.ways) == ("a1", "b1", 320)
    assert (pair.own, pair.against) == ("pikemen 4, against cavalry +3", "heavy cavalry 5, open ground +2")
    assert view.commands == () and MASS.view(log.state, viewer(Seat("bob"))).commands == ("b",)
    assert [one.health for one in MASS.vitals(view)] == ["100 of 100 men"] * 3


def test_the_field_knows_the_odds_of_every_choice_of_clusters() -> None:
    log = stage({"a1": "HC L6", "b1": "MI L5", "b2": "MI L7"}, "clusters", ground=Field())
    told = json.loads(MASS.view(log.state, SPECTATOR).duels)
    free, _, flanked, _ = told["ways"]["a1 b1"]
    assert (told["side"], list(told["ways"])) == ("a", ["a1 b1", "a1 b2"])
    log.state.clusters = [("a1", "b1", "b2")]
    assert [pair.ways for pair in MASS.view(log.state, SPECTATOR).pairs] == [flanked, flanked] and flanked < free
    log.state.clusters = [("a1", "b1")]
    assert [pair.ways for pair in MASS.view(log.state, SPECTATOR).pairs] == [free]


def test_the_field_knows_where_an_army_would_stand() -> None:
    log = stage({"b1": "MI A1", "b2": "MI A2", "b3": "BW A3"}, "place", ground=Field())
    for unit in log.state.units.values():
        unit.hex = None
    view = MASS.view(log.state, SPECTATOR)
    side, told = placing.placer(log.state), json.loads(view.arranged)
    for how in ("", *get_args(placing.Arrangement)):
        first = told["arranged"][how].split()[:3]
        at = placing.placed(log.state, side, {"b1": first[1]}, how)
        rest = iter(hex for hex in told["arranged"][how].split() if hex != first[1])
        here = {key: first[1] if key == "b1" else next(rest) for key in at}
        assert here == {key: spell(hex) for key, hex in at.items() if hex}, how
    assert told["zone"].split() == view.zone


def test_reach_is_told_with_the_enemies_that_can_be_met() -> None:
    log = stage({"a1": "MI L6", "b1": "MI L9"}, "move")
    log.state.turn = 3
    reach = MASS.view(log.state, SPECTATOR).reach_of("a1")
    assert reach.steps == 2 and reach.meets == {"b1": "L8"} and "L7–L8" in reach.hexes and "L9" not in reach.hexes


def test_suggested_moves_close_in_and_bowmen_keep_away() -> None:
    log = stage({"a1": "LC L2", "a2": "BW M2", "b1": "MI L5"}, "move", ground=Field())
    log.state.turn = 3
    view, ask = ask_of(log, "ann")
    found = MASS.suggest(view, ask)
    assert found is not None
    assert found.lines == ("Light cavalry 1 moves to K5", "Bowmen 2 move to L3") and found.form["order"] == "a1 a2"
    answer(log, ann=dict(found.form))
    assert log.state.units["a1"].locked and not log.state.units["a2"].locked


def test_quick_units_are_exactly_half() -> None:
    log = stage({"a1": "MI A1", "a2": "LC A3", "a3": "HC A5", "b1": "MI L7", "b2": "MI M7"}, "quick", number=2)
    assert "exactly 1 of 3 units: no units are ticked" in faults(log, "ann")["of.a1.quick"]
    assert "2 units are ticked" in faults(log, "ann", of={"a1": {"quick": "1"}, "a2": {"quick": "1"}})["of.a1.quick"]
    assert list(faults(log, "ann", of={"b1": {"quick": "1"}})) == ["of.b1.quick"]
    answer(log)
    assert [unit.key for unit in log.state.units.values() if unit.quick] == ["a2", "b1"]


def test_intents_and_orders_name_what_is_wrong() -> None:
    log = stage({"a1": "MI L2", "a2": "MI L6", "b1": "MI L3", "b2": "MI L7"}, "intent", number=2)
    assert list(faults(log, "ann", of={"b": {"intent": "retreat"}})) == ["of.b"]
    log = stage({"a1": "MI L2", "a2": "MI L6", "b1": "MI L3", "b2": "MI L7"})
    log.state.phase, log.state.clusters = "order", [("a1", "b1"), ("a2", "b2")]
    assert "numbers from 1 to 2" in faults(log, "ann", order="3")["order"]


def test_every_ask_has_a_title_a_call_a_legal_default_and_a_legal_suggestion() -> None:
    """Of all kinds of asks that twelve battles come to."""
    kinds = set[str]()
    for seed in range(12):
        rng = Random(seed)
        log = begin(setup(some_given(rng.choice), some_settings(rng.choice)))
        for closed in play(log, rng, 60):
            assert title_of(MASS, closed.step.key, closed.step.title) and closed.step.title == ""
            for ask in closed.step.asks if closed.step.pace != "whenever" else ():
                kinds.add(ask.kind)
                view = MASS.view(closed.before, viewer(ask.seat))
                assert "<" not in call_of(MASS, ask.kind, ask.call, "Ann")
                assert not MASS.check(view, ask, MASS.default(view, ask)), ask
                found = MASS.suggest(view, ask)
                assert found is None or not MASS.check(view, ask, read_form(ask.kind, dict(found.form))), ask
    assert kinds >= {"armies", "field", "place", "line", "intent", "quick", "move", "targets", "order", "fall"}
