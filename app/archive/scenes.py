"""The scenes of a file, checked by their rules: setup, state, log, seats, steps and sealed words fit one another.

A scene whose ruleset is missing here, or has another version, cannot be played; then only its form is checked.
"""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from app import rulesets
from app.archive.fields import OPENED, fits
from app.archive.values import Row, Unfit, check_json
from app.engine import form_text
from app.engine.ruleset import GM, SPECTATOR, LoggedEvent, Ruleset, SceneKind, Seat, Step, Viewer
from app.errors import MissingRules
from app.receipts import secret_rolls
from app.receipts.luck import LINKS
from app.receipts.setup import STEP, read_brief, read_setup


@dataclass(slots=True)
class _Scene:
    row: Row
    at: int  # the number of its row
    rules: "tuple[Ruleset[Any, Any], SceneKind[Any, Any, Any, Any, Any, Any]] | None"
    seats: frozenset[str] = frozenset()  # of its brief
    state: Any = None
    folded: Any = None
    chairs: dict[str, Row] = field(default_factory=dict)
    events: int = 0
    public: int = 0
    records: int = 0
    steps: dict[str, Step] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)
    asks: dict[str, dict[str, str]] = field(default_factory=dict)  # step -> seat -> kind
    told: set[str] = field(default_factory=set)  # steps that events name


class Scenes:
    """All scenes of a file, row by row. Each method raises Unfit."""

    def __init__(self) -> None:
        self._scenes: dict[Any, _Scene] = {}
        self._held: list[tuple[Any, str]] = []
        self._lenders: list[tuple[Any, Any]] = []  # of claims, each with the scene that holds the claim

    def add(self, table: str, at: int, row: Row, boxes: Mapping[str, bytes]) -> None:
        """Checks a row of any table; `boxes`: its encrypted fields, decrypted."""
        match table:
            case "scenes":
                self._scenes[row["id"]] = _scene(row, at, boxes)
            case "events":
                _event(self._scenes[row["scene_id"]], row, boxes)
            case "records":
                _record(self._scenes[row["scene_id"]], row, boxes)
            case "seats":
                self._scenes[row["scene_id"]].chairs[row["seat"]] = row
            case "seat_holders":
                self._held.append((row["scene_id"], row["seat"]))
            case "steps":
                _step(self._scenes[row["scene_id"]], row)
            case "asks":
                _ask(self._scenes[row["scene_id"]], row)
            case "envelopes":
                _envelope(row, boxes)
            case "claims":
                self._lenders += [(uuid.UUID(one), row["scene_id"]) for one in row.get("lent_by", ())]

    def end(self) -> None:
        """Checks each scene as a whole, once all rows are there."""
        for scene, seat in self._held:
            if seat not in self._scenes[scene].chairs:
                raise Unfit("seat", f"of the seat_holders names a seat that its scene does not have: {seat!r}")
        for lender, holder in self._lenders:
            if lender not in self._scenes or lender == holder:
                raise Unfit("lent_by", f"of the claims names a scene that cannot have lent anything: {lender}")
        for scene in self._scenes.values():
            try:
                _whole(scene)
            except Unfit as wrong:
                raise Unfit(wrong.field, f"of the scene in row {scene.at} of scenes {wrong.what}") from None


def _scene(row: Row, at: int, boxes: Mapping[str, bytes]) -> _Scene:
    brief = fits("setup", read_brief, boxes["setup"])
    check_json("setup", fits("setup", json.loads, boxes["setup"]))
    for name in ("root", "setup_salt"):
        if name in boxes and len(boxes[name]) != 32:
            raise Unfit(name, "holds no 32 bytes")
    if (row["setup_salt"] is None) != (row["head"] is None):
        raise Unfit("head", "and setup_salt belong together: both or neither")
    if row["links_used"] > LINKS:
        raise Unfit("links_used", f"is more than a chain of luck has ({LINKS})")
    if brief.kind != row["kind"] or GM not in brief.seats:
        raise Unfit("setup", "is of another kind of scene, or has no seat for the GM")
    found = _Scene(row, at, None, frozenset(brief.seats))
    try:
        rules, kind = rulesets.find_kind(row["ruleset"], row["kind"])
    except MissingRules:
        return found
    exact = row["rules_version"] == rules.version_of(kind)
    if not exact and not rules.continues(kind, row["rules_version"]):
        return found
    found.rules = rules, kind
    setup = fits("setup", read_setup, rules, boxes["setup"])
    fits("settings", rules.settings.validate_python, row["settings"])
    found.folded = fits("setup", kind.start, setup)
    if exact:
        found.state = fits("state", kind.state.validate_json, boxes["state"])
    return found


def _event(scene: _Scene, row: Row, boxes: Mapping[str, bytes]) -> None:
    scene.events += 1
    if row["number"] != scene.events or any(cause >= row["number"] for cause in row["because"]):
        raise Unfit("number", "does not continue the log, or follows from later events")
    if (row["body"] is None) == (row["box"] is None) or (row["body"] is None) != (row["public_no"] is None):
        raise Unfit("body", "and box: exactly one is expected, and a public number with the body")
    scene.public += row["body"] is not None
    if row["body"] is not None and row["public_no"] != scene.public:
        raise Unfit("public_no", "does not continue the log")
    scene.told.add(row["step_key"])
    if scene.rules is None:
        return
    kind = scene.rules[1]
    if row["body"] is not None:
        event = fits("body", kind.event.validate_python, row["body"])
    else:
        event = fits("box", kind.event.validate_json, boxes["box"])
    told = LoggedEvent(number=row["number"], rule=row["rule"], because=tuple(row["because"]), event=event)
    fits("body", kind.sees, event, SPECTATOR)
    fits("body", kind.apply, scene.folded, told)


