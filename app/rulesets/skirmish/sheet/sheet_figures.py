"""The context of sheet pages: what a character holds, wears and carries, the ten slots, and the choices of the form."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from app.engine.frozen import frozen
from app.engine.ruleset import Homebrew
from app.engine.sentences import capital
from app.rulesets.skirmish.sheet import catalogue, wording
from app.rulesets.skirmish.sheet.gear import ARMOUR, OTHER, SPELLS, WEAPONS, BaseGear, Weapon
from app.rulesets.skirmish.sheet.packing import SLOTS, is_natural, slots_of
from app.rulesets.skirmish.sheet.sheets import KILLS, Carried, Sheet


@frozen(kw_only=True)
class Item:
    """One thing of a character, in words."""

    name: str
    does: str = ""
    traits: tuple[str, ...] = ()
    note: str = ""


@frozen(kw_only=True)
class Box:
    """One slot of ten."""

    kind: Literal["thing", "more", "wound", "fatigue", "free"]
    label: str = ""
    over: bool = False  # beyond the slots there are


@frozen(kw_only=True)
class Choice:
    """A thing to choose: its id, its name, and what it does."""

    key: str
    name: str
    does: str = ""


@frozen(kw_only=True)
class Group:
    """Choices under one heading."""

    name: str
    choices: tuple[Choice, ...]


@frozen(kw_only=True)
class SheetFigures:
    """Everything that the pages of a sheet show besides its numbers."""

    main: tuple[Item, ...]
    off: tuple[Item, ...]
    worn: tuple[Item, ...]
    pack: tuple[Item, ...]
    body: tuple[Item, ...]  # natural weapons and hide
    spells: tuple[Item, ...]
    armor: int
    armor_from: str
    boxes: tuple[Box, ...]
    used: int
    slots: int
    full: bool
    gone: tuple[str, ...]  # names of things that neither the book nor the campaign has any more
    proficient: tuple[Item, ...]
    gear: tuple[Group, ...]
    spell_choices: tuple[Choice, ...]
    weapon_choices: tuple[Choice, ...]
    ready: Mapping[str, str]  # ids of weapons that may be "not loaded" or "not drawn", with those words
    known: frozenset[str]  # the ids of all choices


def sheet_figures(sheet: Sheet | None, own: Homebrew) -> SheetFigures:
    """The figures of a sheet, or of a new one without changes; `own` has the campaign's gear."""
    one = sheet or _new()
    gear, spells, weapons = _gear(own), _spells(own), _weapons(own)
    boxes = tuple(_boxes(one, own))
    keys = [carried.gear for carried in one.gear] + list(one.spells)
    return SheetFigures(
        main=_items(one, "main", own),
        off=_items(one, "off", own),
        worn=_items(one, "worn", own),
        pack=_items(one, "pack", own),
        body=tuple(_item(carried, own) for carried in one.gear if _is_body(carried, own)),
        spells=tuple(Item(name=spell.name, does=wording.does(spell)) for spell in catalogue.spells_of(one, own)),
        armor=catalogue.armor(one, own),
        armor_from=_armor_from(one, own),
        boxes=boxes,
        used=catalogue.slots_used(one, own),
        slots=SLOTS,
        full=catalogue.is_full(one, own),
        gone=tuple(catalogue.name_of(key, own) for key in keys if catalogue.gear_of(key, own) is None),
        proficient=_proficient(one, own),
        gear=gear,
        spell_choices=spells,
        weapon_choices=weapons,
        ready=_ready(own),
        known=frozenset(choice.key for group in gear for choice in group.choices) | {choice.key for choice in spells},
    )


def _items(sheet: Sheet, place: str, own: Homebrew) -> tuple[Item, ...]:
    there = [carried for carried in sheet.gear if carried.held == place and not _is_body(carried, own)]
    return tuple(_item(carried, own) for carried in there)


def _is_body(carried: Carried, own: Homebrew) -> bool:
    thing = catalogue.gear_of(carried.gear, own)
    return thing is not None and is_natural(thing)


def _item(carried: Carried, own: Homebrew) -> Item:
    thing = catalogue.gear_of(carried.gear, own)
    if thing is None:
        return Item(name=catalogue.name_of(carried.gear, own), note="no longer in the book")
    traits = wording.traits(thing) if isinstance(thing, Weapon) else ()
    note = _unready(thing) if carried.spent else ""
    return Item(name=thing.name, does=wording.does(thing), traits=traits, note=note)


def _unready(thing: BaseGear) -> str:
    return f"not {wording.readied(thing)}" if isinstance(thing, Weapon) and thing.ready else ""


