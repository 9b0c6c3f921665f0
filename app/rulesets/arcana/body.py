"""One combatant as the rules of a fight see them, whether from a sheet or a foe: numbers that stay through a fight.

All lengths are whole centimetres, so that "equal" and "at most" are exact.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from app.rulesets.arcana.book import ARMOUR, ATTRIBUTES, SPECIES, WEAPONS, Armour, Attribute, Level, Weapon
from app.rulesets.arcana.foes import EXPERTISE, Foe, Grade, of_grade
from app.rulesets.arcana.settings import Settings
from app.rulesets.arcana.sheets import Sheet, expertise, modifier, reached

HALF, WHOLE = 50, 100  # cm
STEP = 50  # the free step (ARC-60)
TOUCH = 100  # ARC-28


@dataclass(frozen=True, kw_only=True, slots=True)
class Body:
    key: str
    name: str
    attributes: Mapping[str, int]
    level: int = 1
    expertise: int = 2
    proficient: frozenset[str] = frozenset()
    schools: Mapping[str, Level] = field(default_factory=dict)
    spells: tuple[str, ...] = ()
    weapons: Mapping[str, Weapon] = field(default_factory=dict)
    armour: str = "casual"
    shield: str = ""
    hide: int = 0  # added to Block (ARC-173)
    speed: int = 250  # cm a cycle
    size: int = 200  # cm
    hp_max: int = 20
    fp_max: int = 20
    wandless: bool = False
    undead: bool = False
    resists: Mapping[str, int] = field(default_factory=dict)
    suffers: Mapping[str, int] = field(default_factory=dict)
    spell_resistance: int = 0
    immune_below: Level | None = None
    sneak_times: int = 0

    def mod(self, key: Attribute) -> int:
        return modifier(self.attributes[key])

    def bonus(self, *names: str) -> int:
        """E, once, if proficient in any of these (ARC-119)."""
        return self.expertise if self.proficient.intersection(names) else 0

    @property
    def worn(self) -> tuple[Armour, ...]:
        return tuple(ARMOUR[key] for key in (self.armour, self.shield) if key)

    @property
    def heavy(self) -> bool:
        """Anything more than ordinary cloth (ARC-65)."""
        return ARMOUR[self.armour].group in ("light", "medium", "heavy")

    @property
    def at_home_in_armour(self) -> bool:
        """Medium and heavy armour needs its proficiency (ARC-75, ARC-169)."""
        group = ARMOUR[self.armour].group
        return group in ("clothing", "light") or group in self.proficient

    @property
    def passive_perception(self) -> int:
        """ARC-97."""
        return 10 + self.mod("PER") + self.bonus("Observation")

    @property
    def resist_dv(self) -> int:
        """ARC-123."""
        return 6 + self.expertise + self.mod("POW")

    def school(self, key: str) -> Level:
        return reached(self.level, self.schools.get(key, "beginner"))


def of_sheet(key: str, sheet: Sheet) -> Body:
    kin = SPECIES[sheet.species]
    return Body(
        key=key,
        name=sheet.name,
        attributes={one: sheet.attributes.of(one) for one in ATTRIBUTES},
        level=sheet.level,
        expertise=sheet.expertise,
        proficient=frozenset(sheet.proficient),
        schools=dict(sheet.schools),
        spells=sheet.spells,
        weapons={one: WEAPONS[one] for one in ("unarmed", *sheet.weapons)},
        armour=sheet.armour,
        shield=sheet.shield,
        speed=round(kin.speed * 100),
        size=round(kin.size * 100),
        hp_max=sheet.hp_max,
        fp_max=sheet.fp_max,
        wandless=kin.wandless,
        undead=kin.undead,
        suffers=dict(kin.suffers),
    )


def of_foe(key: str, foe: Foe, grade: Grade = "standard", name: str = "") -> Body:
    """Proficient with its natural weapons; a caster of the list has its own level and E (ARC-173)."""
    scores: dict[str, int] = {one: of_grade(foe.attributes[one], grade) for one in ATTRIBUTES}
    return Body(
        key=key,
        name=name or foe.name,
        attributes=scores,
        level=foe.level,
        expertise=EXPERTISE[grade] if foe.attacks else expertise(foe.level),
        proficient=frozenset({"natural", *foe.proficient}),
        schools=dict(foe.schools),
        spells=foe.spells,
        weapons=foe.arms(grade),
        hide=of_grade(foe.hide, grade) // 4,
        speed=round(foe.speed * 100),
        size=round(foe.size * 100),
        hp_max=of_grade(foe.hp, grade),
        fp_max=scores["SPR"],
        undead=foe.undead,
        resists=dict(foe.resists),
        suffers=dict(foe.suffers),
        spell_resistance=foe.spell_resistance,
        immune_below=foe.immune_below,
        sneak_times=foe.sneak_times,
    )


def transport(body: Body, *, terrain: int = 100, encumbered: bool = False, more: int = 0) -> int:
    """How far a whole cycle of movement goes, in cm (ARC-64, ARC-65, ARC-68).

    `terrain` is percent; `more` is added to the Speed bonus by spells.
    """
    return _down(_allowance(body, terrain, encumbered, more), WHOLE if body.heavy else HALF)


def considered(body: Body, settings: Settings, *, terrain: int = 100, encumbered: bool = False, more: int = 0) -> int:
    """How far the minor movement goes (ARC-67)."""
    if settings.considered_rounding == "halve_then_round":
        return _down(_allowance(body, terrain, encumbered, more) / 2, WHOLE if body.heavy else HALF)
    whole = transport(body, terrain=terrain, encumbered=encumbered, more=more)
    return _down(Fraction(whole, 2), HALF)


def special(body: Body, *, terrain: int = 100, encumbered: bool = False) -> int:
    """Climbing, crawling, swimming: half, halved after rounding (ARC-25)."""
    return _down(Fraction(transport(body, terrain=terrain, encumbered=encumbered), 2), HALF)


def _allowance(body: Body, terrain: int, encumbered: bool, more: int) -> Fraction:
    bonus = body.bonus("Speed") + more
    plain = body.speed + 50 * (body.mod("ATH") + bonus)
    return max(Fraction(0), Fraction(plain * terrain, 100) / (4 if encumbered else 1))


def _down(length: Fraction | int, step: int) -> int:
    return int(length // step) * step
