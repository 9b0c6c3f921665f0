"""What one viewer may know of a fight now. Pages, forms and `check` work with this and with nothing else.

`known` is a fight built up for this viewer: hidden people they do not know of are not in it, foes have no numbers,
and of a declaration there is what everybody may read.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.engine.ifthen import Verdict
from app.engine.ruleset import GM, Viewer
from app.rulesets.arcana.fight.declarations import Turn
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
from app.rulesets.arcana.view import declaration_text, forms, frames, mid_cycle_forms, options
from app.rulesets.arcana.view.picture import SEVERAL, Picture, conditions, distances, holds, metres, picture
from app.rulesets.arcana.view.revealed import Opened, opened
from app.rulesets.arcana.view.view_values import Visible


@dataclass(frozen=True, slots=True)
class View(Visible):
    """With all that templates ask of it, in words."""

    silent: dict[str, Turn]  # what those of mine do for whom nothing is said (ARC-09)
    numbers: frozenset[str]  # whose HP and FP this viewer may know
    cards: dict[str, Verdict]  # of this cycle's if-thens, while it is resolved
    questions: tuple[Question, ...] = ()
    clash: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # of mine, who may name a prepared counterspell now
    resists: tuple[mid_cycle_forms.Hit, ...] = ()
    templates: Mapping[str, Foe] = field(default_factory=dict)
    spoilt: bool = False  # what was sealed may not be possible any more: the GM changed somebody hidden

    def thing(self, key: str, who: str = "") -> str:
        """What a spell, a weapon or something carried is called; `who` has it."""
        return declaration_text.thing(self, who, key)

    @property
    def draughts(self) -> Collection[str]:
        """What is used up without a word (ARC-171)."""
        return DRAUGHTS

    def declared(self, who: str, turn: Turn) -> str:
        """A declaration in words, as everybody who knows of it may read it."""
        return declaration_text.turn(self, who, turn)

    def planning(self, key: str) -> forms.Planning:
        """The form of one combatant's declaration."""
        return forms.Planning(self, key)

    def incoming(self, key: str) -> tuple[str, ...]:
        """What is aimed at somebody who prepared a counterspell, in words."""
        return mid_cycle_forms.incoming(self, key)

    @property
    def plan_words(self) -> dict[str, Any]:
        """What the script of every such form says."""
        return forms.words()

    def condition(self, key: str) -> str:
        """Somebody's if-then in words: "if the Troll attacks Ada"."""
        one = self.people.get(key)
        return declaration_text.clause(self, key, one.turn) if one is not None and one.turn.when is not None else ""

    @property
    def ills(self) -> tuple[tuple[str, str], ...]:
        """Every status that the GM may give or take: id and name."""
        return tuple((key, key.replace("_", " ")) for key in STATUSES)

    def ifthen(self, who: str, turn: Turn) -> str:
        """The if-then of a declaration as one sentence."""
        return declaration_text.clause(self, who, turn)

    def opened(self, chapters: Sequence[Any]) -> tuple[Opened, ...]:
        """Everybody's card after the reveal, from the closed steps this viewer may know of."""
        return opened([chapter.events for chapter in chapters])

    def filmed(self, chapters: Sequence[Any]) -> str:
        """The key of the newest closed step that is worth a film; "" if there is none."""
        number = frames.newest([chapter.events for chapter in chapters])
        return chapters[number].step.key if number is not None else ""

    def film(self, chapters: Sequence[Any]) -> dict[str, Any]:
        """The newest cycle as a film, as far as it has come, for scripts."""
        return frames.of_cycle([chapter.events for chapter in chapters], frozenset(self.mine), self.thing)

    @property
    def picture(self) -> Picture:
        """The ground as this viewer sees it drawn."""
        return picture(self.known, self.mine, self.looks, self.numbers, self.can)

    def far_from(self, place: Cell) -> tuple[tuple[str, str], ...]:
        """How far a place is from each of mine: (id, metres); of many of them none."""
        mine = self.mine if len(self.mine) <= SEVERAL else ()
        return tuple((key, metres(place, self.people[key].place)) for key in mine)

    def distances(self, key: str) -> tuple[tuple[str, str], ...]:
        """How far somebody is from each of mine: (id, metres)."""
        return distances(self.known, key, self.mine)

    @property
    def walls(self) -> str:
        """All cover, in the lines in which a GM writes it."""
        return write_walls(self.known.covers, self.known.cover_sides)

    @property
    def terrain(self) -> str:
        """What the ground is made of, in the lines in which a GM writes it (ARC-68)."""
        return write_zones(self.known.zones)

    @property
    def objects(self) -> str:
        """All objects, in the lines in which a GM writes them (ARC-79)."""
        return write_objects(self.known.objects.values())

    @property
    def terrains(self) -> str:
        """The names of all terrain that there is."""
        return listed()

    def conditions(self, key: str) -> tuple[tuple[str, int], ...]:
        """What is on somebody, and for how many cycles yet; 0: until something ends it."""
        return conditions(self.people[key])

    def holds(self, key: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What is in somebody's hands, and what is not."""
        return holds(self.people[key])


def view(state: State, viewer: Viewer) -> View:
    """Built up field by field; a hidden one is in no list, no number and no menu of who does not know of them."""
    known = seen(state, viewer)
    mine = tuple(key for key, one in known.fighters.items() if one.seat in viewer.seats and not one.dead)
    plan, stage = state.stage == "plan", _stage(state, viewer, mine)
    if stage == "resolving":
        known.stage = "steps"  # it tells neither what is asked nor of whom
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
        resists=mid_cycle_forms.resists(state, mine) if state.stage == "resist" else (),
        templates=state.foes if viewer.gm else {},
        spoilt=bool(state.spoilt & viewer.seats),
    )


def _looks(state: State, key: str, shown: bool) -> str:
    """How somebody looks; where the table hides that of foes, only whether they are down."""
    looks = state.fighters[key].looks
    return "" if state.settings.foe_hp == "hidden" and not shown and looks not in (DOWN, DEAD) else looks


PUBLIC = frozenset({"setting", "plan", "next", "over"})


def _stage(state: State, viewer: Viewer, mine: tuple[str, ...]) -> str:
    """Who is not asked does not learn who is."""
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
    """Cards whose people this viewer knows of all; those not told yet are nobody's."""
    return {
        key: card
        for key, card in state.cards.items()
        if key in known.fighters
        and (not card.watched or card.watched in known.fighters)
        and all(one in known.fighters for one in card.knot)
        and (card.verdict != "fired" or not any(key in owners for owners in state.rounds))
    }
