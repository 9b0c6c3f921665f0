"""The files that a `Ruleset` declares in its folder, and those that are missing."""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from pydantic import BaseModel

from app.engine.form_fields import is_flat
from app.engine.ruleset import Ruleset
from app.engine.unions import members

ALWAYS = ("situation.html", "board.html", "log.html")  # of each kind of scene


def declared(ruleset: Ruleset[Any, Any]) -> Iterator[str]:
    """The paths of all files that pages may use from a ruleset's folder, relative to it."""
    yield from ruleset.help
    for kind in ruleset.kinds:
        templates = [*ALWAYS, *(f"ask-{tag}.html" for tag in members(kind.declaration))]
        templates += filter(None, (kind.pages.opening, kind.pages.envelopes, kind.pages.ending))
        templates += [kind.foes.card] if kind.foes is not None else []
        yield from ("/".join(filter(None, ("templates", kind.pages.folder, name))) for name in templates)
        yield from (f"static/{name}" for name in (*kind.pages.styles, *kind.pages.scripts))
    pages = [ruleset.sheet_pages.page, ruleset.sheet_pages.form]
    for own in ruleset.homebrew.values():
        pages += (own.form, own.pages.card)
        yield from (f"static/{name}" for name in (*own.pages.styles, *own.pages.scripts))
    pages.append(ruleset.trial.page if ruleset.trial is not None else "")
    yield from (f"templates/{name}" for name in pages if name)


def optional(ruleset: Ruleset[Any, Any]) -> Iterator[str]:
    """The templates of asks whose form is flat: where they are missing, pages draw the form from its model."""
    for kind in ruleset.kinds:
        for tag, form in members(kind.declaration).items():
            if issubclass(form, BaseModel) and is_flat(form):
                yield "/".join(filter(None, ("templates", kind.pages.folder, f"ask-{tag}.html")))


def missing(ruleset: Ruleset[Any, Any]) -> list[str]:
    """The missing files, each once and sorted, with the folder's path."""
    folder = files(ruleset.package)
    needed = set(declared(ruleset)) - set(optional(ruleset))
    return sorted(f"{folder}/{path}" for path in needed if not folder.joinpath(path).is_file())
