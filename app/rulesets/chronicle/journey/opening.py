"""The opening form of a journey, and the state it starts from (step T0)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from app.engine.form_fields import EMPTY_AS_ZERO, OpeningForm, Ticked, blank_as
from app.engine.muster import keys_once, usual_sides
from app.engine.refusal import refusal
from app.engine.ruleset import GM, Brief, Setup
from app.rulesets.chronicle import people
from app.rulesets.chronicle.hand.muster import MOST, Foe, muster
from app.rulesets.chronicle.journey.state import SIDES, Aim, Company, Contact, Course, Route, Side, State
from app.rulesets.chronicle.mass.troops import TROOPS
from app.rulesets.chronicle.mass.units import MOST_MEN
from app.rulesets.chronicle.settings import Settings
from app.rulesets.chronicle.sheets import Sheet
from app.rulesets.chronicle.skills import HIGHEST, SKILLS, USUAL

MOST_ROUTES, SHORTEST, LONGEST, GAP = 4, 2, 20, 2
MOVING = ("run", "ride", "sail", "swim")
_MOVING: Any = [{"key": key, "name": SKILLS[key].name} for key in MOVING]
_TROOPS: Any = [{"key": troop.key, "name": troop.name, "cost": troop.cost} for troop in TROOPS.values()]
Number = Annotated[int, EMPTY_AS_ZERO, Field(ge=0, le=MOST_MEN)]
Line = Annotated[str, Field(max_length=60)]
NOT_CONTESTED = (
    "Nobody is against this journey: one side has to want to catch the other, or to hold a place. A journey without "
    "opposition needs no scene. Add its arrival to the calendar instead."
)
NOBODY_MOVES = "Both sides hold a place, and nobody moves. Let one of them reach its destination or catch the other."


class RouteRow(BaseModel):
    """A route as it is typed; a row without a name is none."""

    model_config = ConfigDict(extra="ignore")

    name: Line = ""
    length: Annotated[int, blank_as(6), Field(ge=SHORTEST, le=LONGEST)] = 6
    ground: Literal["Open", "Closed"] = "Open"
    skill: Annotated[Literal["run", "ride", "sail", "swim"], Field(json_schema_extra={"x-skills": _MOVING})] = "run"


class JourneyOpening(OpeningForm):
    """Who is under way, who is against it, and on what routes."""

    description: Annotated[str, Field(max_length=4000)] = ""
    terrain: Annotated[str, Field(max_length=120)] = ""
    how: Literal["routes", "escape"] = "routes"
    scale: Literal["long", "short"] = "long"
    origin: Line = ""
    goal: Line = ""
    routes: Annotated[tuple[RouteRow, ...], Field(max_length=MOST_ROUTES)] = ()
    sides: Annotated[dict[str, Literal["", "a", "b"]], Field(max_length=200)] = Field(default_factory=dict)
    names: dict[Side, Line] = Field(default_factory=dict)
    aims: dict[Side, Aim] = Field(default_factory=dict)
    comes: dict[Side, Literal["behind", "meet"]] = Field(default_factory=dict)  # where a catcher starts
    gap: Annotated[int, blank_as(GAP), Field(ge=1, le=LONGEST)] = GAP
    armies: dict[Side, dict[str, Number]] = Field(default_factory=dict, json_schema_extra={"x-troops": _TROOPS})
    others: dict[Side, Number] = Field(default_factory=dict)
    scouts: dict[Side, Ticked] = Field(default_factory=dict)
    guide: dict[Side, Annotated[int, blank_as(USUAL), Field(ge=0, le=HIGHEST)]] = Field(default_factory=dict)
    foes: Annotated[tuple[Foe, ...], Field(max_length=MOST)] = ()

    @field_validator("routes")
    @classmethod
    def _named(cls, rows: tuple[RouteRow, ...]) -> tuple[RouteRow, ...]:
        return tuple(row for row in rows if row.name.strip())

    @model_validator(mode="after")
    def _playable(self) -> "JourneyOpening":
        keys_once((foe.key for foe in self.foes), "people")
        aims = [self.aim(side) for side in SIDES]
        if self.how == "routes" and aims == ["reach", "reach"]:
            raise ValueError(NOT_CONTESTED)
        if self.how == "routes" and aims == ["hold", "hold"]:
            raise ValueError(NOBODY_MOVES)
        for men in self.armies.values():
            if strange := next((troop for troop in men if troop not in TROOPS), ""):
                raise ValueError(f"There are no troops “{strange[:20]}”. Use {', '.join(TROOPS)}.")
        return self

    def aim(self, side: Side) -> Aim:
        """A side's aim; by default side A wants to get there and side B to catch it (CHR-TRV-08)."""
        if self.how == "escape":
            return "reach" if side == "a" else "catch"
        return self.aims.get(side) or ("reach" if side == "a" else "catch")

    @property
    def ways(self) -> list[Route]:
        """The routes; by default one open road of six points, on foot (CHR-TRV-07)."""
        rows = self.routes or (RouteRow(name="The road"),)
        return [Route(" ".join(row.name.split()), row.length, row.ground, row.skill) for row in rows]


