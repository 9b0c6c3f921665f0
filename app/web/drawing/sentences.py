"""Puts events into words with the macros of a kind of scene's log.html.

The template has one or two macros for each kind of event, with a hyphen of the kind written as an underscore:
`told_<kind>` is its line in the log, and `why_<kind>` is its text in the answer to "Why?" if that says more than the
line, which it gets as `text`. A kind with only `why_` has no line. A macro may take any of `told`, `e` (the event
itself), `view`, `sight`, `desk` and `events` (of the same chapter) as parameters.

A line begins with a capital letter by itself; a later sentence of it says `|capital` where it begins with a name.

A macro `headline` puts a round into one line, for example "Round 2: two hits, Bob fell". It may take `title` ("Round
2"), `chapters`, `events`, `view` and `sight`; without it, the headline is the title.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from markupsafe import Markup

FOR_WANT_OF_WORDS = Markup("The rules say so.")
_FIRST_LETTER = re.compile(r"\A((?:\s|<[^>]*>)*)(\w)")  # behind tags and spaces


def event_line(words: Any, told: Any, sight: Any, desk: Any, events: Sequence[Any] = ()) -> Markup:
    """The log's line for an event; empty if it has none, or if another line of the chapter covers it.

    `words` is the module of a log.html. Raises LookupError if it has no macro for that kind of event.
    """
    macro = getattr(words, f"told_{_name(told.event.kind)}", None)
    if macro is not None:
        return _call(macro, told, sight, desk, events, Markup(""))
    if not has_words(words, told.event.kind):
        raise LookupError(f"log.html of {sight.ruleset.key} has no macro told_{_name(told.event.kind)}")
    return Markup("")


def event_reason(words: Any, told: Any, sight: Any, desk: Any) -> Markup:
    """The text of an event in the answer to "Why?"; never empty."""
    text = event_line(words, told, sight, desk)
    macro = getattr(words, f"why_{_name(told.event.kind)}", None)
    return (text if macro is None else _call(macro, told, sight, desk, (), text)) or FOR_WANT_OF_WORDS


def event_number(words: Any, told: Any, events: Sequence[Any]) -> int:
    """The number of the event that "Why?" asks about: its own, unless the template's `about` returns another."""
    about = getattr(words, "about", None)
    return told.number if about is None else int(about(told, events))


def round_headline(words: Any, chapters: Sequence[Any], sight: Any) -> str:
    """The headline of a round that consists of these chapters, as plain text."""
    title = chapters[0].step.title.partition(": ")[0]
    macro = getattr(words, "headline", None)
    if macro is None:
        return str(title)
    events = [one for chapter in chapters for one in chapter.events]
    given = {"title": title, "chapters": chapters, "events": events, "view": sight.view, "sight": sight}
    said = with_capital(Markup(macro(**{name: given[name] for name in macro.arguments})))
    return said.striptags() or str(title)


def has_words(words: Any, kind: str) -> bool:
    """Whether a log.html has a macro for that kind of event."""
    return any(hasattr(words, f"{prefix}_{_name(kind)}") for prefix in ("told", "why"))


def _name(kind: str) -> str:
    return kind.replace("-", "_")


def _call(macro: Any, told: Any, sight: Any, desk: Any, events: Iterable[Any], text: Markup) -> Markup:
    given = {
        "told": told, "e": told.event, "view": sight.view, "sight": sight, "desk": desk, "events": events, "text": text,
    }  # fmt: skip
    return with_capital(Markup(macro(**{name: given[name] for name in macro.arguments}).strip()))


def with_capital(line: Markup) -> Markup:
    """The line with a capital letter where its text begins with a letter."""
    return Markup(_FIRST_LETTER.sub(lambda found: found[1] + found[2].upper(), str(line), count=1))
