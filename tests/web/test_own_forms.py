"""A form asks one seat: whoever plays several gets for each of them what that seat alone would get."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

from app.engine.ruleset import GM, Ask, Step, Viewer
from app.web.forms.reading import FormValues
from app.web.http.templating import ask_template, environment
from tests.ways import WAYS, Way, luck_of, name_of, walk

LONE = {
    "discussion-again-end-desk",
    "discussion-open",
    "free-own-frame-go-desk",
    "mass-quiet-desk",
    "next-mark",
}  # ways without a step that asks two players
FIELD = re.compile(r'\bname="([^"]+)"')


def _fields(way: Way, state: Any, step: Step, ask: Ask, viewer: Viewer) -> set[str]:
    """The names of the fields of an ask's form, as this viewer's page has it."""
    rules, kind = way.found
    view = kind.view(state, viewer)
    asks = [
        SimpleNamespace(kind=one.kind, about=one.about, call=one.call, seat=one.seat, mine=None, spoken=None)
        for one in step.asks
    ]
    asked = asks[step.asks.index(ask)]
    now = SimpleNamespace(
        key=step.key, title=step.title, status="open", asks=asks, due_at=None, held=False, quiet=False
    )
    sight = SimpleNamespace(
        view=view,
        chapters=(),
        status="open",
        steps=(now,),
        is_gm=viewer.gm,
        ruleset=rules,
        kind=kind.key,
        settings=rules.settings.validate_python(dict(way.settings)),
    )
    form = environment().get_template(ask_template(rules, kind.key, ask.kind))
    desk = SimpleNamespace(at="/c/x/y/scene/z", as_seat=None, sight=SimpleNamespace(inner=None))
    drawn = form.render(
        request=None, seated=None, view=view, ask=asked, step=now, desk=desk, sight=sight, form=FormValues(), faults={}
    )
    return set(FIELD.findall(drawn))


@pytest.mark.parametrize("way", WAYS, ids=name_of)
def test_a_form_has_no_fields_of_a_players_other_seats(way: Way) -> None:
    """Finds a form that lists what another character of its reader is asked: no seal of it would be accepted."""
    compared = 0
    for state, steps, _ in walk(way, luck_of(way) or 0):
        for step in steps:
            players = frozenset(ask.seat for ask in step.asks if ask.seat != GM)
            for ask in step.asks:
                if ask.seat != GM and len(players) > 1:
                    compared += 1
                    alone = _fields(way, state, step, ask, Viewer(seats=frozenset({ask.seat})))
                    assert _fields(way, state, step, ask, Viewer(seats=players)) == alone, ask
    assert bool(compared) == (name_of(way) not in LONE)
