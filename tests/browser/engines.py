"""One window of Chromium, Firefox or WebKit, with the same few commands for each.

Playwright drives Chromium. It has no driver for Debian's own Firefox and WebKit, which know the commands of
https://www.w3.org/TR/webdriver2/. WebKit's driver takes them over HTTP, Firefox itself over a socket
(https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html).
"""

import base64
import contextlib
import glob
import json
import os
import shutil
import socket
import subprocess
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx2
from playwright.sync_api import Browser
from playwright.sync_api import Error as PlaywrightError

from tests.browser.seats import PATIENCE
from tests.server import free_port

SECONDS = PATIENCE / 1000
MINIBROWSER = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"
PREFS = {
    "app.update.auto": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "browser.safebrowsing.downloads.remote.enabled": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key under which WebDriver names an element of a page."""
HEAR = """window.heard = [];
addEventListener("error", (e) => heard.push(`${location.href}: ${e.message}`));
addEventListener("unhandledrejection", (e) => heard.push(`${location.href}: ${e.reason}`));"""
TOUCHABLE = """const one = document.querySelector(arguments[0]);
one.scrollIntoView({block: "center", behavior: "instant"});
const {x, y, width, height} = one.getBoundingClientRect(), place = [arguments[0], x, y, width, height].join();
const rests = window.restedAt === place;
window.restedAt = place;
return rests && getComputedStyle(one).pointerEvents !== "none";"""
"""It may be touched and is where it was a moment ago; else a press can begin on it and end beside it."""
LEFT = ("Load failed", "NetworkError when attempting", "was interrupted while the page was loading")
"""What engines say of a page that was left while it asked for something."""


class Engine:
    """One window of one engine."""

    name: str

    @abstractmethod
    def open(self, address: str) -> None:
        """Loads a page to its end."""

    @abstractmethod
    def run(self, script: str, *given: Any) -> Any:
        """Returns what the body of a function returns in the page; it reads `given` as `arguments`."""

    @abstractmethod
    def touch(self, selector: str) -> None:
        """Presses the first element that matches; refused where something lies over it."""

    @abstractmethod
    def resize(self, width: int, height: int) -> None: ...

    @abstractmethod
    def shot(self, path: Path) -> None: ...

    @abstractmethod
    def complaints(self) -> list[str]:
        """Errors of this site's pages so far."""

    @abstractmethod
    def close(self) -> None: ...

    def click(self, selector: str) -> None:
        """As a person does: once it can be touched."""
        self.wait(TOUCHABLE, selector)
        self.touch(selector)

    def wait(self, script: str, *given: Any) -> Any:
        """Until a script gives something true."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            if found := self.run(script, *given):
                return found
            time.sleep(0.02)
        at, said = self.run("return [location.href, document.body.innerText]")
        raise TimeoutError(f"{self.name} waited in vain for {script} {given} at {at}, where it says:\n{said}")


class Chromium(Engine):
    """A context of its own in a browser that Playwright has launched."""

    name = "chromium"

    def __init__(self, browser: Browser, **device: Any) -> None:
        self.context = browser.new_context(**device)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.heard: list[str] = []
        self.page.on("pageerror", lambda error: self.heard.append(f"{self.page.url}: {error}"))
        self.page.on("console", lambda said: said.type in ("error", "warning") and self.heard.append(said.text))

    def open(self, address: str) -> None:
        self.page.goto(address)

    def run(self, script: str, *given: Any) -> Any:
        function = f"given => (function () {{ {script} }}).apply(null, given)"
        try:
            return self.page.evaluate(function, list(given))
        except PlaywrightError as left:  # the page was left while it was asked
            if "Execution context was destroyed" not in left.message:
                raise
            self.page.wait_for_load_state()
            return self.page.evaluate(function, list(given))

    def touch(self, selector: str) -> None:
        self.page.locator(selector).first.click()

    def resize(self, width: int, height: int) -> None:
        self.page.set_viewport_size({"width": width, "height": height})

    def shot(self, path: Path) -> None:
        self.page.screenshot(path=path)

    def complaints(self) -> list[str]:
        return self.heard

    def close(self) -> None:
        self.context.close()


class Driven(Engine):
    """By the commands of WebDriver."""

    @abstractmethod
    def send(self, command: str, data: Mapping[str, Any]) -> Any:
        """What a command gives; RuntimeError with what the engine says where it cannot be done."""

    def open(self, address: str) -> None:
        self.send("Navigate", {"url": address})

    def run(self, script: str, *given: Any) -> Any:
        return self.send("ExecuteScript", {"script": script, "args": given})

    def touch(self, selector: str) -> None:
        found = self.send("FindElement", {"using": "css selector", "value": selector})
        self.send("ElementClick", {"id": found[ELEMENT]})

    def resize(self, width: int, height: int) -> None:
        self.send("SetWindowRect", {"width": width, "height": height})

    def shot(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(self.send("TakeScreenshot", {"full": False})))


class Firefox(Driven):
    """By frames of JSON, each after its length."""

    name = "firefox"

    def __init__(self, log: Path, port: int) -> None:
        self.log = log
        self.line = _patiently(lambda: socket.create_connection(("127.0.0.1", port), SECONDS))
        self.coming = self.line.makefile("rb")
        self.sent = 0
        self._read()  # which version it is
        self.send("NewSession", {})

    def send(self, command: str, data: Mapping[str, Any]) -> Any:
        self.sent += 1
        frame = json.dumps([0, self.sent, f"WebDriver:{command}", data]).encode()
        self.line.sendall(b"%d:%s" % (len(frame), frame))
        _, _, error, value = self._read()
        if error:
            raise RuntimeError(f"{command} {data}: {error['message']}")
        return value["value"] if isinstance(value, dict) and "value" in value else value

    def _read(self) -> Any:
        size = b""
        while (one := self.coming.read(1)) != b":":
            size += one or b"!"  # it hung up: no number
        return json.loads(self.coming.read(int(size)))

    def complaints(self) -> list[str]:
        lines = self.log.read_text(errors="replace").splitlines()
        return [line for line in lines if line.startswith("JavaScript error: http://127.0.0.1") and not _left(line)]

    def close(self) -> None:
        self.coming.close()
        self.line.close()


class WebKit(Driven):
    """By WebDriver's own addresses."""

    name = "webkit"
    ADDRESSES: Mapping[str, str] = {
        "Navigate": "/url",
        "ExecuteScript": "/execute/sync",
        "FindElement": "/element",
        "ElementClick": "/element/{id}/click",
        "SetWindowRect": "/window/rect",
        "TakeScreenshot": "/screenshot",
    }

    def __init__(self, port: int, program: str) -> None:
        self.heard: list[str] = []
        self.client = httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=2 * SECONDS)
        _patiently(lambda: self.client.get("/status"))
        wanted = {"webkitgtk:browserOptions": {"binary": program, "args": ["--automation"]}}
        made = self._answer(self.client.post("/session", json={"capabilities": {"alwaysMatch": wanted}}))
        self.session = f"/session/{made['sessionId']}"

    def send(self, command: str, data: Mapping[str, Any]) -> Any:
        address = self.session + self.ADDRESSES[command].format(**data)
        reads = command == "TakeScreenshot"
        return self._answer(self.client.get(address) if reads else self.client.post(address, json=data))

    def _answer(self, answer: httpx2.Response) -> Any:
        value = answer.json()["value"]
        if answer.is_error:
            raise RuntimeError(
                f"{answer.request.url.path} {answer.request.content!r}: {value['error']} {value['message']}"
            )
        return value

    def open(self, address: str) -> None:
        self.complaints()
        super().open(address)
        self.run(HEAR)

    def complaints(self) -> list[str]:
        """Since each page was there: a driven WebKit writes none of its console down."""
        self.heard += [line for line in self.run("return (window.heard || []).splice(0)") if not _left(line)]
        return self.heard

    def close(self) -> None:
        self.client.delete(self.session)
        self.client.close()


