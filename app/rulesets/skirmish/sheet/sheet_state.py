"""How a character is between fights: healing, what keeps them from acting, in words (SKI-41, SKI-71, SKI-87)."""

from collections import Counter
from collections.abc import Collection

from app.engine.sentences import and_list
from app.rulesets.skirmish.sheet.catalogue import is_full
from app.rulesets.skirmish.sheet.packing import SLOTS
from app.rulesets.skirmish.sheet.sheets import Sheet, Wound


def dead(sheet: Sheet) -> bool:
    return sheet.dead or sheet.mgt == 0


def unfit(sheet: Sheet) -> str:
    """Why a character can't act, to follow a name; "" at 0 HP, where one still fights."""
    if dead(sheet):
        return "dead"
    if sheet.agi == 0:
        return "paralysed at AGI 0"
    return "broken at WIL 0" if sheet.wil == 0 else ""


def heal(sheet: Sheet) -> Sheet:
    """The sheet after a short rest with water: all HP, but none where no slot is left (SKI-71, SKI-87).

    Whoever lay at AGI 0 or WIL 0 gets up with 1 (house): the rest must give them a turn to take.
    """
    if dead(sheet):
        return sheet
    whole = 0 if is_full(sheet, {}) else sheet.hp_max
    least = {name: max(getattr(sheet, name), min(1, getattr(sheet, f"{name}_max"))) for name in ("agi", "wil")}
    return sheet.model_copy(update={"hp": whole, **least})


def wounded(wounds: Collection[Wound]) -> list[str]:
    """One entry for all wounds, or none: "wound: left arm", "wounds: torso (3) and treated right leg"."""
    places = Counter(f"treated {one.place}" if one.treated else one.place for one in wounds)
    each = and_list(place if count == 1 else f"{place} ({count})" for place, count in places.items())
    return [f"{'wound' if len(wounds) == 1 else 'wounds'}: {each}"] if wounds else []


def condition(sheet: Sheet) -> tuple[str, ...]:
    """The sheet's state in words: HP, lowered attributes, Fatigue, wounds."""
    if dead(sheet):
        return ("dead",)
    said = [f"{sheet.hp} of {sheet.hp_max} HP"]
    for name in ("mgt", "agi", "wil"):
        now, full = getattr(sheet, name), getattr(sheet, f"{name}_max")
        if now != full:
            said.append(f"{name.upper()} {now} of {full}")
    if sheet.fatigue:
        said.append(f"{sheet.fatigue} Fatigue")
    said += wounded(sheet.wounds)
    if is_full(sheet, {}):
        said.append(f"all {SLOTS} slots full")
    return tuple(said)
