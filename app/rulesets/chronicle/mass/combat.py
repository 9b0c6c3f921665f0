"""Decisions about the combat of a round: clusters, shots, melee and falling back (steps F6 to F11)."""

from collections.abc import Mapping

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.options import Choice, Options
from app.engine.ruleset import Answers, Ask, Faults, Phase, Seat, Step
from app.rulesets.chronicle.mass import clusters, ending, forms, melee, moving, shooting
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass.asks import Of, aloud, by_seat, commanders_answer, only_about, owners, step
from app.rulesets.chronicle.mass.hexes import Hex, read, spell
from app.rulesets.chronicle.mass.state import OTHER, State, in_order
from app.rulesets.chronicle.mass.troops import LIGHT_INFANTRY
from app.rulesets.chronicle.mass.view import View


def _clusters_step(state: State) -> Step:
    graph, minimality = state.engaged(), state.settings.cluster_minimality
    if not graph.near or clusters.only_one(graph, minimality):
        return step(state, "clusters", ())
    return step(state, "clusters", aloud(state, "clusters", state.proactive, list(graph.near)), "react")


def _partners(view: View, ask: Ask) -> Options:
    """The enemies next to each engaged unit, the one of the default clusters first."""
    near, usual = view.battle.engaged().near, view.proposed
    found = dict[str, tuple[Choice, ...]]()
    for key, enemies in near.items():
        together = next(cluster for cluster in usual if key in cluster)
        first = sorted(enemies, key=lambda enemy: enemy not in together)
        found[f"of.{key}.against"] = tuple(Choice(enemy, view.full_name(enemy), piece=enemy) for enemy in first)
    return found


def joined(state: State, of: Mapping[str, forms.Partner]) -> list[tuple[str, ...]]:
    """The clusters of units that name one another: whoever hangs together is one; units not named as by default."""
    graph = state.engaged()
    usual = clusters.default(graph, state.settings.cluster_minimality)
    found = {key: {key} for key in graph.near}
    for key, enemies in graph.near.items():
        together = next(cluster for cluster in usual if key in cluster)
        named = of[key].against if key in of else next(enemy for enemy in enemies if enemy in together)
        if named in found:
            found[key] |= found[named]
            for one in found[key]:
                found[one] = found[key]
    return list(dict.fromkeys(tuple(key for key in graph.near if key in found[first]) for first in graph.near))


def _clusters_check(view: View, ask: Ask, says: forms.Clusters) -> Faults:
    state = view.battle
    made = joined(state, says.of)
    wrong = clusters.legal(made, state.engaged(), state.settings.cluster_minimality, view.full_name)
    return {f"of.{ask.about[0]}.against": " ".join(wrong)} if wrong else {}


def _cluster(log: ev.BattleLog, answers: Answers[forms.Clusters], chance: Chance) -> None:
    """The clusters of this round (step F6); then bowmen shoot, before the melee (CHR-RNG-01)."""
    says, how = commanders_answer(log.state, log.state.proactive, answers)
    graph, minimality = log.state.engaged(), log.state.settings.cluster_minimality
    made = joined(log.state, says.of) if says else clusters.default(graph, minimality)
    if made:
        log.emit(ev.Clustered(log.state.proactive, tuple(made), how), rule="CHR-CLU-04" if says else "CHR-CLU-02")
    log.emit(ev.Stage("targets"), rule="CHR-RNG-01")


CLUSTERS: Of[forms.Clusters] = Decision(
    forms.Clusters,
    step=_clusters_step,
    resolve=_cluster,
    phase=Phase(words="Clusters", steps=("clusters",), default="take the usual clusters"),
    options=_partners,
    check=_clusters_check,
    title="Round <n>: clusters",
    call="Choose who fights whom",
)


def _aims(view: View, ask: Ask) -> Options:
    """The targets of the seat's bowmen: the nearest first, or nobody first for a side that has been silent so far."""
    none = Choice("", "Nobody")
    found = dict[str, tuple[Choice, ...]]()
    for key, targets in shooting.shooters(view.battle).items():
        if key in ask.about:
            choices = [Choice(one, view.full_name(one), piece=one) for one in targets]
            heard = view.battle.units[key].side in view.battle.heard
            found[f"of.{key}.at"] = (*choices, none) if heard else (none, *choices)
    return found


