"""The record of a scene: the texts that were hashed; each head is a hash over the head before it and the next text.

Two people who read out the same six words have seen the same history.
"""

import functools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from app.receipts.luck import digest
from app.resources import folder

WORD_LIST = "vendor/scure-bip39/2.4.0/english.js"
INSTEAD = "js/six-words.js"  # friendlier words for some of them


def canonical(value: Any) -> str:
    """Returns the canonical JSON text of a value: keys sorted, ASCII, no spaces."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False)


def setup_digest(salt: bytes, setup: str) -> bytes:
    """Returns the hash that fixes a scene's setup, which stays secret until the scene is over."""
    return digest("signet-setup-1", salt, setup)


def left_digest(salt: bytes, name: str, value: Any) -> bytes:
    """Returns the hash of what a scene leaves under a name, for its last record; the salt is the setup's."""
    return digest("signet-left-1", salt, name, canonical(value))


def came_digest(salt: bytes, seat: str, sheet: str) -> bytes:
    """Returns the hash of an entering player's sheet, secret until the scene is over; the salt is the setup's."""
    return digest("signet-left-1", salt, f"came/{seat}", sheet)


def back_digest(salt: bytes, scene: str, sheets: str) -> bytes:
    """Returns the hash of the sheets that came back from an inner scene, secret until the outer one is over; the salt
    is the outer setup's."""
    return digest("signet-left-1", salt, f"back/{scene}", sheets)


def rolled_digest(number: int, text: str) -> bytes:
    """Returns the hash of a GM's secret roll, which others see until it opens; the text has a salt of its own."""
    return digest("signet-rolled-1", number, text)


def acts_digest(salt: bytes, text: str) -> bytes:
    """Returns the hash of what a GM did to the seats of steps, secret until the scene is over; the salt is the
    setup's."""
    return digest("signet-acts-2", salt, text)


def hidden_digest(salt: bytes, texts: Sequence[str]) -> bytes:
    """Returns the hash of all hidden closings, for the last record; the salt is the setup's."""
    return digest("signet-hidden-1", salt, *texts)


def first_head(
    *,
    protocol: int,
    campaign: str,
    scene: str,
    ruleset: str,
    kind: str,
    version: str,
    anchor: bytes,
    setup: bytes,
    carried: Mapping[str, str | None],
) -> bytes:
    """Returns the first head. `protocol`: 1 or 2; `carried`: name in the campaign's memory -> head of the scene that
    left it."""
    names = [f"{name}={head or '-'}" for name, head in sorted(carried.items())]
    return digest(f"signet-scene-{protocol}", campaign, scene, ruleset, kind, version, anchor, setup, *names)


def next_head(head: bytes, text: str) -> bytes:
    """Returns the head after `text` is recorded."""
    return digest("signet-record-1", head, text)


def six_words(head: bytes) -> str:
    """Returns a head as words to read aloud: its first 66 bits, eleven per word."""
    bits = int.from_bytes(head[:9], "big") >> 6
    return " ".join(words()[bits >> (55 - 11 * place) & 2047] for place in range(6))


@functools.cache
def words() -> tuple[str, ...]:
    """Returns the 2,048 words, from the files that browsers also read, so that both use the same."""
    vendored = re.search(r"`([^`]*)`", _script(WORD_LIST))
    listed = vendored[1].split() if vendored else []
    friendlier = dict(re.findall(r"\b([a-z]+)=([a-z]+)\b", _script(INSTEAD)))
    found = tuple(friendlier.get(word, word) for word in listed)
    if len(found) != 2048 or len(set(found)) != 2048 or not friendlier.keys() <= set(listed):
        raise ValueError(f"{WORD_LIST} and {INSTEAD} do not make 2,048 words")
    return found


def _script(name: str) -> str:
    return (folder("static") / name).read_text(encoding="utf-8")
