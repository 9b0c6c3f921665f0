"""Whatever state a fight comes to, its pages can be drawn for everybody, and every event has its sentence."""

import html
import random
import re
from itertools import chain
from types import SimpleNamespace
from typing import Any

from app.engine.ruleset import GM, Seat, Viewer
from app.rulesets.chronicle import RULESET
from app.rulesets.chronicle.hand import HAND
from app.rulesets.chronicle.hand import events as ev
from app.table.reading import EventSight
from app.web.drawing.sentences import event_reason
from app.web.forms.reading import FormValues
from app.web.http.templating import environment
from tests.rulesets.chronicle.hand.ring import begin, play, setup
from tests.rulesets.chronicle.hand.stage import acts, closes, defends, dice, person, stage, wounds
from tests.selection import nightly

SCENES = 6 if nightly() else 2
FOLDER = "rulesets/chronicle/hand/"


def _sight(view: Any, events: tuple[EventSight, ...]) -> Any:
    chapter = SimpleNamespace(events=events, step=SimpleNamespace(title="A step"))
    return SimpleNamespace(view=view, chapters=(chapter,), status="open", steps=(), is_gm=view.is_gm, ruleset=RULESET,
                           kind="hand")  # fmt: skip


def _drawn(name: str, **context: Any) -> str:
    return environment().get_template(FOLDER + name).render(request=None, seated=None, **context)


def test_every_state_of_random_fights_can_be_drawn() -> None:
    luck = random.Random(1346)
    desk = SimpleNamespace(at="/c/x/y/scene/z", as_seat=None, sight=SimpleNamespace(inner=None))
    drawn, kinds = set[str](), set[str]()
    for _ in range(SCENES):
        a = luck.randint(1, 4)
        try:
            log = begin(setup(a, luck.randint(1, 4), luck.choice))
        except ValueError:
            continue  # nobody able on one side
        seats = {Seat(one.seat) for one in log.state.fight.fighters.values()} | {GM}
        for _ in chain((None,), play(log, luck, 40, silent=0.1, desk=0.04)):
            for now in HAND.steps(log.state):
                shown = SimpleNamespace(key=now.key, title=now.title, asks=now.asks, quiet=False)
                for ask in now.asks:
                    view = HAND.view(log.state, Viewer(seats=frozenset({ask.seat}), gm=ask.seat == GM))
                    own = SimpleNamespace(kind=ask.kind, about=ask.about, call=ask.call, seat=ask.seat, mine=None)
                    text = _drawn(f"ask-{ask.kind}.html", view=view, ask=own, step=shown, desk=desk, form=FormValues(),
                                  faults={}, sight=_sight(view, ()))  # fmt: skip
                    assert "<button" in text
                    kinds.add(ask.kind)
            if luck.random() < 0.5:
                continue
            seat = luck.choice(sorted(seats))
            view = HAND.view(log.state, Viewer(seats=frozenset({seat}), gm=seat == GM))
            told = tuple(EventSight(t.number, t.rule, t.because, t.event, "x") for t in log.events[-40:])
            text = _drawn("board.html", sight=_sight(view, told), desk=desk)
            assert all(one.name in html.unescape(text) for one in view.fight.fighters.values())
            words: Any = environment().get_template(FOLDER + "log.html").make_module({"sight": _sight(view, told)})
            for one in told:
                said = " ".join(re.sub(r"<[^>]+>", "", str(event_reason(words, one, _sight(view, told), desk))).split())
                assert said and "None" not in said and " ." not in said and "  " not in said, (one.event, said)
                drawn.add(one.event.kind)
    assert kinds >= {"setting", "ready", "act", "defend", "move", "next", "desk"}, kinds
    assert {"ordered", "struck", "wounded", "contest", "defended"} <= drawn


def test_of_two_who_fall_at_once_nobody_has_won() -> None:
    """A fight that is over says how it ended, also where no side is left."""
    log = begin(setup(1, 1, random.Random(7).choice))
    view = HAND.view(log.state, Viewer(seats=frozenset({GM}), gm=True))
    sight, desk = (
        _sight(view, ()),
        SimpleNamespace(at="/c/x/y/scene/z", as_seat=None, sight=SimpleNamespace(inner=None)),
    )
    assert 'class="verdict"' not in _drawn("board.html", sight=sight, desk=desk)
    sight.status = "ended"
    assert not view.fight.winner
    assert '<p class="verdict">Nobody has won.</p>' in _drawn("board.html", sight=sight, desk=desk)


