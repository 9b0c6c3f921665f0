"""The GM's acts between the steps, latecomers, and what comes of scenes inside a discussion."""

from app.engine.desks import Act, desk
from app.engine.ruleset import Faults, InnerScene, Seat
from app.rulesets.chronicle import driving, host, people
from app.rulesets.chronicle.discussion import events as ev
from app.rulesets.chronicle.discussion import forms
from app.rulesets.chronicle.discussion.asks import Of, end_if_empty
from app.rulesets.chronicle.discussion.view import View, vitals
from app.rulesets.chronicle.people_events import CameBack, InnerOver, Joined
from app.rulesets.chronicle.people_view import objection_faults
from app.rulesets.chronicle.sheets import Sheet

MOST = 60  # people of a discussion


def _may_tell(view: View, says: forms.Desk) -> Faults:
    return {} if says.words.strip() else {"words": "Say what is different now."}


def _may_begin_anew(view: View, says: forms.Desk) -> Faults:
    if view.phase == "open":
        return {"what": "It has not begun: first say whether the situation has changed."}
    return _may_tell(view, says)


def _situation(log: ev.DiscussionLog, says: forms.Desk) -> bool:
    """What is different now; with "anew", a new discussion begins (CHR-DIS-06, CHR-DIS-08)."""
    log.emit(ev.Situation(says.words.strip(), says.what == "anew"), rule="CHR-DIS-08")
    return False


def _may_bring(view: View, says: forms.Desk) -> Faults:
    if len(view.people) >= MOST:
        return {"name": f"A discussion can have at most {MOST} people."}
    return {} if says.name.strip() else {"name": "Give them a name."}


def _bring(log: ev.DiscussionLog, says: forms.Desk) -> bool:
    state, name = log.state, says.name.strip()
    if len(state.people) < MOST:
        key = people.free_key(state, people.spelled(name))
        rule = "CHR-DIS-18" if says.crowd else "CHR-CHA-09"
        log.emit(ev.Came(key, name, people.runner(state), says.crowd), rule=rule)
    return True


def _out(log: ev.DiscussionLog, says: forms.Desk) -> bool:
    if says.who not in log.state.gone:
        leave(log, says.who, "out", says.reason.strip())
    return True


def leave(log: ev.DiscussionLog, who: str, how: ev.Departure, reason: str = "") -> None:
    """Somebody is gone; an appeal by them, or to nobody else, is broken off (CHR-DIS-20)."""
    log.emit(ev.Went(who, how, reason), rule="CHR-DIS-20")
    appeal = log.state.appeal
    if appeal and (appeal.who in log.state.gone or all(key in log.state.gone for key in appeal.listeners)):
        log.emit(ev.AppealOver(appeal.key, "broken-off", ()), rule="CHR-DIS-20")


def _may_return(view: View, says: forms.Desk) -> Faults:
    if view.gone.get(says.who) == "dead":
        return {"who": f"{view.name(says.who)} is dead."}
    return {} if says.who in view.gone else {"who": f"{view.name(says.who)} is here already."}


def _back(log: ev.DiscussionLog, says: forms.Desk) -> bool:
    if log.state.gone.get(says.who, "dead") != "dead":
        log.emit(ev.Returned(says.who), rule="CHR-DIS-02")
    return True


def _has_drive(view: View, says: forms.Desk) -> Faults:
    known = [one.key for one in view.people[says.who].drives]
    return {} if says.drive in known else {"drive": "Choose a Driving Motivation of this character."}


def _played(log: ev.DiscussionLog, says: forms.Desk) -> bool:
    driving.play_out(log, says.who, says.drive)
    return False


def _object(log: ev.DiscussionLog, says: forms.Desk) -> bool:
    driving.object_to(log, says.who, says.drive, says.words)
    return False


def _ungrow(log: ev.DiscussionLog, says: forms.Desk) -> bool:
    driving.ungrow(log, says.who, says.drive, says.words)
    return False


def _end(log: ev.DiscussionLog, says: forms.Desk) -> None:
    if log.state.appeal:
        log.emit(ev.AppealOver(log.state.appeal.key, "broken-off", ()), rule="CHR-DIS-07")
    log.emit(ev.Over("gm", says.words.strip() or says.reason.strip(), "sealed"), rule="CHR-DIS-04")


def acted(log: ev.DiscussionLog, anew: bool = False) -> None:
    """The GM's desk opens again."""
    log.emit(ev.Desk(), rule="CHR-DIS-01")


DESK: Of[forms.Desk] = desk(
    forms.Desk,
    "Change something in the discussion",
    {
        "situation": Act(_situation, _may_tell),
        "anew": Act(_situation, _may_begin_anew),
        "bring": Act(_bring, _may_bring),
        "out": Act(_out),
        "back": Act(_back, _may_return),
        "played": Act(_played, _has_drive),
        "object": Act(_object, _has_drive),
        "ungrow": Act(_ungrow, lambda view, says: objection_faults(view, says.who, says.drive, says.words)),
        "end": Act(_end),
    },
    people=vitals,
    number=lambda state: state.desk,
    nobody=frozenset({"situation", "anew", "bring"}),
    done=acted,
    drawn=True,
)


BACK: Of[host.Back] = host.back(DESK.step, acted)


def enter(log: ev.DiscussionLog, seat: Seat, key: str, sheet: Sheet) -> None:
    """Adds a latecomer's character, unless they are in the scene already."""
    if key not in log.state.people:
        log.emit(Joined(key, str(seat), sheet.model_dump_json()), rule="CHR-DIS-02")
        if sheet.wounds.dead:
            leave(log, key, "dead")


def inner(log: ev.DiscussionLog, came: InnerScene[Sheet]) -> None:
    """Tells that a scene inside this one is over, and brings back its people; the talk goes on (CHR-FLO-04, -05)."""
    log.emit(InnerOver(came.title, came.over), rule="CHR-FLO-04")
    for who, sheet in came.sheets.items():
        if who in log.state.people:
            log.emit(CameBack(who, sheet.model_dump_json()), rule="CHR-FLO-05")
            if sheet.wounds.dead and log.state.gone.get(who) != "dead":
                leave(log, who, "dead")
    if log.state.phase == "fight":
        log.emit(ev.Stage("talk"), rule="CHR-FLO-04")
    end_if_empty(log)
