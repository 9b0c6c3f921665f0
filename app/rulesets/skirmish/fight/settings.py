"""Settings of a skirmish; the first value of each is the default, described in the rulebook."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class Settings(BaseModel):
    """Frozen when the scene opens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    test_plugin: Literal["rollunder", "2d10"] = "rollunder"  # SKI-33, SKI-34
    reaction_scope: Literal["per_attack", "per_turn"] = "per_attack"  # SKI-63
    group_order: Literal["roster", "side"] = "roster"  # SKI-25
    provoke: Literal["one", "each", "off"] = "one"  # SKI-17
    length_order: Literal["off", "on"] = "off"  # SKI-47
    weapon_traits: Literal["off", "on"] = "off"  # SKI-85
    multi_attack: Literal["separate", "highest"] = "separate"  # SKI-44
    impair_mode: Literal["minus_d4", "flat_d4"] = "minus_d4"  # SKI-37
    enhance_mode: Literal["plus_d4", "d12_high"] = "plus_d4"  # SKI-37
    critical_pc: Literal["injury", "out"] = "injury"  # SKI-40
    critical_npc: Literal["out", "injury"] = "out"  # SKI-40
    parry_armor: Literal["off", "on"] = "off"  # SKI-70
    slots: Annotated[int, Field(ge=4, le=20)] = 10  # SKI-71
