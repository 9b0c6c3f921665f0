"""What Signet prints in a terminal: titles and names come from other people, and may not steer it."""

import sys


def visible(text: str, keep: str = "") -> str:
    """Returns the text with an escape, like \\x1b or \\u202e, for each character that cannot be printed and is not in
    `keep`: controls, line ends, marks that turn the direction of writing, invisible characters, lone surrogates."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign in keep else _escape(sign) for sign in text)


def _escape(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")


def say(line: str = "", *, error: bool = False) -> None:
    """Prints one line, to standard error if `error`. Characters that the terminal's encoding lacks are escaped too."""
    _print(visible(line), error=error)


def say_text(text: str) -> None:
    """Prints a text of several lines."""
    _print("\n".join(map(visible, text.split("\n"))))


def _print(text: str, *, error: bool = False) -> None:
    stream = sys.stderr if error else sys.stdout
    encoding = stream.encoding or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding), file=stream, flush=True)
