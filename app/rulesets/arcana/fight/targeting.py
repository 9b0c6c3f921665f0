"""Targeting: whether an action can be launched, and its targets, by reach, sight and cover (ARC-19, ARC-62)."""

from app.engine.frozen import frozen
from app.rulesets.arcana.fight.casting import metres_of, missiles
from app.rulesets.arcana.fight.declarations import MAJORS, Action
from app.rulesets.arcana.fight.hands import has_wand, wields
from app.rulesets.arcana.fight.skills import further, silence
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.fight.tasks import accurate, ends_custom
from app.rulesets.arcana.fight.trading import carried, half
from app.rulesets.arcana.rules.book import (
    Spell,
    Weapon,
)
from app.rulesets.arcana.rules.grid import Cell, gap2, inside, within

BOLT = 10_000  # cm: the maximum range of anything aimed at a point or a being (ARC-18)
CASTING = frozenset({"cast", "quickspell"})
GRAPPLES = frozenset({"grapple", "shove"})  # ARC-172
WITH_HANDS = CASTING | GRAPPLES | {"attack", "use", "use_major", "drop", "trade"}
ASK = {
    "unable": "cannot act",
    "fp": "has not the FP for it any more",
    "words": "cannot speak",
    "gone": "the target is not there any more",
    "unseen": "does not see the target",
    "cover": "full cover is in the way",
    "reach": "the target is out of reach",
    "held": "is held back",
    "reels": "is too confused for it",
    "stands": "the target has not moved",
    "hand": "does not have it in hand",
    "trade": "the other does not trade with them there",
    "none": "there is none",
    "help": "the other tries nothing to help with",
    "focus": "cannot hold a Focus",
    "unaimed": "nothing is aimed at them any more",
}


def hindered(one: Fighter, action: Action, spell: Spell | None, *, held: bool = False) -> str:
    """Returns why a combatant cannot do an action, as a key of `ASK`; "": it can (ARC-144). Keeping up a Focus needs no
    words. A stunned combatant may still shake it off with a major (ARC-10)."""
    if action.do == "shake_off":
        return "" if one.shakeable and not one.dead else "unable"
    if not one.able:
        return "unable"
    if action.do in MAJORS and one.forbidden("major"):
        return "held"
    if action.do in WITH_HANDS and one.forbidden("arms") and not (one.body.wandless and action.do in CASTING):
        return "held"
    if action.do in ("cast", "quickspell") and one.forbidden("words") and silence(one.body) is None and not held:
        return "words"
    if action.do == "communicate" and one.forbidden("speech"):
        return "words"
    if spell is not None and not held and not has_wand(one):
        return "hand"
    if spell is not None and spell.kind == "focus" and one.forbidden("focus"):
        return "focus"
    return ""


@frozen(kw_only=True)
class Aim:
    distance2: int = 0
    targets: tuple[tuple[str, int], ...] = ()
    weapon: Weapon | None = None
    sure: int = 0  # cm: the accurate range of the weapon
    blind: bool = False
    seen: bool = False  # aimed at a place with a visible combatant
    count: int = 0
    shares: tuple[int, ...] = ()  # of missiles, for each target


def find_aim(state: State, who: str, action: Action, spell: Spell | None) -> Aim | str:
    one = state.fighters[who]
    if action.do == "attack":
        weapon = one.body.weapons.get(action.weapon)
        if weapon is None or weapon.damage is None or not wields(one, action.weapon):
            return "hand"
        sure = surely(one, weapon)
        return _aimed(state, who, action, _farthest(weapon, sure), weapon, sure)
    if spell is not None:
        return _spell(state, who, action, spell)
    if (action.do == "use" and not one.items.get(action.item)) or (
        action.do == "drop" and action.item not in carried(one)
    ):
        return "none"
    if action.do == "trade":
        return _trade(state, who, action)
    if action.do in GRAPPLES:
        aim = aim_at(state, who, action.target, state.settings.touch)
        return aim if isinstance(aim, str) else Aim(distance2=aim, targets=((action.target, aim),))
    if action.do == "help":
        return _help(state, action)
    if action.do == "use_major" and action.item == "emergency_care":
        aim = aim_at(state, who, action.target, state.settings.touch)
        return aim if isinstance(aim, str) else Aim(distance2=aim, targets=((action.target, aim),))
    if action.do == "use" and action.target and action.target != who:
        aim = aim_at(state, who, action.target, state.settings.touch)
        return aim if isinstance(aim, str) else Aim(distance2=aim, targets=((action.target, aim),))
    return Aim(targets=((who, 0),))


