"""The context of sheet pages: a sheet's figures, and every choice of its form with its description."""

from collections.abc import Mapping

from app.engine.frozen import frozen
from app.engine.ruleset import Homebrew
from app.engine.sentences import capital
from app.rulesets.arcana.rules import wording
from app.rulesets.arcana.rules.book import (
    ATTRIBUTES,
    LEVELS,
    MADE,
    MATERIALS,
    PRICE,
    SCHOOLS,
    SKILLS,
    SPECIES,
    SPELLS,
    STATUSES,
    WEAPONS,
    Spell,
)  # fmt: skip
from app.rulesets.arcana.rules.items import DRAUGHTS
from app.rulesets.arcana.sheet import figures
from app.rulesets.arcana.sheet.figures import Figure, Held, Known, signed
from app.rulesets.arcana.sheet.generation import advised
from app.rulesets.arcana.sheet.sheets import (
    ARMOUR_CLASSES,
    ARRAY,
    FORGED,
    FREE_SCHOOL,
    LEVEL_NAMES,
    SHIELDS,
    SKILLED,
    WEAPON_CLASSES,
    WORN,
    Attributes,
    Sheet,
)  # fmt: skip

USES: Mapping[str, str] = {
    "ATH": "HP, Block, movement",
    "FIN": "accuracy, Dodge, stealth",
    "SPR": "FP, keeping a Focus, Resists",
    "CHR": "bewitchment, talk",
    "INT": "elemental, temporal, warding",
    "PER": "notice, telepathy, healing",
    "POW": "how hard your spells are to resist",
    "EVL": "necromancy; starts at 0",
}
DRUNK: Mapping[str, str] = {"healing_draught": "10 HP", "spirit_draught": "10 FP", "antidote": "ends poison"}  # ARC-171
LASTING = (
    "major_injury", "broken_bone", "broken_wand", "exhausted", "unlucky", "lucky", "blinded", "burned_mild",
    "burned_moderate", "burned_severe", "frostbite_mild", "frostbite_moderate", "frostbite_severe", "poisoned_mild",
    "poisoned_moderate", "poisoned_severe", "hypoxia",
)  # fmt: skip


@frozen(kw_only=True)
class Choice:
    """An option of a form: its id, name and purpose. `late`: why it cannot be chosen yet; "" if it can."""

    key: str
    name: str
    text: str = ""
    more: str = ""
    late: str = ""


@frozen(kw_only=True)
class Group:
    """Options under one heading."""

    key: str
    name: str
    choices: tuple[Choice, ...]


@frozen(kw_only=True)
class Offered:
    """The options of a form, for a wizard at this level."""

    species: tuple[Choice, ...]
    attributes: tuple[Choice, ...]
    totals: tuple[int, ...]  # a rolled sheet's
    array: tuple[int, ...]
    proficiencies: tuple[Group, ...]
    skills: tuple[Choice, ...]
    ranks: Mapping[str, int]
    schools: tuple[Choice, ...]
    levels: tuple[str, ...]
    spells: tuple[Group, ...]
    weapons: tuple[Choice, ...]
    materials: tuple[tuple[str, str], ...]
    forged: tuple[str, ...]  # weapons that may be of another material
    woods: tuple[tuple[str, str], ...]
    armour: tuple[tuple[str, str], ...]
    shields: tuple[tuple[str, str], ...]
    draughts: tuple[Choice, ...]
    ills: tuple[Choice, ...]
    advised: Mapping[str, int]


@frozen(kw_only=True)
class Page:
    """The contents of one sheet's page."""

    standing: str
    pools: tuple[Figure, ...]
    attributes: tuple[tuple[str, str, int, str], ...]  # code, name, value, modifier
    figures: tuple[Figure, ...]
    book: tuple[tuple[str, str, tuple[Known, ...]], ...]
    disciplines: tuple[Figure, ...]
    arms: tuple[Held, ...]
    gear: tuple[Held, ...]
    skills: tuple[Held, ...]
    ills: tuple[Held, ...]
    proficient: str
    missing: tuple[str, ...]
    leftover: str


@frozen(kw_only=True)
class Shown:
    offered: Offered
    page: Page | None


def shown(sheet: Sheet | None, own: Homebrew) -> Shown:
    """Returns the context of sheet pages. `sheet`: None for a new or invalid form; `own`: the campaign's things."""
    spells: dict[str, Spell] = {**SPELLS, **own.get("spells", {})}
    return Shown(offered=_offered(sheet, spells), page=None if sheet is None else _page(sheet, spells))


def _page(sheet: Sheet, spells: Mapping[str, Spell]) -> Page:
    return Page(
        standing=figures.standing(sheet),
        pools=figures.pools(sheet),
        attributes=tuple(
            (key, _named(key), sheet.attributes.of(key), signed(sheet.mod(key))) for key in ATTRIBUTES
        ),
        figures=figures.figures(sheet),
        book=figures.spellbook(sheet, spells),
        disciplines=figures.disciplines(sheet, spells),
        arms=figures.arms(sheet),
        gear=figures.gear(sheet),
        skills=figures.skilled(sheet),
        ills=figures.ills(sheet),
        proficient=", ".join(name[:1].upper() + name[1:] for name in sheet.proficient),
        missing=figures.missing(sheet),
        leftover=figures.leftover(sheet),
    )  # fmt: skip


def _named(key: str) -> str:
    return str(Attributes.model_fields[key].title)


