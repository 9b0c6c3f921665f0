"""Laws that hold for every kind of scene, whatever its rules are; a ruleset's tests apply them to their `Subject`.

One walk leads through a scene with drawn set-ups, answers and luck; each law asserts something at every closing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pydantic import TypeAdapter

from app.engine import form_text, options
from app.engine.chance import Roll, SeededChance
from app.engine.log import Recorder, fold
from app.engine.ruleset import (
    GM,
    SPECTATOR,
    Answer,
    Answers,
    Ask,
    LoggedEvent,
    Ruleset,
    SceneKind,
    Seat,
    Setup,
    Step,
    Viewer,
)
from app.engine.steps import first_word
from app.engine.unions import members
from app.engine.wording import title_of
from app.table.perspective import Perspective

T = TypeVar("T")
STEP: TypeAdapter[Step] = TypeAdapter(Step)
CLOSINGS = 14  # of one walk
SEEDS = st.binary(min_size=32, max_size=32)


class Draw(Protocol):
    """Hypothesis' `data.draw`."""

    def __call__(self, strategy: SearchStrategy[T], /) -> T: ...


@dataclass(frozen=True, kw_only=True, repr=False)
class Subject:
    """What a ruleset's tests must say about a kind, so that the laws can walk through its scenes."""

    ruleset: Ruleset[Any, Any]
    key: str
    setups: SearchStrategy[Setup[Any, Any]]
    says: Callable[[Draw, Any, Ask], Any]  # view and ask -> a declaration, mostly legal
    rolls: Callable[[Any, Any], list[Roll]]  # state before, event -> the luck that the event tells
    still: Callable[[Any], Any]  # what no longer changes when a scene idles
    blur: Callable[[Draw, Any, Viewer], Any]  # a state -> a copy that looks the same to this viewer now
    veil: Callable[[Draw, Any, Viewer], Any]  # the same, where the difference stays hidden through the next closing
    murmur: Callable[[Any, Ask, Any], Any]  # state, ask, answer -> the same with other hidden words
    quiet: Callable[[Any, Ask, Any], Any]  # an answer that brings nothing hidden to light; None if this one must
    unknown_to_gm: Callable[[Draw, Any, Viewer], Any] | None = None
    """A state -> a copy that differs in what this GM may not know; None: the GM knows all of it that any seat does."""
    may_show: Callable[[Any, Any], bool] = lambda here, there: False  # two outcomes that docs/security.md lets differ

    def __repr__(self) -> str:
        return f"<{self.ruleset.key}/{self.key}>"  # a whole rulebook would bury what a failing law has to say

    @property
    def kind(self) -> SceneKind[Any, Any, Any, Any, Any, Any]:
        return self.ruleset.kind(self.key)


@dataclass(slots=True)
class Watched:
    """Luck that remembers what it gave."""

    chance: SeededChance
    given: list[Roll] = field(default_factory=list)

    def die(self, size: int, label: str) -> Roll:
        self.given.append(self.chance.die(size, label))
        return self.given[-1]

    def pick(self, among: tuple[T, ...], label: str) -> tuple[T, Roll]:
        roll = self.die(len(among), label)
        return among[roll.face - 1], roll

    @property
    def veiled(self) -> "Watched":
        return Watched(self.chance.veiled, self.given)


@dataclass(frozen=True, kw_only=True)
class Closing:
    """One step of a walk: where it was, what was answered, and what came of it."""

    before: Any
    open: tuple[Step, ...]
    step: Step
    answers: Answers[Any]
    seeds: tuple[bytes, bytes]
    number: int  # of the last event before
    told: list[LoggedEvent[Any]]
    after: Any
    given: list[Roll]
    gone: frozenset[str]  # keys of steps that were open earlier and are no more


def viewer(seat: Seat) -> Viewer:
    return Viewer(seats=frozenset({seat}), gm=seat == GM)


def rolls_in(thing: Any) -> list[Roll]:
    """Every roll inside an event."""
    if isinstance(thing, Roll):
        return [thing]
    if is_dataclass(thing):
        return [roll for f in fields(thing) for roll in rolls_in(getattr(thing, f.name))]
    if isinstance(thing, tuple):
        return [roll for one in thing for roll in rolls_in(one)]
    return []


def copied(kind: SceneKind[Any, Any, Any, Any, Any, Any], state: Any) -> Any:
    return kind.state.validate_json(kind.state.dump_json(state))


