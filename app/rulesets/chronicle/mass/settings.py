"""Settings of the mass battle; the first value of each is the default, described in the rulebook."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from app.engine.form_fields import Seconds
from app.engine.rulebook import HOUSE_SETTING
from app.rulesets.chronicle.next_scenes import FlowSettings


class MassSettings(FlowSettings):
    """The part of Chronicle's settings for mass battles; frozen when the scene opens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    units_split: Literal["even-by-type", "halve-one"] = "even-by-type"  # CHR-UNI-04
    setbattle_axes: Literal["all", "horizontal"] = "all"  # CHR-PLC-05
    ambush_surround: Literal["leave-gap", "off"] = "leave-gap"  # CHR-PLC-09
    battle_first_proactive: Literal["attacker", "tactics-check"] = "attacker"  # CHR-ARM-14
    battle_pass_friends: Literal["off", "on"] = "off"  # CHR-TER-14
    battle_half_rounding: Literal["up", "down"] = "up"  # CHR-MEL-10
    battle_end_rounding: Literal["down", "up"] = "down"  # CHR-END-09
    battle_quiet_rounds: Annotated[int, Field(ge=0, le=100)] = 6  # CHR-END-13; 0: never
    battle_command: Literal["commander", "shared"] = "commander"  # whether one player decides for all units of a side
    cavalry_flank_scope: Literal["cluster", "board"] = "cluster"  # CHR-ARM-09
    cluster_minimality: Literal["max-clusters", "even", "most-1v1"] = "max-clusters"  # CHR-CLU-06
    melee_many_losses: Literal["once", "per-winner"] = "once"  # CHR-MEL-13
    ranged_size: Literal["original", "remaining"] = "original"  # CHR-RNG-09
    ranged_rounding: Literal["up", "down", "nearest"] = "up"  # CHR-RNG-09
    terrain_high_ground: Literal["relative", "tagged"] = "relative"  # CHR-TER-13
    mass_seconds: Annotated[Seconds, HOUSE_SETTING] = None  # for each decision; None: no clock
