"""A duel step by step: halves, the initial clash, then clashes with their combos until a fighter is down (ledger 1)."""

from typing import Any

from app.engine.chance import Chance
from app.engine.ruleset import GM, NOBODY, Answer, Answers, Ask, Audience, Phase, Seat, Step
from app.rulesets.duel import clash
from app.rulesets.duel import declarations as de
from app.rulesets.duel import events as ev
from app.rulesets.duel.data import ACTIONS, LADDER_DICE, REST
from app.rulesets.duel.state import DuelLog, Fighter, State

PHASES = (
    Phase(words="High or low", steps=("halves",), default="get the half that is left", opening=True),
    Phase(words="Stamina", steps=("roll",), opening=True),
    Phase(words="First clash", steps=("initial",), default="Rest or Block", opening=True),
    Phase(words="Combo", steps=("combo",), default="continue the combo"),
    Phase(words="Clash", steps=("clash",), default="Rest as offence, Block as defence"),
    Phase(words="Ditto", steps=("ditto",), default="copy nothing"),
    Phase(words="Stalled", steps=("stalled",), default="call it a draw", gms=True),
)

WORDS = {
    "Go on with your combo, or end it": "Continue your combo or end it",
    "End the fight or let it go on": "End the fight or let it continue",
    "The fight goes nowhere": "The fight is stalled",
}


def steps(state: State) -> tuple[Step, ...]:
    """Returns the open steps; a fighter can give up between clashes, not in the middle of one (DUE-75)."""
    if state.phase == "over":
        return ()
    if state.phase == "ditto":
        return (_phase(state),)
    return (_phase(state), *(_concede(state, one) for one in state.fighters.values()))


def _phase(state: State) -> Step:
    bout = f"b{state.bout}/" if state.settings.to_win > 1 else ""
    title = f"Bout {state.bout}: " if bout else ""
    match state.phase:
        case "halves":
            return _both(state, f"{bout}halves", f"{title}high or low", "half", "Choose your half of the die")
        case "roll":
            return Step(key=f"{bout}roll", title=f"{title}stamina")
        case "initial":
            return _both(state, f"{bout}initial", f"{title}the initial clash", "move", "Choose your first action")
        case "combo":
            ask = (_ask(state, state.offence, "combo", "Go on with your combo, or end it", None),)
            key = f"{bout}c{state.clash}/combo"
            return Step(key=key, title=f"Before clash {state.clash}", asks=ask, pace="react", seconds=_seconds(state))
        case "clash":
            key = f"{bout}c{state.clash}/clash"
            return _both(state, key, f"{title}Clash {state.clash}", "move", "Choose your action")
        case "ditto":
            dittos = [key for key, move in state.moves.items() if ACTIONS[move.action].ditto]
            asks = tuple(_ask(state, key, "ditto", "Choose what to copy", None) for key in dittos)
            key = f"{bout}c{state.clash}/ditto"
            return Step(key=key, title=f"Clash {state.clash}: Ditto", asks=asks, pace="react", seconds=_seconds(state))
        case _:
            ask = (Ask(seat=GM, kind="stalled", call="End the fight or let it go on"),)
            return Step(key=f"{bout}stalled-{state.stalls}", title="The fight goes nowhere", asks=ask, pace="rule")


def _both(state: State, key: str, title: str, kind: str, call: str) -> Step:
    """Asks both fighters, sealed; one who must Rest has no choice and is not asked (DUE-35)."""
    asked = [one for one in state.fighters.values() if kind != "move" or not one.must_rest]
    asks = tuple(_ask(state, one.key, kind, call) for one in asked)
    return Step(key=key, title=title, asks=asks, seconds=_seconds(state))


def _ask(state: State, who: str, kind: str, call: str, open_to: Audience = NOBODY) -> Ask:
    return Ask(seat=Seat(state.fighters[who].seat), kind=kind, call=call, about=(who,), open_to=open_to)


def _seconds(state: State) -> int | None:
    return state.settings.seconds


def _concede(state: State, one: Fighter) -> Step:
    ask = Ask(seat=Seat(one.seat), kind="concede", call="Give up", about=(one.key,))
    again = f"/{state.dittos + 1}" if state.dittos else ""  # the key of a step that was withdrawn cannot be used again
    return Step(key=f"concede/{one.key}{again}", title=f"{one.name} gives up", asks=(ask,), pace="whenever")


def resolve(log: DuelLog, step: Step, answers: Answers[Any], chance: Chance) -> None:
    """Resolves one closed step."""
    if step.key.startswith("concede/"):
        _give_up(log, step, answers)
        return
    match log.state.phase:
        case "halves":
            _halves(log, answers, chance)
        case "roll":
            _roll(log, chance)
        case "initial" | "clash":
            _reveal(log, answers, chance)
        case "ditto":
            _copy(log, answers)
            _clash(log, chance)
        case "combo":
            _go_on_or_end(log, answers.of[Seat(log.state.fighters[log.state.offence].seat)].says)
        case _:
            _stalled(log, answers.of[GM].says)


def _said(state: State, answers: Answers[Any], who: str) -> Answer[Any] | None:
    return answers.of.get(Seat(state.fighters[who].seat))


