"""The state of a skirmish: combatants, zones, who is beside whom, and what is left of the turn."""

from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import TypeAdapter

from app.engine.muster import usual_sides
from app.engine.refusal import refusal
from app.engine.ruleset import GM, Homebrew, Log, Setup
from app.engine.unused_names import free_key
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight.declarations import Attribute
from app.rulesets.skirmish.fight.settings import Settings
from app.rulesets.skirmish.sheet.catalogue import after_fight, gear_of
from app.rulesets.skirmish.sheet.foe_templates import TEMPLATES, FoeKind
from app.rulesets.skirmish.sheet.gear import UNARMED, Armour, Gear, Weapon
from app.rulesets.skirmish.sheet.muster import whole
from app.rulesets.skirmish.sheet.packing import slots_of
from app.rulesets.skirmish.sheet.sheets import (
    KILLS,
    MOST_FATIGUE,
    Carried,
    Foe,
    Placement,
    Reaction,
    Sheet,
    Side,
    SkirmishOpening,
    Wound,
    Zone,
)

FALLEN = frozenset({"dead", "out", "paralysed", "broken", "routed", "destroyed"})  # SKI-73
MOST_ARMOR = 3  # SKI-58
FIELD = Zone(key="field", name="the field")


@dataclass(slots=True)
class Possession:
    """One thing of somebody's; its key is unique in the scene. On the floor it lies in `zone`."""

    key: str
    gear: Gear
    held: Literal["main", "off", "worn", "pack", "floor", "gone"]
    spent: bool = False  # a crossbow not loaded, a bow not drawn
    zone: str = ""

    @property
    def at_hand(self) -> bool:
        return self.held in ("main", "off") or (isinstance(self.gear, Weapon) and self.gear.natural)


@dataclass(slots=True)
class Combatant:
    """Somebody in the fight; `seat` declares for him. `known` are the attributes that Tests have revealed."""

    key: str
    name: str
    seat: str
    side: Side
    pc: bool
    zone: str
    mgt: int
    mgt_max: int
    agi: int
    agi_max: int
    wil: int
    wil_max: int
    hp: int
    hp_max: int
    things: list[Possession]
    spells: list[Weapon]
    fatigue: int
    wounds: list[Wound]
    proficient: list[str]
    kills: dict[str, int]
    reactions: list[Reaction]
    critical: Literal["injury", "out"]
    aside: list[Carried] = field(default_factory=list)  # gear that nobody knows any more; the sheet keeps it
    group: str = ""  # of foes and allies; "": a character of a player
    leader: bool = False
    detachment: bool = False
    habit: str = "hold"
    hidden: bool = False
    shown: bool = False
    character: str = ""  # the campaign's id, if it is a campaign's character
    status: ev.Status | Literal[""] = ""
    known: list[Attribute] = field(default_factory=list)
    prone: bool = False
    stunned: bool = False
    shocked: bool = False  # the next AGI save of this turn fails
    bleeding: bool = False  # loses d4 MGT when his next turn begins
    odds: Literal["", "impaired", "enhanced"] = ""  # by the GM, until the turn is over

    @property
    def able(self) -> bool:
        return not self.status

    @property
    def armor(self) -> int:
        """What is worn, and a shield in hand, 3 at most (SKI-58)."""
        worn = sum(
            thing.gear.armor
            for thing in self.things
            if isinstance(thing.gear, Armour)
            and thing.held in (("main", "off") if thing.gear.type == "shield" else ("worn",))
        )
        return min(MOST_ARMOR, worn)

    @property
    def armour_types(self) -> set[str]:
        return {t.gear.type for t in self.things if isinstance(t.gear, Armour) and t.held in ("main", "off", "worn")}

    @property
    def weapons(self) -> list[Possession]:
        """What he can strike or shoot with now, the main hand first."""
        found = [t for t in self.things if isinstance(t.gear, Weapon) and t.at_hand]
        return sorted(
            found, key=lambda thing: ("main", "off").index(thing.held) if thing.held in ("main", "off") else 2
        )

    def weapon(self, key: str) -> Weapon | None:
        """A weapon in hand or a spell, by key; bare hands for ""; None: he does not have it now."""
        if not key:
            return UNARMED
        for thing in self.things:
            if thing.key == key:
                return thing.gear if isinstance(thing.gear, Weapon) and thing.at_hand else None
        return next((spell for spell in self.spells if spell.id == key), None)

    @property
    def slots_used(self) -> int:
        """Things, severe wounds and Fatigue (SKI-71)."""
        carried = sum(slots_of(t.gear) for t in self.things if t.held not in ("floor", "gone"))
        return carried + len(self.wounds) + self.fatigue

    @property
    def arm_hurt(self) -> bool:
        return any("arm" in wound.place and not wound.treated for wound in self.wounds)

    @property
    def health(self) -> str:
        """How he looks (SKI-39)."""
        if self.status:
            return "gone" if self.status in ("fled", "escaped", "removed") else self.status
        if self.mgt < self.mgt_max or self.wounds:
            return "wounded"
        return "unhurt" if self.hp >= self.hp_max else "shaken" if self.hp else "winded"

    def skilled(self, weapon: Weapon) -> bool:
        """Whether he knows the weapon's traits (SKI-85); foes know their own."""
        return not self.pc or weapon.id in self.proficient or self.kills.get(weapon.id, 0) >= KILLS


