"""Characters between fights: attributes, proficiencies, spells and derived numbers (ARC-116 to ARC-123)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic.config import JsonDict
from pydantic_core import InitErrorDetails, PydanticCustomError

from app.engine.chance import Chance, Roll
from app.engine.form_fields import EMPTY_AS_ZERO, blank_as
from app.engine.frozen import frozen
from app.rulesets.arcana.rules.book import (
    ARMOUR,
    ATTRIBUTES,
    LEVELS,
    SCHOOLS,
    SKILLS,
    SPECIES,
    SPELLS,
    STATUSES,
    WEAPONS,
    Attribute,
    Level,
    Material,
    Weapon,
    made_of,
)  # fmt: skip
from app.rulesets.arcana.rules.items import Carried, Count, merged, misnamed
from app.rulesets.arcana.rules.labels import among
from app.rulesets.arcana.rules.schema import SKILLED

WEAPON_CLASSES = (
    "simple", "bladed", "brutish", "reach", "exotic", "simple ranged", "ranged", "firearms", "unarmed", "wand",
)  # fmt: skip
ARMOUR_CLASSES = ("clothing", "light", "medium", "heavy")
DISCIPLINES = tuple(name for school in SCHOOLS.values() for name in school)
PROFICIENCIES = (*(one for ones in SKILLED.values() for one in ones), *WEAPON_CLASSES, *ARMOUR_CLASSES, *DISCIPLINES)
ARRAY = (13, 12, 11, 10, 9, 9, 8)
"""The numbers to assign instead of rolling: about the average best seven of ten times 2d6 + 2."""

ROLLS = 10  # ARC-121
FORGED = {key: one for key, one in WEAPONS.items() if one.damage is not None and one.group not in ("unarmed", "wand")}
IRON: Material = "iron"
"""The default material of weapons (ARC-168)."""

OWN = re.compile(r"own_[a-z0-9_]{1,56}")
"""Ids of the campaign's own spells; whether such a spell exists is checked in the campaign."""

CHOSEN: tuple[Attribute, ...] = ATTRIBUTES[:7]  # EVL begins at 0 (ARC-121)
FREE_SCHOOL: Mapping[int, Level] = {1: "beginner", 5: "novice", 10: "adept", 15: "expert"}  # ARC-149
FREE_AT: tuple[Level, ...] = tuple(
    FREE_SCHOOL[max((one for one in FREE_SCHOOL if one <= level), default=1)] for level in range(16)
)
"""The free level of schools by character level; the last entry applies to all higher levels."""
GRADE: Mapping[Level, int] = {level: place for place, level in enumerate(LEVELS)}


def modifier(value: int) -> int:
    """Returns the modifier: 0 at 10 and 11, one more or less for every two points (ARC-117)."""
    return (value - 10) // 2


def expertise(level: int) -> int:
    """Returns E by level (ARC-118)."""
    return level // 4 + 2


def reached(level: int, own: Level) -> Level:
    """Returns the level in a school: the free one of the character's level, or a higher one they chose (ARC-149)."""
    free = FREE_AT[min(max(level, 0), len(FREE_AT) - 1)]
    return own if GRADE[own] > GRADE[free] else free


class Attributes(BaseModel):
    model_config = ConfigDict(extra="ignore")

    ATH: Annotated[int, Field(ge=0, le=60, title="Athleticism")] = 10
    FIN: Annotated[int, Field(ge=0, le=60, title="Finesse")] = 10
    SPR: Annotated[int, Field(ge=0, le=60, title="Spirit")] = 10
    CHR: Annotated[int, Field(ge=0, le=60, title="Charisma")] = 10
    INT: Annotated[int, Field(ge=0, le=60, title="Intelligence")] = 10
    PER: Annotated[int, Field(ge=0, le=60, title="Perception")] = 10
    POW: Annotated[int, Field(ge=0, le=60, title="Power")] = 10
    EVL: Annotated[int, Field(ge=0, le=60, title="Evil")] = 0

    def of(self, key: Attribute) -> int:
        return int(getattr(self, key))


def _without_blanks(given: object) -> object:
    """A form's table, without empty lines."""
    return {key: one for key, one in given.items() if one not in ("", None)} if isinstance(given, Mapping) else given


def _counted(given: object) -> object:
    kept = _without_blanks(given)
    return {key: one for key, one in kept.items() if one not in (0, "0")} if isinstance(kept, Mapping) else kept


def _once(given: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(given))


