"""How long things usually take, by the rules of a game: what a member may use to date an entry of the calendar."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

MOST_KM = 100_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Duration:
    """One usual duration: exactly one of `km_a_day`, `days` and `lasts` is given."""

    key: str
    what: str  # "on foot", "building a ship"
    kind: Literal["scene", "arrival", "completion"]  # of the entry that marks its end
    rule: str  # its id in the rulebook
    km_a_day: int = 0
    days: int = 0
    lasts: str = ""  # of what is shorter than a day: "half a day"

    @property
    def said(self) -> str:
        """Its length in words: "25 km a day", "60 days", "half a day"."""
        return f"{self.km_a_day} km a day" if self.km_a_day else f"{self.days} days" if self.days else self.lasts

    def takes(self, km: int) -> int:
        """Returns the whole days that it takes, a day begun counts; `km` is the distance, if that matters."""
        return -(-km // self.km_a_day) if self.km_a_day else self.days


def load_durations(package: str) -> tuple[Duration, ...]:
    """Reads the `[[duration]]` tables from the `durations.toml` of a ruleset's folder, in their order."""
    raw = tomllib.loads(files(package).joinpath("durations.toml").read_text(encoding="utf-8"))
    return tuple(Duration(**one) for one in raw["duration"])
