"""Decisions about intents and movement: the begin of a round to its last move (steps F0 to F5)."""

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.options import Choice
from app.engine.ruleset import Answers, Ask, Faults, Phase, Step
from app.rulesets.chronicle.checks import check as roll
from app.rulesets.chronicle.mass import ending, forms, moving
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass.asks import Of, commanders, commanders_answer, only_about, owners, step
from app.rulesets.chronicle.mass.state import OTHER, SIDES, Side, State, in_order
from app.rulesets.chronicle.mass.view import View


def begin(log: ev.BattleLog, chance: Chance) -> None:
    """A round begins; the first one with its clusters, since placing was its movement (CHR-PLC-10)."""
    state, number = log.state, log.state.round + 1
    if number == 1 and state.settings.battle_first_proactive == "tactics-check":
        attacker = state.attacker
        checked = roll(chance, "CHR-ARM-14/r1", state.tactics[attacker], state.tactics[OTHER[attacker]])
        log.emit(ev.First(attacker, checked), rule="CHR-ARM-14")
    log.emit(ev.Began(number, state.first if number % 2 else OTHER[state.first]), rule="CHR-MOV-02")
    log.emit(ev.Stage("clusters" if number == 1 else "intent"), rule="CHR-MOV-01")


INTENT_CHOICES = (Choice("fight", "Fight on"), Choice("retreat", "Retreat"), Choice("surrender", "Offer surrender"))


def _intend(log: ev.BattleLog, answers: Answers[forms.Intents], chance: Chance) -> None:
    """Both intents; surrender ends the battle, retreat comes before the moves (steps F1, F2)."""
    for side in log.state.turns:
        says, how = commanders_answer(log.state, side, answers)
        what = says.of.get(side, forms.Plan()).intent if says else "fight"
        log.emit(ev.Intended(side, what, how), rule="CHR-END-02")
    given_up = ending.giving_up(log.state)
    if len(given_up) == 2:
        ending.end(log, "surrender", "")
    elif given_up:
        log.emit(ev.Stage("terms"), rule="CHR-END-08")
    else:
        log.emit(ev.Stage("leave" if "retreat" in log.state.intents.values() else "quick"), rule="CHR-END-01")


INTENT: Of[forms.Intents] = Decision(
    forms.Intents,
    step=lambda state: step(state, "intent", commanders(state, "intent", {side: (side,) for side in SIDES})),
    resolve=_intend,
    phase=Phase(words="Intents", steps=("intent",), default="fight on"),
    options=lambda view, ask: {f"of.{side}.intent": INTENT_CHOICES for side in ask.about},
    title="Round <n>: fight on, retreat or surrender",
    call="Decide whether <seat> fights on",
)


def _retreating(state: State) -> list[Side]:
    return [side for side in state.turns if state.intents.get(side) == "retreat"]


def _leave_step(state: State) -> Step:
    can = {side: keys for side in _retreating(state) if (keys := moving.leavers(state, side))}
    return step(state, "leave", commanders(state, "leave", can, "all"))


def _ticked(says: forms.Leave) -> list[str]:
    return [key for key, one in says.of.items() if one.leave]


def _leave_check(view: View, ask: Ask, says: forms.Leave) -> Faults:
    faults = only_about(ask, _ticked(says), "leave")
    if strange := in_order(says.order, ask.about)[1]:
        faults["order"] = f"There is no unit “{strange[:20]}” that could leave. Leave it out."
    for side in _retreating(view.battle) if not faults else ():
        if side in view.commands:
            faults |= moving.leaving(view.battle, side, _ticked(says), says.order)[1]
    return faults


def _all_leave(view: View, ask: Ask) -> forms.Leave:
    return forms.Leave(order=" ".join(ask.about), of={key: forms.Leaver(leave=True) for key in ask.about})


def _leave(log: ev.BattleLog, answers: Answers[forms.Leave], chance: Chance) -> None:
    """Units leave one after the other; the rest fights on (CHR-END-04, -05)."""
    for side in _retreating(log.state):
        says, _ = commanders_answer(log.state, side, answers)
        if says:
            ways, _ = moving.leaving(log.state, side, _ticked(says), says.order)
            for key, way in ways.items():
                log.emit(ev.Left(key, "left", tuple(way)), rule="CHR-END-03")
    if not ending.ends(log):
        log.emit(ev.Stage("quick"), rule="CHR-END-05")


