"""The log has words for every kind of event: a new one needs its sentence in templates/rulesets/arcana/log.html."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from app.rulesets.arcana import events as ev

LOG = (Path(__file__).parents[3] / "templates" / "rulesets" / "arcana" / "log.html").read_text(encoding="utf-8")
KINDS: dict[str, Any] = {get_args(one.__annotations__["kind"])[0]: one for one in get_args(get_args(ev.Event)[0])}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_event_has_a_sentence(kind: str) -> None:
    line = re.search(rf'e\.kind == "{kind}" ?%}}', LOG)
    silent = re.search(rf'"{kind}": "', LOG)
    assert line or silent, f"add a line for {kind!r} to log.html, or words to `silent`"
