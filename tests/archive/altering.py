"""Archives in which one value is another: of a row, or deep inside a JSON column or an encrypted box."""

import base64
import gzip
import json
import random
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Boolean, DateTime, ForeignKeyConstraint, Integer, LargeBinary, String, Table, Uuid
from sqlalchemy import Enum as EnumType

from app.archive.fields import FIELDS
from app.archive.leaving import Left
from app.archive.rows import TABLES, digest_of, end
from app.archive.values import read
from app.crypto.columns import BOXES
from app.crypto.vault import Vault
from app.settings import read_keys

Lines = list[dict[str, Any]]
NAMED = {table.name: table for table in TABLES}


def lines_of(left: Left) -> Lines:
    """The lines of an exported file, without the last."""
    return [json.loads(line) for line in gzip.decompress(left.place.read_bytes()).splitlines()][:-1]


def key_of(left: Left) -> Vault:
    return Vault(read_keys(left.key.read_text(), "key"))


def write(lines: Lines, place: Path, there: Vault) -> None:
    """Writes a file as someone who has its key, or in format 1 anyone, would change it: the last line fits again."""
    raw = "".join(json.dumps(line, sort_keys=True) + "\n" for line in lines).encode()
    digest = digest_of(lines[0]["format"], there)
    digest.update(raw)
    place.write_bytes(gzip.compress(raw + end(lines[0]["format"], digest), compresslevel=1))


def relabelled(lines: Lines, form: int = 1) -> Lines:
    """The lines with another format's number in the header."""
    return [lines[0] | {"format": form}, *lines[1:]]


def planted(lines: Lines, of: str, **fields: Any) -> Lines:
    """The lines with one more row of a table, of the GM's seat."""
    gm = next(line["row"] for line in lines if line.get("table") == "members" and line["row"]["role"] == "gm")
    scene = next(line["row"]["id"] for line in lines if line.get("table") == "scenes")
    table, numbers = NAMED[of], {one.name: at for at, one in enumerate(TABLES)}
    made = {"campaign_id": gm["campaign_id"]} | dict.fromkeys(_of_members(table), gm["id"])
    made |= {"scene_id": scene} if "scene_id" in table.c else {}
    row = {column.name: _any(table, column.name) for column in table.c} | made | fields
    at = next((at for at, line in enumerate(lines) if at and numbers[line["table"]] > numbers[of]), len(lines))
    return [*lines[:at], {"table": of, "row": row}, *lines[at:]]


def _of_members(table: Table) -> set[str]:
    """Columns that must name a member."""
    keys = [one for one in table.constraints if isinstance(one, ForeignKeyConstraint)]
    names = {name for one in keys if one.referred_table.name == "members" for name in one.column_keys}
    return {name for name in names - {"campaign_id"} if not table.c[name].nullable}


def _any(table: Table, name: str) -> Any:
    column, kind = table.c[name], FIELDS.get(f"{table.name}.{name}")
    if column.nullable:
        return None
    match column.type:
        case LargeBinary():
            return base64.b64encode(bytes(32)).decode()
        case Uuid():
            return str(uuid.UUID(int=1))
        case DateTime():
            return "2999-01-01T00:00:00+00:00"
        case EnumType() as choice:
            return choice.enums[0]
        case Integer():
            return 1
        case Boolean():
            return False
        case String():
            return kind.json_schema()["enum"][0] if kind else "x"
        case _:
            return []


def deep(levels: int) -> Any:
    made: Any = 1
    for _ in range(levels):
        made = [made]
    return made


