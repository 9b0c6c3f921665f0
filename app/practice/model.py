"""The duel again, for many clashes at once: whole columns instead of events.

`app/rulesets/duel` remains the authority; tests/practice/test_model.py compares each column with it.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from app.practice.moves import DEFENCE, OFFENCE, UNIVERSAL, Moves, Truth, Whole

HP, STAMINA, OPPORTUNITY, DISCOMBOBULATED = (0, 1), (2, 3), (4, 5), (6, 7)  # a column for each side
DIE, SIDE, COMBO, CALM = 8, 9, 10, 11
COLUMNS = 12
NOBODY = 2  # in SIDE, for the offence: the initial clash
COMBO_MOST = 4  # Flurry needs the third action; longer combos are all alike
BITS = (7, 7, 5, 5, 5, 5, 5, 5, 5, 2, 3, 9)
Real = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Side:
    """The constants of one fighter."""

    hp_max: int
    stamina_max: int
    abilities: frozenset[str]
    moves: Moves

    def has(self, ability: str) -> bool:
        return ability in self.abilities


@dataclass(frozen=True, slots=True)
class Clashes:
    """The results of some clashes: `over` with a `value` for side 0, or `after`; with a combo still `running`."""

    after: Whole
    over: Truth
    value: Real
    running: Truth


@dataclass(slots=True)
class _Doing:
    """One side's part in each of the clashes."""

    kind: Whole
    cost: Whole
    momentum: Whole
    void: Truth
    exhausted: Truth
    stamina: Whole
    own: Whole


