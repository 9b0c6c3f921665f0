"""The front page and the rulebook: every rule is there under its id, findable, and linked."""

import re
from html import unescape

import httpx2
import pytest
from fastapi import FastAPI

from app.rulesets import RULESETS, SHIPPED
from app.web.http import templating
from app.web.site import front, rulebook

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def client() -> httpx2.AsyncClient:
    app = FastAPI()
    templating.install_static(app)
    app.include_router(front.router)
    app.include_router(rulebook.router)
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://signet")


async def test_the_front_page_leads_to_a_campaign_a_trial_and_the_rules(client: httpx2.AsyncClient) -> None:
    page = (await client.get("/")).text
    assert '<a class="go" href="/new">' in page
    assert '<form method="post" action="/try/whiskey">' in page
    assert 'href="/rulebook"' in page
    assert page.count('class="go"') == 1


async def test_who_sees_what_is_told(client: httpx2.AsyncClient) -> None:
    answer = await client.get("/about")
    assert answer.status_code == 200
    assert "Until the reveal" in answer.text


async def test_every_game_that_rules_rest_on_is_credited(client: httpx2.AsyncClient) -> None:
    page = unescape((await client.get("/credits")).text)
    for ruleset in (one for one in SHIPPED if not one.utility):
        assert ruleset.rulebook.credits, f"{ruleset.key} does not say what its rules rest on"
        part = page.split(f'id="of-{ruleset.key}"')[1].split("</section>")[0]
        book = unescape((await client.get(f"/rulebook/{ruleset.key}")).text)
        for credit in ruleset.rulebook.credits:
            assert {credit.title, credit.took} <= set(re.findall(r">([^<>]+)</(?:h3|p)>", part))
            assert not credit.author or f"By {credit.author}." in part
            assert not credit.licence or f"Licence: {credit.licence}." in part
            assert credit.author or credit.licence or "neither an author nor a licence" in part
            assert credit.title in book and f'href="/credits#of-{ruleset.key}"' in book


async def test_credits_are_linked_from_the_foot_of_every_page(client: httpx2.AsyncClient) -> None:
    for at in ("/", "/about", "/rulebook", "/rulebook/whiskey/WHI-12", "/credits"):
        foot = (await client.get(at)).text.split('<footer class="foot">')[1]
        assert re.search(r'<a\s+href="/credits">Credits</a>', foot)


async def test_every_ruleset_stands_in_the_rulebook(client: httpx2.AsyncClient) -> None:
    page = (await client.get("/rulebook")).text
    assert RULESETS
    for ruleset in RULESETS:
        assert f'href="/rulebook/{ruleset.key}"' in page


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
async def test_every_rule_has_its_place_and_its_page(client: httpx2.AsyncClient, ruleset) -> None:
    page = (await client.get(f"/rulebook/{ruleset.key}")).text
    assert re.findall(r'<article class="rule" id="([^"]+)"', page) == [rule.id for rule in ruleset.rulebook]
    for rule in ruleset.rulebook:
        answer = await client.get(f"/rulebook/{ruleset.key}/{rule.id}")
        assert answer.status_code == 200
        assert rule.id in answer.text


async def test_search_finds_rules_with_every_word(client: httpx2.AsyncClient) -> None:
    whiskey = RULESETS[0]
    found = {rule.id for rule in whiskey.rulebook.search("guard area")}
    assert 0 < len(found) < len(whiskey.rulebook.rules)
    page = (await client.get("/rulebook/whiskey", params={"q": "guard area"})).text
    assert set(re.findall(r'<article class="rule" id="([^"]+)"', page)) == found


async def test_a_search_for_nothing_known_offers_a_way_on(client: httpx2.AsyncClient) -> None:
    page = (await client.get("/rulebook/whiskey", params={"q": '<script>alert("x")</script>'})).text
    assert "No rules match" in page and "Show all" in page
    assert "<script>alert" not in page


async def test_ids_are_found_however_they_are_written(client: httpx2.AsyncClient) -> None:
    answer = await client.get("/rulebook/whiskey/whi-26")
    assert answer.status_code == 308
    assert answer.headers["location"] == "/rulebook/whiskey/WHI-26"


@pytest.mark.parametrize("path", ["/rulebook/chess", "/rulebook/whiskey/WHI-999", "/rulebook/chess/how-to-play"])
async def test_what_is_not_there_is_not_there(client: httpx2.AsyncClient, path: str) -> None:
    assert (await client.get(path)).status_code == 404


async def test_how_to_play_is_told_with_a_round(client: httpx2.AsyncClient) -> None:
    page = (await client.get("/rulebook/whiskey/how-to-play")).text
    assert page.count("<h1>") == 1
    assert "<table>" in page and "style=" not in page


def test_prose_links_known_ids_only_and_keeps_markup_out() -> None:
    html = rulebook.prose("See WHI-26 and WHI-999. <b>x</b> `code`", "whiskey")
    assert '<a href="/rulebook/whiskey/WHI-26">WHI-26</a>' in html
    assert ">WHI-999<" not in html and "WHI-999" in html
    assert "<b>" not in html and "<code>code</code>" in html
