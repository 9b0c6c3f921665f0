"""A sheet's gear as things of the book and of the campaign, and what it comes to (SKI-58, SKI-71)."""

from collections.abc import Iterable, Sequence

from app.engine.ruleset import Homebrew
from app.rulesets.skirmish.sheet.gear import BOOK, UNARMED, Armour, PlainGear, Weapon
from app.rulesets.skirmish.sheet.packing import SLOTS, is_natural, slots_of
from app.rulesets.skirmish.sheet.sheets import Carried, Placement, Sheet

MOST_ARMOR = 3


def gear_of(gear: str, own: Homebrew) -> Weapon | Armour | PlainGear | None:
    """The thing with this id, of the book or of the campaign; None where there is none (any more)."""
    found = BOOK.get(gear) or own.get("gear", {}).get(gear)
    return UNARMED if found is None and gear == UNARMED.id else found


def name_of(gear: str, own: Homebrew) -> str:
    """Its name; that of an unknown thing is guessed from its id."""
    thing = gear_of(gear, own)
    return thing.name if thing is not None else gear.removeprefix("own_").replace("_", " ")


def gear_slots(gear: Iterable[Carried], own: Homebrew) -> int:
    """The slots that things alone fill."""
    return sum(slots_of(gear_of(one.gear, own)) for one in gear)


def slots_used(sheet: Sheet, own: Homebrew) -> int:
    """The slots filled with things, severe wounds and Fatigue; more than there are if a full character is wounded."""
    return gear_slots(sheet.gear, own) + len(sheet.wounds) + sheet.fatigue


def is_full(sheet: Sheet, own: Homebrew, slots: int = SLOTS) -> bool:
    """Whether no slot is left, so that HP stays 0."""
    return slots_used(sheet, own) >= slots


def in_place(sheet: Sheet, place: Placement, own: Homebrew) -> tuple[Weapon | Armour | PlainGear, ...]:
    """The known things in a hand, worn or in the pack, parts of the body included."""
    found = (gear_of(one.gear, own) for one in sheet.gear if one.held == place)
    return tuple(thing for thing in found if thing is not None)


def worn(sheet: Sheet, own: Homebrew) -> tuple[Armour, ...]:
    """Armour on the body, hide and scales included, without a shield."""
    there = in_place(sheet, "worn", own)
    return tuple(thing for thing in there if isinstance(thing, Armour) and thing.type != "shield")


def shield(sheet: Sheet, own: Homebrew) -> Armour | None:
    """The shield in the off hand."""
    there = in_place(sheet, "off", own)
    return next((thing for thing in there if isinstance(thing, Armour) and thing.type == "shield"), None)


def armor(sheet: Sheet, own: Homebrew) -> int:
    """The Armor in all: what is worn, hide included, and the shield, but 3 at most."""
    held = shield(sheet, own)
    body = sum(one.armor for one in worn(sheet, own))
    return min(MOST_ARMOR, body + (held.armor if held is not None else 0))


def weapons_at_hand(sheet: Sheet, own: Homebrew) -> tuple[Weapon, ...]:
    """The weapons in the hands and of the body; bare hands if there are none."""
    hands = (*in_place(sheet, "main", own), *in_place(sheet, "off", own))
    ready = tuple(thing for thing in hands if isinstance(thing, Weapon))
    return ready or (UNARMED,)


def spells_of(sheet: Sheet, own: Homebrew) -> tuple[Weapon, ...]:
    found = (gear_of(key, own) for key in sheet.spells)
    return tuple(one for one in found if isinstance(one, Weapon) and one.spell)


def stowed(gear: Sequence[Carried], own: Homebrew) -> tuple[Carried, ...]:
    """The same things with hands and body as a sheet allows them: what does not fit goes into the pack."""
    taken: set[str] = set()
    kept: list[Carried] = []
    for one in gear:
        thing = gear_of(one.gear, own)
        fits = one.held == "pack" or (thing is not None and is_natural(thing)) or _room(one, thing, taken)
        kept.append(one if fits else one.model_copy(update={"held": "pack"}))
    return tuple(kept)


def after_fight(gear: Sequence[Carried], own: Homebrew) -> tuple[Carried, ...]:
    """What somebody leaves a fight with, as a sheet allows it: stowed, and without what was picked up last if there
    are too few slots for it."""
    kept = list(stowed(gear, own))
    while kept and gear_slots(kept, own) > SLOTS:
        kept.pop(max((n for n, one in enumerate(kept) if slots_of(gear_of(one.gear, own))), default=-1))
    return tuple(kept)


def _room(one: Carried, thing: Weapon | Armour | PlainGear | None, taken: set[str]) -> bool:
    """Whether it fits where it is; what it needs is then taken."""
    suit = isinstance(thing, Armour) and thing.type != "shield"
    both = isinstance(thing, Weapon) and thing.two_handed
    needs = {"main", "off"} if both else {one.held}
    off_only = isinstance(thing, Armour) and thing.type == "shield"
    right = suit if one.held == "worn" else not suit and one.held != ("off" if both else "main" if off_only else "")
    if not right or needs & taken:
        return False
    taken |= needs
    return True
