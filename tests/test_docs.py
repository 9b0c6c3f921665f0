"""Docs that run: Python in them is executed, commands in them exist, links in them lead somewhere."""

import ast
import importlib.util
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.cli import cli

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"`(?:\.venv/bin/)?signet ([a-z-]+)[^`]*`")
SHOWN = re.compile(r"^```console\n\$ signet (.*)\n((?:.*\n)*?)```", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/.-]+)(?:::(\w+))?`")
CODE = re.compile(r"`((?:app|static|templates|tools)/[\w/.-]+\.\w+)(?::([\w.]+))?`")
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#]+)")


def _named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=_named)
def test_python_in_docs_runs(page: Path) -> None:
    space: dict[str, object] = {"__name__": "docs"}
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        exec(compile(block, _named(page), "exec"), space)


def test_commands_in_docs_exist() -> None:
    known = {command.name or command.callback.__name__ for command in cli.registered_commands if command.callback}
    known |= {name.replace("_", "-") for name in known}
    named = {(page, word) for page in PAGES for word in COMMAND.findall(page.read_text(encoding="utf-8"))}
    assert named, "the docs name commands"
    assert [(_named(page), word) for page, word in sorted(named) if word not in known] == []


def test_what_docs_show_of_a_command_is_what_it_says() -> None:
    shown = [found for page in PAGES for found in SHOWN.findall(page.read_text(encoding="utf-8"))]
    assert shown, "the docs show what a command says"
    for command, lines in shown:
        told = CliRunner().invoke(cli, command.split())
        assert told.exit_code == 0, command
        said = iter(told.output.splitlines())
        assert [line for line in lines.splitlines() if line not in said] == [], f"{command}: in this order"


def test_every_command_explains_itself() -> None:
    for command in cli.registered_commands:
        name = command.name or (command.callback.__name__ if command.callback else "")
        told = CliRunner().invoke(cli, [name.replace("_", "-"), "--help"])
        assert told.exit_code == 0 and len(told.output.splitlines()) > 4, name


@pytest.mark.parametrize("page", PAGES, ids=_named)
def test_links_lead_somewhere(page: Path) -> None:
    missing = [to for to in LINK.findall(page.read_text(encoding="utf-8")) if not (page.parent / to).exists()]
    assert missing == []


def test_tests_that_docs_name_as_evidence_exist() -> None:
    named = {(page, *found) for page in PAGES for found in TEST.findall(page.read_text(encoding="utf-8"))}
    assert any(test for _, _, test in named), "the docs name tests"
    gone = [f"{_named(page)}: {path}" for page, path, _ in named if not (ROOT / path).exists()]
    for page, path, test in sorted(named):
        if test and (ROOT / path).is_file() and f"def {test}(" not in (ROOT / path).read_text(encoding="utf-8"):
            gone.append(f"{_named(page)}: {path}::{test}")
    assert gone == []


@cache
def _definitions(path: Path) -> frozenset[str]:
    """What a file of Python defines: functions, classes, constants and, behind a dot, the methods of its classes."""
    found = set[str]()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            methods = (part for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef))
            found |= {f"{node.name}.{method.name}" for method in methods}
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return frozenset(found)


def test_code_that_docs_name_exists() -> None:
    named = sorted({(page, *found) for page in PAGES for found in CODE.findall(page.read_text(encoding="utf-8"))})
    assert any(name for _, _, name in named), "the docs name functions"
    gone = []
    for page, path, name in named:
        if not (ROOT / path).exists():
            gone.append(f"{_named(page)}: there is no {path}")
        elif name and name not in _definitions(ROOT / path):
            gone.append(f"{_named(page)}: {path} defines no {name}")
    assert gone == []


def test_the_index_of_the_architecture_names_one_file_a_row() -> None:
    rows = re.findall(r"^\| (Where .*\?) \| (.*) \|$", (ROOT / "docs/architecture.md").read_text("utf-8"), re.MULTILINE)
    assert len(rows) >= 30
    assert [question for question, file in rows if not CODE.fullmatch(file)] == []


def _tool(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


def test_the_tables_of_foreign_calendars_are_what_the_importers_declare() -> None:
    tool = _tool("calendar_fields")
    text = tool.PAGE.read_text(encoding="utf-8")
    assert tool.renewed(text) == text, "run `python tools/calendar_fields.py`: a declaration changed"


def test_the_picture_of_the_rooms_is_what_the_imports_say() -> None:
    rooms = _tool("rooms")
    seen = rooms.look()
    assert set(seen.lines) == set(rooms.WORDS), "each room has a few words in tools/rooms.py"
    same = rooms.PICTURE.read_text(encoding="utf-8") == rooms.draw(seen)
    assert same, "run `python tools/rooms.py`: rooms or the imports between them changed"
