"""Pieces of a page that no answer sends to a browser twice (app/web/http/fragment_answers.py).

A template marks one with `{% call kept("g", class="rim") %}…{% endcall %}`: what the element contains has a name, made
of a hash of it. An answer to a browser that has the piece has the element empty, and the browser fills it before
anything else reads the answer (static/js/swaps.js). A piece that occurs twice in an answer is sent once.

What somebody chooses is never in a piece: the length of an answer would tell whether they chose it before. Nor is the
time, or anything that a script changes.
"""

import hashlib
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Set

from markupsafe import Markup

LEAST = 40  # characters; a shorter piece would save less than its name takes
PIECE = re.compile(r' data-kept="([\w-]{12})\.(\d{1,6})">')


def kept_element(tag: str, *, caller: Callable[[], Markup], **attributes: object) -> Markup:
    """An element whose content a browser keeps. Its attributes are no part of the piece; `_` in their names is `-`, and
    those that are empty are left out."""
    inner = caller().strip()
    there = ((name.replace("_", "-"), value) for name, value in attributes.items() if value not in (None, ""))
    shown = Markup("").join(Markup(' {}="{}"').format(name, value) for name, value in there)
    return Markup("<{}{}{}>{}</{}>").format(tag, shown, named_by_hash(inner), inner, tag)


def named_by_hash(inner: Markup) -> Markup:
    """The last attribute of an element that contains this piece; none where it is short, or has a piece in it."""
    if len(inner) < LEAST or "data-kept=" in inner or not _is_plain(inner):
        return Markup("")
    return Markup(' data-kept="{}.{}"').format(_name(inner), len(inner))


def without(text: str, has: Set[str]) -> str:
    """A text without these pieces, and each other piece once. What is not what its name says stays as it is."""
    seen, parts, at = set(has), list[str](), 0
    while found := PIECE.search(text, at):
        end = found.end() + int(found[2])
        inner = text[found.end() : end]
        parts.append(text[at : found.end()])
        at = found.end()
        if _name(inner) == found[1]:
            parts += [inner] if found[1] not in seen else []
            seen.add(found[1])
            at = end
    return "".join((*parts, text[at:]))


def _is_plain(inner: str) -> bool:
    """Whether a browser counts as many characters as Python does."""
    return all(letter <= "\uffff" for letter in inner)


def _name(inner: str) -> str:
    return urlsafe_b64encode(hashlib.sha256(inner.encode()).digest()[:9]).decode()
