"""Rulings of the table: an ask of the GM or, at a table without one, a vote (the ledger's procedure TR)."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from app.engine.ruleset import GM, NOBODY, Answers, Ask, Seat
from app.rulesets.chronicle.people import Peopled, voters

F = TypeVar("F")


def ruling_asks(
    state: Peopled,
    kind: str,
    about: tuple[str, ...] = (),
    *,
    by: tuple[str, ...] | None = None,
    calls: tuple[str, str] = ("", ""),
) -> tuple[Ask, ...]:
    """The GM's ask, which all may read while it is answered; without a GM, a sealed vote of those who decide.

    `by` are the seats that vote; None: those who decide now. `calls`: the GM's, and that of the vote.
    """
    seats = voters(state) if by is None else by
    if state.settings.table_gm == "seat" or not seats:
        return (Ask(seat=GM, kind=kind, call=calls[0], about=about, open_to=None),)
    return vote(kind, seats, calls[1], about)


def vote(kind: str, seats: tuple[str, ...], call: str = "", about: tuple[str, ...] = ()) -> tuple[Ask, ...]:
    """The asks of a sealed vote."""
    return tuple(Ask(seat=Seat(seat), kind=kind, call=call, about=about, open_to=NOBODY) for seat in seats)


@dataclass(frozen=True, slots=True)
class Ruling(Generic[F]):
    """What was ruled; None for the rulebook's default."""

    says: F | None
    how: str
    votes: tuple[str, ...] = ()  # the seats in favour


def ruled(answers: Answers[F], same: Callable[[F], Hashable]) -> Ruling[F]:
    """The GM's answer; or the one of more than half of those who voted. Answers that `same` maps alike are one."""
    if GM in answers.of:
        answer = answers.of[GM]
        return Ruling(answer.says if answer.how != "default" else None, answer.how)
    cast: dict[str, Any] = {str(seat): one.says for seat, one in answers.of.items() if one.how != "default"}
    for says in cast.values():
        agree = tuple(seat for seat, other in cast.items() if same(other) == same(says))
        if 2 * len(agree) > len(cast):
            return Ruling(says, "sealed", agree)
    return Ruling(None, "default")
