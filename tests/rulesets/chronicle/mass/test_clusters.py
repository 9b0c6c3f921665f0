"""Clusters: EXM-11 and -12, and small random boards against all partitions into stars (CHR-CLU)."""

from functools import cache
from itertools import product
from math import prod
from random import Random
from time import process_time

import pytest

from app.rulesets.chronicle.mass.clusters import default, legal, only_one
from app.rulesets.chronicle.mass.engagement import Engagement, Minimality, engagement, matching
from app.rulesets.chronicle.mass.field import Barrier, Field
from app.rulesets.chronicle.mass.hexes import Hex, distance
from tests.rulesets.chronicle.mass.boards import random_field

Partition = frozenset[frozenset[str]]

MINIMALITIES: tuple[Minimality, ...] = ("max-clusters", "even", "most-1v1")
CHAIN = Engagement(
    {"A1": ("B1",), "A2": ("B1", "B2"), "A3": ("B2", "B3")},
    {"B1": ("A1", "A2"), "B2": ("A2", "A3"), "B3": ("A3",)},
)
TWO = Engagement({"A1": ("B1", "B2"), "A2": ("B2", "B3")}, {"B1": ("A1",), "B2": ("A1", "A2"), "B3": ("A2",)})


def test_a_chain_has_one_clustering() -> None:
    """EXM-11."""
    pairs = [("A1", "B1"), ("A2", "B2"), ("A3", "B3")]
    for minimality in MINIMALITIES:
        assert default(CHAIN, minimality) == pairs
        assert only_one(CHAIN, minimality) and legal(pairs, CHAIN, minimality) == []


def test_two_against_three_have_two_clusterings() -> None:
    """EXM-12."""
    for minimality in MINIMALITIES:
        assert not only_one(TWO, minimality)
        assert default(TWO, minimality) == [("A1", "B1"), ("A2", "B2", "B3")]
        assert legal([("A1", "B1", "B2"), ("A2", "B3")], TWO, minimality) == []


def test_nobody_is_engaged() -> None:
    nobody = engagement(Field(), {"A1": (0, 0)}, {"B1": (0, 5)})
    assert nobody == Engagement({}, {})
    for minimality in MINIMALITIES:
        assert default(nobody, minimality) == [] and only_one(nobody, minimality)
        assert legal([], nobody, minimality) == []


@pytest.mark.parametrize(
    ("clusters", "fault"),
    [
        ([("A1", "B1"), ("A2", "B2")], "B3 is in no cluster. Put it in one."),
        ([("A1", "B1", "C9"), ("A2", "B2", "B3")], "C9 is not engaged. Leave it out."),
        ([("A1", "B1", "B2"), ("A2", "B2", "B3")], "B2 is in two clusters. Leave it in one."),
        ([("A1", "A2", "B1", "B2", "B3")], "A1, A2, B1, B2 and B3 are two or more on both sides. Leave only one unit"),
        ([("A1",), ("A2", "B1", "B2", "B3")], "The cluster of A1 has no enemy. Put one in."),
        ([("A1", "B1", "B2"), ("A2", "B3"), ()], "A cluster is empty. Leave it out."),
        ([("A1", "B2", "B3"), ("A2", "B1")], "B3 is not adjacent to A1. Put it with an enemy next to it."),
    ],
)
def test_faults_in_words(clusters: list[tuple[str, ...]], fault: str) -> None:
    assert legal(clusters, TWO)[0].startswith(fault)


def test_faults_of_simplicity() -> None:
    """CHR-CLU-06 and its options: a star of two and a star of four, or twice three."""
    own = {"A1": ("B1", "B2"), "A2": ("B2", "B3", "B4")}
    graph = Engagement(own, {"B1": ("A1",), "B2": ("A1", "A2"), "B3": ("A2",), "B4": ("A2",)})
    even, uneven = [("A1", "B1", "B2"), ("A2", "B3", "B4")], [("A1", "B1"), ("A2", "B2", "B3", "B4")]
    assert legal(even, graph) == legal(uneven, graph) == []
    assert (legal(even, graph, "even"), legal(uneven, graph, "most-1v1")) == ([], [])
    assert legal(uneven, graph, "even") == ["A cluster has 4 units. Make none larger than 3."]
    assert legal(even, graph, "most-1v1") == ["There are 0 fights of one against one. Make 1."]
    assert [default(graph, minimality) for minimality in MINIMALITIES] == [uneven, even, uneven]
    assert [only_one(graph, minimality) for minimality in MINIMALITIES] == [False, True, True]


