"""Decisions in the middle of a cycle, and their defaults (ledger 1.2, 5)."""

from collections.abc import Mapping, Sequence

from app.engine.ifthen import GROUPS
from app.rulesets.arcana.effects.custom_actions import AS_SAID, CUSTOM
from app.rulesets.arcana.effects.resisting import may_resist, resister, unnoticed
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.casting import metres_of
from app.rulesets.arcana.fight.counterspells import acts, aimed_at
from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.flight import Flight, aimed
from app.rulesets.arcana.fight.ifthens import TEXT, Way, read
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.fight.tasks import CONTINUE, ends_custom
from app.rulesets.arcana.phases.action_phases import actions, in_time_value, place_of
from app.rulesets.arcana.rules.grid import GRID, behind, cut, within
from app.rulesets.arcana.rules.items import is_named
from app.rulesets.arcana.rules.rulings import Question, Ruling
from app.rulesets.arcana.sheet.body import considered, special, transport

Acts = Mapping[str, tuple[tuple[Action, ...], tuple[Action, ...]]]
"""Each combatant's unconditional and conditional actions."""

ALLOWED = frozenset({"interrupt", "custom", "gait", "use"})  # allowed unless the GM forbids it
OPEN_ENDED = frozenset({"custom", "custom_minor", "use", CONTINUE})


def raised(state: State) -> tuple[Question, ...]:
    """Returns all questions of the reveal for the GM."""
    acts = {who: (one.turn.plain(), one.turn.guarded()) for who, one in state.fighters.items()}
    found = [*_conditions(state), *_customs(state, acts), *_gaits(state), *_wards(state, acts)]
    waiting = {who: one.turn.when for who, one in state.fighters.items() if one.turn.when is not None}
    if any(when.mode == "interrupt" or when.who in waiting or when.who in GROUPS for when in waiting.values()):
        found += _of_ifthens(state)  # there may be an interrupt, or a knot
    return tuple(found)


def _conditions(state: State) -> list[Question]:
    return [
        Question(key=f"condition/{who}", about="condition", who=(who,), words=one.turn.when.words)
        for who, one in state.fighters.items()
        if one.turn.when is not None and one.turn.when.verb == TEXT
    ]


def _customs(state: State, acts: Acts) -> list[Question]:
    found: list[Question] = []
    for who, (plain, guarded) in acts.items():
        if OPEN_ENDED.isdisjoint([action.do for action in (*plain, *guarded)]):
            continue
        one, count = state.fighters[who], len(plain)
        for slot, action in (*actions(plain), *((slot + count, action) for slot, action in actions(guarded))):
            if action.do == "custom" and action.cycles > 1:
                about = Question(
                    key=f"length/{who}", about="length", who=(who,), words=action.words, value=action.cycles
                )
                found.append(about)
            elif action.do in ("custom", "custom_minor") or ends_custom(one.task, action):
                key = f"custom/{who}/{slot}"
                found.append(Question(key=key, about="custom", who=(who,), words=action.words, value=CUSTOM))
            elif action.do == "use" and is_named(action.item):
                words = f"{action.item}: {action.words}"
                found.append(Question(key=f"use/{who}/{slot}", about="use", who=(who,), words=words, value=CUSTOM))
    return found


