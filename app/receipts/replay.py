"""Play a finished scene again from its receipts: the same rules, seals and luck must tell the same events."""

import json
from typing import Any

from app.engine import words as wording
from app.engine.chance import SeededChance
from app.engine.ruleset import GM, Answer, Answers, Ask, Ruleset, SceneKind, Seat, Step, Told, Viewer
from app.engine.tale import Telling
from app.receipts import chain
from app.receipts.file import Entry, LogEvent, Receipts, Row
from app.receipts.report import Report, Walk
from app.receipts.setup import STEP, made, planned, read_setup
from app.rulesets import find


class _NeverOpens(Exception):
    """A declaration of this step stays closed for good, so that nobody can resolve it again."""


def setup_of(receipts: Receipts) -> dict[str, Any]:
    """The opened setup; empty if it cannot be read."""
    assert receipts.opened is not None
    raw = json.loads(receipts.opened.setup)
    return raw if isinstance(raw, dict) else {}


def replay(report: Report, walk: Walk, receipts: Receipts) -> None:
    """Every closing in order; stops at the first that differs, since all after it would."""
    header = receipts.header
    try:
        ruleset = find(header.ruleset)
        kind = ruleset.kind(header.kind)
    except LookupError:
        report.notes.append(f"This Signet does not know the rules “{header.ruleset}”; they were not played again.")
        return
    if ruleset.version != header.version:
        report.notes.append(
            f"Recorded with version {header.version} of the rules, this Signet has {ruleset.version}: hashes and "
            "draws were checked, the rules were not played again."
        )
        return
    try:
        _Play(report, walk, receipts, ruleset, kind).all()
    except _NeverOpens as stays:
        report.notes.append(f"{stays}: a declaration there stays closed for good; from there on, the log was taken.")
    except Exception as error:  # whatever a forged file makes the rules do is a finding, not a crash
        report.wrong.append(f"The rules cannot be played again from this file ({type(error).__name__}).")


class _Play:
    def __init__(
        self,
        report: Report,
        walk: Walk,
        receipts: Receipts,
        ruleset: Ruleset[Any, Any],
        kind: SceneKind[Any, Any, Any, Any, Any, Any],
    ) -> None:
        assert receipts.opened is not None
        self.report, self.walk, self.receipts, self.kind = report, walk, receipts, kind
        self.opened = receipts.opened
        self.log = {event.number: event for event in self.opened.log}
        self.state: Any = kind.start(read_setup(ruleset, self.opened.setup))
        self.done = 0  # the last event folded

    def all(self) -> None:
        public, hidden = iter(self.receipts.entries), iter(self.receipts.hidden)
        for place in self.opened.records:
            entry = next(public if place.hidden is None else hidden)
            if entry.what == "closing":
                if not self._closing(entry, place.last_event):
                    return
            elif entry.what == "entered":
                self._fold(place.last_event)
            else:
                self.report.expect(place.last_event == self.done, "The log has events that no closing told.")
                if entry.what == "end":
                    self._end(entry)
        self.report.expect(not list(public), "The record has entries that the scene does not have.")
        self.report.expect(self.done == len(self.log), "The log has events that no closing told.")
        self._public_log()
        self.report.waiting_draws = 0  # veiled ones were just drawn again

    def _closing(self, entry: Entry, last_event: int) -> bool:
        step = STEP.validate_python(entry.step)
        asked = self.report.expect(
            step in self.kind.steps(self.state), f"{step.key}: the rules did not ask this at that moment."
        )
        telling: Telling[Any, Any] = Telling(self.state, self.kind.apply, last=self.done)
        seed, veil = self.walk.seeds[step.key]
        assert veil is not None
        hidden = any(ask.known_to is not None for ask in step.asks)
        chance = SeededChance(seed, veil, "veiled") if hidden else SeededChance(seed, veil)
        self.kind.resolve(telling, step, self._answers(step, entry.rows), chance)
        self.state = telling.state
        logged = [self.log.get(number) for number in range(self.done + 1, last_event + 1)]
        same = self.report.expect(
            [self._spelt(told) for told in telling.told] == [_spelt(event) for event in logged],
            f"{step.key}: the rules make something else of these seals and this luck.",
        )
        self.done, self.report.replayed = last_event, self.report.replayed + 1
        return asked and same

    def _answers(self, step: Step, rows: list[Row]) -> Answers[Any]:
        asks = {ask.seat: ask for ask in step.asks}
        return Answers(of={Seat(row.seat): self._answer(step, asks[Seat(row.seat)], row) for row in rows})

    def _answer(self, step: Step, ask: Ask, row: Row) -> Answer[Any]:
        how: Any = row.how
        if row.wax is None:
            viewer = Viewer(seats=frozenset({ask.seat}), gm=ask.seat == GM)
            return Answer(says=self.kind.default(self.kind.view(self.state, viewer), ask), how=how, rank=row.rank)
        known = self.walk.rows[step.key, row.seat]
        if known.words is None:
            raise _NeverOpens(step.key)
        form = wording.unflatten(wording.read(known.words))
        return Answer(says=self.kind.declaration.validate_python({**form, "ask": ask.kind}), how=how, rank=row.rank)

    def _fold(self, last_event: int) -> None:
        """Events that no closing told: somebody came in."""
        for number in range(self.done + 1, last_event + 1):
            event = self.log[number]
            told = Told(
                number=number,
                rule=event.rule,
                because=tuple(event.because),
                event=self.kind.event.validate_python(event.event),
            )
            self.kind.apply(self.state, told)
        self.done = last_event

    def _end(self, entry: Entry) -> None:
        if entry.how != "over":
            return
        self.report.expect(not self.kind.steps(self.state), "The scene ended before the rules ended it.")
        outcome, salt = self.kind.outcome(self.state), bytes.fromhex(self.opened.setup_salt)
        for kind, recorded, left in (
            ("kept", entry.kept, outcome.kept),
            ("sheets", entry.sheets, outcome.sheets),
        ):
            digests = {name: chain.left_digest(salt, name, body).hex() for name, body in left.items()}
            self.report.expect(digests == recorded, f"What the scene left ({kind}) is not what the rules leave.")
        written = chain.left_digest(salt, "calendar", planned(outcome)).hex() if outcome.entries else None
        self.report.expect(written == entry.entries, "What the scene left (calendar) is not what the rules leave.")
        people = chain.left_digest(salt, "made", made(outcome)).hex() if outcome.made else None
        self.report.expect(people == entry.made, "What the scene left (new characters) is not what the rules leave.")

    def _public_log(self) -> None:
        """The record's public events are the log's own."""
        numbers = {event.number: event.n for event in self.opened.log if event.n is not None}
        told = [event.n for entry in self.receipts.entries for event in entry.events]
        self.report.expect(list(numbers.values()) == told, "The record does not tell what everybody could see.")
        for entry in self.receipts.entries:
            for event in entry.events:
                logged = next((one for one in self.opened.log if one.n == event.n), None)
                same = logged is not None and (event.rule, event.event) == (logged.rule, logged.event)
                causes = [numbers[cause] for cause in logged.because if cause in numbers] if logged else []
                self.report.expect(same and causes == event.because, f"Event {event.n} is not the one in the log.")

    def _spelt(self, told: Told[Any]) -> Any:
        event = self.kind.event.dump_python(told.event, mode="json")
        return [told.number, told.rule, list(told.because), chain.canonical(event)]


def _spelt(event: LogEvent | None) -> Any:
    return None if event is None else [event.number, event.rule, event.because, chain.canonical(event.event)]
