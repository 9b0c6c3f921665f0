"""The state of a mass battle. All of it is public (CHR-FLO-09): what is sealed enters it only when it opens."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as by_default
from typing import Annotated, Literal

from pydantic import Field as Limits
from pydantic import TypeAdapter

from app.engine.sentences import small
from app.rulesets.chronicle.mass.engagement import Cluster, Engagement, engagement
from app.rulesets.chronicle.mass.field import Field, HexKey
from app.rulesets.chronicle.mass.hexes import Axis, Hex, value
from app.rulesets.chronicle.mass.reach import Passage
from app.rulesets.chronicle.mass.settings import MassSettings
from app.rulesets.chronicle.mass.strength import Stand
from app.rulesets.chronicle.mass.troops import TROOPS, Troop

Side = Literal["a", "b"]
Phase = Literal[
    "armies", "field", "place", "line", "intent", "leave", "quick", "move", "clusters", "targets", "order", "fight",
    "whom", "fall", "step", "close", "quiet", "terms", "agree", "over",
]  # fmt: skip
Intent = Literal["fight", "retreat", "surrender"]
Shape = Literal["march", "camp"]
Gone = Literal["destroyed", "left", "out"]
End = Literal["", "surrender", "retreat", "no-units", "quiet", "gm"]
Men = Annotated[int, Limits(ge=0)]
SIDES: tuple[Side, Side] = ("a", "b")
OTHER: dict[Side, Side] = {"a": "b", "b": "a"}


@dataclass(slots=True)
class Unit:
    key: str  # side and number: "a3"
    side: Side
    troop: str
    men: Men  # when it was made
    seat: str  # moves it
    hex: HexKey | None = None  # None: not placed yet
    stamp: int = 0  # of its last change of hex (CHR-TER-09)
    losses: Men = 0
    moved: int = 0  # hexes, in the movement phases of this round
    locked: bool = False  # CHR-MOV-05
    quick: bool = False
    gone: Gone | Literal[""] = ""

    @property
    def kind(self) -> Troop:
        return TROOPS[self.troop]

    @property
    def left(self) -> int:
        """Its men without its losses."""
        return self.men - self.losses

    @property
    def here(self) -> bool:
        """Whether it is on the map."""
        return self.hex is not None and not self.gone

    @property
    def at(self) -> Hex:
        """The hex of a unit that has been placed."""
        assert self.hex is not None
        return self.hex

    @property
    def stand(self) -> Stand:
        return Stand(self.troop, self.at, self.stamp)


@dataclass(frozen=True, slots=True)
class Line:
    """A straight row that divides the field, and the attackers' side of it: their hexes have
    sign · (axis − value) ≥ 0 (CHR-PLC-05).
    """

    axis: Axis
    value: int
    sign: Literal[1, -1]

    def beyond(self, hex: Hex) -> int:
        """How far a hex lies on the attackers' side; 0 on the row."""
        return self.sign * (value(hex, self.axis) - self.value)


@dataclass(slots=True)
class Fight:
    """The cluster whose fight is at hand, after its rolls."""

    cluster: Cluster
    losers: list[str]  # those who still have to fall back
    winner: str  # the unit they fall back from; "": the many choose it (CHR-MEL-14)
    many: list[str]  # those from whom a lone loser may be made to fall back
    times: int  # how often the loss number counts (CHR-MEL-13)
    half: bool  # half losses (CHR-MEL-09)
    cause: int  # the number of the event that decided it


@dataclass(frozen=True, slots=True)
class OfferedMap:
    """A battlefield of the campaign that may be chosen, as text."""

    name: str
    map: str


