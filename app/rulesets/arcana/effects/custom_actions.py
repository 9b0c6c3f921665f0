"""Improvised actions in a player's own words: alone, with help, or as a group check (ARC-116, ARC-120)."""

from collections.abc import Iterable, Sequence

from app.engine.chance import Chance
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.flight import Flight
from app.rulesets.arcana.fight.roll_parts import Parts, by_ways, ills, skill, sways, total
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.rules.rulings import Ruling
from app.rulesets.arcana.sheet.accuracy import Thrown

CUSTOM = 15  # the default value that an improvised action has to reach (ledger 5)
ACTS = frozenset({"custom", "custom_minor"})
WORKS, FAILS = "It works.", "It does not work."
AS_SAID = Ruling(yes=True, waived=True)


def custom(log: FightLog, flight: Flight, chance: Chance) -> None:
    """Decides an improvised action by the GM's ruling, or by a check against the GM's number, else 15 (ledger 5)."""
    ruling = _ruling(log.state, flight)
    ok = ruling.yes and (ruling.waived or _check(log, flight, ruling, chance)[0])
    words = ruling.words or (WORKS if ok else FAILS)
    log.emit(ev.Described(flight.who, flight.action.target, words), rule="ARC-116", because=(flight.number,))


def used(log: FightLog, flight: Flight, chance: Chance) -> None:
    """Uses an item that the book does not have: as its user says, unless the GM rules otherwise (ARC-34)."""
    action, ruling = flight.action, log.state.rulings.get(f"use/{flight.label}", AS_SAID)
    ok = ruling.yes and (ruling.waived or _check(log, flight, ruling, chance)[0])
    usual = action.words.strip() if ruling.yes and ruling.waived else WORKS if ok else FAILS
    described = ev.Described(flight.who, action.target, ruling.words or usual)
    log.emit(described, rule="ARC-34", because=(flight.number,))


def group(log: FightLog, batch: Iterable[Flight], chance: Chance) -> list[Flight]:
    """Resolves a group check: all roll, and it succeeds for all or for none. Returns the other flights of the batch."""
    flights = list(batch)
    members = [one for one in flights if one.do in ACTS and _grouped(_ruling(log.state, one))]
    if not members:
        return flights
    tries = [_check(log, one, _ruling(log.state, one), chance) for one in members]
    made = sum(ok for ok, _ in tries)
    ok, because = 2 * made >= len(members), tuple(number for _, number in tries)
    for flight in members:
        usual = f"The group {'manages' if ok else 'does not manage'} it: {made} of {len(members)} did."
        words = _ruling(log.state, flight).words or usual
        log.emit(ev.Described(flight.who, flight.action.target, words), rule="ARC-120", because=because)
    return [one for one in flights if one not in members]


def _ruling(state: State, flight: Flight) -> Ruling:
    return state.rulings.get(f"custom/{flight.label}", Ruling(yes=True))


def _grouped(ruling: Ruling) -> bool:
    return ruling.group and ruling.yes and not ruling.waived


def _check(log: FightLog, flight: Flight, ruling: Ruling, chance: Chance) -> tuple[bool, int]:
    """One check and its event: with the best modifier among actor and helpers, and advantage if there is a helper."""
    value, helpers = ruling.value or CUSTOM, _helpers(log.state, flight)
    best = max((flight.who, *helpers), key=lambda who: (total(_parts(log.state, flight, who)), who == flight.who))
    parts = _parts(log.state, flight, best)
    thrown, ways = _thrown(log.state, flight, helpers, chance)
    ok = thrown.kept + total(parts) >= value
    checked = ev.Checked(flight.who, "custom", thrown.rolls, total(parts), value, ok, flight.action.words, thrown.kept,
                         parts, ways)  # fmt: skip
    rule = "ARC-120" if helpers or _grouped(ruling) else "ARC-116"
    return ok, log.emit(checked, rule=rule, because=(flight.number,))


def _parts(state: State, flight: Flight, who: str) -> Parts:
    one = state.fighters[who]
    return (*skill(one.body, flight.action.attr), *ills(one))


def _thrown(state: State, flight: Flight, helpers: Sequence[str], chance: Chance) -> tuple[Thrown, Parts]:
    names = (("help", 1),) if helpers else ()
    ways = (*sways(state.fighters[flight.who]), *names)
    return by_ways(ways, chance, f"ARC-116/custom/{flight.label}", state.settings), ways


def _helpers(state: State, flight: Flight) -> list[str]:
    """The helpers with this action in the same batch; of an actor's two improvised actions they help with the first."""
    first = next((one.label for one in state.air if one.who == flight.who and one.do in ACTS), "")
    if flight.label != first:
        return []
    return [one.who for one in state.air if one.do == "help" and one.action.target == flight.who]
