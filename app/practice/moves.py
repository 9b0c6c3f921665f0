"""All moves that a fighter may seal in a clash, as columns of numbers: a row per action, addition and payment."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.rulesets.duel.data import ACTIONS, REST, Action
from app.rulesets.duel.declarations import Move

Whole = npt.NDArray[np.int64]
Truth = npt.NDArray[np.bool_]
KINDS = {"universal": 0, "defence": 1, "offence": 2}
UNIVERSAL, DEFENCE, OFFENCE = KINDS.values()
ADDS = ("", "opener", "discombobulate", "momentum")
DISCOMBOBULATED = 2  # the most of it that Rage may pay for in advance


@dataclass(frozen=True, slots=True)
class Moves:
    """Row i of every column belongs to `says[i]`. The first row is Rest, without additions."""

    says: tuple[Move, ...]
    kind: Whole
    cost: Whole  # with the addition; the stored effect is added later
    rage: Whole
    damage: Whole
    block: Whole
    heal: Whole
    recover: Whole
    tiring: Whole
    momentum: Whole
    fall_back: Whole
    halting: Whole
    reversal: Whole
    opportunity: Whole
    discombobulate: Whole
    opener: Truth
    follows: Truth  # Combo or Finisher: only within a combo
    finisher: Truth
    guard_break: Truth
    parry: Truth
    dodge: Truth


def moves(known: Iterable[str], abilities: frozenset[str]) -> Moves:
    """Moves with the book's actions only: abilities named and copies made by house actions are not considered."""
    keys = [key for key in known if ACTIONS[key].pack == "book" and key != REST]
    rows = [(one, says) for key in (REST, *keys) for one in (ACTIONS[key],) for says in _variants(one, abilities)]
    says = tuple(one for _, one in rows)
    actions = [one for one, _ in rows]
    adds = [one.add for one in says]

    def numbers(name: str) -> Whole:
        return np.array([getattr(one, name) for one in actions], dtype=np.int64)

    def added(name: str) -> Whole:
        return np.array([add == name for add in adds], dtype=np.int64)

    def flags(name: str) -> Truth:
        return np.array([getattr(one, name) for one in actions], dtype=np.bool_)

    return Moves(
        says=says,
        kind=np.array([KINDS[one.kind] for one in actions], dtype=np.int64),
        cost=numbers("cost") + np.array([bool(add) for add in adds], dtype=np.int64),
        rage=np.array([one.rage for one in says], dtype=np.int64),
        damage=numbers("damage"),
        block=numbers("block"),
        heal=numbers("heal"),
        recover=numbers("recover"),
        tiring=numbers("tiring"),
        momentum=numbers("momentum") + added("momentum"),
        fall_back=numbers("fall_back"),
        halting=numbers("halting"),
        reversal=numbers("reversal"),
        opportunity=numbers("opportunity"),
        discombobulate=numbers("discombobulate") + added("discombobulate"),
        opener=flags("opener") | (added("opener") > 0),
        follows=flags("combo") | flags("finisher"),
        finisher=flags("finisher"),
        guard_break=flags("guard_break"),
        parry=flags("parry"),
        dodge=flags("dodge"),
    )


def _variants(action: Action, abilities: frozenset[str]) -> Iterable[Move]:
    """An action alone, with each addition of Surprise!, and each with every payment of Rage (DUE-61, DUE-63)."""
    for add in ADDS if "surprise" in abilities else ADDS[:1]:
        if add and getattr(action, add):
            continue  # it has the trait already
        most = action.cost + bool(add) + DISCOMBOBULATED if "rage" in abilities else 0
        for rage in range(most + 1):
            yield Move(action=action.key, add=add, rage=rage)
