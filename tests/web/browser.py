"""A browser for tests: keeps cookies, follows redirects, sends forms as its pages wrote them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urljoin, urlsplit

import httpx2
from selectolax.lexbor import LexborHTMLParser, LexborNode

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
    def _tree(self) -> LexborHTMLParser:
        """Parsed when somebody asks: most answers are looked at for a word or two."""
        return LexborHTMLParser(self.html)

    @cached_property
    def text(self) -> str:
        """As a person reads it: white space in a row counts as one space, wherever the template breaks its lines."""
        root = self._tree.root
        return BLANKS.sub(" ", root.text() if root else "")

    def text_of(self, *ids: str) -> str:
        """The same of the elements with these ids."""
        found = self._tree.css(", ".join(f"#{one}" for one in ids))
        return BLANKS.sub(" ", " ".join(node.text(separator=" ") for node in found))

    @cached_property
    def forms(self) -> list[PageForm]:
        return [_form(node) for node in self._tree.css("form")]

    @cached_property
    def links(self) -> list[str]:
        return [node.attributes["href"] or "" for node in self._tree.css("a[href]")]

    @cached_property
    def values(self) -> dict[str, str]:
        """What stands in controls that have an id, by it."""
        marked = [node.attributes for node in self._tree.css("[id][value]")]
        return {a["id"] or "": a["value"] or "" for a in marked}

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


def _form(node: LexborNode) -> PageForm:
    """A form with its successful controls, in the order of the page."""
    form = PageForm(node.attributes.get("action") or "", node.attributes.get("method") or "get")
    for control in node.css("input, select, textarea, button"):
        a = {key: value or "" for key, value in control.attributes.items()}
        name, tag = a.get("name"), control.tag
        if not name:
            continue
        if tag == "button":
            form.buttons += [(name, a.get("value", ""))] if a.get("type", "submit") == "submit" else []
            continue
        form.names.add(name)
        if tag == "textarea":
            form.fields.append((name, control.text()))
        elif tag == "select":
            form.fields += [(name, value) for value in _chosen(control)]
        elif "checked" in a or a.get("type") not in ("checkbox", "radio", "submit"):
            form.fields.append((name, a.get("value", "")))
    return form


def _chosen(select: LexborNode) -> list[str]:
    """The options that are sent: those marked as selected, else the first."""
    options = select.css("option")
    marked = [option for option in options if "selected" in option.attributes]
    return [option.attributes.get("value") or "" for option in marked or options[:1]]
