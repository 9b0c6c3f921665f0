"""The odds a player is shown are what the rules make of all 640 ways the dice can fall: counted, not computed again."""

from itertools import product
from typing import Any

import pytest

from app.engine.log import Recorder
from app.rulesets.chronicle.checks import ways
from app.rulesets.chronicle.hand import HAND, ratings
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.state import Fighter
from tests.rulesets.chronicle.hand.stage import (
    Table,
    acts,
    closes,
    defends,
    dice,
    of_kind,
    person,
    stage,
    view,
    wounds,
)

ALL = tuple(product(range(1, 9), range(1, 9), range(1, 11)))


def _copy(log: Table) -> Table:
    return Recorder(HAND.state.validate_json(HAND.state.dump_json(log.state)), HAND.apply, last=len(log.events))


@pytest.mark.parametrize(
    ("ann", "bea", "action", "way"),
    [
        (person("ann", 0), person("bea", 2), "bash", "parry"),
        (person("ann", 0, right="mace", skills={"V": 6}), person("bea", 3, armour="plate"), "quick", "dodge"),
        (person("ann", 0, wounds=wounds(head=(2, False))), person("bea", 1, weakening=2), "push", "strength"),
    ],
)
def test_shown_odds_are_counted_odds(ann: Fighter, bea: Fighter, action: str, way: Any) -> None:
    log = stage(ann, bea)
    option = view(log, "ann").option("ann", action, "bea")
    assert option is not None
    shown = {against.defence: against.strong for against in option.against}
    closes(log, acts(ann=f"{action} bea"), {})
    square = f"{bea.x + 1},0"
    strong = 0
    for faces in ALL:
        one = _copy(log)
        said = defends(bea=({"ann": way}, square))
        told = closes(one, said, dice("CHR-RND-17/r1/ann>bea", *faces))
        strong += of_kind(told, ev.Struck)[0].strong
    assert strong == shown[way]


def test_footwork_is_won_as_often_as_the_ratings_say() -> None:
    log = stage(person("ann", 0, skills={"V": 5}), person("bea", 2))
    closes(log, {}, {})
    won = 0
    for faces in ALL:
        told = closes(_copy(log), {}, dice("CHR-FTW-04/r2/ann>bea", *faces))
        won += of_kind(told, ev.Contest)[0].winner == "ann"
    mine, theirs = (ratings.footwork(log.state.fight, key).total for key in ("ann", "bea"))
    assert won == ways(mine, theirs) == ways(5, 3)


def test_a_rating_is_the_sum_of_the_terms_that_are_shown() -> None:
    log = stage(person("ann", 0, right="halberd", grip="one"), person("bea", 1, armour="metal"))
    for variant in view(log, "ann").variants["ann"]:
        for option in variant.options:
            for rating in (option.rating, *(against.rating for against in option.against)):
                assert rating is None or rating.total == sum(term.amount for term in rating.terms)
