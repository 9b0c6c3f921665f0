"""What can happen in a battle. Each event says all that its line in the log needs; `hidden` ones are the GM's alone."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from app.engine.chance import Roll


@dataclass(frozen=True, slots=True)
class SceneSet:
    """The GM set the scene of a round (WHI-02)."""

    round: int
    description: str
    areas: tuple[tuple[str, str, tuple[str, ...], bool], ...]  # key, name, barrers, exit
    seconds: int | None
    kind: Literal["scene-set"] = "scene-set"


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Loop:
    """Everybody who could go is threatened by somebody who could go; one of them is picked (WHI-26, WHI-27)."""

    members: tuple[str, ...]
    picked: str
    roll: Roll | None  # None: picked because he spoke first
    kind: Literal["loop"] = "loop"


@dataclass(frozen=True, slots=True)
class Met:
    """`by` brought about a clash with `other`: unhindered, as a guard, by mutual attack, or picked out of a loop."""

    clash: str  # "by>other"
    by: str
    other: str
    why: Literal["free", "guard", "mutual", "picked"]
    kind: Literal["met"] = "met"


@dataclass(frozen=True, slots=True)
class Stopped:
    """Somebody does not get to do what he declared (WHI-13, WHI-23)."""

    who: str
    by: str
    kind: Literal["stopped"] = "stopped"


@dataclass(frozen=True, slots=True)
class Idle:
    """A guard met nobody (WHI-19)."""

    who: str
    kind: Literal["idle"] = "idle"


@dataclass(frozen=True, slots=True)
class Struck:
    """The GM struck a clash out before any card was drawn."""

    clash: str
    reason: str
    kind: Literal["struck"] = "struck"


@dataclass(frozen=True, slots=True)
class Worked:
    """An ability card or own words took effect; `question` asks the GM what the words mean (WHI-24)."""

    who: str
    card: str = ""
    words: str = ""
    target: str = ""
    question: str = ""
    spent: bool = False
    kind: Literal["worked"] = "worked"


@dataclass(frozen=True, slots=True)
class Failed:
    """It did not take effect: stopped, or caught in a mutual clash (WHI-23, WHI-25)."""

    who: str
    card: str = ""
    words: str = ""
    spent: bool = False
    kind: Literal["failed"] = "failed"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card left a faction's deck; `turned`: it was the last one, the next half or deck begins (WHI-49 to WHI-52)."""

    faction: str
    half: str
    value: int
    roll: Roll
    turned: bool
    kind: Literal["drawn"] = "drawn"


@dataclass(frozen=True, slots=True)
class Checked:
    """The one check of a clash: x + card against y (WHI-36)."""

    clash: str
    checker: str
    against: str
    x: int
    card: int
    y: int
    die: Roll
    passed: bool
    kind: Literal["checked"] = "checked"


@dataclass(frozen=True, slots=True)
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
    kind: Literal["hit"] = "hit"


@dataclass(frozen=True, slots=True)
class Cosmetic:
    """A hit that hurts nobody, because the others put its owner out of the battle at the same instant (WHI-42)."""

    clash: str
    winner: str
    loser: str
    kind: Literal["cosmetic"] = "cosmetic"


@dataclass(frozen=True, slots=True)
class Healed:
    who: str
    by: str
    amount: int
    roll: Roll | None
    card: str
    kind: Literal["healed"] = "healed"


@dataclass(frozen=True, slots=True)
class Changed:
    """HP after all that touched them landed at once (WHI-44); `down`: out of the battle (WHI-45)."""

    who: str
    before: int
    after: int
    down: bool
    hidden: bool = False
    kind: Literal["changed"] = "changed"


@dataclass(frozen=True, slots=True)
class Reached:
    """An advance came through, or did not (WHI-55, WHI-56)."""

    who: str
    area: str
    reached: bool
    question: str = ""
    kind: Literal["reached"] = "reached"


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the GM said of a question; no words and no change is the default (section on rulings)."""

    question: str
    words: str
    who: str
    hp: int
    kind: Literal["ruled"] = "ruled"


@dataclass(frozen=True, slots=True)
class Corrected:
    """The GM corrected a number, with a reason everybody reads."""

    who: str
    hp: int | None
    combat: int | None
    reason: str
    hidden: bool
    kind: Literal["corrected"] = "corrected"


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody came into the battle. The numbers are an event of their own, which the GM alone sees of foes."""

    who: str
    name: str
    side: str
    faction: str
    seat: str
    hidden: bool
    kind: Literal["joined"] = "joined"


@dataclass(frozen=True, slots=True)
class Numbered:
    """The sheet of somebody who came in."""

    who: str
    sheet: dict[str, Any]
    shown: bool
    kind: Literal["numbered"] = "numbered"


@dataclass(frozen=True, slots=True)
class Shown:
    """Somebody hidden was seen, or slipped out of sight."""

    who: str
    visible: bool
    kind: Literal["shown"] = "shown"


@dataclass(frozen=True, slots=True)
class Stage:
    """The round comes to its next part: the GM looks at the pairing, rules on what came of it, or goes on."""

    stage: Literal["veto", "rule", "next"]
    kind: Literal["stage"] = "stage"


@dataclass(frozen=True, slots=True)
class Desk:
    """The GM did something between the steps; `anew`: it changed what is asked, so everybody declares anew."""

    anew: bool
    kind: Literal["desk"] = "desk"


@dataclass(frozen=True, slots=True)
class RoundOver:
    """The round is through; `on` says whether another one begins (WHI-01)."""

    round: int
    on: bool
    winner: str
    words: str
    kind: Literal["round-over"] = "round-over"


Event = (
    SceneSet
    | Declared
    | Loop
    | Met
    | Stopped
    | Idle
    | Struck
    | Worked
    | Failed
    | Drawn
    | Checked
    | Hit
    | Cosmetic
    | Healed
    | Changed
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
