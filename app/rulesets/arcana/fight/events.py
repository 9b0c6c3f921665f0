"""What can happen in a turn cycle; each event says all that its line in the log needs. Lengths are cm.

`to` names the seats that may know of an event; None: everybody. phases/visibility.py fills it in.
"""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.engine.chance import Roll
from app.engine.frozen import frozen
from app.engine.ifthen import Verdict
from app.rulesets.arcana.fight.declarations import React, Turn
from app.rulesets.arcana.fight.flight import Flight
from app.rulesets.arcana.fight.gm_events import (
    Armed,
    Corrected,
    Desk,
    Joined,
    Laid,
    Left,
    ObjectDamaged,
    ObjectsLaid,
    Placed,
    Seats,
    Shown,
    Unaware,
    Zoned,
)
from app.rulesets.arcana.fight.item_events import Drew, Gave
from app.rulesets.arcana.fight.lingering_events import (
    Described,
    Dropped,
    Lapsed,
    Lent,
    Mended,
    Reeled,
    Remains,
    Sensed,
    Worn,
)
from app.rulesets.arcana.fight.movement_events import Covered, Emerged, Faced, Moved, Slammed
from app.rulesets.arcana.fight.multi_cycle_events import Begun, Broke, Donned, Focused, Learnt, Went
from app.rulesets.arcana.fight.roll_parts import Parts
from app.rulesets.arcana.fight.skill_events import Retaliated, Watches
from app.rulesets.arcana.fight.ward_events import Collapsed, Snared, Warded
from app.rulesets.arcana.rules.grid import Cell
from app.rulesets.arcana.rules.rulings import Question, Ruling


@frozen()
class Stage:
    """Where the cycle is now: what is waited for, or what comes next by itself."""

    stage: str
    kind: Literal["stage"] = "stage"


@frozen()
class Kept:
    """What of a declaration only its own seat may know: reactions, and words in code (ledger 1.7)."""

    who: str
    react: React
    words: tuple[str, ...] = ()  # of the minors, in their order
    to: Seats = None
    kind: Literal["kept"] = "kept"


@frozen()
class Questioned:
    """What the GM is asked about this reveal (ledger 5)."""

    questions: tuple[Question, ...]
    kind: Literal["questioned"] = "questioned"


@frozen()
class Ruled:
    """One answer of the GM's, or what the book does where the GM is silent."""

    key: str
    ruling: Ruling
    how: str = "sealed"
    to: Seats = None
    kind: Literal["ruled"] = "ruled"


@frozen()
class Clashing:
    """Where everybody of one movement phase wants to go, while the GM is asked about bodies in one place (ARC-20)."""

    phase: str
    goals: tuple[tuple[str, Cell], ...]
    who: tuple[str, ...]
    kind: Literal["clashing"] = "clashing"


@frozen()
class Matched:
    """Which if-thens fire, and in which round: not told to anybody before they do (ledger 1.6)."""

    cards: tuple[Verdict, ...]
    rounds: tuple[tuple[str, ...], ...]
    kind: Literal["matched"] = "matched"


@frozen()
class Named:
    """The spell of a prepared counterspell, or none (ARC-55)."""

    who: str
    spell: str
    how: str = "sealed"
    to: Seats = None
    kind: Literal["named"] = "named"


@frozen()
class Round:
    """The next round of if-thens is launched (ARC-46)."""

    number: int
    kind: Literal["round"] = "round"


@frozen()
class Landed:
    """The first flights in the air have landed, so many."""

    count: int
    kind: Literal["landed"] = "landed"


@frozen()
class Tried:
    """Whether somebody resists what hits them (ARC-127)."""

    label: str
    who: str
    tries: bool
    to: Seats = None
    kind: Literal["tried"] = "tried"


@frozen()
class Rested:
    """FP that come back at the end of a cycle without any spent (ARC-139)."""

    who: str
    fp: int
    to: Seats = None
    kind: Literal["rested"] = "rested"


@frozen()
class Looks:
    """How somebody looks who does not show numbers: fresh, hurt, below half, down (ledger 1.7)."""

    who: str
    words: str
    to: Seats = None
    kind: Literal["looks"] = "looks"


