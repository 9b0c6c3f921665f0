"""What can happen in a battle. Each event says all that its line in the log needs; `hidden` ones are the GM's alone."""

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
    """Who will bar which way as soon as he is seen; the GM's alone (WHI-57)."""

    areas: tuple[tuple[str, tuple[str, ...]], ...]  # key, the hidden barrers
    kind: Literal["barring"] = "barring"


@frozen()
class Declared:
    """One character's intent, opened (WHI-03)."""

    who: str
    intent: str
    target: str = ""  # attack: whom; advance: whom he engages, or ""; defend: the ward
    area: str = ""  # advance: where; defend: the area
    prefer: tuple[str, ...] = ()
    words: str = ""  # other: own words
    card: str = ""  # other: the ability card
    rider: str = ""  # ability card besides
    rider_target: str = ""
    rider_words: str = ""
    how: str = "sealed"
    rank: int = 0
    hidden: bool = False
    kind: Literal["declared"] = "declared"


@frozen()
class Stuck:
    """Everybody who could go is threatened by somebody who could go (WHI-26); `order` counts a round's loops."""

    members: tuple[str, ...]
    order: int = 1
    kind: Literal["stuck"] = "stuck"


@frozen()
class Loop:
    """One of those who are stuck is picked and goes through (WHI-27)."""

    members: tuple[str, ...]
    picked: str
    roll: Roll | None  # None: picked because he spoke first
    kind: Literal["loop"] = "loop"


@frozen()
class Chose:
    """A guard who could choose took these of the attackers of his ward (WHI-16, WHI-22)."""

    who: str
    ward: str
    took: tuple[str, ...]
    among: int  # attackers of the ward whom he might have met
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
    """Somebody does not get to do what he declared (WHI-13, WHI-23)."""

    who: str
    by: str
    kind: Literal["stopped"] = "stopped"


@frozen()
class Idle:
    """A guard met nobody (WHI-19)."""

    who: str
    kind: Literal["idle"] = "idle"


@frozen()
class Struck:
    """The GM struck a clash out before any card was drawn."""

    clash: str
    reason: str
    kind: Literal["struck"] = "struck"


@frozen()
class Worked:
    """An ability card or own words took effect; `question` asks the GM what the words mean (WHI-24)."""

    who: str
    card: str = ""
    words: str = ""
    target: str = ""
    question: str = ""
    spent: bool = False
    kind: Literal["worked"] = "worked"


@frozen()
class Failed:
    """It did not take effect: stopped, or caught in a mutual clash (WHI-23, WHI-25)."""

    who: str
    card: str = ""
    words: str = ""
    spent: bool = False
    kind: Literal["failed"] = "failed"


@frozen()
class PageCache:
    """A card left a faction's deck; `turned`: it was the last one, the next half or deck begins (WHI-49 to WHI-52)."""

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
    """Who makes the one check of a clash, and why he (WHI-34)."""

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
    """The winner's hit: base + die × the d6, with what cards add and take (WHI-38)."""

    clash: str
    winner: str
    loser: str
    base: int
    die: int
    rolled: int
    more: int
    less: int
    damage: int
    card: str = ""  # the ability card that took the weapon's place
    kind: Literal["hit"] = "hit"


@frozen()
class Cosmetic:
    """A hit that hurts nobody, because the others put its owner out of the battle at the same instant (WHI-42)."""

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
    """HP after all that touched them landed at once (WHI-44); `down`: out of the battle (WHI-45).

    Where the numbers are the GM's, a `Looks` beside it says to all what they can see.
    """

    who: str
    before: int
    after: int
    down: bool
    hidden: bool = False
    numbers: bool = True  # everybody may know them
    kind: Literal["changed"] = "changed"


@frozen()
class Looks:
    """How somebody whose HP are not known looks now: unhurt, hurt, bloodied, down."""

    who: str
    health: str
    down: bool
    kind: Literal["looks"] = "looks"


@frozen()
class Left:
    """Somebody left the battle alive: through an exit, by flight, by surrender (WHI-61)."""

    who: str
    area: str  # "" if the GM took him out
    reason: str
    hidden: bool = False
    kind: Literal["left"] = "left"


@frozen()
class Reached:
    """An advance came through, or did not (WHI-55, WHI-56)."""

    who: str
    area: str
    reached: bool
    question: str = ""
    kind: Literal["reached"] = "reached"


@frozen()
class Ruled:
    """What the GM said of a question; no words and no change is the default (section on rulings)."""

    question: str
    words: str
    who: str
    hp: int
    kind: Literal["ruled"] = "ruled"


@frozen()
class Corrected:
    """The GM corrected a number, with a reason everybody reads."""

    who: str
    hp: int | None
    combat: int | None
    reason: str
    hidden: bool
    kind: Literal["corrected"] = "corrected"


@frozen()
class Joined:
    """Somebody came into the battle. The numbers are an event of their own, which the GM alone sees of foes."""

    who: str
    name: str
    side: str
    faction: str
    seat: str
    hidden: bool
    character: str = ""  # the campaign's id, if it is one of its characters
    kind: Literal["joined"] = "joined"


@frozen()
class Numbered:
    """The sheet of somebody who came in."""

    who: str
    sheet: dict[str, Any]
    shown: bool
    kind: Literal["numbered"] = "numbered"


@frozen()
class Shown:
    """Somebody hidden was seen, or slipped out of sight."""

    who: str
    visible: bool
    kind: Literal["shown"] = "shown"


@frozen()
class Stage:
    """The round comes to its next part: the GM looks at the pairing, rules on what came of it, or goes on."""

    stage: Literal["veto", "rule", "next"]
    kind: Literal["stage"] = "stage"


@frozen()
class Desk:
    """The GM did something between the steps; `anew`: it changed what is asked, so everybody declares anew."""

    anew: bool
    kind: Literal["desk"] = "desk"


@frozen()
class RoundOver:
    """The round is through; `on` says whether another one begins (WHI-01)."""

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
    | PageCache
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
