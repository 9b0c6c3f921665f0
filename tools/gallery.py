"""Draws every part of the design with sample data, as pages and screenshots, to look at after a change.

    python tools/gallery.py OUT [PAGE…]   write OUT/PAGE-WIDTH-THEME.png for 360, 768, 1280 and 1920 px, light and dark

A page is a file of tests/web/gallery, or an address that begins with a slash. Needs the extra `test` and a Chromium
(SIGNET_CHROMIUM, else the usual names). WIDTHS and THEMES in the environment select some of them: 360,1280 and dark.
"""

import os
import sys
import threading
import time
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from jinja2 import ChoiceLoader, FileSystemLoader
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app.web.http import templating  # noqa: E402
from app.web.site import front, rulebook  # noqa: E402
from tests.browser.conftest import ARGS, find_chromium  # noqa: E402

PAGES = ROOT / "tests" / "web" / "gallery"
WIDTHS = (360, 768, 1280, 1920)


def gallery() -> FastAPI:
    app = FastAPI()
    templating.install_static(app)
    env = templating.environment()
    env.loader = ChoiceLoader([env.loader, FileSystemLoader(PAGES)])

    app.include_router(front.router)
    app.include_router(rulebook.router)

    @app.get("/gallery/{name}")
    def page(request: Request, name: str) -> HTMLResponse:
        return templating.render(request, f"{name}.html")

    return app


def main() -> int:
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[2:] or sorted(path.stem for path in PAGES.glob("*.html"))
    server = uvicorn.Server(uvicorn.Config(gallery(), port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    widths = [int(w) for w in os.environ.get("WIDTHS", "").split(",") if w] or WIDTHS
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGS)
        for theme in os.environ.get("THEMES", "light,dark").split(","):
            for width in widths:
                page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=theme)
                page.on("console", lambda message: sys.stderr.write(f"{message.text}\n"))
                for name in wanted:
                    path = name if name.startswith("/") else f"/gallery/{name}"
                    page.goto(f"http://127.0.0.1:{port}{path}")
                    page.wait_for_load_state("networkidle")
                    page.screenshot(
                        path=out / f"{name.strip('/').replace('/', '-') or 'front'}-{width}-{theme}.png", full_page=True
                    )
                page.close()
        browser.close()
    server.should_exit = True
    thread.join()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