@dataclass(slots=True)
class Group:
    """The foes or allies who flee together: how many there were, and which triggers have come (SKI-72, SKI-74)."""

    key: str
    name: str
    side: Side
    start: int = 0
    triggers: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Line:
    """One line of the picture of a turn: what somebody tried on whom, and what came of it."""

    who: str
    to: str
    what: str  # attack, gambit, cast
    result: str = ""  # missed, hit, wounded, works, fails


@dataclass(slots=True)
class Now:
    """The newest opened turn, and what is left of it."""

    turn: int = 0
    free: bool = False
    declared: dict[str, ev.Declared] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)  # who -> number of the declaration's event
    call: Literal["odd", "even"] = "odd"
    caller: str = ""
    dice: tuple[int, int] = (0, 0)
    leads: Side | Literal[""] = ""
    initiative: int = 0  # number of its event
    verdicts: dict[str, ev.Ruled] = field(default_factory=dict)
    orders: dict[str, list[str]] = field(default_factory=dict)  # side -> who
    reactions: dict[str, ev.Reacted] = field(default_factory=dict)  # attack -> reaction
    reacted: dict[str, int] = field(default_factory=dict)  # attack -> number of its event
    queue: list[tuple[int, str, int]] = field(default_factory=list)  # still to do: group from 0, who, which action
    groups: list[tuple[Side, ev.Turn, list[str]]] = field(default_factory=list)
    group: int = 0  # of who acts now
    acting: int = 0  # number of the event with which somebody began to act
    paid: list[str] = field(default_factory=list)  # who has paid for this turn's reaction (reaction_scope = per_turn)
    best: dict[str, int] = field(default_factory=dict)  # "group/target" -> most damage (multi_attack = highest)
    lines: list[Line] = field(default_factory=list)
    about: list[str] = field(default_factory=list)  # what the open part of the turn asks about
    burned: bool = False  # the hazards of this turn have come
    morale: int = 0  # how often the GM was asked about morale in this turn
    brutal: list[str] = field(default_factory=list)  # whose end shakes their group whatever has come before
    wavering: list[str] = field(default_factory=list)  # who failed a morale save, and the GM has not said what follows


