"""The events of a turn cycle; each has all that its line in the log needs. Lengths are cm.

`to` names the seats that may see an event; None: everyone. phases/visibility.py fills it in.
"""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.engine.chance import Roll
from app.engine.frozen import frozen
from app.engine.ifthen import Verdict
from app.engine.ruleset import Log
from app.rulesets.arcana.fight.declarations import Action, React, Turn
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
from app.rulesets.arcana.fight.roll_parts import Parts
from app.rulesets.arcana.fight.state import Stat, State
from app.rulesets.arcana.fight.tasks import What
from app.rulesets.arcana.rules.grid import Cell
from app.rulesets.arcana.rules.rulings import Question, Ruling


@frozen()
class Stage:
    """The stage of the cycle: the step that waits for answers, or the next automatic one."""

    stage: str
    kind: Literal["stage"] = "stage"


@frozen()
class Kept:
    """The part of a declaration that only its own seat may see: reactions and coded words (ledger 1.7)."""

    who: str
    react: React
    words: tuple[str, ...] = ()  # of the minors, in their order
    to: Seats = None
    kind: Literal["kept"] = "kept"


@frozen()
class Questioned:
    """The questions to the GM about this reveal (ledger 5)."""

    questions: tuple[Question, ...]
    kind: Literal["questioned"] = "questioned"


@frozen()
class Ruled:
    """The GM's answer to one question, or the book's default if the GM is silent."""

    key: str
    ruling: Ruling
    how: str = "sealed"
    to: Seats = None
    kind: Literal["ruled"] = "ruled"


@frozen()
class Clashing:
    """The goals of one movement phase, while the GM decides about bodies in one place (ARC-20)."""

    phase: str
    goals: tuple[tuple[str, Cell], ...]
    who: tuple[str, ...]
    kind: Literal["clashing"] = "clashing"


@frozen()
class Matched:
    """The if-thens that fire, by round; secret until they do (ledger 1.6)."""

    cards: tuple[Verdict, ...]
    rounds: tuple[tuple[str, ...], ...]
    kind: Literal["matched"] = "matched"


@frozen()
class Named:
    """The spell named for a prepared counterspell, or none (ARC-55)."""

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
    """The first `count` flights in the air have landed."""

    count: int
    kind: Literal["landed"] = "landed"


@frozen()
class Tried:
    """Whether a target tries to resist a hit (ARC-127)."""

    label: str
    who: str
    tries: bool
    to: Seats = None
    kind: Literal["tried"] = "tried"


@frozen()
class Rested:
    """FP regained at the end of a cycle in which none were spent (ARC-139)."""

    who: str
    fp: int
    to: Seats = None
    kind: Literal["rested"] = "rested"


@frozen()
class Looks:
    """The apparent health of a combatant without visible numbers: fresh, hurt, below half, down (ledger 1.7)."""

    who: str
    words: str
    to: Seats = None
    kind: Literal["looks"] = "looks"


@frozen()
class Revealed:
    """A declaration is opened (ARC-07), or is empty: surprised, unable, silent. If it names a hidden combatant there
    is the full one, and one or two without that name, for `to` without whoever has a seat of `instead`."""

    who: str
    turn: Turn
    how: str = "sealed"
    instead: Seats = None
    to: Seats = None
    kind: Literal["revealed"] = "revealed"


@frozen()
class Checked:
    """A check other than accuracy: casting, search, hiding, an interrupt, a rider."""

    who: str
    what: Literal[
        "casting", "search", "hide", "stealth", "interrupt", "shake_off", "rider", "custom", "keep", "composure",
        "contest", "stop", "exhausted", "quickness", "mercy", "grapple", "holds",
    ]  # fmt: skip
    rolls: tuple[Roll, ...]
    bonus: int
    value: int  # to be reached; 0: not yet known
    ok: bool
    about: str = ""
    kept: int = 0  # of several dice, the one that counts; 0: the highest
    parts: Parts = ()  # the parts of the bonus
    sways: Parts = ()  # the sources of advantage (+1) and disadvantage (−1)
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
    """Whether a combatant found a place to hide; the stealth value stays secret (ARC-30)."""

    who: str
    ok: bool
    to: Seats = None
    kind: Literal["hid"] = "hid"


@frozen()
class Discovered:
    """A hidden combatant hears that it has been discovered (ARC-33)."""

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
    """An action that failed before its launch; it is spent (ARC-19)."""

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
    """An action is committed: nothing that happens to its actor stops it now (ARC-12). `at`: a targeted place."""

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
    """A launched flight with all its targets; it may name hidden combatants."""

    flight: Flight
    kind: Literal["aloft"] = "aloft"


