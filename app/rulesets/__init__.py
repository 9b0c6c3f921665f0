"""The rule systems Signet ships; one folder each, none knows another."""

from typing import Any

from app.engine.pieces import missing
from app.engine.ruleset import Ruleset
from app.rulesets import arcana, chronicle, council, duel, whiskey

RULESETS: tuple[Ruleset[Any, Any], ...] = (
    whiskey.RULESET, duel.RULESET, chronicle.RULESET, arcana.RULESET, council.RULESET,
)  # fmt: skip

if _wanting := [path for ruleset in RULESETS for path in missing(ruleset)]:
    raise FileNotFoundError("a ruleset declares files that are still to be written: " + ", ".join(_wanting))


def games() -> tuple[Ruleset[Any, Any], ...]:
    """The rule systems that campaigns and characters are made for; what is decided beside them is none."""
    return tuple(ruleset for ruleset in RULESETS if not ruleset.beside)


def find(key: str) -> Ruleset[Any, Any]:
    """The ruleset of that key; LookupError with the known keys otherwise."""
    for ruleset in RULESETS:
        if ruleset.key == key:
            return ruleset
    raise LookupError(f"there is no ruleset {key!r}; Signet has {', '.join(r.key for r in RULESETS)}")
