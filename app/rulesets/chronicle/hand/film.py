"""The film of a round hand to hand: footwork, actions and defences, then one blow after the other."""

from collections.abc import Callable, Iterator, Sequence

from app.engine.film import LOOK_ON, Beat, Card, Fate, Mark, fate_card, grouped, with_cues
from app.engine.ruleset import LoggedEvent
from app.engine.sentences import capital
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.view import View

MOVING = (ev.Stepped, ev.Ordered, ev.Struck, ev.Broke, ev.Wounded, ev.Condition, ev.Gone, ev.CombatOver, ev.Paired)
"""Events after which something on the board is another."""
FATES: dict[str, Fate] = {
    "dead": ("dies", "dies", "Your character is dead. You can still talk, and the GM can give you another character."),
    "fled": ("routs", "flees", f"Your character is out of this fight. {LOOK_ON}"),
    "surrendered": ("routs", "surrenders", "The other side decides what happens to your character."),
    "out": ("falls", "is out of the fight", LOOK_ON),
}
"""By the reason why a fighter is gone."""


def film(events: Sequence[LoggedEvent[ev.Event]], before: View, after: View) -> tuple[Beat, ...]:
    """Returns the beats of a closed step (CHR-RND-17, CHR-FTW-04, CHR-DEF-01, CHR-WND-02)."""
    if not any(isinstance(told.event, MOVING) for told in events):
        return ()
    return with_cues(grouped(events, _titles(after)), _marks(events), _cards(events, after))


def _titles(view: View) -> Callable[[ev.Event], str | tuple[str, str]]:
    def title(event: ev.Event) -> str | tuple[str, str]:
        match event:
            case ev.Readied() | ev.Stood() | ev.Paired():
                return "Pairs"
            case ev.Intended():
                return "Moves"
            case ev.Contest() | ev.Won() | ev.Stepped():
                return "Footwork"
            case ev.Ordered() | ev.Hands():
                return "Actions"
            case ev.Defended() | ev.Contested():
                return "Defences"
            case ev.Struck(who=who, target=target):
                return (view.name(who), f"{who} {target} {event.action}")
            case ev.Broke(who=who):
                return view.name(who)
            case ev.Gone() | ev.CombatOver() | ev.RoundOver(on=False):
                return "The end"
            case _:
                return ""

    return title


def _marks(events: Sequence[LoggedEvent[ev.Event]]) -> Iterator[tuple[int, Mark]]:
    for told in events:
        match told.event:
            case ev.Wounded(who=who, wound=wound):
                yield told.number, Mark(piece=who, text=f"{wound} wound", tone="hurt")
            case ev.Condition(who=who, what=what, on=on):
                text = what if on else f"no longer {what}"
                yield told.number, Mark(piece=who, text=text, tone="hurt" if on else "good")
            case ev.Struck(target=target, strong=False):
                yield told.number, Mark(piece=target, text="weak")
            case _:
                pass


def _cards(events: Sequence[LoggedEvent[ev.Event]], after: View) -> Iterator[Card]:
    for told in events:
        match told.event:
            case ev.Gone(who=who, why=why) if who in after.people and why in FATES:
                mine = after.people[who].mine and not after.is_gm
                yield fate_card(FATES[why], capital(after.the(who)), who, told.number, mine=mine)
            case ev.RoundOver(on=False, winner=winner):
                title = f"Side {winner.upper()} wins" if winner else "The fight is over"
                yield Card(what="wins" if winner else "over", title=title, event=told.number)
            case _:
                pass
