"""Ready-made fields, as sketches (SKI-14)."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files

from pydantic import BaseModel, ConfigDict


class ReadyField(BaseModel):
    """A field for the form of a new scene; `app.rulesets.skirmish.sheet.sketch` reads its sketch."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    sketch: str
    start: str = ""  # the company's zone, by name
    foes_start: str = ""


def _read() -> dict[str, ReadyField]:
    raw = tomllib.loads(files("app.rulesets.skirmish").joinpath("data", "fields.toml").read_text(encoding="utf-8"))
    return {key: ReadyField.model_validate(table) for key, table in raw.items()}


FIELDS: Mapping[str, ReadyField] = _read()
