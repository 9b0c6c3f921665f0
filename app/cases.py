"""Case files: a scene in TOML, played against the rules with luck written down beforehand (docs/cases.md)."""

import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.case_days import Day, play_days
from app.case_diff import differs, missing, shown, unexpected
from app.engine.chance import ScriptedChance
from app.engine.ruleset import GM, SPECTATOR, Answer, Answers, Ask, Brief, Ruleset, SceneKind, Seat, Setup, Step, Viewer
from app.engine.tale import Telling, fold
from app.rulesets import find

MOST_UNNAMED = 40  # steps that may close by default before the one a case names


class Character(BaseModel):
    """Somebody in the scene; what the sheet has besides is checked by the ruleset."""

    model_config = ConfigDict(extra="allow")

    id: str
    seat: str


class Play(BaseModel):
    """One `[[step]]`: what is answered, the luck of its closing, and what must come of it."""

    model_config = ConfigDict(extra="forbid")

    key: str
    asks: dict[str, dict[str, Any]] | None = None
    ranked: bool | None = None
    view: dict[str, dict[str, Any]] = Field(default_factory=dict)
    answers: dict[str, dict[str, Any]] = Field(default_factory=dict)
    refused: dict[str, dict[str, str]] = Field(default_factory=dict)
    luck: dict[str, int | str] = Field(default_factory=dict)
    expect: list[dict[str, Any]] = Field(default_factory=list)
    never: list[dict[str, Any]] = Field(default_factory=list)
    only: bool | list[str] = False


class Case(BaseModel):
    """A case file as a whole."""

    model_config = ConfigDict(extra="forbid")

    ruleset: str
    kind: str = ""  # only a case about days has none
    title: str = Field(min_length=1)
    rules: list[str] = Field(min_length=1)
    why: str = Field(min_length=1)
    settings: dict[str, Any] = Field(default_factory=dict)
    given: dict[str, Any] = Field(default_factory=dict)
    seats: list[str] = Field(default_factory=list)
    character: list[Character] = Field(default_factory=list)
    area: list[dict[str, Any]] = Field(default_factory=list)
    kept: dict[str, Any] = Field(default_factory=dict)
    own: dict[str, dict[str, dict[str, Any]]] = Field(default_factory=dict)
    refused: str | None = None
    step: list[Play] = Field(default_factory=list)
    day: list[Day] = Field(default_factory=list)
    end: dict[str, Any] = Field(default_factory=dict)


class Unusable(Exception):
    """The file is no case: its text says why."""


class Failed(Exception):
    """The rules did something else than the case expects: its text is the difference."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one file; `problem` is the text to show, empty if the case passed."""

    path: Path
    title: str
    verdict: Literal["passed", "failed", "unusable"]
    problem: str = ""


def run(paths: Sequence[Path]) -> int:
    """Play all case files and print what differs: 0 all pass, 1 some fail, 2 a file is unusable or none was found."""
    results = [play_file(path) for path in found(paths)]
    for result in results:
        mark = {"passed": "ok      ", "failed": "FAILED  ", "unusable": "UNUSABLE"}[result.verdict]
        sys.stdout.write(f"{mark}  {result.path}: {result.title}\n")
        if result.problem:
            sys.stdout.write("".join(f"    {line}\n" for line in result.problem.splitlines()))
    bad = {verdict: sum(r.verdict == verdict for r in results) for verdict in ("passed", "failed", "unusable")}
    sys.stdout.write(f"{bad['passed']} passed, {bad['failed']} failed, {bad['unusable']} unusable.\n")
    if bad["unusable"] or not results:
        return 2
    return 1 if bad["failed"] else 0


def found(paths: Iterable[Path]) -> list[Path]:
    """The files named, and every *.toml in the folders named."""
    return [file for path in paths for file in (sorted(path.rglob("*.toml")) if path.is_dir() else [path])]


def play_file(path: Path) -> Result:
    """Play one file; never raises for what stands in it."""
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
    """A case from the text of its file. Raises Unusable."""
    try:
        case = Case.model_validate(tomllib.loads(text))
        book = find(case.ruleset).rulebook
        if not case.day:
            find(case.ruleset).kind(case.kind)
    except tomllib.TOMLDecodeError as error:
        raise Unusable(f"This is no TOML: {error}") from None
    except ValidationError as error:
        raise Unusable(_faults(error)) from None
    except LookupError as error:
        raise Unusable(str(error.args[0])) from None
    unknown = [rule for rule in case.rules if rule not in book]
    if unknown:
        raise Unusable(f"The rulebook has no {', '.join(unknown)}.")
    if not case.end and not case.step and not case.day and case.refused is None:
        raise Unusable("The case expects nothing: give it steps, an end, or what is refused.")
    return case


def _faults(error: ValidationError) -> str:
    return "\n".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())