def _help(state: State, action: Action) -> Aim | str:
    """Helps with an improvised action of the same instant (ARC-120)."""
    other = state.fighters.get(action.target)
    acts = (*other.turn.plain(), *other.turn.guarded()) if other is not None and other.able else ()
    tries = any(one.do in ("custom", "custom_minor") or ends_custom(other.task, one) for one in acts if other)
    return Aim(targets=((action.target, 0),)) if tries else "help"


def surely(one: Fighter, weapon: Weapon) -> int:
    """Returns the range of a weapon without disadvantage, in cm (ARC-166)."""
    return accurate(one.task, weapon, prone=one.has("prone")) + (further(one.body) if weapon.range else 0)


def farthest(one: Fighter, key: str) -> int:
    """Returns the maximum range of a weapon, in cm (ARC-165, ARC-166)."""
    weapon = one.body.weapons.get(key)
    return 0 if weapon is None else _farthest(weapon, surely(one, weapon))


def _farthest(weapon: Weapon, sure: int) -> int:
    return max(round(100 * weapon.reach), sure * (2 if weapon.twice else 1))


def _trade(state: State, who: str, action: Action) -> Aim | str:
    """With a combatant within touch who can trade and does (ARC-28)."""
    theirs = half(state, who, action)
    if theirs is None:
        return "trade"
    one, other = state.fighters[who], state.fighters[action.target]
    if other.reels or hindered(other, theirs, None) or not within(one.place, other.place, state.settings.touch):
        return "trade"
    far2 = gap2(one.place, other.place)
    return Aim(distance2=far2, targets=((action.target, far2),))


def _spell(state: State, who: str, action: Action, spell: Spell) -> Aim | str:
    place, shape = state.fighters[who].place, spell.shape
    if shape.form in ("self", "front"):
        return Aim(targets=((who, 0),))
    metres = metres_of(state.fighters[who], spell, action.pp)
    if spell.requires == "moved" and action.target in state.fighters and state.fighters[action.target].came is None:
        return "stands"
    if not shape.area:
        if action.split:
            return _split(state, who, action, metres, missiles(spell, action.pp, state.fighters[who].body.level))
        return _aimed(state, who, action, metres)
    centre: Cell = place
    if shape.at == "point" and action.at is not None:
        centre = action.at
    elif shape.at == "target":
        aim = aim_at(state, who, action.target, BOLT)
        if isinstance(aim, str):
            return aim
        centre = state.fighters[action.target].place
    if state.walled(place, centre) or (spell.hostile and state.cover(who) == "full"):
        return "cover"
    if gap2(place, centre) > BOLT * BOLT:
        return "reach"
    if spell.kind == "ward":
        return Aim(distance2=gap2(place, centre))  # no targets until they move into it (ARC-160)
    facing = facing_of(state, who, action)
    hit = [
        (gap2(centre, other.place), key)
        for key, other in state.fighters.items()
        if not other.dead and inside(shape.form, metres, centre, facing, other.place)
        and not (spell.hostile and state.sheltered(key, centre))
    ]  # fmt: skip
    return Aim(distance2=gap2(place, centre), targets=tuple((key, far) for far, key in sorted(hit)))


def reached(state: State, who: str, action: Action, spell: Spell | None) -> tuple[str, ...]:
    """Returns those inside a spell's area, as far as everyone can see; for other spells none (ledger 1.6)."""
    aim = _spell(state, who, action, spell) if spell is not None and spell.shape.area else ""
    return () if isinstance(aim, str) else tuple(key for key, _ in aim.targets if key not in state.hiders)


