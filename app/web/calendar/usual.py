"""Usual durations on the form of an entry (CHR-CAL-10): they date the end of a journey or of a work, from today."""

from dataclasses import dataclass

from app.almanac.calendar_state import MOST_DAY, CalendarState
from app.engine.durations import MOST_KM, Duration
from app.models.people import Campaign
from app.rulesets import games
from app.web.calendar.entry_form import EntryForm
from app.web.forms.reading import Form, TypedPairs


@dataclass(frozen=True, slots=True)
class UsualDurations:
    """The durations of a campaign's usual rules, and the answer for the one that was asked about."""

    rules: str  # the ruleset's key, for links to its rulebook
    all: tuple[Duration, ...]
    answer: str = ""

    @property
    def dated(self) -> tuple[Duration, ...]:
        """Those that take days, for entries of arrivals and finished works."""
        return tuple(one for one in self.all if not one.lasts)

    @property
    def short(self) -> tuple[Duration, ...]:
        """Those of scenes, shorter than a day."""
        return tuple(one for one in self.all if one.lasts)


def usual_of(campaign: Campaign) -> UsualDurations | None:
    """The durations of the campaign's usual rules; None if they name none."""
    key = str(campaign.settings.get("ruleset", ""))
    found = next((one.durations for one in games() if one.key == key), ())
    return UsualDurations(key, found) if found else None


def worked_out(
    form: Form[EntryForm], book: CalendarState, usual: UsualDurations
) -> tuple[Form[EntryForm], UsualDurations]:
    """The form with the date on which the chosen duration ends, counted from today, and the answer in words. Where the
    choice or the distance is missing, the form as typed, with a fault there and no other yet."""
    chosen = next((one for one in usual.dated if one.key == form.typed.get("usual")), None)
    if chosen is None:
        return _at_fault(form, "usual", "Choose one of these."), usual
    typed_km = form.typed.get("km").strip()
    if chosen.km_a_day and not (typed_km.isascii() and typed_km.isdecimal() and 0 < len(typed_km) < 7):
        return _at_fault(form, "km", "Enter the distance as a whole number of kilometres."), usual
    km = int(typed_km) if chosen.km_a_day else 0
    if chosen.km_a_day and not 0 < km <= MOST_KM:
        return _at_fault(form, "km", f"Enter a number from 1 to {MOST_KM:,}."), usual
    days = chosen.takes(km)
    if book.today + days > MOST_DAY - 100_000:
        return _at_fault(form, "usual", "That day is too far away."), usual
    date = book.count.date(book.today + days)
    dated = {"day": str(date.day), "month": str(date.month), "year": str(date.year), "kind": chosen.kind}
    pairs = [(name, value) for name, value in form.typed.pairs if name not in dated]
    length = "1 day" if days == 1 else f"{days:,} days"
    what = f"{chosen.what}, {km:,} km" if km else chosen.what
    said = f"{what[0].upper()}{what[1:]}: {length}. From today, that is {book.count.said(book.today + days)}."
    return Form(TypedPairs((*pairs, *dated.items()))), UsualDurations(usual.rules, usual.all, said)


def _at_fault(form: Form[EntryForm], name: str, says: str) -> Form[EntryForm]:
    return Form(form.typed, faults={name: says})
