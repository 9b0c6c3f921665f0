"""Settings of a fight, with the ledger's defaults; only those that something already asks for (ledger 2.13)."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class Settings(BaseModel):
    model_config = ConfigDict(extra="ignore")

    considered_rounding: Annotated[
        Literal["round_then_halve", "halve_then_round"],
        Field(description="A considered movement: first round the distance, or first halve it."),
    ] = "round_then_halve"
    body_slam: Annotated[Literal[2, 4, 6, 8], Field(description="The die of harm of a body slam.")] = 4
    condition_loops: Annotated[
        Literal["nothing", "trigger"], Field(description="If-thens that wait only for one another.")
    ] = "nothing"
    accuracy_expertise: Annotated[
        Literal["weapon", "weapon_or_precision"],
        Field(description="What gives Expertise on accuracy."),
    ] = "weapon"
    instinct_expertise: Annotated[
        Literal["either_gated", "bracket_gated", "armour_only"],
        Field(description="What gives Expertise on Block and Dodge."),
    ] = "either_gated"
    range_penalty: Annotated[
        Literal["stationary", "all"], Field(description="Whom distance and small size make harder to hit.")
    ] = "stationary"
    natural_20: Annotated[
        Literal["critical_if_hit", "hit_and_critical"], Field(description="What a natural 20 does.")
    ] = "critical_if_hit"
    natural_1: Annotated[Literal["miss", "plain"], Field(description="What a natural 1 does.")] = "miss"
    stacking: Annotated[
        Literal["cancel", "compound"], Field(description="Advantage and disadvantage at once: one die, or counted.")
    ] = "cancel"
    critical_die: Annotated[Literal[4, 6, 8, 10, 12, 20], Field(description="The die of a critical strike.")] = 6
    opportunity_2: Annotated[
        Literal["any_distance", "melee"], Field(description="From where somebody who casts at others may be surprised.")
    ] = "any_distance"
    major_injury: Annotated[
        Literal["crossing_half", "off"], Field(description="A Major Injury on falling below half of the HP.")
    ] = "crossing_half"
    damage_riders: Annotated[Literal["on", "off"], Field(description="Burns, poison and frost from damage.")] = "on"
    interrupt_check: Annotated[
        Literal["passive_speed", "fixed_15"], Field(description="What an interrupt rolls against.")
    ] = "passive_speed"
