"""Runs only what a change asks for: `--changed` reads no other files of tests, and says why it took these."""

import json
import os
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from pathlib import Path

import pytest

from tests.changes import ROOT, Pick, files_since, from_files, plan
from tests.recording import Recorded
from tests.selection import nightly, weight

MOST = 600
"""Seconds in two workers. What would take longer is left to the tests of the commit."""
START = 15
"""Seconds until the first test runs."""
PICKS = "SIGNET_PICKS"


@dataclass(frozen=True)
class Picking:
    """The part of a run that knows what was picked; the workers get it through their environment."""

    picks: frozenset[Pick]
    room_for_nightly: float
    lines: tuple[str, ...] = ()

    @classmethod
    def since(cls, revision: str) -> "Picking":
        """What to run for the changes since a revision; nothing picked stands for all tests of a commit.

        Raises `pytest.UsageError` if git does not know the revision.
        """
        try:
            return cls.for_files(files_since(revision), Recorded.read())
        except ValueError as error:
            raise pytest.UsageError(str(error)) from error

    @classmethod
    def for_files(cls, changed: Iterable[Path], recorded: Recorded) -> "Picking":
        made = plan(changed, recorded)
        seconds = START + made.seconds(recorded) / 2
        if made.whole_commit or seconds > MOST:
            why = "" if made.whole_commit else f", as these would take {seconds:.0f} s"
            return cls(frozenset(), 0, (*made.reasons, f"So all tests of a commit run{why}."))
        told = f"So {from_files(made.picks)} run, about {seconds:.0f} s in two workers."
        return cls(frozenset(made.picks), 2 * (MOST - seconds), (*made.reasons, told))

    @classmethod
    def handed_on(cls) -> "Picking":
        """What the process that started this worker has picked."""
        room, *picks = json.loads(os.environ[PICKS])
        return cls(frozenset(Pick(file, name, tuple(words), night) for file, name, words, night in picks), room)

    def hand_on(self) -> "Picking":
        os.environ[PICKS] = json.dumps([self.room_for_nightly, *sorted(map(astuple, self.picks))])
        return self

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        for line in self.lines if reporter else ():
            reporter.write_line(line)  # type: ignore[union-attr]

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Files of other tests are not even read, which would take longer than most changes do."""
        if not self.picks or not collection_path.name.startswith("test_"):
            return None
        wanted = collection_path.relative_to(ROOT).as_posix() in {pick.file for pick in self.picks}
        return None if wanted else True

    def of(self, items: Iterable[pytest.Item]) -> set[pytest.Item]:
        """The picked tests; of those for the night the ones that are picked as such, if there is time for all."""
        files: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in items:
            files[item.path.relative_to(ROOT).as_posix()].append(item)
        if not self.picks:
            return {item for some in files.values() for item in some if not _of_the_night(item)}
        picked, of_the_night = set(), set()
        for pick in self.picks:
            tests = {item.nodeid.partition("::")[2]: item for item in files[pick.file]}
            for name, item in tests.items():
                if not _of_the_night(item) and pick.takes(name, set(tests)):
                    picked.add(item)
                elif pick.nightly and pick.takes(name, set(tests), nightly=True):
                    of_the_night.add(item)
        enough = nightly() or sum(map(weight, of_the_night)) <= self.room_for_nightly
        return picked | of_the_night if enough else picked


def _of_the_night(item: pytest.Item) -> bool:
    return item.get_closest_marker("nightly") is not None
