"""What can happen in a hand-to-hand scene. All of it is seen by all, except standing choices (`Stood`).

Events that belong to a combat carry its number, so that each combat has a log of its own; 0: of nobody in particular.
"""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.engine.chance import Roll
from app.engine.frozen import frozen
from app.rulesets.chronicle.checks import Checked
from app.rulesets.chronicle.hand.actions import Skill
from app.rulesets.chronicle.hand.grid import Square
from app.rulesets.chronicle.hand.ratings import Rating
from app.rulesets.chronicle.hand.standing import Standing
from app.rulesets.chronicle.hand.state import Arm, Fighter, Move, Phase, Side, Why
from app.rulesets.chronicle.wounds import Wounds


@frozen()
class Laid:
    """The ground, and first squares that the GM named (step B0)."""

    description: str
    width: int
    height: int
    blocked: tuple[Square, ...]
    places: tuple[tuple[str, Square], ...]
    gap: int = 3
    ambush: Literal["", "a", "b"] = ""
    kind: Literal["laid"] = "laid"


@frozen()
class Readied:
    """Locked choices and what is in each hand (step B1)."""

    who: str
    choices: tuple[tuple[str, Skill], ...]
    right: str
    left: str
    carried: tuple[str, ...]
    how: str
    kind: Literal["readied"] = "readied"


@frozen()
class Stood:
    """Somebody's standing choices: seen by the own seat alone."""

    who: str
    seat: str
    stand: Standing
    kind: Literal["stood"] = "stood"


@frozen()
class Paired:
    """Two people begin a combat (CHR-MUL-04)."""

    combat: int
    own: str
    other: str
    by: Side
    how: str
    kind: Literal["paired"] = "paired"


@frozen()
class Joined:
    """Somebody comes into a combat (CHR-MUL-05, -14)."""

    who: str
    combat: int
    how: str
    kind: Literal["joined"] = "joined"


@frozen()
class Waits:
    """There is no room: somebody waits for the next wave (CHR-MUL-02)."""

    who: str
    kind: Literal["waits"] = "waits"


@frozen()
class Split:
    """A combat of two and more against many falls apart by position (CHR-MUL-10, -15): number, side A, side B."""

    combat: int
    into: tuple[tuple[int, tuple[str, ...], tuple[str, ...]], ...]
    kind: Literal["split"] = "split"


@frozen()
class Placed:
    """First squares (step B3)."""

    at: tuple[tuple[str, Square], ...]
    kind: Literal["placed"] = "placed"


@frozen()
class Began:
    """A round begins; number 1 first."""

    round: int
    kind: Literal["began"] = "began"


@frozen()
class Intended:
    """What somebody without a combat means to do this round (step R1)."""

    who: str
    what: Literal["stay", "near", "ask"]
    how: str
    kind: Literal["intended"] = "intended"


@frozen()
class Contest:
    """A footwork contest, or who wins without dice because the other cannot take part (CHR-FTW-04, -14)."""

    combat: int
    who: str  # the roller
    other: str
    winner: str  # "": nobody moves
    mine: Rating | None = None
    theirs: Rating | None = None
    check: Checked | None = None
    kind: Literal["contest"] = "contest"


@frozen()
class Won:
    """Who has won every footwork contest of this round: first at a contested square (CHR-DEF-07)."""

    who: tuple[str, ...]
    kind: Literal["won"] = "won"


@frozen()
class Stepped:
    """Somebody whose turn it was moves, or stays (`start` = `end`)."""

    combat: int
    who: str
    why: Why
    start: Square
    end: Square
    by: str  # who chose: a Push is chosen by the attacker
    how: str
    other: str = ""
    turn: bool = True  # takes the first off the list of moves
    kind: Literal["stepped"] = "stepped"


@frozen()
class Ordered:
    """An order, open to all (CHR-RND-06)."""

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
    kind: Literal["ordered"] = "ordered"


@frozen()
class Hands:
    """What somebody's hands hold now (CHR-ACT-34)."""

    who: str
    right: str
    left: str
    carried: tuple[str, ...]
    lost: tuple[str, ...]
    kind: Literal["hands"] = "hands"


@frozen()
class Defended:
    """How somebody meets one action (CHR-DEF-01); `again`: after another took the square (CHR-DEF-07)."""

    combat: int
    who: str
    attacker: str
    defence: Literal["dodge", "parry", "strength", "mind", "none"]
    square: Square | None
    how: str
    again: bool = False
    kind: Literal["defended"] = "defended"


@frozen()
class Contested:
    """Two dodge to one square: these have to look for another (CHR-DEF-07)."""

    square: Square
    keeps: str
    yields: tuple[str, ...]
    kind: Literal["contested"] = "contested"


@frozen()
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
    kind: Literal["struck"] = "struck"


