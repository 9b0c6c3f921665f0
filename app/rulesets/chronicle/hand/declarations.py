"""Declarations in a hand-to-hand scene, as their forms spell them; one model for each kind of ask, tagged `ask`.

setting   description, width, height ("" unbounded), blocked "4,2 5,2", at.<fighter> "x,y",
          ambush a | b, gap 1 to 4: the first distance
ready     of.<fighter>.footwork V|F, .quick, .controlled, .tackle, .feint, .hold, .parry, .right, .left, .stand.<choice>
pair      pair "<own>:<other>"          join_pair  combat
join      of.<fighter>.combat number | "vs:<free enemy>" | "" | "leave", .move stay | near | ask
move      to "x,y" (footwork, free fighters, pushes, steps after an enemy, grapples)
act       of.<fighter>.action, .target, .grip two | one, .uses left | right, .release[], .drop[], .item, .into,
          .surrender, .stand.<choice>
defend    of.<fighter>.how.<attacker> dodge | parry | strength | mind | none, of.<fighter>.square "x,y"
dodge     square "x,y" or how dodge | parry | strength | mind | none
protect   of.<victim>.<attacker> part    pick  of.<attacker>.<victim> part: ids are "<attacker>:<victim>"
mercy     refuse[]  fighters whose surrender is refused
next      go on | end, words
desk      what correct | join | out | end; who, reason, x, y, prone, weakening, wounds.<part>.minor, .major; template, …
"""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from app.engine.desks import DeskForm
from app.engine.form_fields import EMPTY_AS_ZERO, FormModel, Ticked, blank_as
from app.rulesets.chronicle.hand.standing import USUAL, Limb, Standing

Key = Annotated[str, Field(max_length=80)]
Words = Annotated[str, Field(max_length=500)]
Spot = Annotated[str, Field(max_length=12)]  # "3,-1"


def _many(value: object) -> object:
    if isinstance(value, str):
        return (value,) if value else ()
    return value


Size = Annotated[Annotated[int, Field(ge=0, le=60)], EMPTY_AS_ZERO]
Coordinate = Annotated[Annotated[int, Field(ge=-999, le=999)] | None, blank_as(None)]
Few = Annotated[Annotated[int, Field(ge=0, le=99)] | None, blank_as(None)]
Keys = Annotated[Annotated[tuple[Key, ...], Field(max_length=8)], BeforeValidator(_many)]
Number = Annotated[Annotated[int, Field(ge=0, le=999)], EMPTY_AS_ZERO]
Gap = Annotated[Annotated[int, Field(ge=1, le=4)], blank_as(3)]


class Setting(FormModel):
    """The GM lays out the ground; by default unbounded and empty, lines at spear distance (CHR-MUL-07, -11)."""

    ask: Literal["setting"] = "setting"
    description: Annotated[str, Field(max_length=4000)] | None = None
    width: Size = 0
    height: Size = 0
    blocked: Annotated[str, Field(max_length=2000)] = ""
    at: Annotated[dict[Key, Spot], Field(max_length=200)] = Field(default_factory=dict)
    ambush: Literal["", "a", "b"] = ""  # the side that lay in wait (CHR-TRV-21)
    gap: Gap = 3


class Readiness(FormModel):
    """The locked choices and the item in each hand (CHR-RND-03); "" takes the better rating, the best weapon."""

    footwork: Literal["", "V", "F"] = ""
    quick: Literal["", "V", "S"] = ""
    controlled: Literal["", "C", "V"] = ""
    tackle: Literal["", "F", "S"] = ""
    feint: Literal["", "F", "V"] = ""
    hold: Literal["", "C", "S"] = ""
    parry: Literal["", "C", "F"] = ""
    right: Key = ""  # "": the rules' default; "empty": nothing
    left: Key = ""
    stand: Standing = USUAL


class Ready(FormModel):
    ask: Literal["ready"] = "ready"
    of: Annotated[dict[Key, Readiness], Field(max_length=200)] = Field(default_factory=dict)


class Pair(FormModel):
    """A fighter of the own side and an enemy, "ann:goblin" (CHR-MUL-04)."""

    ask: Literal["pair"] = "pair"
    pair: Annotated[str, Field(max_length=170)] = ""


