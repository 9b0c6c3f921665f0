"""Who comes back into a free scene from a fight inside it: with wounds, or dead (CHR-FLO-05)."""

from app.engine.log import Recorder, fold
from app.engine.ruleset import GM, Brief, InnerScene, Seat, Setup, Viewer
from app.rulesets.chronicle.free import FREE
from app.rulesets.chronicle.free import events as ev
from app.rulesets.chronicle.free.state import State
from app.rulesets.chronicle.settings import Settings
from app.rulesets.chronicle.sheets import Sheet
from app.rulesets.chronicle.wounds import Wounds, add_major

SHEETS = {"anna": Sheet(name="Anna"), "bert": Sheet(name="Bert")}


def scene() -> State:
    """Anna tries something, and waits for what the GM says it is about."""
    seats = {Seat("ann"): ("anna",), Seat("bob"): ("bert",), GM: ()}
    brief = Brief(kind="free", title="A talk", seats=seats, given={})
    state: State = FREE.start(Setup(brief=brief, settings=Settings(), sheets=SHEETS, kept={}))
    log = Recorder(state, FREE.apply)
    log.emit(ev.Proposed("c1", "anna", "run", "the wall", "", "", "anna", "ann"), rule="CHR-CHK-10")
    return log.state


def back(state: State, **wounds: Wounds) -> list[ev.Event]:
    """The events of a fight that is over, with everybody in `wounds` in it."""
    assert FREE.inner is not None
    log = Recorder(state, FREE.apply, last=1)
    sheets = {who: SHEETS[who].model_copy(update={"wounds": one}) for who, one in wounds.items()}
    FREE.inner(log, InnerScene(id="x", kind="hand", title="Knives out", over=True, sheets=sheets))
    assert FREE.state.dump_json(fold(scene(), FREE.apply, log.events)) == FREE.state.dump_json(log.state)
    return [one.event for one in log.events]


def test_wounds_come_back_and_what_was_tried_goes_on() -> None:
    state = scene()
    told = back(state, bert=add_major(Wounds(), "left_arm"))
    assert [one.kind for one in told] == ["inner-over", "came-back"]  # type: ignore[attr-defined]
    came = told[1]
    assert isinstance(came, ev.CameBack) and came.condition == ("Major wound: left arm",)
    assert state.people["bert"].sheet.wounds.of("left_arm").major and state.attempts["c1"].stage == "frame"


def test_the_dead_try_nothing_more() -> None:
    state = scene()
    before = {step.key for step in FREE.steps(state)}
    back(state, anna=Wounds(dead=True))
    asked = {ask.seat for step in FREE.steps(state) for ask in step.asks}
    assert "c1/frame" in before and state.attempts["c1"].outcome == "left"
    assert asked == {"bob", "gm"}, "nobody is asked for Anna any more"
    assert FREE.view(state, Viewer(seats=frozenset({Seat("ann")}))).people["anna"].name == "Anna"
