"""A combatant's current options, with numbers and reasons: for forms and for the map (ARC-08)."""

from dataclasses import dataclass, field
from typing import Literal

from app.rulesets.arcana.fight.casting import chance, choices, known, missiles, price, upkeep
from app.rulesets.arcana.fight.hands import draws, has_wand, holding, wields
from app.rulesets.arcana.fight.skills import further, power, quickloose, rights, silence
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.fight.targeting import BOLT
from app.rulesets.arcana.fight.tasks import DON, name_of
from app.rulesets.arcana.fight.trading import carried
from app.rulesets.arcana.rules.amounts import worth
from app.rulesets.arcana.rules.book import ARMOUR, MATERIALS, Spell
from app.rulesets.arcana.rules.items import DRAUGHTS
from app.rulesets.arcana.sheet.body import considered, transport, unusual


@dataclass(frozen=True, slots=True)
class SpellCan:
    """A known spell: its price without power points, and why it cannot be cast now; "" if it can."""

    id: str
    name: str
    price: int
    chance: float  # of its casting check without power points, from 0 to 1
    dv: int
    why_not: str
    aim: str  # "somebody", "place", "none"
    reach: int  # cm
    area: str  # the form of its area, "" for none
    wide: int  # cm
    hostile: bool
    spell: Spell
    choices: dict[str, str]  # the options of its caster
    split: bool  # its missiles may go to several targets


@dataclass(frozen=True, slots=True)
class WeaponCan:
    id: str
    name: str
    reach: int  # cm
    range: int  # cm; 0: melee only
    damage: str


@dataclass(frozen=True, slots=True)
class Going:
    """A Focus or a task under way: the action that continues it, its price for this cycle and its progress."""

    do: Literal["maintain", "continue"]
    what: str  # focus, book, ritual, don, aim, custom
    name: str
    target: str
    price: int
    done: int = 0
    cycles: int = 0  # 0: as long as it is kept up
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Can:
    """The options of a combatant; lengths in cm. `why_not`: the reason by action that is not possible now."""

    who: str
    able: bool
    step: int
    considered: int
    transport: int
    special: int
    spells: tuple[SpellCan, ...]
    weapons: tuple[WeaponCan, ...]
    items: tuple[str, ...]
    extra: bool  # has one more major action now (ARC-23)
    why_not: dict[str, str]
    extra_by: str = ""  # its source, in words
    counts: dict[str, int] = field(default_factory=dict)  # by id of `items`
    draws: dict[str, str] = field(default_factory=dict)  # what use_major can take in hand, by id and name
    gives: dict[str, str] = field(default_factory=dict)  # what a trade may give, by id and name
    quick: tuple[str, ...] = ()  # weapons that may attack as a minor action (ARC-38, ARC-174)
    strikes: bool = False  # all of them may, with any other action
    power: int = 0  # the accuracy that may be given up for damage (ARC-174)
    hands: tuple[str, str] = ("", "")  # the dominant one and the other
    going: Going | None = None  # the Focus or task under way
    books: tuple[SpellCan, ...] = ()  # castable from a book, two majors in a row (ARC-155)
    wardrobe: dict[str, str] = field(default_factory=dict)  # armour to change into, with name and cycles (ARC-27)
    aims: dict[str, str] = field(default_factory=dict)  # weapons that shoot farther with aim, by id and name


BY = {
    "foreseen": "A spell has foreseen it.", "fast_caster": "Fast Caster: a second spell.",
    "surge": "Surge: once between two long rests.",
}  # fmt: skip


def can(state: State, who: str) -> Can:
    one = state.fighters[who]
    stuck = one.still or one.forbidden("movement")
    slow, ground = one.encumbered, state.footing(one.place)
    return Can(
        who=who,
        able=one.able,
        step=0 if stuck else state.settings.step,
        considered=0
        if stuck or one.has("prone")
        else considered(one.body, state.settings, terrain=ground, encumbered=slow),
        transport=0 if stuck or one.has("prone") else transport(one.body, terrain=ground, encumbered=slow),
        special=0 if stuck else unusual(one.body, state.settings, terrain=ground, encumbered=slow),
        spells=tuple(_spell(state, one, spell) for key in one.body.spells if (spell := state.spell(key))),
        weapons=tuple(_weapon(key, one) for key, arm in one.body.weapons.items() if arm.damage and wields(one, key)),
        items=tuple(key for key, count in sorted(one.items.items()) if count),
        extra=bool(rights(one)),
        extra_by=" ".join(BY[one] for one in rights(one)),
        counts=dict(one.items),
        draws=draws(state, who) | ({"emergency_care": "Emergency Care"} if "emergency_care" in one.body.skills else {}),
        gives={key: _thing(one, key) for key in carried(one)},
        hands=holding(one),
        going=going(state, one),
        books=tuple(_spell(state, one, spell, book=True) for key in one.body.books if (spell := state.spell(key))),
        wardrobe={
            key: f"{ARMOUR[key].name}, {DON[ARMOUR[key].group]} cycles"
            for key in ("casual", *one.body.wardrobe)
            if key != one.body.armour
        },
        aims={key: arm.name for key, arm in one.body.weapons.items() if arm.aims},
        power=power(one.body),
        quick=tuple(key for key in _quick(state, one) if wields(one, key)),
        strikes=state.settings.quick_attack == "on",
        why_not=_why_not(one, stuck),
    )


