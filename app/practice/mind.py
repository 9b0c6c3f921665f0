"""The practice opponent's choice: the probability of each legal choice, and the one it seals.

A `View` is the only input, so sealed choices of others cannot matter (tests/practice/test_mind.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from app.practice.ahead import CELLS, GAMES, Lookahead, look_ahead
from app.practice.model import COLUMNS, COMBO_MOST, NOBODY, Duel, Side
from app.practice.moves import Whole, moves
from app.rulesets.duel.declarations import Combo, Ditto, Half, Move
from app.rulesets.duel.view import View, Who

Choice = Half | Move | Combo | Ditto
LEAST = 0.005  # rarer choices are rounding errors: never made, never shown


class Luck(Protocol):
    """A source of random numbers, such as `random.Random`."""

    def random(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Weighed:
    """The choices with their shares, most likely first; the same for the other side; the chance to win."""

    mine: tuple[tuple[Choice, float], ...]
    theirs: tuple[tuple[Move, float], ...]
    value: float
    depth: int  # clashes looked ahead

    def pick(self, luck: Luck) -> Choice:
        """Picks one choice at random, by its share."""
        left = luck.random() * sum(share for _, share in self.mine)
        for choice, share in self.mine:
            left -= share
            if left < 0:
                return choice
        return self.mine[0][0]


def weigh(view: View, who: str) -> Weighed:
    """Weighs the choices of `who` in this phase: a half, a move, whether the combo continues, or what Ditto copies."""
    duel, at = rebuilt(view, who)
    match view.phase:
        case "halves":
            # The rules are the same upside down, so neither half is better, nor does it matter what the other wishes.
            seen = look_ahead(duel, at)
            return Weighed(((Half(half="high"), 0.5), (Half(half="low"), 0.5)), (), seen.solved.value, seen.depth)
        case "initial" | "clash":
            seen = look_ahead(duel, at)
            mine, theirs = _mixed(duel, seen, 0), _mixed(duel, seen, 1)
            return Weighed(mine, theirs, seen.solved.value, seen.depth)
        case "combo":
            on, end = (
                look_ahead(duel, one, games=GAMES // 2, cells=CELLS // 2) for one in (at, duel.ended(at[None, :])[0])
            )
            best = max(on.solved.value, end.solved.value)
            go: Literal["on", "end"] = "on" if on.solved.value >= end.solved.value else "end"
            return Weighed(((Combo(go=go), 1.0),), (), best, min(on.depth, end.depth))
        case "ditto":
            return Weighed(((Ditto(), 1.0),), (), 0.5, 0)
        case _:
            raise ValueError(f"nobody chooses in phase {view.phase!r}")


def _mixed(duel: Duel, seen: Lookahead, side: Literal[0, 1]) -> tuple[tuple[Move, float], ...]:
    shares = seen.solved.rows if side == 0 else seen.solved.columns
    says = duel.sides[side].moves.says
    kept = [(says[int(move)], float(share)) for move, share in zip(seen.moves[side], shares, strict=True)]
    whole = sum(share for _, share in kept if share >= LEAST)
    return tuple(sorted(((move, share / whole) for move, share in kept if share >= LEAST), key=lambda one: -one[1]))


def rebuilt(view: View, who: str) -> tuple[Duel, Whole]:
    """The game and its position, rebuilt from what is public; `who` is side 0."""
    me = view.fighters[who]
    other = next(one for key, one in view.fighters.items() if key != who)
    settings: Mapping[str, object] = view.settings
    duel = Duel(
        sides=(_side(me), _side(other)),
        faces=view.faces,
        high=1 if me.half == "low" else 0,
        double_ko=str(settings["double_ko"]),
        stall_limit=int(str(settings["stall_limit"])),
    )
    offence = NOBODY if not view.offence else 0 if view.offence == who else 1
    at = np.zeros(COLUMNS, dtype=np.int64)
    at[:] = (
        me.hp, other.hp, me.stamina, other.stamina, me.opportunity, other.opportunity,
        me.discombobulated, other.discombobulated, view.die, offence, min(view.combo, COMBO_MOST), view.calm,
    )  # fmt: skip
    return duel, at


def _side(one: Who) -> Side:
    abilities = frozenset(ability.key for ability in one.abilities)
    return Side(one.hp_max, one.stamina_max, abilities, moves((action.key for action in one.known), abilities))
