"""Pages from templates: one environment, static files under one content hash, whole pages or one block of them."""

import functools
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from app.resources import folder
from app.web import wax

FOREVER = "public, max-age=31536000, immutable"


@functools.cache
def static_version() -> str:
    """A hash over all static files: one file changed, and every address under /static changes with it."""
    digest = hashlib.sha256()
    root = folder("static")
    for path in sorted(p for p in root.rglob("*") if p.is_file()):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def static(path: str) -> str:
    """The address of a static file, which browsers may keep for ever."""
    if not (folder("static") / path).is_file():
        raise FileNotFoundError(f"there is no static file {path}")
    return f"/static/{static_version()}/{path}"


def icon(name: str, label: str = "") -> Markup:
    """An icon from the sprite: decoration unless it has a label."""
    said = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    return Markup('<svg class="icon" width="20" height="20" {}><use href="{}#{}"/></svg>').format(
        said, static("sprite.svg"), name
    )


@functools.cache
def environment() -> Environment:
    """Escapes everything, and fails on names a page was not given rather than leaving holes."""
    env = Environment(
        loader=FileSystemLoader(folder("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    names = cast(dict[str, Any], env.globals)
    names.update(static=static, icon=icon, seal=wax.seal, token=wax.token, sides=wax.SIDES)
    env.filters["signed"] = lambda number: f"{number:+d}".replace("-", "−")
    env.filters["percent"] = percent
    env.filters["listed"] = listed
    env.filters["initials"] = wax.initials
    return env


def percent(share: float) -> str:
    """A share of one as a whole number of hundredths: "42 %"."""
    return f"{round(100 * share)} %"


def listed(names: Any, last: str = "and") -> str:
    """Names as people say them: "Ann", "Ann and Bea", "Ann, Bea and Cyd"."""
    *most, final = [str(name) for name in names] or [""]
    return f"{', '.join(most)} {last} {final}" if most else final


def has_template(name: str) -> bool:
    return (folder("templates") / name).is_file()


def render(
    request: Request, name: str, status_code: int = 200, headers: Mapping[str, str] | None = None, **context: Any
) -> HTMLResponse:
    """A whole page."""
    text = environment().get_template(name).render(_context(request, context))
    return HTMLResponse(text, status_code=status_code, headers=headers)


def block(request: Request, name: str, block: str, status_code: int = 200, **context: Any) -> HTMLResponse:
    """One block of a page's template, for htmx."""
    template = environment().get_template(name)
    view = template.new_context(_context(request, context))
    text = "".join(template.blocks[block](view))
    return HTMLResponse(text, status_code=status_code)


def _context(request: Request, context: dict[str, Any]) -> dict[str, Any]:
    return {"request": request, "visit": None, **context}


class _Static(StaticFiles):
    """Static files whose first path part is the content hash, so that they never have to be asked for again."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await super().__call__(scope, receive, send)

    def get_path(self, scope: Scope) -> str:
        return str(Path(*Path(super().get_path(scope)).parts[1:]))

    def file_response(self, *args: Any, **kwargs: Any) -> Any:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = FOREVER
        return response


def install_static(app: FastAPI) -> None:
    app.mount("/static", _Static(directory=folder("static")), name="static")
