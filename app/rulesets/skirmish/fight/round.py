"""A turn in the order of the book: surprise, declarations, initiative, reactions, the four groups, the end."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from app.engine.chance import Chance
from app.engine.ruleset import GM, Answer, Answers, Ask, Phase, Seat, Step
from app.engine.steps import gm_desk, retry_suffix
from app.rulesets.skirmish.fight import attacks, execution, incoming, order, zones
from app.rulesets.skirmish.fight import declarations as de
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight.damage import fall
from app.rulesets.skirmish.fight.desk import at_the_desk
from app.rulesets.skirmish.fight.state import Combatant, FightLog, State
from app.rulesets.skirmish.sheet.gear import UNARMED
from app.rulesets.skirmish.sheet.sheets import Side

PHASES = (
    Phase(words="Surprise", steps=("before",), default="let both sides notice each other", gms=True, opening=True),
    Phase(words="Ready", steps=("ready",), default="count as ready", opening=True),
    Phase(words="Attitude", steps=("attitude", "parley"), default="let it come to a fight", gms=True, opening=True),
    Phase(words="Declarations", steps=("declare",), default="hold"),
    Phase(words="Odd gambits", steps=("rule",), default="not be allowed", gms=True),
    Phase(words="Order", steps=("order",), default="act in roster order"),
    Phase(words="Reactions", steps=("react",), default="Defend"),
    Phase(words="Morale", steps=("morale",), default="flee, or surrender if an enemy is beside them", gms=True),
    Phase(words="The end", steps=("next",), default="end, unless somebody is still out of sight", gms=True),
)

WORDS = {
    "Say who failed to notice whom": "Set up surprise",
    "Say whether it comes to a fight": "Decide whether it comes to a fight",
    "End the fight or go on": "End the fight or continue",
}

SURPRISED: Mapping[str, tuple[int, int]] = {"normal": (1, 6), "low": (2, 5), "element": (2, 6), "helpless": (3, 7)}
"""Situation -> the company is surprised up to the first number, the foes from the second (SKI-02)."""

ATTITUDES = ((2, "hostile"), (5, "wary"), (8, "curious"), (11, "kind"), (12, "helpful"))  # up to (SKI-06)


def steps(state: State) -> tuple[Step, ...]:
    """Returns the open steps, the GM's optional one always among them."""
    if state.phase == "over":
        return ()
    return (_phase(state), gm_desk(state.desk, "Change something in the fight"))


def _phase(state: State) -> Step:
    turn, name = (f"f{state.turn}", "The free turn") if state.free else (f"t{state.turn}", f"Turn {state.turn}")
    again = retry_suffix(state.tries)
    match state.phase:
        case "before":
            return _of_gm("before", "Before the fight", "before", "Say who failed to notice whom", opens="end")
        case "ready":
            asks = tuple(Ask(seat=seat, kind="ready", call="Get ready") for seat in _able(state))
            return Step(key=f"ready{again}", title="Before the dice", asks=asks, seconds=state.seconds)
        case "attitude":
            return _of_gm("attitude", "Their attitude", "attitude", "Roll for the foes’ attitude")
        case "parley":
            return _of_gm("parley", "After the roll", "parley", "Say whether it comes to a fight")
        case "declare":
            return Step(key=f"{turn}/declare{again}", title=name, asks=_declaring(state), seconds=state.seconds)
        case "rule":
            return _of_gm(f"{turn}/rule{again}", f"{name}: gambits", "rule", "Decide what is allowed", state.now.about)
        case "order":
            asks = tuple(Ask(seat=Seat(seat), kind="order", call="Order your side") for seat in state.now.about)
            return Step(key=f"{turn}/order{again}", title=f"{name}: the order", asks=asks, pace="react")
        case "react":
            return Step(key=f"{turn}/react{again}", title=f"{name}: reactions", asks=_reacting(state), pace="react")
        case "morale":
            key = f"{turn}/morale-{state.now.morale}"
            return _of_gm(key, f"{name}: morale", "morale", "Decide who flees and who surrenders", state.now.about)
        case _:
            free, before = state.now.free, state.turn - 1
            key, name = (f"f{state.turn}", "the free turn") if free else (f"t{before}", f"turn {before}")
            return _of_gm(f"{key}/next{again}", f"After {name}", "next", "End the fight or go on")


def _of_gm(key: str, title: str, kind: str, call: str, about: Any = (), opens: Any = "close") -> Step:
    ask = Ask(seat=GM, kind=kind, call=call, about=tuple(about), opens=opens)
    return Step(key=key, title=title, asks=(ask,), pace="rule")


