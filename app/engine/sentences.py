"""Parts of sentences that rulesets put together."""

from collections.abc import Iterable


def listed(words: Iterable[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    *most, last = [*words] or [""]
    return f"{', '.join(most)} and {last}" if most else last
