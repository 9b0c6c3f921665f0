"""The events of a mass battle. All are public; fields `how` tell how a seat's answer came about."""

from typing import Annotated, Any, Literal

from pydantic import Field as Tag
from pydantic import TypeAdapter

from app.engine.events import event, everyone
from app.engine.ruleset import Log
from app.rulesets.chronicle.checks import Checked
from app.rulesets.chronicle.mass.engagement import Cluster
from app.rulesets.chronicle.mass.field import Field, HexKey
from app.rulesets.chronicle.mass.hexes import Axis
from app.rulesets.chronicle.mass.state import End, Gone, Intent, Phase, Shape, Side, State
from app.rulesets.chronicle.mass.strength import Addend

Addends = tuple[Addend, ...]


@event("army", seen=everyone)
class Army:
    """The numbers of a side, chosen within its points (CHR-ARM-12)."""

    side: Side
    men: tuple[tuple[str, int], ...]
    how: str


@event("divided", seen=everyone)
class Divided:
    """The units of both armies as id, side, type of troops, men; and the loss number (CHR-UNI)."""

    units: tuple[tuple[str, Side, str, int], ...]
    loss: int


@event("battlefield", seen=everyone)
class Battlefield:
    """The map, with its key in the list, or "own"; `name` is that of a map that the campaign keeps."""

    side: Side
    place: str
    field: Field
    how: str
    name: str = ""


@event("objected", seen=everyone)
class Objected:
    """The GM objects to the battlefield, and another one is chosen (CHR-PLC-02)."""

    reason: str


@event("placed", seen=everyone)
class Placed:
    """A whole army: each unit's hex and the seat that moves it (CHR-PLC-12)."""

    side: Side
    at: tuple[tuple[str, HexKey, str], ...]
    shape: Shape | Literal[""]
    how: str


@event("lined", seen=everyone)
class Lined:
    """The straight row behind which the attackers are placed (CHR-PLC-04)."""

    side: Side
    axis: Axis
    value: int
    sign: Literal[1, -1]
    how: str


@event("first", seen=everyone)
class First:
    """The check of Tactics for the first proactive side (CHR-ARM-14); the attacker rolls."""

    side: Side
    checked: Checked


@event("began", seen=everyone)
class Began:
    """A round begins; number 1 first (CHR-MOV-02)."""

    round: int
    proactive: Side


@event("stage", seen=everyone)
class Stage:
    """The battle goes on to another part of the round."""

    phase: Phase
    turn: int = 1


@event("intended", seen=everyone)
class Intended:
    side: Side
    what: Intent
    how: str


@event("quickened", seen=everyone)
class Quickened:
    """The quick units of a side (CHR-MOV-03)."""

    side: Side
    units: tuple[str, ...]
    how: str


@event("orders", seen=everyone)
class Orders:
    """A seat's units move one after the other in a movement phase (CHR-MOV-04)."""

    side: Side
    seat: str
    turn: int
    units: tuple[str, ...]  # those that are to move, in order
    how: str


@event("moved", seen=everyone)
class Moved:
    """A unit moves; next to enemies it stops, and all of them are locked (CHR-MOV-05, -06)."""

    who: str
    start: HexKey
    way: tuple[HexKey, ...]
    touched: tuple[str, ...]


@event("blocked", seen=everyone)
class Blocked:
    """A unit finds its way taken and stops before it."""

    who: str
    wanted: HexKey
    taken: HexKey


@event("clustered", seen=everyone)
class Clustered:
    """The clusters of this round (CHR-CLU)."""

    side: Side
    clusters: tuple[Cluster, ...]
    how: str  # "only" if there was no other way


@event("aimed", seen=everyone)
class Aimed:
    """The targets that a seat chose; "" for bowmen who do not shoot."""

    side: Side
    at: tuple[tuple[str, str], ...]
    how: str


@event("shot", seen=everyone)
class Shot:
    """Bowmen shoot (CHR-RNG-07, -08). The losses come when all have shot."""

    who: str
    at: str
    distance: int
    size: int  # of the bowmen, as it counts
    own: Addends
    other: Addends
    checked: Checked
    losses: int


