"""The log, the film and the ending of a mass battle: every event in plain words, with the sides' own names."""

import re
from collections import Counter
from random import Random
from typing import Any

import pytest

from app.engine.ruleset import GM, Seat, Viewer
from app.engine.unions import members
from app.rulesets.chronicle.mass import MASS
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.hexes import Hex, read
from app.rulesets.chronicle.mass.settings import MassSettings
from app.web.drawing.sentences import event_line
from tests.rulesets.chronicle.mass.battles import begin, play, setup, some_given, some_settings, viewer
from tests.rulesets.chronicle.mass.stage import BattleLog, Luck, answer, run, stage, step_now
from tests.selection import nightly
from tests.web.mass_log import chapter, chapters, ending, filmed, headlines, plain


def at(text: str) -> Hex:
    found = read(text)
    assert found
    return found


NAMES = {"a": "Ella", "b": "The Count & <i>sons</i>"}
COUNT = "the Count & <i>sons</i>"
BATTLES = 60 if nightly() else 3
RAW = re.compile(r"\b[ab][1-9]\b|CHR-|None|\bTrue\b|\bFalse\b|\(\)|[(] | [).,;:]|[,;:][.,;]|\.\.|_| {2}|[{}%]{2}")
UNTOLD = {"stage", "fallen", "desk"}  # they have no line


def named(units: dict[str, str], *args: Any, **more: Any) -> BattleLog:
    return stage(units, *args, given={"names": NAMES}, **more)


def lines(log: BattleLog, first: int = 0, key: str = "") -> list[str]:
    """The log of the events from a number on, as one closing."""
    return chapter(log.events[first:], log.state, key).lines()


def test_every_event_of_random_battles_reads_well() -> None:
    told = Counter[str]()
    for number in range(BATTLES):
        rng = Random(7_000 + number)
        given = some_given(rng.choice) | {"names": NAMES if number % 3 else {}}
        log = begin(setup(given, some_settings(rng.choice)))
        own, seen = viewer(Seat(rng.choice(["ann", "bob", "dot", "gm"]))), []
        for one, closed in chapters(log, play(log, rng, 600, silent=0.2, desk=0.03)):
            seen.append(one)
            said = one.lines()
            assert all(line[0].isupper() or line[0] == "“" for line in said), said
            for text in (*said, *one.reasons()):
                assert text and not RAW.search(text.replace(NAMES["b"][4:], "Count")), text
            words = one.words
            told.update(e.event.kind for e in one.events if event_line(words, e, one.sight, None))
            beats = filmed(closed, own) if closed else ()
            numbers = [event for beat in beats for event in beat.events]
            assert not beats or numbers == [event.number for event in one.events]
            for words in (*(beat.title for beat in beats), *(c.title for beat in beats for c in beat.cards)):
                assert not RAW.search(words.replace(NAMES["b"][4:], "Count")), words
        assert all(
            line[0].isupper() and not RAW.search(line.replace(NAMES["b"][4:], "Count")) for line in headlines(seen)
        )
        assert log.state.phase == "over"
        text = plain(ending(log.state, own))
        assert "belongs to" in text or text.startswith("The battle is over"), text
    known = set(members(MASS.event)) - UNTOLD
    assert told.keys() <= known
    assert told.keys() >= (
        known - {"inner-over", "stepped"} if nightly() else {"orders", "moved", "fought", "lost", "ended"}
    )


def test_a_fight_is_told_with_its_dice_and_what_it_costs() -> None:
    log = named({"a1": "PK L6", "a2": "PK A1", "b1": "HC L7"})
    run(log)
    answer(log, ann={"of": {"a1": {"to": "K6"}}})
    first, second, *_ = lines(log)
    assert first == f"Pikemen 1 (Ella) lose to Heavy cavalry 1 ({COUNT}): 1, 1, 0 + 7 = 9 against 14 + 7 = 21."
    assert second == "Pikemen 1 (Ella) lose 30 men, 70 of 100 left, and fall back from L6 to K6."
    fought = next(one for one in log.events if one.event.kind == "fought")
    (reason,) = chapter([fought], log.state).reasons()
    assert (
        "Strength of Pikemen 1: pikemen 4, against cavalry +3 = 7. Of Heavy cavalry 1: heavy cavalry 5, open ground +2"
        in reason
    )
    assert "Needed: 14 + 7 = 21. The chance was 50 % (320 of 640)." in reason


