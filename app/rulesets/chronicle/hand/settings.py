"""Settings of hand-to-hand combat; the first value of each is the default, described in the rulebook."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from app.engine.form_fields import Seconds
from app.engine.rulebook import HOUSE_SETTING
from app.rulesets.chronicle.next_scenes import FlowSettings


class HandSettings(FlowSettings):
    """The part of Chronicle's settings for hand-to-hand scenes; frozen when the scene opens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    footwork_winner_min: Literal["1", "0"] = "1"  # CHR-FTW-06
    defence_timing: Literal["after-reveal", "with-action"] = "after-reveal"  # CHR-DEF-02
    defence_none_rating: Annotated[int, Field(ge=-20, le=20)] = -4  # CHR-DEF-17
    penalties_stack: Literal["add", "max"] = "add"  # CHR-RND-13
    weapons_attack_scope: Literal["attack-actions", "all"] = "attack-actions"  # CHR-EQP-03
    tackle_break_leaves_prone: Literal["off", "on"] = "off"  # CHR-ACT-30
    wounds_head_stack: Literal["per-wound", "flat"] = "per-wound"  # CHR-WND-07
    wounds_body_major: Literal["down", "none", "like-leg"] = "down"  # CHR-WND-11
    hand_between: Annotated[Literal["ask", "go-on"], HOUSE_SETTING] = "ask"  # the GM, after each round (step R11)
    hand_seconds: Annotated[Seconds, HOUSE_SETTING] = None
