"""GM additions to Arcana's book: spells and foes, in the schema of the book's own (ARC-129, ARC-173)."""

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue, TypeAdapter

from app.engine.muster import groups
from app.engine.ruleset import OWN, Brief, Faults, Homebrew, HomebrewKind
from app.rulesets.arcana.rules import wording
from app.rulesets.arcana.rules.book import ATTRIBUTES, PRICE, SPELLS, Spell
from app.rulesets.arcana.rules.items import DRAUGHTS
from app.rulesets.arcana.sheet.foes import FOES, GRADES, Attack, Foe, of_grade


def spell_text(one: Spell, own: Homebrew) -> tuple[str, ...]:
    """Returns a spell's effects, where it works, and how it is cast."""
    kind = {"instant": "", "focus": ", a Focus"}.get(one.kind, f", a {one.kind}")
    aimed = wording.aimed(one)
    return (
        f"{one.school.capitalize()}, {one.discipline}: {one.level}{kind}. {PRICE[one.level]} FP, cast with {one.attr}.",
        f"{aimed[:1].upper()}{aimed[1:]}.",
        wording.spell(one),
    )


def foe_text(one: Foe, own: Homebrew) -> tuple[str, ...]:
    """Returns a foe's numbers, attacks and spells; three numbers are its grades."""
    spells = {**SPELLS, **own.get("spells", {})}
    known = [spells[key].name if key in spells else f"{key} (gone)" for key in one.spells]
    arms = [f"{key.replace('_', ' ')} {_attack(attack)}" for key, attack in one.attacks.items()]
    arms += [weapon.name.lower() for key, weapon in one.arms("standard").items() if key not in one.attacks]
    bodily = (("takes no", "takes {n} % less", one.resists), ("", "takes {n} % more", one.suffers))
    hurt = [
        f"{whole if whole and percent == 100 else part.format(n=percent)} {kind}"
        for whole, part, table in bodily
        for kind, percent in table.items()
    ]
    lines = [
        f"{_graded(one.hp)} HP; " + ", ".join(f"{key} {_graded(one.attributes[key])}" for key in ATTRIBUTES) + ".",
        f"Strikes with {', '.join(arms)}." if arms else "Has no weapon.",
        f"Knows {', '.join(known)}." if known else "",
        f"Carries {_carried(one)}." if one.items else "",
        f"{'; '.join(hurt)}.".capitalize() if hurt else "",
        one.note,
    ]
    return tuple(line for line in lines if line)


def _carried(one: Foe) -> str:
    named = [(DRAUGHTS.get(key, key), count) for key, count in one.carried.items()]
    return ", ".join(f"{name} × {count}" if count > 1 else name for name, count in named)


def _graded(given: int | tuple[int, int, int]) -> str:
    return str(given) if isinstance(given, int) else "/".join(str(one) for one in given)


def _attack(one: Attack) -> str:
    dice = [wording.dice(_count(one), of_grade(one.d, grade), of_grade(one.flat, grade)) for grade in GRADES]
    return f"{'/'.join(dict.fromkeys(dice))} {one.type}"


def _count(one: Attack) -> int:
    return wording.worth(one.n)


def spells_there(one: Foe, own: Homebrew) -> Faults:
    """Returns a fault if the foe knows a spell of the campaign that does not exist."""
    gone = [key for key in one.spells if key.startswith(OWN) and key not in own.get("spells", {})]
    return {"spells": f"You have no spell of your own called {gone[0]}."} if gone else {}


def named_foes(brief: Brief, foes: Mapping[str, Any]) -> frozenset[str]:
    """Returns the campaign's own foes that a fight begins with; the others stay secret when it is over."""
    given = brief.given if isinstance(brief.given, dict) else {}
    rows = given.get("foes") or ()
    named = {row.get("foe") for row in rows if isinstance(row, dict)} if isinstance(rows, (list, tuple)) else set()
    named |= {row.get("kind") for row in groups(given)}
    return frozenset(key for key in foes if key in named)


def spells_of(one: Any) -> frozenset[str]:
    """Returns the campaign's own spells that a sheet or foe names."""
    return frozenset(key for key in getattr(one, "spells", ()) if key.startswith(OWN))


TENS: dict[str, JsonValue] = {key: 0 if key == "EVL" else 10 for key in ATTRIBUTES}

KINDS: Mapping[str, HomebrewKind] = {
    "spells": HomebrewKind(
        title="Spells",
        one="spell",
        adapter=TypeAdapter(Spell),
        book=SPELLS,
        sample={
            "discipline": "hexes",
            "level": "beginner",
            "shape": {"form": "bolt", "metres": "100", "at": "caster"},
            "hostile": True,
            "block": True,
            "dodge": True,
            "accuracy": "instinct",
            "effect": [{"op": "damage", "n": "1+PP", "d": 6, "type": "force"}],
        },
        text=spell_text,
        form="own-spells.html",
        within=spells_of,
    ),
    "foes": HomebrewKind(
        title="Foes",
        one="foe",
        adapter=TypeAdapter(Foe),
        book=FOES,
        sample={"size": 2, "speed": 2.5, "attributes": TENS, "hp": 20},
        text=foe_text,
        form="own-foes.html",
        fits=spells_there,
        scene=named_foes,
    ),
}
