"""Accuracy, instincts, distance: the ledger's examples T06 to T14."""

from math import floor, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.chance import ScriptedChance
from app.rulesets.arcana.rules.grid import penalty
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.accuracy import Defence, Guard, accuracy, defence, hits, instinct, throw
from app.rulesets.arcana.sheet.body import Body
from tests.rulesets.arcana.plain import plain

BOOK = Settings()


def against(body: Body, *stances: str, metres: float = 1, block: bool = True, dodge: bool = True,
            still: bool = False, settings: Settings = BOOK, armour: int = 100) -> Defence:  # fmt: skip
    guard = Guard(body=body, stances=frozenset(stances), still=still)
    far = round(metres * 100) ** 2
    return defence(guard, settings, blockable=block, dodgeable=dodge, distance2=far, armour=armour)


@pytest.mark.parametrize(
    ("size", "metres", "value"),
    [(100, 30, 8), (1, 1, 15), (100, 9.5, 5), (200, 19.5, 5), (200, 20, 6), (30, 15, 10), (100, 10, 6)],
)
def test_far_and_small_things_are_harder_to_hit(size: int, metres: float, value: int) -> None:
    """ARC-T06 to ARC-T09, ARC-80, ARC-81."""
    assert against(plain(size=size), metres=metres, still=True) == Defence(value=value, by="stationary")


@settings(deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 1000))
def test_the_penalty_is_exact(distance2: int, size: int) -> None:
    """ARC-80: whole numbers all the way, so that exactly ten sizes count as ten sizes."""
    assert abs(penalty(distance2, size) - floor(sqrt(distance2) / (10 * size))) <= 1
    assert (penalty(distance2, size) * 10 * size) ** 2 <= distance2 < ((penalty(distance2, size) + 1) * 10 * size) ** 2


def test_the_higher_instinct_counts() -> None:
    """ARC-T10, ARC-74, ARC-76; of equals Dodge."""
    one = plain(ATH=16, FIN=12)
    guard = Guard(body=one)
    assert (instinct(guard, "block", BOOK), instinct(guard, "dodge", BOOK)) == (11, 9)
    assert against(one) == Defence(value=11, by="block")
    assert against(plain()) == Defence(value=8, by="dodge")


def test_evading() -> None:
    """ARC-T11, ARC-87."""
    assert against(plain("ada", "Speed", FIN=14), "evade") == Defence(value=14, by="dodge", disadvantage=True)
    assert against(plain("ada", "Speed", FIN=14)) == Defence(value=12, by="dodge")


def test_bracing_without_proficiency() -> None:
    """ARC-T12."""
    assert against(plain(ATH=14), "brace") == Defence(value=10, by="block", disadvantage=True)


def test_a_stance_is_used_even_where_the_other_instinct_is_higher() -> None:
    """ARC-87, and ARC-88 with both: the better one."""
    assert against(plain(ATH=18), "evade") == Defence(value=8, by="dodge", disadvantage=True)
    assert against(plain(ATH=18), "evade", "brace") == Defence(value=12, by="block", disadvantage=True)


def test_nothing_of_an_evade_helps_against_the_undodgeable() -> None:
    """ARC-T13, ARC-84."""
    one = plain("ada", "Speed", FIN=14, ATH=12)
    assert against(one, "evade", dodge=False) == Defence(value=9, by="block")
    assert hits(9, 0, 9, BOOK)


def test_the_undodgeable_can_still_miss() -> None:
    """ARC-T14, ARC-85, ARC-86."""
    assert against(plain(ATH=2), dodge=False) == Defence(value=5, by="stationary")
    assert against(plain(ATH=2), dodge=False, metres=40) == Defence(value=7, by="stationary")
    assert against(plain(ATH=18), block=False, dodge=False) == Defence(value=5, by="stationary")
    assert against(plain(ATH=18), block=False) == Defence(value=8, by="dodge")


