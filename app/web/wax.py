"""Seals and tokens as SVG: a seal's shape comes from its hash alone, and its drawing is as long for every hash."""

import hashlib
import math
import unicodedata
from typing import Literal

from markupsafe import Markup, escape

Face = Literal["awaited", "sealed", "taken", "opened", "absent", "draft"]

SIDES = {
    "a": ("circle", "teal"),
    "b": ("diamond", "oxblood"),
    "c": ("square", "moss"),
    "d": ("triangle", "slate"),
    "gm": ("circle", "gold"),
}
"""Side letter -> shape and colour; CSS classes side-a, side-b, … carry the colour."""

_POINTS = 72
_NOTCHES = 16
_SAID = {
    "awaited": "is awaited",
    "sealed": "has sealed",
    "taken": "took the seal back",
    "opened": "has been opened",
    "absent": "did not answer",
    "draft": "has a draft",
}


def initials(name: str, most: int = 2) -> str:
    """One or two letters that stand for a name: "Alice" -> "Al", "Axe goblin" -> "Ag"."""
    words = [word for word in name.replace("-", " ").split() if word and unicodedata.category(word[0])[0] in "LN"]
    if not words:
        return "?"
    if len(words) == 1 or most == 1:
        return words[0][:most].capitalize()
    return (words[0][0] + words[-1][0]).capitalize()


def seal(name: str, face: Face, digest: str | None = None, side: str = "a", size: int = 64) -> Markup:
    """The seal of one seat: `digest` (hex) gives its shape; without one the name does.

    A screen reader hears "Alice has sealed".
    """
    said = f"{name} {_SAID[face]}"
    text = initials(name, 1)
    if face in ("awaited", "taken", "absent", "draft"):
        body = _ring(text, face)
    else:
        raw = bytes.fromhex(digest) if digest else hashlib.sha256(name.encode()).digest()
        body = _halves(raw, text) if face == "opened" else _whole(raw, text)
    return Markup(
        '<svg class="seal seal-{} side-{}" viewBox="-4 -4 72 72" width="{}" height="{}" role="img" '
        'aria-label="{}">{}</svg>'
    ).format(face, side, size, size, said, body)


def token(name: str, side: str, *, down: bool = False) -> Markup:
    """A character's token as an SVG group round the origin: the side's shape, the first letters."""
    shape = SIDES.get(side, SIDES["d"])[0]
    drawn = {
        "circle": '<circle r="21"/>',
        "diamond": '<path d="M0-25 25 0 0 25-25 0z"/>',
        "square": '<path d="M-19-19h38v38h-38z"/>',
        "triangle": '<path d="M0-26 25 18h-50z"/>',
    }[shape]
    return Markup('<g class="token side-{}{}">{}<text y="6">{}</text></g>').format(
        side, " is-down" if down else "", Markup(drawn), initials(name)
    )


def _ring(text: str, face: str) -> Markup:
    inner = Markup("") if face == "taken" else Markup('<text x="32" y="40">{}</text>').format(text)
    return Markup('<circle class="ring" cx="32" cy="32" r="27"/>{}').format(inner)


def _whole(raw: bytes, text: str) -> Markup:
    """Wax with a rim of its own, notches, and the initial pressed in."""
    turn = _number(raw[1] * 360 / 256)
    notches = "".join(_notch(raw, k) for k in range(_NOTCHES))
    return Markup(
        '<g transform="rotate({} 32 32)"><path class="wax" d="{}"/></g>'
        '<circle class="press" cx="32" cy="32" r="23"/><circle class="shine" cx="32" cy="32.9" r="23"/>'
        '<g class="notches" transform="rotate({} 32 32)">{}</g>'
        '<text class="letter-shade" x="32" y="40.6">{}</text><text class="letter" x="32" y="39.8">{}</text>'
    ).format(turn, _rim(raw), turn, Markup(notches), text, text)


def _halves(raw: bytes, text: str) -> Markup:
    """The same seal broken in two; the crack is the same for every seal."""
    whole = _whole(raw, text)
    name = escape(raw[:6].hex())
    left = "-6,-6 36,-6 29,14 37,27 28,42 35,70 -6,70"
    right = "36,-6 70,-6 70,70 35,70 28,42 37,27 29,14"
    return Markup(
        '<defs><clipPath id="l{}"><polygon points="{}"/></clipPath><clipPath id="r{}"><polygon points="{}"/></clipPath>'
        '</defs><g class="half" clip-path="url(#l{})"><g transform="translate(-2.4 .6) rotate(-4 32 32)">{}</g></g>'
        '<g class="half" clip-path="url(#r{})"><g transform="translate(2.6 0) rotate(5 32 32)">{}</g></g>'
    ).format(name, left, name, right, name, whole, name, whole)


def _rim(raw: bytes) -> str:
    """An uneven edge: four waves whose strength and phase come from the hash; numbers of one width."""
    phase = [value / 256 * 2 * math.pi for value in raw[2:6]]
    strength = [1.4 + raw[6] / 256, 0.9 + raw[7] / 280, 0.6 + raw[8] / 420, 0.5]
    waves = [2 + raw[9] % 2, 3 + raw[10] % 3, 6 + raw[11] % 3, 11]
    points = []
    for k in range(_POINTS):
        angle = 2 * math.pi * k / _POINTS
        radius = 28.2 + sum(s * math.sin(w * angle + p) for s, w, p in zip(strength, waves, phase, strict=True))
        points.append(f"{_number(32 + radius * math.cos(angle))},{_number(32 + radius * math.sin(angle))}")
    return "M" + " ".join(points) + "Z"


def _notch(raw: bytes, k: int) -> str:
    """One of sixteen marks round the press; how deep each goes is in the hash."""
    angle = 2 * math.pi * k / _NOTCHES
    depth = 1.0 + (raw[12 + k] % 8) * 0.5
    x1, y1 = 32 + 21.6 * math.cos(angle), 32 + 21.6 * math.sin(angle)
    x2, y2 = 32 + (21.6 - depth) * math.cos(angle), 32 + (21.6 - depth) * math.sin(angle)
    return f'<path d="M{_number(x1)},{_number(y1)}L{_number(x2)},{_number(y2)}"/>'


def _number(value: float) -> str:
    """Always six characters, so that no drawing is longer than another: -05.20, 032.00, 359.10."""
    return f"{value:06.2f}"
