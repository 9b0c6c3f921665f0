"""The effect of a passing day on the wounded: one roll for each Major wound and one for all Minor ones (CHR-HEA).

The caller labels a day's luck by character and day; here each roll adds its purpose.
"""

from collections.abc import Mapping
from functools import partial

from app.engine.chance import Chance, Roll
from app.engine.ruleset import DayEvent, Days
from app.rulesets.chronicle.aid import answered, bleeds, helped, pleads
from app.rulesets.chronicle.care import CARE, MAJOR, MINOR, Care, hindered, rating, used
from app.rulesets.chronicle.checks import Checked, check, counts
from app.rulesets.chronicle.prospects import ahead
from app.rulesets.chronicle.settings import HEALING, HealingSettings
from app.rulesets.chronicle.sheets import Sheet
from app.rulesets.chronicle.wounds import FRESH, NAMES, PARTS, TO_HEAL, Wounds, words

COUNTS = ("", "first", "second", "third", "fourth")


def usual(sheet: Sheet) -> Care:
    return Care()


def waits(sheet: Sheet) -> bool:
    """Whether a day would have an effect: the character is wounded and alive."""
    return sheet.wounds.any and not sheet.wounds.dead


def live(
    sheets: Mapping[str, Sheet], who: str, care: Care, chance: Chance, settings: HealingSettings
) -> tuple[Sheet, tuple[DayEvent, ...]]:
    """One day of a character: returns the sheet afterwards, and all events worth recording (CHR-HEA-15).

    The first day is the one after the wound.
    """
    sheet = sheets[who]
    if not waits(sheet):
        return sheet, ()
    day = _Day(sheet.name, sheet.wounds, [])
    if not _aid(day, sheets, who, care, chance, settings):
        return _kept(sheet, day)
    reason = hindered(day.wounds, sheets, who, care)
    if reason:
        day.tell("day", f"no healing roll: {reason[0]}.", reason[1])
        return _kept(sheet, day)
    heal = rating(sheets, who, care)
    minors = {part: day.wounds.each(part) for part in PARTS}
    for part in sheet.wounds.majors:
        if used(part, care):
            day.tell(part, f"the {NAMES[part]} was used, so its Major wound does not heal.", "CHR-HEA-08")
        else:
            _major(day, part, heal, chance, f"CHR-HEA-02/{who}/{part}", settings)
    if settings.tracks == "per-wound":
        _each_minor(day, minors, heal, chance, f"CHR-HEA-02/{who}/minor")
    elif any(minors.values()) and not (settings.tracks == "joint" and day.wounds.majors != sheet.wounds.majors):
        _minor(day, heal, chance, f"CHR-HEA-02/{who}/minor")
    return _kept(sheet, day)


class _Day:
    """One day in progress."""

    def __init__(self, name: str, wounds: Wounds, told: list[DayEvent]) -> None:
        self.name, self.wounds, self.told = name, wounds, told

    def tell(self, about: str, text: str, rule: str, rolls: tuple[Roll, ...] = (), *, mark: str = "") -> None:
        text, about = f"{self.name}: {text}", about.replace("_", "-")
        self.told.append(DayEvent(about=about, text=text, rule=rule, rolls=rolls, marks=bool(mark), mark=mark))


def _kept(sheet: Sheet, day: _Day) -> tuple[Sheet, tuple[DayEvent, ...]]:
    return sheet.model_copy(update={"wounds": day.wounds}), tuple(day.told)


def _aid(
    day: _Day, sheets: Mapping[str, Sheet], who: str, care: Care, chance: Chance, settings: HealingSettings
) -> bool:
    """Whether the day is ordinary: no Major head wound, or help came within the hour (CHR-HEA-11). Otherwise, it kills
    (CHR-HEA-10) once it is decided that no one comes; time does not pass before.
    """
    if not bleeds(day.wounds):
        return True
    if helped(sheets, who, care):
        name = sheets[care.helper].name
        if settings.head_aid == "check7":
            return _checked_aid(day, name, rating(sheets, who, care), chance, f"CHR-HEA-11/{who}")
        day.wounds = day.wounds.model_copy(update={"aided": True})
        day.tell("aid", f"{name} treated the Major head wound within the hour, so it does not kill.", "CHR-HEA-11")
        return True
    if not day.wounds.given_up:
        day.tell("aid", "nobody has said yet whether help comes for the Major head wound.", "CHR-HEA-11")
        return False
    day.wounds = day.wounds.model_copy(update={"dead": True})
    day.tell("aid", "nobody treated the Major head wound within the hour, and it was deadly.", "CHR-HEA-10",
             mark="dies of the head wound")  # fmt: skip
    return False


def _checked_aid(day: _Day, name: str, heal: int, chance: Chance, label: str) -> bool:
    """The helper's one check, if a campaign wants it; too late, and the wound kills (CHR-HEA-10, -11)."""
    rolled = check(chance, label, heal, MAJOR)
    came = f"{name} treated the Major head wound within the hour"
    if rolled.success:
        day.wounds = day.wounds.model_copy(update={"aided": True})
        day.tell("aid", f"{came}, so it does not kill ({_sums(rolled)}).", "CHR-HEA-11", rolled.rolls)
        return True
    day.wounds = day.wounds.model_copy(update={"dead": True})
    day.tell("aid", f"{came}, but in vain ({_sums(rolled)}): it was deadly.", "CHR-HEA-11", rolled.rolls,
             mark="dies of the head wound")  # fmt: skip
    return False


