"""Launching: an action is committed; reach, sight and FP are judged, the casting die falls (ledger 1.4, 3-II)."""

from dataclasses import replace

from app.engine.chance import Chance
from app.engine.frozen import frozen
from app.engine.ruleset import Log
from app.rulesets.arcana import events as ev
from app.rulesets.arcana.amounts import worth
from app.rulesets.arcana.book import (
    DAMAGE,
    LEVELS,
    SCHOOL_DIE,
    STATUSES,
    Choose,
    Level,
    Missiles,
    Resistance,
    Spell,
    Weapon,
)
from app.rulesets.arcana.declarations import MAJORS, Action
from app.rulesets.arcana.facing import at_launch
from app.rulesets.arcana.flight import Flight
from app.rulesets.arcana.hands import WAND, has_wand, holding, wields
from app.rulesets.arcana.parts import Parts, ills, only, skill, swayed, total, words
from app.rulesets.arcana.skills import further, silence
from app.rulesets.arcana.space import Cell, gap2, inside, within
from app.rulesets.arcana.state import Fighter, State
from app.rulesets.arcana.tasks import accurate, ends_custom
from app.rulesets.arcana.trading import carried, half

Table = Log[State, ev.Event]
COUNTER_SLOT = 0
BEFORE = -1  # a key below every distance
BOLT = 10_000  # cm: how far what is aimed at a point or a being reaches (ARC-18)
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


def price(one: Fighter, spell: Spell, pp: int, *, book: bool = False) -> int:
    """ARC-152, ARC-154; a wand's core makes it cheaper (ARC-156), a heavy mind dearer; who is exhausted pays twice as
    much. From a book half as much again, half up (ARC-155)."""
    heavy = one.statuses.get("heavy_mind")
    core = int(one.body.core == spell.school and bool(spell.school) and WAND in holding(one))
    dv = (3 * spell.dv + 1) // 2 if book else spell.dv
    return max(1, dv + pp - core + (heavy.value if heavy else 0)) * (2 if one.tired else 1)


def upkeep(one: Fighter, spell: Spell, pp: int) -> int:
    """What it costs to keep up a Focus for another cycle (ARC-157)."""
    return price(one, spell, pp) if spell.upkeep is None else spell.upkeep


def launch(
    log: Table, who: str, slot: int, action: Action, chance: Chance, *, conditional: bool = False,
    because: tuple[int, ...] = (), held: bool = False,
) -> str:  # fmt: skip
    """Into the air, or why it came to nothing, which is told already (ARC-19). A spell that fails costs half.

    `held`: a Focus that is kept up, without a check and at the price of its upkeep (ARC-157).
    """
    one = log.state.fighters[who]
    because = because or one.said
    spell = log.state.spell(action.spell) if action.do in ("cast", "quickspell") else None
    reason = hindered(one, action, spell, held=held)
    if not reason and one.reels:
        action, reason = _reeling(log.state, one, action, spell)
    aim: _Aim | str = reason or _aim(log.state, who, action, spell)
    if isinstance(aim, str):
        void = ev.Void(who, action.do, ASK[aim], guarded=conditional)
        log.emit(void, rule="ARC-51" if conditional else "ARC-19", because=because)
        return ASK[aim]
    if slot != COUNTER_SLOT:
        at_launch(log, who, action)
    came_to = 0
    if spell is not None:
        cost = upkeep(one, spell, action.pp) if held else price(one, spell, action.pp, book=action.book)
        if one.fp < cost:
            log.emit(ev.Void(who, action.do, ASK["fp"], guarded=conditional), rule="ARC-152", because=because)
            return ASK["fp"]
        if held:
            number = log.emit(ev.Paid(who, cost), rule="ARC-157", because=because)
        else:
            ok, number, came_to = _cast(log, who, slot, spell, action, chance, because, cost, guarded=conditional)
            if not ok:
                return "the spell fails"
        because = (number,)
    using = spell.id if spell else aim.weapon.id if aim.weapon else action.item
    number = 0
    for part in _parted(aim):
        number = _launched(log, who, action, using, part, because, guarded=conditional)
        distance2 = BEFORE if slot == COUNTER_SLOT else part.distance2
        arrives, tag = _late(log.state, f"{who}/{slot}", distance2, spell)
        flight = Flight(
            who=who, slot=slot, do=action.do, action=action, conditional=conditional, targets=part.targets,
            using=using, distance2=distance2, unaware=_unaware(log.state, who), held=held, blind=part.blind,
            count=part.count, total=came_to, sure=part.sure, arrives=arrives, tag=tag, key=(distance2, 0),
            number=number,
        )  # fmt: skip
        log.emit(ev.Aloft(flight), rule="ARC-12", because=(number,))
    if spell is not None and spell.kind == "focus" and not held:
        once = action.model_copy(update={"do": "cast"})
        log.emit(ev.Focused(who, action.target, once), rule="ARC-157", because=(number,))
    return ""


