"""Results of a round besides wounds: areas reached, and the GM's rulings on own words (WHI-39, WHI-55)."""

from app.engine.chance import Chance
from app.rulesets.whiskey import checks
from app.rulesets.whiskey import declarations as de
from app.rulesets.whiskey import events as ev
from app.rulesets.whiskey.state import BattleLog, Fight, Question, State


def advances(log: BattleLog) -> None:
    """Decides for each advance whether the area is reached (WHI-55, WHI-56); exits lead out (WHI-61)."""
    state = log.state
    for d in [d for d in state.last.declared.values() if d.intent == "advance"]:
        fight = checks.clash_of(state, d)
        reached = d.who not in state.last.stopped and state.fighters[d.who].able and _way_is_free(state, d, fight)
        because = (state.last.told[d.who], *((fight.number,) if fight else ()))
        out = reached and state.areas[d.area].exit
        question = f"q{len(state.last.questions) + 1}" if reached and not out else ""
        event = ev.Reached(d.who, d.area, reached, question)
        number = log.emit(event, rule="WHI-56" if d.target else "WHI-55", because=because)
        if out:
            log.emit(ev.Left(d.who, d.area, ""), rule="WHI-61", because=(number,))


def _way_is_free(state: State, d: ev.Declared, fight: Fight | None) -> bool:
    """Whether no visible barrer is left; a hidden fighter does not bar the way until he is seen."""
    if d.area not in state.areas:
        return False
    if not d.target:
        return True
    if state.settings.advance_through == "win" and fight is not None and fight.winner == d.who:
        return True
    side = state.fighters[d.who].side
    barrers = [state.fighters[who] for who in state.areas[d.area].barrers if who in state.fighters]
    return not any(f.able and not f.hidden and f.side != side for f in barrers)


def rule(log: BattleLog, says: de.Rule, chance: Chance) -> None:
    """The GM rules on own words and areas reached; silence changes nothing (WHI-62).

    A question for which the GM orders a check is asked once more with its result.
    """
    for question in list(log.state.last.asked):
        verdict = says.of.get(question.key, de.Verdict())
        told = log.state.last.told
        because = (told[question.who],) if question.who in told else ()
        if verdict.check_who in log.state.fighters and verdict.check_value is not None:
            because = (_test(log, chance, question, verdict, because),)
            if not verdict.words.strip() and not verdict.hp:
                continue
        _verdict(log, question, verdict, because)
    again = any(question.turn > log.state.last.turn for question in log.state.last.questions)
    log.emit(ev.Stage("rule" if again else "next"), rule="WHI-01")


def _test(log: BattleLog, chance: Chance, question: Question, verdict: de.Verdict, because: tuple[int, ...]) -> int:
    """A check of number against number: a card of the fighter's faction, and a d6 without effect (WHI-39)."""
    assert verdict.check_value is not None
    who, x, y = verdict.check_who, verdict.check_value, verdict.against
    faction = log.state.fighters[who].faction
    drawn, card = checks.draw(log, chance, faction, f"WHI-39/card/{question.key}", because)
    die = chance.die(6, f"WHI-39/die/{question.key}")
    event = ev.Tested(question.key, who, x, card, y, die, passed=x + card > y)
    return log.emit(event, rule="WHI-39", because=(*because, drawn))


def _verdict(log: BattleLog, question: Question, verdict: de.Verdict, because: tuple[int, ...]) -> None:
    words, hp = verdict.words.strip(), verdict.hp or 0
    who = verdict.who if hp and verdict.who in log.state.fighters else ""
    named = who and not log.state.fighters[who].hidden  # the wound of an unseen fighter is the GM's secret
    event = ev.Ruled(question.key, words, who if named else "", hp if named else 0)
    rule = question.rule if words or who else "WHI-62"
    ruled = log.emit(event, rule=rule, because=because)
    if who:
        checks.change(log, who, hp, because=(ruled,))
