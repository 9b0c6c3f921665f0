"""The eight types of troops (CHR-ARM-01, -02), read from data/troops.toml."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

PACKAGE = "app.rulesets.chronicle.mass"


@dataclass(frozen=True, kw_only=True, slots=True)
class Troop:
    """One row of table 3.1."""

    key: str
    name: str
    branch: Literal["infantry", "cavalry", "ranged"]
    strength: int
    movement: int
    cost: int  # points a man (CHR-ARM-12)
    range: int = 0  # 0: does not shoot
    in_closed: int = 0  # added in Closed terrain (CHR-ARM-03, -05)
    in_open: int = 0  # added in Open terrain (CHR-ARM-07)
    against_cavalry: int = 0  # CHR-ARM-06
    plural: bool = False  # the name takes a verb in the plural


def data_text(name: str) -> str:
    """The text of a file in the folder `data` of the mass battle."""
    return files(PACKAGE).joinpath("data", name).read_text(encoding="utf-8")


TROOPS = {key: Troop(key=key, **row) for key, row in tomllib.loads(data_text("troops.toml")).items()}
CAVALRY = frozenset(key for key, troop in TROOPS.items() if troop.branch == "cavalry")
LIGHT_INFANTRY, BOWMEN = "LI", "BW"