GIVEN = Annotated[JourneyOpening, BeforeValidator(muster)]


def opening_form(brief: Brief) -> JourneyOpening:
    """The opening form, checked. Raises ValidationError with what is wrong and what to do."""
    return JourneyOpening.model_validate(muster(brief.given or {}))


def needs(brief: Brief, sheets: Mapping[str, Sheet]) -> frozenset[str]:
    """Claims no stored values. Refuses a journey with nobody on one side."""
    given = opening_form(brief)
    for side in SIDES:
        men, others = given.armies.get(side, {}), given.others.get(side, 0)
        if not (sum(men.values()) + others or side in _sides(brief, given).values() or side in _of_foes(given)):
            raise refusal(f"There is nobody on side {side.upper()}. Add people or an army, or move characters to it.")
    return frozenset()


def _of_foes(given: JourneyOpening) -> list[Side]:
    return [foe.side for foe in given.foes]


def _sides(brief: Brief, given: JourneyOpening) -> dict[str, Side]:
    """The side of each character; without any other people on side B, all but the first seat's are on it."""
    peopled = bool(given.foes or sum(given.armies.get("b", {}).values()) or given.others.get("b"))
    usual: dict[str, Side] = usual_sides(brief, "a", "b", foes=peopled)
    return {key: given.sides.get(key) or side for key, side in usual.items()}


def start(setup: Setup[Sheet, Settings]) -> State:
    """Both sides at their starting points; in an escape, both in sight of each other."""
    given = opening_form(setup.brief)
    side_of = _sides(setup.brief, given)
    seats = tuple(str(seat) for seat in setup.brief.seats)
    state = State(
        setup.settings,
        given.description,
        given.terrain,
        " ".join(given.origin.split()) or "the start",
        " ".join(given.goal.split()) or "the destination",
        given.scale == "long" and given.how == "routes",
        given.how == "escape",
        given.ways,
        seats,
        {},
        dict(side_of),
        {side: _company(given, side) for side in SIDES},
        {side: _course(given, side) for side in SIDES},
    )
    people.place_cast(state, setup)
    for foe in given.foes:
        key = people.free_key(state, foe.key)
        sheet = Sheet.model_validate(foe.model_dump(exclude={"key", "side"}))
        state.side_of[key] = foe.side
        people.place(state, key, str(GM), sheet, character=False)
    state.gone = [key for key, one in state.people.items() if one.sheet.wounds.dead]
    if state.escape:
        state.phase = "stance"
        state.contact = Contact(0, 0, list(SIDES))
        for course in state.courses.values():
            course.route, course.at, course.before = 0, 0, 0
    return state


def _company(given: JourneyOpening, side: Side) -> Company:
    men = {troop: number for troop, number in given.armies.get(side, {}).items() if number}
    name = " ".join(given.names.get(side, "").split()) or f"Side {side.upper()}"
    company = Company(name, given.aim(side), men, given.others.get(side, 0), given.scouts.get(side, False))
    company.guide = given.guide.get(side, USUAL)
    return company


def _course(given: JourneyOpening, side: Side) -> Course:
    """A catcher starts behind the other side, or at the far end to meet it (CHR-TRV-09)."""
    if given.aim(side) != "catch" or given.aim("a" if side == "b" else "b") == "hold":
        return Course()
    if side == "a" and given.aim("b") == "catch":
        return Course()  # both look for each other: the mover starts at 0
    if given.comes.get(side) == "meet":
        return Course(far=True, way="back")
    return Course(at=-given.gap, before=-given.gap)
