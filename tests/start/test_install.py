"""The wheel is whole: installed by hashes into an empty environment, it works far from any checkout."""

import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from app.settings import read_keys
from tests.start.playing import playing

ROOT = Path(__file__).parents[2]


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command with nothing of ours in its environment; its output, or a failure that shows it."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("SIGNET_", "DATABASE_", "PYTHON"))
    }
    done = subprocess.run(command, cwd=cwd, env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", place, cwd=ROOT)
    (built,) = place.glob("signet_table-*.whl")
    return built


@pytest.fixture
def installed(place: Path, wheel: Path) -> Iterator[Path]:
    """The `bin` of an environment that holds the pins of `play` and the wheel, and nothing else."""
    venv = place / "venv"
    run(sys.executable, "-m", "venv", venv, cwd=place)
    pip = [venv / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    run(*pip, "--require-hashes", "-r", ROOT / "requirements/play.txt", cwd=place)
    run(*pip, "--no-deps", wheel, cwd=place)
    run(venv / "bin/python", "-m", "pip", "check", cwd=place)
    yield venv / "bin"
    subprocess.run([venv / "bin/signet", "stop", "--data", place / "data"], check=False, capture_output=True)


def test_the_wheel_carries_what_is_not_python(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for room in ("templates", "static", "migrations"):
        here = {path.relative_to(ROOT) for path in (ROOT / room).rglob("*") if path.is_file()}
        wanted = {f"app/_bundled/{path.as_posix()}" for path in here if "__pycache__" not in path.parts}
        assert wanted and wanted <= names
    here = {path.relative_to(ROOT).as_posix() for path in (ROOT / "app").rglob("*") if path.is_file()}
    assert {name for name in here if not name.endswith(".pyc")} <= names
    assert not [name for name in names if name.startswith(("tests/", "docs/")) or "__pycache__" in name]


EVERYTHING = """
import importlib, pkgutil, app
extra = ("app.table.bus.nats", "app.table.bus.valkey")
for module in pkgutil.walk_packages(app.__path__, "app."):
    if "_bundled" not in module.name and module.name not in extra:
        importlib.import_module(module.name)
"""


@pytest.mark.nightly
def test_the_wheel_works_in_an_empty_environment(installed: Path, place: Path) -> None:
    assert len(read_keys(run(installed / "signet", "new-key", cwd=place), "it")) == 1
    run(installed / "python", "-c", EVERYTHING, cwd=place)
    run(installed / "signet", "migrate", "--data", place / "data", cwd=place)
    told = run(installed / "signet", "doctor", "--data", place / "data", cwd=place)
    assert told.endswith("Everything is in order.\n")
    where = run(installed / "python", "-c", "import app.resources as r; print(r.folder('static'))", cwd=place)
    with playing(place / "data", [installed / "signet"], cwd=place) as signet:
        for address in signet.links:
            page = httpx2.get(address, follow_redirects=True)
            assert page.status_code == 200 and "<html" in page.text
            for part in re.findall(r'(?:href|src)="(/static/[^"#]+)', page.text):
                assert httpx2.get(signet.links[0].rstrip("/") + part).status_code == 200, part
        assert signet.end() == 0
    assert Path(where.strip()) == next(place.glob("venv/lib/python*")) / "site-packages/app/_bundled/static"
