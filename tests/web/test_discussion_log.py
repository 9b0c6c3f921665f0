"""The log of a discussion: every event in plain words, in scenes that are drawn at random."""

import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

from app.engine import options
from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, SPECTATOR, Answer, Answers, Ask, InnerScene, Setup, Viewer
from app.engine.steps import round_of
from app.engine.unions import members
from app.engine.wording import title_of
from app.rulesets.chronicle import RULESET
from app.rulesets.chronicle.discussion import DISCUSSION
from app.rulesets.chronicle.discussion.sample import the_council_at_the_mill
from app.rulesets.chronicle.settings import Settings
from app.web.drawing.sentences import event_line, event_reason, round_headline
from app.web.http.templating import environment, ruleset_template
from tests.selection import nightly
from tests.web.mass_log import plain

SCENES = 60 if nightly() else 6
CLOSINGS = 40
RAW = re.compile(
    r"\ba[1-9]\b|the-valley|CHR-|None|\bTrue\b|\bFalse\b|\(\)|[(] | [).,;:]|[,;:][.,;]|\.\.|_|[{}%]{2}|Undefined"
)
UNTOLD = {"stage", "desk", "turned"}  # they have no line
DESK = ("situation", "anew", "bring", "out", "back", "played", "object", "situation")


def says(rng: Random, view: Any, ask: Ask) -> Any:
    """Something legal, mostly an appeal where one is possible."""
    form = members(DISCUSSION.declaration)[ask.kind]
    if ask.kind == "desk":
        who = rng.choice(list(view.people))
        drives = [drive.key for drive in view.people[who].drives]
        typed = {"what": rng.choice(DESK), "who": who, "words": "The bell rings.", "name": rng.choice(("Hugo", "Men")),
                 "reason": "A fire.", "crowd": rng.choice(("", "yes")), "drive": rng.choice([*drives, ""])}  # fmt: skip
        grown = [(key, drive.key) for key, one in view.people.items() for drive in one.drives if drive.may_ungrow]
        if grown:
            typed |= {"what": "ungrow", "who": grown[0][0], "drive": grown[0][1]}
        return form.model_validate(typed)
    drawn = options.drawn(form, DISCUSSION.options(view, ask), rng.choice)
    more: dict[str, Any] = {"words": rng.choice(["", "Hear me."])} if "words" in form.model_fields else {}
    if ask.kind in ("talk", "again"):
        who = rng.choice(ask.about)
        others = tuple(key for key in view.here if key != who)
        more |= {"what": rng.choice([drawn.what, "appeal", "appeal", "stop"]), "who": who,
                 "listeners": rng.choice([others, others[:1], (who,)]), "context": "in the hall", "topic": "the raid",
                 "action": "Ride.", "motivation": rng.choice(("bold", "prudent", "proud")), "pair": 3}  # fmt: skip
    return drawn.model_copy(update=more)


def closings(rng: Random) -> Iterator[tuple[Any, Any, int]]:
    """A discussion closing by closing: its log, the closed step, and the number of events before."""
    sheets, brief = the_council_at_the_mill()
    topic = {"talked/the raid": {"groups": [[*sorted(sheets), "the-valley"]]}} if rng.random() < 0.3 else {}
    settings = Settings(table_gm=rng.choice(("seat", "none")), host_acts="voted")
    log: Any = Recorder(
        DISCUSSION.start(Setup(brief=brief, settings=settings, sheets=sheets, kept=topic)), DISCUSSION.apply
    )
    for number in range(CLOSINGS):
        steps = DISCUSSION.steps(log.state)
        if not steps:
            return
        awaited = [step for step in steps if step.pace != "whenever"]
        step = next((one for one in steps if not one.asks), None) or rng.choice([*awaited * 4, *steps])
        of = {}
        for ask in step.asks:
            view = DISCUSSION.view(log.state, Viewer(seats=frozenset({ask.seat}), gm=ask.seat == GM))
            said = says(rng, view, ask)
            legal = not DISCUSSION.check(view, ask, said)
            of[ask.seat] = Answer(
                says=said if legal else DISCUSSION.default(view, ask), how="sealed" if legal else "default"
            )
        if step.pace == "whenever" and any(one.how == "default" for one in of.values()):
            continue
        before = len(log.events)
        DISCUSSION.resolve(log, step, Answers(of=of), SeededChance(rng.randbytes(32), bytes(32)))
        if log.state.phase == "fight" and rng.random() < 0.7:
            assert DISCUSSION.inner is not None
            back = {key: sheets[key] for key in log.state.fighting if key in sheets}
            DISCUSSION.inner(log, InnerScene(id="x", kind="hand", title=f"Knives {number}", over=True, sheets=back))
        yield log, step, before


def test_every_event_of_random_discussions_reads_well() -> None:
    told, heads = Counter[str](), set[str]()
    for number in range(SCENES):
        rounds: dict[str, list[Any]] = {}
        for log, step, before in closings(Random(9_100 + number)):
            events = tuple(log.events[before:])
            view = DISCUSSION.view(log.state, SPECTATOR)
            seats = tuple(SimpleNamespace(seat=seat, name=seat.title()) for seat in log.state.seats)
            sight = SimpleNamespace(
                view=view, seats=seats, ruleset=RULESET, kind="discussion", is_gm=False, status="open"
            )
            template = environment().get_template(ruleset_template(RULESET, "discussion", "log.html"))
            words = template.make_module({"sight": sight, "desk": None, "seated": None})
            for one in events:
                line = plain(event_line(words, one, sight, None, events))
                reason = plain(event_reason(words, one, sight, None))
                assert bool(line) or one.event.kind in UNTOLD | {"appeal-over", "act-done"}, one
                for text in (line, reason):
                    assert not RAW.search(text), (one, text)
                    assert text[:1] == text[:1].upper() and (not text or text[-1] in ".)”!’"), (one, text)
                told[one.event.kind] += 1
            part = SimpleNamespace(step=SimpleNamespace(title=title_of(DISCUSSION, step.key, "")), events=events)
            assert part.step.title
            rounds.setdefault(round_of(step.key), []).append(part)
        heads |= {round_headline(words, parts, sight) for parts in rounds.values()}
    missed = {one for one in members(DISCUSSION.event) if not told[one]}
    assert missed <= {"joined"} if nightly() else len(missed) < 9, missed
    assert any("moves nobody" in one for one in heads) and any("broken off" in one for one in heads), heads
