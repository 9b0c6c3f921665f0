"""Which tests a run is made of: by night all of them, with a commit the unmarked, with `--changed` what is near it."""

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
NIGHTLY, SINCE = "SIGNET_NIGHTLY", "SIGNET_CHANGED"
PICKING = "signet-picking"
SLOWEST = 20
WEIGHTS = {"browser": 10.0, "server": 5.0, "postgres_url": 0.3}
"""Seconds that a test takes about, by the dearest fixture it uses."""


def nightly() -> bool:
    """Whether everything is to be tested, however long it takes."""
    return os.environ.get(NIGHTLY) == "yes"


def changed_files() -> set[Path]:
    """What differs from the revision that `--changed` names; nothing without it, so that history picks no tests."""
    from tests.changes import files_since

    revision = os.environ.get(SINCE)
    return set(files_since(revision)) if revision else set()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("signet")
    group.addoption("--nightly", action="store_true", help="test everything, however long it takes")
    group.addoption(
        "--changed",
        nargs="?",
        const="HEAD",
        metavar="REVISION",
        help="test what is near the changes since that revision (since the last commit if none is named)",
    )
    group.addoption("--record", action="store_true", help="write tests/recorded.toml, by which --changed picks tests")


def pytest_configure(config: pytest.Config) -> None:
    """What workers of a parallel run need to know goes into their environment."""
    worker = hasattr(config, "workerinput")
    if not worker:
        os.environ[NIGHTLY] = "yes" if config.getoption("--nightly") else "no"
        os.environ[SINCE] = config.getoption("--changed") or ""
    if revision := config.getoption("--changed"):
        from tests.picking import Picking

        config.pluginmanager.register(Picking.handed_on() if worker else Picking.since(revision).hand_on(), PICKING)
    if config.getoption("--record"):
        from tests.recording import Recording

        config.pluginmanager.register(Recording(writes=not worker))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if "postgres_url" not in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.once)
    if picking := config.pluginmanager.get_plugin(PICKING):
        wanted = picking.of(items)
    else:
        wanted = {item for item in items if nightly() or not item.get_closest_marker("nightly")}
    config.hook.pytest_deselected(items=[item for item in items if item not in wanted])
    items[:] = _longest_first(item for item in items if item in wanted)


def weight(item: pytest.Item) -> float:
    """The seconds that a test takes about."""
    used = getattr(item, "fixturenames", ())
    return max((seconds for name, seconds in WEIGHTS.items() if name in used), default=0.01)


def _longest_first(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """File by file, those that took longest when they were recorded first, so that two workers end at about the same
    time."""
    from tests.recording import Recorded

    items, about = list(items), Counter[Path]()
    for item in items:
        about[item.path] += weight(item)  # type: ignore[assignment]
    took = dict(about) | {ROOT / file: seconds for file, seconds in Recorded.read().seconds.items()}
    return sorted(items, key=lambda item: (-took[item.path], item.path))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The files that took longest, set-up and all."""
    took = Counter[str]()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if hasattr(report, "duration"):
                took[report.nodeid.split("::")[0]] += report.duration
    if len(took) > 1:
        terminalreporter.section(f"the {SLOWEST} files that took longest, of {took.total():.0f} worker-seconds")
        for file, seconds in took.most_common(SLOWEST):
            terminalreporter.write_line(f"{seconds:7.1f} s  {file}")