def _late(state: State, label: str, distance2: int, spell: Spell | None) -> tuple[int, str]:
    """A bolt flies 100 m in a cycle: what goes farther lands in a later one, under a name of its own (ARC-18).

    That cycle and name; 0 and "" for what lands in this one.
    """
    cycles = 0
    while spell is not None and spell.shape.form == "bolt" and distance2 > (BOLT * (cycles + 1)) ** 2:
        cycles += 1
    return (state.cycle + cycles, f"{label}/c{state.cycle}") if cycles else (0, "")


def _unaware(state: State, who: str) -> tuple[str, ...]:
    """Who does not know of somebody: it hides from them, or the GM has marked them in an ambush (ARC-11, ARC-105)."""
    marked = state.unaware if state.cycle == 1 and state.settings.surprise == "hold" else ()
    if who not in state.hiders and not marked:
        return ()
    return tuple(key for key in state.enemies(who) if key in marked or state.unseen(who, key))


def _launched(
    log: Table, who: str, action: Action, using: str, aim: "_Aim", because: tuple[int, ...], *, guarded: bool
) -> int:
    """Told to all without whom it may meet; nobody else is told that (ARC-101)."""
    target = (action.target if not action.split else aim.targets[0][0]) or (aim.targets[0][0] if aim.seen else "")
    at = None if target else action.at
    far = aim.distance2 if at is None else gap2(log.state.fighters[who].place, at)
    launched = ev.Launched(who, action.do, using, target, far, at, guarded=guarded)
    return log.emit(launched, rule="ARC-12", because=because)


def hindered(one: Fighter, action: Action, spell: Spell | None, *, held: bool = False) -> str:
    """ARC-144; keeping up a Focus needs no words. Who is stunned may still shake it off with a major (ARC-10)."""
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
class _Aim:
    distance2: int = 0
    targets: tuple[tuple[str, int], ...] = ()
    weapon: Weapon | None = None
    sure: int = 0  # cm: how far the weapon is accurate
    blind: bool = False
    seen: bool = False  # aimed at a place where somebody stands in sight
    count: int = 0
    shares: tuple[int, ...] = ()  # of missiles, for each target


def _aim(state: State, who: str, action: Action, spell: Spell | None) -> _Aim | str:
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
        return aim if isinstance(aim, str) else _Aim(distance2=aim, targets=((action.target, aim),))
    if action.do == "help":
        return _help(state, action)
    if action.do == "use_major" and action.item == "emergency_care":
        aim = aim_at(state, who, action.target, state.settings.touch)
        return aim if isinstance(aim, str) else _Aim(distance2=aim, targets=((action.target, aim),))
    if action.do == "use" and action.target and action.target != who:
        aim = aim_at(state, who, action.target, state.settings.touch)
        return aim if isinstance(aim, str) else _Aim(distance2=aim, targets=((action.target, aim),))
    return _Aim(targets=((who, 0),))


def _help(state: State, action: Action) -> _Aim | str:
    """With what somebody tries in their own words, in the same instant (ARC-120)."""
    other = state.fighters.get(action.target)
    acts = (*other.turn.plain(), *other.turn.guarded()) if other is not None and other.able else ()
    tries = any(one.do in ("custom", "custom_minor") or ends_custom(other.task, one) for one in acts if other)
    return _Aim(targets=((action.target, 0),)) if tries else "help"


def surely(one: Fighter, weapon: Weapon) -> int:
    """How far somebody shoots or throws with it without disadvantage, in cm (ARC-166)."""
    return accurate(one.task, weapon, prone=one.has("prone")) + (further(one.body) if weapon.range else 0)