def by_options(draw: Draw, kind: SceneKind[Any, Any, Any, Any, Any, Any], view: Any, ask: Ask) -> Any:
    """A declaration with a possible choice in each field that has options."""
    form = members(kind.declaration)[ask.kind]
    return options.drawn(form, kind.options(view, ask), lambda some: draw(st.sampled_from(some)))


def answered(subject: Subject, draw: Draw, state: Any, step: Step) -> Answers[Any]:
    """Legal answers of all seats, in seat order; where the drawn one is not legal, the default."""
    ranks = draw(st.permutations(range(1, len(step.asks) + 1))) if step.ranked else [0] * len(step.asks)
    of: dict[Seat, Answer[Any]] = {}
    for ask, rank in zip(step.asks, ranks, strict=True):
        view = subject.kind.view(state, viewer(ask.seat))
        says = subject.says(draw, view, ask)
        if subject.kind.check(view, ask, says):
            of[ask.seat] = Answer(says=subject.kind.default(view, ask), how="default", rank=rank)
        else:
            of[ask.seat] = Answer(says=says, rank=rank)
    return Answers(of=of)


def close(
    subject: Subject, state: Any, step: Step, answers: Answers[Any], seeds: tuple[bytes, bytes], number: int = 0
) -> tuple[Any, list[LoggedEvent[Any]], list[Roll]]:
    """Resolve a step on a copy of the state: the new state, what was told, the luck that was given."""
    public = all(ask.known_to is None for ask in step.asks)  # what not all may know of has no open luck
    chance = Watched(SeededChance(*seeds) if public else SeededChance(*seeds).veiled)
    log = Recorder(copied(subject.kind, state), subject.kind.apply, last=number)
    subject.kind.resolve(log, step, answers, chance)
    return log.state, log.events, chance.given


def walk(subject: Subject, draw: Draw, closings: int = CLOSINGS) -> Iterator[Closing]:
    """A scene with drawn answers, closing by closing."""
    state, number, gone = subject.kind.start(draw(subject.setups)), 0, frozenset[str]()
    for _ in range(closings):
        steps = subject.kind.steps(state)
        if not steps:
            return
        awaited = [step for step in steps if step.pace != "whenever"]
        step = draw(st.sampled_from(awaited * 3 + [step for step in steps if step.pace == "whenever"]))
        answers, seeds = answered(subject, draw, state, step), (draw(SEEDS), draw(SEEDS))
        after, told, given = close(subject, state, step, answers, seeds, number)
        yield Closing(
            before=state,
            open=steps,
            step=step,
            answers=answers,
            seeds=seeds,
            number=number,
            told=told,
            after=after,
            given=given,
            gone=gone,
        )
        state, number = after, number + len(told)
        gone |= {step.key for step in steps} - _keys(subject, after)


def _events(subject: Subject, told: list[LoggedEvent[Any]]) -> list[Any]:
    return [(t.rule, t.because, subject.kind.event.dump_python(t.event, mode="json")) for t in told]


def _same(subject: Subject, one: Any, other: Any) -> bool:
    return bool(subject.kind.state.dump_json(one) == subject.kind.state.dump_json(other))


def defaults_are_legal(subject: Subject, draw: Draw, at: Closing) -> None:
    """What an absent seat does may be sealed. Steps nobody waits for have no default that is ever used."""
    for step in at.open:
        for ask in step.asks if step.pace != "whenever" else ():
            view = subject.kind.view(at.before, viewer(ask.seat))
            assert not subject.kind.check(view, ask, subject.kind.default(view, ask)), ask


def suggestions_are_legal(subject: Subject, draw: Draw, at: Closing) -> None:
    """What a GM seals unread is accepted, as a form's own words are."""
    for step in at.open:
        for ask in step.asks:
            view = subject.kind.view(at.before, viewer(ask.seat))
            found = subject.kind.suggest(view, ask)
            if found is not None:
                pairs = form_text.read(form_text.spell(form_text.flatten(found.form)))
                says = subject.kind.declaration.validate_python({**form_text.unflatten(pairs), "ask": ask.kind})
                assert not subject.kind.check(view, ask, says), (ask, says)
                assert found.lines and all(found.lines)


def same_inputs_tell_the_same(subject: Subject, draw: Draw, at: Closing) -> None:
    again, told, _ = close(subject, at.before, at.step, at.answers, at.seeds, at.number)
    assert _events(subject, told) == _events(subject, at.told)
    assert _same(subject, again, at.after)


