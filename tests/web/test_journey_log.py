"""The log of a journey: every event in plain words, in journeys that are drawn at random."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

from app.engine import options
from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Ask, InnerScene, Setup, Viewer
from app.engine.unions import members
from app.engine.wording import title_of
from app.rulesets.chronicle import RULESET
from app.rulesets.chronicle.journey import JOURNEY
from app.rulesets.chronicle.journey.sample import the_ride_to_the_town
from app.rulesets.chronicle.settings import Settings
from app.web.drawing.sentences import event_line, event_reason, round_headline
from app.web.http.templating import environment, ruleset_template
from tests.selection import nightly
from tests.web.mass_log import plain

SCENES = 80 if nightly() else 12
CLOSINGS = 20
RAW = re.compile(
    r"CHR-|None|\bTrue\b|\bFalse\b|\(\)|[(] | [).,;:]|[,;:][.,;]|\.\.|_|[{}%]{2}|Undefined|:[A-Za-z]|\w\(|[.][A-Z]"
)
UNTOLD = {"waits", "desk", "act-done"}  # they have no line
AIMS = (("reach", "hold"), ("reach", "catch"), ("catch", "catch"))


def says(rng: Random, view: Any, ask: Ask) -> Any:
    """Something legal, mostly on the first route, so that they meet."""
    form = members(JOURNEY.declaration)[ask.kind]
    if ask.kind == "desk":
        typed = {"what": rng.choice(("situation", "out")), "who": "morten", "words": "It rains.", "reason": "A fever."}
        return form.model_validate(typed)
    drawn = options.drawn(form, JOURNEY.options(view, ask), rng.choice)
    if ask.kind != "orders":
        return drawn
    more = {"station": rng.choice([None, 2, 4]), "hidden": rng.random() < 0.5}
    on_road = {"route": "0"} if rng.random() < 0.8 else {}
    return drawn.model_copy(
        update={"of": {side: one.model_copy(update=more | on_road) for side, one in drawn.of.items()}}
    )


def closings(rng: Random) -> Iterator[tuple[Any, Any, int]]:
    """A journey closing by closing: its log, the closed step, and the number of events before."""
    sheets, brief = the_ride_to_the_town()
    assert isinstance(brief.given, dict)
    a, b = rng.choice(AIMS)
    given = {**brief.given, "aims": {"a": a, "b": b}, "comes": {"b": rng.choice(["behind", "meet"])}}
    given["how"] = rng.choice(["routes"] * 5 + ["escape"])
    setup = Setup(
        brief=replace(brief, given=given),
        settings=Settings(table_gm=rng.choice(("seat", "none")), host_acts="voted"),
        sheets=sheets,
        kept={},
    )
    log: Any = Recorder(JOURNEY.start(setup), JOURNEY.apply)
    for number in range(CLOSINGS):
        steps = JOURNEY.steps(log.state)
        if not steps:
            return
        step = rng.choice([steps[0]] * 6 + [*steps])
        of = {}
        for ask in step.asks:
            view = JOURNEY.view(log.state, Viewer(seats=frozenset({ask.seat}), gm=ask.seat == GM))
            said = says(rng, view, ask)
            legal = not JOURNEY.check(view, ask, said)
            usual = JOURNEY.default(view, ask)
            of[ask.seat] = Answer(says=said if legal else usual, how="sealed" if legal else "default")
        if step.pace == "whenever" and any(one.how == "default" for one in of.values()):
            continue
        before = len(log.events)
        JOURNEY.resolve(log, step, Answers(of=of), SeededChance(rng.randbytes(32), bytes(32)))
        if log.state.phase != "over" and rng.random() < 0.1:
            assert JOURNEY.inner is not None
            back = {"ella": sheets["ella"]}
            JOURNEY.inner(log, InnerScene(id="x", kind="hand", title=f"Knives {number}", over=True, sheets=back))
        yield log, step, before


def test_every_event_of_random_journeys_reads_well() -> None:
    told, heads = Counter[str](), set[str]()
    for number in range(SCENES):
        for log, step, before in closings(Random(7_300 + number)):
            events = tuple(log.events[before:])
            view = JOURNEY.view(log.state, Viewer(seats=frozenset(log.state.seats)))
            sight = SimpleNamespace(view=view, seats=(), ruleset=RULESET, kind="journey", is_gm=False, status="open")
            template = environment().get_template(ruleset_template(RULESET, "journey", "log.html"))
            words = template.make_module({"sight": sight, "desk": None, "seated": None})
            for one in events:
                line = plain(event_line(words, one, sight, None, events))
                reason = plain(event_reason(words, one, sight, None))
                assert bool(line) or one.event.kind in UNTOLD, one
                for text in (line, reason):
                    assert not RAW.search(text), (one, text)
                    assert text[:1] == text[:1].upper() and (not text or text[-1] in ".)”!’"), (one, text)
                told[one.event.kind] += 1
            title = title_of(JOURNEY, step.key, "")
            assert title
            part = SimpleNamespace(step=SimpleNamespace(title=title), events=events)
            heads.add(round_headline(words, [part], sight))
    missed = {one for one in members(JOURNEY.event) if not told[one]}
    assert not missed if nightly() else len(missed) < 4, missed
    assert any("see each other" in one for one in heads) and any("fight" in one for one in heads), heads
