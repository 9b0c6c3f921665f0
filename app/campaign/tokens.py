"""Secrets that let somebody in: 256 bits from the system's source of randomness, and only their hash is kept.

Forms that hand out a secret carry a `once`: a fresh secret from which the handed-out ones are derived. A form that is
sent twice (a double press, a reload) therefore gives the same answer twice, instead of locking its sender out.
"""

import base64
import hashlib
import re
import secrets
import uuid

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that are mistaken for another when read aloud or by lamplight
CODE_LENGTH = 8

_SHAPE = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)


def fresh() -> str:
    """A new secret: 256 bits as 43 letters that fit into an address."""
    return secrets.token_urlsafe(32)


def well_formed(token: str) -> bool:
    """Whether this can be one of our secrets at all; anything else need not reach the database."""
    return _SHAPE.fullmatch(token) is not None


def digest(token: str) -> bytes:
    """What is stored of a secret."""
    return hashlib.sha256(b"signet-token-1\n" + token.encode()).digest()


def derive(once: str | None, purpose: str) -> str:
    """The secret for `purpose` that belongs to a form's `once`; a fresh one where the form has none worth the name."""
    if once is None or not well_formed(once):
        return fresh()
    raw = hashlib.sha256(f"signet-once-1\n{purpose}\n{once}".encode()).digest()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def derive_id(once: str | None, purpose: str) -> uuid.UUID:
    """An id that belongs to a form's `once`, so that the same form sent twice makes one thing."""
    return uuid.UUID(bytes=hashlib.sha256(derive(once, purpose).encode()).digest()[:16], version=4)


def fresh_code() -> str:
    """A code short enough to type on another device, written "ABCD-EFGH"."""
    letters = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    return f"{letters[:4]}-{letters[4:]}"


def tidy_code(typed: str) -> str | None:
    """A typed code as it was shown, whatever its case, spaces or dashes; None for what cannot be one."""
    letters = re.sub(r"[\s\-–—_.]", "", typed[:64]).upper()
    if len(letters) != CODE_LENGTH or any(letter not in CODE_LETTERS for letter in letters):
        return None
    return f"{letters[:4]}-{letters[4:]}"


def digest_code(campaign: uuid.UUID, code: str) -> bytes:
    """What is stored of a device code. Forty bits fall to whoever holds a dump, but only while the code lives."""
    return hashlib.sha256(b"signet-code-1\n" + campaign.bytes + code.encode()).digest()
