"""What can happen in a duel. All of it is seen by everybody; each event says all that its line in the log needs."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.engine.chance import Roll
from app.engine.frozen import frozen


@frozen()
class Wished:
    """Which half somebody wanted (DUE-07)."""

    who: str
    half: str  # high, low, "": whatever is left
    how: str
    kind: Literal["wished"] = "wished"


@frozen()
class Sides:
    """Who owns which half; by coin if both wanted the same (DUE-08)."""

    high: str
    low: str
    coin: Roll | None = None
    kind: Literal["sides"] = "sides"


@frozen()
class Breath:
    """Stamina at the start of a bout: the full dice, or what they show (DUE-04)."""

    who: str
    stamina: int
    rolls: tuple[Roll, ...] = ()
    more: int = 0  # Agile
    kind: Literal["breath"] = "breath"


@frozen()
class Played:
    """The action somebody chose, with what was sealed along with it."""

    who: str
    action: str
    cost: int  # effective (DUE-30)
    rage: int = 0
    add: str = ""
    ability: str = ""
    copied: str = ""
    how: str = "sealed"
    forced: bool = False  # exhausted: Rest was filled in (DUE-35)
    kind: Literal["played"] = "played"


@frozen()
class Copied:
    """What Ditto took over, and what the action costs now (DUE-52)."""

    who: str
    copied: str
    cost: int
    kind: Literal["copied"] = "copied"


@frozen()
class Advantage:
    """Who gets the momentum after the initial clash, why, and where the die is set (DUE-12 to DUE-17)."""

    who: str
    why: Literal["offence", "trait", "cheaper", "coin"]
    die: int
    coin: Roll | None = None
    kind: Literal["advantage"] = "advantage"


@frozen()
class Paid:
    """What an action cost: stamina, HP by Rage, and what exhaustion did (DUE-31, DUE-33, DUE-61)."""

    who: str
    stamina: int
    left: int
    rage_hp: int = 0
    exhausted: bool = False
    harm: int = 0
    kind: Literal["paid"] = "paid"


@frozen()
class Streak:
    """The third action of a combo (DUE-60)."""

    who: str
    kind: Literal["streak"] = "streak"


@frozen()
class Dodged:
    """Somebody's action has no effect (DUE-39)."""

    who: str  # who dodged
    other: str
    kind: Literal["dodged"] = "dodged"


@frozen()
class Hurt:
    """HP lost in a clash: what came, what was stopped, what went back, what one did to oneself (DUE-36 to DUE-42)."""

    who: str
    before: int
    after: int
    damage: int = 0  # of the opponent's action, Opportunity included
    extra: int = 0  # Don't Even Try
    blocked: int = 0
    reversed: int = 0  # dealt back, not suffered
    returned: int = 0  # suffered because the opponent reversed
    own: int = 0  # exhaustion and Rage
    kind: Literal["hurt"] = "hurt"


@frozen()
class Healed:
    who: str
    amount: int
    after: int
    why: Literal["action", "recuperate"]
    kind: Literal["healed"] = "healed"


@frozen()
class Rested:
    """Stamina that came back (DUE-48, DUE-59)."""

    who: str
    amount: int
    after: int
    kind: Literal["rested"] = "rested"


@frozen()
class Tired:
    """Stamina that the opponent took (DUE-49)."""

    who: str
    amount: int
    after: int
    kind: Literal["tired"] = "tired"


@frozen()
class Swung:
    """The momentum die moved: what each one's action brought, summed and clamped once (DUE-45, DUE-46)."""

    before: int
    after: int
    high: int  # towards high
    low: int  # towards low
    why: Literal["actions", "imposing"] = "actions"
    kind: Literal["swung"] = "swung"


@frozen()
class Stored:
    """Something that waits for the next clash (DUE-43, DUE-44)."""

    who: str  # whom it concerns
    what: Literal["opportunity", "discombobulate"]
    amount: int
    kind: Literal["stored"] = "stored"


@frozen()
class ComboOver:
    who: str
    why: Literal["ended", "finisher", "parry", "exhausted", "universal"]
    number: int
    kind: Literal["combo-over"] = "combo-over"


@frozen()
class Checked:
    """The momentum was checked: whose half the die stands in has the offence (DUE-22)."""

    who: str
    die: int
    kind: Literal["checked"] = "checked"


@frozen()
class Clashed:
    """A clash is over; what comes next."""

    next: Literal["combo", "clash", "ditto", "stalled"]
    combo: int = 0  # actions in the running combo
    kind: Literal["clashed"] = "clashed"


@frozen()
class WentOn:
    """The offence goes on with its combo, or the referee lets a stalled fight go on."""

    who: str
    kind: Literal["went-on"] = "went-on"


@frozen()
class BoutOver:
    """Somebody won, or nobody (DUE-65, DUE-66, DUE-74, DUE-75)."""

    winner: str  # "": a draw
    why: Literal["defeat", "both", "conceded", "stalled"]
    match: str = ""  # who has won the whole match by it; "-" where it ends without a winner; "": another bout
    kind: Literal["bout-over"] = "bout-over"


Event = Annotated[
    Wished | Sides | Breath | Played | Copied | Advantage | Paid | Streak | Dodged | Hurt | Healed | Rested | Tired
    | Swung | Stored | ComboOver | Checked | Clashed | WentOn | BoutOver,
    Field(discriminator="kind"),
]  # fmt: skip
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