def _major(day: _Day, part: str, heal: int, chance: Chance, label: str, settings: HealingSettings) -> None:
    """One roll for a Major wound; the fourth success makes it a Minor one (CHR-HEA-05, -12, -14)."""
    rolled = check(chance, label, heal, MAJOR)
    now = day.wounds.of(part)
    sums = _sums(rolled)
    if not rolled.success:
        day.tell(part, f"the healing roll for the Major wound of the {NAMES[part]} fails ({sums}).",
                 "CHR-HEA-13", rolled.rolls)  # fmt: skip
        return
    count = now.successes + 1
    said = f"the healing roll for the Major wound of the {NAMES[part]} succeeds ({sums}), the {COUNTS[count]} of four"
    if count < TO_HEAL:
        day.wounds = day.wounds.put(part, now.model_copy(update={"successes": count}))
        day.tell(part, f"{said}.", "CHR-HEA-12", rolled.rolls, mark=f"{NAMES[part]}, {count} of {TO_HEAL}")
        return
    end = "it is a Minor wound now"
    if settings.tracks == "joint" and day.wounds.minors:
        day.wounds, end = _cleared(day.wounds), f"{end}, and all other Minor wounds are healed"
        now = day.wounds.of(part)
    day.wounds = day.wounds.put(part, now.model_copy(update={"major": False, "successes": 0, "minor": now.minor + 1}))
    if part == "head":
        day.wounds = day.wounds.model_copy(update=FRESH)
    day.tell(part, f"{said}: {end}.", "CHR-HEA-05", rolled.rolls,
             mark=f"{NAMES[part]} now a Minor wound")  # fmt: skip


def _minor(day: _Day, heal: int, chance: Chance, label: str) -> None:
    """One roll for all Minor wounds; the fourth success heals them, and the count starts again (CHR-HEA-12, -13)."""
    rolled = check(chance, label, heal, MINOR)
    sums = _sums(rolled)
    if not rolled.success:
        day.tell("minor", f"the healing roll for the Minor wounds fails ({sums}).", "CHR-HEA-13", rolled.rolls)
        return
    count = day.wounds.minor_successes + 1
    said = f"the healing roll for the Minor wounds succeeds ({sums}), the {COUNTS[count]} of four"
    if count < TO_HEAL:
        day.wounds = day.wounds.model_copy(update={"minor_successes": count})
        day.tell("minor", f"{said}.", "CHR-HEA-12", rolled.rolls, mark=f"Minor wounds, {count} of {TO_HEAL}")
        return
    day.wounds = _cleared(day.wounds)
    day.tell("minor", f"{said}: all Minor wounds are healed.", "CHR-HEA-05", rolled.rolls,
             mark="Minor wounds healed")  # fmt: skip


def _each_minor(day: _Day, minors: Mapping[str, tuple[int, ...]], heal: int, chance: Chance, label: str) -> None:
    """One roll for each Minor wound of the morning, each with its own count (CHR-HEA-12, "per wound")."""
    for part, wounds in minors.items():
        left = list[int]()
        for number, count in enumerate(wounds, 1):
            left += _one_minor(day, part, number, count, heal, chance, f"{label}/{part}/{number}")
        fresh = day.wounds.of(part).minor - len(wounds)
        day.wounds = day.wounds.track(part, (*left, *[0] * fresh))


def _one_minor(day: _Day, part: str, number: int, count: int, heal: int, chance: Chance, label: str) -> tuple[int, ...]:
    """Returns the new count of this wound; empty once it is healed."""
    rolled = check(chance, label, heal, MINOR)
    about, sums = f"minor-{part}-{number}", _sums(rolled)
    if not rolled.success:
        day.tell(about, f"the healing roll for a Minor wound of the {NAMES[part]} fails ({sums}).", "CHR-HEA-13",
                 rolled.rolls)  # fmt: skip
        return (count,)
    now = count + 1
    said = f"the healing roll for a Minor wound of the {NAMES[part]} succeeds ({sums}), the {COUNTS[now]} of four"
    if now < TO_HEAL:
        mark = f"Minor wound of the {NAMES[part]}, {now} of {TO_HEAL}"
        day.tell(about, f"{said}.", "CHR-HEA-12", rolled.rolls, mark=mark)
        return (now,)
    day.tell(
        about, f"{said}: it is healed.", "CHR-HEA-05", rolled.rolls, mark=f"a Minor wound of the {NAMES[part]} healed"
    )
    return ()


def _cleared(wounds: Wounds) -> Wounds:
    """The wounds without any Minor ones; their count starts again (CHR-HEA-13)."""
    for part in PARTS:
        wounds = wounds.track(part, ())
    return wounds.model_copy(update={"minor_successes": 0})


def _sums(rolled: Checked) -> str:
    """The dice, the rating, and the target: "5 + 7 + 3 + 4 for Heal = 19 against 21"."""
    rating = f"{'−' if rolled.acting < 0 else '+'} {abs(rolled.acting)}"
    return f"{' + '.join(map(str, rolled.dice))} {rating} for Heal = {rolled.total} against {rolled.target}"


def days(settings: HealingSettings) -> Days[Sheet]:
    """The days of a campaign with these settings."""
    return Days(
        care=CARE,
        usual=usual,
        waits=waits,
        live=partial(live, settings=settings),
        condition=lambda sheet: words(sheet.wounds),
        shows=counts,
        ahead=partial(ahead, settings=settings),
        pleads=partial(pleads, settings=settings),
        answered=answered,
        settings=HEALING,
        settled=days,
        foretold=settings.roll_time == "ahead",
    )


DAYS = days(HealingSettings())
