"""What one viewer may know of a fight now. Pages, forms and `check` work with this and with nothing else.

`known` is a fight built up for this viewer: hidden people they do not know of are not in it, foes have no numbers,
and of a declaration there is what everybody may read.
"""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from app.engine.ifthen import Verdict
from app.engine.ruleset import GM, Viewer
from app.rulesets.arcana import forms, frames, habits, midway, options, questions, say, silence
from app.rulesets.arcana.body import Body
from app.rulesets.arcana.book import ATTRIBUTES, STATUSES
from app.rulesets.arcana.conditions import menu
from app.rulesets.arcana.declarations import SOMEBODY, Turn, blurred, open_turn
from app.rulesets.arcana.foes import Foe
from app.rulesets.arcana.ground import write_walls
from app.rulesets.arcana.items import DRAUGHTS
from app.rulesets.arcana.leftover import Remain, Ward
from app.rulesets.arcana.objects import write_objects
from app.rulesets.arcana.opened import Opened, opened
from app.rulesets.arcana.picture import SEVERAL, Picture, conditions, distances, holds, metres, picture
from app.rulesets.arcana.rulings import Question
from app.rulesets.arcana.space import Cell
from app.rulesets.arcana.state import DEAD, DOWN, Fighter, State
from app.rulesets.arcana.tasks import shown
from app.rulesets.arcana.terrain import listed, write_zones
from app.rulesets.arcana.visible import Visible

INJURY = "major_injury"  # tells that somebody has less than half of the HP
UNKNOWN: dict[str, int] = dict.fromkeys(ATTRIBUTES, 10)


@dataclass(frozen=True, slots=True)
class View(Visible):
    """With all that templates ask of it, in words."""

    silent: dict[str, Turn]  # what those of mine do for whom nothing is said (ARC-09)
    numbers: frozenset[str]  # whose HP and FP this viewer may know
    cards: dict[str, Verdict]  # of this cycle's if-thens, while it is resolved
    questions: tuple[Question, ...] = ()
    clash: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # of mine, who may name a prepared counterspell now
    resists: tuple[midway.Hit, ...] = ()
    templates: Mapping[str, Foe] = field(default_factory=dict)
    spoilt: bool = False  # what was sealed may not be possible any more: the GM changed somebody hidden

    def thing(self, key: str, who: str = "") -> str:
        """What a spell, a weapon or something carried is called; `who` has it."""
        return say.thing(self, who, key)

    @property
    def draughts(self) -> Collection[str]:
        """What is used up without a word (ARC-171)."""
        return DRAUGHTS

    def declared(self, who: str, turn: Turn) -> str:
        """A declaration in words, as everybody who knows of it may read it."""
        return say.turn(self, who, turn)

    def planning(self, key: str) -> forms.Planning:
        """The form of one combatant's declaration."""
        return forms.Planning(self, key)

    def incoming(self, key: str) -> tuple[str, ...]:
        """What is aimed at somebody who prepared a counterspell, in words."""
        return midway.incoming(self, key)

    @property
    def plan_words(self) -> dict[str, Any]:
        """What the script of every such form says."""
        return forms.words()

    def condition(self, key: str) -> str:
        """Somebody's if-then in words: "if the Troll attacks Ada"."""
        one = self.people.get(key)
        return say.clause(self, key, one.turn) if one is not None and one.turn.when is not None else ""

    @property
    def ills(self) -> tuple[tuple[str, str], ...]:
        """Every status that the GM may give or take: id and name."""
        return tuple((key, key.replace("_", " ")) for key in STATUSES)

    def ifthen(self, who: str, turn: Turn) -> str:
        """The if-then of a declaration as one sentence."""
        return say.clause(self, who, turn)

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
        silent={key: silence.turn(known, key) for key in mine} if plan else {},
        looks={key: _looks(state, key, key in shown) for key in known.fighters},
        numbers=frozenset(shown & set(known.fighters)),
        cards=_cards(state, known),
        questions=state.questions if viewer.gm and state.stage in ("rule", "countered") else (),
        clash=state.clash.who if viewer.gm and state.clash and state.stage == "collide" else (),
        names=named,
        coming={key: midway.coming(state, key) for key in named},
        resists=midway.resists(state, mine) if state.stage == "resist" else (),
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
    if state.stage == "resist" and midway.resists(state, mine):
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


def seen(state: State, viewer: Viewer) -> State:
    """The fight as this viewer knows it."""
    if viewer.gm:
        own = frozenset(key for key, one in state.fighters.items() if one.seat in viewer.seats)
        fighters = {key: _plain(one) if key not in own else one for key, one in state.fighters.items()}
        return _fight(state, fighters, state.hiders)
    own = frozenset(key for key, one in state.fighters.items() if one.seat in viewer.seats)
    fighters = {}
    unknown = {key for key in state.hiders if not _known(state, key, own)}
    for key, one in state.fighters.items():
        if key in unknown:
            continue
        mask = one.seat == GM and state.settings.foe_hp != "numbers"
        fighters[key] = _own(state, one, own) if key in own else _masked(one, own) if mask else _plain(one, own)
        if mask and state.settings.foe_hp == "hidden" and one.has(INJURY):
            fighters[key].statuses = {name: held for name, held in one.statuses.items() if name != INJURY}
        _blur(fighters[key], unknown)
    return _fight(state, fighters, state.hiders & set(fighters), {state.fighters[key].side for key in own})


