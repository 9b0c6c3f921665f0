"""Checks a declaration; faults are in words for the player, by form field."""

from collections.abc import Container, Iterable

from app.engine.ruleset import Ask, Faults
from app.engine.sentences import capital
from app.rulesets.skirmish.fight import declarations as de
from app.rulesets.skirmish.view import turn_check
from app.rulesets.skirmish.view.view import View

EVERY = "all"  # "all>ann" is the one reaction of a whole turn, with `reaction_scope = per_turn` (SKI-63)


def foreign(given: Iterable[str], known: Container[str], words: str, field: str = "") -> Faults:
    """A fault, in these words, for each key of `of` that is not known."""
    return {f"of.{key[:80]}{field}": words for key in given if key not in known}


def hand(view: View, ask: Ask, says: de.Hand) -> Faults:
    found: Faults = {}
    for key, intent in says.of.items():
        if key not in view.mine:
            found[f"of.{key[:60]}.turn"] = "This character is not yours to declare for, or is out of the fight."
            continue
        who = view.known.combatants[key]
        wrong = turn_check.faults(view.known, who, intent) | _standing(view, key, intent)
        found |= {f"of.{key}.{name}": words for name, words in wrong.items()}
    return found


def _standing(view: View, key: str, intent: de.Intent) -> Faults:
    """The standing orders: a reaction this one can use, and things that can be given up (SKI-60, SKI-64)."""
    options = view.options[key]
    if intent.react not in {one.key for one in options.reactions}:
        return {"react": f"{capital(view.the(key))} can’t use that reaction."}
    things = {one.key for one in options.sacrifices}
    if any(order != "never" and thing not in things for thing, order in intent.sacrifice.items()):
        return {"sacrifice": "Only armour, shields and balanced or slow weapons in hand can be sacrificed."}
    return {}


def react(view: View, ask: Ask, says: de.React) -> Faults:
    """A legal reaction to each attack on one's own, or one to all of them (SKI-63, SKI-64)."""
    legal = {one.attack: {choice.key for choice in one.reactions} for one in view.incoming}
    if view.settings["reaction_scope"] == "per_turn":
        for one in view.incoming:
            legal.setdefault(f"{EVERY}>{one.who}", set()).update(choice.key for choice in one.reactions)
    found: Faults = {}
    for attack, reaction in says.of.items():
        if attack not in legal:
            found[f"of.{attack[:160]}"] = "There is no such attack on your combatants."
        elif reaction not in legal[attack]:
            found[f"of.{attack}"] = "Choose one of the reactions that are offered."
    return found
