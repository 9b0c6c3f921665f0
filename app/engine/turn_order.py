"""An order rolled by dice, and turns through it, straight or snaking: the basis of every draft."""

from collections.abc import Callable, Iterable, Sequence

from app.engine.chance import Chance, Roll
from app.engine.events import event, everyone

MOST_THROWS = 30  # of the same tie; after that the given order decides, which will hardly ever happen


@event("threw", seen=everyone)
class Threw:
    """A d20 for the order; `again` numbers the throw among ties, from 1."""

    seat: str
    roll: Roll
    again: int


@event("ordered", seen=everyone)
class Ordered:
    seats: tuple[str, ...]


def ranked(chance: Chance, group: Iterable[str], label: str, again: int = 1) -> tuple[list[str], list[Threw]]:
    """The seats, highest first, and all throws; ties throw again among themselves. Labels are `label`/seat/again."""
    throws = [Threw(seat, chance.die(20, f"{label}/{seat}/{again}"), again) for seat in group]
    order: list[str] = []
    later: list[Threw] = []
    for face in sorted({throw.roll.face for throw in throws}, reverse=True):
        same = [throw.seat for throw in throws if throw.roll.face == face]
        if len(same) > 1 and again < MOST_THROWS:
            same, more = ranked(chance, same, label, again + 1)
            later += more
        order += same
    return order, throws + later


def at_turn(order: Sequence[str], turn: int, *, snake: bool = True) -> str:
    """The seat of a turn, counted from 0 through all rounds; with `snake`, every other round runs backwards."""
    lap, place = divmod(turn, len(order))
    back = lap % 2 == 1 and snake
    return order[-1 - place] if back else order[place]


def next_turn(order: Sequence[str], turn: int, full: Callable[[str], bool], *, snake: bool = True) -> int:
    """The first turn from `turn` on whose seat is not full; -1 if all are."""
    if all(full(seat) for seat in order):
        return -1
    while full(at_turn(order, turn, snake=snake)):
        turn += 1
    return turn
