"""The events of a skirmish. Each holds all that its line in the log needs; `hidden` ones are only for the GM."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from app.engine.chance import Roll
from app.engine.frozen import frozen
from app.rulesets.skirmish.fight.before_events import AttitudeRolled, DiceCalled, Noticed, Surprised, SurpriseRolled
from app.rulesets.skirmish.fight.declarations import Attribute, Do, Gambit
from app.rulesets.skirmish.sheet.sheets import Reaction, Side

Status = Literal[
    "dead", "out", "paralysed", "broken", "routed", "destroyed", "fled", "surrendered", "escaped", "removed"
]
Turn = Literal["quick", "full"]
Stat = Literal["hp", "mgt", "agi", "wil"]
Hindrance = Literal[
    "", "prone", "stunned", "fallen", "surprised", "unknown", "reach", "spell", "afar", "speed", "gear", "armour",
    "heft", "hands", "slots",
]  # fmt: skip
"""What keeps somebody from a reaction (`legal.hindrance`); "": nothing does."""


@frozen()
class Parleyed:
    """Whether it comes to a fight."""

    peace: bool
    words: str
    kind: Literal["parleyed"] = "parleyed"


@frozen()
class Deed:
    """An action as declared, without the form's values for the choices not taken."""

    do: Do
    target: str = ""
    spare: tuple[str, ...] = ()
    weapon: str = ""  # a thing's or a spell's key; "": bare hands
    weapon_name: str = ""
    second: str = ""
    second_name: str = ""
    quicker: bool = False
    gambit: Gambit | Literal[""] = ""
    words: str = ""
    zone: str = ""
    close: str = ""
    item: str = ""
    item_name: str = ""


@frozen()
class Declared:
    """A combatant's turn, opened (SKI-23, SKI-27)."""

    who: str
    turn: Turn
    deeds: tuple[Deed, ...]
    react: Reaction
    sacrifice: tuple[tuple[str, str], ...]  # thing -> any, mgt, lethal
    how: str
    hidden: bool
    gentle: bool = False  # to knock out instead of wounding (SKI-88)
    kind: Literal["declared"] = "declared"


@frozen()
class Initiative:
    """The caller's odd or even, both dice, and the side that leads (SKI-21)."""

    caller: str  # "": nobody of the company can call
    call: Literal["odd", "even"]
    own: Roll
    gm: Roll
    leads: Side
    how: str
    kind: Literal["initiative"] = "initiative"


@frozen()
class Ruled:
    """The GM's ruling on a gambit in own words."""

    who: str
    allowed: bool
    against: Attribute
    words: str
    kind: Literal["ruled"] = "ruled"


@frozen()
class Ordered:
    """The order in which a side's combatants act inside its groups (SKI-25)."""

    side: Side
    order: tuple[str, ...]
    kind: Literal["ordered"] = "ordered"


@frozen()
class Reacted:
    """A reaction to an attack, opened; `attack` is "attacker>target" (SKI-63)."""

    attack: str
    who: str
    by: str
    reaction: Reaction
    how: str
    kind: Literal["reacted"] = "reacted"


@frozen()
class Foiled:
    """Something sealed cannot be done, and why: who reacts just Defends, the rest is left out (SKI-63)."""

    who: str
    what: Literal["fight", "block", "dodge", "parry", "sacrifice", "beside", "shove", "disarm"]
    why: Hindrance | Literal["special", "gone", "room", "way", "empty"]
    other: str = ""  # the attacker, or whom it was meant for
    name: str = ""  # of the thing
    zone: str = ""
    kind: Literal["foiled"] = "foiled"


@frozen()
class Queued:
    """Who acts when: the groups in order, each with its combatants in order (SKI-24, SKI-25)."""

    groups: tuple[tuple[Side, Turn, tuple[str, ...]], ...]
    ties: tuple[Roll, ...] = ()  # AGI saves of the order by length (SKI-47)
    kind: Literal["queued"] = "queued"


@frozen()
class Acts:
    """A combatant's group has come; `part` counts the actions of a full turn from 0."""

    who: str
    turn: Turn
    part: int = 0
    kind: Literal["acts"] = "acts"


