"""A fight between cycles and within one: always the fold of its events (ledger 1.9)."""

from dataclasses import dataclass, field
from typing import Literal, assert_never

from pydantic import TypeAdapter

from app.engine.ruleset import Told
from app.rulesets.arcana import events as ev
from app.rulesets.arcana.aim import Guard
from app.rulesets.arcana.body import Body
from app.rulesets.arcana.book import STATUSES, Forbids
from app.rulesets.arcana.declarations import HOLD, Turn
from app.rulesets.arcana.settings import Settings
from app.rulesets.arcana.space import Cell

REGAIN = 2  # ARC-139
Cover = Literal["none", "half", "three_quarter", "full"]


@dataclass(slots=True)
class Held:
    """A status and how many cycles it still lasts; 0: until something ends it."""

    left: int
    since: int
    source: str = ""
    value: int = 0


@dataclass(slots=True)
class Loan:
    """A bonus or the points of a shield."""

    stat: Literal["block", "dodge", "shield"]
    amount: int
    left: int
    since: int
    source: str


@dataclass(slots=True)
class Fighter:
    body: Body
    side: str
    seat: str
    place: Cell
    hp: int
    fp: int
    facing: Cell = (1, 0)
    statuses: dict[str, Held] = field(default_factory=dict)
    loans: list[Loan] = field(default_factory=list)
    dead: bool = False
    armour_lost: int = 0
    hidden: bool = False
    noticed_by: set[str] = field(default_factory=set)
    stealth: int = 0
    turn: Turn = HOLD  # as revealed in this cycle
    exposed: bool = False
    resists: int = 0  # tried this cycle (ARC-126)
    paid: bool = False  # FP were deducted this cycle (ARC-139)
    search: int = 0

    def has(self, status: str) -> bool:
        return status in self.statuses

    def forbidden(self, what: Forbids) -> bool:
        return any(what in STATUSES[key].forbids or "everything" in STATUSES[key].forbids for key in self.statuses)

    @property
    def able(self) -> bool:
        """May declare something (ARC-10)."""
        return not self.dead and not any("everything" in STATUSES[key].forbids for key in self.statuses)

    @property
    def still(self) -> bool:
        return self.dead or any(STATUSES[key].still for key in self.statuses)

    @property
    def checks(self) -> int:
        """What statuses add to every check (ARC-146)."""
        return sum(STATUSES[key].checks for key in self.statuses)

    def dice(self, which: Literal["advantage", "disadvantage"]) -> int:
        return sum(STATUSES[key].dice == which for key in self.statuses)

    def unseen_by(self, other: str) -> bool:
        return self.hidden and other not in self.noticed_by

    @property
    def stances(self) -> frozenset[str]:
        return frozenset(one.do for one in self.turn.plain() if one.do in ("evade", "brace"))

    def guard(self) -> Guard:
        return Guard(
            body=self.body,
            stances=self.stances,
            still=self.still,
            block=sum(loan.amount for loan in self.loans if loan.stat == "block"),
            dodge=sum(loan.amount for loan in self.loans if loan.stat == "dodge"),
            worn_less=self.armour_lost,
            fixed_block=self.has("block_fixed"),
            encumbered=self.encumbered,
        )

    @property
    def encumbered(self) -> bool:
        return self.has("encumbered") or not self.body.at_home_in_armour


@dataclass(slots=True)
class State:
    settings: Settings
    fighters: dict[str, Fighter]  # by id, ascending: the only order that is not in the rules (ledger 1.1)
    cycle: int = 1
    covers: dict[str, Cover] = field(default_factory=dict)  # "x,y" -> cover that this cell gives
    unaware: frozenset[str] = frozenset()  # of the attackers, in the first cycle (ARC-11)
    over: bool = False
    winner: str = ""

    def cover(self, who: str) -> Cover:
        one = self.fighters[who]
        return "none" if one.exposed else self.covers.get(f"{one.place[0]},{one.place[1]}", "none")

    def enemies(self, who: str) -> list[str]:
        side = self.fighters[who].side
        return [key for key, one in self.fighters.items() if one.side != side]


STATE: TypeAdapter[State] = TypeAdapter(State)


