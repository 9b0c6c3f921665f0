"""Before the battle: the opening form, armies within points, the field, placing, and the GM's desk."""

from typing import Any

import pytest
from pydantic import ValidationError

from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers
from app.rulesets.chronicle.mass import MASS, placing
from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.field_text import FIELDS, ready_made
from app.rulesets.chronicle.mass.hexes import spell
from app.rulesets.chronicle.mass.settings import MassSettings
from app.rulesets.chronicle.mass.state import Unit
from tests.rulesets.chronicle.mass.battles import copied, read_form, setup, viewer
from tests.rulesets.chronicle.mass.stage import BattleLog, Luck, answer, ask_of, faults, only, stage, step_now

ARMIES: dict[str, Any] = {"a": {"MI": 500, "LC": 300}, "b": {"PK": 400, "BW": 200}}


def opened(settings: MassSettings = MassSettings(), **given: Any) -> BattleLog:  # noqa: B008
    """A battle at its first decision."""
    return Recorder(MASS.start(setup({"armies": ARMIES, **given}, settings)), MASS.apply)


@pytest.mark.parametrize(("given", "words"), [
    ({"armies": {"a": {"MI": 5}}}, "Side B needs either an army or points"),
    ({"armies": ARMIES, "points": {"a": 5}}, "Side A needs either"),
    ({"armies": {"a": {"XX": 5}, "b": {"MI": 5}}, "names": {"a": "The Reds"}}, "The Reds: There are no troops “XX”"),
    ({"armies": {"a": {"MI": 5}}, "points": {"b": 2}}, "2 points buy nobody. Give at least 3."),
    ({"armies": ARMIES, "field": "moon"}, "no such field"),
    ({"armies": ARMIES, "field": "own", "map": "..x"}, "The map has 1 row"),
    ({"armies": ARMIES, "field": "own", "map": "...\n..\n..."}, "no room for two armies"),
])  # fmt: skip
def test_a_battle_that_cannot_begin_says_why(given: dict[str, Any], words: str) -> None:
    start = setup(given)
    with pytest.raises(ValidationError, match=words.replace("(", r"\(")):
        MASS.needs(start.brief, start.sheets)


@pytest.mark.parametrize("how", ["set", "ambush"])
@pytest.mark.parametrize("field", ["", "pass"])
@pytest.mark.parametrize("armies", [ARMIES, {"a": {"MI": 100}}])
def test_a_battle_begins_with_a_question(armies: dict[str, Any], field: str, how: str) -> None:
    """Finds a beginning that no table can open: nobody has put in a salt yet."""
    points = {} if "b" in armies else {"b": 100}
    log = opened(armies=armies, points=points, field=field, how=how)
    assert step_now(log).key == ("armies" if points else "place/b" if field else "field")
    assert all(step.asks for step in MASS.steps(log.state))


def test_the_best_tactician_commands_and_the_gm_a_side_without_people() -> None:
    state = MASS.start(setup({"armies": ARMIES, "sides": {"bert": "b"}}))
    assert state.commanders == {"a": "ann", "b": "bob"} and state.tactics == {"a": 4, "b": 2}
    assert MASS.start(setup({"armies": ARMIES, "sides": {}})).commanders["b"] == "gm"
    state = MASS.start(setup({"armies": ARMIES, "sides": {"bert": "b", "dora": "b"}}))
    assert state.commanders["b"] == "dot" and state.members["b"] == ["bob", "dot"]


def test_one_seat_that_commands_both_sides_has_one_ask() -> None:
    sides = {"anna": "b", "dora": "b", "bert": "a", "cyra": "b"}
    log = opened(sides={**sides, "anna": "a"}, points={"a": 90, "b": 90}, armies={})
    assert [ask.about for ask in step_now(log).asks] == [("a",), ("b",)]
    log.state.commanders["b"] = "ann"
    assert [ask.about for ask in step_now(log).asks] == [("a", "b")]


