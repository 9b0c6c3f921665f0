"""Nearest-neighbour search, exact and with a published tie-break: squared integer distance, then the lower key."""

from collections.abc import Callable, Iterable, Sequence

Point = tuple[int, int]
Entry = tuple[Point, str, int]  # place, key, number
Best = tuple[int, str, int]  # squared distance, key, number
LEAF = 8


class KdTree:
    """Entries at places; finding the nearest one takes about the logarithm of their number."""

    __slots__ = ("_tree",)

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._tree = _build(sorted(entries), 0)

    def nearest(self, place: Point, accept: Callable[[int], bool]) -> int | None:
        """The number of the nearest accepted entry; at equal distance, the lower key, then the lower number."""
        best = _search(self._tree, place, accept, None)
        return None if best is None else best[2]


class _Node:
    __slots__ = ("above", "at", "axis", "below")

    def __init__(self, axis: int, at: int, below: "_Node | list[Entry]", above: "_Node | list[Entry]") -> None:
        self.axis, self.at, self.below, self.above = axis, at, below, above


def _build(entries: Sequence[Entry], axis: int) -> _Node | list[Entry]:
    """Splits along x and y in turn; entries that share one place stay in one leaf, in the order of their keys."""
    if len(entries) <= LEAF or entries[0][0] == entries[-1][0]:
        return sorted(entries, key=lambda entry: (entry[1], entry[2]))
    ordered = sorted(entries, key=lambda entry: (entry[0][axis], entry[0], entry[1], entry[2]))
    if ordered[0][0][axis] == ordered[-1][0][axis]:
        axis = 1 - axis
        ordered.sort(key=lambda entry: (entry[0][axis], entry[0], entry[1], entry[2]))
    at = ordered[len(ordered) // 2][0][axis]
    if at == ordered[0][0][axis]:
        at = next(entry[0][axis] for entry in ordered if entry[0][axis] > at)
    cut = next(number for number, entry in enumerate(ordered) if entry[0][axis] >= at)
    return _Node(axis, at, _build(ordered[:cut], 1 - axis), _build(ordered[cut:], 1 - axis))


def _search(tree: _Node | list[Entry], place: Point, accept: Callable[[int], bool], best: Best | None) -> Best | None:
    if isinstance(tree, _Node):
        gap = place[tree.axis] - tree.at
        near, far = (tree.below, tree.above) if gap < 0 else (tree.above, tree.below)
        best = _search(near, place, accept, best)
        # The other half may hold an entry as near as the best with a lower key.
        if best is None or gap * gap <= best[0]:
            best = _search(far, place, accept, best)
        return best
    one_place = len(tree) > LEAF
    for point, key, number in tree:
        found = ((place[0] - point[0]) ** 2 + (place[1] - point[1]) ** 2, key, number)
        if (best is None or found < best) and accept(number):
            best = found
            if one_place:
                break
    return best
