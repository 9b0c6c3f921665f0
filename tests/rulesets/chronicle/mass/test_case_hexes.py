"""Case files name hexes as people do: "E4", where events keep a row and a column."""

from pathlib import Path

import pytest

from app.casefiles.play import Failed, play, read

CASE = Path(__file__).parents[1] / "cases/mass/movement/away-from-contact.toml"


def test_another_hex_than_the_expected_one_fails_in_words() -> None:
    text = CASE.read_text(encoding="utf-8")
    assert 'way = ["E4", "E3"]' in text
    play(read(text))
    with pytest.raises(Failed, match="expected 'E2', is 'E3'"):
        play(read(text.replace('way = ["E4", "E3"]', 'way = ["E4", "E2"]')))