def _as_in(catalogue: Iterable[str]) -> AfterValidator:
    """Sorts by the order of the book, then the things the book does not have, by name."""
    order = {key: number for number, key in enumerate(catalogue)}
    return AfterValidator(lambda given: tuple(sorted(given, key=lambda key: (order.get(key, len(order)), key))))


def _named(rows: Mapping[str, object]) -> dict[str, str]:
    return {key: str(getattr(row, "name", key)) for key, row in rows.items()}


WORN = {key: one for key, one in ARMOUR.items() if one.group != "shield"}
SHIELDS = {key: one for key, one in ARMOUR.items() if one.group == "shield"}
NO_SCHOOL = {"": "Nothing known"} | {key: key.capitalize() for key in SCHOOLS}

Number = Annotated[Annotated[int, Field(ge=-99, le=999)] | None, blank_as(None)]
Cycles = Annotated[int, Field(ge=0, le=1_000_000, json_schema_extra={"x-zero": "until healed"})]
Place = Annotated[Annotated[int, Field(ge=0, le=ROLLS - 1)] | None, blank_as(None)]
Gift = Annotated[Annotated[int, Field(ge=0, le=20)], EMPTY_AS_ZERO]
Proficiency = Annotated[str, among({name: name.capitalize() for name in PROFICIENCIES})]
SpellKey = Annotated[str, among(_named(SPELLS), **{"x-own": "spells"})]
SkillKey = Annotated[str, among(_named(SKILLS))]
WeaponKey = Annotated[str, among(_named(WEAPONS))]
WornKey = Annotated[str, among(_named(WORN))]
ShieldKey = Annotated[str, among({"": "None"} | _named(SHIELDS))]
School = Annotated[str, among(NO_SCHOOL)]


class Places(BaseModel):
    """Which of the rolls (or of ARRAY) each attribute got, counted from 0 (ARC-121)."""

    model_config = ConfigDict(extra="ignore")

    ATH: Annotated[Place, Field(title="Athleticism")] = None
    FIN: Annotated[Place, Field(title="Finesse")] = None
    SPR: Annotated[Place, Field(title="Spirit")] = None
    CHR: Annotated[Place, Field(title="Charisma")] = None
    INT: Annotated[Place, Field(title="Intelligence")] = None
    PER: Annotated[Place, Field(title="Perception")] = None
    POW: Annotated[Place, Field(title="Power")] = None

    def chosen(self) -> dict[Attribute, int]:
        found = ((key, getattr(self, key)) for key in CHOSEN)
        return {key: place for key, place in found if place is not None}


class Points(BaseModel):
    """The species' free points, by the attributes they were added to (ARC-121)."""

    model_config = ConfigDict(extra="ignore")

    ATH: Annotated[Gift, Field(title="Athleticism")] = 0
    FIN: Annotated[Gift, Field(title="Finesse")] = 0
    SPR: Annotated[Gift, Field(title="Spirit")] = 0
    CHR: Annotated[Gift, Field(title="Charisma")] = 0
    INT: Annotated[Gift, Field(title="Intelligence")] = 0
    PER: Annotated[Gift, Field(title="Perception")] = 0
    POW: Annotated[Gift, Field(title="Power")] = 0
    EVL: Annotated[Gift, Field(title="Evil")] = 0

    def given(self) -> dict[Attribute, int]:
        return {key: getattr(self, key) for key in ATTRIBUTES}


How = Literal["written", "assigned", "rolled"]
FULL: JsonDict = {"x-none": "full"}
QUIET: JsonDict = {"x-quiet": True}  # not reported when it changes: the attributes that follow from it are


LevelDie = Literal["d4", "d6", "d8", "d10", "d12"]


