"""The board of a skirmish as numbers: zones as cards with their tokens, the boundaries between them, and lines."""

import math
from dataclasses import dataclass

from app.rulesets.skirmish.fight.state import State
from app.rulesets.skirmish.sheet.sheets import Zone
from app.rulesets.skirmish.view import field_plan as plan
from app.rulesets.skirmish.view.field_edges import Edge, edges
from app.rulesets.skirmish.view.field_plan import Box

HEAD = 30  # of a card, for a line of the zone's name
LINE = 19  # each further line of it
FOOT = 26  # for a zone's marks
SIZES = (100, 84, 70, 58)  # of a token in per cent, the largest that leaves room for all
LARGE = (2, 3, 4)  # how many of these sizes may be used; more only where the drawing would get too high
CELL = (66, 54)  # the room of a token at full size
NAME = 18  # below a token, for its name
BAR = 9  # and for its health
HEALTH = 16  # and below it, at full size, for its health in words
WIDEST = 100  # room for one token, at most
LETTER = 7.6  # the width of a letter of a token's name
PHONE = 366  # pixels of a small screen, over the whole width of the drawing
PHONE_LETTER = 6.1  # pixels of a letter there
FEWEST = 6  # letters there; with fewer, names stand in a list
TITLE_LETTER = 8.6  # and of a zone's
SHAPE = 1.45  # of the drawing, at least, if a larger width reaches that: width to height
FELL = frozenset({"dead", "out", "paralysed", "broken"})  # those who lie where they fell


@dataclass(frozen=True, slots=True)
class Mark:
    """A flag of a zone: its sign, a short word, and what it does, in words."""

    sign: str  # cover, smoke, slow, hazard, trapped, room
    short: str
    words: str


@dataclass(frozen=True, slots=True)
class Card:
    key: str
    name: tuple[str, ...]  # in lines
    x: int
    y: int
    wide: int
    high: int
    there: int  # able occupants
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Token:
    """A combatant: the middle of the token, its size in per cent, and its name as far as there is room."""

    key: str
    x: int
    y: int
    size: int
    label: str
    room: int  # to each side, in units
    name_y: int  # below the middle
    bar_y: int
    letters: int  # of a line of its name on a small screen
    short: str  # its name in so many letters
    crowded: bool  # there is no room for them
    wordy: bool  # there is room for its health in words
    down: bool


@dataclass(frozen=True, slots=True)
class Tie:
    """Two who are Close: a line between the rims of their tokens (SKI-12)."""

    a: str
    b: str
    foes: bool
    x1: int
    y1: int
    x2: int
    y2: int


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody tried on whom in the newest turn, as a line bent towards `cx, cy`, and what came of it."""

    number: int  # its place among the lines of the state
    who: str
    to: str
    what: str  # attack, gambit; guard: goes to a zone, "zone:<key>"
    result: str
    x1: int
    y1: int
    cx: int
    cy: int
    x2: int
    y2: int


@dataclass(frozen=True, slots=True)
class Picture:
    width: int
    height: int
    turn: int  # the turn whose lines are drawn; 0: none yet
    cards: tuple[Card, ...]
    edges: tuple[Edge, ...]
    tokens: tuple[Token, ...]
    ties: tuple[Tie, ...]
    lines: tuple[Line, ...]

    def token(self, key: str) -> Token | None:
        return next((token for token in self.tokens if token.key == key), None)


@dataclass(frozen=True, slots=True)
class _Grid:
    """How the tokens of a card stand: their size, the tokens in each row, and a cell's width and height."""

    size: int
    rows: tuple[tuple[str, ...], ...]
    wide: int
    high: int


@dataclass(frozen=True, slots=True)
class _Plan:
    """Where the cards are, and how tokens stand in them."""

    width: int
    height: int
    boxes: dict[str, Box]
    grids: dict[str, _Grid]


