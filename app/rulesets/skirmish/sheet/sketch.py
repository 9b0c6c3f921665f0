"""The field as a few lines of text (SKI-14, SKI-15, SKI-19, SKI-20): one line for a zone, one for a link.

    Courtyard (6): cover                  at most six in it
    Moat: slow, hazard cold water d4 to mgt no save
    Courtyard -- Gallery                  open
    Courtyard ~~ Gate                     hindered
    Cellar || Courtyard                   closed
    Gallery -> Moat                       one way

Zones get their order, and their keys, from where they are first named. Empty lines, and those after #, say nothing.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from app.engine.unused_names import unused_name
from app.rulesets.skirmish.sheet.sheets import Hazard, Way, Zone

MOST_ZONES, MOST_LINKS, MOST_NAME = 30, 20, 60
WAYS: dict[str, Way] = {"--": "open", "—": "open", "–": "open", "~~": "hindered", "||": "closed", "->": "oneway"}
SIGNS: dict[Way, str] = {"open": "--", "hindered": "~~", "closed": "||", "oneway": "->"}
NOTES = re.compile(r"\s+\((open|hindered|closed|one[ -]?way)\)$", re.IGNORECASE)
LINK = re.compile(r"\s+(--|—|–|~~|\|\||->|→)\s+")
ZONE = re.compile(r"(?P<name>[^():]+?)\s*(?:\((?P<most>[^()]*)\))?\s*(?::(?P<flags>.*))?")
HAZARD = re.compile(
    r"hazard(?:\s+(?P<name>.+?))??\s+d?(?P<die>1|4|6|8|10|12)(?:\s+to\s+(?P<to>\w+))?(?P<sure>\s+no\s+save)?",
    re.IGNORECASE,
)
FLAGS = {
    "cover": "cover", "smoke": "smoke", "obscured": "smoke", "slow": "slow", "water": "slow", "trapped": "trapped",
    "no way out": "trapped",
}  # fmt: skip
HOW = "Write a zone as “Courtyard (6): cover”, or a link as “Courtyard -- Gallery”."


@dataclass(slots=True)
class _Reading:
    """The zones so far, by their names in small letters, and the lines that said what."""

    zones: dict[str, dict[str, Any]] = field(default_factory=dict)
    described: dict[str, int] = field(default_factory=dict)
    linked: dict[tuple[str, str], int] = field(default_factory=dict)

    def zone(self, name: str) -> dict[str, Any]:
        found = self.zones.get(name.casefold())
        if found is None:
            _named(name)
            key = unused_name(_key(name), {one["key"] for one in self.zones.values()}, "-")
            links: list[dict[str, str]] = []
            found = self.zones[name.casefold()] = {"key": key, "name": name, "links": links}
        if len(self.zones) > MOST_ZONES:
            raise ValueError(f"That is one zone too many: a field has at most {MOST_ZONES}.")
        return found


def parse(text: str) -> tuple[Zone, ...]:
    """The zones of a sketch; none for an empty one. Raises ValueError that names the line and says what to do."""
    reading = _Reading()
    for number, raw in enumerate(text.splitlines(), 1):
        line = " ".join(raw.split())  # the patterns try each way to share spaces out
        if not line or line.startswith("#"):
            continue
        try:
            _read(reading, line, number)
        except ValueError as wrong:
            said = line if len(line) <= 40 else f"{line[:39]}…"
            raise ValueError(f"Line {number}, “{said}”: {wrong}") from None
    _all_linked(reading)
    return tuple(Zone.model_validate(zone) for zone in reading.zones.values())


def write(zones: Iterable[Zone]) -> str:
    """The sketch of some zones; `parse` reads the same zones from it if they were read from a sketch."""
    there = list(zones)
    names = {zone.key: zone.name for zone in there}
    lines = [_line(zone) for zone in there]
    lines += [
        f"{zone.name} {SIGNS[link.way]} {names[link.to]}" for zone in there for link in zone.links if link.to in names
    ]
    return "\n".join(lines)


def _read(reading: _Reading, line: str, number: int) -> None:
    parts = LINK.split(NOTES.sub("", line))
    if len(parts) > 1:
        for left, sign, right in zip(parts[::2], parts[1::2], parts[2::2], strict=False):
            _link(reading, left.strip(), WAYS["->" if sign == "→" else sign], right.strip(), number)
        return
    found = ZONE.fullmatch(line)
    if found is None:
        raise ValueError(HOW)
    name = found["name"].strip()
    zone = reading.zone(name)
    if before := reading.described.get(name.casefold()):
        raise ValueError(f"line {before} describes this zone already. Write everything on one line.")
    reading.described[name.casefold()] = number
    if found["most"] is not None:
        zone["most"] = _most(found["most"].strip())
    for flag in filter(None, (part.strip() for part in (found["flags"] or "").split(","))):
        zone.update(_flag(" ".join(flag.split())))


def _link(reading: _Reading, left: str, way: Way, right: str, number: int) -> None:
    one, other = reading.zone(left), reading.zone(right)
    if one is other:
        raise ValueError("this links a zone with itself. Name two zones.")
    pair = (one["key"], other["key"])
    back = reading.linked.get((pair[1], pair[0]))
    two_ways = back is not None and way == "oneway" and _way(other, one) == "oneway"
    if before := reading.linked.get(pair) or (0 if two_ways else back):
        raise ValueError(f"line {before} links these two already. Remove one of the lines.")
    reading.linked[pair] = number
    one["links"].append({"to": other["key"], "way": way})
    if len(one["links"]) > MOST_LINKS:
        raise ValueError(f"{one['name']} begins more than {MOST_LINKS} links. Write some the other way round.")


def _way(one: dict[str, Any], other: dict[str, Any]) -> str:
    return next((link["way"] for link in one["links"] if link["to"] == other["key"]), "")


def _all_linked(reading: _Reading) -> None:
    linked = {key for pair in reading.linked for key in pair}
    alone = next((zone for zone in reading.zones.values() if zone["key"] not in linked), None)
    if alone is not None and len(reading.zones) > 1:
        other = next(zone["name"] for zone in reading.zones.values() if zone is not alone)
        line = reading.described[alone["name"].casefold()]  # nothing else names a zone without linking it
        raise ValueError(
            f"Line {line}: {alone['name']} has no link, so nobody can go there. Add “{other} -- {alone['name']}”."
        )


def _most(text: str) -> int:
    digits = re.sub(r"^(at most|max\.?)\s+", "", text.casefold()).lstrip("0")
    if not digits.isdecimal() or len(digits) > 2:
        raise ValueError("in brackets goes how many can be there at once, from 1 to 99: “Courtyard (6)”.")
    return int(digits)


def _flag(flag: str) -> dict[str, Any]:
    if known := FLAGS.get(flag.casefold()):
        return {known: True}
    if not flag.casefold().startswith("hazard"):
        raise ValueError(f"“{flag[:30]}” is not known. There is: cover, smoke, slow, trapped, hazard fire d6.")
    found = HAZARD.fullmatch(flag)
    to = (found["to"] or "hp").casefold() if found else ""
    if found is None or to not in ("hp", "mgt", "agi", "wil"):
        raise ValueError("write a hazard as “hazard fire d6” or “hazard bad air 1 to mgt no save”.")
    name = (found["name"] or "").strip()
    if len(name) > MOST_NAME:
        raise ValueError(f"the hazard’s name is too long: at most {MOST_NAME} characters.")
    return {"hazard": {"name": name, "die": int(found["die"]), "to": to, "save": not found["sure"]}}


def _line(zone: Zone) -> str:
    flags = [name for name in ("cover", "smoke", "slow", "trapped") if getattr(zone, name)]
    flags += [_hazard(zone.hazard)] if zone.hazard else []
    most = f" ({zone.most})" if zone.most else ""
    return f"{zone.name}{most}{': ' if flags else ''}{', '.join(flags)}"


def _hazard(one: Hazard) -> str:
    die = "1" if one.die == 1 else f"d{one.die}"
    to = f" to {one.to}" if one.to != "hp" else ""
    return " ".join(filter(None, ("hazard", one.name, f"{die}{to}{'' if one.save else ' no save'}")))


def _named(name: str) -> None:
    if not name or re.search(r"[():#=<>|~]|--", name):
        raise ValueError(HOW)
    if len(name) > MOST_NAME:
        raise ValueError(f"the name of a zone has at most {MOST_NAME} characters.")


def _key(name: str) -> str:
    plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
    return plain[:50].strip("-") or "zone"


def key_of(name: str, taken: Iterable[str]) -> str:
    """An unused key for a zone of that name."""
    return unused_name(_key(name), set(taken), "-")
