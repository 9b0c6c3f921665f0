"""Parts of sentences for rulesets."""

from collections.abc import Iterable


def and_list(words: Iterable[object], last: str = "and") -> str:
    """Names as people say them: "Ann", "Ann and Bea", "Ann, Bea and Cyd", or with another word before the last."""
    *most, final = [str(word) for word in words] or [""]
    return f"{', '.join(most)} {last} {final}" if most else final