@frozen()
class Broke:
    """A check to break free (CHR-ACT-29, -30)."""

    combat: int
    who: str
    holder: str
    action: str
    mine: Rating
    theirs: Rating
    check: Checked
    kind: Literal["broke"] = "broke"


@frozen()
class Wild:
    """Where a strong Vicious Attack goes: one die for how bad, one for the part (CHR-ACT-07)."""

    combat: int
    who: str
    target: str
    severity: Literal["minors", "major"]
    part: str
    rolls: tuple[Roll, Roll]
    kind: Literal["wild"] = "wild"


@frozen()
class Chosen:
    """A part of the body named: protected, or hit (steps R9b, R9c)."""

    combat: int
    who: str  # who chose
    attacker: str
    target: str
    part: str  # "": no part is left (CHR-ACT-04)
    what: Literal["protect", "hit"]
    how: str
    kind: Literal["chosen"] = "chosen"


@frozen()
class Wounded:
    """A wound, and how the part stands afterwards."""

    combat: int
    who: str
    by: str
    part: str
    wound: Literal["minor", "major"]
    instead: str  # the part it was meant for, if that had a Major wound already (CHR-ACT-08)
    turned: bool  # the third Minor turned the first two into a Major (CHR-WND-02)
    after: Wounds
    roll: Roll | None = None
    kind: Literal["wounded"] = "wounded"


@frozen()
class Condition:
    """PRONE, HELD or TACKLED begins or ends."""

    combat: int
    who: str
    what: Literal["prone", "held", "tackled"]
    on: bool
    by: str = ""  # holder of a grip, or who tripped
    arm: Literal["", "left", "right"] = ""
    why: str = ""
    kind: Literal["condition"] = "condition"


@frozen()
class Penalised:
    """A penalty for the next two rounds (CHR-RND-11); `on` empty: all defences."""

    combat: int
    who: str
    action: str
    on: tuple[Skill, ...]
    amount: int
    last: int  # the last round in which it counts
    kind: Literal["penalised"] = "penalised"


@frozen()
class Expired:
    """Penalties of that round are over."""

    who: str
    since: int
    kind: Literal["expired"] = "expired"


@frozen()
class Weakened:
    """CHR-DEF-14."""

    who: str
    after: int
    kind: Literal["weakened"] = "weakened"


@frozen()
class Refused:
    """An enemy does not take a surrender (CHR-ACT-36)."""

    combat: int
    who: str
    by: str
    how: str
    kind: Literal["refused"] = "refused"


@frozen()
class Gone:
    """Somebody is out of the scene."""

    combat: int
    who: str
    why: Literal["dead", "fled", "surrendered", "left", "out"]
    by: str = ""
    reason: str = ""
    kind: Literal["gone"] = "gone"


@frozen()
class CombatOver:
    """One side of a combat has nobody left who defends, or nobody in it can act (CHR-MUL-09)."""

    combat: int
    winner: Literal["", "a", "b"]
    kind: Literal["combat-over"] = "combat-over"


@frozen()
class TurnedAway:
    """Whoever is left in a combat with people who are down goes from them (CHR-MUL-09)."""

    combat: int
    who: str
    how: str
    kind: Literal["turned-away"] = "turned-away"


@frozen()
class Stage:
    """What comes next, and whose turn it is there."""

    phase: Phase
    work: tuple[Move, ...] = ()
    contested: tuple[str, ...] = ()
    first: Literal["", "a", "b"] = ""  # who names the first pair (CHR-MUL-03)
    kind: Literal["stage"] = "stage"


@frozen()
class RoundOver:
    """The round is closed; `on`: another follows, else the scene ends (step R11)."""

    round: int
    on: bool
    winner: Literal["", "a", "b"]
    words: str = ""
    kind: Literal["round-over"] = "round-over"


@frozen()
class Entered:
    """Somebody new comes in, without a combat yet."""

    fighter: Fighter
    reason: str = ""
    kind: Literal["entered"] = "entered"


@frozen()
class Corrected:
    """The GM set something right, for all to read."""

    who: str
    reason: str
    at: Square | None = None
    prone: bool | None = None
    weakening: int | None = None
    wounds: Wounds | None = None
    kind: Literal["corrected"] = "corrected"


@frozen()
class Desk:
    """An act at the GM's desk is done; what is open is asked anew."""

    kind: Literal["desk"] = "desk"


Event = Annotated[
    Laid | Readied | Stood | Paired | Joined | Waits | Split | Placed | Began | Intended | Contest | Won | Stepped
    | Ordered | Hands | Defended | Contested | Struck | Broke | Wild | Chosen | Wounded | Condition | Penalised
    | Expired | Weakened | Refused | Gone | CombatOver | TurnedAway | Stage | RoundOver | Entered | Corrected | Desk,
    Field(discriminator="kind"),
]  # fmt: skip
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
