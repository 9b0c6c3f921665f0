"""The interception procedure (WHI-11 to WHI-30), in time linear in fighters, not in threats.

An attacker threatens his target; a guard threatens every attacker of his ward. An actor who is not threatened by anyone
who may still act goes through, and stops the fighter he reaches. Loops are broken by a pick. Every result is a set of
stars: A-B, B-C and C-D can never all be clashes of one round (WHI-30).
"""

import heapq
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from app.engine.frozen import frozen

Reason = Literal["free", "guard", "mutual", "picked"]

Pick = Callable[[tuple[int, ...]], int]
"""Breaks a loop: gets its members in roster order, returns the one who succeeds (WHI-27)."""


@frozen()
class Plan:
    """The plan of one able character, as far as pairing needs it. Characters are numbered in roster order.

    Guards of one ward see the same attackers, so a ward is a group: `guards` names the group a guard belongs to,
    `caught_by` the groups that may take an attacker (none, if a card lets him slip past).
    """

    attacks: int | None = None  # the target of an attack, or the barrer an advance engages (WHI-56)
    guards: Hashable = None
    caught_by: tuple[Hashable, ...] = ()
    prefers: tuple[int, ...] = ()  # attackers a guard would rather meet, best first (WHI-16)
    capacity: int = 1  # how many a guard takes (WHI-15, WHI-22)


@frozen()
class Met:
    """`by` brought about a clash with `other`. `loop` has the members of the loop that a pick broke."""

    by: int
    other: int
    why: Reason
    loop: tuple[int, ...] = ()
    stopped: bool = False  # `other` was stopped by this clash
    among: int = 0  # a guard's: the number of attackers he could choose from


@dataclass(slots=True)
class _Ward:
    """The attackers and guards of one ward. `queue` has the attackers in roster order; those no longer pending are
    skipped. `calm` is a heap of attackers who are not attacked, for guards of several.
    """

    queue: list[int] = field(default_factory=list)
    first: int = 0
    attackers: int = 0
    guards: int = 0
    calm: list[int] = field(default_factory=list)


def pair(plans: Mapping[int, Plan], pick: Pick) -> list[Met]:
    """Returns all clashes, in the order in which they are found. `pick` is called once per loop (WHI-29)."""
    met = _Pairing(plans, pick).run()
    degree = dict.fromkeys(plans, 0)
    for found in met:
        degree[found.by] = degree.get(found.by, 0) + 1
        degree[found.other] = degree.get(found.other, 0) + 1
    # The rules' promise for all declarations: every clash has an end that is in no other clash (WHI-30).
    assert not [found for found in met if degree[found.by] > 1 < degree[found.other]], "clashes form no stars"
    return met


