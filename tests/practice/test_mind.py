"""What the opponent seals is legal, follows from its own view alone, and from the luck it is given."""

import copy
import random
from collections import Counter

import pytest

from app.practice.mind import Weighed, weigh
from app.rulesets.duel import DUEL
from app.rulesets.duel import declarations as de
from app.rulesets.duel.check import check
from tests.practice.duelling import SHEETS, A, B, begun, close, duel, lawful, solved, uniform, view_of
from tests.practice.test_model import anywhere


def test_all_it_weighs_is_legal() -> None:
    luck = random.Random(11)
    for _ in range(25):
        state = anywhere(luck)
        step = DUEL.steps(state)[0]
        for ask in step.asks:
            who = ask.about[0]
            view = view_of(state, who)
            weighed = weigh(view, who)
            assert sum(share for _, share in weighed.mine) == pytest.approx(1.0)
            assert 0.0 <= weighed.value <= 1.0
            assert all(not check(view, ask, choice) for choice, _ in weighed.mine)


def test_both_sides_see_one_game() -> None:
    """Each side's chance is what the other's leaves."""
    for first, second in (("mira", "tomo"), ("wall", "boxer")):
        state = begun(SHEETS[first], SHEETS[second])
        close(state, {A: de.Half(half="high"), B: de.Half(half="low")}, bytes(32))
        assert weigh(view_of(state, A), A).value == pytest.approx(1 - weigh(view_of(state, B), B).value)


def test_the_other_ones_choice_changes_nothing() -> None:
    """A sealed move is in no state and in no view: the same view comes with each of them, and with it the same mixture.

    What could carry it is all there is: `weigh` takes a view and the name of a fighter.
    """
    state = begun(SHEETS["mira"], SHEETS["tomo"])
    close(state, {A: de.Half(half="high"), B: de.Half(half="low")}, bytes(32))
    sealed = lawful(view_of(state, B), B)
    assert len(sealed) > 5
    seen = {repr((view_of(copy.deepcopy(state), A), weigh(view_of(state, A), A))) for _ in sealed}
    assert len(seen) == 1
    after = set()
    for move in sealed:
        told = copy.deepcopy(state)
        close(told, {A: de.Move(action="block"), B: move}, bytes(32))
        after.add(repr(view_of(told, A)))
    assert len(after) > 5, "only what is revealed is seen"


def test_it_picks_as_often_as_it_says() -> None:
    block, jab = de.Move(action="block"), de.Move(action="jab")
    weighed = Weighed(((block, 0.75), (jab, 0.25)), (), 0.5, 1)
    luck = random.Random(5)
    picks = Counter(weighed.pick(luck).action for _ in range(2_000))  # type: ignore[union-attr]
    assert picks["block"] == pytest.approx(1_500, abs=80)
    assert picks["block"] + picks["jab"] == 2_000


def test_the_same_luck_makes_the_same_duel() -> None:
    one, two = (duel(SHEETS["boxer"], SHEETS["dancer"], (solved, uniform), 3) for _ in range(2))
    assert one == two
    assert one.phase == "over"


def test_it_cannot_choose_where_nobody_does() -> None:
    state = begun(SHEETS["boxer"], SHEETS["dancer"])
    state.phase = "over"
    with pytest.raises(ValueError, match="nobody chooses"):
        weigh(view_of(state, A), A)
