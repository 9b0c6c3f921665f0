"""The events of a battle. Each holds all that its line in the log needs; `hidden` ones are only for the GM."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from app.engine.chance import Roll
from app.engine.events import event, everyone, gms, unless_hidden, where


@event("scene-set", seen=everyone)
class SceneSet:
    """The GM set the scene of a round (WHI-02)."""

    round: int
    description: str
    areas: tuple[tuple[str, str, tuple[str, ...], bool], ...]  # key, name, barrers, exit
    seconds: int | None


@event("barring", seen=gms)
class Barring:
    """The hidden characters who will bar a way as soon as they are seen; only for the GM (WHI-57)."""

    areas: tuple[tuple[str, tuple[str, ...]], ...]  # key, the hidden barrers


@event("declared", seen=unless_hidden)
class Declared:
    """One character's intent, opened (WHI-03)."""

    who: str
    intent: str
    target: str = ""  # attack: whom; advance: whom he engages, or ""; defend: the ward, or ""
    area: str = ""  # advance: where; defend: the area
    prefer: tuple[str, ...] = ()
    words: str = ""  # other: the player's words
    card: str = ""  # other: the ability card
    rider: str = ""  # ability card as the rider
    rider_target: str = ""
    rider_words: str = ""
    how: str = "sealed"
    rank: int = 0
    hidden: bool = False


@event("stuck", seen=everyone)
class Stuck:
    """Every member of a loop is threatened by another one (WHI-26); `order` numbers the loops of a round."""

    members: tuple[str, ...]
    order: int = 1


@event("loop", seen=everyone)
class Loop:
    """One member of a loop is picked and goes through (WHI-27)."""

    members: tuple[str, ...]
    picked: str
    roll: Roll | None  # None: picked for speaking first


@event("chose", seen=everyone)
class Chose:
    """The attackers that a guard with a choice took (WHI-16, WHI-22)."""

    who: str
    ward: str
    took: tuple[str, ...]
    among: int  # attackers of the ward he could have met


@event("met", seen=everyone)
class Met:
    """`by` brought about a clash with `other`: unhindered, as a guard, by mutual attack, or picked out of a loop."""

    clash: str  # "by>other"
    by: str
    other: str
    why: Literal["free", "guard", "mutual", "picked"]


@event("stopped", seen=everyone)
class Stopped:
    """A character cannot carry out his declaration (WHI-13, WHI-23)."""

    who: str
    by: str


@event("idle", seen=everyone)
class Idle:
    """A guard met no attacker (WHI-19)."""

    who: str


@event("struck", seen=everyone)
class Struck:
    """The GM struck out a clash before any card was drawn."""

    clash: str
    reason: str


@event("worked", seen=everyone)
class Worked:
    """An ability card or own words took effect; `question` asks the GM for the meaning of the words (WHI-24)."""

    who: str
    card: str = ""
    words: str = ""
    target: str = ""
    question: str = ""
    spent: bool = False


@event("failed", seen=everyone)
class Failed:
    """A card or own words failed: stopped, or caught in a mutual clash (WHI-23, WHI-25)."""

    who: str
    card: str = ""
    words: str = ""
    spent: bool = False


@event("drawn", seen=everyone)
class Drawn:
    """A card left a faction's deck; `turned`: it was the last one, the next half or pack begins (WHI-49 to WHI-52)."""

    faction: str
    half: str
    value: int
    roll: Roll
    turned: bool


@event("turned", seen=everyone)
class Turned:
    """The last card was drawn: the half or pack is shuffled, the next one is used (WHI-49, WHI-51)."""

    faction: str
    half: str


@event("called", seen=everyone)
class Called:
    """The fighter who makes the one check of a clash, and why (WHI-34)."""

    clash: str
    checker: str
    why: Literal["began", "player", "first"]


@event("checked", seen=everyone)
class Checked:
    """The one check of a clash: x + card against y (WHI-36); `again`: a second card counted."""

    clash: str
    checker: str
    against: str
    x: int
    card: int
    y: int
    die: Roll
    passed: bool
    again: bool = False


