"""Chronicle with its fights among the kinds of scene, for tests of their pages."""

from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from app.engine.ruleset import Ruleset
from app.rulesets.chronicle import RULESET
from app.rulesets.chronicle.hand import HAND
from app.rulesets.chronicle.hand.settings import HandSettings
from app.rulesets.chronicle.settings import Settings


class Both(Settings, HandSettings):
    """Settings of free scenes and of fights."""


def with_fights() -> Ruleset[Any, Any]:
    """The ruleset itself once it ships fights; until then the same with them."""
    if HAND in RULESET.kinds:
        return RULESET
    return replace(RULESET, kinds=(*RULESET.kinds, HAND), settings=TypeAdapter(Both))
