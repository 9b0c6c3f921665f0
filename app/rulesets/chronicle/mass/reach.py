"""Movement on the field: what a unit can reach, retreats, ways off the map, and armies that are surrounded."""

from collections.abc import Collection, Sequence

from app.engine.frozen import frozen
from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.hexes import Hex, distance, spell


@frozen()
class Passage:
    """The field for one moving unit: the hexes of its friends, without its own, and of its enemies."""

    field: Field
    friends: Collection[Hex]
    enemies: Collection[Hex]
    pass_friends: bool = False  # the setting `battle.pass_friends` (CHR-TER-14)

    def free(self, hex: Hex) -> bool:
        """Whether a unit can stand there: on the map, passable, no unit on it."""
        return self.field.passable(hex) and hex not in self.enemies and hex not in self.friends

    def touched(self, hex: Hex) -> list[Hex]:
        """The enemies adjacent to a hex: a unit that moves there locks them and itself (CHR-MOV-05, -06)."""
        return [enemy for enemy in self.enemies if enemy in self.field.touching[hex]]

    def step_fault(self, start: Hex, end: Hex) -> str:
        """Why a unit cannot step from hex to hex, or "". Friends may be in the way only of a unit that stops there."""
        if end in self.field.exits[start]:
            if end in self.enemies:
                return "an enemy stands there"
            return "another unit stands there" if end in self.friends and not self.pass_friends else ""
        if end not in self.field:
            return "it is not on the map"
        if distance(start, end) != 1:
            return f"it is not next to {spell(start)}"
        return "a hard barrier is in the way" if self.field.passable(end) else "nobody can enter Impassable ground"

    def reach(self, start: Hex, movement: int) -> dict[Hex, int]:
        """The hexes that a unit can move to, each with the fewest steps; the start with 0 (CHR-MOV-05, -07, -09).

        A unit that moves next to an enemy goes no further in this round.
        """
        steps = dict[Hex, int]()
        for hex, before in self._spread(start, movement).items():
            steps[hex] = steps[before] + 1 if hex != start else 0
        return {hex: count for hex, count in steps.items() if hex == start or self.free(hex)}

    def way(self, start: Hex, end: Hex, movement: int) -> list[Hex] | None:
        """The shortest way as the hexes after the start; None if the end is out of reach.

        Of several the first, as the order of neighbours sorts their directions, step by step.
        """
        if end != start and not self.free(end):
            return None
        before = self._spread(start, movement, end)
        return _back(before, end) if end in before else None

    def way_fault(self, start: Hex, way: Sequence[Hex], movement: int) -> str:
        """The first step of a way that a unit cannot make, as a sentence; "" if it can go all of it (CHR-MOV)."""
        here = start
        for number, end in enumerate(way, 1):
            fault = self.step_fault(here, end)
            if number > movement:
                fault = f"this unit moves at most {movement} hexes"
            elif number > 1 and self.touched(here):
                fault = f"it stops at {spell(here)}, next to an enemy"
            elif not fault and number == len(way) and not self.free(end):
                fault = "another unit stands there"
            if fault:
                return f"Step {number}, to {spell(end)}: {fault}."
            here = end
        return ""

    def way_out(self, start: Hex) -> list[Hex] | None:
        """The shortest way to the edge of the map that touches no enemy after the start; None if there is none.

        Its hexes after the start; none for a unit on an edge hex (CHR-END-03).
        """
        before = self._spread(start, self.field.rows * self.field.columns, shuns=True)
        end = next((hex for hex in before if hex in self.field.edge and (hex == start or self.free(hex))), None)
        return None if end is None else _back(before, end)

    def _spread(self, start: Hex, most: int, end: Hex | None = None, *, shuns: bool = False) -> dict[Hex, Hex]:
        """Each hex on the way of a unit with the hex before it, nearest first; the start with itself.

        The unit stops next to enemies, or does not go there at all if it `shuns` them. Looks no further than `end`.
        """
        before, edge = {start: start}, [start]
        contact = {hex for enemy in self.enemies for hex in self.field.touching[enemy]}
        barred = {*self.enemies, *(() if self.pass_friends else self.friends), *(contact if shuns else ())}
        for _ in range(most):
            last, edge = edge, list[Hex]()
            for here in last:
                for hex in () if here in contact and here != start else self.field.exits[here]:
                    if hex not in before and hex not in barred:
                        before[hex] = here
                        edge.append(hex)
            if not edge or end in before:
                break
        return before


def _back(before: dict[Hex, Hex], end: Hex) -> list[Hex]:
    """The way to a hex, without its start."""
    way = list[Hex]()
    while before[end] != end:
        way.append(end)
        end = before[end]
    return way[::-1]


def surrounded(field: Field, army: Collection[Hex], attackers: Collection[Hex], *, pass_friends: bool = False) -> bool:
    """Whether no unit of an ambushed army has a way to the edge of the map that touches no attacker (CHR-PLC-09)."""
    around = (Passage(field, [one for one in army if one != unit], attackers, pass_friends) for unit in army)
    return all(passage.way_out(unit) is None for passage, unit in zip(around, army, strict=True))
