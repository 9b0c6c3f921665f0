"""Where the files that are not Python live: beside `app/` in a checkout, inside the package in a wheel."""

import functools
from importlib.resources import files
from pathlib import Path

from app.errors import UserError


def folder(name: str) -> Path:
    """The folder `templates`, `static` or `migrations`, wherever this Signet was installed from.

    Raises `UserError` if it is in neither place, which means a damaged installation.
    """
    return find(name)


@functools.cache
def package_folder(package: str) -> Path:
    """The folder of a package by its import name, a ruleset's for example."""
    return Path(str(files(package)))


@functools.cache
def find(name: str) -> Path:
    """The same for a single file, like `vendor.toml`."""
    package = Path(str(files("app")))
    for place in (package / "_bundled" / name, package.parent / name):
        if place.exists():
            return place
    raise UserError(f"Signet's part {name!r} is missing from {package}: the installation is damaged. Install it again.")
