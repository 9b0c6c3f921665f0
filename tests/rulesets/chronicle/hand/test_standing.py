"""Standing choices: they make two decisions a round enough, answer later steps, and are nobody else's to see."""

import random

from app.engine.ruleset import GM, SPECTATOR, Seat, Viewer
from app.rulesets.chronicle.hand import HAND
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.settings import HandSettings
from app.rulesets.chronicle.hand.standing import Standing
from tests.rulesets.chronicle.hand.ring import begin, play, setup
from tests.rulesets.chronicle.hand.stage import (
    acts,
    asked,
    closes,
    defends,
    foot,
    of_kind,
    person,
    stage,
    step,
    strike,
    view,
)

SECRET = Standing(distance="away", protect="left_leg", strike="right_leg", prefer=("dodge",), dodge=("sw",))


def test_a_usual_round_asks_two_things_of_a_player() -> None:
    """A whole round with one attack each way: act, defend, and the GM's word to go on."""
    log = stage(person("ann", 0), person("bea", 2))
    wanted = []
    wanted.append(asked(log))
    closes(log, acts(ann="quick bea", bea="controlled ann"), {})
    wanted.append(asked(log))
    luck = strike("ann", "bea", strong=True) | strike("bea", "ann", strong=True)
    closes(log, defends(ann=({"bea": "dodge"}, "-1,0"), bea={"ann": "parry"}), luck)
    wanted.append(asked(log))
    closes(log, {}, foot("ann", "bea", won=False, number=2))
    wanted.append(asked(log))
    both = {"ann": "act", "bea": "act"}
    assert wanted == [both, {"ann": "defend", "bea": "defend"}, {GM: "next"}, both]
    assert step(log).key == "r2/act"


def test_a_duel_by_post_never_asks_for_more_than_two_messages_a_round() -> None:
    """Random duels whose people ask for nothing: act and defend are all that a player is ever asked in a round."""
    luck = random.Random(7)
    for _ in range(5):
        log = begin(setup(1, 1, luck.choice, HandSettings(hand_between="go-on")))
        for state in log.state.standing.values():
            assert state == Standing()
        seen: dict[int, list[str]] = {}
        for now in play(log, luck, 60, silent=1.0):
            seen.setdefault(log.state.fight.round, []).extend(ask.kind for ask in now.asks if ask.seat == "ann")
        assert all(
            kinds.count("act") <= 2 and set(kinds) <= {"act", "defend", "setting", "ready"} for kinds in seen.values()
        )


def test_one_legal_answer_answers_itself() -> None:
    """Feint leaves Fighting Mind alone, and the body's Major leaves no act."""
    log = stage(person("ann", 0), person("bea", 2))
    closes(log, acts(ann="feint bea"), strike("ann", "bea", strong=True))
    assert asked(log) == {GM: "next"}


def test_footwork_keeps_the_distance_one_likes() -> None:
    log = stage(person("ann", 0), person("bea", 2))
    closes(log, acts(ann={"action": "wait", "stand": {"distance": "spear"}}), {})
    closes(log, {}, foot("ann", "bea", won=True, number=2))
    assert log.state.fight.distance("ann", "bea") == 3


def test_footwork_asks_who_wants_to_be_asked() -> None:
    log = stage(person("ann", 0), person("bea", 2))
    closes(log, acts(ann={"action": "wait", "stand": {"distance": "ask"}}), {})
    closes(log, {}, foot("ann", "bea", won=True, number=2))
    assert asked(log) == {"ann": "move"}
    assert step(log).key == "r2/foot/2"
    closes(log, {"ann": {"to": "-1,1"}}, {})
    assert log.state.fight["ann"].at == (-1, 1)


def test_a_preferred_defence_answers_for_its_owner() -> None:
    log = stage(person("ann", 0), person("bea", 2))
    told = closes(log, acts(bea={"action": "wait", "stand": {"defend": "prefer", "prefer": "dodge", "dodge": "se"}},
                             ann="bash bea"), strike("ann", "bea", strong=False))  # fmt: skip
    assert [(one.defence, one.square, one.how) for one in of_kind(told, ev.Defended)] == [("dodge", (3, 1), "standing")]


def test_asking_for_parts() -> None:
    log = stage(person("ann", 0), person("bea", 2))
    stands = {"ann": {"action": "quick", "target": "bea", "stand": {"strike": "ask"}},
              "bea": {"action": "wait", "stand": {"protect": "ask"}}}  # fmt: skip
    closes(log, acts(**stands), {})
    closes(log, defends(bea={"ann": "parry"}), strike("ann", "bea", strong=True))
    assert asked(log) == {"bea": "protect"}
    closes(log, {"bea": {"of": {"ann": "body"}}}, {})
    assert asked(log) == {"ann": "pick"}
    assert "body" not in view(log, "ann").parts["ann:bea"]
    closes(log, {"ann": {"of": {"ann": "left_arm"}}}, {})
    assert log.state.fight["bea"].wounds.left_arm.minor == 1


def test_nobody_else_is_told_or_shown() -> None:
    """Not the enemy, not a friend, not the GM: neither in events, nor in views, nor by what is asked."""
    log = stage(person("ann", 0), person("art", 0, 1), person("bea", 2))
    told = closes(log, acts(ann={"action": "wait", "stand": SECRET.model_dump(mode="json")}), {})
    assert len(of_kind(told, ev.Stood)) == 1
    for who in ("art", "bea", GM):
        eyes = Viewer(seats=frozenset({Seat(who)}), gm=who == GM)
        assert not [one for one in told if isinstance(one.event, ev.Stood) and HAND.sees(one.event, eyes)]
        assert _reads(log.state, eyes) == _reads(_without(log.state), eyes)
    assert _reads(log.state, SPECTATOR) == _reads(_without(log.state), SPECTATOR)
    own = Viewer(seats=frozenset({Seat("ann")}))
    assert "left_leg" in _reads(log.state, own)
    assert any(HAND.sees(one.event, own) for one in told if isinstance(one.event, ev.Stood))


def _reads(state: object, eyes: Viewer) -> str:
    return repr(HAND.view(state, eyes)) + repr(HAND.steps(state)[0])  # type: ignore[arg-type]


def _without(state: object) -> object:
    other = HAND.state.validate_json(HAND.state.dump_json(state))  # type: ignore[arg-type]
    other.standing.clear()
    return other


def test_words_with_standing_choices_stay_shut_until_the_end() -> None:
    log = begin(setup(1, 1, random.Random(3).choice))
    opens = {}
    for now in play(log, random.Random(3), 12):
        opens |= {ask.kind: ask.opens for ask in now.asks}
    assert opens["ready"] == opens["act"] == "end"
    assert opens["defend"] == "close"
