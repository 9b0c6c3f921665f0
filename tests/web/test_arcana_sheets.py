"""A wizard from nothing in a browser without JavaScript: assigned, rolled, levelled; bad input at its field."""

import re
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.models.people import Character, SheetChange
from app.rulesets.arcana.rules.book import SPELLS
from app.rulesets.arcana.sheet.samples import heroes
from tests.web.browser import Browser, Page
from tests.web.test_people_pages import BASE, found, invite, join

pytestmark = pytest.mark.anyio

NEW = f"{BASE}/alice/characters/new?ruleset=arcana"
Open = Callable[[], Browser]


async def alice(open_browser: Open) -> Browser:
    gm, one = open_browser(), open_browser()
    await found(gm)
    await join(one, await invite(gm), "Alice")
    return one


async def stored(site: FastAPI, slug: str = "ada") -> Character:
    async with site.state.runtime.sessions() as session:
        character = await session.scalar(select(Character).where(Character.slug == slug))
    assert character is not None
    return character


def without(page: Page, action: str, *names: str) -> list[tuple[str, str]]:
    return [(name, value) for name, value in page.form(action).fields if name not in names]


async def test_a_name_is_enough(site: FastAPI, open_browser: Open) -> None:
    """ARC-121: everything else is filled in already, and the page says how each number comes about."""
    one = await alice(open_browser)
    page = await one.get(NEW)
    assert page.status == 200 and "Take a ready-made hero" in page.text
    nameless = await one.send(page, "/characters")
    assert nameless.status == 422 and "Fill this in." in nameless.text
    made = await one.send(nameless, "/characters", {"sheet.name": "Ada"})
    assert made.status == 200 and made.path.endswith("/characters/ada")
    assert "Midblood mage, level 1, beginner in every school" in made.text
    assert "8, FIN +2, Expertise +2" in made.text and "d6+7 against 4" in made.text
    sheet = (await stored(site)).sheet
    assert sheet["attributes"] | {"EVL": 0} == {
        "SPR": 13 + 2 + 1, "FIN": 12 + 1 + 1, "ATH": 11 + 1, "POW": 10, "INT": 9 + 1, "PER": 9, "CHR": 8, "EVL": 0,
    }  # fmt: skip


async def test_ready_made_wizards_are_a_press_away(site: FastAPI, open_browser: Open) -> None:
    """ARC-121, ARC-147: each is complete, knows five spells, and can cast all of them."""
    one = await alice(open_browser)
    for key, hero in heroes().items():
        made = await one.send(await one.get(f"{NEW}&sample={key}"), "/characters")
        assert made.status == 200 and "Finish the sheet" not in made.text, key
        sheet = (await stored(site, key)).sheet
        assert sheet == hero.model_dump(mode="json") and len(sheet["spells"]) == 5
        for spell in sheet["spells"]:
            assert SPELLS[spell].name in made.text


async def test_attributes_are_allotted_with_faults_at_their_fields(open_browser: Open) -> None:
    """ARC-121."""
    one = await alice(open_browser)
    typed = {"sheet.name": "Ada", "sheet.places.POW": "0", "sheet.points.FIN": "9", "sheet.species": "half_giant"}
    wrong = await one.send(await one.get(NEW), "/characters", typed)
    assert wrong.status == 422 and "This 13 is already used for SPR" in wrong.text
    assert "A Half-giant has 2 free points, and you added 11." in wrong.text
    assert 'id="fault-sheet-places-POW"' in wrong.html and 'id="fault-sheet-points-' in wrong.html
    assert dict(wrong.form("/characters").fields)["sheet.points.FIN"] == "9"
    final = {"sheet.how": "written", "sheet.attributes.ATH": "17", "sheet.attributes.EVL": "4"}
    made = await one.send(wrong, "/characters", final)
    assert made.status == 200 and "Athleticism 17, Health +6" in made.text


async def test_somebody_is_rolled_and_then_allotted(site: FastAPI, open_browser: Open) -> None:
    """ARC-121: ten rolls, every die shown and kept; the seven that count are chosen afterwards."""
    one = await alice(open_browser)
    page = await one.get(NEW)
    assert "Two dice plus two, ten times" in page.text
    rolled = await one.send(page, "/characters/new/roll", {"name": "Ada"})
    assert rolled.path.endswith("/characters/ada") and rolled.html.count("a d6 shows") == 20
    assert "No spells yet" in rolled.text and "Finish the sheet" in rolled.text
    before = await stored(site)
    totals = before.sheet["totals"]
    assert len(before.dice) == 10 and totals == [
        sum(roll["face"] for roll in some["rolls"]) + 2 for some in before.dice
    ]
    edit = await one.get(f"{BASE}/alice/characters/ada/edit")
    swapped = dict(edit.form("/characters/ada").fields)
    places = {"sheet.places.ATH": swapped["sheet.places.SPR"], "sheet.places.SPR": swapped["sheet.places.ATH"]}
    kept = await one.send(edit, "/characters/ada", {**places, "sheet.spells[]": "stinger"})
    assert kept.status == 200, kept.text
    after = (await stored(site)).sheet
    assert after["totals"] == totals and after["attributes"]["ATH"] == max(totals)


