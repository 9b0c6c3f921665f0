"""The checker of ability cards: what could break a star may not exist (WHI-31)."""

from dataclasses import asdict

import pytest

from app.rulesets.whiskey.cards import CARDS, Card, faults

GOOD: dict[str, object] = {"key": "shove", "name": "Shove", "text": "Combat + 1.", "own_check": 1}


@pytest.mark.parametrize("card", CARDS.values(), ids=list(CARDS))
def test_no_card_of_ours_has_a_fault(card: Card) -> None:
    assert faults(asdict(card)) == []


def test_a_plain_card_is_accepted() -> None:
    assert faults(GOOD) == []
    assert faults({**GOOD, "capacity": 99}) == []


@pytest.mark.parametrize("name", ["second_target", "second_ward", "clashes_when_stopped", "adds_clash", "starts_clash"])
def test_what_no_field_can_say_is_refused(name: str) -> None:
    assert [name in fault for fault in faults({**GOOD, name: True})] == [True]


@pytest.mark.parametrize("capacity", [-1, 100, "2", None])
def test_a_capacity_outside_the_rule_is_refused(capacity: object) -> None:
    assert ["WHI-22" in fault for fault in faults({**GOOD, "capacity": capacity})] == [True]


@pytest.mark.parametrize("name", ["key", "name", "text"])
def test_a_card_says_what_it_is(name: str) -> None:
    assert len(faults({**GOOD, name: ""})) == 1
    assert len(faults({key: value for key, value in GOOD.items() if key != name})) == 1
