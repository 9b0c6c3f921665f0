"""A small ruleset, playable at once, as the start of a new one: in a clone of Signet, or as a package."""

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from keyword import iskeyword, issoftkeyword
from pathlib import Path
from string import Template

from app.errors import UserError
from app.rulesets import RULESETS

KEY = re.compile(r"[a-z][a-z0-9_]{1,19}")


def write(key: str, here: Path, *, package: bool) -> tuple[list[Path], str]:
    """Writes the files; returns them, and the next steps as text. Raises UserError where a file exists already.

    `here` is a clone of Signet, or the folder for the package.
    """
    _check(key)
    if package:
        home, module = here / f"signet-ruleset-{key}", f"signet_{key}"
        places = {"package": home, "ruleset": home / module, "tests/cases": home / "cases"}
        after = f"Install it: pip install --editable {home}\nThen play its case: signet cases {home / 'cases'}"
    elif (here / "app/rulesets/__init__.py").is_file() and (here / "tests/rulesets").is_dir():
        module = f"app.rulesets.{key}"
        places = {"ruleset": here / "app/rulesets" / key, "tests": here / "tests/rulesets" / key}
        after = f"Now add {key}.RULESET to SHIPPED in app/rulesets/__init__.py."
    else:
        raise UserError(
            "This is not a clone of Signet. Choose a folder for a separate package: --package FOLDER", code=2
        )
    words = {"key": key, "package": module, "title": key.replace("_", " ").capitalize(), "prefix": _prefix(key)}
    texts = {at / name: text for part, at in places.items() for name, text in _texts(part, words)}
    there = [path for path in texts if path.exists()]
    if there:
        raise UserError(f"{there[0]} already exists. Nothing was written.", code=2)
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return sorted(texts), after


def _check(key: str) -> None:
    if not KEY.fullmatch(key):
        raise UserError("A ruleset's key is 2 to 20 lower-case letters, digits and _, starting with a letter.", code=2)
    if iskeyword(key) or issoftkeyword(key):
        raise UserError(f"{key} is a Python keyword and cannot be a module's name. Choose another key.", code=2)
    if key in {ruleset.key for ruleset in RULESETS}:
        raise UserError(f"There is already a ruleset {key}.", code=2)


def _prefix(key: str) -> str:
    """Returns the prefix of its rules' ids: three letters, or the whole key if another ruleset uses these."""
    short = key[:3].upper()
    taken = {rule.id.partition("-")[0] for ruleset in RULESETS for rule in ruleset.rulebook}
    return key.upper() if short in taken else short


def _texts(part: str, words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yields the files of a part of the skeleton: their paths in it, and their texts."""
    yield from _filled(files("app.ops").joinpath("skeleton", part), "", words)


def _filled(folder: Traversable, path: str, words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _filled(entry, f"{path}{entry.name}/", words)
        else:
            yield f"{path}{entry.name}".removesuffix(".txt"), Template(entry.read_text("utf-8")).substitute(words)
