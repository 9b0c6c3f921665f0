"""Resolves a closed step: the reveal, a ruling, a name, a Resist; then continues to the next decision."""

from typing import Any

from app.engine.chance import Chance
from app.engine.ruleset import GM, Answers, Log, Seat, Step, Viewer
from app.rulesets.arcana.fight import declarations as de
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import Turn
from app.rulesets.arcana.fight.known_state import seen
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.phases import cycle, habits, legal, questions
from app.rulesets.arcana.phases.action_phases import next_batch
from app.rulesets.arcana.phases.desk import at_the_desk, lay_out
from app.rulesets.arcana.phases.visibility import Veiled
from app.rulesets.arcana.rules.rulings import Ruling

Said = dict[str, Any]


def resolve(log: Log[State, ev.Event], step: Step, answers: Answers[Any], chance: Chance) -> None:
    """Emits the events of one closed step."""
    veiled, said = Veiled(log), {str(seat): answer for seat, answer in answers.of.items()}
    if step.pace == "whenever":
        at_the_desk(veiled, said[GM].says)
        return
    match log.state.stage:
        case "setting":
            lay_out(veiled, said[GM].says)
            cycle.go_to(veiled, "plan")
        case "rule" | "countered":
            _ruled(veiled, said)
        case "collide":
            says: de.Collide = said[GM].says
            cycle.collided(veiled, says.slam == "slam", says.words.strip(), said[GM].how, chance)
        case "counter":
            _named(veiled, said)
        case "resist":
            _resisted(veiled, said, chance)
        case "next":
            _next(veiled, said[GM].says)
        case _:
            _revealed(veiled, said, chance)
    cycle.go_on(veiled, chance)


def _revealed(log: Veiled, said: Said, chance: Chance) -> None:
    """Each combatant's declaration, from its seat's envelope (ARC-07)."""
    state = log.state
    turns: dict[str, Turn] = {}
    how: dict[str, str] = {}
    for who, one in state.fighters.items():
        answer = said.get(one.seat)
        if answer is None:
            continue
        found = answer.says.of.get(who)
        how[who] = answer.how
        if found is None or _spoilt(state, who, found):  # the reveal fills in the silent ones (ARC-09)
            how[who] = "default"
        else:
            turns[who] = _meant(state, who, found)
    cycle.reveal(log, turns, how, chance)


def _spoilt(state: State, who: str, turn: Turn) -> bool:
    """Whether a sealed declaration has become impossible, because the GM changed a hidden combatant."""
    seat = Seat(state.fighters[who].seat)
    if seat not in state.spoilt:
        return False
    return bool(legal.check(seen(state, Viewer(seats=frozenset({seat}), gm=seat == GM)), who, turn))


def _meant(state: State, who: str, turn: Turn) -> Turn:
    """The declaration behind "as last cycle" or "as its habit decides"."""
    if turn.like == "habit":
        return habits.turn(state, who) if state.fighters[who].seat == GM else de.HOLD
    return legal.sealed(state, who, turn)


def _ruled(log: Veiled, said: Said) -> None:
    says: de.Rule = said[GM].says
    given: dict[str, Ruling] = {}
    for number, question in enumerate(log.state.questions, 1):
        one = says.of.get(str(number))
        if one is not None and one != de.Ruled():
            yes = one.yes != "no" if question.about in questions.ALLOWED else one.yes in ("yes", "simply")
            as_said = question.about == "use" and one.yes == "" and one.value is None
            given[question.key] = Ruling(
                yes=yes,
                value=one.value or 0,
                waived=one.yes == "simply" or as_said,
                words=one.words.strip(),
                group=one.yes == "group",
            )
    questions.rule(log, given, said[GM].how)
    cycle.go_to(log, "steps" if log.state.stage == "rule" else "interrupts")


def _named(log: Veiled, said: Said) -> None:
    given: dict[str, str] = {}
    how: dict[str, str] = {}
    for answer in said.values():
        for who, spell in answer.says.of.items():
            given[who], how[who] = spell, answer.how
    cycle.name(log, given, how)


def _resisted(log: Veiled, said: Said, chance: Chance) -> None:
    state = log.state
    due = questions.resists(state, next_batch(state))
    given: dict[str, bool] = {}
    counts: dict[str, int] = {}
    for label, who, _ in due:
        seat = state.fighters[who].seat
        counts[seat] = counts.get(seat, 0) + 1
        if seat in said:
            given[label] = said[seat].says.of.get(str(counts[seat]), "yes") == "yes"
    questions.decide(log, given, next_batch(state))
    cycle.landed(log, chance)


def _next(log: Veiled, says: de.Next) -> None:
    """The GM ends the fight or continues it (ARC-01)."""
    if says.go == "end":
        standing = log.state.standing
        log.emit(ev.Over(standing[0] if len(standing) == 1 else "", says.words.strip()), rule="ARC-01")
    else:
        cycle.go_to(log, "plan")
