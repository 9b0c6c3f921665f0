"""The plain sheet of the ledger's examples (section 4): all attributes 10, EVL 0, level 1, no proficiencies."""

from dataclasses import replace
from typing import Any

from app.rulesets.arcana.rules.book import ATTRIBUTES, WEAPONS
from app.rulesets.arcana.sheet.body import Body
from app.rulesets.arcana.sheet.sheets import expertise


def plain(key: str = "ada", *proficient: str, level: int = 1, **given: Any) -> Body:
    """Attributes by their code, everything else by the names of Body; size and speed in cm."""
    scores = {one: given.pop(one, 0 if one == "EVL" else 10) for one in ATTRIBUTES}
    one = Body(
        key=key,
        name=key.capitalize(),
        attributes=scores,
        level=level,
        expertise=expertise(level),
        proficient=frozenset(proficient),
        weapons={name: WEAPONS[name] for name in ("unarmed", "club", "wand")},
        hp_max=20,
        fp_max=20,
    )
    return replace(one, **given)
