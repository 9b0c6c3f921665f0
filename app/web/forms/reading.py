"""Reading a form: what was typed, what it means, and what is wrong with it, field by field.

What was typed always survives: a form that is refused is shown again with its text and a word at each wrong field.
A page that takes a form goes on inside `with form.refusing():` and, after it, draws the form again:

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
"""Which version of a thing the page had shown."""

KINDS = ("application/x-www-form-urlencoded", "multipart/form-data")


@dataclass(frozen=True, slots=True)
class TypedPairs:
    """The form's own names and texts, in order, as they came."""

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
        """The number of this press: the form counts once, however often it arrives with it."""
        once = self.get("_once")
        return once if tokens.well_formed(once) else None

    def number(self, name: str) -> int:
        """A version that the page had shown; 0 where there is none."""
        text = self.get(name)
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


EMPTY = TypedPairs()


class FormValues(dict[str, Any]):
    """Nested names that somebody typed or made up, for templates: `get` with a default gives only the default's kind.

    A form that was not ours may spell a text where a group is meant; a page that shows it again must not stumble.
    """

    def get(self, name: str, otherwise: Any = None) -> Any:
        found = super().get(name, otherwise)
        if isinstance(found, dict):
            found = FormValues(found)
        kind = next((one for one in ((list, tuple, set, frozenset), dict, str) if isinstance(otherwise, one)), object)
        return found if isinstance(found, kind) else otherwise


def nested(pairs: Iterable[tuple[str, str]]) -> FormValues:
    """Pairs as nested names; nothing where a name is both a value and a group."""
    try:
        return FormValues(unflatten(pairs))
    except ValueError:
        return FormValues()


@dataclass(slots=True)
class Form(Generic[M]):
    """A form that was sent: `data` if nothing is wrong, else `faults`; `typed` in any case.

    Once `refusing` has ended it, `wrong` says in one line what stood in the way, and `status` is the answer's.
    """

    typed: TypedPairs = EMPTY
    data: M | None = None
    faults: Faults = field(default_factory=dict)
    wrong: str = ""
    status: int = 200

    def checked(self, wrong: str = "") -> M:
        """The data; where something is wrong `Unfit`, in these words, which `refusing` waits for."""
        if self.data is None or self.faults:
            raise Unfit(wrong)
        return self.data

    def refusing(self, *kinds: type[Refusal], at: Callable[[str], str] = str) -> "Refusing":
        """Ends at a refusal that belongs on the form's own page, beside what was typed, and keeps its words here.

        That is one with status 409, one that names a field of this form, and one of the `kinds`; any other is a page
        of its own. `at` gives the place on the form by the refusal's field.
        """
        return Refusing(self, kinds, at)


@dataclass(frozen=True, slots=True)
class Refusing:
    """What `Form.refusing` returns."""

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
    return TypedPairs(pairs)


MOST_FILE = 1_048_576
"""Bytes of a file, or of one pasted text, where a form takes one."""


async def read_file(request: Request, name: str) -> tuple[TypedPairs, str]:
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
        return TypedPairs(pairs), body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable(
            "This file is no text: a calendar's export is a JSON file.", "Choose the exported file itself."
        ) from None


def fill(model: type[M], typed: TypedPairs) -> Form[M]:
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


def faults_in(adapter: TypeAdapter[Any], value: Any, at: Callable[[Place], str]) -> Faults:
    """The same of a value that only has to fit."""
    try:
        adapter.validate_python(value)
    except ValidationError as wrong:
        return faults_of(wrong, at)
    return {}