def test_fewer_clusters_than_possible() -> None:
    """Two stars of three, where three pairs are possible (CHR-CLU-02)."""
    own = {"A1": ("B1", "B3"), "A2": ("B1", "B2"), "A3": ("B3",)}
    graph = Engagement(own, {"B1": ("A1", "A2"), "B2": ("A2",), "B3": ("A1", "A3")})
    assert legal([("A2", "B1", "B2"), ("A1", "A3", "B3")], graph) == [
        "There are 2 clusters. Make 3: as simple as possible."
    ]
    assert legal([("A2", "B2"), ("A1", "B1"), ("A3", "B3")], graph) == []


def test_names_are_the_callers() -> None:
    assert legal([("A1", "B1"), ("A2", "B2")], TWO, name={"B3": "Bertil's bowmen"}.__getitem__) == [
        "Bertil's bowmen is in no cluster. Put it in one."
    ]


def test_extra_units_join_the_smallest_cluster() -> None:
    """Ledger 3.6: ties by id of the neighbour, one after the other, so that both get one."""
    own = {"A1": ("B1", "B3", "B4"), "A2": ("B2", "B3", "B4")}
    graph = Engagement(own, {"B1": ("A1",), "B2": ("A2",), "B3": ("A1", "A2"), "B4": ("A1", "A2")})
    assert default(graph) == [("A1", "B1", "B3"), ("A2", "B2", "B4")]


def test_a_hard_barrier_cuts_adjacency() -> None:
    """CHR-TER-11."""
    own, other = {"a1": (11, 5)}, {"b1": (11, 6), "b2": (11, 4)}
    assert engagement(Field(), own, other).own == {"a1": ("b1", "b2")}
    cut = engagement(Field(barriers=(Barrier("hard", (11, 5), (11, 6), True),)), own, other)
    assert cut == Engagement({"a1": ("b2",)}, {"b2": ("a1",)})


def _boards(count: int) -> list[Engagement]:
    """Crowded random boards with up to six units a side, barriers and all."""
    rng, found = Random(7), list[Engagement]()
    while len(found) < count:
        field = random_field(rng, 5, rng.choice((4, 5)), barriers=rng.randint(0, 12))
        units = rng.sample(list(field), rng.randint(4, 12))
        half = rng.randint(1, len(units) - 1)
        own, other = units[:half], units[half:]
        graph = engagement(field, {f"a{n}": h for n, h in enumerate(own)}, {f"b{n}": h for n, h in enumerate(other)})
        if graph.own and prod(map(len, graph.near.values())) <= 4_000:
            found.append(graph)
    return found


def _partitions(graph: Engagement) -> set[Partition]:
    """All partitions into stars: each unit holds on to one enemy, and those that hang together are a cluster."""
    near, found = graph.near, set[Partition]()
    for choice in product(*near.values()):
        hangs = dict(zip(near, choice, strict=True))
        group = {unit: frozenset((unit,)) for unit in near}
        for unit, enemy in hangs.items():
            joined = group[unit] | group[enemy]
            group |= dict.fromkeys(joined, joined)
        clusters = frozenset(group.values())
        if all(any(cluster - {lone} <= set(near[lone]) for lone in cluster) for cluster in clusters):
            found.add(clusters)
    return found


def _best(partitions: set[Partition], minimality: Minimality) -> set[Partition]:
    most = max(map(len, partitions))
    found = {one for one in partitions if len(one) == most}
    value = {
        "max-clusters": lambda one: 0,
        "even": lambda one: max(map(len, one)),
        "most-1v1": lambda one: -sum(len(cluster) == 2 for cluster in one),
    }[minimality]
    least = min(map(value, found))
    return {one for one in found if value(one) == least}


