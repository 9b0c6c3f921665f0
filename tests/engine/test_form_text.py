"""Words: the form's own text, the same bytes from every side, and back again."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.form_text import read, spell, unflatten

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@settings(deadline=None)
@given(st.lists(st.tuples(TEXT, TEXT), max_size=8))
def test_spelling_what_was_read_changes_nothing(pairs: list[tuple[str, str]]) -> None:
    words = spell(pairs)
    assert spell(read(words)) == words
    assert all(not name.startswith("_") for name, _ in read(words))


def test_line_ends_and_accents_have_one_spelling() -> None:
    assert spell([("a", "one\r\ntwo\rthree")]) == '[["a","one\\ntwo\\nthree"]]'
    assert spell([("e", "e\u0301")]) == spell([("e", "\u00e9")])


@pytest.mark.parametrize(
    "words", ["{}", "[1]", '[["a"]]', '[["a",1]]', "nonsense", "[" * 100_000, json.dumps([["a", "b"]] * 2001)]
)
def test_what_is_no_list_of_pairs_is_refused(words: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read(words)


def test_dotted_names_are_groups_and_brackets_gather() -> None:
    pairs = [("of.alice.intent", "attack"), ("of.alice.prefer[]", "b"), ("of.alice.prefer[]", ""), ("of.bob", "x")]
    assert unflatten([*pairs, ("of.alice.prefer[]", "a")]) == {
        "of": {"alice": {"intent": "attack", "prefer": ["b", "a"]}, "bob": "x"}
    }


@pytest.mark.parametrize(
    "pairs",
    [[("a", "1"), ("a.b", "2")], [("a.b", "1"), ("a", "2")], [("a", "1"), ("a[]", "2")], [(".".join("x" * 12), "1")]],
)
def test_a_name_is_a_value_or_a_group(pairs: list[tuple[str, str]]) -> None:
    if pairs == [("a.b", "1"), ("a", "2")]:
        with pytest.raises(ValueError, match="both"):
            unflatten(pairs)
        return
    with pytest.raises(ValueError, match=r"both|nested"):
        unflatten(pairs)
