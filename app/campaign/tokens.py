"""Secrets that give access: 256 bits from the system's source of randomness; only their hash is stored.

A form whose answer contains a secret carries a `once`, a fresh secret from which the others are derived. A form that is
sent twice (a double press, a reload) therefore gives the same answer twice, instead of locking its sender out.
"""

import base64
import hashlib
import re
import secrets
import uuid

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # without letters that are easily confused
CODE_LENGTH = 8

_SHAPE = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)


def fresh() -> str:
    """Returns a new secret: 256 bits as 43 characters that are safe in a URL."""
    return secrets.token_urlsafe(32)


def well_formed(token: str) -> bool:
    """Whether this has the form of a secret; anything else need not reach the database."""
    return _SHAPE.fullmatch(token) is not None


def digest(token: str) -> bytes:
    """Returns the hash that is stored for a secret."""
    return hashlib.sha256(b"signet-token-1\n" + token.encode()).digest()


def derive(once: str | None, purpose: str) -> str:
    """Returns the secret for `purpose` derived from a form's `once`; a fresh one if `once` is missing or malformed."""
    if once is None or not well_formed(once):
        return fresh()
    raw = hashlib.sha256(f"signet-once-1\n{purpose}\n{once}".encode()).digest()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def derive_id(once: str | None, purpose: str) -> uuid.UUID:
    """Returns an id derived from a form's `once`, so that a form sent twice makes only one row."""
    return uuid.UUID(bytes=hashlib.sha256(derive(once, purpose).encode()).digest()[:16], version=4)


def fresh_code() -> str:
    """Returns a random code to type on another device, like "ABCD-EFGH"."""
    letters = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    return f"{letters[:4]}-{letters[4:]}"


def tidy_code(typed: str) -> str | None:
    """Returns a typed code in its original form, whatever its case, spaces or dashes; None if it cannot be a code."""
    letters = re.sub(r"[\s\-–—_.]", "", typed[:64]).upper()
    if len(letters) != CODE_LENGTH or any(letter not in CODE_LETTERS for letter in letters):
        return None
    return f"{letters[:4]}-{letters[4:]}"


def digest_code(campaign: uuid.UUID, code: str) -> bytes:
    """Returns the hash that is stored for a device code. A dump allows guessing its 40 bits, but it expires soon."""
    return hashlib.sha256(b"signet-code-1\n" + campaign.bytes + code.encode()).digest()
