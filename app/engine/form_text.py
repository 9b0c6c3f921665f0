"""The words of a declaration: the posted form's own text, stored and hashed unchanged.

Words are the JSON text of the form's name/value pairs, `JSON.stringify([...new FormData(form)])` in a browser and
`spell(pairs)` here, byte for byte the same. Control fields of the page, whose names begin with an underscore, are left
out; a pressed button with another name is a field like any other (the browser's script puts it last).
"""

import json
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

Pairs = list[tuple[str, str]]
MOST_FIELDS = 2000


def spell(pairs: Iterable[tuple[str, str]]) -> str:
    """Returns the words of a form: line ends as \\n, text in NFC, without fields that begin with "_"."""
    kept = [[_tidy(name), _tidy(value)] for name, value in pairs if not name.startswith("_")]
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def read(words: str) -> Pairs:
    """Returns the pairs of some words. Raises ValueError if the text is not a list of pairs of strings."""
    try:
        raw = json.loads(words)
    except RecursionError:
        raise ValueError("words are nested too deep") from None
    if not isinstance(raw, list) or len(raw) > MOST_FIELDS:
        raise ValueError("words are a list of name and value pairs")
    pairs: Pairs = []
    for item in raw:
        if not (isinstance(item, list) and len(item) == 2 and all(isinstance(part, str) for part in item)):
            raise ValueError("words are a list of name and value pairs")
        pairs.append((item[0], item[1]))
    return pairs


def unflatten(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Returns dotted names as nested dicts: [("of.alice.intent", "stand")] -> {"of": {"alice": {"intent": "stand"}}}.

    A name that ends in "[]" collects a list in order, without empty values; of any other name the last value counts.
    Raises ValueError if a name is both a value and a group, or nested too deep.
    """
    root: dict[str, Any] = {}
    for name, value in pairs:
        many = name.endswith("[]")
        *groups, leaf = (name[:-2] if many else name).split(".")
        if len(groups) > 8:
            raise ValueError(f"the field name {name[:60]!r} is nested too deep")
        place = root
        for group in groups:
            place = place.setdefault(group, {})
            if not isinstance(place, dict):
                raise ValueError(f"the field {name[:60]!r} is both a value and a group")
        if isinstance(place.get(leaf), dict) or (many and isinstance(place.get(leaf), str)):
            raise ValueError(f"the field {name[:60]!r} is both a value and a group")
        if many:
            gathered = place.setdefault(leaf, [])
            if value:
                gathered.append(value)
        else:
            place[leaf] = value
    return root


def flatten(form: Mapping[str, Any], *above: str) -> Pairs:
    """Returns nested values as the pairs of a form, without empty ones; the inverse of `unflatten`.

    >>> flatten({"of": {"alice": {"intent": "stand", "attack": "", "prefer": ["bob"]}}})
    [('of.alice.intent', 'stand'), ('of.alice.prefer[]', 'bob')]
    """
    pairs: Pairs = []
    for key, value in form.items():
        name = ".".join((*above, key))
        if isinstance(value, Mapping):
            pairs += flatten(value, *above, key)
        elif isinstance(value, (list, tuple)):
            pairs += [(f"{name}[]", str(one)) for one in value]
        elif value:
            pairs.append((name, str(value)))
    return pairs


def _tidy(text: str) -> str:
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
