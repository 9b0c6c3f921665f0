"""Checks a declaration; faults are in words for the player, by form field."""

from typing import Any, assert_never

from app.engine.ruleset import Ask, Faults
from app.engine.sentences import capital
from app.rulesets.skirmish.fight import declarations as de
from app.rulesets.skirmish.sheet.muster import MOST
from app.rulesets.skirmish.sheet.sketch import parse
from app.rulesets.skirmish.view import turn_check
from app.rulesets.skirmish.view.view import View, Who

EVERY = "all"  # "all>ann" is the one reaction of a whole turn, with `reaction_scope = per_turn` (SKI-63)


def check(view: View, ask: Ask, says: Any) -> Faults:
    """Returns faults by form field; empty: the answer may be sealed."""
    match says:
        case de.Hand():
            return _hand(view, says)
        case de.Rule():
            known = {who for who, _, _ in view.odd_gambits}
            return _foreign(says.of, known, ".allowed", "There is no such gambit in this turn.")
        case de.Ordering():
            known = {key for keys in view.orders.values() for key in keys}
            return _foreign(says.of, known, "", "This combatant does not act in this turn.")
        case de.React():
            return _react(view, says)
        case de.Morale():
            return _foreign(says.of, set(view.wavering), "", "This combatant’s courage has not failed.")
        case de.Before() | de.Ready() | de.Attitude() | de.Parley() | de.Next():
            return {}
        case de.Desk():
            return _desk(view, says)
        case _:
            assert_never(says)


def default(view: View, ask: Ask) -> Any:
    """The answer of an absent seat: hold, Defend, odd; an absent GM lets the rules take their course (SKI-89)."""
    match ask.kind:
        case "declare":
            return de.Hand()
        case "before":
            return de.Before()
        case "ready":
            return de.Ready()
        case "attitude":
            return de.Attitude()
        case "parley":
            return de.Parley()
        case "rule":
            return de.Rule()
        case "order":
            return de.Ordering()
        case "react":
            return de.React()
        case "morale":
            return de.Morale()
        case "next":
            return de.Next()
        case _:
            return de.Desk(what="end", reason="")


def _foreign(given: Any, known: set[str], field: str, words: str) -> Faults:
    return {f"of.{key[:80]}{field}": words for key in given if key not in known}


def _hand(view: View, says: de.Hand) -> Faults:
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


def _react(view: View, says: de.React) -> Faults:
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


def _desk(view: View, says: de.Desk) -> Faults:
    match says.what:
        case "end":
            return {}
        case "join":
            return _join(view, says)
        case "field":
            return _field(says)
        case _:
            who = view.fighters.get(says.who)
            return {"who": "Choose a combatant in this fight."} if who is None else _one(view, says, who)


def _one(view: View, says: de.Desk, who: Who) -> Faults:
    """An act of the GM on one combatant."""
    if says.what == "correct":
        return _correct(view, says, who)
    if says.what == "place":
        return _place(view, says, who)
    if says.what == "out":
        if not who.able:
            return {"who": f"{capital(view.the(who.key))} is already out of the fight."}
        return {"reason": "Say why; everyone reads it."} if not says.reason.strip() else _unseen(view, who)
    if who.pc:
        return {"who": "Only the GM’s own combatants can be hidden or shown."}
    if who.hidden != (says.what == "show"):
        return {"who": f"{capital(view.the(who.key))} is already {'hidden' if who.hidden else 'in sight'}."}
    return _between(view, "Nobody can be hidden in the middle of a turn.") if says.what == "hide" else {}


def _correct(view: View, says: de.Desk, who: Who) -> Faults:
    numbers = (says.hp, says.mgt, says.agi, says.wil, says.fatigue)
    if all(number is None for number in numbers) and not says.odds:
        return {"hp": "Enter what changes: a number, or how this turn’s attacks go."}
    if not says.reason.strip():
        return {"reason": "Say why; everyone reads it."}
    return _unseen(view, who) if 0 in (says.mgt, says.agi, says.wil) else {}


def _place(view: View, says: de.Desk, who: Who) -> Faults:
    if not who.able:
        return {"who": f"{capital(view.the(who.key))} is out of the fight."}
    if says.zone not in view.zones:
        return {"zone": "Choose a zone of this field."}
    other = view.fighters.get(says.close)
    if says.close and (other is None or other.key == who.key or not other.able or other.zone != says.zone):
        return {"close": "Choose someone else who is in that zone."}
    return _unseen(view, who)


def _field(says: de.Desk) -> Faults:
    try:
        drawn = parse(says.sketch)
    except ValueError as wrong:
        return {"sketch": str(wrong)}
    return {} if drawn else {"sketch": "Write at least one zone, for example “Courtyard (6): cover”."}


def _join(view: View, says: de.Desk) -> Faults:
    if says.template not in view.templates:
        return {"template": "Choose which kind of combatant joins the fight."}
    if says.zone and says.zone not in view.zones:
        return {"zone": "Choose a zone of this field."}
    if len(view.fighters) + says.count > MOST:
        return {"count": f"A fight can have at most {MOST} combatants."}
    return {}


def _between(view: View, words: str) -> Faults:
    return {} if view.phase in ("before", "ready", "attitude", "parley", "declare", "next") else {"who": words}


def _unseen(view: View, who: Who) -> Faults:
    """A fault if a hidden combatant would be affected during declarations: asking everyone again would reveal it."""
    if who.hidden and view.phase == "declare":
        return {
            "who": f"{capital(view.the(who.key))} is hidden, and declarations are open. Wait for the reveal, or show "
            f"{view.the(who.key)} first."
        }
    return {}