def _quick(state: State, one: Fighter) -> tuple[str, ...]:
    if state.settings.quick_attack == "on":
        return tuple(key for key, arm in one.body.weapons.items() if arm.damage)
    return quickloose(one)


def _thing(one: Fighter, key: str) -> str:
    return one.body.weapons[key].name if key in one.body.weapons else DRAUGHTS.get(key, key)


def going(state: State, one: Fighter) -> Going | None:
    """Returns the Focus or task under way and its price for the next cycle; None: there is none (ARC-27, ARC-157)."""
    if one.focus is not None and (spell := state.spell(one.focus.spell)) is not None:
        action, cost = one.focus.action, upkeep(one, spell, one.focus.action.pp)
        why = f"It costs {cost} FP, and you have {one.fp}." if cost > one.fp else ""
        return Going("maintain", "focus", one.focus.spell, action.target, cost, why_not=why)
    if (task := one.task) is None:
        return None
    spell, last = state.spell(task.action.spell), task.done + 1 >= task.cycles
    cost = price(one, spell, task.action.pp, book=task.action.book) if spell is not None and last else 0
    return Going("continue", task.what, name_of(task), task.action.target, cost, task.done, task.cycles)


def _why_not(one: Fighter, stuck: bool) -> dict[str, str]:
    found: dict[str, str] = {}
    if one.forbidden("arms"):
        found["attack"] = "You cannot move your arms."
    if stuck:
        found["move"] = found["considered"] = "You cannot move."
    if one.forbidden("speech"):
        found["communicate"] = "You cannot speak."
    if not one.has("prone"):
        found["stand"] = "You are already standing."
    if not one.shakeable:
        found["shake_off"] = "Nothing holds you that you could shake off."
    return found


def _spell(state: State, one: Fighter, spell: Spell, *, book: bool = False) -> SpellCan:
    cost = price(one, spell, 0, book=book)
    why = ""
    if not known(one, spell, book=book):
        why = f"It is {spell.level}; you are {one.body.school(spell.school)} in {spell.school}."
    elif one.forbidden("words") and silence(one.body) is None:
        why = "You cannot speak, and a spell needs words."
    elif not has_wand(one):
        why = "Your wand is not in your dominant hand." if "wand" in one.body.weapons else "You have no wand."
    elif cost > one.fp:
        why = f"It costs {cost} FP, and you have {one.fp}."
    shape = spell.shape
    metres = 100 * worth(shape.metres, pp=0, level=one.body.level)
    reach = BOLT if shape.area and shape.at != "caster" else metres
    area = shape.form if shape.area else ""
    return SpellCan(
        spell.id,
        spell.name,
        cost,
        chance(one, spell, 0, state.settings),
        spell.dv,
        why,
        shape.aim,
        reach,
        area,
        metres if area else 0,
        spell.hostile,
        spell,
        choices(spell),
        bool(missiles(spell, 0, one.body.level)),
    )


def _weapon(key: str, one: Fighter) -> WeaponCan:
    arm = one.body.weapons[key]
    dice = arm.damage
    assert dice is not None
    flat = f" + {dice.flat}" if dice.flat not in ("", "0") else ""
    made = MATERIALS[arm.material]
    flat += f" {'+' if made > 0 else '−'} {abs(made)}" if made else ""
    fixed = f"{dice.n}{flat}".removeprefix("0 + ")
    words = f"{dice.n}d{dice.d}{flat} {dice.type}" if dice.d > 1 else f"{fixed} {dice.type}"
    return WeaponCan(
        key, arm.name, round(100 * arm.reach), round(100 * arm.range) + (further(one.body) if arm.range else 0), words
    )
