"""The film of a clash: both actions, who has the offence, what they do to each other, and the die that swings."""

from collections.abc import Iterator, Sequence

from app.engine.film import LOOK_ON, Beat, Card, Fate, fate_card, gain, grouped, with_cues
from app.engine.ruleset import LoggedEvent
from app.engine.sentences import capital
from app.rulesets.duel import events as ev
from app.rulesets.duel.view import View

DOWN: Fate = ("falls", "goes down", LOOK_ON)


def film(events: Sequence[LoggedEvent[ev.Event]], before: View, after: View) -> tuple[Beat, ...]:
    """Returns the beats of a closed step (DUE-03, DUE-12 to DUE-17, DUE-36 to DUE-42, DUE-65)."""
    marks = (
        (told.number, gain(told.event.who, told.event.after - told.event.before))
        for told in events
        if isinstance(told.event, ev.Hurt) and told.event.after != told.event.before
    )
    return with_cues(grouped(events, _title), marks, _cards(events, after))


def _title(event: ev.Event) -> str:
    match event:
        case ev.Wished() | ev.Sides():
            return "High or low"
        case ev.Breath():
            return "Stamina"
        case ev.Played() | ev.Copied():
            return "Both actions"
        case ev.Advantage():
            return "The offence"
        case ev.Paid() | ev.Dodged() | ev.Hurt() | ev.Healed() | ev.Rested() | ev.Tired() | ev.Stored() | ev.Streak():
            return "What they do"
        case ev.Swung():
            return "Momentum"
        case ev.ComboOver():
            return "The combo"
        case ev.BoutOver():
            return "The end"
        case _:
            return ""


def _cards(events: Sequence[LoggedEvent[ev.Event]], after: View) -> Iterator[Card]:
    for told in events:
        match told.event:
            case ev.Hurt(who=who, before=had, after=left) if had > 0 >= left:
                mine = after.fighters[who].mine and not after.is_gm
                yield fate_card(DOWN, capital(after.the(who)), who, told.number, mine=mine)
            case ev.BoutOver(winner=winner, match=match):
                what = "match" if after.to_win > 1 and match else "bout" if after.to_win > 1 else "duel"
                title = f"{capital(after.the(winner))} wins the {what}" if winner else "A draw"
                yield Card(what="wins" if winner else "over", title=title, event=told.number)
            case _:
                pass
