"""One data folder: its key, its port, and who plays on it."""

import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from app.errors import UserError
from app.ops.local_install import Household, Runner, lan_addresses, listen
from app.settings import Settings

ROOT = Path(__file__).parents[2]


@pytest.fixture
def household(place: Path) -> Iterator[Household]:
    home = Household(place / "data")
    yield home
    home.embedded.stop()


@pytest.mark.nightly
@pytest.mark.embedded
def test_the_first_opening_makes_a_private_key_and_later_ones_keep_it(household: Household) -> None:
    url = household.open()
    key = household.key_file.read_text()
    assert stat.S_IMODE(household.key_file.stat().st_mode) == 0o600
    assert household.key_file.stat().st_uid == os.geteuid()
    assert household.open() == url
    assert household.key_file.read_text() == key
    mine = household.settings(Settings(), url)
    assert (mine.database, len(mine.keys), mine.data) == (url, 1, household.data)


@pytest.mark.embedded
def test_a_lost_key_is_not_replaced_in_silence(household: Household) -> None:
    household.open()
    household.key_file.unlink()
    with pytest.raises(UserError, match=r"key .*/key is missing.*Restore it from your backup"):
        household.open()
    assert not household.key_file.exists()


@pytest.mark.nightly
@pytest.mark.embedded
def test_a_command_leaves_the_database_as_it_found_it(household: Household) -> None:
    with household.database() as url:
        psycopg.connect(url.replace("+psycopg", "")).close()
    assert household.embedded.status().state == "stopped"
    household.open()
    with Household(household.data).database():
        pass
    assert household.embedded.status().state == "running"


def test_a_named_key_goes_before_the_households(household: Household, tmp_path: Path) -> None:
    other = tmp_path / "other"
    assert household.settings(Settings(key_file=other), "postgresql+psycopg://x/y").key_file == other


def test_one_plays_at_a_time_and_the_second_hears_who(household: Household) -> None:
    assert household.runner() is None
    with household.held():
        household.tell("http://127.0.0.1:8420")
        assert household.runner() == Runner(os.getpid(), "http://127.0.0.1:8420")
        with (
            pytest.raises(UserError, match=rf"already running .*process {os.getpid()}, http://127\.0\.0\.1:8420"),
            Household(household.data).held(),
        ):
            pass
    assert household.runner() is None
    with household.held():
        pass


PLAYING = """
import sys, time
from pathlib import Path
from app.ops.local_install import Household
with Household(Path(sys.argv[1])).held() as home:
    home.tell("http://here")
    print("in", flush=True)
    time.sleep(60)
"""


def test_whoever_was_killed_does_not_play_any_more(household: Household) -> None:
    call = [sys.executable, "-c", PLAYING, str(household.data)]
    with subprocess.Popen(call, cwd=ROOT, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == b"in\n"
        assert household.runner() == Runner(other.pid, "http://here")
        other.send_signal(signal.SIGKILL)
    assert household.runner() is None
    with household.held():
        pass


def test_a_folder_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with (
        pytest.raises(UserError, match=r"cannot write to .*file/data.*--data DIR"),
        Household(tmp_path / "file/data").held(),
    ):
        pass


def test_a_taken_port_gives_the_next_free_one() -> None:
    with listen("127.0.0.1", 18420) as first, listen("127.0.0.1", first.getsockname()[1]) as second:
        assert second.getsockname()[1] > first.getsockname()[1]
        with socket.create_connection(second.getsockname(), timeout=2):
            pass


def test_a_port_taken_on_this_computer_is_taken_for_everybody() -> None:
    with listen("127.0.0.1", 18450) as first, listen("0.0.0.0", first.getsockname()[1]) as second:
        assert second.getsockname()[1] > first.getsockname()[1]


@pytest.mark.parametrize("host", ["no.such.host.invalid", "203.0.113.7", "300.1.1.1"])
def test_a_host_that_is_not_ours_is_refused(host: str) -> None:
    with pytest.raises(UserError, match=r"127\.0\.0\.1"):
        listen(host, 18480)


def test_our_addresses_in_the_network_are_really_ours() -> None:
    for address in lan_addresses():
        assert not address.startswith("127.")
        with listen(address, 18490) as mine:
            assert mine.getsockname()[0] == address
