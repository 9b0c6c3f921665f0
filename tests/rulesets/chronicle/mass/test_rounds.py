"""Parts of a round as they are carried out: clusters, shots, melee, falling back, leaving, the end."""

import pytest

from app.engine.ruleset import InnerScene
from app.rulesets.chronicle.mass import MASS
from app.rulesets.chronicle.mass.field import Barrier, Field
from app.rulesets.chronicle.mass.hexes import distance, read, spell
from app.rulesets.chronicle.mass.settings import MassSettings
from app.rulesets.chronicle.mass.shooting import shooters
from app.rulesets.chronicle.mass.state import Unit
from app.rulesets.chronicle.mass.strength import total
from tests.rulesets.chronicle.mass.stage import Luck, answer, ask_of, faults, only, run, stage, step_now


def at(text: str) -> tuple[int, int]:
    found = read(text)
    assert found is not None
    return found


def test_one_against_one_costs_the_loser_its_losses_and_its_place() -> None:
    log = stage({"a1": "MI L6", "b1": "MI L7"})
    told = run(log, won="a1>b1")
    (fought,) = only(told, "fought")
    assert fought.checked.success and total(fought.own) == total(fought.against) == 3
    assert step_now(log).key == "r1/fall/1"
    assert step_now(log).asks[0].seat == "bob"
    assert "Choose one of K8, L8, M8." in str(faults(log, "bob", of={"b1": {"to": "L5"}})["of.b1.to"])
    told = answer(log, bob={"of": {"b1": {"to": "M8"}}})
    (lost,) = only(told, "lost")
    assert (lost.count, lost.after, lost.doubled) == (30, 30, False)
    assert spell(log.state.units["b1"].at) == "M8"
    assert log.state.round == 2 and log.state.proactive == "b"


def test_silent_losers_take_the_lowest_hex() -> None:
    log = stage({"a1": "MI L6", "b1": "MI L7"})
    run(log)
    assert step_now(log).asks[0].seat == "ann"
    (fell,) = only(answer(log), "fell")
    assert (spell(fell.to), fell.how) == ("K6", "default")


def test_whoever_cannot_fall_back_has_double_losses() -> None:
    ground = Field(kinds={at(hex): "impassable" for hex in ("L8", "K8", "M8")})
    log = stage({"a1": "MI L6", "b1": "MI L7"}, ground=ground)
    (lost,) = only(run(log, won="a1>b1"), "lost")
    assert (lost.count, lost.doubled, lost.winner) == (60, True, "a1")
    assert log.state.phase == "intent" and spell(log.state.units["b1"].at) == "L7"


def test_losses_above_the_size_destroy_a_unit_and_end_the_battle() -> None:
    log = stage({"a1": "MI L6", "b1": "MI L7"}, men=20)
    told = run(log, won="a1>b1")
    assert only(told, "lost")[0].after == 20 and only(told, "gone")[0].why == "destroyed"
    (ended,) = only(told, "ended")
    assert (ended.winner, ended.why, dict(ended.lasting)) == ("a", "no-units", {"a1": 0, "b1": 20})


@pytest.mark.parametrize(("units", "ground", "strengths"), [
    ({"a1": "PK L6", "b1": "HC L7"}, Field(), [(7, 7)]),  # EXM-07
    ({"a1": "PK L6", "b1": "HC L7"}, Field(kinds={(11, 6): "closed"}), [(6, 5)]),  # EXM-08
    ({"a1": "HC L6", "b1": "MI L5", "b2": "MI L7"}, Field(), [(5, 3), (5, 3)]),  # EXM-09
])  # fmt: skip
def test_strengths_in_rolls(units: dict[str, str], ground: Field, strengths: list[tuple[int, int]]) -> None:
    told = run(stage(units, ground=ground))
    assert [(total(one.own), total(one.against)) for one in only(told, "fought")] == strengths


