"""Makes a scene's start from a case file; all faults in it are collected and reported together."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from app.casefiles.days import DayLine
from app.casefiles.file import SPECTATOR_SEAT, Case, Character, End, Play
from app.casefiles.words import Wrong, fault_text, lacks, slips, strangers, unknown_kinds
from app.engine.ruleset import GM, Ask, Brief, Ruleset, SceneKind, Seat, Setup
from app.engine.unions import class_of, members


def slips_of(case: Case, ruleset: Ruleset[Any, Any]) -> Iterator[str]:
    """Yields a fault for each rule, event, field and seat that the ruleset or the case does not have."""
    unknown = [rule for rule in case.rules if rule not in ruleset.rulebook]
    if unknown:
        yield f"The rulebook has no {', '.join(unknown)}."
    if case.end == End() and not case.step and not case.day and case.refused is None:
        yield "The case expects nothing: give it steps, an end, or what is refused."
    seats = {*case.seats, *(who.seat for who in case.character), GM, SPECTATOR_SEAT}
    events = {"passed": DayLine} if case.day else members(ruleset.kind(case.kind).event)
    for number, day in enumerate(case.day, 1):
        yield from slips(f"day {number}: expect", day.expect, events, seats)
        if day.who not in {who.id for who in case.character}:
            yield f"day {number}: there is no character {day.who!r}."
    for step in case.step:
        yield from _of_step(step, events, seats)
    yield from strangers("end: view", case.end.view, seats)
    sheets = (case.end.outcome or {}).get("sheets")
    for who, sheet in sheets.items() if isinstance(sheets, dict) else ():
        named = sheet if isinstance(sheet, dict) else ()
        yield from (f"end: outcome.sheets.{who}: {slip}" for slip in lacks(class_of(ruleset.character), named=named))


def _of_step(step: Play, events: Mapping[str, type], seats: set[str]) -> Iterator[str]:
    where = f"step {step.key}"
    yield from slips(f"{where}: expect", step.expect, events, seats)
    yield from slips(f"{where}: never", step.never, events, seats)
    yield from unknown_kinds(f"{where}: only", () if isinstance(step.only, bool) else step.only, events)
    yield from strangers(f"{where}: view", step.view, seats)
    for seat, ask in (step.asks or {}).items():
        yield from (f"{where}: asks.{seat}: {slip}" for slip in lacks(Ask, named=ask))


def sheet_of(who: Character) -> dict[str, Any]:
    return {"name": who.id.replace("-", " ").capitalize(), **(who.model_extra or {})}


def set_up(
    case: Case, ruleset: Ruleset[Any, Any], kind: SceneKind[Any, Any, Any, Any, Any, Any], wrong: Wrong
) -> Callable[[], Any] | None:
    """Returns a function that makes the scene's first state, new each time; None if the set-up is refused."""
    sheets: dict[str, Any] = {}
    foes: list[dict[str, Any]] = []
    seats: dict[Seat, tuple[str, ...]] = {Seat(seat): () for seat in case.seats}
    for who in case.character:
        if who.seat == GM:
            foes.append({**sheet_of(who), "key": who.id})
        else:
            sheets[who.id] = wrong.read(ruleset.character, sheet_of(who), f"{who.id}: ")
            seats[Seat(who.seat)] = (*seats.get(Seat(who.seat), ()), who.id)
    areas = [{"name": area.get("key"), **area} for area in case.area]
    raw = {**({"foes": foes} if foes else {}), **({"areas": areas} if areas else {}), **case.given}
    so_far = _so_far(raw, kind, wrong)
    given = wrong.read(kind.given, raw)
    settings = wrong.read(ruleset.settings, ruleset.of_new_scene(case.settings), "settings: ")
    own = _own(case, ruleset, wrong)
    if wrong.unknown or wrong.refused:
        return None
    brief = Brief(
        kind=kind.key, title=case.title, seats={**seats, GM: ()}, given=kind.given.dump_python(given, mode="json")
    )
    named = {key: _named(ruleset, key, brief, things) for key, things in own.items()}
    setup = Setup(brief=brief, settings=settings, sheets=sheets, kept=dict(case.kept), own=named)
    try:
        strange = sorted(set(case.kept) - kind.needs(brief, sheets))
        wrong.unknown += [f"The scene claims nothing that is kept as {', '.join(strange)}."] if strange else []
        state = kind.start(setup)
    except ValidationError as error:
        wrong.refused += [fault_text(fault, raw) for fault in error.errors(include_url=False)]
        return None
    wrong.refused += [f"so_far: {fault}" for fault in so_far(state)]

    def begin() -> Any:
        state = kind.start(setup)
        so_far(state)
        return state

    return None if wrong.refused else begin


def _so_far(
    raw: dict[str, Any], kind: SceneKind[Any, Any, Any, Any, Any, Any], wrong: Wrong
) -> Callable[[Any], tuple[str, ...]]:
    """Returns a function that brings a first state to where the case begins; takes `so_far` out of `raw`."""
    if kind.so_far is None or "so_far" not in raw:
        return lambda state: ()
    says, place = wrong.read(kind.so_far.says, raw.pop("so_far"), "so_far: "), kind.so_far.place
    return lambda state: place(state, says)


def _own(case: Case, ruleset: Ruleset[Any, Any], wrong: Wrong) -> dict[str, dict[str, Any]]:
    """Returns what the campaign added to the book, by kind."""
    found: dict[str, dict[str, Any]] = {}
    for kind, things in case.own.items():
        if kind not in ruleset.homebrew:
            wrong.unknown.append(f"Nobody adds {kind} to the book of {ruleset.title}.")
            continue
        adapter = ruleset.homebrew[kind].adapter
        found[kind] = {key: wrong.read(adapter, {"id": key, **one}, f"{key}: ") for key, one in things.items()}
    return found


def _named(ruleset: Ruleset[Any, Any], kind: str, brief: Brief, things: dict[str, Any]) -> dict[str, Any]:
    """Returns the added things that the scene has, as at a table: of a kind that only GMs read, those that it names."""
    scene = ruleset.homebrew[kind].scene
    return things if scene is None else {key: things[key] for key in things if key in scene(brief, things)}
