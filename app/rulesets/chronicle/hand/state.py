"""The state of a fight: the public part (`Fight`), and the standing choices, which only their owners may see."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.rulesets.chronicle.arms import HANDS, SHIELD, WEAPONS, Armour, Weapon
from app.rulesets.chronicle.hand.actions import LASTS, Defence, Skill
from app.rulesets.chronicle.hand.grid import Ground, Square, distance
from app.rulesets.chronicle.hand.settings import HandSettings
from app.rulesets.chronicle.hand.standing import USUAL, Standing
from app.rulesets.chronicle.wounds import Wounds

Phase = Literal[
    "setting", "ready", "pair", "join", "foot", "free", "act", "defend", "dodge", "move", "protect", "pick", "mercy",
    "next", "over",
]  # fmt: skip
Side = Literal["a", "b"]
Arm = Literal["left", "right"]
Why = Literal["foot", "free", "dodge", "push", "follow", "approach", "grapple", "desk"]
OTHER: dict[Side, Side] = {"a": "b", "b": "a"}
Counts = Annotated[list[str], Field(exclude_if=lambda counts: not counts)]  # earlier logs stay the same to the byte


@dataclass(slots=True)
class Penalty:
    """A penalty of an action, in force in the two rounds after the one in which it was inflicted (CHR-RND-11)."""

    action: str
    on: tuple[Skill, ...]  # (): on all defences of its bearer (CHR-DEF-13)
    amount: int
    since: int  # the round in which it was inflicted

    def active(self, now: int) -> bool:
        return self.since < now <= self.since + LASTS


@dataclass(slots=True)
class Grip:
    """A fighter keeps another HELD or TACKLED with one hand (CHR-CND)."""

    holder: str
    victim: str
    kind: Literal["held", "tackled"]
    arm: Arm


@dataclass(slots=True)
class Fighter:
    key: str
    name: str
    side: Side
    seat: str
    skills: dict[Skill, int]
    choices: dict[str, Skill]  # locked before the fight (CHR-RND-03)
    wounds: Wounds
    armour: Armour
    carried: list[str]  # at the belt and on the back, not in the hands
    right: str = ""
    left: str = ""
    x: int = 0
    y: int = 0
    character: str = ""  # the character whose sheet gets the wounds
    combat: int = 0  # 0: none
    prone: bool = False
    weakening: int = 0  # CHR-DEF-16
    penalties: list[Penalty] = field(default_factory=list)
    uses: Literal["", "left", "right"] = ""  # the hand whose weapon counts this round; "": the first ready one
    grip: Literal["two", "one"] = "two"  # of a two-handed weapon, as long as both hands are free for it (CHR-EQP-09)
    gone: Literal["", "dead", "fled", "surrendered", "left", "out"] = ""
    lost: list[str] = field(default_factory=list)  # items dropped on the way
    lines: list[str] = field(default_factory=list)  # weapons as the sheet spells them
    counts: Counts = field(default_factory=list)  # the row of each, if the words alone do not determine it

    @property
    def at(self) -> Square:
        return self.x, self.y

    @property
    def here(self) -> bool:
        """Whether the fighter is still on the ground, able or not."""
        return not self.gone

    def holds(self, arm: Arm) -> str:
        return self.left if arm == "left" else self.right

    def arm_able(self, arm: Arm) -> bool:
        """CHR-WND-04."""
        return not (self.wounds.left_arm if arm == "left" else self.wounds.right_arm).major


@dataclass(slots=True)
class Combat:
    """One against one to four; a combat that is over is removed from the list (CHR-MUL-01)."""

    number: int
    a: list[str]
    b: list[str]

    def of(self, side: Side) -> list[str]:
        return self.a if side == "a" else self.b

    @property
    def everybody(self) -> list[str]:
        return [*self.a, *self.b]


@dataclass(slots=True)
class Order:
    """A fighter's action this round, and its results so far."""

    who: str
    action: str
    target: str
    number: int  # of the event that opened it
    release: tuple[str, ...] = ()
    item: str = ""
    into: Literal["", "left", "right"] = ""
    surrender: bool = False
    defence: Defence | Literal[""] = ""
    square: Square | None = None  # the target's square of a Dodge
    strong: bool | None = None
    cause: int = 0  # the number of the latest event that decided it
    protect: str = ""
    part: str = ""
    severity: Literal["", "minors", "major"] = ""  # of a strong Vicious Attack
    refused: bool = False  # the surrender


