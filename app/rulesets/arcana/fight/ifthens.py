"""If-thens: revealed actions by verb, and the menu from which conditions are built (ledger 1.6)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from app.engine.ifthen import (
    ANY_ALLY,
    ANY_ENEMY,
    ANYONE,
    ME,
    Act,
    Clause,
    Evaluation,
    IfThen,
    Menu,
    Mode,
    Verb,
    Verdict,
    evaluate,
)
from app.rulesets.arcana.fight.declarations import Action, Turn, When
from app.rulesets.arcana.fight.movement import MOVES, free_to_go, goal
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.fight.targeting import reached
from app.rulesets.arcana.fight.tasks import lands_now
from app.rulesets.arcana.rules.book import SPELLS, WEAPONS
from app.rulesets.arcana.rules.grid import GRID, Cell, gap2, within

VERBS: Mapping[str, Verb] = {
    verb.key: verb
    for verb in (
        Verb(key="attacks", says="attacks", objects=True, using=True),
        Verb(
            key="casts", says="casts a spell on", objects=True, using=True, made="casts {}", unnamed="a spell", on="on"
        ),
        Verb(key="heals", says="heals", using=True),
        Verb(key="targets", says="targets", whom="needed", objects=True, using=True),
        Verb(key="moves", says="moves", whom="none"),
        Verb(key="moves_to", says="moves to", whom="needed", places=True),
        Verb(key="moves_away_from", says="moves away from", whom="needed"),
        Verb(key="leaves_cover", says="leaves cover", whom="none"),
        Verb(key="defends", says="defends itself", whom="none"),
        Verb(key="uses", says="uses something on", using=True, made="uses {}", unnamed="something", on="on"),
        Verb(key="speaks", says="speaks", whom="none"),
        Verb(key="trades_with", says="trades with"),
        Verb(key="searches", says="searches", whom="none"),
        Verb(key="holds", says="does nothing", whom="none"),
    )
}
OUTCOMES: Mapping[str, Verb] = {
    verb.key: verb
    for verb in (Verb(key="is_hit", says="is hit", whom="none"), Verb(key="falls", says="falls", whom="none"))
}
"""Verbs about what happens to a combatant, if conditions may refer to outcomes (ARC-45)."""

MOVEMENTS = frozenset({"moves", "moves_to", "moves_away_from", "leaves_cover"})
TEXT = "text"  # the verb of a free-text condition; the GM decides whether it is true (ARC-44)
TO = 100  # cm: the distance at which a movement counts as reaching a combatant
AROUND = tuple((x, y) for x in range(-2, 3) for y in range(-2, 3) if within((0, 0), (x, y), TO))


@dataclass(frozen=True, kw_only=True, slots=True)
class Way:
    """A movement of this cycle, made or declared."""

    who: str
    start: Cell
    end: Cell
    over: bool = True  # already made, so it cannot be interrupted


def spot(cell: Cell) -> str:
    """Returns a place in the form that a clause uses."""
    return f"place:{cell[0]},{cell[1]}"


def menu(state: State, owner: str) -> Menu:
    """Returns the options of a combatant's condition: combatants it knows of, objects, spells, weapons, and places."""
    people = {key: one.body.name for key, one in state.fighters.items() if not state.unseen(key, owner)}
    spells = {**SPELLS, **state.own_spells}
    things = {key: spell.name for key, spell in spells.items()} | {key: one.name for key, one in WEAPONS.items()}
    verbs = VERBS if state.settings.outcome_conditions == "off" else {**VERBS, **OUTCOMES}
    objects = {key: one.called for key, one in state.objects.items()}
    places = Places(state.width, state.height)
    return Menu(owner=owner, verbs=verbs, people=people, objects=objects, things=things, places=places)


