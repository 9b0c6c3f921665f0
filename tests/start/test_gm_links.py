"""`signet people`: the table's shares by the thousand, the same people for the same words, and clear refusals."""

import csv
import io
import json

from app.ops.population import COLUMNS, people, talent
from app.rulesets.chronicle.generation import BANDS, MILLION
from tests.start.test_cli import fails, signet


def test_csv_and_json_have_the_same_people() -> None:
    lines, objects = (
        signet("people", "30", "--seed", "a valley"),
        signet("people", "30", "--seed", "a valley", "--json"),
    )
    assert lines.returncode == objects.returncode == 0, lines.stderr + objects.stderr
    rows = list(csv.DictReader(io.StringIO(lines.stdout)))
    found = [json.loads(line) for line in objects.stdout.splitlines()]
    assert len(rows) == len(found) == 30 and tuple(rows[0]) == COLUMNS
    assert [{name: str(value) for name, value in one.items()} for one in found] == rows
    assert signet("people", "5", "--seed", "a valley").stdout == "".join(lines.stdout.splitlines(keepends=True)[:6])


def test_a_crowd_is_spread_as_the_table_says() -> None:
    """Within five standard deviations of what is expected, for the ratings that are common."""
    number = 4_000
    ratings = [one[f"{group}_rating"] for one in people(number, "other", bytes(32)) for group in ("physical", "social")]
    for rating, (below, top) in enumerate(zip((0, *BANDS), BANDS[:5], strict=False)):
        share = (top - below) / MILLION
        spread = (len(ratings) * share * (1 - share)) ** 0.5
        assert abs(ratings.count(rating) - len(ratings) * share) < 5 * spread, rating


def test_how_much_talent_is_expected() -> None:
    assert " 7 +         0.600" in talent(2_000) and " 7 +       135.000" in talent(450_000)
    assert signet("people", "2000", "--talent").stdout.splitlines() == talent(2_000).splitlines()


def test_what_cannot_be_rolled_is_said() -> None:
    fails(signet("people", "3", "--how", "magic"), 2, "other, main or guide")
    fails(signet("people", "3", "--how", "guide", "--best", "magic"), 2, "hand_to_hand, physical")
