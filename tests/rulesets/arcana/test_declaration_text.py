"""Declarations in words: read back to their author, told to everybody else (ARC-03, ARC-40, ARC-44)."""

from typing import Any

import pytest

from app.engine.ruleset import Seat, Viewer
from app.rulesets.arcana.fight.declarations import Action, Free, React, Turn, open_turn
from app.rulesets.arcana.view import declaration_text
from app.rulesets.arcana.view.view import View, view
from tests.rulesets.arcana.plain import plain
from tests.rulesets.arcana.ring import at, cast, cell, fight, mage, major, minors, strike, when


def seen(**given: Any) -> View:
    imp = at(plain("imp"), 7, side="foes", hidden=True, seat="gm")
    state = fight(at(mage("ada"), 0, **given), at(plain("ben"), 3), at(plain("orc"), 6, side="foes"), imp)
    return view(state, Viewer(seats=frozenset({Seat("ada")})))


STEP = Action(do="considered", to=cell(1))
CALL = Action(do="communicate", words=" To  the gate! ")


@pytest.mark.parametrize(
    ("turn", "mine", "told"),
    [
        (Turn(), "I wait and do nothing.", "Ada waits and does nothing."),
        (major(strike("orc")), "I attack Orc with a club.", "Ada attacks Orc with a club."),
        (major(cast("mend", "ada")), "I cast Mend on myself.", "Ada casts Mend on themselves."),
        (
            major(cast("spark_volley", "orc", 2)),
            "I cast Spark Volley with 2 power points on Orc.",
            "Ada casts Spark Volley with 2 power points on Orc.",
        ),
        (
            major(Action(do="cast", spell="wail", pp=1)),
            "I cast Wail with 1 power point.",
            "Ada casts Wail with 1 power point.",
        ),
        (
            major(Action(do="move", to=cell(0, 2.5))),
            "I move 2.5 m south.",
            "Ada moves.",
        ),
        (
            minors(STEP, cast("muddle", "orc", quick=True)),
            "I move carefully 1 m east towards Ben and quickly cast Muddle on Orc.",
            "Ada moves carefully and quickly casts Muddle on Orc.",
        ),
        (
            Turn(free=Free(step=(1, 0), emerge=True, face=(9, 9)), major=Action(do="search")),
            "I come out of cover, step 0.5 m east, turn south-east and search.",
            "Ada comes out of cover, steps, turns and searches.",
        ),
        (
            major(cast("mend", "ben"), when=when("orc", "attacks", "ben")),
            "If Orc attacks Ben, then I cast Mend on Ben.",
            "If Orc attacks Ben, then Ada casts Mend on Ben.",
        ),
        (
            major(cast("force_push", "them"), when=when("any_enemy", "casts", "me", using="mend", mode="interrupt")),
            "If any enemy casts Mend on me, then before it happens, I cast Force Push on them.",
            "If any enemy casts Mend on Ada, then before it happens, Ada casts Force Push on them.",
        ),
        (
            minors(STEP, cast("mend", "ben", quick=True), when=when("orc", "casts", guards="2")),
            "I move carefully 1 m east towards Ben. If Orc casts a spell, then I quickly cast Mend on Ben.",
            "Ada moves carefully. If Orc casts a spell, then Ada quickly casts Mend on Ben.",
        ),
        (
            major(Action(do="move", to=cell(0, 2.5)), when=when("orc", "attacks", "ben", mode="interrupt")),
            "If Orc attacks Ben, then before it happens, I move 2.5 m south.",
            "If Orc attacks Ben, then before it happens, Ada moves.",
        ),
        (
            minors(CALL, STEP, when=when("orc", "moves_to", "me", guards="2")),
            "I say to everyone: “To the gate!”. If Orc moves to me, then I move carefully 1 m east towards Ben.",
            "Ada says to everyone: “To the gate!”. If Orc moves to Ada, then Ada moves carefully.",
        ),
        (
            major(strike("orc"), when=when("", "text", words="the bell rings")),
            "If this is true: “the bell rings”, then I attack Orc with a club.",
            "If this is true: “the bell rings”, then Ada attacks Orc with a club.",
        ),
        (
            minors(CALL, Action(do="counterspell")),
            "I say to everyone: “To the gate!” and prepare a counterspell.",
            "Ada says to everyone: “To the gate!” and prepares a counterspell.",
        ),
        (
            minors(CALL.model_copy(update={"allies": ("ben",)})),
            "I say in code to Ben: “To the gate!”.",
            "Ada says something in code to Ben.",
        ),
        (
            Turn(react=React(resist="list", spells=("hush", "muddle"), on_critical="armour")),
            "I wait and do nothing. I resist Hush and Muddle only. My critical strikes break armour.",
            "Ada waits and does nothing.",
        ),
        (major(strike("imp", "tooth_of_doom")), "I attack someone with my tooth of doom.", ""),
        (major(Action(do="custom", words="I swing", attr="ATH")), "I try this with Athleticism: “I swing”.", ""),
    ],
)
def test_a_declaration_in_words(turn: Turn, mine: str, told: str) -> None:
    """Others read what is open: no reactions, no coded words; nobody reads the name of whom they do not know of."""
    now = seen()
    assert declaration_text.turn(now, "ada", turn, me=True) == mine
    assert not told or declaration_text.turn(now, "ada", open_turn(turn)) == told


def test_every_deed_has_words() -> None:
    """With nothing chosen besides, too."""
    now = seen()
    for do in ("attack", "cast", "move", "search", "hide", "stand", "shake_off", "custom", "use_major", "trade",
               "maintain", "continue"):  # fmt: skip
        assert declaration_text.turn(now, "ada", Turn(major=Action(do=do)), me=True).startswith("I ")
    for do in ("considered", "evade", "brace", "quickspell", "use", "communicate", "counterspell", "custom_minor",
               "drop"):  # fmt: skip
        assert declaration_text.turn(now, "ada", Turn(minors=(Action(do=do),))).startswith("Ada ")


@pytest.mark.parametrize(
    ("to", "words"),
    [((4, 0), "2 m east"), ((0, 3), "1.5 m south"), ((-2, -2), "1.4 m north-west"), ((0, -1), "0.5 m north"),
     ((3, -2), "1.8 m north-east")],
)  # fmt: skip
def test_where_a_movement_goes(to: tuple[int, int], words: str) -> None:
    assert declaration_text.way(to, (0, 0)) == f" {words}"


def test_words_of_a_clause_that_is_not_finished() -> None:
    turn = major(strike("orc"), when=when("orc", "nonsense"))
    assert (
        declaration_text.turn(seen(), "ada", turn, me=True) == "If Orc does something, then I attack Orc with a club."
    )
