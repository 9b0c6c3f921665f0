"""Broken and hostile files of every format that Signet reads, from a seed: real small files, changed.

for file in hostile_files(seed=7, count=200):
    file.kind, file.body
"""

import copy
import io
import json
import random
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from PIL import Image

from app.calendar.imports import ForeignEntry
from app.calendar.imports.signet_calendar import written
from app.calendar.presets import PRESETS
from app.calendar.repeat import EveryDays, OnDate, WithMoon

FILES = Path(__file__).parents[1] / "calendar" / "files"
MOST_CALENDAR = 1_048_576  # characters
Kind = Literal["calendar", "picture"]


@dataclass(frozen=True, slots=True)
class HostileFile:
    """`name` tells the file it was made of, and how it was changed."""

    kind: Kind
    name: str
    body: bytes


def hostile_files(seed: int, count: int) -> Iterator[HostileFile]:
    """So many files, each format in turn, first the ones that have done harm."""
    draw = random.Random(seed)
    worst = list(chain(worst_calendars(), worst_pictures()))
    yield from worst[:count]
    formats: list[tuple[Kind, str]] = [("calendar", name) for name in _calendars()]
    formats += [("picture", name) for name in _pictures()]
    for number in range(count - len(worst)):
        kind, name = formats[number % len(formats)]
        how, body = _calendar(draw, name) if kind == "calendar" else _picture(draw, name)
        yield HostileFile(kind, f"{name}: {how} ({seed}.{number})", body)