def _record(scene: _Scene, row: Row, boxes: Mapping[str, bytes]) -> None:
    scene.records += 1
    if row["number"] != scene.records:
        raise Unfit("number", "does not continue the record")
    if (row["text"] is None) != (row["head"] is None) or (row["text"] is None and row["box"] is None):
        raise Unfit("text", "and head belong together; a hidden record has a box instead")
    said = None
    if row["text"] is not None:
        said = fits("text", json.loads, row["text"])
        if not isinstance(said, dict) or not isinstance(said.get("what"), str):
            raise Unfit("text", "is no entry of a record")
        fits("text", _seats_of, said)
    if "box" in boxes:
        beside = fits("box", json.loads, boxes["box"])
        check_json("box", beside)
        if said is not None and said["what"] == "rolled":
            fits("box", _roll, beside)
    if said is not None and said["what"] in ("rolled", "shown") and not isinstance(said.get("n"), int):
        raise Unfit("text", "is of a roll without a number")


def _seats_of(said: dict[str, Any]) -> list[str]:
    return [row["seat"] for row in said.get("rows", ())]


def _roll(beside: dict[str, Any]) -> None:
    datetime.fromisoformat(beside["at"])
    secret_rolls.read(beside["roll"])
    if not isinstance(beside["by"], str):
        raise TypeError


def _step(scene: _Scene, row: Row) -> None:
    step = STEP.validate_python(row["spec"])
    if step.key != row["key"]:
        raise Unfit("spec", "is of another step than its key says")
    if (row["status"] == "closed") != (row["closed_at"] is not None) and row["status"] != "retired":
        raise Unfit("closed_at", "does not fit its status")
    strange = {str(ask.seat) for ask in step.asks} - scene.chairs.keys()
    if strange:
        raise Unfit("spec", f"asks a seat that its scene does not have: {min(strange)!r}")
    scene.steps[step.key] = step
    if row["status"] in ("open", "stuck"):
        scene.open.add(step.key)


def _ask(scene: _Scene, row: Row) -> None:
    asked = {str(ask.seat): ask.kind for ask in scene.steps[row["step_key"]].asks}
    if asked.get(row["seat"]) != row["kind"]:
        raise Unfit("kind", "is not what the step asks of this seat")
    scene.asks.setdefault(row["step_key"], {})[row["seat"]] = row["kind"]


def _envelope(row: Row, boxes: Mapping[str, bytes]) -> None:
    if row["revision"] < 1:
        raise Unfit("revision", "is less than 1")
    if "box" in boxes:
        fits("box", form_text.read, fits("box", OPENED.validate_json, boxes["box"]).words)
    elif row["opened"] is not None:
        fits("opened", form_text.read, fits("opened", OPENED.validate_python, row["opened"]).words)


def _whole(scene: _Scene) -> None:
    row = scene.row
    if not scene.seats <= scene.chairs.keys():
        raise Unfit("seats", f"lacks the seat {min(scene.seats - scene.chairs.keys())!r}")
    for name, found in (("last_event", scene.events), ("public_events", scene.public), ("records", scene.records)):
        if row[name] != found:
            raise Unfit(name, f"is {row[name]}, but the file has {found}")
    if scene.told - scene.steps.keys() - {""}:
        raise Unfit("step_key", "in its events names a step that it does not have")
    for key, step in scene.steps.items():
        if {str(ask.seat) for ask in step.asks} != scene.asks.get(key, {}).keys():
            raise Unfit("asks", f"has not exactly the asks of the step {key!r}")
    if row["status"] == "open" and (row["paused_at"] is None) and row["paused_until"] is not None:
        raise Unfit("paused_until", "is set although it is not paused")
    if row["waits_for"] is not None and (row["status"] != "open" or row["paused_at"] is None):
        raise Unfit("waits_for", "is set although it is over, or not paused")
    if row["outer_id"] is None and row["returned"] is not None:
        raise Unfit("returned", "is set although it was not opened out of another scene")
    if scene.rules is not None:
        _plays(scene)


def _plays(scene: _Scene) -> None:
    """Checks that the rules can show the scene to everybody, and that it waits for the steps that are open."""
    assert scene.rules is not None
    kind = scene.rules[1]
    exact = scene.state is not None
    state = scene.state if exact else scene.folded
    viewers = [SPECTATOR, *(Viewer(seats=frozenset({Seat(seat)}), gm=seat == GM) for seat in scene.chairs)]
    for of in (state, scene.folded):
        for viewer in viewers:
            view = fits("state", kind.view, of, viewer)
            fits("state", kind.vitals, view)
    wanted = {step.key: step for step in fits("state", kind.steps, state)}
    if scene.row["status"] != "open" or not exact:
        return
    if wanted.keys() != scene.open:
        raise Unfit("state", "waits for other steps than those that are open")
    for key in scene.open:
        if _without_words(wanted[key]) != _without_words(scene.steps[key]):
            raise Unfit("spec", f"of the open step {key!r} is not what the rules ask")
    for step in wanted.values():
        for ask in step.asks:
            view = fits("state", kind.view, state, Viewer(seats=frozenset({ask.seat}), gm=ask.seat == GM))
            fits("state", kind.default, view, ask)


def _without_words(step: Step) -> Any:
    """A step without its title and its calls, which another version may word differently."""
    said = STEP.dump_python(step, mode="python")
    return {**said, "title": "", "asks": [{**ask, "call": ""} for ask in said["asks"]]}
