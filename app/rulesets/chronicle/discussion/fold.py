"""What each event changes in a discussion."""

from typing import assert_never

from app.engine.ruleset import LoggedEvent
from app.rulesets.chronicle import host, people
from app.rulesets.chronicle.discussion import events as ev
from app.rulesets.chronicle.discussion.opening import place_new
from app.rulesets.chronicle.discussion.state import Appeal, State
from app.rulesets.chronicle.sheets import Motivations, Sheet, Skills


def apply(state: State, told: LoggedEvent[ev.Event]) -> None:
    """Folds one event."""
    event = told.event
    match event:
        case ev.Judged():
            state.words = event.words or state.words
            state.phase = "talk"
            if event.changed:
                _changed(state)
        case ev.Stopped():
            _turn(state, event.seat)
            state.stopped = [seat for seat in state.seats if seat in (*state.stopped, event.seat)]
        case ev.Turned():
            _turn(state, event.seat)
        case ev.Appealed():
            state.appeal = Appeal(
                event.appeal, told.number, event.who, event.listeners, event.context, event.topic, event.action,
                event.skill, event.motivation,
            )  # fmt: skip
            state.phase = "frame"
        case ev.Framed() | ev.Weighed() | ev.Replied() | ev.Spoke() | ev.AppealOver():
            _appeal(state, event)
        case ev.Went():
            gone = {**state.gone, event.who: event.how}
            state.gone = {key: gone[key] for key in state.people if key in gone}
            state.tries += event.how != "walked"
        case ev.Returned():
            state.gone.pop(event.who, None)
            _arrived(state, state.people[event.who].seat)
        case ev.Violence():
            state.phase = "fight"
            state.fighting = {**dict.fromkeys(event.by, "a"), event.against: "b"}
        case ev.Calmed():
            state.phase = "talk"
        case ev.Situation():
            state.words = event.words or state.words
            if event.anew:
                _changed(state)
                state.heard.clear()
                state.stopped.clear()
                state.tries += 1
        case ev.Stage():
            state.phase = event.phase
            if event.phase == "talk":
                state.stopped.clear()
                state.tries += 1
        case ev.Desk():
            state.desk += 1
        case ev.ActShown() | ev.ActJudged() | ev.ActDone():
            host.fold(state, event)
        case ev.Over():
            state.phase, state.end = "over", event.words
        case ev.Speech() | ev.Removal() | ev.Stirred() | ev.Objected() | ev.Guided() | ev.InnerOver():
            pass
        case _:
            _people(state, event)
    _rest(state)


def _changed(state: State) -> None:
    """Everybody may speak of the topic again (CHR-DIS-08)."""
    state.groups.clear()
    state.changed_at = state.spoken


def _arrived(state: State, seat: str) -> None:
    """A seat has somebody more, who may have something to say."""
    state.stopped = [one for one in state.stopped if one != seat]
    state.tries += 1


def _turn(state: State, seat: str) -> None:
    turns = {**state.turns, seat: state.turns.get(seat, 0) + 1}
    state.turns = {one: turns[one] for one in state.seats if one in turns}
    if seat in state.stopped:
        state.stopped.remove(seat)


def _appeal(state: State, event: ev.Framed | ev.Weighed | ev.Replied | ev.Spoke | ev.AppealOver) -> None:
    appeal = state.appeal
    assert appeal is not None
    match event:
        case ev.Framed():
            appeal.skill, appeal.motivation = event.skill, event.motivation
        case ev.Weighed():
            appeal.difficulties[event.who] = event.difficulty
        case ev.Replied():
            appeal.replies[event.who] = event.reply
        case ev.Spoke():
            state.spoken += 1
        case ev.AppealOver():
            for who in event.heard:
                state.heard[who] = state.heard.get(who, 0) + 1
            state.number, state.phase, state.appeal = state.number + 1, "talk", None
            state.tries, state.rests, state.resting = 1, 0, False
            state.turns.clear()
            state.stopped.clear()


def _people(
    state: State,
    event: ev.Swayed | ev.PlayedOut | ev.Grew | ev.Ungrew | ev.Joined | ev.CameBack | ev.Came | ev.Rolled,
) -> None:
    match event:
        case ev.Swayed():
            people.write_drive(state, event)
        case ev.PlayedOut():
            state.people[event.who].drives.pop(event.drive, None)
        case ev.Grew():
            people.grow(state.people[event.who], event)
        case ev.Ungrew():
            people.ungrow(state.people[event.who], event)
        case ev.Joined():
            people.join(state, event)
            _arrived(state, event.seat)
        case ev.CameBack():
            people.come_back(state, event)
        case ev.Came():
            place_new(state, event.key, event.name, event.seat, crowd=event.crowd)
            _arrived(state, event.seat)
        case ev.Rolled():
            _rolled(state.people[event.who], event)
        case _:
            assert_never(event)


def _rolled(person: people.Person, event: ev.Rolled) -> None:
    changes: dict[str, object] = {}
    if event.skills:
        changes["skills"] = Skills.model_validate(event.skills.skills)
        changes["survive_terrain"] = event.skills.terrain
    if event.motivations:
        changes["motivations"] = Motivations.model_validate(event.motivations.motivations)
    person.sheet = Sheet.model_validate({**person.sheet.model_dump(), **changes})
    person.unknown = ()


def _rest(state: State) -> None:
    """Counts how often all who are here have nothing more to say, for the key of the step that ends it."""
    rests = state.phase == "talk" and set(state.talking()) <= set(state.stopped)
    state.rests += rests and not state.resting
    state.resting = rests
