"""What people read: the words of a page, and sentences that are not to come back (words.toml)."""

import html
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import typer
from selectolax.lexbor import LexborHTMLParser, LexborNode
from typer.testing import CliRunner

from app.cli import cli
from app.rulesets import SHIPPED

RETIRED = tuple(
    sentence.lower()
    for some in tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8")).values()
    for sentence in some
)
STORED = tuple(text.lower() for rules in SHIPPED for kind in rules.kinds for text in kind.words if "<" not in text)
"""Titles and calls that are stored, and for which pages have better words."""
TEXTS = os.environ.get("SIGNET_TEXTS")  # a file to which each page's words are added; without it none are
TOLD = ("placeholder", "aria-label", "title", "alt", "data-confirm", "data-key-label")
WITHIN = {"a", "abbr", "b", "code", "em", "i", "s", "span", "strong", "time", "use", "wbr"}  # tags inside a line
UNSEEN = {"script", "style"}


def retired(text: str) -> list[str]:
    """Returns the retired sentences that stand in a text or in the source of a page, as whole words: a checksum's
    random words may read "found item"."""
    return _retired(_plain(text))


def _retired(plain: str) -> list[str]:
    candidates = (sentence for sentence in RETIRED if sentence in plain)  # faster than one pattern of all of them
    return [sentence for sentence in candidates if re.search(rf"(?<!\w){re.escape(sentence)}(?!\w)", plain)]


def _plain(text: str) -> str:
    return _one_line(html.unescape(text)).lower()


def _one_line(text: str) -> str:
    return " ".join(text.split())


def check(address: str, page: str) -> None:
    """Fails a page that says a retired sentence, or a stored one that has better words. Adds its words to the file
    SIGNET_TEXTS, if there is one."""
    plain = _plain(page)
    assert not (found := _retired(plain)), f"{address} says again, though tests/words.toml has retired it: {found}"
    assert not (found := [text for text in STORED if text in plain]), f"{address} says as it is stored: {found}"
    if TEXTS:
        with open(TEXTS, "a", encoding="utf-8") as file:
            file.write("\n".join([f"== {address}", *lines(page), ""]))


def lines(page: str) -> list[str]:
    """Returns the visible words of a page: a line for each block, and one in brackets for each label."""
    reader = _Words()
    if root := LexborHTMLParser(page).root:
        reader.read(root)
    return reader.lines


def helps() -> Iterator[tuple[str, str]]:
    """Yields each command of `signet` with the words of its help."""
    for words in ([], *([name] for name in typer.main.get_command(cli).commands)):  # type: ignore[attr-defined]
        answer = CliRunner().invoke(cli, [*words, "--help"], env={"COLUMNS": "120", "TERM": "dumb"})
        yield " ".join(["signet", *words, "--help"]), answer.output


class _Words:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self._line = ""

    def end(self) -> None:
        if line := _one_line(self._line):
            self.lines.append(line)
        self._line = ""

    def read(self, node: LexborNode) -> None:
        if node.is_text_node:
            self._line += node.text_content or ""
            return
        if node.tag in UNSEEN or not node.is_element_node:
            return
        apart = node.tag not in WITHIN
        if apart:
            self.end()
        self.lines += [f"[{name}: {value}]" for name, value in node.attributes.items() if name in TOLD and value]
        for part in node.iter(include_text=True):
            self.read(part)
        if apart:
            self.end()
