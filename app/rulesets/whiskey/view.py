"""A viewer's view of a battle. Templates, forms and `check` use only this.

Built up field by field: a hidden foe is in no list, a foe's numbers are None unless the GM shows them or a check
revealed them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.engine import sentences
from app.engine.ruleset import Viewer
from app.rulesets.whiskey import habits
from app.rulesets.whiskey.cards import CARDS, Card
from app.rulesets.whiskey.decks import VALUES, odds
from app.rulesets.whiskey.picture import Picture, draw
from app.rulesets.whiskey.sheets import Sheet
from app.rulesets.whiskey.state import Fighter, Question, State
from app.rulesets.whiskey.templates import TEMPLATES

KINDS = frozenset(sheet.name for sheet in TEMPLATES.values())  # of foes


@dataclass(frozen=True, slots=True)
class Who:
    """A fighter as seen; numbers are None if the viewer does not know them."""

    key: str
    name: str
    letter: str  # a, b, c, d: the side's shape and colour
    side: str
    faction: str
    pc: bool
    mine: bool
    able: bool
    hidden: bool
    health: str  # unhurt, hurt, bloodied, down, gone
    hp: int | None
    hp_max: int | None
    combat: int | None
    base: int | None
    die: int | None
    capacity: int | None
    cards: tuple[Card, ...]
    spent: tuple[str, ...]
    habit: str = ""
    guards: str = ""
    shown: bool = False  # everyone may know the numbers
    character: str = ""  # the campaign's id


@dataclass(frozen=True, slots=True)
class AreaView:
    key: str
    name: str
    barrers: tuple[str, ...]  # able ones only
    all_barrers: tuple[str, ...]
    exit: bool


@dataclass(frozen=True, slots=True)
class DeckView:
    """A faction's cards left, lowest first; `left` is None if the table hides them (WHI-54)."""

    faction: str
    half: str
    left: tuple[int, ...] | None
    count: int


@dataclass(frozen=True, slots=True)
class Odds:
    """A character's chances to hit another fighter: if the character makes the check, and if the other one does."""

    other: str
    combat: int | None
    mine: float | None  # None: the other's numbers are not known
    theirs: float | None
    above: int | None  # a card above this passes when I check
    good: int  # how many of the cards left pass
    left: int
    exact: bool


@dataclass(frozen=True, slots=True)
class View:
    round: int
    phase: str
    is_gm: bool
    description: str
    seconds: int | None
    settings: dict[str, Any]
    fighters: dict[str, Who]
    areas: dict[str, AreaView]
    decks: dict[str, DeckView]
    mine: tuple[str, ...]  # the viewer's characters who can act, in roster order
    odds: dict[str, tuple[Odds, ...]]
    hand: dict[str, dict[str, Any]]  # suggestions of habits for the GM's characters
    questions: tuple[Question, ...]
    clashes: tuple[tuple[str, str, str], ...]  # of the pairing the GM looks at: key, by, other
    standing: tuple[str, ...]
    winner: str
    picture: Picture
    templates: dict[str, Sheet] = field(default_factory=dict)

    def name(self, key: str) -> str:
        """A fighter's name in a row or on a token; "someone" for an unseen one."""
        return self.fighters[key].name if key in self.fighters else "someone"

    def the(self, key: str) -> str:
        """A fighter's name within a sentence: "the sword goblin", "Alice"."""
        who = self.fighters.get(key)
        return sentences.the_foe(self.name(key), () if who is None or who.pc else KINDS)

    def others(self, key: str) -> list[Who]:
        """Possible targets and wards of a character: able, in sight, not himself (WHI-06)."""
        return [who for who in self.fighters.values() if who.able and who.key != key]

    def foes(self, key: str) -> list[Who]:
        side = self.fighters[key].side
        return [who for who in self.others(key) if who.side != side]

    def friends(self, key: str) -> list[Who]:
        side = self.fighters[key].side
        return [who for who in self.others(key) if who.side == side]

    def barrers(self, key: str, area: str) -> list[Who]:
        """The fighters who bar a character's way to an area: of other sides, able, in sight (WHI-56, WHI-57)."""
        side = self.fighters[key].side
        barrers = [self.fighters[who] for who in self.areas[area].barrers]
        return [who for who in barrers if who.side != side and not who.hidden]

    def act(self, typed: Mapping[str, Any]) -> str:
        """A character's intent in words, as a form spells it: "attacks Alice"; "…" stands for what is not chosen."""
        said = {name: value for name, value in typed.items() if isinstance(value, str) and value}
        riders = {"card": " and also plays a card", "text": f" and also {said.get('rider_text', 'tries something')}"}
        return self._deed(said) + riders.get(said.get("rider", ""), "")

    def _deed(self, said: Mapping[str, str]) -> str:
        match said.get("intent", "attack"):
            case "attack":
                return f"attacks {self.the(said['attack']) if 'attack' in said else '…'}"
            case "advance":
                engaged = f", engaging {self.the(said['engage'])}" if "engage" in said else ""
                return f"advances to {self._area(said.get('area', ''))}{engaged}"
            case "defend":
                what, _, ward = said.get("ward", "").partition(":")
                return f"defends {self._area(ward) if what == 'area' else self.the(ward) if ward else '…'}"
            case "stand":
                return "stands ready"
            case _:
                return said.get("other", "does something else")

    def _area(self, key: str) -> str:
        return self.areas[key].name if key in self.areas else "…"

    def card_name(self, key: str) -> str:
        return CARDS[key].name if key in CARDS else key

    def addends(self, who: str, what: str, worked: Iterable[Any]) -> list[tuple[str, int]] | None:
        """What ability cards add to a number of a fighter's, by the name of the card: "own_check", "hit" or "soak".

        `worked` are the cards that worked in that round, as events. Returns None if one of their owners is out of sight
        now, so that nobody can say which numbers are theirs.
        """
        found = []
        for one in (one for one in worked if one.card in CARDS):
            if one.who not in self.fighters or who not in self.fighters:
                return None
            card, allied = CARDS[one.card], self.fighters[one.who].side == self.fighters[who].side
            if one.who == who and getattr(card, what):
                found.append((card.name, getattr(card, what)))
            elif one.who != who and allied and what == "own_check" and card.allies_check:
                found.append((f"{self.the(one.who)}’s {card.name}", card.allies_check))
        return found

    def cards_of(self, key: str) -> list[Card]:
        """The ability cards a character can still use in this battle."""
        who = self.fighters[key]
        return [card for card in who.cards if card.key not in who.spent]


