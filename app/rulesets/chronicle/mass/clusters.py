"""Clusters of engaged units: the default, and what is wrong with a proposal (CHR-CLU)."""

from collections import Counter
from collections.abc import Callable, Collection

from app.engine.sentences import and_list
from app.rulesets.chronicle.mass.engagement import Cluster, Engagement, Minimality, matching, search


def default(graph: Engagement, minimality: Minimality = "max-clusters") -> list[Cluster]:
    """The clustering for a proactive side that chooses none.

    For `max-clusters` it pairs units by id as far as possible, and each unit left joins the smallest cluster around an
    enemy next to it. For the other options it is the first legal one: the first unit by id, the proactive side's before
    the other's, is in the smallest cluster that any legal clustering has for it, of several in the one with the first
    members by id; then likewise the first unit left, and so on.
    """
    if minimality != "max-clusters":
        return list(search(graph, minimality).first)
    clusters = {unit: pair for pair in _pairs(graph) for unit in pair}
    near = graph.near
    for unit in [unit for unit in near if unit not in clusters]:
        host = min((enemy for enemy in near[unit] if enemy in clusters), key=lambda enemy: len(clusters[enemy]))
        grown = (*clusters[host], unit)
        clusters |= dict.fromkeys(grown, grown)
    return list(dict.fromkeys(tuple(unit for unit in near if unit in clusters[first]) for first in near))


def _pairs(graph: Engagement) -> list[Cluster]:
    """The pairs that the default clustering grows from: the first maximum matching by id."""
    most, pairs, taken = matching(graph.own), list[Cluster](), set[str]()
    units = list(graph.own)
    for number, unit in enumerate(units, 1):
        for enemy in graph.own[unit]:
            rest = {later: set(graph.own[later]) - taken - {enemy} for later in units[number:]}
            if enemy not in taken and len(pairs) + 1 + matching(rest) == most:
                pairs.append((unit, enemy))
                taken.add(enemy)
                break
    return pairs


def only_one(graph: Engagement, minimality: Minimality = "max-clusters") -> bool:
    """Whether just one clustering is legal, so that nobody has to choose (step F6)."""
    return search(graph, minimality).ways == 1


def legal(
    clusters: Collection[Collection[str]],
    graph: Engagement,
    minimality: Minimality = "max-clusters",
    name: Callable[[str], str] = str,
) -> list[str]:
    """What is wrong with a clustering, as sentences that name units by `name`; empty if it is legal (CHR-CLU)."""
    near = graph.near
    count = Counter(unit for cluster in clusters for unit in cluster)
    faults = [f"{name(unit)} is not engaged. Leave it out." for unit in count if unit not in near]
    faults += [f"{name(unit)} is in no cluster. Put it in one." for unit in near if not count[unit]]
    faults += [f"{name(unit)} is in two clusters. Leave it in one." for unit, often in count.items() if often > 1]
    if not faults:
        faults = [fault for cluster in clusters if (fault := _star_fault(graph, cluster, name))]
    return faults or _simplicity(clusters, graph, minimality)


def _star_fault(graph: Engagement, cluster: Collection[str], name: Callable[[str], str]) -> str:
    """What is wrong with one cluster: one unit against one or more that are all adjacent to it (CHR-CLU-03, -05)."""
    sides = [unit for unit in cluster if unit in graph.own], [unit for unit in cluster if unit in graph.other]
    names = and_list(name(unit) for unit in cluster)
    if not all(sides):
        return f"The cluster of {names} has no enemy. Put one in." if cluster else "A cluster is empty. Leave it out."
    (lone, *more), many = sorted(sides, key=len)
    if more:
        return f"{names} are two or more on both sides. Leave only one unit on one side."
    far = next((unit for unit in many if unit not in graph.near[lone]), None)
    return f"{name(far)} is not adjacent to {name(lone)}. Put it with an enemy next to it." if far else ""


def simplest(graph: Engagement, minimality: Minimality = "max-clusters") -> tuple[int, int, int]:
    """What makes a clustering as simple as possible: the fewest clusters that it may have, the most units of a cluster,
    and the fewest fights of one against one (CHR-CLU-06).
    """
    most, first = matching(graph.own), () if minimality == "max-clusters" else default(graph, minimality)
    largest = max(map(len, first), default=0) if minimality == "even" else len(graph.near)
    return most, largest, sum(len(cluster) == 2 for cluster in first) if minimality == "most-1v1" else 0


def _simplicity(clusters: Collection[Collection[str]], graph: Engagement, minimality: Minimality) -> list[str]:
    """Whether clusters that are otherwise legal are as simple as possible (CHR-CLU-02, -06)."""
    most, largest, pairs = simplest(graph, minimality)
    sizes = [len(cluster) for cluster in clusters]
    if len(clusters) < most:
        return [f"There are {len(clusters)} clusters. Make {most}: as simple as possible."]
    if max(sizes, default=0) > largest:
        return [f"A cluster has {max(sizes)} units. Make none larger than {largest}."]
    if sizes.count(2) < pairs:
        return [f"There are {sizes.count(2)} fights of one against one. Make {pairs}."]
    return []
