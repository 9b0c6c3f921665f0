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
        faults["major.do"] = "You have begun nothing that takes several cycles."
    if turn.when is not None and (begins or major.do == CONTINUE):
        faults["when.guards"] = "What takes several cycles cannot wait for a condition."
    if one.forbidden("major") and (begins or major.do == CONTINUE):
        faults["major.do"] = "You cannot move your arms."
    match begins:
        case "book" | "ritual" if major.book and major.pp:
            faults["major.pp"] = "From a book a spell is cast without power points."
        case "don" if major.item not in (*one.body.wardrobe, "casual") or major.item == one.body.armour:
            faults["major.item"] = "Choose something to wear that you carry along."
        case "aim" if not _may_aim(one, major):
            faults["major.weapon"] = "Choose a weapon that shoots farther with aim."
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
        faults["minors"] = "Whoever keeps up a Focus can do nothing else but a considered movement."
    if turn.free.step is not None:
        faults["free.step"] = "Whoever keeps up a Focus only moves by a considered movement."
    if turn.free.drop_focus:
        faults["free.drop_focus"] = "Keep your Focus up or drop it: not both."
    if turn.when is not None:
        faults["when.guards"] = "A Focus is kept up whatever the others do, or it ends."
    return faults


def _quick_focus(state: State, turn: Turn) -> Faults:
    """A Focus begun as a minor allows nothing else but a considered movement (ARC-157)."""
    spells = [state.spell(action.spell) for action in turn.minors if action.do == "quickspell"]
    others = [action for action in turn.minors if action.do != "considered"]
    if len(others) > 1 and any(spell is not None and spell.kind == "focus" for spell in spells):
        return {"minors": "Whoever begins a Focus can do nothing else but a considered movement."}
    return {}
