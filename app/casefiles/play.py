"""Plays case files: scenes in TOML, played against the rules with scripted luck (docs/cases.md)."""

import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import ValidationError

from app.casefiles.days import play_days
from app.casefiles.diff import differs, event_line, missing, unexpected
from app.casefiles.file import SPECTATOR_SEAT, Case, End, Play
from app.casefiles.setup import set_up, sheet_of, slips_of
from app.casefiles.words import Unusable, Wrong, fault_text, in_words, unlisted
from app.engine.chance import ScriptedChance
from app.engine.log import Recorder, fold
from app.engine.ruleset import (
    GM,
    SPECTATOR,
    Answer,
    Answers,
    Ask,
    How,
    Ruleset,
    SceneKind,
    Seat,
    Step,
    Viewer,
)
from app.engine.unions import field_name
from app.rulesets import find
from app.terminal import say

MOST_UNNAMED = 40  # steps that may close by default before the one a case names


class Failed(Exception):
    """The rules did something else than the case expects; the text is the difference."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one file; `problem` is the text to show, empty if the case passed."""

    path: Path
    title: str
    verdict: Literal["passed", "failed", "unusable"]
    problem: str = ""


def run(paths: Sequence[Path]) -> int:
    """Plays all case files, prints the differences. Returns 0: all pass, 1: some fail, 2: one is unusable, or none."""
    results = [play_file(path) for path in case_files(paths)]
    for result in results:
        mark = {"passed": "ok      ", "failed": "FAILED  ", "unusable": "UNUSABLE"}[result.verdict]
        say(f"{mark}  {result.path}: {result.title}")
        for line in result.problem.splitlines():
            say(f"    {line}")
    bad = {verdict: sum(r.verdict == verdict for r in results) for verdict in ("passed", "failed", "unusable")}
    say(f"{bad['passed']} passed, {bad['failed']} failed, {bad['unusable']} unusable.")
    if bad["unusable"] or not results:
        return 2
    return 1 if bad["failed"] else 0


def case_files(paths: Iterable[Path]) -> list[Path]:
    """Returns the named files, and every *.toml in the named folders."""
    return [file for path in paths for file in (sorted(path.rglob("*.toml")) if path.is_dir() else [path])]


def play_file(path: Path) -> Result:
    """Plays one file; never raises because of its contents."""
    title = "(no title)"
    try:
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Unusable(f"The file cannot be read: {error}") from None
        case = read(text)
        title = case.title
        play(case)
    except Unusable as problem:
        return Result(path, title, "unusable", str(problem))
    except Failed as problem:
        return Result(path, title, "failed", str(problem))
    return Result(path, title, "passed")


def read(text: str) -> Case:
    """Returns the case in a file's text. Raises Unusable where there is none."""
    raw: dict[str, Any] = {}
    try:
        raw = tomllib.loads(text)
        case = Case.model_validate(raw)
        if not case.day:
            find(case.ruleset).kind(case.kind)
        find(case.ruleset)
    except tomllib.TOMLDecodeError as error:
        raise Unusable(f"This is not valid TOML: {error}") from None
    except ValidationError as error:
        raise Unusable("\n".join(fault_text(fault, raw) for fault in error.errors(include_url=False))) from None
    except LookupError as error:
        raise Unusable(str(error.args[0])) from None
    return case


def play(case: Case) -> None:
    """Plays a case to its end. Raises Failed with the difference, Unusable where it uses names unknown to the rules."""
    ruleset = find(case.ruleset)
    wrong = Wrong(unknown=list(slips_of(case, ruleset)))
    if case.day:
        _live(case, ruleset, wrong)
        return
    kind = ruleset.kind(case.kind)
    begin = set_up(case, ruleset, kind, wrong)
    if wrong.unknown or case.refused is None:
        wrong.tell()
    if begin is None or case.refused is not None:
        _refused(case.refused or "", "\n".join(wrong.refused))
        return
    table = _Table(ruleset, kind, begin, Recorder(begin(), kind.apply))
    for step in case.step:
        table.play(step)
    table.end(case.end)
    table.keep_the_laws()


def _refused(expected: str, refused: str) -> None:
    if not refused:
        raise Failed(f"The set-up must be refused with {expected!r}, but it was accepted.")
    if expected not in refused:
        raise Failed(f"The set-up must be refused with {expected!r}, but:\n{refused}")