@frozen()
class Struck:
    """One accuracy check and the value it had to reach. Against an unseen target (ARC-90) there are two such events:
    the full one for the GM only, and a hit or miss on a place, without a target, for those who watch."""

    who: str
    target: str
    using: str
    rolls: tuple[Roll, ...]
    kept: int
    bonus: int
    value: int
    by: str  # block, dodge, stationary; unseen: blindly at a place
    hit: bool
    label: str = ""  # of this strike of its flight
    parts: Parts = ()  # the parts of the bonus
    sways: Parts = ()  # the sources of advantage (+1) and disadvantage (−1)
    at: Cell | None = None  # the place of a blind strike
    blocked: bool = False  # a hit that Block would have stopped, if Block worked against it
    fate: Literal["", "hits", "misses", "stopped", "open"] = ""  # imposed by a spell or skill, whatever the die
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
    passive: bool = False  # by a target that does not know what it resists (ARC-102)
    to: Seats = None
    kind: Literal["resisted"] = "resisted"


@frozen()
class Damaged:
    """Damage of one attack on one target, before the batch is netted."""

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
    weapon: int = 1  # the weapon's multiplier of dice and fixed part
    by: int = 1  # the critical multiplier
    resists: int = 0  # percent off
    suffers: int = 0  # percent on
    part: int = 1  # the divisor of Cleave
    spared: int = 0  # the reduction by Ironclad
    made: int = 0  # the part of `fixed` from the weapon's material
    watched: bool = False  # an opening that a sentinel closed
    overcome: int = 0  # percent of the resistance undone by Overcome Resistance
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
    """Losses at the end of a cycle: burns, poison, bleeding (ARC-22)."""

    who: str
    hp: int
    fp: int
    because: tuple[str, ...]
    to: Seats = None
    kind: Literal["bled"] = "bled"


@frozen()
class Changed:
    """HP and FP after everything that landed in one batch."""

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
    value: int = 0  # the value to reach to shake it off
    rider: bool = False
    by: str = ""  # the combatant who caused it
    tied: bool = False  # the arms are tied, too
    shake: Literal["", "major", "end"] = ""
    to: Seats = None
    kind: Literal["gained"] = "gained"


@frozen()
class Ended:
    who: str
    status: str
    over: bool = False  # its duration is over (ARC-22)
    to: Seats = None
    kind: Literal["ended"] = "ended"


@frozen()
class Judged:
    """The result of an if-then; for an interrupt, also whether it was in time (ARC-49)."""

    who: str
    card: Verdict
    time: Literal["", "in_time", "late"] = ""
    to: Seats = None
    kind: Literal["judged"] = "judged"


@frozen()
class Ticked:
    """A cycle is over: durations, counters and stances are updated."""

    cycle: int
    kind: Literal["ticked"] = "ticked"


@frozen()
class Over:
    side: str  # the side that is left; "": none, or no winner
    reason: str = ""
    kind: Literal["over"] = "over"


Manner = Literal["step", "considered", "move", "push", "leap"]
"""The kinds of movement."""


@frozen()
class Faced:
    who: str
    facing: Cell  # a direction
    to: Seats = None
    kind: Literal["faced"] = "faced"


@frozen()
class Emerged:
    """A combatant comes out of cover, until the cycle ends (ARC-61)."""

    who: str
    to: Seats = None
    kind: Literal["emerged"] = "emerged"


@frozen()
class Covered:
    """A combatant goes back into the cover it had left (ARC-61)."""

    who: str
    to: Seats = None
    kind: Literal["covered"] = "covered"


@frozen()
class Moved:
    who: str
    how: Manner
    start: Cell
    goal: Cell
    end: Cell
    to: Seats = None
    kind: Literal["moved"] = "moved"


@frozen()
class Slammed:
    who: str
    roll: Roll
    to: Seats = None
    kind: Literal["slammed"] = "slammed"


@frozen()
class Gave:
    """Items change hands in a trade; none if the other accepts none of them (ARC-28)."""

    who: str
    target: str
    items: tuple[str, ...]
    to: Seats = None
    kind: Literal["gave"] = "gave"


@frozen()
class Drew:
    """An item is taken in hand, and what was there is put away. `hands`: the dominant one, the other."""

    who: str
    item: str
    hands: tuple[str, str]
    picked: bool = False  # from the ground
    to: Seats = None
    kind: Literal["drew"] = "drew"


@frozen()
class Watches:
    """Foes that find no opening against a sentinel; `lost`: out of sight, so they may find one again (ARC-109).

    `rolls`: how many foes it may watch, if that is rolled now.
    """

    who: str
    whom: tuple[str, ...]
    rolls: tuple[Roll, ...] = ()
    lost: bool = False
    to: Seats = None
    kind: Literal["watches"] = "watches"


@frozen()
class Retaliated:
    """A combatant who let every attack through strikes an attacker (ARC-174)."""

    who: str
    target: str
    to: Seats = None
    kind: Literal["retaliated"] = "retaliated"


@frozen()
class Warded:
    """A ward is put on a place; only its own side knows where exactly. `metres` is in cm."""

    who: str
    spell: str
    at: Cell
    form: str
    metres: int
    facing: Cell = (1, 0)
    pp: int = 0
    choice: str = ""
    to: Seats = None
    kind: Literal["warded"] = "warded"


