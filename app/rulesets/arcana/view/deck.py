"""The first page of a declaration's form: what one may do, as cards of which each fills in several fields (ARC-08)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.rulesets.arcana.fight.form_values import FROM_BOOK
from app.rulesets.arcana.rules import wording
from app.rulesets.arcana.view.forms import Planning
from app.rulesets.arcana.view.options import SpellCan

MOST = 9  # cards of the first page, beside the one that leads to the others
APART = ("attack", "cast", "move")  # majors with cards of their own


@dataclass(frozen=True, slots=True)
class Card:
    """Something to do: the fields that it fills in, without the prefix of their combatant, and its words.

    `why_not`: why it is not possible now."""

    name: str
    about: str
    sets: Mapping[str, str]
    cost: str = ""
    chance: float | None = None  # of the casting check without power points
    why_not: str = ""


def deck(planning: Planning) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Returns the cards of the first page and all others; what is not possible now comes last."""
    there = [*_first(planning), *_others(planning)]
    cards = [one for one in there if not one.why_not]
    return tuple(cards[:MOST]), (*cards[MOST:], *(one for one in there if one.why_not))


def _first(planning: Planning) -> Iterator[Card]:
    if planning.focus:
        yield Card(f"Keep up {planning.focus}", "With or without a considered step.", {"what": "keep"})
    for arm in reversed(planning.can.weapons):  # bare hands come last
        far = [f"reaches {arm.reach / 100:g} m" if arm.reach else "", f"to {arm.range / 100:g} m" if arm.range else ""]
        about = ", ".join(filter(None, (arm.damage, *far)))
        why = planning.can.why_not.get("attack", "")
        yield Card(arm.name, about, {"what": "major", "major.do": "attack", "major.weapon": arm.id}, why_not=why)
    for book, spells in (("", planning.can.spells), (FROM_BOOK, planning.can.books)):
        yield from (_spell(planning, one, book) for one in spells)
    yield from (_major(one.do, one.name, one.about, one.why_not) for one in planning.majors if one.do == "move")


def _others(planning: Planning) -> Iterator[Card]:
    if planning.again:
        yield Card("Same again", planning.again, {"what": "again"})
    yield Card("Two minor actions", "Or one: evade, step with care, a quickspell, a few words…", {"what": "minors"})
    yield Card("Nothing", "Wait and see.", {"what": "hold"})
    yield from (_major(c.do, c.name, c.about, c.why_not) for c in planning.majors if c.do not in APART)


def _major(do: str, name: str, about: str, why_not: str) -> Card:
    return Card(name, about, {"what": "major", "major.do": do}, why_not=why_not)


def _spell(planning: Planning, one: SpellCan, book: str) -> Card:
    level = planning.view.people[planning.key].body.level
    about = f"{wording.aimed(one.spell, level).capitalize()}. {wording.spell(one.spell, level)}"
    return Card(
        one.name,
        f"From a book, in two cycles. {about}" if book else about,
        {"what": "major", "major.do": "cast", "major.spell": f"{book}{one.id}"},
        cost=f"{one.price} FP",
        chance=one.chance,
        why_not=one.why_not,
    )