class Sheet(BaseModel):
    """A wizard. `attributes` are final: species and free points are included. Unless they are written by hand (`how`),
    they follow from `places`, `points` and the species."""

    model_config = ConfigDict(extra="ignore")

    name: Annotated[str, Field(min_length=1, max_length=60)]
    species: Annotated[str, among(_named(SPECIES))] = "midblood"
    level: Annotated[int, Field(ge=1, le=20)] = 1
    how: Annotated[How, Field(title="Attributes come from")] = "written"
    totals: Annotated[tuple[int, ...], Field(title="Rolls", max_length=ROLLS)] = ()
    places: Annotated[Places, Field(title="Roll for", json_schema_extra=QUIET)] = Places()
    points: Annotated[Points, Field(title="Free points", json_schema_extra=QUIET)] = Points()
    attributes: Attributes = Attributes()
    proficient: Annotated[
        tuple[Proficiency, ...], AfterValidator(_once), _as_in(PROFICIENCIES), Field(title="Proficiencies")
    ] = ()
    skills: Annotated[tuple[SkillKey, ...], _as_in(SKILLS)] = ()  # once for each rank (ARC-174)
    schools: Annotated[
        dict[str, Level],
        BeforeValidator(_without_blanks),
        Field(description="Your level in each school where it is above the free level."),
    ] = {}
    spells: Annotated[
        tuple[SpellKey, ...], AfterValidator(_once), _as_in(SPELLS), Field(title="Spells known by heart")
    ] = ()
    books: Annotated[
        tuple[SpellKey, ...], AfterValidator(_once), _as_in(SPELLS), Field(title="Spells in books")
    ] = ()  # ARC-155
    studied: Annotated[
        dict[str, Count], BeforeValidator(_counted), Field(title="Times cast from a book")
    ] = {}  # ARC-155
    weapons: Annotated[tuple[WeaponKey, ...], AfterValidator(_once), _as_in(WEAPONS)] = ("wand",)
    materials: Annotated[
        dict[str, Material], BeforeValidator(_without_blanks), Field(title="Made of", description="Iron if not listed.")
    ] = {}  # ARC-168
    wood: Annotated[School, Field(title="Wood of the wand")] = ""  # ARC-156
    core: Annotated[School, Field(title="Core of the wand")] = ""  # ARC-156
    hand: Annotated[Literal["right", "left"], Field(title="Dominant hand")] = "right"  # ARC-95, ARC-147
    armour: WornKey = "casual"
    shield: ShieldKey = ""
    wardrobe: Annotated[tuple[WornKey, ...], AfterValidator(_once), Field(title="Spare armour")] = ()  # ARC-27
    items: Annotated[
        Carried, Field(title="Carries", description="Draughts from the book, and any other things by name.")
    ] = {}  # ARC-28, ARC-171
    expertise_bonus: Annotated[Number, Field(title="Expertise", description="Leave empty to use your level.")] = None
    grown_hp: Annotated[tuple[int, ...], Field(title="HP dice", description="One for each level after the first.")] = ()
    grown_fp: Annotated[tuple[int, ...], Field(title="FP dice", description="One for each level after the first.")] = ()
    level_hp: Annotated[LevelDie, Field(title="HP die of a level")] = "d6"  # ARC-122
    level_fp: Annotated[LevelDie, Field(title="FP die of a level")] = "d6"
    hp_stated: Annotated[Number, Field(title="Maximum HP", description="Empty: from the attributes.")] = None
    fp_stated: Annotated[Number, Field(title="Maximum FP", description="Empty: from the attributes.")] = None
    hp: Annotated[Number, Field(title="HP now", description="Leave empty if unhurt.", json_schema_extra=FULL)] = None
    fp: Annotated[Number, Field(title="FP now", description="Leave empty if rested.", json_schema_extra=FULL)] = None
    ills: Annotated[
        dict[str, Cycles], BeforeValidator(_without_blanks), Field(title="Lasting ailments")
    ] = {}  # status -> cycles left, 0: until healed (ARC-142)
    dead: Annotated[bool, Field(title="Dead", json_schema_extra={"x-gain": "died"})] = False
    note: Annotated[str, Field(max_length=4000)] = ""

    @model_validator(mode="after")
    def _lawful(self) -> "Sheet":
        carried = [(("items", name), words) for name, words in misnamed(self.items)]
        faults = [*self._unknown(), *carried, *self._misfits(), *self._untrained(), *self._dice()]
        if self.how != "written" and not any(path[0] == "species" for path, _ in faults):
            faults += misallotted(self._totals(), self.places.chosen(), self.species, self.points.given())
            if not faults:
                chosen, points = self.places.chosen(), self.points.given()
                self.attributes = allot(self._totals(), chosen, self.species, points)
        if faults:
            raise ValidationError.from_exception_data("Sheet", [_fault(path, words) for path, words in faults])
        self.items = merged(self.items)
        self.materials = {key: one for key, one in self.materials.items() if key in self.weapons and one != IRON}
        self.hp, self.fp = _clipped(self.hp, self.hp_max), _clipped(self.fp, self.fp_max)
        return self

    def _totals(self) -> tuple[int, ...]:
        return self.totals if self.how == "rolled" else ARRAY

    def _unknown(self) -> "Faulty":
        known: tuple[tuple[str, Iterable[str], Iterable[str]], ...] = (
            ("species", (self.species,), SPECIES),
            ("proficient", self.proficient, PROFICIENCIES),
            ("skills", self.skills, SKILLS),
            ("schools", self.schools, SCHOOLS),
            ("spells", (key for key in self.spells if not OWN.fullmatch(key)), SPELLS),
            ("books", (key for key in self.books if not OWN.fullmatch(key)), SPELLS),
            ("weapons", self.weapons, WEAPONS),
            ("materials", self.materials, FORGED),
            ("wood", (self.wood,), NO_SCHOOL),
            ("core", (self.core,), NO_SCHOOL),
            ("armour", (self.armour,), WORN),
            ("shield", (self.shield,), ("", *SHIELDS)),
            ("wardrobe", self.wardrobe, WORN),
            ("ills", self.ills, STATUSES),
        )
        for field, names, there in known:
            if unknown := next((name for name in names if name not in there), None):
                yield (field,), f"There is nothing called “{unknown[:40]}”."

    def _misfits(self) -> "Faulty":
        for key, skill in SKILLS.items():
            if self.rank(key) > skill.ranks:
                yield ("skills",), f"{skill.name} has at most {skill.ranks} rank{'s' * (skill.ranks > 1)}."
        if self.how == "rolled" and len(self.totals) != ROLLS:
            yield ("how",), f"There are no {ROLLS} rolls on this sheet. Assign the array, or roll a character."
        if any(not 4 <= total <= 14 for total in self.totals):
            yield ("totals",), "Two dice plus two make 4 to 14."

    def _untrained(self) -> "Faulty":
        for spell in (SPELLS[key] for key in self.spells if key in SPELLS):
            if spell.school in SCHOOLS and LEVELS.index(spell.level) > LEVELS.index(self.school(spell.school)):
                here = f"{self.name} is {self.school(spell.school)} in {spell.school}"
                yield ("spells",), f"{spell.name} is a spell for {LEVEL_NAMES[spell.level]}, and {here}."
                return

    def _dice(self) -> "Faulty":
        for field, dice, die in (
            ("grown_hp", self.grown_hp, self.level_hp),
            ("grown_fp", self.grown_fp, self.level_fp),
        ):
            if len(dice) > self.level - 1 or any(not 1 <= face <= max(6, sides(die)) for face in dice):
                most, high = self.level - 1, max(6, sides(die))
                yield (field,), f"At level {self.level} there are at most {most} dice here, each from 1 to {high}."

    def rank(self, skill: str) -> int:
        """Returns how often a skill was taken; 0: not at all (ARC-174)."""
        return self.skills.count(skill)

    @property
    def arms(self) -> dict[str, Weapon]:
        """The weapons carried, each in its material (ARC-168)."""
        return {key: made_of(WEAPONS[key], self.materials.get(key, IRON)) for key in self.weapons}

    def school(self, key: str) -> Level:
        """Returns the level in a school (ARC-149)."""
        return reached(self.level, self.schools.get(key, "beginner"))

    def is_proficient(self, name: str) -> bool:
        return name in self.proficient

    @property
    def expertise(self) -> int:
        """E, as stated on the sheet or by level (ARC-118)."""
        return expertise(self.level) if self.expertise_bonus is None else self.expertise_bonus

    def mod(self, key: Attribute) -> int:
        return modifier(self.attributes.of(key))

    @property
    def hp_max(self) -> int:
        """ATH + 3E if proficient in Health + growth, or as stated (ARC-122)."""
        more = 3 * self.expertise if self.is_proficient("Health") else 0
        return self.hp_stated if self.hp_stated is not None else self.attributes.ATH + more + sum(self.grown_hp)

    @property
    def fp_max(self) -> int:
        """SPR + 3E if proficient in Willpower + growth, or as stated (ARC-122)."""
        more = 3 * self.expertise if self.is_proficient("Willpower") else 0
        return self.fp_stated if self.fp_stated is not None else self.attributes.SPR + more + sum(self.grown_fp)

    @property
    def injured(self) -> bool:
        """Whether healing has a ceiling: a Major Injury, or a broken bone (ARC-134)."""
        return bool({"major_injury", "broken_bone"} & self.ills.keys())

    @property
    def hp_now(self) -> int:
        return self.hp_max if self.hp is None else self.hp

    @property
    def fp_now(self) -> int:
        return self.fp_max if self.fp is None else self.fp

    @property
    def resist_dv(self) -> int:
        """RDV: what a target has to reach against this caster's spells; power points do not raise it (ARC-123)."""
        return 6 + self.expertise + self.mod("POW")

    @property
    def passive_perception(self) -> int:
        """Passive perception (ARC-97)."""
        return 10 + self.mod("PER") + (self.expertise if self.is_proficient("Observation") else 0)


