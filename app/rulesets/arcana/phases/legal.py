"""The legality of declarations: faults in words for the author, by field below the combatant's own (ARC-08)."""

from app.engine.ifthen import THEM
from app.engine.ruleset import Faults
from app.rulesets.arcana.effects.resisting import PRICE
from app.rulesets.arcana.fight.casting import choices, known, missiles, price
from app.rulesets.arcana.fight.declarations import (
    MAJORS,
    MINORS,
    STANCES,
    Action,
    React,
    Turn,
    When,
    reacting,
)
from app.rulesets.arcana.fight.hands import draws, has_wand, wields
from app.rulesets.arcana.fight.ifthens import TEXT, clause, menu
from app.rulesets.arcana.fight.movement import shied
from app.rulesets.arcana.fight.skills import power, quickloose, rank, right, rights, silence
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.fight.tasks import MAINTAIN
from app.rulesets.arcana.fight.trading import carried
from app.rulesets.arcana.phases import legal_tasks
from app.rulesets.arcana.rules.book import Spell
from app.rulesets.arcana.rules.grid import within
from app.rulesets.arcana.rules.items import is_named
from app.rulesets.arcana.rules.objects import ONE_TARGET, may_strike
from app.rulesets.arcana.sheet.body import considered, transport, unusual

EXTRA = frozenset({"attack", "cast", "hide", "stand", "shake_off", "custom"})
SAYS = {  # forms use the same words while they are filled in
    "both": "Choose one major action or up to two minor ones, not both.",
    "three": "At most two minor actions.",
    "considered": "At most one considered movement.",
    "fp": "{spell} costs {cost} FP, and you have {left}.",
    "far": "That is too far: you can go {far} m.",
    "afraid": "You are too afraid to go any nearer.",
    "counterspell": "At most one counterspell.",
    "shake": "There is nothing you could shake off.",
    "clause": "Preparing a counterspell already counts as your condition, and you can have only one.",
    "steep": "That is too steep to walk: climb, which takes your whole cycle.",
    "prone": "While prone you can only crawl, as a major action.",
    "step": "A free step is at most {far} m.",
    "no_step": "Transport movement takes the whole cycle, so you cannot take a step before it.",
    "stance": "Evade and Brace take effect from the reveal on; they cannot wait for a condition.",
    "wall": "Full cover is in the way of that place.",
    "them": "You can use “them” only in an action that waits for the condition.",
}


FAST = "Besides a spell without a condition you can cast one more, but nothing else and no ritual."
ONE_LEFT = "You have only one of these left."
NO_WAND = "Your wand is not in your dominant hand: take it first, as a major action."


def meant(state: State, who: str, turn: Turn) -> Turn:
    """Returns the last declaration for "the same as last cycle", else the given one."""
    one = state.fighters.get(who)
    return reacting(one.last, turn.react) if turn.like == "last" and one is not None else turn


def sealed(state: State, who: str, turn: Turn) -> Turn:
    """Returns a declaration as it will be revealed: without targets or places that a spell does not take."""
    turn = _watching(state, who, meant(state, who, turn))
    major = _aimed(state, turn.major) if turn.major else None
    minors = tuple([_aimed(state, action) for action in turn.minors]) if turn.minors else ()
    extra = _aimed(state, turn.extra) if turn.extra else None
    same = (
        major is turn.major
        and extra is turn.extra
        and (not minors or all(one is other for one, other in zip(minors, turn.minors, strict=True)))
    )
    return turn if same else turn.model_copy(update={"major": major, "extra": extra, "minors": minors})


def _watching(state: State, who: str, turn: Turn) -> Turn:
    """Removes foes a sentinel does not know of now; they may have hidden since it was written (ARC-109)."""
    if not turn.react.watch:
        return turn
    watch = tuple(key for key in turn.react.watch if key in state.fighters and not state.unseen(key, who))
    if watch == turn.react.watch:
        return turn
    return reacting(turn, turn.react.model_copy(update={"watch": watch}))


def _aimed(state: State, action: Action) -> Action:
    spell = state.spell(action.spell) if action.do in ("cast", "quickspell") else None
    if action.target and action.do == "attack":
        return action.model_copy(update={"at": None}) if action.at is not None else action
    if spell is None:
        return action
    somebody, place = spell.shape.aim == "somebody", spell.shape.aim == "place"
    target = action.target if somebody else ""
    at = action.at if place or spell.throws or (somebody and not target) else None
    if target == action.target and at is action.at:
        return action
    return action.model_copy(update={"target": target, "at": at})


