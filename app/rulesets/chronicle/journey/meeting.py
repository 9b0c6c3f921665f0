"""Two sides that meet: what the one does that sees the other, and what both do (steps T6 to T8)."""

from typing import Literal

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.options import Choice, Options
from app.engine.ruleset import Answers, Ask, Phase, Seat, Step
from app.rulesets.chronicle.checks import check
from app.rulesets.chronicle.journey import events as ev
from app.rulesets.chronicle.journey import forms, ratings
from app.rulesets.chronicle.journey.asks import Of, answer_of, only_own, step, told_to
from app.rulesets.chronicle.journey.state import OTHER, SIDES, Aim, Side, Stance, State
from app.rulesets.chronicle.journey.travelling import end_leg
from app.rulesets.chronicle.journey.view import View

USUAL_ALONE: dict[Aim, Literal["pass", "show"]] = {"reach": "pass", "catch": "show", "hold": "show"}
USUAL_STANCES: dict[Aim, Stance] = {"reach": "break", "catch": "close", "hold": "stand"}
ALONE = (("ambush", "Ambush them"), ("show", "Show ourselves"), ("pass", "Let them pass"))
STANCES: tuple[tuple[Stance, str], ...] = (
    ("close", "Close in: it comes to a fight, unless they get away"),
    ("stand", "Stand and wait"),
    ("break", "Break away"),
    ("parley", "Offer to talk"),
)

# ------------------------------------------------------------------------------------------------ only one side sees


def sole(state: State) -> Side:
    """The only side that sees the other."""
    assert state.contact is not None
    return state.contact.seen[0]


def _see_step(state: State) -> Step:
    """Only the side that sees knows that it is asked (CHR-TRV-17)."""
    knowing = frozenset(map(Seat, told_to(state, sole(state))))
    return step(state, "see", (sole(state),), "react", known_to=knowing, opens="end")


def _see_options(view: View, ask: Ask) -> Options:
    return {f"of.{side}.what": tuple(Choice(key, words) for key, words in (("", "as usual"), *ALONE))
            for side in ask.about}  # fmt: skip


def _see(log: ev.JourneyLog, answers: Answers[forms.See], chance: Chance) -> None:
    side = sole(log.state)
    says, how = answer_of(log.state, side, answers)
    act_alone(log, side, says.of.get(side, forms.Act()) if says else forms.Act(), how, chance)


def act_alone(log: ev.JourneyLog, side: Side, says: forms.Act, how: str, chance: Chance) -> None:
    """Ambush, show itself, or let the other pass; left open, as an absent player's side (CHR-TRV-17)."""
    what = says.what or USUAL_ALONE[log.state.companies[side].aim]
    decided = ev.Decided(told_to(log.state, side), side, what, how, says.gap)
    number = log.emit(decided, rule="CHR-TRV-17")
    match what:
        case "ambush":
            log.emit(ev.Over("ambush", side), rule="CHR-TRV-17", because=(number,))
        case "show":
            assert log.state.contact is not None
            log.emit(ev.Met(log.state.contact.route, log.state.contact.at), rule="CHR-TRV-17", because=(number,))
        case _:
            end_leg(log, chance)


