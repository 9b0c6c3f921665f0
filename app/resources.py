"""Finds the files that are not Python: beside `app/` in a checkout, inside the package in a wheel."""

import functools
from importlib.resources import files
from pathlib import Path

from app.errors import UserError


def folder(name: str) -> Path:
    """Returns the folder `templates`, `static` or `migrations`.

    Raises `UserError` where it is in neither place: the installation is damaged.
    """
    return find(name)


@functools.cache
def package_folder(package: str) -> Path:
    """Returns the folder of a package by its import name, for example a ruleset's."""
    return Path(str(files(package)))


@functools.cache
def find(name: str) -> Path:
    """Like `folder`, but also for a single file such as `vendor.toml`."""
    package = Path(str(files("app")))
    for place in (package / "_bundled" / name, package.parent / name):
        if place.exists():
            return place
    raise UserError(
        f"Signet's part {name!r} is missing from {package}: the installation is damaged. Install Signet again."
    )
