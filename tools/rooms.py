"""Draws which room of `app` imports which, from the imports themselves, into docs/rooms.svg.

    python tools/rooms.py    write the picture; a test compares it with the code

A room is a folder of `app`. Each room is in a row above everything that it imports, and an arrow that follows from
other arrows is left out. Sizes come in three classes, so that an ordinary change leaves the picture as it is. Needs the
extra `test`.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import grimp

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "rooms.svg"

WORDS = {
    "web": "pages and forms",
    "ops": "server commands",
    "play": "table and calendar",
    "practice": "an opponent in duels",
    "table": "envelopes, reveal",
    "observability": "log and figures",
    "archive": "a campaign in a file",
    "almanac": "date, entries, time",
    "campaign": "people and sheets",
    "calendar": "counting of days",
    "receipts": "seals, luck, checks",
    "casefiles": "cases to play",
    "foreign": "files of others",
    "crypto": "encryption at rest",
    "db": "Postgres, lock order",
    "rulesets": "one folder a game",
    "models": "every table",
    "engine": "what rulesets share",
}

MANY_LINES = (600, 6_000)
MANY_IMPORTS = (10, 50)

BOX_WIDTH, BOX_HEIGHT, GAP, ROW, MARGIN = 164, 54, 18, 102, 24
BEND_WIDTH = 30  # the width that an arrow takes where it passes a row

Arrow = tuple[str, str]
Cost = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Rooms:
    """The folders of `app` with their lines, and the number of imports from one to another."""

    lines: Mapping[str, int]
    imports: Mapping[Arrow, int]


class Place(NamedTuple):
    """Something in a row: a room, or the bend of an arrow that passes the row."""

    name: str
    bend: int = 0  # 0: the room itself


def look(root: Path = ROOT) -> Rooms:
    """Reads the rooms from the code."""
    graph = grimp.build_graph("app", cache_dir=None)
    names = sorted(name.removeprefix("app.") for name in graph.find_children("app") if graph.find_children(name))
    lines = {
        name: sum(len(path.read_text(encoding="utf-8").splitlines()) for path in (root / "app" / name).rglob("*.py"))
        for name in names
    }
    imports = Counter[Arrow]()
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            arrow = (_room(module), _room(imported))
            if arrow[0] != arrow[1] and set(arrow) <= set(names):
                imports[arrow] += 1
    return Rooms(lines, imports)


def _room(module: str) -> str:
    return module.partition(".")[2].partition(".")[0]


def needed(arrows: Iterable[Arrow]) -> list[Arrow]:
    """Returns the arrows that do not follow from others. Raises CycleError where imports form a circle."""
    arrows = sorted(arrows)
    below: dict[str, set[str]] = {}
    for above, name in arrows:
        below.setdefault(above, set()).add(name)
    TopologicalSorter(below).prepare()  # a circle has no rows; the error names its rooms

    def reached(name: str) -> set[str]:
        return {name}.union(*(reached(next_one) for next_one in below.get(name, ())))

    return [
        (above, name)
        for above, name in arrows
        if not any(name in reached(other) for other in below[above] if other != name)
    ]


def rows_of(names: Iterable[str], arrows: Sequence[Arrow]) -> dict[str, int]:
    """Returns the row of each room, 0 at the bottom: below all that import it, and as high as that allows."""
    importers = {name: [above for above, below in arrows if below == name] for name in names}
    imported = {name: [below for above, below in arrows if above == name] for name in importers}

    def height(name: str) -> int:
        return 1 + max((height(below) for below in imported[name]), default=-1)

    def row(name: str) -> int:
        return min((row(above) for above in importers[name]), default=height(name) + 1) - 1

    top = max(map(height, importers))
    return {name: row(name) if importers[name] else height(name) if imported[name] else top for name in importers}


def in_order(rows: Mapping[str, int], arrows: Sequence[Arrow]) -> tuple[list[list[Place]], list[list[Place]]]:
    """Returns the rows from the top, each in the order in which fewest arrows cross, and the way of each arrow."""
    top = max(rows.values())
    order: list[list[Place]] = [sorted(Place(name) for name in rows if rows[name] == top - n) for n in range(top + 1)]
    ways = list[list[Place]]()
    for number, (above, below) in enumerate(arrows, start=1):
        bends = {n: Place(f"{above}-{below}", number) for n in range(top - rows[above] + 1, top - rows[below])}
        for n, bend in bends.items():
            order[n].append(bend)
        ways.append([Place(above), *bends.values(), Place(below)])
    links = sorted({
        (top - rows[way[0].name] + step, *pair) for way in ways for step, pair in enumerate(itertools.pairwise(way))
    })  # fmt: skip
    best: dict[tuple[Place, ...], tuple[Cost, list[list[Place]]]] = {
        tried: ((0, 0), [list(tried)]) for tried in itertools.permutations(order[0])
    }
    for n, row in enumerate(order[1:]):
        tied = [(above, below) for at, above, below in links if at == n]
        best = {
            tried: min(
                (
                    (_sum(cost, _cost(above, tried, tied)), [*before, list(tried)])
                    for above, (cost, before) in best.items()
                )
            )
            for tried in itertools.permutations(row)
        }
    return min(best.values())[1], ways


def _sum(one: Cost, other: Cost) -> Cost:
    return one[0] + other[0], one[1] + other[1]


def _cost(above: Sequence[Place], below: Sequence[Place], tied: Sequence[tuple[Place, Place]]) -> Cost:
    """Returns how many pairs of arrows cross between two rows, and how far from straight they run."""
    high = {place: 2 * n - len(above) for n, place in enumerate(above)}
    low = {place: 2 * n - len(below) for n, place in enumerate(below)}
    ends = [(high[one], low[other]) for one, other in tied]
    crossed = sum((a - c) * (b - d) < 0 for (a, b), (c, d) in itertools.combinations(ends, 2))
    return crossed, sum(abs(a - b) for a, b in ends)


def centres(order: Sequence[Sequence[Place]], ways: Sequence[Sequence[Place]]) -> dict[tuple[int, Place], int]:
    """Returns the horizontal centre of each room and bend: near those it is tied to, without overlaps."""
    row_of = {place: n for n, row in enumerate(order) for place in row if not place.bend}
    near: dict[tuple[int, Place], list[tuple[int, Place]]] = {}
    for way in ways:
        steps = [(row_of[way[0]] + n, place) for n, place in enumerate(way)]
        for above, below in itertools.pairwise(steps):
            firm = 4 if above[1].bend and below[1].bend else 1  # a long arrow runs straight between its ends
            near.setdefault(above, []).extend([below] * firm)
            near.setdefault(below, []).extend([above] * firm)
    at = dict[tuple[int, Place], float]()
    for n, row in enumerate(order):
        at |= {(n, place): x for place, x in zip(row, _apart(row, [0.0] * len(row)), strict=True)}
    for _ in range(40):
        for n, row in enumerate(order):
            wanted = [
                sum(at[one] for one in near[n, place]) / len(near[n, place]) if (n, place) in near else at[n, place]
                for place in row
            ]
            at |= {(n, place): x for place, x in zip(row, _apart(row, wanted), strict=True)}
    left = min(x - _width(place) / 2 for (_, place), x in at.items())
    return {key: round(x - left + MARGIN) for key, x in at.items()}


def _width(place: Place) -> int:
    return BEND_WIDTH if place.bend else BOX_WIDTH


def _apart(row: Sequence[Place], wanted: Sequence[float]) -> list[float]:
    """Returns centres as near to the wanted ones as widths allow: places that would overlap move as one block."""
    offsets = [0.0]
    for one, other in itertools.pairwise(row):
        offsets.append(offsets[-1] + (_width(one) + _width(other)) / 2 + GAP)
    blocks = list[tuple[float, int]]()  # the mean of its members' wishes, and their number
    for x, offset in zip(wanted, offsets, strict=True):
        mean, count = x - offset, 1
        while blocks and blocks[-1][0] > mean:
            other, more = blocks.pop()
            mean, count = (mean * count + other * more) / (count + more), count + more
        blocks.append((mean, count))
    return [
        mean + offset for mean, offset in zip((m for m, count in blocks for _ in range(count)), offsets, strict=True)
    ]


def draw(rooms: Rooms) -> str:
    """Returns the picture as SVG; the same rooms give the same text."""
    arrows = needed(rooms.imports)
    rows = rows_of(rooms.lines, arrows)
    order, ways = in_order(rows, arrows)
    at = centres(order, ways)
    row_of = {place.name: n for n, row in enumerate(order) for place in row if not place.bend}
    width = max(x + _width(place) // 2 for (_, place), x in at.items()) + MARGIN
    height = MARGIN + ROW * (len(order) - 1) + BOX_HEIGHT + 78
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" font-family="system-ui, sans-serif">',
        "<title>The rooms of app: each imports only what lies below it</title>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" '
        'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 8 4 0 8z" fill="#5b6472"/></marker></defs>',
        f'<rect width="{width}" height="{height}" rx="10" fill="#fbfaf7"/>',
    ]
    ports = _ports(ways, at, row_of)
    for number, way in enumerate(ways):
        thick = (1.2, 2.2, 4)[_class(rooms.imports[arrows[number]], MANY_IMPORTS)]
        path = _path(way, number, at, row_of, ports)
        parts.append(f'<path d="{path}" fill="none" stroke="#5b6472" stroke-width="{thick}" marker-end="url(#head)"/>')
    for n, row in enumerate(order):
        parts += [_box(place.name, at[n, place], _y(n), rooms) for place in row if not place.bend]
    parts += [
        f'<text x="{MARGIN}" y="{height - MARGIN - 18 + 20 * n}" font-size="14" fill="#3d4553">{escape(line)}</text>'
        for n, line in enumerate(_LEGEND)
    ]
    return "\n".join([*parts, "</svg>", ""])


_LEGEND = (
    "An arrow leads from a room to a room that it imports; arrows that follow from others are left out.",
    f"Thin, middle, thick: rooms under {MANY_LINES[0]:,} lines, under {MANY_LINES[1]:,}, and more; "
    f"arrows for under {MANY_IMPORTS[0]} imports, under {MANY_IMPORTS[1]}, and more.",
)


def _class(number: int, bounds: tuple[int, int]) -> int:
    return sum(number >= bound for bound in bounds)


def _y(row: int) -> int:
    return MARGIN + ROW * row


def _box(name: str, middle: int, top: int, rooms: Rooms) -> str:
    thick = (1, 2, 4)[_class(rooms.lines[name], MANY_LINES)]
    left = middle - BOX_WIDTH // 2
    return (
        f'<rect x="{left}" y="{top}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="8" fill="#ffffff" '
        f'stroke="#8c2f39" stroke-width="{thick}"/>'
        f'<text x="{middle}" y="{top + 23}" font-size="17" font-weight="600" text-anchor="middle" fill="#1d2330">'
        f"{escape(name)}</text>"
        f'<text x="{middle}" y="{top + 42}" font-size="14" text-anchor="middle" fill="#3d4553">'
        f"{escape(WORDS.get(name, ''))}</text>"
    )


def _ports(
    ways: Sequence[Sequence[Place]], at: Mapping[tuple[int, Place], int], row_of: Mapping[str, int]
) -> dict[tuple[int, str], int]:
    """Returns where on the edge of its room each arrow begins ("out") and ends ("in"); no two share a place."""
    found = dict[tuple[int, str], int]()
    for name, row in row_of.items():
        for side in ("out", "in"):
            end, step = (0, 1) if side == "out" else (-1, -1)
            mine = sorted((at[row + step, way[end + step]], n) for n, way in enumerate(ways) if way[end] == Place(name))
            for place, (_, n) in enumerate(mine):
                found[n, side] = at[row, Place(name)] + round((place - (len(mine) - 1) / 2) * 26)
    return found


def _path(
    way: Sequence[Place],
    number: int,
    at: Mapping[tuple[int, Place], int],
    row_of: Mapping[str, int],
    ports: Mapping[tuple[int, str], int],
) -> str:
    first = row_of[way[0].name]
    x, y = ports[number, "out"], _y(first) + BOX_HEIGHT
    path = f"M{x} {y}"
    for row, place in enumerate(way[1:], start=first + 1):
        to_x = at[row, place] if place.bend else ports[number, "in"]
        to_y = _y(row)
        path += f" C{x} {(y + to_y) // 2} {to_x} {(y + to_y) // 2} {to_x} {to_y}"
        if place.bend:
            path += f" V{to_y + BOX_HEIGHT}"
        x, y = to_x, to_y + BOX_HEIGHT
    return path


if __name__ == "__main__":
    PICTURE.write_text(draw(look()), encoding="utf-8")
