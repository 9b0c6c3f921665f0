"""What comes of a scene that is played inside a free scene: its people come back as it left them (CHR-FLO-04, -05)."""

from app.engine.ruleset import GM, InnerScene
from app.rulesets.chronicle.free import events as ev
from app.rulesets.chronicle.free.state import SceneLog
from app.rulesets.chronicle.sheets import Sheet


def inner(log: SceneLog, came: InnerScene[Sheet]) -> None:
    """Tells that it is over, and brings back its people. Those who died in it try nothing more."""
    log.emit(ev.InnerOver(came.title, came.over), rule="CHR-FLO-04")
    for who, sheet in came.sheets.items():
        if who in log.state.people:
            log.emit(ev.CameBack(who, sheet.model_dump_json()), rule="CHR-FLO-05")
            if sheet.wounds.dead:
                _dead(log, who)


def _dead(log: SceneLog, who: str) -> None:
    """Ends what somebody who died was trying, and asks for them no more."""
    for attempt in list(log.state.attempts.values()):
        if attempt.stage != "done" and who in (attempt.who, attempt.against):
            log.emit(ev.Declined(attempt.key, "", "default"), rule="CHR-CHK-08", because=(attempt.told,))
    if (seat := log.state.people[who].seat) != GM:
        log.emit(ev.Acted(seat), rule="CHR-CHK-10")  # its optional step opens again, without them
