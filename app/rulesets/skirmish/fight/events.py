"""The events of a skirmish. Each holds all that its line in the log needs; `hidden` ones are only for the GM."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from app.engine.chance import Roll
from app.engine.events import event, everyone, gms, unless_hidden, where
from app.engine.frozen import frozen
from app.rulesets.skirmish.fight.declarations import Attribute, Do, Gambit, Situation
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


@event("dice-called", seen=gms)
class DiceCalled:
    """What the GM said at the start, where dice fall for it as soon as the players are ready; for the GM only."""

    unaware: tuple[Side, ...]
    situation: Situation
    ambush: bool
    attitude: bool


@event("surprise-rolled", seen=gms)
class SurpriseRolled:
    """The d6 for surprise, for the GM only; `side` is surprised, "" if nobody is (SKI-01, SKI-02)."""

    unaware: tuple[Side, ...]
    situation: Situation
    ambush: bool
    roll: Roll
    side: Side | Literal[""]


@event("noticed", seen=everyone)
class Noticed:
    """What everybody learns of it: whether somebody is surprised, not yet who (SKI-03)."""

    free: bool
    attitude: bool  # the GM rolls for the foes' attitude next


@event("surprised", seen=everyone)
class Surprised:
    """The side that is surprised, told when the free turn opens (SKI-03, SKI-04)."""

    side: Side
    face: int
    ambush: bool


@event("attitude-rolled", seen=everyone)
class AttitudeRolled:
    """The foes' attitude: 2d6, and a d4 that counts for or against (SKI-06, SKI-07)."""

    weapons: Literal["mixed", "drawn", "sheathed"]
    dice: tuple[Roll, ...]
    extra: Roll | None
    total: int
    attitude: Literal["hostile", "wary", "curious", "kind", "helpful"]


@event("parleyed", seen=everyone)
class Parleyed:
    """Whether it comes to a fight."""

    peace: bool
    words: str


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


@event("declared", seen=unless_hidden)
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


@event("initiative", seen=everyone)
class Initiative:
    """The caller's odd or even, both dice, and the side that leads (SKI-21)."""

    caller: str  # "": nobody of the company can call
    call: Literal["odd", "even"]
    own: Roll
    gm: Roll
    leads: Side
    how: str


@event("ruled", seen=everyone)
class Ruled:
    """The GM's ruling on a gambit in own words."""

    who: str
    allowed: bool
    against: Attribute
    words: str


@event("ordered", seen=everyone)
class Ordered:
    """The order in which a side's combatants act inside its groups (SKI-25)."""

    side: Side
    order: tuple[str, ...]


@event("reacted", seen=everyone)
class Reacted:
    """A reaction to an attack, opened; `attack` is "attacker>target" (SKI-63)."""

    attack: str
    who: str
    by: str
    reaction: Reaction
    how: str


@event("foiled", seen=everyone)
class Foiled:
    """Something sealed cannot be done, and why: who reacts just Defends, the rest is left out (SKI-63)."""

    who: str
    what: Literal["fight", "block", "dodge", "parry", "sacrifice", "beside", "shove", "disarm"]
    why: Hindrance | Literal["special", "gone", "room", "way", "empty"]
    other: str = ""  # the attacker, or whom it was meant for
    name: str = ""  # of the thing
    zone: str = ""


@event("queued", seen=everyone)
class Queued:
    """Who acts when: the groups in order, each with its combatants in order (SKI-24, SKI-25)."""

    groups: tuple[tuple[Side, Turn, tuple[str, ...]], ...]
    ties: tuple[Roll, ...] = ()  # AGI saves of the order by length (SKI-47)


@event("acts", seen=everyone)
class Acts:
    """A combatant's group has come; `part` counts the actions of a full turn from 0."""

    who: str
    turn: Turn
    part: int = 0


@event("idle", seen=everyone)
class Idle:
    """An action is not carried out, and why (SKI-15, SKI-28)."""

    who: str
    do: Do
    why: Literal[
        "held", "stunned", "prone", "target", "weapon", "full", "way", "slow", "room", "not allowed", "trapped"
    ]


@event("moved", seen=unless_hidden)
class Moved:
    """A combatant is in a zone now, beside `close` if not ""; `before` is the zone he left (SKI-12, SKI-16)."""

    who: str
    before: str
    zone: str
    close: str
    why: Literal["move", "withdraw", "retreat", "shove", "set"]
    hidden: bool = False


@event("provoked", seen=everyone)
class Provoked:
    """A quick attack on somebody who leaves a zone: d4 less Armor (SKI-17)."""

    by: str
    who: str
    roll: Roll
    armor: int
    damage: int


@event("tested", seen=everyone)
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


@event("damage", seen=everyone)
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


@event("parried", seen=everyone)
class Parried:
    """Both rolled for damage; the lower one takes the other's roll, straight to MGT (SKI-70)."""

    by: str
    who: str
    attack: int
    defence: int
    dice: tuple[Roll, ...]
    loser: str  # "": equal
    damage: int


@event("tired", seen=everyone)
class Tired:
    """One Fatigue more; `full`: all slots are full, so that HP are gone (SKI-71)."""

    who: str
    fatigue: int
    full: bool
    reaction: bool = True  # paid for a reaction