class _Pairing:
    """One run. `pending` has those whose plan is neither carried out nor stopped; threats only ever disappear."""

    def __init__(self, plans: Mapping[int, Plan], pick: Pick) -> None:
        self.plans = plans
        self.pick = pick
        self.pending = set(plans)
        self.attacked = dict.fromkeys(plans, 0)  # the number of pending attackers of each
        self.wards: defaultdict[Hashable, _Ward] = defaultdict(_Ward)
        self.order = sorted(plans)
        self.first = 0
        self.met: list[Met] = []
        self.relieved: list[int] = []  # the targets of attackers who left, until `_relieve` updates their threats
        for who in self.order:
            plan = plans[who]
            if plan.attacks is not None and plan.attacks in self.attacked:
                self.attacked[plan.attacks] += 1
            for name in plan.caught_by:
                ward = self.wards[name]
                ward.queue.append(who)
                ward.attackers += 1
            if plan.guards is not None:
                self.wards[plan.guards].guards += 1
        self.strong = any(plan.capacity > 1 for plan in plans.values())
        for who in self.order if self.strong else ():
            self._calm(who)
        self.attackers = [who for who in self.order if plans[who].attacks is not None]  # heaps: already in order
        self.guards = [who for who in self.order if plans[who].guards is not None]

    def run(self) -> list[Met]:
        while True:
            self._free_attackers()
            if self._free_guards():
                continue
            loop = self._loop()
            if not loop:
                return self.met
            self._break(loop)
            self._relieve()

    def _free_attackers(self) -> None:
        """Attackers who cannot be stopped reach their targets, and stop them (WHI-12, WHI-13, WHI-17)."""
        while self.attackers:
            who = heapq.heappop(self.attackers)
            if who in self.pending and not self._threatened(who):
                self._reach(who, "free")
                self._relieve()

    def _free_guards(self) -> bool:
        """All guards who are free at this moment take an attacker. An attacker whom one of them stops still counts as a
        threat to the others, so that their order does not matter; guards of one ward take turns (WHI-16, WHI-18).
        """
        snapshot: list[int] = []
        while self.guards:
            who = heapq.heappop(self.guards)
            free = who in self.pending and not self.attacked[who] and self._ward(who).attackers
            if free and (not snapshot or snapshot[-1] != who):
                snapshot.append(who)
        for who in snapshot:
            if self._ward(who).attackers:
                self._take(who, "guard")
        self._relieve()
        return bool(snapshot)

    def _loop(self) -> tuple[int, ...]:
        """The loop with the lowest roster number among those who still go for another; empty: all is settled.

        If no one is free, the threats form separate loops, so everyone reachable from a member along threats is a
        member.
        """
        while self.first < len(self.order) and not self._wants(self.order[self.first]):
            self.first += 1
        if self.first == len(self.order):
            return ()
        found, ahead = set(), [self.order[self.first]]
        while ahead:
            who = ahead.pop()
            if who not in found and self._wants(who):
                found.add(who)
                ahead.extend(self._threatens(who))
        return tuple(sorted(found))

    def _break(self, loop: tuple[int, ...]) -> None:
        """Two who attack each other clash (WHI-25); of a longer loop one is picked and goes through (WHI-26)."""
        if len(loop) == 2 and all(self.plans[who].attacks in loop for who in loop):
            first, second = loop
            self._leave(first)
            self._leave(second)
            self.met.append(Met(first, second, "mutual"))
            return
        who = self.pick(loop)
        if self.plans[who].attacks is not None:
            self._reach(who, "picked", loop)
        else:
            self._take(who, "picked", loop)

    def _reach(self, who: int, why: Reason, loop: tuple[int, ...] = ()) -> None:
        """An attack gets its clash and can no longer be intercepted (WHI-28)."""
        target = self.plans[who].attacks
        assert target is not None
        self._leave(who)
        self.met.append(Met(who, target, why, loop, self._stop(target)))

    def _take(self, guard: int, why: Reason, loop: tuple[int, ...] = ()) -> None:
        """A guard meets one attacker of his ward, or more if that breaks no star (WHI-16, WHI-22)."""
        taken, among = self._choose(guard), self._ward(guard).attackers
        self._leave(guard)
        for who in taken:
            self.met.append(Met(guard, who, why, loop, self._stop(who), among))

    def _choose(self, guard: int) -> list[int]:
        plan, ward = self.plans[guard], self._ward(guard)
        prefers = [who for who in dict.fromkeys(plan.prefers) if self._catches(plan.guards, who)]
        while ward.queue[ward.first] not in self.pending:
            ward.first += 1
        if plan.capacity == 1:
            return prefers[:1] or [ward.queue[ward.first]]
        first = prefers[0] if prefers else ward.queue[ward.first]
        if self.attacked[first]:
            return [first]
        taken = [first, *(who for who in prefers[1:] if not self.attacked[who])][: plan.capacity]
        before = set(taken)
        while len(taken) < plan.capacity and ward.calm:
            who = heapq.heappop(ward.calm)
            if who in self.pending and who not in before:
                taken.append(who)
        return taken

    def _catches(self, ward: Hashable, who: int) -> bool:
        return who in self.pending and ward in self.plans[who].caught_by

    def _stop(self, who: int) -> bool:
        if who not in self.pending:
            return False
        self._leave(who)
        return True

    def _leave(self, who: int) -> None:
        """Removes a character from the pending. The effect on his target waits for `_relieve`."""
        self.pending.remove(who)
        plan = self.plans[who]
        if plan.attacks is not None and plan.attacks in self.attacked:
            self.relieved.append(plan.attacks)
        for name in plan.caught_by:
            self.wards[name].attackers -= 1
        if plan.guards is not None:
            ward = self._ward(who)
            ward.guards -= 1
            if not ward.guards:
                for attacker in ward.queue[ward.first :]:
                    self._look_at(attacker)

    def _relieve(self) -> None:
        """Updates the targets of attackers who left."""
        while self.relieved:
            who = self.relieved.pop()
            self.attacked[who] -= 1
            self._look_at(who)
            if self.strong:
                self._calm(who)

    def _calm(self, who: int) -> None:
        if who in self.pending and not self.attacked[who]:
            for name in self.plans[who].caught_by:
                heapq.heappush(self.wards[name].calm, who)

    def _look_at(self, who: int) -> None:
        if who not in self.pending or self._threatened(who):
            return
        if self.plans[who].attacks is not None:
            heapq.heappush(self.attackers, who)
        elif self.plans[who].guards is not None:
            heapq.heappush(self.guards, who)

    def _threatened(self, who: int) -> bool:
        if self.attacked[who]:
            return True
        for name in self.plans[who].caught_by:  # noqa: SIM110 - a crowd asks this often, and `any` is three times as slow
            if self.wards[name].guards:
                return True
        return False

    def _wants(self, who: int) -> bool:
        """Whether a pending character still goes for another: attackers always, guards while their ward is attacked."""
        plan = self.plans[who]
        return who in self.pending and (
            plan.attacks is not None or (plan.guards is not None and bool(self._ward(who).attackers))
        )

    def _threatens(self, who: int) -> list[int]:
        plan = self.plans[who]
        if plan.attacks is not None:
            return [plan.attacks]
        return [who for who in self._ward(who).queue if who in self.pending]

    def _ward(self, guard: int) -> _Ward:
        return self.wards[self.plans[guard].guards]
