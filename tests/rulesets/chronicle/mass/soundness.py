"""What holds in every battle, worked out anew from the field and from the events alone."""

from collections import Counter

from app.engine.ruleset import LoggedEvent
from app.rulesets.chronicle.mass import MASS
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass.hexes import distance
from app.rulesets.chronicle.mass.state import State, Unit
from tests.rulesets.chronicle.mass.battles import Closed, copied


def sound(state: State) -> None:
    """No two units in one hex, all on passable ground; men and losses in their limits."""
    here = [unit for unit in state.units.values() if unit.here]
    assert len({unit.at for unit in here}) == len(here), "two units in one hex"
    for unit in state.units.values():
        assert 0 <= unit.losses <= unit.men
        assert unit.gone == "destroyed" or unit.losses < unit.men or unit.gone == "left", unit
        if unit.here:
            assert state.ground.passable(unit.at), unit
    stamps = [unit.stamp for unit in state.units.values() if unit.stamp]
    assert len(set(stamps)) == len(stamps)
    for side in ("a", "b"):
        assert sum(unit.side == side for unit in state.units.values()) <= 9


def told(closed: Closed) -> State:
    """Folds the events of a closing one by one and looks at each; returns the state they make."""
    state = copied(closed.before)
    for event in closed.log.events[closed.first :]:
        _look(state, event)
        before = {key: (unit.men, unit.losses) for key, unit in state.units.items()}
        MASS.apply(state, event)
        for key, (men, losses) in before.items():
            unit = state.units[key]
            assert unit.men == men, "troops grow or shrink"
            if not isinstance(event.event, ev.Corrected | ev.Lost):
                assert unit.losses == losses, "losses without an event of losses"
    return state


def _look(state: State, one: LoggedEvent[ev.Event]) -> None:
    assert one.rule.startswith("CHR-")
    match one.event:
        case ev.Moved() as moved:
            _moved(state, moved)
        case ev.Fell(who=who, start=start, to=to, winner=winner):
            enemy = state.units[winner]
            assert state.units[who].at == start and state.ground.may_step(start, to) and to not in _taken(state)
            assert distance(to, enemy.at) == 2
        case ev.Stepped(who=who, start=start, to=to):
            assert state.units[who].troop == "LI" and state.ground.may_step(start, to) and to not in _taken(state)
        case ev.Left(who=who, why="left", way=way):
            unit = state.units[who]
            edge = way[-1] if way else unit.at
            assert edge in state.ground.edge and unit.side in state.retreated
            assert not any(_near(state, unit, hex) or hex in _in_the_way(state, unit) for hex in way)
            assert not way or edge not in _taken(state)
        case ev.Lost(who=who, count=count, before=before, after=after):
            unit = state.units[who]
            assert unit.losses == before and after == min(unit.men, before + count) and not unit.gone
        case ev.Clustered(clusters=clusters):
            count = Counter(key for cluster in clusters for key in cluster)
            assert set(count) == set(state.engaged().near) and set(count.values()) == {1}
        case ev.Fought(who=who, other=other):
            assert state.ground.adjacent(state.units[who].at, state.units[other].at)
            assert state.units[who].side == state.proactive
        case ev.Shot(who=who, at=at):
            unit, enemy = state.units[who], state.units[at]
            assert unit.troop == "BW" and unit.moved <= 1 and 2 <= distance(unit.at, enemy.at) <= 4
            assert not _near(state, unit, unit.at)
        case ev.Quickened(side=side, units=units):
            assert len(units) == max(1, len(state.of(side)) // 2)
        case _:
            pass


def _moved(state: State, event: ev.Moved) -> None:
    unit, here = state.units[event.who], event.start
    assert unit.here and unit.at == here and not unit.locked, "a locked unit moves"
    assert 0 < len(event.way) <= unit.kind.movement
    for number, hex in enumerate(event.way, 1):
        assert state.ground.may_step(here, hex), "off the map, or through a barrier"
        assert hex not in _in_the_way(state, unit), "through a unit"
        assert number == 1 or not _near(state, unit, here), "on from an enemy"
        here = hex
    assert here not in _taken(state) - {event.start}, "onto a unit"
    assert set(event.touched) == set(_near(state, unit, here))


def _taken(state: State) -> set[tuple[int, int]]:
    return {unit.at for unit in state.units.values() if unit.here}


def _in_the_way(state: State, unit: Unit) -> set[tuple[int, int]]:
    """The hexes through which a unit cannot go."""
    loose = state.settings.battle_pass_friends == "on"
    others = (one for one in state.units.values() if one.here and one is not unit)
    return {one.at for one in others if not (loose and one.side == unit.side)}


def _near(state: State, unit: Unit, hex: tuple[int, int]) -> list[str]:
    enemies = (one for one in state.units.values() if one.here and one.side != unit.side)
    return [one.key for one in enemies if state.ground.adjacent(hex, one.at)]
