"""The effect of a day on HP, FP and ills; a Major Injury limits the HP that sleep restores (ARC-140)."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from app.engine.chance import Chance
from app.engine.ruleset import DayEvent, Days, Prospect
from app.rulesets.arcana.rules.wording import status
from app.rulesets.arcana.sheet.sheets import Sheet

AWAKE = 2  # HP an hour (ARC-140)
HOURS = 24
DAY = 24 * 60 * 20  # cycles (ARC-02)
SLEPT_OFF = frozenset({"exhausted"})


class Rest(BaseModel):
    """How a character spends the nights."""

    model_config = ConfigDict(extra="ignore")

    night: Annotated[
        Literal["sleep", "awake"],
        Field(title="The nights", json_schema_extra={"x-labels": {
            "sleep": "Sleeps more than eight hours", "awake": "Hardly sleeps: 2 HP an hour",
        }}),
    ] = "sleep"  # fmt: skip


def usual(sheet: Sheet) -> Rest:
    return Rest()


def waits(sheet: Sheet) -> bool:
    """Whether a day would change anything: the character is alive and is hurt, tired or has an ill that runs out."""
    return not sheet.dead and rested(sheet, Rest()) != sheet


def ceiling(sheet: Sheet) -> int:
    """Returns the HP up to which rest heals: half with a Major Injury (ARC-134)."""
    return sheet.hp_max // 2 if sheet.injured else sheet.hp_max


def rested(sheet: Sheet, care: Rest) -> Sheet:
    """Returns the sheet after one day (ARC-140): HP as the night allows, full FP, and ills that are still running."""
    gain = HOURS * AWAKE if care.night == "awake" else max(0, sheet.hp_max - sheet.hp_now)
    hp = max(sheet.hp_now, min(ceiling(sheet), sheet.hp_now + gain))
    over = SLEPT_OFF if care.night == "sleep" else frozenset()
    ills = {key: left and left - DAY for key, left in sheet.ills.items() if key not in over and not 0 < left <= DAY}
    change: dict[str, object] = {"ills": ills}
    if hp != sheet.hp_now:
        change["hp"] = None if hp >= sheet.hp_max else hp
    if sheet.fp_now < sheet.fp_max:
        change["fp"] = None
    return sheet.model_copy(update=change)


def live(sheets: Mapping[str, Sheet], who: str, care: Rest, chance: Chance) -> tuple[Sheet, tuple[DayEvent, ...]]:
    """Returns the sheet after one day, and what happened; there are no dice."""
    sheet = sheets[who]
    if sheet.dead:
        return sheet, ()
    after = rested(sheet, care)
    if after == sheet:
        return sheet, ()
    well = sheet.hp_now < sheet.hp_max and after.hp is None
    told = DayEvent(
        about="rest",
        text=f"{sheet.name}: {_did(care)}{_told(sheet, after)}",
        rule="ARC-140",
        marks=well,
        mark="unhurt again" if well else "",
    )
    return after, (told,)


def _did(care: Rest) -> str:
    return "sleeps" if care.night == "sleep" else "rests"


def _told(sheet: Sheet, after: Sheet) -> str:
    parts = []
    if after.hp_now != sheet.hp_now:
        parts.append(f"from {sheet.hp_now} to {after.hp_now} of {after.hp_max} HP")
    if after.fp_now != sheet.fp_now:
        parts.append(f"from {sheet.fp_now} to {after.fp_now} FP")
    gone = [status(key) for key in sheet.ills if key not in after.ills]
    if gone:
        parts.append(f"rid of {', '.join(gone)}")
    held = after.injured and after.hp_now < after.hp_max
    more = " A Major Injury allows no more." if held and after.hp_now >= ceiling(after) else ""
    return f"; {', '.join(parts)}.{more}" if parts else f".{more}"


def said(sheet: Sheet) -> tuple[str, ...]:
    """Returns a character's condition for lists: "14 of 20 HP", "Major Injury"; empty if well (ARC-133, ARC-140)."""
    if sheet.dead:
        return ("Dead",)
    found = []
    if sheet.hp_now < sheet.hp_max:
        found.append(f"{sheet.hp_now} of {sheet.hp_max} HP".replace("-", "−"))
    if sheet.fp_now < sheet.fp_max:
        found.append(f"{sheet.fp_now} of {sheet.fp_max} FP")
    return (*found, *(status(key)[:1].upper() + status(key)[1:] for key in sheet.ills))


def ahead(sheets: Mapping[str, Sheet], who: str, care: Rest) -> tuple[Prospect, ...]:
    """Returns the effect of the next day; there are no dice."""
    sheet = sheets[who]
    if not waits(sheet):
        return ()
    after = rested(sheet, care)
    return (Prospect(text=f"The next day {sheet.name} {_did(care)}{_told(sheet, after)}", rule="ARC-140"),)


CARE: TypeAdapter[Rest] = TypeAdapter(Rest)
DAYS: Days[Sheet] = Days(care=CARE, usual=usual, waits=waits, live=live, condition=said, ahead=ahead)
