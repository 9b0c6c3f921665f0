"""Ready-made foes, read from templates.toml."""

import tomllib
from importlib.resources import files

from app.rulesets.whiskey.sheets import Sheet


def _read() -> dict[str, Sheet]:
    raw = tomllib.loads(files("app.rulesets.whiskey").joinpath("templates.toml").read_text(encoding="utf-8"))
    enemies = {"faction": "enemies", "side": "enemies"}
    return {key: Sheet.model_validate({**enemies, **numbers}) for key, numbers in raw.items()}


TEMPLATES = _read()