LEAVE: Of[forms.Leave] = Decision(
    forms.Leave,
    step=_leave_step,
    resolve=_leave,
    phase=Phase(words="Leaving the field", steps=("leave",), default="leave with all units that can"),
    check=_leave_check,
    default=_all_leave,
    title="Round <n>: who leaves the field",
    call="Choose the units that leave the field",
)


def _quick_step(state: State) -> Step:
    keys = {side: [unit.key for unit in units] for side in SIDES if len(units := state.of(side)) > 1}
    return step(state, "quick", commanders(state, "quick", keys))


def _quick_check(view: View, ask: Ask, says: forms.Quickest) -> Faults:
    ticked = [key for key, one in says.of.items() if one.quick]
    faults = only_about(ask, ticked, "quick")
    for side in SIDES if not faults else ():
        own = [key for key in ask.about if view.battle.units[key].side == side]
        count, need = sum(key in ticked for key in own), moving.quick_count(view.battle, side)
        if own and count != need:
            units = "unit is" if count == 1 else "units are"
            faults[f"of.{own[0]}.quick"] = f"Tick exactly {need} of {len(own)} units: {count or 'no'} {units} ticked."
    return faults


def usual_quick(view: View, ask: Ask) -> forms.Quickest:
    state = view.battle
    sides = dict.fromkeys(state.units[key].side for key in ask.about)
    keys = [key for side in sides for key in moving.fastest(state, side)]
    return forms.Quickest(of={key: forms.Quick(quick=True) for key in keys})


def _quicken(log: ev.BattleLog, answers: Answers[forms.Quickest], chance: Chance) -> None:
    for side in log.state.turns:
        says, how = commanders_answer(log.state, side, answers)
        ticked = [unit.key for unit in log.state.of(side) if says and says.of.get(unit.key, forms.Quick()).quick]
        log.emit(ev.Quickened(side, tuple(ticked or moving.fastest(log.state, side)), how), rule="CHR-MOV-03")
    log.emit(ev.Stage("move"), rule="CHR-MOV-04")


QUICK: Of[forms.Quickest] = Decision(
    forms.Quickest,
    step=_quick_step,
    resolve=_quicken,
    phase=Phase(words="Quick units", steps=("quick",), default="take the fastest units"),
    check=_quick_check,
    default=usual_quick,
    title="Round <n>: quick units",
    call="Choose the quick units",
)


def _move_check(view: View, ask: Ask, says: forms.Moves) -> Faults:
    said = {key for key, going in says.of.items() if going.to.strip() or going.by.strip()}
    return only_about(ask, said, "to") or moving.plan(view.battle, ask.about, says)[1]


def _move(log: ev.BattleLog, answers: Answers[forms.Moves], chance: Chance) -> None:
    """The seats' units move one after the other; a unit that finds its way taken stops before it (CHR-MOV-04)."""
    state, side, turn = log.state, moving.mover(log.state), log.state.turn
    own = state.owners(moving.movers(state))
    plans = [
        (str(seat), answer.how, moving.plan(state, own.get(str(seat), []), answer.says)[0])
        for seat, answer in answers.of.items()
    ]
    for seat, how, ways in plans:
        log.emit(ev.Orders(side, seat, turn, tuple(ways), how), rule="CHR-MOV-04")
        for key, way in ways.items():
            moving.go(log, key, way)
    log.emit(ev.Stage("move", turn + 1) if turn < 4 else ev.Stage("clusters"), rule="CHR-MOV-04")


MOVE: Of[forms.Moves] = Decision(
    forms.Moves,
    step=lambda state: step(state, f"move/{state.turn}", owners(state, "move", moving.movers(state))),
    resolve=_move,
    phase=Phase(words="Moves", steps=("move",), default="stay with all units"),
    check=_move_check,
    title="Round <n>: moves",
    call="Move the units of <seat>",
)
