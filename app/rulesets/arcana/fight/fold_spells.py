"""Folds the effects of spells: bonuses on a body, shields, lingering effects, dropped things (ARC-141, ARC-164)."""

from collections.abc import Callable
from dataclasses import replace

from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.lingering import Remain, Ward
from app.rulesets.arcana.fight.state import THIS_CYCLE, Fighter, Loan, Lying, State
from app.rulesets.arcana.rules.book import ATTRIBUTES

OF_THE_BODY = frozenset({*ATTRIBUTES, "speed_proficiency", "max_hp"})


def lend(one: Fighter, event: ev.Lent, cycle: int) -> None:
    """The same bonus from the same spell does not add up: the greater amount and the longer duration stay (ARC-142)."""
    new = Loan(
        event.stat, event.amount, event.cycles, cycle, event.source, event.by, event.vs, event.front, event.overflow,
        event.type, event.after, event.amount, event.once,
    )  # fmt: skip
    old = next((it for it in one.loans if (it.stat, it.source, it.type) == (new.stat, new.source, new.type)), None)
    if old is None:
        one.loans.append(new)
        _on_the_body(one, new.stat, new.amount, raises=True)
        return
    before = old.amount
    old.amount, old.most = max(old.amount, new.amount, key=abs), max(old.most, new.most)
    old.left = 0 if 0 in (old.left, new.left) else max(old.left, new.left)
    old.since, old.by = cycle, new.by
    _on_the_body(one, old.stat, old.amount - before, raises=True)


def give_back(one: Fighter, over: Callable[[Loan], bool]) -> None:
    """Ends loans and removes them from the body; a maximum that falls only clips (ARC-141)."""
    gone = [loan for loan in one.loans if over(loan)]
    one.loans = [loan for loan in one.loans if not over(loan)]
    for loan in gone:
        _on_the_body(one, loan.stat, -loan.amount)


def _on_the_body(one: Fighter, stat: str, amount: int, *, raises: bool = False) -> None:
    """Changes attributes, speed or maximum HP; a raised maximum raises HP by as much (ARC-141)."""
    if stat not in OF_THE_BODY or not amount:
        return
    if stat == "max_hp":
        one.body = replace(one.body, hp_max=one.body.hp_max + amount)
        one.hp = one.hp + amount if amount > 0 and raises else min(one.hp, one.body.hp_max)
        return
    now = one.body.lent.get(stat, 0) + amount
    others = {key: value for key, value in one.body.lent.items() if key != stat}
    one.body = replace(one.body, lent=others | {stat: now} if now else others)


def mend(one: Fighter, event: ev.Mended) -> None:
    for loan in one.loans:
        if loan.stat == "shield" and loan.source == event.source:
            loan.amount = min(loan.most, loan.amount + event.by)


def wear(one: Fighter, event: ev.Worn) -> None:
    """Takes points from the shields of one spell; a shield without points ends (ARC-164)."""
    left = event.by
    for loan in one.loans:
        if loan.stat == "shield" and event.source in ("", loan.source):
            used = min(left, loan.amount)
            loan.amount, left = loan.amount - used, left - used
    one.loans = [loan for loan in one.loans if loan.stat != "shield" or loan.amount > 0]


def remain(state: State, event: ev.Remains) -> None:
    """Adds a lingering effect, with a unique key."""
    name = f"{event.who}/{event.spell}/{state.cycle}"
    count = sum(left.key.startswith(f"{name}/") for left in state.remains)
    left = Remain(
        spell=event.spell, by=event.who, left=event.cycles, since=state.cycle, key=f"{name}/{count + 1}",
        who=event.target, effects=event.effects, pp=event.pp, level=event.level, halved=event.halved, at=event.at,
        form=event.form, metres=event.metres, facing=event.facing, obscures=event.obscures,
    )  # fmt: skip
    state.remains.append(left)


def ward(state: State, event: ev.Warded | ev.Snared | ev.Collapsed) -> None:
    """Adds a ward, with a key that does not reveal its caster; or records a strike or a collapse (ARC-160)."""
    if isinstance(event, ev.Collapsed):
        state.wards = [one for one in state.wards if one.key not in event.wards]
        return
    if isinstance(event, ev.Warded):
        state.warded += 1
        laid = Ward(
            key=f"w{state.warded}", spell=event.spell, by=event.who, side=state.fighters[event.who].side, at=event.at,
            form=event.form, metres=event.metres, facing=event.facing, pp=event.pp, choice=event.choice,
        )  # fmt: skip
        state.wards.append(laid)
        return
    sides = {one.side for key, one in state.fighters.items() if not state.unseen(event.target, key)}
    for one in state.wards:
        if one.key == event.ward:
            one.struck, one.times, one.known = one.struck | {event.target}, one.times + 1, one.known | sides


def drop(state: State, event: ev.Dropped) -> None:
    """Puts one carried item or a weapon on the ground (ARC-34)."""
    one, by = state.fighters[event.who], "" if event.rolls else event.who
    secret = bool(by) and event.to is not None
    if event.what in one.items:
        spend(one.items, event.what)
        state.lying.append(Lying(event.what, event.at, None, by, secret))
        return
    weapon = one.body.weapons.get(event.what)
    if weapon is None:
        return
    state.lying.append(Lying(event.what, event.at, weapon, by, secret))
    kept = {key: arm for key, arm in one.body.weapons.items() if key != event.what}
    one.body = replace(one.body, weapons=kept)


def spend(items: dict[str, int], key: str) -> None:
    """Removes one of a carried item (ARC-171)."""
    if key in items:
        items[key] -= 1
        if items[key] <= 0:
            del items[key]


def lapse(state: State, event: ev.Lapsed) -> None:
    give_back(state.fighters[event.who], lambda loan: loan.source == event.source and event.stat in ("", loan.stat))
    if not event.stat:
        state.remains = [it for it in state.remains if (it.who, it.spell) != (event.who, event.source)]


def count_down(one: Fighter, cycle: int) -> None:
    """Counts loans down; those of this cycle do not count yet, except those for this cycle only (ARC-22)."""
    for loan in one.loans:
        if loan.since < cycle and loan.left > 0:
            loan.left = loan.left - 1 or THIS_CYCLE
    if one.loans:
        give_back(one, lambda loan: loan.left == THIS_CYCLE)
    one.reels, one.tired, one.tires = "", one.tires, False


def fade(state: State) -> None:
    for left in state.remains:
        if left.since < state.cycle and left.left > 0:
            left.left = left.left - 1 or THIS_CYCLE
    state.remains = [left for left in state.remains if left.left != THIS_CYCLE]