def check(state: State, who: str, turn: Turn) -> Faults:
    """Returns faults by field; {}: it may be sealed. Only the declarer's knowledge counts: hidden obstacles refuse
    nothing, they make the action void later."""
    if turn.like:
        faults = check(state, who, meant(state, who, turn)) if turn.like == "last" else {}
        return {"what": f"You cannot do this again. {next(iter(faults.values()))}"} if faults else {}
    one = state.fighters[who]
    if not one.able:
        free = turn.major is not None and turn.major.do == "shake_off"
        if free and one.fp < PRICE:
            return {"major.do": f"A Resist costs {PRICE} FP, and you have {one.fp}."}
        if free and not one.shakeable:
            return {"major.do": SAYS["shake"]}
        free = free and turn.extra is None
        return {} if free or not (turn.major or turn.minors or turn.extra) else {"": f"{one.body.name} cannot act now."}
    faults: Faults = {}
    if turn.major and turn.major.do == MAINTAIN:
        faults |= legal_tasks.maintain(state, one, turn)
    elif turn.major and turn.minors:
        faults["minors"] = SAYS["both"]
    if len(turn.minors) > 2:
        faults["minors"] = SAYS["three"]
    if turn.major and turn.major.do not in MAJORS:
        faults["major.do"] = "This is a minor action."
    for number, action in enumerate(turn.minors):
        if action.do == "attack" and action.quick and state.settings.quick_attack == "on":
            continue
        if action.do == "attack" and action.quick and rank(one.body, "quickloose"):
            faults |= {f"minors.{number}.{field}": words for field, words in _quickloose(one, action, turn).items()}
        elif action.do not in MINORS:
            faults[f"minors.{number}.do"] = "This takes the whole cycle: it is a major action."
    if sum(action.do == "considered" for action in turn.minors) > 1:
        faults["minors"] = SAYS["considered"]
    if sum(action.do == "counterspell" for action in turn.minors) > 1:
        faults["minors"] = SAYS["counterspell"]
    faults |= legal_tasks.check(state, one, turn)
    faults |= _extra(state, one, turn)
    for place, action in _placed(turn):
        faults |= {f"{place}.{field}": words for field, words in _action(state, who, action, turn).items()}
    faults |= _fp(state, one, turn)
    faults |= _free(state, one, turn)
    faults |= _react(one, turn.react) | _back(state, who, turn)
    return faults | _when(state, who, turn)


def _quickloose(one: Fighter, action: Action, turn: Turn) -> Faults:
    """A shot as a minor action: by skill, beside a considered movement (ARC-174)."""
    if not any(other.do == "considered" for other in turn.minors):
        return {"do": "A quick shot needs a considered movement."}
    return {} if action.weapon in quickloose(one) else {"weapon": "Choose a ranged weapon."}


def _back(state: State, who: str, turn: Turn) -> Faults:
    """Lets every attack through, to strike back (ARC-174)."""
    if turn.back is None:
        return {}
    one, target = state.fighters[who], turn.back.target
    if not rank(one.body, "instinctive_retribution"):
        return {"back.do": "This needs the skill Instinctive Retribution."}
    if turn.back.do != "attack":
        return {"back.do": "You can only strike back."}
    known = target in state.fighters and not state.unseen(target, who) and target != who
    faults = _action(state, who, turn.back.model_copy(update={"target": "", "at": (-1, -1)}), turn)
    faults.pop("at", None)
    if target and not known:
        faults["target"] = "Choose someone you know about, or nobody."
    return {f"back.{field}": words for field, words in faults.items()}


def _react(one: Fighter, react: React) -> Faults:
    """Choices in advance that need a skill (ARC-109, ARC-174, ARC-175)."""
    faults: Faults = {}
    if react.on_killing != "fell" and not rank(one.body, "merciful"):
        faults["react.on_killing"] = "This needs the skill Merciful."
    if react.on_area != "stay" and not rank(one.body, "area_dodge"):
        faults["react.on_area"] = "This needs the skill Area Dodge."
    if react.watch and not rank(one.body, "sentinel"):
        faults["react.watch"] = "This needs the skill Sentinel."
    return faults


def _extra(state: State, one: Fighter, turn: Turn) -> Faults:
    """A second major action: foreseen by a spell, a spell beside a spell, or a surge (ARC-23, ARC-174)."""
    if turn.extra is None:
        return {}
    if not right(one, turn, state.spell(turn.major.spell) if turn.major else None):
        fast = "fast_caster" in rights(one)
        return {"extra.do": FAST if fast else "You do not have a second major action now."}
    if turn.extra.do not in EXTRA:
        return {"extra.do": "You cannot combine this with anything else."}
    if turn.major and turn.major.do in (MAINTAIN, "continue", "move"):
        return {"extra.do": "Your other actions leave no room for anything else."}
    return {}


