"""The command line: every failure is one clear sentence, and never a traceback."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import cli
from app.errors import UserError
from app.rulesets import RULESETS, games
from app.settings import new_key, read_keys
from tests.forking import program

ROOT = Path(__file__).parents[2]


def signet(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a person would, with nothing of ours in its environment but what is given."""
    ours = ("DATABASE_URL", "SIGNET_DATABASE_URL", "SIGNET_KEY", "SIGNET_KEY_FILE", "SIGNET_PUBLIC_URL", "SIGNET_DATA")
    clean = {name: value for name, value in os.environ.items() if name not in ours}
    return subprocess.run(
        program("app.cli", *words),
        cwd=ROOT,
        env={**clean, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def fails(done: subprocess.CompletedProcess[str], code: int, pattern: str) -> None:
    """It ended with this code and one line that says why."""
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("signet: "), done.stderr
    assert re.search(pattern, done.stderr), done.stderr


def test_help_names_every_command() -> None:
    done = signet("--help")
    assert done.returncode == 0
    for command in [
        "play",
        "serve",
        "migrate",
        "dump",
        "restore",
        "export",
        "import",
        "delete",
        "links",
        "cases",
        "doctor",
        "close",
        "stop",
        "new-key",
    ]:
        assert re.search(rf"^\s+{command}\b", done.stdout, re.MULTILINE), command


def test_a_demo_that_is_not_there_is_told_before_anything_is_started(tmp_path: Path) -> None:
    known = ", ".join(key for game in games() for key in (game.key, *game.demos))
    assert known in " ".join(signet("play", "--help").stdout.split())
    fails(signet("play", "--data", tmp_path / "x", "--demo", "chess"), 2, f"{known}, not chess")
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    "words",
    [("nonsense",), ("play", "--port", "many"), ("play", "--port", "70000"), ("serve", "--workers", "0"), ("cases",)],
)
def test_a_wrong_call_is_told_and_ends_with_two(words: tuple[str, ...]) -> None:
    done = signet(*words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr and done.stderr


def test_serve_says_what_is_missing() -> None:
    fails(signet("serve"), 2, "No key for the envelopes.*signet new-key")
    fails(signet("serve", SIGNET_KEY="short"), 2, "SIGNET_KEY does not hold a key")
    fails(signet("serve", SIGNET_KEY=new_key()), 2, "No database: set DATABASE_URL")
    fails(signet("serve", SIGNET_KEY=new_key(), DATABASE_URL="mysql://a:s3cret@b/c"), 2, "not a Postgres address")
    fails(signet("serve", SIGNET_POOL_SIZE="many"), 2, "SIGNET_POOL_SIZE")


def test_a_silent_server_is_one_sentence(tmp_path: Path) -> None:
    nobody = f"postgresql://signet:s3cret@/signet?host={tmp_path}"
    for words in (("migrate",), ("links",), ("serve",)):
        done = signet(*words, DATABASE_URL=nobody, SIGNET_KEY=new_key())
        fails(done, 1, "database does not answer: .*signet doctor")
        assert "s3cret" not in done.stderr


def test_serve_wants_the_tables_first(empty_db_url: str) -> None:
    done = signet("serve", DATABASE_URL=empty_db_url, SIGNET_KEY=new_key())
    fails(done, 1, "database is at version none.*signet migrate")


def test_migrate_and_doctor_work_on_a_server(empty_db_url: str) -> None:
    assert signet("migrate", DATABASE_URL=empty_db_url).stdout == "The tables are up to date.\n"
    done = signet("doctor", DATABASE_URL=empty_db_url, SIGNET_KEY=new_key())
    assert done.stdout.endswith("Everything is in order.\n"), done.stdout + done.stderr
    assert done.returncode == 0
    sick = signet("doctor", DATABASE_URL=empty_db_url)
    assert sick.returncode == 1
    assert "FAULT  There is no key for the envelopes" in sick.stdout and sick.stdout.endswith("Problems to fix: 1.\n")


@pytest.mark.nightly
@pytest.mark.embedded
def test_the_own_database_can_be_migrated_and_examined(place: Path) -> None:
    data = place / "data"
    # A server's address in the shell does not lead a command astray that was given a folder.
    assert signet("migrate", "--data", data, DATABASE_URL="postgresql://nowhere.invalid/x").returncode == 0
    done = signet("doctor", "--data", data)
    assert done.stdout.endswith("Everything is in order.\n"), done.stdout + done.stderr
    assert not (data / "postgres" / "postmaster.pid").exists(), "it was stopped before and is so again"
    (data / "key").unlink()
    fails(signet("migrate", "--data", data), 1, "key .* is missing")


def test_links_without_a_campaign_say_so(empty_db_url: str) -> None:
    signet("migrate", DATABASE_URL=empty_db_url)
    fails(signet("links", DATABASE_URL=empty_db_url), 1, "no campaign yet")
    fails(signet("links", "--campaign", "goblins", DATABASE_URL=empty_db_url), 1, "no campaign 'goblins'")


def test_close_with_nothing_stuck(empty_db_url: str) -> None:
    signet("migrate", DATABASE_URL=empty_db_url)
    done = signet("close", DATABASE_URL=empty_db_url, SIGNET_KEY=new_key())
    assert (done.returncode, done.stdout, done.stderr) == (0, "No steps are stuck.\n", "")
    fails(signet("close", DATABASE_URL=empty_db_url), 2, "No key for the envelopes")


def test_cases_that_are_not_there(tmp_path: Path) -> None:
    fails(signet("cases", tmp_path / "gone.toml"), 2, "There is no .*gone.toml")


def test_the_vocabulary_of_a_ruleset_that_is_not_there() -> None:
    told = CliRunner().invoke(cli, ["cases", "--vocabulary", "gin"])
    assert isinstance(told.exception, UserError) and told.exception.code == 2
    keys = ", ".join(ruleset.key for ruleset in RULESETS)
    assert str(told.exception) == f"There is no ruleset 'gin'; Signet has {keys}."


def test_stop_where_nothing_runs(tmp_path: Path) -> None:
    done = signet("stop", "--data", tmp_path / "never")
    assert (done.returncode, done.stdout) == (0, f"Nothing is running in {tmp_path / 'never'}.\n")
    assert not (tmp_path / "never").exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    fails(signet("play", "--data", tmp_path / "file" / "data"), 1, "cannot write to .*--data DIR")


def test_new_key_prints_a_key() -> None:
    done = signet("new-key")
    assert len(read_keys(done.stdout, "it")) == 1
