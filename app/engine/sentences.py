"""Parts of sentences for rulesets."""

from collections.abc import Iterable


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
