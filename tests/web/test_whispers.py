"""The talk's field speaks to one seat or to the GM alone, on the scene's page and on the desk, without scripts."""

import re
from collections.abc import Callable

import pytest
from fastapi import FastAPI

from tests.arcana_fight import lay
from tests.web.browser import Browser, Page
from tests.web.seated_fight import Fight, seated

pytestmark = pytest.mark.anyio

Open = Callable[[], Browser]
OTHERS = ("ben", "cleo", "sam")


def said_in(page: Page) -> list[str]:
    """The lines of the talk that are whispers, as people read them, without the hour."""
    found = re.findall(r'<li class="whisper">(.*?)</li>', page.html, re.DOTALL)
    plain = [" ".join(re.sub(r"<time.*?</time>|<[^>]+>", "", one).split()) for one in found]
    return [one.removesuffix(",") for one in plain]


def chosen(page: Page) -> str:
    """To whom the talk's field speaks as it stands."""
    return dict(page.form("/say").fields)["to"]


def still(html: str) -> str:
    """A page without the clock, and what each press has of its own."""
    return re.sub(r'data-now="[^"]*"|value="[0-9a-f-]{36}"', "", html)


async def whisper(fight: Fight, who: str, to: str, words: str) -> Page:
    return await fight.browsers[who].send(await fight.page(who), "/say", {"to": to, "said": words})


async def test_a_gm_and_a_seat_speak_alone_and_no_byte_of_others_changes(site: FastAPI, open_browser: Open) -> None:
    fight = await seated(site, open_browser, lay)
    before = {who: still((await fight.page(who)).html) for who in OTHERS}
    parts = {who: await live(fight, who) for who in ("ada", *OTHERS)}
    page = await whisper(fight, "gm", "ada", "The troll <b>knows</b> you.")
    assert said_in(page) == ["GM The troll &lt;b&gt;knows&lt;/b&gt; you. only to Ada"], said_in(page)
    assert chosen(page) == "ada", "what follows is not said to all by mistake"
    page = await fight.page("ada")
    assert said_in(page) == ["GM The troll &lt;b&gt;knows&lt;/b&gt; you. only you and the GM"]
    assert chosen(page) == "", "who was spoken to has chosen nothing yet"
    answered = await whisper(fight, "ada", "ada", "Then I run.")
    assert said_in(answered)[1] == "Ada Then I run. only you and the GM" and chosen(answered) == "ada"
    assert said_in(await fight.page("gm"))[1] == "Ada Then I run. only from Ada"
    for who in OTHERS:
        assert still((await fight.page(who)).html) == before[who]
        assert await live(fight, who, parts[who]) == await live(fight, who, parts[who]), "the page shows what it showed"
        assert "knows" not in (await live(fight, who, parts[who]))
    assert (await live(fight, "ada", parts["ada"])).count("only you and the GM") >= 2, (
        "a whole part, not the old blocks"
    )
    page = await whisper(fight, "gm", "", "Hello, all.")
    assert chosen(page) == "" and "Hello, all." in (await fight.page("sam")).text
    sam = (await fight.page("sam")).form("/say")
    assert "to" not in sam.names and dict((await fight.page("ben")).form("/say").fields)["to"] == ""


async def live(fight: Fight, who: str, shown: str = "") -> str:
    """The live part: its mark at first, then what an open page that shows that mark gets."""
    head = {"HX-Request": "true"} | ({"Signet-Shown": shown} if shown else {})
    html = (await fight.browsers[who].get(f"{fight.at.format(who=who)}/live", **head)).html
    if shown:
        return still(html)
    found = re.search(r'data-shown="([0-9a-f]*)"', html)
    assert found
    return found[1]


async def test_on_the_desk_it_leads_back_there(site: FastAPI, open_browser: Open) -> None:
    fight = await seated(site, open_browser, lay)
    gm, at = fight.browsers["gm"], fight.at.partition("/scene/")[0].format(who="gm") + "/desk"
    await whisper(fight, "ben", "ben", "May I hide?")
    page = await gm.get(at)
    assert "May I hide?" in page.text and "only from Ben" in page.text
    assert chosen(page) == "ben", "an answer goes to who spoke last"
    page = await gm.send(page, "/say", {"said": "You may."})
    assert page.path == at and "You may." in page.text
    assert said_in(await fight.page("ben"))[1] == "GM You may. only you and the GM"
    for words, why in (("x" * 2001, "the limit is 2000"), ("  ", "Write something first.")):
        refused = await gm.send(page, "/say", {"to": "cleo", "said": words})
        assert refused.status == 409 and why in refused.text
        assert words.strip() in refused.html and chosen(refused) == "cleo"
    to_all = await gm.post(page.form("/say").action, {"_page": "desk", "to": "", "said": "To nobody?"})
    assert to_all.status == 409 and "Choose to whom you say it." in to_all.text and "To nobody?" in to_all.html
    assert "To nobody?" not in (await fight.page("sam")).text, "the desk's form says nothing to all"
    assert (await gm.post(fight.at.format(who="gm") + "/act/leave", {})).status == 200
    over = await gm.post(page.form("/say").action, {"_page": "desk", "to": "ben", "said": "Too late?"})
    assert over.status == 409 and "This scene is over." in over.text and "Too late?" in over.html


async def test_what_is_refused_keeps_its_words_and_its_choice(site: FastAPI, open_browser: Open) -> None:
    fight = await seated(site, open_browser, lay)
    long = await whisper(fight, "gm", "ben", "x" * 2001)
    assert long.status == 422 and "x" * 2001 in long.html and chosen(long) == "ben"
    for who, to in (("ben", "ada"), ("sam", "ada"), ("sam", "gm"), ("ada", "nobody"), ("gm", "gm"), ("gm", "sam")):
        refused = await fight.browsers[who].post(f"{fight.at.format(who=who)}/say", {"to": to, "said": "Psst, you."})
        assert refused.status == 422 and 'value="Psst, you."' in refused.html, (who, to, refused.status)
        assert "Psst" not in (await fight.page("ada")).text
    assert (await fight.browsers["gm"].post(fight.at.format(who="gm") + "/act/leave", {})).status == 200
    at = fight.at.format(who="ada")
    over = await fight.browsers["ada"].post(f"{at}/say", {"to": "ada", "said": "Too late?"})
    assert over.status == 409 and "Too late?" in over.html and "This scene is over." in over.text
    assert "to" not in (await fight.page("ada")).form("/say").names
    assert (await fight.browsers["ada"].post(f"{at}/say", {"said": "Well played."})).status == 200


async def test_it_is_in_no_file_that_others_get(site: FastAPI, open_browser: Open) -> None:
    """Story, receipts and replay of the scene, also for those who read it in the talk."""
    fight = await seated(site, open_browser, lay)
    await whisper(fight, "gm", "ada", "canary-whisper-77")
    await fight.browsers["gm"].post(fight.at.format(who="gm") + "/act/leave", {})
    for who in ("gm", "ada", "ben", "sam"):
        for part in ("story", "story.txt", "receipts", "replay", "verify", "log"):
            answer = await fight.browsers[who].get(f"{fight.at.format(who=who)}/{part}")
            assert answer.status in (200, 404) and ("canary" not in answer.html or part == "log"), (who, part)
    assert "canary-whisper-77" in (await fight.page("ada")).html and "canary" not in (await fight.page("ben")).html