def test_the_form_ticks_the_best_defence_and_the_book_keeps_its_own() -> None:
    """The suggestion is the form's alone: whoever answers nothing still parries without a step."""
    log = stage(person("ann", 0), person("bea", 2, skills={"V": 5}), person("art", 0, 1))
    closes(log, acts(ann="quick bea", art="vicious bea"), {})
    view = HAND.view(log.state, Viewer(seats=frozenset({Seat("bea")})))
    ask = next(ask for ask in HAND.steps(log.state)[0].asks if ask.seat == "bea")
    assert HAND.default(view, ask).of["bea"].how == {"ann": "parry", "art": "parry"}
    how, square = view.best("bea")
    assert how["ann"] == "dodge" and square is not None
    own = SimpleNamespace(kind=ask.kind, about=ask.about, call=ask.call, seat=ask.seat, mine=None)
    step = SimpleNamespace(key="r1/defend", title="Defences", asks=(ask,), quiet=False)
    desk = SimpleNamespace(at="/x", as_seat=None, sight=SimpleNamespace(inner=None))
    text = _drawn("ask-defend.html", view=view, ask=own, step=step, desk=desk, form=FormValues(), faults={},
                  sight=_sight(view, ()))  # fmt: skip
    ticked = re.findall(r'name="of\.bea\.how\.(\w+)" value="(\w+)" checked', text)
    assert dict(ticked) == how, "what is ticked may be sealed as it stands"
    said = defends(bea=(how, f"{square[0]},{square[1]}"))["bea"]
    assert HAND.check(view, ask, HAND.declaration.validate_python({**said, "ask": "defend"})) == {}


def test_the_form_has_a_box_for_each_who_gives_up() -> None:
    log = stage(person("ann", 0), person("art", 0, 1), person("bea", 2))
    closes(log, acts(**{who: {"action": "wait", "surrender": "yes"} for who in ("ann", "art")}), {})
    view = HAND.view(log.state, Viewer(seats=frozenset({Seat("bea")})))
    step = HAND.steps(log.state)[0]
    assert [ask.kind for ask in step.asks] == ["mercy"]
    text = _drawn("ask-mercy.html", view=view, ask=step.asks[0], step=SimpleNamespace(key=step.key, quiet=False),
                  desk=SimpleNamespace(at="/x", as_seat=None, sight=SimpleNamespace(inner=None)),
                  form=FormValues({"refuse": ["art"]}),
                  faults={}, sight=_sight(view, ()))  # fmt: skip
    assert re.findall(r'name="refuse\[\]" value="(\w+)"( checked)?', text) == [("ann", ""), ("art", " checked")]


def _says(view: Any, event: Any) -> str:
    """The answer to "Why?" for an event, as plain text."""
    words: Any = environment().get_template(FOLDER + "log.html").make_module({"sight": _sight(view, ())})
    reason = event_reason(words, EventSight(1, "CHR-RND-17", (), event, "x"), _sight(view, ()), None)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", str(reason))).split())


def test_a_kind_has_its_article_and_a_lost_arm_names_its_weapon() -> None:
    log = stage(person("ann", 0), person("brigand", 2, seat=GM, name="Brigand", right="axe"))
    view = HAND.view(log.state, Viewer(seats=frozenset({Seat("ann")})))
    after = wounds(right_arm=(0, True))
    lost = ev.Wounded(1, "brigand", "ann", "right_arm", "major", "", False, after)
    assert _says(view, lost).startswith(
        "The brigand takes a Major wound: right arm. The arm is useless now, and the axe "
    )
    scratch = ev.Wounded(1, "brigand", "ann", "right_arm", "minor", "", False, wounds(right_arm=(1, False)))
    assert "useless" not in _says(view, scratch)
    assert (view.the("brigand"), view.name("brigand"), view.the("ann")) == ("the brigand", "Brigand", "Ann")


def test_why_names_each_number_of_a_check() -> None:
    log = stage(person("ann", 0), person("bea", 2))
    closes(log, acts(ann="quick bea"), {})
    closes(log, defends(bea={"ann": "parry"}), dice("CHR-RND-17/r1/ann>bea", 4, 2, 6))
    view = HAND.view(log.state, Viewer(seats=frozenset({Seat("ann")})))
    struck = next(told.event for told in log.events if isinstance(told.event, ev.Struck))
    assert _says(view, struck).endswith(
        "Ann’s dice show 4, 2 and 5. Ann’s rating is 3 (Speed 3): 14 in all. "
        "Needed: 15, which is 14 + 1 for Bea’s Parry (Control 3, Parry −2)."
    )