@frozen(kw_only=True)
class Rolled:
    """Ten rolls of 2d6 + 2, of which seven are allotted (ARC-121)."""

    rolls: tuple[tuple[Roll, Roll], ...]

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(first.face + second.face + 2 for first, second in self.rolls)


def roll(chance: Chance, label: str) -> Rolled:
    """Rolls `label`/1/a, `label`/1/b … `label`/10/b."""
    return Rolled(rolls=tuple((chance.die(6, f"{label}/{n}/a"), chance.die(6, f"{label}/{n}/b")) for n in range(1, 11)))


Faulty = Iterable[tuple[tuple[str, ...], str]]
"""Faults, each with the path of its field."""

LEVEL_NAMES = {one: f"{'an' if one[0] in 'ae' else 'a'} {one}" for one in LEVELS}


def _fault(path: tuple[str, ...], words: str) -> InitErrorDetails:
    # The message would treat braces as fields.
    safe = words.replace("{", "(").replace("}", ")")
    return InitErrorDetails(type=PydanticCustomError("value_error", safe), loc=path, input=None)  # type: ignore[arg-type]


def _clipped(now: int | None, most: int) -> int | None:
    """Never above the maximum; a maximum that falls only clips (ARC-141)."""
    return now if now is None else min(now, most)


def misallotted(
    totals: Sequence[int], chosen: Mapping[Attribute, int], species: str, points: Mapping[Attribute, int]
) -> list[tuple[tuple[str, ...], str]]:
    """Returns the faults of this allotment of totals, each with the path of its field on the sheet (ARC-121)."""
    if species not in SPECIES:
        return [(("species",), f"There is {', '.join(SPECIES)}.")]
    kin, faults, used = SPECIES[species], list[tuple[tuple[str, ...], str]](), dict[int, str]()
    if "EVL" in chosen:
        faults.append((("places", "EVL"), "Evil starts at 0."))
    for key in CHOSEN:
        place = chosen.get(key)
        if place is None:
            faults.append((("places", key), "Choose a number for it."))
        elif not 0 <= place < len(totals):
            faults.append((("places", key), f"There are {len(totals)} numbers."))
        elif place in used:
            faults.append(
                (("places", key), f"This {totals[place]} is already used for {used[place]}: use each number once.")
            )
        else:
            used[place] = key
    spent = sum(points.values())
    if spent > kin.points or any(number < 0 for number in points.values()):
        over = next(key for key, number in points.items() if number)
        faults.append((("points", over), f"A {kin.name} has {kin.points} free points, and you added {spent}."))
    return faults


