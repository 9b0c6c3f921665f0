"""Words are found whatever their case and accents, and marked exactly where they are in the text."""

import pytest

from app.campaign.finding import excerpt, fold, has, words


@pytest.mark.parametrize(
    ("typed", "text", "marked"),
    [
        ("zdar", "A letter from Ždár.", ["Ždár"]),
        ("ŽDÁR", "a letter from zdar", ["zdar"]),
        ("strasse", "Die Straße hinauf", ["Straße"]),
        ("ßE", "STRASSE", ["SSE"]),
        ("inn", "The inn, the skinny innkeeper.", ["inn", "inn", "inn"]),
        ("fi", "The oﬃcer", ["ﬃ"]),  # a ligature is one letter of the text and three of the search
        ("e\u0301tat", "l’état", ["état"]),
        ("aa aaa", "xaaax", ["aaa"]),
        ("Σοφία", "ΣΟΦΙΑ ", ["ΣΟΦΙΑ"]),
    ],
)
def test_what_is_found_is_marked(typed: str, text: str, marked: list[str]) -> None:
    assert has(words(typed), text)
    pieces = excerpt(text, words(typed))
    assert [piece.text for piece in pieces if piece.found] == marked
    assert "".join(piece.text for piece in pieces) == " ".join(text.split())


def test_every_word_has_to_be_in_one_of_the_texts() -> None:
    assert has(words("mill BARON"), "The baron", "Windmill")
    assert not has(words("mill count"), "The baron", "Windmill")
    assert has(words("  "), "") and words("a A ä") == ("a",)


def test_a_long_text_is_cut_around_the_first_find() -> None:
    text = f"{'before ' * 40}the Néedle {'after ' * 40}"
    pieces = excerpt(text, words("needle"))
    assert [piece.text for piece in pieces if piece.found] == ["Néedle"]
    whole = "".join(piece.text for piece in pieces)
    assert len(whole) < 140 and whole.startswith("…") and whole.endswith("…") and fold("NÉEDLE") in fold(whole)
    assert "".join(piece.text for piece in excerpt(text, ())).startswith("before")