@dataclass(slots=True)
class State:
    settings: Settings
    combatants: dict[str, Combatant]  # in roster order: all ties use it
    zones: dict[str, Zone]
    close: list[tuple[str, str]]  # pairs who stand beside each other, each in roster order (SKI-12)
    groups: dict[str, Group]
    description: str
    seconds: int | None
    seats: list[str]
    start_zone: str
    phase: str = "before"  # before, ready, attitude, parley, declare, rule, order, react, act, morale, next, over
    turn: int = 1
    tries: int = 1
    desk: int = 1
    called: ev.DiceCalled | None = None  # what the GM said at the start, until its dice have fallen
    free: bool = False  # this turn is the free turn of those who surprise the others
    surprised: Side | Literal[""] = ""  # told when the free turn opens
    ambush: bool = False
    surprise: int = 0  # the face of the d6
    caller: str = ""
    now: Now = field(default_factory=Now)
    winner: str = ""
    words: str = ""
    own_gear: dict[str, Gear] = field(default_factory=dict)  # of the campaign when the scene began
    own_foes: dict[str, FoeKind] = field(default_factory=dict)  # those of them that the scene began with

    @property
    def own(self) -> Homebrew:
        """The campaign's own things, for newcomers."""
        return {"gear": self.own_gear, "foes": self.own_foes}

    @property
    def foe_kinds(self) -> dict[str, FoeKind]:
        """The kinds of foes that the GM may bring in."""
        return {**TEMPLATES, **self.own_foes}

    @property
    def places(self) -> dict[str, int]:
        """Each combatant's number in the roster."""
        return {key: number for number, key in enumerate(self.combatants)}

    def present(self) -> list[Combatant]:
        """Those who are able and in sight: the only ones on the field for any rule."""
        return [c for c in self.combatants.values() if c.able and not c.hidden]

    def enemies(self, who: Combatant) -> list[Combatant]:
        return [other for other in self.present() if other.side != who.side]

    def is_close(self, a: Combatant, b: Combatant) -> bool:
        """Beside each other; a detachment is beside everybody in its zone (SKI-12)."""
        if a.zone != b.zone or a.key == b.key:
            return False
        return a.detachment or b.detachment or pair(self, a.key, b.key) in self.close


def pair(state: State, a: str, b: str) -> tuple[str, str]:
    """The two in roster order."""
    order = list(state.combatants)
    return (a, b) if order.index(a) < order.index(b) else (b, a)


FightLog = Log[State, ev.Event]
STATE: TypeAdapter[State] = TypeAdapter(State)
COMBATANT: TypeAdapter[Combatant] = TypeAdapter(Combatant)


def combatant(key: str, sheet: Sheet, seat: str, side: Side, zone: str, settings: Settings, own: Homebrew) -> Combatant:
    """A combatant from a sheet; things and spells that neither the book nor the campaign has are left out."""
    pc = seat != GM
    foe = sheet if isinstance(sheet, Foe) else None
    carried = [(c, gear_of(c.gear, own)) for c in sheet.gear]
    found = [gear_of(spell, own) for spell in sheet.spells]
    usual = settings.critical_pc if pc else settings.critical_npc
    made = Combatant(
        key=key,
        name=sheet.name,
        seat=seat,
        side=side,
        pc=pc,
        zone=zone,
        mgt=sheet.mgt,
        mgt_max=sheet.mgt_max,
        agi=sheet.agi,
        agi_max=sheet.agi_max,
        wil=sheet.wil,
        wil_max=sheet.wil_max,
        hp=sheet.hp,
        hp_max=sheet.hp_max,
        things=[
            Possession(f"{key}-{number}", gear, c.held, bool(c.spent) or getattr(gear, "ready", "") == "draw")
            for number, (c, gear) in enumerate(carried, start=1)
            if gear is not None
        ],
        spells=[spell for spell in found if isinstance(spell, Weapon)],
        fatigue=sheet.fatigue,
        wounds=list(sheet.wounds),
        proficient=list(sheet.proficient),
        kills=dict(sheet.kills),
        reactions=["defend", "fight", "block", "dodge", "parry"] if pc else list(foe.reactions if foe else ()),
        critical=(foe.critical if foe and foe.critical else usual),
        aside=[c for c, gear in carried if gear is None],
        group="" if pc else (foe.group if foe and foe.group else sheet.name.rstrip("0123456789 ")),
        leader=bool(foe and foe.leader),
        detachment=bool(foe and foe.detachment),
        habit=foe.habit if foe else "attack",
        hidden=bool(foe and foe.hidden),
        shown=pc or bool(foe and foe.shown),
    )
    if made.slots_used >= settings.slots:
        made.hp = 0  # SKI-71
    return made


