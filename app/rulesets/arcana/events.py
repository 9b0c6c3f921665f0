"""What can happen in a turn cycle; each event says all that its line in the log needs. Lengths are cm."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.engine.chance import Roll
from app.engine.ifthen import Card
from app.engine.record import record
from app.rulesets.arcana.declarations import Turn
from app.rulesets.arcana.space import Cell


@record()
class Revealed:
    """A declaration is opened (ARC-07), or was nothing: surprised, unable, silent."""

    who: str
    turn: Turn
    how: str = "sealed"
    kind: Literal["revealed"] = "revealed"


@record()
class Faced:
    who: str
    facing: Cell  # a direction
    kind: Literal["faced"] = "faced"


@record()
class Emerged:
    """Out of cover, until the cycle ends (ARC-61)."""

    who: str
    kind: Literal["emerged"] = "emerged"


@record()
class Moved:
    who: str
    how: Literal["step", "considered", "move", "push"]
    start: Cell
    goal: Cell
    end: Cell
    kind: Literal["moved"] = "moved"


@record()
class Checked:
    """A check that is no accuracy check: casting, search, hiding, an interrupt, a rider."""

    who: str
    what: Literal["casting", "search", "hide", "stealth", "interrupt", "shake_off", "rider"]
    rolls: tuple[Roll, ...]
    bonus: int
    value: int  # to be reached; 0: nothing yet
    ok: bool
    about: str = ""
    kind: Literal["checked"] = "checked"


@record()
class Noticed:
    who: str
    by: tuple[str, ...]
    kind: Literal["noticed"] = "noticed"


@record()
class Paid:
    who: str
    fp: int
    kind: Literal["paid"] = "paid"


@record()
class Void:
    """An action that came to nothing before it was launched; it is spent (ARC-19)."""

    who: str
    do: str
    why: str
    kind: Literal["void"] = "void"


@record()
class Spoke:
    who: str
    words: str
    allies: tuple[str, ...] = ()
    kind: Literal["spoke"] = "spoke"


@record()
class Used:
    who: str
    item: str
    target: str
    kind: Literal["used"] = "used"


@record()
class Launched:
    """Committed: nothing that happens to its actor stops it now (ARC-12)."""

    who: str
    do: str
    using: str
    target: str
    distance2: int
    kind: Literal["launched"] = "launched"


@record()
class Struck:
    """One accuracy check and what it was made against."""

    who: str
    target: str
    using: str
    rolls: tuple[Roll, ...]
    kept: int
    bonus: int
    value: int
    by: str  # block, dodge, stationary
    hit: bool
    kind: Literal["struck"] = "struck"


@record()
class Resisted:
    who: str
    against: str
    rolls: tuple[Roll, ...]
    bonus: int
    value: int
    ok: bool
    kind: Literal["resisted"] = "resisted"


@record()
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
    kind: Literal["damaged"] = "damaged"


@record()
class Healed:
    who: str
    target: str
    using: str
    rolls: tuple[Roll, ...]
    fixed: int
    amount: int
    kind: Literal["healed"] = "healed"


@record()
class Slammed:
    who: str
    roll: Roll
    kind: Literal["slammed"] = "slammed"


@record()
class Bled:
    """What an end of cycle takes: burns, poison, bleeding (ARC-22)."""

    who: str
    hp: int
    fp: int
    because: tuple[str, ...]
    kind: Literal["bled"] = "bled"


@record()
class Changed:
    """HP and FP after everything that landed in one instant."""

    who: str
    hp: int
    fp: int
    state: Literal["up", "critical", "dead"]
    kind: Literal["changed"] = "changed"


@record()
class Gained:
    who: str
    status: str
    cycles: int  # 0: until something ends it
    source: str = ""
    value: int = 0  # what shaking it off has to reach
    rider: bool = False
    kind: Literal["gained"] = "gained"


@record()
class Ended:
    who: str
    status: str
    kind: Literal["ended"] = "ended"


@record()
class Lent:
    """A bonus or a shield that lasts for some cycles (0: until the fight ends)."""

    who: str
    stat: Literal["block", "dodge", "shield"]
    amount: int
    cycles: int
    source: str
    kind: Literal["lent"] = "lent"


@record()
class Worn:
    """Armour eaten or a shield's points used up."""

    who: str
    what: Literal["armour", "shield"]
    by: int
    kind: Literal["worn"] = "worn"


@record()
class Described:
    """What the data leave to the GM: told in words, no numbers."""

    who: str
    target: str
    words: str
    kind: Literal["described"] = "described"


@record()
class Judged:
    """What became of an if-then."""

    who: str
    card: Card
    kind: Literal["judged"] = "judged"


@record()
class Ticked:
    """A cycle is over: durations, counters, stances; FP come back to those named."""

    cycle: int
    rested: tuple[str, ...]
    kind: Literal["ticked"] = "ticked"


@record()
class Over:
    side: str  # who is left; "": nobody
    kind: Literal["over"] = "over"


Event = Annotated[
    Revealed | Faced | Emerged | Moved | Checked | Noticed | Paid | Void | Spoke | Used | Launched | Struck | Resisted
    | Damaged | Healed | Slammed | Bled | Changed | Gained | Ended | Lent | Worn | Described | Judged | Ticked | Over,
    Field(discriminator="kind"),
]  # fmt: skip
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
