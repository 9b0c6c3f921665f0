"""Copies Signet's own database each night during `signet play`; a computer that was asleep does it after waking."""

import logging
import threading
from datetime import UTC, datetime, timedelta

from app.ops import backup
from app.settings import Settings

log = logging.getLogger("signet.nightly")

WHY = "nightly"
HOUR = 4  # local time: the evening's game is over, the next day's has not begun
LOOK_SECONDS = 600.0


class Nightly(threading.Thread):
    """Checks every ten minutes whether a nightly copy is due. As a daemon it does not keep the program running."""

    def __init__(self, settings: Settings, born: datetime) -> None:
        super().__init__(name="nightly", daemon=True)
        self.settings, self.born, self._over = settings, born, threading.Event()

    def run(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            back_up_if_due(self.settings, self.born, datetime.now(UTC).astimezone())

    def stop(self) -> None:
        self._over.set()
        self.join(timeout=5)


def back_up_if_due(settings: Settings, born: datetime, now: datetime) -> bool:
    """Makes the nightly copy if it is due, and returns whether it did. A failure is logged and tried again."""
    if not due(newest(settings) or born, now):
        return False
    try:
        place = backup.make(settings, WHY)
    except Exception as error:  # a full disk must not end the evening's game
        log.warning("the nightly copy failed: %s", type(error).__name__)
        return False
    log.info("the night's copy: %s", place.name)
    return True


def due(last: datetime, now: datetime) -> bool:
    """Whether four o'clock has passed since the last copy."""
    morning = now.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    if morning > now:
        morning -= timedelta(days=1)
    return last < morning


def newest(settings: Settings) -> datetime | None:
    """Returns when the newest nightly copy was made, or None."""
    found = [path for path in backup.copies(settings.backups_folder) if backup.why(path) == WHY]
    return backup.moment(found[0]) if found else None
