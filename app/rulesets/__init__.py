"""The rule systems: those that Signet ships, one folder each, and those of installed packages."""

from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from app.engine.declared_files import missing
from app.engine.ruleset import Ruleset, SceneKind
from app.errors import MissingRules, UserError
from app.rulesets import arcana, chronicle, council, duel, skirmish, throw, whiskey

GROUP = "signet.rulesets"
"""The entry point group in which a package names its `Ruleset`, under the ruleset's key."""

REPAIR = "Correct the package or uninstall it, then start Signet again."

SHIPPED: tuple[Ruleset[Any, Any], ...] = (
    whiskey.RULESET, duel.RULESET, chronicle.RULESET, arcana.RULESET, skirmish.RULESET, council.RULESET, throw.RULESET,
)  # fmt: skip


def installed() -> tuple[Ruleset[Any, Any], ...]:
    """The rulesets of installed packages, by key. Raises UserError, with its name, if an entry point cannot be used."""
    rulesets: list[Ruleset[Any, Any]] = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        ruleset = _loaded(entry)
        if ruleset.key != entry.name:
            raise UserError(f"{_named(entry)} has the key {ruleset.key!r}; both must be the same. {REPAIR}")
        if any(ruleset.key == other.key for other in (*SHIPPED, *rulesets)):
            raise UserError(f"{_named(entry)} takes a key that another ruleset has already. {REPAIR}")
        if twice := demo_named_twice((*SHIPPED, *rulesets, ruleset)):
            raise UserError(f"{_named(entry)}: {twice} {REPAIR}")
        rulesets.append(ruleset)
    return tuple(rulesets)


def demo_named_twice(rulesets: Sequence[Ruleset[Any, Any]]) -> str:
    """What is wrong if a key of `Ruleset.demos` is a ruleset's key too, or another demo's; else ""."""
    whose = {ruleset.key: f"the ruleset {ruleset.key!r}" for ruleset in rulesets}
    for ruleset in rulesets:
        for key in ruleset.demos:
            if key in whose:
                return f"The demo {key!r} of the ruleset {ruleset.key!r} has the same key as {whose[key]}."
            whose[key] = f"a demo of the ruleset {ruleset.key!r}"
    return ""


def _loaded(entry: EntryPoint) -> Ruleset[Any, Any]:
    try:
        ruleset = entry.load()
    except Exception as error:  # the module of a package can fail with anything
        raise UserError(f"{_named(entry)} cannot be loaded: {type(error).__name__}: {error}. {REPAIR}") from error
    if not isinstance(ruleset, Ruleset):
        raise UserError(f"{_named(entry)} is not a Ruleset but {type(ruleset).__name__}. {REPAIR}")
    return ruleset


def _named(entry: EntryPoint) -> str:
    package = f" of the package {entry.dist.name} {entry.dist.version}" if entry.dist else ""
    return f"The ruleset {entry.name} = {entry.value}{package}"


RULESETS: tuple[Ruleset[Any, Any], ...] = (*SHIPPED, *installed())

if _twice := demo_named_twice(RULESETS):
    raise UserError(_twice)
if _unwritten := [path for ruleset in RULESETS for path in missing(ruleset)]:
    raise UserError("A ruleset declares files that do not exist: " + ", ".join(_unwritten))


def games() -> tuple[Ruleset[Any, Any], ...]:
    """The rule systems for campaigns and characters; utilities such as votes are left out."""
    return tuple(ruleset for ruleset in RULESETS if not ruleset.utility)


def find(key: str) -> Ruleset[Any, Any]:
    """Returns the ruleset of that key. Raises MissingRules, a LookupError, if there is none."""
    for ruleset in RULESETS:
        if ruleset.key == key:
            return ruleset
    raise MissingRules(key)


def find_kind(ruleset: str, kind: str) -> tuple[Ruleset[Any, Any], SceneKind[Any, Any, Any, Any, Any, Any]]:
    """Returns a ruleset and one of its kinds of scene, by their keys. Raises MissingRules if either is missing."""
    rules = find(ruleset)
    try:
        return rules, rules.kind(kind)
    except LookupError:
        raise MissingRules(ruleset, kind) from None
