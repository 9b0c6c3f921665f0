"""Who comes into a discussion, and who comes back from a scene inside it (CHR-DIS-20, CHR-FLO-05)."""

from app.engine.log import Recorder, fold
from app.engine.ruleset import GM, Brief, InnerScene, Seat, Setup
from app.rulesets.chronicle.discussion import DISCUSSION
from app.rulesets.chronicle.discussion import events as ev
from app.rulesets.chronicle.discussion.state import State
from app.rulesets.chronicle.settings import Settings
from app.rulesets.chronicle.sheets import Drive, Sheet
from app.rulesets.chronicle.wounds import Wounds, add_major

BOLD = Drive(motivation="bold", rating=4, whose="talker", context="at the mill", topic="the raid")
SHEETS = {"anna": Sheet(name="Anna", drives=(BOLD,)), "bert": Sheet(name="Bert")}
APPEAL = ev.Appealed("a1", "anna", ("bert",), "at the mill", "the raid", "Ride.", "convince", "bold")
VIOLENCE = (ev.AppealOver("a1", "broken-off", ()), ev.Violence(("bert",), "anna"))


def scene(*events: ev.Event, table_gm: str = "seat") -> State:
    seats = {Seat("ann"): ("anna",), Seat("bob"): ("bert",), GM: ()}
    settings = Settings.model_validate({"table_gm": table_gm})
    brief = Brief(kind="discussion", title="A talk", seats=seats, given={})
    state: State = DISCUSSION.start(Setup(brief=brief, settings=settings, sheets=SHEETS, kept={}))
    log = Recorder(state, DISCUSSION.apply)
    for event in events:
        log.emit(event, rule="CHR-DIS-04")
    return log.state


def back(state: State, **sheets: Sheet) -> list[str]:
    """The events of a fight that is over, with these people in it."""
    assert DISCUSSION.inner is not None
    log = Recorder(state, DISCUSSION.apply, last=10)
    begin = DISCUSSION.state.validate_json(DISCUSSION.state.dump_json(state))
    DISCUSSION.inner(log, InnerScene(id="x", kind="hand", title="Knives out", over=True, sheets=sheets))
    folded = fold(begin, DISCUSSION.apply, log.events)
    assert DISCUSSION.state.dump_json(folded) == DISCUSSION.state.dump_json(log.state)
    return [one.event.kind for one in log.events]  # type: ignore[attr-defined]


def enter(state: State, seat: str, key: str, sheet: Sheet) -> None:
    assert DISCUSSION.enter is not None
    DISCUSSION.enter(Recorder(state, DISCUSSION.apply, last=10), Seat(seat), key, sheet)


def open_steps(state: State) -> list[str]:
    return [step.key for step in DISCUSSION.steps(state)]


def dead(who: str) -> Sheet:
    return SHEETS[who].model_copy(update={"wounds": Wounds(dead=True)})


def test_after_the_fight_the_talk_goes_on() -> None:
    state = scene(APPEAL, *VIOLENCE)
    assert open_steps(state) == ["d2/fight", "gm/1"]
    wounded = SHEETS["anna"].model_copy(update={"wounds": add_major(Wounds(), "left_arm")})
    assert back(state, anna=wounded) == ["inner-over", "came-back", "stage"]
    assert state.people["anna"].sheet.wounds.of("left_arm").major
    assert state.people["anna"].drives == {"d1": BOLD}, "what drove her drives her still, under the same id"
    assert open_steps(state) == ["d2/talk/ann-2", "d2/talk/bob-2", "gm/1"]


def test_the_dead_have_left_and_their_appeal_is_broken_off() -> None:
    state = scene(APPEAL)
    assert back(state, anna=dead("anna")) == ["inner-over", "came-back", "went", "appeal-over"]
    assert state.gone == {"anna": "dead"} and state.heard == {}
    assert open_steps(state) == ["d2/talk/bob", "gm/1"]


def test_who_had_gone_and_died_is_dead_and_no_longer_on_the_run() -> None:
    state = scene(ev.Went("bert", "escaped"))
    assert DISCUSSION.outcome(state).entries
    back(state, bert=dead("bert"))
    assert state.gone == {"bert": "dead"} and not DISCUSSION.outcome(state).entries


def test_a_fight_that_nobody_survives_ends_the_discussion() -> None:
    state = scene(APPEAL, *VIOLENCE)
    assert back(state, anna=dead("anna"), bert=dead("bert"))[-1] == "over"
    assert open_steps(state) == []


def test_a_latecomer_is_asked_even_if_all_had_nothing_more_to_say() -> None:
    state = scene(ev.Stopped("ann", "sealed"), ev.Stopped("bob", "sealed"), ev.Stopped("gm", "sealed"), table_gm="none")
    (end, *_) = DISCUSSION.steps(state)
    assert end.key == "d1/end"
    enter(state, "bob", "cat", Sheet(name="Cat"))
    assert open_steps(state) == ["d1/again/ann-3", "d1/talk/bob-3", "gm/1"], "the end waits for Cat"
    enter(state, "eve", "eve", Sheet(name="Eve"))
    assert state.seats == ("ann", "bob", "eve", "gm") and "d1/talk/eve-3" in open_steps(state)


def test_a_latecomer_who_is_dead_is_not_asked() -> None:
    state = scene()
    enter(state, "eve", "eve", Sheet(name="Eve", wounds=Wounds(dead=True)))
    assert state.gone == {"eve": "dead"} and not any("eve" in key for key in open_steps(state))


def test_nobody_enters_twice() -> None:
    state = scene()
    enter(state, "ann", "bert", SHEETS["bert"])
    assert state.people["bert"].seat == "bob" and open_steps(state) == ["d1/talk/ann", "d1/talk/bob", "gm/1"]
