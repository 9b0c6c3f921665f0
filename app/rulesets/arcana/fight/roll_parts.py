"""The parts of a roll by name, so that its line in the log can show the sum (ARC-71, ARC-92, ARC-116, ARC-119)."""

from app.engine.chance import Chance
from app.rulesets.arcana.fight.state import Fighter
from app.rulesets.arcana.rules.book import ARMOUR, STATUSES, Attribute
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.accuracy import Thrown, extra_dice, throw
from app.rulesets.arcana.sheet.body import Body

Parts = tuple[tuple[str, int], ...]
"""Words and a number each: ("FIN", 2), ("Expertise: wand", 2). Advantages are +1, disadvantages −1."""


def words(key: str) -> str:
    """Returns an id of the book as words: "block_fixed" becomes "block fixed"."""
    return key.replace("_", " ")


def only(*parts: tuple[str, int]) -> Parts:
    """Returns the parts that are not 0."""
    return tuple(part for part in parts if part[1])


def total(parts: Parts) -> int:
    found = 0
    for _, amount in parts:
        found += amount
    return found


def skill(body: Body, attr: Attribute, *names: str) -> Parts:
    """Returns the modifier of an attribute, and E once if proficient in any of these (ARC-116, ARC-119)."""
    mod, expert = body.mod(attr), next((name for name in names if name in body.proficient), "")
    own = ((attr, mod),) if mod else ()
    if worn := ARMOUR[body.armour].attribute_checks.get(attr, 0):
        own = (*own, (words(body.armour), worn))
    if body.uses and (kin := max(body.uses.get(name, 0) for name in (*names, ""))):
        own = (*own, ("by birth", kin))
    return (*own, (f"Expertise: {words(expert)}", body.expertise)) if expert and body.expertise else own


def ills(one: Fighter) -> Parts:
    """Returns the additions of statuses to every check (ARC-146)."""
    if not one.statuses:
        return ()
    return only(*((words(key), STATUSES[key].checks) for key in sorted(one.statuses)))


def sways(one: Fighter, *, aims: bool = False) -> Parts:
    """Returns statuses that give a combatant's own checks advantage or disadvantage; `aims`: for accuracy (ARC-92)."""
    if not one.statuses:
        return ()
    worth = {"advantage": 1, "disadvantage": -1, "": 0}
    found = ((key, STATUSES[key].dice or STATUSES[key].aims if aims else STATUSES[key].dice) for key in one.statuses)
    return only(*((words(key), worth[way]) for key, way in sorted(found)))


def swayed(
    one: Fighter, chance: Chance, label: str, settings: Settings, more: Parts = (), *, size: int = 20
) -> tuple[Thrown, Parts]:
    """Rolls a check's die; returns it with all that sways it: statuses and `more` (ARC-92, ARC-142)."""
    ways = (*sways(one), *more)
    return by_ways(ways, chance, label, settings, size=size), ways


def by_ways(ways: Parts, chance: Chance, label: str, settings: Settings, *, size: int = 20) -> Thrown:
    """Rolls a check's die by the advantages and disadvantages in `ways` (ARC-92, ARC-93)."""
    if not ways:
        return throw(chance, label, settings, size=size)
    good, bad = _good_and_bad(ways)
    return throw(chance, label, settings, good=good, bad=bad, size=size)


def extra_dice_of(ways: Parts, settings: Settings) -> int:
    """Returns how many dice more `by_ways` rolls, negative where the worst one counts (ARC-92, ARC-93)."""
    return extra_dice(settings, *_good_and_bad(ways))


def _good_and_bad(ways: Parts) -> tuple[int, int]:
    return sum(way > 0 for _, way in ways), sum(way < 0 for _, way in ways)