@event("changed", seen=where(numbers=True))
class Changed:
    """Numbers that only those see who may know them; `down`: HP reached 0."""

    who: str
    part: Stat
    before: int
    after: int
    numbers: bool


@event("looks", seen=everyone)
class LooksChanged:
    """How somebody looks whose numbers are the GM's (SKI-39)."""

    who: str
    health: str


@event("saved", seen=everyone)
class Saved:
    """A save: d20 at or below the attribute (SKI-35)."""

    who: str
    why: Literal["critical", "morale", "retreat"]
    attribute: Attribute
    value: int
    roll: Roll | None  # None: it fails without a die
    passed: bool
    leads: str = ""  # whose WIL it is, if a leader's


@event("injured", seen=everyone)
class Injured:
    """A severe wound by the table, and its die (SKI-40, SKI-42, SKI-43)."""

    who: str
    place: Literal["torso", "left leg", "right leg", "left arm", "right arm", "head"]
    roll: Roll
    more: Roll | None
    effect: Literal["", "eye", "scar", "dead"]


@event("fell", seen=unless_hidden)
class Fell:
    """Somebody takes no more part (SKI-41, SKI-52, SKI-76, SKI-79)."""

    who: str
    status: Status
    reason: str = ""
    hidden: bool = False


@event("item", seen=everyone)
class Item:
    """Something happened to a thing: dropped into a zone, picked up, readied, shot, thrown, broken, lost, destroyed."""

    who: str
    item: str
    name: str
    what: Literal["dropped", "taken", "ready", "spent", "thrown", "broke", "lost", "sacrificed"]
    zone: str = ""


@event("gambited", seen=everyone)
class Gambited:
    """Whether a gambit works, and its effect (SKI-54, SKI-57)."""

    who: str
    target: str
    gambit: Gambit
    works: bool
    words: str


@event("stunned", seen=everyone)
class Stunned:
    """A stun works; `loses`: an action is left to lose, which an `Idle` names (SKI-57).

    Scenes of versions 1 and 2 tell it by `Gambited`, and all that was left of the turn is lost.
    """

    who: str
    by: str
    loses: bool


@event("struck", seen=everyone)
class Struck:
    """A weapon's trait or a mishap changes somebody until the turn is over, or longer (SKI-85)."""

    who: str
    by: str
    what: Literal["push", "shock", "bleed", "bleeds"]
    roll: Roll | None = None


@event("felled", seen=everyone)
class Felled:
    """A kill with a weapon counts for its wielder's skill (SKI-85)."""

    who: str
    weapon: str


@event("shaken", seen=everyone)
class Shaken:
    """A group has to save for morale (SKI-72 to SKI-75)."""

    group: str
    side: Side
    trigger: Literal["first", "half", "both", "lone", "brutal"]
    members: tuple[str, ...]  # who saves


@event("wavered", seen=everyone)
class Wavered:
    """A morale save failed: the GM says whether he flees or surrenders (SKI-76)."""

    who: str


@event("burned", seen=everyone)
class Burned:
    """A hazard of a zone (SKI-19)."""

    who: str
    zone: str
    hazard: str
    roll: Roll | None
    damage: int
    to: Stat


@event("turn-over", seen=everyone)
class TurnOver:
    """All ongoing effects end; the next turn has another caller (SKI-22, SKI-26)."""

    turn: int
    free: bool


@event("fight-over", seen=everyone)
class FightOver:
    """The end; `winner` is "" if nobody won."""

    winner: Side | Literal[""]
    words: str


@event("stage", seen=everyone)
class Stage:
    """The next part of the turn; `about` are the attacks, combatants or seats that it asks."""

    stage: Literal["before", "attitude", "parley", "declare", "rule", "order", "react", "act", "morale", "next"]
    about: tuple[str, ...] = ()


@event("corrected", seen=unless_hidden)
class Corrected:
    """The GM corrects numbers; part -> value (SKI-37)."""

    who: str
    parts: tuple[tuple[Stat | Literal["fatigue"], int], ...]
    odds: Literal["", "impaired", "enhanced"]
    reason: str
    hidden: bool


@event("field-set", seen=everyone)
class FieldSet:
    """The field as the GM draws it now (SKI-14)."""

    zones: tuple[dict[str, Any], ...]
    reason: str


@event("joined", seen=unless_hidden)
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


@event("numbered", seen=where(shown=True))
class Numbered:
    """The sheet of a newcomer, with the gear it names resolved."""

    who: str
    sheet: dict[str, Any]
    shown: bool


@event("shown", seen=where(visible=True))
class Sighted:
    """A hidden foe came into sight, or a foe slipped out of sight."""

    who: str
    visible: bool


@event("desk", seen=gms)
class Desk:
    """The GM acted between the steps; `anew`: all are asked again."""

    anew: bool


Event = (
    DiceCalled | SurpriseRolled | Noticed | Surprised | AttitudeRolled | Parleyed | Declared | Initiative
    | Ruled | Ordered | Reacted | Foiled | Queued | Acts | Idle | Moved | Provoked | Tested | Damage | Parried | Tired
    | Changed | LooksChanged | Saved | Injured | Fell | Item | Gambited | Stunned | Struck | Felled | Shaken | Wavered
    | Burned | TurnOver | FightOver | Stage | Corrected | FieldSet | Joined | Numbered | Sighted | Desk
)  # fmt: skip
EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])
