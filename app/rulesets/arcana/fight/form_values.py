"""The values of a declaration form. Choices not made, and fields of other actions, are left out.

Without scripts, a page sends every field it shows. Only fields of the chosen action may end up as words others read.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator

from app.rulesets.arcana.rules.items import is_named
from app.rulesets.arcana.rules.schema import LONGEST_ID

LONGEST_WORDS = 400
NOBODY = frozenset({
    "move", "considered", "search", "hide", "stand", "shake_off", "evade", "brace", "counterspell", "don", "aim",
    "drop",
})  # fmt: skip
"""Actions without a target."""
BELONGS: Mapping[str, frozenset[str]] = {  # a field, and the actions it belongs to
    "weapon": frozenset({"attack", "aim", "continue"}),
    "spell": frozenset({"cast", "quickspell", "counterspell", "maintain", "continue"}),
    "pp": frozenset({"cast", "quickspell", "maintain", "continue"}),
    "at": frozenset({"attack", "cast", "quickspell", "maintain", "continue"}),
    "split": frozenset({"cast", "quickspell", "maintain", "continue"}),
    "choice": frozenset({"shove", "cast", "quickspell", "maintain", "continue"}),
    "book": frozenset({"cast", "continue", "maintain"}),
    "cycles": frozenset({"custom", "continue"}),
    "along": frozenset({"attack", "cast", "quickspell", "maintain", "continue"}),
    "to": frozenset({"move", "considered"}),
    "gait": frozenset({"move"}),
    "item": frozenset({"use", "use_major", "drop", "don", "continue"}),
    "words": frozenset({"communicate", "custom", "custom_minor", "use", "use_major", "continue"}),
    "allies": frozenset({"communicate"}),
    "power": frozenset({"attack"}),
    "quick": frozenset({"attack"}),
    "hand": frozenset({"use_major"}),
    "gives": frozenset({"trade"}),
    "accepts": frozenset({"trade"}),
    "attr": frozenset({"custom", "custom_minor", "use", "continue"}),
}
NAMED: Mapping[str, tuple[str, str]] = {
    "don": ("wear", "item"), "aim": ("steady", "weapon"), "shove": ("way", "choice"), "drop": ("lay", "item"),
}  # fmt: skip
"""Actions with a field that has another name in forms, because the common name belongs to a different action."""
IN_FORMS = frozenset(name for name, _ in NAMED.values())

FROM_BOOK = "book:"  # prefix of a spell's id: it is cast from a book
CARE = "emergency_care"
LIKE = {"again": "last", "habit": "habit"}
UNSAID: Mapping[str, str] = {"do": ""}  # an action not chosen yet: reported at the field, not dropped
PLACE = "place"  # of a condition: `whom` is a place, not a combatant


def turn(given: Any) -> Any:
    """Reads a declaration. `what` decides what counts: major, minors, keep (a Focus and a move), again, habit, hold."""
    if not isinstance(given, Mapping):
        return given
    typed = dict(given)
    what = typed.pop("what", "")
    typed["minors"] = [_quick(one) for one in row(typed.get("minors", ()))]
    if not _chosen(typed.get("major")):
        typed["major"] = None
    if not _chosen(typed.get("extra")) or what in ("keep", *LIKE, "hold"):
        typed["extra"] = None
    if not _chosen(typed.get("back")) or what in LIKE:
        typed["back"] = None
    if not _asked(typed.get("when")):
        typed["when"] = None
    match what:
        case "major":
            typed["major"], typed["minors"] = typed["major"] or UNSAID, ()
        case "minors":
            typed["major"], typed["minors"] = None, row(typed["minors"]) or (UNSAID,)
        case "keep":
            to = _part(given, "keep").get("to")
            typed["major"], typed["minors"] = {"do": "maintain"}, [{"do": "considered", "to": to}] if to else ()
        case "again" | "habit" | "hold":
            typed |= {"major": None, "minors": (), "when": None, "like": LIKE.get(what, "")}
    typed.pop("keep", None)
    if what in ("major", "keep") and isinstance(typed["when"], Mapping):
        typed["when"] = {**typed["when"], "guards": "all"}
    return typed


def action(given: Any) -> Any:
    """Reads an action; only the fields that belong to it count."""
    if not isinstance(given, Mapping):
        return given
    do = given.get("do")
    typed = {name: value for name, value in given.items() if _belongs(name, do) and name not in IN_FORMS}
    if do == "use_major" and typed.get("item") != CARE:
        typed.pop("target", None)
    if do == "use" and not is_named(str(typed.get("item", ""))):
        typed = {name: value for name, value in typed.items() if name not in ("words", "attr")}
    if do in NAMED and (name := NAMED[do][0]) in given:
        typed[NAMED[do][1]] = given[name]
    spell = typed.get("spell")
    if isinstance(spell, str) and spell.startswith(FROM_BOOK):
        typed |= {"spell": spell.removeprefix(FROM_BOOK), "book": do == "cast", "pp": 0}
    return typed


def when(given: Any) -> Any:
    """Reads a condition; forms send a watched place in a field of its own."""
    if not isinstance(given, Mapping):
        return given
    typed = {name: value for name, value in given.items() if name != "at"}
    if typed.get("whom") == PLACE:
        typed["whom"] = f"{PLACE}:{str(given.get('at', '')).replace(' ', '')}"
    if typed.get("verb") == "text":
        typed |= {"who": "", "whom": "", "using": ""}
    return typed


def row(given: Any) -> list[Any]:
    """Returns a form's minors in order, without empty ones; a page drawn again has them at these positions."""
    if isinstance(given, Mapping):
        given = [given[key] for key in sorted(given, key=lambda key: (len(str(key)), str(key)))]
    return [one for one in given if _chosen(one)] if isinstance(given, Sequence) else [given]


