"""The end of a round, and the decisions that end a battle (steps F12 to G2)."""

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.options import Choice
from app.engine.ruleset import GM, Answers, Ask, Phase
from app.rulesets.chronicle.mass import ending, forms
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass.asks import Of, aloud, commanders_answer, step
from app.rulesets.chronicle.mass.orders import begin
from app.rulesets.chronicle.mass.state import OTHER, Side, State


def close(log: ev.BattleLog, chance: Chance) -> None:
    """The end of a round (step F12)."""
    state = log.state
    log.emit(ev.RoundOver(state.round, 0 if state.busy else state.quiet + 1), rule="CHR-MOV-08")
    if ending.ends(log):
        return
    most = state.settings.battle_quiet_rounds
    if most and state.quiet >= most:
        log.emit(ev.Stage("quiet"), rule="CHR-END-13")
    else:
        begin(log, chance)


def _let_go_on(log: ev.BattleLog, answers: Answers[forms.Quiet], chance: Chance) -> None:
    (answer,) = answers.of.values()
    if answer.says.go_on == "end":
        ending.end(log, "quiet", "")
    else:
        log.emit(ev.WentOn(answer.how), rule="CHR-END-13")
        begin(log, chance)


QUIET: Of[forms.Quiet] = Decision(
    forms.Quiet,
    step=lambda state: step(state, "quiet", [Ask(seat=GM, kind="quiet", call="")], "rule"),
    resolve=_let_go_on,
    phase=Phase(words="A quiet battle", steps=("quiet",), default="end the battle", gms=True),
    options=lambda view, ask: {"go_on": (Choice("end", "End the battle"), Choice("go-on", "Let it go on"))},
    title="Round <n>: nothing happens",
    call="End the battle or let it go on",
)


def _winner(state: State) -> Side:
    """The side to which the other one surrenders."""
    return OTHER[ending.giving_up(state)[0]]


def _offer(log: ev.BattleLog, answers: Answers[forms.Terms], chance: Chance) -> None:
    side = _winner(log.state)
    says, how = commanders_answer(log.state, side, answers)
    log.emit(ev.Offered(side, says.terms.strip() if says else "", how), rule="CHR-END-08")
    if log.state.terms:
        log.emit(ev.Stage("agree"), rule="CHR-END-08")
    else:
        ending.end(log, "surrender", side)


TERMS: Of[forms.Terms] = Decision(
    forms.Terms,
    step=lambda state: step(state, "terms", aloud(state, "terms", _winner(state))),
    resolve=_offer,
    phase=Phase(words="Terms", steps=("terms",), default="leave the terms to the table"),
    title="Round <n>: terms of surrender",
    call="Propose terms for those who surrender",
)


def _agree(log: ev.BattleLog, answers: Answers[forms.Agree], chance: Chance) -> None:
    side = OTHER[_winner(log.state)]
    says, how = commanders_answer(log.state, side, answers)
    log.emit(ev.Agreed(side, bool(says and says.agree == "accept"), how), rule="CHR-END-08")
    ending.end(log, "surrender", OTHER[side])


AGREE: Of[forms.Agree] = Decision(
    forms.Agree,
    step=lambda state: step(state, "agree", aloud(state, "agree", OTHER[_winner(state)]), "react"),
    resolve=_agree,
    phase=Phase(words="Answer to the terms", steps=("agree",), default="leave the terms to the table"),
    options=lambda view, ask: {
        "agree": (Choice("table", "The table decides the terms"), Choice("accept", "Accept the terms"))
    },
    title="Round <n>: answer to the terms",
    call="Accept the terms or leave them to the table",
)