WRONG: dict[str, Callable[[random.Random, Any], Any]] = {
    "nothing": lambda rng, old: None,
    "a number": lambda rng, old: 0 if not isinstance(old, int) else "0",
    "negative": lambda rng, old: -1,
    "one more": lambda rng, old: old + 1 if isinstance(old, int) else f"{old}x",
    "huge": lambda rng, old: rng.choice([2**31, 2**63, 2**64, 10**300, 1e999, float("nan")]),
    "true": lambda rng, old: not old,
    "empty": lambda rng, old: "",
    "a list": lambda rng, old: [old],
    "a table": lambda rng, old: {"a": old},
    "deep": lambda rng, old: deep(rng.choice([50, 150, 700])),
    "half a character": lambda rng, old: f"{old}\ud800",
    "nought": lambda rng, old: f"{old}\x00",
    "long": lambda rng, old: "x" * 100_000,
    "foreign": lambda rng, old: str(uuid.UUID(int=rng.getrandbits(128))),
    "a word": lambda rng, old: rng.choice(["gm", "open", "closed", "all", "alice", "knock", "own_x", "<b>", "%s", "/"]),
}


def alter(lines: Lines, there: Vault, seed: int) -> tuple[Lines, str]:
    """Returns the lines with one alteration, always the same for a seed, and what it is."""
    rng = random.Random(seed)
    copy = [dict(line) for line in lines]
    table = rng.choice(sorted({line["table"] for line in lines[1:]}))
    at = rng.choice([at for at, line in enumerate(lines) if line.get("table") == table])
    row = copy[at]["row"] = json.loads(json.dumps(lines[at]["row"]))
    what = rng.choice(
        ["value", "value", "value", "value", "inside", "inside", "inside", "drop", "add", "twice", "gone"]
    )
    where = f"{table} {at}"
    if what == "twice":
        copy.insert(at, copy[at])
        return copy, f"{where} twice"
    if what == "gone":
        del copy[at]
        return copy, f"{where} gone"
    if what == "add":
        row["more"] = 1
        return copy, f"{where} with more"
    field = rng.choice(sorted(row))
    if what == "drop":
        del row[field]
        return copy, f"{where} without {field}"
    how = rng.choice(sorted(WRONG))
    inner = [name for name in row if isinstance(row[name], dict | list) or _is_box(table, name, row)]
    if what == "inside" and inner:
        field = rng.choice(sorted(inner))
        changed = _inside(table, field, row, there, rng, how)
        return copy, f"{where}.{field}{changed}: {how}"
    row[field] = WRONG[how](rng, row[field])
    return copy, f"{where}.{field}: {how}"


def _is_box(table: str, name: str, row: dict[str, Any]) -> bool:
    return row[name] is not None and any((one.of, one.name) == (table, name) for one in BOXES)


def _inside(table: str, field: str, row: dict[str, Any], there: Vault, rng: random.Random, how: str) -> str:
    if not _is_box(table, field, row):
        row[field], place = _changed(row[field], rng, how)
        return place
    boxes = next(one for one in BOXES if (one.of, one.name) == (table, field))
    keys = read(NAMED[table], row)
    place = boxes.place_of([keys[column.name] for column in boxes.keys])
    plain, changed = there.decrypt(keys[field], place), " as bytes"
    try:
        said, changed = _changed(json.loads(plain), rng, how)
        plain = json.dumps(said).encode()
    except ValueError:
        plain = rng.choice([plain[:-1], b"", plain + b"x", b"\xff" * 32])
    row[field] = base64.b64encode(there.encrypt(plain, place)).decode()
    return changed


def _changed(said: Any, rng: random.Random, how: str) -> tuple[Any, str]:
    """The value with one of its parts altered, and the way to it."""
    ways = list(_ways(said))
    way = rng.choice(ways)
    if not way:
        return WRONG[how](rng, said), ""
    beside = said
    for key in way[:-1]:
        beside = beside[key]
    if rng.random() < 0.15 and isinstance(beside, dict):
        del beside[way[-1]]
        return said, f"{list(way)} dropped"
    beside[way[-1]] = WRONG[how](rng, beside[way[-1]])
    return said, str(list(way))


def _ways(said: Any, way: tuple[Any, ...] = ()) -> Any:
    yield way
    for key, inner in said.items() if isinstance(said, dict) else enumerate(said) if isinstance(said, list) else ():
        yield from _ways(inner, (*way, key))
