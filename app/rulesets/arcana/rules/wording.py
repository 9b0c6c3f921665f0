"""Spells, weapons and clothes in one line each, generated from their data, so that a GM's own ones read alike."""

from app.rulesets.arcana.rules.amounts import worth
from app.rulesets.arcana.rules.book import (
    MATERIALS,
    Absorb,
    Armour,
    Bonus,
    Choose,
    Cure,
    Damage,
    Described,
    Drop,
    Effect,
    EndSpell,
    ExtraMajor,
    Gives,
    Heal,
    Missiles,
    Obscure,
    Push,
    Reflect,
    Repeat,
    Replace,
    Resistance,
    Restore,
    Reveal,
    Shape,
    Spell,
    Stance,
    Stop,
    Throw,
    Weapon,
)  # fmt: skip

UNITS = ((28_800, "days", "a day"), (1200, "hours", "an hour"), (20, "minutes", "a minute"))  # in cycles (ARC-02)
STATS = {"block": "Block", "dodge": "Dodge", "max_hp": "maximum HP", "speed_proficiency": "Speed"}
RESISTED = {
    "half": "halves it", "negate": "prevents it", "no_status": "keeps the rest away",
    "root_1": "reduces it to one cycle without moving", "fatigue_2": "leaves 2 fatigue",
}  # fmt: skip
NAMED = {
    "major_injury": "Major Injury", "block_fixed": "armour does not count for Block", "no_focus": "no Focus",
    "heavy_mind": "more expensive spells",
}  # fmt: skip
SHAPES = {
    "sphere": "sphere", "circle": "ring", "cone": "cone", "line": "line", "cube": "cube", "cylinder": "column",
    "disc": "disc",
}  # fmt: skip
WHERE = {"caster": "around you", "target": "around the target", "point": "at a place", "front": "before you"}


def status(key: str) -> str:
    """Returns a status's name: "Major Injury", "burned (mild)"."""
    family, _, grade = key.rpartition("_")
    plain = f"{family} ({grade})" if grade in ("mild", "moderate", "severe") else key.replace("_", " ")
    return NAMED.get(key, plain)


def lasts(cycles: int) -> str:
    """Returns a duration in words: "3 cycles", "2 minutes", "an hour"."""
    for unit, name, one in UNITS:
        if cycles >= unit and cycles % unit == 0:
            return one if cycles == unit else f"{cycles // unit} {name}"
    return f"{cycles} cycle{'s' * (cycles != 1)}"


def dice(n: int, d: int, flat: int) -> str:
    """Returns dice in words: "2d4", "2d4 + 3", "3"."""
    if not n:
        return str(flat)
    thrown = f"{n}d{d}" if d > 1 else str(n)
    return thrown + (f" {'+' if flat > 0 else '−'} {abs(flat)}" if flat else "")


def _grows(text: str, level: int, unit: str = "") -> str:
    """The addition of a power point to an amount: " (+1d4 a power point)"; "" for none."""
    steps = [worth(text, pp=pp, level=level) for pp in (0, 1, 2)]
    if steps[1] != steps[0]:
        return f" ({steps[1] - steps[0]:+d}{unit} a power point)".replace("-", "−")
    more = f" ({steps[2] - steps[0]:+d}{unit} every second power point)".replace("-", "−")
    return more if steps[2] != steps[0] else ""


def _dice(n: str, d: int, flat: str, level: int, what: str) -> str:
    thrown = dice(worth(n, level=level), d, worth(flat, level=level))
    return f"{thrown} {what}{_grows(n, level, f'd{d}' if d > 1 else '')}{_grows(flat, level)}"


def _amount(text: str, level: int, unit: str = "") -> str:
    return f"{worth(text, level=level):d}{unit}".replace("-", "−") + _grows(text, level)


def _for(text: str, level: int) -> str:
    cycles, grows = worth(text, level=level), _grows(text, level)
    return f" for {lasts(cycles)}{grows}" if cycles or grows else ""


def spell(one: Spell, level: int = 1) -> str:
    """Returns the effects of a spell at this level in one or two sentences, without how it is cast."""
    done = "; ".join(told for told in (_effect(effect, level) for effect in one.effect) if told)
    done = done.replace(", else; ", ", else ")
    parts = [done[:1].upper() + done[1:].rstrip(".") + "."]
    if one.resist:
        prof = f" ({one.resist.prof})" if one.resist.prof else ""
        parts.append(f"A successful {one.resist.attr}{prof} Resist {RESISTED[one.resist.on_success]}.")
    if one.chain:
        parts.append(f"Continues along its line to {_amount(one.chain, level)} more, as long as it hits.")
    if one.requires:
        parts.append("Only against a target that has moved in this cycle.")
    if one.note:
        parts.append(one.note.rstrip(".") + ".")
    return " ".join(parts)


