"""Ability cards as data, and the checker that refuses cards which could break a star (WHI-31, WHI-58, WHI-59).

All of them are house data. A card acts only through the fields below, each of which is one hook of the round; what no
field can say, no card can do: none starts a clash, gives a second target or ward, or adds clashes after the pairing.
"""

from dataclasses import dataclass, fields
from typing import Literal


@dataclass(frozen=True, kw_only=True, slots=True)
class Card:
    """One ability card. `aim` says when it works: with an attack that wins its clash, or as a rider (WHI-59)."""

    key: str
    name: str
    text: str
    aim: Literal["rider", "attack"] = "rider"
    needs_target: Literal["", "ally"] = ""
    once: bool = False  # spent for the rest of the battle when it works
    kept_when_stopped: bool = False  # on_reveal: the owner's rider works although he is stopped
    capacity: int = 0  # on_intercept: how many attackers the owner may take
    slips: bool = False  # on_intercept: guards cannot choose the owner
    own_check: int = 0  # on_check: added to the owner's combat in his own clashes
    allies_check: int = 0  # before_checks: added to the combat of all able allies this round
    redraw: bool = False  # on_check: after a failed check of the owner one more card, which counts instead
    hit: int = 0  # on_damage: added to the owner's hits
    weapon: tuple[int, int] | None = None  # on_damage: base and die instead of the weapon's
    soak: int = 0  # on_damage: taken from each hit against the owner, never below 0
    heals_die: bool = False  # with_damage: 1d6 HP to the target, not above the maximum
    heals_later: int = 0  # end_of_round: HP to the owner if he is able


CARDS: dict[str, Card] = {
    card.key: card
    for card in (
        Card(key="steady-hand", name="Steady hand", text="Combat + 2 in your clashes this round.", own_check=2),
        Card(
            key="heavy-blow",
            name="Heavy blow",
            text="Your hits deal 3 more, your combat is 2 less.",
            hit=3,
            own_check=-2,
        ),
        Card(
            key="second-try",
            name="Second try",
            text="Once a battle: if your check fails, draw another card; it counts instead.",
            redraw=True,
            once=True,
        ),
        Card(key="bodyguard", name="Bodyguard", text="As a guard you stop two attackers.", capacity=2),
        Card(key="slippery", name="Slippery", text="Guards cannot choose you this round.", slips=True),
        Card(
            key="battle-chant", name="Battle chant", text="All your allies have combat + 1 this round.", allies_check=1
        ),
        Card(
            key="iron-will",
            name="Iron will",
            text="Being stopped does not cost you what you do besides.",
            kept_when_stopped=True,
        ),
        Card(
            key="fire-lash",
            name="Fire lash",
            text="If you win the clash you attacked for: 2 + 2 × the die instead of your weapon.",
            aim="attack",
            weapon=(2, 2),
        ),
        Card(
            key="mend",
            name="Mend",
            text="An ally gets 1d6 HP back, not above the maximum.",
            needs_target="ally",
            heals_die=True,
        ),
        Card(key="stone-skin", name="Stone skin", text="Every hit against you deals 2 less this round.", soak=2),
        Card(
            key="second-wind",
            name="Second wind",
            text="Once a battle: 4 HP at the end of the round, if you still stand.",
            heals_later=4,
            once=True,
        ),
    )
}


def faults(raw: dict[str, object]) -> list[str]:
    """What is wrong with a card somebody wrote; empty: it can do nothing that breaks a star (WHI-31)."""
    known = {f.name for f in fields(Card)}
    found = [
        f"{name!r} is nothing a card can do. A card may not start or add clashes, nor give a second target or ward."
        for name in raw
        if name not in known
    ]
    capacity = raw.get("capacity", 0)
    if not isinstance(capacity, int) or not 0 <= capacity <= 99:
        found.append("A guard's number of attackers is between 1 and 99; who may be taken follows WHI-22.")
    if not raw.get("key") or not raw.get("name") or not raw.get("text"):
        found.append("A card needs a key, a name and a text.")
    return found