def group_of(who: Combatant) -> str:
    """The key of his group; "" for players' characters, who never save for morale (SKI-77)."""
    return "" if who.pc else f"{who.side}/{who.group}"


def start(setup: Setup[Sheet, Settings]) -> State:
    """The fight before its first turn (SKI-14)."""
    given = SkirmishOpening.model_validate(setup.brief.given or {})
    zones = {zone.key: zone for zone in given.zones} or {FIELD.key: FIELD}
    first, last = next(iter(zones)), list(zones)[-1]
    ours = given.start if given.start in zones else first
    theirs = given.foes_start if given.foes_start in zones else last
    sides = usual_sides(setup.brief, "company", "foes", foes=bool(given.foes))
    made: dict[str, Combatant] = {}
    for seat, keys in setup.brief.seats.items():
        for key in keys:
            side: Side = "company" if seat != GM or sides[key] == "company" else "foes"
            zone = ours if side == "company" else theirs
            made[key] = combatant(key, setup.sheets[key], seat, side, zone, setup.settings, setup.own)
            made[key].character = key
    for foe in (whole(named, setup.own) for named in given.foes):
        key = free_key(made, foe.key)
        zone = foe.zone if foe.zone in zones else theirs if foe.side == "foes" else ours
        made[key] = combatant(key, foe, GM, foe.side, zone, setup.settings, setup.own)
    if not any(c.pc for c in made.values()):
        raise refusal("A skirmish needs at least one character of a player.")
    state = State(
        settings=setup.settings,
        combatants=made,
        zones=zones,
        close=[],
        groups={},
        description=given.description,
        seconds=given.seconds,
        seats=[str(seat) for seat in setup.brief.seats],
        start_zone=ours,
        phase="declare" if given.at_once else "before",
        own_gear=dict(setup.own.get("gear", {})),
        own_foes=dict(setup.own.get("foes", {})),
    )
    for one in made.values():
        count_in(state, one)
    state.caller = next_caller(state)
    return state


def count_in(state: State, who: Combatant) -> None:
    """Counts somebody in sight into his group's number (SKI-72)."""
    key = group_of(who)
    if key and not who.hidden:
        group = state.groups.setdefault(key, Group(key, who.group, who.side))
        group.start += 1


def next_caller(state: State) -> str:
    """The next able character of a player in roster order, after the last caller; "": none is left (SKI-22)."""
    order = list(state.combatants)
    behind = order.index(state.caller) + 1 if state.caller in order else 0
    turned = [state.combatants[key] for key in (*order[behind:], *order[:behind])]
    return next((c.key for c in turned if c.pc and c.able), "")


def sheet_of(c: Combatant) -> dict[str, Any]:
    """What the fight leaves on a sheet; what lies on the floor is picked up again by whoever is there to do so.

    A GM's corrections and what was picked up never make a sheet that can't be read.
    """
    there = [Carried(gear=t.gear.id, held=_held(t), spent=t.spent) for t in c.things if t.held != "gone"]
    gear = after_fight([*there, *c.aside], {"gear": {t.gear.id: t.gear for t in c.things}})
    return {
        "mgt": min(c.mgt, c.mgt_max),
        "agi": min(c.agi, c.agi_max),
        "wil": min(c.wil, c.wil_max),
        "hp": min(c.hp, c.hp_max),
        "fatigue": min(c.fatigue, MOST_FATIGUE),
        "gear": [one.model_dump(mode="json") for one in gear],
        "wounds": [wound.model_dump(mode="json") for wound in c.wounds],
        "kills": dict(c.kills),
        "dead": c.status == "dead",
    }


def _held(thing: Possession) -> Placement:
    return thing.held if thing.held in ("main", "off", "worn") else "pack"
