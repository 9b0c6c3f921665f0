"""What met a condition, in the past tense, for the log and the cards."""

from collections.abc import Mapping

from app.engine.ifthen import ANY_ALLY, ANY_ENEMY, ANYONE, ME
from app.rulesets.arcana.fight.declarations import When
from app.rulesets.arcana.view.view_values import Visible

PAST: Mapping[str, tuple[str, str]] = {
    "attacks": ("attacked", "attacked"),
    "casts": ("cast a spell", "cast a spell on"),
    "heals": ("healed someone", "healed"),
    "targets": ("acted", "targeted"),
    "moves": ("moved", ""),
    "moves_to": ("moved there", "moved to"),
    "moves_away_from": ("moved away", "moved away from"),
    "leaves_cover": ("left cover", ""),
    "defends": ("took a defence", ""),
    "uses": ("used something", "used something on"),
    "speaks": ("spoke", ""),
    "trades_with": ("traded", "traded with"),
    "searches": ("searched", ""),
    "holds": ("did nothing", ""),
    "is_hit": ("was hit", ""),
    "falls": ("fell", ""),
}
"""By verb: without a target, and before one."""

SOME: Mapping[str, str] = {ANYONE: "someone", ANY_ALLY: "an ally", ANY_ENEMY: "an enemy"}


def met(view: Visible, owner: str, when: When | None, watched: str) -> str:
    """Returns what met a condition: "the troll attacked Ada"; "" for one in free text, or met by an unknown."""
    if when is None or when.verb not in PAST or watched not in view.people:
        return ""
    alone, aimed = PAST[when.verb]
    whom = owner if when.whom == ME else when.whom
    known = SOME.get(whom) or (view.the(whom) if whom in view.people or whom in view.known.objects else "")
    return f"{view.the(watched)} {aimed} {known}" if aimed and known else f"{view.the(watched)} {alone}"
