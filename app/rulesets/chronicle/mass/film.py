"""The film of a closed step of a battle: orders one after the other, arrows, each fight and what it costs."""

from collections.abc import Callable, Iterator, Sequence

from app.engine.film import Beat, Card, Fate, Mark, fate_card, gain, grouped, with_cues
from app.engine.ruleset import LoggedEvent
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass.state import OTHER
from app.rulesets.chronicle.mass.view import View

MOVING = (ev.Moved, ev.Shot, ev.Fought, ev.Lost, ev.Stepped, ev.Left, ev.Ended)
"""Events that a film shows; a step without them has none."""
MOST_CARDS = 3
"""Destroyed units of a step, each on a card of its own; more of them are counted on one."""


def film(events: Sequence[LoggedEvent[ev.Event]], before: View, after: View) -> tuple[Beat, ...]:
    """Returns the beats of a closed step (CHR-MOV-04, CHR-RNG-07, CHR-MEL-15)."""
    if not any(isinstance(told.event, MOVING) for told in events):
        return ()
    first, *beats = grouped(events, _titles(events, after))
    if not first.title and beats:  # nothing is told of its events
        first, *beats = Beat(title=beats[0].title, events=first.events + beats[0].events), *beats[1:]
    return with_cues([first, *beats], _marks(events), _cards(events, after))


def _titles(events: Sequence[LoggedEvent[ev.Event]], view: View) -> Callable[[ev.Event], str | tuple[str, str]]:
    beaten = iter([told.event for told in events if isinstance(told.event, ev.Beaten)])
    fights = list[ev.Beaten]()  # the cluster of the rolls that are told now, last

    def title(event: ev.Event) -> str | tuple[str, str]:
        match event:
            case ev.Army() | ev.Divided() | ev.Battlefield() | ev.Placed() | ev.Lined():
                return "The armies take the field"
            case ev.Intended() | ev.Quickened():
                return "Intents and quick units"
            case ev.Left(why="left"):
                return "Leaving the field"
            case ev.Orders(side=side, seat=seat, turn=turn):
                return f"Moves: {view.the(side)}", f"{seat} {turn}"
            case ev.Clustered(how=how) | ev.Ordered(how=how) if how != "only":
                return "Who fights whom"
            case ev.Aimed() | ev.Shot():
                return "Arrows"
            case ev.Lost(why="shot"):
                return "Losses from arrows"
            case ev.Fought():
                if not fights or event.who not in fights[-1].cluster or event.other not in fights[-1].cluster:
                    fights.append(next(beaten))
                return _fight(fights[-1].cluster, view), " ".join(fights[-1].cluster)
            case ev.Lost() | ev.Driven():
                return "Losses and falling back"
            case ev.Stepped():
                return "Free steps"
            case ev.Ended():
                return "The end"
            case _:
                return ""

    return title


def _fight(cluster: tuple[str, ...], view: View) -> str:
    """ "Heavy cavalry 1 against Pikemen 1 and others"."""
    side = view.battle.units[cluster[0]].side
    own, other = (view.of_side(cluster, one) for one in (side, OTHER[side]))
    one, two = (f"{view.name(keys[0])} and others" if keys[1:] else view.name(keys[0]) for keys in (own, other))
    return f"{one} against {two}"


def _marks(events: Sequence[LoggedEvent[ev.Event]]) -> Iterator[tuple[int, Mark]]:
    locked = set[str]()
    for told in events:
        match told.event:
            case ev.Lost(who=who, before=before, after=after):
                yield told.number, gain(who, before - after)
            case ev.Shot(at=at, losses=0):
                yield told.number, Mark(piece=at, text="missed")
            case ev.Moved(touched=touched):
                for key in touched:
                    if key not in locked:
                        yield told.number, Mark(piece=key, text="locked")
                locked.update(touched)
            case _:
                pass


def _cards(events: Sequence[LoggedEvent[ev.Event]], after: View) -> Iterator[Card]:
    """Cards name the losses of a destroyed unit as their event, since they have the line in the log."""
    losses = {told.event.who: told.number for told in events if isinstance(told.event, ev.Lost)}
    lost = [
        (told.event.who, losses[told.event.who])
        for told in events
        if isinstance(told.event, ev.Left) and told.event.why == "destroyed"
    ]
    if len(lost) > MOST_CARDS:
        yield Card(what="dies", title=f"{len(lost)} units are destroyed", event=lost[-1][1])
    for key, number in lost if len(lost) <= MOST_CARDS else ():
        fate: Fate = ("dies", f"{after.verb(key, 'is', 'are')} destroyed", "")
        mine = after.battle.units[key].seat in after.seats and not after.is_gm
        name = f"{after.name(key)} ({after.the(after.battle.units[key].side)})"
        yield fate_card(fate, name, key, number, mine=mine)
    for told in events:
        if isinstance(told.event, ev.Ended):
            winner = told.event.winner
            title = f"The field belongs to {after.the(winner)}" if winner else "The battle is over"
            yield Card(what="wins" if winner else "over", title=title, event=told.number)
