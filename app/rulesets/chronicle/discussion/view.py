"""A viewer's view of a discussion: everything is public; views differ only in the viewer's own people."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from app.engine.gm_desk import Vital
from app.engine.ruleset import GM, Viewer
from app.engine.sentences import and_list, percent
from app.rulesets.chronicle import host
from app.rulesets.chronicle.checks import DIFFICULTY, odds, said, ways
from app.rulesets.chronicle.discussion.state import MOST_HEARD, Appeal, State
from app.rulesets.chronicle.driving import current
from app.rulesets.chronicle.host import ActShown
from app.rulesets.chronicle.motivations import DIE
from app.rulesets.chronicle.people import voters
from app.rulesets.chronicle.people_view import DriveSight, PeopleView, Who, who

FIRST = -12  # the difference of ratings from which a check is impossible (CHR-CHK-01)
USUAL_SKILLS = ("convince", "lead", "administer")


@dataclass(frozen=True, slots=True)
class ListenerSight:
    """A listener of the current appeal, and the exact odds that it moves them."""

    who: str
    difficulty: int  # as it stands, or as it is without a ruling
    settled: bool  # the difficulty is no longer open
    drive: DriveSight | None  # the Driving Motivation on the same context and topic
    ways: int  # of 640 that the check beats the difficulty
    odds: str
    strength: int  # of the motivation, out of 12
    both: str  # the chance of check and d12 together
    reply: str  # what they do about it; "": not known yet


@dataclass(frozen=True, slots=True)
class AppealSight:
    key: str
    who: str
    context: str
    topic: str
    action: str
    skill: str
    motivation: str
    rating: int  # of the talker, as it counts here
    listeners: tuple[ListenerSight, ...]


@dataclass(frozen=True, slots=True)
class View(PeopleView):
    is_gm: bool
    votes: bool  # a table without a GM
    words: str
    terrain: str
    topic: str
    phase: str
    number: int
    mine: tuple[str, ...]  # those here
    here: tuple[str, ...]
    gone: dict[str, str]
    crowds: tuple[str, ...]
    heard: dict[str, int]
    done: tuple[str, ...]  # seats with nothing more to say for now
    appeal: AppealSight | None
    fighting: dict[str, str]  # the characters of a fight that is about to be opened, and their sides
    violent: bool  # it is about to be opened
    pending: ActShown | None  # of the host, unless it is voted back
    shows_first: bool  # so are all acts at the desk
    over: bool
    end: str
    most_heard: int = field(default=MOST_HEARD)

    def chance(self, talker: str, skill: str, difficulty: int = DIFFICULTY) -> str:
        """The odds of a check of a talker against a difficulty, in words."""
        return said(self.people[talker].skills[skill], difficulty)

    def names(self, keys: Iterable[str]) -> str:
        """Several people in a sentence."""
        return and_list([self.name(key) for key in keys])

    @property
    def usual(self) -> tuple[str, ...]:
        """The skills of most appeals (CHR-DIS-10)."""
        return USUAL_SKILLS

    def known(self, part: Literal["topic", "context"]) -> tuple[str, ...]:
        """The topics or contexts of all Driving Motivations here, as an appeal may meet them."""
        found = (getattr(drive, part) for key in self.here for drive in self.people[key].drives)
        return tuple(dict.fromkeys((self.topic, *found) if part == "topic" and self.topic else found))

    def rated(self, talkers: tuple[str, ...]) -> dict[str, Any]:
        """What a page needs to tell the odds of an appeal while it is written: the ways of a check by difference of
        ratings, from the first that is impossible, and what is known of each person."""
        return {
            "first": FIRST,
            "ways": [ways(difference, 0) for difference in range(FIRST, 1 - FIRST)],
            "usual": DIFFICULTY,
            "people": {key: self._rated(self.people[key], key in talkers) for key in self.here},
        }

    def _rated(self, one: Who, talks: bool) -> dict[str, Any]:
        drives = [{"topic": d.topic, "context": d.context, "difficulty": d.difficulty} for d in one.drives]
        known = "motivations" not in one.unknown
        return {
            "name": one.name,
            "skills": one.skills if talks else {},
            "motivations": one.motivations if known else {},
            "drives": drives,
        }


def view(state: State, viewer: Viewer) -> View:
    """The discussion for this viewer."""
    mine = tuple(key for key in state.here() if state.people[key].seat in viewer.seats)
    return View(
        is_gm=viewer.gm,
        votes=state.settings.table_gm == "none" and bool(voters(state)),
        words=state.words,
        terrain=state.terrain,
        topic=state.topic,
        phase=state.phase,
        number=state.number,
        people={key: who(one, state.terrain, one.seat in viewer.seats) for key, one in state.people.items()},
        mine=mine,
        here=state.here(),
        gone=dict(state.gone),
        crowds=tuple(state.crowds),
        heard={key: state.heard.get(key, 0) for key in state.people},
        done=tuple(state.stopped),
        appeal=_appeal(state, state.appeal) if state.appeal else None,
        fighting={key: side for key, side in state.fighting.items() if state.people[key].character},
        violent=state.phase == "fight",
        pending=host.sight(state),
        shows_first=host.shows_first(state),
        over=state.phase == "over",
        end=state.end,
    )


def _appeal(state: State, one: Appeal) -> AppealSight:
    return AppealSight(
        key=one.key,
        who=one.who,
        context=one.context,
        topic=one.topic,
        action=one.action,
        skill=one.skill,
        motivation=one.motivation,
        rating=state.rating(one.who, one.skill),
        listeners=tuple(_listener(state, one, key) for key in one.listeners),
    )


def _listener(state: State, one: Appeal, key: str) -> ListenerSight:
    person = state.people[key]
    drive = current(person, one.context, one.topic)
    stands = person.drives[drive].difficulty if drive else DIFFICULTY
    difficulty = one.difficulties.get(key, stands)
    rating, strength = state.rating(one.who, one.skill), person.sheet.motivations.of(one.motivation)
    both = odds(rating, difficulty) * Fraction(strength, DIE)
    return ListenerSight(
        who=key,
        difficulty=difficulty,
        settled=bool(drive) or key in one.difficulties,
        drive=next((sight for sight in who(person, "", mine=False).drives if sight.key == drive), None),
        ways=ways(rating, difficulty),
        odds=said(rating, difficulty),
        strength=strength,
        both=percent(both),
        reply=one.replies.get(key, ""),
    )


def vitals(view: View) -> tuple[Vital, ...]:
    """Everybody in the discussion; health is the number of appeals they have heard."""
    return tuple(
        Vital(
            key=key,
            name=one.name,
            health=f"{view.heard[key]} {'appeal' if view.heard[key] == 1 else 'appeals'} heard",
            able=key not in view.gone,
            gone=key in view.gone,
            foe=one.seat == GM,
            character=key if one.character else "",
        )
        for key, one in view.people.items()
    )
