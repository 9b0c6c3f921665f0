"""Names of fighters within a sentence."""

from app.engine.ruleset import GM
from app.engine.sentences import the
from app.rulesets.chronicle.hand.muster import FOES
from app.rulesets.chronicle.hand.state import Fight


def kinds(fight: Fight) -> frozenset[str]:
    """Names of kinds by which fighters of the GM are called. All fighters are in sight."""
    own = {one.name for one in fight.fighters.values() if one.seat == GM and not one.character}
    return frozenset(own & {sheet.name for sheet in FOES.values()})


def called(fight: Fight, key: str) -> str:
    """A name within a sentence: "the brigand", "Mara"."""
    return the(fight[key].name if key in fight.fighters else key, kinds(fight))
