"""Files and folders that only the user who runs Signet may read, whatever the umask is."""

import os
import stat
import sys
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path

OURS = ("postgres", "postgres.*", "key", "playing", "playing.lock", "signet.log*", "backups", "programs")
"""The names of all that Signet makes in a data folder."""

READERS = 0o067  # bits of a folder's mode; the database's own user may pass through as the group


def private(path: str, flags: int) -> int:
    """The opener of such a file, for `open`: a new one has the mode 0600, and so has an older one of ours."""
    handle = os.open(path, flags, 0o600)
    _close(handle)
    return handle


def make_folder(folder: Path) -> None:
    """Makes a folder that only its owner can enter, and the missing ones above it, which only their owner can change.
    An existing folder keeps its mode."""
    for missing in reversed([one for one in folder.parents if not one.exists()]):
        missing.mkdir(mode=0o755, exist_ok=True)
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)


def tighten(folder: Path) -> None:
    """Closes to others what they may still read of a data folder: its files by Signet's names, and the folder itself
    where there is nothing else in it. What belongs to another user stays as it is."""
    there = list(folder.iterdir())
    ours = [one for one in there if any(fnmatch(one.name, name) for name in OURS)]
    for one in ours:
        if one.is_file() and not one.is_symlink():
            _close(one)
    if len(ours) == len(there):
        _close(folder)


def _close(place: Path | int) -> None:
    with suppress(OSError):  # on a file system without modes
        held = os.stat(place)
        if sys.platform == "win32" or held.st_uid != os.geteuid():
            return
        if stat.S_ISREG(held.st_mode) and held.st_mode & 0o077:
            os.chmod(place, 0o600)
        elif stat.S_ISDIR(held.st_mode) and held.st_mode & READERS:
            os.chmod(place, 0o700)
