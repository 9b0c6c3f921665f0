"""Amounts that grow with power points and level, as text: "2+PP", "8+3*level" (ARC-154)."""

import ast
import functools
import math
from fractions import Fraction
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

LONGEST = 40
MOST = 100_000
NAMES = {"PP": 20, "level": 20}
CALLS = {"min": min, "max": max}


@functools.lru_cache(maxsize=4096)
def worth(text: str, *, pp: int = 0, level: int = 1) -> int:
    """Returns the value of an amount, rounded down. Raises ValueError, in words for its author, if it is malformed."""
    if len(text) > LONGEST:
        raise ValueError(f"At most {LONGEST} characters.")
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ValueError(WRONG) from None
    return math.floor(_value(tree.body, {"PP": pp, "level": level}))


WRONG = "Write a whole number, or a sum with PP and level: “2+PP”, “8+3*level”, “1+floor(PP/2)”."


def _value(node: ast.expr, names: dict[str, int]) -> Fraction:
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool) and number <= MOST:
            return Fraction(number)
        case ast.Name(id=name) if name in names:
            return Fraction(names[name])
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _value(left, names) + _value(right, names)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _value(left, names) - _value(right, names)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _value(left, names) * _value(right, names)
        case ast.BinOp(left=left, op=ast.Div(), right=ast.Constant(value=int() as by)) if by:
            return _value(left, names) / by
        case ast.Call(func=ast.Name(id="floor"), args=[one], keywords=[]):
            return Fraction(math.floor(_value(one, names)))
        case ast.Call(func=ast.Name(id=call), args=[one, *more], keywords=[]) if call in CALLS and more:
            return CALLS[call](_value(other, names) for other in (one, *more))
        case _:
            raise ValueError(WRONG)


def _text(given: object) -> object:
    return str(given) if isinstance(given, int) and not isinstance(given, bool) else given


def _amount(text: str) -> str:
    if abs(worth(text, pp=NAMES["PP"], level=NAMES["level"])) > MOST:
        raise ValueError(f"That could grow beyond {MOST:,}.")
    return text


Amount = Annotated[str, BeforeValidator(_text), Field(min_length=1, max_length=LONGEST), AfterValidator(_amount)]
"""A text that `worth` can read; a whole number is accepted as it is."""
