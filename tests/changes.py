"""Which tests a change asks for: those beside the changed file, those that name it, and those recorded to reach it.

`Rules` has a rule for each kind of file. None follows imports to their end, where each test leads to each ruleset: what
is merely downstream of a change is left to the tests of the commit.
"""

import re
import subprocess
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import grimp

from app import rulesets
from tests.recording import Recorded, file_of

ROOT = Path(__file__).resolve().parent.parent
HOUSE = ("tests/start/test_house.py", "tests/start/test_names.py")
ROUTES = "tests/web/test_matrix.py"
LOOK = ("tests/start/test_template_lint.py", "tests/web/test_look_*.py")
BESIDE_PAGES = {"static/js/": "tests/browser/test_modules.py", "static/vendor/": "tests/start/test_vendor.py"}
STORED = (
    "tests/stored",
    "tests/archive",
    "tests/campaign/test_migration.py",
    "tests/start/test_migrate.py",
    "tests/start/test_backup.py",
)
ROOMS = {
    "table": ("tests/table", "tests/kills", "tests/receipts"),
    "engine": ("tests/engine", "tests/rulesets/test_*.py"),
    "casefiles": ("tests/rulesets/test_cases.py",),
    "models": STORED,
    "ops": ("tests/start",),
    "cli.py": ("tests/start", "tests/test_docs.py"),
    "main.py": ("tests/start/test_serving.py", "tests/kills"),
}
"""The tests of a room of `app`, where they are not in the folder of its name."""
ANYTHING = {"pyproject.toml", "run.py", "constraints.txt", "tests/words.toml", "tests/recorded.toml"} | {
    f"tests/{name}.py"
    for name in ("conftest", "selection", "changes", "picking", "recording", "fixed_luck", "lock_watch")
}
"""Files that each test depends on."""
NEAR, DOWNSTREAM = 2, 99
"""Through how many imports modules are followed: to the modules of pages near a changed one; among the tests' own."""
UNKNOWN, SHARE, ONE, ONE_IN_A_BROWSER = 10, 0.2, 2, 10
"""Seconds of a file that was never recorded, the share of one ruleset, and seconds of a single test."""


@dataclass(frozen=True)
class Pick:
    """Tests of a file: all of them, the one of a name, or those whose parameters have one of these words."""

    file: str
    name: str = ""
    words: tuple[str, ...] = ()
    nightly: bool = False

    def takes(self, name: str, names: set[str], *, nightly: bool = False) -> bool:
        """Whether this test is picked, of all that the file has: all of them if the one of that name is gone."""
        if self.words:
            parameters = re.findall(r"[a-z]+", name.partition("[")[2])
            return not (parameters or nightly) or not set(self.words).isdisjoint(parameters)
        return not self.name or self.name == name or self.name not in names


Picks = set[Pick]


@dataclass
class Plan:
    """The tests for some changed files, and for each of these files a line that says how many there are."""

    picks: Picks = field(default_factory=set)
    reasons: list[str] = field(default_factory=list)
    whole_commit: bool = False

    def seconds(self, recorded: Recorded) -> float:
        """How long one worker would take, about."""
        spent: Counter[str] = Counter()
        for pick in self.picks:
            whole = recorded.seconds.get(pick.file, UNKNOWN)
            one = ONE_IN_A_BROWSER if pick.file.startswith("tests/browser/") else ONE
            spent[pick.file] += one if pick.name else whole * SHARE if pick.words else whole  # type: ignore[assignment]
        return sum(min(seconds, recorded.seconds.get(file, UNKNOWN)) for file, seconds in spent.items())


def from_files(picks: Iterable[Pick]) -> str:
    count = len({pick.file for pick in picks})
    return f"tests from {count} file{'s' if count != 1 else ''}"


def plan(changed: Iterable[Path], recorded: Recorded) -> Plan:
    rules, made = Rules(recorded), Plan(_files(HOUSE[1]))  # a second's worth, so that something always runs
    for path in changed:
        name = path.relative_to(ROOT).as_posix()
        picks = rules.picks_for(name)
        made.whole_commit |= picks is None
        made.picks |= picks or set()
        made.reasons.append(f"{name}: " + ("may touch anything" if picks is None else from_files(picks)))
    return made