def test_distance_adds_to_instincts_only_where_the_table_wants_it() -> None:
    """ARC-82."""
    assert against(plain(), metres=40).value == 8
    assert against(plain(), metres=40, settings=Settings(range_penalty="all")).value == 10


def test_what_is_worn_helps_as_far_as_the_damage_lets_it() -> None:
    """ARC-78, ARC-170."""
    one = plain("ada", "heavy", armour="runic_mail", shield="small_shield", hide=2)
    guard = Guard(body=one)
    assert instinct(guard, "block", BOOK) == 8 + 2 + 8 + 2
    assert [instinct(guard, "block", BOOK, armour=part) for part in (50, 0)] == [16, 12]
    assert instinct(guard, "dodge", BOOK) == 8 + 2 - 5
    eaten = Guard(body=one, worn_less=9)
    assert instinct(eaten, "block", BOOK) == 12
    assert instinct(Guard(body=one, fixed_block=True), "block", BOOK) == 10
    assert instinct(Guard(body=plain(FIN=15), encumbered=True), "dodge", BOOK) == 5


def test_expertise_needs_to_be_at_home_in_the_armour() -> None:
    """ARC-75."""
    strong, mailed = plain("a", "Strength"), plain("a", "Strength", armour="runic_mail")
    cloth = plain("a", "clothing")
    assert instinct(Guard(body=strong), "block", BOOK) == 10
    assert instinct(Guard(body=mailed), "block", BOOK) == 15
    assert instinct(Guard(body=cloth), "dodge", BOOK) == 10
    bracket, armour = Settings(instinct_expertise="bracket_gated"), Settings(instinct_expertise="armour_only")
    assert [instinct(Guard(body=cloth), "dodge", one) for one in (bracket, armour)] == [8, 10]
    assert [instinct(Guard(body=strong), "block", one) for one in (bracket, armour)] == [10, 8]


def test_accuracy_needs_the_weapon() -> None:
    """ARC-71, ARC-73."""
    assert accuracy(plain("a", "wand", FIN=14), "wand", BOOK) == 4
    precise = plain("a", "Precision", FIN=14)
    assert (accuracy(precise, "wand", BOOK), accuracy(precise, "wand", Settings(
        accuracy_expertise="weapon_or_precision"))) == (2, 4)  # fmt: skip


@pytest.mark.parametrize(
    ("good", "bad", "stacking", "dice", "kept"),
    [(0, 0, "cancel", 1, 5), (1, 0, "cancel", 2, 14), (0, 1, "cancel", 2, 5), (2, 1, "cancel", 1, 5),
     (2, 1, "compound", 2, 14), (0, 3, "compound", 3, 2), (3, 0, "cancel", 2, 14)],
)  # fmt: skip
def test_advantage_and_disadvantage(good: int, bad: int, stacking: str, dice: int, kept: int) -> None:
    """ARC-92, ARC-93."""
    chance = ScriptedChance({"x/1": 5, "x/2": 14, "x/3": 2})
    settings = Settings.model_validate({"stacking": stacking})
    thrown = throw(chance, "x", settings, good=good, bad=bad)
    assert (len(thrown.rolls), thrown.kept) == (dice, kept)


def test_a_quickspell_keeps_the_lower_die() -> None:
    """ARC-T29, ARC-36."""
    thrown = throw(ScriptedChance({"x/1": 14, "x/2": 5}), "x", BOOK, bad=1)
    assert thrown.kept + accuracy(plain(), "wand", BOOK) == 5


def test_natural_dice() -> None:
    """ARC-72, ARC-91."""
    assert hits(8, 0, 8, BOOK) and not hits(7, 0, 8, BOOK)
    assert not hits(1, 20, 8, BOOK) and hits(1, 20, 8, Settings(natural_1="plain"))
    assert not hits(20, -15, 8, BOOK) and hits(20, -15, 8, Settings(natural_20="hit_and_critical"))
