"""Settings of a decision; the first value of each is the default, described in the rulebook."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict

from app.engine.form_fields import Seconds
from app.engine.rulebook import HOUSE_SETTING


class Settings(BaseModel):
    """Frozen when the question is asked."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    majority: Literal["most", "half"] = "most"  # COU-05, COU-07
    secret: Literal["off", "on"] = "off"  # COU-08
    silent: Literal["follow", "none"] = "follow"  # COU-27
    snake: Literal["on", "off"] = "on"  # COU-18
    seconds: Annotated[Seconds, HOUSE_SETTING] = None
