"""Spells, weapons and items within a sentence: "a longsword", "their bare hands", "the troll's fists"."""

from app.engine.sentences import small
from app.rulesets.arcana.rules.book import ARMOUR, WEAPONS
from app.rulesets.arcana.rules.items import DRAUGHTS, is_named
from app.rulesets.arcana.view.view_values import Visible

HANDS = {"unarmed": "bare hands", "improvised": "improvised weapon"}
"""Weapons with another name in a sentence than in lists."""


def listed_name(view: Visible, who: str, key: str) -> str:
    """Returns the name of a spell, a weapon or an item, as lists have it."""
    if not key:
        return ""
    spell = view.known.spell(key)
    if spell is not None:
        return spell.name
    own = view.people.get(who)
    weapon = (own.body.weapons.get(key) if own is not None else None) or WEAPONS.get(key)
    if weapon is None and key in ARMOUR:
        return ARMOUR[key].name
    return weapon.name if weapon is not None else key if is_named(key) else key.replace("_", " ")


def noun(view: Visible, who: str, key: str) -> str:
    """Returns the name without an article: "longsword", "bare hands"; spells and things of an own name keep theirs."""
    if view.known.spell(key) is not None or is_named(key):
        return listed_name(view, who, key)
    return HANDS.get(key) or small(listed_name(view, who, key))


def with_article(view: Visible, who: str, key: str, *, me: bool = False) -> str:
    """Returns a weapon or an item with its article: "a longsword"; natural weapons with "their", or "my"."""
    if not key:
        return "something"
    name = noun(view, who, key)
    if key in ARMOUR or is_named(key):
        return name
    if key != "unarmed" and (key in WEAPONS or key in DRAUGHTS):
        return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
    return f"{'my' if me else 'their'} {name}"
