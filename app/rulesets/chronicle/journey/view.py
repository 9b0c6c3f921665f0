"""A viewer's view of a journey: what everybody knows, and the course of the viewer's own side (CHR-TRV-10)."""

from dataclasses import dataclass, replace
from math import ceil

from app.engine.gm_desk import Vital
from app.engine.ruleset import GM, Viewer
from app.engine.sentences import and_list, percent
from app.rulesets.chronicle import host
from app.rulesets.chronicle.checks import DIFFICULTY, odds, said
from app.rulesets.chronicle.host import ActShown
from app.rulesets.chronicle.journey import picture, ratings
from app.rulesets.chronicle.journey.state import (
    OTHER,
    POINTS,
    SIDES,
    STATE,
    Aim,
    Contact,
    Course,
    Pace,
    Route,
    Side,
    Sight,
    State,
    Way,
    is_mass,
)
from app.rulesets.chronicle.mass.troops import TROOPS
from app.rulesets.chronicle.people import Person
from app.rulesets.chronicle.skills import SKILLS

AIMS: dict[Aim, str] = {"reach": "to get there", "catch": "to catch the others", "hold": "to hold a place"}


@dataclass(frozen=True, slots=True)
class PaceSight:
    """What a pace means for a side, in numbers."""

    points: int
    notice: int
    hide: int


@dataclass(frozen=True, slots=True)
class OwnSight:
    """What only a side itself knows."""

    course: Course
    forks: bool  # it may choose its route
    ways: tuple[Way, ...]  # in which it may go on its present route
    paces: dict[Pace, PaceSight]
    strain: str  # the odds of a forced pace
    people: tuple[str, ...]
    crew: str  # its people and troops in words


@dataclass(frozen=True, slots=True)
class SideSight:
    name: str
    aim: Aim
    seat: str  # that decides
    own: OwnSight | None  # None: the viewer does not know
    routes: tuple[str, ...]
    heads: dict[Way, str]  # the ways in words

    @property
    def course(self) -> Course | None:
        return self.own.course if self.own else None

    @property
    def forks(self) -> bool:
        return bool(self.own and self.own.forks)

    @property
    def ways(self) -> tuple[Way, ...]:
        return self.own.ways if self.own else ()


@dataclass(frozen=True, slots=True)
class View:
    is_gm: bool
    words: str
    origin: str
    goal: str
    long: bool
    escape: bool
    routes: tuple[Route, ...]
    phase: str  # "way": nothing that this viewer knows of
    leg: int
    sides: dict[Side, SideSight]
    mine: tuple[Side, ...]
    contact: Contact | None
    people: dict[str, Person]  # those whom the viewer's side, or everybody, knows
    names: dict[str, str]
    gone: tuple[str, ...]
    end: str
    attacker: str
    words_of_end: str
    pending: ActShown | None  # of the host, unless it is voted back
    shows_first: bool  # so are all acts at the desk
    is_mass: bool  # a fight here would be a mass battle; only while the viewer sees the other side
    break_odds: dict[Side, str]  # of getting away, while both see each other

    def name(self, key: str) -> str:
        return self.names.get(key, key)

    def the(self, side: Side) -> str:
        return self.sides[side].name

    def skill(self, key: str) -> str:
        return SKILLS[key].name

    def aim(self, side: Side) -> str:
        """A side's aim in words."""
        return AIMS[self.sides[side].aim]

    def route(self, number: int) -> str:
        return self.routes[number].name

    def place(self, route: int | None, at: int) -> str:
        """A point in words: "the pass, 4 of 6 points"."""
        if at < 0:
            return f"{-at} {'point' if at == -1 else 'points'} before {self.origin}"
        if route is None:
            return self.origin
        length = self.routes[route].length
        if at in (0, length):
            return f"{self.routes[route].name}, at {self.goal if at else self.origin}"
        return f"{self.routes[route].name}, {at} of {length} points"

    def standing(self, side: Side) -> str:
        """Where a side is, in words; "" if the viewer does not know."""
        course = self.sides[side].course
        if course is None:
            return ""
        if course.route is None and course.far:
            return self.goal
        return self.place(course.route, course.at)

    def seen(self, side: Side) -> Sight | None:
        """Where the viewer's side has last seen a side."""
        course = self.sides[OTHER[side]].course
        return course.sight if course else None

    def legs_left(self, side: Side) -> int | None:
        """How many steady legs a side that wants to get there still needs; None if that is not known."""
        course = self.sides[side].course
        if course is None or course.route is None or self.sides[side].aim != "reach":
            return None
        return ceil((self.routes[course.route].length - course.at) / POINTS["steady"])

    @property
    def unit(self) -> str:
        """What a leg takes."""
        return "a day" if self.long else "10 minutes"

    @property
    def drawing(self) -> picture.Picture:
        """The routes with what the viewer's sides know."""
        own = [(side, self.sides[side]) for side in SIDES if self.sides[side].course]
        marks = list[picture.Mark]()
        for side, one in own:
            course = one.course
            assert course is not None
            at = self._end(course) if course.route is None and course.far else course.at
            if course.route is not None or one.aim != "hold":
                marks.append(picture.Mark(side, course.route, at, "own", f"{one.name}: {self.standing(side)}"))
            if course.sight and not (self.sides[OTHER[side]].course):
                seen, words = course.sight, f"{self.the(OTHER[side])}, seen in leg {course.sight.leg}"
                marks.append(picture.Mark(OTHER[side], seen.route, seen.at, "seen", words))
        if self.contact and not own:
            marks.append(picture.Mark("a", self.contact.route, self.contact.at, "met", "They meet here"))
        return picture.draw(self.routes, marks)

    def _end(self, course: Course) -> int:
        return self.routes[course.route or 0].length


