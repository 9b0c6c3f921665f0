"""The same luck in every run: what the operating system's chance gives a test follows from the test's name.

Keys, scenes and dice of the app come from `os.urandom`. In this process it is a stream that begins anew with each test,
and with each fixture that several tests share, so that a commit that was green stays green. Programs that a test
starts, processes that it forks, and browsers draw their own.
"""

import hashlib
import os
from collections.abc import Iterator

import pytest


class _Stream:
    """Bytes without end that follow from a name."""

    def __init__(self, name: str) -> None:
        self.name, self.drawn = name, 0

    def take(self, size: int) -> bytes:
        self.drawn += 1
        return hashlib.shake_256(f"{self.name}/{self.drawn}".encode()).digest(size)


_now = _Stream("before the first test")


def pytest_sessionstart() -> None:
    """From now on chance comes from the stream."""
    real = os.urandom
    os.urandom = lambda size, /: _now.take(size)
    os.register_at_fork(after_in_child=lambda: setattr(os, "urandom", real))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Each test has a stream of its own."""
    global _now
    _now = _Stream(item.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest) -> Iterator[None]:
    """What several tests share does not follow from the one that happens to come first."""
    global _now
    if fixturedef.scope == "function":
        return (yield)
    before, _now = _now, _Stream(f"{request.node.nodeid}#{fixturedef.argname}")
    try:
        return (yield)
    finally:
        _now = before
