"""Wax seals and tokens as SVG, drawn from a hash: same hash, same seal, on every page, in print and when verifying.

Uses only presentation attributes and classes, so that a strict CSP allows it and the page's style sheet colours it.
The length of a drawing never depends on the hash: the number of points and marks is fixed, all numbers have one width,
and the parts that vary (the number of notches, the size of beads) are written in numbers of the same width.
"""

import functools
import hashlib
import math
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Literal

from markupsafe import Markup

from app.web.drawing.page_fragments import named_by_hash

Face = Literal["awaited", "draft", "sealed", "taken", "opened", "absent", "hidden"]

SIDES = {
    "a": ("circle", "teal"),
    "b": ("diamond", "oxblood"),
    "c": ("square", "moss"),
    "d": ("triangle", "slate"),
    "gm": ("circle", "gold"),
}
"""Side letter -> shape and colour; CSS classes side-a, side-b, … carry the colour."""

POINTS = 72  # around the rim
BEADS = 24  # around the press, each large or small
CRACK = ((33.5, 9.0), (29.4, 17.2), (35.8, 26.1), (28.6, 35.3), (34.9, 44.2), (30.2, 54.6))
_TOP, _BOTTOM = POINTS * 3 // 4, POINTS // 4  # the rim's points at which a seal breaks

_SAID = {
    "awaited": "has not sealed yet",
    "draft": "has a draft, not sealed",
    "sealed": "has sealed",
    "taken": "took the seal back",
    "opened": "has been opened",
    "absent": "did not answer",
    "hidden": "is asked, sealed or not",
}

Point = tuple[float, float]


def initials(name: str, most: int = 2) -> str:
    """One or two letters for a name: "Alice" -> "Al", "Axe goblin" -> "Ag", "GM" -> "GM"."""
    words = [word for word in name.replace("-", " ").split() if word and unicodedata.category(word[0])[0] in "LN"]
    if not words:
        return "?"
    if len(words) == 1 or most == 1:
        head = words[0][:most]
        return head if head.isupper() else head.capitalize()
    return (words[0][0] + words[-1][0]).capitalize()


@functools.lru_cache(maxsize=4096)
def seal(name: str, face: Face, digest: str | None = None, side: str = "a", size: int = 64) -> Markup:
    """The seal of one seat, shaped by `digest` (hex, 16 bytes or more), or by the name if there is none.

    A screen reader hears "Alice has sealed". Side names are those of `SIDES`; `size` is in CSS pixels.
    """
    letters = initials(name)
    raw = hashlib.sha256(bytes.fromhex(digest) if digest else name.encode()).digest()
    if face == "opened":
        body = _opened(raw, letters)
    else:
        body = _whole(raw, letters) if face == "sealed" else _ring(face, letters)
    return Markup(
        '<svg class="seal seal-{} side-{}" viewBox="0 0 64 64" width="{}" height="{}" role="img"'
        ' aria-label="{}"{}>{}</svg>'
    ).format(face, side, size, size, f"{name} {_SAID[face]}", named_by_hash(body) if digest else "", body)


@functools.lru_cache(maxsize=4096)
def envelope(name: str, face: Face, digest: str | None = None, side: str = "a", width: int = 96) -> Markup:
    """A seat's envelope on the table with its seal: closed when sealed, open when opened, else an outline."""
    paper = {
        "sealed": '<path class="paper" d="M8 22h104v66h-104z"/><path class="fold" d="M8 88 46 51M112 88 74 51"/>'
        '<path class="flap" d="M8 22 60 64 112 22z"/>',
        "opened": '<path class="flap is-up" d="M8 24 60 2 112 24z"/><path class="sheet" d="M18 12h84v40h-84z"/>'
        '<path class="paper" d="M8 24 60 60 112 24v64h-104z"/><path class="fold" d="M8 88 46 51M112 88 74 51"/>',
    }.get(face, '<path class="outline" d="M8 22h104v66h-104z"/><path class="outline" d="M8 22 60 64 112 22"/>')
    return Markup('<svg class="envelope is-{}" viewBox="0 0 120 92" width="{}" height="{}">{}{}</svg>').format(
        face, width, round(width * 92 / 120), Markup(paper), _placed(seal(name, face, digest, side, 52))
    )


def _placed(drawing: Markup) -> Markup:
    return Markup(str(drawing).replace("<svg ", '<svg x="34" y="29" ', 1))


@functools.lru_cache(maxsize=4096)
def token(name: str, side: str, *, down: bool = False) -> Markup:
    """A character's token as an SVG group around the origin: the side's shape and the initials."""
    shape = SIDES.get(side, SIDES["d"])[0]
    drawn = {
        "circle": '<circle r="21"/>',
        "diamond": '<path d="M0-26 26 0 0 26-26 0z"/>',
        "square": '<path d="M-19-19h38v38h-38z"/>',
        "triangle": '<path d="M0-27 27 18h-54z"/>',
    }[shape]
    return Markup('<g class="token side-{}{}">{}<text y="6">{}</text></g>').format(
        side, " is-down" if down else "", Markup(drawn), initials(name)
    )


def _ring(face: str, letters: str) -> Markup:
    """The place of a missing seal: a ring with letters, an empty one (taken back), or a struck one (absent)."""
    inner = {"taken": Markup(""), "absent": Markup('<path class="stroke" d="M20 32h24"/>')}.get(
        face, Markup('<text x="32" y="38.6">{}</text>').format(letters)
    )
    return Markup('<circle class="ring" cx="32" cy="32" r="26"/>{}').format(inner)