def draw(state: State) -> Picture:
    """The picture of a fight as a viewer knows it."""
    rows = plan.bands(plan.columns(state.zones, state.start_zone))
    there = {key: _knots(state, key) for key in state.zones}
    drawn = _best(state, rows, there)
    tokens = tuple(
        one
        for key, zone in state.zones.items()
        for one in _tokens(state, zone, drawn, PHONE_LETTER * drawn.width / PHONE)
    )
    spots = {token.key: token for token in tokens}
    return Picture(
        width=drawn.width,
        height=drawn.height,
        turn=state.now.turn,
        cards=tuple(_card(state, zone, drawn.boxes[zone.key]) for zone in state.zones.values()),
        edges=edges(state.zones, drawn.boxes),
        tokens=tokens,
        ties=tuple(_tie(state, spots[a], spots[b]) for a, b in state.close if a in spots and b in spots),
        lines=_lines(state, spots, drawn.boxes),
    )


def _best(state: State, rows: list[list[list[str]]], there: dict[str, list[list[str]]]) -> _Plan:
    """The plan with the largest tokens that is not too high for its width; the last one tried where all are."""
    drawn = _plan(state, rows, there, plan.WIDTHS[0], SIZES[:1])
    for count in LARGE:
        for width in plan.WIDTHS:
            drawn = _plan(state, rows, there, width, SIZES[:count])
            if drawn.width >= SHAPE * drawn.height:
                return drawn
    return drawn


def _plan(
    state: State, rows: list[list[list[str]]], there: dict[str, list[list[str]]], width: int, sizes: tuple[int, ...]
) -> _Plan:
    """The cards at a width of the drawing: those of a column share its height by how many stand in them."""
    wide = plan.card_width(max(len(band) for band in rows), width)
    tall = (plan.HIGH - plan.GAP * (len(rows) - 1)) // len(rows)
    grids: dict[str, _Grid] = {}
    needs: dict[str, int] = {}
    for column in (column for band in rows for column in band):
        weights = {zone: 2 + sum(len(knot) for knot in there[zone]) for zone in column}
        spare = tall - plan.GAP * (len(column) - 1)
        for zone in column:
            name, foot = _name_high(state.zones[zone], wide), _foot(state.zones[zone])
            share = spare * weights[zone] // sum(weights.values())
            grids[zone] = _grid(there[zone], wide, share - name - foot, sizes)
            needs[zone] = name + foot + _rows_high(grids[zone])
    boxes, high = plan.place(rows, needs, width)
    return _Plan(width, high, boxes, grids)


def marks(state: State, zone: Zone) -> tuple[Mark, ...]:
    """The flags of a zone in words (SKI-15, SKI-19, SKI-20, SKI-79)."""
    found = []
    if zone.most is not None:
        there = sum(c.zone == zone.key for c in state.present())
        found.append(Mark("room", f"{there}/{zone.most}", f"room for {zone.most}, {there} there now"))
    if zone.cover:
        found.append(Mark("cover", "cover", "cover: shots from other zones are impaired"))
    if zone.smoke:
        found.append(Mark("smoke", "smoke", "smoke: shots into, out of or through it are impaired"))
    if zone.slow:
        found.append(Mark("slow", "slow", "slow ground: leaving takes a full turn"))
    if zone.hazard is not None:
        it = zone.hazard
        die = "1" if it.die == 1 else f"d{it.die}"
        name = it.name or "danger"
        found.append(Mark("hazard", name, f"{name}: {die} to {it.to.upper()} at the end of each turn"))
    if zone.trapped:
        found.append(Mark("trapped", "no way out", "no safe way to retreat from here"))
    return tuple(found)


def _card(state: State, zone: Zone, box: Box) -> Card:
    there = sum(c.zone == zone.key for c in state.present())
    return Card(zone.key, _title(zone, box.wide), box.x, box.y, box.wide, box.high, there, marks(state, zone))


def _title(zone: Zone, wide: int) -> tuple[str, ...]:
    """The name in at most two lines that fit the card."""
    most = max(6, int((wide - 12) / TITLE_LETTER))
    lines = [""]
    for word in zone.name.split():
        joined = f"{lines[-1]} {word}".strip()
        if len(joined) <= most or not lines[-1]:
            lines[-1] = joined
        else:
            lines.append(word)
    lines = [line if len(line) <= most else f"{line[: most - 1]}…" for line in lines]
    return (lines[0],) if len(lines) == 1 else (lines[0], lines[1] if len(lines) == 2 else f"{lines[1][: most - 1]}…")