def _placed(turn: Turn) -> list[tuple[str, Action]]:
    major = [("major", turn.major)] if turn.major else []
    major += [("extra", turn.extra)] if turn.extra else []
    return [*major, *((f"minors.{number}", action) for number, action in enumerate(turn.minors))]


def _action(state: State, who: str, action: Action, turn: Turn) -> Faults:
    one = state.fighters[who]
    match action.do:
        case "attack":
            weapon = one.body.weapons.get(action.weapon)
            faults = _target(state, who, action, turn)
            if weapon is None or weapon.damage is None:
                faults["weapon"] = "Choose a weapon you have."
            elif not wields(one, action.weapon):
                faults["weapon"] = f"{weapon.name} is not in your hand: take it first, as a major action."
            if action.power > power(one.body):
                faults["power"] = f"You can give up at most {power(one.body)} accuracy for damage."
            if one.forbidden("arms"):
                faults["do"] = "You cannot move your arms."
            return faults
        case "cast" | "quickspell":
            return _cast(state, who, action, turn)
        case "counterspell":
            return _counterspell(state, who, action, turn)
        case "move" | "considered":
            return _move(state, one, action)
        case "use":
            if one.forbidden("arms"):
                return {"do": "You cannot move your arms."}
            return _use(state, who, action, turn)
        case "drop":
            return _put_down(state, who, action, turn)
        case "trade":
            return _trade(state, who, action)
        case "grapple" | "shove":
            return _grapple(state, who, action)
        case "help":
            return _help(state, who, action)
        case "use_major" if action.item == "emergency_care":
            return _care(state, who, action)
        case "use_major":
            there = action.item in draws(state, who) if action.item else bool(action.words.strip())
            return {} if there else {"item": "Choose what to take in hand, or say what you handle."}
        case "communicate":
            if one.forbidden("speech"):
                return {"do": "You cannot speak."}
            if action.target and (action.target not in state.fighters or state.unseen(action.target, who)):
                return {"target": "Choose whom to warn about: someone you know about."}
            return {} if action.words.strip() else {"words": "Enter what you tell the others."}
        case "shake_off":
            return {} if one.shakeable else {"do": SAYS["shake"]}
        case "stand":
            return {} if one.has("prone") else {"do": "You are already standing."}
        case _:
            return {}


def _counterspell(state: State, who: str, action: Action, turn: Turn) -> Faults:
    """Checks a counterspell named in advance, as far as possible before its target is known (ARC-55, ARC-56)."""
    if not action.spell:
        return {}
    faults = _cast(state, who, action.model_copy(update={"do": "quickspell"}), turn)
    one, spell = state.fighters[who], state.spell(action.spell)
    if spell is not None and (cost := price(one, spell, 0)) > one.fp:
        faults["spell"] = SAYS["fp"].format(spell=spell.name, cost=cost, left=one.fp)
    return {field: words for field, words in faults.items() if field not in ("target", "at")}


def _use(state: State, who: str, action: Action, turn: Turn) -> Faults:
    left = state.fighters[who].items.get(action.item, 0)
    if not left:
        return {"item": "Choose something you carry."}
    if _spent(turn, action.item) > left:
        return {"item": ONE_LEFT}
    if is_named(action.item) and not action.words.strip():
        return {"words": "Say what you do with it; the GM says what happens."}
    if action.target and (action.target not in state.fighters or state.unseen(action.target, who)):
        return {} if action.target == THEM else {"target": "Choose someone you know about."}
    return {}


def _put_down(state: State, who: str, action: Action, turn: Turn) -> Faults:
    one = state.fighters[who]
    if one.forbidden("arms"):
        return {"do": "You cannot move your arms."}
    if action.item not in carried(one):
        return {"item": "Choose something you carry."}
    return {"item": ONE_LEFT} if _spent(turn, action.item) > one.items.get(action.item, 1) else {}


def _spent(turn: Turn, key: str) -> int:
    """How many of an item a declaration drinks or puts down."""
    acts = [one.do for one in turn.minors if one.item == key]
    return acts.count("drop") + (0 if is_named(key) else acts.count("use"))


def _help(state: State, who: str, action: Action) -> Faults:
    """Whether the other tries anything is secret (ARC-120)."""
    other = state.fighters.get(action.target)
    there = other is not None and action.target != who and not state.unseen(action.target, who)
    return {} if there and other is not None and not other.dead else {"target": "Choose whom you help."}


