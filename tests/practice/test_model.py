"""The columns of app/practice/model.py against the engine: same legal moves, same outcome of each clash."""

import copy
import random

import numpy as np

from app.practice.mind import rebuilt
from app.practice.model import COMBO, COMBO_MOST, NOBODY, SIDE, Duel, packed
from app.practice.moves import DISCOMBOBULATED, Whole
from app.rulesets.duel import declarations as de
from app.rulesets.duel import events as ev
from app.rulesets.duel.data import ACTIONS
from app.rulesets.duel.settings import Settings
from app.rulesets.duel.state import State
from tests.practice.duelling import A, B, anybody, begun, close, lawful, view_of


def anywhere(luck: random.Random) -> State:
    """A duel between anybody and anybody, at any point."""
    settings = Settings.model_validate({
        "momentum_die": luck.choice(["4", "6", "8", "10", "12", "20"]),
        "double_ko": luck.choice(["draw", "momentum"]),
        "stall_limit": luck.choice([5, 30]),
    })  # fmt: skip
    state = begun(anybody(luck), anybody(luck), settings)
    state.high = luck.choice((A, B))
    if luck.random() < 0.2:
        state.phase = "initial"
    else:
        state.phase, state.clash = "clash", 2 + luck.randrange(9)
        state.die, state.offence = luck.randint(1, settings.die), luck.choice((A, B))
        state.combo = luck.choice((0, 0, 1, 2, 3, 4))
        state.calm = luck.choice((0, 3, settings.stall_limit - 1))
        for one in state.fighters.values():
            one.opportunity, one.discombobulated = luck.choice((0, 0, 1, 2)), luck.choice((0, 0, 1, 2))
    for one in state.fighters.values():
        one.hp, one.stamina = luck.randint(1, one.hp_max), luck.randint(0, one.stamina_max)
    return state


def columns(state: State, who: str) -> tuple[Duel, Whole]:
    duel, at = rebuilt(view_of(state, who), who)
    return duel, at[None, :]


def test_each_clash_comes_out_as_in_the_engine() -> None:
    luck = random.Random(4)
    ended = stalled = coins = going = 0
    for _ in range(2_000):
        state = anywhere(luck)
        who = luck.choice((A, B))
        sides = (who, state.other(who))
        duel, at = columns(state, who)
        rows = [int(luck.choice(np.flatnonzero(duel.legal(at, side)[0]).tolist())) for side in (0, 1)]
        picks = [np.array([row]) for row in rows]
        answers = {
            key: duel.sides[side].moves.says[rows[side]]
            for side, key in enumerate(sides)
            if not state.fighters[key].must_rest
        }
        told = copy.deepcopy(state)
        log = close(told, answers, luck.randbytes(32))
        won = None
        if at[0, SIDE] == NOBODY:
            won = duel.winners(at, *picks)
            award = next(one.event for one in log.events if isinstance(one.event, ev.Advantage))
            taken = sides.index(award.who)
            coins += int(won[0] == NOBODY)
            assert (won[0] == NOBODY) == (award.why == "coin")
            assert won[0] in (taken, NOBODY)
            won = np.array([taken])
        came = duel.clash(at, *picks, won)
        situation = f"{state}\n{answers}"
        if told.phase == "over":
            ended += 1
            assert came.over[0], situation
            assert came.value[0] == {sides[0]: 1.0, sides[1]: 0.0, "": 0.5}[told.winner], situation
        elif told.phase == "stalled":
            stalled += 1
            assert came.over[0] and came.value[0] == 0.5, situation
        else:
            going += 1
            assert not came.over[0], situation
            assert bool(came.running[0]) == (told.phase == "combo"), situation
            assert came.after[0].tolist() == columns(told, who)[1][0].tolist(), situation
    assert ended > 100 and stalled > 5 and coins > 5 and going > 1_000


def test_legal_moves_are_the_engines() -> None:
    luck = random.Random(99)
    for _ in range(400):
        state = anywhere(luck)
        for who in (A, B):
            duel, at = columns(state, who)
            may = duel.legal(at, 0)[0]
            mine = {one for one, good in zip(duel.sides[0].moves.says, may, strict=True) if good}
            theirs = set(lawful(view_of(state, who), who))
            assert mine == {one for one in theirs if one.rage <= _foreseen(one)}, state


def _foreseen(move: de.Move) -> int:
    return ACTIONS[move.action].cost + bool(move.add) + DISCOMBOBULATED


def test_ending_a_combo_is_the_engines() -> None:
    luck = random.Random(7)
    for _ in range(200):
        state = anywhere(luck)
        if not state.combo:
            continue
        state.phase = "combo"
        duel, at = columns(state, A)
        close(state, {state.offence: de.Combo(go="end")}, bytes(32))
        assert state.phase == "clash"
        assert duel.ended(at)[0].tolist() == columns(state, A)[1][0].tolist()


def test_a_position_is_one_number() -> None:
    luck = random.Random(3)
    found = {}
    for _ in range(500):
        at = columns(anywhere(luck), A)[1]
        assert at[0, COMBO] <= COMBO_MOST
        key = int(packed(at)[0])
        assert key >= 0
        assert found.setdefault(key, at[0].tolist()) == at[0].tolist()
    assert len(found) > 450