@dataclass(slots=True)
class Move:
    """A move to make: between `low` and `high` squares, for one reason."""

    who: str
    why: Why
    low: int
    high: int
    other: str = ""
    won: bool = False  # footwork: moves as a winner, towards the own weapon's distance


@dataclass(slots=True)
class Fight:
    """The public part of the state (CHR-FLO-09)."""

    settings: HandSettings
    description: str
    fighters: dict[str, Fighter]  # in combatant order: side A by roster, then side B
    places: dict[str, Square] = field(default_factory=dict)  # first squares that the GM has named
    width: int = 0
    height: int = 0
    blocked: list[Square] = field(default_factory=list)
    gap: int = 3  # the first fight distance (CHR-MUL-07); an ambusher chooses it (CHR-TRV-21)
    ambush: Literal["", "a", "b"] = ""  # the side that lay in wait
    phase: Phase = "setting"
    round: int = 0
    turn: int = 1  # the number of the step among those taken in turn
    tries: int = 1  # how often this step was asked
    desk: int = 1
    combats: list[Combat] = field(default_factory=list)
    combats_ever: int = 0
    waiting: list[str] = field(default_factory=list)  # surplus fighters who come as a wave (CHR-MUL-02)
    first: Side = "a"  # the side that names the first pair (CHR-MUL-03)
    grips: list[Grip] = field(default_factory=list)
    orders: dict[str, Order] = field(default_factory=dict)
    work: list[Move] = field(default_factory=list)
    contested: list[str] = field(default_factory=list)  # fighters who lost a square to another dodger and choose again
    won: dict[str, bool] = field(default_factory=dict)  # who won all their footwork contests this round
    contests: dict[str, int] = field(default_factory=dict)  # fighter -> the event that decided their footwork last
    intents: dict[str, str] = field(default_factory=dict)  # the moves of fighters without a combat this round
    winner: str = ""
    why: str = ""

    def __getitem__(self, key: str) -> Fighter:
        return self.fighters[key]

    @property
    def ground(self) -> Ground:
        taken = {(one.x, one.y) for one in self.fighters.values() if not one.gone}
        return Ground(self.width, self.height, frozenset(self.blocked), taken)

    def side(self, side: Side) -> Iterator[Fighter]:
        return (one for one in self.fighters.values() if one.side == side and one.here)

    def combat(self, key: str) -> Combat | None:
        """The combat of a fighter; None for free ones."""
        number = self.fighters[key].combat
        for one in self.combats:
            if one.number == number:
                return one
        return None

    def foes(self, key: str) -> list[Fighter]:
        """Enemies in the same combat who are still there, in combatant order."""
        combat = self.combat(key)
        if combat is None:
            return []
        enemies = combat.b if self.fighters[key].side == "a" else combat.a
        return [foe for foe in map(self.fighters.__getitem__, enemies) if not foe.gone]

    def alone(self, key: str) -> bool:
        """Whether a fighter faces several able enemies (CHR-MUL-16, CHR-MUL-17)."""
        return sum(self.able(foe.key) for foe in self.foes(key)) > 1

    def distance(self, one: str, other: str) -> int:
        """The fight distance of a pair; every pair has its own (CHR-FTW-13)."""
        a, b = self.fighters[one], self.fighters[other]
        return distance((a.x, a.y), (b.x, b.y))

    def grips_on(self, victim: str) -> list[Grip]:
        return [grip for grip in self.grips if grip.victim == victim]

    def grips_by(self, holder: str) -> list[Grip]:
        return [grip for grip in self.grips if grip.holder == holder]

    def held(self, key: str) -> bool:
        return bool(self.grips) and any(grip.victim == key and grip.kind == "held" for grip in self.grips)

    def tackled(self, key: str) -> bool:
        return bool(self.grips) and any(grip.victim == key and grip.kind == "tackled" for grip in self.grips)

    def lamed(self, key: str) -> bool:
        """Whether PRONE until a wound heals: a leg's Major, or the body's (CHR-WND-05, CHR-WND-11)."""
        wounds = self.fighters[key].wounds
        body = wounds.body.major and self.settings.wounds_body_major != "none"
        return wounds.left_leg.major or wounds.right_leg.major or body

    def prone(self, key: str) -> bool:
        return self.fighters[key].prone or self.lamed(key)

    def down(self, key: str) -> bool:
        """Whether the body has a Major: no actions, but still Parry, Strength and Fighting Mind (CHR-WND-11)."""
        return self.fighters[key].wounds.body.major and self.settings.wounds_body_major == "down"

    def helpless(self, key: str) -> bool:
        """Whether the head has a Major: neither action nor defence (CHR-WND-08, CHR-WND-12)."""
        return self.fighters[key].wounds.head.major

    def defends(self, key: str) -> bool:
        """Whether a fighter still defends, able or down: a combat continues for them (CHR-WND-11, CHR-MUL-09)."""
        return not self.fighters[key].gone and not self.helpless(key)

    def able(self, key: str) -> bool:
        """Whether a fighter can still act (CHR-MUL-20)."""
        return not self.fighters[key].gone and not self.helpless(key) and not self.down(key)

    def can_move(self, key: str) -> bool:
        """CHR-CND-01, -02, -04: also whether a fighter takes part in a footwork contest."""
        return self.able(key) and not self.prone(key) and not (self.grips and self.grips_on(key))

    def busy(self, key: str, arm: Arm) -> bool:
        """Whether that hand holds a victim by Hold or Tackle (CHR-ACT-32)."""
        return bool(self.grips) and any(grip.holder == key and grip.arm == arm for grip in self.grips)

    def free_hand(self, key: str) -> Arm | None:
        """An arm that is not useless and holds neither a victim nor an item; left before right (CHR-ACT-32)."""
        one = self.fighters[key]
        for arm in ARMS:
            if one.arm_able(arm) and not one.holds(arm) and not self.busy(key, arm) and not self._on_it(one, arm):
                return arm
        return None

    def _on_it(self, one: Fighter, arm: Arm) -> bool:
        """Whether that empty hand is on a two-handed weapon."""
        return self.two_hands(one.key) and one.holds(arm) == ""

    def weapon_arm(self, key: str) -> Arm | None:
        """The hand whose weapon counts. If its arm is useless, a two-handed weapon goes to the other (CHR-WND-13)."""
        one = self.fighters[key]
        for arm in _first(one.uses):
            weapon = WEAPONS.get(one.holds(arm))
            if weapon and not self.busy(key, arm) and (one.arm_able(arm) or self._other_takes_it(one, arm, weapon)):
                return arm
        return None

    def _other_takes_it(self, one: Fighter, arm: Arm, weapon: Weapon) -> bool:
        other = OTHER_ARM[arm]
        return weapon.hands == 2 and one.arm_able(other) and not one.holds(other) and not self.busy(one.key, other)

    def weapon(self, key: str) -> Weapon:
        """The weapon a fighter uses now; bare hands if there is nothing else (CHR-EQP-10)."""
        arm = self.weapon_arm(key)
        return WEAPONS[self.fighters[key].holds(arm)] if arm else HANDS

    def two_hands(self, key: str) -> bool:
        """Whether both hands are on the weapon."""
        arm, one = self.weapon_arm(key), self.fighters[key]
        if arm is None or WEAPONS[one.holds(arm)].hands != 2 or one.grip == "one":
            return False
        other = OTHER_ARM[arm]
        return one.arm_able(arm) and one.arm_able(other) and not one.holds(other) and not self.busy(key, other)

    def one_handed(self, key: str) -> bool:
        """Whether a two-handed weapon is in one hand: −2 on everything (CHR-EQP-02)."""
        return self.weapon(key).hands == 2 and not self.two_hands(key)

    def shield(self, key: str) -> bool:
        """Whether a shield is ready: in a hand whose arm is sound and not busy (CHR-DEF-11)."""
        one = self.fighters[key]
        return any(one.holds(arm) == SHIELD and one.arm_able(arm) and not self.busy(key, arm) for arm in ARMS)

    def armless(self, key: str) -> bool:
        """Whether both arms are useless (CHR-WND-13)."""
        return not any(self.fighters[key].arm_able(arm) for arm in ARMS)

    def empty_handed(self, key: str) -> bool:
        """Whether there is no weapon and no free arm: no attack of any kind."""
        return self.weapon(key) is HANDS and not any(
            self.fighters[key].arm_able(arm) and not self.busy(key, arm) for arm in ARMS
        )


ARMS: tuple[Arm, Arm] = ("left", "right")
OTHER_ARM: dict[Arm, Arm] = {"left": "right", "right": "left"}


def _first(uses: Literal["", "left", "right"]) -> tuple[Arm, ...]:
    return ("left", "right") if uses == "left" else ("right", "left")


@dataclass(slots=True)
class State:
    """The fight, and its hidden part: every fighter's standing choices, for the own seat only."""

    fight: Fight
    standing: dict[str, Standing] = field(default_factory=dict)

    def stands(self, key: str) -> Standing:
        return self.standing.get(key, USUAL)


STATE: TypeAdapter[State] = TypeAdapter(State)