class Places(Mapping[str, str]):
    """Every cell of the ground: its form in a clause, and its label."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height

    def __getitem__(self, key: str) -> str:
        found = re.fullmatch(r"place:(-?\d{1,5}),(-?\d{1,5})", key)
        if found is None:
            raise KeyError(key)
        across, along = int(found[1]), int(found[2])
        if (self.width and not 0 <= across < self.width) or (self.height and not 0 <= along < self.height):
            raise KeyError(key)
        return f"{across},{along}"

    def __iter__(self) -> Iterator[str]:
        return (spot((across, along)) for along in range(self.height) for across in range(self.width))

    def __len__(self) -> int:
        return self.width * self.height


def act(state: State, who: str, action: Action) -> Act | None:
    """Returns an action as an act, or None. Movement comes from `movement`, since only real movement counts."""
    unseen = _blind(state, who)
    target, own = _named(state, who, action), (who,) if not action.target else ()
    nobody: tuple[str, ...] = ()
    does: dict[str, tuple[str, ...]] = {}
    using: tuple[str, ...] = ()
    forestalled = True
    match action.do:
        case "attack" | "grapple" | "shove":
            # An attack from hiding gives its actor away, but cannot be interrupted (ARC-53).
            does, using = {"attacks": target, "targets": target}, (action.weapon,) if action.weapon else ()
            forestalled, unseen = not unseen, frozenset()
        case "cast" | "quickspell" | "maintain" | "continue":
            spell = state.spell(action.spell)
            if spell is None:
                return None
            target = reached(state, who, action, spell) or target
            own = (who,) if spell.shape.form in ("self", "front") else ()
            does, using = {"casts": target or own} if action.do != "maintain" else {}, (action.spell,)
            if not lands_now(state.fighters[who].task, action, spell):
                return Act(actor=who, does=does, using=using, unseen_by=unseen)
            does["targets"] = target
            if spell.hostile:
                does["attacks"] = target
                forestalled, unseen = not unseen, frozenset()
            if spell.heals:
                does["heals"] = target or own
            if spell.shields and who in (*target, *own):
                does["defends"] = ()
        case "use":
            does, using = {"uses": target or own, "targets": target}, (action.item,)
            if action.item == "healing_draught":
                does["heals"] = target or own
        case "use_major" | "drop":
            does, using = {"uses": target or own, "targets": target}, (action.item,)
        case "trade":
            does = {"trades_with": target, "targets": target}
        case "evade" | "brace":
            does, forestalled = {"defends": nobody}, False  # from the reveal on
        case "communicate":
            does, unseen = {"speaks": nobody}, frozenset()
        case "search":
            does, forestalled = {"searches": nobody}, False  # over with phase 0
        case _:
            return None
    return Act(actor=who, does=does, using=using, unseen_by=unseen, forestalled=forestalled)


def _named(state: State, who: str, action: Action) -> tuple[str, ...]:
    """The targets of an action: the one named, all missiles' targets, or visible combatants at a place (ARC-163)."""
    if action.split:
        return tuple(dict.fromkeys(action.split))
    if action.target or action.at is None:
        return (action.target,) if action.target else ()
    there = (key for key, one in state.fighters.items() if one.place == action.at and not one.dead and key != who)
    return tuple(key for key in there if key not in state.hiders and not state.sightless(who, key))


def movement(state: State, way: Way, there: Mapping[Cell, str], left: Iterable[str]) -> Act:
    """Returns a movement of phases 0 to 2 as an act, made or declared; one already made cannot be interrupted.

    `there` has combatants by place; `left` those that some clause watches being left, so that not all distances are
    measured.
    """
    near, away = [spot(way.end)], list[str]()
    for across, along in AROUND:
        key = there.get((way.end[0] + across, way.end[1] + along))
        if key is not None and key != way.who and not within(way.start, state.fighters[key].place, TO):
            near.append(key)
    for key in left:
        other = state.fighters.get(key)
        if other is not None and key != way.who and gap2(way.end, other.place) > gap2(way.start, other.place):
            away.append(key)
    does = {"moves": (), "moves_to": tuple(near), "moves_away_from": tuple(away)}
    if not way.over and state.cover(way.who) != "none" and f"{way.end[0]},{way.end[1]}" not in state.covers:
        does["leaves_cover"] = ()
    return Act(actor=way.who, does=does, unseen_by=_blind(state, way.who), forestalled=not way.over)


def ahead(state: State, ways: Iterable[Way]) -> list[Verdict]:
    """Returns the interrupts that declared movements meet, before they are made (ARC-49)."""
    turns = {who: one.turn for who, one in state.fighters.items() if one.able and _comes_before(one.turn)}
    waiting, there, left = _waiting(state, turns)
    acts = [movement(state, way, there, left) for way in ways]
    reading = evaluate(waiting, acts, side=_sides(state), place=_places(state))
    return [card for card in reading.cards.values() if card.tries_first]


def _again(state: State, one: IfThen) -> Act:
    """The act that a successful interrupt watched, for its owner only: it may never have been made (ARC-50)."""
    verb, whom = one.clause.verb, one.clause.whom
    enemies = (*state.enemies(one.owner), "")
    who = {"": "", ME: one.owner, ANYONE: one.owner, ANY_ALLY: one.owner, ANY_ENEMY: enemies[0]}.get(whom, whom)
    others = frozenset(state.fighters) - {one.owner}
    return Act(actor=state.cards[one.owner].watched, does={verb: (who,) if who else ()}, unseen_by=others)


