"""What a table may set for Chronicle; the first value of each is the default, which the rulebook describes.

One set of settings for all kinds of scene: each kind reads those that concern it.
"""

from typing import Literal

from pydantic import ConfigDict

from app.rulesets.chronicle.hand.settings import HandSettings


class Settings(HandSettings):
    """Frozen when the scene opens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    table_gm: Literal["seat", "none"] = "seat"  # CHR-CHA-13
    check_roller: Literal["acting", "either"] = "acting"  # CHR-CHK-05
    survive_terrain: Literal["random", "chosen"] = "random"  # CHR-SKL-04
    cast_size: Literal["3-5", "1-5"] = "3-5"  # CHR-CHA-01
    npc_rating: Literal["distribution", "guide"] = "distribution"  # CHR-SKL-14, CHR-SKL-17