def begin(
    fighters: dict[str, Fighter],
    settings: Settings | None = None,
    covers: dict[str, Cover] | None = None,
    unaware: frozenset[str] = frozenset(),
) -> State:
    """A fight before its first cycle, with everybody by id."""
    return State(settings or Settings(), dict(sorted(fighters.items())), covers=covers or {}, unaware=unaware)


def apply(state: State, told: Told[ev.Event]) -> None:
    event = told.event
    match event:
        case ev.Revealed():
            state.fighters[event.who].turn = event.turn
        case ev.Faced():
            state.fighters[event.who].facing = event.facing
        case ev.Emerged():
            state.fighters[event.who].exposed = True
        case ev.Moved():
            state.fighters[event.who].place = event.end
        case ev.Checked():
            _checked(state.fighters[event.who], event)
        case ev.Noticed():
            state.fighters[event.who].noticed_by.update(event.by)
        case ev.Paid():
            one = state.fighters[event.who]
            one.fp -= event.fp
            one.paid = one.paid or event.fp > 0
        case ev.Resisted():
            state.fighters[event.who].resists += 1
        case ev.Changed():
            one = state.fighters[event.who]
            one.hp, one.fp, one.dead = event.hp, event.fp, event.state == "dead"
        case ev.Gained():
            _gained(state, event)
        case ev.Ended():
            state.fighters[event.who].statuses.pop(event.status, None)
        case ev.Lent():
            loan = Loan(event.stat, event.amount, event.cycles, state.cycle, event.source)
            state.fighters[event.who].loans.append(loan)
        case ev.Worn():
            _worn(state.fighters[event.who], event)
        case ev.Ticked():
            _ticked(state, event)
        case ev.Over():
            state.over, state.winner = True, event.side
        case (
            ev.Void() | ev.Spoke() | ev.Used() | ev.Launched() | ev.Struck() | ev.Damaged() | ev.Healed()
            | ev.Slammed() | ev.Bled() | ev.Described() | ev.Judged()
        ):  # fmt: skip
            pass
        case _:
            assert_never(event)


def _checked(one: Fighter, event: ev.Checked) -> None:
    total = max((roll.face for roll in event.rolls), default=0) + event.bonus
    if event.what == "search":
        one.search = total
    elif event.what == "hide" and event.ok:
        one.hidden, one.stealth, one.noticed_by = True, total, set()


def _gained(state: State, event: ev.Gained) -> None:
    """The longer duration and the worse grade stay; nothing adds up (ARC-142)."""
    statuses, new = state.fighters[event.who].statuses, STATUSES[event.status]
    for key in [key for key in statuses if new.family and STATUSES[key].family == new.family]:
        if STATUSES[key].grade > new.grade:
            return
        if key != event.status:
            del statuses[key]
    old = statuses.get(event.status)
    if old is not None and (old.left == 0 or 0 < event.cycles <= old.left):
        return
    statuses[event.status] = Held(event.cycles, state.cycle, event.source, event.value)


def _worn(one: Fighter, event: ev.Worn) -> None:
    if event.what == "armour":
        one.armour_lost += event.by
        return
    left = event.by
    for loan in one.loans:
        if loan.stat == "shield":
            used = min(left, loan.amount)
            loan.amount, left = loan.amount - used, left - used
    one.loans = [loan for loan in one.loans if loan.stat != "shield" or loan.amount > 0]


def _ticked(state: State, event: ev.Ticked) -> None:
    """ARC-22: durations, FP, then what holds for one cycle only. What came in this cycle does not count yet."""
    for one in state.fighters.values():
        for held in one.statuses.values():
            if held.since < state.cycle and held.left:
                held.left = held.left - 1 or -1
        one.statuses = {key: held for key, held in one.statuses.items() if held.left >= 0}
        for loan in one.loans:
            if loan.since < state.cycle and loan.left:
                loan.left = loan.left - 1 or -1
        one.loans = [loan for loan in one.loans if loan.left >= 0]
        one.turn, one.exposed, one.resists, one.paid, one.search = HOLD, False, 0, False, 0
    for who in event.rested:
        one = state.fighters[who]
        one.fp = min(one.body.fp_max, one.fp + REGAIN)
    state.cycle += 1
