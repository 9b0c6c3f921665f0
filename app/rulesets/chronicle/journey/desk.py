"""The GM's acts between the steps, and what comes of scenes inside a journey."""

from app.engine.desks import SAY_WHY, Act, desk
from app.engine.ruleset import Faults, InnerScene
from app.rulesets.chronicle import host
from app.rulesets.chronicle.journey import events as ev
from app.rulesets.chronicle.journey import forms
from app.rulesets.chronicle.journey.asks import Of
from app.rulesets.chronicle.journey.view import View, vitals
from app.rulesets.chronicle.people_events import CameBack, InnerOver
from app.rulesets.chronicle.sheets import Sheet


def _may_tell(view: View, says: forms.Desk) -> Faults:
    return {} if says.words.strip() else {"words": "Say what is different now."}


def _situation(log: ev.JourneyLog, says: forms.Desk) -> bool:
    log.emit(ev.Situation(says.words.strip()), rule="CHR-TRV-01")
    return False


def _may_leave(view: View, says: forms.Desk) -> Faults:
    return {} if says.reason.strip() else {"reason": SAY_WHY}


def _out(log: ev.JourneyLog, says: forms.Desk) -> bool | None:
    return False if leave(log, says.who, says.reason.strip()) else None


def leave(log: ev.JourneyLog, who: str, reason: str) -> bool:
    """Somebody is no longer with their side. Returns whether the journey goes on: it is over without anybody left."""
    if who not in log.state.gone:
        log.emit(ev.Out(who, reason), rule="CHR-TRV-05")
        if not log.state.count(log.state.side_of[who]):
            log.emit(ev.Over("nobody"), rule="CHR-TRV-05")
            return False
    return True


def _end(log: ev.JourneyLog, says: forms.Desk) -> None:
    log.emit(ev.Over("gm", words=says.words.strip()), rule="CHR-TRV-01")


def acted(log: ev.JourneyLog, anew: bool = False) -> None:
    """The GM's desk opens again."""
    log.emit(ev.Desk(), rule="CHR-TRV-01")


DESK: Of[forms.Desk] = desk(
    forms.Desk,
    "Change something on the journey",
    {"situation": Act(_situation, _may_tell), "out": Act(_out, _may_leave), "end": Act(_end)},
    people=vitals,
    number=lambda state: state.desk,
    nobody=frozenset({"situation"}),
    done=acted,
    drawn=True,
)


BACK: Of[host.Back] = host.back(DESK.step, acted)


def inner(log: ev.JourneyLog, came: InnerScene[Sheet]) -> None:
    """Tells that a scene inside this one is over, and brings back its people (CHR-FLO-04, -05)."""
    log.emit(InnerOver(came.title, came.over), rule="CHR-FLO-04")
    for who, sheet in came.sheets.items():
        if who in log.state.people:
            log.emit(CameBack(who, sheet.model_dump_json()), rule="CHR-FLO-05")
            if sheet.wounds.dead and log.state.phase != "over":
                leave(log, who, "")