def worst_calendars() -> Iterator[HostileFile]:
    """Calendars that were, or could be, the end of a thread."""
    year = {"timespans": [{"name": "M"}]}
    long = {"timespans": [{"name": f"m{n}", "length": 1} for n in range(48)], "global_week": ["x"]}
    rules = ["2", "2", *["20000,!10000,5000,!2500,1250,!625,125,!25"] * 18]
    long["leap_days"] = [{"timespan": n // 2, "interval": rule, "offset": n} for n, rule in enumerate(rules)]
    never = [{"name": str(n), "data": {"conditions": [["Day", "0", ["3"]]]}} for n in range(2000)]
    months = {"months": [{"name": "M", "numberOfDays": 30}]}
    tags = "<a b='" * 170_000
    bodies = {
        "no weekdays": {"static_data": {"year_data": year}},
        "no weekdays, Simple Calendar": {"calendar": months},
        "events that never fall": {"static_data": {"year_data": long}, "events": never},
        "a name of half tags": {"calendar": {**months, "name": tags}},
        "notes of half tags": {
            "calendar": months, "notes": [{"name": "n", "content": tags[:16_000]} for _ in range(60)]
        },
        "every zero days": {"static_data": {"year_data": year}, "events": [
            {"name": "e", "data": {"conditions": [["Epoch", "6", ["0"]]]}}]},
        "deep name": {"calendar": {**months, "name": _deep(900)}},
    }  # fmt: skip
    for name, value in bodies.items():
        yield HostileFile("calendar", name, json.dumps(value).encode())
    for name, text in {
        "a deep list": "[" * 500_000,
        "a deep object": '{"a":' * 150_000,
        "not a number": '{"calendar": NaN}',
        "infinite": '{"calendar": {"months": [{"name": "M", "numberOfDays": 1e999}]}}',
        "digits": '{"calendar": ' + "9" * 500_000 + "}",
        "the same key": "{" + '"calendar": {"months": [{}]},' * 30_000 + '"calendar": 1}',
        "half a character": '{"calendar": {"months": [{"name": "\\ud800", "numberOfDays": "\\ud800"}]}}',
    }.items():
        yield HostileFile("calendar", name, text.encode())


def worst_pictures() -> Iterator[HostileFile]:
    """Small files of many pixels, and blocks that a decoder stumbles over."""
    sizes = ((6300, 6300), (30_000, 30_000), (2**31 - 1, 1), (1, 2**31 - 1), (0, 0))
    for width, height in sizes:
        yield HostileFile("picture", f"PNG of {width} x {height}", _png(width, height))
    yield HostileFile("picture", "PNG with all its pixels", _png(6300, 6300, filled=True))
    yield HostileFile("picture", "JPEG with a broken EXIF block", with_broken_exif())


def with_broken_exif() -> bytes:
    """A photograph whose place is not three numbers but a text, which Pillow cannot write again."""
    place = b"\0\1\0\2\0%c\0\0\0\3"
    return _pictures()["JPEG RGB"].replace(place % 5, place % 2)


# ---- calendars ------------------------------------------------------------------------------------------------------


@cache
def _calendars() -> dict[str, str]:
    files = {path.name: path.read_text() for path in sorted(FILES.glob("*.json"))}
    old = json.loads(files["fantasy-calendar.json"])
    for event in old["events"]:  # as files of older versions have it: numbers as texts, no dates
        event["data"] = json.loads(json.dumps(event["data"]), parse_int=str)
    entries = [
        ForeignEntry("A note", 3, text="Words.", hidden=True),
        ForeignEntry("Every week", 4, rule=EveryDays(days=7, start=4)),
        ForeignEntry("Each fifth", 5, rule=OnDate(day=5, start=5)),
        ForeignEntry("Full moon", 6, rule=WithMoon(start=6)),
    ]
    files["fantasy-calendar, older"] = json.dumps(old)
    files["signet-calendar"] = written(PRESETS["festivals"], 12, entries)
    files["signet-calendar of our own year"] = written(PRESETS["gregorian"], 730_000, entries)
    return files


def _calendar(draw: random.Random, name: str) -> tuple[str, bytes]:
    text = _calendars()[name]
    if draw.random() < 0.2:
        how, body = _bytes_changed(draw, text.encode())
        return how, body[:MOST_CALENDAR]
    value, told = json.loads(text), []
    for _ in range(draw.choice((1, 1, 1, 2, 3, 8))):
        if value:
            told.append(_changed(draw, value))
    return ", ".join(told), json.dumps(value).encode()[:MOST_CALENDAR]


def _changed(draw: random.Random, value: Any) -> str:
    """Changes one place of a value, and says how."""
    place, key, where = value, draw.choice(list(value)), ""
    while True:
        where += f".{key}"
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner or draw.random() < 0.15:
            break
        place, key = inner, draw.choice(list(inner) if isinstance(inner, dict) else range(len(inner)))
    how = draw.choice((*CHANGES, "drop"))
    if how == "drop":
        del place[key]
    else:
        place[key] = CHANGES[how](draw, inner)
    return f"{how} {where}"


def _deep(levels: int) -> Any:
    value: Any = 1
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


JUNK: tuple[Any, ...] = (
    None, True, False, "", " ", "x", [], {}, [[]], [None], {"": {}}, 0, -1, 1, 1.5, -0.0, 1e308, 5e-324, float("inf"),
    float("nan"), 2**31, 2**63, -(2**63) - 1, 10**18, 10**400, -(10**4299), "1", "-1", "1e99", "9" * 5000, "\x00",
    "\ud800", "\u202e", "<b", "<script>", "&#0;", "&" * 3000, "<a b='" * 3000, "<div>" * 3000, "x" * 100_000,
    "a,b" * 999, "400,!100,4", "20000,!19999", "9999,9998,9997", "0", "%s", "{{7*7}}", "'; DROP TABLE entries",
    "../../etc/passwd",
)  # fmt: skip
CHANGES: dict[str, Callable[[random.Random, Any], Any]] = {
    "replace": lambda draw, _: copy.deepcopy(draw.choice(JUNK)),
    "type": lambda draw, old: draw.choice(([old], {"a": old}, str(old), json.dumps(old), None, not old)),
    "deepen": lambda draw, _: _deep(draw.choice((3, 10, 45, 200))),
    "number": lambda draw, _: draw.choice((-1, 1)) * draw.randrange(10 ** draw.choice((1, 2, 3, 5, 9, 15, 30))),
    "lengthen": lambda draw, old: (
        old * draw.choice((2, 30, 300))
        if isinstance(old, str) or (isinstance(old, list) and len(old) < 50)
        else {**old, **{str(n): copy.deepcopy(draw.choice(JUNK)) for n in range(50)}}
        if isinstance(old, dict)
        else [old] * 50
    ),
}


# ---- pictures -------------------------------------------------------------------------------------------------------


@cache
def _pictures() -> dict[str, bytes]:
    drawn = Image.linear_gradient("L").resize((48, 32))
    facts = Image.Exif()
    facts[0x0112] = 6  # to be turned by a quarter
    facts[0x010E] = "words of a camera"
    facts.get_ifd(0x8825)[2] = (48.0, 12.0, 30.0)  # a place
    found: dict[str, bytes] = {}
    for kind, mode, more in (
        ("PNG", "RGB", {}), ("PNG", "RGBA", {}), ("PNG", "P", {"transparency": 3}), ("JPEG", "RGB", {}),
        ("JPEG", "CMYK", {"progressive": True}), ("WEBP", "RGBA", {"lossless": True}), ("WEBP", "RGB", {}),
        ("GIF", "P", {}),
    ):  # fmt: skip
        made = io.BytesIO()
        drawn.convert("RGB").convert(mode).save(made, kind, exif=facts, **more)
        found[f"{kind} {mode}"] = made.getvalue()
    made = io.BytesIO()
    drawn.save(made, "GIF", save_all=True, append_images=[drawn.rotate(90)])
    return {**found, "GIF that moves": made.getvalue()}


def _picture(draw: random.Random, name: str) -> tuple[str, bytes]:
    body = _pictures()[name]
    if name.startswith("PNG") and draw.random() < 0.5:
        return _chunk_changed(draw, body)
    exif = body.find(b"II*\0") if b"II*\0" in body else body.find(b"MM\0*")
    if exif >= 0 and draw.random() < 0.5:  # inside the block of the camera's words
        changed = bytearray(body)
        for _ in range(draw.choice((1, 2, 5))):
            changed[exif + draw.randrange(min(150, len(body) - exif))] = draw.choice(
                (0, 1, 127, 255, draw.randrange(256))
            )
        return "EXIF", bytes(changed)
    return _bytes_changed(draw, body)


def _chunk_changed(draw: random.Random, body: bytes) -> tuple[str, bytes]:
    """Changes a chunk of a PNG and mends its sum, so that its reader gets to see it."""
    at, chunks = 8, []
    while at < len(body):
        length = int.from_bytes(body[at : at + 4], "big")
        chunks.append((body[at + 4 : at + 8], body[at + 8 : at + 8 + length]))
        at += 12 + length
    number = draw.randrange(len(chunks))
    kind, content = chunks[number]
    how, content = _bytes_changed(draw, content) if content else ("filled", bytes(draw.randrange(300)))
    chunks[number] = draw.choice((kind, kind, kind, b"eXIf", b"iCCP", b"zTXt", b"acTL", b"tRNS")), content
    return f"chunk {kind.decode()} {how}", body[:8] + b"".join(_chunk(*one) for one in chunks)


def _bytes_changed(draw: random.Random, body: bytes) -> tuple[str, bytes]:
    how = draw.choice(("cut", "flip", "flip", "insert", "repeat", "swap"))
    at = draw.randrange(len(body))
    match how:
        case "cut":
            return how, body[:at]
        case "insert":
            return how, body[:at] + draw.choice((b"\0", b"\xff" * 4, b"\x80", b"{", b'"', bytes(5000))) + body[at:]
        case "repeat":
            return how, body[:at] + body[at : at + 200] * draw.choice((2, 50, 500)) + body[at:]
        case "swap":
            half = draw.randrange(at, len(body))
            return how, body[:at] + body[half:] + body[at:half]
    changed = bytearray(body)
    for _ in range(draw.choice((1, 1, 3, 20))):
        changed[draw.randrange(len(changed))] = draw.randrange(256)
    return how, bytes(changed)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _png(width: int, height: int, filled: bool = False) -> bytes:
    head = _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    rows = zlib.compress(bytes(height * (1 + 3 * width)), 1) if filled else zlib.compress(bytes(9))
    return b"\x89PNG\r\n\x1a\n" + head + _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")
