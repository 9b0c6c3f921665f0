"""The record of a scene: every text that was hashed, each head a hash over the head before it and the next text.

Two people who read out the same six words have seen the same history.
"""

import functools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from app.receipts.luck import digest
from app.resources import folder

FORMAT = 1
"""Of the file that `signet verify` reads."""

WORD_LIST = "vendor/scure-bip39/2.4.0/english.js"


def canonical(value: Any) -> str:
    """The one JSON text of a value: keys sorted, ASCII, nothing between the marks."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False)


def setup_digest(salt: bytes, setup: str) -> bytes:
    """What is known of a scene's setup until it is over."""
    return digest("signet-setup-1", salt, setup)


def left_digest(salt: bytes, name: str, value: Any) -> bytes:
    """What a scene leaves under a name, as its last record holds it; the salt is the setup's."""
    return digest("signet-left-1", salt, name, canonical(value))


def came_digest(salt: bytes, seat: str, sheet: str) -> bytes:
    """What is known until the scene is over of the sheet with which somebody came in; the salt is the setup's."""
    return digest("signet-left-1", salt, f"came/{seat}", sheet)


def hidden_digest(salt: bytes, texts: Sequence[str]) -> bytes:
    """What the last record holds of all closings that not everybody could know of; the salt is the setup's."""
    return digest("signet-hidden-1", salt, *texts)


def first_head(
    *,
    campaign: str,
    scene: str,
    ruleset: str,
    kind: str,
    version: str,
    anchor: bytes,
    setup: bytes,
    carried: Mapping[str, str | None],
) -> bytes:
    """The head before anything happened. `carried`: name in the campaign's memory -> head of the scene that left it."""
    names = [f"{name}={head or '-'}" for name, head in sorted(carried.items())]
    return digest("signet-scene-1", campaign, scene, ruleset, kind, version, anchor, setup, *names)


def next_head(head: bytes, text: str) -> bytes:
    """The head once `text` has been recorded."""
    return digest("signet-record-1", head, text)


def six_words(head: bytes) -> str:
    """A head to be said aloud: its first 66 bits, eleven a word."""
    bits = int.from_bytes(head[:9], "big") >> 6
    return " ".join(words()[bits >> (55 - 11 * place) & 2047] for place in range(6))


@functools.cache
def words() -> tuple[str, ...]:
    """The 2,048 words, from the file that browsers read too, so that both say the same."""
    text = (folder("static") / WORD_LIST).read_text(encoding="utf-8")
    found = re.search(r"`([^`]*)`", text)
    listed = tuple(found[1].split()) if found else ()
    if len(listed) != 2048:
        raise ValueError(f"{WORD_LIST} does not hold 2,048 words")
    return listed
