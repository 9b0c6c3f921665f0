"""A viewer's view of a battle. Everything in it is public; only what the viewer may decide differs (CHR-FLO-09).

Pages and cases take units in words, reach, targets and odds from its properties, worked out when they are asked for.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import prod
from typing import get_args

from app.engine.gm_desk import Vital
from app.engine.options import Choice
from app.engine.ruleset import GM, Viewer
from app.rulesets.chronicle.checks import WAYS, ways
from app.rulesets.chronicle.mass import clusters, labels, melee, moving, picture, placing, shooting
from app.rulesets.chronicle.mass.events import Fell, Moved, Stepped
from app.rulesets.chronicle.mass.field_text import FIELDS, read_field, ready_made, spell_field
from app.rulesets.chronicle.mass.hexes import spans, spell
from app.rulesets.chronicle.mass.idle import idle
from app.rulesets.chronicle.mass.melee import strengths
from app.rulesets.chronicle.mass.placing import Line
from app.rulesets.chronicle.mass.state import SIDES, Fight, Side, State
from app.rulesets.chronicle.mass.strength import in_words, total
from app.rulesets.chronicle.mass.telling import Telling
from app.rulesets.chronicle.mass.troops import TROOPS, Troop

KINDS = ("closed", "impassable")
ARRANGEMENTS: tuple[placing.Arrange, ...] = ("", *get_args(placing.Arrangement))


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
    movement: int
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
class Clash:
    """A cluster as it stands: the pairs that roll, and the chance of the one who fights alone to win all of them."""

    number: int
    keys: tuple[str, ...]
    lone: str
    many: tuple[str, ...]
    pairs: tuple[Pair, ...]
    chance: float


@dataclass(frozen=True, slots=True)
class Odds:
    """A fight's label on the map: its chance, its middle, and where its line ends at the unit next to it."""

    keys: tuple[str, ...]
    chance: float
    at: picture.Point
    near: picture.Point
    words: int  # the middle of the chance, from west to east


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a unit can go: hexes in words, and those next to an enemy, where it stops, by enemy."""

    steps: int  # at most
    hexes: str
    meets: dict[str, str]


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
                unit.troop, unit.kind.movement, unit.men, unit.losses, unit.left,
                spell(unit.hex) if unit.hex else "", unit.stamp, unit.moved,
                unit.locked, unit.key in engaged, unit.quick, unit.gone,
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
    def stranded(self) -> frozenset[str]:
        """The units of the movement phase that have no way."""
        return frozenset(key for key, hexes in self.reach.items() if len(hexes) < 2)

    @property
    def idle(self) -> list[str]:
        """Who has nothing to do now, and what comes next."""
        return idle(self.battle)

    def reach_of(self, key: str) -> Reach:
        """The reach of a unit of the movement phase."""
        battle = self.battle
        passage, unit = battle.passage(key), battle.units[key]
        hexes = [hex for hex in passage.reach(unit.at, unit.kind.movement) if hex != unit.at]
        near = {one: [hex for hex in hexes if battle.ground.adjacent(hex, at)] for one, at in battle.hexes().items()}
        meets = {one: spans(near[one]) for one in near if near[one] and battle.units[one].side != unit.side}
        return Reach(unit.kind.movement, spans(hexes), meets)

    @property
    def targets(self) -> dict[str, list[str]]:
        """For each unit that may shoot its targets, the nearest first."""
        return shooting.shooters(self.battle) if self.battle.phase == "targets" else {}

    @property
    def arrangements(self) -> dict[placing.Arrange, str]:
        """The arrangements of the army that is placed now, each with the hexes it comes to; "": the usual ones."""
        battle = self.battle
        side = placing.placer(battle)
        found = {how: placing.placed(battle, side, {}, how) for how in ARRANGEMENTS}
        return {how: spans(hex for hex in at.values() if hex) for how, at in found.items()}

    @property
    def usual(self) -> dict[str, str]:
        """The usual hex of each unit of the army that is placed now."""
        battle = self.battle
        at = placing.placed(battle, placing.placer(battle), {}, "")
        return {key: spell(hex) for key, hex in at.items() if hex}

    @property
    def arranged(self) -> str:
        """For the field's script: the first hexes of each arrangement, and all where the side that places may stand."""
        battle = self.battle
        side = placing.placer(battle)
        most = 2 * len(battle.of(side))  # a form may name as many as it has units, and they are left out
        spots = {how: " ".join(map(spell, placing.arranged(battle, side, how)[:most])) for how in ARRANGEMENTS}
        return json.dumps({"arranged": spots, "zone": " ".join(self.zone)})

    @property
    def zone(self) -> list[str]:
        """The hexes where the side that places now may stand."""
        battle = self.battle
        return [spell(hex) for hex in placing.zone(battle, placing.placer(battle))] if battle.phase == "place" else []

    @property
    def zone_border(self) -> str:
        """The line around the part of the map where the attackers may stand, once a row divides it."""
        battle = self.battle
        if battle.phase != "place" or not battle.line or placing.is_first(battle, placing.placer(battle)):
            return ""
        return picture.border([hex for hex in battle.ground if battle.line.beyond(hex) >= 0])

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

    @property
    def clashes(self) -> list[Clash]:
        """The clusters that have not fought yet, as they are or would be, with their odds."""
        battle, pairs = self.battle, self.pairs
        fought = battle.phase in ("fight", "whom", "fall", "step", "close")
        return [
            self._clash(number, cluster, [pair for pair in pairs if {pair.who, pair.other} <= set(cluster)])
            for number, cluster in enumerate(self.proposed, 1)
            if all(battle.units[key].here for key in cluster) and not (fought and cluster not in battle.waiting)
        ]

    @property
    def usual_order(self) -> list[str]:
        """The numbers of the clusters in the order in which they fight if nobody decides."""
        return melee.usual_order(self.battle)

    def _clash(self, number: int, cluster: tuple[str, ...], pairs: list[Pair]) -> Clash:
        own = [key for key in cluster if self.battle.units[key].side == self.battle.proactive]
        others = [key for key in cluster if key not in own]
        lone, many = (own[0], others) if len(own) == 1 else (others[0], own)
        wins = ((pair.ways if pair.who == lone else WAYS - pair.ways) / WAYS for pair in pairs)
        return Clash(number, cluster, lone, tuple(many), tuple(pairs), prod(wins))

    @property
    def duels(self) -> str:
        """For the field's script: the ways of 640 in which each unit of the proactive side wins against each enemy next
        to it: as neither, only the enemy, only the unit, or both are flanked; and what clusterings are legal.
        """
        battle = self.battle
        found = {
            f"{who} {other}": [
                ways(
                    total(melee.against(battle, who, other, flanked=one)),
                    total(melee.against(battle, other, who, flanked=two)),
                )
                for one, two in self._flanks(who, other)
            ]
            for who, others in battle.engaged().own.items()
            for other in others
        }
        simple = clusters.simplest(battle.engaged(), battle.settings.cluster_minimality)
        return json.dumps(
            {"side": battle.proactive, "army": battle.names[battle.proactive], "ways": found}
            | dict(zip(("most", "largest", "pairs"), simple, strict=True))
        )

    def _flanks(self, who: str, other: str) -> list[tuple[bool, bool]]:
        if self.battle.settings.cavalry_flank_scope == "board":  # clusters do not matter
            return [(melee.is_flanked(self.battle, who), melee.is_flanked(self.battle, other))] * 4
        return [(False, False), (False, True), (True, False), (True, True)]

    def _pair(self, who: str, other: str) -> Pair:
        own, against = strengths(self.battle, who, other)
        troop, enemy = self.battle.units[who].troop, self.battle.units[other].troop
        mine, yours = total(own), total(against)
        return Pair(who, other, in_words(own, troop), in_words(against, enemy), mine, yours, ways(mine, yours))

    @property
    def drawing(self) -> picture.Ground:
        """The field without units."""
        return picture.ground(self.battle.ground)

    @property
    def map_text(self) -> str:
        """The field as text, for its script."""
        return spell_field(self.battle.ground)

    @property
    def spots(self) -> dict[str, tuple[int, int]]:
        """The middle of each unit on the map, row by row: the number of each is drawn over those before it."""
        there = self.battle.hexes()
        return {key: picture.centre(there[key]) for key in sorted(there, key=lambda key: there[key])}

    def labelled(self, clashes: Sequence[Clash]) -> list[Odds]:
        """The chances of some fights for the side whose chances the viewer reads, where they are written on the map."""
        hexes, drawn = self.battle.hexes(), self.drawing
        fights = [[hexes[key] for key in clash.keys if key in hexes] for clash in clashes]
        numbered = labels.NUMBER if self.battle.phase == "order" else 0
        places = labels.beside(fights, hexes.values(), (drawn.wide, drawn.high), labels.WIDE + numbered)
        found = list[Odds]()
        for clash, fight, (x, y) in zip(clashes, fights, places, strict=True):
            ours = self.battle.units[clash.lone].side == self.reads_for
            spots = [picture.centre(hex) for hex in fight]
            chance = clash.chance if ours else 1 - clash.chance
            found.append(Odds(clash.keys, chance, (x, y), labels.line_end((x, y), spots), x + numbered // 2))
        return found

    @property
    def reads_for(self) -> Side:
        """The side whose chances the viewer reads: their own, else the proactive one."""
        return self.commands[0] if self.commands else self.battle.proactive

    def around(self, keys: Collection[str]) -> str:
        """The line around the hexes of some units."""
        hexes = self.battle.hexes()
        return picture.border([hexes[key] for key in keys if key in hexes])

    def went(self, event: Moved | Fell | Stepped) -> str:
        """The line on which a unit went."""
        return picture.way([event.start, *(event.way if isinstance(event, Moved) else [event.to])])

    @property
    def grounds(self) -> dict[str, str]:
        """The map in words: hexes by kind of ground, by level, and barriers."""
        field = self.battle.ground
        levels = sorted(set(field.levels.values()))
        found = {kind.capitalize(): [hex for hex in field if field.kind(hex) == kind] for kind in KINDS}
        found |= {f"Height {level}": [hex for hex in field if field.level(hex) == level] for level in levels if level}
        between = {kind: [one for one in field.barriers if one.kind == kind] for kind in ("soft", "hard")}
        walls = {
            f"{kind.capitalize()} barriers": ", ".join(
                f"{spell(one.one)} {'outwards to' if one.one_way else 'to'} {spell(one.other)}" for one in both
            )
            for kind, both in between.items()
        }
        return {what: spans(hexes) for what, hexes in found.items() if hexes} | {k: v for k, v in walls.items() if v}

    def quick_count(self, side: Side) -> int:
        """How many units of a side are quick."""
        return moving.quick_count(self.battle, side)

    def fastest(self, side: Side) -> list[str]:
        """The quick units of a side that does not choose."""
        return moving.fastest(self.battle, side)

    def of(self, side: Side) -> list[str]:
        """The units of a side that are still in the battle."""
        return [unit.key for unit in self.battle.of(side)]

    @property
    def placed_where(self) -> str:
        """Where the army that is placed now may stand, in words."""
        battle = self.battle
        if placing.is_first(battle, placing.placer(battle)):
            return "Anywhere on the map that is not Impassable."
        if not battle.line:
            return "Anywhere on the map, next to the enemy too."
        army = [unit.at for unit in battle.of(battle.defender) if unit.here]
        return f"On the row {placing.row_in_words(battle.line, army)}, or beyond it; next to the enemy too."

    @property
    def room_back(self) -> dict[str, tuple[Choice, ...]]:
        """The hexes to which each loser may fall back, the lowest first."""
        room = melee.room_back(self.battle)
        return {key: tuple(Choice(spell(hex), spell(hex), spell(hex)) for hex in hexes) for key, hexes in room.items()}

    @property
    def fields(self) -> dict[str, picture.Ground]:
        """The battlefields to choose from, drawn: those that are ready-made, and those of the campaign."""
        found = {key: ready_made(key) for key in FIELDS}
        found |= {key: read_field(one.map) for key, one in self.battle.offered.items()}
        return {key: picture.ground(field) for key, field in found.items()}

    @property
    def troops(self) -> dict[str, Troop]:
        return TROOPS

    @property
    def beaten(self) -> tuple[str, ...]:
        """The units that have lost the fight at hand, and have still to fall back."""
        return tuple(self.fight.losers) if self.fight and self.battle.phase in ("whom", "fall") else ()

    @property
    def fight(self) -> Fight | None:
        """The cluster at hand, while somebody has to decide about it."""
        return self.battle.at_hand if self.battle.phase in ("whom", "fall", "step") else None


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