def _split(state: State, who: str, action: Action, metres: int, count: int) -> Aim | str:
    """Deals the missiles to the named targets in turn; those that cannot be aimed are lost. If all are, the reason."""
    found: list[tuple[str, int]] = []
    shares = [action.split[n % len(action.split)] for n in range(count)]
    reason = "gone"
    for key in sorted(set(shares)):
        aim = _aim_at_target(state, who, key, metres)
        if isinstance(aim, str):
            reason = aim
        else:
            found.append((key, aim))
    counts = tuple(shares.count(key) for key, _ in found)
    return Aim(targets=tuple(found), shares=counts) if found else reason


def facing_of(state: State, who: str, action: Action) -> Cell:
    """Returns the direction of a cone or line: to the place or target, else its caster's facing."""
    one = state.fighters[who]
    goal = action.at or state.place_of(action.target) or one.place
    return one.facing if goal == one.place else (goal[0] - one.place[0], goal[1] - one.place[1])


def _aimed(state: State, who: str, action: Action, far: int, weapon: Weapon | None = None, sure: int = 0) -> Aim | str:
    """Aims at a target, or at a place and any combatant there (ARC-62, ARC-90)."""
    if action.target or action.at is None:
        aim = _aim_at_target(state, who, action.target, far)
        if isinstance(aim, str):
            return aim
        return Aim(distance2=aim, targets=((action.target, aim),), weapon=weapon, sure=sure)
    place = state.fighters[who].place
    if state.cover(who) == "full" or (not action.along and state.walled(place, action.at)):
        return "cover"
    if not action.along and not within(place, action.at, far):
        return "reach"
    there = _met(state, who, action, far)
    if there and not isinstance(aim_at(state, who, there, far), str):
        aim2 = gap2(place, state.fighters[there].place)
        return Aim(distance2=aim2, targets=((there, aim2),), weapon=weapon, sure=sure, seen=True)
    if there and state.cover(there) == "full":
        there = ""
    aim2 = gap2(place, state.fighters[there].place if there else action.at)
    return Aim(distance2=aim2, targets=((there, aim2),), weapon=weapon, sure=sure, blind=True)


def _met(state: State, who: str, action: Action, far: int) -> str:
    """The combatant at the place, or first on the line towards it; "": none."""
    place, at = state.fighters[who].place, action.at or (0, 0)
    facing = (at[0] - place[0], at[1] - place[1])
    there = [
        (gap2(place, one.place), key)
        for key, one in state.fighters.items()
        if key != who and not one.dead and not state.walled(place, one.place)
        and (one.place == at or (action.along and inside("line", far, place, facing, one.place)))
    ]  # fmt: skip
    return min(there)[1] if there else ""


def _aim_at_target(state: State, who: str, target: str, far: int) -> int | str:
    """The squared distance to a combatant or object, for blows and bolts, or why it cannot be aimed at.

    Cover in the cell of an object does not cover the object (ARC-79).
    """
    if target not in state.objects:
        return aim_at(state, who, target, far)
    one, other = state.fighters[who], state.objects[target]
    if other.broken:
        return "gone"
    if state.cannot_see(who, other.at):
        return "unseen"
    if state.cover(who) == "full" or state.walled(one.place, other.at):
        return "cover"
    return gap2(one.place, other.at) if within(one.place, other.at, far) else "reach"


def aim_at(state: State, who: str, target: str, far: int) -> int | str:
    """Returns the squared distance to a combatant, or why it cannot be aimed at (ARC-62)."""
    other = state.fighters.get(target)
    if other is None or other.dead:
        return "gone"
    if target == who:
        return 0
    if state.unseen(target, who) or state.sightless(who, target):
        return "unseen"
    if "full" in (state.cover(target), state.cover(who)) or state.walled(state.fighters[who].place, other.place):
        return "cover"
    distance2 = gap2(state.fighters[who].place, other.place)
    return distance2 if distance2 <= far * far else "reach"