def test_armies_are_sealed_and_keep_to_their_points() -> None:
    log = opened(armies={"a": {"MI": 100}}, points={"b": 100})
    (ask,) = step_now(log).asks
    assert (step_now(log).key, ask.seat, ask.open_to) == ("armies", "bob", frozenset())
    assert "costs 120 points, and there are 100" in faults(log, "bob", of={"b": {"HC": "6"}})["of.b.HC"]
    assert list(faults(log, "bob", of={"b": {"XX": "6"}})) == ["of.b.XX"]
    assert list(faults(log, "bob", of={"a": {"MI": "6"}})) == ["of.a.LI"]
    assert "no men" in faults(log, "bob")["of.b.LI"]
    told = answer(log, bob={"of": {"b": {"HC": "4", "LI": "5"}}})
    assert only(told, "army")[0].men == (("LI", 5), ("HC", 4)) and only(told, "divided")


def test_silence_buys_the_cheapest_troops() -> None:
    told = answer(opened(armies={"a": {"MI": 100}}, points={"b": 100}))
    assert only(told, "army")[0].men == (("MI", 33),)


def test_units_are_named_by_their_troops() -> None:
    state = opened().state
    assert state.loss == 28 and len(state.of("a")) == 9 and len(state.of("b")) == 8
    assert (state.name("a1"), state.name("b8")) == ("Medium infantry 1", "Bowmen 8")


@pytest.mark.parametrize(("how", "seat"), [("set", "bob"), ("ambush", "ann")])
def test_who_has_the_right_chooses_the_field(how: str, seat: str) -> None:
    log = opened(how=how)
    assert (step_now(log).key, step_now(log).asks[0].seat) == ("field", seat)
    assert list(faults(log, seat, field="moon")) == ["field"]
    assert list(faults(log, seat, field="own", map="...")) == ["map"]
    (chosen,) = only(answer(log, **{seat: {"field": "river"}}), "battlefield")
    assert chosen.field == ready_made("river") and step_now(log).key == "place/b"


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("how", ["set", "ambush"])
def test_silent_armies_are_placed(field: str, how: str) -> None:
    log = opened(how=how, field=field)
    (placed,) = only(answer(log), "placed")
    if (field, how) == ("plain", "set"):
        assert [spell(hex) for _, hex, _ in placed.at] == [f"Q{column}" for column in range(7, 15)]
    if how == "set":
        (lined,) = only(answer(log), "lined")
        assert (lined.axis, lined.sign) == ("z", -1)
    answer(log)
    assert log.state.round in (1, 2) and all(unit.here for unit in log.state.units.values())


def test_a_set_army_is_placed_before_its_row_and_the_attackers_beyond() -> None:
    log = opened(field="plain")
    assert [ask.open_to for ask in step_now(log).asks] == [None]
    assert "no hex" in faults(log, "bob", of={"b1": {"to": "north"}})["of.b1.to"]
    assert "not on the map" in faults(log, "bob", of={"b1": {"to": "Z9"}})["of.b1.to"]
    assert "as well" in faults(log, "bob", of={"b1": {"to": "L6"}, "b2": {"to": "L6"}})["of.b2.to"]
    assert list(faults(log, "bob", of={"a1": {"to": "L6"}})) == ["of.a1.to"]
    answer(log, bob={"arrange": "two lines", "of": {"b1": {"to": "U3"}}})
    view, ask = ask_of(log, "bob")
    choices = MASS.options(view, ask)["line"]
    assert choices[0].words.endswith("from west to east, the attackers to the north") and len(choices) == 6
    assert list(faults(log, "bob", line="w+")) == ["line"]
    answer(log)
    assert "on the defenders’ side" in faults(log, "ann", of={"a1": {"to": "W9"}})["of.a1.to"]
    assert "taken" in faults(log, "ann", of={"a1": {"to": "U3"}})["of.a1.to"]


def test_horizontal_rows_only_if_the_setting_says_so() -> None:
    log = opened(MassSettings(setbattle_axes="horizontal"), field="plain")
    answer(log)
    view, ask = ask_of(log, "bob")
    assert [choice.key for choice in MASS.options(view, ask)["line"]] == ["z-", "z+"]