def _grapple(state: State, who: str, action: Action) -> Faults:
    """Needs the setting and a known target (ARC-172)."""
    if state.settings.grappling == "off":
        return {"do": "Your group does not play with grappling and shoving."}
    if state.fighters[who].forbidden("arms"):
        return {"do": "You cannot move your arms."}
    faults = _help(state, who, action)
    if faults:
        faults["target"] = "Choose someone you know about."
    if action.choice not in ("", "back", "prone"):
        faults["choice"] = "Choose whether they fall or are pushed back."
    return faults


def _care(state: State, who: str, action: Action) -> Faults:
    """Only with the skill, and only for the dying (ARC-30)."""
    other = state.fighters.get(action.target)
    if "emergency_care" not in state.fighters[who].body.skills:
        return {"item": "This needs the skill Emergency Care."}
    dying = other is not None and not state.unseen(action.target, who) and other.has("critical")
    return {} if dying else {"target": "Choose someone within touch who is dying."}


def _trade(state: State, who: str, action: Action) -> Faults:
    """Whether the other trades too is secret; its presence and the declarer's items are not (ARC-28)."""
    other = state.fighters.get(action.target)
    faults: Faults = {}
    if other is None or action.target == who or state.unseen(action.target, who):
        faults["target"] = "Choose with whom you trade."
    elif other.dead:
        faults["target"] = "That target is already dead."
    if any(key not in carried(state.fighters[who]) for key in action.gives):
        faults["gives"] = "Choose only what you carry."
    return faults


def _object(state: State, who: str, action: Action) -> Faults:
    """An object may be the target of blows, and of spells that damage one target (ARC-79)."""
    one, spell = state.objects[action.target], state.spell(action.spell) if action.spell else None
    if one.broken:
        return {"target": f"{one.label} is already broken."}
    if spell is not None and not may_strike(spell):
        return {"target": ONE_TARGET}
    return {"target": "You cannot see it."} if state.cannot_see(who, one.at) else {}


def _target(state: State, who: str, action: Action, turn: Turn) -> Faults:
    if action.target in state.objects:
        return _object(state, who, action)
    if not action.target and action.at is not None:
        here = action.at == state.fighters[who].place
        return {"at": "You are standing there yourself."} if here else _behind(state, who, action, turn)
    if action.target in state.fighters and state.sightless(who, action.target):
        return {"target": "You cannot see them: name a place instead."}
    if action.target == THEM:
        return {} if turn.when and action in turn.guarded() else {"target": SAYS["them"]}
    other = state.fighters.get(action.target)
    if other is None or state.unseen(action.target, who):
        return {"target": "Choose someone you know about, or a place where someone may be."}
    return {"target": "That target is already dead."} if other.dead else {}


def _behind(state: State, who: str, action: Action, turn: Turn) -> Faults:
    """Refuses a place behind full cover for those who do not move; movers may come out of it (ARC-62)."""
    acts = (turn.major, turn.extra, *turn.minors)
    goes = turn.free.step is not None or any(one is not None and one.do in ("move", "considered") for one in acts)
    if goes or action.at is None or action.along or not state.walled(state.fighters[who].place, action.at):
        return {}
    return {"at": SAYS["wall"]}


def _cast(state: State, who: str, action: Action, turn: Turn) -> Faults:
    one, spell = state.fighters[who], state.spell(action.spell)
    if spell is None or spell.id not in (one.body.books if action.book else one.body.spells):
        return {"spell": "Choose a spell from your books." if action.book else "Choose a spell you know."}
    faults: Faults = {}
    if not known(one, spell, book=action.book):
        faults["spell"] = f"{spell.name} is {spell.level}; you are {one.body.school(spell.school)} in {spell.school}."
    if one.forbidden("words") and silence(one.body) is None:
        faults["do"] = "You cannot speak, and a spell needs words."
    elif spell.kind == "focus" and one.forbidden("focus"):
        faults["spell"] = "You cannot hold a Focus now."
    elif not has_wand(one):
        faults["do"] = NO_WAND if "wand" in one.body.weapons else "You have no wand."
    elif not one.body.wandless and one.forbidden("arms"):
        faults["do"] = "You cannot move your arms."
    faults |= _chosen(spell, action)
    if action.pp and action.do == "quickspell" and state.settings.quickspell_pp == "off":
        faults["pp"] = "You can use power points only for spells that take the whole cycle."
    if action.split:
        faults |= _split(state, who, spell, action)
    elif spell.shape.form in ("bolt", "being") or (spell.shape.area and spell.shape.at == "target"):
        faults |= _target(state, who, action, turn)
    elif spell.shape.at == "point" and action.at is None:
        faults["at"] = "Choose the place."
    elif spell.shape.at == "point":
        faults |= _behind(state, who, action, turn)
    return faults