def play(case: Case) -> None:
    """Play a case to its end. Raises Failed with the difference, Unusable where its set-up is wrong."""
    ruleset = find(case.ruleset)
    if case.day:
        _live(case, ruleset)
        return
    kind = ruleset.kind(case.kind)
    try:
        setup = _setup(case, ruleset, kind)
        state = kind.start(setup)
    except ValidationError as error:
        if case.refused is None:
            raise Unusable(f"The set-up is refused:\n{_faults(error)}") from None
        if case.refused not in _faults(error):
            raise Failed(f"The set-up must be refused with {case.refused!r}, but:\n{_faults(error)}") from None
        return
    if case.refused is not None:
        raise Failed(f"The set-up must be refused with {case.refused!r}, but it was accepted.")
    table = _Table(ruleset, kind, setup, Telling(state, kind.apply))
    for step in case.step:
        table.play(step)
    table.end(case.end)
    table.keep_the_laws()


def _live(case: Case, ruleset: Ruleset[Any, Any]) -> None:
    """Days in place of a scene. Raises Failed, or Unusable where a sheet or somebody's care is refused."""
    try:
        sheets = {who.id: ruleset.character.validate_python(_sheet(who)) for who in case.character}
        problem = play_days(ruleset, sheets, case.day, case.end)
    except ValidationError as error:
        raise Unusable(_faults(error)) from None
    except LookupError as error:
        raise Failed(f"{type(error).__name__}: {error}") from error
    if problem:
        raise Failed(problem)


def _sheet(who: Character) -> dict[str, Any]:
    return {"name": who.id.replace("-", " ").capitalize(), **(who.model_extra or {})}


def _setup(case: Case, ruleset: Ruleset[Any, Any], kind: SceneKind[Any, Any, Any, Any, Any, Any]) -> Setup[Any, Any]:
    sheets: dict[str, Any] = {}
    foes: list[dict[str, Any]] = []
    seats: dict[Seat, tuple[str, ...]] = {Seat(seat): () for seat in case.seats}
    for who in case.character:
        sheet = _sheet(who)
        if who.seat == GM:
            foes.append({**sheet, "key": who.id})
        else:
            sheets[who.id] = ruleset.character.validate_python(sheet)
            seats[Seat(who.seat)] = (*seats.get(Seat(who.seat), ()), who.id)
    areas = [{"name": area.get("key"), **area} for area in case.area]
    raw: dict[str, Any] = {"foes": foes, "areas": areas, **case.given}
    given = kind.given.dump_python(kind.given.validate_python(raw), mode="json")
    brief = Brief(kind=kind.key, title=case.title, seats={**seats, GM: ()}, given=given)
    strange = sorted(set(case.kept) - kind.needs(brief, sheets))
    if strange:
        raise Unusable(f"The scene claims nothing that is kept as {', '.join(strange)}.")
    return Setup(
        brief=brief,
        settings=ruleset.settings.validate_python(case.settings),
        sheets=sheets,
        kept=dict(case.kept),
        own=_own(case, ruleset, brief),
    )


def _own(case: Case, ruleset: Ruleset[Any, Any], brief: Brief) -> dict[str, dict[str, Any]]:
    """What the campaign added to the book, as a table takes it into a scene."""
    found: dict[str, dict[str, Any]] = {}
    for kind, things in case.own.items():
        if kind not in ruleset.own:
            raise Unusable(f"Nobody adds {kind} to the book of {ruleset.title}.")
        own = ruleset.own[kind]
        read = {key: own.adapter.validate_python({"id": key, **one}) for key, one in things.items()}
        named = frozenset(read) if own.scene is None else own.scene(brief, read)
        found[kind] = {key: one for key, one in read.items() if key in named}
    return found


def _viewer(seat: str) -> Viewer:
    return SPECTATOR if seat == "spectator" else Viewer(seats=frozenset({Seat(seat)}), gm=seat == GM)


