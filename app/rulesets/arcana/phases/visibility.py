"""Decides who may see an event: of hidden combatants those who know of them, of foes' numbers the GM (ledger 1.7)."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import cast

from app.engine.ruleset import GM, Log
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import SOMEBODY, Action, Turn, blurred
from app.rulesets.arcana.fight.state import DEAD, DOWN, State
from app.rulesets.arcana.phases import questions

NUMBERS = (ev.Changed, ev.Paid, ev.Rested)
"""Events that show HP or FP."""

LOOKED = (ev.Changed, ev.Corrected)

OPEN: frozenset[type] = frozenset({
    ev.Revealed, ev.Launched, ev.Aloft, ev.Judged, ev.Faced, ev.Damaged, ev.Moved, ev.Resisted, ev.Stage, ev.Landed,
})  # fmt: skip
"""Events that everyone may see while no combatant hides: most of them."""


@dataclass(slots=True)
class Veiled:
    """A log that adds to each event the seats that may see it; all events of a fight go through it."""

    log: Log[State, ev.Event]
    state: State = field(init=False)  # the log's own, changed in place

    def __post_init__(self) -> None:
        self.state = self.log.state

    def emit(self, event: ev.Event, *, rule: str, because: tuple[int, ...] = ()) -> int:
        state = self.state
        if type(event) in OPEN and not state.hiders:
            return self.log.emit(event, rule=rule, because=because)
        if isinstance(event, ev.Noticed) and (apart := _apart(state, event)):
            return max(self.emit(one, rule=rule, because=because) for one in apart)
        if isinstance(event, ev.Spoke) and not event.words and state.hiders:  # everybody hears it
            event = replace(event, allies=tuple(SOMEBODY if one in state.hiders else one for one in event.allies))
        before = ""
        if isinstance(event, LOOKED) and state.settings.foe_hp != "numbers":
            one = state.fighters[event.who]
            before = one.looks if one.seat == GM else ""
        seats = audience(state, event)
        if isinstance(event, ev.Revealed) and seats is not None and state.hiders:
            self._blurred(event, seats, rule)
        if seats is not None:
            event = cast(ev.Event, replace(cast(ev.Revealed, event), to=seats))
        number = self.log.emit(event, rule=rule, because=because)
        if before:
            self._look(event, before, number)
        return number

    def _blurred(self, event: ev.Revealed, seats: tuple[str, ...], rule: str) -> None:
        """Emits a declaration again, without the names of hidden combatants, for those who do not know of them: for
        seats of this fight, and for everybody else. What everybody may read does not say who knows."""
        open_to = audience(self.state, ev.Emerged(event.who))
        present = {str(GM), *_seats(self.state, self.state.fighters)}
        knowing = {str(GM), *seats}
        others = (present if open_to is None else set(open_to)) - knowing
        event = replace(event, turn=blurred(event.turn, self.state.hiders))
        if others:
            self.log.emit(replace(event, instead=tuple(sorted(knowing)), to=tuple(sorted(others))), rule=rule)
        if open_to is None:
            self.log.emit(replace(event, instead=tuple(sorted(present)), to=None), rule=rule)

    def _look(self, event: ev.Event, before: str, number: int) -> None:
        """Emits a combatant's new apparent health, for those who do not see numbers."""
        assert isinstance(event, LOOKED)
        one = self.state.fighters[event.who]
        told = self.state.settings.foe_hp == "words" or one.looks in (DOWN, DEAD)
        if told and one.looks != before:
            self.emit(ev.Looks(event.who, one.looks), rule="ARC-15", because=(number,))


