"""The meeting told in help.md is what the rules make of it: its sums are made of the events and found on the page."""

from importlib.resources import files
from typing import Any

from app.engine.chance import ScriptedChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Seat, Setup, Viewer
from app.rulesets.chronicle.journey import JOURNEY
from app.rulesets.chronicle.journey.sample import the_ride_to_the_town
from app.rulesets.chronicle.settings import Settings

PAGE = " ".join(files("app.rulesets.chronicle").joinpath("journey/help.md").read_text(encoding="utf-8").split())


def test_the_meeting_comes_out_as_told() -> None:
    sheets, brief = the_ride_to_the_town()
    setup = Setup(brief=brief, settings=Settings(), sheets=sheets, kept={})
    log: Any = Recorder(JOURNEY.start(setup), JOURNEY.apply)
    looks = {"a": (4, 3, 5), "b": (2, 4, 3)}
    close(
        log,
        {"ella": {"of": {"a": {"route": "0"}}}, "berta": {"of": {"b": {"route": "0", "station": 2}}}},
        {f"CHR-TRV-15/l1/{side}/{die}": face for side, dice in looks.items() for die, face in faces(dice).items()},
    )
    told = {one.event.side: one.event.checked for one in log.events if one.event.kind == "looked"}
    for side, dice in looks.items():
        checked = told[side]
        before = f"{sum(dice)} + {checked.acting} = {checked.total} against "
        target = f"14 + {checked.opposing}" if checked.opposing >= 0 else f"{checked.target}"
        assert checked.success and before + target in PAGE
    close(log, {"ella": {"of": {"a": {"stance": "close"}}}, "berta": {"of": {"b": {"stance": "stand"}}}}, {})
    (entry,) = JOURNEY.outcome(log.state).entries
    assert entry.brief is not None and entry.brief["kind"] == "mass"
    given: Any = entry.brief["given"]
    assert (given["attacker"], given["how"]) == ("a", "set")


def faces(dice: tuple[int, int, int]) -> dict[str, Any]:
    """The faces of a check's dice: a d10 that counts 0 to 9 has the faces 1 to 10."""
    return {"d8-1": dice[0], "d8-2": dice[1], "d10": dice[2] + 1}


def close(log: Any, says: dict[str, Any], luck: dict[str, Any]) -> None:
    """Closes the step at hand with these forms by seat."""
    step = JOURNEY.steps(log.state)[0]
    of: dict[Seat, Answer[Any]] = {}
    for ask in step.asks:
        view = JOURNEY.view(log.state, Viewer(seats=frozenset({ask.seat}), gm=ask.seat == GM))
        typed = JOURNEY.declaration.validate_python({**says[ask.seat], "ask": ask.kind})
        assert not JOURNEY.check(view, ask, typed)
        of[ask.seat] = Answer(says=typed)
    JOURNEY.resolve(log, step, Answers(of=of), ScriptedChance(luck))
