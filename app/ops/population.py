"""People by the thousand for building a world: the Chronicle rules roll them, one line or one object for each."""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from app.engine.chance import SeededChance
from app.rulesets.chronicle.generation import How, expected, roll_motivations, roll_skills
from app.rulesets.chronicle.motivations import MOTIVATIONS
from app.rulesets.chronicle.skills import GROUPS, SKILLS

MOST = 100_000
COLUMNS = ("number", *(f"{group.key}_rating" for group in GROUPS), *SKILLS, "terrain", *MOTIVATIONS)


def people(number: int, how: How, seed: bytes, *, guide: int = 2, best: str = "") -> Iterator[dict[str, Any]]:
    """That many people, the same for the same seed; asking for more keeps those at the front as they are."""
    chance = SeededChance(seed, seed)
    for place in range(1, number + 1):
        chance.used.clear()  # a label says which person it is for, so none can come twice
        rolled = roll_skills(chance, f"person/{place}", how, guide=guide, best=best)
        moved = roll_motivations(chance, f"person/{place}/motivations")
        ratings = {f"{group.group}_rating": group.rating for group in rolled.groups}
        yield {"number": place, **ratings, **rolled.skills, "terrain": rolled.terrain, **moved.motivations}


def as_csv(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """A line for each, the heads first."""
    yield _line({name: name for name in COLUMNS})
    for row in rows:
        yield _line(row)


def _line(row: dict[str, Any]) -> str:
    text = io.StringIO()
    csv.DictWriter(text, COLUMNS, lineterminator="\n").writerow(row)
    return text.getvalue()


def as_json(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """One object a line."""
    for row in rows:
        yield json.dumps(row) + "\n"


def talent(number: int) -> str:
    """How many of so many people have a group rating of k or more (CHR-SKL-18), as a table to read."""
    lines = [f"{'rating':>6}  {'expected':>12}"]
    lines += [f"{least:>4} +  {expected(number, least):>12,.3f}" for least in range(11)]
    return "\n".join(lines)
