"""The events of a hand-to-hand scene. All are public, except standing choices (`Stood`).

Events of a combat have its number, so that each combat has its own log; 0: of no combat.
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
    """The ground, and the first squares that the GM named (step B0)."""

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
    """Locked choices and the item in each hand (step B1)."""

    who: str
    choices: tuple[tuple[str, Skill], ...]
    right: str
    left: str
    carried: tuple[str, ...]
    how: str
    kind: Literal["readied"] = "readied"


@frozen()
class Stood:
    """A fighter's standing choices; only for the own seat."""

    who: str
    seat: str
    stand: Standing
    kind: Literal["stood"] = "stood"


@frozen()
class Paired:
    """Two fighters begin a combat (CHR-MUL-04)."""

    combat: int
    own: str
    other: str
    by: Side
    how: str
    kind: Literal["paired"] = "paired"


@frozen()
class Joined:
    """A fighter joins a combat (CHR-MUL-05, -14)."""

    who: str
    combat: int
    how: str
    kind: Literal["joined"] = "joined"


@frozen()
class Waits:
    """There is no room: a fighter waits for the next wave (CHR-MUL-02)."""

    who: str
    kind: Literal["waits"] = "waits"


@frozen()
class Split:
    """A combat of two and more against many splits by position (CHR-MUL-10, -15): number, side A, side B."""

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
    """The move that a fighter without a combat intends this round (step R1)."""

    who: str
    what: Literal["stay", "near", "ask"]
    how: str
    kind: Literal["intended"] = "intended"


@frozen()
class Contest:
    """A footwork contest, or its winner without dice if the other cannot take part (CHR-FTW-04, -14)."""

    combat: int
    who: str  # the roller
    other: str
    winner: str  # "": no one moves
    mine: Rating | None = None
    theirs: Rating | None = None
    check: Checked | None = None
    kind: Literal["contest"] = "contest"


@frozen()
class Won:
    """The fighters who won all their footwork contests this round: they get contested squares (CHR-DEF-07)."""

    who: tuple[str, ...]
    kind: Literal["won"] = "won"


@frozen()
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
    kind: Literal["stepped"] = "stepped"


@frozen()
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
    kind: Literal["ordered"] = "ordered"


@frozen()
class Hands:
    """The items in a fighter's hands now (CHR-ACT-34)."""

    who: str
    right: str
    left: str
    carried: tuple[str, ...]
    lost: tuple[str, ...]
    kind: Literal["hands"] = "hands"


@frozen()
class Defended:
    """The defence against one action (CHR-DEF-01); `again`: after another fighter got the square (CHR-DEF-07)."""

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
    """Several dodge to one square: `yields` have to choose another (CHR-DEF-07)."""

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
    """A strong Vicious Attack: one die for the severity, one for the part (CHR-ACT-07)."""

    combat: int
    who: str
    target: str
    severity: Literal["minors", "major"]
    part: str
    rolls: tuple[Roll, Roll]
    kind: Literal["wild"] = "wild"


@frozen()
class Chosen:
    """A part of the body is named: protected, or hit (steps R9b, R9c)."""

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
    kind: Literal["wounded"] = "wounded"


@frozen()
class Condition:
    """PRONE, HELD or TACKLED begins or ends."""

    combat: int
    who: str
    what: Literal["prone", "held", "tackled"]
    on: bool
    by: str = ""  # the holder of a grip, or who tripped
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
    """The penalties inflicted in that round are over."""

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
    """An enemy refuses a surrender (CHR-ACT-36)."""

    combat: int
    who: str
    by: str
    how: str
    kind: Literal["refused"] = "refused"


@frozen()
class Gone:
    """A fighter is out of the scene."""

    combat: int
    who: str
    why: Literal["dead", "fled", "surrendered", "left", "out"]
    by: str = ""
    reason: str = ""
    kind: Literal["gone"] = "gone"


@frozen()
class CombatOver:
    """A side of a combat no longer defends, or no one in it can act (CHR-MUL-09)."""

    combat: int
    winner: Literal["", "a", "b"]
    kind: Literal["combat-over"] = "combat-over"


@frozen()
class TurnedAway:
    """A fighter leaves a combat with enemies who are down (CHR-MUL-09)."""

    combat: int
    who: str
    how: str
    kind: Literal["turned-away"] = "turned-away"


@frozen()
class Stage:
    """The next phase, and its list of moves or of fighters who choose again."""

    phase: Phase
    work: tuple[Move, ...] = ()
    contested: tuple[str, ...] = ()
    first: Literal["", "a", "b"] = ""  # the side that names the first pair (CHR-MUL-03)
    kind: Literal["stage"] = "stage"


@frozen()
class RoundOver:
    """The round is over; `on`: another follows, else the scene ends (step R11)."""

    round: int
    on: bool
    winner: Literal["", "a", "b"]
    words: str = ""
    kind: Literal["round-over"] = "round-over"


@frozen()
class Entered:
    """A newcomer, without a combat yet."""

    fighter: Fighter
    reason: str = ""
    kind: Literal["entered"] = "entered"


@frozen()
class Corrected:
    """A correction by the GM, public."""

    who: str
    reason: str
    at: Square | None = None
    prone: bool | None = None
    weakening: int | None = None
    wounds: Wounds | None = None
    kind: Literal["corrected"] = "corrected"


@frozen()
class Desk:
    """An act of the GM is done; open asks are asked again."""

    kind: Literal["desk"] = "desk"


Event = Annotated[
    Laid | Readied | Stood | Paired | Joined | Waits | Split | Placed | Began | Intended | Contest | Won | Stepped
    | Ordered | Hands | Defended | Contested | Struck | Broke | Wild | Chosen | Wounded | Condition | Penalised
    | Expired | Weakened | Refused | Gone | CombatOver | TurnedAway | Stage | RoundOver | Entered | Corrected | Desk,
    Field(discriminator="kind"),
]  # fmt: skip
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
