"""What a form of a declaration offers, and that every field it has is spelt and read back (ARC-08)."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from app.engine.chance import ScriptedChance
from app.engine.log import Recorder
from app.engine.ruleset import Seat, Viewer
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import Action, Turn
from app.rulesets.arcana.fight.fold import apply
from app.rulesets.arcana.fight.state import Held, State
from app.rulesets.arcana.phases.cycle import resolve
from app.rulesets.arcana.rules.book import WEAPONS
from app.rulesets.arcana.view import declaration_text, forms
from app.rulesets.arcana.view.mid_cycle_forms import Hit
from app.rulesets.arcana.view.view import View, view
from tests.rulesets.arcana.plain import plain
from tests.rulesets.arcana.ring import at, cast, fight, mage, major, of

LONG = next(key for key, arm in WEAPONS.items() if arm.aims and arm.damage)
GEAR: dict[str, Any] = {
    "books": ("mend", "kindle"), "wardrobe": ("vest",), "skills": {"power_attack": 1, "emergency_care": 1},
    "weapons": {key: WEAPONS[key] for key in ("wand", "club", LONG)},
}  # fmt: skip


def seen(far: float = 1, **gear: Any) -> View:
    ada = replace(mage("ada"), **gear)
    state = fight(at(ada, 0), at(plain("ben"), far), at(plain("orc"), far + 3, side="foes"))
    return view(state, Viewer(seats=frozenset({Seat("ada")})))


def offered(now: View) -> set[str]:
    return {one.do for one in now.planning("ada").majors}


def test_what_there_is_no_occasion_for_is_not_offered() -> None:
    """Whoever is new sees nothing of books, armour to put on, aim or trade (ARC-27, ARC-28, ARC-155)."""
    assert not offered(seen(far=9)) & {"don", "aim", "trade", "continue"}
    assert {"don", "aim", "trade"} <= offered(seen(**GEAR))
    assert not seen().planning("ada").books
    assert [one.id for one, _ in seen(**GEAR).planning("ada").books] == ["mend", "kindle"]


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (Action(do="cast", spell="mend", target="ben", book=True), "cast Mend from a book on Ben"),
        (Action(do="don", item="vest"), "put on "),
        (Action(do="aim", weapon=LONG), f"take aim with a {WEAPONS[LONG].name.lower()}"),
        (Action(do="custom", words="I dig", attr="ATH", cycles=3), "try this with Athleticism, for 3 cycles: “I dig”"),
        (Action(do="attack", weapon="club", target="orc", power=2),
         "attack Orc with a club, trading 2 accuracy for 4 damage"),
        (Action(do="use_major", item="club", hand="other"), "take a club in the other hand"),
        (Action(do="use_major", item="club"), "take a club in hand"),
        (Action(do="use_major", words="I bar the door"), "handle something: “I bar the door”"),
        (Action(do="use_major", item="emergency_care", target="ben"), "give emergency care to Ben"),
        (Action(do="trade", target="ben", gives=("club",), accepts=("antidote",)), "trade with Ben, offering a club"),
    ],
)  # fmt: skip
def test_a_form_that_is_filled_in_spells_the_same_again(action: Action, said: str) -> None:
    turn = major(action)
    assert Turn.model_validate(forms.shown_again(forms.spread(turn))) == turn
    assert f"I {said}" in declaration_text.turn(seen(**GEAR), "ada", turn, me=True)


def test_a_book_takes_no_power_points_and_costs_half_as_much_again() -> None:
    """ARC-155: whatever stood in the field of points."""
    form = {"what": "major", "major": {"do": "cast", "spell": "book:kindle", "target": "orc", "pp": "3"}}
    turn = Turn.model_validate(form)
    assert turn.major == Action(do="cast", spell="kindle", target="orc", book=True)
    now = seen(**GEAR)
    price = {one.id: one.price for one in now.can["ada"].books}
    assert (
        forms.fp(now, "ada", turn) == price["kindle"] > {one.id: one.price for one in now.can["ada"].spells}["kindle"]
    )


def test_a_target_left_over_from_a_spell_is_not_told() -> None:
    """A page without scripts sends it along with the deed that was chosen in the end."""
    assert Turn.model_validate({"major": {"do": "use_major", "item": "club", "target": "orc"}}).major == Action(
        do="use_major", item="club")  # fmt: skip


@pytest.mark.parametrize(
    ("extra_dice", "chance", "which_die"),
    [
        (0, 0.5, ""),
        (1, 0.75, ", the better of two"),
        (-1, 0.25, ", the worse of two"),
        (-2, 0.125, ", the worse of three"),
    ],
)
def test_the_chance_of_a_resist_follows_the_dice_that_count(extra_dice: int, chance: float, which_die: str) -> None:
    """ARC-92: finds a form that promises the better die to a combatant who rolls the worse one."""
    hit = Hit(
        label="", who="ada", spell="mend", name="Mend", by="", does="", avails="", value=13, parts=(("WIL", 2),),
        extra_dice=extra_dice, tried=0, price=1,
    )  # fmt: skip
    assert (hit.chance, hit.which_die) == (chance, which_die)


@pytest.mark.parametrize(("ill", "dice"), [("", 1), ("advantage", 2), ("disadvantage", 2)])
def test_the_chance_beside_a_spell_is_that_of_its_dice(ill: str, dice: int) -> None:
    """ARC-92, ARC-148: over all faces that the d8 of a novice can show."""

    def now() -> State:
        statuses = {ill: Held(0, 0)} if ill else {}
        return fight(at(mage("ada"), 0, statuses=statuses), at(plain("orc"), 9, side="foes"))

    passed = 0
    for faces in product(range(1, 9), repeat=dice):
        thrown = {f"ARC-148/cast/ada/1/{number}": face for number, face in enumerate(faces, 1)}
        log: Recorder[State, ev.Event] = Recorder(now(), apply)
        resolve(log, {"ada": major(cast("kindle", "orc"))}, ScriptedChance({**thrown, "*": 1}))
        passed += sum(one.ok for one in of(log.events, "checked") if one.what == "casting")
    (kindle,) = [one for one in view(now(), Viewer(seats=frozenset({Seat("ada")}))).can["ada"].spells
                 if one.id == "kindle"]  # fmt: skip
    assert kindle.chance == pytest.approx(passed / 8**dice) and 0 < kindle.chance < 1