@frozen()
class Idle:
    """An action is not carried out, and why (SKI-15, SKI-28)."""

    who: str
    do: Do
    why: Literal[
        "held", "stunned", "prone", "target", "weapon", "full", "way", "slow", "room", "not allowed", "trapped"
    ]
    kind: Literal["idle"] = "idle"


@frozen()
class Moved:
    """A combatant is in a zone now, beside `close` if not ""; `before` is the zone he left (SKI-12, SKI-16)."""

    who: str
    before: str
    zone: str
    close: str
    why: Literal["move", "withdraw", "retreat", "shove", "set"]
    hidden: bool = False
    kind: Literal["moved"] = "moved"


@frozen()
class Provoked:
    """A quick attack on somebody who leaves a zone: d4 less Armor (SKI-17)."""

    by: str
    who: str
    roll: Roll
    armor: int
    damage: int
    kind: Literal["provoked"] = "provoked"


@frozen()
class Tested:
    """A Test and its tier; two dice with 2d10 (SKI-30 to SKI-34, SKI-54)."""

    who: str
    against: str
    what: Literal["attack", "riposte", "sweep", "retreat", "gambit", "opposite"]
    with_name: str  # of the weapon, spell or gambit
    attribute: Attribute
    value: int
    dice: tuple[Roll, ...]
    tier: Literal[1, 2, 3]
    kind: Literal["tested"] = "tested"


@frozen()
class Damage:
    """The damage of a hit: dice, what changed them, and what is left after Armor (SKI-32, SKI-36)."""

    by: str
    who: str
    with_name: str
    roll: Roll
    enhanced: Roll | None
    impaired: Roll | None
    bonus: int  # of Magic
    total: int
    armor: int  # that counted
    damage: int  # that is left
    earlier: int = 0  # that an attack of the same group did already (SKI-44)
    back: bool = False  # Counter turned it on the attacker; `who` is the one hit
    kind: Literal["damage"] = "damage"


@frozen()
class Parried:
    """Both rolled for damage; the lower one takes the other's roll, straight to MGT (SKI-70)."""

    by: str
    who: str
    attack: int
    defence: int
    dice: tuple[Roll, ...]
    loser: str  # "": equal
    damage: int
    kind: Literal["parried"] = "parried"


@frozen()
class Tired:
    """One Fatigue more; `full`: all slots are full, so that HP are gone (SKI-71)."""

    who: str
    fatigue: int
    full: bool
    reaction: bool = True  # paid for a reaction
    kind: Literal["tired"] = "tired"


@frozen()
class Changed:
    """Numbers that only those see who may know them; `down`: HP reached 0."""

    who: str
    part: Stat
    before: int
    after: int
    numbers: bool
    kind: Literal["changed"] = "changed"


@frozen()
class LooksChanged:
    """How somebody looks whose numbers are the GM's (SKI-39)."""

    who: str
    health: str
    kind: Literal["looks"] = "looks"


@frozen()
class Saved:
    """A save: d20 at or below the attribute (SKI-35)."""

    who: str
    why: Literal["critical", "morale", "retreat"]
    attribute: Attribute
    value: int
    roll: Roll | None  # None: it fails without a die
    passed: bool
    leads: str = ""  # whose WIL it is, if a leader's
    kind: Literal["saved"] = "saved"


@frozen()
class Injured:
    """A severe wound by the table, and its die (SKI-40, SKI-42, SKI-43)."""

    who: str
    place: Literal["torso", "left leg", "right leg", "left arm", "right arm", "head"]
    roll: Roll
    more: Roll | None
    effect: Literal["", "eye", "scar", "dead"]
    kind: Literal["injured"] = "injured"


@frozen()
class Fell:
    """Somebody takes no more part (SKI-41, SKI-52, SKI-76, SKI-79)."""

    who: str
    status: Status
    reason: str = ""
    hidden: bool = False
    kind: Literal["fell"] = "fell"


@frozen()
class Item:
    """Something happened to a thing: dropped into a zone, picked up, readied, shot, thrown, broken, lost, destroyed."""

    who: str
    item: str
    name: str
    what: Literal["dropped", "taken", "ready", "spent", "thrown", "broke", "lost", "sacrificed"]
    zone: str = ""
    kind: Literal["item"] = "item"


@frozen()
class Gambited:
    """Whether a gambit works, and its effect (SKI-54, SKI-57)."""

    who: str
    target: str
    gambit: Gambit
    works: bool
    words: str
    kind: Literal["gambited"] = "gambited"


