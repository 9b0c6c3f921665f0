"""Settings of a battle; the first value of each is the default, described in the rulebook."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, model_validator


class Settings(BaseModel):
    """Frozen when the scene opens. An empty `mode` follows `declaration`: tournament if sealed, casual if open."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    declaration: Literal["sealed", "open"] = "sealed"  # WHI-08, WHI-09
    mode: Literal["", "casual", "tournament"] = ""  # WHI-27
    deck_mode: Literal["halves", "single", "dice"] = "halves"  # WHI-49, WHI-50, WHI-52
    who_checks: Literal["initiator", "pc_first"] = "initiator"  # WHI-34
    spent_on_stop: Literal["no", "yes"] = "no"  # WHI-23
    overkill: Literal["clamp", "keep"] = "clamp"  # WHI-45
    advance_through: Literal["blockers_down", "win"] = "blockers_down"  # WHI-56
    show_discards: Literal["on", "off"] = "on"  # WHI-54
    veto: Literal["off", "on"] = "off"  # the GM looks at the pairing before any card is drawn

    @model_validator(mode="before")
    @classmethod
    def _mode_follows(cls, given: object) -> object:
        if isinstance(given, dict) and not given.get("mode"):
            return {**given, "mode": "casual" if given.get("declaration") == "open" else "tournament"}
        return given

    @property
    def ranked(self) -> bool:
        """Whether the rules need to know who spoke first, so that the order of sealing is public."""
        return self.mode == "casual"