@event("tested", seen=everyone)
class Tested:
    """A check outside a clash, ordered by the GM for a question: x + card against y (WHI-39)."""

    question: str
    who: str
    x: int
    card: int
    y: int
    die: Roll
    passed: bool


@event("hit", seen=everyone)
class Hit:
    """The winner's hit: base + die × the d6, with the cards' additions and reductions (WHI-38)."""

    clash: str
    winner: str
    loser: str
    base: int
    die: int
    rolled: int
    more: int
    less: int
    damage: int
    card: str = ""  # the ability card that replaced the weapon


@event("cosmetic", seen=everyone)
class Cosmetic:
    """A hit without effect: its owner was put out of the battle at the same instant (WHI-42)."""

    clash: str
    winner: str
    loser: str


@event("healed", seen=everyone)
class Healed:
    who: str
    by: str
    amount: int
    roll: Roll | None
    card: str


@event("changed", seen=where(numbers=True, hidden=False))
class Changed:
    """HP after all changes landed at once (WHI-44); `down`: out of the battle (WHI-45).

    If the numbers are the GM's secret, a `Looks` beside it tells what everyone can see.
    """

    who: str
    before: int
    after: int
    down: bool
    hidden: bool = False
    numbers: bool = True  # everyone may know them


@event("looks", seen=everyone)
class Looks:
    """The visible health of a fighter whose HP are not known: unhurt, hurt, bloodied, down."""

    who: str
    health: str
    down: bool


@event("left", seen=unless_hidden)
class Left:
    """A fighter left the battle alive: through an exit, by flight, by surrender (WHI-61)."""

    who: str
    area: str  # "" if the GM removed him
    reason: str
    hidden: bool = False


@event("reached", seen=everyone)
class Reached:
    """An advance reached its area, or did not (WHI-55, WHI-56)."""

    who: str
    area: str
    reached: bool
    question: str = ""


@event("ruled", seen=everyone)
class Ruled:
    """The GM's ruling on a question; no words and no change is the default."""

    question: str
    words: str
    who: str
    hp: int


@event("corrected", seen=unless_hidden)
class Corrected:
    """The GM corrected a number, with a public reason."""

    who: str
    hp: int | None
    combat: int | None
    reason: str
    hidden: bool


@event("joined", seen=unless_hidden)
class Joined:
    """A fighter came into the battle. The numbers are a separate event; only the GM sees a foe's."""

    who: str
    name: str
    side: str
    faction: str
    seat: str
    hidden: bool
    character: str = ""  # the campaign's id, if it is a campaign's character


@event("numbered", seen=where(shown=True))
class Numbered:
    """The sheet of a newcomer."""

    who: str
    sheet: dict[str, Any]
    shown: bool


@event("shown", seen=where(visible=True))
class Shown:
    """A hidden fighter came into sight, or a fighter slipped out of sight."""

    who: str
    visible: bool


@event("stage", seen=everyone)
class Stage:
    """The next part of the round: the GM looks at the pairing, rules on questions, or goes on."""

    stage: Literal["veto", "rule", "next"]


@event("desk", seen=gms)
class Desk:
    """The GM acted between the steps; `anew`: it changed which declarations are legal, so all seats are asked again."""

    anew: bool


@event("round-over", seen=everyone)
class RoundOver:
    """The round is over; `on` tells whether another one begins (WHI-01)."""

    round: int
    on: bool
    winner: str
    words: str


Event = (
    SceneSet
    | Barring
    | Declared
    | Stuck
    | Loop
    | Chose
    | Met
    | Stopped
    | Idle
    | Struck
    | Worked
    | Failed
    | Drawn
    | Turned
    | Called
    | Checked
    | Tested
    | Hit
    | Cosmetic
    | Healed
    | Changed
    | Looks
    | Left
    | Reached
    | Ruled
    | Corrected
    | Joined
    | Numbered
    | Shown
    | Stage
    | Desk
    | RoundOver
)
EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])