@dataclass(slots=True)
class State:
    settings: MassSettings
    names: dict[Side, str]
    seats: list[str]  # all of them, in their order
    members: dict[Side, list[str]]  # the seats of each side, in their order
    commanders: dict[Side, str]
    tactics: dict[Side, int]  # the best rating of each side
    people: dict[Side, list[str]]  # the characters of each side
    attacker: Side
    how: Literal["set", "ambush"]
    armies: dict[Side, dict[str, Men]]  # as they are known
    points: dict[Side, Men]  # of the sides that choose their numbers
    description: str = ""
    field: Field | None = None
    place: str = ""  # the key of the field
    offered: dict[str, OfferedMap] = by_default(default_factory=dict)  # the campaign's fields, until an army is placed
    phase: Phase = "armies"
    round: int = 0
    turn: int = 1  # the movement phase, or a number of a choice within a round
    tries: int = 1
    desk: int = 1  # the number of the GM's next act
    units: dict[str, Unit] = by_default(default_factory=dict)
    loss: int = 0  # L (CHR-UNI-12)
    stamp: int = 0  # the last one given
    shape: Shape | Literal[""] = ""
    line: Line | None = None
    first: Side = "a"  # proactive in odd rounds
    intents: dict[Side, Intent] = by_default(default_factory=dict)  # of this round
    retreated: list[Side] = by_default(default_factory=list)  # those who ever declared it (CHR-END-12)
    heard: list[Side] = by_default(default_factory=list)  # those who answered anything in this round
    clusters: list[Cluster] = by_default(default_factory=list)
    flanked: list[str] = by_default(default_factory=list)  # cavalry, when melee began, with `flank_scope = board`
    waiting: list[Cluster] = by_default(default_factory=list)  # clusters still to fight, in their order
    at_hand: Fight | None = None
    busy: bool = False  # there was an engagement or a shot in this round
    quiet: int = 0  # rounds without either
    terms: str = ""
    agreed: bool = False
    end: End = ""
    winner: Side | Literal[""] = ""
    reason: str = ""  # of the GM who ended it
    seat_of: dict[str, str] = by_default(default_factory=dict)  # of each character

    @property
    def ground(self) -> Field:
        """The field, once it is chosen."""
        assert self.field is not None
        return self.field

    @property
    def defender(self) -> Side:
        return OTHER[self.attacker]

    @property
    def proactive(self) -> Side:
        """CHR-MOV-02."""
        return self.first if self.round % 2 else OTHER[self.first]

    @property
    def turns(self) -> tuple[Side, Side]:
        """Both sides, the proactive one first."""
        return self.proactive, OTHER[self.proactive]

    @property
    def shared(self) -> bool:
        return self.settings.battle_command == "shared"

    @property
    def fight(self) -> Fight:
        """The cluster at hand, once it has rolled."""
        assert self.at_hand is not None
        return self.at_hand

    def of(self, side: Side) -> list[Unit]:
        """The units of a side that are still in the battle, placed or not, in order of id."""
        return [unit for unit in self.units.values() if unit.side == side and not unit.gone]

    def name(self, key: str) -> str:
        """Its troops and its number in its army: "Pikemen 5" for "a5"."""
        return f"{self.units[key].kind.name.capitalize()} {key[1:]}"

    def the(self, side: Side) -> str:
        """The name of a side within a sentence: "the Count" for "The Count"."""
        name = self.names[side]
        return small(name) if name.startswith("The ") else name

    def hexes(self) -> dict[str, Hex]:
        """The hex of each unit on the map, by id."""
        return {key: unit.hex for key, unit in self.units.items() if unit.hex is not None and not unit.gone}

    @property
    def taken(self) -> set[Hex]:
        """The hexes on which a unit stands."""
        return set(self.hexes().values())

    def passage(self, key: str, hexes: Mapping[str, Hex] | None = None) -> Passage:
        """The field for a unit that moves while all others stand on these hexes; usually where they are."""
        units, side, found = self.units, self.units[key].side, self.hexes() if hexes is None else hexes
        friends = [hex for one, hex in found.items() if units[one].side == side and one != key]
        enemies = [hex for one, hex in found.items() if units[one].side != side]
        return Passage(self.ground, friends, enemies, self.settings.battle_pass_friends == "on")

    def engaged(self) -> Engagement:
        """The engagement graph as units stand now, the proactive side's first."""
        hexes = self.hexes()
        own, other = ({key: hex for key, hex in hexes.items() if self.units[key].side == side} for side in self.turns)
        return engagement(self.ground, own, other)

    def foes(self, key: str) -> list[str]:
        """The enemies of a unit in its cluster, whether it still waits or is at hand; empty without one."""
        cluster = next((cluster for cluster in self.clusters if key in cluster), ())
        return [one for one in cluster if self.units[one].side != self.units[key].side and self.units[one].here]

    def owners(self, keys: Collection[str]) -> dict[str, list[str]]:
        """Units by the seat that moves them."""
        found = dict[str, list[str]]()
        for key in keys:
            found.setdefault(self.units[key].seat, []).append(key)
        return found


def in_order(text: str, known: Sequence[str]) -> tuple[list[str], str]:
    """The words of a text that are known, each once, then those it does not name; and the first unknown word.

    A unit may be named by its number alone, where only one of that number is known.
    """
    numbers = {key.lstrip("ab"): key for key in known}
    short = numbers if len(numbers) == len(known) else {}
    words = list(dict.fromkeys(short.get(word, word) for word in text.replace(",", " ").lower().split()))
    named = [word for word in words if word in known]
    return [*named, *(one for one in known if one not in named)], next((one for one in words if one not in known), "")


STATE: TypeAdapter[State] = TypeAdapter(State)
