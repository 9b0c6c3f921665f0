"""Battles of up to nine units against eight, with any settings and any answers, come to a sound end."""

from collections import Counter
from random import Random

import pytest

from app.rulesets.chronicle.mass import MASS
from app.rulesets.chronicle.mass import events as ev
from tests.rulesets.chronicle.mass.battles import begin, play, setup, some_given, some_settings
from tests.rulesets.chronicle.mass.soundness import sound, told

MOST = 600  # closings


def _battles(seed: int, count: int) -> tuple[Counter[str], Counter[str]]:
    """Plays battles to their ends; returns the kinds of asks and of events."""
    asks, events = Counter[str](), Counter[str]()
    for number in range(count):
        rng = Random(seed * 100_000 + number)
        log = begin(setup(some_given(rng.choice), some_settings(rng.choice)))
        for closed in play(log, rng, MOST, silent=rng.choice((0.05, 0.3)), desk=rng.choice((0, 0, 0.03))):
            sound(log.state)
            assert told(closed) == log.state, "the events do not fold to the state"
            asks.update(ask.kind for ask in closed.step.asks)
        assert log.state.phase == "over", "the battle does not end"
        last = [one.event for one in log.events if isinstance(one.event, ev.Ended)]
        assert len(last) == 1
        result = MASS.outcome(log.state).result
        assert isinstance(result, dict) and result["winner"] == log.state.winner
        events.update(one.event.kind for one in log.events)
    return asks, events


def test_random_battles_stay_sound_and_end() -> None:
    asks, events = _battles(1, 10)
    assert asks.keys() >= {"place", "intent", "quick", "move", "targets", "fall"}, asks
    assert events.keys() >= {"moved", "clustered", "fought", "lost", "ended"}, events


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(2, 12))
def test_a_thousand_battles_show_all_there_is(seed: int) -> None:
    asks, events = _battles(seed, 100)
    every = {one.split("(")[0] for one in ("armies", "field", "place", "line", "intent", "leave", "quick", "move")}
    every |= {"clusters", "targets", "order", "whom", "fall", "step", "quiet", "terms", "agree", "desk"}
    assert asks.keys() == every, every - asks.keys()
    shown = {"blocked", "first", "driven", "fell", "stepped", "gone", "went-on", "agreed", "shot", "corrected"}
    assert events.keys() >= shown, shown - events.keys()
