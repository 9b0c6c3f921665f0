"""Journeys as a subject of the laws: any aims, routes and companies. What a side does is hidden from all others."""

from typing import Any

from hypothesis import strategies as st

from app.engine.ruleset import GM, Ask, Brief, Seat, Setup, Viewer
from app.rulesets.chronicle import RULESET
from app.rulesets.chronicle.journey import JOURNEY
from app.rulesets.chronicle.journey.state import SIDES, Course, Sight, State
from app.rulesets.chronicle.journey.view import View
from app.rulesets.chronicle.settings import Settings
from app.rulesets.chronicle.sheets import Sheet, Skills
from tests.rulesets.laws import Draw, Subject, by_options, copied, rolls_in

AIMS = [
    {"a": "reach", "b": "catch"},
    {"a": "reach", "b": "hold"},
    {"a": "catch", "b": "catch"},
    {"a": "catch", "b": "hold"},
    {"a": "hold", "b": "catch"},
    {"a": "catch", "b": "reach"},
]


@st.composite
def setups(draw: Any) -> Setup[Sheet, Settings]:
    """Anna and her sister on side A; on side B Bert, or an army of the GM's, and perhaps a wolf."""
    ratings = st.integers(0, 10)
    sheets = {
        key: Sheet(name=key.title(), skills=Skills(lead=draw(ratings), notice=draw(ratings), hide=draw(ratings)))
        for key in ("anna", "aldo", "bert")
    }
    bert = draw(st.booleans())
    seats: dict[Seat, tuple[str, ...]] = {Seat("ann"): ("anna",), Seat("abe"): ("aldo",), GM: ()}
    if bert:
        seats = {Seat("ann"): ("anna",), Seat("abe"): ("aldo",), Seat("bob"): ("bert",), GM: ()}
    given: dict[str, Any] = {
        "how": draw(st.sampled_from(["routes", "routes", "routes", "escape"])),
        "aims": draw(st.sampled_from(AIMS)),
        "comes": {side: draw(st.sampled_from(["behind", "meet"])) for side in SIDES},
        "gap": draw(st.integers(1, 4)),
        "sides": {"anna": "a", "aldo": "a", "bert": "b"},
        "armies": {"b": draw(st.sampled_from([{"LI": 60}, {"HI": 4000}, {"MI": 20}]))} if not bert else {},
        "others": {"a": draw(st.sampled_from([0, 12]))},
        "foes": draw(st.sampled_from([[], [{"key": "wolf", "name": "Wolf", "side": "b"}]])),
        "routes": draw(
            st.sampled_from(
                [
                    [],
                    [{"name": "The pass", "length": 3, "ground": "Closed"}, {"name": "The ford", "length": 2}],
                    [{"name": "The sea", "length": 5, "skill": "sail"}, {"name": "The shore", "length": 8}],
                ]
            )
        ),
    }
    brief = Brief(kind="journey", title="A test", seats=seats, given=given)
    there = {key: sheets[key] for keys in seats.values() for key in keys}
    settings = Settings(table_gm=draw(st.sampled_from(["seat", "seat", "none"])), host_acts="voted")
    return Setup(brief=brief, settings=settings, sheets=there, kept={})


def _says(draw: Draw, view: View, ask: Ask) -> Any:
    if ask.kind == "desk":
        typed = {
            "ask": "desk",
            "what": draw(st.sampled_from(["situation", "situation", "out", "end"])),
            "who": draw(st.sampled_from(tuple(view.people) or ("anna",))),
            "words": draw(st.sampled_from(["", "It rains."])),
            "reason": draw(st.sampled_from(["", "Fell ill."])),
        }
        return JOURNEY.declaration.validate_python(typed)
    said = by_options(draw, JOURNEY, view, ask)
    if ask.kind != "orders":
        return said
    holding = {"station": draw(st.sampled_from([None, 0, 1, 2])), "hidden": draw(st.booleans())}
    return said.model_copy(update={"of": {side: one.model_copy(update=holding) for side, one in said.of.items()}})


def _unknown(state: State, who: Viewer) -> list[Any]:
    """The sides whose course this viewer may not know."""
    return [side for side in SIDES if state.phase != "over" and not set(state.members(side)) & who.seats]


def _elsewhere(draw: Draw, state: State, who: Viewer) -> State:
    """The others somewhere else, worn, with other plans, and under other names. What they may choose shows only to
    them.
    """
    found: State = copied(JOURNEY, state)
    for side in _unknown(state, who):
        length = state.routes[0].length
        found.courses[side] = Course(0, draw(st.integers(-2, length)), 0, worn=draw(st.booleans()), alone="ambush")
        found.courses[side].hidden = draw(st.booleans())
        for key in found.here(side):
            if not found.people[key].character:
                found.people[key].sheet = found.people[key].sheet.model_copy(update={"name": "Somebody else"})
    return found


def _other_news(draw: Draw, state: State, who: Viewer) -> State:
    """The others know something else, which changes nothing of what they do now."""
    found: State = copied(JOURNEY, state)
    for side in _unknown(state, who):
        found.courses[side].sight = draw(st.sampled_from([None, Sight(1, 0, 1)]))
    return found


JOURNEY_SUBJECT = Subject(
    ruleset=RULESET,
    key="journey",
    setups=setups(),
    says=_says,
    rolls=lambda state, event: rolls_in(event),
    still=lambda state: state.phase,
    blur=_elsewhere,
    veil=_other_news,
    murmur=lambda state, ask, says: says,
    quiet=lambda state, ask, says: says,
    unknown_to_gm=_elsewhere,
)