def _effect(effect: Effect, level: int) -> str:
    match effect:
        case Damage():
            each, still = " each" * effect.each, " every cycle" * effect.per_cycle
            hurt = _dice(effect.n, effect.d, effect.flat, level, f"{effect.type}{each}{still}")
            return hurt + _for(effect.cycles, level) + (", which you gain" if effect.gain else "")
        case Heal():
            top = {"1/2": "half", "3/4": "three quarters", "none": "all"}[effect.ceiling_if_injured]
            still = " every cycle" * effect.per_cycle
            healed = _dice(effect.n, effect.d, effect.flat, level, f"HP{still}")
            return f"heals {healed}, or with a Major Injury up to {top}"
        case Gives():
            until = {"healed": " until healed", "stood": " until it stands up", "held": " while you hold it", "": ""}
            return f"{status(effect.id)}{_for(effect.cycles, level)}{until[effect.until]}"
        case Push():
            return "pushed to its edge" if effect.to_edge else f"pushed {_amount(effect.metres, level, ' m')}"
        case Repeat():
            return "and again at the end of the next cycle"
        case Missiles():
            return _amount(effect.count, level, " missiles") + ", at one target or several" * effect.split
        case Cure():
            cured = {"minor": "minor ailments", "ills": "all ailments", "": ""}[effect.group]
            cured = cured or " and ".join(status(key) for key in effect.ids)
            return f"cures {cured}{', else' * effect.instead_of_heal}"
        case Replace():
            return f"a target that is {status(effect.old)} becomes {status(effect.new)}"
        case Bonus():
            vs = " against magic" if effect.vs == "magic" else ""
            return (
                f"{_bonus(effect, level)} on {STATS.get(effect.stat, effect.stat)}{vs}{_for(effect.cycles, level)}"
                + (f", then {status(effect.after)} for one cycle" if effect.after else "")
            )
        case Absorb():
            points = _amount(effect.points, level, f" points of {'magic' if effect.vs == 'magic' else 'harm'}")
            return f"takes {points} for you{_for(effect.cycles, level)}"
        case Stance():
            return "you brace" if effect.id == "brace" else "you evade"
        case Restore():
            return f"gives a shield {_amount(effect.points, level, ' points')} back{' every cycle' * effect.per_cycle}"
        case Resistance():
            kind = f"{effect.type} damage" if effect.type else "one type of damage"
            return f"{_amount(effect.percent, level, ' %')} off {kind}{_for(effect.cycles, level)}"
        case Described():
            return _lower(effect.words)
        case _:
            return _odd(effect, level)


def _odd(effect: EndSpell | Drop | Throw | Choose | ExtraMajor | Obscure | Reveal | Stop | Reflect, level: int) -> str:
    match effect:
        case EndSpell():
            what = f"a spell of {effect.discipline}" if effect.discipline else "a spell"
            return f"ends {what} unless its caster, casting it again, reaches your roll"
        case Drop():
            far = dice(1, effect.d, worth(effect.metres, level=level)) if effect.d > 1 else effect.metres
            return f"drops what is in hand, {far} m away in any direction"
        case Throw():
            hurt = _dice(effect.n, effect.d, effect.flat, level, effect.type)
            return f"may be thrown {_amount(effect.metres, level, ' m')}, for {hurt}"
        case Choose():
            return "you choose: the next attack on the target misses, or the target's next attack hits"
        case ExtraMajor():
            return "one more major action in the next cycle, once a day for each target"
        case Obscure():
            thick = "is hard to see through" if effect.level == "severe" else "nobody can see through"
            return f"{thick}{_for(effect.cycles, level)}"
        case Reveal():
            return "shows how far and where every humanoid is"
        case Stop():
            what = "everything" if effect.what == "all" else "objects and missiles"
            check = f", by an accuracy check against {effect.dv}" if effect.dv else ""
            return f"stops {'the next of ' * effect.once}{what}{check}"
        case Reflect():
            return "if you block a spell you know, it flies back, aimed anew"


def _bonus(effect: Bonus, level: int) -> str:
    by = worth(effect.amount, level=level)
    parts = [f"{by:+d}".replace("-", "−") if by or not effect.dice else "", f"+{effect.dice}" if effect.dice else ""]
    return " and ".join(part for part in parts if part) + _grows(effect.amount, level)


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:] if words[1:2].islower() else words


def aimed(one: Spell, level: int = 1) -> str:
    """Returns where a spell works and what helps against it: "to 100 m, blocked or dodged"."""
    where = _where(one.shape, level)
    if not one.hostile or one.accuracy == "none":
        return where
    helps = [name for name, works in (("blocked", one.block), ("dodged", one.dodge)) if works]
    return f"{where}, {' or '.join(helps) if helps else 'hard to escape'}"


def _where(shape: Shape, level: int) -> str:
    if shape.form in ("self", "front"):
        return "on yourself"
    if not shape.area:
        return f"to {_amount(shape.metres, level, ' m')}"
    ahead = shape.form in ("cone", "line") and shape.at == "caster"
    where = "in front of you" if ahead else WHERE[shape.at]
    return f"{SHAPES[shape.form]} of {_amount(shape.metres, level, ' m')} {where}"


def weapon(one: Weapon) -> str:
    """Returns a weapon's damage and range: "1d4 piercing, 1 m, thrown 5 m"."""
    parts = []
    if one.damage:
        hit = dice(worth(one.damage.n), one.damage.d, worth(one.damage.flat) + MATERIALS[one.material])
        parts.append(f"{hit} {one.damage.type}")
    far = [f"{one.reach:g} m" if one.reach else "", f"to {one.range:g} m" if one.range else ""]
    parts += [words for words in far if words]
    if one.hands == 2:
        parts.append("two hands")
    if one.note:
        parts.append(_lower(one.note).rstrip("."))
    return ", ".join(parts)


def armour(one: Armour) -> str:
    """Returns the effects of wearing armour: "light, Block +2, Dodge −1"; only its class if there are none."""
    sums = (("Block", one.block), ("Dodge", one.dodge), ("casting", one.casting))
    parts = [f"{name} {number:+d}".replace("-", "−") for name, number in sums if number]
    parts += [f"{number:+d} on {key} checks" for key, number in one.attribute_checks.items()]
    parts += [f"{percent} % off {key.replace('_', ' ')}" for key, percent in one.resists.items()]
    if one.conspicuous:
        parts.append("conspicuous")
    return ", ".join(parts if one.group == "shield" else [one.group, *parts])
