"""What a roll is made of, by name, so that its line in the log can show the sum (ARC-71, ARC-92, ARC-116, ARC-119)."""

from app.engine.chance import Chance
from app.rulesets.arcana.fight.state import Fighter
from app.rulesets.arcana.rules.book import ARMOUR, STATUSES, Attribute
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.accuracy import Thrown, throw
from app.rulesets.arcana.sheet.body import Body

Parts = tuple[tuple[str, int], ...]
"""Words and a number each: ("FIN", 2), ("Expertise: wand", 2). Of advantages +1, of disadvantages −1."""


def words(key: str) -> str:
    """An id of the book as people read it: "block_fixed" is "block fixed"."""
    return key.replace("_", " ")


def only(*parts: tuple[str, int]) -> Parts:
    """Those that count for something."""
    return tuple(part for part in parts if part[1])


def total(parts: Parts) -> int:
    found = 0
    for _, amount in parts:
        found += amount
    return found


def skill(body: Body, attr: Attribute, *names: str) -> Parts:
    """The modifier of an attribute, and E once if proficient in any of these (ARC-116, ARC-119)."""
    mod, expert = body.mod(attr), next((name for name in names if name in body.proficient), "")
    own = ((attr, mod),) if mod else ()
    if worn := ARMOUR[body.armour].attribute_checks.get(attr, 0):
        own = (*own, (words(body.armour), worn))
    if body.uses and (kin := max(body.uses.get(name, 0) for name in (*names, ""))):
        own = (*own, ("by birth", kin))
    return (*own, (f"Expertise: {words(expert)}", body.expertise)) if expert and body.expertise else own


def ills(one: Fighter) -> Parts:
    """What statuses add to every check (ARC-146)."""
    if not one.statuses:
        return ()
    return only(*((words(key), STATUSES[key].checks) for key in sorted(one.statuses)))


def sways(one: Fighter, *, aims: bool = False) -> Parts:
    """Which statuses give somebody's own checks advantage or disadvantage; `aims`: accuracy (ARC-92)."""
    if not one.statuses:
        return ()
    worth = {"advantage": 1, "disadvantage": -1, "": 0}
    found = ((key, STATUSES[key].dice or STATUSES[key].aims if aims else STATUSES[key].dice) for key in one.statuses)
    return only(*((words(key), worth[way]) for key, way in sorted(found)))


def swayed(
    one: Fighter, chance: Chance, label: str, settings: Settings, more: Parts = (), *, size: int = 20
) -> tuple[Thrown, Parts]:
    """The die of a check, with what sways it: its own statuses and what else there is (ARC-92, ARC-142)."""
    ways = (*sways(one), *more)
    return by_ways(ways, chance, label, settings, size=size), ways


def by_ways(ways: Parts, chance: Chance, label: str, settings: Settings, *, size: int = 20) -> Thrown:
    """A check's die by what gives advantage and disadvantage (ARC-92, ARC-93)."""
    if not ways:
        return throw(chance, label, settings, size=size)
    good, bad = sum(way > 0 for _, way in ways), sum(way < 0 for _, way in ways)
    return throw(chance, label, settings, good=good, bad=bad, size=size)
