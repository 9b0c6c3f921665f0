"""Ability cards as data, and the check that refuses cards which could break a star (WHI-31, WHI-58, WHI-59).

All of them are house data. A card acts only through the fields below, each of which is one hook of the round; so no
card can start a clash, give a second target or ward, or add clashes after the pairing.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from typing import Any, Literal


@dataclass(frozen=True, kw_only=True, slots=True)
class Card:
    """One ability card. `aim` decides when it works: with an attack that wins its clash, or as a rider (WHI-59)."""

    key: str
    name: str
    text: str
    aim: Literal["rider", "attack"] = "rider"
    needs_target: Literal["", "ally"] = ""
    once: bool = False  # spent for the rest of the battle once it works
    kept_when_stopped: bool = False  # on_reveal: the owner's rider works although the owner is stopped
    capacity: int = 0  # on_intercept: how many attackers the owner may take
    slips: bool = False  # on_intercept: guards cannot choose the owner
    own_check: int = 0  # on_check: added to the owner's combat in his own clashes
    allies_check: int = 0  # before_checks: added to the combat of all able allies this round
    redraw: bool = False  # on_check: after the owner's first failed check, one more card, which counts instead
    hit: int = 0  # on_damage: added to the owner's hits
    weapon: tuple[int, int] | None = None  # on_damage: base and die instead of the weapon's
    soak: int = 0  # on_damage: taken from each hit against the owner, never below 0
    heals_die: bool = False  # with_damage: 1d6 HP to the target, not above the maximum
    heals_later: int = 0  # end_of_round: HP to the owner if he is able


NUMBERS = {"capacity": (0, 99), "own_check": (-99, 99), "allies_check": (-99, 99), "hit": (-99, 99), "soak": (0, 99)}
NUMBERS |= {"heals_later": (0, 99)}
SWITCHES = ("once", "kept_when_stopped", "slips", "redraw", "heals_die")
WORDS = {"aim": ("rider", "attack"), "needs_target": ("", "ally")}


def faults(raw: Mapping[str, object]) -> list[str]:
    """Returns the faults of a card's raw data; empty: it cannot break a star (WHI-31)."""
    known = {f.name for f in fields(Card)}
    found = [
        f"{name!r} is not something a card can do. It may not start or add clashes, or give a second target or ward."
        for name in raw
        if name not in known
    ]
    if not all(isinstance(raw.get(name), str) and raw[name] for name in ("key", "name", "text")):
        found.append("A card needs a key, a name and a text.")
    for name, (least, most) in NUMBERS.items():
        value = raw.get(name, 0)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            more = " WHI-22 says who may be taken." if name == "capacity" else ""
            found.append(f"{name} must be a whole number between {least} and {most}.{more}")
    found += [f"{name} must be true or false." for name in SWITCHES if not isinstance(raw.get(name, False), bool)]
    found += [
        f"{name} must be one of {', '.join(map(repr, of))}."
        for name, of in WORDS.items()
        if raw.get(name, of[0]) not in of
    ]
    if not _is_weapon(raw.get("weapon")):
        found.append("weapon must be a base and a die: two whole numbers between 0 and 999.")
    elif raw.get("weapon") is not None and raw.get("aim") != "attack":
        found.append("Only a card aimed at an attack can take the weapon's place (WHI-59).")
    if raw.get("heals_die") and not raw.get("needs_target"):
        found.append("A card that heals with a die needs a target.")
    return found


def _is_weapon(value: object) -> bool:
    if value is None:
        return True
    pair = isinstance(value, (list, tuple)) and len(value) == 2
    return pair and all(type(number) is int and 0 <= number <= 999 for number in value)


def read(text: str) -> dict[str, Card]:
    """Reads cards from TOML tables, by key. Raises ValueError with all faults, by card."""
    cards: dict[str, Card] = {}
    wrong: list[str] = []
    for key, table in tomllib.loads(text).items():
        raw: dict[str, Any] = {**table, "key": key} if isinstance(table, dict) else {"key": key, "a value": table}
        wrong += [f"{key}: {fault}" for fault in faults(raw)]
        if not wrong:
            if raw.get("weapon"):
                raw["weapon"] = tuple(raw["weapon"])
            cards[key] = Card(**raw)
    if wrong:
        raise ValueError("\n".join(wrong))
    return cards


CARDS = read(files("app.rulesets.whiskey").joinpath("cards.toml").read_text(encoding="utf-8"))