def view(state: State, viewer: Viewer) -> View:
    """The journey as one viewer sees it; when it is over, with all courses."""
    mine = tuple(side for side in SIDES if set(state.members(side)) & viewer.seats)
    over = state.phase == "over"
    knows = {side: (side in mine or over) and not state.courses[side].withheld for side in SIDES}
    contact = state.contact
    sees = contact is not None and (len(contact.seen) == len(SIDES) or over or bool(set(contact.seen) & set(mine)))
    hushed = state.phase == "see" and not sees
    known = [key for key in state.people if knows[state.side_of[key]] or state.people[key].character]
    return View(
        is_gm=viewer.gm,
        words=state.words,
        origin=state.origin,
        goal=state.goal,
        long=state.long,
        escape=state.escape,
        routes=tuple(state.routes),
        phase="way" if hushed else state.phase,
        leg=state.leg,
        sides={side: _side(state, side, known=knows[side], news=side in mine) for side in SIDES},
        mine=mine,
        contact=contact if sees else None,
        people={key: state.people[key] for key in known},
        names={key: state.people[key].name for key in state.people if key in known or key in state.gone},
        gone=tuple(state.gone),
        end=state.end,
        attacker=state.attacker,
        words_of_end=state.words_of_end,
        pending=host.sight(state),
        shows_first=host.shows_first(state),
        is_mass=sees and is_mass(state),
        break_odds={side: _break_odds(state, side) if side in mine and not hushed else "" for side in SIDES},
    )


def _side(state: State, side: Side, *, known: bool, news: bool) -> SideSight:
    """`news`: with what the side has seen of the other, which nobody else needs to know."""
    company = state.companies[side]
    heads: dict[Way, str] = {"on": f"towards {state.goal}", "back": f"back towards {state.origin}"}
    names = tuple(route.name for route in state.routes)
    return SideSight(
        company.name, company.aim, state.decider(side), _own(state, side, news=news) if known else None, names, heads
    )


def _own(state: State, side: Side, *, news: bool) -> OwnSight:
    course = state.courses[side] if news else replace(state.courses[side], sight=None)
    paces: tuple[Pace, ...] = ("steady", "careful", "forced", "halt")
    return OwnSight(
        course,
        state.at_a_fork(side),
        state.ways(side),
        {
            pace: PaceSight(
                POINTS[pace], ratings.notice(state, side, pace).total, ratings.hide(state, side, pace).total
            )
            for pace in paces
        },
        percent(odds(ratings.endurance(state, side).total, DIFFICULTY)),
        state.here(side),
        crew(state, side),
    )


def _break_odds(state: State, side: Side) -> str:
    """The odds against others who are not worn, since nobody knows whether they are."""
    if state.phase != "stance" or state.contact is None:
        return ""
    skill = state.routes[state.contact.route].skill
    _, theirs = ratings.worst(state, OTHER[side], skill)
    return said(ratings.moving(state, side, skill).total, theirs)


def crew(state: State, side: Side) -> str:
    """A side's people in words: "Ella, Morten, 40 light infantry and 12 others"."""
    company = state.companies[side]
    parts = [state.people[key].name for key in state.here(side)]
    parts += [f"{men:,} {TROOPS[troop].name}" for troop, men in company.men.items() if men]
    if company.others:
        parts.append(f"{company.others:,} {'other' if company.others == 1 else 'others'}")
    return and_list(parts) if parts else ""


def vitals(view: View) -> tuple[Vital, ...]:
    """Everybody whom the viewer knows to be there, with the side as health."""
    side_of = {key: side for side in SIDES if (own := view.sides[side].own) for key in own.people}
    return tuple(
        Vital(
            key=key,
            name=one.name,
            health=view.the(side_of[key]) if key in side_of else "",
            able=key not in view.gone,
            gone=key in view.gone,
            foe=one.seat == GM,
            character=key if one.character else "",
        )
        for key, one in view.people.items()
    )


def as_gm_knows(state: State, gm: Viewer) -> State:
    """The journey without the courses of sides that this GM does not play."""
    known = {side for side in SIDES if set(state.members(side)) & gm.seats or state.phase == "over"}
    if len(known) == len(SIDES):
        return state
    found = STATE.validate_json(STATE.dump_json(state))
    for side in SIDES:
        if side not in known:
            found.courses[side] = Course(withheld=True)
    if found.phase == "see" and not (found.contact and set(found.contact.seen) & known):
        found.phase, found.contact = "orders", None
    return found