@functools.lru_cache(maxsize=4096)
def _whole(raw: bytes, letters: str) -> Markup:
    """A whole seal: a rim, notches and beads from the hash, and the letters."""
    large, small = _beads(raw, range(BEADS))
    return Markup(
        '<path class="wax" d="{}"/><path class="gleam" d="{}"/><path class="dusk" d="{}"/>'
        '<circle class="press" cx="32" cy="32" r="21"/><path class="cut" d="{}"/><path class="lit" d="{}"/>'
        '<circle class="notches" cx="32" cy="32" r="18.6" pathLength="360"'
        ' stroke-dasharray="{}" transform="rotate({} 32 32)"/>'
        '<path class="bead" d="{}"/><path class="bead bead-small" d="{}"/>'
        '<text class="letters-lit" x="32" y="39.2">{}</text><text class="letters" x="32" y="38.4">{}</text>'
    ).format(
        _closed(_rim(raw)),
        _arc(25.2, 196, 252) + _arc(25.2, 260, 268),
        _arc(25.6, 18, 74),
        _arc(21, 168, 282),
        _arc(21, -12, 102),
        _notches(raw),
        _fine(raw[1] * 360 / 256),
        large,
        small,
        letters,
        letters,
    )


def _opened(raw: bytes, letters: str) -> Markup:
    """The same seal broken in two along a crack, one letter on each half."""
    rim = _rim(raw)
    left = rim[_BOTTOM : _TOP + 1]
    right = rim[_TOP:] + rim[: _BOTTOM + 1]
    quarter = BEADS // 4
    return _half("left", raw, left, CRACK, range(quarter + 1, 3 * quarter), letters[:1]) + _half(
        "right", raw, right, CRACK[::-1], (*range(3 * quarter + 1, BEADS), *range(quarter)), letters[1:]
    )


def _half(
    which: str, raw: bytes, rim: Sequence[Point], crack: Sequence[Point], beads: Iterable[int], letter: str
) -> Markup:
    large, small = _beads(raw, beads)
    sign = -1 if which == "left" else 1
    start, end = (112, 248) if which == "left" else (-68, 68)
    return Markup(
        '<g class="half half-{}" transform="translate({} {}) rotate({} 32 32)"><path class="wax" d="{}"/>'
        '<path class="{}" d="{}"/><path class="{}" d="{}"/><path class="bead" d="{}"/>'
        '<path class="bead bead-small" d="{}"/><text class="letters" x="{}" y="38.4">{}</text></g>'
    ).format(
        which,
        sign * 3,
        0.8 if sign < 0 else -0.4,
        sign * 5,
        _closed([*rim, *crack]),
        "gleam" if sign < 0 else "dusk",
        _arc(25.2, 196, 244) if sign < 0 else _arc(25.6, 18, 66),
        "cut" if sign < 0 else "lit",
        _arc(21, start, end),
        large,
        small,
        32 + sign * 7,
        letter,
    )


def _rim(raw: bytes) -> list[Point]:
    """An uneven edge: waves whose strength and phase come from the hash."""
    phase = [value / 256 * 2 * math.pi for value in raw[2:6]]
    strength = [0.9 + raw[6] / 230, 0.7 + raw[7] / 260, 0.35 + raw[8] / 420, 0.3]
    waves = [2 + raw[9] % 2, 4 + raw[10] % 2, 7 + raw[11] % 3, 12]
    points = []
    for k in range(POINTS):
        angle = 2 * math.pi * k / POINTS
        radius = 27.6 + sum(s * math.sin(w * angle + p) for s, w, p in zip(strength, waves, phase, strict=True))
        points.append((32 + radius * math.cos(angle), 32 + radius * math.sin(angle)))
    return points


def _beads(raw: bytes, which: Iterable[int]) -> tuple[str, str]:
    """Dots inside the press as strokes without length: the large ones, the small ones."""
    parts = {True: "", False: ""}
    for k in which:
        angle = 2 * math.pi * (k + 0.5) / BEADS
        big = bool(raw[12 + k // 8] >> k % 8 & 1)
        parts[big] += f"M{_number(32 + 15.6 * math.cos(angle))},{_number(32 + 15.6 * math.sin(angle))}h0"
    return parts[True], parts[False]


def _notches(raw: bytes) -> str:
    """The notches around the press, 18 to 49 of them, as a dash pattern."""
    pitch = 360 / (18 + raw[0] % 32)
    return f"{_fine(pitch * 0.28)} {_fine(pitch * 0.72)}"


def _arc(radius: float, start: float, end: float) -> str:
    """An arc around the centre; degrees, clockwise from the right."""
    (x1, y1), (x2, y2) = (_at(radius, angle) for angle in (start, end))
    return f"M{_number(x1)},{_number(y1)}A{radius} {radius} 0 {int(end - start > 180)} 1 {_number(x2)},{_number(y2)}"


def _at(radius: float, degrees: float) -> Point:
    angle = math.radians(degrees)
    return 32 + radius * math.cos(angle), 32 + radius * math.sin(angle)


def _closed(points: Sequence[Point]) -> str:
    return "M" + " ".join(f"{_number(x)},{_number(y)}" for x, y in points) + "Z"


def _number(value: float) -> str:
    """Always four characters, so that all drawings have the same length: 05.2, 32.0. A tenth is less than a pixel."""
    return f"{value:04.1f}"


def _fine(value: float) -> str:
    """Always six characters: 032.00, 359.10."""
    return f"{value:06.2f}"