def test_units_of_one_name_take_its_verb() -> None:
    log = named({"a1": "BW L6", "b1": "LI L7"}, men=20)
    run(log, won="a1>b1")
    first, second, *_, last = lines(log)
    assert first.startswith("Bowmen 1 (Ella) beat Light infantry 1 (the Count")
    assert second == f"Light infantry 1 ({COUNT}) loses its last 20 men and is destroyed."
    assert last.startswith(f"The field belongs to Ella. No unit of {COUNT} is left. Lost for good by Ella: nobody.")
    log = named({"a1": "LI L6", "b1": "BW L7"}, men=1)
    run(log, won="a1>b1")
    assert lines(log)[1] == f"Bowmen 1 ({COUNT}) lose their last man and are destroyed."


def test_losses_say_why_they_are_doubled_or_halved() -> None:
    ground = Field(kinds={at(hex): "impassable" for hex in ("L8", "K8", "M8")})
    log = named({"a1": "MI L6", "b1": "MI L7"}, ground=ground)
    run(log, won="a1>b1")
    assert "loses 60 men, twice as many because no way back is free, 40 of 100 left." in lines(log)[1]
    lost = next(one for one in log.events if one.event.kind == "lost")
    (reason,) = chapter([lost], log.state).reasons()
    assert reason.endswith("The loss number is 30, doubled, as there was no free hex away from Medium infantry 1: 60.")
    log = named({"a1": "MI L6", "b1": "MI L5", "b2": "MI L7"}, loss=31)
    run(log, won="a1>b1 a1>b2")
    said = lines(log)
    assert said[2] == "Alone against several, Medium infantry 1 (Ella) wins every roll: half losses for each of them."


def test_an_order_tells_all_its_moves_in_one_line() -> None:
    log = named({"a1": "HC L5", "a2": "MI A1", "a3": "MI A3", "b1": "PK L9"}, "move", number=3)
    log.state.turn = 3
    answer(log, ann={"order": "a1 a2 a3", "of": {"a1": {"to": "L8"}, "a2": {"to": "A2"}}})
    assert lines(log)[0] == "Other units of Ella: Heavy cavalry 1 to L8, next to Pikemen 1; Medium infantry 2 to A2."
    assert not any("moves from" in line for line in lines(log))
    moved = next(one for one in log.events if one.event.kind == "moved")
    assert chapter([moved], log.state).reasons()[0].startswith("Heavy cavalry 1 (Ella) moves from L5 to L8, next to")


def test_a_way_that_is_taken_is_told_once() -> None:
    log = named({"a1": "LI L5", "a2": "PK A1", "b1": "PK L9"}, "move", number=3)
    log.emit(ev.Orders("a", "ann", 3, ("a1", "a2"), "sealed"), rule="CHR-MOV-04")
    log.emit(ev.Moved("a1", at("L5"), (at("L6"),), ()), rule="CHR-MOV-09")
    log.emit(ev.Blocked("a1", at("L7"), at("L7")), rule="CHR-TER-14")
    log.emit(ev.Blocked("a2", at("A2"), at("A2")), rule="CHR-TER-14")
    order = "Other units of Ella: Light infantry 1 to L6, as L7 is taken; Pikemen 2 stay, as A2 is taken."
    assert lines(log) == [order]
    assert lines(log, 3) == ["Pikemen 2 (Ella) find A2 taken."], "after a free step there is no order"


def test_two_like_intents_are_one_line_unless_one_is_a_default() -> None:
    for said, line in (
        ({"ann": "fight", "bob": "fight"}, ["Both sides will fight on."]),
        ({"ann": "retreat", "bob": "fight"}, ["Ella will retreat.", "The Count & <i>sons</i> will fight on."]),
        ({"ann": "fight"}, ["Ella will fight on.", "The Count & <i>sons</i> will fight on (time ran out)."]),
    ):
        log = named({"a1": "MI L6", "b1": "MI A7"}, "intent", number=3)
        sides = {"ann": "a", "bob": "b"}
        answer(log, **{seat: {"of": {sides[seat]: {"intent": what}}} for seat, what in said.items()})
        assert [one for one in lines(log) if "will" in one] == line


