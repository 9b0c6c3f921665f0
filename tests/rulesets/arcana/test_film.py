"""Cards and films of a cycle, made of what one viewer sees of it."""

from typing import Any

import pytest

from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, LoggedEvent, Seat, Viewer
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import Action, React, Turn
from app.rulesets.arcana.fight.flight import Flight
from app.rulesets.arcana.fight.fold import apply, sees
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.phases.cycle import resolve
from app.rulesets.arcana.phases.visibility import Veiled
from app.rulesets.arcana.rules.objects import read_objects
from app.rulesets.arcana.view import film
from app.rulesets.arcana.view.revealed import opened
from app.rulesets.arcana.view.view import view
from tests.rulesets.arcana.plain import plain
from tests.rulesets.arcana.ring import at, cast, cycle, fight, mage, major, minors, strike, when

EVERYBODY = Viewer(seats=frozenset(), gm=False)


def told(state: State, turns: dict[str, Turn], **how: str) -> list[LoggedEvent[ev.Event]]:
    """A cycle as the table tells it: every event with who may know of it."""
    log: Recorder[State, ev.Event] = Recorder(state, apply)
    resolve(Veiled(log), turns, SeededChance(b"film", b"veil"), how)  # type: ignore[arg-type]
    return log.events


def seen(events: list[LoggedEvent[ev.Event]], viewer: Viewer = EVERYBODY) -> list[LoggedEvent[ev.Event]]:
    return [one for one in events if sees(one.event, viewer)]


def beats(events: list[LoggedEvent[ev.Event]], viewer: Viewer = EVERYBODY, after: State | None = None) -> Any:
    """The film, with the fight as it is at the end for both views."""
    there = view(after or fight(), viewer)
    return film.film(events, there, there)


def ops(events: list[LoggedEvent[ev.Event]], name: str) -> list[dict[str, Any]]:
    return [op for beat in beats(events) for op in beat.draw if op["op"] == name]


def duel() -> list[LoggedEvent[ev.Event]]:
    """Ada casts from far, Ben walks up to her and waits to strike, Cleo answers blows with a healing spell."""
    state = fight(at(mage("ada"), 0), at(plain("ben"), 6, side="them"), at(mage("cleo"), 0, 2))
    turns = {
        "ada": minors(Action(do="considered", to=(1, 0)), cast("spark_volley", "ben", quick=True)),
        "ben": major(Action(do="move", to=(4, 0))),
        "cleo": major(cast("mend", "ada"), when=when("ben", "attacks", "ada")),
    }
    return told(state, turns)


def test_a_film_goes_through_the_phases_in_their_order() -> None:
    found = beats(duel())
    phases = list(dict.fromkeys(beat.title for beat in found))
    assert phases[:4] == ["Everything opens", "Careful movement", "Movement", "What the if-thens see"]
    assert phases[4] == "Launches"
    numbers = [number for beat in found for number in beat.events]
    assert numbers == [one.number for one in duel()], "each event once"


def test_what_happens_at_once_is_one_beat_and_what_follows_belongs_to_it() -> None:
    found = beats(duel())
    opening = found[0]
    assert [op["who"] for op in opening.draw] == ["ada", "ben", "cleo"]
    moves = [op for beat in found for op in beat.draw if op["op"] == "go"]
    assert [(op["who"], op["from"], op["to"]) for op in moves] == [
        ("ada", (0, 0), (1, 0)),
        ("ben", (12, 0), (7, 0)),
    ]
    casting = next(beat for beat in found if any(op["op"] == "check" for op in beat.draw))
    assert {op["op"] for op in casting.draw} <= {"check", "fly"}


