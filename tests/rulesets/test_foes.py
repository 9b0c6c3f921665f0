"""Every foe of every book can be brought in, copied and kept as a character: no sheet of the rules refuses one."""

from typing import Any

import pytest

from app.engine import form_text, gm_desk
from app.engine.ruleset import GM, Brief, Ruleset, SceneKind, Seat, Setup, Viewer
from app.rulesets import SHIPPED

pytestmark = pytest.mark.first

KINDS = [(ruleset, kind) for ruleset in SHIPPED for kind in ruleset.kinds if kind.foes is not None]


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
