"""Every known mistake in the rules' code is noticed by the case files: what they do not notice, they do not prove."""

import os
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.rulesets.whiskey import RULESET

pytestmark = pytest.mark.once

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
CASES = HERE / "cases"
LEAST = 30
RUN = """
import sys
from pathlib import Path
from app.cases import found, play_file
for path in found([Path(sys.argv[1])]):
    result = play_file(path)
    if result.verdict != "passed":  # one case that notices is enough
        sys.exit(f"{result.verdict.upper()} {path}: {result.problem}")
"""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One line of app/rulesets/whiskey changed, and what that breaks."""

    file: str
    find: str
    replace: str
    breaks: str
    rules: list[str]


MUTANTS = [Mutant(**raw) for raw in tomllib.loads((HERE / "mutants.toml").read_text(encoding="utf-8"))["mutant"]]


def _copy(to: Path) -> Path:
    """The pure part of the app, which is all that cases need, on its own."""
    for part in ("engine", "rulesets"):
        shutil.copytree(ROOT / "app" / part, to / "app" / part, ignore=shutil.ignore_patterns("__pycache__"))
    for file in (ROOT / "app").glob("*.py"):
        shutil.copy2(file, to / "app" / file.name)
    return to


def _run(place: Path) -> tuple[int, str]:
    """Exit code and text of the cases, played with the code of that place until one does not pass."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(CASES)],
        cwd=place,
        env=os.environ | {"PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def _noticed(mutant: Mutant, place: Path) -> str:
    """Empty if a case fails on it, else what went wrong."""
    _copy(place)
    file = place / "app/rulesets/whiskey" / mutant.file
    text = file.read_text(encoding="utf-8")
    if text.count(mutant.find) != 1:
        return f"stands {text.count(mutant.find)} times in {mutant.file}, not once: {mutant.find!r}"
    file.write_text(text.replace(mutant.find, mutant.replace), encoding="utf-8")
    code, said = _run(place)
    shutil.rmtree(place)
    if code == 1 and "FAILED" in said:
        return ""
    return f"no case notices ({code}): {mutant.breaks} ({', '.join(mutant.rules)}) {mutant.find!r}\n{said[-300:]}"


def test_the_cases_pass_without_any_mutant(tmp_path: Path) -> None:
    code, said = _run(_copy(tmp_path))
    assert code == 0, said[-2000:]


def test_every_mutant_is_noticed(tmp_path: Path) -> None:
    assert len(MUTANTS) >= LEAST
    places = [tmp_path / str(number) for number in range(len(MUTANTS))]
    with ThreadPoolExecutor(max_workers=2) as pool:
        problems = [problem for problem in pool.map(_noticed, MUTANTS, places) if problem]
    assert not problems, "\n\n".join(problems)


def test_mutants_cite_rules_and_stand_for_one_line() -> None:
    for mutant in MUTANTS:
        assert mutant.rules
        assert all(rule in RULESET.rulebook for rule in mutant.rules), mutant
        assert mutant.find != mutant.replace
