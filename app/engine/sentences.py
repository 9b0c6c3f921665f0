"""Parts of sentences for rulesets."""

from collections.abc import Collection, Iterable
from fractions import Fraction

SURE = 1e-9  # chances that differ by less are the same: sums of floats stray a little


def percent(chance: float | Fraction) -> str:
    """A chance between 0 and 1 for people: "41 %", below 5 % with one decimal: "2.5 %". Only what is impossible is
    "0 %", and only what is certain is "100 %"."""
    if chance < SURE or chance > 1 - SURE:
        return "0 %" if chance < SURE else "100 %"
    exact = 100 * chance + 100 * SURE  # so that half a percent is rounded up, as a float or not
    tenths = int(10 * exact + 0.5)
    if tenths < 50:
        return f"{tenths / 10:.1f} %" if tenths else "under 0.1 %"
    return f"{int(exact + 0.5)} %" if exact < 99.5 else "over 99 %"


def and_list(words: Iterable[object], last: str = "and") -> str:
    """Names as people say them: "Ann", "Ann and Bea", "Ann, Bea and Cyd", or with another word before the last."""
    *most, final = [str(word) for word in words] or [""]
    return f"{', '.join(most)} {last} {final}" if most else final


def who_is_in(scenes: Iterable[tuple[str, str]]) -> list[str]:
    """From names with the title of the scene that each is in, a sentence for each scene, without a full stop: "Ann and
    Bea are in “At the door”"."""
    found: dict[str, list[str]] = {}
    for name, title in scenes:
        found.setdefault(title, []).append(name)
    return [f"{and_list(names)} {'are' if names[1:] else 'is'} in “{title}”" for title, names in found.items()]


def the(name: str, kinds: Collection[str]) -> str:
    """A combatant's name within a sentence. `kinds` are the names of kinds of foes that the viewer sees.

    One that is called by its kind takes an article and a small letter: "Sword goblin" becomes "the sword goblin". A
    name of its own and a numbered one stay: "Mara", "Sword goblin 2".
    """
    return f"the {small(name)}" if name in kinds else name


def the_foe(name: str, kinds: Collection[str]) -> str:
    """As `the`, also for a name that ends with the last word of a kind's: "Red axe goblin", "First bodyguard"."""
    noun = name.rpartition(" ")[2]
    common = noun.islower() and any(kind.lower().rpartition(" ")[2] == noun for kind in kinds)
    return the(name, (name,) if common else kinds)


def small(text: str) -> str:
    """The text with a small first letter, as within a sentence; an abbreviation stays: "HP"."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def capital(text: str) -> str:
    """The text with a capital first letter, as at the start of a sentence."""
    return text[:1].upper() + text[1:]
