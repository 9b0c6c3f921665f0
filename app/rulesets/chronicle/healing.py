"""What a passing day does to the wounded: one roll for each Major wound and one for all Minor ones (CHR-HEA).

A day's luck comes labelled by character and day from outside; here each roll adds what it is for.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, WithJsonSchema

from app.engine.chance import Chance, Roll
from app.engine.ruleset import Days, Passed
from app.rulesets.chronicle.checks import check
from app.rulesets.chronicle.sheets import Sheet
from app.rulesets.chronicle.wounds import LEGS, NAMES, PARTS, TO_HEAL, Wounds, words

MINOR, MAJOR, ALONE = 3, 7, -1  # difficulties (CHR-HEA-04) and treating oneself (CHR-HEA-03)
COUNTS = ("", "first", "second", "third", "fourth")

Lack = Literal["food", "water", "sleep", "shelter", "clothes"]
LACKS: Mapping[str, str] = {
    "food": "proper food",
    "water": "water",
    "sleep": "sleep",
    "shelter": "tent or shelter",
    "clothes": "change of clothes",
}
NEEDS = ("food", "water", "sleep")  # CHR-HEA-06; the others keep dry and clean (CHR-HEA-07)
USES = {
    "left_arm": "the left arm or hand",
    "right_arm": "the right arm or hand",
    "left_leg": "the left leg, walking",
    "right_leg": "the right leg, walking",
    "body": "the body: up and about",
    "head": "the head: up and about",
}


def _yes(given: object) -> object:
    """A form's checkbox."""
    return given not in ("", "no", "off", "false", False, None)


LackKey = Annotated[
    Lack, WithJsonSchema({"type": "string", "enum": list(LACKS), "x-labels": {k: f"no {v}" for k, v in LACKS.items()}})
]
UseKey = Annotated[
    Literal["left_arm", "right_arm", "left_leg", "right_leg", "body", "head"],
    WithJsonSchema({"type": "string", "enum": list(USES), "x-labels": USES}),
]


