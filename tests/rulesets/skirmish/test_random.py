"""Whole skirmishes with random answers: what must hold at every moment, whatever the dice say."""

import hashlib
import random
from typing import Any

import pytest

from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, LoggedEvent, Setup, Viewer
from app.rulesets.skirmish import RULESET, SKIRMISH
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight.declarations import Hand
from app.rulesets.skirmish.fight.incoming import attacks
from app.rulesets.skirmish.fight.settings import Settings
from app.rulesets.skirmish.fight.state import State
from app.rulesets.skirmish.sheet.samples import the_ruined_keep
from app.rulesets.skirmish.view import habits
from app.rulesets.skirmish.view.view import View
from tests.rulesets.skirmish.subject import choices

MOST_STEPS = 300


def _says(luck: random.Random, view: View, kind: str) -> Any:
    said: dict[str, Any] = {}
    if kind == "declare":
        of = {}
        for key in view.mine:
            wild = luck.random() < 0.5
            of[key] = _turn(luck, view, key) if wild else habits.plan(view.known, view.known.combatants[key])
        said = {"of": of, "call": luck.choice(["odd", "even"])}
    elif kind == "react":
        said = {"of": {one.attack: luck.choice(one.reactions).key for one in view.incoming}}
    return SKIRMISH.declaration.validate_python({**said, "ask": kind})


def _turn(luck: random.Random, view: View, key: str) -> dict[str, Any]:
    """A move and something else with whatever there is; often not legal."""
    options = view.options[key]
    target = luck.choice(options.targets).who if options.targets else ""
    weapon = luck.choice(options.weapons).key if options.weapons else ""
    zone = luck.choice(options.moves).key if options.moves else view.fighters[key].zone
    deed = {
        "target": target,
        "weapon": weapon,
        "zone": zone,
        "gambit": luck.choice(["shove", "disarm", "trip", "stun"]),
    }
    move = {"do": "move", "zone": luck.choice([zone, view.fighters[key].zone]), "close": luck.choice(["", target])}
    if luck.random() < 0.4:
        return {"turn": "quick", "first": {**deed, "do": luck.choice(["attack", "move", "gambit", "retreat"])}}
    first = luck.choice([move, {**deed, "do": "withdraw"}])
    then = {**deed, "do": luck.choice(["attack", "gambit", "move"])} if first["do"] == "move" else {}
    return {"turn": "full", "first": first, "then": then, "react": luck.choice(["fight", "block", "dodge", "parry"])}


@pytest.mark.parametrize("number", range(12))
def test_a_whole_skirmish_keeps_its_rules(number: int) -> None:
    luck = random.Random(number)
    sheets, brief = the_ruined_keep()
    settings = Settings.model_validate({name: luck.choice(values) for name, values in choices().items()})
    log: Recorder[State, ev.Event] = Recorder(
        SKIRMISH.start(Setup(brief=brief, settings=settings, sheets=sheets, kept={})), SKIRMISH.apply
    )
    for _ in range(MOST_STEPS):
        step = next((step for step in SKIRMISH.steps(log.state) if step.pace != "whenever"), None)
        if step is None:
            break
        of = {}
        for ask in step.asks:
            view = SKIRMISH.view(log.state, Viewer(seats=frozenset({ask.seat}), gm=ask.seat == GM))
            if ask.kind == "react":
                _offers(log.state, view, ask.about)
            says = _says(luck, view, ask.kind)
            of[ask.seat] = Answer(says=SKIRMISH.default(view, ask) if SKIRMISH.check(view, ask, says) else says)
        seeds = [hashlib.sha256(f"{number} {step.key} {name}".encode()).digest() for name in ("open", "veil")]
        before = len(log.events)
        SKIRMISH.resolve(log, step, Answers(of=of), SeededChance(*seeds))
        _holds(log.state)
        _in_order([told.event for told in log.events[before:]])
    assert log.state.phase == "over", "nobody ever won"
    assert {c.side for c in log.state.present()} <= {log.state.winner}
    for sheet in SKIRMISH.outcome(log.state).sheets.values():
        RULESET.character.validate_python({"name": "Back home", **sheet})  # type: ignore[dict-item]


