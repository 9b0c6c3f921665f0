"""Odds and decks by counting every case: what a page promises before sealing is what the luck then does."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.chance import SeededChance
from app.engine.ruleset import GM, Brief, Seat, Setup, Viewer
from app.rulesets.whiskey import RULESET
from app.rulesets.whiskey.decks import Deck, odds, suit
from app.rulesets.whiskey.sheets import Sheet
from app.rulesets.whiskey.state import State, start
from app.rulesets.whiskey.view import view

# Written down from the rules, not taken from the engine: ace 1 to king 13, and the same again minus 13 (WHI-48).
HALF = [rank - black for black in (0, 13) for rank in range(1, 14)]
EVEN = settings(max_examples=60)


def test_a_fresh_half_gives_the_formula_of_the_rules() -> None:
    """(13 + X - Y) / 26, between 0 and 1 (WHI-37)."""
    for x in range(-20, 60):
        for y in range(-20, 60):
            counted = Fraction(sum(x + card > y for card in HALF), 26)
            assert counted == max(Fraction(0), min(Fraction(1), Fraction(13 + x - y, 26)))
            assert odds(x, y, HALF) == pytest.approx(float(counted), abs=1e-12)


@pytest.mark.parametrize(
    ("x", "y", "chance"), [(10, 10, 0.5), (23, 10, 1), (22, 10, 25 / 26), (0, 13, 0), (1, 13, 1 / 26)]
)
def test_equal_values_are_even_and_a_lead_of_thirteen_is_certain(x: int, y: int, chance: float) -> None:
    assert odds(x, y, HALF) == chance


def test_it_is_the_same_whoever_checks_with_fresh_decks() -> None:
    """The chance to land the hit does not depend on who makes the check (WHI-37)."""
    for lead in range(-15, 16):
        assert odds(10 + lead, 10, HALF) == pytest.approx(1 - odds(10, 10 + lead, HALF))


@given(left=st.lists(st.sampled_from(HALF), min_size=1, unique=True), x=st.integers(-5, 30), y=st.integers(-5, 30))
@EVEN
def test_odds_over_the_cards_left_are_counted_one_by_one(left: list[int], x: int, y: int) -> None:
    passed = 0
    for card in left:
        if x + card > y:
            passed += 1
    assert odds(x, y, left) == pytest.approx(passed / len(left))


def _battle(chosen: dict[str, str], mine: list[int], theirs: list[int], *, shown: bool) -> State:
    foe = {"key": "orc", "name": "Orc", "combat": 8, "base": 1, "die": 1, "hp": 5, "shown": shown}
    seats = {Seat("ann"): ("ann",), GM: ()}
    brief = Brief(kind="battle", title="A duel", seats=seats, given={"foes": [foe]})
    kept = {"deck/players": {"half": "A", "left": mine}, "deck/enemies": {"half": "B", "left": theirs}}
    sheets = {"ann": Sheet(name="Ann", combat=10)}
    return start(Setup(brief=brief, settings=RULESET.settings.validate_python(chosen), sheets=sheets, kept=kept))


ANN = Viewer(seats=frozenset({Seat("ann")}))


@given(
    mine=st.lists(st.sampled_from(HALF), min_size=1, unique=True),
    theirs=st.lists(st.sampled_from(HALF), min_size=1, unique=True),
)
@EVEN
def test_a_page_shows_the_odds_over_the_cards_both_sides_have_left(mine: list[int], theirs: list[int]) -> None:
    """Whichever side checks, its own deck decides (WHI-53, WHI-54)."""
    (shown,) = view(_battle({}, mine, theirs, shown=True), ANN).odds["ann"]
    assert shown.mine == pytest.approx(sum(10 + card > 8 for card in mine) / len(mine))
    assert shown.theirs == pytest.approx(sum(8 + card <= 10 for card in theirs) / len(theirs))
    assert (shown.good, shown.left) == (sum(card > -2 for card in mine), len(mine))
    assert shown.above == -2


def test_cards_left_are_public_and_a_table_may_hide_them() -> None:
    """Without them the odds are those of a whole half (WHI-54)."""
    left = [-12, -11, 13]
    open_view = view(_battle({}, left, left, shown=True), ANN)
    assert open_view.decks["players"].left == (-12, -11, 13)
    assert open_view.odds["ann"][0].mine == pytest.approx(1 / 3)
    shut_view = view(_battle({"show_discards": "off"}, left, left, shown=True), ANN)
    assert shut_view.decks["players"].left is None
    assert shut_view.odds["ann"][0].mine == pytest.approx(15 / 26)
    assert not shut_view.odds["ann"][0].exact


def test_a_foe_whose_numbers_are_not_shown_has_no_odds() -> None:
    (shown,) = view(_battle({}, HALF, HALF, shown=False), ANN).odds["ann"]
    assert (shown.combat, shown.mine, shown.theirs, shown.above) == (None, None, None, None)


def _drawn(mode: str, count: int, seed: int) -> list[tuple[str, int, bool]]:
    """Half, card, and whether it was the last one, of so many draws."""
    chance = SeededChance(bytes([seed]) * 32, b"")
    deck, found = Deck.fresh(mode), []
    for number in range(count):
        last, half = deck.last(mode), deck.half
        card, _ = chance.pick(tuple(deck.left), f"draw {number}")
        deck.take(card, mode)
        found.append((half, card, last))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_each_half_is_used_up_once_before_it_comes_again(seed: int) -> None:
    """Every value once in 26 draws, halves in turn, A first; luck evens out over each of them (WHI-49 to WHI-51)."""
    drawn = _drawn("halves", 26 * 5, seed)
    orders = []
    for block in range(5):
        part = drawn[26 * block : 26 * (block + 1)]
        assert {half for half, _, _ in part} == {"AB"[block % 2]}
        assert sorted(card for _, card, _ in part) == sorted(HALF)
        assert [last for _, _, last in part] == [False] * 25 + [True]
        orders.append([card for _, card, _ in part])
    assert all(one != other for one, other in pairwise(orders))


@pytest.mark.parametrize("seed", range(4))
def test_a_single_pack_has_every_value_twice(seed: int) -> None:
    drawn = _drawn("single", 104, seed)
    for part in (drawn[:52], drawn[52:]):
        assert Counter(card for _, card, _ in part) == dict.fromkeys(HALF, 2)
        assert [last for _, _, last in part] == [False] * 51 + [True]


def test_dice_have_the_same_range_and_no_memory() -> None:
    """d26 - 13 (WHI-52): every value about equally often, and the deck never empties."""
    drawn = Counter(card for _, card, _ in _drawn("dice", 2600, 3))
    assert sorted(drawn) == sorted(HALF)
    assert all(60 <= count <= 140 for count in drawn.values())  # 100 expected, four standard deviations
    assert not any(last for _, _, last in _drawn("dice", 60, 3))


@pytest.mark.parametrize("mode", ["halves", "single", "dice"])
def test_every_card_left_is_as_likely_as_any_other(mode: str) -> None:
    first = Counter(_drawn(mode, 1, seed)[0][1] for seed in range(256))
    assert len(first) == 26
    assert max(first.values()) <= 26


def test_a_deck_goes_on_where_the_campaign_left_it() -> None:
    """Written and read back it is the same; of another mode, or broken, it is a fresh one (WHI-47)."""
    deck = Deck.read({"half": "B", "left": [5, -12]}, "halves")
    assert (deck.half, deck.left) == ("B", [-12, 5])
    assert Deck.read(deck.write(), "halves") == deck
    for broken in (None, {}, {"half": "B", "left": []}, {"half": "C", "left": [1]}, {"half": "A", "left": [14]}):
        assert Deck.read(broken, "halves") == Deck.fresh("halves")
    assert Deck.read(deck.write(), "single") == Deck.fresh("single")


def test_card_faces_are_the_table_of_the_rules() -> None:
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    assert [suit(value, "A") for value in range(1, 14)] == [f"{rank}♥" for rank in ranks]
    assert [suit(value, "A") for value in range(-12, 1)] == [f"{rank}♠" for rank in ranks]
    assert (suit(13, "B"), suit(0, "B")) == ("K♦", "K♣")