def _halves(log: DuelLog, answers: Answers[Any], chance: Chance) -> None:
    """DUE-07, DUE-08, DUE-76."""
    state = log.state
    first, second = state.order
    wishes: dict[str, str] = {}
    told: list[int] = []
    for who in state.order:
        said = _said(state, answers, who)
        wishes[who] = said.says.half if said else ""
        told.append(log.emit(ev.Wished(who, wishes[who], said.how if said else "default"), rule="DUE-07"))
    because = tuple(told)
    if wishes[first] and wishes[first] == wishes[second]:
        coin = chance.die(2, _label(state, "DUE-08/coin/halves"))
        wishing = first if coin.face == 1 else second
        high = wishing if wishes[first] == "high" else state.other(wishing)
        log.emit(ev.Sides(high, state.other(high), coin), rule="DUE-08", because=because)
        return
    firm = next((who for who in state.order if wishes[who]), "")
    high = firm if firm and wishes[firm] == "high" else state.other(firm) if firm else first
    log.emit(ev.Sides(high, state.other(high)), rule="DUE-07" if firm else "DUE-76", because=because)


def _roll(log: DuelLog, chance: Chance) -> None:
    """Rolls stamina instead of taking the maximum (DUE-04, DUE-59), in the order of the list."""
    for who in log.state.order:
        one = log.state.fighters[who]
        count, size = LADDER_DICE[one.step]
        rolls = tuple(chance.die(size, _label(log.state, f"DUE-04/stamina/{who}/{n + 1}")) for n in range(count))
        total = sum(roll.face for roll in rolls)
        more = int(one.has("agile") and total < one.stamina_max)
        log.emit(ev.Breath(who, total + more, rolls, more), rule="DUE-04")


def _reveal(log: DuelLog, answers: Answers[Any], chance: Chance) -> None:
    """Opens both actions; with Ditto, its user names the action to copy before anything is resolved (DUE-52)."""
    for who in log.state.order:
        _play(log, who, _said(log.state, answers, who))
    if any(ACTIONS[move.action].ditto for move in log.state.moves.values()):
        log.emit(ev.Clashed("ditto"), rule="DUE-52")
        return
    _clash(log, chance)


def _play(log: DuelLog, who: str, said: Answer[Any] | None) -> None:
    one = log.state.fighters[who]
    if one.must_rest or said is None:
        cost = clash.effective_cost(one, REST)
        log.emit(ev.Played(who, REST, cost, how="default", forced=True), rule="DUE-35")
        return
    says: de.Move = said.says
    cost = clash.effective_cost(one, says.action, says.add)
    event = ev.Played(who, says.action, cost, says.rage, says.add, says.ability, how=said.how)
    log.emit(event, rule="DUE-76" if said.how == "default" else "DUE-03")


def _copy(log: DuelLog, answers: Answers[Any]) -> None:
    for who, move in list(log.state.moves.items()):
        said = _said(log.state, answers, who)
        if ACTIONS[move.action].ditto and said is not None and said.says.copied:
            copied = said.says.copied
            because = (log.state.told[who],)
            log.emit(ev.Copied(who, copied, move.cost + ACTIONS[copied].cost), rule="DUE-52", because=because)


def _clash(log: DuelLog, chance: Chance) -> None:
    initial = not log.state.offence
    if initial:
        _award(log, chance)
    clash.resolve(log, initial=initial)


def _award(log: DuelLog, chance: Chance) -> None:
    """Gives one fighter the advantage in the initial clash (DUE-12 to DUE-17)."""
    state = log.state
    first, second = state.order
    kinds = {who: ACTIONS[state.moves[who].action].kind for who in state.order}
    worth = {"offence": 2, "defence": 1, "universal": 0}
    because, coin = tuple(state.told.values()), None
    a, b = worth[kinds[first]], worth[kinds[second]]
    if a != b:
        winner = first if a > b else second
        why, rule = ("offence", "DUE-12") if {a, b} == {2, 1} else ("trait", "DUE-15")
    elif state.moves[first].cost != state.moves[second].cost:
        winner = first if state.moves[first].cost < state.moves[second].cost else second
        why, rule = "cheaper", "DUE-13"
    else:
        coin = chance.die(2, _label(state, "DUE-14/coin/advantage"))
        winner = state.high if coin.face == 1 else state.low
        why, rule = "coin", "DUE-14"
    half = state.settings.die // 2
    die = half + 1 if winner == state.high else half
    log.emit(ev.Advantage(winner, why, die, coin), rule=rule, because=because)  # type: ignore[arg-type]


def _go_on_or_end(log: DuelLog, says: de.Combo) -> None:
    """DUE-24."""
    who = log.state.offence
    if says.go == "on":
        log.emit(ev.WentOn(who), rule="DUE-24")
        return
    clash.end_combo(log, "ended", "DUE-24", ())
    log.emit(ev.WentOn(log.state.offence), rule="DUE-22")


def _stalled(log: DuelLog, says: de.Stalled) -> None:
    """DUE-74."""
    if says.go == "on":
        log.emit(ev.WentOn(GM), rule="DUE-74")
    else:
        clash.end(log, "", "stalled", "DUE-74")


def _give_up(log: DuelLog, step: Step, answers: Answers[Any]) -> None:
    """DUE-75."""
    who = step.asks[0].about[0]
    clash.end(log, log.state.other(who), "conceded", "DUE-75")


def _label(state: State, label: str) -> str:
    """Labels are unique in a closing; in a match they name the bout too, for readers."""
    return label if state.settings.to_win == 1 else f"{label}/b{state.bout}"