def _armor_from(sheet: Sheet, own: Homebrew) -> str:
    """Where the Armor comes from: "light armour 1, shield +1"."""
    parts = [f"{one.name} {one.armor}" for one in catalogue.worn(sheet, own)]
    held = catalogue.shield(sheet, own)
    said = ", ".join([*parts, *([f"{held.name} +{held.armor}"] if held is not None else [])])
    total = sum(one.armor for one in catalogue.worn(sheet, own)) + (held.armor if held is not None else 0)
    return f"{said}; never more than {catalogue.MOST_ARMOR}" if total > catalogue.MOST_ARMOR else said


def _boxes(sheet: Sheet, own: Homebrew) -> Iterator[Box]:
    """Things, wounds and Fatigue from the first slot on, then the free ones."""
    filled = list(_filled(sheet, own))
    free: list[tuple[Any, str]] = [("free", "")] * (SLOTS - len(filled))
    for number, (kind, label) in enumerate([*filled, *free], 1):
        yield Box(kind=kind, label=label, over=number > SLOTS)


def _filled(sheet: Sheet, own: Homebrew) -> Iterator[tuple[Any, str]]:
    for carried in sheet.gear:
        name, slots = catalogue.name_of(carried.gear, own), slots_of(catalogue.gear_of(carried.gear, own))
        yield from ((("more" if n else "thing"), name) for n in range(slots))
    yield from (("wound", f"wound: {wound.place}") for wound in sheet.wounds)
    yield from (("fatigue", "Fatigue") for _ in range(sheet.fatigue))


def _proficient(sheet: Sheet, own: Homebrew) -> tuple[Item, ...]:
    """Weapons whose traits it knows, chosen or by kills; then those on the way there (SKI-85)."""
    keys = dict.fromkeys([*sheet.proficient, *sorted(sheet.kills, key=lambda key: -sheet.kills[key])])
    found = []
    for key in keys:
        kills = sheet.kills.get(key, 0)
        note = "" if key in sheet.proficient or kills >= KILLS else f"not yet: {kills} of {KILLS} kills"
        said = f"{kills} kill{'' if kills == 1 else 's'}" if kills and not note else ""
        found.append(Item(name=catalogue.name_of(key, own), does=said, note=note))
    return tuple(found)


# ---------------------------------------------------------------- choices


def _gear(own: Homebrew) -> tuple[Group, ...]:
    """What may be carried, the campaign's own things first."""
    mine = own.get("gear", {}).values()
    body = [thing for thing in (*WEAPONS.values(), *ARMOUR.values()) if is_natural(thing)]
    weapons = [thing for thing in WEAPONS.values() if not is_natural(thing)]
    groups = (
        ("Your own", [thing for thing in mine if not (isinstance(thing, Weapon) and thing.spell)]),
        ("Hand to hand", [thing for thing in weapons if thing.melee]),
        ("Bows and slings", [thing for thing in weapons if not thing.melee]),
        ("Armour and shields", [thing for thing in ARMOUR.values() if not is_natural(thing)]),
        ("Other things", list(OTHER.values())),
        ("Part of the body", body),
    )
    return tuple(Group(name=name, choices=_choices(things)) for name, things in groups if things)


def _spells(own: Homebrew) -> tuple[Choice, ...]:
    mine = [one for one in own.get("gear", {}).values() if isinstance(one, Weapon) and one.spell]
    return _choices((*SPELLS.values(), *mine))


def _weapons(own: Homebrew) -> tuple[Choice, ...]:
    """Weapons with the names of their traits."""
    mine = [one for one in own.get("gear", {}).values() if isinstance(one, Weapon) and not one.spell]
    there = [one for one in (*WEAPONS.values(), *mine) if not one.natural and not one.breaks]
    return tuple(Choice(key=one.id, name=capital(one.name), does=wording.trait_names(one)) for one in there)


def _ready(own: Homebrew) -> dict[str, str]:
    mine = [one for one in own.get("gear", {}).values() if isinstance(one, Weapon)]
    return {one.id: _unready(one) for one in (*WEAPONS.values(), *mine) if one.ready}


def _choices(things: Iterable[BaseGear]) -> tuple[Choice, ...]:
    return tuple(Choice(key=one.id, name=capital(one.name), does=wording.does(one)) for one in things)


def _new() -> Sheet:
    """Somebody average with little."""
    gear = (Carried(gear="shortsword", held="main"), Carried(gear="torch"), Carried(gear="rations"))
    return Sheet(name="New", gear=gear)


def blank() -> dict[str, Any]:
    """The initial form of a new sheet, without a name."""
    return _new().model_dump(mode="json") | {"name": ""}
