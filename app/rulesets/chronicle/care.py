"""The care of a wounded person, and what it allows to heal before any dice (CHR-HEA-01 to -11)."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, TypeAdapter, ValidationInfo, WithJsonSchema

from app.engine.form_fields import FormModel, Ticked
from app.rulesets.chronicle.sheets import Sheet
from app.rulesets.chronicle.wounds import LEGS, Wounds

MINOR, MAJOR, ALONE = 3, 7, -1  # difficulties (CHR-HEA-04); penalty for treating oneself (CHR-HEA-03)

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


LackKey = Annotated[
    Lack, WithJsonSchema({"type": "string", "enum": list(LACKS), "x-labels": {k: f"no {v}" for k, v in LACKS.items()}})
]
UseKey = Annotated[
    Literal["left_arm", "right_arm", "left_leg", "right_leg", "body", "head"],
    WithJsonSchema({"type": "string", "enum": list(USES), "x-labels": USES}),
]


def _named(helper: str, told: ValidationInfo) -> str:
    if told.data.get("by") == "helper" and not helper:
        raise ValueError("Choose who helps, or change who treats the wounds.")
    return helper


class Care(FormModel):
    """The care of a person until they are well. By default: alone, at rest, with everything they need."""

    by: Annotated[
        Literal["self", "helper", "nobody"],
        WithJsonSchema(
            {
                "type": "string",
                "enum": ["self", "helper", "nobody"],
                "x-labels": {"self": "the wounded themselves, at −1", "helper": "a helper", "nobody": "nobody"},
            }
        ),
        Field(title="Wounds are treated by"),
    ] = "self"
    helper: Annotated[
        str,
        WithJsonSchema({"type": "string", "maxLength": 60, "x-from": "characters"}),
        AfterValidator(_named),
        Field(
            title="Who helps",
            max_length=60,
            validate_default=True,
            description="Someone who stays with the wounded character. Used only if a helper treats the wounds.",
        ),
    ] = ""
    material: Annotated[
        Ticked,
        Field(title="Bandages, needle and thread, or splints for bones are available"),
    ] = True
    uses: Annotated[
        tuple[UseKey, ...],
        Field(
            title="Used despite the wounds",
            description="A Major wound does not heal while that part of the body is used.",
        ),
    ] = ()
    lacks: Annotated[
        tuple[LackKey, ...],
        Field(title="Missing", description="No wound heals unless all of these are available."),
    ] = ()


CARE: TypeAdapter[Care] = TypeAdapter(Care)


def rating(sheets: Mapping[str, Sheet], who: str, care: Care) -> int:
    """The Heal rating that treats the wounds, with the penalty for treating oneself; check `hindered` first."""
    healer = sheets[who if care.by == "self" else care.helper]
    return healer.rating("heal") + (ALONE if care.by == "self" else 0)


def can_help(sheets: Mapping[str, Sheet], who: str, care: Care) -> bool:
    """Whether the helper is another character of the campaign, alive and awake."""
    if care.helper == who or care.helper not in sheets:
        return False
    wounds = sheets[care.helper].wounds
    return not wounds.dead and not wounds.head.major


def hindered(
    wounds: Wounds, sheets: Mapping[str, Sheet], who: str, care: Care, *, ahead: bool = False
) -> tuple[str, str] | None:
    """The reason why nothing can heal that day, and its rule; None if there is none. `ahead`: in the present tense."""
    there = "there is" if ahead else "there was"
    missing = [LACKS[lack] for lack in LACKS if lack in care.lacks and lack in NEEDS]
    if missing:
        return f"{there} no {' and no '.join(missing)}", "CHR-HEA-06"
    wet = [LACKS[lack] for lack in LACKS if lack in care.lacks]
    if wet:
        return f"the wounds {'are' if ahead else 'were'} wet or dirty, with no {' and no '.join(wet)}", "CHR-HEA-07"
    if not care.material:
        return f"{there} nothing to bind the wounds with", "CHR-HEA-01"
    if care.by == "nobody":
        return f"nobody {'treats' if ahead else 'treated'} the wounds", "CHR-HEA-01"
    if care.by == "helper" and not can_help(sheets, who, care):
        return f"the helper {'cannot' if ahead else 'could not'} be there", "CHR-HEA-01"
    if care.by == "self" and wounds.head.major:
        return "someone with a Major head wound cannot treat wounds", "CHR-HEA-10"
    return None


def used(part: str, care: Care) -> bool:
    """Whether a part with a Major wound was used that day: head and body need a bed, without walking (CHR-HEA-09)."""
    if part in ("body", "head"):
        return any(use in ("body", "head", *LEGS) for use in care.uses)
    return part in care.uses
