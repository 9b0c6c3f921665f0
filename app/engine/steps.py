"""Steps that several rulesets use, and suffixes of step keys."""

import re
from collections.abc import Collection, Sequence

from app.engine.ruleset import GM, Ask, Phase, Step

_ROUND = re.compile(r"(?:[a-z]+\d+/)+")
_WORD = re.compile(r"[a-z]+")


def round_of(key: str) -> str:
    """Returns the round that a step's key names: "r3/" for "r3/declare-2", "b1/c2/" for "b1/c2/clash"; "" for a key
    like "gm/4" or "setting", whose step belongs to the round in which it closes."""
    found = _ROUND.match(key)
    return found[0] if found else ""


def first_word(key: str) -> str:
    """Returns the first word of a step's key after its round: "declare" for "r3/declare-2", "foot" for "r1/foot/3"."""
    found = _WORD.match(key, len(round_of(key)))
    return found[0] if found else ""


def phase_of(phases: Sequence[Phase], key: str) -> Phase | None:
    """Returns the phase that a step belongs to; None for a step that no scene waits for, such as the GM's desk."""
    word = first_word(key)
    return next((phase for phase in phases if word in phase.steps), None)


def retry_suffix(tries: int) -> str:
    """The suffix of a step's key when it is asked again: "" for the first try, then "-2", "-3", …"""
    return f"-{tries}" if tries > 1 else ""


def at_desk(pace: str, seats: Collection[str]) -> bool:
    """Whether a step of this pace that asks these seats is an act of the GM alone, which opens no link of luck."""
    return pace == "whenever" and set(seats) == {GM}


def gm_desk(number: int, call: str, title: str = "The GM's desk") -> Step:
    """The GM's optional step. Only the GM knows of it, since the number of its uses would reveal hidden combatants."""
    ask = Ask(seat=GM, kind="desk", call=call, known_to=frozenset({GM}), opens="end")
    return Step(key=f"gm/{number}", title=title, asks=(ask,), pace="whenever")
