"""Who meets whom, the slow way: the procedure of the rules written down as it is read, every threat looked up anew.

Nothing here is shared with app/rulesets/whiskey/interception.py. Lists are in roster order, characters are numbers.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

Pick = Callable[[tuple[int, ...]], int]


@dataclass(frozen=True, slots=True)
class Doing:
    """What one character declared. All empty: stands. The rules allow one ward; more are there to show why (WHI-06)."""

    side: int = 0
    attacks: int | None = None  # or engages, by an advance
    advances: str = ""  # to this area, past nobody
    wards: tuple[int, ...] = ()
    holds: str = ""  # defends this area
    prefers: tuple[int, ...] = ()
    capacity: int = 1
    slips: bool = False  # guards cannot choose him


@dataclass(slots=True)
class Reference:
    """One run; `met` has (who brought it about, with whom), `loops` the loops a pick broke, in order."""

    band: Sequence[Doing]
    pick: Pick
    careful: bool = True  # WHI-22; without it a guard takes as many as he can, which breaks stars
    pending: set[int] = field(default_factory=set)
    met: list[tuple[int, int]] = field(default_factory=list)
    stopped: set[int] = field(default_factory=set)
    loops: list[tuple[int, ...]] = field(default_factory=list)

    def run(self) -> "Reference":
        self.pending = set(range(len(self.band)))
        while True:
            self.free_attackers()
            guards = [who for who in self.in_order() if self.catches(who) and not self.threatened(who)]
            attacked = self.all_attacked()  # before any of them steps in (WHI-18)
            for guard in guards:
                if self.catches(guard):
                    self.take(guard, attacked)
            if not guards and not self.break_a_loop():
                return self

    def free_attackers(self) -> None:
        while True:
            free = [who for who in self.in_order() if self.target(who) is not None and not self.threatened(who)]
            if not free:
                return
            self.reach(free[0])

    def break_a_loop(self) -> bool:
        """False: nobody wants anything any more."""
        wanting = [who for who in self.in_order() if self.threatens(who)]
        if not wanting:
            return False
        first = wanting[0]
        around = self.reachable(first)
        loop = tuple(who for who in wanting if who == first or (who in around and first in self.reachable(who)))
        if len(loop) == 2 and all(self.target(who) in loop for who in loop):
            self.pending -= set(loop)
            self.met.append((loop[0], loop[1]))
            return True
        self.loops.append(loop)
        picked = self.pick(loop)
        if self.target(picked) is not None:
            self.reach(picked)
        else:
            self.take(picked, self.all_attacked())
        return True

    def in_order(self) -> list[int]:
        return sorted(self.pending)

    def target(self, who: int) -> int | None:
        return self.band[who].attacks

    def catches(self, guard: int) -> list[int]:
        """Whom a guard may take now, preferred ones first (WHI-16, WHI-21)."""
        if guard not in self.pending:
            return []
        me = self.band[guard]
        if not me.wards and not me.holds:
            return []
        there = [who for who in self.in_order() if who != guard and self.opposed(me, self.band[who])]
        return [who for who in me.prefers if who in there] + [who for who in there if who not in me.prefers]

    @staticmethod
    def opposed(guard: Doing, other: Doing) -> bool:
        if other.slips:
            return False
        if guard.wards:
            return other.attacks in guard.wards
        return bool(guard.holds) and other.advances == guard.holds and other.side != guard.side

    def threatens(self, who: int) -> list[int]:
        target = self.target(who)
        return self.catches(who) if target is None else [target]

    def attacked(self, who: int) -> bool:
        return any(self.target(other) == who for other in self.pending)

    def all_attacked(self) -> set[int]:
        return {who for who in self.pending if self.attacked(who)}

    def threatened(self, who: int) -> bool:
        return self.attacked(who) or any(who in self.catches(guard) for guard in self.pending)

    def reachable(self, start: int) -> set[int]:
        found: set[int] = set()
        ahead = [start]
        while ahead:
            for other in self.threatens(ahead.pop()):
                if other in self.pending and other not in found:
                    found.add(other)
                    ahead.append(other)
        return found

    def reach(self, who: int) -> None:
        target = self.target(who)
        assert target is not None
        self.pending.discard(who)
        self.clash(who, target)

    def take(self, guard: int, attacked: set[int]) -> None:
        first, *rest = self.catches(guard)
        taken = [first]
        if not self.careful or first not in attacked:
            taken += [who for who in rest if not self.careful or who not in attacked]
        self.pending.discard(guard)
        for who in taken[: self.band[guard].capacity]:
            self.clash(guard, who)

    def clash(self, by: int, other: int) -> None:
        self.met.append((by, other))
        if other in self.pending:
            self.pending.discard(other)
            self.stopped.add(other)


def is_stars(clashes: Iterable[tuple[int, int]]) -> bool:
    """Whether every connected set of clashes is a star, and nobody meets the same person twice (WHI-30)."""
    around: dict[int, list[int]] = {}
    for a, b in clashes:
        around.setdefault(a, []).append(b)
        around.setdefault(b, []).append(a)
    twice = any(len(set(met)) < len(met) for met in around.values())
    return not twice and all(
        min(len(around[a]), len(around[b])) == 1 and a != b for a, others in around.items() for b in others
    )


def outcomes(run: Callable[[Pick], object]) -> int:
    """Run once for every way in which all picks can fall; returns how many there were."""
    script: list[int] = []
    count = 0
    while True:
        widths: list[int] = []

        def pick(loop: tuple[int, ...], widths: list[int] = widths, script: list[int] = script) -> int:
            place = script[len(widths)] if len(widths) < len(script) else 0
            widths.append(len(loop))
            return loop[place]

        run(pick)
        count += 1
        script = (script + [0] * len(widths))[: len(widths)]
        while script and script[-1] + 1 == widths[len(script) - 1]:
            script.pop()
        if not script:
            return count
        script[-1] += 1
