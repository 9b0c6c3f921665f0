"""Foes by the dozen, and who stands against whom."""

from collections.abc import Mapping
from typing import Any

import pytest

from app.engine.muster import keys_once, numbers, usual_sides, with_muster
from app.engine.ruleset import GM, Brief, Seat


def _wolves(kind: str, row: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"name": kind + behind} for behind in numbers(row, kind, 3)]


def test_counts_become_foes_behind_those_that_are_named() -> None:
    given = {
        "foes": [{"name": "Bear"}],
        "muster": {"Wolf": {"count": "2"}, "Owl": {"count": "1"}, "Elk": {"count": ""}},
    }
    assert [foe["name"] for foe in with_muster(given, _wolves)["foes"]] == ["Bear", "Wolf 1", "Wolf 2", "Owl"]
    assert with_muster({"muster": ""}, _wolves) == {"muster": ""}


@pytest.mark.parametrize("count", ["4", "-1", "many", "00000000000000000004"])
def test_a_count_that_is_none_says_so(count: str) -> None:
    with pytest.raises(ValueError, match="Wolf: enter how many, from 0 to 3"):
        numbers({"count": count}, "Wolf", 3)


def test_two_of_one_key_are_named() -> None:
    keys_once(["wolf", "bear"], "foes")
    with pytest.raises(ValueError, match="Two foes are called 'bear'"):
        keys_once(["wolf", "bear", "wolf", "bear"], "foes")


def test_usual_sides() -> None:
    ann, bob = Seat("ann"), Seat("bob")
    with_gm = Brief(kind="fight", title="At the gate", seats={ann: ("a",), bob: ("b",), GM: ("troll",)})
    assert usual_sides(with_gm, "us", "them", foes=False) == {"a": "us", "b": "us", "troll": "them"}
    assert usual_sides(with_gm, "us", "them", foes=True) == {"a": "us", "b": "us", "troll": "us"}
    alone = Brief(kind="fight", title="At the gate", seats={ann: ("a",), bob: ("b",)})
    assert usual_sides(alone, "us", "them", foes=False) == {"a": "us", "b": "them"}
    assert usual_sides(alone, "us", "them", foes=True) == {"a": "us", "b": "us"}
