"""Rolls people by the thousand with the Chronicle rules, for building a world; output as CSV or JSON lines."""

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
    """Yields `number` people, the same for the same seed; a larger `number` only adds people at the end."""
    chance = SeededChance(seed, seed)
    for place in range(1, number + 1):
        chance.used.clear()  # a label names its person, so none comes twice
        rolled = roll_skills(chance, f"person/{place}", how, guide=guide, best=best)
        moved = roll_motivations(chance, f"person/{place}/motivations")
        ratings = {f"{group.group}_rating": group.rating for group in rolled.groups}
        yield {"number": place, **ratings, **rolled.skills, "terrain": rolled.terrain, **moved.motivations}


def as_csv(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """Yields the header line, then a line for each person."""
    yield _line({name: name for name in COLUMNS})
    for row in rows:
        yield _line(row)


def _line(row: dict[str, Any]) -> str:
    text = io.StringIO()
    csv.DictWriter(text, COLUMNS, lineterminator="\n").writerow(row)
    return text.getvalue()


def as_json(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """Yields a line with a JSON object for each person."""
    for row in rows:
        yield json.dumps(row) + "\n"


def talent(number: int) -> str:
    """Returns a table: of `number` people, how many are expected to have a group rating of k or more (CHR-SKL-18)."""
    lines = [f"{'rating':>6}  {'expected':>12}"]
    lines += [f"{least:>4} +  {expected(number, least):>12,.3f}" for least in range(11)]
    return "\n".join(lines)
