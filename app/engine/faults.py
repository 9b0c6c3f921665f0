"""Validation errors, in words for people."""

from collections.abc import Callable

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from app.engine.ruleset import Faults

Place = tuple[int | str, ...]
"""Where a fault is: the keys and numbers from the outside in."""


def _top(place: Place) -> str:
    return str(place[0]) if place else ""


def dotted(place: Place) -> str:
    """Returns a place as forms name it: "settings.best_of"."""
    return ".".join(map(str, place))


def explain(fault: ErrorDetails) -> str:
    """Returns one validation error in words: what is wrong and what to do."""
    kind, detail, given = fault["type"], fault.get("ctx", {}), fault.get("input")
    match kind:
        case "missing" | "string_too_short" | "too_short":
            return "Fill this in."
        case "string_too_long":
            length = f"{len(given):,}" if isinstance(given, str) else "too many"
            return f"At most {detail['max_length']:,} characters; this has {length}."
        case "too_long":
            return f"At most {detail['max_length']:,} of these."
        case "int_parsing" | "int_from_float" | "int_type" | "int_parsing_size":
            return "Enter a whole number." if _blank_or_text(given) else "That number is too large."
        case "float_parsing" | "float_type" | "decimal_parsing" | "finite_number":
            return "Enter a number."
        case "greater_than_equal":
            return f"At least {detail['ge']}."
        case "less_than_equal":
            return f"At most {detail['le']}."
        case "greater_than":
            return f"More than {detail['gt']}."
        case "less_than":
            return f"Less than {detail['lt']}."
        case (
            "bool_type" | "bool_parsing" | "enum" | "literal_error" | "union_tag_invalid" | "uuid_parsing" | "uuid_type"
        ):
            return "Choose one of the options."
        case "string_type":
            return "Enter text."
        case "list_type" | "tuple_type" | "tuple_length" | "set_type" | "frozen_set_type":
            return "This must be a list."
        case "dict_type" | "model_type" | "model_attributes_type" | "dataclass_type" | "mapping_type":
            return "This must be a table of fields."
        case "extra_forbidden":
            return "There is no such field."
        case "string_pattern_mismatch":
            return "Use only lower-case letters, digits and dashes."
        case "value_error":
            return str(detail.get("error", fault["msg"]))
        case _:
            return "That does not fit here. Enter something else."  # not the library's words


def faults_of(
    wrong: ValidationError,
    at: Callable[[Place], str] = _top,
    words: Callable[[ErrorDetails], str] = explain,
) -> Faults:
    """Returns faults in words by top-level field, or by the name `at` gives a place; each field's first fault."""
    faults: Faults = {}
    for fault in wrong.errors(include_url=False):
        faults.setdefault(at(fault["loc"]), words(fault))
    return faults


def _blank_or_text(given: object) -> bool:
    return not (isinstance(given, str) and given.strip().lstrip("+-").isdigit())