def view(state: State, viewer: Viewer) -> View:
    """The battle as this viewer may know it."""
    seen = {f.key: f for f in state.fighters.values() if viewer.gm or not f.hidden}
    letters = side_letters(state)
    mine = tuple(f.key for f in seen.values() if f.seat in viewer.seats and f.able)
    decks = {name: _deck(state, name) for name in _factions(seen)}
    return View(
        round=state.round,
        phase=state.phase,
        is_gm=viewer.gm,
        description=state.description,
        seconds=state.seconds,
        settings=state.settings.model_dump(),
        fighters={key: _who(f, viewer, letters) for key, f in seen.items()},
        areas={key: _area(state, key, seen) for key in state.areas},
        decks=decks,
        mine=mine,
        odds={key: _all_odds(state, key, seen, viewer) for key in mine if state.fighters[key].pc},
        hand=habits.hand(state) if viewer.gm else {},
        questions=tuple(state.last.asked) if viewer.gm and state.phase == "rule" else (),
        clashes=tuple((f.clash, f.by, f.other) for f in state.last.fights.values()) if state.phase == "veto" else (),
        standing=tuple(dict.fromkeys(f.side for f in seen.values() if f.able)),
        winner=state.winner,
        picture=draw(state, seen, letters),
        templates=dict(TEMPLATES) if viewer.gm else {},
    )


def side_letters(state: State) -> dict[str, str]:
    """Side -> a, b, c, d, in the order in which they came into sight; unseen sides last."""
    sides = dict.fromkeys([*state.sides, *(f.side for f in state.fighters.values())])
    return {side: "abcd"[min(number, 3)] for number, side in enumerate(sides)}


def _factions(seen: dict[str, Fighter]) -> list[str]:
    return list(dict.fromkeys(f.faction for f in seen.values()))


def _who(f: Fighter, viewer: Viewer, letters: dict[str, str]) -> Who:
    own = viewer.gm or f.seat in viewer.seats
    full = own or f.shown
    return Who(
        key=f.key,
        name=f.name,
        letter=letters[f.side],
        side=f.side,
        faction=f.faction,
        pc=f.pc,
        mine=f.seat in viewer.seats,
        able=f.able,
        hidden=f.hidden,
        health=f.health,
        hp=f.hp if full else None,
        hp_max=f.hp_max if full else None,
        combat=f.combat if full or f.combat_known else None,
        base=f.base if full or f.weapon_known else None,
        die=f.die if full or f.weapon_known else None,
        capacity=f.capacity if full else None,
        cards=tuple(CARDS[key] for key in f.cards) if own else (),
        spent=tuple(f.spent) if own else (),
        habit=f.habit if viewer.gm else "",
        guards=f.guards if viewer.gm else "",
        shown=f.shown and viewer.gm,
        character=f.character if viewer.gm else "",
    )


def _area(state: State, key: str, seen: dict[str, Fighter]) -> AreaView:
    area = state.areas[key]
    known = tuple(who for who in area.barrers if who in seen)
    return AreaView(key, area.name, tuple(who for who in known if seen[who].able), known, area.exit)


def _deck(state: State, faction: str) -> DeckView:
    deck = state.decks[faction]
    left = tuple(deck.left) if state.settings.show_discards == "on" else None
    return DeckView(faction, deck.half, left, len(deck.left))


def _all_odds(state: State, key: str, seen: dict[str, Fighter], viewer: Viewer) -> tuple[Odds, ...]:
    """Odds against every able fighter of another side (WHI-36, WHI-37)."""
    me = seen[key]
    return tuple(_odds(state, me, other, viewer) for other in seen.values() if other.side != me.side and other.able)


def _odds(state: State, me: Fighter, other: Fighter, viewer: Viewer) -> Odds:
    exact = state.settings.show_discards == "on"
    mine = state.decks[me.faction].left if exact else list(VALUES)
    theirs = state.decks[other.faction].left if exact else list(VALUES)
    if not (other.shown or other.combat_known or other.seat in viewer.seats):
        return Odds(other.key, None, None, None, None, 0, len(mine), exact)
    needs = other.combat - me.combat
    return Odds(
        other=other.key,
        combat=other.combat,
        mine=odds(me.combat, other.combat, mine),
        theirs=1 - odds(other.combat, me.combat, theirs),
        above=needs,
        good=sum(card > needs for card in mine),
        left=len(mine),
        exact=exact,
    )
