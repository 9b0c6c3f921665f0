"""Fights set up by hand, at the moment when actions are chosen, and played with luck that is written down."""

from collections.abc import Mapping
from typing import Any

from app.engine.chance import ScriptedChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, LoggedEvent, Seat, Step, Viewer
from app.rulesets.chronicle.hand import HAND
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.actions import CHOICES, Skill
from app.rulesets.chronicle.hand.ratings import better
from app.rulesets.chronicle.hand.settings import HandSettings
from app.rulesets.chronicle.hand.state import Combat, Fight, Fighter, State
from app.rulesets.chronicle.hand.view import View
from app.rulesets.chronicle.wounds import Part, Wounds

Table = Recorder[State, ev.Event]


def wounds(**parts: tuple[int, bool]) -> Wounds:
    """wounds(head=(1, False)): one Minor, no Major."""
    made = Wounds()
    for part, (minor, major) in parts.items():
        made = made.put(part, Part(minor=minor, major=major))
    return made


def person(key: str, x: int, y: int = 0, skills: Mapping[Skill, int] | None = None, **more: Any) -> Fighter:
    """A sword and 3 in everything; side by the first letter of the key: ann and art on A, bea and bert on B."""
    rated: dict[Skill, int] = {"C": 3, "F": 3, "V": 3, "S": 3, **(skills or {})}
    one = Fighter(
        key=key,
        name=key.title(),
        side="a" if key[0] == "a" else "b",
        seat=key,
        skills=rated,
        choices={what: better(rated, what) for what in CHOICES},
        wounds=Wounds(),
        armour="none",
        carried=[],
        right="sword",
        x=x,
        y=y,
    )
    for name, value in more.items():
        setattr(one, name, value)
    return one


def stage(*people: Fighter, settings: HandSettings | None = None, number: int = 1, phase: Any = "act") -> Table:
    """Everybody in one combat."""
    a, b = ([one.key for one in people if one.side == side] for side in ("a", "b"))
    order = sorted(people, key=lambda one: one.side)
    fight = Fight(settings or HandSettings(), "", {one.key: one for one in order}, phase=phase, round=number)
    fight.combats, fight.combats_ever = [Combat(1, a, b)], 1
    for one in people:
        one.combat = 1
    return Recorder(State(fight), HAND.apply)


def view(log: Table, who: str) -> View:
    return HAND.view(log.state, Viewer(seats=frozenset({Seat(who)}), gm=who == GM))


def step(log: Table) -> Step:
    return HAND.steps(log.state)[0]


def asked(log: Table) -> dict[str, str]:
    """Who is asked for what now."""
    return {str(ask.seat): ask.kind for ask in step(log).asks}


def close(log: Table, says: Mapping[str, Any] | None = None, **dice: int) -> list[LoggedEvent[ev.Event]]:
    """Close the step at hand: by seat, each a declaration as a form spells it; who says nothing does the default.

    Every answer must be legal, and every die that was written down must be rolled. Dice as label=face come in `luck`.
    """
    return closes(log, says or {}, dice)


def closes(log: Table, says: Mapping[str, Any], luck: Mapping[str, int | str]) -> list[LoggedEvent[ev.Event]]:
    now, before = step(log), len(log.events)
    of: dict[Seat, Answer[Any]] = {}
    for ask in now.asks:
        seen = view(log, ask.seat)
        if ask.seat in says:
            said = HAND.declaration.validate_python({**says[ask.seat], "ask": ask.kind})
            assert not HAND.check(seen, ask, said), HAND.check(seen, ask, said)
            of[ask.seat] = Answer(says=said)
        else:
            of[ask.seat] = Answer(says=HAND.default(seen, ask), how="default")
    assert set(says) <= {str(seat) for seat in of}, f"{set(says)} and asked are {set(of)}"
    chance = ScriptedChance(luck)
    HAND.resolve(log, now, Answers(of=of), chance)
    assert not chance.unused(), chance.unused()
    return log.events[before:]


def faults(log: Table, seat: str, says: Mapping[str, Any]) -> dict[str, str]:
    ask = next(ask for ask in step(log).asks if ask.seat == seat)
    return HAND.check(view(log, seat), ask, HAND.declaration.validate_python({**says, "ask": ask.kind}))


def acts(**orders: str | Mapping[str, Any]) -> dict[str, Any]:
    """acts(ann="bash bea"): the answers of their seats."""
    said: dict[str, Any] = {}
    for key, order in orders.items():
        if isinstance(order, str):
            action, _, target = order.partition(" ")
            order = {"action": action, "target": target}
        said[key] = {"of": {key: order}}
    return said


def defends(**ways: Mapping[str, str] | tuple[Mapping[str, str], str]) -> dict[str, Any]:
    """defends(bea={"ann": "parry"}), or with a square: defends(bea=({"ann": "dodge"}, "4,0"))."""
    said: dict[str, Any] = {}
    for key, way in ways.items():
        how, square = way if isinstance(way, tuple) else (way, "")
        said[key] = {"of": {key: {"how": dict(how), "square": square}}}
    return said


def dice(label: str, first: int, second: int, third: int) -> dict[str, int]:
    """The three dice of one check, as they lie: the d10 from 1 to 10, which counts one less."""
    return {f"{label}/d8-1": first, f"{label}/d8-2": second, f"{label}/d10": third}


def strike(who: str, target: str, *, strong: bool, number: int = 1) -> dict[str, int]:
    """Dice that make an action strong or weak whatever the ratings."""
    return dice(f"CHR-RND-17/r{number}/{who}>{target}", *((8, 8, 10) if strong else (1, 1, 1)))


def foot(who: str, other: str, *, won: bool, number: int) -> dict[str, int]:
    return dice(f"CHR-FTW-04/r{number}/{who}>{other}", *((8, 8, 10) if won else (1, 1, 1)))


def of_kind(told: list[LoggedEvent[ev.Event]], kind: type[Any]) -> list[Any]:
    return [one.event for one in told if isinstance(one.event, kind)]


def rules(told: list[LoggedEvent[ev.Event]], kind: type[Any]) -> list[str]:
    return [one.rule for one in told if isinstance(one.event, kind)]