def farthest(one: Fighter, key: str) -> int:
    """How far somebody strikes or shoots with a weapon at all, in cm (ARC-165, ARC-166)."""
    weapon = one.body.weapons.get(key)
    return 0 if weapon is None else _farthest(weapon, surely(one, weapon))


def _farthest(weapon: Weapon, sure: int) -> int:
    return max(round(100 * weapon.reach), sure * (2 if weapon.twice else 1))


def _trade(state: State, who: str, action: Action) -> _Aim | str:
    """With somebody within touch who can trade and does (ARC-28)."""
    theirs = half(state, who, action)
    if theirs is None:
        return "trade"
    one, other = state.fighters[who], state.fighters[action.target]
    if other.reels or hindered(other, theirs, None) or not within(one.place, other.place, state.settings.touch):
        return "trade"
    far2 = gap2(one.place, other.place)
    return _Aim(distance2=far2, targets=((action.target, far2),))


def _spell(state: State, who: str, action: Action, spell: Spell) -> _Aim | str:
    place, shape = state.fighters[who].place, spell.shape
    if shape.form in ("self", "front"):
        return _Aim(targets=((who, 0),))
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
        return _Aim(distance2=gap2(place, centre))  # nobody before they move into it (ARC-160)
    facing = facing_of(state, who, action)
    hit = [
        (gap2(centre, other.place), key)
        for key, other in state.fighters.items()
        if not other.dead and inside(shape.form, metres, centre, facing, other.place)
        and not (spell.hostile and state.sheltered(key, centre))
    ]  # fmt: skip
    return _Aim(distance2=gap2(place, centre), targets=tuple((key, far) for far, key in sorted(hit)))


def reached(state: State, who: str, action: Action, spell: Spell | None) -> tuple[str, ...]:
    """Who is inside the area of a spell, as far as everybody can see; of any other spell nobody (ledger 1.6)."""
    aim = _spell(state, who, action, spell) if spell is not None and spell.shape.area else ""
    return () if isinstance(aim, str) else tuple(key for key, _ in aim.targets if key not in state.hiders)


def _reeling(state: State, one: Fighter, action: Action, spell: Spell | None) -> tuple[Action, str]:
    """Who is confused does nothing, or what aims at somebody or at a place turns on somebody else (ARC-145)."""
    if one.reels == "fails" or not (action.target or action.at or action.split):
        return action, "reels"
    place = state.fighters[one.reels].place if spell is not None and spell.shape.at == "point" else None
    turned = "" if place is not None else one.reels
    return action.model_copy(update={"target": turned, "at": place, "split": ()}), ""


def _parted(aim: _Aim) -> list[_Aim]:
    """Missiles for several targets fly each for themselves (ARC-163)."""
    if not aim.shares:
        return [aim]
    return [
        replace(aim, distance2=far, targets=((key, far),), count=count)
        for (key, far), count in zip(aim.targets, aim.shares, strict=True)
    ]


def _split(state: State, who: str, action: Action, metres: int, count: int) -> _Aim | str:
    """One missile after another for those named, in turn; at nobody: why not. What cannot be aimed is lost."""
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
    return _Aim(targets=tuple(found), shares=counts) if found else reason


def metres_of(one: Fighter, spell: Spell, pp: int) -> int:
    """How far a spell goes, or how wide it is, in cm (ARC-161)."""
    return 100 * worth(spell.shape.metres, pp=pp, level=one.body.level)


def choices(spell: Spell) -> dict[str, str]:
    """What its caster may choose between, with words; {}: nothing (ARC-132, ARC-161)."""
    if any(isinstance(one, Choose) for one in spell.effect):
        return {"misses": "the next attack on the target misses", "hits": "the target’s next attack hits"}
    if any(isinstance(one, Resistance) and not one.type for one in spell.effect):
        return {key: key for key in DAMAGE}
    return {}


def missiles(spell: Spell, pp: int, level: int) -> int:
    """How many missiles a casting has that may go to several targets; 0: none (ARC-163)."""
    return next(
        (
            max(0, worth(one.count, pp=pp, level=level))
            for one in spell.effect
            if isinstance(one, Missiles) and one.split
        ),
        0,
    )


def facing_of(state: State, who: str, action: Action) -> Cell:
    """Where a cone or a line points: to the place or the one named, else where its caster looks."""
    one = state.fighters[who]
    goal = action.at or state.place_of(action.target) or one.place
    return one.facing if goal == one.place else (goal[0] - one.place[0], goal[1] - one.place[1])


