"""The small site as a process, and waiting for what it says of itself."""

import os
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx2

from tests.browser.seats import PATIENCE
from tests.forking import program
from tests.server import ROOT, free_port


class Site:
    """The small site as a process that can be ended and started again on the same port."""

    def __init__(self, place: Path) -> None:
        self.port = free_port()
        self.log = place / "small-site.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.client = httpx2.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30)

    def start(self, text: str = "first") -> None:
        command = program("uvicorn", "tests.browser.small_site:app", "--port", str(self.port))
        command += ["--no-access-log", "--timeout-graceful-shutdown", "1"]
        with self.log.open("ab") as log:
            env = {**os.environ, "SITE_TEXT": text, "PYTHONPATH": str(ROOT)}
            self.process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)
        for _ in range(200):
            try:
                self.client.get("/awaits")
                return
            except httpx2.TransportError:
                time.sleep(0.05)
        raise RuntimeError(self.log.read_text())

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def set(self, **given: Any) -> dict[str, Any]:
        answer = self.client.post("/control", json=given)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


def wait_for(check: Any) -> None:
    end = time.monotonic() + PATIENCE / 1000
    while not check():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.03)