def _declaring(state: State) -> tuple[Ask, ...]:
    """Every seat with somebody able; the GM always. A free turn's words stay shut: some are not used (SKI-04)."""
    able_of = _able(state)
    asks = []
    for seat in map(Seat, state.seats):
        if seat == GM:
            asks.append(Ask(seat=GM, kind="declare", call="Declare for your side", opens="end"))
        elif able := able_of.get(seat):
            call = f"Declare for {' and '.join(c.name for c in able)}"
            about = tuple(c.key for c in able)
            opens: Any = "end" if state.free else "close"
            asks.append(Ask(seat=seat, kind="declare", call=call, about=about, opens=opens))
    return tuple(asks)


def _able(state: State) -> dict[Seat, list[Combatant]]:
    """The able combatants of each player's seat that has some."""
    found: dict[Seat, list[Combatant]] = {}
    for c in state.combatants.values():
        if c.able and c.seat != GM:
            found.setdefault(Seat(c.seat), []).append(c)
    return {seat: found[seat] for seat in map(Seat, state.seats) if seat in found}


def _reacting(state: State) -> tuple[Ask, ...]:
    """Whoever is attacked and may react, one ask for all attacks on a seat's combatants (SKI-63)."""
    by_seat: dict[str, list[str]] = {}
    for attack in state.now.about:
        by_seat.setdefault(state.combatants[attack.partition(">")[2]].seat, []).append(attack)
    return tuple(
        Ask(seat=Seat(seat), kind="react", call="React to the attacks", about=tuple(by_seat[seat]))
        for seat in state.seats
        if seat in by_seat
    )


def resolve(log: FightLog, step: Step, answers: Answers[Any], chance: Chance) -> None:
    """Resolves one closed step."""
    kind = step.asks[0].kind
    match kind:
        case "before":
            _before(log, answers.of[GM].says)
        case "ready":
            _surprise(log, chance)
        case "attitude":
            _attitude(log, answers.of[GM].says, chance)
        case "parley":
            says = answers.of[GM].says
            log.emit(ev.Parleyed(says.go == "peace", says.words.strip()), rule="SKI-06")
        case "declare":
            _open(log, answers.of, chance)
        case "rule":
            _rule(log, answers.of[GM].says)
            _go_on(log, chance, after="rule")
        case "order":
            _order(log, answers.of)
            _go_on(log, chance, after="order")
        case "react":
            _react(log, answers.of)
            _go_on(log, chance, after="react")
        case "morale":
            _flee(log, answers.of[GM].says)
            execution.carry_on(log, chance)
        case "next":
            _next(log, answers.of[GM].says)
        case "desk":
            at_the_desk(log, answers.of[GM].says)
        case _:
            raise AssertionError(f"no step of a skirmish asks for {kind}")


def _before(log: FightLog, says: de.Before) -> None:
    """Step 0a: where dice will decide, every player adds luck of their own first (SKI-01, SKI-06)."""
    if says.unaware or says.attitude:
        log.emit(ev.DiceCalled(says.unaware, says.situation, says.ambush, says.attitude), rule="SKI-01")
    else:
        log.emit(ev.Noticed(False, False), rule="SKI-01")


def _surprise(log: FightLog, chance: Chance) -> None:
    """Step 0a: one d6 out of sight if a side failed to notice the other (SKI-01 to SKI-03, SKI-05)."""
    called = log.state.called
    assert called is not None
    side: Side | str = ""
    because: tuple[int, ...] = ()
    if called.unaware:
        roll = chance.veiled.die(6, "SKI-01/surprise")
        low, high = SURPRISED[called.situation]
        side = "company" if roll.face <= low else "foes" if roll.face >= high else ""
        rolled = ev.SurpriseRolled(called.unaware, called.situation, called.ambush, roll, side)  # type: ignore[arg-type]
        because = (log.emit(rolled, rule="SKI-02"),)
    log.emit(ev.Noticed(bool(side), called.attitude), rule="SKI-01", because=because)


