"""What GMs may add to the book: gear with its traits, and kinds of foes (SKI-45, SKI-58, SKI-82)."""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from app.engine.muster import groups
from app.engine.ruleset import OWN, Brief, Faults, Homebrew, HomebrewKind
from app.engine.sentences import capital
from app.rulesets.skirmish.sheet import wording
from app.rulesets.skirmish.sheet.catalogue import gear_of, name_of
from app.rulesets.skirmish.sheet.foe_templates import TEMPLATES, FoeKind, reaction_words
from app.rulesets.skirmish.sheet.gear import BOOK, Armour, Gear, PlainGear, Weapon

GEAR: TypeAdapter[Weapon | Armour | PlainGear] = TypeAdapter(Gear)


def gear_text(one: Weapon | Armour | PlainGear, own: Homebrew) -> tuple[str, ...]:
    """What a thing does, its weapon traits and its price, in sentences."""
    lines = [f"{capital(wording.does(one) or 'a thing without a rule of its own')}."]
    if isinstance(one, Weapon) and (traits := wording.traits(one)):
        lines.append(f"With weapon traits: {'; '.join(traits)}.")
    if one.price:
        mended = "" if isinstance(one, Armour) and one.type == "shield" else f", {one.repair} to repair"
        lines.append(f"{one.price} gold{mended}.")
    return tuple(lines)


def foe_text(one: FoeKind, own: Homebrew) -> tuple[str, ...]:
    """A kind of foe: numbers, what it holds and wears, what it knows."""
    flags = ["a detachment" if one.detachment else "", "leads its group" if one.leader else ""]
    lines = [f"{one.hp} HP; MGT {one.mgt}, AGI {one.agi}, WIL {one.wil}."]
    if carried := gear_line(one, own):
        lines.append(f"{capital(carried)}.")
    if one.spells:
        lines.append(f"Casts {', '.join(name_of(key, own) for key in one.spells)}.")
    if known := reaction_words(one.reactions):
        lines.append(f"May {known}.")
    if said := ", ".join(filter(None, flags)):
        lines.append(f"{capital(said)}.")
    return (*lines, one.note) if one.note else tuple(lines)


def gear_line(one: FoeKind, own: Homebrew) -> str:
    """What it has, in a line: "longsword d8, shield (Armor +1)"."""
    things = [gear_of(carried.gear, own) or f"{name_of(carried.gear, own)} (gone)" for carried in one.gear]
    return ", ".join(thing if isinstance(thing, str) else wording.short(thing) for thing in things)


def gear_there(one: FoeKind, own: Homebrew) -> Faults:
    """A fault if a foe has a thing of the campaign that does not exist."""
    found: Faults = {}
    for at, keys in (("gear", [carried.gear for carried in one.gear]), ("spells", one.spells)):
        gone = next((key for key in keys if gear_of(key, own) is None), "")
        if gone:
            found[at] = f"There is nothing called “{name_of(gone, own)}” in the book or among your own gear."
    return found


def gear_within(one: Any) -> frozenset[str]:
    """The campaign's own things that a sheet or a foe has, casts or is proficient with."""
    carried = [each.gear for each in getattr(one, "gear", ())]
    keys = (*carried, *getattr(one, "spells", ()), *getattr(one, "proficient", ()))
    return frozenset(key for key in keys if key.startswith(OWN))


def named_foes(brief: Brief, foes: Mapping[str, Any]) -> frozenset[str]:
    """The campaign's own foes that a skirmish begins with; the others stay secret when it is over."""
    given = brief.given if isinstance(brief.given, dict) else {}
    rows = given.get("foes") or ()
    named = {row.get("kind") for row in rows if isinstance(row, dict)} if isinstance(rows, (list, tuple)) else set()
    named |= {row.get("kind") for row in groups(given)}
    return frozenset(key for key in foes if key in named)


KINDS: Mapping[str, HomebrewKind] = {
    "gear": HomebrewKind(
        title="Gear",
        one="thing",
        adapter=GEAR,
        book=BOOK,
        sample={"kind": "weapon", "die": 8, "speed": "balanced", "type": "slashing"},
        text=gear_text,
        within=gear_within,
        form="own-gear.html",
    ),
    "foes": HomebrewKind(
        title="Foes",
        one="foe",
        adapter=TypeAdapter(FoeKind),
        book=TEMPLATES,
        sample={"mgt": 10, "agi": 10, "wil": 10, "hp": 4},
        text=foe_text,
        fits=gear_there,
        scene=named_foes,
        form="own-foes.html",
    ),
}
