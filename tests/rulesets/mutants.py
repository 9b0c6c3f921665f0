"""Mistakes put into a ruleset's code one at a time, to see whether its case files notice them."""

import os
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
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
    """One line of the ruleset changed, and what that breaks."""

    file: str
    find: str
    replace: str
    breaks: str
    rules: list[str]


def read(ruleset: str) -> list[Mutant]:
    """The mutants of tests/rulesets/<ruleset>/mutants.toml."""
    text = (HERE / ruleset / "mutants.toml").read_text(encoding="utf-8")
    return [Mutant(**raw) for raw in tomllib.loads(text)["mutant"]]


def copy(to: Path) -> Path:
    """The pure part of the app, which is all that cases need, on its own."""
    for part in ("engine", "rulesets"):
        shutil.copytree(ROOT / "app" / part, to / "app" / part, ignore=shutil.ignore_patterns("__pycache__"))
    for file in (ROOT / "app").glob("*.py"):
        shutil.copy2(file, to / "app" / file.name)
    return to


def run(ruleset: str, place: Path) -> tuple[int, str]:
    """Exit code and text of the cases, played with the code of that place until one does not pass."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(HERE / ruleset / "cases")],
        cwd=place,
        env=os.environ | {"PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def unnoticed(ruleset: str, mutants: list[Mutant], room: Path) -> list[str]:
    """What went wrong with each mutant that no case notices; two at a time."""
    places = [room / str(number) for number in range(len(mutants))]
    with ThreadPoolExecutor(max_workers=2) as pool:
        problems = pool.map(lambda mutant, place: _problem(ruleset, mutant, place), mutants, places)
        return [problem for problem in problems if problem]


def _problem(ruleset: str, mutant: Mutant, place: Path) -> str:
    """Empty if a case fails on it."""
    copy(place)
    file = place / "app/rulesets" / ruleset / mutant.file
    text = file.read_text(encoding="utf-8")
    if text.count(mutant.find) != 1:
        return f"stands {text.count(mutant.find)} times in {mutant.file}, not once: {mutant.find!r}"
    file.write_text(text.replace(mutant.find, mutant.replace), encoding="utf-8")
    code, said = run(ruleset, place)
    shutil.rmtree(place)
    if code == 1 and "FAILED" in said:
        return ""
    return f"no case notices ({code}): {mutant.breaks} ({', '.join(mutant.rules)}) {mutant.find!r}\n{said[-300:]}"