@frozen()
class Collapsed:
    """Overlapping wards collapse, by the GM's ruling."""

    spell: str
    wards: tuple[str, ...]
    to: Seats = None
    kind: Literal["collapsed"] = "collapsed"


@frozen()
class Snared:
    """A combatant moves into a ward, and it strikes."""

    target: str
    spell: str
    ward: str
    at: Cell
    to: Seats = None
    kind: Literal["snared"] = "snared"


@frozen()
class Focused:
    """A Focus begins; `target` is "" if it has none in particular (ARC-157)."""

    who: str
    target: str
    action: Action
    to: Seats = None
    kind: Literal["focused"] = "focused"


@frozen()
class Begun:
    """The first major of a task that takes `cycles` of them (ARC-27, ARC-155, ARC-159)."""

    who: str
    target: str
    what: What
    action: Action
    cycles: int
    to: Seats = None
    kind: Literal["begun"] = "begun"


@frozen()
class Went:
    """A task continues for another cycle; with the last one it is done."""

    who: str
    what: What
    name: str
    done: int
    cycles: int
    to: Seats = None
    kind: Literal["went"] = "went"


@frozen()
class Learnt:
    """A spell was cast from its book once more; `by_heart`: often enough to know it (ARC-155)."""

    who: str
    spell: str
    uses: int
    by_heart: bool
    to: Seats = None
    kind: Literal["learnt"] = "learnt"


@frozen()
class Donned:
    """A combatant changes into this armour (ARC-27)."""

    who: str
    armour: str
    to: Seats = None
    kind: Literal["donned"] = "donned"


@frozen()
class Broke:
    """A Focus or a task ends early; `again`: it has to start again (ARC-27, ARC-158, ARC-159)."""

    who: str
    what: str  # focus, book, ritual, don, aim, custom
    name: str  # the id of its spell, weapon or armour, or its words
    why: str
    again: bool = False
    to: Seats = None
    kind: Literal["broke"] = "broke"


@frozen()
class Remains:
    """An effect of a spell stays for some cycles (0: until the fight ends)."""

    who: str
    target: str
    spell: str
    effects: tuple[int, ...]
    cycles: int
    pp: int = 0
    level: int = 1
    halved: bool = False
    at: Cell | None = None
    form: str = ""
    metres: int = 0  # cm
    facing: Cell = (1, 0)
    obscures: Literal["", "severe", "total"] = ""
    to: Seats = None
    kind: Literal["remains"] = "remains"


@frozen()
class Lent:
    """A spell lends a bonus, a shield or the like for some cycles (0: until something ends it; -1: this one only)."""

    who: str
    stat: Stat
    amount: int
    cycles: int
    source: str
    by: str = ""
    vs: Literal["all", "magic"] = "all"
    front: bool = False
    overflow: Literal["through", "half", "lost"] = "through"
    type: str = ""
    after: str = ""
    rolls: tuple[Roll, ...] = ()
    once: bool = False
    to: Seats = None
    kind: Literal["lent"] = "lent"


@frozen()
class Worn:
    """Armour is damaged, or the shield of this spell loses points."""

    who: str
    what: Literal["armour", "shield"]
    by: int
    source: str = ""
    rolls: tuple[Roll, ...] = ()
    to: Seats = None
    kind: Literal["worn"] = "worn"


@frozen()
class Described:
    """An effect that the data leave to the GM, in words only."""

    who: str
    target: str
    words: str
    to: Seats = None
    kind: Literal["described"] = "described"


@frozen()
class Lapsed:
    """A loan or lingering effect of a spell ends, early or with the spell; stat "": all of it."""

    who: str
    stat: str
    source: str
    over: bool = False  # its duration is over: the end of the cycle removes it (ARC-22)
    to: Seats = None
    kind: Literal["lapsed"] = "lapsed"


@frozen()
class Mended:
    """A shield regains points."""

    who: str
    source: str
    by: int
    to: Seats = None
    kind: Literal["mended"] = "mended"


@frozen()
class Dropped:
    """A thing in hand falls to the ground."""

    who: str
    what: str
    at: Cell
    rolls: tuple[Roll, ...] = ()
    to: Seats = None
    kind: Literal["dropped"] = "dropped"


@frozen()
class Sensed:
    """The distance and direction of a combatant, for the caster who senses it."""

    who: str
    target: str
    away: Cell  # cells across and along
    to: Seats = None
    kind: Literal["sensed"] = "sensed"


@frozen()
class Reeled:
    """The result of a confused combatant's die: as declared, nothing, or turned on a target (ARC-145)."""

    who: str
    rolls: tuple[Roll, ...]
    how: Literal["declared", "fails", "turns"]
    target: str = ""
    to: Seats = None
    kind: Literal["reeled"] = "reeled"


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

FightLog = Log[State, Event]
