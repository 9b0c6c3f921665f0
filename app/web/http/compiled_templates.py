"""Keeps compiled templates on disk, so that a process compiles only what no process has compiled before.

A compiled template is a program, so its folder must be one that nobody but this user can change. Without such a folder
every process compiles for itself.
"""

import hashlib
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

import jinja2
from jinja2 import Environment, FileSystemBytecodeCache
from jinja2.bccache import Bucket
from platformdirs import user_cache_path


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates in a folder. Another source under the same name, another Jinja or another filter is compiled
    anew. Files are replaced as a whole, so processes can share the folder."""

    def __init__(self, folder: Path, made_by: str) -> None:
        super().__init__(str(folder))
        self._made_by = made_by

    def get_source_checksum(self, source: str) -> str:
        return hashlib.sha256(f"{self._made_by}\0{source}".encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):  # a full disk or a read-only one costs time, but no page
            super().dump_bytecode(bucket)


def of(environment: Environment, folder: Path | None = None) -> CompiledTemplates | None:
    """Returns the compiled templates of this environment, which has all its filters; None without a safe folder."""
    place = _safe(folder or user_cache_path("signet", appauthor=False) / "templates")
    return CompiledTemplates(place, _made_by(environment)) if place else None


def _made_by(environment: Environment) -> str:
    """Returns a hash of whatever decides what a source is compiled to. Jinja applies filters to constants when it
    compiles; the environment's options are in the same source as some of the filters."""
    modules = {one.__module__ for one in environment.filters.values()}
    files = sorted(str(sys.modules[name].__file__) for name in modules if name.partition(".")[0] == "app")
    digest = hashlib.sha256(jinja2.__version__.encode())
    for file in files:
        digest.update(b"\0" + Path(file).read_bytes())
    return digest.hexdigest()


def _safe(folder: Path) -> Path | None:
    """Makes the folder if it is missing; returns its real path, or None where others can read or change it."""
    if not folder.is_absolute():  # this user has no home
        return None
    try:
        place = folder.parent.resolve() / folder.name
        for missing in reversed([one for one in (place, *place.parents) if not one.exists()]):
            missing.mkdir(mode=0o700, exist_ok=True)
        found, above = place.lstat(), [one.stat() for one in place.parents]
    except OSError:
        return None
    me = os.geteuid()
    own = stat.S_ISDIR(found.st_mode) and found.st_uid == me and not found.st_mode & 0o077
    return place if own and all(_keeps(one, me) for one in above) else None


def _keeps(above: os.stat_result, me: int) -> bool:
    """Whether nobody but this user and root can put another folder in the place of one within this folder."""
    others_write = above.st_mode & 0o022 and not above.st_mode & stat.S_ISVTX
    return above.st_uid in (0, me) and not others_write
