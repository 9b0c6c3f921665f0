"""Cards are read from a file, and every field is held to its bounds (WHI-31, WHI-58)."""

from importlib.resources import files

import pytest

from app.rulesets.whiskey.cards import CARDS, faults, read

GOOD = {"key": "shout", "name": "Shout", "text": "Combat + 1.", "own_check": 1}


def test_the_cards_in_use_are_those_of_the_file() -> None:
    text = files("app.rulesets.whiskey").joinpath("cards.toml").read_text(encoding="utf-8")
    assert read(text) == CARDS
    assert len(CARDS) == 11
    assert CARDS["fire-lash"].weapon == (2, 2)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"second_target": True}, "not something a card can do"),
        ({"starts_clash": "anybody"}, "not something a card can do"),
        ({"capacity": 100}, "capacity must be a whole number"),
        ({"capacity": True}, "capacity must be a whole number"),
        ({"soak": -1}, "soak must be a whole number"),
        ({"redraw": 2}, "redraw must be true or false"),
        ({"aim": "everybody"}, "aim must be one of"),
        ({"name": ""}, "needs a key, a name"),
        ({"weapon": [2, 2]}, "aimed at an attack"),
        ({"weapon": [2], "aim": "attack"}, "two whole numbers"),
        ({"heals_die": True}, "needs a target"),
    ],
)
def test_a_field_has_its_bounds(more: dict[str, object], words: str) -> None:
    assert words in " ".join(faults({**GOOD, **more}))


def test_a_file_with_a_bad_card_is_refused_as_a_whole() -> None:
    with pytest.raises(ValueError, match="blitz: 'extra_clash' is not something a card can do"):
        read('[blitz]\nname = "Blitz"\ntext = "One more clash."\nextra_clash = 1\n')
