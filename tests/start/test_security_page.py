"""docs/security.md against the tables: what it says of a copy of the database leaves no table and no box out."""

import re
from pathlib import Path

import pytest

from app.crypto.columns import BOXES
from app.models import metadata

pytestmark = pytest.mark.first
PAGE = Path(__file__).parents[2] / "docs" / "security.md"
WORD = re.compile(r"`(\w+)`")


def test_what_a_copy_of_the_database_shows_is_said_of_each_table() -> None:
    """Finds a new table, or a column that is encrypted or is not any more, of which the page's readers do not learn."""
    section = PAGE.read_text().partition("## Against someone with a copy of the database")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("| `")]
    tables = [WORD.findall(names) for names, _, _ in rows]
    assert sorted(name for names in tables for name in names) == sorted(metadata.tables)
    for names, (_, _, encrypted) in zip(tables, rows, strict=True):
        assert set(WORD.findall(encrypted)) == {box.name for box in BOXES if box.of in names}, names
