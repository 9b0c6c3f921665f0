"""Random mass battles: set-ups, answers of every kind, and a scene played to its end or closing by closing."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

from app.engine import form_text, options
from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Ask, Brief, Seat, Setup, Step, Viewer
from app.engine.unions import members
from app.rulesets.chronicle.mass import MASS, melee, moving
from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.field_text import FIELDS, spell_field
from app.rulesets.chronicle.mass.hexes import DIRECTIONS, spell
from app.rulesets.chronicle.mass.settings import MassSettings
from app.rulesets.chronicle.mass.state import State
from app.rulesets.chronicle.mass.troops import TROOPS
from app.rulesets.chronicle.mass.view import View
from app.rulesets.chronicle.sheets import Sheet, Skills

T = TypeVar("T")
Pick = Callable[[Sequence[Any]], Any]
PEOPLE = {"anna": 4, "bert": 2, "cyra": 3, "dora": 3}
SEATS = {Seat("ann"): ("anna",), Seat("bob"): ("bert", "cyra"), Seat("dot"): ("dora",), GM: ()}


def setup(given: dict[str, Any], settings: MassSettings = MassSettings()) -> Setup[Sheet, MassSettings]:  # noqa: B008
    """A battle of Anna and Bert against Cyra and Dora, if `given` says nothing else; Bob has people on both sides."""
    usual = {"sides": {"cyra": "b", "dora": "b"}}
    sheets = {key: Sheet(name=key.title(), skills=Skills(tactics=tactics)) for key, tactics in PEOPLE.items()}
    brief = Brief(kind="mass", title="A battle", seats=SEATS, given=usual | given)
    return Setup(brief=brief, settings=settings, sheets=sheets, kept={})


def some_army(pick: Pick) -> dict[str, int]:
    """One to five types of troops, and so up to nine units."""
    return {pick(list(TROOPS)): pick([1, 3, 10, 40, 75, 200]) for _ in range(pick([1, 2, 3, 5]))}


def some_given(pick: Pick) -> dict[str, Any]:
    """Any opening form."""
    found: dict[str, Any] = {
        "attacker": pick(["a", "b"]),
        "how": pick(["set", "set", "ambush"]),
        "sides": pick([{"cyra": "b", "dora": "b"}, {"cyra": "b", "dora": "b"}, {"dora": "b"}, {}]),
        "field": pick(["", "own", *FIELDS]),
        "armies": {},
        "points": {},
    }
    for side in ("a", "b"):
        if pick([True, True, True, False]):
            found["armies"][side] = some_army(pick)
        else:
            found["points"][side] = pick([3, 50, 900])
    if found["field"] == "own":
        found["map"] = small_map(pick)
    return found


def small_map(pick: Pick) -> str:
    """Twelve rows with all kinds of ground; Impassable hexes are few, so that armies have room."""
    bare = Field(12, 12)
    kinds = {hex: kind for hex in bare if (kind := pick(["open"] * 9 + ["closed"] * 3 + ["impassable"])) != "open"}
    levels = {hex: pick([1, 2]) for hex in bare if pick([0, 0, 0, 1])}
    return spell_field(Field(12, 12, kinds, levels))


def some_settings(pick: Pick) -> MassSettings:
    """Any settings, each value as likely as any other."""
    chosen: dict[str, Any] = {"battle_quiet_rounds": pick([1, 2, 6])}
    for name, about in MassSettings.model_json_schema()["properties"].items():
        if "enum" in about:
            chosen[name] = pick(about["enum"])
    return MassSettings.model_validate(chosen)


def says(pick: Pick, view: View, ask: Ask) -> Any:
    """An answer, mostly legal."""
    form = _SAYS[ask.kind](pick, view, ask) if ask.kind in _SAYS else None
    if form is None:
        return options.drawn(members(MASS.declaration)[ask.kind], MASS.options(view, ask), pick)
    return read_form(ask.kind, form)


def read_form(kind: str, form: dict[str, Any]) -> Any:
    """A form as a browser sends it."""
    pairs = form_text.read(form_text.spell(form_text.flatten(form)))
    return MASS.declaration.validate_python({**form_text.unflatten(pairs), "ask": kind})


def _armies(pick: Pick, view: View, ask: Ask) -> dict[str, Any]:
    of = {side: {pick(list(TROOPS)): str(pick([0, 1, 5, 20])) for _ in range(3)} for side in ask.about}
    return {"of": of}


def _place(pick: Pick, view: View, ask: Ask) -> dict[str, Any]:
    of: dict[str, dict[str, str]] = {}
    seats = view.battle.members[view.battle.units[ask.about[0]].side]
    for key in ask.about:
        if pick([0, 0, 0, 0, 1]):
            of[key] = {"to": pick(view.zone)}
        if pick([0, 0, 1]):
            of.setdefault(key, {})["seat"] = pick(["", *seats])
    arrange = pick(["", "line", "two lines", "wedge", "column", "camp"])
    return {"arrange": arrange, "shape": pick(["march", "camp"]), "of": of}


def _intent(pick: Pick, view: View, ask: Ask) -> dict[str, Any]:
    return {"of": {side: {"intent": pick(["fight"] * 12 + ["retreat", "retreat", "surrender"])} for side in ask.about}}


def _leave(pick: Pick, view: View, ask: Ask) -> dict[str, Any]:
    of = {key: {"leave": "yes"} for key in ask.about if pick([0, 1, 1])}
    return {"order": " ".join(ask.about), "of": of}


def _quick(pick: Pick, view: View, ask: Ask) -> dict[str, Any]:
    of: dict[str, dict[str, str]] = {}
    for side in ("a", "b"):
        rest = [key for key in ask.about if view.battle.units[key].side == side]
        for _ in range(moving.quick_count(view.battle, side)) if rest else ():  # type: ignore[arg-type]
            rest.remove(key := pick(rest))
            of[key] = {"quick": "yes"}
    return {"of": of}


def _move(pick: Pick, view: View, ask: Ask) -> dict[str, Any]:
    if pick([0, 1, 1]):
        found = MASS.suggest(view, ask)
        assert found is not None
        return dict(found.form)
    of: dict[str, dict[str, str]] = {}
    for key in ask.about:
        match pick(["to", "to", "by", "stay"]):
            case "to":
                of[key] = {
                    "to": spell(
                        pick(
                            list(
                                view.battle.passage(key).reach(
                                    view.battle.units[key].at, view.battle.units[key].kind.movement
                                )
                            )
                        )
                    )
                }
            case "by":
                of[key] = {"by": " ".join(pick(list(DIRECTIONS)) for _ in range(pick([1, 1, 2])))}
            case _:
                pass
    return {"order": pick(ask.about), "of": of}


def _order(pick: Pick, view: View, ask: Ask) -> dict[str, Any]:
    return {"order": str(pick(range(1, len(view.battle.clusters) + 1)))}


def _fall(pick: Pick, view: View, ask: Ask) -> dict[str, Any]:
    room = melee.room_back(view.battle)
    of = {key: {"to": pick(["", *map(spell, room[key])])} for key in ask.about}
    return {"order": pick(["", *room]), "of": of}


def _terms(pick: Pick, view: View, ask: Ask) -> dict[str, Any]:
    return {"terms": pick(["", "All arms stay here."])}


def _desk(pick: Pick, view: View, ask: Ask) -> dict[str, Any]:
    battle = view.battle
    who = pick([*battle.units, "a1"])
    free = [spell(hex) for hex in battle.field] if battle.field else ["A1"]
    what = pick(["correct"] * 6 + ["move"] * 6 + ["out"] * 2 + ["end"])
    return {"what": what, "who": who, "reason": "So it was.", "losses": str(pick([0, 1, 5])), "to": pick(free)}


_SAYS: dict[str, Callable[[Pick, View, Ask], dict[str, Any]]] = {
    "armies": _armies, "place": _place, "intent": _intent, "leave": _leave, "quick": _quick, "move": _move,
    "order": _order, "fall": _fall, "terms": _terms, "desk": _desk,
}  # fmt: skip


def viewer(seat: Seat) -> Viewer:
    return Viewer(seats=frozenset({seat}), gm=seat == GM)


@dataclass(frozen=True)
class Closed:
    """One closing: the state before, its step, and the log, which goes on."""

    before: State
    step: Step
    first: int  # the place of its first event in the log
    log: Recorder[State, Any]


def answers(state: State, step: Step, rng: Random, silent: float = 0.1) -> Answers[Any]:
    """Legal answers of all seats; some are silent."""
    of: dict[Seat, Answer[Any]] = {}
    for ask in step.asks:
        view = MASS.view(state, viewer(ask.seat))
        said = None if rng.random() < silent else says(rng.choice, view, ask)
        if said is None or MASS.check(view, ask, said):
            of[ask.seat] = Answer(says=MASS.default(view, ask), how="default")
        else:
            of[ask.seat] = Answer(says=said)
    return Answers(of=of)


def begin(given: Setup[Sheet, MassSettings]) -> Recorder[State, Any]:
    return Recorder(MASS.start(given), MASS.apply)


def close(log: Recorder[State, Any], step: Step, said: Answers[Any], rng: Random) -> Closed:
    before, first = copied(log.state), len(log.events)
    MASS.resolve(log, step, said, SeededChance(rng.randbytes(32), rng.randbytes(32)))
    return Closed(before, step, first, log)


def copied(state: State) -> State:
    found: State = MASS.state.validate_json(MASS.state.dump_json(state))
    return found


def play(log: Recorder[State, Any], rng: Random, most: int, silent: float = 0.1, desk: float = 0.0) -> Iterator[Closed]:
    """Closes steps until the scene is over, or `most` have closed."""
    for _ in range(most):
        steps = MASS.steps(log.state)
        if not steps:
            return
        acts = [step for step in steps if step.pace == "whenever"]
        step = acts[0] if rng.random() < desk else steps[0]
        said = answers(log.state, step, rng, 0 if step is acts[0] else silent)
        if step is not acts[0] or said.of[GM].how != "default":
            yield close(log, step, said, rng)
