"""Sitting down at a toy scene: a campaign with Ann, Bea, Cyd and a GM, and short ways to seal for them."""

import os
import uuid
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select, text, update

from app.engine import form_text
from app.models.base import new_id
from app.models.people import Campaign, Character, Member, Role
from app.models.scenes import AskRow, Scene, StepRow
from app.receipts import luck
from app.table import envelopes, quiet_drafts
from app.table.envelopes import Receipt, Stamp, Submission
from app.table.opening import HeldCharacters, open_scene
from app.table.quiet_drafts import Saved
from app.table.reading import SceneSight, sight
from app.table.runtime import Runtime
from tests.toy import brief


@dataclass
class Table:
    runtime: Runtime
    campaign: uuid.UUID
    people: dict[str, Member]
    scene: uuid.UUID = field(default_factory=uuid.uuid4)
    seen: dict[tuple[str, str], int] = field(default_factory=dict)

    async def open(self, held: HeldCharacters = "wait", thief: bool = True, **settings: Any) -> uuid.UUID:
        async with self.runtime.sessions.begin() as session:
            self.scene = await open_scene(
                session, self.runtime.vault, self.campaign, "toy", brief(thief), settings, held=held
            )
        return self.scene

    async def lay(
        self,
        who: str,
        step: str,
        pairs: dict[str, object],
        *,
        ready: bool = True,
        seen: int | None = None,
        request: uuid.UUID | None = None,
        use_draft: bool = False,
        member: str | None = None,
    ) -> Receipt:
        known = self.seen.get((step, who), 0) if seen is None else seen
        laid = Submission(
            step, who, [(k, str(v)) for k, v in pairs.items()], known, request or uuid.uuid4(), ready, use_draft
        )
        async with self.runtime.locked_scene(self.campaign, self.scene) as (session, live):
            receipt = await envelopes.lay(session, live, self.people[member or who].id, laid)
        self.seen[step, who] = receipt.revision
        return receipt

    async def choose(self, who: str, step: str, pairs: dict[str, object], member: str | None = None) -> bytes:
        """Save a quiet draft, as the browser of whoever holds the seat does; returns its commitment."""
        async with self.runtime.sessions.begin() as session:
            kind = await session.scalar(select(AskRow.kind).filter_by(scene_id=self.scene, step_key=step, seat=who))
            salt, words = os.urandom(32), form_text.spell([(k, str(v)) for k, v in pairs.items()])
            made = luck.seal(str(self.campaign), str(self.scene), step, who, kind or "", salt, words).commitment
            saved = Saved(self.campaign, step, who, kind or "", Stamp(words, salt, made))
            person = self.people[member or who]
            await quiet_drafts.save(session, self.runtime.vault, self.campaign, self.scene, person, saved)
        return made

    async def take_back(self, who: str, step: str, member: str | None = None) -> Receipt:
        async with self.runtime.locked_scene(self.campaign, self.scene) as (session, live):
            receipt = await envelopes.take_back(
                session, live, self.people[member or who].id, step, who, self.seen[step, who], uuid.uuid4()
            )
        self.seen[step, who] = receipt.revision
        return receipt

    async def sight(self, who: str) -> SceneSight:
        async with self.runtime.sessions() as session:
            return await sight(session, self.runtime.vault, self.campaign, self.scene, self.people[who])

    async def age(self, step: str) -> None:
        """Let the time of a step run out, as the database sees it."""
        past, here = text("clock_timestamp() - interval '1 second'"), self.campaign
        async with self.runtime.sessions.begin() as session:
            old = update(StepRow).where(StepRow.campaign_id == here, StepRow.key == step)
            await session.execute(old.values(due_at=past))
            await session.execute(update(Scene).where(Scene.campaign_id == here).values(next_due_at=past))

    async def paused_for(self, hours: int) -> None:
        """Let a pause have begun so long ago."""
        begun = {"hours": hours, "campaign": self.campaign}
        async with self.runtime.sessions.begin() as session:
            change = """UPDATE scenes SET paused_at = paused_at - make_interval(hours => :hours),
                paused_until = paused_until - make_interval(hours => :hours),
                next_due_at = next_due_at - make_interval(hours => :hours) WHERE campaign_id = :campaign"""
            await session.execute(text(change), begun)

    async def act(self, function: Any, *args: Any, who: str = "gm") -> Any:
        async with self.runtime.locked_scene(self.campaign, self.scene) as (session, live):
            return await function(session, live, self.people[who], *args)


async def sit_down(runtime: Runtime) -> Table:
    campaign = new_id()
    people = {
        name: Member(
            campaign_id=campaign,
            id=new_id(),
            handle=name,
            name=name.title(),
            role=Role.GM if name == "gm" else Role.SPECTATOR if name == "sam" else Role.PLAYER,
        )
        for name in ("gm", "ann", "bea", "cyd", "sam")
    }
    async with runtime.sessions.begin() as session:
        session.add(Campaign(id=campaign, slug=f"toy-{campaign.hex[-8:]}", title="Toys"))
        await session.flush()
        session.add_all(people.values())
        await session.flush()
        for name in ("ann", "bea", "cyd"):
            session.add(
                Character(
                    campaign_id=campaign,
                    id=new_id(),
                    slug=name,
                    name=name.title(),
                    ruleset="toy",
                    owner_id=people[name].id,
                    sheet={"name": name.title()},
                )
            )
    return Table(runtime, campaign, people)
