"""Invitations to found a campaign, where not everybody may: made by whoever runs the server, used once.

Nothing is stored. The invitation carries when it ends and is signed with the envelopes' key; the campaign's id is made
from it, so a second campaign cannot come of it. The new GM's own secrets do not: whoever made or forwarded the
invitation could otherwise take the GM's seat.
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
    """A new invitation, good for so many days, as 43 letters that fit into an address."""
    ends = int((datetime.now(UTC) + timedelta(days=days)).timestamp())
    body = struct.pack(">Q", ends) + os.urandom(8)
    return base64.urlsafe_b64encode(body + _signature(vault.keys[0], body)).rstrip(b"=").decode()


def holds(vault: Vault, token: str) -> bool:
    """Whether this is an invitation of ours that has not ended; whether it was used, the database knows."""
    if not tokens.well_formed(token):
        return False
    raw = base64.urlsafe_b64decode(token + "=")
    body, signature = raw[:16], raw[16:]
    ours = any(hmac.compare_digest(signature, _signature(key, body)) for key in vault.keys)
    (ends,) = struct.unpack(">Q", body[:8])
    return ours and ends > datetime.now(UTC).timestamp()


def _signature(key: bytes, body: bytes) -> bytes:
    return hmac.digest(key, b"signet-founder-1\n" + body, "sha256")[:16]
