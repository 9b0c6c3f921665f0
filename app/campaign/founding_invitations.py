"""Invitations to create a campaign on a server where this is restricted: made by the operator, used once.

Nothing is stored. The invitation contains its expiry and is signed with the key of the envelopes. The campaign's id is
derived from it, so it cannot make a second campaign. The new GM's secrets are not: otherwise the people who made or
forwarded the invitation could take the GM's seat.
"""

import base64
import hmac
import os
import struct
from datetime import UTC, datetime, timedelta

from app.campaign import tokens
from app.crypto.vault import Vault

DAYS = 7


def invite(vault: Vault, days: int = DAYS) -> str:
    """Returns a new invitation, valid for `days`, as 43 characters that are safe in a URL."""
    ends = int((datetime.now(UTC) + timedelta(days=days)).timestamp())
    body = struct.pack(">Q", ends) + os.urandom(8)
    return base64.urlsafe_b64encode(body + _signature(vault.keys[0], body)).rstrip(b"=").decode()


def holds(vault: Vault, token: str) -> bool:
    """Whether this is an invitation of this server that has not expired. It may have been used."""
    if not tokens.well_formed(token):
        return False
    raw = base64.urlsafe_b64decode(token + "=")
    body, signature = raw[:16], raw[16:]
    ours = any(hmac.compare_digest(signature, _signature(key, body)) for key in vault.keys)
    (ends,) = struct.unpack(">Q", body[:8])
    return ours and ends > datetime.now(UTC).timestamp()


def _signature(key: bytes, body: bytes) -> bytes:
    return hmac.digest(key, b"signet-founder-1\n" + body, "sha256")[:16]