def allot(
    totals: Sequence[int], chosen: Mapping[Attribute, int], species: str, points: Mapping[Attribute, int]
) -> Attributes:
    """Returns attributes from ten totals (or ARRAY): `chosen` gives each attribute's place in them, from 0; the
    species' changes and free points are added. None falls below 0. Raises ValueError for the first fault."""
    for path, words in misallotted(totals, chosen, species, points):
        raise ValueError(f"{'.'.join(path)}: {words}")
    kin = SPECIES[species]
    made = {key: totals[place] for key, place in chosen.items()}
    return Attributes.model_validate({
        key: max(0, made.get(key, 0) + kin.attributes.get(key, 0) + points.get(key, 0)) for key in get_args(Attribute)
    })  # fmt: skip


def sides(die: LevelDie) -> int:
    return int(die[1:])


def grow(chance: Chance, label: str, sheet: Sheet) -> tuple[Sheet, tuple[Roll, Roll]]:
    """Returns the sheet at the next level with its dice of HP and FP (ARC-122), `label`/hp and `label`/fp. Current
    values rise with the maxima (ARC-141). Raises ValueError at level 20."""
    if sheet.level >= 20:
        raise ValueError("level: there is none after the twentieth")
    rolls = chance.die(sides(sheet.level_hp), f"{label}/hp"), chance.die(sides(sheet.level_fp), f"{label}/fp")
    grown = sheet.model_copy(update={
        "level": sheet.level + 1,
        "grown_hp": (*sheet.grown_hp, rolls[0].face),
        "grown_fp": (*sheet.grown_fp, rolls[1].face),
    })  # fmt: skip
    return Sheet.model_validate(raised(sheet, grown).model_dump()), rolls


def raised(before: Sheet, after: Sheet) -> Sheet:
    """Returns `after`, with HP and FP raised as much as their maxima rose (ARC-141)."""
    hp, fp = max(0, after.hp_max - before.hp_max), max(0, after.fp_max - before.fp_max)
    return after.model_copy(update={
        "hp": None if after.hp is None else after.hp + hp,
        "fp": None if after.fp is None else after.fp + fp,
    })  # fmt: skip
