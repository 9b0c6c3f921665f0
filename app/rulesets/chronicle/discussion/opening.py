"""The opening form of a discussion, and the state it starts from (step D0)."""

import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, Field, JsonValue, field_validator

from app.engine.form_fields import OpeningForm
from app.engine.ruleset import Brief, Outcome, PlannedEntry, Setup
from app.engine.sentences import and_list
from app.rulesets.chronicle import next_scenes, people
from app.rulesets.chronicle.discussion.state import State
from app.rulesets.chronicle.next_scenes import Following, Person
from app.rulesets.chronicle.people import Extra
from app.rulesets.chronicle.settings import Settings
from app.rulesets.chronicle.sheets import Sheet

MOST_NAMED = 12
MOST_GROUPS = 40  # remembered for a topic
Names = Annotated[str, Field(max_length=1000)]


class _Talked(BaseModel):
    """What the campaign remembers of a topic."""

    groups: list[list[str]] = []  # the people of each discussion of it since the situation changed


class DiscussionOpening(OpeningForm):
    """What it is about, and who is there besides the characters."""

    description: Annotated[str, Field(max_length=4000)] = ""
    terrain: Annotated[str, Field(max_length=120)] = ""
    topic: Annotated[str, Field(max_length=120)] = ""
    others: Names = ""  # names of people of the story, one in each line or between commas
    crowds: Names = ""  # crowds, each with one set of motivations (CHR-DIS-18)
    foes: Annotated[tuple[Extra, ...], Field(max_length=60)] = ()

    @field_validator("others", "crowds")
    @classmethod
    def _few(cls, typed: str) -> str:
        names = names_in(typed)
        if len(names) > MOST_NAMED:
            raise ValueError(f"These are {len(names)} names. At most {MOST_NAMED} can come in at once.")
        if long := next((name for name in names if len(name) > 60), ""):
            raise ValueError(f"Shorten the name “{long[:30]}…” to at most 60 characters.")
        return typed


def names_in(typed: str) -> tuple[str, ...]:
    """The names in a text, one in each line or between commas."""
    return tuple(name for part in re.split(r"[\n,;]", typed) if (name := " ".join(part.split())))


def needs(brief: Brief, sheets: Mapping[str, Sheet]) -> frozenset[str]:
    """The memory of who has spoken of this topic (CHR-DIS-08)."""
    topic = DiscussionOpening.model_validate(brief.given or {}).topic
    return frozenset({_memory(topic)} if topic.strip() else ())


def _memory(topic: str) -> str:
    return f"talked/{' '.join(topic.casefold().split())}"


def start(setup: Setup[Sheet, Settings]) -> State:
    """Everyone in place, and nobody has heard an appeal. First a ruling, if the same people have spoken of the topic
    before.
    """
    given = DiscussionOpening.model_validate(setup.brief.given or {})
    seats = tuple(str(seat) for seat in setup.brief.seats)
    state = State(setup.settings, given.description, given.terrain, given.topic.strip(), seats, {})
    people.place_cast(state, setup)
    for extra in given.foes:
        people.place_extra(state, extra)
    for typed, crowd in ((given.others, False), (given.crowds, True)):
        for name in names_in(typed):
            place_new(state, people.free_key(state, people.spelled(name)), name, people.runner(state), crowd=crowd)
    for key, one in state.people.items():
        if one.sheet.wounds.dead:
            state.gone[key] = "dead"
    if state.topic:
        state.groups = _Talked.model_validate(setup.kept.get(_memory(state.topic)) or {}).groups
    if _alive(state) in state.groups:
        state.phase = "open"
    return state


def place_new(state: State, key: str, name: str, seat: str, *, crowd: bool) -> None:
    """Places somebody of the story, whose ratings are still to be rolled: of a crowd, only the motivations."""
    people.place(state, key, seat, Sheet(name=name, is_main=False), character=False)
    state.people[key].unknown = ("motivations",) if crowd else ("skills", "motivations")
    if crowd:
        state.crowds.append(key)


def _alive(state: State) -> list[str]:
    """Everybody who is or was in the discussion, but for the dead."""
    return [key for key in sorted(state.people) if state.gone.get(key) != "dead"]


def outcome(state: State) -> Outcome:
    """The characters' motivations, who spoke of the topic, and where those went who got away."""
    return Outcome(
        sheets=people.left_behind(state.people),
        kept=_remembered(state),
        entries=_escape(state),
        result={"end": state.end, "appeals": state.spoken},
    )


def _remembered(state: State) -> dict[str, JsonValue]:
    """Who has spoken of the topic since the situation changed (CHR-DIS-08); nothing where that is as it was before."""
    if not state.topic or not (state.has_appealed or state.has_changed):
        return {}
    groups = [one for one in state.groups if one != _alive(state)]
    groups += [_alive(state)] if state.has_appealed else []
    return {_memory(state.topic): {"groups": [list(one) for one in groups[-MOST_GROUPS:]]}}


def _escape(state: State) -> tuple[PlannedEntry, ...]:
    """An entry on the same day for the characters who got away (CHR-DIS-05)."""
    fled = [key for key, how in state.gone.items() if how == "escaped" and state.people[key].character]
    if not fled:
        return ()
    names = and_list([state.people[key].name for key in fled])
    about = f" from a discussion about {state.topic}" if state.topic else " from a discussion"
    title = f"{names} on the run{about}"
    if state.settings.leaves == "scenes":
        return (next_scenes.escape(_hunt(state, fled), title, f"{names} got away, and the others may go after them."),)
    return (PlannedEntry(title=title[:120], in_days=0, people=tuple(fled)),)


def _hunt(state: State, fled: list[str]) -> Following:
    """Those who got away against all who are still here."""
    people = [
        Person(name=one.name, side="a" if key in fled else "b", character=key if one.character else "", seat=one.seat)
        for key, one in state.people.items()
        if key in fled or key not in state.gone
    ]
    return Following(people=people)
