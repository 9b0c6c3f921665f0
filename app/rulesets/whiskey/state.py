"""The state of a battle, and its fold, which is the only writer."""

from dataclasses import dataclass, field
from typing import Any, assert_never

from pydantic import TypeAdapter

from app.engine.ruleset import GM, Log, LoggedEvent, Setup
from app.engine.unused_names import free_key
from app.rulesets.whiskey import events as ev
from app.rulesets.whiskey.decks import Deck
from app.rulesets.whiskey.settings import Settings
from app.rulesets.whiskey.sheets import Given, Sheet


@dataclass(slots=True)
class Fighter:
    """A fighter; `seat` declares for him. The `…_known` fields tell which numbers checks have revealed."""

    key: str
    name: str
    seat: str
    pc: bool
    combat: int
    base: int
    die: int
    hp: int
    hp_max: int
    capacity: int
    faction: str
    side: str
    cards: list[str] = field(default_factory=list)
    spent: list[str] = field(default_factory=list)
    hidden: bool = False
    shown: bool = False
    combat_known: bool = False
    weapon_known: bool = False
    character: str = ""  # the campaign's id, if it is a campaign's character
    left: bool = False  # left the battle alive (WHI-61)
    habit: str = "stand"
    guards: str = ""
    last_target: str = ""

    @property
    def able(self) -> bool:
        return self.hp > 0 and not self.left

    @property
    def health(self) -> str:
        """The visible state of his HP."""
        if self.left or self.hp <= 0:
            return "gone" if self.left else "down"
        if self.hp >= self.hp_max:
            return "unhurt"
        return "hurt" if 2 * self.hp > self.hp_max else "bloodied"


@dataclass(slots=True)
class Place:
    """An area: who bars the way to it, and whether it leads out of the battle (WHI-57, WHI-61)."""

    key: str
    name: str
    barrers: list[str] = field(default_factory=list)
    exit: bool = False


@dataclass(slots=True)
class Question:
    """A question for the GM after the checks: own words that took effect, or an area that was reached."""

    key: str
    who: str
    words: str
    area: str = ""
    rule: str = ""  # the rule by which it took effect
    turn: int = 1  # the number of the ruling in which it is asked, later after a check (WHI-39)


@dataclass(slots=True)
class Line:
    """One line of the picture of a round: an intent and its result."""

    who: str
    to: str
    what: str  # attack, guard, advance
    stopped_by: str = ""


@dataclass(slots=True)
class Fight:
    """A clash of the newest round with its result."""

    clash: str
    by: str
    other: str
    why: str
    checker: str = ""
    winner: str = ""
    damage: int = 0
    cosmetic: bool = False
    struck: bool = False
    number: int = 0  # of the event that made it
    hit: int = 0  # of the event that decided it


@dataclass(slots=True)
class Round:
    """The newest opened round: for the picture, for habits, and for decisions after the reveal."""

    number: int = 0
    declared: dict[str, ev.Declared] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)  # who -> number of the declaration's event
    lines: dict[str, Line] = field(default_factory=dict)  # by the character of the intent
    fights: dict[str, Fight] = field(default_factory=dict)
    stopped: dict[str, str] = field(default_factory=dict)
    active: dict[str, list[tuple[str, str]]] = field(default_factory=dict)  # who -> cards that work, with targets
    questions: list[Question] = field(default_factory=list)
    turn: int = 1  # of the GM's rulings
    again: list[str] = field(default_factory=list)  # characters who drew a second card

    @property
    def asked(self) -> list[Question]:
        """The questions of the ruling that is open now."""
        return [question for question in self.questions if question.turn == self.turn]


@dataclass(slots=True)
class State:
    settings: Settings
    fighters: dict[str, Fighter]  # in roster order: all tie-breaks use it
    areas: dict[str, Place]
    decks: dict[str, Deck]
    description: str
    seconds: int | None
    seats: list[str]
    round: int = 1
    phase: str = "scene"  # scene, declare, veto, rule, next, over
    tries: int = 1  # of this round's declarations; a correction that changes what is legal asks again
    desk: int = 1
    sides: list[str] = field(default_factory=list)  # in the order in which they came into sight
    last: Round = field(default_factory=Round)
    winner: str = ""

    def places(self) -> dict[str, int]:
        """Each character's number in the roster."""
        return {key: number for number, key in enumerate(self.fighters)}

    def standing(self) -> list[str]:
        """The sides that still have an able member."""
        return list(dict.fromkeys(f.side for f in self.fighters.values() if f.able))


STATE: TypeAdapter[State] = TypeAdapter(State)


