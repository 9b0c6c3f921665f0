"""Named points at which a test can kill or hold this process. For tests only; in normal use they do nothing.

    SIGNET_FAILPOINT=before-commit          a process that reaches the point dies at once, by SIGKILL
    SIGNET_FAILPOINT=before-commit@FOLDER   a process that reaches it writes FOLDER/reached and waits for FOLDER/go

Both files are named pipes that the test makes; without FOLDER/reached no process is held. A held process stops as a
whole, as if it had frozen.

Both also need SIGNET_FAILPOINTS_ALLOWED=yes: one variable that came with a copied environment must not make a server
kill itself at each seal.
"""

import logging
import os
import signal
from collections.abc import Callable, Mapping
from pathlib import Path

log = logging.getLogger("signet.failpoints")

POINTS = (
    "scene-locked",  # the scene's row is locked
    "envelope-written",  # the new envelope is in the transaction
    "events-written",  # the reveal's events are in it, too; the scene's new state is not yet
    "hint-given",  # the bus has the hint, to send after the commit
    "before-commit",
    "committed",  # the commit is done, but neither the requester nor, by a hint, the others know
)
"""The points of a seal and of what follows from it."""

TIME = (
    "days-run",  # the calendar is locked and the days have run; nothing is written yet
    "days-written",  # everything that the days did is in the transaction
    "days-undone",  # all of it is undone in the transaction
)
"""The points of passing time, and of undoing it."""


def _nothing(name: str) -> None:
    """The default of each point."""


def armed(environment: Mapping[str, str]) -> Callable[[str], None]:
    """Returns what a point does in this environment. Raises ValueError for an unknown point."""
    wanted, _, folder = environment.get("SIGNET_FAILPOINT", "").partition("@")
    if not wanted:
        return _nothing
    if environment.get("SIGNET_FAILPOINTS_ALLOWED") != "yes":
        log.warning("SIGNET_FAILPOINT is for tests, and does nothing without SIGNET_FAILPOINTS_ALLOWED=yes")
        return _nothing
    if wanted not in POINTS + TIME:
        raise ValueError(f"SIGNET_FAILPOINT names none of the points: {', '.join(POINTS + TIME)}")
    return _holding(wanted, Path(folder)) if folder else _deadly(wanted)


def _deadly(wanted: str) -> Callable[[str], None]:
    def hit(name: str) -> None:
        if name == wanted:
            os.kill(os.getpid(), signal.SIGKILL)

    return hit


def _holding(wanted: str, folder: Path) -> Callable[[str], None]:
    def hit(name: str) -> None:
        if name == wanted and (folder / "reached").exists():
            (folder / "reached").write_text(name)
            (folder / "go").read_bytes()

    return hit


hit: Callable[[str], None] = armed(os.environ)
"""Marks that a point is reached: `failpoints.hit("before-commit")`."""
