"""The events of a hand-to-hand scene. All are public, except standing choices (`Stood`).

Events of a combat have its number, so that each combat has its own log; 0: of no combat.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from app.engine.chance import Roll
from app.engine.events import event, everyone
from app.engine.ruleset import Log, Viewer
from app.rulesets.chronicle.checks import Checked
from app.rulesets.chronicle.hand.actions import Skill
from app.rulesets.chronicle.hand.grid import Square
from app.rulesets.chronicle.hand.ratings import Rating
from app.rulesets.chronicle.hand.standing import Standing
from app.rulesets.chronicle.hand.state import Arm, Fighter, Move, Phase, Side, State, Why
from app.rulesets.chronicle.wounds import Wounds


def its_owner(event: Any, viewer: Viewer) -> bool:
    """For the seat that the event names, not even for GMs."""
    return event.seat in viewer.seats


@event("laid", seen=everyone)
class Laid:
    """The ground, and the first squares that the GM named (step B0)."""

    description: str
    width: int
    height: int
    blocked: tuple[Square, ...]
    places: tuple[tuple[str, Square], ...]
    gap: int = 3
    ambush: Literal["", "a", "b"] = ""


@event("readied", seen=everyone)
class Readied:
    """Locked choices and the item in each hand (step B1)."""

    who: str
    choices: tuple[tuple[str, Skill], ...]
    right: str
    left: str
    carried: tuple[str, ...]
    how: str


@event("stood", seen=its_owner)
class Stood:
    """A fighter's standing choices; only for the own seat."""

    who: str
    seat: str
    stand: Standing


@event("paired", seen=everyone)
class Paired:
    """Two fighters begin a combat (CHR-MUL-04)."""

    combat: int
    own: str
    other: str
    by: Side
    how: str


@event("joined", seen=everyone)
class Joined:
    """A fighter joins a combat (CHR-MUL-05, -14)."""

    who: str
    combat: int
    how: str


@event("waits", seen=everyone)
class Waits:
    """There is no room: a fighter waits for the next wave (CHR-MUL-02)."""

    who: str


@event("split", seen=everyone)
class Split:
    """A combat of two and more against many splits by position (CHR-MUL-10, -15): number, side A, side B."""

    combat: int
    into: tuple[tuple[int, tuple[str, ...], tuple[str, ...]], ...]


@event("placed", seen=everyone)
class Placed:
    """First squares (step B3)."""

    at: tuple[tuple[str, Square], ...]


@event("began", seen=everyone)
class Began:
    """A round begins; number 1 first."""

    round: int


@event("intended", seen=everyone)
class Intended:
    """The move that a fighter without a combat intends this round (step R1)."""

    who: str
    what: Literal["stay", "near", "ask"]
    how: str


@event("contest", seen=everyone)
class Contest:
    """A footwork contest, or its winner without dice if the other cannot take part (CHR-FTW-04, -14)."""

    combat: int
    who: str  # the roller
    other: str
    winner: str  # "": no one moves
    mine: Rating | None = None
    theirs: Rating | None = None
    check: Checked | None = None


@event("won", seen=everyone)
class Won:
    """The fighters who won all their footwork contests this round: they get contested squares (CHR-DEF-07)."""

    who: tuple[str, ...]


@event("stepped", seen=everyone)
class Stepped:
    """A fighter moves, or stays (`start` = `end`)."""

    combat: int
    who: str
    why: Why
    start: Square
    end: Square
    by: str  # who chose: the attacker chooses a Push
    how: str
    other: str = ""
    turn: bool = True  # removes the first of the list of moves


@event("ordered", seen=everyone)
class Ordered:
    """An order, now public (CHR-RND-06)."""

    combat: int
    who: str
    action: str
    target: str
    weapon: str
    grip: Literal["two", "one"]
    uses: Literal["", "left", "right"]
    release: tuple[str, ...]
    drop: tuple[Arm, ...]
    item: str
    into: Literal["", "left", "right"]
    surrender: bool
    how: str


@event("hands", seen=everyone)
class Hands:
    """The items in a fighter's hands now (CHR-ACT-34)."""

    who: str
    right: str
    left: str
    carried: tuple[str, ...]
    lost: tuple[str, ...]


@event("defended", seen=everyone)
class Defended:
    """The defence against one action (CHR-DEF-01); `again`: after another fighter got the square (CHR-DEF-07)."""

    combat: int
    who: str
    attacker: str
    defence: Literal["dodge", "parry", "strength", "mind", "none"]
    square: Square | None
    how: str
    again: bool = False


@event("contested", seen=everyone)
class Contested:
    """Several dodge to one square: `yields` have to choose another (CHR-DEF-07)."""

    square: Square
    keeps: str
    yields: tuple[str, ...]


