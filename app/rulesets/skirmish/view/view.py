"""A viewer's view of a skirmish. Templates, forms and `check` use only this."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.engine.ruleset import Viewer
from app.rulesets.skirmish.fight import legal
from app.rulesets.skirmish.fight.declarations import Gambit
from app.rulesets.skirmish.fight.incoming import odd_gambits, orders
from app.rulesets.skirmish.fight.odds import Odds
from app.rulesets.skirmish.fight.state import Combatant, State
from app.rulesets.skirmish.fight.viewer_state import full, state_for
from app.rulesets.skirmish.sheet import sketch
from app.rulesets.skirmish.sheet.foe_templates import the
from app.rulesets.skirmish.sheet.gear import UNARMED
from app.rulesets.skirmish.sheet.sheet_state import wounded
from app.rulesets.skirmish.sheet.sheets import Side, Zone
from app.rulesets.skirmish.sheet.wording import armed, item, readied
from app.rulesets.skirmish.view import habits, picture
from app.rulesets.skirmish.view.options import Choice, Incoming, Options, incoming, options

GAMBITS: Mapping[Gambit, str] = {
    "shove": "shoves",
    "disarm": "disarms",
    "trip": "trips",
    "stun": "stuns",
    "other": "tries something on",
}


@dataclass(frozen=True, slots=True)
class Who:
    """A combatant as seen; numbers are None if the viewer does not know them."""

    key: str
    name: str
    letter: str  # a: the company, b: the foes; the side's shape and colour
    side: Side
    pc: bool
    mine: bool
    able: bool
    hidden: bool
    detachment: bool
    zone: str
    health: str  # in words: unhurt, shaken, wounded, dead, fled, …
    hp: int | None
    hp_max: int | None
    mgt: int | None
    agi: int | None
    wil: int | None
    armor: int
    weapons: tuple[str, ...]  # names of what is in hand
    conditions: tuple[str, ...]  # prone, stunned, "1 Fatigue", "wounds: torso (2) and left arm", …
    close: tuple[str, ...]  # who is beside them
    slots: int | None  # filled
    shown: bool = False
    group: str = ""
    leader: bool = False
    habit: str = ""
    character: str = ""


@dataclass(frozen=True, slots=True)
class View:
    turn: int
    phase: str
    free: bool  # a free turn after a surprise
    is_gm: bool
    description: str
    seconds: int | None
    settings: dict[str, Any]
    fighters: dict[str, Who]
    zones: dict[str, Zone]
    known: State
    mine: tuple[str, ...]  # the viewer's combatants who can act, in roster order
    caller: str  # whose odd or even it is this turn
    options: dict[str, Options]
    incoming: tuple[Incoming, ...]  # against the viewer's own
    hand: dict[str, dict[str, Any]]  # suggestions of habits for the GM's combatants
    odd_gambits: tuple[tuple[str, str, str], ...]  # who, target, words: what the GM rules on
    orders: dict[str, tuple[str, ...]]  # side -> who act, for the side's order
    wavering: tuple[str, ...]
    standing: tuple[Side, ...]  # sides with somebody able in sight
    call: str
    dice: tuple[int, int]  # the caller's and the GM's, of the newest turn; (0, 0) before
    leads: str
    groups: tuple[tuple[Side, str, tuple[str, ...]], ...]  # who acts when in the newest turn
    to_act: tuple[str, ...]
    picture: picture.Picture
    winner: str
    words: str
    templates: dict[str, Any] = field(default_factory=dict)
    sketch: str = ""  # of the field, for the GM

    def name(self, key: str) -> str:
        """A combatant's name in a row or on a token; "someone" for an unseen one."""
        return self.fighters[key].name if key in self.fighters else "someone"

    def the(self, key: str) -> str:
        """A combatant's name within a sentence: "the goblin mob", "Maren"."""
        who = self.fighters.get(key)
        return the(self.name(key), pc=who is None or who.pc)

    def armed(self, name: str) -> str:
        """A weapon's or a spell's name behind "with": "a longsword", "bare hands"."""
        return armed(name)

    def thing(self, name: str) -> str:
        """A thing's name behind "the"."""
        return item(name)

    def zone_name(self, key: str) -> str:
        return self.zones[key].name if key in self.zones else "another place"

    def foes(self, key: str) -> list[Who]:
        side = self.fighters[key].side
        return [who for who in self.fighters.values() if who.able and who.side != side]

    def item_name(self, key: str) -> str:
        for c in self.known.combatants.values():
            for thing in c.things:
                if thing.key == key:
                    return thing.gear.name
        return key or UNARMED.name

    def items_for(self, key: str, then: bool) -> tuple[Choice, ...]:
        """What somebody can ready; after a move also what lies in other zones."""
        items, here = self.options[key].items, self.fighters[key].zone
        if not then:
            return items
        lying = [t for c in self.known.combatants.values() for t in c.things if t.held == "floor" and t.zone != here]
        return items + tuple(Choice(t.key, f"the {t.gear.name} ({self.zone_name(t.zone)})") for t in lying)

    def gambit_odds(self, key: str) -> Odds | None:
        """The chances of a gambit's Test, which is made as if with the main weapon (SKI-54)."""
        thing = legal.usual_arm(self.known.combatants[key]).thing
        return next((one for one in self.options[key].odds if one.weapon == (thing.key if thing else "")), None)

    def act(self, typed: Mapping[str, Any]) -> str:
        """A turn in words, as a form spells it: "moves to the gate, then attacks Og with a longsword"."""
        first = self.deed(typed.get("first") or {})
        if typed.get("turn") != "full":
            return first
        then = typed.get("then") or {}
        return first if then.get("do", "hold") == "hold" else f"{first}, then {self.deed(then)}"

    def deed(self, said: Mapping[str, Any]) -> str:
        """One action in words; "…" stands for what is not chosen."""
        target = self.the(said["target"]) if said.get("target") else "…"
        match said.get("do", "hold"):
            case "attack":
                second = f" and {armed(self.item_name(said['second']))}" if said.get("second") else ""
                return f"attacks {target} with {armed(self.item_name(said.get('weapon', '')))}{second}"
            case "cast":
                return f"casts {armed(self.spell_name(said.get('spell', '')))} at {target}"
            case "gambit":
                return f"{GAMBITS.get(said.get('gambit', 'shove'), 'tries something on')} {target}"
            case "move" | "withdraw" | "retreat" as do:
                where = self.zone_name(said["zone"]) if said.get("zone") else "…"
                beside = f", beside {self.the(said['close'])}" if said.get("close") and do == "move" else ""
                words = {"move": "moves to", "withdraw": "withdraws carefully to", "retreat": "retreats toward"}
                return f"{words[do]} {where}{beside}"
            case "ready":
                return f"readies the {item(self.item_name(said['item']))}" if said.get("item") else "readies …"
            case _:
                return "holds"

    def spell_name(self, key: str) -> str:
        for c in self.known.combatants.values():
            for spell in c.spells:
                if spell.id == key:
                    return spell.name
        return "…"


