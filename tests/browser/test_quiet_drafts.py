"""A person chooses and does not seal; time runs out, and what they chose counts. What a script filled in does not."""

import psycopg
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seats import PATIENCE, Seat
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]


def test_what_is_chosen_counts_when_time_runs_out(
    browser: Browser, server: Server, links: dict[str, str], db_url: str
) -> None:
    gm, alice, bob = (
        Seat(name, browser.new_context(), server.url).enter(links[name]).open_scene() for name in ("GM", "Alice", "Bob")
    )
    saved: list[str] = []
    bob.page.on("request", lambda request: saved.append(request.url) if request.url.endswith("/draft") else None)
    gm.page.locator("[name=description]").fill("Rain.")
    gm.page.locator('#asks button[value="seal"]').first.click()
    expect(bob.ask("declare")).to_be_visible(timeout=PATIENCE)
    bob.plan("sword-goblin")  # Playwright sets lists by a script, as a suggestion does
    alice.plan("sword-goblin", "whistles")
    note = "[data-quiet-note]"
    expect(alice.ask("declare").locator(note)).to_be_visible(timeout=PATIENCE)
    expect(alice.page.get_by_role("button", name="Keep as a draft")).to_have_count(0)
    alice.field("of.alice.rider_text").fill("whistles a tune")
    expect(alice.ask("declare").locator(note)).to_be_hidden()
    expect(alice.ask("declare").locator(note)).to_be_visible(timeout=PATIENCE)
    expect(bob.ask("declare").locator(note)).to_be_hidden()
    assert saved == [] and "whistles" not in gm.source() + bob.source()
    with psycopg.connect(db_url.replace("+psycopg", ""), autocommit=True) as admin:
        admin.execute(
            "UPDATE steps SET due_at = clock_timestamp() - interval '1 second' WHERE status = 'open' AND quiet"
        )
        admin.execute("UPDATE scenes SET next_due_at = clock_timestamp() - interval '1 second'")
    gm.skip_film()
    expect(gm.envelope("Alice")).to_contain_text("a draft, opened", timeout=PATIENCE)
    expect(gm.envelope("Bob")).to_contain_text("did not answer")
    assert "whistles a tune" in gm.source()
    alice.page.goto(f"{alice.scene}/verify")
    expect(alice.page.locator("#verdict")).to_have_text("Everything that can be checked is correct.", timeout=PATIENCE)
    expect(alice.page.locator("#findings")).to_contain_text("1 seal compared with what this browser saved")
    for seat in (gm, alice, bob):
        assert seat.wrong == []
        seat.context.close()
