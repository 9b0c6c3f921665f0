"""Who comes back from a scene inside a journey may come back other than they went."""

from typing import Any

from app.engine.log import Recorder
from app.engine.ruleset import InnerScene, Setup
from app.rulesets.chronicle.journey import JOURNEY
from app.rulesets.chronicle.journey.sample import the_ride_to_the_town
from app.rulesets.chronicle.settings import Settings
from app.rulesets.chronicle.sheets import Sheet
from app.rulesets.chronicle.wounds import Wounds


def test_another_leader_is_asked_anew() -> None:
    """An open step never changes: whoever leads now has a step of their own, and the old one is withdrawn."""
    log = journey()
    before = JOURNEY.steps(log.state)[0]
    assert [ask.seat for ask in before.asks] == ["ella", "berta"]
    come_back(log, "ella", lead=0)
    after = JOURNEY.steps(log.state)[0]
    assert [ask.seat for ask in after.asks] == ["morten", "berta"] and after.key != before.key


def test_the_same_leader_keeps_what_is_sealed() -> None:
    log = journey()
    before = JOURNEY.steps(log.state)[0]
    come_back(log, "morten", lead=0)
    assert JOURNEY.steps(log.state)[0] == before


def test_the_dead_lead_nobody() -> None:
    log = journey()
    come_back(log, "ella", lead=9, dead=True)
    assert log.state.gone == ["ella"]
    assert [ask.seat for ask in JOURNEY.steps(log.state)[0].asks] == ["morten", "berta"]


def journey() -> Any:
    sheets, brief = the_ride_to_the_town()
    state = JOURNEY.start(Setup(brief=brief, settings=Settings(), sheets=sheets, kept={}))
    return Recorder(state, JOURNEY.apply)


def come_back(log: Any, who: str, *, lead: int, dead: bool = False) -> None:
    sheet: Sheet = log.state.people[who].sheet
    changed = {"skills": sheet.skills.model_copy(update={"lead": lead}), "wounds": Wounds(dead=dead)}
    assert JOURNEY.inner is not None
    back = {who: sheet.model_copy(update=changed)}
    JOURNEY.inner(log, InnerScene(id="x", kind="hand", title="Knives", over=True, sheets=back))