async def test_a_level_is_rolled_once_and_kept_in_the_past(site: FastAPI, open_browser: Open) -> None:
    """ARC-122, ARC-141: the same press sent twice throws once."""
    one = await alice(open_browser)
    page = await one.send(await one.get(NEW), "/characters", {"sheet.name": "Ada", "sheet.hp": "5"})
    form = page.form("/ada/grow")
    grown = await one.post(form.action, form.fields)
    assert grown.status == 200 and "Level up" in grown.text and "level 2" in grown.text
    again = await one.post(form.action, form.fields)
    assert again.status == 409 and "The sheet has changed" in again.text
    character = await stored(site)
    die = character.sheet["grown_hp"][0]
    assert (character.sheet["level"], character.sheet["hp"]) == (2, 5 + die)
    assert character.dice[0]["about"] == "Level 2" and character.dice[0]["rolls"][0]["face"] == die
    async with site.state.runtime.sessions() as session:
        changes = [one.how for one in await session.scalars(select(SheetChange).order_by(SheetChange.id))]
    assert changes == ["made", "grown"]
    last = await one.send(await one.get(f"{BASE}/alice/characters/ada/edit"), "/characters/ada", {"sheet.level": "20"})
    form = last.form("/ada/grow")
    assert (await one.post(form.action, form.fields)).status == 409


async def test_a_maximum_that_rises_by_hand_raises_what_there_is(site: FastAPI, open_browser: Open) -> None:
    """ARC-141: unless the hand wrote what there is as well."""
    one = await alice(open_browser)
    page = await one.send(await one.get(NEW), "/characters", {"sheet.name": "Ada", "sheet.hp": "5"})
    edit = f"{BASE}/alice/characters/ada/edit"
    page = await one.send(await one.get(edit), "/characters/ada", {"sheet.hp_stated": "30"})
    assert page.status == 200 and (await stored(site)).sheet["hp"] == 5 + 30 - 18
    await one.send(await one.get(edit), "/characters/ada", {"sheet.hp_stated": "40", "sheet.hp": "3"})
    assert (await stored(site)).sheet["hp"] == 3


WRONG: tuple[tuple[list[tuple[str, str]], str], ...] = (
    ([("sheet.name", "x" * 1000)], "At most 60 characters"),
    ([("sheet.proficient[]", "Cooking")] * 200, "nothing called “Cooking”"),
    ([("sheet.spells[]", "wish")], "nothing called “wish”"),
    ([("sheet.spells[]", "bonebreaker")], "Bonebreaker is a spell for a master"),
    ([("sheet.spells[]", "own_<b>")], "nothing called “own_&lt;b&gt;”"),
    ([("sheet.skills[]", "surge"), ("sheet.skills[]", "surge")], "Surge has at most 1 rank"),
    ([("sheet.species", "elf")], "nothing called “elf”"),
    ([("sheet.armour", "{0}")], "nothing called “(0)”"),
    ([("sheet.wood", "oak")], "nothing called “oak”"),
    ([("sheet.items.0.value", "many")], "Enter a whole number"),
    (
        [("sheet.items.3.key", "dagger"), ("sheet.items.3.value", "1")],
        "Dagger is in the book: tick it",
    ),
    (
        [("sheet.items.3.key", "x" * 61), ("sheet.items.3.value", "1")],
        "A name can have at most 60 characters; this has 61",
    ),
    ([("sheet.items.3.key", "Ro\x07pe"), ("sheet.items.3.value", "1")], "not allowed here (U+0007)"),
    ([("sheet.items.3.key", "Rope"), ("sheet.items.3.value", "some")], "Enter a whole number"),
    ([("sheet.items.3.key", ""), ("sheet.items.3.value", "2")], "Each of these needs a name."),
    ([("sheet.schools.0.key", "sorcery"), ("sheet.schools.0.value", "god")], "Choose one of the options"),
    ([("sheet.ills.0.key", "bored"), ("sheet.ills.0.value", "0")], "nothing called “bored”"),
    ([("sheet.level", "21")], "At most 20"),
    ([("sheet.hp", "9999999999")], "At most 999"),
    ([("sheet.how", "bought")], "Choose one of the options"),
    ([("sheet.how", "rolled")], "no 10 rolls"),
    ([("sheet.totals", "1\n2")], "4 to 14"),
    ([("sheet.grown_hp", "6")], "At level 1"),
)


async def test_bad_input_is_told_at_its_field(open_browser: Open) -> None:
    """ARC-121, ARC-147, ARC-171, ARC-174: a word at the field, and what was typed stays."""
    one = await alice(open_browser)
    page = await one.get(NEW)
    form = page.form("/characters")
    for typed, words in WRONG:
        names = {name for name, _ in typed}
        kept = [
            (name, "Ada, 张伟" if name == "sheet.name" else value) for name, value in form.fields if name not in names
        ]
        wrong = await one.post(form.action, [*kept, *typed])
        assert wrong.status == 422 and words in wrong.html, re.findall(r'class="fault"[^>]*>[^<]+', wrong.html)
        assert 'role="alert"' in wrong.html and re.search(rf'class="fault"[^>]*>[^<]*{re.escape(words)}', wrong.html)
        if "sheet.name" not in names:
            assert dict(wrong.form("/characters").fields)["sheet.name"] == "Ada, 张伟", typed