@frozen()
class Revealed:
    """A declaration is opened (ARC-07), or was nothing: surprised, unable, silent. Where it names somebody hidden it
    is told twice: as it is, and without that name to all but the seats of `instead`."""

    who: str
    turn: Turn
    how: str = "sealed"
    instead: Seats = None
    to: Seats = None
    kind: Literal["revealed"] = "revealed"


@frozen()
class Checked:
    """A check that is no accuracy check: casting, search, hiding, an interrupt, a rider."""

    who: str
    what: Literal[
        "casting", "search", "hide", "stealth", "interrupt", "shake_off", "rider", "custom", "keep", "composure",
        "contest", "stop", "exhausted", "quickness", "mercy", "grapple", "holds",
    ]  # fmt: skip
    rolls: tuple[Roll, ...]
    bonus: int
    value: int  # to be reached; 0: nothing yet
    ok: bool
    about: str = ""
    kept: int = 0  # of several dice, the one that counts; 0: the highest
    parts: Parts = ()  # what the bonus is made of
    sways: Parts = ()  # what gave advantage (+1) or disadvantage (−1)
    guarded: bool = False  # by an if-then
    to: Seats = None
    kind: Literal["checked"] = "checked"


@frozen()
class Noticed:
    who: str
    by: tuple[str, ...]
    to: Seats = None
    kind: Literal["noticed"] = "noticed"


@frozen()
class Hid:
    """Whether somebody found a place to hide; how well they hide nobody is told (ARC-30)."""

    who: str
    ok: bool
    to: Seats = None
    kind: Literal["hid"] = "hid"


@frozen()
class Discovered:
    """Somebody hidden hears that they are known of (ARC-33)."""

    who: str
    by: str
    to: Seats = None
    kind: Literal["discovered"] = "discovered"


@frozen()
class Paid:
    who: str
    fp: int
    to: Seats = None
    kind: Literal["paid"] = "paid"


@frozen()
class Void:
    """An action that came to nothing before it was launched; it is spent (ARC-19)."""

    who: str
    do: str
    why: str
    guarded: bool = False  # by an if-then
    to: Seats = None
    kind: Literal["void"] = "void"


@frozen()
class Spoke:
    who: str
    words: str
    allies: tuple[str, ...] = ()
    to: Seats = None
    kind: Literal["spoke"] = "spoke"


@frozen()
class Used:
    who: str
    item: str
    target: str
    to: Seats = None
    kind: Literal["used"] = "used"


@frozen()
class Launched:
    """Committed: nothing that happens to its actor stops it now (ARC-12). `at`: aimed at a place."""

    who: str
    do: str
    using: str
    target: str
    distance2: int
    at: Cell | None = None
    guarded: bool = False  # by an if-then
    to: Seats = None
    kind: Literal["launched"] = "launched"


@frozen()
class Aloft:
    """What was launched, with everybody it is on its way to: it may name people whom nobody sees."""

    flight: Flight
    kind: Literal["aloft"] = "aloft"


@frozen()
class Struck:
    """One accuracy check and what it was made against. At somebody unseen (ARC-90) it is told twice: with everything
    for the GM alone, and as a hit or a miss of a place, without a target, for those who watch."""

    who: str
    target: str
    using: str
    rolls: tuple[Roll, ...]
    kept: int
    bonus: int
    value: int
    by: str  # block, dodge, stationary; unseen: blindly at a place
    hit: bool
    label: str = ""  # of this one strike of its flight
    parts: Parts = ()  # what the bonus is made of
    sways: Parts = ()  # what gave advantage (+1) or disadvantage (−1)
    at: Cell | None = None  # the place, for a blind one
    blocked: bool = False  # a hit that the Block would have caught, if that worked
    fate: Literal["", "hits", "misses", "stopped", "open"] = ""  # what a spell or skill made of it, whatever the die
    to: Seats = None
    kind: Literal["struck"] = "struck"


