"""What things and foes can do, in words for people."""

from app.engine.sentences import capital
from app.rulesets.skirmish.sheet.gear import Armour, BaseGear, Weapon

TRAITS = ("heavy", "sweep", "push", "counter", "brutal", "shock", "bleed", "quick", "magic")
TOLD = {
    "heavy": "ignores {x} Armor, but misses if its die shows {x} or less",
    "sweep": "if its die shows {x} or more, it attacks another target in reach",
    "push": "if its die shows {x} or more, the target is no longer Close",
    "counter": "attacks whose die shows {x} or less hit the attacker instead",
    "brutal": "kills if its die shows {x} or more and the critical save fails",
    "shock": "if its die shows {x} or more, the target fails its next AGI save",
    "bleed": "if its die shows {x} or more, the target loses 1d4 MGT next turn",
    "quick": "counts as AGI +{x} when lengths are equal",
    "magic": "+{x} damage",
}
REACH = {"close": "", "near": "reaches Near", "far": "reaches Far"}


def item(name: str) -> str:
    """A thing's name within a sentence: "small improvised weapon"."""
    what, _, size = name.partition(", ")
    return f"{size} {what}" if size in ("small", "medium", "large") else name


def armed(name: str) -> str:
    """What somebody attacks with: "a longsword", "claws", "mace and dagger"; names of their own stay: "Moon blade"."""
    what = item(name)
    if what == "breath":
        return "its breath"
    several = " and " in what or (what.endswith("s") and not what.endswith("ss"))
    if several or not what[:1].islower():
        return what
    return f"{'an' if what[0] in 'aeiou' else 'a'} {what}"


def short(thing: BaseGear) -> str:
    """A thing and its number: "longsword d8", "medium armour (Armor 2)", "rope, 25 feet"."""
    match thing:
        case Weapon():
            return f"{thing.name} d{thing.die}"
        case Armour():
            return f"{thing.name} (Armor {'+' if thing.type == 'shield' else ''}{thing.armor})"
    return thing.name


def does(thing: BaseGear) -> str:
    """What it does, in a line without a full stop: "d8, balanced, slashing"."""
    match thing:
        case Weapon():
            parts = _weapon(thing)
        case Armour():
            parts = _armour(thing)
        case _:
            parts = list[str]()
    no_gear = isinstance(thing, (Weapon, Armour)) and (thing.natural or (isinstance(thing, Weapon) and thing.spell))
    if thing.slots != 1 and not no_gear:
        parts = [*parts, "no slot" if thing.slots == 0 else f"{thing.slots} slots"]
    return ", ".join(parts)


def readied(weapon: BaseGear) -> str:
    """What a weapon is that its bearer can use at once: "loaded", "drawn"."""
    return "loaded" if isinstance(weapon, Weapon) and weapon.ready == "reload" else "drawn"


def traits(weapon: Weapon) -> tuple[str, ...]:
    """Its weapon traits (SKI-85), each as "Sweep 7: if its die shows 7 or more, …"."""
    has = [(name, getattr(weapon, name)) for name in TRAITS if getattr(weapon, name)]
    return tuple(f"{name.capitalize()} {x}: {TOLD[name].format(x=x)}" for name, x in has)


def trait_names(weapon: Weapon) -> str:
    """Short: "Sweep 7, Heavy 1"."""
    return ", ".join(f"{name.capitalize()} {getattr(weapon, name)}" for name in TRAITS if getattr(weapon, name))


def listed_line(thing: BaseGear) -> str:
    """Name and effect for a list of choices: "Longsword. d8, balanced, slashing"."""
    said = does(thing)
    return f"{capital(thing.name)}. {said}" if said else capital(thing.name)


def _weapon(one: Weapon) -> list[str]:
    words = [
        f"d{one.die}",
        f"{one.spell} spell" if one.spell else one.speed,
        one.type,
        "two hands" if one.two_handed else "",
        REACH[one.reach],
        "blast" if one.blast else "",
        "can be thrown" if one.thrown else "",
        {"": "", "reload": "reload after each shot", "draw": "draw before each shot"}[one.ready],
        "breaks after one attack" if one.breaks else "",
        "special blow" if one.special and not one.spell else "",
        "part of the body" if one.natural else "",
    ]
    return [word for word in words if word]


def _armour(one: Armour) -> list[str]:
    if one.type == "shield":
        return [f"Armor +{one.armor} while held"]
    words = [f"Armor {one.armor}", one.type, "no Dodge" if one.type == "heavy" else ""]
    return [word for word in (*words, "part of the body" if one.natural else "") if word]
