"""Settings of Chronicle; the first value of each is the default, described in the rulebook.

One set of settings for all kinds of scene: each kind reads those that concern it.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, WithJsonSchema

from app.engine.rulebook import HOUSE_SETTING
from app.rulesets.chronicle.hand.settings import HandSettings
from app.rulesets.chronicle.mass.settings import MassSettings

BEGINS_WITH = {"host_acts": "voted", "leaves": "scenes"}
"""What new scenes have otherwise than those that were opened before there was such a setting."""


class Settings(HandSettings, MassSettings):
    """Frozen when the scene opens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    table_gm: Literal["seat", "none"] = "seat"  # CHR-CHA-13
    host_acts: Annotated[Literal["at-once", "voted"], HOUSE_SETTING] = "at-once"  # without a GM; CHR-CHA-13
    check_roller: Literal["acting", "either"] = "acting"  # CHR-CHK-05
    survive_terrain: Literal["random", "chosen"] = "random"  # CHR-SKL-04
    cast_size: Literal["3-5", "1-5"] = "3-5"  # CHR-CHA-01
    npc_rating: Literal["distribution", "guide"] = "distribution"  # CHR-SKL-14, CHR-SKL-17
    scene_mass_combat_min: Annotated[int, Field(ge=2, le=100_000)] = 50  # CHR-TRV-20


def _choice(**labels: str) -> WithJsonSchema:
    """A choice on a form; "_" in a key becomes "-"."""
    words = {key.replace("_", "-"): label for key, label in labels.items()}
    return WithJsonSchema({"type": "string", "enum": list(words), "x-labels": words})


class HealingSettings(BaseModel):
    """A campaign's settings for the days of the wounded; the first value of each is the default."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tracks: Annotated[
        Literal["separate", "per-wound", "joint"],
        _choice(
            separate="each Major, Minors together",
            per_wound="each wound separately",
            joint="a Major clears the Minors too",
        ),
        Field(
            title="Counts of successful healing rolls",
            description="If a Major clears the Minors too, its fourth success heals all of them.",
        ),
    ] = "separate"
    head_aid: Annotated[
        Literal["automatic", "check7"],
        _choice(
            automatic="aid in time always helps",
            check7="aid needs a Heal check of 21",
        ),
        Field(title="A Major head wound", description="If a check is needed and fails, the aid came too late."),
    ] = "automatic"
    roll_time: Annotated[
        Literal["on-date", "ahead"],
        _choice(
            on_date="when its day comes",
            ahead="ahead",
        ),
        Field(
            title="Healing is rolled",
            description="In advance: the sheet shows what the coming days will bring, as long as nothing changes.",
        ),
    ] = "on-date"


HEALING: TypeAdapter[HealingSettings] = TypeAdapter(HealingSettings)
