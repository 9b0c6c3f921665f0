"""The settings of a mass battle are the ledger's, with its defaults, and two rulings of ours."""

from typing import get_args

import pytest
from pydantic import ValidationError

from app.rulesets.chronicle.mass.settings import MassSettings
from app.rulesets.chronicle.next_scenes import FlowSettings

OPTIONS = {
    "units_split": ("even-by-type", "halve-one"),
    "setbattle_axes": ("all", "horizontal"),
    "ambush_surround": ("leave-gap", "off"),
    "battle_first_proactive": ("attacker", "tactics-check"),
    "battle_pass_friends": ("off", "on"),
    "battle_half_rounding": ("up", "down"),
    "battle_end_rounding": ("down", "up"),
    "battle_command": ("commander", "shared"),
    "cavalry_flank_scope": ("cluster", "board"),
    "cluster_minimality": ("max-clusters", "even", "most-1v1"),
    "melee_many_losses": ("once", "per-winner"),
    "ranged_size": ("original", "remaining"),
    "ranged_rounding": ("up", "down", "nearest"),
    "terrain_high_ground": ("relative", "tagged"),
}


def test_options_and_defaults() -> None:
    fields = {name: one for name, one in MassSettings.model_fields.items() if name not in FlowSettings.model_fields}
    assert fields.pop("battle_quiet_rounds").default == 6
    assert fields.pop("mass_seconds").default is None
    assert {name: get_args(field.annotation) for name, field in fields.items()} == OPTIONS
    assert {name: field.default for name, field in fields.items()} == {name: row[0] for name, row in OPTIONS.items()}


@pytest.mark.parametrize("rounds", [-1, 101])
def test_quiet_rounds_have_bounds(rounds: int) -> None:
    """CHR-END-13; 0 turns it off."""
    assert MassSettings(battle_quiet_rounds=0).battle_quiet_rounds == 0
    with pytest.raises(ValidationError):
        MassSettings(battle_quiet_rounds=rounds)
