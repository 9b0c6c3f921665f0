"""Foes by the dozen, and who stands against whom."""

from types import SimpleNamespace
from typing import Any

import pytest

from app.engine.muster import Group, called, keys_once, regrouped, usual_sides, with_muster
from app.engine.ruleset import GM, Brief, Seat


def _some(group: Group) -> list[dict[str, Any]]:
    return [{"name": name, "key": group.kind + key} for key, name in zip(group.keys, group.names, strict=True)]


def _names(given: Any, what: str = "name") -> list[str]:
    return [foe[what] for foe in with_muster(given, str, _some, 3)["foes"]]


def test_counts_become_foes_behind_those_that_are_named() -> None:
    given = {
        "foes": [{"name": "Bear"}],
        "muster": {"Wolf": {"count": "2"}, "Owl": {"count": "1"}, "Elk": {"count": ""}},
    }
    assert _names(given) == ["Bear", "Wolf 1", "Wolf 2", "Owl"]
    assert with_muster({"muster": ""}, str, _some, 3) == {"muster": ""}


def test_groups_are_numbered_through_and_hidden_foes_change_no_other_name() -> None:
    rows = [
        {"kind": "Wolf", "count": "1", "hidden": "yes"},
        {"kind": "Wolf", "count": "1"},
        {"kind": "Dog", "count": "2", "name": " Wolf "},
        {"kind": "Owl", "count": "1"},
        {"kind": "Owl", "count": "1", "hidden": "yes"},
    ]
    assert _names({"muster": rows}) == ["Wolf 4", "Wolf 1", "Wolf 2", "Wolf 3", "Owl", "Owl 2"]
    assert _names({"muster": rows}, "key") == ["Wolf 2", "Wolf", "Dog 1", "Dog 2", "Owl", "Owl 2"]
    assert called(rows, {kind: SimpleNamespace(name=kind) for kind in ("Wolf", "Owl")}) == [
        "Wolf 4",
        "Wolf 1",
        "Wolf 2–3",
        "Owl",
        "Owl 2",
    ]
    assert called([{"kind": "Elk", "count": "many"}], {}) == [""]


def test_presses_change_the_groups() -> None:
    rows = regrouped(regrouped([], "add Wolf"), "add Wolf")
    assert rows == [{"kind": "Wolf", "count": "2"}]
    rows = regrouped(regrouped(rows, "copy 0"), "add Owl")
    assert [row["kind"] for row in rows] == ["Wolf", "Wolf", "Owl"]
    assert regrouped(rows, "remove 0") == rows[1:]
    assert all(regrouped(rows, odd) == rows for odd in ("copy 3", "remove x", "remove -1", "add", "", "burn 0"))


@pytest.mark.parametrize("count", ["4", "-1", "many", "00000000000000000004"])
def test_a_count_that_is_none_says_so(count: str) -> None:
    with pytest.raises(ValueError, match="Wolf: enter how many, from 0 to 3"):
        _names({"muster": [{"kind": "Wolf", "count": count}]})
    with pytest.raises(ValueError, match="at most 50 characters"):
        _names({"muster": [{"kind": "Wolf", "count": count, "name": "x" * 51}]})


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