@event("ordered", seen=everyone)
class Ordered:
    """The order in which clusters fight (CHR-MEL-15), and the cavalry that is flanked by anybody on the map."""

    side: Side
    clusters: tuple[Cluster, ...]
    flanked: tuple[str, ...]
    how: str  # "only" if there was no other way


@event("fought", seen=everyone)
class Fought:
    """A roll between two units; `who`, of the proactive side, rolls (CHR-MEL-02)."""

    who: str
    other: str
    own: Addends
    against: Addends
    checked: Checked


@event("beaten", seen=everyone)
class Beaten:
    """What the rolls of a cluster come to: who has lost, and to whom."""

    cluster: Cluster
    losers: tuple[str, ...]
    winner: str  # "": the many choose (CHR-MEL-14)
    many: tuple[str, ...]
    times: int
    half: bool


@event("driven", seen=everyone)
class Driven:
    """The many choose from which of them the lone loser falls back (CHR-MEL-14)."""

    side: Side
    who: str
    winner: str
    how: str


@event("lost", seen=everyone)
class Lost:
    """Losses of a unit (CHR-MEL-07). Doubled, if it could not fall back from `winner`."""

    who: str
    count: int  # as the rules say
    before: int
    after: int  # cut to the men of the unit
    why: Literal["shot", "melee"]
    half: bool = False
    doubled: bool = False
    winner: str = ""


@event("gone", seen=everyone)
class Left:
    """A unit is no longer in the battle: destroyed, off the map by `way`, or taken out by the GM."""

    who: str
    why: Gone
    way: tuple[HexKey, ...] = ()
    reason: str = ""


@event("fell", seen=everyone)
class Fell:
    """A loser falls back (CHR-MEL-06)."""

    side: Side
    who: str
    start: HexKey
    to: HexKey
    winner: str
    how: str  # "only" if there was no other hex; "taken" if that of the answer was no longer free


@event("fallen", seen=everyone)
class Fallen:
    """A loser has done with falling back, on whatever hex it is."""

    who: str


@event("stepped", seen=everyone)
class Stepped:
    """Light infantry's free step after melee (CHR-MEL-16)."""

    side: Side
    who: str
    start: HexKey
    to: HexKey
    how: str


@event("round-over", seen=everyone)
class RoundOver:
    """The round is over; `quiet` counts rounds without any engagement or shot (CHR-END-13)."""

    round: int
    quiet: int


@event("went-on", seen=everyone)
class WentOn:
    """The GM lets a quiet battle go on."""

    how: str


@event("offered", seen=everyone)
class Offered:
    """The terms that a side proposes to one that surrenders (CHR-END-08)."""

    side: Side
    terms: str
    how: str


@event("agreed", seen=everyone)
class Agreed:
    """Whether the side that surrenders takes the terms; else the table decides."""

    side: Side
    agreed: bool
    how: str


@event("ended", seen=everyone)
class Ended:
    """The battle is over (CHR-END-01), with the men of each unit that are lost for good (CHR-END-06 to -12)."""

    why: End
    winner: Side | Literal[""]
    halved: tuple[Side, ...]
    lasting: tuple[tuple[str, int], ...]
    reason: str = ""


@event("corrected", seen=everyone)
class Corrected:
    """The GM corrects a unit's losses or its hex."""

    who: str
    reason: str
    losses: int | None = None
    hex: HexKey | None = None


@event("desk", seen=everyone)
class Desk:
    """An act of the GM is done."""


@event("inner-over", seen=everyone)
class InnerOver:
    """A scene inside the battle is over; it changes no unit (CHR-FLO-05)."""

    title: str
    over: bool  # else nothing came of it


Event = (
    Army | Divided | Battlefield | Objected | Placed | Lined | First | Began | Stage | Intended | Quickened | Orders
    | Moved | Blocked | Clustered | Aimed | Shot | Ordered | Fought | Beaten | Driven | Lost | Left | Fell | Fallen
    | Stepped | RoundOver | WentOn | Offered | Agreed | Ended | Corrected | Desk | InnerOver
)  # fmt: skip
EVENT: TypeAdapter[Any] = TypeAdapter(Annotated[Event, Tag(discriminator="kind")])
BattleLog = Log[State, Event]