def fighter(key: str, sheet: Sheet, seat: str, *, pc: bool, **more: Any) -> Fighter:
    return Fighter(
        key=key,
        name=sheet.name,
        seat=seat,
        pc=pc,
        combat=sheet.combat,
        base=sheet.base,
        die=sheet.die,
        hp=sheet.hp,
        hp_max=sheet.hp_max,
        capacity=sheet.guard_capacity,
        faction=sheet.faction,
        side=sheet.side,
        cards=list(sheet.cards),
        **more,
    )


def sheet_of(f: Fighter) -> Sheet:
    """Turns a fighter back into a sheet, with the wounds of the battle."""
    return Sheet(
        name=f.name,
        combat=f.combat,
        base=f.base,
        die=f.die,
        hp=f.hp,
        hp_max=f.hp_max,
        guard_capacity=f.capacity,
        cards=tuple(f.cards),
        faction=f.faction,
        side=f.side,
    )


def start(setup: Setup[Sheet, Settings]) -> State:
    """The battle before its first round; decks continue as the campaign stored them (WHI-47)."""
    given = Given.model_validate(setup.brief.given or {})
    fighters: dict[str, Fighter] = {}
    for seat, keys in setup.brief.seats.items():
        for key in keys:
            fighters[key] = fighter(key, setup.sheets[key], seat, pc=seat != GM, shown=seat != GM, character=key)
    # A foe gets a new key if a character of the campaign has the same one.
    names: dict[str, str] = {}
    taken = set(fighters) | {foe.key for foe in given.foes}
    for foe in given.foes:
        names[foe.key] = free_key(taken, foe.key) if foe.key in fighters else foe.key
        taken.add(names[foe.key])
    for foe in given.foes:
        key, guards = names[foe.key], names.get(foe.guards, foe.guards)
        fighters[key] = fighter(
            key, foe, GM, pc=False, hidden=foe.hidden, shown=foe.shown, habit=foe.habit, guards=guards
        )
    decks = {}
    factions = [f.faction for f in fighters.values()]
    # Decks of factions that may come in later exist from the start, as the campaign stored them.
    factions += sorted(name.removeprefix("deck/") for name in setup.kept if name.startswith("deck/"))
    for faction in dict.fromkeys(factions):
        decks[faction] = Deck.read(setup.kept.get(f"deck/{faction}"), setup.settings.deck_mode)
    return State(
        settings=setup.settings,
        fighters=fighters,
        areas={
            area.key: Place(area.key, area.name, [names.get(who, who) for who in area.barrers], area.exit)
            for area in given.areas
        },
        decks=decks,
        phase="declare" if given.at_once and not given.areas else "scene",
        description=given.description,
        seconds=given.seconds,
        seats=[str(seat) for seat in setup.brief.seats],
        sides=list(dict.fromkeys(f.side for f in fighters.values() if not f.hidden)),
    )


BattleLog = Log[State, ev.Event]


def apply(state: State, told: LoggedEvent[ev.Event]) -> None:
    """Folds one event. The most frequent cases of a crowd's round come first, since they are tried in order."""
    event = told.event
    match event:
        case ev.Declared():
            _declared(state, event, told.number)
        case ev.Met():
            _met(state, event, told.number)
        case ev.Stopped():
            state.last.stopped[event.who] = event.by
            if event.who in state.last.lines:
                state.last.lines[event.who].stopped_by = event.by
        case ev.Drawn():
            state.decks[event.faction].take(event.value, state.settings.deck_mode)
        case ev.Checked():
            state.last.fights[event.clash].checker = event.checker
            state.last.again += [event.checker] if event.again else []
            state.fighters[event.checker].combat_known = state.fighters[event.against].combat_known = True
        case ev.Hit():
            fight = state.last.fights[event.clash]
            fight.winner, fight.damage, fight.hit = event.winner, event.damage, told.number
            winner = state.fighters[event.winner]
            winner.weapon_known = winner.weapon_known or not event.card
        case ev.Changed():
            state.fighters[event.who].hp = event.after
        case ev.Called() | ev.Looks() | ev.Chose() | ev.Idle():
            pass
        case ev.SceneSet():
            state.description, state.seconds = event.description, event.seconds
            state.areas = {key: Place(key, name, list(barrers), out) for key, name, barrers, out in event.areas}
            state.phase, state.tries = "declare", 1
        case ev.Barring():
            for key, barrers in event.areas:
                state.areas[key].barrers += barrers
        case ev.Struck():
            _struck(state, state.last.fights[event.clash])
        case ev.Worked() | ev.Failed():
            _card(state, event, told.rule)
        case ev.Cosmetic():
            state.last.fights[event.clash].cosmetic = True
        case ev.Reached():
            if event.question:
                who = state.fighters[event.who].name
                words = f"{who} reached {state.areas[event.area].name}."
                state.last.questions.append(Question(event.question, event.who, words, event.area, told.rule))
        case ev.Left():
            state.fighters[event.who].left = True
        case ev.Tested():
            _tested(state, event)
        case ev.Corrected():
            _corrected(state, event)
        case ev.Joined():
            _joined(state, event)
        case ev.Numbered():
            _numbered(state, event)
        case ev.Shown():
            state.fighters[event.who].hidden = not event.visible
            _sight(state, event.who)
        case ev.Stage():
            state.last.turn += event.stage == state.phase == "rule"
            state.phase = event.stage
        case ev.Desk():
            state.desk += 1
            if event.anew and state.phase == "declare":
                state.tries += 1
        case ev.RoundOver():
            _round_over(state, event)
        case ev.Stuck() | ev.Loop() | ev.Turned() | ev.Healed() | ev.Ruled():
            pass
        case _:
            assert_never(event)