def _aimed(state: State, who: str, action: Action, far: int, weapon: Weapon | None = None, sure: int = 0) -> _Aim | str:
    """At somebody, or at a place and whoever may be there (ARC-62, ARC-90)."""
    if action.target or action.at is None:
        aim = _aim_at_target(state, who, action.target, far)
        if isinstance(aim, str):
            return aim
        return _Aim(distance2=aim, targets=((action.target, aim),), weapon=weapon, sure=sure)
    place = state.fighters[who].place
    if state.cover(who) == "full" or (not action.along and state.walled(place, action.at)):
        return "cover"
    if not action.along and not within(place, action.at, far):
        return "reach"
    there = _met(state, who, action, far)
    if there and not isinstance(aim_at(state, who, there, far), str):
        aim2 = gap2(place, state.fighters[there].place)
        return _Aim(distance2=aim2, targets=((there, aim2),), weapon=weapon, sure=sure, seen=True)
    if there and state.cover(there) == "full":
        there = ""
    aim2 = gap2(place, state.fighters[there].place if there else action.at)
    return _Aim(distance2=aim2, targets=((there, aim2),), weapon=weapon, sure=sure, blind=True)


def _met(state: State, who: str, action: Action, far: int) -> str:
    """Who is at the place, or first on the line towards it; "" for nobody."""
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
    """The squared distance to somebody or to an object, for blows and bolts, or why they cannot be aimed there.

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
    """The squared distance to somebody who can be aimed at, or why not (ARC-62)."""
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


def _cast(
    log: Table, who: str, slot: int, spell: Spell, action: Action, chance: Chance, because: tuple[int, ...],
    cost: int, *, guarded: bool,
) -> tuple[bool, int, int]:  # fmt: skip
    """The casting check, its event and what it came to; it costs half, rounded up, if it fails (ARC-148, ARC-153)."""
    one = log.state.fighters[who]
    size = SCHOOL_DIE[school(one, spell)]
    thrown, ways = swayed(one, chance, f"ARC-148/cast/{who}/{slot}", log.state.settings, size=size)
    parts = casting(one, spell)
    bonus, value = total(parts), spell.dv + action.pp
    ok = thrown.kept + bonus >= value
    checked = ev.Checked(
        who, "casting", thrown.rolls, bonus, value, ok, spell.id, thrown.kept, parts, ways, guarded=guarded
    )
    number = log.emit(checked, rule="ARC-148", because=because)
    paid = cost if ok else (cost + 1) // 2
    log.emit(ev.Paid(who, paid), rule="ARC-152" if ok else "ARC-153", because=(number,))
    return ok, number, thrown.kept + bonus


def casting(one: Fighter, spell: Spell) -> Parts:
    """What is added to the die of a casting check (ARC-148)."""
    wood = int(one.body.wood == spell.school and bool(spell.school) and WAND in holding(one))
    silent = silence(one.body) if one.forbidden("words") else 0
    more = only(("wood of the wand", wood), ("without words", silent or 0)) if wood or silent else ()
    return (*skill(one.body, spell.attr, spell.discipline), *more, *_helps(one), *ills(one))


def _helps(one: Fighter) -> Parts:
    """What is worn, and statuses that help or hinder casting (ARC-148)."""
    worn = tuple([(words(armour.id), armour.casting) for armour in one.body.worn if armour.casting])
    if not one.statuses:
        return worn
    return (*worn, *only(*((words(key), STATUSES[key].casting) for key in sorted(one.statuses))))


def known(one: Fighter, spell: Spell, *, book: bool = False) -> bool:
    """By heart or in a book that is carried, and as far advanced in its school (ARC-147, ARC-155)."""
    there = one.body.books if book else one.body.spells
    return spell.id in there and LEVELS.index(spell.level) <= LEVELS.index(school(one, spell))


def school(one: Fighter, spell: Spell) -> Level:
    """How far one has come in its school; by Wandless Magic alone one level lower (ARC-147, ARC-174)."""
    level = one.body.school(spell.school)
    bare = not one.body.wandless and "wandless_magic" in one.body.skills and WAND not in holding(one)
    return LEVELS[max(0, LEVELS.index(level) - 1)] if bare else level
