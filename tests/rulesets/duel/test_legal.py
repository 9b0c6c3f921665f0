"""What no action of the lists can show, shown with actions made for it: Offence with none of the three, and Halting."""

from app.rulesets.duel.clash import doing, gain
from app.rulesets.duel.data import ACTIONS, Action
from app.rulesets.duel.legal import Standing, why_not
from app.rulesets.duel.samples import heroes
from app.rulesets.duel.settings import Settings
from app.rulesets.duel.state import Move, fighter

PLAIN = Action("plain", "Plain", "offence", damage=1)


def _standing(role: str, combo: int = 0) -> Standing:
    return Standing(role, combo, must_rest=False, surprise=True)  # type: ignore[arg-type]


def test_a_plain_offence_action_stands_anywhere_but_first() -> None:
    """DUE-27; in the initial clash nothing has to open, so it is one of those that may be chosen there."""
    assert why_not(PLAIN, _standing("offence"))
    assert not why_not(PLAIN, _standing("offence", 1))
    assert not why_not(PLAIN, _standing("initial"))
    assert why_not(PLAIN, _standing("defence"))
    assert not why_not(PLAIN, _standing("offence"), "opener")


def test_who_must_rest_may_do_nothing_else() -> None:
    spent = Standing("offence", 2, must_rest=True, surprise=False)
    assert [key for key, action in ACTIONS.items() if not why_not(action, spent)] == ["rest"]


def test_halting_takes_from_what_the_opponent_gains_and_no_further() -> None:
    """DUE-47: not below nothing, and what he loses by Fall Back stays as it is."""
    one = fighter("mira", "mira", heroes()["mira"], Settings())
    counter, rest = doing(one, Move("counter", 2)), doing(one, Move("rest", 0))
    for halting, left in ((0, 2), (1, 1), (2, 0), (3, 0)):
        stopper = doing(one, Move("block", 0))
        stopper.halting = halting
        assert gain(counter, stopper) == left
        assert gain(rest, stopper) == -1
        stopper.void = True
        assert gain(counter, stopper) == 2, "a dodged action halts nothing (DUE-40)"