def the_order_of_sealing_matters_only_where_ranked(subject: Subject, draw: Draw, at: Closing) -> None:
    """Whatever order a step is handed, if it is not ranked nothing comes of it but the number itself."""
    if at.step.ranked:
        return
    ranks = draw(st.permutations(range(1, len(at.answers.of) + 1)))
    of = {seat: replace(a, rank=rank) for (seat, a), rank in zip(at.answers.of.items(), ranks, strict=True)}
    _, told, _ = close(subject, at.before, at.step, Answers(of=of), at.seeds, at.number)
    assert _without_rank(_events(subject, told)) == _without_rank(_events(subject, at.told))


def _without_rank(events: list[Any]) -> list[Any]:
    return [(rule, because, {k: v for k, v in event.items() if k != "rank"}) for rule, because, event in events]


def an_open_step_never_changes(subject: Subject, draw: Draw, at: Closing) -> None:
    """While others close it stays word for word, or it is gone for good; a key never comes back."""
    now = {step.key: step for step in subject.kind.steps(at.after)}
    assert len(now) == len(subject.kind.steps(at.after)), "a key stands twice"
    assert at.step.key not in now
    assert not at.gone & set(now), "a key came back"
    for step in at.open:
        assert now.get(step.key, step) == step


def open_steps_commute_or_retire_each_other(subject: Subject, draw: Draw, at: Closing) -> None:
    """Of two awaited steps either may close first. One nobody waits for is an act at its own time: it need not
    commute, but may only retire the others or leave them resolvable."""
    for other in at.open:
        if other.key == at.step.key:
            continue
        answers, seeds = answered(subject, draw, at.before, other), (draw(SEEDS), draw(SEEDS))
        first, _, _ = close(subject, at.before, other, answers, seeds, at.number)
        if other.key not in _keys(subject, at.after) or at.step.key not in _keys(subject, first):
            continue
        here, _, _ = close(subject, at.after, other, answers, seeds, at.number)
        there, _, _ = close(subject, first, at.step, at.answers, at.seeds, at.number)
        if "whenever" not in (other.pace, at.step.pace):
            assert _same(subject, here, there), (at.step.key, other.key)


def _keys(subject: Subject, state: Any) -> set[str]:
    return {step.key for step in subject.kind.steps(state)}


def answers_stay_good_while_a_step_is_open(subject: Subject, draw: Draw, at: Closing) -> None:
    """What `check` let in is resolved, also if another step closed between sealing and reveal."""
    for other in subject.kind.steps(at.after):
        if other in at.open and other.asks:
            sealed = answered(subject, draw, at.before, other)
            close(subject, at.after, other, sealed, at.seeds, at.number + len(at.told))


def all_luck_is_told(subject: Subject, draw: Draw, at: Closing) -> None:
    """Every roll stands in an event exactly as given, no label names two, and what everybody sees is open luck."""
    told = [roll for t in at.told for roll in subject.rolls(at.before, t.event)]
    assert sorted(told, key=lambda r: r.label) == sorted(at.given, key=lambda r: r.label)
    assert len({roll.label for roll in told}) == len(told)
    public = all(ask.known_to is None for ask in at.step.asks)
    seen = [t for t in at.told if public and subject.kind.sees(t.event, SPECTATOR)]
    shown = [roll for t in seen for roll in subject.rolls(at.before, t.event)]
    assert all(roll.stream == "open" for roll in shown), "everybody sees luck that nobody can check yet"


def the_log_folds_to_the_state(subject: Subject, draw: Draw, at: Closing) -> None:
    assert [t.number for t in at.told] == list(range(at.number + 1, at.number + len(at.told) + 1))
    assert _same(subject, fold(copied(subject.kind, at.before), subject.kind.apply, at.told), at.after)


def everything_survives_json(subject: Subject, draw: Draw, at: Closing) -> None:
    kind = subject.kind
    assert copied(kind, at.after) == at.after
    for step in at.open:
        assert STEP.validate_json(STEP.dump_json(step)) == step
    for answer in at.answers.of.values():
        assert kind.declaration.validate_json(kind.declaration.dump_json(answer.says)) == answer.says
    for told in at.told:
        assert kind.event.validate_json(kind.event.dump_json(told.event)) == told.event


def every_event_cites_a_rule(subject: Subject, draw: Draw, at: Closing) -> None:
    """The rule is in the rulebook, the causes are earlier events."""
    for told in at.told:
        assert told.rule in subject.ruleset.rulebook, told.rule
        assert all(0 < cause < told.number for cause in told.because)


