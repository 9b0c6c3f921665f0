"""Ready-made opponents, read from data/opponents.toml."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files

from app.rulesets.duel.sheets import Sheet


def _read() -> dict[str, Sheet]:
    raw = tomllib.loads(files("app.rulesets.duel").joinpath("data/opponents.toml").read_text(encoding="utf-8"))
    return {key: Sheet.model_validate(row) for key, row in raw.items()}


OPPONENTS: Mapping[str, Sheet] = _read()
