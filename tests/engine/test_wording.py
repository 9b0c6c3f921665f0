"""Better words for stored sentences."""

from app.engine.wording import in_words

WORDS = {
    "Look at the pairing": "Check who fights whom",
    "Round <n>: the word": "Round <n>: rulings",
    "Say what <name>’s check is about": "Set the difficulty of <name>’s check",
}


def test_a_stored_sentence_is_read_whole() -> None:
    """Finds words that are put into a longer sentence, a name that is lost, or a name that is read as a pattern."""
    assert in_words({}, "Look at the pairing") == "Look at the pairing"
    assert in_words(WORDS, "Look at the pairing") == "Check who fights whom"
    assert in_words(WORDS, "Look at the pairing, Ann") == "Look at the pairing, Ann"
    assert in_words(WORDS, "Round 12: the word") == "Round 12: rulings"
    assert (
        in_words(WORDS, "Say what \\1 <name> (.*)’s check is about") == "Set the difficulty of \\1 <name> (.*)’s check"
    )