class Care(BaseModel):
    """How somebody spends the days until they are well. Unsaid: alone, at rest, with everything one needs."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    by: Annotated[
        Literal["self", "helper", "nobody"],
        WithJsonSchema(
            {
                "type": "string",
                "enum": ["self", "helper", "nobody"],
                "x-labels": {"self": "themselves, at −1", "helper": "a helper", "nobody": "nobody"},
            }
        ),
        Field(title="Wounds are treated by"),
    ] = "self"
    helper: Annotated[
        str, Field(title="Who helps", max_length=60, description="One who stays with the wounded person.")
    ] = ""
    material: Annotated[
        bool,
        BeforeValidator(_yes),
        Field(title="There are bandages, needle and thread, or splints for bones"),
    ] = True
    uses: Annotated[
        tuple[UseKey, ...],
        Field(title="Used in spite of the wounds", description="A Major wound does not heal while its part is used."),
    ] = ()
    lacks: Annotated[
        tuple[LackKey, ...],
        Field(title="What is missing", description="No wound heals without all of these."),
    ] = ()


CARE: TypeAdapter[Care] = TypeAdapter(Care)


def usual(sheet: Sheet) -> Care:
    return Care()


def waits(sheet: Sheet) -> bool:
    """Whether a day would do anything: somebody wounded who lives."""
    return sheet.wounds.any and not sheet.wounds.dead


def live(sheets: Mapping[str, Sheet], who: str, care: Care, chance: Chance) -> tuple[Sheet, tuple[Passed, ...]]:
    """One day of somebody's: the sheet afterwards, and all that is worth telling. The first is the day after the wound
    (CHR-HEA-15)."""
    sheet = sheets[who]
    if not waits(sheet):
        return sheet, ()
    day = _Day(sheet.name, sheet.wounds, [])
    if not _aid(day, sheets, who, care):
        return _kept(sheet, day)
    reason = _hindered(day.wounds, sheets, who, care)
    if reason:
        day.tell("day", f"no healing roll: {reason[0]}.", reason[1])
        return _kept(sheet, day)
    healer = sheets[who if care.by == "self" else care.helper]
    rating = healer.rating("heal") + (ALONE if care.by == "self" else 0)
    minors = day.wounds.minors > 0
    for part in sheet.wounds.majors:
        if _used(part, care):
            day.tell(part, f"the {NAMES[part]} was used, so its Major wound does not heal.", "CHR-HEA-08")
        else:
            _major(day, part, rating, chance, f"CHR-HEA-02/{who}/{part}")
    if minors:
        _minor(day, rating, chance, f"CHR-HEA-02/{who}/minor")
    return _kept(sheet, day)


class _Day:
    """One day under way."""

    def __init__(self, name: str, wounds: Wounds, told: list[Passed]) -> None:
        self.name, self.wounds, self.told = name, wounds, told

    def tell(self, about: str, text: str, rule: str, rolls: tuple[Roll, ...] = (), *, marks: bool = False) -> None:
        self.told.append(
            Passed(about=about.replace("_", "-"), text=f"{self.name}: {text}", rule=rule, rolls=rolls, marks=marks)
        )


def _kept(sheet: Sheet, day: _Day) -> tuple[Sheet, tuple[Passed, ...]]:
    return sheet.model_copy(update={"wounds": day.wounds}), tuple(day.told)


def _aid(day: _Day, sheets: Mapping[str, Sheet], who: str, care: Care) -> bool:
    """Whether somebody with a Major head wound lives on: only if help came within the hour (CHR-HEA-10, -11)."""
    if not day.wounds.head.major or day.wounds.aided:
        return True
    if care.by == "helper" and care.material and _can_help(sheets, who, care):
        day.wounds = day.wounds.model_copy(update={"aided": True})
        name = sheets[care.helper].name
        day.tell("aid", f"{name} reached the Major head wound within the hour, and it does not kill.", "CHR-HEA-11")
        return True
    day.wounds = day.wounds.model_copy(update={"dead": True})
    day.tell("aid", "nobody cared for the Major head wound within the hour. It was deadly.", "CHR-HEA-10", marks=True)
    return False


def _can_help(sheets: Mapping[str, Sheet], who: str, care: Care) -> bool:
    """Somebody else of the campaign, alive and awake."""
    if care.helper == who or care.helper not in sheets:
        return False
    wounds = sheets[care.helper].wounds
    return not wounds.dead and not wounds.head.major


def _hindered(wounds: Wounds, sheets: Mapping[str, Sheet], who: str, care: Care) -> tuple[str, str] | None:
    """Why nothing at all can heal today, and the rule that says so."""
    missing = [LACKS[lack] for lack in LACKS if lack in care.lacks and lack in NEEDS]
    if missing:
        return f"there was no {' and no '.join(missing)}", "CHR-HEA-06"
    wet = [LACKS[lack] for lack in LACKS if lack in care.lacks]
    if wet:
        return f"the wounds were wet or dirty, with no {' and no '.join(wet)}", "CHR-HEA-07"
    if not care.material:
        return "there was nothing to bind the wounds with", "CHR-HEA-01"
    if care.by == "nobody":
        return "nobody treated the wounds", "CHR-HEA-01"
    if care.by == "helper" and not _can_help(sheets, who, care):
        return "the helper could not be there", "CHR-HEA-01"
    if care.by == "self" and wounds.head.major:
        return "who has a Major head wound can treat nobody", "CHR-HEA-10"
    return None


def _used(part: str, care: Care) -> bool:
    """Whether the day was too much for a Major wound there: head and body need a bed, without walking (CHR-HEA-09)."""
    if part in ("body", "head"):
        return any(use in ("body", "head", *LEGS) for use in care.uses)
    return part in care.uses


def _major(day: _Day, part: str, rating: int, chance: Chance, label: str) -> None:
    """One roll for a Major wound; the fourth success makes it a Minor one (CHR-HEA-05, -12, -14)."""
    rolled = check(chance, label, rating, MAJOR)
    now = day.wounds.of(part)
    sums = f"{rolled.total} against {rolled.target}"
    if not rolled.success:
        day.tell(part, f"the healing roll for the Major wound of the {NAMES[part]} fails ({sums}).",
                 "CHR-HEA-13", rolled.rolls)  # fmt: skip
        return
    count = now.successes + 1
    said = f"the healing roll for the Major wound of the {NAMES[part]} succeeds ({sums}), the {COUNTS[count]} of four"
    if count < TO_HEAL:
        day.wounds = day.wounds.put(part, now.model_copy(update={"successes": count}))
        day.tell(part, f"{said}.", "CHR-HEA-12", rolled.rolls, marks=True)
        return
    day.wounds = day.wounds.put(part, now.model_copy(update={"major": False, "successes": 0, "minor": now.minor + 1}))
    if part == "head":
        day.wounds = day.wounds.model_copy(update={"aided": False})
    day.tell(part, f"{said}: it is a Minor wound now.", "CHR-HEA-05", rolled.rolls, marks=True)


def _minor(day: _Day, rating: int, chance: Chance, label: str) -> None:
    """One roll for all Minor wounds; the fourth success heals them, and the count begins anew (CHR-HEA-12, -13)."""
    rolled = check(chance, label, rating, MINOR)
    sums = f"{rolled.total} against {rolled.target}"
    if not rolled.success:
        day.tell("minor", f"the healing roll for the Minor wounds fails ({sums}).", "CHR-HEA-13", rolled.rolls)
        return
    count = day.wounds.minor_successes + 1
    said = f"the healing roll for the Minor wounds succeeds ({sums}), the {COUNTS[count]} of four"
    if count < TO_HEAL:
        day.wounds = day.wounds.model_copy(update={"minor_successes": count})
        day.tell("minor", f"{said}.", "CHR-HEA-12", rolled.rolls, marks=True)
        return
    for part in PARTS:
        day.wounds = day.wounds.put(part, day.wounds.of(part).model_copy(update={"minor": 0}))
    day.wounds = day.wounds.model_copy(update={"minor_successes": 0})
    day.tell("minor", f"{said}: all Minor wounds are healed.", "CHR-HEA-05", rolled.rolls, marks=True)


DAYS: Days[Sheet] = Days(care=CARE, usual=usual, waits=waits, live=live, said=lambda sheet: words(sheet.wounds))
