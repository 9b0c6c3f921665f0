"""Kinds of foes take an article in sentences, and a view has only those that its viewer sees."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Set
from types import ModuleType
from typing import Any

from pydantic import BaseModel

from app.engine.ruleset import GM, Brief, Seat, Setup, Viewer
from app.rulesets.arcana import FIGHT
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.sheets import Sheet

HIDDEN, SEEN = "Giant spider", "Troll"


def words_in(found: Any, seen: set[int]) -> Iterator[str]:
    """Every text that can be reached from a value through its fields."""
    if isinstance(found, str):
        yield found
        return
    if id(found) in seen or isinstance(found, (int, float, type, ModuleType)) or found is None:
        return
    seen.add(id(found))
    if dataclasses.is_dataclass(found):
        found = [getattr(found, field.name) for field in dataclasses.fields(found)]
    elif isinstance(found, BaseModel):
        found = list(found.__dict__.values())
    elif isinstance(found, Mapping):
        found = [*found, *found.values()] if len(found) < 5000 else []
    if isinstance(found, (Iterable, Set)):
        for one in found:
            yield from words_in(one, seen)


def test_a_wizard_has_no_kind_that_only_a_hidden_foe_has() -> None:
    """The article of a kind is in the view of those who see one of it (ARC-101)."""
    foes = [
        {"key": "troll", "name": SEEN, "foe": "troll", "place": "12,10"},
        {"key": "web", "name": HIDDEN, "foe": "giant_spider", "place": "30,20", "hidden": "yes"},
    ]
    brief = Brief(kind="fight", title="x", seats={Seat("ada"): ("ada",), GM: ()}, given={"foes": foes, "lay_out": "no"})
    setup = Setup(brief=brief, settings=Settings(), sheets={"ada": Sheet(name="Ada")}, kept={})
    state = FIGHT.start(setup)
    ada, gm = (FIGHT.view(state, Viewer(seats=frozenset({seat}), gm=seat == GM)) for seat in (Seat("ada"), GM))
    assert (ada.the("troll"), ada.the("ada"), ada.the("web")) == ("the troll", "Ada", "someone")
    assert gm.the("web") == "the giant spider"
    assert any(HIDDEN in text for text in words_in(gm, set()))
    assert not [text for text in words_in(ada, set()) if HIDDEN in text or HIDDEN.lower() in text]
