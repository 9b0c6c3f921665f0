"""The events of a duel. All are public; each holds all that its line in the log needs."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.engine.chance import Roll
from app.engine.events import event, everyone


@event("wished", seen=everyone)
class Wished:
    """The half a fighter wanted (DUE-07)."""

    who: str
    half: str  # high, low, "": the one that is left
    how: str


@event("sides", seen=everyone)
class Sides:
    """The owners of the two halves; by coin if both wanted the same (DUE-08)."""

    high: str
    low: str
    coin: Roll | None = None


@event("breath", seen=everyone)
class Breath:
    """Stamina at the start of a bout: the maximum of the dice, or their roll (DUE-04)."""

    who: str
    stamina: int
    rolls: tuple[Roll, ...] = ()
    more: int = 0  # Agile


@event("played", seen=everyone)
class Played:
    """A fighter's action, with the choices sealed along with it."""

    who: str
    action: str
    cost: int  # effective (DUE-30)
    rage: int = 0
    add: str = ""
    ability: str = ""
    copied: str = ""
    how: str = "sealed"
    forced: bool = False  # exhausted: Rest was filled in (DUE-35)


@event("copied", seen=everyone)
class Copied:
    """The action that Ditto copied, and the cost now (DUE-52)."""

    who: str
    copied: str
    cost: int


@event("advantage", seen=everyone)
class Advantage:
    """The fighter who gets the momentum after the initial clash, why, and the face of the die (DUE-12 to DUE-17)."""

    who: str
    why: Literal["offence", "trait", "cheaper", "coin"]
    die: int
    coin: Roll | None = None


@event("paid", seen=everyone)
class Paid:
    """The cost of an action: stamina, HP by Rage, and exhaustion (DUE-31, DUE-33, DUE-61)."""

    who: str
    stamina: int
    left: int
    rage_hp: int = 0
    exhausted: bool = False
    harm: int = 0


@event("streak", seen=everyone)
class Streak:
    """The third action of a combo (DUE-60)."""

    who: str


@event("dodged", seen=everyone)
class Dodged:
    """A fighter's action has no effect (DUE-39)."""

    who: str  # who dodged
    other: str


@event("hurt", seen=everyone)
class Hurt:
    """HP lost in a clash: dealt, blocked, reversed, and the fighter's own share (DUE-36 to DUE-42)."""

    who: str
    before: int
    after: int
    damage: int = 0  # of the opponent's action, Opportunity included
    extra: int = 0  # Don't Even Try
    blocked: int = 0
    reversed: int = 0  # dealt back, not suffered
    returned: int = 0  # suffered because the opponent reversed
    own: int = 0  # exhaustion and Rage


@event("healed", seen=everyone)
class Healed:
    who: str
    amount: int
    after: int
    why: Literal["action", "recuperate"]


@event("rested", seen=everyone)
class Rested:
    """Stamina regained (DUE-48, DUE-59)."""

    who: str
    amount: int
    after: int


@event("tired", seen=everyone)
class Tired:
    """Stamina taken by the opponent (DUE-49)."""

    who: str
    amount: int
    after: int


@event("swung", seen=everyone)
class Swung:
    """The momentum die moved by both actions' gains, summed and clamped once (DUE-45, DUE-46)."""

    before: int
    after: int
    high: int  # towards high
    low: int  # towards low
    why: Literal["actions", "imposing"] = "actions"


@event("stored", seen=everyone)
class Stored:
    """An effect stored for the next clash (DUE-43, DUE-44)."""

    who: str  # the fighter it affects
    what: Literal["opportunity", "discombobulate"]
    amount: int


@event("combo-over", seen=everyone)
class ComboOver:
    who: str
    why: Literal["ended", "finisher", "parry", "exhausted", "universal"]
    number: int


@event("checked", seen=everyone)
class Checked:
    """The momentum was checked: the owner of the die's half has the offence (DUE-22)."""

    who: str
    die: int


@event("clashed", seen=everyone)
class Clashed:
    """A clash is over; `next` is the next decision."""

    next: Literal["combo", "clash", "ditto", "stalled"]
    combo: int = 0  # actions in the running combo


@event("went-on", seen=everyone)
class WentOn:
    """The offence continues its combo, or the referee lets a stalled fight continue."""

    who: str


@event("bout-over", seen=everyone)
class BoutOver:
    """A bout is over, won or drawn (DUE-65, DUE-66, DUE-74, DUE-75)."""

    winner: str  # "": a draw
    why: Literal["defeat", "both", "conceded", "stalled"]
    match: str = ""  # the winner of the match it decides; "-": the match ends without one; "": another bout


Event = Annotated[
    Wished | Sides | Breath | Played | Copied | Advantage | Paid | Streak | Dodged | Hurt | Healed | Rested | Tired
    | Swung | Stored | ComboOver | Checked | Clashed | WentOn | BoutOver,
    Field(discriminator="kind"),
]  # fmt: skip
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