def _offered(sheet: Sheet | None, spells: Mapping[str, Spell]) -> Offered:
    level, species = (sheet.level, sheet.species) if sheet else (1, "midblood")
    return Offered(
        species=tuple(_kin(key) for key in SPECIES),
        attributes=tuple(Choice(key=key, name=_named(key), text=USES[key]) for key in ATTRIBUTES),
        totals=sheet.totals if sheet else (),
        array=ARRAY,
        proficiencies=_proficiencies(),
        skills=tuple(Choice(key=one.id, name=one.name, text=one.text, more=one.rank) for one in SKILLS.values()),
        ranks={one.id: one.ranks for one in SKILLS.values()},
        schools=tuple(
            Choice(key=key, name=key.capitalize(), text=", ".join(f"{one} ({attr})" for one, attr in names.items()))
            for key, names in SCHOOLS.items()
        ),
        levels=LEVELS,
        spells=_spells(sheet, spells, level),
        weapons=tuple(Choice(key=one.id, name=one.name, text=_arm(one.id), more=one.group) for one in WEAPONS.values()),
        materials=(("", "iron"), *((key, f"{key}, {signed(MATERIALS[key])}") for key in MADE)),
        forged=tuple(FORGED),
        woods=(("", "nothing known"), *((key, key) for key in SCHOOLS)),
        armour=tuple((key, f"{one.name}: {wording.armour(one)}") for key, one in WORN.items()),
        shields=(("", "none"), *((key, f"{one.name}: {wording.armour(one)}") for key, one in SHIELDS.items())),
        draughts=tuple(Choice(key=key, name=name, text=DRUNK[key]) for key, name in DRAUGHTS.items()),
        ills=_ills(sheet),
        advised=advised(level, species),
    )


def _arm(key: str) -> str:
    return "for spells" if key == "wand" else wording.weapon(WEAPONS[key])


def _kin(key: str) -> Choice:
    kin = SPECIES[key]
    changes = ", ".join(f"{one}\u00a0{signed(kin.attributes[one])}" for one in ATTRIBUTES if kin.attributes.get(one))
    return Choice(
        key=key,
        name=kin.name,
        text=changes,
        more=f"{kin.speed:g} m a cycle, {kin.size:g} m tall, {kin.points} free points. {kin.note}".strip(),
    )


def _proficiencies() -> tuple[Group, ...]:
    under = [
        Group(key=key, name=_named(key), choices=tuple(Choice(key=one, name=one) for one in names))
        for key, names in SKILLED.items() if names
    ]  # fmt: skip
    weapons = tuple(Choice(key=one, name=one.capitalize(), text=_which(one)) for one in WEAPON_CLASSES)
    armour = tuple(
        Choice(
            key=one,
            name=one.capitalize(),
            text=", ".join(row.name.lower() for row in WORN.values() if row.group == one),
        )
        for one in ARMOUR_CLASSES
    )
    magic = tuple(
        Choice(key=one, name=one.capitalize(), text=f"{school}, {attr}")
        for school, names in SCHOOLS.items()
        for one, attr in names.items()
    )
    return (
        *under,
        Group(key="weapons", name="Weapons", choices=weapons),
        Group(key="armour", name="Armour", choices=armour),
        Group(key="disciplines", name="Disciplines", choices=magic),
    )


def _which(group: str) -> str:
    return ", ".join(one.name.lower() for one in WEAPONS.values() if one.group == group and one.id != "wand")


def _spells(sheet: Sheet | None, spells: Mapping[str, Spell], level: int) -> tuple[Group, ...]:
    by_level = sorted(spells.values(), key=lambda one: (LEVELS.index(one.level), one.name))
    return tuple(
        Group(key=school, name=school.capitalize(), choices=tuple(
            _spell(one, sheet, level) for one in by_level if one.school == school
        ))
        for school in SCHOOLS
    )  # fmt: skip


def _spell(one: Spell, sheet: Sheet | None, level: int) -> Choice:
    kind = "" if one.kind == "instant" else f", {one.kind}"
    return Choice(
        key=one.id,
        name=one.name,
        text=f"{wording.spell(one, level)} {capital(wording.aimed(one, level))}.",
        more=f"{one.level}, {PRICE[one.level]} FP, {one.discipline} ({one.attr}){kind}",
        late=_late(one, sheet),
    )


def _late(one: Spell, sheet: Sheet | None) -> str:
    """Why a wizard cannot cast a spell yet (ARC-147, ARC-149); "" if that is not so."""
    here = sheet.school(one.school) if sheet else FREE_SCHOOL[1]
    if LEVELS.index(one.level) <= LEVELS.index(here):
        return ""
    free = next((level for level, name in FREE_SCHOOL.items() if name == one.level), None)
    way = f"at level {free}, or with a higher level in {one.school}" if free else f"for a master of {one.school} only"
    return f"Not yet: it is for {LEVEL_NAMES[one.level]}; {way}."


def _ills(sheet: Sheet | None) -> tuple[Choice, ...]:
    """The lasting ills, those on the sheet first; `more` is the number of cycles left."""
    has = dict(sheet.ills) if sheet else {}
    keys = [*has, *(key for key in LASTING if key not in has)]
    return tuple(
        Choice(key=key, name=capital(wording.status(key)), text=STATUSES[key].words, more=str(has.get(key, 0)))
        for key in keys
    )