async def test_ills_and_draughts_are_ticked_and_counted(site: FastAPI, open_browser: Open) -> None:
    """ARC-133, ARC-135, ARC-171: what a fight left stands on the sheet; who lifts it unticks it."""
    one = await alice(open_browser)
    page = await one.get(NEW)
    ills = page.form("/characters").names
    number = next(name for name, value in page.form("/characters").fields if value == "major_injury").split(".")[2]
    assert f"sheet.ills.{number}.value" in ills
    hurt = [("sheet.name", "Ada"), ("sheet.hp", "4"), (f"sheet.ills.{number}.value", "0"), ("sheet.items.0.value", "3")]
    fields = without(page, "/characters", *(name for name, _ in hurt))
    made = await one.post(page.form("/characters").action, [*fields, *hurt])
    assert (
        "4 of 18 HP" in made.text and "Major Injury until healed." in made.text and "Healing draught × 3" in made.text
    )
    sheet = (await stored(site)).sheet
    assert (sheet["ills"], sheet["items"]) == ({"major_injury": 0}, {"healing_draught": 3})
    assert "from 4 to 9 of 18 HP. A Major Injury allows no more." in made.text, "what the night will bring"
    edit = await one.get(f"{BASE}/alice/characters/ada/edit")
    fields = [pair for pair in edit.form("/characters/ada").fields if pair != ("sheet.ills.0.value", "0")]
    await one.post(edit.form("/characters/ada").action, fields)
    assert (await stored(site)).sheet["ills"] == {}


async def test_spells_that_cannot_be_cast_yet_say_why(open_browser: Open) -> None:
    """ARC-147, ARC-149."""
    one = await alice(open_browser)
    page = await one.get(NEW)
    assert "Not yet: it is for a novice; at level 5, or with a higher level in malediction." in page.text
    assert "Not yet: it is for a master; for a master of malediction only." in page.text
    assert page.html.count('name="sheet.spells[]"') == len(SPELLS)


async def test_what_was_not_ticked_stays_so_on_a_form_that_comes_back(open_browser: Open) -> None:
    """ARC-142: a fault elsewhere gives nobody an ill."""
    one = await alice(open_browser)
    wrong = await one.send(await one.get(NEW), "/characters", {"sheet.name": ""})
    assert wrong.status == 422
    ills = re.compile(r"sheet\.ills\.\d+\.value")
    assert not [name for name, _ in wrong.form("/characters").fields if ills.fullmatch(name)]


async def test_the_past_says_what_happened_in_words(open_browser: Open) -> None:
    """ARC-121, ARC-142: an ill stays until healed; a number that went elsewhere shows as the attribute it made."""
    one = await alice(open_browser)
    await one.send(await one.get(NEW), "/characters", {"sheet.name": "Ada"})
    edit = await one.get(f"{BASE}/alice/characters/ada/edit")
    number = next(name for name, value in edit.form("/ada").fields if value == "major_injury").split(".")[2]
    swapped = [("sheet.places.SPR", "1"), ("sheet.places.FIN", "0"), (f"sheet.ills.{number}.value", "0")]
    fields = without(edit, "/characters/ada", *(name for name, _ in swapped))
    page = await one.post(edit.form("/characters/ada").action, [*fields, *swapped])
    past = " ".join(page.text.split("The story so far")[1].split())
    assert "Lasting ailments, major injury: until healed" in past, past
    assert "Attributes, spirit 16 → became 15" in past and "Roll for" not in past


async def test_books_and_armour_carried_along_are_kept(site: FastAPI, open_browser: Open) -> None:
    """ARC-27, ARC-155: what is in books, how often it was cast from them, what there is to change into."""
    one = await alice(open_browser)
    books = {"sheet.name": "Ada", "sheet.books[]": "mend", "sheet.wardrobe[]": "vest"}
    made = await one.send(await one.get(NEW), "/characters", books)
    assert made.status == 200, made.text
    sheet = (await stored(site)).sheet
    assert (sheet["books"], sheet["studied"], sheet["wardrobe"]) == (["mend"], {}, ["vest"])
    edit = f"{BASE}/alice/characters/ada/edit"
    wrong = await one.send(await one.get(edit), "/characters/ada", {"sheet.studied.0.value": "-3"})
    assert wrong.status == 422
    kept = await one.send(await one.get(edit), "/characters/ada", {"sheet.studied.0.value": "2"})
    assert kept.status == 200, kept.text
    assert (await stored(site)).sheet["studied"] == {"mend": 2}
    again = await one.send(await one.get(edit), "/characters/ada")
    assert again.status == 200
    sheet = (await stored(site)).sheet
    assert (sheet["books"], sheet["studied"], sheet["wardrobe"]) == (["mend"], {"mend": 2}, ["vest"])