def _declared(state: State, event: ev.Declared, number: int) -> None:
    if state.last.number != state.round:
        state.last = Round(number=state.round)
    last, fighter = state.last, state.fighters[event.who]
    last.declared[event.who], last.told[event.who] = event, number
    if event.intent == "attack" or (event.intent == "advance" and event.target):
        last.lines[event.who] = Line(event.who, event.target, "attack")
        fighter.last_target = event.target
    elif event.intent == "defend" and event.target:
        last.lines[event.who] = Line(event.who, event.target, "guard")
    elif event.area:
        what = "guard" if event.intent == "defend" else "advance"
        last.lines[event.who] = Line(event.who, f"area:{event.area}", what)


def _met(state: State, event: ev.Met, number: int) -> None:
    state.last.fights[event.clash] = Fight(event.clash, event.by, event.other, event.why, number=number)


def _struck(state: State, fight: Fight) -> None:
    """A struck clash stops no one."""
    fight.struck = True
    if state.last.stopped.get(fight.other) == fight.by:
        del state.last.stopped[fight.other]
        if fight.other in state.last.lines:
            state.last.lines[fight.other].stopped_by = ""


def _tested(state: State, event: ev.Tested) -> None:
    """Asks the question once more, with the result of the check."""
    result = f" (The check: {event.x + event.card} against {event.y}, {'passed' if event.passed else 'failed'}.)"
    for question in state.last.questions:
        if question.key == event.question:
            question.words, question.turn = question.words + result, state.last.turn + 1


def _sight(state: State, who: str) -> None:
    """A side gets its letter when its first fighter is seen, so that letters never change."""
    found = state.fighters[who]
    if not found.hidden and found.side not in state.sides:
        state.sides.append(found.side)


def _card(state: State, event: ev.Worked | ev.Failed, rule: str) -> None:
    if event.spent:
        state.fighters[event.who].spent.append(event.card)
    if isinstance(event, ev.Worked):
        if event.card:
            state.last.active.setdefault(event.who, []).append((event.card, event.target))
        if event.question:
            who = state.fighters[event.who].name
            state.last.questions.append(Question(event.question, event.who, f"{who}: {event.words}", rule=rule))


def _corrected(state: State, event: ev.Corrected) -> None:
    fighter = state.fighters[event.who]
    fighter.hp = fighter.hp if event.hp is None else event.hp
    fighter.combat = fighter.combat if event.combat is None else event.combat


def _joined(state: State, event: ev.Joined) -> None:
    state.fighters[event.who] = Fighter(
        event.who,
        event.name,
        event.seat,
        event.seat != GM,
        0,
        0,
        0,
        1,
        1,
        1,
        event.faction,
        event.side,
        hidden=event.hidden,
        character=event.character,
    )
    _sight(state, event.who)
    state.decks.setdefault(event.faction, Deck.fresh(state.settings.deck_mode))
    if event.seat != GM and event.seat not in state.seats:
        state.seats.insert(len(state.seats) - 1, event.seat)


def _numbered(state: State, event: ev.Numbered) -> None:
    old = state.fighters[event.who]
    sheet = Sheet.model_validate(event.sheet)
    more = {"hidden": old.hidden, "shown": event.shown, "habit": event.sheet.get("habit", "stand")}
    more["character"] = old.character
    state.fighters[event.who] = fighter(
        event.who, sheet, old.seat, pc=old.pc, guards=str(event.sheet.get("guards", "")), **more
    )


def _round_over(state: State, event: ev.RoundOver) -> None:
    if event.on:
        state.round, state.phase, state.tries = event.round + 1, "scene", 1
    else:
        state.phase, state.winner = "over", event.winner


def kept_decks(state: State) -> dict[str, Any]:
    """The cards left in each deck, for the campaign."""
    return {f"deck/{name}": deck.write() for name, deck in state.decks.items()}