def _chosen(spell: Spell, action: Action) -> Faults:
    """The choice a spell leaves to its caster; an open one takes the book's default (ARC-132, ARC-161)."""
    known = choices(spell)
    if not known or action.choice in known:
        return {}
    return {"choice": f"Choose one of these: {', '.join(known.values())}."}


def _split(state: State, who: str, spell: Spell, action: Action) -> Faults:
    """Missiles at several targets (ARC-163)."""
    if not missiles(spell, action.pp, state.fighters[who].body.level):
        return {"split": f"{spell.name} has only one target."}
    for key in action.split:
        if key in state.objects:
            if faults := _object(state, who, action.model_copy(update={"target": key})):
                return {"split": faults["target"]}
            continue
        other = state.fighters.get(key)
        if other is None or state.unseen(key, who) or state.sightless(who, key):
            return {"split": "Choose people you know about and can see."}
        if other.dead:
            return {"split": "That target is already dead."}
    return {}


def _move(state: State, one: Fighter, action: Action) -> Faults:
    if action.to is None:
        return {"to": "Choose where to go."}
    if one.still or one.forbidden("movement"):
        return {"do": "You cannot move."}
    ground = state.footing(one.place)
    if action.do == "considered":
        if one.has("prone"):
            return {"do": SAYS["prone"]}
        far = considered(one.body, state.settings, terrain=ground, encumbered=one.encumbered)
    elif action.gait == "special" or one.has("prone"):
        far = unusual(one.body, state.settings, terrain=ground, encumbered=one.encumbered)
    else:
        far = transport(one.body, terrain=ground, encumbered=one.encumbered)
    climbs = action.do == "move" and (action.gait == "special" or one.has("prone"))
    if not climbs and state.steep(one.place, action.to):
        return {"to": SAYS["steep"]}
    if within(one.place, action.to, far):
        return {} if shied(state, one, action.to) == action.to else {"to": SAYS["afraid"]}
    return {"to": SAYS["far"].format(far=f"{far / 100:g}")}


def _fp(state: State, one: Fighter, turn: Turn) -> Faults:
    left = one.fp
    for place, action in _placed(turn):
        spell = state.spell(action.spell) if action.do in ("cast", "quickspell") else None
        if spell is not None:
            cost = price(one, spell, action.pp, book=action.book)
            if cost > left:
                return {f"{place}.pp": SAYS["fp"].format(spell=spell.name, cost=cost, left=left)}
            left -= cost
    return {}


def _free(state: State, one: Fighter, turn: Turn) -> Faults:
    step = turn.free.step
    if turn.free.back and (step is not None or (turn.major and turn.major.do == "move")):
        return {"free.back": "Going back into cover is your free step."}
    if turn.free.back and not one.out:
        return {"free.back": "You have not left cover."}
    if step is None:
        return {}
    if turn.major and turn.major.do == "move":
        return {"free.step": SAYS["no_step"]}
    if one.still or one.forbidden("movement"):
        return {"free.step": "You cannot move."}
    if one.has("prone"):
        return {"free.step": SAYS["prone"]}
    far = state.settings.step
    return {} if within(one.place, step, far) else {"free.step": SAYS["step"].format(far=f"{far / 100:g}")}


def _when(state: State, who: str, turn: Turn) -> Faults:
    if turn.when is None:
        return {}
    faults = {f"when.{field}": words for field, words in _clause(state, who, turn.when).items()}
    if any(action.do == "counterspell" for action in turn.minors):
        faults["when.verb"] = SAYS["clause"]
    if not turn.guarded():
        faults["when.guards"] = "Choose what you do if it happens."
    elif turn.when.guards != "all" and turn.major:
        faults["when.guards"] = "The condition applies to the whole major action."
    elif any(action.do in STANCES for action in turn.guarded()):
        faults["when.guards"] = SAYS["stance"]
    return faults


def _clause(state: State, who: str, when: When) -> Faults:
    """The condition; free text only if the setting allows it (ARC-44)."""
    if when.verb != TEXT:
        return menu(state, who).check(clause(when))
    if state.settings.free_text_conditions == "off":
        return {"verb": "Your group chooses conditions from the lists."}
    return {} if when.words.strip() else {"words": "Describe the condition; the GM says whether it is met."}
