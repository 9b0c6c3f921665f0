"""A viewer's view of a battle. Everything in it is public; only what the viewer may decide differs (CHR-FLO-09).

Pages take units in words, reach, targets and odds from its properties, which are worked out when they are asked for.
"""

from dataclasses import dataclass

from app.engine.gm_desk import Vital
from app.engine.ruleset import GM, Viewer
from app.rulesets.chronicle.checks import ways
from app.rulesets.chronicle.mass import clusters, moving, placing, shooting
from app.rulesets.chronicle.mass.hexes import spell
from app.rulesets.chronicle.mass.melee import strengths
from app.rulesets.chronicle.mass.placing import Line
from app.rulesets.chronicle.mass.state import SIDES, Fight, Side, State
from app.rulesets.chronicle.mass.strength import in_words, total
from app.rulesets.chronicle.mass.telling import Telling


@dataclass(frozen=True, slots=True)
class Who:
    """A unit in words, for the map and for lists."""

    key: str
    name: str  # "Pikemen 2"
    side: Side
    army: str  # the name of its side
    seat: str  # moves it
    mine: bool
    troop: str
    men: int
    losses: int
    left: int
    hex: str  # "L6"; "" before it is placed
    stamp: int
    moved: int
    locked: bool
    engaged: bool
    quick: bool
    gone: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two units that fight: the strengths part by part, and the ways of 640 in which `who` wins."""

    who: str  # of the proactive side, which rolls
    other: str
    own: str  # "pikemen 4, against cavalry +3"
    against: str
    strength: int
    opposing: int
    ways: int


@dataclass(frozen=True, slots=True)
class View(Telling):
    seats: tuple[str, ...]  # the viewer's
    is_gm: bool

    @property
    def commands(self) -> tuple[Side, ...]:
        """The sides that the viewer commands."""
        return tuple(side for side in SIDES if self.battle.commanders[side] in self.seats)

    def name(self, key: str) -> str:
        return self.battle.name(key) if key in self.battle.units else key

    def full_name(self, key: str) -> str:
        """ "Pikemen 2 (Side A)"."""
        return f"{self.battle.name(key)} ({self.battle.names[self.battle.units[key].side]})"

    @property
    def units(self) -> dict[str, Who]:
        """All units in words, in order of id; those that are gone included."""
        battle = self.battle
        engaged = battle.engaged().near if battle.field else {}
        return {
            unit.key: Who(
                unit.key, battle.name(unit.key), unit.side, battle.names[unit.side], unit.seat, unit.seat in self.seats,
                unit.troop, unit.men, unit.losses, unit.left, spell(unit.hex) if unit.hex else "", unit.stamp,
                unit.moved, unit.locked, unit.key in engaged, unit.quick, unit.gone,
            )
            for unit in battle.units.values()
        }  # fmt: skip

    @property
    def reach(self) -> dict[str, dict[str, int]]:
        """For each unit of the movement phase the hexes that it can move to now, each with its steps."""
        battle = self.battle
        if battle.phase != "move":
            return {}
        return {
            key: {spell(hex): count for hex, count in battle.passage(key).reach(unit.at, unit.kind.movement).items()}
            for key in moving.movers(battle)
            for unit in [battle.units[key]]
        }

    @property
    def targets(self) -> dict[str, list[str]]:
        """For each unit that may shoot its targets, the nearest first."""
        return shooting.shooters(self.battle) if self.battle.phase == "targets" else {}

    @property
    def zone(self) -> list[str]:
        """The hexes where the side that places now may stand."""
        battle = self.battle
        return [spell(hex) for hex in placing.zone(battle, placing.placer(battle))] if battle.phase == "place" else []

    @property
    def lines(self) -> list[Line]:
        """The straight rows that the defender may choose; the usual one first."""
        return list(placing.rows(self.battle).values()) if self.battle.phase == "line" else []

    @property
    def proposed(self) -> list[tuple[str, ...]]:
        """The clusters of this round; before they are fixed, the default ones."""
        battle = self.battle
        if battle.clusters or not battle.field:
            return battle.clusters
        return clusters.default(battle.engaged(), battle.settings.cluster_minimality)

    @property
    def pairs(self) -> list[Pair]:
        """The odds of all engaged pairs as units stand now; before clusters are fixed, without what depends on them."""
        battle = self.battle
        if not battle.field:
            return []
        fixed = battle.clusters
        own = battle.engaged().own
        both = [(who, other) for who, others in own.items() for other in others]
        return [
            self._pair(who, other)
            for who, other in both
            if not fixed or any(who in cluster and other in cluster for cluster in fixed)
        ]

    def _pair(self, who: str, other: str) -> Pair:
        own, against = strengths(self.battle, who, other)
        troop, enemy = self.battle.units[who].troop, self.battle.units[other].troop
        mine, yours = total(own), total(against)
        return Pair(who, other, in_words(own, troop), in_words(against, enemy), mine, yours, ways(mine, yours))

    @property
    def fight(self) -> Fight | None:
        """The cluster at hand, while somebody has to decide about it."""
        return self.battle.at_hand if self.battle.phase in ("whom", "fall", "step") else None

    @property
    def giving_up(self) -> Side | None:
        """The side that offers surrender, while terms are made."""
        if self.battle.phase not in ("terms", "agree"):
            return None
        return next((side for side in SIDES if self.battle.intents.get(side) == "surrender"), None)


def view(state: State, viewer: Viewer) -> View:
    """The battle as one viewer sees it."""
    return View(state, tuple(seat for seat in state.seats if seat in viewer.seats), viewer.gm)


def vitals(view: View) -> tuple[Vital, ...]:
    """All units with their losses, in order of id."""
    return tuple(
        Vital(
            key=unit.key,
            name=view.full_name(unit.key),
            health=f"{unit.left} of {unit.men} men",
            conditions=("locked",) if unit.locked else (),
            able=not unit.gone,
            gone=bool(unit.gone),
            foe=unit.seat == GM,
        )
        for unit in view.battle.units.values()
    )
