"""Names within sentences."""

import pytest
from markupsafe import Markup

from app.engine.sentences import the, the_foe
from app.web.drawing.sentences import with_capital

KINDS = frozenset({"Sword goblin", "NPC"})


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Sword goblin", "the sword goblin"),
        ("Sword goblin 2", "Sword goblin 2"),
        ("Mara", "Mara"),
        ("NPC", "the NPC"),
        ("sword goblin", "sword goblin"),
    ],
)
def test_the_article_is_for_what_is_called_by_its_kind(name: str, said: str) -> None:
    assert the(name, KINDS) == said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Sword goblin", "the sword goblin"),
        ("Red axe goblin", "the red axe goblin"),
        ("Red Goblin", "Red Goblin"),
        ("Goblin 2", "Goblin 2"),
        ("Ann of the mill", "Ann of the mill"),
    ],
)
def test_the_article_is_also_for_a_name_with_the_noun_of_a_kind(name: str, said: str) -> None:
    assert the_foe(name, KINDS) == said


@pytest.mark.parametrize(
    ("line", "drawn"),
    [
        ("the troll falls.", "The troll falls."),
        ("<b>the troll</b> falls.", "<b>The troll</b> falls."),
        ("\n <i class='x'><b>älva</b></i>", "\n <i class='x'><b>Älva</b></i>"),
        ("“mine” says Bo", "“mine” says Bo"),
        ("", ""),
    ],
)
def test_a_line_begins_with_a_capital_letter(line: str, drawn: str) -> None:
    assert with_capital(Markup(line)) == drawn