def files_since(revision: str) -> list[Path]:
    """What differs from a revision, files that git does not know yet included.

    Raises `ValueError` if git does not know the revision.
    """
    names = set()
    for words in (["diff", "--name-only", "-z", revision], ["ls-files", "-z", "--others", "--exclude-standard"]):
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ValueError(f"--changed={revision}: {done.stderr.strip()}")
        names |= set(done.stdout.split("\0")) - {""}
    return sorted(ROOT / name for name in names)


class Rules:
    """Picks the tests for a file of each kind."""

    def __init__(self, recorded: Recorded) -> None:
        self.recorded = recorded

    def picks_for(self, name: str) -> Picks | None:
        """The tests for a changed file; None if it may touch anything."""
        room, *parts = Path(name).parts
        if name in ANYTHING or room in ("requirements", ".ci"):
            return None
        if name.startswith("app/rulesets/") and len(parts) > 2:
            return self._for_ruleset(name, parts[1])
        if room == "app":
            return self._for_module(name, parts)
        if room in ("templates", "static"):
            return self._for_page(name)
        if room == "migrations":
            return _files(*STORED, HOUSE[0])
        if room == "tests":
            return self._for_test(name, parts)
        if room == "benchmarks":
            return _files("tests/benchmarks", HOUSE[0])
        if name.endswith(".md"):
            return _naming(name) | _files("tests/test_docs.py")
        return _naming(name) or None

    def _for_ruleset(self, name: str, key: str) -> Picks:
        """Its own tests, its share of those for all rulesets and of the stored games, a test for each template."""
        if name.endswith((".html", ".css", ".js")):
            return self._for_page(name)
        rooms = {user.split(".")[1] for user in _users(_module(name), 1) if user.startswith("app.")} - {"web"}
        return (
            _files(*HOUSE, *(f"tests/{room}" for room in rooms - {"rulesets"}))
            | _files(f"tests/rulesets/{key}", nightly=True)
            | _share(key, "tests/rulesets/test_*.py", "tests/stored")
            | _not_of_pages(_importers(name))
            | self._one_each(path for path in self.recorded.tests if path.startswith(f"app/rulesets/{key}/"))
        )

    def _for_module(self, name: str, parts: list[str]) -> Picks:
        """The tests of its room, those that import it, every route once, and a page of each ruleset."""
        if parts[0] == "web":
            stems = {Path(part).stem for part in parts[1:]} - {"__init__", "scene", "http", "site", "campaign"}
            beside = _files(*(f"tests/web/test_{stem}*.py" for stem in stems)) | _importers(name)
        else:
            beside = _files(*ROOMS.get(parts[0], (f"tests/{parts[0]}",))) | _not_of_pages(_importers(name))
        return beside | _files(*HOUSE, ROUTES) | self._pages_near(name) | self._page_of_each_ruleset()

    def _pages_near(self, name: str) -> Picks:
        """All that was recorded for a module that answers requests; for others a test for each such module near it."""
        return self._recorded_or([name], self._one_each(_path(user) for user in _users(_module(name), NEAR)))

    def _page_of_each_ruleset(self) -> Picks:
        picks: Picks = set()
        for ruleset in rulesets.SHIPPED:
            folder = f"app/rulesets/{ruleset.key}/templates/"
            users = Counter(
                test for path, some in self.recorded.tests.items() if path.startswith(folder) for test in some
            )
            picks |= _tests(*(test for test, _ in users.most_common(1)))
        return picks

    def _for_page(self, name: str) -> Picks:
        """The tests recorded for a template, style sheet or script; if there are none, one for each file beside it."""
        users = [name, *_importing_scripts(name)] if name.endswith(".js") else [name]
        folder = f"{Path(name).parent.as_posix()}/"
        beside = self._one_each(path for path in self.recorded.tests if path.startswith(folder)) or _files(ROUTES)
        more = [test for start, test in BESIDE_PAGES.items() if name.startswith(start)]
        return self._recorded_or(users, beside) | _files(*LOOK, *more)

    def _recorded_or(self, files: Iterable[str], otherwise: Picks) -> Picks:
        """The tests recorded for some files; the others too if there are none, or one that is gone."""
        picks = _tests(*(test for file in files for test in self._recorded(file)))
        return picks if picks and all((ROOT / pick.file).exists() for pick in picks) else picks | otherwise

    def _recorded(self, file: str) -> list[str]:
        return self.recorded.tests.get(file, [])

    def _one_each(self, files: Iterable[str]) -> Picks:
        return _tests(*(test for file in sorted(files) for test in self._recorded(file)[:1]))

    def _for_test(self, name: str, parts: list[str]) -> Picks:
        """Itself, by night or not; who imports it; for a case the cases and mutants of its ruleset; else its folder."""
        folder = Path(name).parent.as_posix()
        if parts[-1].startswith("test_"):
            return _files(name, HOUSE[0], nightly=True)
        if parts[0] == "rulesets" and len(parts) > 2 and not name.endswith(".py"):
            return _share(parts[1], "tests/rulesets/test_cases.py", "tests/rulesets/test_mutants.py")
        if name.endswith(".py") and parts[-1] != "conftest.py":
            return _importers(name, DOWNSTREAM) | _files(HOUSE[0])
        return _naming(name) | self._recorded_or([name], _files(folder) if len(parts) > 1 else set())


