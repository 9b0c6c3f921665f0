"""Declarations in a skirmish, as their forms spell them; one model for each kind of ask, tagged `ask`.

declare   call  odd | even, of the caller only
          of.<character>.turn  quick | full
          of.<character>.first.… and, in a full turn, of.<character>.then.…
            .do  hold | attack | cast | gambit | move | withdraw | retreat | ready
            .target, .spare[]  whom, and whom else · .weapon  a thing, "" bare hands · .second  in the other hand
            .spell · .gambit  shove | disarm | trip | stun | other, .words · .zone  where to · .close  beside whom
            .item  what is reloaded, drawn or picked up
          of.<character>.react  against attackers nobody foresaw · .gentle
           of.<character>.sacrifice.<thing>  never | any | …
before    unaware[]  company, foes · situation · ambush · attitude
ready     (nothing)
attitude  weapons  mixed | drawn | sheathed
parley    go  fight | peace, words
rule      of.<character>.allowed, .against, .words  on gambits in own words
order     of.<character>  place in its group, the lowest first
react     of.<attacker>><target>  defend | fight | block | dodge | parry
morale    of.<character>  flee | surrender; "": as the rules say
next      go  end | on, words
desk      what  correct | place | field | join | show | hide | out | end; who, …
"""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from app.engine.desks import DeskForm
from app.engine.form_fields import FormModel, Ticked, blank_as
from app.rulesets.skirmish.sheet.sheets import Reaction, Side

MOST_WORDS = 500
Words = Annotated[str, Field(max_length=MOST_WORDS)]
Key = Annotated[str, Field(max_length=80)]
Number = Annotated[Annotated[int, Field(ge=0, le=18)] | None, blank_as(None)]
Keys = Annotated[
    Annotated[tuple[Key, ...], Field(max_length=50)],
    BeforeValidator(lambda given: [key for key in given if key] if isinstance(given, (list, tuple)) else given),
]

Do = Literal["hold", "attack", "cast", "gambit", "move", "withdraw", "retreat", "ready"]
Gambit = Literal["shove", "disarm", "trip", "stun", "other"]
Order = Literal["never", "any", "mgt", "lethal"]
Situation = Literal["normal", "low", "element", "helpless"]
Attribute = Literal["mgt", "agi", "wil"]


class Deed(FormModel):
    """One action; fields of actions not taken count for nothing (SKI-27)."""

    do: Do = "hold"
    target: Key = ""
    spare: Keys = ()
    weapon: Key = ""
    second: Key = ""
    quicker: Ticked = False  # strikes only with the quicker of two weapons if that goes first (SKI-47)
    spell: Key = ""
    gambit: Gambit = "shove"
    words: Words = ""
    zone: Key = ""
    close: Key = ""
    item: Key = ""


HOLD = Deed()


class Intent(FormModel):
    """One combatant's turn: quick with one action, or full with one or two (SKI-16, SKI-27)."""

    turn: Literal["quick", "full"] = "quick"
    first: Deed = HOLD
    then: Deed = HOLD
    react: Reaction = "defend"
    gentle: Ticked = False  # blows that knock out instead of wounding (SKI-88)
    sacrifice: Annotated[dict[Key, Order], Field(max_length=40)] = Field(default_factory=dict)


class Hand(FormModel):
    """The declaration of one seat: a turn for each of its combatants; those left out hold (SKI-89)."""

    ask: Literal["declare"] = "declare"
    call: Literal["odd", "even"] = "odd"
    of: Annotated[dict[str, Intent], Field(max_length=400)] = Field(default_factory=dict)


class Before(FormModel):
    """Who failed to notice whom; nobody: there is no roll (SKI-01, SKI-02, SKI-05)."""

    ask: Literal["before"] = "before"
    unaware: tuple[Side, ...] = ()
    situation: Situation = "normal"
    ambush: Ticked = False
    attitude: Ticked = False  # the attitude of the foes is open (SKI-06)


class Ready(FormModel):
    """A player's luck for the dice before the first declarations."""

    ask: Literal["ready"] = "ready"


class Attitude(FormModel):
    """How the company comes (SKI-07)."""

    ask: Literal["attitude"] = "attitude"
    weapons: Literal["mixed", "drawn", "sheathed"] = "mixed"


class Parley(FormModel):
    """Whether it comes to a fight after the reaction roll (SKI-06)."""

    ask: Literal["parley"] = "parley"
    go: Literal["fight", "peace"] = "fight"
    words: Words = ""


class Verdict(FormModel):
    """The GM's ruling on a gambit in own words (SKI-55)."""

    allowed: Ticked = False
    against: Attribute = "mgt"
    words: Words = ""


class Rule(FormModel):
    ask: Literal["rule"] = "rule"
    of: Annotated[dict[Key, Verdict], Field(max_length=200)] = Field(default_factory=dict)


class Ordering(FormModel):
    """The places in the groups of one's side; equal or missing ones in roster order (SKI-25)."""

    ask: Literal["order"] = "order"
    of: Annotated[
        dict[Key, Annotated[Annotated[int, Field(ge=0, le=999)] | None, blank_as(None)]], Field(max_length=200)
    ] = Field(default_factory=dict)


class React(FormModel):
    """A reaction for each incoming attack; those left out Defend (SKI-63)."""

    ask: Literal["react"] = "react"
    of: Annotated[dict[str, Reaction], Field(max_length=400)] = Field(default_factory=dict)


class Morale(FormModel):
    """What those do who failed their morale save (SKI-76)."""

    ask: Literal["morale"] = "morale"
    of: Annotated[dict[Key, Literal["", "flee", "surrender"]], Field(max_length=200)] = Field(default_factory=dict)


class Next(FormModel):
    """The end of the fight, or more to come."""

    ask: Literal["next"] = "next"
    go: Literal["", "end", "on"] = ""  # "": over, unless somebody who can act is out of sight
    words: Words = ""


class Desk(DeskForm):
    """The GM's optional step: correct, place, redraw the field, bring in, show, hide, take out, end."""

    what: Literal["correct", "place", "field", "join", "show", "hide", "out", "end"] = "correct"
    hp: Number = None
    mgt: Number = None
    agi: Number = None
    wil: Number = None
    fatigue: Number = None
    odds: Literal["", "impaired", "enhanced"] = ""  # of his attacks until the turn is over (SKI-37)
    zone: Key = ""
    close: Key = ""
    sketch: Annotated[str, Field(max_length=6000)] = ""
    group: Annotated[str, Field(max_length=60)] = ""
    leader: Ticked = False
    habit: Literal["attack", "shoot", "hold"] = "attack"
    side: Side = "foes"
    shown: Ticked = False