SEE: Of[forms.See] = Decision(
    forms.See,
    step=_see_step,
    resolve=_see,
    phase=Phase(words="One side sees the other", steps=("see",), unseen=True,
                default="let the others pass, or show itself if it hunts or holds"),
    options=_see_options,
    check=lambda view, ask, says: only_own(ask, says.of),
    title="Leg <n>: you see them, and they do not see you",
    call="Ambush them, or not",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------------ both sides see


def _asked(state: State) -> tuple[Side, ...]:
    """In an escape, the fleeing side breaks away; only the others choose (CHR-TRV-22)."""
    return (OTHER[state.mover],) if state.escape else SIDES


def _stance_options(view: View, ask: Ask) -> Options:
    stances = tuple(Choice(key, words) for key, words in (("", "as usual"), *STANCES))
    first = (Choice("attack", "we attack"), Choice("wait", "they attack, and we stand ready"))
    fields = {"stance": stances, "first": first}
    return {f"of.{side}.{name}": choices for side in ask.about for name, choices in fields.items()}


def _meet(log: ev.JourneyLog, answers: Answers[forms.Stances], chance: Chance) -> None:
    """Both stances at once, and what comes of them (CHR-TRV-18)."""
    state = log.state
    found: dict[Side, tuple[Stance, str]] = {side: _stance(state, side, answers) for side in state.order}
    number = log.emit(ev.Stances(tuple((side, *found[side]) for side in state.order)), rule="CHR-TRV-18")
    closing = [side for side in state.order if found[side][0] == "close"]
    breaking = [side for side in state.order if found[side][0] == "break"]
    if len(closing) == 2:
        _who_attacks(log, answers, chance, number)
    elif closing and breaking:
        _break_away(log, chance, breaking[0], number)
    elif closing:
        log.emit(ev.Over("battle", closing[0]), rule="CHR-TRV-18", because=(number,))
    elif breaking:
        for side in breaking:
            log.emit(ev.Broke(side, True), rule="CHR-TRV-18", because=(number,))
        _got_away(log, chance)
    elif any(stance == "parley" for stance, _ in found.values()):
        log.emit(ev.Over("talk"), rule="CHR-TRV-18", because=(number,))
    else:
        log.emit(ev.Nothing(), rule="CHR-TRV-18", because=(number,))
        end_leg(log, chance)


def _stance(state: State, side: Side, answers: Answers[forms.Stances]) -> tuple[Stance, str]:
    if side not in _asked(state):
        return "break", "rules"
    says, how = answer_of(state, side, answers)
    return (says.of[side].stance if says and side in says.of else "") or USUAL_STANCES[state.companies[side].aim], how


def _who_attacks(log: ev.JourneyLog, answers: Answers[forms.Stances], chance: Chance, because: int) -> None:
    """Tactics against Tactics; the winner says who attacks. The mover rolls (CHR-TRV-18)."""
    side, other = log.state.order
    mine, theirs = ratings.tactics(log.state, side), ratings.tactics(log.state, other)
    made = check(chance, f"CHR-TRV-18/l{log.state.leg}/tactics", mine.total, theirs.total)
    winner = side if made.success else other
    says, _ = answer_of(log.state, winner, answers)
    attacks = says is None or winner not in says.of or says.of[winner].first == "attack"
    attacker = winner if attacks else OTHER[winner]
    told = ev.Tactics(side, mine.parts, theirs.parts, made, attacker)
    number = log.emit(told, rule="CHR-TRV-18", because=(because,))
    log.emit(ev.Over("battle", attacker), rule="CHR-TRV-19", because=(number,))


def _break_away(log: ev.JourneyLog, chance: Chance, side: Side, because: int) -> None:
    """The moving skill of the route against the closer's; who fails is attacked (CHR-TRV-18)."""
    state = log.state
    assert state.contact is not None
    skill = state.routes[state.contact.route].skill
    mine, theirs = ratings.moving(state, side, skill), ratings.moving(state, OTHER[side], skill)
    made = check(chance, f"CHR-TRV-18/l{state.leg}/away", mine.total, theirs.total)
    rule = "CHR-TRV-22" if state.escape else "CHR-TRV-18"
    told = ev.Broke(side, made.success, mine.parts, theirs.parts, made)
    number = log.emit(told, rule=rule, because=(because,))
    if made.success:
        _got_away(log, chance)
    else:
        log.emit(ev.Over("battle", OTHER[side]), rule="CHR-TRV-18", because=(number,))


def _got_away(log: ev.JourneyLog, chance: Chance) -> None:
    """An escape is over; on a journey the next leg begins, in which they cannot meet (CHR-TRV-18)."""
    if log.state.escape:
        log.emit(ev.Over("away"), rule="CHR-TRV-22")
    else:
        end_leg(log, chance)


STANCE: Of[forms.Stances] = Decision(
    forms.Stances,
    step=lambda state: step(state, "stance", _asked(state), "react"),
    resolve=_meet,
    phase=Phase(words="Both see each other", steps=("stance",),
                default="break away on a journey, close in on a hunt, stand when holding"),
    options=_stance_options,
    check=lambda view, ask, says: only_own(ask, says.of),
    title="Leg <n>: both sides see each other",
    call="Choose what <seat>’s side does",
)  # fmt: skip


def after_spotting(log: ev.JourneyLog, chance: Chance) -> None:
    """What a side that alone sees the other does, if it said so with its order."""
    if log.state.phase == "see" and (what := log.state.courses[sole(log.state)].alone) != "ask":
        act_alone(log, sole(log.state), forms.Act(what=what), "standing", chance)
