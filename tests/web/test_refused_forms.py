"""What was typed in a form that was refused is still there after the page's next refresh, whichever form it was.

The forms are those of changing_forms.py, which has every address that changes something, on the pages that show them.
A real Chromium sends each with a NUL in one text; then the faults at its fields are taken out, so that it is refused as
a whole, and the page is told that something has changed. The app answers in this process.
"""

import re
from collections.abc import AsyncIterator, Callable
from urllib.parse import urljoin

import pytest
from fastapi import FastAPI
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page as Tab
from playwright.async_api import Route, async_playwright

from app.web.http.limits import Meter
from tests.browser.conftest import ARGS, find_chromium
from tests.web.browser import Browser
from tests.web.changing_forms import HOME, ROWS, Row
from tests.web.test_bad_input import Table

pytestmark = [pytest.mark.anyio, pytest.mark.browser, pytest.mark.nightly]

ORIGIN = "http://signet.test"
FIRST = "typed0words"
LIVE = re.compile(r'<(\w+)( [^>]*?hx-trigger="signet:changed)')
FIND = """([action, pick]) => {
  const shape = new RegExp(action.replace(/[.?]/g, "\\\\$&").replaceAll("*", ".*") + "$");
  const forms = [...document.forms].filter((form) => shape.test(form.getAttribute("action") ?? location.pathname));
  const form = forms.find((one) => !pick || one.elements.namedItem(pick));
  window.sent = form;
  if (!form?.closest("[hx-trigger^='signet:changed']")) return null;
  const texts = [...form.elements].filter((one) =>
    one.matches("textarea, input[type=text], input:not([type])") && !one.readOnly);
  texts.forEach((one, place) => { one.value = `typed${place}words`; });
  texts[0]?.dispatchEvent(new Event("input", {bubbles: true}));
  return {texts: texts.length, keep: form.matches("[data-keep]"), id: form.id};
}"""
SEND = """(wanted) => {
  const form = window.sent;
  form.noValidate = true;
  const buttons = [...form.elements].filter((one) => one.type === "submit" && !one.matches("[hx-post]"));
  const button = buttons.find((one) => wanted.some(([name, value]) => one.name === name && one.value === value));
  for (const one of [form, ...buttons]) one.removeAttribute("data-confirm");
  form.requestSubmit(button ?? buttons[0]);
}"""
SHOWN = """() => {
  for (const fault of document.querySelectorAll("form .fault")) fault.remove();
  const values = [...document.querySelectorAll("form")].flatMap((form) => [...form.elements]).map((one) => one.value);
  return {texts: values.join(" ").match(/typed\\d+words/g) ?? [],
    why: [...document.querySelectorAll(".notice.bad[role=alert]")].map((one) => one.textContent.trim())};
}"""
CHANGED = "document.body.dispatchEvent(new CustomEvent('signet:changed'))"


class Window:
    """One person's tab, whose requests the app in this process answers."""

    def __init__(self, tab: Tab, browser: Browser) -> None:
        self.tab, self.browser = tab, browser
        self.answered: list[int] = []  # the statuses of forms
        self.refreshes = 0

    async def answer(self, route: Route) -> None:
        asked = route.request
        if asked.url.endswith(("/stream", "/awaits", "/presence")):
            await route.abort()
            return
        names = ("hx-request", "content-type")  # not what is shown: the whole live part is to come
        headers = {name: value for name, value in asked.headers.items() if name in names}
        headers |= {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate"}
        body = (asked.post_data_buffer or b"").replace(FIRST.encode(), FIRST.encode() + b"%00", 1)
        found = await self.browser.http.request(asked.method, asked.url, content=body, headers=headers)
        text = found.content
        if asked.method == "POST":
            self.answered.append(found.status_code)
            if found.status_code < 400:  # taken: there is nothing to look at
                await route.fulfill(status=204)
                return
        elif "hx-request" in headers:
            self.refreshes += 1
            text = LIVE.sub(rf'<\1 data-seen="{self.refreshes}"\2', found.text).encode()
        kept = {name: value for name, value in found.headers.items() if name == "content-type"}
        await route.fulfill(status=found.status_code, headers=kept, body=text)

    async def refresh(self) -> None:
        """Something has changed; until every live part shows its own newest answer."""
        await self.tab.evaluate(
            "document.querySelectorAll('[data-seen]').forEach((one) => one.removeAttribute('data-seen'))"
        )
        await self.tab.evaluate(CHANGED)
        await self.tab.wait_for_function(
            "[...document.querySelectorAll(\"[hx-trigger^='signet:changed']\")].every((one) => one.dataset.seen)",
        )


@pytest.fixture
async def chromium() -> AsyncIterator[Chromium]:
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium here")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=ARGS)
        yield browser
        await browser.close()


async def test_what_was_typed_outlives_the_refresh_after_a_refusal(
    site: FastAPI, open_browser: Callable[[], Browser], chromium: Chromium
) -> None:
    table = await Table(site, open_browser).sit_down()
    await table.set_up()
    assert (await table.seats["Alice"].post(f"{HOME}/alice/lines", {"text": "Spiders", "kind": "line"})).status == 200
    windows: dict[str, Window] = {}
    tried, taken, wrong = [], [], []
    for row in ROWS:
        if not row.page or row.who not in table.seats:
            continue
        if row.who not in windows:
            tab = await (await chromium.new_context()).new_page()
            windows[row.who] = Window(tab, table.seats[row.who])
            await tab.route("**/*", windows[row.who].answer)
        found = await refused(windows[row.who], row, table)
        if found is None:
            continue
        name = f"{row.action} on {row.page}"
        if found == "taken":
            taken.append(name)
        else:
            tried.append(name)
            wrong += [f"{name}: {one}" for one in found]
        if row.pick == "description":
            await table.set_the_scene()
    assert wrong == [], "\n".join(wrong)
    assert len(tried) >= 15 and {name.split(" ")[0] for name in taken} <= {"/lay"}, (tried, taken)


async def refused(window: Window, row: Row, table: Table) -> list[str] | str | None:
    """What is wrong with the row's form after a refusal; "taken" where it was not refused; None where it has no text,
    or stands in no live part."""
    table.site.state.meter = Meter()  # how often one may try is tested elsewhere
    tab = window.tab
    await tab.goto(urljoin(ORIGIN, table._address(row)))
    form = await tab.evaluate(FIND, [row.action, row.pick])
    if form is None or not form["texts"]:
        return None
    window.answered.clear()
    async with tab.expect_response(lambda answer: answer.request.method == "POST"):
        await tab.evaluate(SEND, [list(pair) for pair in row.extra])
    await tab.wait_for_load_state()
    if window.answered[-1] < 400:
        return "taken"
    await tab.wait_for_function("document.querySelector('[data-refused], .fault, .notice.bad')")
    before = await tab.evaluate(SHOWN)
    await window.refresh()
    after = await tab.evaluate(SHOWN)
    found = [f"{key}: {before[key]} became {after[key]}" for key in before if before[key] != after[key]]
    lost = [n for n in range(form["texts"]) if f"typed{n}words" not in before["texts"]]
    return found + ([f"the refusal itself lost {lost}"] if lost else [])
