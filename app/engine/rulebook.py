"""The rules of a ruleset as data, in our own words and by id; the app shows them and "Why?" links to them."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from pydantic import Field

HOUSE_SETTING = Field(json_schema_extra={"x-house": True})
"""Marks a setting of the table that no rule names, like the length of a clock."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """One rule: `origin` tells whether it is from the book or our ruling where the book is silent or wrong."""

    id: str
    title: str
    text: str
    origin: Literal["book", "ruling"]
    chapter: str
    setting: str | None = None  # the setting that changes it, if any
    since: str | None = None  # why a ruling was needed
    excuse: str | None = None  # why no case file covers it; None: one does, or `shown_in`
    shown_in: str | None = None  # the test file that shows it, of a rule that the calendar plays and no scene


@dataclass(frozen=True, kw_only=True, slots=True)
class Credit:
    """A game that rules rest on. The author and the licence are empty if the text we have names none."""

    title: str
    took: str  # what the rules have from it, in a sentence or two
    author: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Rules in reading order, accessible by id, and the games they rest on."""

    rules: Mapping[str, Rule]
    credits: tuple[Credit, ...] = ()

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules.values())

    def __contains__(self, rule_id: object) -> bool:
        return rule_id in self.rules

    def __getitem__(self, rule_id: str) -> Rule:
        return self.rules[rule_id]

    def search(self, words: str) -> list[Rule]:
        """Rules that contain every word, in reading order; without words, all rules."""
        wanted = words.casefold().split()
        return [r for r in self if all(w in f"{r.id} {r.title} {r.text}".casefold() for w in wanted)]


def load_luck(package: str) -> dict[str, str]:
    """Reads the labels of a ruleset's draws, each with a description, from the `luck.toml` of its folder."""
    return tomllib.loads(files(package).joinpath("luck.toml").read_text(encoding="utf-8"))


def load(package: str, *names: str) -> Rulebook:
    """Reads `[[rule]]` and `[[credit]]` tables from a ruleset's TOML files, in that order.

    Raises ValueError if an id occurs twice.
    """
    rules: dict[str, Rule] = {}
    credits: list[Credit] = []
    for name in names or ("rulebook.toml",):
        raw = tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))
        credits += (Credit(**entry) for entry in raw.get("credit", ()))
        for entry in raw["rule"]:
            rule = Rule(**entry)
            if rule.id in rules:
                raise ValueError(f"{package}/{name}: the rule {rule.id} stands twice")
            rules[rule.id] = rule
    return Rulebook(rules, tuple(credits))