@event("struck", seen=everyone)
class Struck:
    """An action is resolved: strong or weak (CHR-RND-17); without a check against the helpless (CHR-WND-12)."""

    combat: int
    who: str
    target: str
    action: str
    defence: str
    strong: bool
    mine: Rating | None
    theirs: Rating | None
    check: Checked | None


@event("broke", seen=everyone)
class Broke:
    """A check to break free (CHR-ACT-29, -30)."""

    combat: int
    who: str
    holder: str
    action: str
    mine: Rating
    theirs: Rating
    check: Checked


@event("wild", seen=everyone)
class Wild:
    """A strong Vicious Attack: one die for the severity, one for the part (CHR-ACT-07)."""

    combat: int
    who: str
    target: str
    severity: Literal["minors", "major"]
    part: str
    rolls: tuple[Roll, Roll]


@event("chosen", seen=everyone)
class Chosen:
    """A part of the body is named: protected, or hit (steps R9b, R9c)."""

    combat: int
    who: str  # who chose
    attacker: str
    target: str
    part: str  # "": no part is left (CHR-ACT-04)
    what: Literal["protect", "hit"]
    how: str


@event("wounded", seen=everyone)
class Wounded:
    """A wound, and all wounds afterwards."""

    combat: int
    who: str
    by: str
    part: str
    wound: Literal["minor", "major"]
    instead: str  # the part it was meant for, if that already had a Major wound (CHR-ACT-08)
    turned: bool  # the third Minor turned the first two into a Major (CHR-WND-02)
    after: Wounds
    roll: Roll | None = None


@event("condition", seen=everyone)
class Condition:
    """PRONE, HELD or TACKLED begins or ends."""

    combat: int
    who: str
    what: Literal["prone", "held", "tackled"]
    on: bool
    by: str = ""  # the holder of a grip, or who tripped
    arm: Literal["", "left", "right"] = ""
    why: str = ""


@event("penalised", seen=everyone)
class Penalised:
    """A penalty for the next two rounds (CHR-RND-11); `on` empty: all defences."""

    combat: int
    who: str
    action: str
    on: tuple[Skill, ...]
    amount: int
    last: int  # the last round in which it counts


@event("expired", seen=everyone)
class Expired:
    """The penalties inflicted in that round are over."""

    who: str
    since: int


@event("weakened", seen=everyone)
class Weakened:
    """CHR-DEF-14."""

    who: str
    after: int


@event("refused", seen=everyone)
class Refused:
    """An enemy refuses a surrender (CHR-ACT-36)."""

    combat: int
    who: str
    by: str
    how: str


@event("gone", seen=everyone)
class Gone:
    """A fighter is out of the scene."""

    combat: int
    who: str
    why: Literal["dead", "fled", "surrendered", "left", "out"]
    by: str = ""
    reason: str = ""


@event("combat-over", seen=everyone)
class CombatOver:
    """A side of a combat no longer defends, or no one in it can act (CHR-MUL-09)."""

    combat: int
    winner: Literal["", "a", "b"]


@event("turned-away", seen=everyone)
class TurnedAway:
    """A fighter leaves a combat with enemies who are down (CHR-MUL-09)."""

    combat: int
    who: str
    how: str


@event("stage", seen=everyone)
class Stage:
    """The next phase, and its list of moves or of fighters who choose again."""

    phase: Phase
    work: tuple[Move, ...] = ()
    contested: tuple[str, ...] = ()
    first: Literal["", "a", "b"] = ""  # the side that names the first pair (CHR-MUL-03)


@event("round-over", seen=everyone)
class RoundOver:
    """The round is over; `on`: another follows, else the scene ends (step R11)."""

    round: int
    on: bool
    winner: Literal["", "a", "b"]
    words: str = ""


@event("entered", seen=everyone)
class Entered:
    """A newcomer, without a combat yet."""

    fighter: Fighter
    reason: str = ""


@event("corrected", seen=everyone)
class Corrected:
    """A correction by the GM, public."""

    who: str
    reason: str
    at: Square | None = None
    prone: bool | None = None
    weakening: int | None = None
    wounds: Wounds | None = None


@event("desk", seen=everyone)
class Desk:
    """An act of the GM is done; open asks are asked again."""


Event = Annotated[
    Laid | Readied | Stood | Paired | Joined | Waits | Split | Placed | Began | Intended | Contest | Won | Stepped
    | Ordered | Hands | Defended | Contested | Struck | Broke | Wild | Chosen | Wounded | Condition | Penalised
    | Expired | Weakened | Refused | Gone | CombatOver | TurnedAway | Stage | RoundOver | Entered | Corrected | Desk,
    Field(discriminator="kind"),
]  # fmt: skip
EVENT: TypeAdapter[Event] = TypeAdapter(Event)

FightLog = Log[State, Event]
