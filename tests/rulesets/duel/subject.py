"""Duels as a subject of the laws: any fighters, any settings, any legal hand. Nothing but past records is hidden."""

from typing import Any

from hypothesis import strategies as st

from app.engine.ruleset import GM, Ask, Brief, Seat, Setup, Viewer
from app.rulesets.duel import DUEL, RULESET
from app.rulesets.duel.data import ABILITIES, TREES
from app.rulesets.duel.declarations import DECLARATION
from app.rulesets.duel.opponents import OPPONENTS
from app.rulesets.duel.settings import Settings
from app.rulesets.duel.sheets import Sheet
from app.rulesets.duel.state import State
from app.rulesets.duel.view import View
from tests.rulesets.laws import Draw, Subject, copied, rolls_in

_SETTINGS = st.fixed_dictionaries(
    {
        "momentum_die": st.sampled_from(["4", "6", "8", "20"]),
        "start_stamina": st.sampled_from(["full", "roll"]),
        "double_ko": st.sampled_from(["draw", "momentum"]),
        "house_actions": st.sampled_from(["on", "on", "off"]),
        "house_health": st.sampled_from(["on", "off"]),
        "stall_limit": st.just(5),  # a scene of defaults is over soon
        "best_of": st.sampled_from(["1", "3"]),
    }
).map(Settings.model_validate)


@st.composite
def sheets(draw: Any, name: str) -> Sheet:
    """A fighter with any lawful unlocks, a little bruised perhaps."""
    unlocks: list[str] = []
    for tree in draw(st.sampled_from([("defence",), ("offence",), ("defence", "offence")])):
        first, *others = TREES[tree].entries
        unlocks += [first, *draw(st.lists(st.sampled_from(others), unique=True, max_size=8))]
    abilities = [entry for entry in unlocks if entry in ABILITIES]
    active = draw(st.lists(st.sampled_from(abilities), unique=True, max_size=2)) if abilities else []
    hp = draw(st.sampled_from([None, None, 9, 8]))
    return Sheet(name=name, level=len(unlocks), unlocks=tuple(unlocks), active=tuple(active), hp=hp)


@st.composite
def setups(draw: Any) -> Setup[Sheet, Settings]:
    """Ann against Bob, or against somebody of the list."""
    found = {"anna": draw(sheets("Anna"))}
    seats = {Seat("ann"): ("anna",), Seat("bob"): (), GM: ()}
    opponent = draw(st.sampled_from(["", "", *OPPONENTS]))
    if not opponent:
        found["bert"] = draw(sheets("Bert"))
        seats[Seat("bob")] = ("bert",)
    brief = Brief(kind="duel", title="A test", seats=seats, given={"opponent": opponent})
    return Setup(brief=brief, settings=draw(_SETTINGS), sheets=found, kept={})


def _move(draw: Draw, view: View, who: str) -> dict[str, Any]:
    option = draw(st.sampled_from([one for one in view.options[who] if one.usable]))
    active = {one.key for one in view.fighters[who].abilities}
    said: dict[str, Any] = {"action": option.action.key}
    if option.action.ability:
        said["ability"] = draw(st.sampled_from(sorted(ABILITIES)))
    if "rage" in active:
        said["rage"] = draw(st.integers(0, option.cost))
    if "surprise" in active:
        said["add"] = "opener" if option.why_not else draw(st.sampled_from(["", "discombobulate", "momentum"]))
    return said


def _says(draw: Draw, view: View, ask: Ask) -> Any:
    said: dict[str, Any] = {}
    match ask.kind:
        case "half":
            said = {"half": draw(st.sampled_from(["", "high", "low"]))}
        case "move":
            said = _move(draw, view, ask.about[0])
        case "combo":
            said = {"go": draw(st.sampled_from(["on", "on", "end"]))}
        case "ditto":
            said = {"copied": draw(st.sampled_from(["", *(one.key for one in view.copies[ask.about[0]])]))}
        case "stalled":
            said = {"go": draw(st.sampled_from(["on", "draw"]))}
        case _:
            said = {"sure": "yes"}
    return DECLARATION.validate_python({**said, "ask": ask.kind})


def _blur(draw: Draw, state: State, who: Viewer) -> State:
    """Other records of past duels: a duel shows nobody's."""
    other: State = copied(DUEL, state)
    other.records = {key: {"won": draw(st.integers(0, 9)), "lost": 1, "drawn": 2} for key in state.records}
    return other


DUEL_SUBJECT = Subject(
    ruleset=RULESET,
    key="duel",
    setups=setups(),
    says=_says,
    rolls=lambda state, event: rolls_in(event),
    still=lambda state: {key: one.hp for key, one in state.fighters.items()},
    blur=_blur,
    veil=_blur,
    murmur=lambda state, ask, says: says,
    quiet=lambda state, ask, says: says,
)
