"""A fight as one viewer may know it now. Pages, forms and `check` use only this.

`known` is a fight built for this viewer: without hidden combatants they do not know of, without numbers of foes, and
with declarations as everyone may read them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.engine.ifthen import Verdict
from app.engine.ruleset import GM, Viewer
from app.rulesets.arcana.fight.declarations import Turn, When
from app.rulesets.arcana.fight.ifthens import menu
from app.rulesets.arcana.fight.known_state import seen
from app.rulesets.arcana.fight.state import DEAD, DOWN, State
from app.rulesets.arcana.phases import defaults, habits, questions
from app.rulesets.arcana.rules.book import STATUSES
from app.rulesets.arcana.rules.cover import write_walls
from app.rulesets.arcana.rules.grid import Cell
from app.rulesets.arcana.rules.items import DRAUGHTS
from app.rulesets.arcana.rules.objects import write_objects
from app.rulesets.arcana.rules.rulings import Question
from app.rulesets.arcana.rules.terrain import listed, write_zones
from app.rulesets.arcana.sheet.foes import Foe
from app.rulesets.arcana.view import (
    condition_words,
    deck,
    declaration_text,
    forms,
    item_words,
    mid_cycle_forms,
    options,
)
from app.rulesets.arcana.view.picture import SEVERAL, Picture, conditions, distances, holds, metres, picture
from app.rulesets.arcana.view.revealed import Opened, opened
from app.rulesets.arcana.view.view_values import Visible


@dataclass(frozen=True, slots=True)
class View(Visible):
    """The values of `Visible`, and everything that templates need in words."""

    silent: dict[str, Turn]  # the default declarations of the viewer's combatants (ARC-09)
    numbers: frozenset[str]  # combatants whose HP and FP this viewer may know
    cards: dict[str, Verdict]  # of this cycle's if-thens, while it is resolved
    questions: tuple[Question, ...] = ()
    clash: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # of `mine`, those who may name a counterspell now
    resists: tuple[mid_cycle_forms.Hit, ...] = ()
    templates: Mapping[str, Foe] = field(default_factory=dict)
    spoilt: bool = False  # a sealed declaration may have become impossible: the GM changed a hidden combatant

    def thing(self, key: str, who: str = "") -> str:
        """Returns the name of a spell, a weapon or an item; `who` has it."""
        return item_words.listed_name(self, who, key)

    @property
    def draughts(self) -> Collection[str]:
        """Items that are used without words (ARC-171)."""
        return DRAUGHTS

    def noun(self, key: str, who: str = "") -> str:
        """Returns a spell, a weapon or an item as a sentence names it after its owner: "longsword", "bare hands"."""
        return item_words.noun(self, who, key)

    def held(self, key: str, who: str = "") -> str:
        """Returns a weapon or an item with its article: "a longsword", "their bare hands"."""
        return item_words.with_article(self, who, key)

    def declared(self, who: str, turn: Turn, start: Cell | None = None) -> str:
        """Returns a declaration in words, as everyone who knows of it may read it. `start`: the place it began at."""
        return declaration_text.turn(self, who, turn, start=start)

    def heading(self, start: Cell, end: Cell) -> str:
        """Returns the direction of a movement in the log, towards an object if it leads to one."""
        return declaration_text.heading(self, start, end)

    def planning(self, key: str) -> forms.Planning:
        """Returns the form of one combatant's declaration."""
        return forms.Planning(self, key)

    def deck(self, key: str) -> tuple[tuple[deck.Card, ...], tuple[deck.Card, ...]]:
        """Returns the cards of the form's first page, and those behind it."""
        return deck.deck(self.planning(key))

    @property
    def spelt_out(self) -> int:
        """How many combatants of a seat have fields of their own; the form sends the habits of the others."""
        return forms.SPELT_OUT

    def incoming(self, key: str) -> tuple[str, ...]:
        """Returns the attacks on a combatant with a prepared counterspell, in words."""
        return mid_cycle_forms.incoming(self, key)

    @property
    def plan_words(self) -> dict[str, Any]:
        """The texts for the script of all these forms."""
        return forms.words()

    def condition(self, key: str) -> str:
        """Returns a combatant's if-then in words, "" if it has none."""
        one = self.people.get(key)
        return declaration_text.clause(self, key, one.turn) if one is not None and one.turn.when is not None else ""

    @property
    def ills(self) -> tuple[tuple[str, str], ...]:
        """All statuses that the GM may give or remove: id and name."""
        return tuple((key, key.replace("_", " ")) for key in STATUSES)

    def ifthen(self, who: str, turn: Turn, start: Cell | None = None) -> str:
        """Returns the if-then of a declaration as one sentence."""
        return declaration_text.clause(self, who, turn, start=start)

    def met(self, owner: str, when: When | None, watched: str) -> str:
        """Returns what met a condition, in the past tense: "the troll attacked Ada"; "" if that is not known."""
        return condition_words.met(self, owner, when, watched)

    def opened(self, chapters: Sequence[Any]) -> tuple[Opened, ...]:
        """Returns all cards after the reveal, from the closed steps this viewer may know."""
        return opened([chapter.events for chapter in chapters])

    @property
    def picture(self) -> Picture:
        """The map for this viewer."""
        return picture(self.known, self.mine, self.looks, self.numbers, self.can)

    def far_from(self, place: Cell) -> tuple[tuple[str, str], ...]:
        """Returns the distances of a place from the viewer's combatants as (id, metres); () if these are many."""
        mine = self.mine if len(self.mine) <= SEVERAL else ()
        return tuple((key, metres(place, self.people[key].place)) for key in mine)

    def distances(self, key: str) -> tuple[tuple[str, str], ...]:
        """Returns the distances of a combatant from the viewer's own, as (id, metres)."""
        return distances(self.known, key, self.mine)

    @property
    def walls(self) -> str:
        """All cover, as the lines in which a GM writes it."""
        return write_walls(self.known.covers, self.known.cover_sides)

    @property
    def terrain(self) -> str:
        """All terrain, as the lines in which a GM writes it (ARC-68)."""
        return write_zones(self.known.zones)

    @property
    def objects(self) -> str:
        """All objects, as the lines in which a GM writes them (ARC-79)."""
        return write_objects(self.known.objects.values())

    @property
    def terrains(self) -> str:
        """The names of all kinds of terrain."""
        return listed()

    def conditions(self, key: str) -> tuple[tuple[str, int], ...]:
        """Returns what affects a combatant, with the cycles left; 0: until something ends it."""
        return conditions(self.people[key])

    def holds(self, key: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Returns the items in a combatant's hands, and those that are not."""
        return holds(self.people[key])


def view(state: State, viewer: Viewer) -> View:
    """Returns the view, built field by field; unknown hidden combatants are in no list, number or menu."""
    known = seen(state, viewer)
    mine = tuple(key for key, one in known.fighters.items() if one.seat in viewer.seats and not one.dead)
    plan, stage = state.stage == "plan", _stage(state, viewer, mine)
    if stage == "resolving":
        known.stage = "steps"  # it reveals neither the open step nor its seats
    named = tuple(key for key in questions.to_name(state) if key in mine) if state.stage == "counter" else ()
    open_ = viewer.gm or state.settings.foe_hp == "numbers"
    shown = {key for key, one in state.fighters.items() if open_ or one.seat != GM}
    return View(
        cycle=state.cycle,
        stage=stage,
        is_gm=viewer.gm,
        known=known,
        mine=mine,
        can={key: options.can(known, key) for key in (mine if plan else named)},
        menus={key: menu(known, key) for key in mine} if plan else {},
        hand=habits.hand(known) if plan and viewer.gm else {},
        silent={key: defaults.turn(known, key) for key in mine} if plan else {},
        looks={key: _looks(state, key, key in shown) for key in known.fighters},
        numbers=frozenset(shown & set(known.fighters)),
        cards=_cards(state, known),
        questions=state.questions if viewer.gm and state.stage in ("rule", "countered") else (),
        clash=state.clash.who if viewer.gm and state.clash and state.stage == "collide" else (),
        names=named,
        coming={key: mid_cycle_forms.coming(state, key) for key in named},
        kinds=_kinds(state, known),
        resists=mid_cycle_forms.resists(state, mine) if state.stage == "resist" else (),
        templates=state.foes if viewer.gm else {},
        spoilt=bool(state.spoilt & viewer.seats),
    )


def _kinds(state: State, known: State) -> frozenset[str]:
    """Names of kinds by which known foes are called, without those of hidden ones; with foes that have left."""
    called = {one.body.name for key, one in known.fighters.items() if state.fighters[key].seat == GM}
    return frozenset(foe.name for foe in state.foes.values()) & (called | set(known.gone.values()))


def _looks(state: State, key: str, shown: bool) -> str:
    """The apparent health of a combatant; if foes' health is hidden, only whether they are down."""
    looks = state.fighters[key].looks
    return "" if state.settings.foe_hp == "hidden" and not shown and looks not in (DOWN, DEAD) else looks


PUBLIC = frozenset({"setting", "plan", "next", "over"})


def _stage(state: State, viewer: Viewer, mine: tuple[str, ...]) -> str:
    """The stage; viewers who are not asked do not learn who is."""
    if state.stage in PUBLIC or viewer.gm:
        return state.stage
    if state.stage in ("rule", "countered", "collide") and questions.in_the_open(state):
        return state.stage
    if state.stage == "counter" and any(key in mine for key in questions.to_name(state)):
        return "counter"
    if state.stage == "resist" and mid_cycle_forms.resists(state, mine):
        return "resist"
    return "resolving"


def _cards(state: State, known: State) -> dict[str, Verdict]:
    """Cards of known combatants only, and only those already judged."""
    return {
        key: card
        for key, card in state.cards.items()
        if key in known.fighters
        and (not card.watched or card.watched in known.fighters)
        and all(one in known.fighters for one in card.knot)
        and (card.verdict != "fired" or not any(key in owners for owners in state.rounds))
    }
