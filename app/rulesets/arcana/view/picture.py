"""The map as it is drawn and described: places, facing and cover, in cells of half a metre.

It is made only of what the viewer knows: hidden combatants affect no number, order or frame.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import atan2, degrees, isqrt, pi
from typing import Any

from app.rulesets.arcana.fight.hands import BODILY, holding
from app.rulesets.arcana.fight.state import DEAD, HALF, HURT, Fighter, State
from app.rulesets.arcana.rules.book import spoken
from app.rulesets.arcana.rules.cover import Wall, walls
from app.rulesets.arcana.rules.grid import Cell, gap2
from app.rulesets.arcana.rules.objects import Object
from app.rulesets.arcana.rules.rulings import Cover
from app.rulesets.arcana.rules.terrain import Zone
from app.rulesets.arcana.view.options import Can

CROWD = 60  # above this many combatants all are plain shapes
MEASURED = 100  # up to this many combatants distances are listed
SEVERAL = 4  # up to this many of the viewer's combatants each has its distances
FREE = 8  # cells round the outermost combatant if the ground is unlimited
PARTS: Mapping[str, int] = {HURT: 75, HALF: 38, DEAD: 0}  # percent of the health ring for health in words
WINDS = ("east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east")


@dataclass(frozen=True, slots=True)
class Spot:
    """A combatant on the map. `turn`: degrees from east, clockwise; `left`: percent of its HP, 100 if unknown; `kit`:
    index of its reaches in `Picture.kits`, -1 for none."""

    key: str
    name: str
    mark: str
    side: str
    letter: str
    at: Cell
    turn: int
    facing: str
    grow: float
    left: int
    mine: bool
    hidden: bool
    down: bool
    dead: bool
    kit: int = -1


@dataclass(frozen=True, slots=True)
class Picture:
    """The map. `left` and `top` are 0 unless a combatant is beyond the ground; `ticks` are every five metres."""

    left: int
    top: int
    wide: int
    high: int
    width: int
    height: int
    spots: tuple[Spot, ...]
    walls: tuple[Wall, ...]
    letters: Mapping[str, str]  # side -> letter of its shape and colour, in the order of the list
    kits: tuple[Mapping[str, Any], ...]
    zones: tuple[Zone, ...] = ()
    objects: tuple[Object, ...] = ()

    @property
    def crowd(self) -> bool:
        return len(self.spots) > CROWD

    @property
    def token(self) -> float:
        """The width of a token in cells, without zoom."""
        return round(max(1.0, min(2.4, self.wide / (90 if self.crowd else 28))), 2)

    @property
    def scale(self) -> int:
        """Metres of the scale bar: about a fifth of the width."""
        return max((length for length in (1, 2, 5, 10, 20, 50) if length * 10 <= self.wide), default=1)

    @property
    def ticks(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The marks of the rulers, across and down, in cells."""
        return (
            tuple(range(0, self.left + self.wide + 1, 10)),
            tuple(range(0, self.top + self.high + 1, 10)),
        )

    def of(self, side: str) -> tuple[Spot, ...]:
        return tuple(spot for spot in self.spots if spot.side == side)

    @property
    def covers(self) -> tuple[Cover, ...]:
        """The kinds of cover on the map."""
        there = {wall.cover for wall in self.walls}
        kinds: tuple[Cover, ...] = ("half", "three_quarter", "full")
        return tuple(one for one in kinds if one in there)


def picture(
    known: State, mine: Iterable[str], looks: Mapping[str, str], numbers: frozenset[str], can: Mapping[str, Can]
) -> Picture:
    """Returns the map: the whole ground, and more if a combatant is beyond it."""
    letters = letters_of({one.side for one in known.fighters.values()})
    own, kits, frame = set(mine), _kits(can), _frame(known)
    numbered = list(dict.fromkeys(kits.values()))
    people = sorted(known.fighters.items(), key=lambda pair: (list(letters).index(pair[1].side), pair[0]))
    spots = tuple(
        _spot(key, one, letters[one.side], looks[key], key in own, key in numbers,
              numbered.index(kits[key]) if key in kits else -1)
        for key, one in people
    )  # fmt: skip
    made = tuple(_readable(kit) for kit in numbered)
    return Picture(
        *frame, known.width, known.height, spots, walls(known.covers, known.cover_sides), letters, made, known.zones,
        tuple(known.objects.values()),
    )  # fmt: skip


def letters_of(sides: Iterable[str]) -> dict[str, str]:
    """Returns letters by side: players are a, foes are b, others follow. With too many, the last share a letter."""
    there = sorted(set(sides), key=lambda side: ({"players": 0, "foes": 1}.get(side, 2), side))
    usual = {"players": "a", "foes": "b"}
    free = "cd" if usual.keys() & set(there) else "abcd"
    others = [side for side in there if side not in usual]
    return {side: usual.get(side) or free[min(others.index(side), len(free) - 1)] for side in there}