def _left(line: str) -> bool:
    return any(words in line for words in LEFT)


def _patiently(attempt: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            return attempt()
        except (OSError, httpx2.TransportError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def missing(name: str) -> list[str]:
    """The Debian packages without which there is no such engine here."""
    if name == "firefox":
        return [] if shutil.which("firefox-esr") else ["firefox-esr"]
    there = {
        "webkit2gtk-driver": shutil.which("WebKitWebDriver") and glob.glob(MINIBROWSER),
        "xvfb": shutil.which("Xvfb"),
    }
    return [package for package, found in there.items() if not found]


@contextlib.contextmanager
def engine(name: str, place: Path) -> Iterator[Engine]:
    """One that runs here, ended afterwards with everything it started."""
    with contextlib.ExitStack() as ended:
        running = (_firefox if name == "firefox" else _webkit)(place, ended)
        ended.callback(running.close)
        yield running


def _firefox(place: Path, ended: contextlib.ExitStack) -> Firefox:
    port = free_port()
    profile = place / "firefox"
    profile.mkdir()
    prefs = {**PREFS, "marionette.port": port}
    (profile / "user.js").write_text(
        "".join(f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in prefs.items())
    )
    command = ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
    _start(command, place / "firefox.log", ended, {})
    return Firefox(place / "firefox.log", port)


def _webkit(place: Path, ended: contextlib.ExitStack) -> WebKit:
    port = free_port()
    # A display of its own, with a number that the server chooses and tells.
    reading, writing = os.pipe()
    screen = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1400x24", "-nolisten", "tcp"]
    _start(screen, place / "xvfb.log", ended, {}, writing)
    os.close(writing)
    with os.fdopen(reading) as told:
        display = f":{told.readline().strip()}"
    _start(["WebKitWebDriver", f"--port={port}"], place / "driver.log", ended, {"DISPLAY": display})
    return WebKit(port, glob.glob(MINIBROWSER)[0])


def _start(command: Sequence[str], log: Path, ended: contextlib.ExitStack, more: Mapping[str, str], *kept: int) -> None:
    with log.open("wb") as out:
        running = subprocess.Popen(
            command, stdout=out, stderr=out, env={**os.environ, **more}, pass_fds=kept, start_new_session=True
        )

    def end() -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, 9)
        running.wait()

    ended.callback(end)
