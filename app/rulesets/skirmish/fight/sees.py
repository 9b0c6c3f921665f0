"""The viewers of each event."""

from app.engine.ruleset import Viewer
from app.rulesets.skirmish.fight import events as ev


def sees(event: ev.Event, viewer: Viewer) -> bool:
    """Public acts are for all; the acts of hidden foes, and the numbers of foes, only for the GM."""
    match event:
        case ev.Declared() | ev.Corrected() | ev.Joined() | ev.Fell() | ev.Moved():
            return viewer.gm or not event.hidden
        case ev.Changed():
            return viewer.gm or event.numbers
        case ev.Numbered():
            return viewer.gm or event.shown
        case ev.Sighted():
            return viewer.gm or event.visible
        case ev.DiceCalled() | ev.SurpriseRolled() | ev.Desk():
            return viewer.gm
        case _:
            return True
