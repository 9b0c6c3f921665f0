"""Whoever has nothing to do in a mass battle reads why, and what comes next: in the form, and beside the field."""

from types import SimpleNamespace

import pytest

from app.engine.ruleset import SPECTATOR, Seat
from app.rulesets.chronicle.mass import MASS
from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.hexes import Hex
from app.rulesets.chronicle.mass.state import Phase, State
from app.web.http.templating import environment
from tests.rulesets.chronicle.mass.battles import viewer
from tests.rulesets.chronicle.mass.stage import stage

WALLED = Field(3, 5, {(0, 1): "impassable", (1, 0): "impassable"})


def beside_the_field(state: State, seat: str = "") -> str:
    """The situation as a seat reads it, or a spectator."""
    view = MASS.view(state, viewer(Seat(seat)) if seat else SPECTATOR)
    sight = SimpleNamespace(view=view, seats=(), status="open")
    text = environment().get_template("rulesets/chronicle/mass/situation.html").render(sight=sight)
    return " ".join(text.split())


def to_move(units: dict[str, str], turn: int = 1, ground: Field = Field(), locked: str = "") -> State:  # noqa: B008
    state = stage(units, "move", ground=ground).state
    state.turn = turn
    for unit in state.units.values():
        unit.quick, unit.locked = turn <= 2, unit.key in locked.split()
    return state


def phase(units: dict[str, str], now: Phase, number: int = 2) -> State:
    return stage(units, now, number=number).state


FAR = {"a1": "MI A1", "b1": "MI W1"}
TOUCHING = {"a1": "MI L6", "b1": "MI L7"}
A, B = "Side A", "Side B"


def unplaced(units: dict[str, str], *keys: str) -> State:
    state = phase(units, "place", 0)
    for key in keys:
        state.units[key].hex = None
    return state


def retreating() -> State:
    state = stage({"a1": "MI A1", "b1": "MI C5"}, "leave", ground=WALLED, number=2).state
    state.field = Field(5, 5, dict.fromkeys(Field(5, 5).neighbours(_at(state)), "impassable"))
    state.intents = {"a": "retreat", "b": "fight"}
    return state


def _at(state: State) -> Hex:
    state.units["a1"].hex = (2, 2)
    return 2, 2


def all_locked() -> State:
    state = phase(TOUCHING, "clusters")
    for unit in state.units.values():
        unit.locked = True
    return state


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (unplaced(FAR, "a1"), "{b} has no units left to place. Wait until {a} is placed"),
        (retreating(), "No unit of {a} has a way off the field. All fight on"),
        (phase(FAR, "quick"), "{a} has one unit left. It is quick, so there is nothing to choose."),
        (to_move(FAR), "{b} has no units to move now. Wait for {a}; then the quick units of {b} move."),
        (to_move(FAR, 2), "{a} has no units to move now. Wait for {b}; then the other units move."),
        (to_move(FAR, 4), "Wait for {b}; then the fights are formed."),
        (to_move(TOUCHING, locked="a1 b1"), "No unit of {a} can move now. The next units move."),
        (to_move(TOUCHING, locked="a1 b1"), "Locked next to an enemy, so without a move: Medium infantry 1 ({a})."),
        (all_locked(), "nobody can move. Choose how they fight."),
        (phase({"a1": "BW L6", "b1": "MI L9"}, "targets"), "{b} has no bowmen. Wait for {a} to shoot"),
        (phase({"a1": "BW L6", "b1": "MI L9", "b2": "BW A1"}, "targets"), "{b} has nothing in reach of its bowmen."),
    ],
)
def test_whoever_waits_reads_why_and_what_comes_next(state: State, says: str) -> None:
    wanted = says.format(a=state.names["a"], b=state.names["b"])
    for seat in ("ann", "bob", ""):
        assert wanted in beside_the_field(state, seat), (seat, beside_the_field(state, seat))


def test_nothing_is_said_where_all_have_something_to_do() -> None:
    two = {"a1": "MI A1", "a2": "MI A2", "b1": "MI W1", "b2": "MI W2"}
    for now in ("intent", "quick", "clusters", "fight"):
        assert 'class="soft small idle"' not in beside_the_field(phase(two, now))  # type: ignore[arg-type]


def form(state: State, seat: str, about: tuple[str, ...]) -> str:
    view = MASS.view(state, viewer(Seat(seat)))
    ask = SimpleNamespace(call="Move the units", about=about, mine=None, takes_drafts=True)
    desk = SimpleNamespace(sight=SimpleNamespace(inner=None), as_seat=None, quiet_drafts=False)
    step = SimpleNamespace(quiet=False)
    made = environment().get_template("rulesets/chronicle/mass/ask-move.html")
    return " ".join(made.render(view=view, ask=ask, desk=desk, step=step, form={}, faults={}).split())


def test_a_form_for_units_without_a_way_says_that_they_stay() -> None:
    """A side's players share it: those of one can be shut in where another one's are free."""
    state = to_move({"a1": "MI A1", "a2": "MI C3", "b1": "MI C5"}, ground=WALLED)
    shut_in, free, both = form(state, "ann", ("a1",)), form(state, "ann", ("a2",)), form(state, "ann", ("a1", "a2"))
    assert "None of your units has a free hex to go to. Seal it as it is: they stay." in shut_in
    assert "Write a hex, like K9" not in shut_in and "It has no free hex to go to. Leave it empty: it stays." in shut_in
    for some in (free, both):
        assert "None of your units" not in some and "Write a hex, like K9" in some
    assert "It has no free hex to go to" not in free and "It has no free hex to go to" in both
