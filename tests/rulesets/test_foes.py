"""Every foe of every book can be brought in, copied and kept as a character: no sheet of the rules refuses one. A
hidden one is in no player's view, not even by the name of its kind."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from pydantic import BaseModel

from app.engine import form_text, gm_desk
from app.engine.ruleset import GM, Brief, Ruleset, SceneKind, Seat, Setup, Viewer
from app.rulesets import SHIPPED

pytestmark = pytest.mark.first

KINDS = [(ruleset, kind) for ruleset in SHIPPED for kind in ruleset.kinds if kind.foes is not None]
SECRET = ("battle", "skirmish")
"""Kinds of scenes whose views hold nothing about foes whom nobody sees."""


@pytest.mark.parametrize(("ruleset", "kind"), KINDS, ids=lambda one: one.key)
def test_foes_of_the_book(ruleset: Ruleset[Any, Any], kind: SceneKind[Any, Any, Any, Any, Any, Any]) -> None:
    assert kind.foes is not None
    hero = next(iter(ruleset.heroes().values()))
    groups = [{"kind": key, "count": "2"} for key in kind.presets]
    given = kind.given.dump_python(kind.given.validate_python({"muster": groups}), mode="json")
    seats = {Seat("hero"): ("hero",), GM: ()}
    brief = Brief(kind=kind.key, title="All of them", seats=seats, given=given)
    settings = ruleset.settings.validate_python({})
    state = kind.start(Setup(brief=brief, settings=settings, sheets={"hero": hero}, kept={}))
    view = kind.view(state, Viewer(seats=frozenset({GM}), gm=True))
    desk = next(step.asks[0] for step in kind.steps(state) if step.pace == "whenever")
    foes = [one for one in kind.vitals(view) if one.foe]
    assert len(foes) == 2 * len(kind.presets)

    def fits(form: Any) -> None:
        says = {**form_text.unflatten(form_text.flatten(form)), "ask": "desk"}
        assert not kind.check(view, desk, kind.declaration.validate_python(says)), form

    for one in foes:
        sheet = kind.foes.keep(view, one.key)
        assert ruleset.character.validate_json(ruleset.character.dump_json(sheet)) == sheet
        copy = kind.foes.copy(view, one.key)
        assert copy is not None, one
        fits(copy)
        fits(gm_desk.out(one.key, "It has had enough."))
        assert copy["template"] in kind.presets and copy["name"].endswith("3"), copy
    for form in kind.foes.join(view, [{"kind": next(iter(kind.presets)), "count": str(kind.foes.most)}]):
        fits(form)


@pytest.mark.parametrize(("ruleset", "kind"), [one for one in KINDS if one[1].key in SECRET], ids=lambda one: one.key)
def test_no_view_of_a_player_names_a_kind_that_only_hidden_foes_have(
    ruleset: Ruleset[Any, Any], kind: SceneKind[Any, Any, Any, Any, Any, Any]
) -> None:
    seen, *hidden = kind.presets
    groups = [{"kind": seen, "count": "1"}, *({"kind": key, "count": "1", "hidden": "yes"} for key in hidden)]
    given = kind.given.dump_python(kind.given.validate_python({"muster": groups}), mode="json")
    brief = Brief(kind=kind.key, title="A trap", seats={Seat("hero"): ("hero",), GM: ()}, given=given)
    sheets = {"hero": next(iter(ruleset.heroes().values()))}
    settings = ruleset.settings.validate_python({})
    state = kind.start(Setup(brief=brief, settings=settings, sheets=sheets, kept={}))
    names = {getattr(one, "name", key) for key, one in kind.presets.items() if key != seen}
    texts = "\n".join(_texts(kind.view(state, Viewer(seats=frozenset({GM}), gm=True))))
    assert names and all(name in texts for name in names), "the GM sees them"
    texts = "\n".join(_texts(kind.view(state, Viewer(seats=frozenset({Seat("hero")}), gm=False))))
    assert kind.presets[seen].name in texts
    assert [name for name in names if name in texts] == []


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value, however deep, and every key."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, BaseModel):
        yield from _texts(value.model_dump())
    elif is_dataclass(value):
        for one in fields(value):
            yield from _texts(getattr(value, one.name))
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from _texts(pair)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for one in value:
            yield from _texts(one)
