"""Declarations in a battle, as their forms spell them; one model for each kind of ask, tagged `ask`.

declare   of.<character>.intent  attack | advance | stand | defend | other
          .attack  character · .area  area · .engage  character who bars it · .ward  "who:<character>" or
          "area:<area>" · .prefer[]  attackers to meet first · .other  own words · .card  ability card as the action
          .rider  none | card | text · .rider_card · .rider_target · .rider_text · .sure  "yes": attack an ally
scene     description, seconds ("" for no clock), areas.<n>.name, areas.<n>.barrers[], show[], hide[]
veto      strike[]  clashes that do not take place ("alice>goblin"), reason
rule      of.<question>.words, .who, .hp (signed); .check_who, .check_value, .against: a check of number against number
next      go  on | end, words
desk      what  correct | join | show | hide | out | end; who, hp, combat, reason; template, name, count, side, …
"""

import re
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from app.engine.desks import DeskForm
from app.engine.form_fields import FormModel, Seconds, Ticked, blank_as
from app.rulesets.whiskey.sheets import Area

MOST_WORDS = 500


def _rows(value: object) -> object:
    """Rows of a form, {"0": {...}, "1": {...}}, as a list; rows without a name are left out."""
    if isinstance(value, dict):
        value = [value[key] for key in sorted(value, key=lambda key: (len(key), key))]
    if isinstance(value, list):
        return [_named(row) for row in value if not isinstance(row, dict) or str(row.get("name", "")).strip()]
    return value


def _named(row: object) -> object:
    if isinstance(row, dict) and not row.get("key"):
        return {**row, "key": slug(str(row.get("name", "")))}
    return row


def slug(name: str) -> str:
    """Returns a key made from a name: "The old bridge" -> "the-old-bridge"."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:60] or "x"


Words = Annotated[str, Field(max_length=MOST_WORDS)]
Key = Annotated[str, Field(max_length=80)]
Signed = Annotated[Annotated[int, Field(ge=-9999, le=9999)] | None, blank_as(None)]
Combat = Annotated[Annotated[int, Field(ge=-99, le=999)] | None, blank_as(None)]  # as in a sheet
Areas = Annotated[Annotated[tuple[Area, ...], Field(max_length=40)] | None, BeforeValidator(_rows)]


class Intent(FormModel):
    """One character's plan: exactly one intent and at most one rider (WHI-05, WHI-06)."""

    intent: Literal["attack", "advance", "stand", "defend", "other"] = "stand"
    attack: Key = ""
    area: Key = ""
    engage: Key = ""
    ward: Key = ""
    prefer: Annotated[tuple[Key, ...], Field(max_length=50)] = ()
    other: Words = ""
    card: Key = ""
    rider: Literal["none", "card", "text"] = "none"
    rider_card: Key = ""
    rider_target: Key = ""
    rider_text: Words = ""
    sure: Ticked = False


class Hand(FormModel):
    """The declaration of one seat: an intent for each of its characters; those left out stand."""

    ask: Literal["declare"] = "declare"
    of: Annotated[dict[str, Intent], Field(max_length=20_000)] = Field(default_factory=dict)


class Scene(FormModel):
    """The GM sets the scene of a round; empty lists and no description change nothing (WHI-02)."""

    ask: Literal["scene"] = "scene"
    description: Annotated[str, Field(max_length=4000)] | None = None
    seconds: Seconds = None
    areas: Areas = None
    show: tuple[Key, ...] = ()
    hide: tuple[Key, ...] = ()


class Veto(FormModel):
    """The GM strikes out clashes before any card is drawn; none: the pairing is final."""

    ask: Literal["veto"] = "veto"
    strike: tuple[Key, ...] = ()
    reason: Words = ""


class Verdict(FormModel):
    """The GM's ruling on one question; without words and number, nothing changes.

    A GM who wants a check first names who makes it, with which number, against which (WHI-39); the question then comes
    back with the result.
    """

    words: Words = ""
    who: Key = ""
    hp: Signed = None
    check_who: Key = ""
    check_value: Combat = None
    against: Annotated[int, blank_as(10), Field(ge=-99, le=999)] = 10


class Rule(FormModel):
    ask: Literal["rule"] = "rule"
    of: dict[str, Verdict] = Field(default_factory=dict)


class Next(FormModel):
    """Another round, or the end of the battle."""

    ask: Literal["next"] = "next"
    go: Literal["on", "end"] = "on"
    words: Words = ""


class Desk(DeskForm):
    """The GM's optional step: correct, add, show, hide or remove a combatant, end the battle."""

    what: Literal["correct", "join", "show", "hide", "out", "end"] = "correct"
    hp: Signed = None
    combat: Combat = None
    habit: Literal["nearest", "last", "guard", "stand"] = "nearest"
    guards: Key = ""
    side: Literal["enemies", "players"] = "enemies"
    shown: Ticked = False
