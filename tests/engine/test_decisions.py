"""Decisions, events and options as values."""

from dataclasses import replace
from typing import Any, Literal

import pytest
from pydantic import TypeAdapter

from app.engine import options
from app.engine.decisions import Decision, by_gm, derived
from app.engine.events import event, everyone, gms, sees, unless_hidden, where
from app.engine.form_fields import FormModel
from app.engine.frozen import frozen
from app.engine.options import Choice
from app.engine.ruleset import GM, SPECTATOR, Answer, Answers, Ask, Phase, Seat, Step, Viewer

ANN = Seat("ann")


@event("left", seen=unless_hidden)
class Left:
    who: str
    hidden: bool = False


@event("changed", seen=where(numbers=True, hidden=False))
class Changed:
    numbers: bool
    hidden: bool


@frozen()
class LeftByHand:
    who: str
    hidden: bool = False
    kind: Literal["left"] = "left"


class Go(FormModel):
    """Where to?"""

    ask: Literal["go"] = "go"
    to: str = ""
    along: tuple[str, ...] = ()
    of: dict[str, str] = {}


class End(FormModel):
    ask: Literal["end"] = "end"


NOWHERE = {"to": (Choice("hill", "up the hill", why_not="It burns."), Choice("ford", "to the ford", "ford"))}


def test_an_event_without_a_word_on_who_sees_it_fails_at_import() -> None:
    make: Any = event
    with pytest.raises(TypeError, match="seen"):
        make("lost")


def test_an_event_is_stored_as_one_that_is_written_out() -> None:
    made, written = TypeAdapter(Left), TypeAdapter(LeftByHand)
    assert made.dump_json(Left("ann", True)) == written.dump_json(LeftByHand("ann", True))
    assert made.validate_json('{"who": "ann", "kind": "left"}') == Left("ann")
    assert hash(Left("ann")) == hash(Left("ann"))


@pytest.mark.parametrize(
    ("told", "all_see"),
    [
        (Left("ann"), True),
        (Left("ann", hidden=True), False),
        (Changed(numbers=True, hidden=False), True),
        (Changed(numbers=True, hidden=True), False),
        (Changed(numbers=False, hidden=False), False),
    ],
)
def test_who_sees_an_event(told: Any, all_see: bool) -> None:
    assert sees(told, SPECTATOR) is all_see
    assert sees(told, Viewer(gm=True))
    assert everyone(told, SPECTATOR) and not gms(told, SPECTATOR)


def go(options_of: Any = lambda view, ask: NOWHERE, **more: Any) -> Decision[Any, Any, Any, Go]:
    return Decision(
        Go,
        step=lambda state: Step(key="r1/go", title="Where to?", asks=(Ask(seat=ANN, kind="go"),)),
        resolve=lambda log, answers, chance: log.append(answers.of[ANN].says.to),
        phase=Phase(words="Going", steps=("go",)),
        options=options_of,
        **more,
    )


END: Decision[Any, Any, Any, End] = Decision(
    End,
    step=lambda state: by_gm("r1/end", "The end", "end", "End it", seconds=60),
    resolve=lambda log, answers, chance: log.append("end"),
    words={"End it": "Stop here"},
)


def test_a_kind_of_scene_follows_from_its_decisions() -> None:
    one, back = go(), Phase(words="Going back", steps=("back",))
    found = derived(
        (one, END, back), lambda state: (one.step(state), END.step(state)), settle=lambda log, _: log.append("on")
    )
    step, last = found["steps"](None)
    ask = step.asks[0]
    assert found["declaration"].validate_python({"ask": "go", "to": "ford"}) == Go(to="ford")
    assert found["check"](None, ask, Go(to="hill")) == {"to": "It burns."}
    assert found["default"](None, ask) == Go(to="ford"), "the first that is possible"
    log: list[str] = []
    found["resolve"](log, step, Answers(of={ANN: Answer(says=Go(to="ford"))}), None)
    found["resolve"](log, Step(key="r2/luck", title="Luck"), Answers(), None)
    found["resolve"](log, replace(last, pace="whenever"), Answers(of={GM: Answer(says=End())}), None)
    assert log == ["ford", "on", "on", "end"], "an act at the desk opens no luck to go on with"
    assert [phase.words for phase in found["phases"]] == ["Going", "Going back"] and found["words"] == {
        "End it": "Stop here"
    }
    assert (last.asks[0].seat, last.pace, last.seconds) == (GM, "rule", 60)


def test_what_a_decision_checks_comes_after_its_options() -> None:
    one = go(check=lambda view, ask, says: {"along": "Alone."} if says.along else {}, default=lambda view, ask: Go())
    found = derived((one,), lambda state: ())
    ask = one.step(None).asks[0]
    assert found["check"](None, ask, Go(to="moon", along=("bo",))) == {"to": "Choose one of the options."}
    assert found["check"](None, ask, Go(to="ford", along=("bo",))) == {"along": "Alone."}
    assert found["default"](None, ask) == Go()
    assert found["declaration"].validate_python({"ask": "go"}) == Go()


def test_two_decisions_of_one_kind_are_refused() -> None:
    with pytest.raises(ValueError, match="same kind"):
        derived((go(), go()), lambda state: ())


def test_options_of_several_fields() -> None:
    given = {**NOWHERE, "along": (Choice("bo", "Bo"), Choice("cy", "Cy")), "of.ann": (Choice("run", "runs"),)}
    assert options.first(Go, given) == Go(to="ford", of={"ann": "run"})
    assert options.drawn(Go, given, lambda some: some[-1]) == Go(to="ford", along=("bo", "cy"), of={"ann": "run"})
    assert options.drawn(Go, given, lambda some: some[0]).along == ()
    assert options.words(given, Go(to="ford", along=("cy",), of={"ann": "run"})) == ("to the ford", "Cy", "runs")
    wrong = Go(to="ford", along=("bo", "dee"), of={"ann": "fly", "x" * 99: "run"})
    assert list(options.faults(given, wrong)) == ["along", "of.ann", f"of.{'x' * 60}"]
    with pytest.raises(ValueError, match="nothing to choose for 'to'"):
        options.first(Go, {"to": (Choice("hill", "up", why_not="It burns."),)})
