"""Mass battles as a subject of the laws: any armies, fields and settings. Nothing in them is hidden."""

from typing import Any

from hypothesis import strategies as st

from app.engine.ruleset import Ask, Setup, Viewer
from app.rulesets.chronicle import RULESET
from app.rulesets.chronicle.mass import MASS
from app.rulesets.chronicle.mass.settings import MassSettings
from app.rulesets.chronicle.mass.state import State
from app.rulesets.chronicle.sheets import Sheet
from tests.rulesets.chronicle.mass.battles import says, setup, some_given, some_settings
from tests.rulesets.laws import Draw, Subject, copied, rolls_in


@st.composite
def setups(draw: Any) -> Setup[Sheet, MassSettings]:
    def pick(among: Any) -> Any:
        return draw(st.sampled_from(list(among)))

    given = some_given(pick) | {"field": pick(["", "plain", "village"])}
    return setup(given, some_settings(pick))


def _says(draw: Draw, view: Any, ask: Ask) -> Any:
    return says(lambda among: draw(st.sampled_from(list(among))), view, ask)


def _same(draw: Draw, state: State, who: Viewer) -> State:
    found: State = copied(MASS, state)
    return found


MASS_SUBJECT = Subject(
    ruleset=RULESET,
    key="mass",
    setups=setups(),
    says=_says,
    rolls=lambda state, event: rolls_in(event),
    still=lambda state: (state.phase == "over", {key: unit.losses for key, unit in state.units.items()}),
    blur=_same,
    veil=_same,
    murmur=lambda state, ask, said: said,
    quiet=lambda state, ask, said: said,
)
