"""What may be declared, in words for the person who declares; faults by field below the combatant's own (ARC-08)."""

from app.engine.ifthen import THEM
from app.engine.ruleset import Faults
from app.rulesets.arcana.body import STEP, considered, special, transport
from app.rulesets.arcana.book import SPELLS
from app.rulesets.arcana.conditions import clause, menu
from app.rulesets.arcana.declarations import MAJORS, MINORS, STANCES_AND_MOVES, Action, Turn
from app.rulesets.arcana.launch import DRAUGHTS, known, price
from app.rulesets.arcana.space import within
from app.rulesets.arcana.state import Fighter, State


def check(state: State, who: str, turn: Turn) -> Faults:
    """Faults by field; none: it may be sealed. Looks only at what the declarer knows: hidden obstacles refuse nothing,
    they spoil the action later."""
    one = state.fighters[who]
    if not one.able:
        free = turn.major is not None and turn.major.do == "shake_off"
        return {} if free or not (turn.major or turn.minors) else {"": f"{one.body.name} cannot act now."}
    faults: Faults = {}
    if turn.major and turn.minors:
        faults["minors"] = "One major action, or up to two minor ones: not both."
    if len(turn.minors) > 2:
        faults["minors"] = "Two minor actions at most."
    if turn.major and turn.major.do not in MAJORS:
        faults["major.do"] = "This is a minor action."
    for number, action in enumerate(turn.minors):
        if action.do not in MINORS:
            faults[f"minors.{number}.do"] = "This takes the whole cycle: it is a major action."
    if sum(action.do == "considered" for action in turn.minors) > 1:
        faults["minors"] = "One considered movement at most."
    for place, action in _placed(turn):
        faults |= {f"{place}.{field}": words for field, words in _action(state, who, action, turn).items()}
    faults |= _fp(one, turn)
    faults |= _free(one, turn)
    return faults | _when(state, who, turn)


def _placed(turn: Turn) -> list[tuple[str, Action]]:
    major = [("major", turn.major)] if turn.major else []
    return [*major, *((f"minors.{number}", action) for number, action in enumerate(turn.minors))]


def _action(state: State, who: str, action: Action, turn: Turn) -> Faults:
    one = state.fighters[who]
    match action.do:
        case "attack":
            weapon = one.body.weapons.get(action.weapon)
            faults = _target(state, who, action, turn)
            if weapon is None or weapon.damage is None:
                faults["weapon"] = "Choose a weapon that you have."
            if one.forbidden("major"):
                faults["do"] = "You cannot move your arms."
            return faults
        case "cast" | "quickspell":
            return _cast(state, who, action, turn)
        case "move" | "considered":
            return _move(state, one, action)
        case "use":
            return {} if action.item in DRAUGHTS else {"item": "Choose something that you carry."}
        case "communicate":
            if one.forbidden("speech"):
                return {"do": "You cannot speak."}
            return {} if action.words.strip() else {"words": "Say what you tell the others."}
        case "stand":
            return {} if one.has("prone") else {"do": "You are standing already."}
        case _:
            return {}


def _target(state: State, who: str, action: Action, turn: Turn) -> Faults:
    if action.target == THEM:
        return (
            {} if turn.when and action in turn.guarded() else {"target": "Only what a condition guards knows “them”."}
        )
    other = state.fighters.get(action.target)
    if other is None or other.unseen_by(who):
        return {"target": "Choose somebody you know of."}
    return {"target": f"{other.body.name} is dead."} if other.dead else {}


def _cast(state: State, who: str, action: Action, turn: Turn) -> Faults:
    one, spell = state.fighters[who], SPELLS.get(action.spell)
    if spell is None or spell.id not in one.body.spells:
        return {"spell": "Choose a spell that you know."}
    faults: Faults = {}
    if not known(one, spell):
        faults["spell"] = f"{spell.name} is {spell.level}; you are {one.body.school(spell.school)} in {spell.school}."
    if one.forbidden("words"):
        faults["do"] = "You cannot speak, and a spell needs words."
    elif not one.body.wandless and "wand" not in one.body.weapons:
        faults["do"] = "You have no wand."
    if spell.shape.form in ("bolt", "being") or (spell.shape.area and spell.shape.at == "target"):
        faults |= _target(state, who, action, turn)
    elif spell.shape.at == "point" and action.at is None:
        faults["at"] = "Choose the place."
    return faults


def _move(state: State, one: Fighter, action: Action) -> Faults:
    if action.to is None:
        return {"to": "Choose where to go."}
    if one.still or one.forbidden("movement"):
        return {"do": "You cannot move from the spot."}
    if action.do == "considered":
        if one.has("prone"):
            return {"do": "Lying on the ground you can only crawl, as a major action."}
        far = considered(one.body, state.settings, encumbered=one.encumbered)
    elif action.gait == "special" or one.has("prone"):
        far = special(one.body, encumbered=one.encumbered)
    else:
        far = transport(one.body, encumbered=one.encumbered)
    if within(one.place, action.to, far):
        return {}
    return {"to": f"That is too far: you can go {far / 100:g} m."}


def _fp(one: Fighter, turn: Turn) -> Faults:
    left = one.fp
    for place, action in _placed(turn):
        spell = SPELLS.get(action.spell) if action.do in ("cast", "quickspell") else None
        if spell is not None:
            cost = price(one, spell, action.pp)
            if cost > left:
                return {f"{place}.pp": f"{spell.name} costs {cost} FP, and you have {left}."}
            left -= cost
    return {}


def _free(one: Fighter, turn: Turn) -> Faults:
    step = turn.free.step
    if step is None:
        return {}
    if turn.major and turn.major.do == "move":
        return {"free.step": "Transport movement takes the whole cycle, with no step before it."}
    if one.still or one.forbidden("movement"):
        return {"free.step": "You cannot move from the spot."}
    return {} if within(one.place, step, STEP) else {"free.step": "A free step goes half a metre at most."}


def _when(state: State, who: str, turn: Turn) -> Faults:
    if turn.when is None:
        return {}
    faults = {f"when.{field}": words for field, words in menu(state, who).check(clause(turn.when)).items()}
    if not turn.guarded():
        faults["when.guards"] = "Choose what you do if it happens."
    elif turn.when.guards != "all" and turn.major:
        faults["when.guards"] = "A condition guards the whole major action."
    elif any(action.do in STANCES_AND_MOVES for action in turn.guarded()):
        faults["when.guards"] = "Movement and stances come before all conditions; they cannot wait for one."
    return faults
