"""The entries that a scene leaves on the calendar with the scene that follows: flight, pursuit, terms (CHR-FLO-02).

Scenes that began before there were such entries leave what they always left (`FlowSettings.leaves`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from app.engine.rulebook import HOUSE_SETTING
from app.engine.ruleset import GM, PlannedEntry
from app.engine.sentences import and_list

Side = Literal["a", "b"]


class FlowSettings(BaseModel):
    """What a scene leaves on the calendar."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    leaves: Annotated[Literal["entries", "scenes"], HOUSE_SETTING] = "entries"  # "scenes": ready to be opened


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """Somebody who goes on into the next scene."""

    name: str
    side: Side
    character: str = ""  # the campaign's character; "": one of the story
    seat: str = GM
    sheet: Mapping[str, JsonValue] | None = None  # of one of the story, with a key


@dataclass(frozen=True, kw_only=True, slots=True)
class Following:
    """What the next scene has from this one: its people and their seats. The table adds the house rules."""

    people: Sequence[Person]
    called: Mapping[Side, str] = field(default_factory=dict)  # names of the sides, if not those of their people

    def of(self, side: Side) -> list[Person]:
        return [one for one in self.people if one.side == side]

    @property
    def cast(self) -> tuple[str, ...]:
        return tuple(one.character for one in self.people if one.character)

    def names(self, side: Side) -> str:
        """A side in words: "Ella and Morten"."""
        if side in self.called:
            return self.called[side]
        return and_list([one.name for one in self.of(side)]) if self.of(side) else ""

    def brief(self, kind: str, given: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """The start of a scene of that kind with these people."""
        seats: dict[str, JsonValue] = {}
        for seat in dict.fromkeys(one.seat for one in self.people if one.character):
            seats[seat] = [one.character for one in self.people if one.character and one.seat == seat]
        return {"ruleset": "chronicle", "kind": kind, "seats": seats, "given": dict(given)}

    @property
    def sides(self) -> dict[str, JsonValue]:
        """The side of each character, as opening forms have it."""
        return {one.character: one.side for one in self.people if one.character}


def unnamed(people: Iterable[Person]) -> int:
    """How many of these have no sheet."""
    return sum(not one.character and one.sheet is None for one in people)


def escape(then: Following, title: str, text: str) -> PlannedEntry:
    """Side A gets away from side B, on the same day: a journey of one moment (CHR-TRV-22)."""
    a, b = then.of("a"), then.of("b")
    given: dict[str, JsonValue] = {
        "how": "escape",
        "scale": "short",
        "description": text,
        "sides": then.sides,
        "names": {"a": then.names("a")[:60], "b": then.names("b")[:60]},
        "others": {"a": unnamed(a), "b": unnamed(b) or (0 if b else 1)},
        "foes": [{**one.sheet, "side": one.side} for one in then.people if one.sheet is not None],
    }
    brief = then.brief("journey", given)
    return PlannedEntry(title=title[:120], in_days=0, people=then.cast, text=text, brief=brief)


def pursuit(then: Following, title: str, text: str, armies: Mapping[Side, Mapping[str, int]]) -> PlannedEntry:
    """Side A is on its way home, and side B is after it, two points behind, from the next day on (CHR-TRV-08, -09)."""
    given: dict[str, JsonValue] = {
        "description": text,
        "origin": "the battlefield",
        "goal": "safety",
        "sides": then.sides,
        "names": {"a": then.names("a")[:60], "b": then.names("b")[:60]},
        "aims": {"a": "reach", "b": "catch"},
        "armies": {side: dict(men) for side, men in armies.items()},
    }
    brief = then.brief("journey", given)
    return PlannedEntry(title=title[:120], people=then.cast, text=text, brief=brief)


def parley(
    then: Following, title: str, text: str, topic: str, *, others: Sequence[str] = (), place: str = ""
) -> PlannedEntry:
    """Both sides talk, on the same day."""
    given: dict[str, JsonValue] = {
        "description": text,
        "topic": topic[:120],
        "others": "\n".join(name[:60] for name in others[:12]),
    }
    brief = then.brief("discussion", given)
    return PlannedEntry(title=title[:120], in_days=0, people=then.cast, place=place[:200], text=text, brief=brief)
