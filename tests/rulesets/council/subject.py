"""Decisions as subjects of the laws: any questions, drafts, throws and marks. Nothing in their states is hidden."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from app.engine.ruleset import GM, Ask, Brief, Seat, Setup
from app.rulesets.council import RULESET
from app.rulesets.council.settings import Settings
from tests.rulesets.laws import Draw, Subject, copied, rolls_in

_NAMES = ("ann", "bea", "cyd", "dan")
_WORDS = st.sampled_from(["", "inn", "Inn", "pier"])
_SETTINGS = st.fixed_dictionaries(
    {
        "majority": st.sampled_from(["most", "half"]),
        "secret": st.sampled_from(["off", "on"]),
        "silent": st.sampled_from(["follow", "none"]),
        "snake": st.sampled_from(["on", "off"]),
    }
).map(Settings.model_validate)

_QUESTIONS = st.integers(2, 4).flatmap(
    lambda n: st.fixed_dictionaries({"options": st.just("abcd"[:n]).map(list), "otherwise": st.integers(0, n)})
)
_DRAFTS = st.fixed_dictionaries(
    {
        "things": st.integers(0, 7).map(lambda n: list("abcdefg")[:n]),
        "each": st.integers(0, 2),
        "most": st.dictionaries(st.sampled_from(_NAMES), st.integers(0, 3)),
    }
)
_DICE = st.sampled_from(["d6", "2d6+1", "d8+d8+d10(0-9)", "3d4-d20-2"]).map(lambda text: {"dice": text})
_PEOPLE = st.lists(st.sampled_from(["ann", "ann", "bea", "gm", ""]), min_size=0, max_size=4).map(
    lambda seats: {
        "today": 40,
        "people": [{"key": f"p{n}", "name": f"P {n}", "seat": seat} for n, seat in enumerate(["ann", *seats])],
    }
)


@st.composite
def _setups(draw: Any, kind: str, given: SearchStrategy[dict[str, Any]]) -> Setup[Any, Settings]:
    seats = {Seat(name): () for name in _NAMES[: draw(st.integers(2, 4))]} | {GM: ()}
    said = {**draw(given), "purpose": "A test", "gm": draw(st.booleans())}
    brief = Brief(kind=kind, title="A test", seats=seats, given=said)
    return Setup(brief=brief, settings=draw(_SETTINGS), sheets={}, kept={})


def _mark(draw: Draw, view: Any) -> dict[str, Any]:
    return {
        "when": draw(st.sampled_from(["on", "on", "follow", "none"])),
        "days": draw(st.integers(0, 2)),
        "place": draw(_WORDS),
        "title": draw(_WORDS),
        "others": draw(st.lists(st.sampled_from(sorted(view.names)), unique=True)),
    }


def _says(draw: Draw, view: Any, ask: Ask) -> Any:
    said: dict[str, Any] = {}
    match ask.kind:
        case "vote":
            said = {"choice": draw(st.integers(0, len(view.options)))}
        case "mark":
            said = {"of": {key: _mark(draw, view) for key in ask.about}}
        case "pick":
            said = {"thing": draw(st.sampled_from(view.left))}
    return RULESET.kind(view.kind).declaration.validate_python({**said, "ask": ask.kind})


def _subject(key: str, given: SearchStrategy[dict[str, Any]]) -> Subject:
    kind = RULESET.kind(key)
    same: Callable[[Draw, Any, Any], Any] = lambda draw, state, who: copied(kind, state)  # noqa: E731
    return Subject(
        ruleset=RULESET,
        key=key,
        setups=_setups(key, given),
        says=_says,
        rolls=lambda state, event: rolls_in(event),
        still=lambda state: 0,
        blur=same,
        veil=same,
        murmur=lambda state, ask, says: says,
        quiet=lambda state, ask, says: says,
    )


COUNCIL_SUBJECTS = (
    _subject("vote", _QUESTIONS),
    _subject("next", _PEOPLE),
    _subject("order", _DRAFTS),
    _subject("roll", _DICE),
)