def _gaits(state: State) -> list[Question]:
    """The distance of climbing, crawling or swimming, in half metres, if the GM decides it (ARC-25)."""
    if state.settings.special_gait == "half":
        return []
    found: list[Question] = []
    for who, one in state.fighters.items():
        acts = (*one.turn.plain(), *one.turn.guarded())
        goes = next((action for action in acts if action.do == "move"), None)
        if goes is not None and one.able and (goes.gait == "special" or one.has("prone")):
            far = special(one.body, terrain=state.footing(one.place), encumbered=one.encumbered)
            found.append(Question(key=f"gait/{who}", about="gait", who=(who,), value=far // GRID))
    return found


def _wards(state: State, acts: Acts) -> list[Question]:
    """Wards that would overlap a similar one of another caster (ARC-160)."""
    there = [(ward.by, ward.spell, ward.at, ward.metres) for ward in state.wards]
    found: dict[str, Question] = {}
    for who, (plain, guarded) in acts.items():
        one = state.fighters[who]
        for action in (*plain, *guarded):
            spell = state.spell(action.spell) if action.at and action.do in ("cast", "quickspell") else None
            if spell is None or action.at is None or not one.able or spell.kind != "ward" or spell.shape.at != "point":
                continue
            metres = metres_of(one, spell, action.pp)
            for by, other, at, far in there:
                if other == spell.id and by != who and within(at, action.at, metres + far):
                    key, words = f"wards/{who}/{by}", f"Two {spell.name} wards overlap. Do both collapse?"
                    found[key] = Question(key=key, about="wards", who=(who, by), words=words)
            there.append((who, spell.id, action.at, metres))
    return list(found.values())


def _of_ifthens(state: State) -> list[Question]:
    """Interrupts and knots, assuming all movements as declared; changes by cut movements take the default."""
    turns = {who: one.turn for who, one in state.fighters.items() if not one.dead}
    ways = [way for who, one in state.fighters.items() for way in _meant(state, who, one)]
    emerged = [who for who, one in state.fighters.items() if one.turn.free.emerge]
    reading = read(state, turns, ways, emerged)
    found: list[Question] = []
    for owner, card in reading.cards.items():
        if card.tries_first:
            guarded = actions(state.fighters[owner].turn.guarded(), card.watched)
            value = in_time_value(state, card, place_of(state, guarded[0][1]) if guarded else None)
            found.append(Question(key=f"interrupt/{owner}", about="interrupt", who=(owner, card.watched), value=value))
    if state.settings.condition_loops == "nothing":
        found += [Question(key=f"knot/{knot[0]}", about="knot", who=knot) for knot in reading.cycles]
    return found


def _meant(state: State, who: str, one: Fighter) -> list[Way]:
    """A combatant's declared movements, cut to its allowance; last the free step, which cannot be interrupted."""
    place, ground, found = one.place, state.footing(one.place), list[Way]()
    far = {
        "considered": considered(one.body, state.settings, terrain=ground, encumbered=one.encumbered),
        "move": transport(one.body, terrain=ground, encumbered=one.encumbered),
        "special": special(one.body, terrain=ground, encumbered=one.encumbered),
    }
    if one.turn.free.step is not None:
        found.append(Way(who=who, start=place, end=one.turn.free.step))
        place = one.turn.free.step
    for action in one.turn.plain() if one.able and not one.still else ():
        if action.do in ("considered", "move") and action.to is not None:
            kind = "special" if action.gait == "special" and action.do == "move" else action.do
            found.insert(0, Way(who=who, start=place, end=cut(place, action.to, far[kind]), over=False))
    return [way for way in found if way.start != way.end]


def rule(log: FightLog, given: Mapping[str, Ruling], how: str) -> None:
    """Emits the GM's rulings; unanswered questions get the book's default: false, allowed, or nothing (ledger 5)."""
    for question in log.state.questions:
        usual = AS_SAID if question.about == "use" else Ruling(yes=question.about in ALLOWED)
        said = given.get(question.key)
        rule = "ARC-57" if question.about == "counter" else "ARC-48"
        log.emit(ev.Ruled(question.key, said or usual, how if said else "default"), rule=rule)


def in_the_open(state: State) -> bool:
    """Whether everyone may know that the GM is asked: not if it is all about hidden combatants, whom that would reveal
    (ledger 1.7)."""
    match state.stage:
        case "rule" | "countered":
            return bool(open_questions(state))
        case "collide":
            return bumps(state, state.clash.who if state.clash else ())
        case _:
            return True


def bumps(state: State, who: Sequence[str]) -> bool:
    """Whether a clash is visible: at least two of them are not hidden."""
    return sum(key not in state.hiders for key in who) > 1


def halts(state: State) -> bool:
    """Whether the reveal waits for the GM; the wait alone would reveal hidden combatants (ARC-101)."""
    return bool(state.questions) if in_hiding(state) else bool(open_questions(state))


def in_hiding(state: State) -> bool:
    """Whether the fight also waits for decisions about hidden combatants only (ARC-101)."""
    return state.settings.hidden_questions == "ask"


def open_questions(state: State) -> tuple[Question, ...]:
    """Returns the questions to the GM that involve no hidden combatant."""
    return tuple(one for one in state.questions if not state.hiders.intersection(one.who))


def counters(state: State) -> list[str]:
    """Returns the owners of prepared counterspells that wait for a name (ARC-55)."""
    return [
        who
        for who, one in state.fighters.items()
        if one.turn.minors
        and any(action.do == "counterspell" for action in one.turn.minors)
        and one.able
        and who not in state.named
        and any(aimed_at(state, who, key) for key in state.fighters)
    ]


def name(log: FightLog, given: Mapping[str, str], how: Mapping[str, str]) -> None:
    """Emits the named counterspells; one named in advance counts if no other is given (ARC-55, ARC-56)."""
    for who in counters(log.state):
        one = log.state.fighters[who]
        ready = next((action.spell for action in one.turn.minors if action.do == "counterspell"), "")
        spell = given.get(who, "") or ready
        known = spell if spell in one.body.spells else ""
        log.emit(ev.Named(who, known, how.get(who, "default")), rule="ARC-55")


def countered(state: State) -> tuple[Question, ...]:
    """Returns the questions to the GM about counterspells: one for each attacker from the front half (ARC-57)."""
    found: list[Question] = []
    for who, spell in state.named.items():
        one = state.fighters[who]
        for key, other in state.fighters.items() if spell and one.able else ():
            if aimed_at(state, who, key) and not behind(other.place, one.place, one.facing):
                cast = any(action.target == who and state.spell(action.spell) for action in acts(state, key))
                about = Question(
                    key=f"counter/{who}/{key}", about="counter", who=(who, key), words=spell, value=int(cast)
                )
                found.append(about)
    return tuple(found)


def to_name(state: State) -> list[str]:
    """Returns those to ask for a spell: their counterspell is prepared, aimed at, and not named in advance."""
    return [
        who
        for who in counters(state)
        if (who not in state.hiders or in_hiding(state))
        and not any(action.do == "counterspell" and action.spell for action in state.fighters[who].turn.minors)
    ]


def resists(state: State, batch: Sequence[Flight]) -> list[tuple[str, str, str]]:
    """Returns hits whose Resist has to be asked: label, resister and spell (ARC-127)."""
    found: list[tuple[str, str, str]] = []
    for flight in batch:
        spell = state.spell(flight.using) if flight.do in ("cast", "quickspell") else None
        if spell is None or spell.resist is None:
            continue
        for target, _ in flight.targets:
            if not target:
                continue
            who = resister(state, spell, target)
            one = state.fighters.get(who)
            if one is None or one.turn.react.resist != "ask" or not may_resist(one, spell):
                continue
            if unnoticed(state, flight, spell, target) or (who in state.hiders and not in_hiding(state)):
                continue
            for label in _labels(state, flight, target):
                hit = spell.accuracy == "none" or state.struck.get(label, (False, False, 0))[0]
                if hit and label not in state.tried:
                    found.append((label, who, spell.id))
    return found


def _labels(state: State, flight: Flight, target: str) -> list[str]:
    spell = state.spell(flight.using)
    if spell is None or spell.accuracy == "none":
        return [aimed(flight, target)]
    name = aimed(flight, target)
    return [label for label in state.struck if label == name or label.startswith(f"{name}/")]


def decide(log: FightLog, given: Mapping[str, bool], batch: Sequence[Flight]) -> None:
    """Emits who resists; silent ones do, if they can pay (ARC-127)."""
    for label, target, _ in resists(log.state, batch):
        tries = given.get(label, True)
        log.emit(ev.Tried(label, target, tries), rule="ARC-127")
