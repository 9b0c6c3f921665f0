"""Mistakes put into a ruleset's code one at a time, to see whether its case files notice them.

Run as a program with a ruleset's key, and the mutants' places in its file as JSON: prints what is wrong with those that
no case notices, as JSON. Everything but that ruleset is loaded once; each mutant then has a fork of that process.
"""

import importlib
import importlib.machinery
import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import NoReturn

from app.engine.ruleset import SceneKind

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
AT_ONCE = 1 if "PYTEST_XDIST_WORKER" in os.environ else 2
TOO_LONG = 60  # seconds for one mutant


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


def unnoticed(ruleset: str, numbers: Sequence[int]) -> list[str]:
    """What is wrong with each of these mutants that no case notices, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.rulesets.mutants", ruleset],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        input=json.dumps(numbers),
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return list(json.loads(done.stdout))


class _Source(importlib.machinery.SourceFileLoader):
    """A module from a text that stands in no file."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self.text = text

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.text, self.path, "exec", dont_inherit=True)


class _Finder(importlib.machinery.PathFinder):
    """Finds what is there, except that one file has another text."""

    def __init__(self, file: Path, text: str) -> None:
        self.file, self.text = str(file), text

    def find_spec(  # type: ignore[override]  # an instance on sys.meta_path, unlike its parent
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = super().find_spec(name, path, target)
        if spec is not None and spec.origin == self.file:
            spec.loader = _Source(name, self.file, self.text)
        return spec


def _put(file: Path, text: str) -> None:
    """Whoever reads that file from now on, in this process, reads that text."""
    if file.suffix == ".py":
        sys.meta_path.insert(0, _Finder(file, text))  # type: ignore[arg-type]
        return
    read_text = Path.read_text
    Path.read_text = lambda self, *more, **named: text if self == file else read_text(self, *more, **named)  # type: ignore[method-assign]


def _stale(name: str, package: str, mutant: Mutant) -> bool:
    """Whether a module is loaded anew: of a scene kind with a folder of its own no more than that folder."""
    if name in ("app.rulesets", package) or name.startswith("app.casefiles"):
        return True
    folder, slash, _ = mutant.file.partition("/")
    if folder == "..":  # of the engine, which a ruleset's cases show too
        shared = mutant.file.removeprefix("../../").removesuffix(".py").replace("/", ".")
        return name == f"app.{shared}" or name.startswith(f"{package}.")
    own = slash and mutant.file.endswith(".py") and not mutant.file.endswith("/settings.py")
    within = f"{package}.{folder}." if own and _holds_kind(f"{package}.{folder}") else f"{package}."
    return f"{name}.".startswith(within)


def _holds_kind(package: str) -> bool:
    return any(isinstance(value, SceneKind) for value in vars(sys.modules[package]).values())


def _attempt(ruleset: str, mutant: Mutant, cases: dict[Path, set[str]]) -> str:
    """Empty if a case fails with that mutant; the cases of its own rules are played first. Loads the ruleset anew."""
    file = (ROOT / "app/rulesets" / ruleset / mutant.file).resolve()
    text = file.read_text(encoding="utf-8")
    if text.count(mutant.find) != 1:
        return f"stands {text.count(mutant.find)} times in {mutant.file}, not once: {mutant.find!r}"
    for name in [name for name in sys.modules if _stale(name, f"app.rulesets.{ruleset}", mutant)]:
        del sys.modules[name]
    _put(file, text.replace(mutant.find, mutant.replace))
    said = f"no case notices: {mutant.breaks} ({', '.join(mutant.rules)}) {mutant.find!r}"
    try:
        play_file = importlib.import_module("app.casefiles.play").play_file
    except Exception as error:  # a mutant must be a mistake in the rules, not in Python
        return f"{said}\nit cannot be loaded: {error!r}"
    for path in sorted(cases, key=lambda path: not cases[path] & set(mutant.rules)):
        result = play_file(path)
        if result.verdict != "passed":
            return "" if result.verdict == "failed" else f"{said}\n{result.verdict}: {path}: {result.problem[-300:]}"
    return said


def _fork(ruleset: str, mutant: Mutant, cases: dict[Path, set[str]]) -> tuple[int, int]:
    """A child that writes its problem into a pipe: its process id and the pipe's end to read from."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _write(writing, ruleset, mutant, cases)
    os.close(writing)
    return child, reading


def _write(to: int, ruleset: str, mutant: Mutant, cases: dict[Path, set[str]]) -> NoReturn:
    signal.alarm(TOO_LONG)
    try:
        problem = _attempt(ruleset, mutant, cases)
    except Exception as error:
        problem = f"{error!r}: {mutant.find!r}"
    os.write(to, problem.encode()[:4000])
    os._exit(0)


def _joined(child: tuple[int, int], mutant: Mutant) -> str:
    with os.fdopen(child[1], encoding="utf-8") as pipe:
        problem = pipe.read()
    _, status = os.waitpid(child[0], 0)
    return f"took too long: {mutant.breaks} {mutant.find!r}" if status else problem


def main(ruleset: str, numbers: Sequence[int]) -> None:
    importlib.import_module("app.casefiles.play")  # and with it everything that no mutant touches
    paths = sorted((HERE / ruleset / "cases").rglob("*.toml"))
    cases = {path: set(tomllib.loads(path.read_text(encoding="utf-8"))["rules"]) for path in paths}
    problems: list[str] = []
    running: list[tuple[tuple[int, int], Mutant]] = []
    mutants = read(ruleset)
    for mutant in (mutants[number] for number in numbers):
        if len(running) == AT_ONCE:
            problems.append(_joined(*running.pop(0)))
        running.append((_fork(ruleset, mutant, cases), mutant))
    problems += [_joined(*one) for one in running]
    sys.stdout.write(json.dumps([problem for problem in problems if problem]))


if __name__ == "__main__":
    main(sys.argv[1], json.load(sys.stdin))
