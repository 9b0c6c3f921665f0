"""The viewers of each event."""

from typing import assert_never

from app.engine.ruleset import Viewer
from app.rulesets.whiskey import events as ev


def sees(event: ev.Event, viewer: Viewer) -> bool:
    """Public acts are for all; the acts of hidden foes, and foes' sheets, only for the GM."""
    match event:
        case ev.Declared() | ev.Corrected() | ev.Joined() | ev.Left():
            return viewer.gm or not event.hidden
        case ev.Changed():
            return viewer.gm or (event.numbers and not event.hidden)
        case ev.Numbered():
            return viewer.gm or event.shown
        case ev.Shown():
            return viewer.gm or event.visible
        case ev.Desk() | ev.Barring():
            return viewer.gm
        case (
            ev.SceneSet() | ev.Stuck() | ev.Loop() | ev.Chose() | ev.Met() | ev.Stopped() | ev.Idle() | ev.Struck()
            | ev.Worked() | ev.Failed() | ev.Drawn() | ev.Turned() | ev.Called() | ev.Checked() | ev.Tested()
            | ev.Hit() | ev.Cosmetic() | ev.Healed() | ev.Looks() | ev.Reached() | ev.Ruled() | ev.Stage()
            | ev.RoundOver()
        ):  # fmt: skip
            return True
        case _:
            assert_never(event)
