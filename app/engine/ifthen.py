"""If-then declarations: "if WHO does WHAT to WHOM, then I do this", built from menus, for any ruleset.

A clause is matched against acts: what a combatant really does, as revealed, whatever the result. The language has no
"not", no "or" and no number, so the order in which clauses are checked does not matter. Clauses fire in rounds: the
first round responds to unconditional acts, the second to the acts of the first, and so on. Clauses that wait only for
one another are a cycle; the caller decides which cycles are released.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from app.engine.frozen import frozen
from app.engine.kdtree import KdTree, Point
from app.engine.ruleset import Faults

ANYONE, ANY_ENEMY, ANY_ALLY, ME, THEM = "anyone", "any_enemy", "any_ally", "me", "them"
GROUPS = {ANYONE: "anyone", ANY_ENEMY: "any enemy", ANY_ALLY: "any ally"}

Mode = Literal["answer", "interrupt"]
Status = Literal["fired", "not_fired", "blocked"]
Why = Literal["met", "knot_let_loose", "not_met", "waited", "knot", "lost"]
Key = tuple[str, str, str, str]  # who, verb, whom, with what; groups are relative to one side


@frozen(kw_only=True)
class Clause:
    """One condition. `who` and `whom` are ids or groups; `whom` may also be ME or a place; "" matches any."""

    who: str
    verb: str
    whom: str = ""
    using: str = ""  # the spell, weapon or item that must be used; "": any


@frozen(kw_only=True)
class Act:
    """An act of one combatant, under every verb that describes it, each with its targets.

    A hostile spell is an attack, a casting and a naming of its target. In the acts that a clause guards, `whom` may
    hold THEM: the actor of the act that the clause watched.
    """

    actor: str
    does: dict[str, tuple[str, ...]]
    using: tuple[str, ...] = ()
    unseen_by: frozenset[str] = frozenset()  # combatants who cannot notice it; it does not meet their clauses
    forestalled: bool = True  # whether an interrupt may try to come first


@frozen(kw_only=True)
class IfThen:
    """A clause, its owner and the acts it guards. An owner has at most one."""

    owner: str
    clause: Clause
    then: tuple[Act, ...]
    mode: Mode = "answer"


@frozen(kw_only=True)
class Verdict:
    """The result of one if-then, for the page: shown after the reveal to viewers who may know of its owner."""

    owner: str
    verdict: Status
    why: Why
    round: int = 0  # 0: it never fired
    watched: str = ""  # the actor whose act met it
    tries_first: bool = False  # an interrupt that may try to come before the act it watches
    knot: tuple[str, ...] = ()
    note: str = ""  # why it was blocked, in the ruleset's words


@frozen(kw_only=True)
class Evaluation:
    """All if-thens of one reveal: their verdicts, the rounds in which they fire, the cycles that were not released."""

    cards: dict[str, Verdict]
    rounds: tuple[tuple[str, ...], ...]  # owners, by id inside a round
    cycles: tuple[tuple[str, ...], ...]  # the first owner is asked about the cycle

    def blocked(self, owner: str, note: str) -> Verdict:
        """The card of an if-then that fired but could not be carried out."""
        card = self.cards[owner]
        return Verdict(
            owner=owner,
            verdict="blocked",
            why="lost",
            round=card.round,
            watched=card.watched,
            knot=card.knot,
            note=note,
        )


@frozen(kw_only=True)
class Verb:
    """A word of a ruleset's menu: how it reads, and whether it needs a person or a thing."""

    key: str
    says: str  # "attacks"
    whom: Literal["needed", "may", "none"] = "may"
    places: bool = False  # whether `whom` may be a place
    objects: bool = False  # whether `whom` may be an object, which does nothing itself
    using: bool = False  # whether a spell, weapon or item may be named
    made: str = ""  # "casts {}": the reading with a spell, weapon or item; "": "attacks … with {}"
    unnamed: str = ""  # "a spell": fills `made` if none is named
    on: str = ""  # "on": the word between `made` and `whom`

    def reads(self, whom: str, using: str) -> str:
        """The verb with these names: "casts Mend on Ada", "attacks Ada with Club"; empty names are left out."""
        if self.made:
            return " ".join([self.made.format(using or self.unnamed), *([self.on, whom] if whom else [])])
        return " ".join([self.says, *([whom] if whom else []), *([f"with {using}"] if using else [])])


