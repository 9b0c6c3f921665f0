"""The film of a turn: what was declared, who goes first, then one combatant after the other, and morale."""

from collections.abc import Callable, Iterator, Sequence

from app.engine.film import LOOK_ON, Beat, Card, Fate, Mark, fate_card, gain, grouped, with_cues
from app.engine.ruleset import LoggedEvent
from app.engine.sentences import capital
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.view.view import View

MOVING = (
    ev.Moved, ev.Tested, ev.Provoked, ev.Damage, ev.Parried, ev.Burned, ev.Fell, ev.Item, ev.Gambited, ev.Initiative,
    ev.Surprised, ev.AttitudeRolled, ev.FightOver, ev.Shaken, ev.Saved,
)  # fmt: skip
"""Events after which something on the board is another."""
DEAD = "Your character is dead. You can still talk, and the GM can give you another character."
OUT = f"Your character is out of this fight. {LOOK_ON}"
AWAY = f"Your character has left this fight. {LOOK_ON}"
FATES: dict[str, Fate] = {
    "dead": ("dies", "dies", DEAD),
    "out": ("falls", "is knocked out", OUT),
    "paralysed": ("falls", "is paralysed", OUT),
    "broken": ("falls", "breaks down", OUT),
    "destroyed": ("dies", "is destroyed", OUT),
    "routed": ("routs", "is routed", AWAY),
    "fled": ("routs", "flees", AWAY),
    "surrendered": ("routs", "surrenders", AWAY),
    "escaped": ("routs", "escapes", AWAY),
}
"""By the status that ends a combatant's part in the fight."""


def film(events: Sequence[LoggedEvent[ev.Event]], before: View, after: View) -> tuple[Beat, ...]:
    """Returns the beats of a closed step (SKI-21 to SKI-28, SKI-72)."""
    if not any(isinstance(told.event, MOVING) for told in events):
        return ()
    return with_cues(grouped(events, _titles(after)), _marks(events, after), _cards(events, after))


def _titles(view: View) -> Callable[[ev.Event], str]:
    def title(event: ev.Event) -> str:
        match event:
            case ev.DiceCalled() | ev.SurpriseRolled() | ev.Noticed() | ev.Surprised():
                return "Surprise"
            case ev.AttitudeRolled() | ev.Parleyed():
                return "Parley"
            case ev.Declared():
                return "Declarations"
            case ev.Reacted():
                return "Reactions"
            case ev.Initiative():
                return "Who goes first"
            case ev.Acts(who=who) | ev.Idle(who=who):
                return view.name(who)
            case ev.Tested(who=who, what="attack" | "sweep" | "gambit" | "retreat"):
                return view.name(who)
            case ev.Moved(who=who, why="move" | "withdraw" | "retreat"):
                return view.name(who)
            case ev.Shaken():
                return "Morale"
            case ev.Burned():
                return "Hazards"
            case ev.FightOver():
                return "The fight is over"
            case _:
                return ""

    return title


def _marks(events: Sequence[LoggedEvent[ev.Event]], after: View) -> Iterator[tuple[int, Mark]]:
    for told in events:
        match told.event:
            case ev.Changed(who=who, part="hp") as change if who in after.fighters and change.before != change.after:
                if after.fighters[who].hp is not None:
                    yield told.number, gain(who, change.after - change.before)
            case ev.LooksChanged(who=who, health=health) if who in after.fighters and after.fighters[who].hp is None:
                yield told.number, Mark(piece=who, text=health, tone="hurt")
            case ev.Idle(who=who, why="stunned" | "prone" as why):
                yield told.number, Mark(piece=who, text=why)
            case _:
                pass


def _cards(events: Sequence[LoggedEvent[ev.Event]], after: View) -> Iterator[Card]:
    for told in events:
        match told.event:
            case ev.Fell(who=who, status=status) if who in after.fighters and status in FATES:
                mine = after.fighters[who].mine and not after.is_gm
                yield fate_card(FATES[status], capital(after.the(who)), who, told.number, mine=mine)
            case ev.FightOver(winner=winner):
                title = {"company": "The company wins", "foes": "The foes win"}.get(winner, "The fight is over")
                yield Card(what="wins" if winner else "over", title=title, event=told.number)
            case _:
                pass