def _shoot(log: ev.BattleLog, answers: Answers[forms.Targets], chance: Chance) -> None:
    """All targets are told, then all bowmen shoot (step F8)."""
    able = shooting.shooters(log.state) if answers.of else {}
    own, aims = log.state.owners(able), dict[str, str]()
    for seat, answer in answers.of.items():
        for side in log.state.turns:
            keys = [key for key in own.get(str(seat), ()) if log.state.units[key].side == side]
            at = tuple((key, answer.says.of.get(key, forms.Aim()).at) for key in keys)
            if at:
                log.emit(ev.Aimed(side, at, answer.how), rule="CHR-RNG-11")
            aims |= dict(at)
    shooting.shoot(log, {who: aims[who] for who in able if aims.get(who)}, chance)
    if not ending.ends(log):
        log.emit(ev.Stage("order"), rule="CHR-MEL-15")


TARGETS: Of[forms.Targets] = Decision(
    forms.Targets,
    step=lambda state: step(state, "targets", owners(state, "targets", shooting.shooters(state))),
    resolve=_shoot,
    phase=Phase(words="Targets", steps=("targets",), default="shoot at the nearest enemy, or not if all is silence"),
    options=_aims,
    title="Round <n>: targets",
    call="Choose the targets of the bowmen",
)


def _order_step(state: State) -> Step:
    return step(state, "order", aloud(state, "order", state.proactive) if len(state.clusters) > 1 else (), "react")


def _order_check(view: View, ask: Ask, says: forms.Order) -> Faults:
    strange = in_order(says.order, melee.usual_order(view.battle))[1]
    most = len(view.battle.clusters)
    return {"order": f"There is no cluster “{strange[:20]}”. Write numbers from 1 to {most}."} if strange else {}


def _put_in_order(log: ev.BattleLog, answers: Answers[forms.Order], chance: Chance) -> None:
    says, how = commanders_answer(log.state, log.state.proactive, answers)
    numbers, _ = in_order(says.order if says else "", melee.usual_order(log.state))
    ordered = tuple(log.state.clusters[int(number) - 1] for number in numbers)
    if ordered:
        event = ev.Ordered(log.state.proactive, ordered, melee.flanked_now(log.state), how)
        log.emit(event, rule="CHR-MEL-15")
    log.emit(ev.Stage("fight", 0), rule="CHR-MEL-15")


ORDER: Of[forms.Order] = Decision(
    forms.Order,
    step=_order_step,
    resolve=_put_in_order,
    phase=Phase(words="Order of the clusters", steps=("order",), default="begin with the lowest unit"),
    check=_order_check,
    title="Round <n>: order of the clusters",
    call="Choose the order in which the clusters fight",
)


def next_fight(log: ev.BattleLog, chance: Chance) -> None:
    """The rolls of the next cluster (step F10), or the end of the round."""
    state = log.state
    if not state.waiting:
        log.emit(ev.Stage("close"), rule="CHR-MOV-01")
        return
    melee.roll(log, chance)
    chosen = not state.fight.winner and not melee.doomed(state, state.fight.losers[0])
    log.emit(ev.Stage("whom" if chosen else "fall", state.turn + 1), rule="CHR-MEL-14" if chosen else "CHR-MEL-05")


def _whom_step(state: State) -> Step:
    fight = state.fight
    asked = len(fight.many) > 1 and fight.losers
    side = OTHER[state.units[fight.losers[0]].side] if fight.losers else state.proactive
    return step(state, f"fall/{state.turn}", aloud(state, "whom", side, fight.many) if asked else (), "react")


def _from_whom(view: View, ask: Ask) -> Options:
    """The many, whoever leaves the lone loser the fewest hexes first."""
    fight = view.battle.at_hand
    if fight is None or not fight.losers:
        return {}
    room = {one: len(melee.away(view.battle, fight.losers[0], one)) for one in fight.many}
    order = sorted(fight.many, key=lambda one: room[one])
    hexes = {one: f"{room[one] or 'no'} {'hex' if room[one] == 1 else 'hexes'}" for one in order}
    words = {one: f"{view.full_name(one)}: {hexes[one]} to fall back to" for one in order}
    return {"winner": tuple(Choice(one, words[one], piece=one) for one in order)}


def _drive(log: ev.BattleLog, answers: Answers[forms.Whom], chance: Chance) -> None:
    fight = log.state.fight
    if fight.losers and fight.many:
        side = OTHER[log.state.units[fight.losers[0]].side]
        says, how = commanders_answer(log.state, side, answers)
        winner = says.winner if says and says.winner in fight.many else fight.many[0]
        log.emit(ev.Driven(side, fight.losers[0], winner, how), rule="CHR-MEL-14", because=(fight.cause,))
    log.emit(ev.Stage("fall", log.state.turn + 1), rule="CHR-MEL-05")


