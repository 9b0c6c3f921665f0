"""What one character can hold, wear and carry, from ids alone (SKI-46, SKI-58, SKI-71).

Things of the campaign are not known here: they need one hand, and their slots show on the sheet's page only.
"""

from collections.abc import Collection, Sequence

from app.engine.sentences import capital
from app.rulesets.skirmish.sheet.gear import BOOK, WEAPONS, Armour, BaseGear, Weapon

SLOTS = 10  # of a character; a table may play with more or fewer
OWN = "own_"

Placed = tuple[str, str]
"""The id of a thing and where it is: "main", "off", "worn" or "pack"."""


def is_natural(thing: BaseGear) -> bool:
    """Whether it is part of the body: no slot, no hand."""
    return isinstance(thing, (Weapon, Armour)) and thing.natural


def slots_of(thing: BaseGear | None) -> int:
    """The slots that one thing fills: 1 for an unknown one, 0 for a spell or a part of the body."""
    if thing is None:
        return 1
    return 0 if is_natural(thing) or (isinstance(thing, Weapon) and thing.spell) else thing.slots


def faults(gear: Sequence[Placed], spells: Collection[str] = (), proficient: Collection[str] = ()) -> dict[str, str]:
    """What is wrong with a sheet's gear, by field, with what to do; empty if nothing is."""
    found: dict[str, str] = {}
    if words := _hands(gear) or _worn(gear) or _among_gear(gear) or _too_much(gear):
        found["gear"] = words
    for spell in spells:
        if spell in BOOK and not _is_spell(BOOK[spell]):
            found["spells"] = f"{capital(BOOK[spell].name)} is not a spell. Put it among the gear."
    for weapon in proficient:
        if weapon in BOOK and weapon not in WEAPONS:
            found["proficient"] = f"{capital(BOOK[weapon].name)} is not a weapon."
    return found


def _hands(gear: Sequence[Placed]) -> str:
    main, off = _in(gear, "main"), _in(gear, "off")
    for hand, ids in (("main", main), ("off", off)):
        if len(ids) > 1:
            return f"The {hand} hand holds two things: {_name(ids[0])} and {_name(ids[1])}. Put one in the pack."
    if off and _both_hands(off[0]):
        return f"The {_name(off[0])} needs both hands: choose the main hand for it, and leave the off hand empty."
    if main and off and _both_hands(main[0]):
        return (
            f"The {_name(main[0])} needs both hands, but the off hand holds the {_name(off[0])}. Put one in the pack."
        )
    if main and _is_shield(main[0]):
        return f"The {_name(main[0])} goes in the off hand."
    suit = next((key for key in (*main, *off) if _suit(key)), "")
    return f"The {_name(suit)} is in a hand. Wear it, or put it in the pack." if suit else ""


def _worn(gear: Sequence[Placed]) -> str:
    worn = _in(gear, "worn")
    odd = next((key for key in worn if key in BOOK and not _suit(key)), "")
    if odd and isinstance(BOOK[odd], Armour):
        return f"The {_name(odd)} is held in a hand, not worn."
    if odd:
        return f"The {_name(odd)} can't be worn. Choose a hand or the pack for it."
    if len(worn) > 1:
        return f"Only one armour can be worn, but there are two: {_name(worn[0])} and {_name(worn[1])}."
    return ""


def _among_gear(gear: Sequence[Placed]) -> str:
    spell = next((key for key, _ in gear if key in BOOK and _is_spell(BOOK[key])), "")
    return f"{capital(_name(spell))} is a spell and fills no slot: choose it under Spells." if spell else ""


def _too_much(gear: Sequence[Placed]) -> str:
    slots = sum(slots_of(BOOK[key]) for key, _ in gear if key in BOOK)
    return (
        f"All of this fills {slots} slots, but there are only {SLOTS}. Leave something behind." if slots > SLOTS else ""
    )


def _in(gear: Sequence[Placed], place: str) -> list[str]:
    """What is there, without parts of the body."""
    return [key for key, held in gear if held == place and not (key in BOOK and is_natural(BOOK[key]))]


def _both_hands(key: str) -> bool:
    thing = BOOK.get(key)
    return isinstance(thing, Weapon) and thing.two_handed


def _suit(key: str) -> bool:
    thing = BOOK.get(key)
    return isinstance(thing, Armour) and thing.type != "shield"


def _is_shield(key: str) -> bool:
    thing = BOOK.get(key)
    return isinstance(thing, Armour) and thing.type == "shield"


def _is_spell(thing: BaseGear) -> bool:
    return isinstance(thing, Weapon) and bool(thing.spell)


def _name(key: str) -> str:
    return BOOK[key].name if key in BOOK else key.removeprefix(OWN).replace("_", " ")