def _frame(known: State) -> tuple[int, int, int, int]:
    """Left, top, width and height in cells."""
    cells = [one.place for one in known.fighters.values()]
    if not known.width or not known.height:
        across, along = [x for x, _ in cells] or [0], [y for _, y in cells] or [0]
        left, top = min(across) - FREE, min(along) - FREE
        return left, top, max(across) + FREE + 1 - left, max(along) + FREE + 1 - top
    left, top = min([0, *(x for x, _ in cells)]), min([0, *(y for _, y in cells)])
    right, bottom = max([known.width, *(x + 1 for x, _ in cells)]), max([known.height, *(y + 1 for _, y in cells)])
    return left, top, right - left, bottom - top


def _spot(key: str, one: Fighter, letter: str, looks: str, mine: bool, numbers: bool, kit: int) -> Spot:
    left = PARTS.get(looks, 100)
    if numbers and one.body.hp_max > 0:
        left = max(0, min(100, 100 * one.hp // one.body.hp_max))
    return Spot(
        key, one.body.name, mark(one.body.name), one.side, letter, one.place, round(degrees(atan2(*one.facing[::-1]))),
        wind(one.facing), grow(one.body.size), 0 if one.dead else left,
        mine, one.hidden, one.down, one.dead, kit,
    )  # fmt: skip


def grow(size: int) -> float:
    """Returns the scale of a token for a size in cm."""
    return 1.3 if size >= 300 else 0.8 if size <= 60 else 1.0


def mark(name: str) -> str:
    """Returns the letters on a token: "Ada" -> "Ad", "Axe goblin" -> "Ag", "Troll 12" -> "T12"."""
    words = [word for word in name.replace("-", " ").split() if word[0].isalnum()]
    if not words:
        return "?"
    if len(words) > 1 and words[-1].isdecimal() and len(words[-1]) < 4:
        return words[0][0].upper() + words[-1]
    return (words[0][:2] if len(words) == 1 else words[0][0] + words[-1][0]).capitalize()


def wind(facing: Cell) -> str:
    """Returns one of eight winds; up is north. "" without a direction."""
    if facing == (0, 0):
        return ""
    return WINDS[round(atan2(facing[1], facing[0]) / (pi / 4)) % 8]


def metres(one: Cell, other: Cell) -> str:
    """Returns the distance in metres with one decimal, rounded up, so that 3.0 m is never more than that."""
    far = -(-gap2(one, other) // 100)  # tenths of a metre, squared
    tenths = isqrt(far - 1) + 1 if far else 0
    return f"{tenths / 10:.1f}"


def distances(known: State, who: str, mine: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Returns the distances from the viewer's combatants as (id, metres); if many, only the nearest enemy's."""
    people = known.fighters
    if len(people) > MEASURED or people[who].dead:
        return ()
    others = [key for key in mine if key != who]
    if len(mine) > SEVERAL:
        enemies = [key for key in known.enemies(who) if not people[key].dead]
        others = sorted(enemies, key=lambda key: (gap2(people[who].place, people[key].place), key))[:1]
    return tuple((key, metres(people[who].place, people[key].place)) for key in others)


def conditions(one: Fighter) -> tuple[tuple[str, int], ...]:
    """Returns statuses, shields and bonuses of a combatant, each with its cycles left; 0: unlimited."""
    found = [(spoken(key), held.left) for key, held in one.statuses.items()]
    for loan in one.loans:
        words = f"Shield of {loan.amount}" if loan.stat == "shield" else f"{loan.stat.capitalize()} {loan.amount:+d}"
        found.append((words.replace("-", "−"), loan.left))
    return tuple(found)


def holds(one: Fighter) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the names of weapons and shield in hand, and of those carried along, as far as they are known."""
    arms = [(key, arm.name) for key, arm in one.body.weapons.items() if arm.group not in BODILY]
    arms += [(one.body.shield, worn.name) for worn in one.body.worn if worn.group == "shield"]
    held = holding(one)
    return tuple(name for key, name in arms if key in held), tuple(name for key, name in arms if key not in held)


Reaches = tuple[int, int, int, int, tuple[tuple[str, int], ...], tuple[tuple[str, int, str, int, str], ...]]


def _kits(can: Mapping[str, Can]) -> dict[str, Reaches]:
    """The reaches of each of the viewer's combatants; equal ones are shared, for a GM has many of a kind."""
    return {
        key: (
            what.step, what.considered, what.transport, what.special,
            tuple((arm.id, max(arm.reach, arm.range)) for arm in what.weapons),
            tuple((one.id, one.reach, one.area, one.wide, one.aim) for one in what.spells),
        )
        for key, what in can.items()
    }  # fmt: skip


def _readable(kit: Reaches) -> dict[str, Any]:
    """The data of a kit for the map's script, lengths in cm. A spell: its reach, area's form and size, and aim."""
    step, considered, transport, special, weapons, spells = kit
    return {
        "step": step, "considered": considered, "transport": transport, "special": special,
        "weapons": dict(weapons), "spells": {key: list(rest) for key, *rest in spells},
    }  # fmt: skip