@cache
def _solved(count: int) -> list[tuple[Engagement, set[Partition]]]:
    return [(graph, _partitions(graph)) for graph in _boards(count)]


@pytest.mark.parametrize("minimality", MINIMALITIES)
def test_random_boards_against_all_partitions(minimality: Minimality) -> None:
    """What is legal, whether it is the only one, and that the default is legal."""
    several = 0
    for graph, partitions in _solved(600):
        best = _best(partitions, minimality)
        assert matching(graph.own) == max(map(len, partitions))
        assert {one for one in partitions if legal(one, graph, minimality) == []} == best
        assert only_one(graph, minimality) is (len(best) == 1)
        for sides in (graph, Engagement(graph.other, graph.own)):  # either side may be proactive
            chosen = default(sides, minimality)
            assert frozenset(map(frozenset, chosen)) in best
            assert sorted(unit for cluster in chosen for unit in cluster) == sorted(graph.near)
        several += len(best) > 1
    assert several > 40, "the boards leave a choice often enough"


@pytest.mark.parametrize("minimality", ["even", "most-1v1"])
def test_the_first_legal_clustering_is_the_default(minimality: Minimality) -> None:
    for graph, partitions in _solved(600):
        order = {unit: number for number, unit in enumerate(graph.near)}
        ranked = [
            sorted(sorted(order[unit] for unit in cluster) for cluster in one) for one in _best(partitions, minimality)
        ]
        first = min(ranked, key=lambda one: [(len(cluster), cluster) for cluster in one])
        assert [[order[unit] for unit in cluster] for cluster in default(graph, minimality)] == first


def test_the_default_pairs_by_id() -> None:
    """Ledger 3.6: of all maximum matchings the first, where an earlier unit rather has a partner than none."""
    for graph, _ in _solved(600):
        hosts = [(*enemies, "none") for enemies in graph.own.values()]
        matchings = [one for one in product(*hosts) if _apart(one) and _size(one) == matching(graph.own)]
        first = min(matchings, key=lambda one: [row.index(enemy) for row, enemy in zip(hosts, one, strict=True)])
        clusters = default(graph)
        for unit, enemy in zip(graph.own, first, strict=True):
            assert enemy == "none" or any({unit, enemy} <= set(cluster) for cluster in clusters)


def _size(partners: tuple[str, ...]) -> int:
    return sum(one != "none" for one in partners)


def _apart(partners: tuple[str, ...]) -> bool:
    return len({one for one in partners if one != "none"}) == _size(partners)


def test_foreign_proposals_are_refused_not_an_error() -> None:
    """Any grouping of units has faults or is one of the legal ones."""
    rng = Random(3)
    for graph, partitions in _solved(600)[:100]:
        best = {frozenset(one) for one in _best(partitions, "max-clusters")}
        for _ in range(20):
            groups = dict[int, list[str]]()
            for unit in graph.near:
                groups.setdefault(rng.randrange(len(graph.own)), []).append(unit)
            proposal = frozenset(map(frozenset, groups.values()))
            assert (legal(list(groups.values()), graph) == []) is (proposal in best)


@pytest.mark.parametrize("minimality", MINIMALITIES)
def test_crowded_boards_take_no_time(minimality: Minimality) -> None:
    """Nine against nine on 18 to 22 hexes in a lump."""
    rng, field, middle = Random(11), Field(), (11, 10)
    lump: list[Hex] = sorted(field, key=lambda hex: distance(hex, middle))[:22]
    for _ in range(6):
        units = rng.sample(lump, 18)
        graph = engagement(field, *({f"{n}": hex for n, hex in enumerate(units) if n % 2 == side} for side in (0, 1)))
        before = process_time()
        chosen = default(graph, minimality)
        only_one(graph, minimality)
        assert process_time() - before < 1  # the worst of thousands of such boards takes a tenth of that
        assert legal(chosen, graph, minimality) == []
