"""Reads a form: the typed text, the data it stands for, and the faults by field.

Typed text is never lost: a refused form is shown again with its text and an error at each wrong field. A page that
takes a form works inside `with form.refusing():` and draws the form again after it:

    form = await take(request, Naming)
    with form.refusing():
        name = form.checked().name
        ...
        return RedirectResponse(...)
    return await show(request, seated, form.status, naming=form)
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Annotated, Any, Generic, TypeVar, get_origin

from fastapi import Request
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic import Field as Limits
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect

from app.campaign import names, tokens
from app.engine.faults import Place, faults_of
from app.engine.form_text import MOST_FIELDS, unflatten
from app.engine.ruleset import Faults
from app.errors import Refusal, TooMuch, Unfit, Unreadable

M = TypeVar("M", bound=BaseModel)
Version = Annotated[int, Limits(ge=0, le=2_000_000_000)]
"""The version of a thing that the page had shown."""

KINDS = ("application/x-www-form-urlencoded", "multipart/form-data")


@dataclass(frozen=True, slots=True)
class TypedPairs:
    """The names and texts of a form, in order, as received."""

    pairs: tuple[tuple[str, str], ...] = ()

    def get(self, name: str, otherwise: str = "") -> str:
        """The last text of that name."""
        return next((value for key, value in reversed(self.pairs) if key == name), otherwise)

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.pairs if key == name]

    def __contains__(self, name: object) -> bool:
        return any(key == name for key, _ in self.pairs)

    @property
    def once(self) -> str | None:
        """The id of this submission, or None: the form counts once, however often it arrives with the same id."""
        once = self.get("_once")
        return once if tokens.well_formed(once) else None

    def number(self, name: str) -> int:
        """The number in a field, such as the version that the page had shown; 0 if the field has none."""
        text = self.get(name)
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


EMPTY = TypedPairs()


class FormValues(dict[str, Any]):
    """Nested names of a form, for templates: `get` with a default returns only values of the default's type.

    A forged form may have a text in place of a group; a page that shows it again must not fail.
    """

    def get(self, name: str, otherwise: Any = None) -> Any:
        found = super().get(name, otherwise)
        if isinstance(found, dict):
            found = FormValues(found)
        kind = next((one for one in ((list, tuple, set, frozenset), dict, str) if isinstance(otherwise, one)), object)
        return found if isinstance(found, kind) else otherwise


def nested(pairs: Iterable[tuple[str, str]]) -> FormValues:
    """Pairs as nested names; empty if a name is both a value and a group."""
    try:
        return FormValues(unflatten(pairs))
    except ValueError:
        return FormValues()


@dataclass(slots=True)
class Form(Generic[M]):
    """A submitted form: `data` if it is valid, else `faults`; `typed` in any case.

    After `refusing` has caught a refusal, `wrong` has its text in one line, and `status` is the response's.
    """

    typed: TypedPairs = EMPTY
    data: M | None = None
    faults: Faults = field(default_factory=dict)
    wrong: str = ""
    status: int = 200

    def checked(self, wrong: str = "") -> M:
        """Returns the data. Raises `Unfit` with this text if the form has faults; `refusing` catches it."""
        if self.data is None or self.faults:
            raise Unfit(wrong)
        return self.data

    def refusing(self, *kinds: type[Refusal], at: Callable[[str], str] = str) -> "Refusing":
        """Catches a refusal that belongs on the form's own page, beside the typed text, and stores its text here.

        That is one with status 409, one that names a field of this form, or one of the `kinds`; any other gets a page
        of its own. `at` maps the refusal's field to its place on the form.
        """
        return Refusing(self, kinds, at)


@dataclass(frozen=True, slots=True)
class Refusing:
    """The context manager that `Form.refusing` returns."""

    form: Form[Any]
    kinds: tuple[type[Refusal], ...]
    at: Callable[[str], str]

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        if isinstance(error, Unfit):
            self.form.status = 422
        elif isinstance(error, Refusal) and self._belongs(error):
            self.form.status = 409
            self.form.faults[self.at(error.field)] = error.text
        else:
            return False
        self.form.wrong = error.text
        return True

    def _belongs(self, error: Refusal) -> bool:
        fields = getattr(type(self.form.data), "model_fields", ())
        return error.status == 409 or error.field in fields or isinstance(error, self.kinds)


class NotesForm(BaseModel):
    """Notes on something, and the version the page had shown."""

    body: names.Prose = ""
    version: Version = 0


async def read(request: Request) -> TypedPairs:
    """The form of a request. Raises `Unreadable` for any other content; files are not accepted."""
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind not in KINDS:
        if not await request.body():
            return EMPTY
        raise Unreadable("This address takes a form, but something else was sent.", "Go back and use the page's form.")
    try:
        form = await request.form(max_files=0, max_fields=MOST_FIELDS)
    except ClientDisconnect:
        raise Unreadable("Part of the form got lost.", "Send it again.") from None
    except (MultiPartException, UnicodeDecodeError):
        raise Unreadable("Signet could not read the form.", "Go back and send it again.") from None
    pairs = tuple((name, value) for name, value in form.multi_items() if not isinstance(value, UploadFile))
    request.scope["signet.typed"] = pairs
    return TypedPairs(pairs)


MOST_FILE = 1_048_576
"""The most bytes of a file, or of a pasted text, in forms that take one."""


async def read_file(request: Request, name: str) -> tuple[TypedPairs, str]:
    """A form with at most one file, and that file's text, "" for none. Raises `Unreadable` if it is not UTF-8 text."""
    typed, body = await read_upload(request, name, MOST_FILE)
    try:
        return typed, body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable(
            "This is not a text file. A calendar export is a JSON file.", "Choose the exported file itself."
        ) from None


async def read_upload(request: Request, name: str, most: int) -> tuple[TypedPairs, bytes]:
    """A form with at most one file of at most `most` bytes, and that file's content, b"" for none."""
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind != "multipart/form-data":
        return await read(request), b""
    try:
        form = await request.form(max_files=1, max_fields=50, max_part_size=MOST_FILE + 4096)
    except ClientDisconnect:
        raise Unreadable("Part of the file got lost.", "Send it again.") from None
    except (MultiPartException, UnicodeDecodeError):
        raise Unreadable(
            "Signet could not read the form: it has more than one file, or a text of more than a megabyte.",
            "Go back, and choose one file.",
        ) from None
    try:
        pairs = tuple((key, value) for key, value in form.multi_items() if isinstance(value, str))
        sent = form.get(name)
        body = await sent.read(most + 1) if isinstance(sent, UploadFile) else b""
    finally:
        await form.close()
    if len(body) > most:
        raise TooMuch(most)
    request.scope["signet.typed"] = pairs
    return TypedPairs(pairs), body


def fill(model: type[M], typed: TypedPairs) -> Form[M]:
    """Read the typed texts into a model; a list field gets all texts of its name, any other the last one."""
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


def faults_in(adapter: TypeAdapter[Any], value: Any, at: Callable[[Place], str]) -> Faults:
    """Like `faults_of`, for a value checked against a type."""
    try:
        adapter.validate_python(value)
    except ValidationError as wrong:
        return faults_of(wrong, at)
    return {}
