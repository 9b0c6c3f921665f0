"""A few throws as a subject of the laws: any hands and stakes. Nothing in their states is hidden."""

from hypothesis import strategies as st

from app.engine.ruleset import GM, Ask, Brief, Seat, Setup, Viewer
from app.rulesets.throw import RULESET, THROW
from app.rulesets.throw.rules import Settings, State, Throw
from tests.rulesets.laws import Draw, Subject, by_options, copied, rolls_in

_SETTINGS = st.builds(Settings, chips=st.integers(1, 4), throws=st.integers(1, 6))
_BRIEF = Brief(kind="throw", title="A test", seats={Seat("ann"): (), Seat("bea"): (), GM: ()})


def _says(draw: Draw, view: State, ask: Ask) -> Throw:
    says: Throw = by_options(draw, THROW, view, ask)
    return says.model_copy(update={"stake": draw(st.integers(0, view.chips[ask.seat]))})


def _blur(draw: Draw, state: State, who: Viewer) -> State:
    blurred: State = copied(THROW, state)
    return blurred


THROW_SUBJECT = Subject(
    ruleset=RULESET,
    key="throw",
    setups=_SETTINGS.map(lambda settings: Setup(brief=_BRIEF, settings=settings, sheets={}, kept={})),
    says=_says,
    rolls=lambda state, event: rolls_in(event),
    still=lambda state: state.chips,
    blur=_blur,
    veil=_blur,
    murmur=lambda state, ask, says: says,
    quiet=lambda state, ask, says: says,
)
