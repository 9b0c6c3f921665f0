"""Campaigns and their people. Tokens are stored as SHA-256 only: reading the database opens no seat."""

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    DateTime,
    Enum,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    SmallInteger,
    UniqueConstraint,
    and_,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import Mapped, mapped_column

from app.models.base import Base, Now


class Role(StrEnum):
    GM = "gm"
    PLAYER = "player"
    SPECTATOR = "spectator"


def _values(roles: type[Role]) -> list[str]:
    return [role.value for role in roles]


ROLE = Enum(Role, native_enum=False, length=16, values_callable=_values)
"""Stored as plain text, "gm": a Postgres enum type would need a migration for each new role."""


def _of(column: str) -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["campaign_id", column], ["members.campaign_id", "members.id"], ondelete="CASCADE")


class Campaign(Base):
    """A group's long-running game. `slug` is its name in addresses: /c/<slug>/<member handle>/…"""

    __tablename__ = "campaigns"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    slug: Mapped[str] = mapped_column(unique=True)
    title: Mapped[str]
    about: Mapped[str] = mapped_column(default="")
    settings: Mapped[dict[str, Any]] = mapped_column(default=dict)
    demo: Mapped[bool] = mapped_column(default=False)
    made_at: Mapped[Now]


class Member(Base):
    """A person in a campaign. `handle` is fixed on joining and is part of the member's addresses and cookie path."""

    __tablename__ = "members"
    __table_args__ = (
        ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"),
        UniqueConstraint("campaign_id", "handle"),
        Index(None, "campaign_id", "way_back", unique=True),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    handle: Mapped[str]
    name: Mapped[str]
    role: Mapped[Role] = mapped_column(ROLE)
    way_back: Mapped[bytes | None] = mapped_column(LargeBinary)  # SHA-256 of the personal link's token
    removed_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    joined_at: Mapped[Now]
    seen_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    handed_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # a handout not looked at yet
    quiet_drafts: Mapped[bool] = mapped_column(server_default=text("true"))  # saved while they choose


class Character(Base):
    """A character with its sheet; `owner_id` is None if it is the GMs'. Rulesets and forms name it by its `slug`."""

    __tablename__ = "characters"
    __table_args__ = (
        ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"),
        ForeignKeyConstraint(["campaign_id", "owner_id"], ["members.campaign_id", "members.id"]),
        UniqueConstraint("campaign_id", "slug"),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    slug: Mapped[str]
    name: Mapped[str]
    ruleset: Mapped[str]
    owner_id: Mapped[uuid.UUID | None]
    sheet: Mapped[dict[str, Any]]
    care: Mapped[dict[str, Any]] = mapped_column(default=dict, server_default="{}")  # standing answers to passing days
    dice: Mapped[list[Any] | None] = mapped_column(JSONB(none_as_null=True))  # app.engine.ruleset.Dice, if rolled
    folder: Mapped[str] = mapped_column(default="", server_default="")  # in the GMs' library; only GMs read it
    shown: Mapped[str] = mapped_column(default="gm", server_default="gm")  # app.campaign.library.KnownTo
    version: Mapped[int] = mapped_column(default=1)
    retired_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    made_at: Mapped[Now]

    @hybrid_property
    def secret(self) -> bool:
        """Whether only GMs may read the character: no member owns it, and no GM has shown it to the players
        (app/campaign/character_visibility.py)."""
        return self.owner_id is None and self.shown != "known"

    @secret.inplace.expression
    @classmethod
    def _secret(cls) -> ColumnElement[bool]:
        return and_(cls.owner_id.is_(None), cls.shown != "known")


class SheetChange(Base):
    """One change of a character, recorded by app/campaign/sheets.py and never edited afterwards."""

    __tablename__ = "sheet_changes"
    __table_args__ = (
        ForeignKeyConstraint(
            ["campaign_id", "character_id"], ["characters.campaign_id", "characters.id"], ondelete="CASCADE"
        ),
        _of("member_id"),
        Index(None, "campaign_id", "character_id", "id"),
        Index(None, "campaign_id", "crossing_id"),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    character_id: Mapped[uuid.UUID]
    version: Mapped[int]  # of the sheet, after the change
    how: Mapped[str]  # app.campaign.sheets.How
    member_id: Mapped[uuid.UUID | None]  # who made the change
    scene_id: Mapped[uuid.UUID | None]  # the scene whose end wrote it
    crossing_id: Mapped[uuid.UUID | None]  # the movement of time that wrote it, or whose undoing did
    day: Mapped[int | None] = mapped_column(BigInteger)  # the campaign's date; None where it has no calendar
    changes: Mapped[dict[str, Any]]  # path in the sheet -> [old, new]; "owner", "name": of the character
    at: Mapped[Now]


class Promotion(Base):
    """A wish that a GM's character become a player's, perhaps in place of one who died."""

    __tablename__ = "promotions"
    __table_args__ = (
        ForeignKeyConstraint(
            ["campaign_id", "character_id"], ["characters.campaign_id", "characters.id"], ondelete="CASCADE"
        ),
        ForeignKeyConstraint(
            ["campaign_id", "instead_of_id"], ["characters.campaign_id", "characters.id"], ondelete="CASCADE"
        ),
        _of("member_id"),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    character_id: Mapped[uuid.UUID]
    member_id: Mapped[uuid.UUID]  # the character's future player
    instead_of_id: Mapped[uuid.UUID | None]
    status: Mapped[str] = mapped_column(default="open")  # open, confirmed, declined, withdrawn, later
    made_at: Mapped[Now]
    answered_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class Challenge(Base):
    """One player's character challenges another's to a fight; once accepted, `scene_id` is its scene."""

    __tablename__ = "challenges"
    __table_args__ = (ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"), _of("made_by"))

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    ruleset: Mapped[str]
    challenger: Mapped[str]  # slugs of characters
    challenged: Mapped[str]
    made_by: Mapped[uuid.UUID]
    settings: Mapped[dict[str, Any]]
    status: Mapped[str] = mapped_column(default="open")  # open, accepted, declined, withdrawn
    scene_id: Mapped[uuid.UUID | None]
    made_at: Mapped[Now]
    answered_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class Device(Base):
    """A browser signed in to a member's seat: its cookie holds the token, this row only the token's SHA-256.

    It is found by campaign and token: the address always names the campaign, so no lookup ever crosses campaigns.
    """

    __tablename__ = "sessions"
    __table_args__ = (
        _of("member_id"),
        UniqueConstraint("campaign_id", "token_hash"),
        Index(None, "campaign_id", "member_id"),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    member_id: Mapped[uuid.UUID]
    token_hash: Mapped[bytes] = mapped_column(LargeBinary)
    label: Mapped[str]  # "Firefox on Android", guessed from its User-Agent
    made_at: Mapped[Now]
    seen_at: Mapped[Now]
    revoked_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class Invitation(Base):
    """An invitation to join, claimed once. The claimer takes over seat and characters of `replaces_id`, if given."""

    __tablename__ = "invitations"
    __table_args__ = (
        ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"),
        _of("made_by"),
        _of("claimed_by"),
        _of("replaces_id"),
        UniqueConstraint("campaign_id", "token_hash"),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary)
    role: Mapped[Role] = mapped_column(ROLE)
    characters: Mapped[list[Any]]  # ids as text
    for_name: Mapped[str] = mapped_column(default="")
    replaces_id: Mapped[uuid.UUID | None]
    made_by: Mapped[uuid.UUID]
    made_at: Mapped[Now]
    expires_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    claimed_by: Mapped[uuid.UUID | None]
    claimed_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    revoked_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class GroupLink(Base):
    """The link of a campaign that many people may open to ask to join; no row: it is switched off.

    `nonce` alone gives no link: app/campaign/group_links.py derives the token with the server's key.
    """

    __tablename__ = "group_links"
    __table_args__ = (ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    nonce: Mapped[bytes] = mapped_column(LargeBinary)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary)
    made_at: Mapped[Now]


class JoinRequest(Base):
    """A person who opened the group link and asks to join; once admitted, `member_id` is their member."""

    __tablename__ = "join_requests"
    __table_args__ = (
        ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"),
        _of("member_id"),
        UniqueConstraint("campaign_id", "token_hash"),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary)  # of the waiting browser's cookie, later its seat's cookie
    link_hash: Mapped[bytes] = mapped_column(LargeBinary)  # of the personal link that the member will have
    name: Mapped[str]
    ruleset: Mapped[str]
    hero: Mapped[str]  # a key of that ruleset's `heroes`, or ""
    label: Mapped[str]
    status: Mapped[str] = mapped_column(default="waiting")  # waiting, admitted, declined
    member_id: Mapped[uuid.UUID | None]
    made_at: Mapped[Now]
    answered_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class DeviceCode(Base):
    """A short code that signs one more browser in to a member's seat: valid for ten minutes, once.

    `tries` is unused: wrong codes were counted here, by campaign; now they are counted by address.
    """

    __tablename__ = "device_codes"
    __table_args__ = (_of("member_id"), UniqueConstraint("campaign_id", "code_hash"))

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    member_id: Mapped[uuid.UUID]
    code_hash: Mapped[bytes] = mapped_column(LargeBinary)
    made_at: Mapped[Now]
    expires_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    tries: Mapped[int] = mapped_column(server_default=text("0"))
    used_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class HintCount(Base):
    """How many hints a campaign ("all") or one member alone was sent, but for those that scenes and seats count."""

    __tablename__ = "hints"
    __table_args__ = (ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    whom: Mapped[str] = mapped_column(primary_key=True)
    sent: Mapped[int] = mapped_column(BigInteger)


class Presence(Base):
    """The last sign of one of a member's pages: "front", "behind" other windows, or "closed". See presence.py."""

    __tablename__ = "presences"
    __table_args__ = (_of("member_id"),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    member_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    page: Mapped[int] = mapped_column(SmallInteger, primary_key=True)  # a number that the page chose
    state: Mapped[str]  # app.campaign.presence.PageState
    seen_at: Mapped[Now]


class Note(Base):
    """The GMs' private notes: one page per topic, "" for the whole campaign. `version` catches concurrent edits."""

    __tablename__ = "notes"
    __table_args__ = (ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    topic: Mapped[str] = mapped_column(primary_key=True)
    body: Mapped[str]
    version: Mapped[int] = mapped_column(server_default=text("1"))
    changed_by: Mapped[uuid.UUID | None]
    changed_at: Mapped[Now]


class Bound(Base):
    """One line, veil or "ask first" of a campaign. It has no author, no hour, and an id without time (`uuid4`)."""

    __tablename__ = "bounds"
    __table_args__ = (
        ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"),
        UniqueConstraint("campaign_id", "text"),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]  # line, veil, ask
    text: Mapped[str]
    said_by: Mapped[str] = mapped_column(default="", server_default="")  # a name, only if its author wanted it there
    gone: Mapped[bool] = mapped_column(default=False, server_default=text("false"))  # removed; can be restored
    version: Mapped[int] = mapped_column(default=1, server_default=text("1"))


class HomebrewItem(Base):
    """An item that a campaign's GMs added to the book of its rules: a spell, a foe. `key` begins with "own_"."""

    __tablename__ = "own_things"
    __table_args__ = (ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    ruleset: Mapped[str]
    kind: Mapped[str]  # a key of that ruleset's `homebrew`
    data: Mapped[dict[str, Any]]  # what the kind's adapter dumps as JSON, `id` the same as `key`
    version: Mapped[int] = mapped_column(default=1, server_default=text("1"))
    made_at: Mapped[Now]


class Goals(Base):
    """A player's private goals for a character (CHR-CHA-08); `box` is encrypted, and only that player reads it. A later
    owner of the character has separate goals."""

    __tablename__ = "goals"
    __table_args__ = (
        ForeignKeyConstraint(
            ["campaign_id", "character_id"], ["characters.campaign_id", "characters.id"], ondelete="CASCADE"
        ),
        _of("member_id"),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    character_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    member_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    box: Mapped[bytes] = mapped_column(LargeBinary)
    version: Mapped[int] = mapped_column(server_default=text("1"))
    changed_at: Mapped[Now]


class PreparedScene(Base):
    """A form for a new scene that a GM keeps for later; `box` is encrypted, see app/campaign/prepared.py.

    The row of an opened scene remains with that scene's id, so that a second press leads there.
    """

    __tablename__ = "prepared_scenes"
    __table_args__ = (ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    box: Mapped[bytes] = mapped_column(LargeBinary)
    version: Mapped[int] = mapped_column(default=1, server_default=text("1"))
    removed: Mapped[bool] = mapped_column(default=False, server_default=text("false"))  # can be restored
    opened_as: Mapped[uuid.UUID | None]
    made_at: Mapped[Now]
    changed_at: Mapped[Now]


class Handout(Base):
    """A text or a picture that GMs hand out. `box` (title and text as JSON) and `picture` (WebP) are encrypted, since
    nobody but GMs knows of it before."""

    __tablename__ = "handouts"
    __table_args__ = (ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    box: Mapped[bytes] = mapped_column(LargeBinary)
    picture: Mapped[bytes | None] = mapped_column(LargeBinary)
    width: Mapped[int | None]  # of the picture, in pixels
    height: Mapped[int | None]
    everyone_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # when everyone got it
    version: Mapped[int] = mapped_column(default=1, server_default=text("1"))
    made_at: Mapped[Now]


class HandoutReader(Base):
    """A member who has been given a handout."""

    __tablename__ = "handout_readers"
    __table_args__ = (
        ForeignKeyConstraint(
            ["campaign_id", "handout_id"], ["handouts.campaign_id", "handouts.id"], ondelete="CASCADE"
        ),
        _of("member_id"),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    handout_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    member_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    given_at: Mapped[Now]