WHOM: Of[forms.Whom] = Decision(
    forms.Whom,
    step=_whom_step,
    resolve=_drive,
    options=_from_whom,
    call="Choose from whom the loser falls back",
)


def _fall_step(state: State) -> Step:
    room = melee.room_back(state)
    every = [hex for hexes in room.values() for hex in hexes]
    about = state.owners([key for key, hexes in room.items() if hexes])
    if not any(len(hexes) > 1 for hexes in room.values()) and len(every) == len(set(every)):
        about.clear()
    elif len(room) > 1:  # the commander has their order
        about.setdefault(state.commanders[state.units[next(iter(room))].side], [])
    return step(state, f"fall/{state.turn}", by_seat(state, "fall", about, "side"), "react")


def _fall_check(view: View, ask: Ask, says: forms.Fall) -> Faults:
    state, room = view.battle, melee.room_back(view.battle)
    faults = only_about(ask, [key for key, back in says.of.items() if back.to.strip()], "to")
    if strange := in_order(says.order, list(room))[1]:
        faults["order"] = f"There is no unit “{strange[:20]}” that falls back. Leave it out."
    for key in ask.about:
        text = says.of.get(key, forms.Back()).to
        if text.strip() and read(text) not in room.get(key, ()):
            hexes = ", ".join(map(spell, room.get(key, ())))
            faults[f"of.{key}.to"] = f"{state.name(key)} cannot fall back there. Choose one of {hexes}."
    return faults


def _fall_back(log: ev.BattleLog, answers: Answers[forms.Fall], chance: Chance) -> None:
    """Losses, and each loser's step back in order; who finds its hex taken takes the lowest (CHR-MEL-05, -11)."""
    fight = log.state.fight
    losers = list(fight.losers)
    says, _ = commanders_answer(log.state, log.state.units[losers[0]].side, answers) if losers else (None, "")
    for key in in_order(says.order if says else "", losers)[0]:
        answer = answers.of.get(Seat(log.state.units[key].seat))
        wish = read(answer.says.of.get(key, forms.Back()).to) if answer else None
        melee.beat(log, key, wish, answer.how if answer else "only")
    log.emit(ev.Stage("step", log.state.turn + 1), rule="CHR-MEL-16")


FALL: Of[forms.Fall] = Decision(
    forms.Fall,
    step=_fall_step,
    resolve=_fall_back,
    phase=Phase(words="Melee", steps=("fall",), default="fall back to the lowest hex"),
    check=_fall_check,
    title="Round <n>: falling back",
    call="Choose where the units of <seat> fall back",
)


def _light(state: State) -> dict[str, list[Hex]]:
    """The light infantry of the cluster at hand with the hexes of its free step, the proactive side's first."""
    cluster = state.at_hand.cluster if state.at_hand else ()
    keys = [unit.key for side in state.turns for unit in state.of(side) if unit.key in cluster]
    found = {key: moving.light_steps(state, key) for key in keys if state.units[key].troop == LIGHT_INFANTRY}
    return {key: hexes for key, hexes in found.items() if hexes}


def _step_choices(view: View, ask: Ask) -> Options:
    return {
        f"of.{key}.step": (Choice("", "Stay"), *(Choice(spell(hex), spell(hex), piece=spell(hex)) for hex in hexes))
        for key, hexes in _light(view.battle).items()
        if key in ask.about
    }


def _step_away(log: ev.BattleLog, answers: Answers[forms.LightSteps], chance: Chance) -> None:
    """Light infantry makes its free steps; then the next cluster fights (CHR-MEL-16)."""
    for key in _light(log.state) if answers.of else ():
        unit = log.state.units[key]
        answer = answers.of.get(Seat(unit.seat))
        wish = read(answer.says.of.get(key, forms.Step()).step) if answer else None
        if answer and wish and wish in moving.light_steps(log.state, key):
            log.emit(ev.Stepped(unit.side, key, unit.at, wish, answer.how), rule="CHR-MEL-16")
        elif wish:
            log.emit(ev.Blocked(key, wish, wish), rule="CHR-TER-14")
    log.emit(ev.Stage("fight", log.state.turn), rule="CHR-MEL-15")


STEP: Of[forms.LightSteps] = Decision(
    forms.LightSteps,
    step=lambda state: step(state, f"fall/{state.turn}", owners(state, "step", _light(state)), "react"),
    resolve=_step_away,
    options=_step_choices,
    call="Choose the free steps of <seat>’s light infantry",
)
