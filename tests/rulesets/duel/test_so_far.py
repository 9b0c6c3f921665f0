"""Cases begin in the middle of a duel wherever duels come to, and nowhere else; tables never do."""

import ast
import dataclasses
import random
from pathlib import Path
from typing import Any

import pytest

from app.casefiles.play import play, read
from app.casefiles.words import Unusable
from app.engine.ruleset import Brief, Setup
from app.rulesets.duel import DUEL
from app.rulesets.duel.settings import Settings
from app.rulesets.duel.sheets import Sheet
from app.rulesets.duel.so_far import SoFar, place
from app.rulesets.duel.state import State, start
from tests.rulesets.duel import ring
from tests.selection import nightly

APP = Path(__file__).parents[3] / "app"
KEPT = ("hp", "stamina", "opportunity", "discombobulated")
BESIDES = ("stalls", "dittos", "phase")  # what is counted over the whole duel; a combo is asked about anew
CASE = """
ruleset = "duel"
kind = "duel"
title = "A slip"
rules = ["DUE-03"]
why = "-"
character = [{ id = "ann", seat = "ann" }, { id = "bob", seat = "bob" }]
end.phase = "over"
given.so_far = %s
"""


def _said(state: State) -> dict[str, Any]:
    """A state as a case would write it."""
    plain = {name: getattr(state, name) for name in ("high", "offence", "die", "clash", "combo", "calm")}
    return plain | {"fighters": {key: {f: getattr(one, f) for f in KEPT} for key, one in state.fighters.items()}}


def test_wherever_a_duel_comes_to_a_case_can_begin() -> None:
    luck = random.Random(47)
    fighters = [ring.sheet(luck, f"No. {number}") for number in range(60)]
    begun = 0
    for _ in range(300 if nightly() else 40):
        settings = Settings(momentum_die=luck.choice(("4", "8", "20")), house_actions="on", stall_limit=5, longest=40)
        pair = luck.sample(fighters, 2)
        for state in ring.play(ring.begin(settings, *pair), luck, 120):
            if state.phase not in ("initial", "combo", "clash") or any(one.named for one in state.fighters.values()):
                continue  # what an action named for its combo stands in no case
            other = ring.begin(settings, *pair).state
            assert place(other, SoFar.model_validate(_said(state))) == ()
            same = dataclasses.replace(state, **{name: getattr(other, name) for name in BESIDES})
            assert DUEL.state.dump_python(other) == DUEL.state.dump_python(same)
            begun += 1
    assert begun > (2000 if nightly() else 250)


@pytest.mark.parametrize(
    ("so_far", "words"),
    [
        ('{ high = "ann", offense = "ann" }', "so_far: offense: There is no such field"),
        ('{ high = "ann", fighters.bob.hpp = 3 }', "so_far: fighters.bob.hpp: There is no such field"),
        ('{ offence = "ann" }', "so_far: high: "),
        ('{ high = "ann", fighters.bob.hp = 0 }', "so_far: fighters.bob.hp: "),
        ('{ high = "anna" }', "High, offence and fighters are ann and bob, not anna"),
        ('{ high = "ann", fighters.zoe.hp = 3 }', "not zoe"),
        ('{ high = "ann", fighters.bob.hp = 11 }', "bob has 10 HP and 6 stamina at most"),
        ('{ high = "ann", fighters.bob.stamina = 7 }', "bob has 10 HP and 6 stamina at most"),
        ('{ high = "ann", die = 5 }', "nobody has the offence yet"),
        ('{ high = "ann", offence = "ann", clash = 2 }', "the die shows 1 to 8"),
        ('{ high = "ann", offence = "bob", clash = 2, die = 5 }', "it gives the offence to ann"),
        ('{ high = "ann", offence = "ann", die = 5 }', "the next one is 2 or later"),
        ('{ high = "ann", offence = "ann", clash = 2, die = 5, combo = 2 }', "Before clash 2 there were 1"),
        ('{ high = "ann", offence = "ann", clash = 40, die = 5, calm = 30 }', "After 30 calm clashes"),
    ],
)
def test_what_no_duel_comes_to_is_no_case(so_far: str, words: str) -> None:
    with pytest.raises(Unusable) as unusable:
        play(read(CASE % so_far))
    assert words in str(unusable.value)


def test_a_duel_at_a_table_begins_at_its_beginning() -> None:
    so_far = {"high": "ann", "offence": "ann", "die": 5, "clash": 4, "fighters": {"bob": {"hp": 1}}}
    sheets = {key: Sheet(name=key.title()) for key in ("ann", "bob")}
    brief = Brief(kind="duel", title="", seats=ring.SEATS, given={"so_far": so_far})
    begun = start(Setup(brief=brief, settings=Settings(), sheets=sheets, kept={}))
    assert begun == start(
        Setup(brief=dataclasses.replace(brief, given={}), settings=Settings(), sheets=sheets, kept={})
    )
    assert "so_far" not in DUEL.given.json_schema()["properties"]


def test_only_the_runner_of_cases_reads_how_to_begin_in_the_middle() -> None:
    texts = {path.relative_to(APP).as_posix(): path.read_text(encoding="utf-8") for path in APP.rglob("*.py")}
    parsed = {name: ast.parse(text) for name, text in texts.items() if "so_far" in text}
    readers = {
        name
        for name, tree in parsed.items()
        if any(isinstance(node, ast.Attribute) and node.attr == "so_far" for node in ast.walk(tree))
    }
    assert readers == {"casefiles/setup.py", "casefiles/vocabulary.py"}