def test_arrows_hit_barely_or_miss() -> None:
    for hex, won, words in (("L8", "a1>b1", "hit"), ("L8", "", "barely hit"), ("L9", "", "miss")):
        log = named({"a1": "BW L6", "b1": "MI " + hex}, "targets")
        answer(log, Luck(frozenset([won])), ann={"of": {"a1": {"at": "b1"}}})
        assert f"away, and {words}: " in lines(log)[0]
    log = named({"a1": "BW L6", "b1": "MI L8"}, "targets")
    answer(log, ann={"of": {"a1": {"at": ""}}})
    assert lines(log)[0] == "No shots from Bowmen 1 (Ella)."


def test_units_that_leave_are_one_line_and_the_end_says_who_holds_the_field() -> None:
    log = named({"a1": "MI A1", "a2": "MI A3", "b1": "MI L7"}, "leave", number=3)
    log.state.intents = {"a": "retreat", "b": "fight"}
    answer(log)
    assert lines(log)[0] == "Off the field: Medium infantry 1 and 2 (Ella)."
    assert lines(log)[1].startswith(f"The field belongs to {COUNT}. Ella left the field.")
    assert headlines([chapter(log.events, log.state, "r3/leave")]) == [
        f"Round 3: Medium infantry 1 and 2 (Ella) off the field; the field belongs to {COUNT}"
    ]


def test_what_players_and_gms_write_is_escaped() -> None:
    log = named({"a1": "MI A1", "b1": "MI L7"}, "terms", number=3)
    log.state.intents = {"b": "surrender"}
    answer(log, ann={"terms": "<b>All</b> arms & horses."})
    assert step_now(log).key == "r3/agree"
    answer(log, bob={"agree": "accept"})
    one = chapter(log.events, log.state)
    html = "".join(event_line(one.words, e, one.sight, None, one.events) for e in one.events)
    html += ending(log.state, viewer(Seat("bob")))
    assert html.count("&lt;b&gt;All&lt;/b&gt; arms &amp; horses.") == 2 and "<i>" not in html
    assert "They were accepted." in html


def test_the_ending_counts_who_is_lost_and_who_comes_back() -> None:
    log = named({"a1": "MI A1", "a2": "MI A3", "b1": "MI L7"}, "leave", number=3)
    for key, losses in (("a1", 30), ("a2", 20), ("b1", 41)):
        log.state.units[key].losses = losses
    log.state.retreated, log.state.intents = ["a"], {"a": "retreat", "b": "fight"}
    answer(log)
    (own, other) = MASS.view(log.state, viewer(GM)).tolls()
    assert (own.men, own.lost, own.for_good, own.back, own.left, own.here) == (200, 50, 50, 0, 2, 0)
    assert (other.lost, other.for_good, other.back, other.here) == (41, 20, 21, 1)
    text = plain(ending(log.state, viewer(GM)))
    assert "Lost for good5020" in text and "Come back021" in text and "Units that left20" in text


def _film(log: BattleLog, first: int, who: str = "bob") -> list[Any]:
    view = MASS.view(log.state, viewer(Seat(who)))
    assert MASS.film is not None
    return list(MASS.film(log.events[first:], view, view))


def test_a_film_shows_each_fight_and_then_its_losses() -> None:
    log = named({"a1": "MI L6", "b1": "MI L7", "b2": "MI A1"}, men=20)
    run(log, won="a1>b1")
    beats = _film(log, 0)
    assert [beat.title for beat in beats] == ["Medium infantry 1 against Medium infantry 1", "Losses and falling back"]
    assert [mark.text for mark in beats[1].marks] == ["−20"]
    (card,) = beats[1].cards
    assert (card.title, card.piece, card.mine) == (f"Medium infantry 1 ({COUNT}) is destroyed", "b1", True)
    assert log.events[card.event - 1].event.kind == "lost", "its line has the link Why?"
    assert not _film(log, 0, "ann")[1].cards[0].mine


