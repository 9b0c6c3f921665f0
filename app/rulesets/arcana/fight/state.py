"""The state of a fight, between and within cycles: the fold of its events (ledger 1.9)."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import TypeAdapter

from app.engine.ifthen import Verdict
from app.rulesets.arcana.fight.declarations import HOLD, Action, Turn
from app.rulesets.arcana.fight.flight import Flight
from app.rulesets.arcana.fight.lingering import Keys, Remain, Ward
from app.rulesets.arcana.fight.tasks import Focus, Task
from app.rulesets.arcana.rules.book import SPELLS, STATUSES, Forbids, Spell, Weapon
from app.rulesets.arcana.rules.grid import Cell, behind, between, sides
from app.rulesets.arcana.rules.objects import Object
from app.rulesets.arcana.rules.rulings import Cover, Edge, Question, Ruling
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.rules.terrain import Sight, Zone, hazy, percent, stops, thickest
from app.rulesets.arcana.sheet.accuracy import Guard
from app.rulesets.arcana.sheet.body import Body
from app.rulesets.arcana.sheet.foes import FOES, Foe

Habit = Literal["nearest", "guard", "flee", "hold"]
Stage = Literal[
    "setting", "plan", "rule", "steps", "considered", "transport", "collide", "match", "counter", "countered",
    "interrupts", "launch", "land", "resist", "round", "end", "next", "over",
]  # fmt: skip
"""The stages of a cycle in order (ledger 1.4). Those that wait for answers are setting, plan, rule, collide, counter,
countered, resist and next."""

Stat = Literal[
    "block", "dodge", "max_hp", "speed_proficiency", "ATH", "FIN", "SPR", "CHR", "INT", "PER", "POW", "EVL", "shield",
    "brace", "evade", "mirror", "resistance", "hits", "misses", "extra_major", "foreseen", "field",
]  # fmt: skip
"""The loans of spells: bonuses, shield points, stances, a field, a bent next attack, an extra major."""

HEAVY = "heavy_mind"
HELD = ("trapped", "bound", "hoisted")  # held, but not helpless (ARC-79)
FRESH, HURT, HALF, DOWN, DEAD = "fresh", "hurt", "below half", "down", "dead"


@dataclass(slots=True)
class Held:
    """A status and its cycles left; 0: until something ends it."""

    left: int
    since: int
    source: str = ""
    value: int = 0
    by: str = ""  # who caused it
    tied: bool = False  # the arms are tied, too
    shake: Literal["", "major", "end"] = ""  # how the Resist may be repeated


THIS_CYCLE = -1


@dataclass(slots=True)
class Loan:
    """A bonus, shield points or another effect lent by a spell; `left` cycles, 0: until something ends it."""

    stat: Stat
    amount: int
    left: int
    since: int
    source: str
    by: str = ""  # who lent it
    vs: Literal["all", "magic"] = "all"
    front: bool = False  # helps only against attacks from the front half
    overflow: Literal["through", "half", "lost"] = "through"
    type: str = ""  # the resisted damage type, or what a field stops
    after: str = ""  # the status that follows when it ends
    most: int = 0  # its initial points
    once: bool = False  # the first thing it meets uses it up


@dataclass(slots=True)
class Lying:
    """Something on the ground."""

    what: str
    at: Cell
    weapon: Weapon | None  # None: another carried item
    by: str = ""  # who put it down on purpose
    secret: bool = False  # that combatant was hidden


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
    noticed_by: Keys = frozenset()
    discovered: bool = False  # hidden, and aware of being discovered (ARC-33)
    stealth: int = 0
    stole: int = 0  # the cycle of the last stealth die (ARC-99)
    quiet: int = 0  # times hurt in hiding this cycle (ARC-104)
    on_mark: bool = False  # the last blind strike hit (ARC-90)
    turn: Turn = HOLD  # as revealed in this cycle, with its seat's secrets
    last: Turn = HOLD  # of the latest cycle with an action; reactions of the last one
    said: tuple[int, ...] = ()  # the numbers of the events that revealed it
    exposed: bool = False  # has come out of cover in this cycle
    out: bool = False  # has not gone back into it since, in a later cycle (ARC-61)
    resists: int = 0  # tried this cycle (ARC-126)
    paid: bool = False  # FP were deducted this cycle (ARC-139)
    search: int = 0
    went: tuple[tuple[Cell, Cell], ...] = ()  # its own movements of this cycle, as start and end
    came: Cell | None = None  # the start of this cycle's movement; None: has not moved
    hands: tuple[str, str] | None = None  # dominant and other; None: the initial ones
    slung: str = ""  # a shield that is not in hand
    items: dict[str, int] = field(default_factory=dict)  # carried draughts and other things (ARC-171)
    poison: int = 0  # HP lost to poison in this fight (ARC-171)
    traded: bool = False  # carried things have changed hands
    character: str = ""  # the id of the campaign's character, whose sheet changes
    habit: Habit = "nearest"
    guards: str = ""  # the combatant whom a guard protects
    foe: str = ""  # the key of its row, "" for a character
    focus: Focus | None = None  # a Focus that is up (ARC-157)
    task: Task | None = None  # consecutive majors (ARC-27)
    dressed: bool = False  # has changed armour in this fight

    reels: str = ""  # confused: "fails", or the target its action turns on (ARC-145)
    surged: bool = False  # has used its surge (ARC-174)
    watched: tuple[str, ...] = ()  # foes who find no opening against this sentinel (ARC-109)
    watches: int = 0  # how many it may watch in this fight; 0: not yet rolled
    watching: int = 0  # how many it has watched
    struck_by: tuple[str, ...] = ()  # attackers of this cycle
    struck_back: bool = False  # has struck back at an attacker (ARC-174)
    tired: bool = False  # exhausted: prices are double in this cycle
    tires: bool = False  # will be tired in the next cycle

    def has(self, status: str) -> bool:
        return status in self.statuses

    def forbidden(self, what: Forbids | Literal["arms"]) -> bool:
        if not self.statuses:
            return False
        if what == "arms":
            return self.forbidden("major") or any(held.tied for held in self.statuses.values())
        return any(what in STATUSES[key].forbids or "everything" in STATUSES[key].forbids for key in self.statuses)

    @property
    def able(self) -> bool:
        """Whether it may declare anything (ARC-10)."""
        if self.dead or not self.statuses:
            return not self.dead
        return not any("everything" in STATUSES[key].forbids for key in self.statuses)

    @property
    def open_to_opportunity(self) -> bool:
        """Whether it is distracted: it holds a Focus, performs a ritual or reads from a book (ARC-108)."""
        return self.focus is not None or (self.task is not None and self.task.what in ("book", "ritual"))

    @property
    def still(self) -> bool:
        return self.dead or (bool(self.statuses) and any(STATUSES[key].still for key in self.statuses))

    @property
    def checks(self) -> int:
        """The addition of statuses to every check (ARC-146)."""
        return sum(STATUSES[key].checks for key in self.statuses)

    @property
    def looks(self) -> str:
        """Its apparent health, for those who do not see numbers (ledger 1.7)."""
        if self.dead:
            return DEAD
        if self.hp <= 0:
            return DOWN
        if self.hp >= self.body.hp_max:
            return FRESH
        return HURT if 2 * self.hp >= self.body.hp_max else HALF

    @property
    def down(self) -> bool:
        return bool(self.statuses) and any(self.has(key) for key in ("critical", "stable", "unconscious"))

    @property
    def stances(self) -> frozenset[str]:
        if self.reels:
            return frozenset()
        moved = self.came is not None and self.came != self.place and "moving_target" in self.body.skills
        taken = [one.do for one in self.turn.plain() if one.do in ("evade", "brace")]
        return frozenset([*taken, "evade"] if moved else taken)

    @property
    def own_hp_max(self) -> int:
        """Maximum HP without loans (ARC-141)."""
        return self.body.hp_max - sum(loan.amount for loan in self.loans if loan.stat == "max_hp")

    @property
    def armour_left(self) -> int:
        """The Block bonus left in its armour (ARC-170)."""
        return max(0, sum(one.block for one in self.body.worn) - self.armour_lost)

    @property
    def shakeable(self) -> list[str]:
        """Statuses that it may shake off by repeating a Resist as a major (ARC-10)."""
        return [key for key, held in self.statuses.items() if held.value and held.shake != "end" and key != HEAVY]

    @property
    def gives_in(self) -> bool:
        """Whether it lets every attack of this cycle through, to strike back (ARC-174)."""
        return self.turn.back is not None and "instinctive_retribution" in self.body.skills

    def helps(self, loan: Loan, magic: bool, origin: Cell | None) -> bool:
        """Whether a loan works against an attack from this place (ARC-55, ARC-164)."""
        facing = not loan.front or origin is None or not behind(origin, self.place, self.facing)
        return facing and (loan.vs == "all" or magic)

    def guard(self, magic: bool = False, origin: Cell | None = None) -> Guard:
        """Returns its defences against an attack by magic or not, from a place or from none in particular."""
        statuses, stances, block, dodge = self.statuses, self.stances, 0, 0
        for loan in [loan for loan in self.loans if self.helps(loan, magic, origin)]:
            if loan.stat in ("brace", "evade"):
                stances |= {loan.stat}
            block += loan.amount if loan.stat == "block" else 0
            dodge += loan.amount if loan.stat == "dodge" else 0
        return Guard(
            body=self.body,
            stances=stances,
            still=self.still,
            held=not statuses or not any(STATUSES[key].still and key not in HELD for key in statuses),
            bound="bound" in statuses,
            block=block,
            dodge=dodge,
            worn_less=self.armour_lost,
            fixed_block="block_fixed" in statuses,
            encumbered=self.encumbered,
            parries=not magic and bool(self.parries),
            slips="shadow_walker" in self.body.skills and any(one.do == "considered" for one in self._gone()),
        )

    def _gone(self) -> tuple[Action, ...]:
        """Unconditional actions, and the conditional ones once it has moved."""
        return self.turn.plain() if self.came is None else (*self.turn.plain(), *self.turn.guarded())

    @property
    def parries(self) -> str:
        """The weapon in hand with which it can parry; "": none. Needs proficiency (ARC-174)."""
        if "parry" not in self.body.skills:
            return ""
        held = self.hands if self.hands is not None else tuple(self.body.weapons)
        arms = {key: arm for key, arm in self.body.weapons.items() if key in held and arm.reach}
        ready = (key for key, arm in arms.items() if arm.group != "unarmed" and arm.group in self.body.proficient)
        return next(ready, "")

    @property
    def encumbered(self) -> bool:
        return self.has("encumbered") or not self.body.at_home_in_armour


@dataclass(slots=True)
class Clash:
    """A phase of movement that waits for the GM's ruling on bodies in one place (ARC-20)."""

    phase: str
    goals: dict[str, Cell]
    who: tuple[str, ...]


