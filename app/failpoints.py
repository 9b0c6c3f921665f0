"""Named points at which a test may have this process killed or held: for tests only, and nothing in normal use.

    SIGNET_FAILPOINT=before-commit          whoever reaches the point dies there at once, by SIGKILL
    SIGNET_FAILPOINT=before-commit@FOLDER   whoever reaches it says so through FOLDER/reached and waits for FOLDER/go

In the folder are two named pipes, which the test makes; without them nobody is held. A held process stands still as a
whole, as if it had frozen.

Both need SIGNET_FAILPOINTS_ALLOWED=yes besides. One variable that came along with a copied environment must not be
enough to make a server kill itself whenever somebody seals.
"""

import logging
import os
import signal
from collections.abc import Callable, Mapping
from pathlib import Path

log = logging.getLogger("signet.failpoints")

POINTS = (
    "scene-locked",  # the scene's row is ours
    "envelope-written",  # the new envelope is in the transaction
    "events-written",  # the reveal's events are; the scene's new state is not yet
    "hint-given",  # who is to be told, when the transaction is kept, is known
    "before-commit",
    "committed",  # for ever, but nobody has been told: neither who asked nor, by a hint, the others
)
"""On the way of a seal, and of what it brings about."""

TIME = (
    "days-run",  # time is held and its days were lived, nothing of it is written
    "days-written",  # all that they did is in the transaction
    "days-undone",  # all of it is taken back in the transaction
)
"""On the way of time that passes, or is taken back."""


def _nothing(name: str) -> None:
    """What every point does unless a test armed it."""


def armed(environment: Mapping[str, str]) -> Callable[[str], None]:
    """What points do in this environment."""
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
"""Reached a point. Called as `failpoints.hit("before-commit")`."""