def test_an_ambushed_army_marches_or_camps() -> None:
    log = opened(how="ambush", field="plain")
    assert "one chain" in faults(log, "bob", of={"b1": {"to": "A1"}})["arrange"]
    assert "within 2 hexes" in faults(log, "bob", shape="camp")["arrange"]
    assert not faults(log, "bob", shape="camp", arrange="camp")
    answer(log)
    assert log.state.shape == "march" and step_now(log).key == "place/a"


def test_an_ambushed_army_may_not_be_surrounded() -> None:
    field = Field(12, 12)
    log = stage({"b1": "MI F6"}, "place", ground=field, given={"how": "ambush"}, number=0)
    ring = [spell(hex) for hex in field.neighbours((5, 5))]
    log.state.units |= {f"a{n}": Unit(f"a{n}", "a", "MI", 10, "ann") for n in range(1, 7)}
    of = {f"a{n}": {"to": hex} for n, hex in enumerate(ring, 1)}
    assert "surrounded" in faults(log, "ann", of=of)["arrange"]
    log.state.settings = MassSettings(ambush_surround="off")
    assert not faults(log, "ann", of=of)


def test_shared_command_deals_units_out() -> None:
    log = opened(MassSettings(battle_command="shared"), field="plain", sides={"dora": "b", "cyra": "b"})
    assert "one of this side’s players" in faults(log, "bob", of={"b1": {"seat": "ann"}})["of.b1.seat"]
    answer(log, bob={"of": {"b1": {"seat": "dot"}, "b3": {"seat": "dot"}}})
    assert [log.state.units[f"b{n}"].seat for n in range(1, 7)] == ["dot", "dot", "dot", "dot", "bob", "dot"]


@pytest.mark.parametrize("how", ["line", "two lines", "wedge", "column", "camp"])
def test_arrangements_fit_any_ground(how: Any) -> None:
    log = opened(field="village")
    found = placing.placed(log.state, "b", {}, how)
    assert len(set(found.values())) == 8 and not placing.faults(log.state, "b", found, "march")


def test_the_desk_corrects_moves_removes_and_ends() -> None:
    log = stage({"a1": "MI L6", "a2": "MI L2", "b1": "MI L7"}, "intent", number=2)

    def desk(**form: str) -> dict[str, str]:
        step = MASS.steps(log.state)[1]
        view = MASS.view(log.state, viewer(GM))
        says = read_form("desk", form)
        wrong = dict(MASS.check(view, step.asks[0], says))
        if not wrong:
            MASS.resolve(log, step, Answers(of={GM: Answer(says=says)}), Luck())
        return wrong

    assert list(desk(who="a1", losses="100", reason="So.")) == ["losses"]
    assert list(desk(who="a1", losses="10")) == ["reason"]
    assert not desk(who="a1", losses="10", reason="A slip.") and log.state.units["a1"].losses == 10
    assert step_now(log).key == "r2/intent-2", "all are asked anew"
    assert list(desk(what="move", who="a1", to="L7", reason="So.")) == ["to"]
    assert not desk(what="move", who="a1", to="K1", reason="So.") and log.state.units["a1"].stamp == 4
    assert list(desk(what="out", who="a9", reason="So.")) == ["who"]
    assert not desk(what="out", who="a1", reason="It deserts.") and log.state.units["a1"].gone == "out"
    assert list(desk(what="correct", who="a1", losses="1", reason="So.")) == ["who"]
    other = copied(log.state)
    assert not desk(what="end", reason="Night falls.") and log.state.end == "gm" and log.state.reason == "Night falls."
    log.state = other
    assert not desk(what="out", who="b1", reason="It deserts.") and log.state.winner == "a"


def test_a_unit_that_the_gm_moves_fights_no_more_in_this_round() -> None:
    log = stage({"a1": "MI L6", "a2": "MI L2", "b1": "MI L7", "b2": "MI L3"})
    MASS.resolve(log, step_now(log), Answers(), Luck())
    assert step_now(log).key == "r1/order"
    says = read_form("desk", {"what": "move", "who": "a2", "to": "A1", "reason": "So."})
    MASS.resolve(log, MASS.steps(log.state)[1], Answers(of={GM: Answer(says=says)}), Luck())
    assert log.state.clusters == [("a1", "b1")] and not step_now(log).asks