class JoinPair(FormModel):
    """A fighter left over chooses a combat (CHR-MUL-05)."""

    ask: Literal["join_pair"] = "join_pair"
    combat: Number = 0


class Joining(FormModel):
    """The choice of free fighters and victors (CHR-MUL-14): "" stays, a combat's number or "vs:" and an enemy's key
    joins, "free" turns away, "leave" leaves; and the move of a free fighter (CHR-FTW-16).
    """

    combat: Key = ""
    move: Literal["stay", "near", "ask"] = "stay"


class Join(FormModel):
    ask: Literal["join"] = "join"
    of: Annotated[dict[Key, Joining], Field(max_length=200)] = Field(default_factory=dict)


class Step(FormModel):
    """The square to move to."""

    ask: Literal["move"] = "move"
    to: Spot = ""


class OrderSaid(FormModel):
    """One fighter's order (CHR-RND-06, -14). Left out: Wait."""

    action: Key = "wait"
    target: Key = ""
    grip: Literal["", "two", "one"] = ""  # "": as before
    uses: Literal["", "left", "right"] = ""  # the hand whose weapon is used; "": as before
    release: Keys = ()  # victims to let go, at the end of the round (CHR-CND-09)
    drop: Keys = ()  # hands to open, at once (CHR-ACT-34)
    item: Key = ""  # Ready: the item for the hand; "": empties the hand
    into: Literal["", "left", "right"] = ""
    surrender: Ticked = False
    stand: Standing | None = None  # None: as before


class Act(FormModel):
    ask: Literal["act"] = "act"
    of: Annotated[dict[Key, OrderSaid], Field(max_length=200)] = Field(default_factory=dict)


How = Literal["dodge", "parry", "strength", "mind", "none"]


class Defending(FormModel):
    """One fighter's defences by attacker (CHR-DEF-01); all Dodges of a round are one move (CHR-MUL-17)."""

    how: Annotated[dict[Key, How], Field(max_length=8)] = Field(default_factory=dict)
    square: Spot = ""


class Defend(FormModel):
    ask: Literal["defend"] = "defend"
    of: Annotated[dict[Key, Defending], Field(max_length=200)] = Field(default_factory=dict)


class Dodge(FormModel):
    """The answer to a lost square: a different one, or other defences (CHR-DEF-07)."""

    ask: Literal["dodge"] = "dodge"
    how: Annotated[dict[Key, How], Field(max_length=8)] = Field(default_factory=dict)
    square: Spot = ""


class Protect(FormModel):
    """The part that each strong Quick Attack cannot hit, by attacker (CHR-ACT-02)."""

    ask: Literal["protect"] = "protect"
    of: Annotated[dict[Key, Limb | Literal[""]], Field(max_length=800)] = Field(default_factory=dict)


class Pick(FormModel):
    """Parts of the body, by attacker: the attacker's choice, or the victim's of a weak Quick Attack (step R9c)."""

    ask: Literal["pick"] = "pick"
    of: Annotated[dict[Key, Limb | Literal[""]], Field(max_length=800)] = Field(default_factory=dict)


class Mercy(FormModel):
    """The surrenders to refuse (CHR-ACT-36)."""

    ask: Literal["mercy"] = "mercy"
    refuse: Annotated[Annotated[tuple[Key, ...], Field(max_length=200)], BeforeValidator(_many)] = ()


class Next(FormModel):
    ask: Literal["next"] = "next"
    go: Literal["on", "end"] = "on"
    words: Words = ""


class PartSaid(FormModel):
    minor: Few = None
    major: Literal["", "yes", "no"] = ""


class Desk(DeskForm):
    """The GM's optional act."""

    what: Literal["correct", "join", "out", "end"] = "correct"
    x: Coordinate = None
    y: Coordinate = None
    prone: Literal["", "yes", "no"] = ""
    weakening: Few = None
    wounds: Annotated[dict[Limb, PartSaid], Field(max_length=6)] = Field(default_factory=dict)
    side: Literal["a", "b"] = "b"
