"""Thousands of duels between all sorts of fighters who do anything they may: each comes to its end."""

import random
from collections import Counter

import pytest

from app.rulesets.duel.settings import Settings
from app.rulesets.duel.state import State
from tests.rulesets.duel.ring import begin, play, sheet
from tests.selection import nightly

DUELS = 10_000 if nightly() else 250
FIGHTERS = 400


def _settings(luck: random.Random) -> Settings:
    return Settings(
        momentum_die=luck.choice(("4", "6", "8", "10", "12", "20")),
        start_stamina=luck.choice(("full", "roll")),
        double_ko=luck.choice(("draw", "momentum")),
        house_actions=luck.choice(("on", "off")),
        house_health=luck.choice(("on", "off")),
        stall_limit=luck.choice((10, 30)),
        longest=luck.choice((40, 40, 60, 200)),
    )


def _most(settings: Settings) -> int:
    """Steps that a fight can have: halves, roll, for each clash its combo, the clash and a Ditto, and the referee."""
    return 3 + 3 * settings.longest


def _sound(state: State) -> None:
    for one in state.fighters.values():
        assert one.hp <= one.hp_max and 0 <= one.stamina <= one.stamina_max
    assert 0 <= state.die <= state.settings.die
    assert bool(state.offence) == (state.die > 0)


def test_duels_of_all_sorts_end() -> None:
    luck = random.Random(20_26)
    fighters = [sheet(luck, f"No. {number}") for number in range(FIGHTERS)]
    tables = [_settings(luck) for _ in range(100)]
    ends: Counter[str] = Counter()
    for _ in range(DUELS):
        settings = luck.choice(tables)
        log = begin(settings, *luck.sample(fighters, 2))
        for state in play(log, luck, _most(settings)):
            _sound(state)
        assert log.state.phase == "over", log.state
        assert log.state.clash <= settings.longest + 1
        ends[log.state.why] += 1
    assert ends.keys() == {"defeat", "both", "stalled"}
    assert ends["defeat"] > DUELS * 0.7, ends


@pytest.mark.nightly
def test_without_that_end_two_healers_are_hard_to_part() -> None:
    """Why there is `longest` at all: with 0 some duels go on for thousands of clashes, and no stall ends them."""
    luck = random.Random(5)
    fighters = [sheet(luck, f"No. {number}") for number in range(FIGHTERS)]
    healers = [one for one in fighters if "recuperate" in one.abilities()]
    settings = Settings(longest=0)
    lengths = []
    for _ in range(40):
        log = begin(settings, *luck.sample(healers, 2))
        list(play(log, luck, 1_500))
        lengths.append(log.state.clash if log.state.phase != "over" else 0)
    assert max(lengths) > 500