def audience(state: State, event: ev.Event) -> tuple[str, ...] | None:
    """Returns the seats that may see an event; None: everyone."""
    if isinstance(event, NUMBERS):
        if state.settings.foe_hp != "numbers" and state.fighters[event.who].seat == GM:
            return (GM,)
        return _without_hidden(state, event)
    if isinstance(event, ev.Kept):
        return (state.fighters[event.who].seat,)
    if isinstance(event, ev.Noticed):
        return _seats(state, event.by)
    if isinstance(event, ev.Checked) and event.what in ("stealth", "hide", "composure"):
        return (GM,)
    if isinstance(event, ev.Struck) and event.by == "unseen" and event.label:
        return (GM,)
    if isinstance(event, (ev.Discovered, ev.Watches)):
        return (state.fighters[event.who].seat,)
    if isinstance(event, ev.Warded):
        side = state.fighters[event.who].side
        return _seats(state, (key for key, one in state.fighters.items() if one.side == side))
    if isinstance(event, ev.Hid):
        return _seats(state, (key for key, one in state.fighters.items() if one.side == state.fighters[event.who].side))
    if isinstance(event, ev.Spoke) and event.allies and event.words:
        return _seats(state, (event.who, *event.allies))
    if isinstance(event, (ev.Gained, ev.Ended)) and event.status == "major_injury" and _veiled(state, event.who):
        return (GM,)
    numbers = isinstance(event, ev.Corrected) and (event.hp, event.fp) != (None, None)
    if numbers and state.settings.foe_hp != "numbers" and state.fighters[getattr(event, "who", "")].seat == GM:
        return (GM,)
    return _without_hidden(state, event)


def _without_hidden(state: State, event: ev.Event) -> tuple[str, ...] | None:
    """The seats that know of all hidden combatants an event mentions; None: everyone."""
    if not state.hiders:
        return None
    hidden = [key for key in sorted(set(_mentioned(state, event))) if key in state.hiders]
    if not hidden:
        return None
    found = state.knowing(hidden[0])
    for key in hidden[1:]:
        known = state.knowing(key)
        found = tuple(seat for seat in found if seat in known)
    return found


def _veiled(state: State, who: str) -> bool:
    """Whether a foe's health is hidden even in words (ledger 1.7)."""
    return state.settings.foe_hp == "hidden" and state.fighters[who].seat == GM


def _apart(state: State, event: ev.Noticed) -> list[ev.Noticed]:
    """One event for all who notice openly, and one for each who is hidden itself, whom the others may not know of
    (ARC-101); empty if one event is enough."""
    hidden = [key for key in event.by if key in state.hiders] if len(event.by) > 1 else []
    open_ = tuple(key for key in event.by if key not in hidden)
    return [replace(event, by=by) for by in (open_, *((key,) for key in hidden)) if by] if hidden else []


def _seats(state: State, who: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({state.fighters[key].seat for key in who if key in state.fighters}))


def _mentioned(state: State, event: ev.Event) -> list[str]:
    """All combatants an event mentions."""
    found = [name for name in (getattr(event, "who", ""), getattr(event, "target", "")) if isinstance(name, str)]
    if not isinstance(event, ev.Struck) and isinstance(by := getattr(event, "by", ""), str):
        found.append(by)
    if isinstance(event, ev.Revealed):
        found += names_in(event.turn)
    elif isinstance(event, ev.Judged):
        found += [event.card.watched, *event.card.knot]
    elif isinstance(event, ev.Ruled) and state.clash is not None:
        found += () if questions.bumps(state, state.clash.who) else state.clash.who
    elif isinstance(event, ev.Ruled):
        found += next((one.who for one in state.questions if one.key == event.key), ())
    elif isinstance(event, ev.Checked) and event.what in ("interrupt", "quickness", "mercy", "grapple", "holds"):
        found.append(event.about)
    return found


def names_in(turn: Turn) -> list[str]:
    """Returns all combatants a declaration names."""
    majors = [one for one in (turn.major, turn.extra, turn.back) if one is not None]
    actions: list[Action] = [*majors, *turn.minors]
    found = [name for action in actions for name in (action.target, *action.allies, *action.split)]
    return [*found, turn.when.who, turn.when.whom] if turn.when else found