@dataclass(frozen=True, kw_only=True, slots=True)
class Menu:
    """One combatant's choices: only what they know of, so that no menu reveals the unseen."""

    owner: str
    verbs: Mapping[str, Verb]
    people: Mapping[str, str]  # id -> name of everyone of whom the owner is aware, the owner included
    objects: Mapping[str, str] = field(default_factory=dict)  # possible targets that do nothing themselves
    things: Mapping[str, str] = field(default_factory=dict)  # spells, weapons and items by id
    places: Mapping[str, str] = field(default_factory=dict)

    def check(self, clause: Clause) -> Faults:
        """Returns the faults of a clause, by field: `who`, `verb`, `whom`, `using`."""
        faults: Faults = {}
        if clause.who == self.owner or clause.who == ME:
            faults["who"] = "A condition waits for someone else, never for yourself."
        elif clause.who not in GROUPS and clause.who not in self.people:
            faults["who"] = "Choose whom to watch."
        verb = self.verbs.get(clause.verb)
        if verb is None:
            return faults | {"verb": "Choose what you wait for."}
        known = clause.whom in GROUPS or clause.whom == ME or clause.whom in self.people
        if verb.whom == "none" and clause.whom:
            faults["whom"] = f"“{verb.says}” has no target: leave this empty."
        elif verb.whom == "needed" and not clause.whom:
            faults["whom"] = f"“{verb.says}” whom? Choose a target."
        elif clause.whom and not known and not self._lifeless(verb, clause.whom):
            faults["whom"] = "Choose someone you know about." if not verb.places else "Choose a person or a place."
        if clause.using and (not verb.using or clause.using not in self.things):
            faults["using"] = "Choose something from the list, or leave this empty."
        return faults

    def _lifeless(self, verb: Verb, whom: str) -> bool:
        return (verb.places and whom in self.places) or (verb.objects and whom in self.objects)

    def read_back(self, clause: Clause, then: str) -> str:
        """Returns the if-then as a sentence, like "If the troll attacks Ada with Club, then I cast Mend on Ada."."""
        who = GROUPS.get(clause.who) or self.people.get(clause.who, "someone")
        whom = self._whom(clause.whom) if clause.whom else ""
        using = self.things.get(clause.using, clause.using)
        return f"If {who} {self.verbs[clause.verb].reads(whom, using)}, then {then}."

    def _whom(self, whom: str) -> str:
        if whom in (ME, self.owner):
            return "me"
        named = GROUPS.get(whom) or self.people.get(whom) or self.objects.get(whom)
        return named or self.places.get(whom, "someone")


def evaluate(
    ifthens: Sequence[IfThen],
    acts: Sequence[Act],
    *,
    side: Mapping[str, str],
    place: Mapping[str, Point] | None = None,
    released: frozenset[str] = frozenset(),
) -> Evaluation:
    """Matches clauses against revealed acts. `side` tells who is whose enemy. If several acts match, the clause watches
    the one nearest by `place`, then the lower id. `released` names cycles, each by its first owner, that fire all the
    same.

    Raises ValueError if an owner has two clauses. Takes about n log n for n acts and clauses together.
    """
    mine = {one.owner: one for one in sorted(ifthens, key=lambda one: one.owner)}
    if len(mine) != len(ifthens):
        raise ValueError("one owner has two if-thens; one clause at most")
    watch = _Watch(mine, side, place or {})
    return _Rounds(watch).read(acts, released)


