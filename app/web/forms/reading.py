"""Reading a form: what was typed, what it means, and what is wrong with it, field by field.

What was typed always survives: a form that is refused is shown again with its text and a word at each wrong field.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, get_origin

from fastapi import Request
from pydantic import BaseModel, ValidationError
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect

from app.engine.faults import explain
from app.engine.ruleset import Faults
from app.engine.words import MOST_FIELDS, unflatten
from app.errors import Refusal, TooMuch, Unreadable

M = TypeVar("M", bound=BaseModel)

KINDS = ("application/x-www-form-urlencoded", "multipart/form-data")


@dataclass(frozen=True, slots=True)
class Typed:
    """The form's own names and texts, in order, as they came."""

    pairs: tuple[tuple[str, str], ...] = ()

    def get(self, name: str, otherwise: str = "") -> str:
        """The last text of that name."""
        return next((value for key, value in reversed(self.pairs) if key == name), otherwise)

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.pairs if key == name]

    def __contains__(self, name: object) -> bool:
        return any(key == name for key, _ in self.pairs)


EMPTY = Typed()


class Shown(dict[str, Any]):
    """Nested names that somebody typed or made up, for templates: `get` with a default gives only the default's kind.

    A form that was not ours may spell a text where a group is meant; a page that shows it again must not stumble.
    """

    def get(self, name: str, otherwise: Any = None) -> Any:
        found = super().get(name, otherwise)
        if isinstance(found, dict):
            found = Shown(found)
        kind = next((one for one in ((list, tuple, set, frozenset), dict, str) if isinstance(otherwise, one)), object)
        return found if isinstance(found, kind) else otherwise


def nested(pairs: Iterable[tuple[str, str]]) -> Shown:
    """Pairs as nested names; nothing where a name is both a value and a group."""
    try:
        return Shown(unflatten(pairs))
    except ValueError:
        return Shown()


@dataclass(slots=True)
class Form(Generic[M]):
    """A form that was sent: `data` if nothing is wrong, else `faults`; `typed` in any case."""

    typed: Typed = EMPTY
    data: M | None = None
    faults: Faults = field(default_factory=dict)

    def refuse(self, refusal: Refusal) -> "Form[M]":
        """The same form with what stood in its way, at the field it belongs to."""
        words = f"{refusal.says} {refusal.now}".strip()
        return Form(self.typed, None, {**self.faults, refusal.field: words})


async def read(request: Request) -> Typed:
    """The form a request brings. `Unreadable` for any other content; files are not taken here."""
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind not in KINDS:
        if not await request.body():
            return EMPTY
        raise Unreadable("This address takes a form, and something else was sent.", "Go back and use the page's form.")
    try:
        form = await request.form(max_files=0, max_fields=MOST_FIELDS)
    except ClientDisconnect:
        raise Unreadable("The form did not arrive whole.", "Send it again.") from None
    except (MultiPartException, UnicodeDecodeError):
        raise Unreadable("The form could not be read.", "Go back and send it again.") from None
    pairs = tuple((name, value) for name, value in form.multi_items() if not isinstance(value, UploadFile))
    request.scope["signet.typed"] = pairs
    return Typed(pairs)


MOST_FILE = 1_048_576
"""Bytes of a file, or of one pasted text, where a form takes one."""


async def read_file(request: Request, name: str) -> tuple[Typed, str]:
    """A form that may bring one file, and that file's text ("" for none). What is no text in UTF-8 is `Unreadable`."""
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind != "multipart/form-data":
        return await read(request), ""
    try:
        form = await request.form(max_files=1, max_fields=50, max_part_size=MOST_FILE + 4096)
    except ClientDisconnect:
        raise Unreadable("The file did not arrive whole.", "Send it again.") from None
    except (MultiPartException, UnicodeDecodeError):
        raise Unreadable(
            "The form could not be read: it brings more than one file, or a text above a megabyte.",
            "Go back, and choose one file.",
        ) from None
    try:
        pairs = tuple((key, value) for key, value in form.multi_items() if isinstance(value, str))
        sent = form.get(name)
        body = await sent.read(MOST_FILE + 1) if isinstance(sent, UploadFile) else b""
    finally:
        await form.close()
    if len(body) > MOST_FILE:
        raise TooMuch(MOST_FILE)
    try:
        return Typed(pairs), body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable(
            "This file is no text: a calendar's export is a JSON file.", "Choose the exported file itself."
        ) from None


def fill(model: type[M], typed: Typed) -> Form[M]:
    """Read the typed texts into a model; fields that take a list get all texts of their name, others the last."""
    raw: dict[str, Any] = {}
    for name, info in model.model_fields.items():
        key = info.alias or name
        if get_origin(info.annotation) in (list, tuple, set, frozenset):
            raw[key] = typed.all(key)
        elif key in typed:
            raw[key] = typed.get(key)
    try:
        return Form(typed, model.model_validate(raw))
    except ValidationError as wrong:
        return Form(typed, None, faults_of(wrong))


async def take(request: Request, model: type[M]) -> Form[M]:
    """`read` and `fill` in one."""
    return fill(model, await read(request))


def faults_of(wrong: ValidationError) -> Faults:
    """What is wrong, by top-level field; the first fault of a field counts."""
    faults: Faults = {}
    for fault in wrong.errors(include_url=False):
        faults.setdefault(str(fault["loc"][0]) if fault["loc"] else "", explain(fault))
    return faults
