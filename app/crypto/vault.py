"""Encryption at rest: AES-256-GCM with a key that is never in the database; each box is bound to its place."""

import hmac
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

STEP = 1024  # plaintexts are padded to a multiple of this many bytes, so that a box's size says little about its text


class Locked(Exception):
    """A box cannot be decrypted: the key is wrong, or the box was changed or moved."""


@dataclass(frozen=True)
class Vault:
    """Encrypts and decrypts boxes. The first key encrypts; any of them decrypts, so that keys can be rotated."""

    keys: Sequence[bytes]
    _ciphers: dict[bytes, AESGCM] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.keys or any(len(key) != 32 for key in self.keys):
            raise ValueError("the key for envelopes must be 32 bytes")
        object.__setattr__(self, "_ciphers", {key_name(key): AESGCM(key) for key in self.keys})

    def __repr__(self) -> str:
        return f"Vault({len(self.keys)} keys)"

    def encrypt(self, plain: bytes, aad: str) -> bytes:
        """Returns a box bound to `aad`, its place: key name (4 bytes), nonce (12 bytes), padded ciphertext."""
        name, nonce = key_name(self.keys[0]), os.urandom(12)
        padded = plain + b"\x01" + b"\x00" * (-(len(plain) + 1) % STEP)
        return name + nonce + self._ciphers[name].encrypt(nonce, padded, aad.encode())

    def decrypt(self, box: bytes, aad: str) -> bytes:
        """Returns the plaintext. Raises Locked where the key or `aad` does not fit."""
        cipher = self._ciphers.get(box[:4])
        if cipher is None:
            raise Locked(f"no key named {box[:4].hex()} is available; the database belongs to another key file")
        try:
            padded = cipher.decrypt(box[4:16], box[16:], aad.encode())
        except InvalidTag as wrong:
            raise Locked("the box does not open: it was changed or moved") from wrong
        return padded.rstrip(b"\x00")[:-1]

    def mac(self, purpose: str) -> hmac.HMAC:
        """Returns an HMAC-SHA-256, still of nothing, under a key that HKDF derives from the first key for `purpose`."""
        derived = HKDF(SHA256(), 32, salt=None, info=f"signet-{purpose}".encode()).derive(self.keys[0])
        return hmac.new(derived, digestmod="sha256")


def key_name(key: bytes) -> bytes:
    """Returns four bytes that identify a key in its boxes and disclose nothing about it."""
    return sha256(b"signet-key-1\n" + key).digest()[:4]
