"""Free scenes and drafts as subjects of the laws: any people, any acts. Nothing in them is hidden."""

from typing import Any

from hypothesis import strategies as st

from app.engine.ruleset import GM, Ask, Brief, Seat, Setup, Viewer
from app.rulesets.chronicle import RULESET
from app.rulesets.chronicle.draft import DRAFT
from app.rulesets.chronicle.draft.declarations import DECLARATION as DRAFT_DECLARATION
from app.rulesets.chronicle.free import FREE
from app.rulesets.chronicle.free.declarations import DECLARATION
from app.rulesets.chronicle.free.state import State
from app.rulesets.chronicle.free.view import View
from app.rulesets.chronicle.motivations import MOTIVATIONS
from app.rulesets.chronicle.settings import Settings
from app.rulesets.chronicle.sheets import Drive, Sheet, Skills
from tests.rulesets.laws import Draw, Subject, copied, rolls_in

_SETTINGS = st.fixed_dictionaries(
    {
        "table_gm": st.sampled_from(["seat", "none", "none"]),
        "host_acts": st.sampled_from(["at-once", "voted", "voted"]),
        "check_roller": st.sampled_from(["acting", "either"]),
        "survive_terrain": st.sampled_from(["random", "chosen"]),
        "npc_rating": st.sampled_from(["distribution", "guide"]),
    }
).map(Settings.model_validate)
_SKILL = st.sampled_from(["run", "survive", "convince"])
_AIM = st.sampled_from(["the wall", "the wall", "the gate"])


@st.composite
def setups(draw: Any) -> Setup[Sheet, Settings]:
    """Anna, Bert and a guard; Bert is a main character or not."""
    proud = Drive(motivation="proud", rating=7, whose="talker", context="the court", topic="the insult")
    sheets = {
        "anna": Sheet(name="Anna", skills=Skills(run=draw(st.integers(0, 10))), drives=(proud,)),
        "bert": Sheet(name="Bert", is_main=draw(st.booleans()), survive_terrain="marsh"),
    }
    seats = {Seat("ann"): ("anna",), Seat("bob"): ("bert",), GM: ()}
    given = {"terrain": "marsh", "foes": [{"key": "guard", "name": "A guard"}]}
    brief = Brief(kind="free", title="A test", seats=seats, given=given)
    return Setup(brief=brief, settings=draw(_SETTINGS), sheets=sheets, kept={})


def _says(draw: Draw, view: View, ask: Ask) -> Any:
    said: dict[str, Any] = {
        "who": draw(st.sampled_from(ask.about or tuple(view.people))),
        "skill": draw(_SKILL),
        "aim": draw(_AIM),
        "against": draw(st.sampled_from(["", "", *view.people])),
        "other_skill": draw(st.sampled_from(["", "run"])),
        "alike": draw(st.booleans()),
        "roller": draw(st.sampled_from(["", "me", "other"])),
        "words": draw(st.sampled_from(["", "with a ladder"])),
        "drive": draw(st.sampled_from(["d1", "d2"])),
    }
    match ask.kind:
        case "own":
            said |= {
                "what": draw(st.sampled_from(["check", "check", "grow", "guide"])),
                "pair": draw(st.integers(1, 9)),
            }
        case "frame":
            verdict = draw(st.sampled_from(["roll", "roll", "free", "refuse"]))
            said = {"verdict": verdict, "consequence": draw(st.sampled_from(["", "You fall."]))}
            if verdict == "roll":
                said |= {
                    "difficulty": draw(st.sampled_from([None, 2, 17])),
                    "counted": draw(st.sampled_from(["rating", "total"])),
                }
        case "go":
            said["go"] = draw(st.sampled_from(["roll", "roll", "leave", "change"]))
        case "back":
            said = {"back": draw(st.sampled_from(["no", "no", "yes"]))}
        case _:
            acts = ["situation", "call", "call", "stir", "stir", "played", "object", "bring", "promote", "end"]
            grown = [(one.key, drive.key) for one in view.people.values() for drive in one.drives if drive.may_ungrow]
            if grown and draw(st.booleans()):
                acts, (said["who"], said["drive"]) = ["ungrow"], grown[0]
            said |= {
                "what": draw(st.sampled_from(acts)),
                "motivation": draw(st.sampled_from(sorted(MOTIVATIONS)[:4])),
                "talker": draw(st.sampled_from(["", "", *view.people])),
                "with_skill": draw(st.sampled_from(["", "lead"])),
                "context": "the court",
                "topic": draw(st.sampled_from(["the insult", "the crown"])),
                "name": draw(st.sampled_from(["Ida", "A guard"])),
                "main": draw(st.booleans()),
                "guide": draw(st.sampled_from([None, 0, 6])),
                "terrain": "hills",
            }
    return DECLARATION.validate_python({**said, "ask": ask.kind})


def _same(draw: Draw, state: State, who: Viewer) -> State:
    """There is no other world that looks the same."""
    return copied(FREE, state)


FREE_SUBJECT = Subject(
    ruleset=RULESET,
    key="free",
    setups=setups(),
    says=_says,
    rolls=lambda state, event: rolls_in(event),
    still=lambda state: {key: one.sheet.model_dump() for key, one in state.people.items()},
    blur=_same,
    veil=_same,
    murmur=lambda state, ask, says: says,
    quiet=lambda state, ask, says: says,
)


@st.composite
def _drafts(draw: Any) -> Setup[Sheet, Settings]:
    seats = {Seat(name): () for name in ("ann", "bob", "cyd")[: draw(st.integers(1, 3))]} | {GM: ()}
    settings = Settings(cast_size="1-5", survive_terrain=draw(st.sampled_from(["random", "chosen"])))
    brief = Brief(kind="draft", title="A test", seats=seats, given={"gm": draw(st.booleans())})
    return Setup(brief=brief, settings=settings, sheets={}, kept={})


def _picks(draw: Draw, view: Any, ask: Ask) -> Any:
    said: dict[str, Any] = {"number": draw(st.integers(1, 3))}
    if ask.kind == "pick":
        said = {
            "number": draw(st.sampled_from(view.left)),
            "name": draw(st.sampled_from(["Ida", "Alda", "\u200b", ""])),
        }
        said |= {"terrain": draw(st.sampled_from(["marsh", "coast", "moon"])), "past": draw(st.sampled_from(["", "x"]))}
    return DRAFT_DECLARATION.validate_python({**said, "ask": ask.kind})


def _same_draft(draw: Draw, state: Any, who: Viewer) -> Any:
    """There is no other world that looks the same."""
    return copied(DRAFT, state)


DRAFT_SUBJECT = Subject(
    ruleset=RULESET,
    key="draft",
    setups=_drafts(),
    says=_picks,
    rolls=lambda state, event: rolls_in(event),
    still=lambda state: len(state.taken),
    blur=_same_draft,
    veil=_same_draft,
    murmur=lambda state, ask, says: says,
    quiet=lambda state, ask, says: says,
)
