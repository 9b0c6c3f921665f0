"""A fight as one viewer knows it: without hidden combatants and the numbers of foes (ledger 1.7)."""

from collections.abc import Mapping, Set
from dataclasses import replace

from app.engine.ruleset import GM, Viewer
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import SOMEBODY, Turn, blurred, open_turn
from app.rulesets.arcana.fight.fold import sees
from app.rulesets.arcana.fight.lingering import Remain, Ward
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.fight.tasks import shown
from app.rulesets.arcana.rules.book import ATTRIBUTES
from app.rulesets.arcana.sheet.body import Body

INJURY = "major_injury"  # reveals that a combatant has less than half of its HP
UNKNOWN: dict[str, int] = dict.fromkeys(ATTRIBUTES, 10)


def seen(state: State, viewer: Viewer) -> State:
    """Returns the state as this viewer may know it."""
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


def as_gm_knows(state: State, gm: Viewer) -> State:
    """Returns the state without what the GM may not know: the reactions and coded words of others, whom a Focus is
    aimed at, tasks, surges, and who is asked in the middle of a cycle."""
    fighters = {key: one if one.seat in gm.seats else _as_gm_knows(one) for key, one in state.fighters.items()}
    found = _fight(state, fighters, state.hiders)
    found.wards, found.cards, found.rounds = list(state.wards), state.cards, state.rounds
    found.questions, found.clash = state.questions, state.clash
    found.stage = "steps" if state.stage in ("counter", "resist") else state.stage
    return found


def gm_reads(event: ev.Event, gm: Viewer) -> bool:
    """Whether the GM reads what an event says: a declaration without hidden names, in the one that has them."""
    return sees(event, gm) or (isinstance(event, ev.Revealed) and event.instead is not None)


def _as_gm_knows(one: Fighter) -> Fighter:
    """With what it carries: its sheet and every change of it are known to the GM."""
    found = _plain(one)
    found.last, found.items = open_turn(one.last), one.items
    return found


def _blur(one: Fighter, unknown: Set[str]) -> None:
    """Removes the names of those now hidden from this viewer, who may have known of them before."""
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
    """A ward without its targets, and without its caster if unknown."""
    return replace(one, by=one.by if one.by in fighters else "", struck=frozenset(), known=frozenset(), times=0)


def _left(one: Remain, fighters: Mapping[str, Fighter]) -> Remain:
    """A lingering effect, without its caster if unknown."""
    known = one.by in fighters
    return replace(one, by=one.by if known else "", key=one.key if known else "")


def _own(state: State, one: Fighter, own: Set[str]) -> Fighter:
    """A combatant of the viewer, without who has noticed it: that is secret (ARC-101)."""
    found = _copy(one, one.body, one.turn, one.hp, one.fp, frozenset() if one.hidden else one.noticed_by)
    found.task = one.task
    found.last, found.focus, found.items, found.surged = one.last, one.focus, one.items, one.surged
    found.watched = tuple(key for key in one.watched if key in state.fighters and _known(state, key, own))
    found.watches, found.watching = one.watches, one.watching
    return found


def _plain(one: Fighter, own: Set[str] = frozenset()) -> Fighter:
    return _copy(one, one.body, open_turn(one.turn), one.hp, one.fp, one.noticed_by & own if own else one.noticed_by)


def _masked(one: Fighter, own: Set[str]) -> Fighter:
    """A foe as others see it: name, place, statuses; no numbers, spells or tactics."""
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
