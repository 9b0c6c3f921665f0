"""Objects on the ground of a wizards' fight: the GM writes them, wizards attack them, everybody reads of it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi import FastAPI

from app.ops import verify_command
from tests.arcana_fight import lay
from tests.web.browser import Browser
from tests.web.seated_fight import Fight, seated

pytestmark = pytest.mark.anyio

BARREL, DOOR = "barrel 12,10 1 m −2 1 hp", "Old Tom’s door 14,14 2 m"


async def test_objects_are_laid_attacked_and_broken(
    site: FastAPI, open_browser: Callable[[], Browser], tmp_path: Path
) -> None:
    """ARC-79: without scripts, from the GM's form to the sentence that says what came of it."""
    given = {"lay_out": "yes", "at": {"ada": "10,10", "ben": "11,10", "cleo": "11,12"}}
    table: Fight = await seated(site, open_browser, lay, given=given)
    page = await table.answer("gm", "setting", objects=f"{BARREL}\ncrate 99,99 1 m")
    assert page.status == 422 and "Line 2: the ground goes from 0,0 to" in page.text and "crate 99,99 1 m" in page.text
    page = await table.answer("gm", "setting", objects=f"{BARREL}\n{DOOR}")
    assert page.status == 200, page.text
    seen = await table.page("sam")
    assert "Objects on the ground: the barrel and Old Tom’s door." in seen.text
    assert re.search(r'is-object" data-who="object:barrel" data-x="12" data-y="10"', seen.html), "drawn for everybody"
    text = re.sub(r"\s+", " ", seen.text)
    assert "Barrel 1 m, 2 easier to hit 1 HP At 6 m, 5 m (12,10)" in text and "Old Tom’s door 2 m" in text

    page = await table.answer("ada", "plan", of__ada__what="major", of__ada__major__do="attack",
                              of__ada__major__weapon="unarmed", of__ada__major__target="object:crate")  # fmt: skip
    assert page.status == 422 and "Choose someone you know about" in page.text
    for who in ("ada", "ben"):
        form = {f"of__{who}__{name}": value for name, value in {
            "what": "major", "major__do": "attack", "major__weapon": "unarmed", "major__target": "object:barrel",
        }.items()}  # fmt: skip
        page = await table.answer(who, "plan", **form)
        assert page.status == 200 and "attack the barrel with" in page.text, page.text
    watches = {"who": "any_ally", "verb": "attacks", "whom": "object:barrel"}
    page = await table.answer("cleo", "plan", of__cleo__what="minors", of__cleo__minors__0__do="evade",
                              **{f"of__cleo__when__{name}": value for name, value in watches.items()})  # fmt: skip
    assert page.status == 422 and "Evade and Brace take effect from the reveal on" in page.text
    assert re.search(r'<option value="object:barrel" selected>\s*Barrel', page.html), "what was chosen is kept"
    page = await table.answer("cleo", "plan", of__cleo__what="minors", of__cleo__minors__0__do="communicate",
                              of__cleo__minors__0__words="Mind the barrel!",
                              **{f"of__cleo__when__{name}": value for name, value in watches.items()})  # fmt: skip
    assert page.status == 200 and "If any ally attacks the barrel, then I say" in page.text, page.text
    page = await table.answer("gm", "plan")
    assert page.status == 200, page.text
    story = await table.browsers["sam"].get(f"{table.at.format(who='sam')}/story")
    assert "strikes at the barrel" in story.text and re.search(r"(hits?|miss|misses) the barrel: ", story.text), (
        story.text
    )

    page = await table.answer("gm", "desk", what="objects", objects="gate 5")
    assert page.status == 422 and "Line 1: write an object like barrel 12,4 1 m +2 15 hp" in page.text
    broken = {"what": "objects", "objects": "barrel 12,10 1 m 0/1 hp", "reason": "The troll sat on it."}
    page = await table.answer("gm", "desk", **broken)
    assert page.status == 200 and "barrel 12,10 1 m 0/1 hp" in page.text, page.text
    seen = await table.page("ada")
    assert 'class="token is-object is-broken"' in seen.html and "object:old" not in seen.html
    assert '<option value="object:barrel"' not in seen.html, "what is broken is no target"
    assert "Objects on the ground: the barrel. The troll sat on it." in seen.text
    await table.answer("gm", "desk", what="end")
    record = tmp_path / "record.json"
    record.write_text(
        (await table.browsers["sam"].get(f"{table.at.format(who='sam')}/receipts")).html, encoding="utf-8"
    )
    assert verify_command.verify([record]) == 0, "anybody can play it again"