@frozen()
class Stunned:
    """A stun works; `loses`: an action is left to lose, which an `Idle` names (SKI-57).

    Scenes of versions 1 and 2 tell it by `Gambited`, and all that was left of the turn is lost.
    """

    who: str
    by: str
    loses: bool
    kind: Literal["stunned"] = "stunned"


@frozen()
class Struck:
    """A weapon's trait or a mishap changes somebody until the turn is over, or longer (SKI-85)."""

    who: str
    by: str
    what: Literal["push", "shock", "bleed", "bleeds"]
    roll: Roll | None = None
    kind: Literal["struck"] = "struck"


@frozen()
class Felled:
    """A kill with a weapon counts for its wielder's skill (SKI-85)."""

    who: str
    weapon: str
    kind: Literal["felled"] = "felled"


@frozen()
class Shaken:
    """A group has to save for morale (SKI-72 to SKI-75)."""

    group: str
    side: Side
    trigger: Literal["first", "half", "both", "lone", "brutal"]
    members: tuple[str, ...]  # who saves
    kind: Literal["shaken"] = "shaken"


@frozen()
class Wavered:
    """A morale save failed: the GM says whether he flees or surrenders (SKI-76)."""

    who: str
    kind: Literal["wavered"] = "wavered"


@frozen()
class Burned:
    """A hazard of a zone (SKI-19)."""

    who: str
    zone: str
    hazard: str
    roll: Roll | None
    damage: int
    to: Stat
    kind: Literal["burned"] = "burned"


@frozen()
class TurnOver:
    """All ongoing effects end; the next turn has another caller (SKI-22, SKI-26)."""

    turn: int
    free: bool
    kind: Literal["turn-over"] = "turn-over"


@frozen()
class FightOver:
    """The end; `winner` is "" if nobody won."""

    winner: Side | Literal[""]
    words: str
    kind: Literal["fight-over"] = "fight-over"


@frozen()
class Stage:
    """The next part of the turn; `about` are the attacks, combatants or seats that it asks."""

    stage: Literal["before", "attitude", "parley", "declare", "rule", "order", "react", "act", "morale", "next"]
    about: tuple[str, ...] = ()
    kind: Literal["stage"] = "stage"


@frozen()
class Corrected:
    """The GM corrects numbers; part -> value (SKI-37)."""

    who: str
    parts: tuple[tuple[Stat | Literal["fatigue"], int], ...]
    odds: Literal["", "impaired", "enhanced"]
    reason: str
    hidden: bool
    kind: Literal["corrected"] = "corrected"


@frozen()
class FieldSet:
    """The field as the GM draws it now (SKI-14)."""

    zones: tuple[dict[str, Any], ...]
    reason: str
    kind: Literal["field-set"] = "field-set"


@frozen()
class Joined:
    """Somebody came into the fight. The numbers are a separate event; only the GM sees a foe's."""

    who: str
    name: str
    side: Side
    seat: str
    zone: str
    hidden: bool
    detachment: bool
    group: str
    character: str = ""
    kind: Literal["joined"] = "joined"


@frozen()
class Numbered:
    """The sheet of a newcomer, with the gear it names resolved."""

    who: str
    sheet: dict[str, Any]
    shown: bool
    kind: Literal["numbered"] = "numbered"


@frozen()
class Sighted:
    """A hidden foe came into sight, or a foe slipped out of sight."""

    who: str
    visible: bool
    kind: Literal["shown"] = "shown"


@frozen()
class Desk:
    """The GM acted between the steps; `anew`: all are asked again."""

    anew: bool
    kind: Literal["desk"] = "desk"


Event = (
    DiceCalled | SurpriseRolled | Noticed | Surprised | AttitudeRolled | Parleyed | Declared | Initiative
    | Ruled | Ordered | Reacted | Foiled | Queued | Acts | Idle | Moved | Provoked | Tested | Damage | Parried | Tired
    | Changed | LooksChanged | Saved | Injured | Fell | Item | Gambited | Stunned | Struck | Felled | Shaken | Wavered
    | Burned | TurnOver | FightOver | Stage | Corrected | FieldSet | Joined | Numbered | Sighted | Desk
)  # fmt: skip
EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])
