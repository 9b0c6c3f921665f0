"""Names of modules, types and functions that say nothing; today's stand on a list that may only get shorter.

A name is read without its context, in an import or an error. One that is made of these words only could stand for
anything there: call it by what it holds or does.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.first
ROOT = Path(__file__).parents[2]

WORDS = """
any asked common data done found given held helper helpers info kept known laid listed look looks made
manager misc named one ones other others part parts piece pieces put said seen sent shown some stuff taken thing
things told typed used util utils wanted what
"""
EMPTY = frozenset(WORDS.split())
TOP = re.compile(r"^(?:class |def |async def )?(\w+)", re.MULTILINE)
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

# Names that stand still: a file, and what it calls so. "module" is the file itself.
LISTED = Path(__file__).with_name("empty_names.toml")


def _empty(name: str) -> bool:
    words = WORD.findall(name)
    return bool(words) and all(word.lower() in EMPTY for word in words)


def _module(path: Path) -> str:
    return path.parent.name if path.name == "__init__.py" else path.stem


def _names(tree: ast.Module) -> Iterator[str]:
    """Classes, type aliases and public functions of a module."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield node.name
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        # A type alias, NewType or TypeVar: a capital first, but no constant.
        yield from (at.id for at in targets if isinstance(at, ast.Name) and re.match(r"_?[A-Z]\w*[a-z]", at.id))


def _count() -> dict[str, list[str]]:
    counted = {}
    for path in sorted((ROOT / "app").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        # To parse all of them takes seconds, so only those in which a line begins with such a name.
        likely = any(map(_empty, set(TOP.findall(text))))
        names = {name for name in _names(ast.parse(text)) if _empty(name)} if likely else set()
        if _empty(_module(path)):
            names.add("module")
        if names:
            counted[path.relative_to(ROOT).as_posix()] = sorted(names)
    return counted


def test_no_new_name_is_empty() -> None:
    counted, listed = _count(), tomllib.loads(LISTED.read_text(encoding="utf-8"))
    wrong = []
    for path in sorted(counted.keys() | listed.keys()):
        now, then = set(counted.get(path, ())), set(listed.get(path, ()))
        wrong += [f"{path}: {name} says nothing: call it by what it holds or does" for name in sorted(now - then)]
        wrong += [f"{path}: {name} is gone: take it from {LISTED.name}" for name in sorted(then - now)]
        if path in listed and not then:
            wrong.append(f"{path}: take its line from {LISTED.name}")
    assert wrong == []


@pytest.mark.parametrize("name", ["Kept", "OneThing", "look", "_Told", "misc_helpers", "DataInfo"])
def test_an_empty_name_is_found(name: str) -> None:
    assert _empty(name)


@pytest.mark.parametrize("name", ["KeptPage", "SeatHolder", "told_threw", "oneness", "T", "find_seat"])
def test_a_name_with_a_word_of_its_own_is_not(name: str) -> None:
    assert not _empty(name)
