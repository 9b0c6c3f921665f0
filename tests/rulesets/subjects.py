"""The subjects of the laws: whatever `subject.py` files beside the tests of a ruleset hold, by ruleset and kind."""

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.engine.ruleset import Ruleset
from app.rulesets import SHIPPED
from tests.rulesets.laws import Subject

HERE = Path(__file__).parent


def found(ruleset: Ruleset[Any, Any]) -> Iterator[Subject]:
    for path in sorted((HERE / ruleset.key).rglob("subject.py")):
        name = ".".join(("tests", "rulesets", *path.relative_to(HERE).with_suffix("").parts))
        for value in vars(importlib.import_module(name)).values():
            yield from (one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, Subject))


def missing(*rulesets: Ruleset[Any, Any]) -> list[str]:
    """What has to be written, for each kind of scene that no law walks through."""
    return [
        f"tests/rulesets/{ruleset.key}/subject.py: a Subject for the kind {kind.key!r}"
        for ruleset in rulesets
        for kind in ruleset.kinds
        if kind.key not in {subject.key for subject in found(ruleset)}
    ]


SUBJECTS = [subject for ruleset in SHIPPED for subject in found(ruleset)]
