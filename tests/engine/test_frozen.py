"""Records are values: equal by content, usable as keys, and frozen wherever the type checker looks."""

import subprocess
import sys
from pathlib import Path

from app.engine.chance import Roll
from app.engine.ruleset import LoggedEvent

ROOT = Path(__file__).parents[2]

WRITES = """
from app.engine.ruleset import LoggedEvent
from app.rulesets.whiskey.events import Idle


def spoil(told: LoggedEvent[Idle]) -> None:
    told.number = 2
    told.event.who = "somebody else"
"""


def test_records_are_equal_by_content() -> None:
    one, same = (LoggedEvent(number=1, rule="WHI-01", because=(), event="x") for _ in range(2))
    assert one == same and hash(one) == hash(same) and one is not same
    assert Roll(label="a", size=6, face=1) != Roll(label="a", size=6, face=2)
    assert not hasattr(one, "__dict__")


def test_the_type_checker_lets_nobody_change_a_record(tmp_path: Path) -> None:
    spoiler = tmp_path / "spoiler.py"
    spoiler.write_text(WRITES, encoding="utf-8")
    command = [sys.executable, "-m", "pyrefly", "check", "--python-interpreter-path", sys.executable]
    command += ["--search-path", str(ROOT), "--preset", "strict", "--output-format", "min-text", str(spoiler)]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    assert "`number` [read-only]" in said and "`who` [read-only]" in said, said