def test_cavalry_with_board_scope_is_flanked_by_units_of_other_clusters() -> None:
    units = {"a1": "HC L6", "a2": "MI L8", "b1": "MI L5", "b2": "MI L7"}  # b2 is also next to a2
    for scope, strength in (("cluster", 7), ("board", 5)):
        told = run(stage(units, settings=MassSettings(cavalry_flank_scope=scope)))  # type: ignore[arg-type]
        log = stage(units, settings=MassSettings(cavalry_flank_scope=scope))  # type: ignore[arg-type]
        run(log)
        told += answer(log, ann={"order": "1 2"})
        assert {total(one.own) for one in only(told, "fought") if one.who == "a1"} == {strength}


def test_a_lone_winner_halves_the_losses_of_the_many_and_drives_them_all_back() -> None:
    log = stage({"a1": "MI L6", "b1": "MI L5", "b2": "MI L7"}, loss=31)
    told = run(log, won="a1>b1 a1>b2")
    (beaten,) = only(told, "beaten")
    assert (beaten.losers, beaten.winner, beaten.half) == (("b1", "b2"), "a1", True)
    assert faults(log, "bob", order="a1")["order"]
    told = answer(log, bob={"order": "b2 b1", "of": {"b1": {"to": "L4"}}})
    assert [(one.who, one.count) for one in only(told, "lost")] == [("b2", 16), ("b1", 16)]
    assert [(one.who, spell(one.to)) for one in only(told, "fell")] == [("b2", "K8"), ("b1", "L4")]


@pytest.mark.parametrize(("setting", "losses"), [("once", 30), ("per-winner", 60)])
def test_the_many_choose_from_whom_the_lone_loser_falls_back(setting: str, losses: int) -> None:
    settings = MassSettings.model_validate({"melee_many_losses": setting})
    log = stage({"a1": "MI L6", "b1": "MI L5", "b2": "MI L7"}, settings=settings)
    run(log)
    view, ask = ask_of(log, "bob")
    assert (ask.kind, ask.about, step_now(log).key) == ("whom", ("b1", "b2"), "r1/fall/1")
    assert [choice.key for choice in MASS.options(view, ask)["winner"]] == ["b1", "b2"]
    answer(log, bob={"winner": "b2"})
    assert step_now(log).key == "r1/fall/2"
    told = answer(log, ann={"of": {"a1": {"to": "K6"}}})
    assert [one.count for one in only(told, "lost")] == [losses]
    assert [one.winner for one in only(told, "fell")] == ["b2"]


def test_light_infantry_steps_after_melee_where_the_ground_hides_it() -> None:
    ground = Field(kinds={at("M6"): "closed"}, barriers=(Barrier("soft", at("L6"), at("L5")),))
    log = stage({"a1": "LI L6", "b1": "MI L7"}, ground=ground)
    run(log, won="a1>b1")
    answer(log)
    view, ask = ask_of(log, "ann")
    assert [choice.key for choice in MASS.options(view, ask)["of.a1.step"]] == ["", "L5", "M6"]
    told = answer(log, ann={"of": {"a1": {"step": "M6"}}})
    assert [spell(one.to) for one in only(told, "stepped")] == ["M6"]


def test_clusters_are_asked_for_only_if_there_are_two_ways() -> None:
    chain = stage({"a1": "MI L2", "b1": "MI L3", "a2": "MI L4", "b2": "MI L5", "a3": "MI L6", "b3": "MI L7"})
    (clustered,) = only(run(chain), "clustered")  # EXM-11
    assert set(clustered.clusters) == {("a1", "b1"), ("a2", "b2"), ("a3", "b3")} and clustered.how == "only"

    log = stage({"a1": "MI L4", "a2": "MI L6", "b1": "MI L3", "b2": "MI L5", "b3": "MI L7"})  # EXM-12
    run(log)
    assert step_now(log).key == "r1/clusters" and step_now(log).asks[0].open_to is None
    view, ask = ask_of(log, "ann")
    assert MASS.default(view, ask).of["b2"].against == "a2"
    wrong = faults(log, "ann", of={"a1": {"against": "b2"}})
    assert list(wrong) == ["of.a1.against"]
    of = {"b2": {"against": "a1"}, "a2": {"against": "b3"}}
    told = answer(log, ann={"of": of})
    assert set(only(told, "clustered")[0].clusters) == {("a1", "b1", "b2"), ("a2", "b3")}


