"""What a table may set for a decision; the first value of each is the default, which the rulebook describes."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from app.engine.form_fields import Seconds


class Settings(BaseModel):
    """Frozen when the question is put."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    majority: Literal["most", "half"] = "most"  # COU-05, COU-07
    secret: Literal["off", "on"] = "off"  # COU-08
    silent: Literal["follow", "none"] = "follow"  # COU-27
    snake: Literal["on", "off"] = "on"  # COU-18
    seconds: Seconds = None