def view(state: State, viewer: Viewer) -> View:
    """The fight as this viewer may know it."""
    seen = state_for(state, viewer)
    mine = tuple(c.key for c in seen.combatants.values() if c.seat in viewer.seats and c.able)
    now = seen.now
    return View(
        turn=state.turn,
        phase=state.phase,
        free=state.free,
        is_gm=viewer.gm,
        description=state.description,
        seconds=state.seconds,
        settings=state.settings.model_dump(),
        fighters={key: _who(seen, c, viewer) for key, c in seen.combatants.items()},
        zones=dict(state.zones),
        known=seen,
        mine=mine,
        caller=state.caller,
        options={key: options(seen, seen.combatants[key]) for key in mine},
        incoming=incoming(seen, viewer) if state.phase == "react" else (),
        hand=habits.hand(state) if viewer.gm else {},
        odd_gambits=odd_gambits(state) if viewer.gm and state.phase == "rule" else (),
        orders=orders(seen) if state.phase == "order" else {},
        wavering=tuple(now.wavering) if viewer.gm else (),
        standing=tuple(dict.fromkeys(c.side for c in seen.present())),
        call=now.call,
        dice=now.dice,
        leads=now.leads,
        groups=tuple((side, turn, tuple(order)) for side, turn, order in now.groups),
        to_act=tuple(dict.fromkeys(who for _, who, _ in now.queue)),
        picture=picture.draw(seen),
        winner=state.winner,
        words=state.words,
        templates=state.foe_kinds if viewer.gm else {},
        sketch=sketch.write(state.zones.values()) if viewer.gm else "",
    )


def _who(state: State, c: Combatant, viewer: Viewer) -> Who:
    own = full(c, viewer)

    def number(part: str) -> int | None:
        return int(getattr(c, part)) if own or part in c.known else None

    beside = [one for two in state.close if c.key in two for one in two if one != c.key]
    return Who(
        key=c.key,
        name=c.name,
        letter="a" if c.side == "company" else "b",
        side=c.side,
        pc=c.pc,
        mine=c.seat in viewer.seats,
        able=c.able,
        hidden=c.hidden,
        detachment=c.detachment,
        zone=c.zone,
        health=c.health,
        hp=c.hp if own else None,
        hp_max=c.hp_max if own else None,
        mgt=number("mgt"),
        agi=number("agi"),
        wil=number("wil"),
        armor=c.armor,
        weapons=tuple(t.gear.name for t in c.weapons),
        conditions=_conditions(c, own=own),
        close=tuple(beside),
        slots=c.slots_used if own else None,
        shown=c.shown and viewer.gm,
        group=c.group if viewer.gm else "",
        leader=c.leader and viewer.gm,
        habit=c.habit if viewer.gm else "",
        character=c.character if viewer.gm else "",
    )


def _conditions(c: Combatant, *, own: bool) -> tuple[str, ...]:
    said = [word for word in ("prone", "stunned") if getattr(c, word)]
    said += wounded(c.wounds)
    said += ["bleeding"] if c.bleeding else []
    said += [f"{c.odds} this turn"] if c.odds else []
    said += [f"{c.fatigue} Fatigue"] if own and c.fatigue else []
    said += [f"{t.gear.name} not {readied(t.gear)}" for t in c.weapons if t.spent]
    return tuple(said)
