"""The care of a character on its page: what the coming days will do, and the form that settles how they are spent.

The form is made from the ruleset's own schema, as a sheet's is (app/web/forms/schema.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from app.campaign import characters, downtime
from app.campaign.house_rules import days_of
from app.engine.ruleset import Prospect, Ruleset
from app.models.people import Character
from app.web.forms.reading import Form
from app.web.forms.schema import Field, SheetForm
from app.web.http.seat_session import SeatSession

ROOT = "care"


@dataclass(frozen=True, slots=True)
class Cared:
    """The page's data; `fields` is None if the member may not change the care, `said` is for pages without `lines`."""

    lines: Sequence[Prospect]
    said: Field
    fields: Field | None
    seen: str
    due: bool  # whether the next day has an effect
    foretold: bool  # whether the page also lists what the coming days will bring


def form_of(rules: Ruleset[Any, Any], character: Character, cast: Sequence[Character]) -> SheetForm:
    """The form of a ruleset's care; helpers are chosen from the campaign's characters of the same rules."""
    assert rules.days is not None
    others = [(one.slug, one.name) for one in _same(cast, character) if one.slug != character.slug]
    return SheetForm(rules.days.care, root=ROOT, characters=others)


def cared(
    seated: SeatSession,
    character: Character,
    rules: Ruleset[Any, Any],
    cast: Sequence[Character],
    held: Mapping[str, object],
    form: Form[Any],
    typed: Any = None,
) -> Cared | None:
    """A character's care for a page; `held` has the slugs that open scenes hold, `typed` the choices of a refused form.
    None if days have no effect by these rules, if the sheet does not fit them, or if the character is dead."""
    mine = characters.editable_by(character, seated.member)
    days = days_of(seated.campaign, rules)
    if days is None:
        return None
    try:
        sheet = rules.character.validate_python(character.sheet)
    except ValidationError:
        return None
    if rules.dead(sheet):
        return None
    care = days.cared(character.care, sheet)
    dumped = days.care.dump_python(care, mode="json")
    sheets = _sheets(rules, _same(cast, character), {slug for slug in held if slug != character.slug})
    shape = form_of(rules, character, cast)
    faults = {name: wrong for name, wrong in form.faults.items() if name.split(".")[0] == ROOT}
    may = mine and character.retired_at is None
    return Cared(
        days.ahead({**sheets, character.slug: sheet}, character.slug, care),
        shape.sight(dumped),
        shape.fields(dumped if typed is None else typed, faults) if may else None,
        downtime.mark(character),
        days.waits(sheet),
        days.foretold and days.waits(sheet),
    )


def _same(cast: Sequence[Character], character: Character) -> list[Character]:
    return [one for one in cast if one.ruleset == character.ruleset and one.retired_at is None]


def _sheets(rules: Ruleset[Any, Any], cast: Sequence[Character], held: set[str]) -> dict[str, Any]:
    """The sheets of characters available on an ordinary day, as in a time walk: all that are in no open scene."""
    found = {}
    for one in cast:
        if one.slug not in held:
            try:
                found[one.slug] = rules.character.validate_python(one.sheet)
            except ValidationError:
                continue
    return found
