"""Medical aid for a Major head wound: who can bring it, and the consequence of none (CHR-HEA-10, -11)."""

from collections.abc import Mapping

from app.engine.ruleset import Plea
from app.rulesets.chronicle.care import MAJOR, Care, can_help
from app.rulesets.chronicle.checks import TARGET
from app.rulesets.chronicle.settings import HealingSettings
from app.rulesets.chronicle.sheets import Sheet
from app.rulesets.chronicle.wounds import Wounds


def bleeds(wounds: Wounds) -> bool:
    """Whether a Major head wound will kill unless aid comes (CHR-HEA-10)."""
    return wounds.head.major and not wounds.aided and not wounds.dead


def helped(sheets: Mapping[str, Sheet], who: str, care: Care) -> bool:
    """Whether this care brings a helper with material within the hour (CHR-HEA-11)."""
    return care.by == "helper" and care.material and can_help(sheets, who, care)


def pleads(sheets: Mapping[str, Sheet], who: str, care: Care, settings: HealingSettings) -> Plea | None:
    """The plea for a character whom a head wound would kill; None if aid comes, or no one is to come."""
    wounds = sheets[who].wounds
    if not bleeds(wounds) or wounds.given_up or helped(sheets, who, care):
        return None
    able = [one for one in sheets if can_help(sheets, who, Care(by="helper", helper=one))]
    text = f"{sheets[who].name} dies of the Major head wound within the hour unless someone brings aid."
    if settings.head_aid == "check7":
        text += f" The helper needs a Heal check against {TARGET + MAJOR}."
    return Plea(
        text=text,
        rule="CHR-HEA-10",
        helpers=tuple(sorted(able, key=lambda one: sheets[one].wounds.any)),
    )


def answered(sheet: Sheet, care: Care, helper: str) -> tuple[Sheet, Care]:
    """A helper comes, with bandages, and treats the wounds from then on; or none comes ("")."""
    wounds = sheet.wounds.model_copy(update={"given_up": not helper})
    if helper:
        care = care.model_copy(update={"by": "helper", "helper": helper, "material": True})
    return sheet.model_copy(update={"wounds": wounds}), care
