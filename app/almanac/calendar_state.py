"""The almanac of a campaign: its calendar, its current date, and how far players see ahead."""

import os
import uuid
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.calendar.days import Reckoning, reckoning
from app.calendar.presets import PRESETS
from app.calendar.shape import MOST_MONTHS, Shape
from app.calendar.weather import ClimateKey
from app.crypto.vault import Vault
from app.db.lock_order import locking
from app.errors import Conflict
from app.models.almanac import Almanac

MOST_DAY = 400_000_000
"""The largest day number, and its negative the smallest: more than a million years of our calendar both ways."""
MOST_OTHERS = 3
"""The most further calendars of a campaign."""


class OtherCalendar(BaseModel):
    """A further calendar, in which days can be written as well: its own day number is `shift` larger than the day's."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    key: Annotated[int, Field(ge=1)]  # in addresses; stays with it
    name: Annotated[str, Field(min_length=1, max_length=60)]
    shape: Shape
    shift: Annotated[int, Field(ge=-2 * MOST_DAY, le=2 * MOST_DAY)] = 0

    @property
    def count(self) -> Reckoning:
        return reckoning(self.shape, self.shift)


class AlmanacSettings(BaseModel):
    """A group's settings for its calendar."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    turn_month: Annotated[int, Field(ge=1, le=MOST_MONTHS)] = 1  # the yearly reckoning's date (CHR-CAL-15)
    turn_day: Annotated[int, Field(ge=1, le=500)] = 1
    at_turn: Literal["pass", "stop"] = "pass"  # whether time stops there for the group
    order: Literal["earliest", "clocks"] = "earliest"  # of scenes that are due (CHR-CAL-03)
    climate: ClimateKey | Literal[""] = ""  # "": days have no weather
    others: Annotated[tuple[OtherCalendar, ...], Field(max_length=MOST_OTHERS)] = ()


@dataclass(frozen=True, slots=True)
class CalendarState:
    """The calendar itself, which all members may know; `version` counts changes of date, shape and settings."""

    shape: Shape
    count: Reckoning
    today: int
    fog: int | None
    settings: AlmanacSettings
    version: int
    untouched: bool = False  # nobody has chosen a calendar, set its date or written on it

    @property
    def edge(self) -> int | None:
        """The last day that players see; None: no fog."""
        return None if self.fog is None else self.today + self.fog

    @property
    def counts(self) -> tuple[Reckoning, ...]:
        """The calendar's reckoning, and those of the further calendars."""
        return (self.count, *(one.count for one in self.settings.others))


async def read(session: AsyncSession, campaign_id: uuid.UUID) -> CalendarState:
    """Returns a campaign's calendar and date, without a lock; the plain calendar on day 0 if it has no almanac yet."""
    row = await session.scalar(
        select(Almanac).where(Almanac.campaign_id == campaign_id).execution_options(populate_existing=True)
    )
    return _plain() if row is None else of(row)


def of(row: Almanac) -> CalendarState:
    """Returns the calendar and date of an almanac's row."""
    shape = Shape.model_validate(row.shape)
    settings = AlmanacSettings.model_validate(row.settings)
    untouched = row.version == 1 and row.made == 0
    return CalendarState(shape, reckoning(shape), row.today, row.fog, settings, row.version, untouched)


async def hold(session: AsyncSession, vault: Vault, campaign_id: uuid.UUID) -> Almanac:
    """Locks the almanac until the transaction ends, and makes it first, with its own luck, if there is none."""
    row = await _locked(session, campaign_id)
    if row is None:
        values: dict[str, Any] = {
            "campaign_id": campaign_id,
            "shape": dump(PRESETS["plain"]),
            "today": 0,
            "root": vault.encrypt(os.urandom(32), root_place(campaign_id)),
            "settings": {},
        }
        await session.execute(insert(Almanac).values(values).on_conflict_do_nothing())
        row = await _locked(session, campaign_id)
        assert row is not None
    return row


async def choose_shape(
    session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, shape: Shape, seen_version: int, today: int
) -> CalendarState:
    """Gives the campaign another calendar, and sets the current day. Callers allow it only to GMs.

    Day numbers stay the same: entries keep their distances in days, and get the dates of the new calendar. `today` is a
    day number. Raises Conflict where the calendar or the date changed since `seen_version`, or `today` is too far away.
    """
    row = await hold(session, vault, campaign_id)
    unchanged(row, seen_version)
    if abs(today) > MOST_DAY - 100_000:  # so that pages have days before and after it
        raise Conflict("That day is too far from the first one.", "Choose a nearer date.", field="today")
    row.shape, row.today = dump(shape), today
    return await _changed(session, row)


async def choose_settings(
    session: AsyncSession,
    vault: Vault,
    campaign_id: uuid.UUID,
    fog: int | None,
    settings: AlmanacSettings,
    seen_version: int,
) -> CalendarState:
    """Sets how far players see ahead in days (None: without limit), and the other settings. Callers allow it only to
    GMs. Raises Conflict where the calendar or the date changed since `seen_version`."""
    row = await hold(session, vault, campaign_id)
    unchanged(row, seen_version)
    row.fog, row.settings = fog, settings.model_dump(mode="json")
    return await _changed(session, row)


async def choose_others(
    session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, others: tuple[OtherCalendar, ...], seen_version: int
) -> None:
    """Sets the further calendars. Callers allow it only to GMs. They are only ways of writing dates, so `touched` stays
    as it is and time can still be taken back. Raises Conflict where the calendar or the date changed since
    `seen_version`, unless these are its further calendars already."""
    row = await hold(session, vault, campaign_id)
    settings = AlmanacSettings.model_validate(row.settings)
    if settings.others == others:
        return
    unchanged(row, seen_version)
    row.settings = settings.model_copy(update={"others": others}).model_dump(mode="json")
    row.version += 1
    row.changed_at = func.clock_timestamp()
    await session.flush()


def unchanged(row: Almanac, seen_version: int) -> None:
    """Raises Conflict where date, shape or settings changed since `seen_version`."""
    if row.version != seen_version:
        raise Conflict(
            "Someone changed the calendar after you opened this page.",
            "Your choices are still here. Look at the current calendar, then try again.",
        )


def root_place(campaign_id: uuid.UUID) -> str:
    """Returns the place that the box of the almanac's luck is bound to (see app/crypto/columns.py)."""
    return f"{campaign_id}/almanac-root"


def dump(shape: Shape) -> dict[str, Any]:
    return shape.model_dump(mode="json")


async def _changed(session: AsyncSession, row: Almanac) -> CalendarState:
    row.version += 1
    row.touched += 1
    row.changed_at = func.clock_timestamp()
    await session.flush()
    return of(row)


async def _locked(session: AsyncSession, campaign_id: uuid.UUID) -> Almanac | None:
    return await session.scalar(locking(select(Almanac).where(Almanac.campaign_id == campaign_id)))


def _plain() -> CalendarState:
    shape = PRESETS["plain"]
    return CalendarState(shape, reckoning(shape), 0, None, AlmanacSettings(), 1, untouched=True)
