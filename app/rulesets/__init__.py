"""The rule systems: those that Signet ships, one folder each, and those that installed packages bring."""

from importlib.metadata import entry_points
from typing import Any

from app.engine.pieces import missing
from app.engine.ruleset import Ruleset
from app.errors import MissingRules
from app.rulesets import arcana, chronicle, council, duel, throw, whiskey

GROUP = "signet.rulesets"
"""The entry points by which a package names its `Ruleset`, each under the ruleset's key."""

SHIPPED: tuple[Ruleset[Any, Any], ...] = (
    whiskey.RULESET, duel.RULESET, chronicle.RULESET, arcana.RULESET, council.RULESET, throw.RULESET,
)  # fmt: skip


def installed() -> tuple[Ruleset[Any, Any], ...]:
    """The rulesets of installed packages, by key; TypeError or ValueError where an entry point cannot be taken."""
    found: dict[str, Ruleset[Any, Any]] = {ruleset.key: ruleset for ruleset in SHIPPED}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        ruleset = entry.load()
        if not isinstance(ruleset, Ruleset):
            raise TypeError(f"the entry point {entry.name} = {entry.value} of {GROUP} is no Ruleset")
        if ruleset.key != entry.name or ruleset.key in found:
            raise ValueError(f"{entry.value} has the key {ruleset.key!r}: it must be its entry point's, and be free")
        found[ruleset.key] = ruleset
    return tuple(found.values())[len(SHIPPED) :]


RULESETS: tuple[Ruleset[Any, Any], ...] = (*SHIPPED, *installed())

if _wanting := [path for ruleset in RULESETS for path in missing(ruleset)]:
    raise FileNotFoundError("a ruleset declares files that are still to be written: " + ", ".join(_wanting))


def games() -> tuple[Ruleset[Any, Any], ...]:
    """The rule systems that campaigns and characters are made for; what is decided beside them is none."""
    return tuple(ruleset for ruleset in RULESETS if not ruleset.beside)


def find(key: str) -> Ruleset[Any, Any]:
    """The ruleset of that key; MissingRules, which is a LookupError, where there is none."""
    for ruleset in RULESETS:
        if ruleset.key == key:
            return ruleset
    raise MissingRules(key)