@pytest.mark.parametrize(("hex", "won", "losses"), [  # EXM-10
    ("L9", "a1>b1", 10), ("L9", "", 0), ("L8", "a1>b1", 29), ("L8", "", 10),
])  # fmt: skip
def test_shots(hex: str, won: str, losses: int) -> None:
    log = stage({"a1": "BW L6", "b1": "MI " + hex}, "targets", men=95)
    told = answer(log, Luck(frozenset(won.split())), ann={"of": {"a1": {"at": "b1"}}})
    assert only(told, "shot")[0].losses == losses
    assert log.state.units["b1"].losses == losses


def test_a_side_that_is_silent_all_round_does_not_shoot() -> None:
    units = {"a1": "BW L6", "b1": "MI L8"}
    assert not only(answer(stage(units, "targets")), "shot")
    log = stage(units, "intent", number=2)
    answer(log, ann={"of": {"a": {"intent": "fight"}}})
    for _ in range(2):  # both sides' moves
        answer(log)
    assert step_now(log).key == "r2/targets" and only(answer(log), "shot")


def test_moving_next_to_an_enemy_locks_both() -> None:
    log = stage({"a1": "LC L2", "a2": "MI A1", "b1": "MI L7", "b2": "MI W1"}, "quick", number=3)
    answer(log, ann={"of": {"a1": {"quick": "yes"}}}, bob={"of": {"b1": {"quick": "yes"}}})
    assert step_now(log).key == "r3/move/1"
    told = answer(log, ann={"of": {"a1": {"to": "L6"}}})
    (moved,) = only(told, "moved")
    assert moved.touched == ("b1",) and log.state.units["a1"].locked and log.state.units["b1"].locked
    assert step_now(log).key == "r3/move/3", "the only quick unit of the other side is locked"


def test_orders_are_checked_in_their_sequence() -> None:
    log = stage({"a1": "MI L6", "a2": "PK L7", "b1": "MI A1"}, "move", number=3)
    log.state.turn = 3
    assert faults(log, "ann", of={"a1": {"to": "L8"}})["of.a1.to"].startswith("Medium infantry 1: It cannot reach L8")
    for order in ("a2", "2", "2, 1"):
        assert not faults(log, "ann", order=order, of={"a1": {"to": "L7"}, "a2": {"to": "L8"}})
    assert list(faults(log, "ann", of={"a1": {"to": "L7"}, "a2": {"to": "L8"}})) == ["of.a1.to"]
    step = faults(log, "ann", of={"a1": {"by": "W W W"}})["of.a1.by"]
    assert step == "Medium infantry 1: Step 3, to L3: this unit moves at most 2 hexes."
    assert "no direction" in faults(log, "ann", of={"a1": {"by": "UP"}})["of.a1.by"]
    assert list(faults(log, "ann", order="b1")) == ["order"]
    assert list(faults(log, "ann", of={"b1": {"to": "A2"}})) == ["of.b1.to"]


def test_who_shares_the_command_moves_units_and_stops_before_a_taken_hex() -> None:
    log = stage({"a1": "MI L6", "a2": "MI L8", "b1": "MI A1"}, "move", settings=MassSettings(battle_command="shared"))
    log.state.turn, log.state.units["a2"].seat = 3, "bob"
    step = step_now(log)
    assert [(ask.seat, ask.about) for ask in step.asks] == [("ann", ("a1",)), ("bob", ("a2",))]
    assert step.asks[0].open_to == {"ann", "bob"} and step.asks[1].open_to == frozenset(), "Bob has people on side B"
    told = answer(log, ann={"of": {"a1": {"to": "L7"}}}, bob={"of": {"a2": {"to": "L7"}}})
    assert [one.who for one in only(told, "moved")] == ["a1"]
    assert [(one.who, spell(one.taken)) for one in only(told, "blocked")] == [("a2", "L7")]


