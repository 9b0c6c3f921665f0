"""Replays a finished scene from its receipts: the same rules, seals and luck must give the same events."""

from collections.abc import Sequence
from typing import Any

from app.engine import form_text
from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, SPECTATOR, Answer, Answers, Ask, LoggedEvent, Ruleset, SceneKind, Seat, Step, Viewer
from app.receipts import chain
from app.receipts.file import Entry, LogEvent, Receipts, Row
from app.receipts.log import PlacedEntry
from app.receipts.report import Report, Walk
from app.receipts.setup import STEP, characters_made, inner_scene, planned, read_setup
from app.rulesets import find


class _NeverOpens(Exception):
    """A declaration of this step is never opened, so the step cannot be resolved again."""


def replay(report: Report, walk: Walk, receipts: Receipts, records: Sequence[PlacedEntry]) -> None:
    """Replays every record in order; stops at the first that differs, since all later ones would, too."""
    header = receipts.header
    try:
        ruleset = find(header.ruleset)
        kind = ruleset.kind(header.kind)
    except LookupError:
        report.unplayed.append(f"This copy of Signet does not have the rules “{header.ruleset}/{header.kind}”.")
        return
    version = ruleset.version_of(kind)
    if version != header.version:
        report.unplayed.append(
            f"The scene was recorded with version {header.version} of the rules; this Signet has {version}."
        )
        return
    try:
        _Play(report, walk, receipts, ruleset, kind).all(records)
    except Exception as error:  # an error that a forged file causes in the rules is a finding, not a crash
        report.wrong.append(f"The rules cannot be replayed from this file ({type(error).__name__}).")


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
        self.report, self.walk, self.ruleset, self.kind = report, walk, ruleset, kind
        self.salt = bytes.fromhex(receipts.opened.setup_salt)
        self.state: Any = kind.start(read_setup(ruleset, receipts.opened.setup))
        self.asked: set[str] = set()
        self.done = 0  # the last event folded

    def all(self, records: Sequence[PlacedEntry]) -> None:
        for entry, _, logged, sheet, *_ in records:
            self.asked |= {step.key for step in self.kind.steps(self.state)}
            if not self._one(entry, logged, sheet):
                return
            self.done += len(logged)
        if not self.report.unplayed:
            self.walk.asked = self.asked

    def _one(self, entry: Entry, logged: list[LogEvent], sheet: str | None) -> bool:
        """Returns whether the rules give what the log has for a record."""
        for event in logged:
            shown = self.kind.sees(self.kind.event.validate_python(event.event), SPECTATOR) == (event.n is not None)
            self.report.expect(shown, f"Event {event.number} was shown or hidden against the rules.")
        match entry.what:
            case "closing":
                return self._closing(entry, logged)
            case "entered":
                return self._entered(entry, logged, sheet)
            case "inner":
                return self._inner(entry, logged, sheet)
            case "end":
                self._end(entry)
        return True

    def _closing(self, entry: Entry, logged: list[LogEvent]) -> bool:
        assert entry.step is not None
        said = entry.step.model_dump(mode="json", exclude_unset=True)
        step = STEP.validate_python(said)
        asked = self.report.expect(
            step in self.kind.steps(self.state) and _asking(said) == _asking(STEP.dump_python(step, mode="json")),
            f"{step.key}: the rules did not ask this at that moment.",
        )
        recorder: Recorder[Any, Any] = Recorder(self.state, self.kind.apply, last=self.done)
        seed, veil = self.walk.seeds[step.key]
        assert veil is not None
        chance = SeededChance(veil, veil, "veiled") if seed is None else SeededChance(seed, veil)
        try:
            answers = self._answers(step, entry.rows)
        except _NeverOpens:
            found = self._unnamed(step, entry.rows, logged)
            if found is None:
                self.report.notes.append(
                    f"{step.key}: its seals stay closed for good, so its events were taken from the log: only the "
                    "people who run the server can know whether they are right."
                )
                self._fold(logged)
                return asked
            answers = found
        self.kind.resolve(recorder, step, answers, chance)
        self.report.replayed += 1
        says = f"{step.key}: with these seals and this luck, the rules give a different result."
        return self._same(recorder, logged, says) and asked

    def _entered(self, entry: Entry, logged: list[LogEvent], sheet: str | None) -> bool:
        """Checks that the rules make the logged events of an entering player's sheet."""
        where = f"{entry.seat} joined"
        if entry.sheet is None:
            self.report.unplayed.append(
                f"{where}, but an older Signet recorded no sheet; what came of it was taken from the log."
            )
            self._fold(logged)
            return True
        right = sheet is not None and chain.came_digest(self.salt, entry.seat, sheet).hex() == entry.sheet
        if not self.report.expect(right, f"{where} with another sheet than the one that opened."):
            return False
        if not self.report.expect(self.kind.enter is not None, f"{where} where the rules let nobody in."):
            return False
        assert self.kind.enter is not None and sheet is not None
        recorder: Recorder[Any, Any] = Recorder(self.state, self.kind.apply, last=self.done)
        self.kind.enter(recorder, Seat(entry.seat), entry.seat, self.ruleset.character.validate_json(sheet))
        return self._same(recorder, logged, f"{where}, but the rules give a different result.")

    def _inner(self, entry: Entry, logged: list[LogEvent], sheets: str | None) -> bool:
        """Checks that the rules tell the logged events of what came of an inner scene."""
        where = f"“{entry.title}” was played inside"
        right = sheets is not None and chain.back_digest(self.salt, entry.scene, sheets).hex() == entry.sheet
        if not self.report.expect(right, f"{where} with other sheets than those that opened."):
            return False
        if entry.how == "failed":
            words = f"{where}, and the rules of that time could not tell what came of it."
            self.report.notes.append(words)
            return self.report.expect(not logged, f"{where} and failed, but something is told of it.")
        if not self.report.expect(
            self.kind.inner is not None, f"{where} where the rules have no scene in another one."
        ):
            return False
        assert self.kind.inner is not None and sheets is not None
        recorder: Recorder[Any, Any] = Recorder(self.state, self.kind.apply, last=self.done)
        self.kind.inner(recorder, inner_scene(self.ruleset, entry.model_dump(), sheets))
        return self._same(recorder, logged, f"{where}, but the rules give a different result.")

    def _same(self, recorder: Recorder[Any, Any], logged: list[LogEvent], says: str) -> bool:
        self.state = recorder.state
        return self.report.expect(
            [self._spelt(one) for one in recorder.events] == [_spelt(one) for one in logged], says
        )

    def _answers(self, step: Step, rows: list[Row]) -> Answers[Any]:
        asks = {ask.seat: ask for ask in step.asks}
        return Answers(of={Seat(row.seat): self._answer(step, asks[Seat(row.seat)], row) for row in rows})

    def _unnamed(self, step: Step, rows: list[Row], logged: list[LogEvent]) -> Answers[Any] | None:
        """Returns the answers of a step whose words never open, given to its sealed seats in any order."""
        said = self.kind.unnamed(step, [self.kind.event.validate_python(one.event) for one in logged])
        if said is None:
            return None
        sealed = [row.seat for row in rows if row.wax is not None]
        words = f"{step.key}: it lists {len(said)} ballots, but {len(sealed)} seats have sealed one."
        self.report.expect(len(said) == len(sealed), words)
        asks, says = {ask.seat: ask for ask in step.asks}, dict(zip(sealed, said, strict=False))
        answers = {}
        for row in rows:
            ask = asks[Seat(row.seat)]
            how: Any = row.how if row.seat in says else "default"
            chosen = says[row.seat] if row.seat in says else self.kind.default(self._view(ask), ask)
            if row.seat in says:
                legal = not self.kind.check(self._view(ask), ask, chosen)
                self.report.expect(legal, f"{step.key}: the rules do not allow one of its ballots.")
            answers[Seat(row.seat)] = Answer(says=chosen, how=how, rank=row.rank)
        return Answers(of=answers)

    def _answer(self, step: Step, ask: Ask, row: Row) -> Answer[Any]:
        how: Any = row.how
        if row.wax is None:
            return Answer(says=self.kind.default(self._view(ask), ask), how=how, rank=row.rank)
        known = self.walk.rows[step.key, row.seat]
        if known.words is None:
            raise _NeverOpens(step.key)
        form = form_text.unflatten(form_text.read(known.words))
        says = self.kind.declaration.validate_python({**form, "ask": ask.kind})
        view = self._view(ask)
        legal = not self.kind.check(view, ask, says) or (row.how == "sealed" and self.kind.may_invalidate_sealed(view))
        self.report.expect(legal, f"{step.key}: the rules did not allow what {row.seat} sealed.")
        return Answer(says=says, how=how, rank=row.rank)

    def _view(self, ask: Ask) -> Any:
        return self.kind.view(self.state, Viewer(seats=frozenset({ask.seat}), gm=ask.seat == GM))

    def _fold(self, logged: list[LogEvent]) -> None:
        """Folds events that cannot be recomputed."""
        for event in logged:
            told = LoggedEvent(
                number=event.number,
                rule=event.rule,
                because=tuple(event.because),
                event=self.kind.event.validate_python(event.event),
            )
            whole = self._spelt(told) == _spelt(event) and event.rule in self.ruleset.rulebook
            self.report.expect(whole, f"Event {event.number} is not an event of these rules.")
            self.kind.apply(self.state, told)

    def _end(self, entry: Entry) -> None:
        over = not self.kind.steps(self.state)
        self.report.expect(over == (entry.how == "over"), "The scene did not end as the rules say.")
        if entry.how != "over":
            return
        outcome = self.kind.outcome(self.state)
        self.report.result = chain.canonical(outcome.result)
        for kind, recorded, left in (
            ("kept", entry.kept, outcome.kept),
            ("sheets", entry.sheets, outcome.sheets),
        ):
            digests = {name: chain.left_digest(self.salt, name, body).hex() for name, body in left.items()}
            self.report.expect(digests == recorded, f"What the scene left ({kind}) is not what the rules give.")
        written = chain.left_digest(self.salt, "calendar", planned(outcome)).hex() if outcome.entries else None
        self.report.expect(written == entry.entries, "What the scene left (calendar) is not what the rules give.")
        people = chain.left_digest(self.salt, "made", characters_made(outcome)).hex() if outcome.made else None
        self.report.expect(people == entry.made, "What the scene left (new characters) is not what the rules give.")

    def _spelt(self, told: LoggedEvent[Any]) -> Any:
        event = self.kind.event.dump_python(told.event, mode="json")
        return [told.number, told.rule, list(told.because), chain.canonical(event)]


def _spelt(event: LogEvent) -> Any:
    return [event.number, event.rule, event.because, chain.canonical(event.event)]


def _asking(step: dict[str, Any]) -> str:
    """Returns a step as JSON, its sets of seats sorted."""
    asks = [
        {**ask, **{name: sorted(ask[name]) for name in ("open_to", "known_to") if ask[name] is not None}}
        for ask in step["asks"]
    ]
    return chain.canonical({**step, "asks": asks})