def _files(*patterns: str, nightly: bool = False) -> Picks:
    """Whole files of tests, by path, pattern or folder."""
    return {Pick(file, nightly=nightly) for pattern in patterns for file in _matching(pattern)}


def _tests(*tests: str) -> Picks:
    return {Pick(file_of(test), test.partition("::")[2], nightly=True) for test in tests}


def _share(key: str, *patterns: str) -> Picks:
    """Of tests that go through all rulesets, those with the name of this one or of one of its kinds of scene."""
    try:
        kinds = [str(kind.key) for kind in rulesets.find(key).kinds]
    except LookupError:  # the folder is new, or its ruleset is gone
        kinds = []
    words = tuple(re.findall(r"[a-z]+", " ".join([key, *kinds])))
    return {Pick(file, words=words, nightly=True) for pattern in patterns for file in _matching(pattern)}


def _naming(name: str) -> Picks:
    """The files of tests that have the name of this file in their text."""
    last = Path(name).name
    return {Pick(file) for file in _matching("tests") if last in (ROOT / file).read_text(encoding="utf-8")}


def _importers(name: str, far: int = 1) -> Picks:
    files = {_path(user) for user in _users(_module(name), far) if user.startswith("tests.")}
    return {Pick(file) for file in files if Path(file).name.startswith("test_")}


def _not_of_pages(picks: Picks) -> Picks:
    """Without the tests of pages: most of them import a module only to set something up."""
    return {pick for pick in picks if not pick.file.startswith(("tests/web/", "tests/browser/"))}


@cache
def _matching(pattern: str) -> tuple[str, ...]:
    found = (ROOT / pattern).rglob("test_*.py") if (ROOT / pattern).is_dir() else ROOT.glob(pattern)
    return tuple(sorted(path.relative_to(ROOT).as_posix() for path in found))


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph("app", "tests", "benchmarks", cache_dir=None)


def _module(name: str) -> str:
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _path(module: str) -> str:
    file = module.replace(".", "/")
    return f"{file}.py" if (ROOT / f"{file}.py").exists() else f"{file}/__init__.py"


def _users(module: str, far: int) -> set[str]:
    """The modules that import a module, by way of others if `far` is more than 1; none if it is gone."""
    graph, found = _graph(), {module}
    for _ in range(far if module in graph.modules else 0):
        more = {user for one in found for user in graph.find_modules_that_directly_import(one)}
        if more <= found:
            break
        found |= more
    return found - {module}


def _importing_scripts(name: str) -> set[str]:
    """The scripts in the folder of a script that import it, by way of others too."""
    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / name).parent.glob("*.js")}
    found = {Path(name).name}
    while (
        more := {path.name for path, text in texts.items() if found & set(re.findall(r'"\./([\w-]+\.js)"', text))}
        - found
    ):
        found |= more
    return {(Path(name).parent / one).as_posix() for one in found} - {name}