def _blur(one: Fighter, unknown: Set[str]) -> None:
    """Without the names of those who are hidden from this viewer, who may have known of them before."""
    if not unknown:
        return
    one.turn = blurred(one.turn, unknown)
    one.last = blurred(one.last, unknown)
    one.statuses = {key: replace(held, by="") if held.by in unknown else held for key, held in one.statuses.items()}
    one.loans = [replace(loan, by="") if loan.by in unknown else loan for loan in one.loans]
    if one.focus is not None and one.focus.action.target in unknown:
        action = one.focus.action.model_copy(update={"target": SOMEBODY})
        one.focus = replace(one.focus, action=action)
    if one.task is not None and one.task.action.target in unknown:
        one.task = replace(one.task, action=one.task.action.model_copy(update={"target": SOMEBODY}))


def _known(state: State, key: str, own: Set[str]) -> bool:
    return any(not state.unseen(key, one) for one in own)


def _fight(state: State, fighters: dict[str, Fighter], hiders: frozenset[str], sides: Set[str] | None = None) -> State:
    """`sides`: whose wards are known; None: all."""
    return State(
        settings=state.settings, fighters=fighters, cycle=state.cycle, stage=state.stage, description=state.description,
        width=state.width, height=state.height, covers=state.covers, hiders=hiders, over=state.over,
        cover_sides=state.cover_sides, zones=state.zones, objects=state.objects, winner=state.winner,
        own_spells=state.own_spells, gone=state.gone,
        lying=[it for it in state.lying if not it.secret or it.by not in state.hiders - set(fighters)],
        remains=[_left(one, fighters) for one in state.remains if not one.who or one.who in fighters],
        wards=[_ward(one, fighters) for one in state.wards if sides is None or sides & {one.side, *one.known}],
    )  # fmt: skip


def _ward(one: Ward, fighters: Mapping[str, Fighter]) -> Ward:
    """A ward, without who cast it, where that is not known, and without whom it has struck."""
    return replace(one, by=one.by if one.by in fighters else "", struck=frozenset(), known=frozenset(), times=0)


def _left(one: Remain, fighters: Mapping[str, Fighter]) -> Remain:
    """What a spell left behind, without who cast it, where that is not known."""
    known = one.by in fighters
    return replace(one, by=one.by if known else "", key=one.key if known else "")


def _own(state: State, one: Fighter, own: Set[str]) -> Fighter:
    """One of mine, without who has noticed them: that is not told (ARC-101)."""
    found = _copy(one, one.body, one.turn, one.hp, one.fp, frozenset() if one.hidden else one.noticed_by)
    found.task = one.task
    found.last, found.focus, found.items, found.surged = one.last, one.focus, one.items, one.surged
    found.watched = tuple(key for key in one.watched if key in state.fighters and _known(state, key, own))
    found.watches, found.watching = one.watches, one.watching
    return found


def _plain(one: Fighter, own: Set[str] = frozenset()) -> Fighter:
    return _copy(one, one.body, open_turn(one.turn), one.hp, one.fp, one.noticed_by & own if own else one.noticed_by)


def _masked(one: Fighter, own: Set[str]) -> Fighter:
    """A foe as it is seen: a name, a place, what is on it; no numbers, no spells, no tactics."""
    body = Body(key=one.body.key, name=one.body.name, attributes=UNKNOWN, size=one.body.size, speed=0, hp_max=0)
    return _copy(one, body, open_turn(one.turn), 0, 0, one.noticed_by & own, masked=True)


def _copy(
    one: Fighter, body: Body, turn: Turn, hp: int, fp: int, noticed_by: frozenset[str], *, masked: bool = False
) -> Fighter:
    return Fighter(
        body=body, side=one.side, seat=one.seat, place=one.place, hp=hp, fp=fp, facing=one.facing,
        statuses=one.statuses, loans=one.loans, dead=one.dead, hidden=one.hidden, noticed_by=noticed_by, turn=turn,
        exposed=one.exposed, out=one.out, came=one.came, character="" if masked else one.character,
        armour_lost=0 if masked else one.armour_lost, resists=one.resists, paid=one.paid,
        hands=one.hands, slung="" if masked else one.slung,
        discovered=one.discovered and not masked, on_mark=one.on_mark, tired=one.tired, reels=one.reels,
        habit="hold" if masked else one.habit, guards="" if masked else one.guards, foe="" if masked else one.foe,
        focus=shown(one.focus),
    )  # fmt: skip
