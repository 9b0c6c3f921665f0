"""The habits of the house: format, lint, types, rooms, sizes, names, mirrors. The one test command covers them all."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import jinja2
import pytest
from packaging.requirements import Requirement

from app.campaign import characters
from app.engine import declared_files
from app.play import challenges
from app.rulesets import SHIPPED

pytestmark = pytest.mark.first
ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
LONGEST = 500
LONGEST_DECLARING = 800  # of a module that only declares

# Put together here, so that this file does not hold what it looks for.
REGISTRIES = [".".join(parts) for parts in (
    ("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"), ("deb", "debian", "org"),
    ("security", "debian", "org"), ("yarnpkg", "com"), ("crates", "io"),
)]  # fmt: skip


def run(*command: str | Path) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"


def tracked(*patterns: str) -> list[Path]:
    """Files git knows or would take, so that a new one is looked at before it is committed."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns]
    found = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in found.split("\0") if name and (ROOT / name).is_file()]


def test_format() -> None:
    run(sys.executable, "-m", "ruff", "format", "--check", ".")


def test_lint() -> None:
    run(sys.executable, "-m", "ruff", "check", ".")


def test_types() -> None:
    run(
        sys.executable,
        "-m",
        "pyrefly",
        "check",
        "--python-interpreter-path",
        sys.executable,
        "--output-format",
        "min-text",
    )


def test_rooms_are_kept_apart() -> None:
    run(BIN / "lint-imports", "--no-cache")


def test_luck_and_clock_stay_out_of_the_pure_rooms() -> None:
    """Import contracts see modules; this sees what sneaks in otherwise."""
    wrong = []
    for path in [*tracked("app/engine/*.py"), *tracked("app/rulesets/*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Name) and node.id in ("open", "exec", "eval", "__import__", "input", "print"):
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.id}")
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("hash", "id"):
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.func.id}() differs from run to run")
    assert wrong == []


def test_pages_name_the_viewer_whenever_they_look_for_characters() -> None:
    """Only GMs know of the GMs' characters: pages ask app/campaign/character_visibility.py who may know of whom.

    A list of all characters leaves to pages only with the viewer among its arguments, or for GMs.
    """
    everybody = {("characters", name) for name in ("find", "all_characters", "lock")} | {("challenges", "fighters")}
    assert all(hasattr({"characters": characters, "challenges": challenges}[room], name) for room, name in everybody)
    wrong = []
    for path in tracked("app/web/*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            unasked = isinstance(node, ast.Attribute) and (getattr(node.value, "id", ""), node.attr) in everybody
            of_table = isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in (
                "select", "get", "get_one", "update", "outerjoin", "join"
            ) and any(isinstance(part, ast.Name) and part.id == "Character" for part in ast.walk(node))  # fmt: skip
            if unasked or of_table:
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert wrong == []


def test_seats_are_filled_in_one_module() -> None:
    """Who holds a seat can seal for it and read what was sealed, so app/campaign/seating.py alone decides that."""
    makers = set()
    for path in tracked("app/*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("SeatRow", "SeatHolder")
            ):
                makers.add(path.relative_to(ROOT).as_posix())
    assert makers == {"app/campaign/seating.py"}


def test_files_can_be_read_at_a_sitting() -> None:
    long = {str(path.relative_to(ROOT)): count for path in tracked("*.py") if (count := _lines(path)) > _most(path)}
    assert long == {}


def _lines(path: Path) -> int:
    return len(path.read_text().splitlines())


def _most(path: Path) -> int:
    """A module declares if less than a quarter of it is functions: events, models, tables."""
    tree = ast.parse(path.read_text())
    outer = [node for part in tree.body for node in (part.body if isinstance(part, ast.ClassDef) else [part])]
    functions = [node for node in outer if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in functions)
    return LONGEST_DECLARING if 4 * inside < _lines(path) else LONGEST


def test_files_are_named_for_what_is_in_them() -> None:
    vague = {"utils.py", "util.py", "helpers.py", "helper.py", "common.py", "misc.py"}
    assert [str(path) for path in tracked("*.py") if path.name in vague] == []


def test_no_file_names_a_registry() -> None:
    found = []
    for path in tracked():
        content = path.read_bytes().lower()
        found += [f"{path.relative_to(ROOT)}: {host}" for host in REGISTRIES if host.encode() in content]
    assert found == []


def test_each_ruleset_has_its_folder_and_its_tests() -> None:
    """What lies in the folder of a ruleset, app/engine/pieces.py holds when it is imported."""
    shipped = {ruleset.key for ruleset in SHIPPED}
    for room in ("app", "tests"):
        assert {path.parent.name for path in (ROOT / room / "rulesets").glob("*/__init__.py")} == shipped, room


def test_every_page_of_a_ruleset_is_used() -> None:
    """A template, style sheet or script that no `Ruleset` declares and no other of its files names is never sent."""
    wrong = []
    for ruleset in SHIPPED:
        folder = ROOT / "app/rulesets" / ruleset.key
        named = {(folder / path).resolve() for path in declared_files.declared(ruleset)}
        sent = {path for kind in ("templates", "static") for path in (folder / kind).rglob("*") if path.is_file()}
        texts = {path: path.read_text(encoding="utf-8") for path in sent}
        for path in sorted(sent - named):
            name = path.relative_to(folder / "templates").as_posix() if path.suffix == ".html" else path.name
            if not any(name in text for other, text in texts.items() if other != path):
                wrong.append(path.relative_to(ROOT).as_posix())
    assert wrong == []


def test_templates_can_be_read() -> None:
    reader = jinja2.Environment(extensions=["jinja2.ext.i18n", "jinja2.ext.do", "jinja2.ext.loopcontrols"])
    for path in tracked("templates/*", "app/rulesets/*.html"):
        reader.parse(path.read_text(), name=str(path), filename=str(path))


def test_every_dependency_is_pinned_and_hashed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    needed = {
        "requirements/play.txt": [
            *project["project"]["dependencies"],
            *extras["local"],
            *project["build-system"]["requires"],
        ],
        "requirements/test.txt": [*project["project"]["dependencies"], *extras["local"], *extras["test"]],
        "requirements/bench.txt": [*project["project"]["dependencies"], *extras["local"], *extras["bench"]],
    }
    constraints = _pins((ROOT / "constraints.txt").read_text())
    for name, wanted in needed.items():
        text = (ROOT / name).read_text()
        pins = _pins(text)
        assert pins.items() <= constraints.items(), (
            f"{name} and constraints.txt differ: renew the pins (CONTRIBUTING.md)"
        )
        for requirement in map(Requirement, wanted):
            pinned = pins.get(requirement.name.lower())
            assert pinned, f"{requirement.name} is not pinned in {name}: renew the pins (CONTRIBUTING.md)"
            assert requirement.specifier.contains(pinned), f"{requirement} and the pin {pinned} do not fit"
        blocks = text.replace("\\\n", " ").splitlines()
        assert all("--hash=sha256:" in block for block in blocks if block.strip())


def _pins(text: str) -> dict[str, str]:
    found = {}
    for line in text.splitlines():
        if "==" in line and not line.startswith((" ", "#")):
            name, version = line.split(";")[0].rstrip(" \\").split("==")
            found[name.strip().lower()] = version.strip()
    return found


def test_the_readmes_commands_are_the_ones_we_run() -> None:
    readme = (ROOT / "README.md").read_text()
    for command in ("python3 run.py play", "python3 run.py test"):
        assert f"```\n{command}\n```" in readme
    assert "python3 run.py test" in (ROOT / ".ci/run").read_text()
