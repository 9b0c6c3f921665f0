"""Every pair of actions that can meet, at every place of the die, with every ability on either side: no clash fails.
With a commit every pair meets, at some places and with some abilities; by night at and with all.

What else a clash depends on (HP, stamina, what is stored, Rage's points, Surprise!'s additions, what Ditto copies and
Ability names) goes round and round with coprime lengths, so that each pair meets much of it.
"""

import itertools
from collections.abc import Iterator

from app.engine.ruleset import LoggedEvent
from app.rulesets.duel import clash
from app.rulesets.duel import events as ev
from app.rulesets.duel.data import ABILITIES, ACTIONS, TREES
from app.rulesets.duel.legal import Standing, may_add, why_not
from app.rulesets.duel.settings import Settings
from app.rulesets.duel.sheets import Sheet
from app.rulesets.duel.state import Fighter, Move, State, apply, opens
from tests.rulesets.duel.ring import begin
from tests.selection import nightly

EVERYTHING = tuple(entry for tree in TREES.values() for entry in tree.entries)
STRIDE = 1 if nightly() else 17  # with a commit every seventeenth, each meeting beginning at another one
ONE_EACH: tuple[tuple[str, ...], ...] = ((), *((ability,) for ability in ABILITIES))
HP, STAMINA, STORED = (30, 1, 2, 7, 12), (20, 1, 3), (0, 2)
ADDS = ("", "opener", "discombobulate", "momentum", "", "", "")
COPIES = (
    "",
    "hook",
    "jab",
    "rest",
    "push-kick",
    "dropkick",
    "headbutt",
    "take-a-breather",
    "stance-change",
    "",
    "bide",
)


class Lean:
    """A log that folds and keeps nothing."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.number = 2

    def emit(self, event: ev.Event, *, rule: str, because: tuple[int, ...] = ()) -> int:
        self.number += 1
        apply(self.state, LoggedEvent(number=self.number, rule=rule, because=because, event=event))
        return self.number


def _state() -> State:
    """Two who know everything; the smallest die, so that its ends are never far."""
    settings = Settings(momentum_die="4", house_actions="on")
    knows = Sheet(name="Kim", level=40, unlocks=EVERYTHING, active=())
    state = begin(settings, knows, knows).state
    state.high = "ann"
    return state


def _legal(role: str, combo: int) -> list[str]:
    now = Standing(role, combo, must_rest=False, surprise=False)  # type: ignore[arg-type]
    return [key for key, action in ACTIONS.items() if not why_not(action, now)]


def _seat(one: Fighter, abilities: tuple[str, ...], hp: int, stamina: int, stored: int) -> None:
    one.abilities, one.named, one.bouts = abilities, "", 0
    one.hp, one.stamina, one.opportunity, one.discombobulated = hp, stamina, stored, 0


def _move(one: Fighter, action: str, turn: int, *, ditto: bool = True) -> Move:
    """What somebody plays, with whatever his ability lets him add in this turn of the wheel."""
    card, add, rage = ACTIONS[action], "", 0
    cost = card.cost + (turn % 5 == 0)  # discombobulated now and then
    if one.has("surprise"):
        add = ADDS[turn % 7]
        add = "" if may_add(card, add, Standing("initial", 0, must_rest=False, surprise=True)) else add
        cost += bool(add)
    if one.has("rage"):
        rage = min(turn % 4, cost, (one.hp - 1) // 2)
    copied = COPIES[turn % 11] if card.ditto and ditto else ""
    if card.ability:
        one.named = tuple(ABILITIES)[turn % 8]
    return Move(action, cost + (ACTIONS[copied].cost if copied else 0), rage, add, one.named, copied)


def _sound(state: State, what: object) -> None:
    """What holds after any clash."""
    for one in state.fighters.values():
        assert one.hp <= one.hp_max, what
        assert 0 <= one.stamina <= one.stamina_max, what
        assert one.opportunity >= 0 and one.discombobulated >= 0, what
        assert one.hp > 0 or state.phase == "over", what
    assert 1 <= state.die <= state.settings.die, what
    assert state.offence, what
    assert state.phase in ("clash", "combo", "over"), what
    assert state.phase != "combo" or state.combo > 0, what
    assert not state.moves or state.phase == "over", what


def _meetings() -> Iterator[tuple[int, str, str]]:
    """Actions in the running combo before the clash, the offence's action, the defence's action."""
    for combo in (0, 1, 2):
        yield from ((combo, mine, yours) for mine in _legal("offence", combo) for yours in _legal("defence", 0))


def test_every_meeting_of_offence_and_defence() -> None:
    state, turn = _state(), 0
    ann, bob = state.fighters["ann"], state.fighters["bob"]
    meetings = list(_meetings())
    assert len({(mine, yours) for _, mine, yours in meetings}) == 17 * 17
    places = [(die, offence) for die in range(1, 5) for offence in ("ann", "bob")]
    for number, (combo, mine, yours) in enumerate(meetings):
        circumstances = itertools.product(places, ONE_EACH, ONE_EACH)
        for (die, offence), one, other in itertools.islice(circumstances, number % STRIDE, None, STRIDE):
            turn += 1
            _seat(ann, one, HP[turn % 5], STAMINA[turn % 3], STORED[turn % 2])
            _seat(bob, other, HP[turn % 5 - 2], STAMINA[turn % 3 - 1], STORED[turn % 2])
            state.phase, state.clash, state.calm, state.harmed = "clash", 7, 0, False
            state.die, state.offence, state.winner = die, offence, ""
            a, b = (mine, yours) if offence == "ann" else (yours, mine)
            state.moves = {"ann": _move(ann, a, turn), "bob": _move(bob, b, turn)}
            state.told = {"ann": 1, "bob": 2}
            state.combo = combo + (ACTIONS[mine].kind == "offence")
            clash.resolve(Lean(state))
            _sound(state, (a, one, b, other, die, offence, combo))


def test_every_meeting_in_the_initial_clash() -> None:
    """Whoever gets the advantage: both actions are resolved, the die stays where it was put."""
    state = _state()
    ann, bob = state.fighters["ann"], state.fighters["bob"]
    legal = _legal("initial", 0)
    for turn, (a, b, one, other) in enumerate(itertools.product(legal, legal, ONE_EACH, ONE_EACH)):
        _seat(ann, one, HP[turn % 5], STAMINA[turn % 3], 0)
        _seat(bob, other, HP[turn % 5 - 2], STAMINA[turn % 3 - 1], 0)
        winner = ("ann", "bob")[turn % 2]
        state.phase, state.clash, state.calm, state.harmed, state.winner = "initial", 1, 0, False, ""
        state.moves = {"ann": _move(ann, a, turn), "bob": _move(bob, b, turn)}
        state.told = {"ann": 1, "bob": 2}
        state.offence, state.die = winner, 3 if winner == "ann" else 2
        begun, named = state.die, {ann.named, bob.named}
        state.combo = int(opens(state.moves[winner]))
        clash.resolve(Lean(state), initial=True)
        _sound(state, (a, one, b, other, winner))
        imposing = "imposing" in {*one, *other, *named}
        assert state.die == begun or (imposing and abs(state.die - begun) == 1), "only Imposing moves the die now"
