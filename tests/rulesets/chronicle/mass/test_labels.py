"""Chances on the field cover neither each other nor a unit, however crowded it is."""

from random import Random

from app.engine.ruleset import SPECTATOR
from app.rulesets.chronicle.mass import MASS, labels, picture
from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.hexes import spell
from app.rulesets.chronicle.mass.view import View
from tests.rulesets.chronicle.mass.stage import stage

Box = tuple[float, float, float, float]


def box(middle: tuple[int, int], wide: int, high: int) -> Box:
    x, y = middle
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def cover(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def crowd(rng: Random, rows: int, columns: int) -> View:
    """Up to eighteen units on as few hexes as hold them."""
    ground = Field(rows, columns)
    hexes = rng.sample(list(ground), min(len(list(ground)), rng.randint(4, 18)))
    keys = [f"{side}{number}" for number in range(1, 10) for side in "ab"]
    units = {key: f"{rng.choice(['LI', 'HC', 'PK', 'BW'])} {spell(hex)}" for key, hex in zip(keys, hexes, strict=False)}
    return MASS.view(stage(units, "order", ground=ground).state, SPECTATOR)


def test_no_label_covers_another_one_or_a_unit() -> None:
    rng, most = Random(42), 0
    for turn in range(300):
        view = crowd(rng, *rng.choice([(4, 5), (5, 5), (6, 8), (12, 12)]))
        clashes = view.clashes
        odds = view.labelled(clashes)
        assert [one.keys for one in odds] == [clash.keys for clash in clashes]
        boxes = [box(one.at, labels.WIDE, labels.HIGH) for one in odds]
        pairs = [(n, m) for n, one in enumerate(boxes) for m, other in enumerate(boxes[:n]) if cover(one, other)]
        assert not pairs, (turn, pairs)
        counters = [box(spot, 26, 26) for spot in view.spots.values()]
        assert not [one for one in boxes for counter in counters if cover(one, counter)], turn
        assert odds == view.labelled(clashes)
        most = max(most, len(odds))
    assert most >= 7


def test_a_label_of_a_lone_fight_is_beside_it() -> None:
    view = MASS.view(stage({"a1": "PK L6", "b1": "HC L7"}, "order", ground=Field()).state, SPECTATOR)
    (one,) = view.labelled(view.clashes)
    middles = [picture.centre(hex) for hex in view.battle.hexes().values()]
    assert all(abs(one.at[0] - x) + abs(one.at[1] - y) < 60 for x, y in middles)
    assert one.chance == view.clashes[0].chance
