"""The prospects of a care before a day passes: who treats whom, which parts rest, and the exact odds of the rolls."""

from collections.abc import Iterator, Mapping

from app.engine.ruleset import Prospect
from app.rulesets.chronicle.aid import bleeds, helped
from app.rulesets.chronicle.care import MAJOR, MINOR, Care, hindered, rating, used
from app.rulesets.chronicle.checks import TARGET, said
from app.rulesets.chronicle.settings import HealingSettings
from app.rulesets.chronicle.sheets import Sheet
from app.rulesets.chronicle.wounds import ARMS, LEGS, NAMES, PARTS


def ahead(sheets: Mapping[str, Sheet], who: str, care: Care, settings: HealingSettings) -> tuple[Prospect, ...]:
    """A character's next day under a care, in words; for a healthy one, only who would treat them."""
    sheet = sheets[who]
    if sheet.wounds.dead:
        return ()
    told = [_healer(sheets, who, care)]
    if not sheet.wounds.any:
        return (*told, Prospect(text="There is nothing to heal now."))
    told += _rest(sheet, care)
    if bleeds(sheet.wounds):
        return (*told, _within_the_hour(sheets, who, care, settings))
    reason = hindered(sheet.wounds, sheets, who, care, ahead=True)
    if reason:
        return (*told, Prospect(text=f"No healing roll: {reason[0]}.", rule=reason[1]))
    return (*told, *_rolls(sheet, rating(sheets, who, care), care, settings))


def _healer(sheets: Mapping[str, Sheet], who: str, care: Care) -> Prospect:
    name = sheets[who].name
    if care.by == "nobody":
        return Prospect(text=f"Nobody treats {name}.", rule="CHR-HEA-01")
    if care.by == "self":
        heal = f"Heal {sheets[who].rating('heal')}, −1 for working alone"
        return Prospect(text=f"{name} treats their own wounds ({heal}).", rule="CHR-HEA-03")
    if care.helper not in sheets or care.helper == who:
        return Prospect(text=f"The helper chosen for {name} is not available.", rule="CHR-HEA-01")
    healer = sheets[care.helper]
    return Prospect(text=f"{healer.name} treats {name} (Heal {healer.rating('heal')}).", rule="CHR-HEA-02")


def _rest(sheet: Sheet, care: Care) -> Iterator[Prospect]:
    """The rest that the Major wounds need, and whether they get it."""
    for part in sheet.wounds.majors:
        if used(part, care):
            text = f"{sheet.name} uses the {NAMES[part]}, so its Major wound does not heal."
            yield Prospect(text=text, rule="CHR-HEA-08")
        elif part in ARMS:
            yield Prospect(text=f"{sheet.name} rests the {NAMES[part]}.", rule="CHR-HEA-09")
        elif part in LEGS:
            yield Prospect(text=f"{sheet.name} does not walk, to rest the {NAMES[part]}.", rule="CHR-HEA-09")
        else:
            yield Prospect(text=f"{sheet.name} stays in bed, to rest the {NAMES[part]}.", rule="CHR-HEA-09")


def _within_the_hour(sheets: Mapping[str, Sheet], who: str, care: Care, settings: HealingSettings) -> Prospect:
    if helped(sheets, who, care) and settings.head_aid == "check7":
        odds = _odds(rating(sheets, who, care), MAJOR)
        text = f"The Major head wound kills unless a Heal check succeeds: needs {odds}."
        return Prospect(text=text, rule="CHR-HEA-11")
    if helped(sheets, who, care):
        return Prospect(text="The Major head wound is treated within the hour and does not kill.",
                        rule="CHR-HEA-11")  # fmt: skip
    if sheets[who].wounds.given_up:
        return Prospect(text="Nobody comes within the hour, so the Major head wound kills.", rule="CHR-HEA-10")
    deadly = "Without a helper with bandages within the hour, the Major head wound kills."
    return Prospect(text=f"{deadly} No day passes until someone says who comes.", rule="CHR-HEA-10")


def _rolls(sheet: Sheet, heal: int, care: Care, settings: HealingSettings) -> Iterator[Prospect]:
    for part in sheet.wounds.majors:
        if not used(part, care):
            yield Prospect(
                text=f"Major wound of the {NAMES[part]}: needs {_odds(heal, MAJOR, ' a day')}. "
                f"Successes: {sheet.wounds.of(part).successes} of 4.",
                rule="CHR-HEA-04",
            )
    if settings.tracks == "per-wound":
        yield from _each(sheet, heal)
    elif sheet.wounds.minors:
        yield Prospect(
            text=f"Minor wounds: need {_odds(heal, MINOR, ' a day')}. Successes: {sheet.wounds.minor_successes} of 4.",
            rule="CHR-HEA-04",
        )


def _each(sheet: Sheet, heal: int) -> Iterator[Prospect]:
    for part in PARTS:
        for count in sheet.wounds.each(part):
            yield Prospect(
                text=f"Minor wound of the {NAMES[part]}: needs {_odds(heal, MINOR, ' a day')}. "
                f"Successes: {count} of 4.",
                rule="CHR-HEA-04",
            )


def _odds(heal: int, difficulty: int, each: str = "") -> str:
    """Returns "20+ on 2d8+d10 (9 % a day)"; `each` is said of a chance, not of what is certain or impossible."""
    share, exact, _ = said(heal, difficulty).partition(" (")
    return f"{TARGET + difficulty - heal}+ on 2d8+d10 ({share}{each if exact else ''})"