def _live(case: Case, ruleset: Ruleset[Any, Any], wrong: Wrong) -> None:
    """Plays a case of days. Raises Failed, or Unusable where a sheet or a character's care is refused."""
    sheets = {who.id: wrong.read(ruleset.character, sheet_of(who), f"{who.id}: ") for who in case.character}
    wrong.tell()
    try:
        problem = play_days(ruleset, sheets, case.day, case.settings, case.end.model_extra or {})
    except LookupError as error:
        raise Failed(f"{type(error).__name__}: {error}") from error
    if problem:
        raise Failed(problem)


def _viewer(seat: str) -> Viewer:
    return SPECTATOR if seat == SPECTATOR_SEAT else Viewer(seats=frozenset({Seat(seat)}), gm=seat == GM)


@dataclass(slots=True)
class _Table:
    """A scene in play; `log` has all its events so far."""

    ruleset: Ruleset[Any, Any]
    kind: SceneKind[Any, Any, Any, Any, Any, Any]
    begin: Callable[[], Any]
    log: Recorder[Any, Any]
    closed: list[str] = field(default_factory=list)

    def play(self, play: Play) -> None:
        """Plays one step of the case; unnamed steps before it close with their defaults, without luck."""
        step = self._open(play.key)
        where = f"step {play.key}"
        if play.ranked is not None and step.ranked != play.ranked:
            raise self._failed(where, f"ranked: expected {play.ranked}, is {step.ranked}")
        if play.asks is not None:
            asks = {ask.seat: _plain(ask) for ask in step.asks}
            if set(asks) != set(play.asks):
                raise self._failed(where, f"asked: expected {sorted(play.asks)}, is {sorted(asks)}")
            self._compare(where, "asks", play.asks, asks)
        for seat, expected in play.view.items():
            self._compare(where, f"view.{seat}", expected, self.kind.view(self.log.state, _viewer(seat)))
        says, faults = self._answers(step, play)
        self._refusals(where, play, faults)
        if not play.refused:
            self._close(step, says, play)

    def _open(self, key: str) -> Step:
        """Returns the open step of that key, after closing those before it. Raises Failed where it never opens."""
        for _ in range(MOST_UNNAMED):
            now = {step.key: step for step in self.kind.steps(self.log.state)}
            if key in now:
                return now[key]
            ahead = [step for step in now.values() if step.pace != "whenever"]
            if key in self.closed or not ahead:
                break
            says, _ = self._answers(ahead[0], Play(key=ahead[0].key))
            self._close(ahead[0], says, Play(key=ahead[0].key))
        now = {step.key: step for step in self.kind.steps(self.log.state)}
        raise self._failed(f"step {key}", f"it never opens; open steps: {', '.join(now) or 'none, the scene is over'}")

    def _answers(self, step: Step, play: Play) -> tuple[Answers[Any], dict[str, dict[str, str]]]:
        """Returns all answers in seat order, with defaults for unnamed seats, and the faults found in them."""
        asks = {ask.seat: ask for ask in step.asks}
        strange = [seat for seat in play.answers if seat not in asks]
        if strange:
            raise self._failed(f"step {step.key}", f"nobody asks {', '.join(strange)}")
        ranks = {seat: rank for rank, seat in enumerate(play.answers, 1)}
        late = (rank for rank in range(len(play.answers) + 1, len(asks) + 1))
        of: dict[Seat, Answer[Any]] = {}
        faults: dict[str, dict[str, str]] = {}
        wrong = Wrong()
        for seat, ask in asks.items():
            raw = dict(play.answers.get(seat, {}))
            how = "sealed" if seat in play.answers else "default"
            if isinstance(raw.get("how"), str):  # else it is a field of the form
                how = raw.pop("how")
                if how not in get_args(How):
                    wrong.unknown.append(f"step {step.key}: {seat}: how is {', '.join(get_args(How))}, not {how!r}.")
            rank = raw.pop("rank", ranks[seat] if seat in ranks else next(late))
            view = self.kind.view(self.log.state, _viewer(seat))
            says, refused = self._says(view, ask, raw, how, wrong)
            if refused:
                faults[seat] = refused
            of[seat] = Answer(says=says, how=how, rank=rank if step.ranked else 0)
        wrong.tell()
        return Answers(of=of), faults

    def _says(self, view: Any, ask: Ask, raw: dict[str, Any], how: str, wrong: Wrong) -> tuple[Any, dict[str, str]]:
        """Returns a seat's declaration, and its form's refusals; adds fields that the form does not have to `wrong`."""
        if how == "default":
            says = self.kind.default(view, ask)
        else:
            try:
                says = self.kind.declaration.validate_python({**raw, "ask": ask.kind}, extra="forbid")
            except ValidationError as error:
                refused = {}
                for fault in error.errors(include_url=False):
                    name = field_name(self.kind.declaration, fault["loc"])
                    if fault["type"] == "extra_forbidden":
                        wrong.unknown.append(f"{ask.seat} answers {ask.kind}: {name}: {in_words(fault)}")
                    refused[name] = in_words(fault)
                return None, refused
        return says, dict(self.kind.check(view, ask, says))

    def _refusals(self, where: str, play: Play, faults: dict[str, dict[str, str]]) -> None:
        for seat in sorted(set(play.refused) | set(faults)):
            expected, found = play.refused.get(seat, {}), faults.get(seat, {})
            same = set(expected) == set(found) and all(part in found[name] for name, part in expected.items())
            if not same:
                raise self._failed(
                    where, f"refused to {seat}: expected {expected or 'nothing'}, is {found or 'nothing'}"
                )

    def _close(self, step: Step, says: Answers[Any], play: Play) -> None:
        where = f"step {step.key}"
        chance = ScriptedChance(play.luck)
        first = len(self.log.events)
        try:
            self.kind.resolve(self.log, step, says, chance)
        except Exception as error:  # any error in the rules is a failure of the case
            raise self._failed(where, f"{type(error).__name__}: {error}") from error
        self.closed.append(step.key)
        events = self.log.events[first:]
        told = self.log.events
        problem = missing(play.expect, events, play.only, self._sees, told)
        problem = problem or unexpected(play.never, events, self._sees, told)
        if problem:
            raise self._failed(where, problem)
        if chance.unused():
            raise self._failed(where, f"luck nobody drew: {', '.join(chance.unused())}")
        strange = unlisted(sorted(chance.drawn), self.ruleset.luck)
        if strange:
            raise self._failed(where, f"draws that the ruleset's luck.toml does not list: {', '.join(strange)}")

    def _sees(self, event: Any, seat: str) -> bool:
        return self.kind.sees(event, _viewer(seat))

    def end(self, expected: End) -> None:
        """Compares the state at the end; `view`, `open` and `outcome` separately."""
        for seat, wanted in expected.view.items():
            self._compare("the end", f"view.{seat}", wanted, self.kind.view(self.log.state, _viewer(seat)))
        if expected.open is not None:
            keys = [step.key for step in self.kind.steps(self.log.state)]
            self._compare("the end", "open", expected.open, keys)
        if expected.outcome is not None:
            self._compare("the end", "outcome", expected.outcome, self.kind.outcome(self.log.state))
        self._compare("the end", "", expected.model_extra, self.log.state)

    def keep_the_laws(self) -> None:
        """Checks that every event cites a rule and survives JSON, and that the log alone gives the same state."""
        for told in self.log.events:
            if told.rule not in self.ruleset.rulebook:
                raise self._failed("the log", f"event {told.number} cites {told.rule}, which is not in the rulebook")
            again = self.kind.event.validate_json(self.kind.event.dump_json(told.event))
            if again != told.event:
                raise self._failed("the log", f"event {told.number} does not survive JSON: {again}")
        folded = fold(self.begin(), self.kind.apply, self.log.events)
        if self.kind.state.dump_python(folded) != self.kind.state.dump_python(self.log.state):
            raise self._failed("the log", "folding the log again gives another state")

    def _compare(self, where: str, what: str, expected: Any, found: Any) -> None:
        problems = list(differs(what, expected, found))
        if problems:
            raise self._failed(where, "\n".join(problems))

    def _failed(self, where: str, problem: str) -> Failed:
        log = "\n".join(event_line(told) for told in self.log.events) or "(nothing)"
        return Failed(f"{where}: {problem}\nWhat happened:\n{log}")


def _plain(ask: Ask) -> dict[str, Any]:
    """Returns an ask as case files write it: audiences by name."""

    def audience(seats: frozenset[Seat] | None) -> str | list[str]:
        return "everybody" if seats is None else sorted(seats) or "nobody"

    return {
        "kind": ask.kind, "call": ask.call, "about": ask.about, "opens": ask.opens, "first_stands": ask.first_stands,
        "open_to": audience(ask.open_to), "known_to": audience(ask.known_to),
    }  # fmt: skip
