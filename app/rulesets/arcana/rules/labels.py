"""The labels that forms give to the book's fields and choices."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field, WithJsonSchema


def said(title: str, words: Mapping[str, str] | None = None, hint: str = "") -> Any:
    """Returns a form field's title, choice labels and hint."""
    more: dict[str, Any] = {"x-labels": dict(words)} if words else {}
    return Field(title=title, description=hint or None, json_schema_extra=more)


def among(labels: Mapping[str, str], **more: object) -> WithJsonSchema:
    """Returns the schema of a text from a list, with labels. "x-own" in `more` adds the campaign's own things."""
    return WithJsonSchema({"type": "string", "enum": list(labels), "x-labels": dict(labels), **more})


LONG_NAMES = {
    "ATH": "Athleticism",
    "FIN": "Finesse",
    "SPR": "Spirit",
    "CHR": "Charisma",
    "INT": "Intelligence",
    "PER": "Perception",
    "POW": "Power",
    "EVL": "Evil",
}
STATS = {"block": "Block", "dodge": "Dodge", "max_hp": "Maximum HP", "speed_proficiency": "Speed"} | LONG_NAMES
UNTIL = {"": "Its time runs out", "healed": "It is healed", "stood": "The target stands up", "held": "The focus ends"}
SHAKEN = {"": "Not at all", "major": "As a major action", "end": "By a Resist at the end of each cycle"}
FORMS = {
    "bolt": "A bolt at one target",
    "being": "One target within reach",
    "self": "The caster",
    "front": "The caster's front half",
    "sphere": "A sphere",
    "circle": "A ring on the ground",
    "cone": "A cone",
    "line": "A line",
    "cube": "A cube",
    "cylinder": "A cylinder",
    "disc": "A disc",
}
AT = {"caster": "The caster", "target": "The target", "point": "A place", "front": "In front of the caster"}
ON_SUCCESS = {
    "half": "Half the damage",
    "negate": "Nothing happens",
    "no_status": "No status",
    "root_1": "Instead, the target cannot move for one cycle",
    "fatigue_2": "Instead, 2 points of fatigue damage",
}
CEILINGS = {"1/2": "Half", "3/4": "Three quarters", "none": "The maximum"}
GROUPS = {"": "No others", "minor": "One minor ailment", "ills": "All ailments"}
OVERFLOW = {"through": "Goes through", "half": "Half of it hits the caster", "lost": "Is lost"}
AGAINST = {"all": "Everything", "magic": "Spells and other magic only"}
THICK = {"severe": "Hard to see through", "total": "Nobody can see through it"}
STOPS = {"missiles": "Objects and missiles", "all": "Everything, even if it cannot be blocked"}
RESISTED_BY = {"target": "The target", "holder": "Anyone holding the target"}
REQUIRES = {"": "Nothing", "moved": "The target has moved in this cycle"}
KINDS = {
    "instant": "At once",
    "focus": "While the caster keeps it up",
    "ward": "A lasting ward",
    "ritual": "A ritual over several cycles",
}
ACCURACY = {
    "none": "Always",
    "instinct": "Against Block or Dodge, whichever works",
    "stationary": "As if the target stood still",
    "each": "Each missile separately",
}
