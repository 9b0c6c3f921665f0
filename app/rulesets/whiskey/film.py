"""The film of a round of battle: declarations, pairing, one clash after the other, and what it did to everybody."""

from collections.abc import Iterator, Sequence

from app.engine.film import LOOK_ON, Beat, Card, Fate, Mark, fate_card, gain, grouped, with_cues
from app.engine.ruleset import LoggedEvent
from app.engine.sentences import capital
from app.rulesets.whiskey import events as ev
from app.rulesets.whiskey.view import View

QUIET = (ev.Declared, ev.Idle, ev.Stage, ev.RoundOver, ev.SceneSet, ev.Barring, ev.Desk)
"""Events after which everybody stands where and as they were."""


DOWN: Fate = ("falls", "goes down", f"You’re out of this battle. {LOOK_ON}")


def film(events: Sequence[LoggedEvent[ev.Event]], before: View, after: View) -> tuple[Beat, ...]:
    """Returns the beats of a closed step (WHI-08 to WHI-45, WHI-55)."""
    if all(isinstance(told.event, QUIET) for told in events) and not after.winner:
        return ()
    return with_cues(grouped(events, _title), _marks(events, before, after), _cards(events, before, after))


def _title(event: ev.Event) -> str | tuple[str, str]:
    match event:
        case ev.Shown() | ev.Declared():
            return "Declarations"
        case ev.Stuck() | ev.Loop() | ev.Chose() | ev.Met() | ev.Stopped() | ev.Idle() | ev.Struck():
            return "Who clashes with whom"
        case ev.Worked() | ev.Failed():
            return "Cards and tricks"
        case ev.Called() | ev.Checked() | ev.Hit():
            return ("Clash", event.clash)
        case ev.Cosmetic() | ev.Healed() | ev.Changed() | ev.Looks():
            return "Wounds"
        case ev.Left() | ev.Reached():
            return "Movement"
        case ev.Ruled() | ev.Tested():
            return "The GM’s rulings"
        case ev.RoundOver(on=False):
            return "The battle is over"
        case _:
            return ""


def _marks(events: Sequence[LoggedEvent[ev.Event]], before: View, after: View) -> Iterator[tuple[int, Mark]]:
    for told in events:
        match told.event:
            case ev.Changed(who=who) as change if who in after.fighters and change.before != change.after:
                if after.fighters[who].hp is not None:
                    yield told.number, gain(who, change.after - change.before)
            case ev.Looks(who=who) as look if who in after.fighters and after.fighters[who].hp is None:
                yield told.number, Mark(piece=who, text=look.health, tone="hurt")
            case ev.Left(who=who) if who in before.fighters:
                yield told.number, Mark(piece=who, text="leaves")
            case _:
                pass


def _cards(events: Sequence[LoggedEvent[ev.Event]], before: View, after: View) -> Iterator[Card]:
    fallen: set[str] = set()
    last = 0  # the number of the event with which the last of all fell
    for told in events:
        match told.event:
            case ev.Changed(who=who, down=True) | ev.Looks(who=who, down=True) if who not in fallen:
                fallen.add(who)
                if who in after.fighters:
                    last = told.number
                    mine = after.fighters[who].mine and not after.is_gm
                    yield fate_card(DOWN, capital(after.the(who)), who, told.number, mine=mine)
            case ev.RoundOver(on=False, winner=winner):
                title = f"The {winner} win" if winner else "The battle is over"
                yield Card(what="wins" if winner else "over", title=title, event=told.number)
            case _:
                pass
    if last and len(before.standing) > 1 >= len(after.standing):
        whom = f"against the {after.standing[0]}" if after.standing else "any more"
        yield Card(what="over", title=f"Nobody in sight stands {whom}", event=last)
