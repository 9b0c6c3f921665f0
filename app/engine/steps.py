"""Steps that several rulesets use, and suffixes of step keys."""

import re

from app.engine.ruleset import GM, Ask, Step

_ROUND = re.compile(r"(?:[a-z]+\d+/)+")


def round_of(key: str) -> str:
    """Returns the round that a step's key names: "r3/" for "r3/declare-2", "b1/c2/" for "b1/c2/clash"; "" for a key
    like "gm/4" or "setting", whose step belongs to the round in which it closes."""
    found = _ROUND.match(key)
    return found[0] if found else ""


def retry_suffix(tries: int) -> str:
    """The suffix of a step's key when it is asked again: "" for the first try, then "-2", "-3", …"""
    return f"-{tries}" if tries > 1 else ""


def gm_desk(number: int, call: str) -> Step:
    """The GM's optional step. Only the GM knows of it, since the number of its uses would reveal hidden combatants."""
    ask = Ask(seat=GM, kind="desk", call=call, known_to=frozenset({GM}), opens="end")
    return Step(key=f"gm/{number}", title="The GM's desk", asks=(ask,), pace="whenever")
