"""Checks a declaration; faults are in words for the player, by form field."""

from typing import Any, assert_never

from app.engine.ruleset import Ask, Faults
from app.rulesets.duel import declarations as de
from app.rulesets.duel import legal
from app.rulesets.duel.data import ABILITIES, ACTIONS, BLOCK, REST
from app.rulesets.duel.view import View


def check(view: View, ask: Ask, says: Any) -> Faults:
    """Returns faults by form field; empty: the answer may be sealed."""
    match says:
        case de.Move():
            return _move(view, ask.about[0], says)
        case de.Ditto():
            if says.copied and says.copied not in [one.key for one in view.copies.get(ask.about[0], ())]:
                return {"copied": "You cannot use that action now, so you cannot copy it."}
            return {}
        case de.Concede():
            return {} if says.sure else {"sure": "Tick the box if you really want to give up."}
        case de.Half() | de.Combo() | de.Stalled():
            return {}
        case _:
            assert_never(says)


def default(view: View, ask: Ask) -> Any:
    """DUE-76: the answer of an absent fighter; an absent referee ends a stalled fight as a draw (DUE-74)."""
    match ask.kind:
        case "half":
            return de.Half()
        case "move":
            return de.Move(action=REST if view.fighters[ask.about[0]].role == "offence" else BLOCK)
        case "combo":
            return de.Combo()
        case "ditto":
            return de.Ditto()
        case "concede":
            return de.Concede(sure="yes")
        case _:
            return de.Stalled()


def _move(view: View, who: str, says: de.Move) -> Faults:
    option = view.options_of(who, says.action)
    if option is None:
        return {"action": "Choose one of your actions."}
    me, action = view.fighters[who], ACTIONS[says.action]
    surprise = any(one.key == "surprise" for one in me.abilities)
    now = legal.Standing(_role(me.role), view.combo, me.must_rest, surprise)
    faults: Faults = {}
    if reason := legal.why_not(action, now, says.add if surprise else ""):
        faults["action"] = reason
    if reason := legal.may_add(action, says.add, now):
        faults["add"] = reason
    if reason := _rage(view, who, says, option.cost + bool(says.add)):
        faults["rage"] = reason
    if action.ability and says.ability not in ABILITIES:
        faults["ability"] = f"{action.name} needs you to name a special ability."
    elif says.ability and not action.ability:
        faults["ability"] = f"You cannot name an ability with {action.name}."
    return faults


def _role(role: str) -> legal.Role:
    return "offence" if role == "offence" else "defence" if role == "defence" else "initial"


def _rage(view: View, who: str, says: de.Move, cost: int) -> str:
    """DUE-61."""
    me = view.fighters[who]
    if not says.rage:
        return ""
    if not any(one.key == "rage" for one in me.abilities):
        return "You can pay with HP only while Rage is active."
    if says.rage > cost:
        return f"This costs {cost}, so you can pay at most {cost} with HP."
    if me.hp <= 2 * says.rage:
        return f"That would cost {2 * says.rage} HP, and you have {me.hp}."
    return ""
