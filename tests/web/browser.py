"""A browser for tests: keeps cookies, follows redirects, sends forms as its pages wrote them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import httpx2

from tests import shown

Fields = list[tuple[str, str]]
BLANKS = re.compile(r"[ \t\n\r\f]+")


@dataclass
class PageForm:
    action: str
    method: str
    fields: Fields = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    buttons: Fields = field(default_factory=list)  # those that send it and say something by it


@dataclass
class Page:
    """An answer: its status, its text without tags, its forms as a browser would send them."""

    status: int
    path: str
    html: str
    headers: httpx2.Headers

    @cached_property
    def _read(self) -> "_Reader":
        """Read when somebody asks: most answers are looked at for a word or two."""
        reader = _Reader()
        reader.feed(self.html)
        return reader

    @cached_property
    def text(self) -> str:
        """As a person reads it: white space in a row counts as one space, wherever the template breaks its lines."""
        return BLANKS.sub(" ", "".join(self._read.text))

    @property
    def forms(self) -> list[PageForm]:
        return self._read.forms

    @property
    def links(self) -> list[str]:
        return self._read.links

    @property
    def values(self) -> dict[str, str]:
        """What stands in controls that have an id, by it."""
        return self._read.values

    def form(self, action: str) -> PageForm:
        """The form whose action ends like this."""
        found = [form for form in self.forms if form.action.endswith(action)]
        assert found, f"no form goes to …{action}; there are {[form.action for form in self.forms]}"
        return found[0]

    def has_form(self, action: str) -> bool:
        return any(form.action.endswith(action) for form in self.forms)


class Browser:
    def __init__(self, http: httpx2.AsyncClient) -> None:
        self.http = http
        self.http.headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

    async def get(self, address: str, **headers: str) -> Page:
        said = {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", **headers}
        return await self._follow(await self.http.get(address, headers=said))

    async def post(self, address: str, fields: Mapping[str, str] | Fields = (), **headers: str) -> Page:
        pairs = list(fields.items()) if isinstance(fields, Mapping) else list(fields)
        data: dict[str, list[str]] = {}
        for name, value in pairs:
            data.setdefault(name, []).append(value)
        said = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate", **headers}
        return await self._follow(await self.http.post(address, data=data, headers=said))

    async def send(self, page: Page, action: str, typed: Mapping[str, str] | None = None, **headers: str) -> Page:
        """Send a form of a page with some fields typed over. A field that the form has not got is a mistake."""
        form, typed = page.form(action), dict(typed or {})
        unknown = set(typed) - form.names
        assert not unknown, f"the form {form.action} has no {unknown}; it has {form.names}"
        fields = [(name, value) for name, value in form.fields if name not in typed] + list(typed.items())
        return await self.post(urljoin(page.path, form.action or page.path), fields, **headers)

    async def _follow(self, answer: httpx2.Response) -> Page:
        for _ in range(5):
            if answer.status_code not in (302, 303, 307):
                break
            said = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate"}
            answer = await self.http.get(urljoin(str(answer.url), answer.headers["location"]), headers=said)
        if answer.headers.get("content-type", "").startswith("text/html"):
            shown.check(f"{answer.request.method} {answer.request.url.path}", answer.text)
        return page_of(answer)


def page_of(answer: httpx2.Response) -> Page:
    """An answer as a page, as it is: no redirect is followed."""
    return Page(answer.status_code, urlsplit(str(answer.url)).path, answer.text, answer.headers)


class _Reader(HTMLParser):
    """Reads forms with their successful controls, and the page's visible text."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.forms: list[PageForm] = []
        self.links: list[str] = []
        self.values: dict[str, str] = {}
        self._form: PageForm | None = None
        self._area: str | None = None
        self._area_text = ""
        self._select: str | None = None
        self._first: str | None = None
        self._chosen = False
        self._button: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        a = {key: value or "" for key, value in attrs}
        name = a.get("name", "")
        if tag == "a" and "href" in a:
            self.links.append(a["href"])
        if tag == "form":
            self._form = PageForm(a.get("action", ""), a.get("method", "get"))
            self.forms.append(self._form)
        if "id" in a and "value" in a:
            self.values[a["id"]] = a["value"]
        if self._form is None:
            return
        if tag in ("input", "select", "textarea") and name:
            self._form.names.add(name)
        if tag == "button" and name and a.get("type", "submit") == "submit":
            self._form.buttons.append((name, a.get("value", "")))
        if tag == "input" and name:
            ticked = a.get("type") not in ("checkbox", "radio") or "checked" in a
            if ticked and a.get("type") != "submit":
                self._form.fields.append((name, a.get("value", "")))
        elif tag == "textarea":
            self._area, self._area_text = name, ""
        elif tag == "select":
            self._select, self._first, self._chosen = name, None, False
        elif tag == "option" and self._select is not None:
            self._first = a.get("value", "") if self._first is None else self._first
            if "selected" in a:
                self._form.fields.append((self._select, a.get("value", "")))
                self._chosen = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "textarea" and self._area is not None and self._form is not None:
            text = self._area_text[1:] if self._area_text.startswith("\n") else self._area_text
            self._form.fields.append((self._area, text))
            self._area = None
        elif tag == "select" and self._select is not None:
            if not self._chosen and self._first is not None and self._form is not None:
                self._form.fields.append((self._select, self._first))
            self._select = None

    def handle_data(self, data: str) -> None:
        if self._area is not None:
            self._area_text += data
        self.text.append(data)