def _attitude(log: FightLog, says: de.Attitude, chance: Chance) -> None:
    """Step 0b: 2d6, less a d4 with weapons drawn, plus a d4 with all of them sheathed (SKI-06, SKI-07)."""
    dice = tuple(chance.die(6, f"SKI-06/reaction/{n}") for n in (1, 2))
    extra = None if says.weapons == "mixed" else chance.die(4, "SKI-07/weapons")
    sign = {"drawn": -1, "sheathed": 1, "mixed": 0}[says.weapons]
    total = min(12, max(2, sum(die.face for die in dice) + sign * (extra.face if extra else 0)))
    attitude: Any = next(word for most, word in ATTITUDES if total <= most)
    log.emit(ev.AttitudeRolled(says.weapons, dice, extra, total, attitude), rule="SKI-07" if extra else "SKI-06")


def _open(log: FightLog, answers: Mapping[Seat, Answer[Any]], chance: Chance) -> None:
    """Steps 3 and 4: all declarations open, those of the surprised stay shut; both dice decide who leads (SKI-21)."""
    state = log.state
    if state.free and state.surprised:
        event = ev.Surprised(state.surprised, state.surprise, state.ambush)
        log.emit(event, rule="SKI-03")
    shut = state.surprised if state.free else ""
    by_seat = {str(seat): answer for seat, answer in answers.items()}
    opened = [
        _declared(state, c, by_seat[c.seat])
        for c in state.combatants.values()
        if c.able and c.side != shut and c.seat in by_seat
    ]
    for d in opened:
        if d.hidden and any(deed.do != "hold" for deed in d.deeds):
            log.emit(ev.Sighted(d.who, True), rule="SKI-23")
    for d in opened:
        hidden = state.combatants[d.who].hidden
        told = d if d.hidden == hidden else replace(d, hidden=hidden)
        log.emit(told, rule="SKI-89" if d.how == "default" else "SKI-23")
    if not state.free:
        _initiative(log, by_seat, chance)
    _go_on(log, chance, after="declare")


def _declared(state: State, who: Combatant, answer: Answer[Any]) -> ev.Declared:
    intent = answer.says.of.get(who.key, de.Intent())
    deeds = (intent.first, intent.then) if intent.turn == "full" else (intent.first,)
    acts = [deed for deed in deeds if deed.do != "hold"] or [de.HOLD]
    known = {thing.key for thing in who.things}
    return ev.Declared(
        who.key,
        intent.turn,
        tuple(_deed(state, who, deed) for deed in acts),
        intent.react,
        tuple((key, order) for key, order in intent.sacrifice.items() if order != "never" and key in known),
        answer.how,
        who.hidden,
        intent.gentle,
    )


def _deed(state: State, who: Combatant, deed: de.Deed) -> ev.Deed:
    """An action with only what belongs to it, and the names of what it uses."""
    aims = deed.do in ("attack", "cast", "gambit")
    key = {"attack": deed.weapon, "cast": deed.spell}.get(deed.do, "")
    weapon = who.weapon(key) if deed.do in ("attack", "cast") else None
    second = who.weapon(deed.second) if deed.do == "attack" and deed.second else None
    shoved = deed.do == "gambit" and deed.gambit == "shove"
    readies = deed.do == "ready"
    things = (t for c in state.combatants.values() for t in c.things) if readies else ()
    item = next((t for t in things if t.key == deed.item), None)
    return ev.Deed(
        do=deed.do,
        target=deed.target if aims else "",
        spare=tuple(dict.fromkeys(key for key in deed.spare if key != deed.target)) if aims else (),
        weapon=key,
        weapon_name=weapon.name if weapon else UNARMED.name if deed.do == "attack" else "",
        second=deed.second if second else "",
        second_name=second.name if second else "",
        quicker=deed.quicker if second else False,
        gambit=deed.gambit if deed.do == "gambit" else "",
        words=deed.words.strip() if deed.do == "gambit" and deed.gambit == "other" else "",
        zone=deed.zone if deed.do in ("move", "withdraw", "retreat") or shoved else "",
        close=deed.close if deed.do == "move" else "",
        item=deed.item if readies else "",
        item_name=item.gear.name if item else "",
    )


def _initiative(log: FightLog, answers: Mapping[str, Answer[Any]], chance: Chance) -> None:
    """Step 3: the caller's odd or even against the sum of both dice (SKI-21, SKI-22)."""
    state = log.state
    caller = state.combatants.get(state.caller)
    answer = answers.get(caller.seat) if caller else None
    call = answer.says.call if answer else "odd"
    own, gm = chance.die(6, "SKI-21/caller"), chance.die(6, "SKI-21/gm")
    right = (own.face + gm.face) % 2 == (call == "odd")
    event = ev.Initiative(
        state.caller, call, own, gm, "company" if right else "foes", answer.how if answer else "default"
    )
    log.emit(event, rule="SKI-21")


