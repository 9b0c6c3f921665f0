"""The state of a duel: the fold of its events."""

from dataclasses import dataclass, field
from typing import Literal, assert_never

from pydantic import TypeAdapter

from app.engine.refusal import refusal
from app.engine.ruleset import GM, Log, LoggedEvent, Setup
from app.rulesets.duel import events as ev
from app.rulesets.duel.data import ACTIONS
from app.rulesets.duel.opponents import OPPONENTS
from app.rulesets.duel.settings import Settings
from app.rulesets.duel.sheets import Given, Sheet, in_list_order

Phase = Literal["halves", "roll", "initial", "combo", "clash", "ditto", "stalled", "over"]


@dataclass(slots=True)
class Move:
    """A fighter's action in this clash, once it is open."""

    action: str
    cost: int
    rage: int = 0
    add: str = ""
    ability: str = ""
    copied: str = ""


@dataclass(slots=True)
class Fighter:
    key: str
    name: str
    seat: str
    hp: int
    hp_max: int
    hp_start: int  # of each bout of a match
    stamina: int
    step: int  # on the stamina ladder
    stamina_max: int
    actions: tuple[str, ...]
    abilities: tuple[str, ...]
    character: bool = True
    sheet_name: str = ""
    named: str = ""  # an ability named for the current combo (DUE-51)
    opportunity: int = 0
    discombobulated: int = 0  # added to the cost of his next action
    bouts: int = 0  # won in this match

    def has(self, ability: str) -> bool:
        return ability in self.abilities or ability == self.named

    @property
    def must_rest(self) -> bool:
        """DUE-35."""
        return self.stamina < 1


@dataclass(slots=True)
class State:
    settings: Settings
    description: str
    order: tuple[str, str]  # first-listed, second-listed
    fighters: dict[str, Fighter]
    phase: Phase = "halves"
    bout: int = 1
    clash: int = 1
    high: str = ""  # the owner of the upper half
    die: int = 0  # 0: not set yet
    offence: str = ""
    combo: int = 0  # actions in the running combo; 0: none runs
    calm: int = 0  # clashes in a row in which no HP changed
    harmed: bool = False  # whether HP changed in this clash
    stalls: int = 0  # how often the referee has been asked
    dittos: int = 0  # clashes that stayed open while a fighter chose what to copy
    moves: dict[str, Move] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)  # fighter -> number of the event that opened this clash's action
    winner: str = ""
    why: str = ""
    rounds: list[str] = field(default_factory=list)  # winners of past bouts, "": a draw
    records: dict[str, dict[str, int]] = field(default_factory=dict)  # past duels: won, lost, drawn

    def other(self, who: str) -> str:
        return self.order[1] if who == self.order[0] else self.order[0]

    @property
    def low(self) -> str:
        return self.other(self.high) if self.high else ""

    @property
    def defence(self) -> str:
        return self.other(self.offence) if self.offence else ""

    def owner(self, die: int) -> str:
        """The owner of the half that contains this face of the momentum die."""
        return self.high if die > self.settings.die // 2 else self.low


STATE: TypeAdapter[State] = TypeAdapter(State)
RECORD: TypeAdapter[dict[str, int]] = TypeAdapter(dict[str, int])
NONE = {"won": 0, "lost": 0, "drawn": 0}


def start(setup: Setup[Sheet, Settings]) -> State:
    """Two fighters with full stamina and their current HP (DUE-04, DUE-67), in the order of the list."""
    if setup.settings.tree_mode == "list":
        for sheet in setup.sheets.values():
            house = setup.settings.house_actions == "on"
            if not in_list_order(sheet.unlocks, house=house):
                why = "has unlocked an entry out of order; this table goes through each tree in the order of its list."
                raise refusal(f"{sheet.name} {why}")
    given = Given.model_validate(setup.brief.given or {})
    fighters: dict[str, Fighter] = {}
    for seat, characters in setup.brief.seats.items():
        for key in characters:
            fighters[key] = fighter(key, str(seat), setup.sheets[key], setup.settings)
    if given.opponent:
        key = given.opponent if given.opponent not in fighters else f"{given.opponent}-2"
        sheet = OPPONENTS[given.opponent]
        fighters[key] = fighter(key, GM, sheet, setup.settings, character=False)
    first, second = fighters
    records = {key: RECORD.validate_python(setup.kept.get(f"record/{key}", NONE)) for key in setup.sheets}
    return State(setup.settings, given.description, (first, second), fighters, records=records)


