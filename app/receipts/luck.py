"""The luck of a scene and the hashes of its seals, as docs/fairness.md defines them.

A chain of hashes is fixed when the scene is made (`anchor` is public at once). Each public closing opens one more link,
and mixes it with the salts of every public player seal so far, which the server could not know when it fixed the chain.
All other hashes are SHA-256 over lines joined by one newline, the first a fixed tag, bytes as lower-case hex.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

LINKS = 4096
PROTOCOL = 2
"""The protocol of scenes that are opened now. Scenes of protocol 1 go on and are checked under it."""


def digest(*lines: str | bytes | int) -> bytes:
    """Returns the SHA-256 of the lines, joined by a newline: text as UTF-8, bytes as hex, numbers in decimal."""
    spelt = (line.hex() if isinstance(line, bytes) else str(line) for line in lines)
    return hashlib.sha256("\n".join(spelt).encode()).digest()


def chain_link(root: bytes, number: int) -> bytes:
    """Link `number` of a scene's chain: link 4096 is the root, link i the hash of link i + 1, link 0 the anchor."""
    if not 0 <= number <= LINKS:
        raise ValueError(f"a chain has links 0..{LINKS}, not {number}")
    value = root
    for _ in range(LINKS - number):
        value = hashlib.sha256(value).digest()
    return value


def first_thread(anchor: bytes) -> bytes:
    return digest("signet-thread-1", anchor)


def next_thread(thread: bytes, closing: int, lucks: Sequence[bytes | None]) -> bytes:
    """Mixes in the luck part of each public player's ask, in seat order; "-" where there is none."""
    return digest("signet-thread-1", thread, closing, *(luck if luck is not None else "-" for luck in lucks))


def open_seed(link: bytes, thread: bytes) -> bytes:
    return digest("signet-luck-1", link, thread)


def veiled_seed(root: bytes, thread: bytes) -> bytes:
    """Returns the luck of a public closing that nobody sees before the end."""
    return digest("signet-veil-2", root, thread)


def hidden_seed(root: bytes, number: int, thread: bytes, lucks: Sequence[bytes | None]) -> bytes:
    """Returns the luck of hidden closing `number` of a scene, from the thread at that moment and the luck part of each
    player's answer in seat order."""
    return digest("signet-hidden-2", root, number, thread, *(luck if luck is not None else "-" for luck in lucks))


def desk_seed(root: bytes, number: int, thread: bytes) -> bytes:
    """Returns the luck of a GM's act at the desk, from the number of such acts that drew before it and the thread at
    that moment; not from its key, since a GM could choose that by acts that do nothing."""
    return digest("signet-desk-2", root, number, thread)


def old_veiled_seed(root: bytes, step_key: str, lucks: Sequence[bytes | None]) -> bytes:
    """Returns the veiled luck of any closing under protocol 1, the GM's luck part included."""
    return digest("signet-veil-1", root, step_key, *(luck if luck is not None else "-" for luck in lucks))


def rolled_seed(root: bytes, number: int, thread: bytes) -> bytes:
    """Returns the luck of a GM's secret roll, by its number in the scene and the thread at that moment."""
    return digest("signet-secret-1", root, number, thread)


@dataclass(frozen=True, slots=True)
class Seal:
    """The two-level hash of one declaration. `luck` and `inner` prove the mixed luck while the words stay sealed."""

    luck: bytes
    inner: bytes
    commitment: bytes


def seal(campaign: str, scene: str, step_key: str, seat: str, kind: str, salt: bytes, words: str) -> Seal:
    """Returns the hashes of a declaration. Until the step closes, others see only its `commitment`."""
    luck = digest("signet-salt-1", salt)
    inner = digest("signet-words-1", salt, words)
    return Seal(luck, inner, commitment(campaign, scene, step_key, seat, kind, luck, inner))


def commitment(campaign: str, scene: str, step_key: str, seat: str, kind: str, part: bytes, inner: bytes) -> bytes:
    """Returns the outer hash from its two parts, where the words are not available."""
    return digest("signet-seal-1", campaign, scene, step_key, seat, kind, part, inner)


def follows(link: bytes, later: bytes) -> bool:
    """Whether `later` is the next link of a chain after `link`."""
    return hashlib.sha256(later).digest() == link
