"""Launching: an action is committed; reach, sight and FP are judged, the casting die falls (ledger 1.4, 3-II)."""

from dataclasses import dataclass

from app.engine.chance import Chance
from app.engine.ruleset import Tale
from app.rulesets.arcana import events as ev
from app.rulesets.arcana.aim import throw
from app.rulesets.arcana.amounts import worth
from app.rulesets.arcana.body import TOUCH
from app.rulesets.arcana.book import LEVELS, SCHOOL_DIE, SPELLS, STATUSES, Spell, Weapon
from app.rulesets.arcana.declarations import MAJORS, Action
from app.rulesets.arcana.space import Cell, gap2, inside
from app.rulesets.arcana.state import Fighter, State

Table = Tale[State, ev.Event]
BOLT = 10_000  # cm: how far what is aimed at a point or a being reaches (ARC-18)
DRAUGHTS = ("healing_draught", "spirit_draught", "antidote")  # ARC-171
ASK = {
    "unable": "cannot act",
    "fp": "has not the FP for it any more",
    "words": "cannot speak",
    "gone": "the target is not there any more",
    "unseen": "does not see the target",
    "cover": "full cover is in the way",
    "reach": "the target is out of reach",
    "held": "is held back",
    "hand": "does not have it",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Flight:
    """Something launched, on its way to where it lands."""

    who: str
    slot: int
    do: str
    action: Action
    conditional: bool
    distance2: int  # its key: what is nearer lands earlier (ARC-14)
    targets: tuple[tuple[str, int], ...] = ()  # with the squared distance of each
    weapon: Weapon | None = None
    spell: Spell | None = None
    number: int = 0  # the event of its launch

    @property
    def label(self) -> str:
        return f"{self.who}/{self.slot}"

    @property
    def using(self) -> str:
        return self.spell.id if self.spell else self.weapon.id if self.weapon else self.action.item


def price(one: Fighter, spell: Spell, pp: int) -> int:
    """ARC-152, ARC-154; a heavy mind pays more."""
    heavy = one.statuses.get("heavy_mind")
    return spell.dv + pp + (heavy.value if heavy else 0)


def launch(
    tale: Table, who: str, slot: int, action: Action, chance: Chance, *, conditional: bool = False
) -> Flight | str:
    """The flight, or why it came to nothing, which is told already (ARC-19). A spell that fails costs half."""
    one = tale.state.fighters[who]
    spell = SPELLS.get(action.spell) if action.do in ("cast", "quickspell") else None
    reason = _hindered(one, action)
    aim: _Aim | str = reason or _aim(tale.state, who, action, spell)
    if isinstance(aim, str):
        tale.tell(ev.Void(who, action.do, ASK[aim]), rule="ARC-51" if conditional else "ARC-19")
        return ASK[aim]
    if spell is not None:
        if one.fp < price(one, spell, action.pp):
            tale.tell(ev.Void(who, action.do, ASK["fp"]), rule="ARC-152")
            return ASK["fp"]
        if not _cast(tale, who, slot, spell, action.pp, chance):
            return "the spell fails"
    using = spell.id if spell else aim.weapon.id if aim.weapon else action.item
    number = tale.tell(ev.Launched(who, action.do, using, action.target, aim.distance2), rule="ARC-12")
    return Flight(
        who=who, slot=slot, do=action.do, action=action, conditional=conditional, distance2=aim.distance2,
        targets=aim.targets, weapon=aim.weapon, spell=spell, number=number,
    )  # fmt: skip


def _hindered(one: Fighter, action: Action) -> str:
    """ARC-144. Who is stunned may still shake it off with a major (ARC-10)."""
    if action.do == "shake_off":
        return "" if any(held.value for held in one.statuses.values()) and not one.dead else "unable"
    if not one.able:
        return "unable"
    if action.do in MAJORS and one.forbidden("major"):
        return "held"
    if action.do in ("cast", "quickspell") and one.forbidden("words"):
        return "words"
    if action.do == "communicate" and one.forbidden("speech"):
        return "words"
    return ""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Aim:
    distance2: int = 0
    targets: tuple[tuple[str, int], ...] = ()
    weapon: Weapon | None = None


def _aim(state: State, who: str, action: Action, spell: Spell | None) -> _Aim | str:
    one = state.fighters[who]
    if action.do == "attack":
        weapon = one.body.weapons.get(action.weapon)
        if weapon is None or weapon.damage is None:
            return "hand"
        far = round(100 * max(weapon.reach, weapon.range * (2 if weapon.twice else 1)))
        aim = _at(state, who, action.target, far)
        return aim if isinstance(aim, str) else _Aim(distance2=aim, targets=((action.target, aim),), weapon=weapon)
    if spell is not None:
        return _spell(state, who, action, spell)
    if action.do == "use" and action.target and action.target != who:
        aim = _at(state, who, action.target, TOUCH)
        return aim if isinstance(aim, str) else _Aim(distance2=aim, targets=((action.target, aim),))
    return _Aim(targets=((who, 0),))


def _spell(state: State, who: str, action: Action, spell: Spell) -> _Aim | str:
    place, shape = state.fighters[who].place, spell.shape
    if shape.form in ("self", "front"):
        return _Aim(targets=((who, 0),))
    metres = 100 * worth(shape.metres, pp=action.pp, level=state.fighters[who].body.level)
    if not shape.area:
        aim = _at(state, who, action.target, metres)
        return aim if isinstance(aim, str) else _Aim(distance2=aim, targets=((action.target, aim),))
    centre: Cell = place
    if shape.at == "point" and action.at is not None:
        centre = action.at
    elif shape.at == "target":
        aim = _at(state, who, action.target, BOLT)
        if isinstance(aim, str):
            return aim
        centre = state.fighters[action.target].place
    if gap2(place, centre) > BOLT * BOLT:
        return "reach"
    facing = _towards(state, who, action)
    hit = [
        (gap2(centre, other.place), key)
        for key, other in state.fighters.items()
        if not other.dead and inside(shape.form, metres, centre, facing, other.place)
    ]
    hit = [(far, key) for far, key in sorted(hit) if key != who or shape.at != "caster"]
    return _Aim(distance2=gap2(place, centre), targets=tuple((key, far) for far, key in hit))


def _towards(state: State, who: str, action: Action) -> Cell:
    """Where a cone or a line points: to the place or the one named, else where its caster looks."""
    one = state.fighters[who]
    goal = action.at or (state.fighters[action.target].place if action.target in state.fighters else one.place)
    return one.facing if goal == one.place else (goal[0] - one.place[0], goal[1] - one.place[1])


def _at(state: State, who: str, target: str, far: int) -> int | str:
    """The squared distance to somebody who can be aimed at, or why not (ARC-62)."""
    other = state.fighters.get(target)
    if other is None or other.dead:
        return "gone"
    if target == who:
        return 0
    if other.unseen_by(who):
        return "unseen"
    if "full" in (state.cover(target), state.cover(who)):
        return "cover"
    distance2 = gap2(state.fighters[who].place, other.place)
    return distance2 if distance2 <= far * far else "reach"


def _cast(tale: Table, who: str, slot: int, spell: Spell, pp: int, chance: Chance) -> bool:
    """The casting check, and what it costs: half, rounded up, if it fails (ARC-148, ARC-153)."""
    one = tale.state.fighters[who]
    body, cost = one.body, price(one, spell, pp)
    size = SCHOOL_DIE[body.school(spell.school)]
    good, bad = one.dice("advantage"), one.dice("disadvantage") - int(one.has("prone"))
    thrown = throw(chance, f"ARC-148/cast/{who}/{slot}", tale.state.settings, good=good, bad=max(0, bad), size=size)
    bonus = body.mod(spell.attr) + body.bonus(spell.discipline) + sum(worn.casting for worn in body.worn)
    bonus += one.checks + sum(STATUSES[key].casting for key in one.statuses)
    ok = thrown.kept + bonus >= spell.dv + pp
    number = tale.tell(ev.Checked(who, "casting", thrown.rolls, bonus, spell.dv + pp, ok, spell.id), rule="ARC-148")
    paid = cost if ok else (cost + 1) // 2
    tale.tell(ev.Paid(who, paid), rule="ARC-152" if ok else "ARC-153", because=(number,))
    return ok


def known(one: Fighter, spell: Spell) -> bool:
    """By heart, and as far advanced in its school (ARC-147)."""
    return spell.id in one.body.spells and LEVELS.index(spell.level) <= LEVELS.index(one.body.school(spell.school))
