"""One short round of each rulebook in a real Chromium: a window that takes all seats, and a phone that only looks on.

It finds a page whose form cannot be sent, a reveal that does not reach an open page, and one that never ends. Whole
evenings, films, other engines and every question at every size are the night's.
"""

import uuid
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.engines import Chromium
from tests.browser.seats import axe, links_of, shots_folder
from tests.browser.usual_round import AGAIN, AT_REST, lay, look, play, proved, sit
from tests.kinds import KINDS, Kind, Rules
from tests.server import Server

pytestmark = pytest.mark.browser

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
BOARDS = [(rules, kind) for rules, kind in KINDS if f"{rules.key}-{kind.key}" in AGAIN]
TOLD = "return !!document.querySelector('#log .events li')"


@pytest.mark.parametrize(("rules", "kind"), BOARDS, ids=[rules.key for rules, _ in BOARDS])
def test_a_round_is_sealed_and_opens_on_every_page(
    browser: Browser, server: Server, db_url: str, tmp_path: Path, rules: Rules, kind: Kind
) -> None:
    scenes: dict[str, uuid.UUID] = {}
    links = links_of(db_url, lay, scenes, [(rules, kind)])
    table, phone = Chromium(browser, viewport={"width": 1280, "height": 800}), Chromium(browser, **PHONE)
    bases, ((name, scene),) = sit(table, server.url, links), scenes.items()
    (own,) = sit(phone, server.url, {"Ann": links["Ann"]}).values()
    phone.open(f"{own}scene/{scene}")
    assert not phone.run(TOLD)
    phone.run("window.stayed = true")
    pages = play(table, bases, f"scene/{scene}", AGAIN[name])
    phone.wait(TOLD)
    assert phone.run("return window.stayed"), "the open page shows it without being loaded again"
    for window in (table, phone):
        window.wait(AT_REST)
    assert axe(table.page) == []
    look(table, shots_folder(tmp_path), name)
    compared = [proved(table, page) for page in pages]
    assert any(compared)
    for window in (table, phone):
        assert window.complaints() == []
        window.close()
