"""The appeal told in help.md is what the rules make of it: its numbers are read from the page and played."""

from importlib.resources import files
from typing import Any

from app.engine.chance import ScriptedChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Seat, Setup, Viewer
from app.rulesets.chronicle.checks import ways
from app.rulesets.chronicle.discussion import DISCUSSION
from app.rulesets.chronicle.discussion.sample import the_council_at_the_mill
from app.rulesets.chronicle.settings import Settings

PAGE = files("app.rulesets.chronicle").joinpath("discussion/help.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.split("| listener |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
]


def test_the_appeal_comes_out_as_told() -> None:
    sheets, brief = the_council_at_the_mill()
    log: Any = Recorder(
        DISCUSSION.start(Setup(brief=brief, settings=Settings(), sheets=sheets, kept={})), DISCUSSION.apply
    )
    talkers = [row[0].lower() for row in ROWS]
    close(log, "talk/ella", {}, **appeal(talkers))
    close(log, "frame", valley())
    dice = {f"CHR-DIS-13/a1/{die}": face for die, face in (("d8-1", 3), ("d8-2", 4), ("d10", 6))}
    close(log, "hear", dice | {f"CHR-DIS-14/{row[0].lower()}": int(row[4]) for row in ROWS if row[4]})
    weighed = {e.event.who: e.event.difficulty for e in log.events if e.event.kind == "weighed"}
    (spoke,) = [e.event for e in log.events if e.event.kind == "spoke"]
    driven = [e.event.who for e in log.events if e.event.kind == "swayed"]
    for name, difficulty, odds, bold, _, outcome in ROWS:
        who = name.lower()
        assert weighed[who] == int(difficulty)
        assert ways(sheets["ella"].rating("lead"), int(difficulty)) == int(odds)
        assert sheets[who].motivations.bold == int(bold)
        found = "driven" if who in driven else "not moved" if who in spoke.beaten else "not reached"
        assert found == outcome
    assert spoke.checked.total == 18 and "**18**" in PAGE
    assert log.state.people["bertram"].drives["d3"].difficulty == 6


def appeal(listeners: list[str]) -> dict[str, Any]:
    return {"what": "appeal", "listeners": listeners, "context": "in the council", "topic": "the raid",
            "action": "Ride tonight.", "skill": "lead", "motivation": "bold"}  # fmt: skip


def valley() -> dict[str, Any]:
    """The dice of the crowd's motivations: the first free pair each time, as it is written."""
    label = "CHR-DIS-18/the-valley"
    pairs: dict[str, Any] = {f"{label}/pair-{n}": str(n) for n in range(1, 9)}
    return pairs | {f"{label}/order-{n}": 1 for n in range(1, 10)}


def close(log: Any, word: str, luck: dict[str, Any], **says: Any) -> None:
    """Closes the step with these words for who is asked first, and the defaults of the others."""
    step = next(one for one in DISCUSSION.steps(log.state) if word in one.key)
    of: dict[Seat, Answer[Any]] = {}
    for ask in step.asks:
        view = DISCUSSION.view(log.state, viewer(ask.seat))
        typed = DISCUSSION.declaration.validate_python({**says, "ask": ask.kind})
        assert not DISCUSSION.check(view, ask, typed)
        of[ask.seat] = Answer(says=typed)
    DISCUSSION.resolve(log, step, Answers(of=of), ScriptedChance(luck))


def viewer(seat: Seat) -> Viewer:
    return Viewer(seats=frozenset({seat}), gm=seat == GM)
