"""Finds typed words in texts, whatever their case and accents, and cuts texts around what was found.

Texts are compared here and not in Postgres: there, `lower` depends on the database's collation and `unaccent` is an
extension that a server may not have, while the marks on a page must be where the search found the words. Full text
search finds no part of an invented name, and needs to know the language.
"""

import unicodedata
from dataclasses import dataclass

MOST_WORDS = 8
AROUND = 60  # letters before and after what was found


@dataclass(frozen=True, slots=True)
class MarkedText:
    """Part of a text; `found` if it is one of the words."""

    text: str
    found: bool = False


def words(typed: str) -> tuple[str, ...]:
    """Returns the words of a search, folded; at most `MOST_WORDS`.

    >>> words("  Ždár  GOBLIN ")
    ('zdar', 'goblin')
    """
    return tuple(dict.fromkeys(filter(None, map(fold, typed.split()))))[:MOST_WORDS]


def fold(text: str) -> str:
    """Returns a text without case and accents."""
    return "".join(letter for letter, _ in _letters(text))


def has(wanted: tuple[str, ...], *texts: str) -> bool:
    """Whether each of the folded words is in one of the texts, perhaps inside of a longer word."""
    folded = [fold(text) for text in texts]
    return all(any(word in text for text in folded) for word in wanted)


def excerpt(text: str, wanted: tuple[str, ...]) -> tuple[MarkedText, ...]:
    """Returns a piece of the text around the first word that is found there, in one line and with every word marked;
    the beginning of the text if it has none of them."""
    line = " ".join(text.split())
    spans = _spans(line, wanted)
    begin = max(0, spans[0][0] - AROUND) if spans else 0
    end = min(len(line), (spans[0][1] if spans else 0) + (AROUND if spans else 2 * AROUND))
    pieces, at = [MarkedText("…")] if begin else [], begin
    for first, last in spans:
        if first >= end:
            break
        pieces += [MarkedText(line[at:first]), MarkedText(line[first:last], True)]
        at = last
    pieces.append(MarkedText(line[at : max(at, end)] + ("…" if max(at, end) < len(line) else "")))
    return tuple(piece for piece in pieces if piece.text)


def _spans(text: str, wanted: tuple[str, ...]) -> list[tuple[int, int]]:
    """Returns where the words are in the text, in order; what overlaps is one."""
    letters = _letters(text)
    folded = "".join(letter for letter, _ in letters)
    found: list[tuple[int, int]] = []
    for word in wanted:
        at = folded.find(word)
        while at >= 0:
            end = at + len(word)
            found.append((letters[at][1], letters[end][1] if end < len(letters) else len(text)))
            at = folded.find(word, end)
    joined: list[tuple[int, int]] = []
    for first, last in sorted(found):
        if joined and first < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, max(last, first + 1)))
    return joined


def _letters(text: str) -> list[tuple[str, int]]:
    """Returns the folded letters, each with the place in the text that it comes from."""
    return [
        (letter, place)
        for place, one in enumerate(text)
        for letter in unicodedata.normalize("NFKD", one).casefold()
        if not unicodedata.combining(letter)
    ]
