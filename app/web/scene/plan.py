"""The plan of a new scene: its form as typed, the faults, and what it keeps of an entry's brief without showing it."""

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.campaign import tokens
from app.engine import muster
from app.engine.ruleset import Faults, Ruleset, SceneKind, Seat
from app.table.repeating import Repeat
from app.web.forms.entry_briefs import Unshown, merged
from app.web.forms.reading import FormValues
from app.web.forms.sheet_values import numbered


@dataclass(frozen=True, slots=True)
class Outer:
    """The scene that another one is opened out of, and that waits for it."""

    id: uuid.UUID
    title: str
    kind: str
    cast: tuple[str, ...]  # slugs
    why_not: str  # why it cannot wait now; "": it can


@dataclass(slots=True)
class Plan:
    """The form as typed, and its faults."""

    ruleset: Ruleset[Any, Any]
    kind: SceneKind[Any, Any, Any, Any, Any, Any]
    form: FormValues = field(default_factory=FormValues)
    faults: Faults = field(default_factory=dict)
    in_use: str = ""
    healed: list[str] = field(default_factory=list)  # the names of the characters that the GM has just healed
    doubted: bool = False  # opened without any foes: asked about once
    again: Repeat | None = None  # the scene that this one repeats: its opening and settings count, not the form's
    prepared: uuid.UUID | None = None  # the prepared scene that the form is filled from
    version: int = 0  # of the prepared scene, as the page has shown it
    outer: Outer | None = None
    unshown: Unshown = field(default_factory=Unshown)  # what the form keeps of an entry's brief
    once: str = field(default_factory=tokens.fresh)  # a form that is kept twice is kept once

    @property
    def given(self) -> Any:
        """The opening, in the shape of the kind's `given`, not checked yet."""
        if self.again:
            return self.again.given
        return in_lists(merged(self.unshown.of("given", foes="planned" in self.form), self.form.get("given", {})))

    @property
    def groups(self) -> list[dict[str, str]]:
        """The groups of foes as typed."""
        return muster.groups(self.given)

    @property
    def without_foes(self) -> bool:
        """Whether nobody would have anybody to fight: no foe is chosen, and nobody is on another side.

        Two characters in a kind of scene that begins by a challenge are on two sides by its rules.
        """
        if self.kind.by_challenge and len(seats_of(self.form)) > 1:
            return False
        given = self.form.get("given", {})
        foes = any(row.get("count", "").strip("0 ") for row in self.groups)
        sides = any(given.get("sides", {}).values())
        planned = "planned" in self.form and self.unshown.foes
        return self.kind.foes is not None and self.again is None and not (foes or sides or planned)

    @property
    def as_at_start(self) -> bool:
        """Whether the scene that this one repeats begins anew, as practice on copies."""
        return self.again is not None and "start" in self.form

    @property
    def entry(self) -> tuple[uuid.UUID, int] | None:
        """The entry of the calendar that the scene is to be linked to, and its version as the page has shown it."""
        entry, version = id_of(text_of(self.form, "entry")), text_of(self.form, "entry_version")
        return (entry, int(version)) if entry is not None and re.fullmatch("[0-9]{1,9}", version) else None

    @property
    def settings(self) -> Any:
        return self.again.settings if self.again else merged(self.unshown.of("settings"), self.form.get("settings", {}))

    @property
    def seats(self) -> dict[Seat, tuple[str, ...]]:
        """The chosen characters by seat: those of an entry's brief as they sit there, others in a seat each."""
        chosen = seats_of(self.form)
        found = {Seat(seat): tuple(one for one in who if one in chosen) for seat, who in self.unshown.seats.items()}
        found = {seat: who for seat, who in found.items() if who or not self.unshown.seats[seat]}
        seated = {slug for who in found.values() for slug in who}
        for slug in chosen:
            if slug not in seated:
                found[Seat(slug)] = (*found.get(Seat(slug), ()), slug)
        return found


def id_of(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text) if len(text) == 36 else None
    except ValueError:
        return None


def text_of(form: Mapping[str, Any], name: str) -> str:
    value = form.get(name, "")
    return value if isinstance(value, str) else ""


def seats_of(form: Mapping[str, Any]) -> list[str]:
    seats = form.get("seat", [])
    return list(dict.fromkeys(seats)) if isinstance(seats, list) else []


def in_lists(value: Any) -> Any:
    """Turns groups whose names are all numbers, rows of a form like {"0": …, "1": …}, into lists in that order."""
    if not isinstance(value, dict):
        return value
    inner = {name: in_lists(part) for name, part in value.items()}
    rows = numbered(inner)
    return rows if rows and len(rows) == len(inner) else inner