@dataclass(slots=True)
class _Table:
    """A scene under way; all that was told so far is in `tale`."""

    ruleset: Ruleset[Any, Any]
    kind: SceneKind[Any, Any, Any, Any, Any, Any]
    setup: Setup[Any, Any]
    tale: Telling[Any, Any]
    closed: list[str] = field(default_factory=list)

    def play(self, play: Play) -> None:
        """One step of the case; steps before it that the case does not name close with their defaults, without luck."""
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
            self._compare(where, f"view.{seat}", expected, self.kind.view(self.tale.state, _viewer(seat)))
        says, faults = self._answers(step, play)
        self._refusals(where, play, faults)
        if not play.refused:
            self._close(step, says, play)

    def _open(self, key: str) -> Step:
        """The step of that key, when it is open."""
        for _ in range(MOST_UNNAMED):
            now = {step.key: step for step in self.kind.steps(self.tale.state)}
            if key in now:
                return now[key]
            ahead = [step for step in now.values() if step.pace != "whenever"]
            if key in self.closed or not ahead:
                break
            says, _ = self._answers(ahead[0], Play(key=ahead[0].key))
            self._close(ahead[0], says, Play(key=ahead[0].key))
        now = {step.key: step for step in self.kind.steps(self.tale.state)}
        raise self._failed(f"step {key}", f"it never opens; open are: {', '.join(now) or 'none, the scene is over'}")

    def _answers(self, step: Step, play: Play) -> tuple[Answers[Any], dict[str, dict[str, str]]]:
        """All answers in seat order, defaults for the seats the case leaves out, and the faults found in them."""
        asks = {ask.seat: ask for ask in step.asks}
        strange = [seat for seat in play.answers if seat not in asks]
        if strange:
            raise self._failed(f"step {step.key}", f"nobody asks {', '.join(strange)}")
        ranks = {seat: rank for rank, seat in enumerate(play.answers, 1)}
        late = (rank for rank in range(len(play.answers) + 1, len(asks) + 1))
        of: dict[Seat, Answer[Any]] = {}
        faults: dict[str, dict[str, str]] = {}
        for seat, ask in asks.items():
            raw = dict(play.answers.get(seat, {}))
            how = "sealed" if seat in play.answers else "default"
            if isinstance(raw.get("how"), str):  # else it is a field of the form
                how = raw.pop("how")
            rank = raw.pop("rank", ranks[seat] if seat in ranks else next(late))
            view = self.kind.view(self.tale.state, _viewer(seat))
            says, wrong = self._says(view, ask, raw, how)
            if wrong:
                faults[seat] = wrong
            of[seat] = Answer(says=says, how=how, rank=rank if step.ranked else 0)
        return Answers(of=of), faults

    def _says(self, view: Any, ask: Ask, raw: dict[str, Any], how: str) -> tuple[Any, dict[str, str]]:
        if how == "default":
            says = self.kind.default(view, ask)
        else:
            try:
                says = self.kind.declaration.validate_python({**raw, "ask": ask.kind})
            except ValidationError as error:
                return None, {".".join(map(str, one["loc"][1:])): one["msg"] for one in error.errors()}
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
        first = len(self.tale.told)
        try:
            self.kind.resolve(self.tale, step, says, chance)
        except Exception as error:  # whatever the rules stumble over is the case's finding
            raise self._failed(where, f"{type(error).__name__}: {error}") from error
        self.closed.append(step.key)
        events = self.tale.told[first:]
        told = self.tale.told
        problem = missing(play.expect, events, play.only, self._sees, told)
        problem = problem or unexpected(play.never, events, self._sees, told)
        if problem:
            raise self._failed(where, problem)
        if chance.unused():
            raise self._failed(where, f"luck nobody drew: {', '.join(chance.unused())}")

    def _sees(self, event: Any, seat: str) -> bool:
        return self.kind.sees(event, _viewer(seat))

    def end(self, expected: dict[str, Any]) -> None:
        """The state as the case wants it; `view`, `open` and `outcome` are looked at on their own."""
        rest = dict(expected)
        for seat, wanted in rest.pop("view", {}).items():
            self._compare("the end", f"view.{seat}", wanted, self.kind.view(self.tale.state, _viewer(seat)))
        if "open" in rest:
            keys = [step.key for step in self.kind.steps(self.tale.state)]
            self._compare("the end", "open", rest.pop("open"), keys)
        if "outcome" in rest:
            self._compare("the end", "outcome", rest.pop("outcome"), self.kind.outcome(self.tale.state))
        self._compare("the end", "", rest, self.tale.state)

    def keep_the_laws(self) -> None:
        """Every event cites a rule of the book, and the log alone, through JSON, gives the same state again."""
        for told in self.tale.told:
            if told.rule not in self.ruleset.rulebook:
                raise self._failed("the log", f"event {told.number} cites {told.rule}, which the rulebook has not")
            again = self.kind.event.validate_json(self.kind.event.dump_json(told.event))
            if again != told.event:
                raise self._failed("the log", f"event {told.number} does not survive JSON: {again}")
        folded = fold(self.kind.start(self.setup), self.kind.apply, self.tale.told)
        if self.kind.state.dump_python(folded) != self.kind.state.dump_python(self.tale.state):
            raise self._failed("the log", "folding the log again gives another state")

    def _compare(self, where: str, what: str, expected: Any, found: Any) -> None:
        problems = list(differs(what, expected, found))
        if problems:
            raise self._failed(where, "\n".join(problems))

    def _failed(self, where: str, problem: str) -> Failed:
        log = "\n".join(shown(told) for told in self.tale.told) or "(nothing)"
        return Failed(f"{where}: {problem}\nWhat happened:\n{log}")


def _plain(ask: Ask) -> dict[str, Any]:
    """An ask as case files spell it: audiences by name."""

    def audience(seats: frozenset[Seat] | None) -> str | list[str]:
        return "everybody" if seats is None else sorted(seats) or "nobody"

    return {
        "kind": ask.kind, "call": ask.call, "about": ask.about, "opens": ask.opens, "first_stands": ask.first_stands,
        "open_to": audience(ask.open_to), "known_to": audience(ask.known_to),
    }  # fmt: skip
