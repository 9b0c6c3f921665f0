"""Settings of a duel; the first value of each is the default, described in the rulebook."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from app.engine.form_fields import Seconds
from app.engine.rulebook import HOUSE_SETTING

DICE = (4, 6, 8, 10, 12, 20)


def _die(given: object) -> object:
    """ "d8", "8" or 8."""
    return str(given).removeprefix("d") if isinstance(given, (str, int)) else given


class Settings(BaseModel):
    """Frozen when the scene opens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    momentum_die: Annotated[Literal["8", "4", "6", "10", "12", "20"], BeforeValidator(_die)] = "8"  # DUE-06
    start_stamina: Literal["full", "roll"] = "full"  # DUE-04
    double_ko: Literal["draw", "momentum"] = "draw"  # DUE-66
    house_actions: Literal["off", "on"] = "off"  # the seven actions whose traits are ours
    house_health: Literal["on", "off"] = "on"  # DUE-72
    tree_mode: Literal["free", "list"] = "free"  # DUE-73
    stall_limit: Annotated[int, Field(ge=5, le=500)] = 30  # DUE-74
    longest: Annotated[int, Field(ge=0, le=2000)] = 200  # DUE-74, house: most clashes of a fight; 0: no limit
    best_of: Annotated[Literal["1", "3", "5"], HOUSE_SETTING] = (
        "1"  # bouts in a row, each from the same HP, until a fighter has won most of them
    )
    seconds: Annotated[Seconds, HOUSE_SETTING] = None

    @property
    def die(self) -> int:
        """The number of faces of the momentum die."""
        return int(self.momentum_die)

    @property
    def to_win(self) -> int:
        """The number of bouts that wins the match."""
        return int(self.best_of) // 2 + 1