def _offers(state: State, view: View, about: tuple[str, ...]) -> None:
    """Whoever is asked about an attack sees it, with what the rules allow, whatever of the attacker is secret."""
    seen = {one.attack: tuple(choice.key for choice in one.reactions) for one in view.incoming}
    allowed = {one.key: one.reactions for one in attacks(state) if one.key in about}
    assert {key: seen.get(key) for key in about} == allowed


def _holds(state: State) -> None:
    """Numbers stay in their bounds; whoever is Close shares a zone; only the able act."""
    for c in state.combatants.values():
        assert 0 <= c.hp <= c.hp_max and 0 <= c.armor <= 3
        assert all(0 <= getattr(c, part) <= getattr(c, f"{part}_max") for part in ("mgt", "agi", "wil"))
        assert c.slots_used < state.settings.slots or not c.hp or not c.able, "all slots are full, and HP are left"
        assert c.mgt or not c.able
        held = [t for t in c.things if t.held in ("main", "off") and not getattr(t.gear, "natural", False)]
        assert len(held) <= 2 and len({t.held for t in held}) == len(held)
        assert len(held) < 2 or not any(getattr(t.gear, "two_handed", False) for t in held)
    for one, two in state.close:
        pair = state.combatants[one], state.combatants[two]
        assert pair[0].zone == pair[1].zone and all(c.able and not c.hidden for c in pair)
    for zone in state.zones.values():
        there = [c for c in state.present() if c.zone == zone.key]
        assert zone.most is None or len(there) <= zone.most
    assert all(state.combatants[who].able for _, who, _ in state.now.queue)
    assert len({t.key for c in state.combatants.values() for t in c.things}) == sum(
        len(c.things) for c in state.combatants.values()
    ), "one thing belongs to two people"


def _in_order(events: list[Any]) -> None:
    """Groups act in their order, and nobody acts who has fallen in this turn."""
    order: list[str] = []
    fell: set[str] = set()
    for event in events:
        if isinstance(event, ev.Queued):
            order, fell = [who for _, _, group in event.groups for who in group], set()
        elif isinstance(event, ev.Fell):
            fell.add(event.who)
        elif isinstance(event, ev.Acts):
            assert event.who not in fell
            if order:
                assert event.who in order
                order = order[order.index(event.who) :]


def test_a_stun_in_a_log_of_version_1_or_2_still_takes_the_whole_turn() -> None:
    sheets, brief = the_ruined_keep()
    state = SKIRMISH.start(Setup(brief=brief, settings=Settings(), sheets=sheets, kept={}))
    state.now.queue = [(2, "bandit-1", 0), (2, "bandit-1", 1), (3, "maren", 0)]
    stun = ev.Gambited("maren", "bandit-1", "stun", works=True, words="")
    SKIRMISH.apply(state, LoggedEvent(number=1, rule="SKI-54", because=(), event=stun))
    assert state.now.queue == [(3, "maren", 0)] and state.combatants["bandit-1"].stunned


def test_the_demo_spares_newcomers() -> None:
    """By habits and usual answers, no hero is down after three turns in two fights of three, and never three are."""
    down = [_down_after(3, number) for number in range(30)]
    assert down.count(0) >= 20 and max(down) <= 2


def _down_after(turns: int, number: int) -> int:
    sheets, brief = the_ruined_keep()
    setup = Setup(brief=brief, settings=Settings(), sheets=sheets, kept={})
    log: Recorder[State, ev.Event] = Recorder(SKIRMISH.start(setup), SKIRMISH.apply)
    while log.state.turn <= turns and not log.state.winner:
        step = next(step for step in SKIRMISH.steps(log.state) if step.pace != "whenever")
        of = {}
        for ask in step.asks:
            view = SKIRMISH.view(log.state, Viewer(seats=frozenset({ask.seat}), gm=ask.seat == GM))
            turn = {key: habits.plan(view.known, view.known.combatants[key]) for key in view.mine}
            says = Hand.model_validate({"of": turn}) if ask.kind == "declare" else None
            usual = says is None or SKIRMISH.check(view, ask, says)
            of[ask.seat] = Answer(says=SKIRMISH.default(view, ask) if usual else says)
        seeds = [hashlib.sha256(f"{number} {step.key} {name}".encode()).digest() for name in ("open", "veil")]
        SKIRMISH.resolve(log, step, Answers(of=of), SeededChance(*seeds))
    return sum(not one.able for one in log.state.combatants.values() if one.seat != GM)
