"""The opening form of a mass battle, and the state it starts from (steps M0 to M2)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue

from app.engine.form_fields import EMPTY_AS_ZERO, OpeningForm
from app.engine.refusal import refusal
from app.engine.ruleset import GM, Brief, LoggedEvent, Setup
from app.engine.ruleset import OWN as OWN_KEYS
from app.engine.sentences import and_list
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass.field import Field as Ground
from app.rulesets.chronicle.mass.field_text import FIELDS, MOST_TEXT, read_field, ready_made
from app.rulesets.chronicle.mass.fold import apply
from app.rulesets.chronicle.mass.maps import MAPS, offered
from app.rulesets.chronicle.mass.placing import room_fault
from app.rulesets.chronicle.mass.settings import MassSettings
from app.rulesets.chronicle.mass.state import OTHER, SIDES, OfferedMap, Side, State
from app.rulesets.chronicle.mass.troops import TROOPS
from app.rulesets.chronicle.mass.units import MOST_MEN, divide
from app.rulesets.chronicle.sheets import Sheet
from app.rulesets.chronicle.skills import USUAL

OWN = "own"
GONE = "This campaign no longer has that battlefield. Choose another one."
MOST_POINTS = 10_000_000
Number = Annotated[int, EMPTY_AS_ZERO, Field(ge=0, le=MOST_MEN)]
Points = Annotated[int, EMPTY_AS_ZERO, Field(ge=0, le=MOST_POINTS)]
Name = Annotated[str, Field(max_length=60)]
_TROOPS: Any = [{"key": troop.key, "name": troop.name, "cost": troop.cost} for troop in TROOPS.values()]


class MassOpening(OpeningForm):
    """Who fights, with what, and where. A side has an army, or points within which its commander chooses one."""

    description: Annotated[str, Field(max_length=4000)] = ""
    sides: Annotated[dict[str, Literal["", "a", "b"]], Field(max_length=200)] = Field(default_factory=dict)
    names: dict[Side, Name] = Field(default_factory=dict)
    attacker: Side = "a"
    how: Literal["set", "ambush"] = "set"
    armies: dict[Side, dict[str, Number]] = Field(default_factory=dict, json_schema_extra={"x-troops": _TROOPS})
    points: dict[Side, Points] = Field(default_factory=dict)
    field: Annotated[str, Field(json_schema_extra={"x-labels": [*FIELDS.items()]})] = (
        ""  # "": whoever has the right to it chooses (CHR-PLC-02, -07); or the id of one that the campaign keeps
    )
    map: Annotated[str, Field(max_length=MOST_TEXT)] = ""  # of the field "own", as text

    def army(self, side: Side) -> dict[str, int]:
        return {troop: men for troop, men in self.armies.get(side, {}).items() if men}


def cheapest() -> int:
    """The points of one man of the cheapest troops."""
    return min(troop.cost for troop in TROOPS.values())


def cost(men: Mapping[str, int]) -> int:
    """The points of an army (CHR-ARM-12)."""
    return sum(TROOPS[troop].cost * number for troop, number in men.items())


def army_fault(men: Mapping[str, int]) -> str:
    """What is wrong with an army, or ""."""
    strange = next((troop for troop in men if troop not in TROOPS), "")
    if strange:
        return f"There are no troops “{strange[:20]}”. Use {and_list(TROOPS, 'or')}."
    return "" if any(men.values()) else "The army has no men. Give it at least one."


def opening_form(brief: Brief) -> MassOpening:
    """The opening form, checked. Raises ValidationError with what is wrong and what to do."""
    raw: JsonValue = brief.given or {}
    found = MassOpening.model_validate(raw)
    for side in SIDES:
        name, men, points = found.names.get(side) or usual_name(side), found.army(side), found.points.get(side, 0)
        if bool(men) == bool(points):
            raise refusal(f"{name} needs either an army or points for one. Enter one of them.")
        fault = army_fault(men) if men else ""
        if points and points < cheapest():
            fault = f"{points} points buy nobody. Give at least {cheapest()}."
        if fault:
            raise refusal(f"{name}: {fault}")
    kept = found.field.startswith(OWN_KEYS)  # only `start` has them
    if found.field and not kept and (fault := field_fault(found.field, found.map)):
        raise refusal(fault)
    return found


def field_of(key: str, text: str, kept: Mapping[str, OfferedMap]) -> Ground:
    """The field with this key: ready-made, of the campaign, or "own" with its text. Raises ValueError in words."""
    if key == OWN or key in kept:
        return read_field(kept[key].map if key in kept else text)
    if key not in FIELDS:
        raise ValueError("There is no such field. Choose one of the list, or draw your own.")
    return ready_made(key)


def field_fault(key: str, text: str, kept: Mapping[str, OfferedMap] = MappingProxyType({})) -> str:
    """What is wrong with a chosen field, or ""."""
    try:
        return room_fault(field_of(key, text, kept))
    except ValueError as wrong:
        return str(wrong)


def usual_name(side: Side) -> str:
    return f"Side {side.upper()}"


def needs(brief: Brief, sheets: Mapping[str, Sheet]) -> frozenset[str]:
    """Claims no stored values. Refuses a battle without two armies, or on a field without room."""
    opening_form(brief)
    return frozenset()


def start(setup: Setup[Sheet, Any]) -> State:
    """Both sides with their seats and commanders; armies, units and field as far as they are known.

    A scene cannot begin with a step that asks nobody, so what needs no answer is done here.
    """
    brief = setup.brief
    says = opening_form(brief)
    settings = MassSettings.model_validate(setup.settings.model_dump(include=set(MassSettings.model_fields)))
    people: dict[Side, list[str]] = {
        side: [key for keys in brief.seats.values() for key in keys if (says.sides.get(key) or "a") == side]
        for side in SIDES
    }
    of = {key: str(seat) for seat, keys in brief.seats.items() for key in keys}
    best = {side: _best(people[side], setup.sheets) for side in SIDES}
    state = State(
        settings,
        {side: says.names.get(side) or usual_name(side) for side in SIDES},
        [str(seat) for seat in brief.seats],
        {side: list(dict.fromkeys(of[key] for key in people[side])) or [str(GM)] for side in SIDES},
        {side: of[who] if (who := best[side]) else str(GM) for side in SIDES},
        {side: setup.sheets[who].skills.tactics if (who := best[side]) else USUAL for side in SIDES},
        people,
        says.attacker,
        says.how,
        {side: men for side in SIDES if (men := says.army(side))},
        {side: points for side in SIDES if (points := says.points.get(side, 0))},
        description=says.description,
        first=says.attacker,
        offered=offered(setup.own),
        seat_of=of,
    )
    if says.field:
        state.place, state.field = says.field, _named_field(says, setup)
    if len(state.armies) == len(SIDES):
        apply(state, LoggedEvent(number=0, rule="CHR-UNI-12", because=(), event=divided(state)))
        state.phase = "place" if state.field else "field"
    return state


def _named_field(says: MassOpening, setup: Setup[Sheet, Any]) -> Ground:
    """The field that the form names. Raises ValidationError where the campaign does not have it any more."""
    kept = {key: OfferedMap(one.name, one.map) for key, one in setup.own.get(MAPS, {}).items()}
    if fault := field_fault(says.field, says.map, kept):
        raise refusal(fault if not says.field.startswith(OWN_KEYS) or says.field in kept else GONE)
    return field_of(says.field, says.map, kept)


def divided(state: State) -> ev.Divided:
    """Both armies in units, and the loss number (CHR-UNI)."""
    made = divide((state.armies["a"], state.armies["b"]), state.settings.units_split)
    units = tuple(
        (f"{side}{number}", side, troop, men)
        for side, own in zip(SIDES, made.units, strict=True)
        for number, (troop, men) in enumerate(own, 1)
    )
    return ev.Divided(units, made.loss)


def _best(people: list[str], sheets: Mapping[str, Sheet]) -> str:
    """The character with the best Tactics, who commands; ties by order; "": nobody."""
    return max(people, key=lambda key: sheets[key].skills.tactics, default="")


def picker(state: State) -> Side:
    """The side that chooses the field: the defender, or the attacker of an ambush (CHR-PLC-02, -07)."""
    return state.attacker if state.how == "ambush" else OTHER[state.attacker]