def test_retreat_takes_the_units_away_that_can_leave_and_leaves_them_their_losses() -> None:
    log = stage({"a1": "MI A1", "a2": "MI L6", "b1": "MI L7"}, "intent", number=2)
    log.state.units["a1"].losses = 50
    log.state.units["b1"].losses = 31
    answer(log, ann={"of": {"a": {"intent": "retreat"}}})
    assert step_now(log).key == "r2/leave" and step_now(log).asks[0].about == ("a1", "a2")
    told = answer(log, ann={"of": {"a1": {"leave": "yes"}}})
    assert [one.who for one in only(told, "gone")] == ["a1"] and log.state.phase != "over"
    run(log)
    log.state.phase = "intent"
    answer(log, ann={"of": {"a": {"intent": "retreat"}}})
    (ended,) = only(answer(log), "ended")
    assert (ended.winner, ended.why, ended.halved) == ("b", "retreat", ("b",))
    found = MASS.outcome(log.state)
    assert isinstance(found.result, dict)
    assert found.result["lost"] == {"a": {"MI": 50}, "b": {"MI": 15}}
    assert [entry.title for entry in found.entries] == ["Side B: pursuit of Side A"]


def test_a_unit_that_is_shut_in_cannot_leave() -> None:
    ground = Field(12, 12)
    ring = {f"b{n}": f"MI {spell(hex)}" for n, hex in enumerate([(5, 4), (5, 6), (4, 5), (4, 6), (6, 5), (6, 6)], 1)}
    log = stage({"a1": "MI F6", "a2": "MI A1", **ring}, "leave", ground=ground, number=2)
    log.state.intents["a"] = "retreat"
    assert step_now(log).asks[0].about == ("a2",)
    assert list(faults(log, "ann", of={"a1": {"leave": "yes"}})) == ["of.a1.leave"]
    assert list(faults(log, "ann", order="a1")) == ["order"]


def test_surrender_asks_for_terms_and_for_an_answer() -> None:
    log = stage({"a1": "MI A1", "b1": "MI L7", "b2": "MI W1"}, "intent", men=120, number=2)
    for key, losses in (("a1", 46), ("b1", 92), ("b2", 120)):  # EXM-13
        log.state.units[key].losses = losses
    log.state.units["b2"].gone = "destroyed"
    answer(log, ann={"of": {"a": {"intent": "surrender"}}})
    assert step_now(log).key == "r2/terms" and step_now(log).asks[0].seat == "bob"
    answer(log, bob={"terms": "Leave your arms."})
    assert step_now(log).key == "r2/agree" and step_now(log).asks[0].seat == "ann"
    (ended,) = only(answer(log, ann={"agree": "accept"}), "ended")
    assert (ended.winner, dict(ended.lasting)) == ("b", {"a1": 23, "b1": 46, "b2": 120})
    (entry,) = MASS.outcome(log.state).entries
    assert entry.title == "Terms of surrender for Side A"
    assert entry.text == "Leave your arms.\n\nThey were accepted."
    assert MASS.steps(log.state) == ()


def test_who_surrenders_to_silence_leaves_the_terms_to_the_table() -> None:
    log = stage({"a1": "MI A1", "b1": "MI L7"}, "intent", number=2)
    answer(log, bob={"of": {"b": {"intent": "surrender"}}})
    (ended,) = only(answer(log), "ended")
    assert ended.winner == "a" and MASS.outcome(log.state).entries[0].text == "The table decides the terms."


def test_two_surrenders_or_two_retreats_have_no_winner() -> None:
    for intent, halved in (("surrender", ("a", "b")), ("retreat", ())):
        log = stage({"a1": "MI A1", "b1": "MI W1"}, "intent", number=2)
        of = {"intent": intent}
        told = answer(log, ann={"of": {"a": of}}, bob={"of": {"b": of}})
        if intent == "retreat":
            told = answer(log)
        (ended,) = only(told, "ended")
        assert (ended.winner, ended.halved) == ("", halved)


