"""Events of actions over several cycles: a Focus or a task begins, continues, ends (ARC-27, ARC-157 to ARC-159)."""

from typing import Literal

from app.engine.frozen import frozen
from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.gm_events import Seats
from app.rulesets.arcana.fight.tasks import What


@frozen()
class Focused:
    """A Focus begins; `target` is "" if it has none in particular (ARC-157)."""

    who: str
    target: str
    action: Action
    to: Seats = None
    kind: Literal["focused"] = "focused"


@frozen()
class Begun:
    """The first major of a task that takes `cycles` of them (ARC-27, ARC-155, ARC-159)."""

    who: str
    target: str
    what: What
    action: Action
    cycles: int
    to: Seats = None
    kind: Literal["begun"] = "begun"


@frozen()
class Went:
    """A task continues for another cycle; with the last one it is done."""

    who: str
    what: What
    name: str
    done: int
    cycles: int
    to: Seats = None
    kind: Literal["went"] = "went"


@frozen()
class Learnt:
    """A spell was cast from its book once more; `by_heart`: often enough to know it (ARC-155)."""

    who: str
    spell: str
    uses: int
    by_heart: bool
    to: Seats = None
    kind: Literal["learnt"] = "learnt"


@frozen()
class Donned:
    """A combatant changes into this armour (ARC-27)."""

    who: str
    armour: str
    to: Seats = None
    kind: Literal["donned"] = "donned"


@frozen()
class Broke:
    """A Focus or a task ends early; `again`: it has to start again (ARC-27, ARC-158, ARC-159)."""

    who: str
    what: str  # focus, book, ritual, don, aim, custom
    name: str  # the id of its spell, weapon or armour, or its words
    why: str
    again: bool = False
    to: Seats = None
    kind: Literal["broke"] = "broke"
