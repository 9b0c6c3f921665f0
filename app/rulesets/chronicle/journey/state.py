"""The state of a journey against opposition: two sides, their routes, and what each knows of the other.

What a side does is hidden from all others until they meet (CHR-TRV-10): it is in the side's `Course`, and nothing else
of the state is secret but the phase "see". Phases are the steps T1 to T9 of the ledger.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import TypeAdapter

from app.engine.ruleset import GM
from app.rulesets.chronicle.host import PendingAct
from app.rulesets.chronicle.people import Person
from app.rulesets.chronicle.settings import Settings

Side = Literal["a", "b"]
Aim = Literal["reach", "catch", "hold"]
Pace = Literal["", "halt", "careful", "steady", "forced"]
Way = Literal["on", "back"]
Alone = Literal["ask", "ambush", "show", "pass"]
Stance = Literal["close", "stand", "break", "parley"]
Phase = Literal["orders", "see", "stance", "over"]
Ending = Literal["", "arrived", "battle", "ambush", "talk", "away", "nobody", "gm"]

SIDES: tuple[Side, Side] = ("a", "b")
OTHER: Mapping[Side, Side] = {"a": "b", "b": "a"}
MOST_BY_HAND = 40  # fighters of a hand-to-hand scene
POINTS: Mapping[Pace, int] = {"": 0, "halt": 0, "careful": 1, "steady": 2, "forced": 3}  # of a leg (CHR-TRV-11)


@dataclass(frozen=True, slots=True)
class Route:
    """One way from the start to the destination (CHR-TRV-07)."""

    name: str
    length: int  # points; a steady day is two
    ground: Literal["Open", "Closed"]
    skill: str  # the moving skill: run, ride, sail or swim


@dataclass(frozen=True, slots=True)
class Sight:
    """Where a side has last seen the other."""

    leg: int
    route: int
    at: int


@dataclass(slots=True)
class Company:
    """What everybody knows of a side."""

    name: str
    aim: Aim
    men: dict[str, int] = field(default_factory=dict)  # troops of an army -> men
    others: int = 0  # people who do not fight and have no sheet
    scouts: bool = False
    guide: int = 2  # the ratings of a side that has nobody with a sheet


@dataclass(slots=True)
class Course:
    """What only the side itself knows."""

    route: int | None = None  # None: not chosen yet
    at: int = 0  # points from the start of the route; below 0 behind it
    before: int = 0  # where this leg began
    far: bool = False  # starts from the far end
    way: Way = "on"
    pace: Pace = ""  # of the last order
    hidden: bool = False  # a holder who lies hidden
    worn: bool = False  # by a forced pace (CHR-TRV-12)
    alone: Alone = "ask"  # what to do if only this side sees the other
    sight: Sight | None = None
    withheld: bool = False  # in the state as a GM knows it: unknown


@dataclass(slots=True)
class Contact:
    """Where the sides met in this leg, and who has seen the other."""

    route: int
    at: int
    seen: list[Side]


@dataclass(slots=True)
class State:
    settings: Settings
    words: str
    terrain: str
    origin: str
    goal: str
    long: bool  # a leg takes a day; else 10 minutes (CHR-TRV-06)
    escape: bool  # one side breaks away at once, and that is all (CHR-TRV-22)
    routes: list[Route]
    seats: tuple[str, ...]  # the GM last
    people: dict[str, Person]  # in cast order
    side_of: dict[str, Side]
    companies: dict[Side, Company]
    courses: dict[Side, Course]
    drives: int = 0
    gone: list[str] = field(default_factory=list)
    phase: Phase = "orders"
    leg: int = 1
    contact: Contact | None = None
    no_contact: int = 0  # the leg in which the sides cannot meet, after one has got away
    tries: int = 1  # how often the step at hand has been asked
    desk: int = 1
    pending: PendingAct | None = None
    end: Ending = ""
    attacker: Side | Literal[""] = ""
    words_of_end: str = ""
    gap: int = 3  # of an ambush, in squares

    def here(self, side: Side) -> tuple[str, ...]:
        """The people of a side who have a sheet, in cast order."""
        return tuple(key for key in self.people if self.side_of[key] == side and key not in self.gone)

    def count(self, side: Side) -> int:
        """How many people a side is (CHR-TRV-13)."""
        company = self.companies[side]
        return len(self.here(side)) + sum(company.men.values()) + company.others

    def fighters(self, side: Side) -> int:
        """How many of a side can fight (CHR-TRV-20)."""
        return len(self.here(side)) + sum(self.companies[side].men.values())

    def leader(self, side: Side) -> str:
        """The character with the best Lead, the first of several; of a side without characters, another of its people;
        "": nobody (CHR-TRV-05)."""
        here = self.here(side)
        cast = [key for key in here if self.people[key].character] or here
        return max(cast, key=lambda key: self.people[key].sheet.skills.lead, default="")

    def decider(self, side: Side) -> str:
        """The seat that decides for a side: its leader's player; the GM for a side without anybody (CHR-TRV-05)."""
        leader = self.leader(side)
        return self.people[leader].seat if leader else str(GM)

    def members(self, side: Side) -> tuple[str, ...]:
        """The seats that know what a side does: its people's and its decider's, in order."""
        found = {self.people[key].seat for key in self.here(side)} | {self.decider(side)}
        return tuple(seat for seat in self.seats if seat in found)

    @property
    def mover(self) -> Side:
        """The side that rolls first: the one that wants to get somewhere; if none does, the first that does not hold
        (CHR-TRV-08, -15)."""
        return next(side for aim in ("reach", "catch") for side in SIDES if self.companies[side].aim == aim)

    @property
    def order(self) -> tuple[Side, Side]:
        """The mover's side, then the other."""
        return self.mover, OTHER[self.mover]

    def holds(self, side: Side) -> bool:
        return self.companies[side].aim == "hold"

    def at_a_fork(self, side: Side) -> bool:
        """Whether a side may choose its route: before its first leg, and at both ends of the routes (step T1)."""
        course = self.courses[side]
        if course.route is None:
            return True
        return not self.holds(side) and (course.at <= 0 or course.at >= self.routes[course.route].length)

    def ways(self, side: Side) -> tuple[Way, ...]:
        """The ways in which a side may go from where it is; both ends of a route turn it round."""
        course = self.courses[side]
        if course.route is None and course.far:
            return ("back",)
        if course.route is None or course.at <= 0:
            return ("on",)
        return ("back",) if course.at >= self.routes[course.route].length else ("on", "back")


def is_mass(state: State) -> bool:
    """Whether either side has so many fighters that a mass battle is fought, or both more than can fight hand to hand
    (CHR-TRV-20)."""
    fighters = [state.fighters(side) for side in SIDES]
    return max(fighters) >= state.settings.scene_mass_combat_min or sum(fighters) > MOST_BY_HAND


STATE: TypeAdapter[State] = TypeAdapter(State)
