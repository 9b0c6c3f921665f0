"""Fights as a subject of the laws: up to six people on any seats, any settings, any legal answer.

Hidden are standing choices alone.
"""

from typing import Any

from hypothesis import strategies as st

from app.engine.ruleset import Ask, Setup, Viewer
from app.rulesets.chronicle import RULESET
from app.rulesets.chronicle.hand import HAND
from app.rulesets.chronicle.hand import declarations as de
from app.rulesets.chronicle.hand.settings import HandSettings
from app.rulesets.chronicle.hand.standing import Standing
from app.rulesets.chronicle.hand.state import State
from app.rulesets.chronicle.sheets import Sheet
from tests.rulesets.chronicle.hand.ring import SAYS, says, setup
from tests.rulesets.laws import Draw, Subject, by_options, copied, rolls_in

_SETTINGS = st.fixed_dictionaries(
    {
        "footwork_winner_min": st.sampled_from(["1", "0"]),
        "defence_timing": st.sampled_from(["after-reveal", "after-reveal", "with-action"]),
        "penalties_stack": st.sampled_from(["add", "max"]),
        "tackle_break_leaves_prone": st.sampled_from(["off", "on"]),
        "wounds_body_major": st.sampled_from(["down", "none", "like-leg"]),
        "hand_between": st.sampled_from(["ask", "ask", "go-on"]),
    }
).map(HandSettings.model_validate)


@st.composite
def setups(draw: Any) -> Setup[Sheet, HandSettings]:
    a, b = draw(st.sampled_from([(1, 1), (1, 1), (2, 1), (1, 3), (3, 2), (2, 2), (1, 5)]))
    return setup(a, b, lambda among: draw(st.sampled_from(list(among))), draw(_SETTINGS))


def _other(draw: Draw, kept: Standing, fields: tuple[str, ...]) -> Standing:
    """Other standing choices in these fields; whether one is asked stays as it is, for asking can be seen."""
    likely: dict[str, list[Any]] = {
        "distance": ["", "dagger", "sword", "spear", "away"],
        "protect": ["", "body", "left_arm"],
        "strike": ["", "head", "right_leg"],
        "suffer": ["", "left_leg", "body"],
        "prefer": [(), ("dodge",), ("mind", "parry")],
        "dodge": [(), ("n", "s"), ("w",)],
        "follow": ["", "yes"],
    }
    changed = {name: draw(st.sampled_from(likely[name])) for name in fields if getattr(kept, name) != "ask"}
    return kept.model_copy(update=changed)


ROUND = ("protect", "strike", "suffer", "prefer", "dodge", "follow")


def _blur(draw: Draw, state: State, who: Viewer) -> State:
    return _with(draw, state, who, ("distance", *ROUND))


def _veil(draw: Draw, state: State, who: Viewer) -> State:
    """Choices that the closing at hand does not come to: footwork is over, or the orders are still to come."""
    return _with(draw, state, who, _unused(state))


def _unused(state: State) -> tuple[str, ...]:
    if state.fight.phase in ("setting", "ready", "pair", "join", "foot", "free", "next"):
        return ROUND
    return ("distance",) if state.fight.settings.hand_between == "ask" else ()


def _with(draw: Draw, state: State, who: Viewer, fields: tuple[str, ...]) -> State:
    other: State = copied(HAND, state)
    for key, one in state.fight.fighters.items():
        if one.seat not in who.seats:
            other.standing[key] = _other(draw, state.stands(key), fields)
    return other


def _murmur(state: State, ask: Ask, said: Any) -> Any:
    """Another standing choice sealed along, of those that are not used before the next ask."""
    if not isinstance(said, (de.Ready, de.Act)):
        return said
    field = "distance" if isinstance(said, de.Act) else "strike"
    if field == "distance" and state.fight.settings.hand_between != "ask":
        return said
    of = {}
    for key, one in said.of.items():
        kept = one.stand
        same = kept is None or getattr(kept, field) == "ask"
        value = "away" if field == "distance" else "left_leg"
        of[key] = (
            one if same or kept is None else one.model_copy(update={"stand": kept.model_copy(update={field: value})})
        )
    return said.model_copy(update={"of": of})


def _says(draw: Draw, view: Any, ask: Ask) -> Any:
    if ask.kind not in SAYS:
        return by_options(draw, HAND, view, ask)
    return says(lambda among: draw(st.sampled_from(list(among))), view, ask)


HAND_SUBJECT = Subject(
    ruleset=RULESET,
    key="hand",
    setups=setups(),
    says=_says,
    rolls=lambda state, event: rolls_in(event),
    still=lambda state: {key: (one.gone, str(one.wounds)) for key, one in state.fight.fighters.items()},
    blur=_blur,
    veil=_veil,
    unknown_to_gm=_blur,
    murmur=_murmur,
    quiet=lambda state, ask, said: said,
)