def test_an_object_is_flown_at_and_breaks_in_the_beat_of_its_harm() -> None:
    """ARC-79, and ARC-18: what the GM takes away before a bolt arrives is not met by it."""
    state = fight(at(mage("ada"), 0), at(plain("ben"), 60, side="them"))
    state.objects = {one.key: one for one in read_objects("barrel 4,0 1 m 1 hp\ntower 300,0 20 m", 400, 30)}
    dice = {"ARC-148/cast/ada/*": 8, "ARC-71/accuracy/ada/1>object:barrel/*": 19,
            "ARC-128/damage/ada/1>object:barrel/1/*": 2}  # fmt: skip
    events = cycle(state, {"ada": major(cast("spark_volley", "object:barrel"))}, dice)
    assert [op["to"] for op in ops(events, "fly")] == ["object:barrel"]
    beat = next(beat for beat in beats(events) if any(op["op"] == "falls" for op in beat.draw))
    assert [(op["op"], op["who"]) for op in beat.draw] == [("hurt", "object:barrel"), ("falls", "object:barrel")]
    assert state.objects["object:barrel"].broken
    far = (("object:tower", 15_000**2),)
    bolt = Flight(who="ada", slot=1, do="cast", action=cast("kindle", "object:tower"), conditional=False,
                  using="kindle", distance2=15_000**2, targets=far, arrives=2, tag="ada/1/c1")  # fmt: skip
    state.later = [bolt]
    apply(state, LoggedEvent(number=99, rule="ARC-79", because=(), event=ev.ObjectsLaid(())))
    assert state.gone == {"object:barrel": "the barrel", "object:tower": "the tower"}
    assert [event.event for event in cycle(state, {}) if isinstance(event.event, (ev.Struck, ev.Damaged))] == []


def test_a_card_says_what_became_of_an_if_then() -> None:
    cards = {one.who: one for one in opened([[], duel(), []])}
    assert list(cards) == ["ada", "ben", "cleo"] and all(one.over for one in cards.values())
    card = cards["cleo"].card
    assert card is not None and (card.verdict, card.why) == ("not_fired", "not_met") and cards["cleo"].judged
    assert cards["ada"].card is None and cards["ada"].says and not cards["cleo"].says


def test_cards_stay_through_what_the_gm_does_and_go_with_the_next_reveal() -> None:
    first = duel()
    second = [one for one in duel() if not isinstance(one.event, ev.Judged)]
    assert opened([]) == () and opened([[]]) == ()
    assert opened([first, []])[2].card is not None
    assert opened([first, second])[2].card is None


def test_an_interrupt_in_time_comes_before_the_launches() -> None:
    state = fight(at(plain("ada", FIN=40), 0), at(plain("ben"), 1, side="them"))
    turns = {"ada": major(strike("them"), when=when("ben", "attacks", mode="interrupt")), "ben": major(strike("ada"))}
    events = told(state, turns)
    phases = list(dict.fromkeys(beat.title for beat in beats(events)))
    assert phases.index("Coming first") < phases.index("Launches")
    card = opened([events])[0]
    assert card.time == "in_time" and card.card is not None and card.card.verdict == "fired"


def test_all_of_a_loop_are_named() -> None:
    state = fight(at(plain("ada"), 0), at(plain("ben"), 1, side="them"))
    turns = {"ada": major(strike("ben"), when=when("ben", "attacks")),
             "ben": major(strike("ada"), when=when("ada", "attacks"))}  # fmt: skip
    cards = opened([told(state, turns)])
    assert [one.card.knot for one in cards if one.card] == [("ada", "ben")] * 2
    assert all(one.card and one.card.why == "knot" for one in cards)


def test_what_one_keeps_to_oneself_is_on_ones_own_card_alone() -> None:
    state = fight(at(plain("ada"), 0), at(plain("ben"), 1, side="us"))
    turns = {"ada": minors(Action(do="communicate", words="Now!", allies=("ben",)), react=React(resist="never"))}
    events = told(state, turns)
    own = opened([seen(events, Viewer(seats=frozenset({Seat("ada")}), gm=False))])[0]
    other = opened([seen(events)])[0]
    assert own.turn.minors[0].words == "Now!" and own.turn.react.resist == "never"
    assert other.turn.minors[0].words == "" and other.turn.react.resist == "always"


def hidden_fight() -> tuple[list[LoggedEvent[ev.Event]], Viewer]:
    """Somebody hidden walks about and an ally of hers acts; the enemy knows of the ally alone."""
    state = fight(
        at(plain("ada"), 0, side="us"),
        at(plain("lurker", FIN=40), 9, side="them", hidden=True, stealth=40, seat=GM),
        at(plain("orc"), 3, side="them", seat=GM),
    )
    turns = {"lurker": minors(Action(do="considered", to=(17, 0))), "orc": major(strike("ada"))}
    return told(state, turns), Viewer(seats=frozenset({Seat("ada")}), gm=False)