def what_is_hidden_does_not_show(subject: Subject, draw: Draw, at: Closing) -> None:
    """A state that differs only in what a viewer may not know looks the same: view, and steps known."""
    for who in _players(at.step):
        _alike(subject, who, at.before, subject.blur(draw, at.before, who))


def what_stays_hidden_changes_nothing_that_is_seen(subject: Subject, draw: Draw, at: Closing) -> None:
    """Another world whose difference stays hidden: the same events in the same places, and afterwards the same view."""
    asks = {ask.seat: ask for ask in at.step.asks}
    of = {seat: replace(a, says=subject.quiet(at.before, asks[seat], a.says)) for seat, a in at.answers.of.items()}
    if any(answer.says is None for answer in of.values()):
        return
    here, told, _ = close(subject, at.before, at.step, Answers(of=of), at.seeds, at.number)
    for who in _players(at.step):
        veiled = subject.veil(draw, at.before, who)
        loud = {seat: replace(a, says=_murmured(subject, who, veiled, asks[seat], a.says)) for seat, a in of.items()}
        there, other, _ = close(subject, veiled, at.step, Answers(of=loud), at.seeds, at.number)
        if subject.may_show(here, there):
            continue
        assert seen(subject, who, told) == seen(subject, who, other)
        _alike(subject, who, here, there)


def what_the_gm_may_not_know_changes_nothing_on_a_see_as_page(subject: Subject, draw: Draw, at: Closing) -> None:
    """Two worlds that the GM cannot tell apart look the same to a GM who sees them as a seat does: another state of
    what is hidden from the GM, and what comes of other words that are."""
    kind, gm = subject.kind, viewer(GM)
    if subject.unknown_to_gm is not None:
        other = subject.unknown_to_gm(draw, at.before, gm)
        _alike(subject, gm, at.before, other)
        for who in _players(at.step):
            assert _as(subject, who, at.before) == _as(subject, who, other)
    asks = {ask.seat: ask for ask in at.step.asks}
    of = {s: replace(a, says=_murmured(subject, gm, at.before, asks[s], a.says)) for s, a in at.answers.of.items()}
    there, told, _ = close(subject, at.before, at.step, Answers(of=of), at.seeds, at.number)
    same = kind.view(at.after, gm) == kind.view(there, gm) and known(subject, gm, at.after) == known(subject, gm, there)
    if same and seen(subject, gm, at.told) == seen(subject, gm, told):
        for who in _players(at.step):
            assert _as(subject, who, at.after) == _as(subject, who, there)
            assert _read_as(subject, who, at.told) == _read_as(subject, who, told)


def _as(subject: Subject, who: Viewer, state: Any) -> Any:
    """What a GM sees as a viewer: the view, and the asks that both may know of."""
    by = Perspective(who, viewer(GM))
    return by.view(subject.kind, state), [
        (step.key, [ask for ask in step.asks if by.is_in(ask.known_to)])
        for step in subject.kind.steps(state)
        if not step.asks or any(by.is_in(ask.known_to) for ask in step.asks)
    ]


def _read_as(subject: Subject, who: Viewer, told: list[LoggedEvent[Any]]) -> list[Any]:
    by = Perspective(who, viewer(GM))
    return [(t.rule, subject.kind.event.dump_python(t.event)) for t in told if by.sees(subject.kind, t.event)]


def _players(step: Step) -> tuple[Viewer, ...]:
    return (SPECTATOR, *(viewer(ask.seat) for ask in step.asks if ask.seat != GM))


def _murmured(subject: Subject, who: Viewer, state: Any, ask: Ask, says: Any) -> Any:
    if ask.seat in who.seats:
        return says
    murmured = subject.murmur(state, ask, says)
    published = ask.known_to is None and ask.opens == "close"
    assert murmured == says or not published, f"{ask.kind}: words that hide something are published at the close"
    return murmured


def _alike(subject: Subject, who: Viewer, one: Any, other: Any) -> None:
    assert subject.kind.view(one, who) == subject.kind.view(other, who)
    assert known(subject, who, one) == known(subject, who, other)


def known(subject: Subject, who: Viewer, state: Any) -> list[Step]:
    """The steps a viewer may know of, with the asks he may know of."""
    found = []
    for step in subject.kind.steps(state):
        asks = tuple(ask for ask in step.asks if ask.known_to is None or ask.known_to & who.seats)
        if asks or not step.asks:
            found.append(replace(step, asks=asks))
    return found