@frozen()
class Resisted:
    who: str
    against: str
    rolls: tuple[Roll, ...]
    bonus: int
    value: int
    ok: bool
    kept: int = 0
    parts: Parts = ()
    sways: Parts = ()
    passive: bool = False  # by somebody who does not know what it meets (ARC-102)
    to: Seats = None
    kind: Literal["resisted"] = "resisted"


@frozen()
class Damaged:
    """Damage of one attack on one target, before it is settled with all else of the batch."""

    who: str
    target: str
    using: str
    type: str
    rolls: tuple[Roll, ...]
    fixed: int
    critical: tuple[Roll, ...]
    triggers: tuple[str, ...]
    halved: bool
    amount: int
    absorbed: int = 0
    weapon: int = 1  # by how much the weapon multiplies dice and fixed part
    by: int = 1  # by how much a critical strike multiplies
    resists: int = 0  # percent off
    suffers: int = 0  # percent on
    part: int = 1  # by how much Cleave divides it
    spared: int = 0  # what Ironclad takes off
    made: int = 0  # of the fixed part, what the weapon is made of
    watched: bool = False  # an opening that a sentinel did not leave
    overcome: int = 0  # of what resists, in percent, what Overcome Resistance undoes
    to: Seats = None
    kind: Literal["damaged"] = "damaged"


@frozen()
class Healed:
    who: str
    target: str
    using: str
    rolls: tuple[Roll, ...]
    fixed: int
    amount: int
    to: Seats = None
    kind: Literal["healed"] = "healed"


@frozen()
class Bled:
    """What an end of cycle takes: burns, poison, bleeding (ARC-22)."""

    who: str
    hp: int
    fp: int
    because: tuple[str, ...]
    to: Seats = None
    kind: Literal["bled"] = "bled"


@frozen()
class Changed:
    """HP and FP after everything that landed in one instant."""

    who: str
    hp: int
    fp: int
    state: Literal["up", "critical", "dead"]
    hp_before: int | None = None
    fp_before: int | None = None
    to: Seats = None
    kind: Literal["changed"] = "changed"


@frozen()
class Gained:
    who: str
    status: str
    cycles: int  # 0: until something ends it
    source: str = ""
    value: int = 0  # what shaking it off has to reach
    rider: bool = False
    by: str = ""  # who brought it
    tied: bool = False  # the arms, too
    shake: Literal["", "major", "end"] = ""
    to: Seats = None
    kind: Literal["gained"] = "gained"


@frozen()
class Ended:
    who: str
    status: str
    over: bool = False  # its time is up (ARC-22)
    to: Seats = None
    kind: Literal["ended"] = "ended"


@frozen()
class Judged:
    """What became of an if-then; of one that meant to interrupt, whether it was in time (ARC-49)."""

    who: str
    card: Verdict
    time: Literal["", "in_time", "late"] = ""
    to: Seats = None
    kind: Literal["judged"] = "judged"


@frozen()
class Ticked:
    """A cycle is over: durations, counters, stances."""

    cycle: int
    kind: Literal["ticked"] = "ticked"


@frozen()
class Over:
    side: str  # who is left; "": nobody, or nobody won
    reason: str = ""
    kind: Literal["over"] = "over"


Event = Annotated[
    Stage | Kept | Questioned | Ruled | Clashing | Matched | Named | Round | Landed | Tried | Rested | Looks | Laid
    | Zoned | ObjectsLaid | ObjectDamaged | Placed | Shown | Unaware | Corrected | Joined | Armed | Left | Desk
    | Focused | Broke | Remains | Lapsed | Mended | Dropped | Sensed | Reeled | Begun | Went | Donned | Learnt
    | Revealed | Faced | Emerged | Covered | Moved | Checked | Noticed | Hid | Discovered | Paid | Void | Spoke | Used
    | Launched | Aloft | Warded | Snared | Collapsed | Gave | Drew | Struck | Resisted | Watches | Retaliated
    | Damaged | Healed | Slammed | Bled | Changed | Gained | Ended | Lent | Worn | Described | Judged | Ticked | Over,
    Field(discriminator="kind"),
]  # fmt: skip
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
