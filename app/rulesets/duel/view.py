"""A viewer's view of a duel. Everything is public except the choices of an open step."""

from dataclasses import dataclass
from typing import Any

from app.engine import sentences
from app.engine.ruleset import GM, Viewer
from app.rulesets.duel import legal
from app.rulesets.duel.clash import effective_cost
from app.rulesets.duel.data import ABILITIES, ACTIONS, TRAITS, Ability, Action
from app.rulesets.duel.legal import Role, Standing
from app.rulesets.duel.opponents import OPPONENTS
from app.rulesets.duel.state import Fighter, State

KINDS = frozenset(one.name for one in OPPONENTS.values() if not one.name.startswith("The "))


@dataclass(frozen=True, slots=True)
class Option:
    """One action of a fighter: its cost now, whether it may be chosen, and why not."""

    action: Action
    cost: int
    why_not: str
    opener_helps: bool  # Surprise! would make it an Opener, and legal

    @property
    def usable(self) -> bool:
        return not self.why_not or self.opener_helps


@dataclass(frozen=True, slots=True)
class Who:
    """A fighter as everyone sees him."""

    key: str
    name: str
    letter: str  # a: first-listed, b: second-listed
    mine: bool
    hp: int
    hp_max: int
    stamina: int
    stamina_max: int
    npc: bool  # the GM plays one of the book's opponents
    half: str  # high, low, "": not decided yet
    role: str  # offence, defence, "": not decided yet
    must_rest: bool
    abilities: tuple[Ability, ...]
    known: tuple[Action, ...]
    opportunity: int
    discombobulated: int
    bouts: int


@dataclass(frozen=True, slots=True)
class View:
    phase: str
    is_gm: bool
    description: str
    settings: dict[str, Any]
    bout: int
    clash: int
    to_win: int
    faces: int  # of the momentum die
    die: int  # 0: not set yet
    fighters: dict[str, Who]
    offence: str
    combo: int
    calm: int
    mine: tuple[str, ...]
    options: dict[str, tuple[Option, ...]]  # for each of mine who may choose now
    copies: dict[str, tuple[Action, ...]]  # for each of them with Ditto: the actions that may be copied
    can_name: dict[str, tuple[Ability, ...]]  # abilities that an action with Ability may name
    played: dict[str, str]  # revealed actions of a clash that is not resolved yet
    winner: str
    why: str
    rounds: tuple[str, ...]

    def name(self, key: str) -> str:
        return self.fighters[key].name if key in self.fighters else key

    def the(self, key: str) -> str:
        """A fighter's name within a sentence: "the street dancer", "Mira"."""
        npc = key in self.fighters and self.fighters[key].npc
        return sentences.the(self.name(key), KINDS if npc else ())

    def opponent(self, key: str) -> str:
        """The key of the other fighter."""
        return next(one for one in self.fighters if one != key)

    def action_name(self, key: str) -> str:
        return ACTIONS[key].name if key in ACTIONS else key

    def action_cost(self, key: str) -> int:
        """The cost on the action's card, before anything is added."""
        return ACTIONS[key].cost if key in ACTIONS else 0

    def ability_name(self, key: str) -> str:
        return ABILITIES[key].name if key in ABILITIES else key

    def traits(self, action: Action) -> list[tuple[str, str]]:
        """An action's traits as a card shows them: "Damage 3" and its meaning."""
        return [
            (f"{TRAITS[key].name} {number}" if number else TRAITS[key].name, TRAITS[key].words)
            for key, number in action.traits
            if key != "basic"
        ]

    def options_of(self, key: str, action: str) -> Option | None:
        return next((one for one in self.options.get(key, ()) if one.action.key == action), None)


def view(state: State, viewer: Viewer) -> View:
    """The duel as this viewer may know it."""
    mine = tuple(key for key, one in state.fighters.items() if one.seat in viewer.seats)
    choosing = state.phase in ("initial", "clash")
    return View(
        phase=state.phase,
        is_gm=viewer.gm,
        description=state.description,
        settings=state.settings.model_dump(),
        bout=state.bout,
        clash=state.clash,
        to_win=state.settings.to_win,
        faces=state.settings.die,
        die=state.die,
        fighters={key: _who(state, one, key in mine) for key, one in state.fighters.items()},
        offence=state.offence,
        combo=state.combo,
        calm=state.calm,
        mine=mine,
        options={key: options(state, key) for key in mine} if choosing else {},
        copies={key: copies(state, key) for key in mine if _copies_now(state, key)},
        can_name={key: tuple(a for a in ABILITIES.values() if not state.fighters[key].has(a.key)) for key in mine},
        played={key: move.action for key, move in state.moves.items()},
        winner=state.winner,
        why=state.why,
        rounds=tuple(state.rounds),
    )


def role(state: State, key: str) -> Role:
    if not state.offence:
        return "initial"
    return "offence" if key == state.offence else "defence"


def standing(state: State, key: str) -> Standing:
    """Everything that decides which actions a fighter may choose now."""
    one = state.fighters[key]
    return Standing(role(state, key), state.combo, one.must_rest, one.has("surprise"))


def options(state: State, key: str) -> tuple[Option, ...]:
    """All of a fighter's actions, also those that cannot be chosen, in the order he knows them."""
    one, now = state.fighters[key], standing(state, key)
    found = []
    for name in one.actions:
        action = ACTIONS[name]
        reason = legal.why_not(action, now)
        helps = bool(reason) and now.surprise and not legal.why_not(action, now, "opener") and not action.opener
        found.append(Option(action, effective_cost(one, name), reason, helps))
    return tuple(found)


def _copies_now(state: State, key: str) -> bool:
    return state.phase == "ditto" and key in state.moves and ACTIONS[state.moves[key].action].ditto


def copies(state: State, key: str) -> tuple[Action, ...]:
    """Other actions that a fighter could legally use now (DUE-52), with the combo as before his own action."""
    one, now = state.fighters[key], standing(state, key)
    counted = now.role == "offence" and ACTIONS[state.moves[key].action].kind == "offence"
    now = Standing(now.role, state.combo - counted, False, now.surprise)
    known = (ACTIONS[name] for name in one.actions)
    return tuple(action for action in known if not action.ditto and not legal.why_not(action, now))


def _who(state: State, one: Fighter, mine: bool) -> Who:
    half = "" if not state.high else "high" if one.key == state.high else "low"
    return Who(
        key=one.key,
        name=one.name,
        letter="a" if one.key == state.order[0] else "b",
        mine=mine,
        hp=one.hp,
        hp_max=one.hp_max,
        stamina=one.stamina,
        stamina_max=one.stamina_max,
        npc=one.seat == GM and not one.character,
        half=half,
        role="" if not state.offence else "offence" if one.key == state.offence else "defence",
        must_rest=one.must_rest,
        abilities=tuple(ABILITIES[key] for key in (*one.abilities, *([one.named] if one.named else []))),
        known=tuple(ACTIONS[key] for key in one.actions),
        opportunity=one.opportunity,
        discombobulated=one.discombobulated,
        bouts=one.bouts,
    )
