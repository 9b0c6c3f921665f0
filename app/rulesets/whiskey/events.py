"""The events of a battle. Each holds all that its line in the log needs; `hidden` ones are only for the GM."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from app.engine.chance import Roll
from app.engine.frozen import frozen


@frozen()
class SceneSet:
    """The GM set the scene of a round (WHI-02)."""

    round: int
    description: str
    areas: tuple[tuple[str, str, tuple[str, ...], bool], ...]  # key, name, barrers, exit
    seconds: int | None
    kind: Literal["scene-set"] = "scene-set"


@frozen()
class Barring:
    """The hidden characters who will bar a way as soon as they are seen; only for the GM (WHI-57)."""

    areas: tuple[tuple[str, tuple[str, ...]], ...]  # key, the hidden barrers
    kind: Literal["barring"] = "barring"


@frozen()
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
    kind: Literal["declared"] = "declared"


@frozen()
class Stuck:
    """Every member of a loop is threatened by another one (WHI-26); `order` numbers the loops of a round."""

    members: tuple[str, ...]
    order: int = 1
    kind: Literal["stuck"] = "stuck"


@frozen()
class Loop:
    """One member of a loop is picked and goes through (WHI-27)."""

    members: tuple[str, ...]
    picked: str
    roll: Roll | None  # None: picked for speaking first
    kind: Literal["loop"] = "loop"


@frozen()
class Chose:
    """The attackers that a guard with a choice took (WHI-16, WHI-22)."""

    who: str
    ward: str
    took: tuple[str, ...]
    among: int  # attackers of the ward he could have met
    kind: Literal["chose"] = "chose"


@frozen()
class Met:
    """`by` brought about a clash with `other`: unhindered, as a guard, by mutual attack, or picked out of a loop."""

    clash: str  # "by>other"
    by: str
    other: str
    why: Literal["free", "guard", "mutual", "picked"]
    kind: Literal["met"] = "met"


@frozen()
class Stopped:
    """A character cannot carry out his declaration (WHI-13, WHI-23)."""

    who: str
    by: str
    kind: Literal["stopped"] = "stopped"


@frozen()
class Idle:
    """A guard met no attacker (WHI-19)."""

    who: str
    kind: Literal["idle"] = "idle"


@frozen()
class Struck:
    """The GM struck out a clash before any card was drawn."""

    clash: str
    reason: str
    kind: Literal["struck"] = "struck"


@frozen()
class Worked:
    """An ability card or own words took effect; `question` asks the GM for the meaning of the words (WHI-24)."""

    who: str
    card: str = ""
    words: str = ""
    target: str = ""
    question: str = ""
    spent: bool = False
    kind: Literal["worked"] = "worked"


@frozen()
class Failed:
    """A card or own words failed: stopped, or caught in a mutual clash (WHI-23, WHI-25)."""

    who: str
    card: str = ""
    words: str = ""
    spent: bool = False
    kind: Literal["failed"] = "failed"


@frozen()
class Drawn:
    """A card left a faction's deck; `turned`: it was the last one, the next half or pack begins (WHI-49 to WHI-52)."""

    faction: str
    half: str
    value: int
    roll: Roll
    turned: bool
    kind: Literal["drawn"] = "drawn"


@frozen()
class Turned:
    """The last card was drawn: the half or pack is shuffled, the next one is used (WHI-49, WHI-51)."""

    faction: str
    half: str
    kind: Literal["turned"] = "turned"


@frozen()
class Called:
    """The fighter who makes the one check of a clash, and why (WHI-34)."""

    clash: str
    checker: str
    why: Literal["began", "player", "first"]
    kind: Literal["called"] = "called"


@frozen()
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
    kind: Literal["checked"] = "checked"


@frozen()
class Tested:
    """A check outside a clash, ordered by the GM for a question: x + card against y (WHI-39)."""

    question: str
    who: str
    x: int
    card: int
    y: int
    die: Roll
    passed: bool
    kind: Literal["tested"] = "tested"


@frozen()
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
    kind: Literal["hit"] = "hit"


@frozen()
class Cosmetic:
    """A hit without effect: its owner was put out of the battle at the same instant (WHI-42)."""

    clash: str
    winner: str
    loser: str
    kind: Literal["cosmetic"] = "cosmetic"


@frozen()
class Healed:
    who: str
    by: str
    amount: int
    roll: Roll | None
    card: str
    kind: Literal["healed"] = "healed"


@frozen()
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
    kind: Literal["changed"] = "changed"


@frozen()
class Looks:
    """The visible health of a fighter whose HP are not known: unhurt, hurt, bloodied, down."""

    who: str
    health: str
    down: bool
    kind: Literal["looks"] = "looks"


@frozen()
class Left:
    """A fighter left the battle alive: through an exit, by flight, by surrender (WHI-61)."""

    who: str
    area: str  # "" if the GM removed him
    reason: str
    hidden: bool = False
    kind: Literal["left"] = "left"


@frozen()
class Reached:
    """An advance reached its area, or did not (WHI-55, WHI-56)."""

    who: str
    area: str
    reached: bool
    question: str = ""
    kind: Literal["reached"] = "reached"


@frozen()
class Ruled:
    """The GM's ruling on a question; no words and no change is the default."""

    question: str
    words: str
    who: str
    hp: int
    kind: Literal["ruled"] = "ruled"


@frozen()
class Corrected:
    """The GM corrected a number, with a public reason."""

    who: str
    hp: int | None
    combat: int | None
    reason: str
    hidden: bool
    kind: Literal["corrected"] = "corrected"


@frozen()
class Joined:
    """A fighter came into the battle. The numbers are a separate event; only the GM sees a foe's."""

    who: str
    name: str
    side: str
    faction: str
    seat: str
    hidden: bool
    character: str = ""  # the campaign's id, if it is a campaign's character
    kind: Literal["joined"] = "joined"


@frozen()
class Numbered:
    """The sheet of a newcomer."""

    who: str
    sheet: dict[str, Any]
    shown: bool
    kind: Literal["numbered"] = "numbered"


@frozen()
class Shown:
    """A hidden fighter came into sight, or a fighter slipped out of sight."""

    who: str
    visible: bool
    kind: Literal["shown"] = "shown"


@frozen()
class Stage:
    """The next part of the round: the GM looks at the pairing, rules on questions, or goes on."""

    stage: Literal["veto", "rule", "next"]
    kind: Literal["stage"] = "stage"


@frozen()
class Desk:
    """The GM acted between the steps; `anew`: it changed which declarations are legal, so all seats are asked again."""

    anew: bool
    kind: Literal["desk"] = "desk"


@frozen()
class RoundOver:
    """The round is over; `on` tells whether another one begins (WHI-01)."""

    round: int
    on: bool
    winner: str
    words: str
    kind: Literal["round-over"] = "round-over"


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
