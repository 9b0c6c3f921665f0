"""The short form on a day of the month: a title and a kind. Whoever needs more goes on with the full form."""

from dataclasses import dataclass

from app.almanac.calendar_state import CalendarState
from app.campaign import tokens
from app.web.calendar import entry_form as forms
from app.web.calendar import words as said
from app.web.calendar.entry_form import EntryForm
from app.web.forms.reading import Form, TypedPairs

FIELD = "_quick"
"""The field with the day's number, by which the short form is known."""
OWN = ("title", "kind")


@dataclass(frozen=True, slots=True)
class QuickAdd:
    """The short form on the day with this number, as typed so far."""

    day: int
    form: Form[EntryForm]

    @property
    def once(self) -> str:
        return self.form.typed.once or tokens.fresh()

    @property
    def wrong(self) -> list[str]:
        """What is wrong besides the two fields that the form has."""
        return [text for field, text in self.form.faults.items() if field not in OWN]

    def kinds(self, *, is_gm: bool) -> list[tuple[str, str]]:
        """The kinds to choose from; a session needs a date of the real world, which only the full form has."""
        return [(key, words) for key, words in said.kinds_for(is_gm=is_gm) if key != "session"]


def typed_on(book: CalendarState, day: int, typed: TypedPairs) -> TypedPairs:
    """The short form's texts as those of the full form, with the date of its day."""
    return TypedPairs((*forms.blank(book, day).pairs, *typed.pairs))


def readers(book: CalendarState, day: int, *, is_gm: bool) -> str:
    """Who can see a new entry on that day, if that is not everyone: beyond the fog players see only their own."""
    if book.edge is None or day <= book.edge:
        return ""
    return "For now only GMs see it." if is_gm else "For now only you and the GMs see it."
