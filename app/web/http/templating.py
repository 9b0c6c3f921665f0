"""Renders templates, as whole pages or single blocks, and serves static files under a content hash."""

import functools
import gzip
import hashlib
import os
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, cast

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from jinja2 import BaseLoader, Environment, FileSystemLoader, StrictUndefined, TemplateNotFound
from markupsafe import Markup
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import Scope

from app import rulesets
from app.engine.ruleset import Ruleset
from app.engine.sentences import and_list, capital, percent, small
from app.engine.wording import the_seat
from app.resources import folder, package_folder
from app.web.drawing import moments, seals
from app.web.drawing.page_fragments import kept_element
from app.web.drawing.sentences import event_line, event_number, event_reason
from app.web.forms.plain_ask import options_of, plain_fields
from app.web.http import compiled_templates, fragment_answers

FOREVER = "public, max-age=31536000, immutable"


@functools.cache
def static_version() -> str:
    """A hash over all static files: any change to a file changes every address under /static."""
    digest = hashlib.sha256()
    folders = {ruleset.key: package_folder(ruleset.package) / "static" for ruleset in rulesets.RULESETS}
    for name, root in {"": folder("static"), **folders}.items():
        for path in sorted(p for p in root.rglob("*") if p.is_file()):
            digest.update(f"{name}/{path.relative_to(root).as_posix()}".encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


@functools.cache
def static(path: str) -> str:
    """The address of a static file, which browsers may cache forever; a ruleset's `path` begins with rulesets/<key>.

    Raises FileNotFoundError if there is no such file.
    """
    root, name = _place("static", path)
    if not (root / name).is_file():
        raise FileNotFoundError(f"there is no static file {path}")
    return f"/static/{static_version()}/{path}"


def _place(kind: Literal["static", "templates"], path: str) -> tuple[Path, str]:
    """The folder of a file, and its path in it: rulesets/<key>/… is in the ruleset's own folder.

    Raises LookupError for an unknown ruleset.
    """
    first, _, rest = path.partition("/")
    if first != "rulesets":
        return folder(kind), path
    key, _, name = rest.partition("/")
    return package_folder(rulesets.find(key).package) / kind, name


@functools.lru_cache
def icon(name: str, label: str = "", sprite: str = "sprite") -> Markup:
    """An icon from a sprite, decorative unless it has a label."""
    said = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    return Markup('<svg class="icon" width="20" height="20" {}><use href="{}#{}"/></svg>').format(
        said, static(f"{sprite}.svg"), name
    )


def die(face: int, sides: int = 6) -> Markup:
    """A die that shows `face`."""
    return Markup('<span class="die"><span class="said">a d{} shows </span>{}</span>').format(sides, face)


def playing(value: int, name: str = "", *, red: bool = False) -> Markup:
    """A drawn card by its value, with its name ("8 of spades") on hover and for screen readers."""
    return Markup('<span class="playing{}" title="{}"><span class="said">the card {} counts </span>{}</span>').format(
        " red" if red else "", name, name, signed(value)
    )


def signed(number: int) -> str:
    """+9, −4, +0, with a true minus sign."""
    return minus(f"{number:+d}")


def minus(number: int | str) -> str:
    """A number with a true minus sign, if it has one."""
    return str(number).replace("-", "−")


class _Templates(BaseLoader):
    """Loads the templates of pages, and those of rulesets as rulesets/<key>/<path>."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool] | None]:
        try:
            root, name = _place("templates", template)
            return FileSystemLoader(root).get_source(environment, name)
        except (LookupError, TemplateNotFound):
            raise TemplateNotFound(template) from None

    def list_templates(self) -> list[str]:
        found = FileSystemLoader(folder("templates")).list_templates()
        for ruleset in rulesets.RULESETS:
            own = FileSystemLoader(package_folder(ruleset.package) / "templates").list_templates()
            found += (f"rulesets/{ruleset.key}/{name}" for name in own)
        return found


@functools.cache
def environment() -> Environment:
    """The Jinja environment: escapes everything, and raises an error on an undefined name."""
    env = Environment(
        loader=_Templates(),
        auto_reload=False,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    names = cast(dict[str, Any], env.globals)
    names.update(
        static=static,
        icon=icon,
        die=die,
        playing=playing,
        kept=kept_element,
        ruleset_template=ruleset_template,
        ask_template=ask_template,
        plain_fields=plain_fields,
        options_of=options_of,
        styles=styles,
        tags=tags,
        scripts=scripts,
    )
    names.update({word.__name__: word for word in (event_line, event_number, event_reason)})
    names.update(time_tag=moments.time_tag, clock_tag=moments.clock_tag)
    names.update(seal=seals.seal, envelope=seals.envelope, token=seals.token, sides=seals.SIDES)
    cast(dict[str, Any], env.filters).update(
        signed=signed,
        minus=minus,
        percent=percent,
        listed=and_list,
        capital=capital,
        small=small,
        seats=seats_said,
        initials=seals.initials,
        in_lines=in_lines,
        asked_why=asked_why,
    )
    env.bytecode_cache = compiled_templates.of(env)
    return env


def asked_why(line: str) -> str:
    """The name of a link "Why?", by which it is told from others: "Why: Alice hits Sword goblin for 7.", of a long line
    its beginning."""
    return textwrap.shorten(f"Why: {Markup(line).striptags()}", 80, placeholder="…")


def seats_said(names: Iterable[str]) -> list[str]:
    """The names of seats as used in a sentence: "the GM" for GM, all others unchanged."""
    return [the_seat(name) for name in names]


def in_lines(text: str, width: int, most: int = 2) -> list[str]:
    """A name in at most `most` lines of about `width` letters: for drawings, which do not wrap."""
    lines = textwrap.wrap(text, width) or [""]
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1][: width - 1] + "…"]
    return lines


def ruleset_template(ruleset: Ruleset[Any, Any], kind: str, name: str) -> str:
    """The path of a template of a kind of scene; of the ruleset as a whole if `kind` is ""."""
    inside = ruleset.kind(kind).pages.folder if kind else ""
    return "/".join(filter(None, ("rulesets", ruleset.key, inside, name)))


def ask_template(ruleset: Ruleset[Any, Any], kind: str, ask: str) -> str:
    """The path of the template of an ask's form: the ruleset's, else the one that draws the form from its model."""
    own = ruleset_template(ruleset, kind, f"ask-{ask}.html")
    return own if _is_there(own) else "scene/ask.html"


@functools.lru_cache
def _is_there(path: str) -> bool:
    root, name = _place("templates", path)
    return (root / name).is_file()


def styles(ruleset: Ruleset[Any, Any], kind: str) -> Markup:
    """Links to the style sheets of a kind of scene."""
    return tags(ruleset, ruleset.kind(kind).pages.styles)


def scripts(ruleset: Ruleset[Any, Any], kind: str) -> Markup:
    """The module scripts of a kind of scene."""
    return tags(ruleset, ruleset.kind(kind).pages.scripts)


def tags(ruleset: Ruleset[Any, Any], names: Iterable[str]) -> Markup:
    """The tags of style sheets and module scripts in a ruleset's folder."""
    return Markup("\n").join(
        Markup(STYLE if name.endswith(".css") else SCRIPT).format(static(f"rulesets/{ruleset.key}/{name}"))
        for name in names
    )


STYLE, SCRIPT = '<link rel="stylesheet" href="{}">', '<script type="module" src="{}"></script>'


def render(
    request: Request, name: str, status_code: int = 200, headers: Mapping[str, str] | None = None, **context: Any
) -> HTMLResponse:
    """A whole page. One of a member's that refuses a form says where that was sent, for js/keep.js; addresses outside a
    seat may be secrets."""
    refused = request.method == "POST" and status_code >= 400 and context.get("seated") is not None
    refused_at = request.url.path if refused else ""
    text = environment().get_template(name).render(_context(request, {**context, "refused_at": refused_at}))
    return HTMLResponse(text, status_code=status_code, headers=headers)


def block(request: Request, name: str, block: str, status_code: int = 200, **context: Any) -> HTMLResponse:
    """One block of a page's template, for htmx, without the pieces that the browser has."""
    return fragment_answers.answer(request, fragment(request, name, block, **context), status_code)


def fragment(request: Request, name: str, block: str, **context: Any) -> str:
    """The text of one block of a template."""
    template = environment().get_template(name)
    return "".join(template.blocks[block](template.new_context(_context(request, context))))


def _context(request: Request, context: dict[str, Any]) -> dict[str, Any]:
    seated = context.get("seated")
    return {
        "request": request,
        "seated": None,
        "refused_at": "",
        "rulebook_at": f"{seated.base if seated else ''}/rulebook",
        **context,
    }


class _Static(StaticFiles):
    """Static files under /static/<hash>/…: browsers cache them forever if the hash is current, else revalidate.

    Style sheets, scripts and drawings are sent without comments and compressed. Pages themselves are never compressed:
    their length must not depend on their content.
    """

    def get_path(self, scope: Scope) -> str:
        return str(Path(*Path(super().get_path(scope)).parts[1:]))

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        try:
            root, name = _place("static", Path(path).as_posix())
        except LookupError:
            return "", None
        return StaticFiles(directory=root, check_dir=False).lookup_path(name)

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        if f"/{static_version()}/" in scope["path"]:
            response.headers["Cache-Control"] = FOREVER
        path = str(full_path)
        if response.status_code != 200 or not path.endswith((".css", ".js", ".svg")):
            return response
        headers = {name: response.headers[name] for name in ("cache-control", "etag") if name in response.headers}
        if "gzip" not in Headers(scope=scope).get("accept-encoding", ""):
            return Response(light(path), media_type=response.media_type, headers={**headers, "Vary": "Accept-Encoding"})
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(_packed(path), media_type=response.media_type, headers=headers)


@functools.cache
def light(path: str) -> bytes:
    """A style sheet or script without comments and indentation; lines keep their numbers. Third-party files lose only
    comments on lines of their own (`//`, `/** … */`), never code or a licence (`/*! … */`)."""
    text = Path(path).read_text(encoding="utf-8")
    if "/vendor/" in path.replace(os.sep, "/"):
        if path.endswith(".js") and not path.endswith(".min.js"):
            text = re.sub(r"(?ms)^[ \t]*/\*\*.*?\*/[ \t]*$", lambda comment: "\n" * comment[0].count("\n"), text)
            text = re.sub(r"(?m)^[ \t]*//.*$", "", text)
        return text.encode()
    if path.endswith(".css"):
        text = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), text, flags=re.DOTALL)
        text = re.sub(r"(?m)^ +|(?<=[{;]) +| +(?=[{}])|(?<=,) |(?<=[a-z-]:) ", "", text)
    elif path.endswith(".js"):
        text = re.sub(r"(?m)^[ \t]*//.*$", "", text)  # the scripts have no strings over several lines
        text = re.sub(r"(?m)[ \t]+// [^'\"`\n]*$", "", text)  # without quotes, so in no string either
        text = re.sub(r"(?m)^[ \t]+", "", text)
    return text.encode()


@functools.cache
def _packed(path: str) -> bytes:
    return gzip.compress(light(path), 9, mtime=0)


def install_static(app: FastAPI) -> None:
    app.mount("/static", _Static(directory=folder("static")), name="static")