def _name_high(zone: Zone, wide: int) -> int:
    return HEAD + LINE * (len(_title(zone, wide)) - 1)


def _foot(zone: Zone) -> int:
    """The room for a zone's marks below its tokens."""
    flagged = zone.cover or zone.smoke or zone.slow or zone.trapped or zone.hazard is not None or zone.most is not None
    return FOOT if flagged else 8


def _knots(state: State, zone: str) -> list[list[str]]:
    """Those in a zone in knots: who are Close to each other stand together; the fallen come last."""
    here = [c for c in state.combatants.values() if c.zone == zone and (c.able or c.status in FELL)]
    keys = [c.key for c in here if c.able]
    beside = {key: [other for two in state.close if key in two for other in two if other != key] for key in keys}
    left = sorted(keys, key=lambda key: state.combatants[key].side != "company")
    knots: list[list[str]] = []
    while left:
        knot = _chain(left.pop(0), beside, left)
        knots.append(knot)
    fallen = [c.key for c in here if not c.able]
    return knots + [[key] for key in fallen]


def _chain(first: str, beside: dict[str, list[str]], left: list[str]) -> list[str]:
    """All that hang together with the first, each next to one it is Close to as far as a row allows."""
    knot, edge = [first], [first]
    while edge:
        at = edge.pop(0)
        for other in beside[at]:
            if other in left:
                left.remove(other)
                edge.append(other)
                knot.insert(knot.index(at) + (1 if len(knot) % 2 else 0), other)
    return knot


