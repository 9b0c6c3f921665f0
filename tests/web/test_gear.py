"""The belongings of a Chronicle sheet through pages: what was guessed is said, and stays until its owner chooses."""

from collections.abc import Callable

import pytest
from fastapi import FastAPI

from app.campaign import characters, founding, seats, tokens
from app.models.people import Role
from app.rulesets import find
from app.table.runtime import Runtime
from tests.web.browser import Browser, Page

pytestmark = pytest.mark.anyio

GUESSED = "An older version of Signet guessed"
OLD = {"weapons": ["Two-handed sword", "Bow", "dagger"], "armour": "No armour"}


@pytest.fixture
async def ida(site: FastAPI, open_browser: Callable[[], Browser]) -> dict[str, Browser]:
    """Ida, whose sheet has words alone, as an older Signet wrote it; her player and Sam, who watches."""
    runtime: Runtime = site.state.runtime
    rules = find("chronicle")
    browsers = {}
    async with runtime.sessions.begin() as session:
        founded = await founding.found_campaign(session, "The Valley", rules.key, "GM", "test")
        people = {name: await seats.add_member(session, founded.campaign, name.title(), role) for name, role in
                  (("ida", Role.PLAYER), ("sam", Role.SPECTATOR))}  # fmt: skip
        whole = rules.character.dump_python(rules.character.validate_python({"name": "Ida"}), mode="json")
        await characters.create(session, founded.campaign, "Ida", rules.key, whole | OLD, people["ida"])
        for who, member in people.items():
            token = tokens.fresh()
            await seats.sit_down(session, member, "test", token)
            browsers[who] = open_browser()
            browsers[who].http.cookies.set("signet", token, domain="signet.test", path=f"/c/the-valley/{who}")
    return browsers


async def page(ida: dict[str, Browser], who: str, path: str = "") -> Page:
    return await ida[who].get(f"/c/the-valley/{who}/characters/ida{path}")


async def keep(ida: dict[str, Browser], **typed: str) -> Page:
    places = {f"sheet.{place.replace('__', '.')}": said for place, said in typed.items()}
    return await ida["ida"].send(await page(ida, "ida", "/edit"), "/characters/ida", places)


async def test_a_guess_is_said_and_stays_until_the_owner_chooses(ida: dict[str, Browser]) -> None:
    """CHR-EQP-01, CHR-EQP-07."""
    for who, chooser in (("ida", "you choose"), ("sam", "Ida chooses")):
        seen = await page(ida, who)
        assert GUESSED in seen.text and f"until {chooser} from the book’s list" in seen.text
        assert "Sword, guessed from its name: Sword distance" in seen.text
        assert "Light armour, guessed from its name: +1 against attacks (anything but metal)" in seen.text
    assert GUESSED in (await page(ida, "ida", "/edit")).text

    kept = await keep(ida, home="The ford")
    assert GUESSED in kept.text and "Home" in kept.text
    assert not any(said in kept.text.partition("The story so far")[2] for said in ("Weapons", "Armour")), "no change"

    kept = await keep(ida, weapons__0__counts="big-sword", weapons__1__counts="none", armour__counts="none")
    assert kept.status == 200 and GUESSED not in kept.text
    assert "Big sword: Sword distance, attacks +1, two hands" in kept.text
    assert "Armour, counts as" in kept.text.partition("The story so far")[2]


async def test_wrong_gear_is_said_and_kept_as_typed(ida: dict[str, Browser]) -> None:
    """By its place on the form; a row that has lost both is gone."""
    for typed, said in (
        ({"weapons__3__name": "Zither <b>"}, "Fill this in."),
        ({"weapons__0__counts": "zither"}, "Choose what it counts as from the list."),
        ({"weapons__3__counts": "none"}, "Write what it is called"),
        ({"armour__counts": "as-bronze", "armour__name": "Zither"}, "Choose what it counts as from the list."),
    ):
        wrong = await keep(ida, home="Zither Hall", **typed)
        assert wrong.status == 422 and said in wrong.text, typed
        fields = dict(wrong.form("/characters/ida").fields)
        assert fields["sheet.home"] == "Zither Hall" and fields["sheet.weapons.0.name"] == "Two-handed sword"
        assert [fields[f"sheet.{place.replace('__', '.')}"] for place in typed if place.endswith("name")] == [
            text for place, text in typed.items() if place.endswith("name")
        ]
    kept = await keep(ida, weapons__1__counts="", weapons__1__name="")
    assert kept.status == 200 and "Bow" not in kept.text.partition("The story so far")[0]