def fighter(key: str, seat: str, sheet: Sheet, settings: Settings, *, character: bool = True) -> Fighter:
    hp = sheet.hp_now(settings)
    return Fighter(
        key=key,
        name=sheet.name,
        seat=seat,
        hp=hp,
        hp_max=sheet.hp_max(settings),
        hp_start=hp,
        stamina=sheet.stamina_max,
        step=sheet.step,
        stamina_max=sheet.stamina_max,
        actions=sheet.actions(settings),
        abilities=sheet.abilities(),
        character=character,
        sheet_name=sheet.name,
    )


DuelLog = Log[State, ev.Event]


def apply(state: State, told: LoggedEvent[ev.Event]) -> None:
    """Folds one event."""
    event = told.event
    match event:
        case ev.Wished():
            pass
        case ev.Sides():
            state.high = event.high
            state.phase = "roll" if state.settings.start_stamina == "roll" else "initial"
        case ev.Breath():
            state.fighters[event.who].stamina = event.stamina
            state.phase = "initial"
        case ev.Played():
            _played(state, event, told.number)
        case ev.Copied():
            move = state.moves[event.who]
            move.copied, move.cost = event.copied, event.cost
        case ev.Advantage():
            state.offence, state.die = event.who, event.die
            state.combo = int(opens(state.moves[event.who]))
            state.fighters[state.defence].named = ""  # it was for a combo, and he has none (DUE-51)
        case ev.Paid():
            state.fighters[event.who].stamina = event.left
        case ev.Hurt():
            state.harmed = state.harmed or event.after != event.before
            state.fighters[event.who].hp = event.after
        case ev.Healed():
            state.harmed = True
            state.fighters[event.who].hp = event.after
        case ev.Rested() | ev.Tired():
            state.fighters[event.who].stamina = event.after
        case ev.Swung():
            state.die = event.after
        case ev.Stored():
            _store(state, event)
        case ev.ComboOver():
            state.combo = 0
            for one in state.fighters.values():
                one.named = ""
        case ev.Checked():
            state.offence = event.who
        case ev.Clashed():
            _clashed(state, event)
        case ev.WentOn():
            state.calm = 0 if state.phase == "stalled" else state.calm
            state.phase = "combo" if state.phase == "stalled" and state.combo else "clash"
        case ev.BoutOver():
            _bout_over(state, event)
        case ev.Streak() | ev.Dodged():
            pass
        case _:
            assert_never(event)


def opens(move: Move) -> bool:
    """Whether an action begins a combo (DUE-20, DUE-26); Surprise! and Ditto may give it the trait."""
    one = ACTIONS[move.action]
    copied = ACTIONS.get(move.copied)
    return one.kind == "offence" and (one.opener or move.add == "opener" or bool(copied and copied.opener))


def _played(state: State, event: ev.Played, number: int) -> None:
    who = state.fighters[event.who]
    state.moves[event.who] = Move(event.action, event.cost, event.rage, event.add, event.ability)
    state.told[event.who] = number
    who.discombobulated = 0  # it is in the cost (DUE-44)
    if event.ability:
        who.named = event.ability
    if event.who == state.offence and ACTIONS[event.action].kind == "offence":
        state.combo += 1


def _store(state: State, event: ev.Stored) -> None:
    who = state.fighters[event.who]
    if event.what == "opportunity":
        who.opportunity = max(0, who.opportunity + event.amount)
    else:
        who.discombobulated += event.amount


def _clashed(state: State, event: ev.Clashed) -> None:
    state.phase = event.next
    if event.next == "ditto":
        state.dittos += 1
        return
    state.combo = event.combo
    state.calm = 0 if state.harmed else state.calm + 1
    state.moves.clear()
    state.told.clear()
    state.harmed = False
    for one in state.fighters.values():
        if not state.combo or one.key != state.offence:
            one.named = ""  # it was only for this combo (DUE-51)
    state.clash += 1
    if event.next == "stalled":
        state.stalls += 1


def _bout_over(state: State, event: ev.BoutOver) -> None:
    state.moves.clear()
    state.told.clear()
    state.rounds.append(event.winner)
    state.why = event.why
    if event.winner:
        state.fighters[event.winner].bouts += 1
    if event.match:
        state.phase, state.winner = "over", "" if event.match == "-" else event.match
        return
    state.bout, state.clash, state.phase = state.bout + 1, 1, "halves"
    state.high, state.die, state.offence, state.combo, state.calm, state.harmed = "", 0, "", 0, 0, False
    for one in state.fighters.values():
        one.hp, one.stamina = one.hp_start, one.stamina_max
        one.named, one.opportunity, one.discombobulated = "", 0, 0
