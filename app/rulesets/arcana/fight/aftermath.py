"""The effect of a fight on the sheets, and of old ills on the next fight (ledger 1.9)."""

from collections import Counter

from pydantic import JsonValue

from app.engine.ruleset import Outcome
from app.rulesets.arcana.fight.skills import MERCY
from app.rulesets.arcana.fight.state import Fighter, Held, State
from app.rulesets.arcana.rules.book import STATUSES, WEAPONS
from app.rulesets.arcana.sheet.sheets import Sheet

MINUTE = 20  # cycles (ARC-02)
OF_THE_FIGHT = frozenset({"prone", "hoisted", "asleep", "encumbered", "critical", "advantage", "disadvantage"})
"""Statuses that end with the fight: characters get up, wake or are tended; dying is recorded as HP."""


def outcome(state: State) -> Outcome:
    """Returns HP, FP, lasting ills, deaths and carried things for the sheets; and the winner and number of cycles."""
    sheets: dict[str, JsonValue] = {
        one.character: {
            "hp": min(one.hp, one.own_hp_max), "fp": breath(state, one), "dead": one.dead,
            "ills": lasting(one), **_carries(state, one),
        }
        for one in state.fighters.values()
        if one.character
    }  # fmt: skip
    return Outcome(sheets=sheets, result={"winner": state.winner, "cycles": state.cycle - 1})


def breath(state: State, one: Fighter) -> int:
    """Returns FP some minutes later: full, unless a status prevents it or the setting is slow recovery (ARC-140)."""
    slow = state.settings.fp_rest == "per_hour" or one.dead
    stopped = any(STATUSES[key].tires or STATUSES[key].no_regain for key in lasting(one))
    return min(one.fp, one.body.fp_max) if slow or stopped else one.body.fp_max


def lasting(one: Fighter) -> dict[str, JsonValue]:
    """Returns the statuses that outlast a fight, with cycles left; 0: until something ends it. Those of at most a
    minute end with the fight."""
    if one.dead:
        return {}
    return {
        key: held.left
        for key, held in sorted(one.statuses.items())
        if key not in OF_THE_FIGHT and held.source != MERCY and (held.left == 0 or held.left > MINUTE)
    }


def _carries(state: State, one: Fighter) -> dict[str, JsonValue]:
    """The items left; weapons only if some changed hands, armour only if it was changed. Things a character put down
    are theirs again, unless another picked them up."""
    fallen = [it for it in state.lying if it.by == one.body.key]
    things = Counter({**one.items}) + Counter(it.what for it in fallen if it.weapon is None)
    left: dict[str, JsonValue] = {"items": dict(things)}
    if one.traded:
        theirs = {**one.body.weapons, **{it.what: it.weapon for it in fallen if it.weapon is not None}}
        arms = {key: arm for key, arm in theirs.items() if key != "unarmed" and key in WEAPONS}
        left |= {"weapons": [*arms], "materials": {key: arm.material for key, arm in arms.items()}}
    if one.body.studied:  # read in books, and perhaps learnt (ARC-155)
        left |= {"studied": {**one.body.studied}, "spells": [*one.body.spells]}
    if one.dressed:
        left |= {"armour": one.body.armour, "wardrobe": [*one.body.wardrobe]}
    return left


def afflicted(one: Fighter, sheet: Sheet) -> Fighter:
    """Returns a combatant with the old ills of the sheet. At 0 HP or less it is dying, unless it is stable."""
    one.dead = sheet.dead
    one.statuses |= {key: Held(left, 0) for key, left in sheet.ills.items() if key in STATUSES}
    if one.hp <= 0 and not one.dead and "stable" not in one.statuses:
        one.statuses["critical"] = Held(0, 0)
    return one
