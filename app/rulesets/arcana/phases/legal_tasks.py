"""The legality of declarations that begin or continue a Focus or a task, with faults (ARC-27, ARC-155, ARC-157)."""

from app.engine.ruleset import Faults
from app.rulesets.arcana.fight.casting import upkeep
from app.rulesets.arcana.fight.declarations import Action, Turn
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.fight.tasks import CONTINUE, what_of


def check(state: State, one: Fighter, turn: Turn) -> Faults:
    """Returns the faults, by field, of the Focus or task that a declaration begins or continues."""
    faults = _quick_focus(state, turn)
    major = turn.major
    if major is None:
        return faults
    begins = what_of(major, state.spell(major.spell))
    if major.do == CONTINUE and one.task is None:
        faults["major.do"] = "You have not begun anything that takes several cycles."
    if turn.when is not None and (begins or major.do == CONTINUE):
        faults["when.guards"] = "An action that takes several cycles cannot wait for a condition."
    if one.forbidden("major") and (begins or major.do == CONTINUE):
        faults["major.do"] = "You cannot move your arms."
    match begins:
        case "book" | "ritual" if major.book and major.pp:
            faults["major.pp"] = "You cannot use power points when casting from a book."
        case "don" if major.item not in (*one.body.wardrobe, "casual") or major.item == one.body.armour:
            faults["major.item"] = "Choose clothing or armour you carry."
        case "aim" if not _may_aim(one, major):
            faults["major.weapon"] = "Choose a weapon whose range grows with aim."
        case "custom" if not major.words.strip():
            faults["major.words"] = "Say what you do."
    return faults


def _may_aim(one: Fighter, action: Action) -> bool:
    weapon = one.body.weapons.get(action.weapon)
    return weapon is not None and bool(weapon.aims)


def maintain(state: State, one: Fighter, turn: Turn) -> Faults:
    """Returns the faults of keeping up a Focus: it allows only a considered movement, and no condition (ARC-157)."""
    spell = state.spell(one.focus.spell) if one.focus is not None else None
    if spell is None or one.focus is None:
        return {"major.do": "You hold no Focus."}
    faults: Faults = {}
    cost = upkeep(one, spell, one.focus.action.pp)
    if cost > one.fp:
        faults["major.do"] = f"Keeping up {spell.name} costs {cost} FP, and you have {one.fp}."
    if one.forbidden("major"):
        faults["major.do"] = "You cannot move your arms."
    if any(action.do != "considered" for action in turn.minors):
        faults["minors"] = "While you keep up a Focus, you can do nothing else except a considered movement."
    if turn.free.step is not None:
        faults["free.step"] = "While you keep up a Focus, you can move only with a considered movement."
    if turn.free.drop_focus:
        faults["free.drop_focus"] = "Either keep up your Focus or drop it."
    if turn.when is not None:
        faults["when.guards"] = "Keeping up a Focus cannot depend on a condition."
    return faults


def _quick_focus(state: State, turn: Turn) -> Faults:
    """A Focus begun as a minor allows nothing else but a considered movement (ARC-157)."""
    spells = [state.spell(action.spell) for action in turn.minors if action.do == "quickspell"]
    others = [action for action in turn.minors if action.do != "considered"]
    if len(others) > 1 and any(spell is not None and spell.kind == "focus" for spell in spells):
        return {"minors": "When you begin a Focus, you can do nothing else except a considered movement."}
    return {}
