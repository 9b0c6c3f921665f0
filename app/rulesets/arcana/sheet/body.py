"""A combatant's numbers that do not change during a fight, from a sheet or a foe.

All lengths are whole centimetres, so that "equal" and "at most" are exact.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import PlainSerializer

from app.rulesets.arcana.rules.book import ARMOUR, ATTRIBUTES, SPECIES, WEAPONS, Armour, Attribute, Level, Weapon
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.foes import EXPERTISE, Foe, Grade, of_grade
from app.rulesets.arcana.sheet.sheets import Sheet, expertise, modifier, reached

HALF, WHOLE = 50, 100  # cm
MOBILE = 100  # cm a cycle (ARC-174)


@dataclass(frozen=True, kw_only=True, slots=True)
class Body:
    key: str
    name: str
    attributes: Mapping[str, int]
    level: int = 1
    expertise: int = 2
    proficient: Annotated[frozenset[str], PlainSerializer(sorted, return_type=list[str])] = frozenset()
    schools: Mapping[str, Level] = field(default_factory=dict)
    spells: tuple[str, ...] = ()
    books: tuple[str, ...] = ()  # spells that may be cast from a book (ARC-155)
    studied: Mapping[str, int] = field(default_factory=dict)  # how often each was cast from a book
    wardrobe: tuple[str, ...] = ()  # armour carried along, to change into (ARC-27)
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
    uses: Mapping[str, int] = field(default_factory=dict)  # added to checks that name these proficiencies
    spell_resistance: int = 0
    immune_below: Level | None = None
    wood: str = ""  # the school in which its wand adds 1 to casting checks (ARC-156)
    core: str = ""  # the school in which its wand makes spells cheaper
    skills: Mapping[str, int] = field(default_factory=dict)  # ranks by skill (ARC-174)
    sneak_times: int = 0
    humanoid: bool = True
    fears_silver: bool = False
    catastrophic: int = 0  # sides of its critical dice, whose faces multiply; 0: the usual critical dice (ARC-113)
    lent: Mapping[str, int] = field(default_factory=dict)  # additions by spells to attributes and to speed

    def mod(self, key: Attribute) -> int:
        return modifier(max(0, self.attributes[key] + self.lent.get(key, 0)))

    def bonus(self, *names: str) -> int:
        """Returns E, once, if proficient in any of these, else 0 (ARC-119)."""
        return 0 if self.proficient.isdisjoint(names) else self.expertise

    @property
    def worn(self) -> tuple[Armour, ...]:
        if self.armour and not self.shield:
            return (ARMOUR[self.armour],)
        return tuple(ARMOUR[key] for key in (self.armour, self.shield) if key)

    @property
    def heavy(self) -> bool:
        """Whether the armour is heavier than ordinary cloth (ARC-65)."""
        return ARMOUR[self.armour].group in ("light", "medium", "heavy")

    @property
    def at_home_in_armour(self) -> bool:
        """Whether the armour needs no proficiency that is missing; medium and heavy need theirs (ARC-75, ARC-169)."""
        group = ARMOUR[self.armour].group
        return group in ("clothing", "light") or group in self.proficient

    @property
    def passive_perception(self) -> int:
        """Passive perception (ARC-97)."""
        return 10 + self.mod("PER") + self.bonus("Observation")

    @property
    def uses_to_learn(self) -> int:
        """How many casts from its book it takes to know a spell by heart (ARC-155)."""
        return max(1, 6 - self.mod("INT"))

    @property
    def resist_dv(self) -> int:
        """RDV (ARC-123)."""
        return 6 + self.expertise + self.mod("POW")

    def school(self, key: str) -> Level:
        return reached(self.level, self.schools.get(key, "beginner"))


def of_sheet(key: str, sheet: Sheet) -> Body:
    kin = SPECIES[sheet.species]
    taught = (("wandwork", "wand"), ("ironclad", ARMOUR[sheet.armour].group))  # ARC-174
    more = {name for skill, name in taught if sheet.rank(skill)}
    return Body(
        key=key,
        name=sheet.name,
        attributes={one: sheet.attributes.of(one) for one in ATTRIBUTES},
        level=sheet.level,
        expertise=sheet.expertise,
        proficient=frozenset(sheet.proficient) | more,
        schools=dict(sheet.schools),
        spells=sheet.spells,
        books=sheet.books,
        studied=dict(sheet.studied),
        wardrobe=sheet.wardrobe,
        weapons={"unarmed": WEAPONS["unarmed"]} | sheet.arms,
        armour=sheet.armour,
        shield=sheet.shield,
        speed=round(kin.speed * 100) + MOBILE * sheet.rank("mobile"),
        size=round(kin.size * 100),
        hp_max=sheet.hp_max,
        fp_max=sheet.fp_max,
        wandless=kin.wandless,
        undead=kin.undead,
        fears_silver=kin.silver,
        catastrophic=2 + 2 * min(3, ranks) if (ranks := sheet.rank("catastrophic_critical")) else 0,
        suffers=dict(kin.suffers),
        uses=dict(kin.uses),
        wood=sheet.wood,
        core=sheet.core,
        skills={one: sheet.rank(one) for one in sorted(set(sheet.skills))},
    )


def of_foe(key: str, foe: Foe, grade: Grade = "standard", name: str = "") -> Body:
    """Returns a foe's body, proficient with its natural weapons. A caster uses its own level's E (ARC-173)."""
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
        humanoid=foe.humanoid,
        resists=dict(foe.resists),
        suffers=dict(foe.suffers),
        spell_resistance=foe.spell_resistance,
        immune_below=foe.immune_below,
        sneak_times=foe.sneak_times,
    )


def transport(body: Body, *, terrain: int = 100, encumbered: bool = False, more: int = 0) -> int:
    """Returns how far a whole cycle of movement goes, in cm (ARC-64, ARC-65, ARC-68).

    `terrain` is percent; `more` is added to the Speed bonus by spells.
    """
    return _down(*_allowance(body, terrain, encumbered, more), WHOLE if body.heavy else HALF)


def considered(body: Body, settings: Settings, *, terrain: int = 100, encumbered: bool = False, more: int = 0) -> int:
    """Returns how far a considered movement goes, in cm (ARC-67)."""
    if settings.considered_rounding == "halve_then_round":
        plain, part = _allowance(body, terrain, encumbered, more)
        return _down(plain, 2 * part, WHOLE if body.heavy else HALF)
    whole = transport(body, terrain=terrain, encumbered=encumbered, more=more)
    return _down(whole, 2, HALF)


def special(body: Body, *, terrain: int = 100, encumbered: bool = False) -> int:
    """Returns how far climbing, crawling or swimming goes, in cm: half, halved after rounding (ARC-25)."""
    return _down(transport(body, terrain=terrain, encumbered=encumbered), 2, HALF)


def unusual(body: Body, settings: Settings, *, terrain: int = 100, encumbered: bool = False) -> int:
    """Returns the limit for declared climbing, crawling and swimming; as on foot if the GM decides it (ARC-25)."""
    far = transport if settings.special_gait == "by_gm" else special
    return far(body, terrain=terrain, encumbered=encumbered)


def _allowance(body: Body, terrain: int, encumbered: bool, more: int) -> tuple[int, int]:
    """The distance before rounding, as a fraction: numerator and denominator."""
    bonus = body.bonus("Speed") + more + body.lent.get("speed_proficiency", 0)
    plain = body.speed + 50 * (body.mod("ATH") + bonus)
    return max(0, plain * terrain), 400 if encumbered else 100


def _down(over: int, under: int, step: int) -> int:
    """A fraction of cm, rounded down to whole steps."""
    return over // (under * step) * step