def test_a_quiet_battle_ends_unless_the_gm_lets_it_go_on() -> None:
    settings = MassSettings(battle_quiet_rounds=1)
    for said, kind in (({}, "ended"), ({"gm": {"go_on": "go-on"}}, "went-on")):
        log = stage({"a1": "MI A1", "b1": "MI W1"}, "close", number=8, settings=settings)
        log.state.busy = True
        run(log)
        assert step_now(log).key == "r9/intent", "there was a fight"
        log.state.phase = "close"
        run(log)
        assert step_now(log).key == "r9/quiet" and step_now(log).asks[0].seat == "gm"
        assert only(answer(log, **said), kind)
        assert log.state.quiet == (1 if kind == "ended" else 0)


def test_a_scene_inside_changes_no_unit() -> None:
    log = stage({"a1": "MI A1", "b1": "MI W1"}, "intent", number=2)
    before = MASS.state.dump_json(log.state)
    assert MASS.inner is not None
    MASS.inner(log, InnerScene(id="x", kind="hand", title="A duel", over=True, result={"winner": "a"}))
    assert MASS.state.dump_json(log.state) == before
    assert [(one.event.kind, one.rule) for one in log.events] == [("inner-over", "CHR-FLO-05")]


@pytest.mark.parametrize("won", [True, False])
def test_tactics_may_decide_who_is_proactive_first(won: bool) -> None:
    settings = MassSettings(battle_first_proactive="tactics-check")
    log = stage({"a1": "MI A1"}, "place", settings=settings, given={"attacker": "b"}, number=0)
    log.state.units["b1"] = Unit("b1", "b", "MI", 10, "bob")
    told = answer(log, Luck(frozenset({"r1"} if won else ())), bob={"of": {"b1": {"to": "W1"}}})
    (first,) = only(told, "first")
    assert (first.checked.acting, first.checked.opposing) == (3, 4)
    assert only(told, "began")[0].proactive == ("b" if won else "a")


@pytest.mark.parametrize(("size", "losses"), [("original", 10), ("remaining", 5)])
def test_shots_count_the_bowmen_as_the_setting_says(size: str, losses: int) -> None:
    log = stage({"a1": "BW L6", "b1": "MI L8"}, "targets", settings=MassSettings.model_validate({"ranged_size": size}))
    log.state.units["a1"].losses = 55
    answer(log, ann={"of": {"a1": {"at": "b1"}}})
    assert log.state.units["b1"].losses == losses


def test_of_targets_as_near_the_one_with_most_losses_comes_first() -> None:
    log = stage({"a1": "BW L6", "b1": "MI L8", "b2": "MI L4", "b3": "MI L3"}, "targets")
    log.state.units["b2"].losses = log.state.units["b3"].losses = 7
    assert shooters(log.state) == {"a1": ["b2", "b1", "b3"]}


def test_what_counts_for_one_round_ends_with_it() -> None:
    log = stage({"a1": "LC L2", "b1": "BW L7"}, "quick", number=3)
    run(log)  # the only unit of each side is quick
    answer(log, ann={"of": {"a1": {"to": "L6"}}})
    assert log.state.units["a1"].locked and log.state.units["a1"].moved == 4 and log.state.heard == ["a"]
    answer(log, Luck(frozenset({"a1>b1"})))
    assert step_now(log).key == "r4/intent"
    unit = log.state.units["a1"]
    assert (unit.locked, unit.moved, unit.quick, log.state.heard, log.state.clusters) == (False, 0, False, [], [])


def test_silent_attackers_are_placed_near_and_not_nearer_than_three_hexes() -> None:
    log = stage({"b1": "MI L6"}, "place", number=0)
    log.state.units["a1"] = Unit("a1", "a", "MI", 10, "ann")
    answer(log)
    assert distance(log.state.units["a1"].at, at("L6")) == 3


def test_silence_drives_the_loser_from_whoever_leaves_it_the_fewest_hexes() -> None:
    ground = Field(kinds={at(hex): "impassable" for hex in ("L5", "K6", "M6")})
    log = stage({"a1": "MI L6", "b1": "MI K7", "b2": "MI L7"}, ground=ground)
    run(log)
    (driven,) = only(answer(log), "driven")
    assert driven.winner == "b2"
    assert len(only([one.event for one in log.events], "lost")) == 1 and log.state.units["a1"].losses == 60