def ended(state: State) -> Evaluation:
    """Evaluates if-thens not yet met against this cycle's outcomes (ARC-45)."""
    turns = {who: one.turn for who, one in state.fighters.items() if who not in state.cards and not one.dead}
    waiting = _waiting(state, turns)[0]
    acts = [Act(actor=who, does={verb: ()}, unseen_by=_blind(state, who), forestalled=False)
            for verb, who in sorted(one.split("/", 1) for one in state.outcomes) if who in state.fighters]  # fmt: skip
    return evaluate(waiting, acts, side=_sides(state), place=_places(state))


def read(state: State, turns: Mapping[str, Turn], ways: Iterable[Way], emerged: Iterable[str]) -> Evaluation:
    """Evaluates all if-thens of the reveal, after the movement phases, against what everyone really does."""
    ifthens, there, left = _waiting(state, turns)
    acts = [movement(state, way, there, left) for way in ways]
    for who, turn in turns.items():
        if not state.fighters[who].able:
            continue
        plain = turn.plain()
        acts += [one for action in plain if (one := act(state, who, action))]
        if not plain and turn.when is None:
            acts.append(Act(actor=who, does={"holds": ()}, unseen_by=_blind(state, who), forestalled=False))
    acts += [Act(actor=who, does={"leaves_cover": ()}, unseen_by=_blind(state, who), forestalled=False)
             for who in emerged]  # fmt: skip
    acts += [_again(state, one) for one in ifthens if one.owner in state.early]
    acts += [Act(actor=TEXT, does={f"{TEXT}:{key.partition('/')[2]}": ()}, forestalled=False)
             for key, ruling in state.rulings.items() if key.startswith("condition/") and ruling.yes]  # fmt: skip
    return evaluate(ifthens, acts, side=_sides(state), place=_places(state), released=_released(state))


def _sides(state: State) -> dict[str, str]:
    return {key: one.side for key, one in state.fighters.items()}


def _places(state: State) -> dict[str, tuple[int, int]]:
    return {key: (one.place[0] * GRID, one.place[1] * GRID) for key, one in state.fighters.items()}


def _released(state: State) -> frozenset[str]:
    """Owners whose knots may fire, each the first of its knot: by the GM's ruling, else by the setting (ARC-48)."""
    said = {key.partition("/")[2]: one.yes for key, one in state.rulings.items() if key.startswith("knot/")}
    usual = state.fighters if state.settings.condition_loops == "trigger" else ()
    return frozenset(who for who in (*usual, *said) if said.get(who, True))


def _comes_before(turn: Turn) -> bool:
    return turn.when is not None and turn.when.mode == "interrupt" and turn.when.verb in MOVEMENTS


def _waiting(state: State, turns: Mapping[str, Turn]) -> tuple[list[IfThen], dict[Cell, str], list[str]]:
    """The if-thens of these declarations, combatants by place, and those that some clause watches being left."""
    clauses = {who: watched(who, turn.when) for who, turn in turns.items() if turn.when is not None}
    left, there = _left(state, clauses), {one.place: key for key, one in state.fighters.items()}
    found = [
        IfThen(owner=who, clause=one, then=_then(state, who, turns[who], there, left), mode=_mode(turns[who]))
        for who, one in clauses.items()
    ]
    return found, there, left


def _then(state: State, who: str, turn: Turn, there: Mapping[Cell, str], left: Iterable[str]) -> tuple[Act, ...]:
    """The acts a clause guards, movement as declared from where its owner is (ARC-46). An owner felled by a body slam
    guards nothing."""
    guarded = turn.guarded() if state.fighters[who].able else ()
    then = [one for action in guarded if (one := act(state, who, action))]
    for action in guarded if free_to_go(state, who) else ():
        if action.do in MOVES and action.to is not None:
            way = Way(who=who, start=state.fighters[who].place, end=goal(state, who, action), over=False)
            then += [movement(state, way, there, left)] if way.start != way.end else []
    return tuple(then)


def _mode(turn: Turn) -> Mode:
    return turn.when.mode if turn.when is not None else "answer"


def watched(who: str, when: When) -> Clause:
    """Returns what a condition waits for; for a free-text one, the GM's answer."""
    return clause(when) if when.verb != TEXT else Clause(who=TEXT, verb=f"{TEXT}:{who}")


def clause(when: When) -> Clause:
    return Clause(who=when.who, verb=when.verb, whom=when.whom, using=when.using)


def _blind(state: State, who: str) -> frozenset[str]:
    if who not in state.hiders:  # asked for everyone, so most return here
        return frozenset()
    return frozenset(key for key in state.fighters if state.unseen(who, key))


def _left(state: State, clauses: Mapping[str, Clause]) -> list[str]:
    """Those that some clause watches others move away from."""
    found: set[str] = set()
    for owner, one in clauses.items():
        if one.verb == "moves_away_from":
            if one.whom in (ANYONE, ANY_ALLY, ANY_ENEMY):
                return list(state.fighters)
            found.add(owner if one.whom == ME else one.whom)
    return sorted(found)
