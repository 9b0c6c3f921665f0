"""Steps that scenes of several rulesets wait for, and their keys."""

from app.engine.ruleset import GM, Ask, Step


def retry_suffix(tries: int) -> str:
    """The end of a step's key when it is asked anew: nothing at first, then "-2", "-3", …"""
    return f"-{tries}" if tries > 1 else ""


def gm_desk(number: int, call: str) -> Step:
    """What the GM may do at any time. Only the GM knows of it, or how often it is used would tell of hidden people."""
    ask = Ask(seat=GM, kind="desk", call=call, known_to=frozenset({GM}), opens="end")
    return Step(key=f"gm/{number}", title="The GM's desk", asks=(ask,), pace="whenever")