@dataclass(frozen=True, slots=True)
class Duel:
    """The constants of a duel."""

    sides: tuple[Side, Side]
    faces: int
    high: Literal[0, 1]  # the side that owns the upper half
    double_ko: str
    stall_limit: int

    def legal(self, at: Whole, side: Literal[0, 1]) -> Truth:
        """For each position, the moves that this side may seal (DUE-09 to -11, -18, -26 to -28, -35, -61)."""
        moves = self.sides[side].moves
        offence = at[:, SIDE, None]
        free, attacks = offence == NOBODY, offence == side
        universal, defends, strikes = (moves.kind == kind for kind in (UNIVERSAL, DEFENCE, OFFENCE))
        first = strikes & (moves.opener | ~moves.follows)
        within = strikes & (moves.opener | (at[:, COMBO, None] > 0))
        may = universal | (free & (defends | first)) | (attacks & within) | (~free & ~attacks & defends)
        may &= moves.rage <= moves.cost + at[:, DISCOMBOBULATED[side], None]
        may &= (moves.rage == 0) | (at[:, HP[side], None] > 2 * moves.rage)
        tired = at[:, STAMINA[side]] < 1
        may[tired] = False
        may[tired, 0] = True
        return may

    def winners(self, at: Whole, a: Whole, b: Whole) -> Whole:
        """The side that takes the advantage of initial clashes, or NOBODY if a coin decides (DUE-12 to -15)."""
        one, two = (side.moves for side in self.sides)
        kinds = one.kind[a] - two.kind[b]
        costs = (two.cost[b] + at[:, DISCOMBOBULATED[1]]) - (one.cost[a] + at[:, DISCOMBOBULATED[0]])
        ahead = np.where(kinds != 0, kinds, costs)
        return np.where(ahead > 0, 0, np.where(ahead < 0, 1, NOBODY))

    def owner(self, die: Whole) -> Whole:
        return np.where(die > self.faces // 2, self.high, 1 - self.high)

    def ended(self, at: Whole) -> Whole:
        """Positions after the running combo is ended: Imposing, then the check (DUE-22, DUE-58)."""
        after = at.copy()
        up, down = (self.sides[side].has("imposing") for side in (self.high, 1 - self.high))
        after[:, DIE] = np.clip(at[:, DIE] + (int(up) - int(down)), 1, self.faces)
        after[:, SIDE] = self.owner(after[:, DIE])
        after[:, COMBO] = 0
        return after

    def clash(self, before: Whole, a: Whole, b: Whole, won: Whole | None = None) -> Clashes:
        """Resolves one clash per row; `won` is the side with the advantage in initial clashes."""
        at, picks = before.copy(), (a, b)
        initial = at[:, SIDE] == NOBODY
        if won is not None:
            at[:, SIDE] = np.where(initial, won, at[:, SIDE])
            first = np.where(at[:, SIDE] == self.high, self.faces // 2 + 1, self.faces // 2)
            at[:, DIE] = np.where(initial, first, at[:, DIE])
        doing = (self._pays(at, 0, a), self._pays(at, 1, b))
        self._counts(at, initial, doing, picks)
        for side, other in ((0, 1), (1, 0)):
            dodges = self.sides[side].moves.dodge[picks[side]]
            doing[other].void |= dodges & (doing[side].cost > doing[other].cost)
        hurt = self._harm(at, doing, picks)
        down = (at[:, HP[0]] <= 0, at[:, HP[1]] <= 0)
        both = np.full(len(at), 0.5) if self.double_ko == "draw" else (self.owner(at[:, DIE]) == 0).astype(np.float64)
        value = np.where(down[0] & down[1], both, np.where(down[1], 1.0, 0.0))
        over = down[0] | down[1]
        healed = self._heals(at, doing, picks)
        self._breathes(at, doing, picks)
        self._swings(at, initial, doing, picks)
        self._stores(at, doing, picks)
        self._ends(at, initial, doing, picks)
        at[:, CALM] = np.where(hurt | healed, 0, at[:, CALM] + 1)
        stalled = ~over & (at[:, CALM] >= self.stall_limit)
        return Clashes(at, over | stalled, np.where(stalled, 0.5, value), at[:, COMBO] > 0)

    def _pays(self, at: Whole, side: int, pick: Whole) -> _Doing:
        """DUE-30, DUE-31, DUE-33, DUE-61."""
        moves = self.sides[side].moves
        cost = moves.cost[pick] + at[:, DISCOMBOBULATED[side]]
        paid = np.maximum(0, cost - moves.rage[pick])
        short = at[:, STAMINA[side]] - paid
        exhausted = (paid >= 1) & (short < 1)
        own = np.where(exhausted, np.maximum(0, -short), 0) + 2 * moves.rage[pick]
        at[:, DISCOMBOBULATED[side]] = 0
        at[:, STAMINA[side]] = np.maximum(0, short)
        nobody = np.zeros(len(at), dtype=np.bool_)
        stamina = at[:, STAMINA[side]].copy()
        return _Doing(moves.kind[pick], cost, moves.momentum[pick].copy(), nobody, exhausted, stamina, own)

    def _counts(self, at: Whole, initial: Truth, doing: tuple[_Doing, _Doing], picks: tuple[Whole, Whole]) -> None:
        """The combo's length with this action, and Flurry (DUE-20, DUE-60)."""
        for side in (0, 1):
            strikes = (at[:, SIDE] == side) & (doing[side].kind == OFFENCE)
            opens = self.sides[side].moves.opener[picks[side]]
            at[:, COMBO] += np.where(initial, strikes & opens, strikes)
            if self.sides[side].has("flurry"):
                doing[side].momentum += strikes & (at[:, COMBO] == 3)
        np.minimum(at[:, COMBO], COMBO_MOST, out=at[:, COMBO])

    def _harm(self, at: Whole, doing: tuple[_Doing, _Doing], picks: tuple[Whole, Whole]) -> Truth:
        """All HP losses at once (DUE-36 to -38, -42, -43, -57, -62, -64); returns whether any HP changed."""
        hits: list[Whole] = []
        for side in (0, 1):
            damage = self.sides[side].moves.damage[picks[side]]
            strikes, stored = damage > 0, at[:, OPPORTUNITY[side]]
            hits.append(np.where(strikes & ~doing[side].void, damage + stored, 0))
            at[:, OPPORTUNITY[side]] = np.where(strikes, 0, stored)
        suffered: list[Whole] = []
        back: list[Whole] = []
        left: list[Whole] = []
        for side, other in ((0, 1), (1, 0)):
            me, mine, theirs = self.sides[side], doing[side], doing[other]
            broken = self.sides[other].moves.guard_break[picks[other]] & ~theirs.void
            block = np.where(mine.void | broken, 0, me.moves.block[picks[side]])
            if me.has("tough-skin"):
                block = block + (2 * mine.stamina < me.stamina_max)
            extra = mine.momentum if self.sides[other].has("dont-even-try") else np.zeros_like(block)
            through = np.maximum(0, hits[other] - block)
            rest = np.maximum(0, block - hits[other])
            left.append(np.maximum(0, rest - extra))
            back.append(np.where(mine.void, 0, np.minimum(me.moves.reversal[picks[side]], through)))
            suffered.append(through - back[side] + np.maximum(0, extra - rest) + mine.own)
        lost = [suffered[side] + np.maximum(0, back[1 - side] - left[side]) for side in (0, 1)]
        for side in (0, 1):
            at[:, HP[side]] -= lost[side]
        return (lost[0] > 0) | (lost[1] > 0)

    def _heals(self, at: Whole, doing: tuple[_Doing, _Doing], picks: tuple[Whole, Whole]) -> Truth:
        """DUE-50, DUE-56."""
        healed = np.zeros(len(at), dtype=np.bool_)
        for side in (0, 1):
            me, before = self.sides[side], at[:, HP[side]].copy()
            heal = np.where(doing[side].void, 0, me.moves.heal[picks[side]])
            if me.has("recuperate"):
                heal = heal + (doing[side].kind == DEFENCE)
            at[:, HP[side]] = np.minimum(me.hp_max, before + heal)
            healed |= at[:, HP[side]] != before
        return healed

    def _breathes(self, at: Whole, doing: tuple[_Doing, _Doing], picks: tuple[Whole, Whole]) -> None:
        """Recover, then Tiring (DUE-48, DUE-49, DUE-59)."""
        for side in (0, 1):
            me = self.sides[side]
            recover = np.where(doing[side].void, 0, me.moves.recover[picks[side]])
            if me.has("agile"):
                recover = recover + (recover > 0)
            at[:, STAMINA[side]] = np.minimum(me.stamina_max, at[:, STAMINA[side]] + recover)
        for side, other in ((0, 1), (1, 0)):
            tiring = np.where(doing[other].void, 0, self.sides[other].moves.tiring[picks[other]])
            at[:, STAMINA[side]] = np.maximum(0, at[:, STAMINA[side]] - tiring)

    def _swings(self, at: Whole, initial: Truth, doing: tuple[_Doing, _Doing], picks: tuple[Whole, Whole]) -> None:
        """DUE-19, DUE-45 to -47."""
        gains: list[Whole] = []
        for side, other in ((0, 1), (1, 0)):
            moves = self.sides[side].moves
            halted = np.where(doing[other].void, 0, self.sides[other].moves.halting[picks[other]])
            gain = np.maximum(0, doing[side].momentum - halted) - moves.fall_back[picks[side]]
            gains.append(np.where(doing[side].void | initial, 0, gain))
        at[:, DIE] = np.clip(at[:, DIE] + gains[self.high] - gains[1 - self.high], 1, self.faces)

    def _stores(self, at: Whole, doing: tuple[_Doing, _Doing], picks: tuple[Whole, Whole]) -> None:
        """DUE-43, DUE-44."""
        for side, other in ((0, 1), (1, 0)):
            moves, works = self.sides[side].moves, ~doing[side].void
            at[:, OPPORTUNITY[side]] += np.where(works, moves.opportunity[picks[side]], 0)
            at[:, DISCOMBOBULATED[other]] += np.where(works, moves.discombobulate[picks[side]], 0)

    def _ends(self, at: Whole, initial: Truth, doing: tuple[_Doing, _Doing], picks: tuple[Whole, Whole]) -> None:
        """Whether a running combo is over, and who has the offence next (DUE-22, DUE-23, DUE-25)."""
        first = at[:, SIDE] == 0

        def of(zero: Truth, one: Truth) -> Truth:
            return np.where(first, zero, one)

        universal = of(doing[0].kind == UNIVERSAL, doing[1].kind == UNIVERSAL)
        finisher = of(*(side.moves.finisher[pick] for side, pick in zip(self.sides, picks, strict=True)))
        parries = [side.moves.parry[pick] & ~one.void for side, pick, one in zip(self.sides, picks, doing, strict=True)]
        runs = at[:, COMBO] > 0
        over = runs & (universal | finisher | of(parries[1], parries[0]) | of(doing[0].exhausted, doing[1].exhausted))
        at[over] = self.ended(at[over])
        loose = ~runs & universal & ~initial
        at[:, SIDE] = np.where(loose, self.owner(at[:, DIE]), at[:, SIDE])


def packed(at: Whole) -> Whole:
    """Positions as single numbers, to find equal ones."""
    key = np.zeros(len(at), dtype=np.int64)
    for column, bits in enumerate(BITS):
        key = (key << bits) | at[:, column]
    return key
