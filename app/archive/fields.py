"""What each field of a file's rows may say beyond its type: by the models with which the app itself reads it."""

import uuid
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError, model_validator

from app import rulesets
from app.almanac.calendar_state import AlmanacSettings
from app.almanac.entries import BriefTyped, Kind
from app.almanac.history import ROLLS
from app.archive.values import Row, Unfit
from app.calendar.repeat import RULE
from app.calendar.shape import Shape
from app.campaign import names
from app.campaign.characters import DICE
from app.campaign.library import KnownTo
from app.campaign.sealing_shows import SealingShows
from app.campaign.sheets import How
from app.engine.faults import dotted
from app.errors import MissingRules
from app.receipts.setup import STEP
from app.receipts.step_acts import Acts

Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Texts = list[str]
SceneId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
Count = Annotated[int, Field(ge=0, le=2**53, strict=True)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Opening(_Model):
    held: Annotated[bool, Field(strict=True)] = False
    limit: Annotated[int, Field(ge=0, le=10**9, strict=True)] | None = None


class CampaignSettings(_Model):
    """A campaign's settings, as several rooms read them; other keys mean nothing."""

    ruleset: str = ""
    sealing_shows: SealingShows = "names"
    steps: dict[str, _Opening] = {}
    days: dict[str, dict[str, Any]] = {}
    council_players: Annotated[bool, Field(strict=True)] = False
    council_next: Annotated[bool, Field(strict=True)] = False
    practice: Annotated[bool, Field(strict=True)] = False
    tutorial: Annotated[bool, Field(strict=True)] = False
    demo: str = ""

    @model_validator(mode="after")
    def _playable(self) -> "CampaignSettings":
        if self.tutorial and not any(self.ruleset == one.key for one in rulesets.RULESETS):
            raise ValueError("A tutorial needs a ruleset.")
        return self


class _Moved(_Model):
    state: str
    day: int
    last_day: int | None = None
    rule: dict[str, Any] | None = None


class _OpenScenes(_Model):
    open: list[uuid.UUID]
    count: Count


class Before(_Model):
    """What a movement of time remembers, to be taken back."""

    made: Count
    touched: Count
    versions: dict[str, Count]
    entries: dict[uuid.UUID, _Moved]
    made_entries: list[uuid.UUID]
    sheets: dict[str, dict[str, Any]]
    after: dict[str, Count]
    scenes: _OpenScenes


class EntryData(_Model):
    """What an entry remembers; other keys mean nothing to the database."""

    from_scene: SceneId | None = None


class OpenedWords(_Model):
    salt: Hash
    words: str


class StepActs(_Model):
    """What a GM has done to a step that is open."""

    held: bool = False
    back: Texts = []


class WhisperText(_Model):
    by: Literal["gm", "seat"]
    words: str


class PreparedForm(_Model):
    pairs: list[tuple[str, str]]


class HomebrewItemData(_Model):
    """A thing of a campaign's own; one that no longer fits its rules is left out by the app."""

    name: str


class HandoutText(_Model):
    title: str
    text: str


OPENED = TypeAdapter(OpenedWords)

SEEN_BY = Literal["all", "named", "gm"]
FIELDS: Mapping[str, TypeAdapter[Any]] = {
    name: kind if isinstance(kind, TypeAdapter) else TypeAdapter(kind)
    for name, kind in {
        "campaigns.settings": CampaignSettings,
        "almanacs.shape": Shape,
        "almanacs.settings": AlmanacSettings,
        "asks.status": Literal["waiting", "ready", "taken"],
        "asks.how": Literal["sealed", "draft", "standing", "default"],
        "bounds.kind": Literal["line", "veil", "ask"],
        "challenges.status": Literal["open", "accepted", "declined", "withdrawn"],
        "challenges.settings": dict[str, Any],
        "characters.sheet": dict[str, Any],
        "characters.care": dict[str, Any],
        "characters.dice": DICE,
        "characters.shown": KnownTo,
        "crossings.before": Before,
        "entries.kind": Kind,
        "entries.state": Literal["open", "paused", "done", "dropped"],
        "entries.rule": RULE,
        "entries.people": Texts,
        "entries.seen_by": SEEN_BY,
        "entries.viewers": list[uuid.UUID],
        "entries.standing": Literal["stop", "pass"],
        "entries.brief": BriefTyped,
        "entries.data": EntryData,
        "envelopes.salted_by": Literal["browser", "server"],
        "envelopes.opened": OPENED,
        "events.because": list[Count],
        "feeds.kind": Literal["real", "world"],
        "happenings.rolls": ROLLS,
        "happenings.people": Texts,
        "happenings.seen_by": SEEN_BY,
        "happenings.viewers": list[uuid.UUID],
        "invitations.characters": Texts,
        "join_requests.status": Literal["waiting", "admitted", "declined"],
        "lines.kind": Literal["talk", "notice", "handout"],
        "own_things.data": HomebrewItemData,
        "presences.state": Literal["front", "behind", "closed"],
        "promotions.status": Literal["open", "confirmed", "declined", "withdrawn", "later"],
        "replies.answer": Literal["yes", "maybe", "no"],
        "scenes.status": Literal["open", "over", "abandoned"],
        "scenes.settings": dict[str, Any],
        "scenes.protocol": Literal[1, 2],
        "scenes.untold": list[Acts],
        "scenes.carried": dict[str, Hash | None],
        "scenes.resume_votes": Texts,
        "scenes.returned": Texts,
        "claims.lent_by": list[uuid.UUID],
        "seats.role": Literal["gm", "player"],
        "seats.characters": Texts,
        "sheet_changes.how": How,
        "sheet_changes.changes": dict[str, Annotated[list[Any], Field(min_length=2, max_length=2)]],
        "steps.acts": StepActs,
        "steps.spec": STEP,
        "steps.status": Literal["open", "closed", "retired", "stuck"],
        "steps.closed_by": Literal["all", "due", "gm", "itself"],
    }.items()
}
"""Table and field -> its type. A field that may be empty is not checked where it is."""

BOXES: Mapping[str, TypeAdapter[Any]] = {
    "envelopes.box": OPENED,
    "drafts.box": OPENED,
    "whispers.box": TypeAdapter(WhisperText),
    "prepared_scenes.box": TypeAdapter(PreparedForm),
    "handouts.box": TypeAdapter(HandoutText),
}
"""Encrypted fields that hold JSON whatever the rules; those of scenes are checked by their ruleset (scenes.py)."""

BYTES = {
    **dict.fromkeys(("scenes.anchor", "scenes.head", "scenes.thread", "records.head", "kept.from_head"), 32),
    **dict.fromkeys(("envelopes.wax", "drafts.wax", "members.way_back"), 32),
    **dict.fromkeys(
        (f"{table}.token_hash" for table in ("sessions", "invitations", "group_links", "join_requests", "feeds")), 32
    ),
}
"""Fields of a fixed size, in bytes."""
SLUGS = {"campaigns.slug", "members.handle", "characters.slug"}
FILLED = {
    *("campaigns.title", "members.name", "characters.name", "scenes.title", "seats.seat", "steps.key", "kept.name"),
    *("entries.title", "happenings.title", "bounds.text"),
}
"""Texts that may not be empty."""


def check(table: str, row: Row) -> None:
    """Checks every field of a row by its model. Raises Unfit."""
    for field, value in row.items():
        name = f"{table}.{field}"
        if value is None:
            continue
        if name in FIELDS:
            fits(field, FIELDS[name].validate_python, value)
        if name in BYTES and len(value) != BYTES[name]:
            raise Unfit(field, f"has {len(value)} bytes; {BYTES[name]} are expected")
        if name in SLUGS and not names.is_slug(value):
            raise Unfit(field, "may have at most 40 lower-case letters, digits and single dashes")
        if name in FILLED and not value.strip():
            raise Unfit(field, "is empty")
    _by_rules(table, row)


def _by_rules(table: str, row: Row) -> None:
    """Checks what a ruleset reads, if that is installed here; otherwise pages say that it is not."""
    key = row.get("ruleset")
    if not isinstance(key, str) or table not in ("characters", "challenges"):
        return
    try:
        rules = rulesets.find(key)
    except MissingRules:
        return
    if table == "characters":
        fits("sheet", rules.character.validate_python, row["sheet"])
    else:
        fits("settings", rules.settings.validate_python, row["settings"])


def fits(field: str, reads: Callable[..., Any], *given: Any) -> Any:
    """Returns what the app reads from a value. Raises Unfit, with the place inside the value, where it cannot."""
    try:
        return reads(*given)
    except ValidationError as wrong:
        place = dotted(wrong.errors(include_url=False, include_input=False, include_context=False)[0]["loc"])
        where = f"its part “{place[:200]}” " if place else ""
        raise Unfit(field, f"{where}is not what Signet writes there") from None
    except Exception:  # a ruleset meets what it never wrote
        raise Unfit(field, "is not what Signet writes there") from None
