"""Records which tests use which pages: `python3 run.py test --record` writes `recorded.toml`, which `--changed` reads.

While tests run, this process and the servers that it starts note each template that is rendered, each style sheet and
script that a page links and each module that answers a request. The file does not list every test: for each file of
the app it has a few quick tests that together reach it by all its routes and from many test files.
"""

import functools
import json
import os
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from jinja2 import nodes
from starlette.types import Receive, Scope, Send

ROOT = Path(__file__).resolve().parent.parent
FILE = Path(__file__).with_name("recorded.toml")
NOTES = "SIGNET_RECORD"
ENOUGH = {".html": 12.0, ".py": 12.0, ".css": 12.0, ".js": 12.0}
"""So many seconds of tests are listed for a file of this kind at most, and one test at least."""
SWEEP = 40
"""A test that goes through more routes than this looks at each for little more than its status."""
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Seconds are rounded up to these, so that a slow day changes few lines of the file."""
HEAD = """# `python3 run.py test --record` writes this: the seconds of each test file and a few tests for each page.
# A line that is out of date makes `--changed` run too much, never an error.
"""


@dataclass
class Recorded:
    seconds: dict[str, int] = field(default_factory=dict)
    tests: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path = FILE) -> "Recorded":
        return cls(**tomllib.loads(file.read_text(encoding="utf-8"))) if file.exists() else cls()

    def write(self, file: Path = FILE) -> None:
        lines = [HEAD, "[seconds]"]
        lines += [f"{json.dumps(name)} = {self.seconds[name]}" for name in sorted(self.seconds)]
        lines += ["", "[tests]"]
        for name in sorted(self.tests):
            lines += [f"{json.dumps(name)} = [", *(f"  {json.dumps(test)}," for test in self.tests[name]), "]"]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def without(self, files: Iterable[str]) -> "Recorded":
        """What is known of all test files but these and those that are gone."""
        kept = {name for name in self.seconds if (ROOT / name).exists()} - set(files)
        tests = {name: [test for test in tests if file_of(test) in kept] for name, tests in self.tests.items()}
        tests = {name: some for name, some in tests.items() if some and (ROOT / name).exists()}
        return Recorded({name: self.seconds[name] for name in kept}, tests)


def file_of(test: str) -> str:
    return test.partition("::")[0]


def rounded(seconds: float) -> int:
    return next((step for step in STEPS if seconds <= step), STEPS[-1])


def watch() -> None:
    """From now on this process and its forks note what they render, link and answer, in the file SIGNET_RECORD."""
    from app.web.http import templating

    notes = os.open(os.environ[NOTES], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    route: ContextVar[str] = ContextVar("route", default="")
    environment = templating.environment()
    handle, get_template, static = APIRoute.handle, environment.get_template, templating.static

    def note(*paths: Path) -> None:
        inside = [path.relative_to(ROOT).as_posix() for path in paths if path.is_relative_to(ROOT)]
        os.write(notes, "".join(f"{route.get()}\t{path}\n" for path in inside).encode())

    async def handled(self: APIRoute, scope: Scope, receive: Receive, send: Send) -> None:
        module = self.endpoint.__module__
        token = route.set(f"{scope['method']} {module}.{self.endpoint.__qualname__}")
        try:
            note(Path(str(sys.modules[module].__file__)))
            await handle(self, scope, receive, send)
        finally:
            route.reset(token)

    @functools.cache
    def with_imports(name: str) -> tuple[Path, ...]:
        """The file of a template and those of its macros, which Jinja loads only once."""
        root, inside = templating._place("templates", name)
        tree = environment.parse((root / inside).read_text(encoding="utf-8"))
        macros = [node.template for node in tree.find_all((nodes.Import, nodes.FromImport))]
        names = [node.value for node in macros if isinstance(node, nodes.Const)]
        return (root / inside, *(path for one in names for path in with_imports(one)))

    def rendered(name: str, *rest: Any, **more: Any) -> Any:
        template = get_template(name, *rest, **more)
        note(*with_imports(name))
        return template

    def linked(path: str) -> str:
        root, inside = templating._place("static", path)
        if path.endswith((".css", ".js")):
            note(root / inside)
        return static(path)

    APIRoute.handle = handled  # type: ignore[method-assign]
    environment.get_template = rendered  # type: ignore[method-assign]
    environment.globals["static"] = templating.static = linked  # type: ignore[assignment]


class Recording:
    """The part of a run that records, in each worker and in the process that writes the file."""

    def __init__(self, *, writes: bool) -> None:
        self.writes = writes
        self.took: dict[str, float] = defaultdict(float)
        self.notes: dict[str, list[str]] = {}
        self.read = 0
        self.file = Path(tempfile.mkdtemp(prefix="sgnr")) / "notes"
        os.environ[NOTES] = str(self.file)
        watch()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Any:
        report: pytest.TestReport = yield
        if report.when == "teardown":
            with self.file.open(encoding="utf-8") as file:
                file.seek(self.read)
                report.user_properties.append((NOTES, sorted(set(file.read().splitlines()))))
                self.read = file.tell()
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.took[report.nodeid] += report.duration
        if report.when == "teardown":
            self.notes[report.nodeid] = dict(report.user_properties).get(NOTES, [])  # type: ignore[assignment]

    def pytest_sessionfinish(self) -> None:
        if self.writes and self.took:
            merged(Recorded.read(), self.took, self.notes).write()


def merged(before: Recorded, took: Mapping[str, float], notes: Mapping[str, Iterable[str]]) -> Recorded:
    """What was recorded before, with the files that ran now recorded anew."""
    seconds: dict[str, float] = defaultdict(float)
    for test, lasted in took.items():
        seconds[file_of(test)] += lasted
    found = before.without(seconds)
    found.seconds |= {name: rounded(lasted) for name, lasted in seconds.items()}
    for path, tests in _reaching(notes).items():
        if path.endswith((".css", ".js")):  # only a browser reads them
            tests = {test: routes for test, routes in tests.items() if test.startswith("tests/browser/")}
        some = found.tests.get(path, []) + covering(tests, took, ENOUGH[Path(path).suffix])
        if some:
            found.tests[path] = some
    return found


def _reaching(notes: Mapping[str, Iterable[str]]) -> dict[str, dict[str, set[str]]]:
    """By file of the app the tests that reach it, with their routes; sweeps only where nothing else does."""
    reached: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    routes: dict[str, set[str]] = defaultdict(set)
    for test, lines in notes.items():
        for route, _, path in (line.partition("\t") for line in lines):
            reached[path][test].add(route)
            routes[test].add(route)
    closer = {test for test, some in routes.items() if len(some) <= SWEEP}
    return {
        path: {test: some for test, some in tests.items() if test in closer} or tests for path, tests in reached.items()
    }


def covering(tests: Mapping[str, set[str]], took: Mapping[str, float], enough: float) -> list[str]:
    """A few of these tests, the most worth their time first: by each of their routes and from each of their files, as
    long as they take no more than `enough` seconds; one at least."""
    open_ends = {test: {*routes, file_of(test)} for test, routes in tests.items()}
    chosen: list[str] = []
    while open_ends:
        best = max(sorted(open_ends), key=lambda test: len(open_ends[test]) / rounded(took[test]))
        gained = open_ends.pop(best)
        enough -= took[best]
        if chosen and enough < 0:
            break
        chosen.append(best)
        open_ends = {test: left for test, ends in open_ends.items() if (left := ends - gained)}
    return chosen
