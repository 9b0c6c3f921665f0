"""Finds the sandbox of a campaign, if it is one."""

import uuid

from app import rulesets
from app.models.people import Campaign
from app.table.runtime import Runtime
from app.web.http.seat_session import SeatSession
from app.web.scene import practice, sandbox, trial
from app.web.scene.sandbox import Sandbox


def of(campaign: Campaign) -> Sandbox | None:
    """The sandbox whose mark the campaign has; None for every other campaign."""
    if campaign.settings.get(practice.SANDBOX.mark):
        return practice.SANDBOX
    if campaign.settings.get(trial.MARK):
        rules = rulesets.find(campaign.settings["ruleset"])
        return trial.sandbox_of(rules, rules.trial) if rules.trial is not None else None
    return None


async def play_on(runtime: Runtime, seated: SeatSession, scene: uuid.UUID) -> None:
    """In a sandbox, let the computer answer everything that waits for it; elsewhere do nothing."""
    found = of(seated.campaign)
    if found is not None:
        await sandbox.play(runtime, seated.campaign.id, scene, found)
