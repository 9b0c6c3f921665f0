"""Texts of foreign files without their HTML: nh3 parses it in linear time, and leaves the tags that break a line."""

import html
import re

import nh3

MOST_TEXT = 4000
MOST_PARSED = 4 * MOST_TEXT  # characters of a text that are looked at

_BREAKS = frozenset({"p", "br", "div", "li", "tr", "h1", "h2", "h3", "h4"})
_CLEANER = nh3.Cleaner(
    tags={*_BREAKS, "ul", "ol", "table", "tbody"},  # with these, nh3 keeps the order of rows
    attributes={},
    clean_content_tags={"script", "style"},
    link_rel=None,
)
_TAG = re.compile(r"<(/?)([a-z0-9]+)>")  # all tags that nh3 has left look like this, and no other "<" is there
_FORMAT = re.compile(r"<(?!(?:p|br|div|li|tr|h[1-4]|ul|ol|table|tbody|td|span)\b)[a-z][^<>]{0,500}>", re.IGNORECASE)


def plain(text: str) -> str:
    """Returns a text without HTML and unprintable characters."""
    text = printable(text[:MOST_PARSED])
    if "<" in text and ">" in text:
        text = html.unescape(_TAG.sub(_broken, _CLEANER.clean(text)))
    elif "&" in text:
        text = html.unescape(text)
    return re.sub(r"\n{3,}", "\n\n", printable(text)).strip()


def has_formats(text: str) -> bool:
    """Whether a text has tags of which plain text keeps nothing, not even a line break."""
    return _FORMAT.search(text[:MOST_PARSED]) is not None


def _broken(tag: re.Match[str]) -> str:
    return "\n" if not tag[1] and tag[2] in _BREAKS else ""


def printable(text: str) -> str:
    """Returns a text without control characters and halves of characters; line breaks stay."""
    return "".join(sign for sign in text if sign == "\n" or (sign.isprintable() and not "\ud800" <= sign <= "\udfff"))
