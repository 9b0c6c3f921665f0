"""The decisions of a battle in the order of the ledger, and how it goes on between them (steps M0 to G2).

A part in which nobody has a choice is resolved at once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.options import Choice, Options
from app.engine.ruleset import Answers, Ask, Faults, Phase, Step
from app.rulesets.chronicle.checks import check as roll
from app.rulesets.chronicle.mass import clusters, ending, forms, melee, moving, opening, placing, shooting
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass.asks import Of, aloud, by_seat, commanders, of_gm, only_about, said, step
from app.rulesets.chronicle.mass.desk import DESK
from app.rulesets.chronicle.mass.field_text import FIELDS, read_field, ready_made
from app.rulesets.chronicle.mass.hexes import Hex, read, spell
from app.rulesets.chronicle.mass.opening import OWN
from app.rulesets.chronicle.mass.state import OTHER, SIDES, Side, State, in_order
from app.rulesets.chronicle.mass.troops import LIGHT_INFANTRY, TROOPS
from app.rulesets.chronicle.mass.units import divide
from app.rulesets.chronicle.mass.view import View

NOBODY_SAID: Answers[Any] = Answers()


def open_now(state: State) -> tuple[Step, ...]:
    """The current step, and the GM's optional one; none once the battle is over."""
    return () if state.phase == "over" else (OF[state.phase].step(state), DESK.step(state))


def go_on(log: ev.BattleLog, chance: Chance) -> None:
    """Resolves all that needs no answer."""
    while (state := log.state).phase != "over":
        if state.phase == "fight":
            _next_fight(log, chance)
        elif state.phase == "close":
            _close(log, chance)
        elif OF[state.phase].step(state).asks:
            return
        else:
            OF[state.phase].resolve(log, NOBODY_SAID, chance)


# Before the battle


def _choosing(state: State) -> list[Side]:
    return [side for side in SIDES if side not in state.armies]


def _armies_step(state: State) -> Step:
    return step(state, "armies", commanders(state, "armies", _choosing(state), {side: (side,) for side in SIDES}))


def _armies_check(view: View, ask: Ask, says: forms.Armies) -> Faults:
    faults = only_about(ask, says.of, next(iter(TROOPS)))
    for side in SIDES:
        if side not in ask.about or faults:
            continue
        men, points = says.of.get(side, {}), view.battle.points[side]
        if wrong := opening.army_fault(men):
            strange = next((troop for troop in men if troop not in TROOPS), next(iter(TROOPS)))
            faults[f"of.{side}.{strange}"] = wrong
        elif (cost := opening.cost(men)) > points:
            most = max(men, key=lambda troop: opening.cost({troop: men[troop]}))
            faults[f"of.{side}.{most}"] = f"This army costs {cost} points, and there are {points}. Take fewer men."
    return faults


