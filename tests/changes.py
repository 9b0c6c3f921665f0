"""Which test files a change can touch: by the imports of Python files, by folder and name for all others."""

import subprocess
from functools import cache
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parent.parent
ALWAYS = {ROOT / "tests/start/test_house.py"}
PROGRAMS = ("app.main", "app.cli", "tests.web.toy_server")
"""What a test that starts processes may run, which no import of its own tells."""
PAGES = ("templates", "static")


def touched(revision: str, files: set[Path]) -> set[Path]:
    """Those of these test files whose outcome may differ from what it was at a revision of git.

    Raises `ValueError` if git does not know the revision.
    """
    changed = files_since(revision)
    graph = _graph()
    found = ALWAYS & files
    for path in changed:
        place = path.relative_to(ROOT).parts
        if path.suffix == ".py" and place[0] in ("app", "tests", "benchmarks"):
            found |= _users(graph, ".".join(place).removesuffix(".py").removesuffix(".__init__"), files)
        elif place[0] in PAGES:
            found |= _users(graph, "app.web", files)
        elif place[:2] == ("app", "rulesets"):
            found |= _users(graph, "app.web" if place[3] in PAGES else ".".join(place[:3]), files)
        elif place[0] == "tests" and len(place) > 2:
            found |= {file for file in files if path.parent in file.parents or file.parent in path.parents}
        elif place[0] == "docs" or path.suffix == ".md":
            found |= {file for file in files if path.name in (text := file.read_text()) or "docs" in text}
        else:
            return files
        if path.name == "conftest.py":
            found |= {file for file in files if path.parent in file.parents}
    return found


def files_since(revision: str) -> list[Path]:
    """What differs from a revision, files that git does not know yet included.

    Raises `ValueError` if git does not know the revision.
    """
    names = set()
    for words in (["diff", "--name-only", "-z", revision], ["ls-files", "-z", "--others", "--exclude-standard"]):
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ValueError(f"--changed={revision}: {done.stderr.strip()}")
        names |= set(done.stdout.split("\0")) - {""}
    return sorted(ROOT / name for name in names)


@cache
def _graph() -> grimp.ImportGraph:
    graph = grimp.build_graph("app", "tests", "benchmarks", cache_dir=None)
    for name in graph.modules:
        if name.startswith("tests.") and (file := _file(name)) and "subprocess" in file.read_text():
            for program in PROGRAMS:
                graph.add_import(importer=name, imported=program)
    return graph


def _file(module: str) -> Path | None:
    path = ROOT / module.replace(".", "/")
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.exists()), None)


def _users(graph: grimp.ImportGraph, module: str, files: set[Path]) -> set[Path]:
    """The test files that import a module, or one within it, directly or by way of others; all if it is gone.

    A folder's conftest.py stands for all tests of the folder, which have what it makes without a word. Not the one for
    all tests: who has the runtime or the toy from there names their types.
    """
    if module not in graph.modules:
        return files
    users = {module, *graph.find_downstream_modules(module, as_package=True)}
    found = {file for user in users if (file := _file(user))}
    folders = {file.parent for file in found if file.name == "conftest.py"} - {ROOT / "tests"}
    return {file for file in files if file in found or folders & set(file.parents)}