@dataclass(slots=True)
class State:
    settings: Settings
    fighters: dict[str, Fighter]  # by id, ascending: the only order that is not in the rules (ledger 1.1)
    cycle: int = 1
    stage: Stage = "plan"
    tries: int = 1  # how often the open step was asked
    amid: Stage | Literal[""] = ""  # the stage to resume after what lands before the launch
    halts: int = 0  # how often this cycle has paused for a Resist
    desk: int = 1
    spoilt: Keys = frozenset()  # seats who know of a hidden combatant that the GM changed during planning
    description: str = ""
    width: int = 0  # cells; 0: unlimited
    height: int = 0
    covers: dict[str, Cover] = field(default_factory=dict)  # "x,y" -> cover of this cell
    cover_sides: dict[str, tuple[Edge, ...]] = field(default_factory=dict)  # if it covers only from these sides
    zones: tuple[Zone, ...] = ()  # of terrain
    objects: dict[str, Object] = field(default_factory=dict)  # by key, in the GM's order
    unaware: Keys = frozenset()  # of the attackers, in the first cycle (ARC-11)
    hiders: Keys = frozenset()  # all who are hidden now
    questions: tuple[Question, ...] = ()
    rulings: dict[str, Ruling] = field(default_factory=dict)  # of this cycle, by question
    clash: Clash | None = None
    cards: dict[str, Verdict] = field(default_factory=dict)  # this cycle's if-thens, by owner
    rounds: tuple[tuple[str, ...], ...] = ()  # those that have not fired yet
    forestalling: Keys = frozenset()  # owners who tried to interrupt in this cycle (ARC-49)
    early: Keys = frozenset()  # owners whose interrupt was in time
    named: dict[str, str] = field(default_factory=dict)  # counterspells of this cycle; "": none
    outcomes: Keys = frozenset()  # of this cycle: "is_hit/ada", "falls/troll" (ARC-45)
    countering: Keys = frozenset()  # owners of counterspells that were cast
    air: list[Flight] = field(default_factory=list)  # not yet landed, in the order of landing
    later: list[Flight] = field(default_factory=list)  # they land in a later cycle (ARC-18)
    struck: dict[str, tuple[bool, bool, int]] = field(default_factory=dict)  # by label: hit, natural 20, event number
    blocked: Keys = frozenset()  # labels of attacks that Block stopped, or would have
    remains: list[Remain] = field(default_factory=list)  # in the order in which they came
    wards: list[Ward] = field(default_factory=list)  # in the order in which they came (ARC-160)
    warded: int = 0  # how many wards there have been
    lying: list[Lying] = field(default_factory=list)  # on the ground
    tried: dict[str, bool] = field(default_factory=dict)  # by label: whether its target tries to resist
    gone: dict[str, str] = field(default_factory=dict)  # names of those who left openly, by id
    over: bool = False
    winner: str = ""
    own_spells: dict[str, Spell] = field(default_factory=dict)  # the campaign's, as of the start of the fight
    own_foes: dict[str, Foe] = field(default_factory=dict)  # those that this fight names; for the GM only

    def spell(self, key: str) -> Spell | None:
        """Returns a spell of the book or of the campaign; None: unknown."""
        return SPELLS.get(key) or self.own_spells.get(key)

    @property
    def foes(self) -> dict[str, Foe]:
        """The rows from which the GM may bring in foes."""
        return {**FOES, **self.own_foes}

    def cover(self, who: str, origin: Cell | None = None) -> Cover:
        """Returns a combatant's cover, or its cover against an attack from a place (ARC-61, ARC-70)."""
        if not self.covers:
            return "none"
        one = self.fighters[who]
        cell = f"{one.place[0]},{one.place[1]}"
        only = self.cover_sides.get(cell)
        if one.exposed or one.out:
            return "none"
        if only and origin is not None and origin != one.place and not set(only) & set(sides(one.place, origin)):
            return "none"
        return self.covers.get(cell, "none")

    def place_of(self, target: str) -> Cell | None:
        """Returns the place of a combatant or an object; None: there is none of that id."""
        if target in self.fighters:
            return self.fighters[target].place
        return self.objects[target].at if target in self.objects else None

    def footing(self, place: Cell) -> int:
        """Returns the movement from a place, in percent (ARC-68)."""
        return percent(self.ground, place)

    @property
    def ground(self) -> tuple[Zone, ...]:
        """Terrain, if the setting is on."""
        return self.zones if self.settings.terrain == "on" else ()

    def passable(self, start: Cell, goal: Cell, *, climbs: bool = False) -> Cell:
        """Returns how far drops let a combatant go on the straight path (ARC-68)."""
        return stops(self.ground, start, goal, climbs=climbs)[0]

    def steep(self, start: Cell, goal: Cell) -> bool:
        """Whether the straight path needs climbing (ARC-68)."""
        return stops(self.ground, start, goal)[1]

    def on_ground(self, place: Cell) -> bool:
        """Whether a leap may end there: on the ground, and not in full cover."""
        x, y = place
        there = not (self.width and self.height) or (0 <= x < self.width and 0 <= y < self.height)
        return there and self.covers.get(f"{x},{y}") != "full"

    def walled(self, one: Cell, other: Cell) -> bool:
        """Whether full cover blocks the line between two places, which do not count themselves (ARC-62)."""
        if not self.covers or "full" not in self.covers.values():
            return False
        return any(all(self.covers.get(f"{x},{y}") == "full" for x, y in cells) for cells in between(one, other))

    def sheltered(self, who: str, origin: Cell) -> bool:
        """Whether full cover protects a combatant from a burst at a place (ARC-161)."""
        place = self.fighters[who].place
        return place != origin and (self.cover(who) == "full" or self.walled(origin, place))

    def enemies(self, who: str) -> list[str]:
        side = self.fighters[who].side
        return [key for key, one in self.fighters.items() if one.side != side]

    def murk(self, one: Cell, other: Cell) -> Sight:
        """Returns the thickest smoke, fog or darkness between two places (ARC-68, ARC-161)."""
        if not self.remains and not self.zones:
            return ""
        smoke = thickest(left.obscures for left in self.remains if left.obscures and left.between(one, other))
        return thickest((smoke, hazy(self.ground, one, other))) if self.ground else smoke

    def sightless(self, who: str, target: str) -> bool:
        """Whether a combatant cannot see another who does not hide, so it can only aim at a place (ARC-90)."""
        if who == target:
            return False
        other = self.fighters[target]
        return other.has("invisible") or self.cannot_see(who, other.place)

    def cannot_see(self, who: str, place: Cell) -> bool:
        """Whether a combatant cannot see a place: it is blinded, or it is too dark between."""
        one = self.fighters[who]
        return one.has("blinded") or self.murk(one.place, place) == "total"

    def unseen(self, who: str, by: str) -> bool:
        """Whether `who` is hidden from `by`. Allies know of one another; a marked combatant is not hidden from the one
        who marked it."""
        if who not in self.hiders or who == by:
            return False
        one, other = self.fighters[who], self.fighters.get(by)
        if one.has("marked") and one.statuses["marked"].by == by:
            return False
        return by not in one.noticed_by and (other is None or other.side != one.side)

    def knowing(self, who: str) -> tuple[str, ...]:
        """Returns the seats that know of a hidden combatant, sorted."""
        return tuple(sorted({one.seat for key, one in self.fighters.items() if not self.unseen(who, key)}))

    @property
    def standing(self) -> list[str]:
        """Sides with a combatant able to continue, sorted (ARC-01)."""
        return sorted({one.side for one in self.fighters.values() if not one.dead and not one.down})


STATE: TypeAdapter[State] = TypeAdapter(State)


def begin(
    fighters: dict[str, Fighter],
    settings: Settings | None = None,
    covers: dict[str, Cover] | None = None,
    unaware: Keys = frozenset(),
    cover_sides: dict[str, tuple[Edge, ...]] | None = None,
) -> State:
    """Returns a fight before its first cycle."""
    hiders = frozenset(key for key, one in fighters.items() if one.hidden)
    everybody = dict(sorted(fighters.items()))
    return State(
        settings or Settings(), everybody, covers=covers or {}, unaware=unaware, hiders=hiders,
        cover_sides=cover_sides or {},
    )  # fmt: skip