def usual_army(points: int) -> dict[str, int]:
    """The army of somebody who chooses none: as many of the cheapest troops as the points buy."""
    key = min(TROOPS, key=lambda troop: TROOPS[troop].cost)
    return {key: min(points // TROOPS[key].cost, opening.MOST_MEN)}


def _usual_armies(view: View, ask: Ask) -> forms.Armies:
    of = {side: usual_army(view.battle.points[side]) for side in SIDES if side in ask.about}
    return forms.Armies(of=of)


def _muster(log: ev.BattleLog, answers: Answers[forms.Armies], chance: Chance) -> None:
    """Both armies, then their units and the loss number (CHR-UNI)."""
    for side in _choosing(log.state):
        says, how = said(log.state, side, answers)
        men = says.of.get(side, {}) if says else usual_army(log.state.points[side])
        event = ev.Army(side, tuple((troop, men[troop]) for troop in TROOPS if men.get(troop)), how)
        log.emit(event, rule="CHR-ARM-12")
    state = log.state
    made = divide((state.armies["a"], state.armies["b"]), state.settings.units_split)
    units = tuple(
        (f"{side}{number}", side, troop, men)
        for side, own in zip(SIDES, made.units, strict=True)
        for number, (troop, men) in enumerate(own, 1)
    )
    log.emit(ev.Divided(units, made.loss), rule="CHR-UNI-12")
    log.emit(ev.Stage("field"), rule="CHR-PLC-01")


ARMIES: Of[forms.Armies] = Decision(
    forms.Armies,
    step=_armies_step,
    resolve=_muster,
    phase=Phase(
        words="Armies", steps=("armies",), default="take as many of the cheapest troops as it can", opening=True
    ),
    check=_armies_check,
    default=_usual_armies,
    title="The armies",
    call="Choose the numbers of <seat>’s army",
)


def _field_step(state: State) -> Step:
    return step(state, "field", () if state.field else aloud(state, "field", opening.picker(state)))


def _field_check(view: View, ask: Ask, says: forms.Battlefield) -> Faults:
    wrong = opening.field_fault(says.field, says.map)
    return {"map" if says.field == OWN else "field": wrong} if wrong else {}


def _choose_field(log: ev.BattleLog, answers: Answers[forms.Battlefield], chance: Chance) -> None:
    side = opening.picker(log.state)
    says, how = said(log.state, side, answers)
    if says:
        field = read_field(says.map) if says.field == OWN else ready_made(says.field)
        rule = "CHR-PLC-07" if log.state.how == "ambush" else "CHR-PLC-02"
        log.emit(ev.Battlefield(side, says.field, field, how), rule=rule)
    log.emit(ev.Stage("place"), rule="CHR-PLC-12")


FIELD: Of[forms.Battlefield] = Decision(
    forms.Battlefield,
    step=_field_step,
    resolve=_choose_field,
    phase=Phase(words="The field", steps=("field",), default="fight on the open plain", opening=True),
    options=lambda view, ask: {
        "field": (*(Choice(key, words) for key, words in FIELDS.items()), Choice(OWN, "A map of your own"))
    },
    check=_field_check,
    title="The battlefield",
    call="Choose the battlefield",
)


def _place_step(state: State) -> Step:
    side = placing.placer(state)
    return step(state, f"place/{side}", aloud(state, "place", side, [unit.key for unit in state.of(side)]))


def _spots(state: State, says: forms.Place) -> dict[str, Hex | None]:
    named = {key: spot.to for key, spot in says.of.items()}
    return placing.placed(state, placing.placer(state), named, says.arrange)


def _place_check(view: View, ask: Ask, says: forms.Place) -> Faults:
    state, side = view.battle, placing.placer(view.battle)
    faults = only_about(ask, says.of, "to")
    seats = ("", *state.members[side])
    for key, spot in says.of.items():
        if state.shared and spot.seat not in seats:
            faults[f"of.{key[:60]}.seat"] = "Choose one of this side’s players."
    if faults:
        return faults
    found = placing.faults(state, side, _spots(state, says), says.shape)
    return {f"of.{key}.to" if key else "arrange": wrong for key, wrong in found.items()}


def _usual_place(view: View, ask: Ask) -> forms.Place:
    """The usual hexes; an ambushed army that finds no room for a march column is in camp."""
    tries = [
        forms.Place(),
        forms.Place(shape="camp"),
        forms.Place(shape="camp", arrange="camp"),
    ]
    return next((says for says in tries if not _place_check(view, ask, says)), tries[0])


def dealt(state: State, side: Side, said: Mapping[str, str]) -> dict[str, str]:
    """The seat that moves each unit: as the commander gave them out, else dealt in order; without shared command all
    are the commander's.
    """
    keys, seats = [unit.key for unit in state.of(side)], state.members[side]
    if not state.shared:
        return dict.fromkeys(keys, state.commanders[side])
    return {key: said.get(key) or seats[number % len(seats)] for number, key in enumerate(keys)}


def _place(log: ev.BattleLog, answers: Answers[forms.Place], chance: Chance) -> None:
    """An army takes its place; after the second one round 1 begins with its clusters (CHR-PLC-10)."""
    state, side = log.state, placing.placer(log.state)
    says, how = said(state, side, answers)
    assert says is not None
    first = placing.is_first(state, side)
    seats = dealt(state, side, {key: spot.seat for key, spot in says.of.items()})
    at = tuple((key, hex, seats[key]) for key, hex in _spots(state, says).items() if hex)
    shape = says.shape if first and state.how == "ambush" else ""
    log.emit(ev.Placed(side, at, shape, how), rule="CHR-PLC-12")
    if not first:
        _begin(log, chance)
    elif state.how == "set":
        log.emit(ev.Stage("line"), rule="CHR-PLC-04")
    else:
        log.emit(ev.Stage("place", 2), rule="CHR-PLC-08")


PLACE: Of[forms.Place] = Decision(
    forms.Place,
    step=_place_step,
    resolve=_place,
    phase=Phase(words="Placing", steps=("place",), default="take the usual hexes", opening=True),
    check=_place_check,
    default=_usual_place,
    title="Placing an army",
    call="Place the army",
)


def _line_step(state: State) -> Step:
    return step(state, "line", aloud(state, "line", state.defender) if len(_rows(state)) > 1 else (), "react")


def _rows(state: State) -> dict[str, placing.Line]:
    """The straight rows that the defender may choose, by axis and sign: "z-"."""
    army = [unit.at for unit in state.of(state.defender) if unit.here]
    found = placing.lines(state.ground, army, len(state.of(state.attacker)), state.settings.setbattle_axes)
    return {f"{line.axis}{'+' if line.sign == 1 else '-'}": line for line in found}


def _row_choices(view: View, ask: Ask) -> Options:
    state = view.battle
    army = [unit.at for unit in state.of(state.defender) if unit.here]
    return {"line": tuple(Choice(key, placing.said(line, army)) for key, line in _rows(state).items())}


def _draw_line(log: ev.BattleLog, answers: Answers[forms.Row], chance: Chance) -> None:
    state, side = log.state, log.state.defender
    says, how = said(state, side, answers)
    rows = _rows(state)
    line = rows.get(says.line if says else "") or next(iter(rows.values()), None)
    if line:  # else the GM has moved the army since, and the attackers place freely
        log.emit(ev.Lined(side, line.axis, line.value, line.sign, how), rule="CHR-PLC-05")
    log.emit(ev.Stage("place", 2), rule="CHR-PLC-03")


LINE: Of[forms.Row] = Decision(
    forms.Row,
    step=_line_step,
    resolve=_draw_line,
    phase=Phase(
        words="The row between", steps=("line",), default="take the row of its northernmost unit", opening=True
    ),
    options=_row_choices,
    title="The row between the armies",
    call="Choose the row behind which the attackers are placed",
)


# A round


def _begin(log: ev.BattleLog, chance: Chance) -> None:
    """A round begins; the first one with its clusters, since placing was its movement (CHR-PLC-10)."""
    state, number = log.state, log.state.round + 1
    if number == 1 and state.settings.battle_first_proactive == "tactics-check":
        attacker = state.attacker
        checked = roll(chance, "CHR-ARM-14/r1", state.tactics[attacker], state.tactics[OTHER[attacker]])
        log.emit(ev.First(attacker, checked), rule="CHR-ARM-14")
    log.emit(ev.Began(number, state.first if number % 2 else OTHER[state.first]), rule="CHR-MOV-02")
    log.emit(ev.Stage("clusters" if number == 1 else "intent"), rule="CHR-MOV-01")


def _intent_step(state: State) -> Step:
    return step(state, "intent", commanders(state, "intent", SIDES, {side: (side,) for side in SIDES}))


INTENTS = (Choice("fight", "Fight on"), Choice("retreat", "Retreat"), Choice("surrender", "Offer surrender"))


def _intend(log: ev.BattleLog, answers: Answers[forms.Intents], chance: Chance) -> None:
    """Both intents; surrender ends the battle, retreat comes before the moves (steps F1, F2)."""
    for side in log.state.turns:
        says, how = said(log.state, side, answers)
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
    step=_intent_step,
    resolve=_intend,
    phase=Phase(words="Intents", steps=("intent",), default="fight on"),
    options=lambda view, ask: {f"of.{side}.intent": INTENTS for side in ask.about},
    title="Round <n>: fight on, retreat or surrender",
    call="Decide whether <seat> fights on",
)


def _retreating(state: State) -> list[Side]:
    return [side for side in state.turns if state.intents.get(side) == "retreat"]


def _leave_step(state: State) -> Step:
    can = {side: moving.leavers(state, side) if side in _retreating(state) else [] for side in SIDES}
    return step(state, "leave", commanders(state, "leave", [side for side in SIDES if can[side]], can))


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
        says, _ = said(log.state, side, answers)
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


def quick_count(state: State, side: Side) -> int:
    """How many units of a side are quick (CHR-MOV-03)."""
    return max(1, len(state.of(side)) // 2)


def fastest(state: State, side: Side) -> list[str]:
    """The quick units of a side that does not choose; ties by id."""
    units = sorted(state.of(side), key=lambda unit: -unit.kind.movement)
    return sorted((unit.key for unit in units[: quick_count(state, side)]), key=list(state.units).index)


def _quick_step(state: State) -> Step:
    keys = {side: [unit.key for unit in state.of(side)] for side in SIDES}
    return step(state, "quick", commanders(state, "quick", [side for side in SIDES if len(keys[side]) > 1], keys))


def _quick_check(view: View, ask: Ask, says: forms.Quickest) -> Faults:
    ticked = [key for key, one in says.of.items() if one.quick]
    faults = only_about(ask, ticked, "quick")
    for side in SIDES if not faults else ():
        own = [key for key in ask.about if view.battle.units[key].side == side]
        count, need = sum(key in ticked for key in own), quick_count(view.battle, side)
        if own and count != need:
            units = "unit is" if count == 1 else "units are"
            faults[f"of.{own[0]}.quick"] = f"Tick exactly {need} of {len(own)} units: {count or 'no'} {units} ticked."
    return faults


def _fastest(view: View, ask: Ask) -> forms.Quickest:
    state = view.battle
    sides = dict.fromkeys(state.units[key].side for key in ask.about)
    keys = [key for side in sides for key in fastest(state, side)]
    return forms.Quickest(of={key: forms.Quick(quick=True) for key in keys})


def _quicken(log: ev.BattleLog, answers: Answers[forms.Quickest], chance: Chance) -> None:
    for side in log.state.turns:
        says, how = said(log.state, side, answers)
        ticked = [unit.key for unit in log.state.of(side) if says and says.of.get(unit.key, forms.Quick()).quick]
        log.emit(ev.Quickened(side, tuple(ticked or fastest(log.state, side)), how), rule="CHR-MOV-03")
    log.emit(ev.Stage("move"), rule="CHR-MOV-04")


QUICK: Of[forms.Quickest] = Decision(
    forms.Quickest,
    step=_quick_step,
    resolve=_quicken,
    phase=Phase(words="Quick units", steps=("quick",), default="take the fastest units"),
    check=_quick_check,
    default=_fastest,
    title="Round <n>: quick units",
    call="Choose the quick units",
)


def _move_step(state: State) -> Step:
    about = state.owners(moving.movers(state)) if moving.anybody_can(state) else {}
    return step(state, f"move/{state.turn}", by_seat(state, "move", about, shown=True))


def _says(says: forms.Moves) -> dict[str, tuple[str, str]]:
    return {key: (going.to, going.by) for key, going in says.of.items()}


def _move_check(view: View, ask: Ask, says: forms.Moves) -> Faults:
    said = {key for key, going in says.of.items() if going.to.strip() or going.by.strip()}
    return only_about(ask, said, "to") or moving.plan(view.battle, ask.about, _says(says), says.order)[1]


def _move(log: ev.BattleLog, answers: Answers[forms.Moves], chance: Chance) -> None:
    """The seats' units move one after the other; a unit that finds its way taken stops before it (CHR-MOV-04)."""
    state, side, turn = log.state, moving.mover(log.state), log.state.turn
    own = state.owners(moving.movers(state))
    plans = [
        (str(seat), answer.how, moving.plan(state, own.get(str(seat), []), _says(answer.says), answer.says.order)[0])
        for seat, answer in answers.of.items()
    ]
    for seat, how, ways in plans:
        log.emit(ev.Orders(side, seat, turn, tuple(ways), how), rule="CHR-MOV-04")
        for key, way in ways.items():
            moving.go(log, key, way)
    log.emit(ev.Stage("move", turn + 1) if turn < 4 else ev.Stage("clusters"), rule="CHR-MOV-04")


MOVE: Of[forms.Moves] = Decision(
    forms.Moves,
    step=_move_step,
    resolve=_move,
    phase=Phase(words="Moves", steps=("move",), default="stay with all units"),
    check=_move_check,
    default=lambda view, ask: forms.Moves(),
    title="Round <n>: moves",
    call="Move the units of <seat>",
)


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
    whole = {id(cluster): cluster for cluster in found.values()}.values()
    return [tuple(key for key in graph.near if key in cluster) for cluster in whole]


def _clusters_check(view: View, ask: Ask, says: forms.Clusters) -> Faults:
    state = view.battle
    made = joined(state, says.of)
    wrong = clusters.legal(made, state.engaged(), state.settings.cluster_minimality, view.full_name)
    return {f"of.{ask.about[0]}.against": " ".join(wrong)} if wrong else {}


def _cluster(log: ev.BattleLog, answers: Answers[forms.Clusters], chance: Chance) -> None:
    """The clusters of this round (step F6); then bowmen shoot, before the melee (CHR-RNG-01)."""
    says, how = said(log.state, log.state.proactive, answers)
    made = joined(log.state, says.of if says else {})
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


def _targets_step(state: State) -> Step:
    return step(state, "targets", by_seat(state, "targets", state.owners(shooting.shooters(state)), shown=True))


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
    own = log.state.owners(shooting.shooters(log.state))
    aims = dict[str, str]()
    for seat, answer in answers.of.items():
        for side in log.state.turns:
            keys = [key for key in own.get(str(seat), ()) if log.state.units[key].side == side]
            at = tuple((key, answer.says.of.get(key, forms.Aim()).at) for key in keys)
            if at:
                log.emit(ev.Aimed(side, at, answer.how), rule="CHR-RNG-11")
            aims |= dict(at)
    shooting.shoot(log, aims, chance)
    if not ending.ends(log):
        log.emit(ev.Stage("order"), rule="CHR-MEL-15")


TARGETS: Of[forms.Targets] = Decision(
    forms.Targets,
    step=_targets_step,
    resolve=_shoot,
    phase=Phase(words="Targets", steps=("targets",), default="shoot at the nearest enemy, or not if all is silence"),
    options=_aims,
    title="Round <n>: targets",
    call="Choose the targets of the bowmen",
)


def _numbers(state: State) -> list[str]:
    """The numbers of the clusters in the order in which they fight if nobody decides (step F9)."""
    order = list(state.units)

    def lowest(number: str) -> int:
        own = (key for key in state.clusters[int(number) - 1] if state.units[key].side == state.proactive)
        return min(map(order.index, own))

    return sorted((str(number) for number in range(1, len(state.clusters) + 1)), key=lowest)


def _order_step(state: State) -> Step:
    return step(state, "order", aloud(state, "order", state.proactive) if len(state.clusters) > 1 else (), "react")


def _order_check(view: View, ask: Ask, says: forms.Order) -> Faults:
    strange = in_order(says.order, _numbers(view.battle))[1]
    most = len(view.battle.clusters)
    return {"order": f"There is no cluster “{strange[:20]}”. Write numbers from 1 to {most}."} if strange else {}


def _put_in_order(log: ev.BattleLog, answers: Answers[forms.Order], chance: Chance) -> None:
    says, how = said(log.state, log.state.proactive, answers)
    numbers, _ = in_order(says.order if says else "", _numbers(log.state))
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
    default=lambda view, ask: forms.Order(),
    title="Round <n>: order of the clusters",
    call="Choose the order in which the clusters fight",
)


def _next_fight(log: ev.BattleLog, chance: Chance) -> None:
    """The rolls of the next cluster (step F10), or the end of the round."""
    state = log.state
    if not state.waiting:
        log.emit(ev.Stage("close"), rule="CHR-MOV-01")
        return
    melee.roll(log, chance)
    fight = state.at_hand
    chosen = fight is not None and not fight.winner and not melee.doomed(state, fight.losers[0])
    log.emit(ev.Stage("whom" if chosen else "fall", state.turn + 1), rule="CHR-MEL-14" if chosen else "CHR-MEL-05")


def _whom_step(state: State) -> Step:
    fight = state.at_hand
    assert fight is not None
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
    words = {one: f"{view.full_name(one)}: {room[one] or 'no'} hexes to fall back to" for one in order}
    return {"winner": tuple(Choice(one, words[one], piece=one) for one in order)}


def _drive(log: ev.BattleLog, answers: Answers[forms.Whom], chance: Chance) -> None:
    fight = log.state.at_hand
    assert fight is not None
    if fight.losers and fight.many:
        side = OTHER[log.state.units[fight.losers[0]].side]
        says, how = said(log.state, side, answers)
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


def _room(state: State) -> dict[str, list[Hex]]:
    """The hexes to which each loser may fall back, those that others may leave before it included."""
    fight = state.at_hand
    if fight is None or not fight.winner:
        return {}
    return {key: melee.in_time(state, key) for key in fight.losers if not melee.doomed(state, key)}


def _fall_step(state: State) -> Step:
    room = _room(state)
    every = [hex for hexes in room.values() for hex in hexes]
    about = state.owners([key for key, hexes in room.items() if hexes])
    if not any(len(hexes) > 1 for hexes in room.values()) and len(every) == len(set(every)):
        about.clear()
    elif len(room) > 1:  # the commander has their order
        about.setdefault(state.commanders[state.units[next(iter(room))].side], [])
    return step(state, f"fall/{state.turn}", by_seat(state, "fall", about, shown=True), "react")


def _fall_check(view: View, ask: Ask, says: forms.Fall) -> Faults:
    state, room = view.battle, _room(view.battle)
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
    fight = log.state.at_hand
    assert fight is not None
    losers = list(fight.losers)
    says, _ = said(log.state, log.state.units[losers[0]].side, answers) if losers else (None, "")
    for key in in_order(says.order if says else "", losers)[0]:
        state = log.state
        hexes = melee.away(state, key, fight.winner) if fight.winner else []
        answer = next((one for seat, one in answers.of.items() if seat == state.units[key].seat), None)
        wish = read(answer.says.of.get(key, forms.Back()).to) if answer else None
        how = answer.how if answer and wish in hexes else "default" if answer else "only"
        melee.beat(log, key, wish if wish in hexes else next(iter(hexes), None), how)
    log.emit(ev.Stage("step", log.state.turn + 1), rule="CHR-MEL-16")


FALL: Of[forms.Fall] = Decision(
    forms.Fall,
    step=_fall_step,
    resolve=_fall_back,
    phase=Phase(words="Melee", steps=("fall",), default="fall back to the lowest hex"),
    check=_fall_check,
    default=lambda view, ask: forms.Fall(),
    title="Round <n>: falling back",
    call="Choose where the units of <seat> fall back",
)


def _light(state: State) -> dict[str, list[Hex]]:
    """The light infantry of the cluster at hand with the hexes of its free step, the proactive side's first."""
    cluster = state.at_hand.cluster if state.at_hand else ()
    keys = [unit.key for side in state.turns for unit in state.of(side) if unit.key in cluster]
    found = {key: moving.light_steps(state, key) for key in keys if state.units[key].troop == LIGHT_INFANTRY}
    return {key: hexes for key, hexes in found.items() if hexes}


def _light_step(state: State) -> Step:
    asks = by_seat(state, "step", state.owners(_light(state)), shown=True)
    return step(state, f"fall/{state.turn}", asks, "react")


def _step_choices(view: View, ask: Ask) -> Options:
    return {
        f"of.{key}.step": (Choice("", "Stay"), *(Choice(spell(hex), spell(hex), piece=spell(hex)) for hex in hexes))
        for key, hexes in _light(view.battle).items()
        if key in ask.about
    }


def _step_away(log: ev.BattleLog, answers: Answers[forms.LightSteps], chance: Chance) -> None:
    """Light infantry makes its free steps; then the next cluster fights (CHR-MEL-16)."""
    for key in _light(log.state):
        unit = log.state.units[key]
        answer = next((one for seat, one in answers.of.items() if seat == unit.seat), None)
        wish = read(answer.says.of.get(key, forms.Step()).step) if answer else None
        if answer and wish and wish in moving.light_steps(log.state, key):
            log.emit(ev.Stepped(unit.side, key, unit.at, wish, answer.how), rule="CHR-MEL-16")
        elif wish:
            log.emit(ev.Blocked(key, wish, wish), rule="CHR-TER-14")
    log.emit(ev.Stage("fight", log.state.turn), rule="CHR-MEL-15")


STEP: Of[forms.LightSteps] = Decision(
    forms.LightSteps,
    step=_light_step,
    resolve=_step_away,
    options=_step_choices,
    call="Choose the free steps of <seat>’s light infantry",
)


def _close(log: ev.BattleLog, chance: Chance) -> None:
    """The end of a round (step F12)."""
    state = log.state
    log.emit(ev.RoundOver(state.round, 0 if state.busy else state.quiet + 1), rule="CHR-MOV-08")
    if ending.ends(log):
        return
    most = state.settings.battle_quiet_rounds
    if most and state.quiet >= most:
        log.emit(ev.Stage("quiet"), rule="CHR-END-13")
    else:
        _begin(log, chance)


# After the battle


def _let_go_on(log: ev.BattleLog, answers: Answers[forms.Quiet], chance: Chance) -> None:
    (answer,) = answers.of.values()
    if answer.says.go_on == "end":
        ending.end(log, "quiet", "")
    else:
        log.emit(ev.WentOn(answer.how), rule="CHR-END-13")
        _begin(log, chance)


QUIET: Of[forms.Quiet] = Decision(
    forms.Quiet,
    step=lambda state: step(state, "quiet", of_gm("quiet"), "rule"),
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
    says, how = said(log.state, side, answers)
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
    says, how = said(log.state, side, answers)
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

DECISIONS: Sequence[Of[Any]] = (
    ARMIES, FIELD, PLACE, LINE, INTENT, LEAVE, QUICK, MOVE, CLUSTERS, TARGETS, ORDER, WHOM, FALL, STEP, QUIET, TERMS,
    AGREE, DESK,
)  # fmt: skip
OF: dict[str, Of[Any]] = {decision.kind: decision for decision in DECISIONS}