def test_a_hidden_one_is_in_no_film_and_on_no_card() -> None:
    events, ada = hidden_fight()
    told = beats(seen(events, ada), ada)
    assert "lurker" not in repr(told) and "orc" in repr(told)
    assert [one.who for one in opened([seen(events, ada)])] == ["ada", "orc"]
    gm = Viewer(seats=frozenset({GM}), gm=True)
    assert "lurker" in repr(beats(seen(events, gm), gm))


def test_a_crowd_draws_what_can_be_watched_and_tells_everything() -> None:
    people = [at(plain(f"a{n:03}"), n % 20, n // 20, side="us" if n % 2 else "them") for n in range(200)]
    turns = {f"a{n:03}": major(strike(f"a{n ^ 1:03}")) for n in range(200)}
    state = fight(*people)
    events = told(state, turns)
    found = beats(events, Viewer(seats=frozenset({Seat("a150")}), gm=False), state)
    assert sum(len(beat.draw) for beat in found) <= film.MOST_DRAWN and len(found) == film.FEW_BEATS
    assert [number for beat in found for number in beat.events] == [one.number for one in events]
    about = [op for beat in found for op in beat.draw if op["op"] in ("fly", "hit", "miss")]
    assert any("a150" in (op["who"], op.get("to"), op.get("by")) for op in about), "my own people come first"


def test_a_fall_and_the_end_have_cards_and_ones_own_fall_says_what_is_left() -> None:
    before = fight(at(plain("ada"), 0, side="us"), at(plain("ben"), 1, side="them"))
    after = fight(at(plain("ada"), 0, side="us"), at(plain("ben"), 1, side="them"))
    events = [
        LoggedEvent(number=1, rule="ARC-07", because=(), event=ev.Revealed("ada", Turn())),
        LoggedEvent(number=2, rule="ARC-20", because=(), event=ev.Changed("ada", -1, 0, "critical")),
        LoggedEvent(number=3, rule="ARC-20", because=(), event=ev.Changed("ada", -3, 0, "critical")),
        LoggedEvent(number=4, rule="ARC-20", because=(), event=ev.Looks("ada", "down")),
        LoggedEvent(number=5, rule="ARC-20", because=(), event=ev.Changed("ada", -30, 0, "dead")),
        LoggedEvent(number=6, rule="ARC-20", because=(), event=ev.Over("the-hill")),
    ]
    own = Viewer(seats=frozenset({Seat("ada")}), gm=False)
    told = [
        [card for beat in film.film(events, view(before, who), view(after, who)) for card in beat.cards]
        for who in (own, EVERYBODY)
    ]
    assert [(card.what, card.event, bool(card.then)) for card in told[0]] == [
        ("falls", 2, True), ("dies", 5, True), ("wins", 6, False),
    ]  # fmt: skip
    assert [card.title for card in told[1]][2:] == ["The hill win"] and not any(card.mine for card in told[1])


@pytest.mark.parametrize(
    ("event", "worth"),
    [
        (ev.Moved("ada", "move", (0, 0), (1, 0), (1, 0)), True),
        (ev.Corrected("ada", "miscounted", hp=3), False),
        (ev.Placed("ada", (1, 1)), False),
    ],
)
def test_what_is_set_right_at_the_desk_is_no_film(event: Any, worth: bool) -> None:
    one = LoggedEvent(number=1, rule="ARC-01", because=(), event=event)
    assert bool(beats([one])) is worth


def test_a_hit_without_damage_is_drawn_without_a_number() -> None:
    """A shield took all of it: the line says so, and nothing rises from the token."""
    for absorbed, drawn in ((4, 0), (3, 1)):
        harm = ev.Damaged("ada", "orc", "club", "bludgeoning", (), 4, (), (), False, 4, absorbed)
        assert len(ops([LoggedEvent(number=1, rule="ARC-129", because=(), event=harm)], "hurt")) == drawn


def test_what_is_drawn_of_a_cycle_with_everything_in_it() -> None:
    state = fight(at(mage("ada"), 0), at(plain("ben"), 1, side="them"))
    events = cycle(state, {"ada": major(strike("ben"))}, SeededChance(b"7", b"7"))
    assert [op["name"] for op in ops(events, "fly")] == ["Club"]
    struck = ops(events, "hit") + ops(events, "miss")
    assert len(struck) == 1 and " against " in struck[0]["sum"] and struck[0]["by"] == "ada"
