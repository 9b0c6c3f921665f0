"""Forgeries: each part of each record of a finished scene left out, exchanged, said twice, counted anew, withheld or
put back to what it was before, and every hash that its forger can make made anew."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.receipts import chain, luck

Thing = dict[str, Any]
Way = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Forgery:
    act: str  # drop, exchange, repeat, renumber, revert, change
    part: str  # "closing.rows[].how"
    lines: list[Thing]


def taken_apart(text: str) -> list[Thing]:
    """The lines of a file, with the texts inside them as things, so that each part can be reached."""
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        if "record" in line:
            line["record"] = json.loads(line["record"])
            if "roll" in line["record"]:
                line["record"]["roll"] = json.loads(line["record"]["roll"])
            del line["head"]
        if "opened" in line:
            opened = line["opened"]
            opened["setup"] = json.loads(opened["setup"])
            for place in opened["records"]:
                for name in ("hidden", "sheet", "roll", "acts"):
                    if place.get(name) is not None:
                        place[name] = json.loads(place[name])
    return lines


def made_anew(lines: list[Thing], *, seals: bool = True) -> str:
    """The file with every hash worked out again; `seals`: those of the answers too, from their salts and words."""
    lines = json.loads(json.dumps(lines))
    header = lines[0]
    opened = next((line["opened"] for line in lines if isinstance(line.get("opened"), dict)), None)
    entries = [line["record"] for line in lines if isinstance(line.get("record"), dict)]
    if opened is not None:
        _opened(header, opened, entries, seals)
    elif seals:
        _seals(header, {}, entries)
    for entry in entries:
        if isinstance(entry.get("roll"), dict):
            entry["roll"] = chain.canonical(entry["roll"])
    head = chain.first_head(
        protocol=header.get("signet-receipts", 1),
        campaign=header.get("campaign", ""), scene=header.get("scene", ""), ruleset=header.get("ruleset", ""),
        kind=header.get("kind", ""), version=header.get("version", ""), carried=header.get("carried", {}),
        anchor=_hex(header.get("anchor")), setup=_hex(header.get("setup")),
    )  # fmt: skip
    for line in lines:
        if "record" in line:
            text = line["record"] if isinstance(line["record"], str) else chain.canonical(line["record"])
            head = chain.next_head(head, text)
            line |= {"record": text, "head": head.hex()}
    return "\n".join(json.dumps(line) for line in lines)


def _opened(header: Thing, opened: Thing, entries: list[Thing], seals: bool) -> None:
    salt, places = _hex(opened.get("setup_salt")), opened.get("records", [])
    if seals:
        late = {(row.get("step"), row.get("seat")): row for row in opened.get("rows", [])}
        hidden = [place["hidden"] for place in places if isinstance(place.get("hidden"), dict)]
        _seals(header, late, [*entries, *hidden])
    for place in places:
        if place.get("hidden") is not None:
            place["hidden"] = chain.canonical(place["hidden"])
        for name in ("sheet", "roll", "acts"):
            if place.get(name) is not None:
                place[name] = chain.canonical(place[name])
    if "setup" in opened:
        opened["setup"] = json.dumps(opened["setup"])
        header["setup"] = chain.setup_digest(salt, opened["setup"]).hex()
    public = iter(entries)
    for place in places:
        entry = next(public, None) if place.get("hidden") is None else None
        if entry is not None and place.get("sheet") is not None and "sheet" in entry:
            if entry.get("what") == "inner":
                entry["sheet"] = chain.back_digest(salt, entry.get("scene", ""), place["sheet"]).hex()
            else:
                entry["sheet"] = chain.came_digest(salt, entry.get("seat", ""), place["sheet"]).hex()
        if entry is not None and place.get("acts") is not None and "who" in entry:
            entry["who"] = chain.acts_digest(salt, place["acts"]).hex()
        if entry is not None and place.get("roll") is not None and "wax" in entry:
            entry["wax"] = chain.rolled_digest(entry.get("n", 0), place["roll"]).hex()
    texts = [place["hidden"] for place in places if place.get("hidden") is not None]
    for entry in entries:
        if entry.get("what") == "end":
            entry["hidden"] = chain.hidden_digest(salt, texts).hex()


def _seals(header: Thing, late: dict[Any, Thing], entries: list[Thing]) -> None:
    for entry in entries:
        step = entry.get("step")
        key = step.get("key", "") if isinstance(step, dict) else ""
        for row in entry.get("rows", ()):
            said = late.get((key, row.get("seat")), row)
            if "wax" not in row or not {"salt", "words"} <= said.keys():
                continue
            place = (header["campaign"], header["scene"], key, row.get("seat", ""), row.get("ask", ""))
            made = luck.seal(*place, _hex(said["salt"]), str(said["words"]))
            row |= {"wax": made.commitment.hex(), "luck": made.luck.hex(), "inner": made.inner.hex()}


def _hex(text: Any) -> bytes:
    try:
        return bytes.fromhex(text)
    except (TypeError, ValueError):
        return bytes(32)


def forgeries(lines: list[Thing]) -> Iterator[Forgery]:
    """Of each act one for each part of each kind of record that the scene has; of sheets, setups and events one for all
    that is in them, since whatever the rules made of them is compared whole."""
    done: set[tuple[str, str]] = set()
    for way, value in _parts(lines):
        part = WITHIN.sub(r"\1.*", _part(lines, way))
        for act, put in _acts(lines, way, value):
            if (act, part) not in done:
                done.add((act, part))
                copy = json.loads(json.dumps(lines))
                put(copy)
                yield Forgery(act, part, copy)


WITHIN = re.compile(r"^(opened\.setup|opened\.records\[\]\.sheet|[a-z]+\.(?:events|log)\[\]\.event)\..*")


def composed(lines: list[Thing]) -> Iterator[Forgery]:
    """What takes a change in several places: an event that everybody should see is hidden; the end is cut off; secret
    rolls are left out, the first or the last."""
    copy = json.loads(json.dumps(lines))
    records = [line["record"] for line in copy if "record" in line]
    opened = next(line["opened"] for line in copy if "opened" in line)
    told = [entry for entry in records if entry.get("events")]
    if told:
        last = told[-1]["events"].pop()
        next(event for event in opened["log"] if event["n"] == last["n"])["n"] = None
        yield Forgery("hide", "event", copy)
    copy = json.loads(json.dumps(lines))
    opened = next(line["opened"] for line in copy if "opened" in line)
    places = opened["records"]
    if len(places) > 2 and places[-2]["hidden"] is None and copy[-3]["record"]["what"] == "closing":
        cut = copy.pop(-3)["record"]
        del places[-2]
        places[-1]["last_event"] = places[-2]["last_event"]
        del opened["log"][places[-1]["last_event"] :]
        opened["rows"] = [row for row in opened["rows"] if row["step"] != cut["step"]["key"]]
        copy[-2]["record"] = {"what": "end", "how": "abandoned", "hidden": "", "kept": {}, "sheets": {}}
        copy[0]["status"] = "abandoned"
        yield Forgery("cut", "end", copy)
    copy = json.loads(json.dumps(lines))
    _without_acts(copy)
    yield Forgery("cut", "acts", copy)
    copy = json.loads(json.dumps(lines))
    copy[0]["signet-receipts"] = 1
    yield Forgery("relabel", "protocol", copy)
    for which, name in ((0, "first rolled"), (-1, "rolled")):
        copy = json.loads(json.dumps(lines))
        if _without_a_roll(copy, which):
            yield Forgery("cut", name, copy)


def _without_acts(lines: list[Thing]) -> None:
    """Nothing is told of what a GM did to the steps."""
    for place in next(line["opened"]["records"] for line in lines if "opened" in line):
        place.pop("acts", None)
        if isinstance(place["hidden"], dict):
            place["hidden"].pop("acts", None)
    for entry in [line["record"] for line in lines if "record" in line]:
        entry.pop("acts", None)
        entry.pop("who", None)


def _without_a_roll(lines: list[Thing], which: int) -> bool:
    """Leaves out a roll and whatever shows it; those after it count anew. False: there are not two."""
    records = [line["record"] for line in lines if "record" in line]
    rolls = [entry["n"] for entry in records if entry["what"] == "rolled"]
    if len(rolls) < 2:
        return False
    gone, places = rolls[which], next(line["opened"]["records"] for line in lines if "opened" in line)
    public = iter(records)
    kept = [(place, next(public) if place["hidden"] is None else {}) for place in places]
    places[:] = [place for place, entry in kept if entry.get("n") != gone]
    lines[:] = [line for line in lines if line.get("record", {}).get("n") != gone]
    for entry in records:
        entry |= {"n": entry["n"] - 1} if entry.get("n", 0) > gone else {}
    return True


def _parts(value: Any, way: Way = ()) -> Iterator[tuple[Way, Any]]:
    if way:
        yield way, value
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from _parts(inner, (*way, key))


def _part(lines: list[Thing], way: Way) -> str:
    """A way without its numbers: lines and records by what they are, events and seats as one."""
    line, rest = lines[int(way[0])], list(way[1:])
    if not rest:
        return "line"
    name = next((kind for kind in ("record", "opened", "mine", "kept") if kind in line), "header")
    if name == "record":
        name, rest = str(line["record"].get("what")), rest[1:]
    elif name != "header":
        rest = rest[1:]
    for key in rest:
        name += "[]" if isinstance(key, int) else f".{key}"
    return name.replace("opened.records[].hidden.", "closing.")


def _at(lines: Any, way: Way) -> Any:
    for key in way:
        lines = lines[key]
    return lines


def _acts(lines: list[Thing], way: Way, value: Any) -> Iterator[tuple[str, Any]]:
    above, key = way[:-1], way[-1]
    beside = _at(lines, above)
    if len(way) == 1 and key == 0:
        return  # without its header it is no file
    yield "drop", lambda copy: _at(copy, above).pop(key)
    if isinstance(key, int):
        yield "repeat", lambda copy: _at(copy, above).insert(key, _at(copy, way))
        if key + 1 < len(beside) and beside[key + 1] != value:
            yield "exchange", lambda copy: _exchange(_at(copy, above), key, key + 1)
        if key and beside[key - 1] != value:
            yield "revert", lambda copy: _put(copy, way, beside[key - 1])
    match value:
        case bool():
            yield "change", lambda copy: _put(copy, way, not value)
        case int():
            yield "renumber", lambda copy: _put(copy, way, value + 1)
        case str():
            yield "change", lambda copy: _put(copy, way, _other(value))
        case None:
            yield "change", lambda copy: _put(copy, way, "0" * 64)
        case dict() if len(value) > 1:
            first, second = list(value)[:2]
            if value[first] != value[second]:
                yield "exchange", lambda copy: _exchange(_at(copy, way), first, second)
        case _:
            pass
    if isinstance(value, dict):
        yield "add", lambda copy: _at(copy, way).update(unheard="of")
    if value is not None and not isinstance(value, bool):
        yield "withhold", lambda copy: _put(copy, way, None)


KNOWN = {
    "over": "abandoned", "abandoned": "over", "open": "veiled", "veiled": "open", "close": "never", "end": "never",
    "never": "close", "browser": "server", "server": "browser", "sealed": "draft", "gm": "due", "all": "gm",
}  # fmt: skip


def _other(text: str) -> str:
    if len(text) == 64 and set(text) <= set("0123456789abcdef"):
        return ("0" if text[0] != "0" else "1") + text[1:]
    return KNOWN.get(text, text + "x")


def _put(lines: Any, way: Way, value: Any) -> None:
    _at(lines, way[:-1])[way[-1]] = value


def _exchange(beside: Any, one: Any, other: Any) -> None:
    beside[one], beside[other] = beside[other], beside[one]