def test_many_destroyed_units_share_a_card() -> None:
    units = {f"{side}{n}": f"MI {row}{4 * n}" for n in (1, 2, 3, 4) for side, row in (("a", "C"), ("b", "D"))}
    log = named(units | {"b5": "PK W1"}, men=20)
    run(log, won=" ".join(f"a{n}>b{n}" for n in (1, 2, 3, 4)))
    first = len(log.events)
    answer(log, Luck(frozenset(f"a{n}>b{n}" for n in (1, 2, 3, 4))))
    cards = [card for beat in _film(log, first) for card in beat.cards]
    assert [card.title for card in cards] == ["4 units are destroyed"]


def test_a_hex_of_choice_that_was_taken_is_no_default() -> None:
    log = named({"a1": "MI L6", "b1": "MI L5", "b2": "MI K6"})
    run(log, won="a1>b1 a1>b2")
    answer(log, bob={"order": "b1 b2", "of": {"b1": {"to": "K5"}, "b2": {"to": "K5"}}})
    assert [one.event.how for one in log.events if isinstance(one.event, ev.Fell)] == ["sealed", "taken"]
    assert any(line.endswith("falls back from K6 to J5, as the chosen hex was taken.") for line in lines(log))
    assert not any("time ran out" in line for line in lines(log))


@pytest.mark.parametrize(("gm", "mine"), [(False, True), (True, False)])
def test_a_gms_units_get_no_card_of_their_own(gm: bool, mine: bool) -> None:
    log = named({"a1": "MI L6", "b1": "MI L7"}, men=20)
    run(log, won="a1>b1")
    view = MASS.view(log.state, Viewer(seats=frozenset({Seat("bob")}), gm=gm))
    assert MASS.film is not None
    cards = [card for beat in MASS.film(log.events, view, view) for card in beat.cards]
    assert [card.mine for card in cards] == [mine, False]
    assert cards[1].title == "The field belongs to Ella"


def test_several_seats_of_a_side_have_their_names_in_the_log() -> None:
    settings = MassSettings(battle_command="shared")
    given = {"names": NAMES, "sides": {"cyra": "b", "dora": "b"}}
    log = stage({"a1": "MI L6", "b1": "MI A7", "b2": "MI A9"}, "move", number=3, settings=settings, given=given)
    log.state.turn, log.state.units["b2"].seat = 4, "dot"
    answer(log, bob={"of": {"b1": {"to": "A6"}}}, dot={})
    assert lines(log)[:2] == [
        f"Other units of {COUNT} under Bob: Medium infantry 1 to A6.",
        f"Other units of {COUNT} under Dot: all stay.",
    ]


def test_a_free_step_has_its_line() -> None:
    log = named({"a1": "LI L6", "b1": "MI A7"}, number=3)
    log.emit(ev.Stepped("a", "a1", at("L6"), at("L7"), "sealed"), rule="CHR-MEL-16")
    assert lines(log) == ["Light infantry 1 (Ella) slips from L6 to L7."]


def test_an_inner_scene_and_the_gms_changes_have_their_line() -> None:
    log = named({"a1": "PK L6", "b1": "MI A7"}, number=3)
    log.emit(ev.InnerOver("The duel", False), rule="CHR-FLO-05")
    log.emit(ev.Corrected("a1", "They hid.", losses=1), rule="CHR-FLO-06")
    log.emit(ev.Corrected("a1", "A ford.", hex=at("M6")), rule="CHR-FLO-06")
    log.emit(ev.Left("a1", "out", reason="They drowned."), rule="CHR-FLO-06")
    assert lines(log) == [
        "“The duel” is over, and nothing came of it.",
        "The GM sets the losses of Pikemen 1 (Ella) to 1 man: They hid.",
        "The GM moves Pikemen 1 (Ella) to M6: A ford.",
        "The GM takes Pikemen 1 (Ella) out of the battle: They drowned.",
    ]