def seen(subject: Subject, who: Viewer, told: list[LoggedEvent[Any]]) -> list[Any]:
    """Events as a viewer reads them: numbered anew, links to unseen ones and to earlier closings left out."""
    visible = [t for t in told if subject.kind.sees(t.event, who)]
    numbers = {t.number: place for place, t in enumerate(visible)}
    return [
        (t.rule, [numbers[n] for n in t.because if n in numbers], subject.kind.event.dump_python(t.event, mode="json"))
        for t in visible
    ]


def a_scene_of_defaults_ends_or_idles(subject: Subject, draw: Draw) -> None:
    """Nobody there: the scene comes to its end, waits for an act nobody must make, or goes on without changing."""
    kind = subject.kind
    state, number = kind.start(draw(subject.setups)), 0
    stills = []
    for _ in range(40):
        steps = [step for step in kind.steps(state) if step.pace != "whenever"]
        if not steps:
            return
        of = {
            a.seat: Answer(says=kind.default(kind.view(state, viewer(a.seat)), a), how="default") for a in steps[0].asks
        }
        state, told, _ = close(subject, state, steps[0], Answers(of=of), (draw(SEEDS), b""), number)
        number += len(told)
        stills.append(subject.still(state))
    assert stills[-1] == stills[0], "absence alone goes on changing things"


def titles_and_calls_are_stored_or_drawn(subject: Subject, draw: Draw, at: Closing) -> None:
    """A kind stores the words of all its steps, or of none and has them all."""
    kind = subject.kind
    for step in at.open:
        assert all(bool(text) is not bool(kind.titles) for text in (step.title, *(ask.call for ask in step.asks))), step
        assert title_of(kind, step.key, step.title), step.key
        assert all(ask.call or ask.kind in kind.calls for ask in step.asks), step.key


def every_awaited_step_belongs_to_one_phase(subject: Subject, draw: Draw, at: Closing) -> None:
    """What a scene waits for stands on the rail of the GM's desk, at one place."""
    phases = subject.kind.phases
    for step in at.open if phases else ():
        word, awaited = first_word(step.key), step.pace != "whenever"
        found = [phase for phase in phases if word in phase.steps]
        assert len(found) == awaited, step.key
        assert not any(phase.gms and any(ask.seat != GM for ask in step.asks) for phase in found), step.key


def the_outcome_can_be_told_at_any_time(subject: Subject, draw: Draw, at: Closing) -> None:
    """The GM's desk shows how everybody is in the middle of a scene."""
    state = copied(subject.kind, at.before)
    subject.kind.outcome(state)
    assert _same(subject, state, at.before), "to tell it changes nothing"


def a_film_tells_each_event_once_and_in_order(subject: Subject, draw: Draw, at: Closing) -> None:
    """The beats of every viewer cover exactly what that viewer sees, and a card comes with its event."""
    kind = subject.kind
    for who in (viewer(Seat("gm")), *_players(at.step), SPECTATOR) if kind.film is not None else ():
        visible = [told for told in at.told if kind.sees(told.event, who)]
        numbered = [replace(told, number=place, because=()) for place, told in enumerate(visible, start=1)]
        views = [kind.view(copied(kind, state), who) for state in (at.before, at.after)]
        beats = kind.film(numbered, *views) if numbered and kind.film else ()
        told = [number for beat in beats for number in beat.events]
        assert told == ([one.number for one in numbered] if beats else []), told
        for beat in beats:
            assert all(card.event in beat.events for card in beat.cards), beat


LAWS: tuple[Callable[[Subject, Draw, Closing], None], ...] = (
    titles_and_calls_are_stored_or_drawn,
    defaults_are_legal,
    suggestions_are_legal,
    same_inputs_tell_the_same,
    the_order_of_sealing_matters_only_where_ranked,
    an_open_step_never_changes,
    open_steps_commute_or_retire_each_other,
    answers_stay_good_while_a_step_is_open,
    all_luck_is_told,
    the_log_folds_to_the_state,
    everything_survives_json,
    every_event_cites_a_rule,
    what_is_hidden_does_not_show,
    what_stays_hidden_changes_nothing_that_is_seen,
    every_awaited_step_belongs_to_one_phase,
    the_outcome_can_be_told_at_any_time,
    a_film_tells_each_event_once_and_in_order,
)
"""What holds at every closing of a walk."""