class _Watch:
    """Clauses by the kind of act they wait for, so that an act finds them without a search."""

    def __init__(self, mine: dict[str, IfThen], side: Mapping[str, str], place: Mapping[str, Point]) -> None:
        self.mine, self.side, self.place = mine, side, place
        self.keys = {owner: self._key(owner, one.clause) for owner, one in mine.items()}
        self.waiting: dict[Key, list[str]] = {}
        for owner, key in self.keys.items():
            self.waiting.setdefault(key, []).append(owner)
        self.watched: dict[tuple[str, str], dict[str, dict[str, Key]]] = {}  # by verb and actor, then whom, then using
        for key in self.waiting:
            who, verb, whom, using = key
            self.watched.setdefault((verb, who), {}).setdefault(whom, {})[using] = key
        self.sides = sorted({self.side.get(owner, owner) for owner in mine})
        self.known: dict[str, tuple[str, ...]] = {}  # the names under which clauses may mean a combatant
        self.groups: dict[str, tuple[str, ...]] = {}  # by side

    def _key(self, owner: str, clause: Clause) -> Key:
        side = self.side.get(owner, owner)
        whom = owner if clause.whom == ME else self._group(clause.whom, side)
        return self._group(clause.who, side), clause.verb, whom, clause.using

    @staticmethod
    def _group(name: str, side: str) -> str:
        return f"{name} of {side}" if name in (ANY_ENEMY, ANY_ALLY) else name

    def _names(self, one: str) -> tuple[str, ...]:
        """All names under which clauses may mean a combatant."""
        if one not in self.known:
            own = self.side.get(one)
            self.known[one] = (one, *self._groups(own)) if own is not None else (one, ANYONE) if one == THEM else (one,)
        return self.known[one]

    def _groups(self, own: str) -> tuple[str, ...]:
        """The group names under which clauses may mean any member of a side."""
        if own not in self.groups:
            each = (f"{ANY_ALLY if own == side else ANY_ENEMY} of {side}" for side in self.sides)
            self.groups[own] = (ANYONE, *each)
        return self.groups[own]

    def keys_of(self, act: Act) -> list[Key]:
        """The keys under which a clause waits for this act, each once, whether its owner notices the act or not."""
        found: dict[Key, None] = {}
        names = self._names(act.actor)
        for verb, whom in act.does.items():
            for who in names:
                by_whom = self.watched.get((verb, who))
                if not by_whom:
                    continue
                for meant in ("", *[name for one in whom for name in self._names(one)]):
                    if by_using := by_whom.get(meant):
                        for using in ("", *act.using):
                            if using in by_using:
                                found[by_using[using]] = None
        return list(found)

    def meets(self, owner: str, act: Act) -> bool:
        return act.actor != owner and owner not in act.unseen_by

    def where(self, who: str) -> Point:
        return self.place.get(who, (0, 0))