def _go_on(log: FightLog, chance: Chance, *, after: str) -> None:
    """The next part of the turn in which somebody has something to decide; else the turn is carried out."""
    names = [part.name for part in PARTS]
    for part in PARTS[names.index(after) + 1 if after in names else 0 :]:
        if about := part.about(log.state):
            log.emit(ev.Stage(part.name, tuple(about)), rule=part.rule)
            return
    order.queue(log, chance)
    execution.carry_on(log, chance)


@dataclass(frozen=True, slots=True)
class TurnPart:
    """A part of the turn after the reveal that is left out where nobody has anything to decide."""

    name: Literal["rule", "order", "react"]
    rule: str
    about: Callable[[State], list[str]]


PARTS = (
    TurnPart("rule", "SKI-55", lambda state: [who for who, _, _ in incoming.odd_gambits(state)]),
    TurnPart("order", "SKI-25", lambda state: _ordering(state)),
    TurnPart("react", "SKI-63", lambda state: [a.key for a in incoming.attacks(state) if len(a.reactions) > 1]),
)


def _ordering(state: State) -> list[str]:
    """The seats that order their side: the caller's and the GM's, if two of it act at the same speed (SKI-25)."""
    if state.settings.group_order != "side":
        return []
    seats = []
    for side, keys in incoming.orders(state).items():
        turns = [state.now.declared[key].turn for key in keys]
        if max(turns.count("quick"), turns.count("full")) > 1:
            caller = state.combatants.get(state.caller)
            seats.append(caller.seat if side == "company" and caller else str(GM))
    return [seat for seat in state.seats if seat in seats]


def _rule(log: FightLog, says: de.Rule) -> None:
    for who in log.state.now.about:
        verdict = says.of.get(who, de.Verdict())
        event = ev.Ruled(who, verdict.allowed, verdict.against, verdict.words.strip())
        log.emit(event, rule="SKI-55", because=(log.state.now.told[who],))


def _order(log: FightLog, answers: Mapping[Seat, Answer[Any]]) -> None:
    for side, keys in incoming.orders(log.state).items():
        caller = log.state.combatants.get(log.state.caller)
        seat = Seat(caller.seat) if side == "company" and caller else GM
        if seat in answers:
            said = answers[seat].says.of
            ranked = sorted(keys, key=lambda key: said[key] if said.get(key) is not None else 1000)
            log.emit(ev.Ordered(side, tuple(ranked)), rule="SKI-25")  # type: ignore[arg-type]


def _react(log: FightLog, answers: Mapping[Seat, Answer[Any]]) -> None:
    """Step 5: all reactions open; what is not possible becomes Defend, and the log says why (SKI-63, SKI-65)."""
    state = log.state
    known = {attack.key: attack for attack in incoming.attacks(state)}
    for key in state.now.about:
        attack = known.get(key)
        answer = answers.get(Seat(state.combatants[key.partition(">")[2]].seat))
        if attack is None or answer is None:
            continue
        said = answer.says.of.get(key) or answer.says.of.get(f"all>{attack.who}") or "defend"
        why = attack.hindrances[said]
        event = ev.Reacted(key, attack.who, attack.by, "defend" if why else said, answer.how)
        number = log.emit(event, rule="SKI-63", because=(state.now.told[attack.by],))
        if why:
            attacks.foiled(log, attack.who, said, why, attack.by, (number,))


def _flee(log: FightLog, says: de.Morale) -> None:
    """Flees or surrenders, as the GM says; else surrenders with an enemy beside, and flees without (SKI-76)."""
    state = log.state
    for key in list(state.now.wavering):
        beside = zones.close_enemies(state, state.combatants[key])
        how = says.of.get(key) or ("surrender" if beside else "flee")
        fall(log, key, "surrendered" if how == "surrender" else "fled", "SKI-76", ())


def _next(log: FightLog, says: de.Next) -> None:
    """The end of the fight, or another turn: by itself it ends unless somebody able is out of sight (SKI-26)."""
    state = log.state
    lurking = any(c.able and c.hidden for c in state.combatants.values())
    if says.go == "on" or (says.go == "" and lurking):
        log.emit(ev.Stage("declare"), rule="SKI-26")
    else:
        over(log, says.words.strip())


def over(log: FightLog, words: str) -> None:
    sides = list(dict.fromkeys(c.side for c in log.state.present()))
    winner: Any = sides[0] if len(sides) == 1 else ""
    log.emit(ev.FightOver(winner, words), rule="SKI-26")