def _grid(knots: list[list[str]], wide: int, high: int, sizes: tuple[int, ...]) -> _Grid:
    """The largest tokens with which all fit in; the smallest where none does, and the card grows."""
    found = _Grid(SIZES[0], (), *CELL)
    for size in sizes:
        cell_high = CELL[1] * size // 100 + NAME + BAR + (HEALTH if size == SIZES[0] else 0)
        most = max(1, (wide - 10) // (CELL[0] * size // 100))
        for across in range(min(most, max(1, (wide - 10) // WIDEST)), most + 1):
            rows = _in_rows(knots, across)
            longest = max((len(row) for row in rows), default=1)
            found = _Grid(size, rows, min(WIDEST, (wide - 10) // longest), cell_high)
            if _rows_high(found) <= high:
                return found
    return found


def _rows_high(grid: _Grid) -> int:
    return max(1, len(grid.rows)) * grid.high + 4


def _in_rows(knots: list[list[str]], most: int) -> tuple[tuple[str, ...], ...]:
    """Rows of at most so many, as even as can be; a knot begins a new row where it would be cut."""
    count = sum(len(knot) for knot in knots)
    if not count:
        return ()
    even = -(-count // -(-count // most))
    rows: list[list[str]] = [[]]
    for knot in knots:
        if rows[-1] and len(rows[-1]) + len(knot) > max(even, 1):
            rows.append([])
        for key in knot:
            if len(rows[-1]) == most:
                rows.append([])
            rows[-1].append(key)
    return tuple(tuple(row) for row in rows if row)


def _tokens(state: State, zone: Zone, drawn: _Plan, phone_letter: float) -> list[Token]:
    grid, box = drawn.grids[zone.key], drawn.boxes[zone.key]
    found = []
    head, foot = _name_high(zone, box.wide), _foot(zone)
    top = box.y + head
    spare = max(0, box.high - head - foot - len(grid.rows) * grid.high) // (len(grid.rows) + 1)
    half = round(26 * grid.size / 100)
    for number, row in enumerate(grid.rows):
        y = top + spare + number * (grid.high + spare) + half + 2
        begin = box.x + (box.wide - len(row) * grid.wide) / 2
        wide = box.wide - 10 if len(row) == 1 else grid.wide  # of a name
        letters, on_phone = max(3, int((wide - 2) / LETTER)), max(3, int((wide - 2) / phone_letter))
        for place, key in enumerate(row):
            name = state.combatants[key].name
            found.append(
                Token(
                    key=key,
                    x=round(begin + (place + 0.5) * grid.wide),
                    y=y,
                    size=grid.size,
                    label=_label(name, letters),
                    room=grid.wide // 2,
                    name_y=half + 14,
                    bar_y=half + NAME + 3,
                    letters=on_phone,
                    short=_label(name, on_phone),
                    crowded=on_phone < min(FEWEST, len(name)),
                    wordy=grid.size == SIZES[0],
                    down=not state.combatants[key].able,
                )
            )
    return found


def _label(name: str, most: int) -> str:
    """A name in so many letters; a number at its end stays."""
    if len(name) <= most:
        return name
    head, _, last = name.rpartition(" ")
    if last.isdecimal() and len(last) < most - 2:
        return f"{head[: most - len(last) - 1].rstrip()}…{last}"
    return f"{name[: most - 1].rstrip()}…"


def _tie(state: State, a: Token, b: Token) -> Tie:
    foes = state.combatants[a.key].side != state.combatants[b.key].side
    return Tie(a.key, b.key, foes, *_rims(a, b, 19))


def _rims(a: Token, b: Token, room: int) -> tuple[int, int, int, int]:
    """A straight line between two tokens, from rim to rim."""
    long = math.dist((a.x, a.y), (b.x, b.y)) or 1
    dx, dy = (b.x - a.x) / long, (b.y - a.y) / long
    one, other = room * a.size / 100, room * b.size / 100
    return round(a.x + dx * one), round(a.y + dy * one), round(b.x - dx * other), round(b.y - dy * other)


def _lines(state: State, spots: dict[str, Token], boxes: dict[str, Box]) -> tuple[Line, ...]:
    """What was tried; before that what is declared. The second line between the same two has a wider bow."""
    found: list[Line] = []
    for number, (who, to, what, result) in enumerate(_tried(state) or _declared(state)):
        zone = boxes.get(to.removeprefix("zone:")) if to.startswith("zone:") else None
        if who not in spots or who == to or (zone is None and to not in spots):
            continue
        a = spots[who]
        x, y = zone.middle if zone else (spots[to].x, spots[to].y)
        nth = sum({one.who, one.to} == {who, to} for one in found)
        long = math.dist((a.x, a.y), (x, y)) or 1
        bow = min(46.0, 12 + long * 0.16) + 15 * nth
        cx, cy = (a.x + x) / 2 + (y - a.y) / long * bow, (a.y + y) / 2 - (x - a.x) / long * bow
        x1, y1 = _toward(a, cx, cy, 25)
        x2, y2 = (round(x), round(y)) if zone else _toward(spots[to], cx, cy, 28)
        found.append(Line(number, who, to, what, result, x1, y1, round(cx), round(cy), x2, y2))
    return tuple(found)


def _tried(state: State) -> list[tuple[str, str, str, str]]:
    return [(line.who, line.to, line.what, line.result) for line in state.now.lines]


def _declared(state: State) -> list[tuple[str, str, str, str]]:
    """Whom everybody goes for, as declared, while reactions or rulings are still awaited; else where to."""
    if state.phase not in ("rule", "order", "react"):
        return []
    found = []
    for who, declared in state.now.declared.items():
        aims = [deed for deed in declared.deeds if deed.target]
        goes = [deed for deed in declared.deeds if deed.zone and not deed.target]
        if aims:
            found.append((who, aims[0].target, "gambit" if aims[0].do == "gambit" else "attack", ""))
        elif goes and goes[-1].zone != state.combatants[who].zone:
            found.append((who, f"zone:{goes[-1].zone}", "guard", ""))
    return found


def _toward(token: Token, x: float, y: float, room: int) -> tuple[int, int]:
    long = math.dist((token.x, token.y), (x, y)) or 1
    share = room * token.size / 100 / long
    return round(token.x + (x - token.x) * share), round(token.y + (y - token.y) * share)
