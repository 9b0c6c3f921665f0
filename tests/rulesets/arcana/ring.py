"""A fight for tests: plain people by place in metres, one cycle at a time with the dice written down."""

from dataclasses import replace
from typing import Any

from app.engine.chance import Chance, ScriptedChance
from app.engine.log import Recorder
from app.engine.ruleset import LoggedEvent
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import Action, Turn, When
from app.rulesets.arcana.fight.fold import apply
from app.rulesets.arcana.fight.state import Fighter, State, begin
from app.rulesets.arcana.phases.cycle import resolve
from app.rulesets.arcana.rules.grid import Cell
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.body import Body
from tests.rulesets.arcana.plain import plain

ALL = ("spark_volley", "force_push", "stun_bolt", "mend", "kindle", "trip", "wail", "stone_skin", "muddle", "hush")
NOVICE = dict.fromkeys(("malediction", "restoration", "illusion", "transmutation"), "novice")


def cell(x: float, y: float = 0) -> Cell:
    return round(x * 2), round(y * 2)


def mage(key: str, *proficient: str, **given: Any) -> Body:
    """The plain sheet with a d8 for casting and some spells by heart."""
    return replace(plain(key, *proficient, **given), spells=ALL, schools=NOVICE)


def at(body: Body, x: float, y: float = 0, side: str = "us", **given: Any) -> Fighter:
    one = Fighter(body, side, body.key, cell(x, y), body.hp_max, body.fp_max)
    for name, value in given.items():
        setattr(one, name, value)
    return one


def fight(*fighters: Fighter, settings: Settings | None = None, cycle_: int = 1, **given: Any) -> State:
    made = begin({one.body.key: one for one in fighters}, settings, **given)
    made.cycle = cycle_
    return made


def cast(spell: str, target: str, pp: int = 0, quick: bool = False) -> Action:
    return Action(do="quickspell" if quick else "cast", spell=spell, target=target, pp=pp)


def strike(target: str, weapon: str = "club") -> Action:
    return Action(do="attack", target=target, weapon=weapon)


def major(action: Action, **given: Any) -> Turn:
    return Turn(major=action, **given)


def minors(*actions: Action, **given: Any) -> Turn:
    return Turn(minors=actions, **given)


def when(who: str, verb: str, whom: str = "", **given: Any) -> When:
    return When(who=who, verb=verb, whom=whom, **given)


def cycle(
    state: State, turns: dict[str, Turn], dice: dict[str, int] | Chance | None = None
) -> list[LoggedEvent[ev.Event]]:
    """Resolves one cycle into the state; every die that is written down has to fall."""
    chance = ScriptedChance(dice or {}) if not dice or isinstance(dice, dict) else dice
    log: Recorder[State, ev.Event] = Recorder(state, apply)
    resolve(log, turns, chance)
    if isinstance(chance, ScriptedChance):
        assert chance.unused() == []
    return log.events


def of(told: list[LoggedEvent[ev.Event]], kind: str) -> list[Any]:
    return [one.event for one in told if one.event.kind == kind]
