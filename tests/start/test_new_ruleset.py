"""`signet new-ruleset` writes what can be played at once; the tutorial's files are those of the ruleset that ships."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.errors import UserError
from app.ops.new_ruleset import write
from app.rulesets import throw

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs/add-a-ruleset.md"
FILE = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
MOST_LINES = 250  # of Python, templates and data of the tutorial's ruleset


def run(clone: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=clone, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.nightly
def test_a_new_ruleset_in_a_clone_keeps_every_law(tmp_path: Path) -> None:
    for name, left_out in (("app", ()), ("templates", ()), ("static", ()), ("tests", ("stored", "cases", "browser"))):
        ignored = shutil.ignore_patterns("__pycache__", *left_out)
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    for name in ("pyproject.toml", "vendor.toml"):
        shutil.copy(ROOT / name, tmp_path)
    assert "Now add omens.RULESET to SHIPPED" in run(tmp_path, "app.cli", "new-ruleset", "omens")
    shipped = tmp_path / "app/rulesets/__init__.py"
    text = shipped.read_text(encoding="utf-8")
    text = text.replace("import arcana,", "import arcana, omens,").replace(", throw.RULESET", ", omens.RULESET")
    shipped.write_text(text.replace("omens, chronicle, council, duel, throw", "chronicle, council, duel, omens"))
    told = run(tmp_path, "pytest", "tests/rulesets", "-k", "omens", "--nightly", "-p", "no:cacheprovider")
    assert re.search(r"\b\d\d passed", told), told
    for check in (("format", "--check"), ("check",)):
        run(tmp_path, "ruff", *check, "app/rulesets/omens", "tests/rulesets/omens")


def test_nothing_is_written_over(tmp_path: Path) -> None:
    written, _ = write("omens", tmp_path, package=True)
    written[0].write_text("mine", encoding="utf-8")
    with pytest.raises(UserError, match=r"already exists\. Nothing was written"):
        write("omens", tmp_path, package=True)
    assert written[0].read_text(encoding="utf-8") == "mine"
    with pytest.raises(UserError, match="There is already a ruleset duel"):
        write("duel", tmp_path, package=True)
    with pytest.raises(UserError, match="2 to 20 lower-case letters"):
        write("../omens", tmp_path, package=True)
    with pytest.raises(UserError, match="class is a Python keyword"):
        write("class", tmp_path, package=True)
    with pytest.raises(UserError, match="This is not a clone of Signet"):
        write("omens", tmp_path, package=False)


def test_the_tutorial_writes_the_ruleset_that_ships() -> None:
    """Each block of it names its file; the blocks of one file, one after the other, are that file."""
    told: dict[str, str] = {}
    for name, text in FILE.findall(TUTORIAL.read_text(encoding="utf-8")):
        told[name] = told.get(name, "") + text
    folder = Path(throw.__file__).parent
    there = {f"app/rulesets/throw/{path.relative_to(folder)}" for path in folder.rglob("*.*") if path.suffix != ".pyc"}
    assert there <= told.keys()
    lines = 0
    for name, text in told.items():
        # Where it reads on in a second block, the blank lines between the two are not shown.
        assert _lines(text) == _lines((ROOT / name).read_text(encoding="utf-8")), name
        lines += len((ROOT / name).read_text(encoding="utf-8").splitlines()) if name in there else 0
    assert lines <= MOST_LINES


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]
