"""The demo campaign's calendar: a few days of autumn that show the features of a calendar."""

import uuid
from datetime import UTC, datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state, entries, rsvp
from app.almanac.entries import EntryTyped
from app.calendar.days import Date, reckoning
from app.calendar.presets import PRESETS
from app.calendar.repeat import WithMoon
from app.campaign import seats
from app.crypto.vault import Vault
from app.models.people import Campaign
from app.play import next_up

YEAR, MONTH, DAY = 412, "Leaf", 6
PARTY = ("alice", "bob", "charlie")
SESSION_DAYS = 5  # from the first start to the group's next session


async def fill(session: AsyncSession, vault: Vault, campaign: Campaign, scene: uuid.UUID) -> None:
    """Gives the demo a calendar of festivals and some entries; `scene` is the open one, linked to its entry."""
    shape = PRESETS["festivals"]
    months = [one.name for one in shape.months]
    today = reckoning(shape).number(Date(YEAR, months.index(MONTH) + 1, DAY))
    await calendar_state.choose_shape(session, vault, campaign.id, shape, 1, today)
    people = {one.handle: one for one in await seats.members(session, campaign.id)}
    evening = datetime.now(UTC).replace(hour=19, minute=0, second=0, microsecond=0) + timedelta(days=SESSION_DAYS)
    goblins = EntryTyped(kind="scene", title="Goblins in the woods", day=today, people=PARTY, place="The fir wood")
    meeting = EntryTyped(kind="session", title="Next session", day=today, starts_at=evening, minutes=180)
    some = [
        EntryTyped(kind="note", title="The cart left Ashby", day=today - 2, people=PARTY, place="Ashby"),
        EntryTyped(
            kind="leg", title="The cart rolls on", day=today + 1, last_day=today + 4, people=PARTY, standing="pass",
            place="The goblin road",
        ),
        EntryTyped(kind="arrival", title="The old stone bridge", day=today + 4, people=PARTY, place="The bridge",
                   text="The cart has arrived. The bridge is older than the road."),
        EntryTyped(kind="completion", title="Bob’s shield is mended", day=today + 7, people=("bob",)),
        EntryTyped(kind="holiday", title="Lantern feast", day=today + 9, place="Thornwick",
                   text="Every window has a light in it, and nobody is turned away."),
        EntryTyped(kind="note", title="Full moon", day=today, rule=WithMoon(moon=0, phase="full"),
                   text="In the light of Ansa, you can see as far as the next hill."),
        EntryTyped(kind="event", title="The goblins come back, with wolves", day=today + 6, seen_by="gm",
                   text="Unless someone makes peace with them.", standing="stop"),
    ]  # fmt: skip
    gm = people["gm"]
    entry = await entries.add(session, vault, campaign.id, gm, goblins)
    await next_up.link(session, vault, campaign.id, entry.id, entry.version, scene, gm)
    meet = await entries.add(session, vault, campaign.id, gm, meeting)
    await rsvp.answer(session, campaign.id, people["alice"], meet.id, "yes")
    for typed in some:
        await entries.add(session, vault, campaign.id, gm, typed)
