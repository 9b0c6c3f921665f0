"""Duels between fighters who choose at random whatever they may: straight on the engine, without views or copies."""

import functools
import random
from collections.abc import Iterable
from typing import Any

from app.engine.chance import Roll
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Brief, Seat, Setup
from app.rulesets.duel import declarations as de
from app.rulesets.duel import events as ev
from app.rulesets.duel.data import ABILITIES, ACTIONS, TREES
from app.rulesets.duel.legal import Standing, may_add, why_not
from app.rulesets.duel.round import resolve, steps
from app.rulesets.duel.settings import Settings
from app.rulesets.duel.sheets import Sheet
from app.rulesets.duel.state import State, apply, start
from app.rulesets.duel.view import copies, standing

Table = Recorder[State, ev.Event]
SEATS = {Seat("ann"): ("ann",), Seat("bob"): ("bob",), GM: ()}
ADDS = ("", "opener", "discombobulate", "momentum")


class Coins:
    """Luck out of a generator; labels are not looked at."""

    def __init__(self, luck: random.Random) -> None:
        self.luck = luck

    def die(self, size: int, label: str) -> Roll:
        return Roll(label=label, size=size, face=self.luck.randint(1, size))

    def pick(self, among: tuple[Any, ...], label: str) -> tuple[Any, Roll]:
        raise AssertionError("a duel picks nothing")

    @property
    def veiled(self) -> "Coins":
        raise AssertionError("a duel has no hidden luck")


def begin(settings: Settings, ann: Sheet, bob: Sheet) -> Table:
    brief = Brief(kind="duel", title="", seats=SEATS)
    return Recorder(start(Setup(brief=brief, settings=settings, sheets={"ann": ann, "bob": bob}, kept={})), apply)


def sheet(luck: random.Random, name: str) -> Sheet:
    """A fighter of any level with any unlocks."""
    unlocks: list[str] = []
    for tree in luck.choice((("defence",), ("offence",), ("defence", "offence"))):
        first, *others = TREES[tree].entries
        unlocks += [first, *luck.sample(others, luck.randint(0, len(others)))]
    abilities = [entry for entry in unlocks if entry in ABILITIES]
    active = luck.sample(abilities, min(2, len(abilities)))
    return Sheet(name=name, level=len(unlocks), unlocks=tuple(unlocks), active=tuple(active))


@functools.cache
def choices(known: tuple[str, ...], now: Standing) -> tuple[tuple[str, str], ...]:
    """Every action that may be chosen now, with every addition."""
    adds = ADDS if now.surprise else ("",)
    return tuple(
        (key, add)
        for key in known
        for add in adds
        if not why_not(ACTIONS[key], now, add) and not may_add(ACTIONS[key], add, now)
    )


def move(state: State, who: str, luck: random.Random) -> de.Move:
    one = state.fighters[who]
    action, add = luck.choice(choices(one.actions, standing(state, who)))
    ability = luck.choice(tuple(ABILITIES)) if ACTIONS[action].ability else ""
    cost = ACTIONS[action].cost + one.discombobulated + bool(add)
    most = min(cost, (one.hp - 1) // 2) if one.has("rage") else 0
    return de.Move(action=action, add=add, ability=ability, rage=luck.randint(0, most))


def says(state: State, kind: str, who: str, luck: random.Random) -> de.Declaration:
    match kind:
        case "half":
            return de.Half(half=luck.choice(("high", "low")))
        case "move":
            return move(state, who, luck)
        case "combo":
            return de.Combo(go=luck.choice(("on", "on", "on", "end")))
        case "ditto":
            return de.Ditto(copied=luck.choice(("", *(one.key for one in copies(state, who)))))
        case _:
            return de.Stalled()


def play(log: Table, luck: random.Random, most: int) -> Iterable[State]:
    """The duel to its end or for so many steps at most; the state after each."""
    coins = Coins(luck)
    for _ in range(most):
        open_now = steps(log.state)
        if not open_now:
            return
        step = open_now[0]
        of = {
            ask.seat: Answer(says=says(log.state, ask.kind, ask.about[0] if ask.about else "", luck))
            for ask in step.asks
        }
        resolve(log, step, Answers(of=of), coins)
        log.last += len(log.events)
        log.events.clear()  # nobody reads them, and they are many
        yield log.state