class _Rounds:
    """Fires round by round; each clause fires at most once, so the rounds end."""

    def __init__(self, watch: _Watch) -> None:
        self.watch = watch
        self.cards: dict[str, Verdict] = {}
        self.open = {key: dict.fromkeys(owners) for key, owners in watch.waiting.items()}  # not fired yet
        self.rounds: list[tuple[str, ...]] = []

    def read(self, acts: Sequence[Act], released: frozenset[str]) -> Evaluation:
        self._on(acts)
        cycles = self._cycles()
        while free := [cycle for cycle in cycles if cycle[0] in released]:
            self._on(self._release(free))
            cycles = self._cycles()
        held = {owner: cycle for cycle in cycles for owner in cycle}
        waited = self._waited()
        for owner in self._rest():
            knot = held.get(owner, ())
            why: Why = "knot" if knot else "waited" if owner in waited else "not_met"
            watched = waited.get(owner, "")
            self.cards[owner] = Verdict(owner=owner, verdict="not_fired", why=why, knot=knot, watched=watched)
        cards = {owner: self.cards[owner] for owner in self.watch.mine}
        return Evaluation(cards=cards, rounds=tuple(self.rounds), cycles=tuple(cycles))

    def _rest(self) -> list[str]:
        return [owner for owner in self.watch.mine if owner not in self.cards]

    def _on(self, new: Sequence[Act]) -> None:
        while new and (fire := self._met(new)):
            self.rounds.append(tuple(fire))
            number, following = len(self.rounds), list[Act]()
            for owner, act in fire.items():
                one = self._fire(owner)
                first = one.mode == "interrupt" and number == 1 and act.forestalled
                self.cards[owner] = Verdict(
                    owner=owner, verdict="fired", why="met", round=number, watched=act.actor, tries_first=first
                )
                following += aimed(one.then, act.actor)
            new = following

    def _met(self, new: Sequence[Act]) -> dict[str, Act]:
        """Owners not yet fired whose clause one of these acts meets, by id, each with the act it watches."""
        found = self._watched(new)
        return {owner: new[number] for owner, number in sorted(found.items())}

    def _watched(self, acts: Sequence[Act]) -> dict[str, int]:
        """Owners not yet fired whose clause one of these acts meets -> the number of the act they watch."""
        watch = self.watch
        by_key: dict[Key, list[int]] = {}
        for number, act in enumerate(acts):
            for key in watch.keys_of(act):
                if self.open[key]:
                    by_key.setdefault(key, []).append(number)
        found: dict[str, int] = {}
        for key, numbers in by_key.items():
            if len(numbers) == 1:
                act = acts[numbers[0]]
                for owner in self.open[key]:
                    if watch.meets(owner, act):
                        found[owner] = numbers[0]
                continue
            nearby = KdTree((watch.where(acts[n].actor), acts[n].actor, n) for n in numbers)
            for owner in self.open[key]:
                number = nearby.nearest(watch.where(owner), lambda n, owner=owner: watch.meets(owner, acts[n]))
                if number is not None:
                    found[owner] = number
        return found

    def _waited(self) -> dict[str, str]:
        """Owners who waited for a guarded act that never came -> the actor of that act."""
        rest = self._rest()
        acts = [act for owner in rest for act in self._possible(owner)]
        return {owner: acts[number].actor for owner, number in self._watched(acts).items()}

    def _possible(self, owner: str) -> tuple[Act, ...]:
        """The acts that an if-then may still cause. THEM is the actor its clause names, if it names one."""
        one = self.watch.mine[owner]
        return aimed(one.then, one.clause.who) if one.clause.who not in GROUPS else one.then

    def _cycles(self) -> list[tuple[str, ...]]:
        """Cycles of unfired clauses: groups of two or more that wait for one another, sorted, by first owner."""
        watch, rest = self.watch, self._rest()
        links: dict[object, list[object]] = {owner: [watch.keys[owner]] for owner in rest}
        for owner in rest:
            for act in self._possible(owner):
                for key in watch.keys_of(act):
                    if act.unseen_by:  # some who wait for such an act may not notice it: link them one by one
                        for waiting in watch.waiting[key]:
                            if waiting in links and watch.meets(waiting, act):
                                links[waiting].append(owner)
                    else:
                        links.setdefault(key, []).append(owner)
        cycles = [tuple(sorted(one for one in group if isinstance(one, str))) for group in _strong(links)]
        return sorted(cycle for cycle in cycles if len(cycle) > 1)

    def _release(self, cycles: Sequence[tuple[str, ...]]) -> list[Act]:
        owners = sorted(owner for cycle in cycles for owner in cycle)
        acts = [act for owner in owners for act in self._possible(owner)]
        watched = self._watched(acts)
        cycle_of = {owner: cycle for cycle in cycles for owner in cycle}
        self.rounds.append(tuple(owners))
        following: list[Act] = []
        for owner in owners:
            other = acts[watched[owner]].actor if owner in watched else ""
            self.cards[owner] = Verdict(
                owner=owner, verdict="fired", why="knot_let_loose", round=len(self.rounds), watched=other,
                knot=cycle_of[owner],
            )  # fmt: skip
            following += aimed(self._fire(owner).then, other)
        return following

    def _fire(self, owner: str) -> IfThen:
        del self.open[self.watch.keys[owner]][owner]
        return self.watch.mine[owner]


def aimed(then: Iterable[Act], them: str) -> tuple[Act, ...]:
    """Returns the guarded acts with THEM replaced by the actor of the watched act."""
    return tuple([_made_out(act, them) for act in then])


def _made_out(act: Act, them: str) -> Act:
    for whom in act.does.values():
        if THEM in whom:
            break
    else:
        return act
    return Act(
        actor=act.actor,
        does={verb: tuple(them if one == THEM else one for one in whom) for verb, whom in act.does.items()},
        using=act.using,
        unseen_by=act.unseen_by,
        forestalled=act.forestalled,
    )


def _strong(links: Mapping[object, Sequence[object]]) -> list[list[object]]:
    """Strongly connected groups (Tarjan), without recursion, so that chains of thousands are safe."""
    number: dict[object, int] = {}
    low: dict[object, int] = {}
    stack: list[object] = []
    on: set[object] = set()
    groups: list[list[object]] = []
    for root in links:
        if root in number:
            continue
        work: list[tuple[object, Iterator[object]]] = [(root, iter(links[root]))]
        number[root] = low[root] = len(number)
        stack.append(root)
        on.add(root)
        while work:
            node, following = work[-1]
            for other in following:
                if other not in number:
                    number[other] = low[other] = len(number)
                    stack.append(other)
                    on.add(other)
                    work.append((other, iter(links.get(other, ()))))
                    break
                if other in on:
                    low[node] = min(low[node], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    group: list[object] = []
                    while not group or group[-1] != node:
                        group.append(stack.pop())
                        on.discard(group[-1])
                    groups.append(group)
    return groups
