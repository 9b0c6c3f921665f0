"""The engagement graph of adjacent enemies, and the best ways to divide it into clusters (CHR-CLU-01, -06)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations
from typing import Literal

from app.engine.frozen import frozen
from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.hexes import Hex

Cluster = tuple[str, ...]  # ids of units, the proactive side's first
Minimality = Literal["max-clusters", "even", "most-1v1"]
Near = Mapping[str, Collection[str]]


@frozen()
class Engagement:
    """The engaged units of the proactive side and of the other, each with its adjacent enemies, in order of id."""

    own: dict[str, tuple[str, ...]]
    other: dict[str, tuple[str, ...]]

    @property
    def near(self) -> dict[str, tuple[str, ...]]:
        return self.own | self.other


def engagement(field: Field, own: Mapping[str, Hex], other: Mapping[str, Hex]) -> Engagement:
    """The engagement graph of units on their hexes, given in order of id (CHR-CLU-01)."""
    ours, theirs, taken = dict[str, Cluster](), dict[str, Cluster](), set(other.values())
    for unit, hex in own.items():
        if touched := taken.intersection(field.touching[hex]):
            ours[unit] = tuple(enemy for enemy, there in other.items() if there in touched)
            theirs |= {enemy: (*theirs.get(enemy, ()), unit) for enemy in ours[unit]}
    return Engagement(ours, {enemy: theirs[enemy] for enemy in other if enemy in theirs})


def matching(near: Near) -> int:
    """The size of a maximum matching of some units with the enemies near them."""
    partner = dict[str, str]()

    def finds(unit: str, tried: set[str]) -> bool:
        for enemy in near[unit]:
            if enemy not in tried:
                tried.add(enemy)
                if enemy not in partner or finds(partner[enemy], tried):
                    partner[enemy] = unit
                    return True
        return False

    return sum(finds(unit, set()) for unit in near)


@frozen()
class Best:
    """The best clusterings of some units: how many clusters, how many of them count as fights of 1 v 1, the number of
    such clusterings (0: there is none), and the first of them."""

    score: tuple[int, int]
    ways: int
    first: tuple[Cluster, ...]


def search(graph: Engagement, minimality: Minimality) -> Best:
    """The legal clusterings by the setting, with all units of the engagement graph."""
    count = len(graph.near)
    best = _best(graph, count, pairs=minimality == "most-1v1")
    if minimality != "even":
        return best
    sizes = (_best(graph, size, pairs=False) for size in range(-(-count // max(best.score[0], 1)), count + 1))
    return next((one for one in sizes if one.score == best.score), best)


def _best(graph: Engagement, largest: int, *, pairs: bool) -> Best:
    """The clusterings with the most clusters, none of more than `largest` units; of them those with the most `pairs`.

    There are as many clusters as a maximum matching has pairs (CHR-CLU-06), which leaves few of them to try.
    """
    near = graph.near
    order = {unit: number for number, unit in enumerate(near)}

    @cache
    def most(rest: frozenset[str]) -> int:
        return matching({unit: rest.intersection(near[unit]) for unit in graph.own if unit in rest})

    @cache
    def best(rest: frozenset[str]) -> Best:
        if not rest:
            return Best((0, 0), 1, ())
        found, pairs_left = Best((0, 0), 0, ()), most(rest)
        for star in _stars(near, order, rest, min(largest, 2 + len(rest) - 2 * pairs_left)):
            left = rest.difference(star)
            if most(left) + 1 < pairs_left:
                continue
            then = best(left)
            score = (then.score[0] + 1, then.score[1] + (pairs and len(star) == 2))
            if then.ways and score > found.score:
                found = Best(score, then.ways, (star, *then.first))
            elif then.ways and score == found.score:
                found = Best(score, found.ways + then.ways, found.first)
        return found

    return best(frozenset(near))


def _stars(near: Near, order: Mapping[str, int], rest: frozenset[str], largest: int) -> list[Cluster]:
    """The clusters that the first unit left can be in, smallest first, then by the ids of their members."""
    unit = min(rest, key=order.__getitem__)
    enemies = [enemy for enemy in near[unit] if enemy in rest]
    found = {frozenset((unit, *many)) for many in _some(enemies, largest - 1)}
    for enemy in enemies:
        others = [other for other in near[enemy] if other in rest and other != unit]
        found |= {frozenset((unit, enemy, *many)) for many in _some(others, largest - 2)}
    stars = [tuple(sorted(star, key=order.__getitem__)) for star in found]
    return sorted(stars, key=lambda star: (len(star), [order[one] for one in star]))


def _some(units: Sequence[str], most: int) -> Iterator[Cluster]:
    """All choices of at least one unit."""
    return chain.from_iterable(combinations(units, count) for count in range(1, min(most, len(units)) + 1))
