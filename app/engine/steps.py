"""Steps that several rulesets use, and suffixes of step keys."""

from app.engine.ruleset import GM, Ask, Step


def retry_suffix(tries: int) -> str:
    """The suffix of a step's key when it is asked again: "" for the first try, then "-2", "-3", …"""
    return f"-{tries}" if tries > 1 else ""


def gm_desk(number: int, call: str) -> Step:
    """The GM's optional step. Only the GM knows of it, since the number of its uses would reveal hidden combatants."""
    ask = Ask(seat=GM, kind="desk", call=call, known_to=frozenset({GM}), opens="end")
    return Step(key=f"gm/{number}", title="The GM's desk", asks=(ask,), pace="whenever")