def _quick(given: Any) -> Any:
    """Reads an attack among the minors as a quick attack."""
    return {**given, "quick": "yes"} if isinstance(given, Mapping) and given.get("do") == "attack" else given


def _chosen(given: Any) -> bool:
    return given is not None and not (isinstance(given, Mapping) and not given.get("do"))


def _asked(given: Any) -> bool:
    """Whether any field of a condition is filled in."""
    if not isinstance(given, Mapping):
        return given is not None
    return any(given.get(name) for name in ("who", "verb", "whom", "using", "words"))


def _belongs(name: str, do: Any) -> bool:
    return do not in NOBODY if name == "target" else name not in BELONGS or do in BELONGS[name]


def _part(typed: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = typed.get(name)
    return found if isinstance(found, Mapping) else {}


def one_of(says: str, *known: str) -> BeforeValidator:
    """Refuses values outside `known`, with the message `says`."""

    def check(given: object) -> object:
        if given not in known:
            raise ValueError(says)
        return given

    return BeforeValidator(check)


def at_most(most: int, says: str) -> BeforeValidator:
    """Refuses a text that is too long, with the message `says`."""

    def check(given: object) -> object:
        if isinstance(given, str) and len(given) > most:
            raise ValueError(says)
        return given

    return BeforeValidator(check)


def whole(low: int, high: int) -> BeforeValidator:
    """Reads a whole number as a form writes it; empty is `low`."""

    def check(given: object) -> object:
        if given == "":
            return low
        text = str(given).strip()
        if isinstance(given, bool) or not text.isdecimal() or len(text) > 4 or not low <= int(text) <= high:
            raise ValueError(f"Enter a whole number from {low} to {high}.")
        return int(text)

    return BeforeValidator(check)


def cell(given: object) -> object:
    """Reads a cell: "12,-3" or a pair; "" is None. Raises ValueError for anything else."""
    if given == "" or given is None:
        return None
    parts = given.split(",") if isinstance(given, str) else list(given) if isinstance(given, Sequence) else []
    try:
        across, along = (int(str(part).strip()[:8]) for part in parts)
    except ValueError:
        raise ValueError(NO_PLACE) from None
    if max(abs(across), abs(along)) > 10_000:
        raise ValueError(NO_PLACE)
    return across, along


NO_PLACE = "Write a place like 12,4 or choose it on the map."
Id = Annotated[str, at_most(LONGEST_ID, "Choose something from the list.")]
Words = Annotated[str, at_most(LONGEST_WORDS, f"Use at most {LONGEST_WORDS} characters.")]
