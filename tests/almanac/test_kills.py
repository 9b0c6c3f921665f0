"""A few of the hundred kills of `python -m tests.almanac.kills`."""

import os
import subprocess
import sys

import pytest

from tests.server import ROOT


@pytest.mark.nightly
def test_killed_in_the_middle_it_is_all_or_nothing(postgres_url: str) -> None:
    env = {**os.environ, "DATABASE_URL": postgres_url}
    command = [sys.executable, "-m", "tests.almanac.kills", "--times", "8"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "   8 kills: each time all of it or nothing, and once." in done.stdout
