"""The toy ruleset as a subject of the laws."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from app.engine.chance import Roll
from app.engine.ruleset import Ask, Setup, Viewer
from tests import toy
from tests.rulesets.laws import Draw, Subject, copied


def _setups() -> st.SearchStrategy[Setup[toy.Sheet, toy.Settings]]:
    sheets = {name: toy.Sheet(name=name.title()) for name in ("ann", "bea", "cyd")}
    settings = st.builds(
        toy.Settings,
        rounds=st.integers(1, 3),
        seconds=st.none() | st.just(30),
        ranked=st.booleans(),
        aloud=st.booleans(),
    )
    seats = {**toy.brief().seats, toy.GM: ()}
    return settings.map(
        lambda chosen: Setup(brief=replace(toy.brief(), seats=seats), settings=chosen, sheets=sheets, kept={})
    )


def _says(draw: Draw, view: toy.View, ask: Ask) -> Any:
    match ask.kind:
        case "knock":
            return toy.Knock(times=draw(st.sampled_from([0, 1, 5, 7, 13])))
        case "steal":
            return toy.Steal(what=draw(st.sampled_from(["a spoon", "the bell"])))
        case "ruling":
            return toy.Ruling(allow=draw(st.booleans()))
        case "reply":
            return toy.Reply(words="It is me.")
        case _:
            return toy.Bell(loud=draw(st.booleans()))


def _rolls(state: toy.State, event: Any) -> list[Roll]:
    return [event.roll] if isinstance(event, toy.Rolled | toy.Stolen) else []


def _veil(draw: Draw, state: toy.State, who: Viewer) -> toy.State:
    other: toy.State = copied(toy.KIND, state)
    if toy.CYD not in who.seats:
        other.stolen = draw(st.lists(st.sampled_from(["a spoon", "the door"]), max_size=3))
    return other


def _murmur(state: toy.State, ask: Ask, says: Any) -> Any:
    return toy.Steal(what="something else altogether") if ask.kind == "steal" else says


TOY_SUBJECT = Subject(
    ruleset=toy.TOY,
    key="door",
    setups=_setups(),
    says=_says,
    rolls=_rolls,
    still=lambda state: (state.round, state.total),
    blur=_veil,
    veil=_veil,
    murmur=_murmur,
    quiet=lambda state, ask, says: says,
)
