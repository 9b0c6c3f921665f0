"""Discussions as a subject of the laws: any people, any acts, crowds and the dead. Only seals are hidden in them."""

from typing import Any

from hypothesis import strategies as st

from app.engine.ruleset import GM, Ask, Brief, Seat, Setup, Viewer
from app.rulesets.chronicle import RULESET
from app.rulesets.chronicle.discussion import DISCUSSION
from app.rulesets.chronicle.discussion.state import State
from app.rulesets.chronicle.discussion.view import View
from app.rulesets.chronicle.settings import Settings
from app.rulesets.chronicle.sheets import Drive, Motivations, Sheet, Skills
from tests.rulesets.laws import Draw, Subject, by_options, copied, rolls_in

PROUD = Drive(motivation="proud", rating=5, whose="talker", context="the court", topic="the insult")
MOTIVATIONS = ("proud", "bold", "trusting")


@st.composite
def setups(draw: Any) -> Setup[Sheet, Settings]:
    """Anna and her brother of one seat, Bert of another, an envoy and perhaps a crowd; or Anna alone."""
    sheets = {
        "anna": Sheet(name="Anna", skills=Skills(convince=draw(st.integers(0, 10))), drives=(PROUD,)),
        "aldo": Sheet(name="Aldo", is_main=draw(st.booleans())),
        "bert": Sheet(name="Bert", is_main=draw(st.booleans()), motivations=Motivations(bold=10, fearful=2)),
    }
    seats: dict[Seat, tuple[str, ...]] = {Seat("ann"): ("anna", "aldo"), Seat("bob"): ("bert",), GM: ()}
    if draw(st.sampled_from([False, False, False, True])):
        seats = {Seat("ann"): ("anna",), GM: ()}
    given = {"terrain": "marsh", "topic": draw(st.sampled_from(["", "The war"]))}
    given |= {"others": draw(st.sampled_from(["", "An envoy"])), "crowds": draw(st.sampled_from(["", "The town"]))}
    kept = draw(st.sampled_from([{}, {"talked/the war": {"groups": [["anna"], ["aldo", "anna", "bert"]]}}]))
    settings = Settings.model_validate(
        {
            "table_gm": draw(st.sampled_from(["seat", "none", "none"])),
            "host_acts": draw(st.sampled_from(["at-once", "voted", "voted"])),
            "npc_rating": draw(st.sampled_from(["distribution", "guide"])),
        }
    )
    brief = Brief(kind="discussion", title="A test", seats=seats, given=given)
    there = {key: sheets[key] for keys in seats.values() for key in keys}
    return Setup(brief=brief, settings=settings, sheets=there, kept=kept if given["topic"] else {})


def _says(draw: Draw, view: View, ask: Ask) -> Any:
    if ask.kind == "desk":
        return _at_desk(draw, view)
    said = by_options(draw, DISCUSSION, view, ask)
    words = draw(st.sampled_from(["", "Hear me!"]))
    if ask.kind != "talk":
        return said.model_copy(update={"words": words} if "words" in type(said).model_fields else {})
    who = draw(st.sampled_from(ask.about))
    others = tuple(key for key in view.here if key != who)
    return said.model_copy(
        update={
            "what": draw(st.sampled_from([said.what, "appeal", "appeal", "appeal", "stop"])),
            "who": who,
            "words": words,
            "listeners": draw(st.sampled_from([others, others, (who,), said.listeners])),
            "context": draw(st.sampled_from(["the court", "The Court "])),
            "topic": draw(st.sampled_from(["the insult", "the war"])),
            "action": draw(st.sampled_from(["Fight.", "Yield.", ""])),
            "motivation": draw(st.sampled_from(MOTIVATIONS)),
            "pair": draw(st.sampled_from([None, 1, 5, 9])),
        }
    )


def _at_desk(draw: Draw, view: View) -> Any:
    acts = ["situation", "anew", "bring", "bring", "out", "back", "played", "object", "ungrow", "end"]
    typed = {
        "ask": "desk",
        "what": draw(st.sampled_from(acts)),
        "who": draw(st.sampled_from(tuple(view.people))),
        "words": draw(st.sampled_from(["", "The bell rings."])),
        "name": draw(st.sampled_from(["Ida", "The Town", ""])),
        "crowd": draw(st.booleans()),
        "reason": draw(st.sampled_from(["", "Called away."])),
        "drive": draw(st.sampled_from(["d1", "d2"])),
    }
    return DISCUSSION.declaration.validate_python(typed)


def _same(draw: Draw, state: State, who: Viewer) -> State:
    """There is no other world that looks the same."""
    found: State = copied(DISCUSSION, state)
    return found


DISCUSSION_SUBJECT = Subject(
    ruleset=RULESET,
    key="discussion",
    setups=setups(),
    says=_says,
    rolls=lambda state, event: rolls_in(event),
    still=lambda state: (state.phase == "over", dict(state.heard)),
    blur=_same,
    veil=_same,
    murmur=lambda state, ask, says: says,
    quiet=lambda state, ask, says: says,
)
