"""A turn in the order of the book: surprise, declarations, initiative, reactions, the four groups, the end."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from app.engine.chance import Chance
from app.engine.decisions import Decision, by_gm
from app.engine.form_fields import FormModel
from app.engine.ruleset import GM, Answer, Answers, Ask, Phase, Seat, Step
from app.engine.steps import retry_suffix
from app.rulesets.skirmish.desk import DESK
from app.rulesets.skirmish.fight import attacks, execution, incoming, order, zones
from app.rulesets.skirmish.fight import declarations as de
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight.damage import fall
from app.rulesets.skirmish.fight.state import Combatant, FightLog, State
from app.rulesets.skirmish.sheet.gear import UNARMED
from app.rulesets.skirmish.sheet.sheets import Side
from app.rulesets.skirmish.view import check
from app.rulesets.skirmish.view.view import View

F = TypeVar("F", bound=FormModel)
Of = Decision[State, ev.Event, View, F]

SURPRISED: Mapping[str, tuple[int, int]] = {"normal": (1, 6), "low": (2, 5), "element": (2, 6), "helpless": (3, 7)}
"""Situation -> the company is surprised up to the first number, the foes from the second (SKI-02)."""

ATTITUDES = ((2, "hostile"), (5, "wary"), (8, "curious"), (11, "kind"), (12, "helpful"))  # up to (SKI-06)


def _key(state: State, part: str) -> str:
    """The key of a step of this turn: "t2/react-2", "f1/declare" of the free turn."""
    return f"{'f' if state.free else 't'}{state.turn}/{part}"


def _again(state: State, part: str) -> str:
    return _key(state, part + retry_suffix(state.tries))


def _title(state: State, part: str = "") -> str:
    name = "The free turn" if state.free else f"Turn {state.turn}"
    return f"{name}: {part}" if part else name


def _getting_ready(state: State) -> Step:
    asks = tuple(Ask(seat=seat, kind="ready", call="Get ready") for seat in _able(state))
    return Step(key=f"ready{retry_suffix(state.tries)}", title="Before the dice", asks=asks, seconds=state.seconds)


def _declaring(state: State) -> Step:
    return Step(key=_again(state, "declare"), title=_title(state), asks=_hands(state), seconds=state.seconds)


def _ordering(state: State) -> Step:
    asks = tuple(Ask(seat=Seat(seat), kind="order", call="Order your side") for seat in state.now.about)
    return Step(key=_again(state, "order"), title=_title(state, "the order"), asks=asks, pace="react")


def _ending(state: State) -> Step:
    """What comes after the turn that is over: `state.turn` is the next one already, but for a free turn."""
    free, before = state.now.free, state.turn - 1
    key, name = (f"f{state.turn}", "the free turn") if free else (f"t{before}", f"turn {before}")
    call = "End the fight or go on"
    return by_gm(f"{key}/next{retry_suffix(state.tries)}", f"After {name}", "next", call)


def _hands(state: State) -> tuple[Ask, ...]:
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


def _reacting(state: State) -> Step:
    """Whoever is attacked and may react, one ask for all attacks on a seat's combatants (SKI-63)."""
    by_seat: dict[str, list[str]] = {}
    for attack in state.now.about:
        by_seat.setdefault(state.combatants[attack.partition(">")[2]].seat, []).append(attack)
    asks = tuple(
        Ask(seat=Seat(seat), kind="react", call="React to the attacks", about=tuple(by_seat[seat]))
        for seat in state.seats
        if seat in by_seat
    )
    return Step(key=_again(state, "react"), title=_title(state, "reactions"), asks=asks, pace="react")


def _before(log: FightLog, answers: Answers[de.Before], chance: Chance) -> None:
    """Step 0a: where dice will decide, every player adds luck of their own first (SKI-01, SKI-06)."""
    says = answers.of[GM].says
    if says.unaware or says.attitude:
        log.emit(ev.DiceCalled(says.unaware, says.situation, says.ambush, says.attitude), rule="SKI-01")
    else:
        log.emit(ev.Noticed(False, False), rule="SKI-01")


def _surprise(log: FightLog, answers: Answers[de.Ready], chance: Chance) -> None:
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


def _attitude(log: FightLog, answers: Answers[de.Attitude], chance: Chance) -> None:
    """Step 0b: 2d6, less a d4 with weapons drawn, plus a d4 with all of them sheathed (SKI-06, SKI-07)."""
    says = answers.of[GM].says
    dice = tuple(chance.die(6, f"SKI-06/reaction/{n}") for n in (1, 2))
    extra = None if says.weapons == "mixed" else chance.die(4, "SKI-07/weapons")
    sign = {"drawn": -1, "sheathed": 1, "mixed": 0}[says.weapons]
    total = min(12, max(2, sum(die.face for die in dice) + sign * (extra.face if extra else 0)))
    attitude: Any = next(word for most, word in ATTITUDES if total <= most)
    log.emit(ev.AttitudeRolled(says.weapons, dice, extra, total, attitude), rule="SKI-07" if extra else "SKI-06")


def _parley(log: FightLog, answers: Answers[de.Parley], chance: Chance) -> None:
    says = answers.of[GM].says
    log.emit(ev.Parleyed(says.go == "peace", says.words.strip()), rule="SKI-06")


def _open(log: FightLog, answers: Answers[de.Hand], chance: Chance) -> None:
    """Steps 3 and 4: all declarations open, those of the surprised stay shut; both dice decide who leads (SKI-21)."""
    state = log.state
    if state.free and state.surprised:
        event = ev.Surprised(state.surprised, state.surprise, state.ambush)
        log.emit(event, rule="SKI-03")
    shut = state.surprised if state.free else ""
    opened = [
        _declared(state, c, answers.of[Seat(c.seat)])
        for c in state.combatants.values()
        if c.able and c.side != shut and Seat(c.seat) in answers.of
    ]
    for d in opened:
        if d.hidden and any(deed.do != "hold" for deed in d.deeds):
            log.emit(ev.Sighted(d.who, True), rule="SKI-23")
    for d in opened:
        hidden = state.combatants[d.who].hidden
        told = d if d.hidden == hidden else replace(d, hidden=hidden)
        log.emit(told, rule="SKI-89" if d.how == "default" else "SKI-23")
    if not state.free:
        _initiative(log, answers.of, chance)
    _go_on(log, chance, after="declare")


def _declared(state: State, who: Combatant, answer: Answer[de.Hand]) -> ev.Declared:
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


def _initiative(log: FightLog, answers: Mapping[Seat, Answer[de.Hand]], chance: Chance) -> None:
    """Step 3: the caller's odd or even against the sum of both dice (SKI-21, SKI-22)."""
    state = log.state
    caller = state.combatants.get(state.caller)
    answer = answers.get(Seat(caller.seat)) if caller else None
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
    TurnPart("order", "SKI-25", lambda state: _who_orders(state)),
    TurnPart("react", "SKI-63", lambda state: [a.key for a in incoming.attacks(state) if len(a.reactions) > 1]),
)


def _who_orders(state: State) -> list[str]:
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


def _rule(log: FightLog, answers: Answers[de.Rule], chance: Chance) -> None:
    says = answers.of[GM].says
    for who in log.state.now.about:
        verdict = says.of.get(who, de.Verdict())
        event = ev.Ruled(who, verdict.allowed, verdict.against, verdict.words.strip())
        log.emit(event, rule="SKI-55", because=(log.state.now.told[who],))
    _go_on(log, chance, after="rule")


def _order(log: FightLog, answers: Answers[de.Ordering], chance: Chance) -> None:
    for side, keys in incoming.orders(log.state).items():
        caller = log.state.combatants.get(log.state.caller)
        seat = Seat(caller.seat) if side == "company" and caller else GM
        if seat in answers.of:
            said = answers.of[seat].says.of
            places = {key: 1000 if (place := said.get(key)) is None else place for key in keys}
            ranked = tuple(sorted(keys, key=lambda key: places[key]))
            log.emit(ev.Ordered(side, ranked), rule="SKI-25")  # type: ignore[arg-type]
    _go_on(log, chance, after="order")


def _react(log: FightLog, answers: Answers[de.React], chance: Chance) -> None:
    """Step 5: all reactions open; what is not possible becomes Defend, and the log says why (SKI-63, SKI-65)."""
    state = log.state
    known = {attack.key: attack for attack in incoming.attacks(state)}
    for key in state.now.about:
        attack = known.get(key)
        answer = answers.of.get(Seat(state.combatants[key.partition(">")[2]].seat))
        if attack is None or answer is None:
            continue
        said = answer.says.of.get(key) or answer.says.of.get(f"all>{attack.who}") or "defend"
        why = attack.hindrances[said]
        event = ev.Reacted(key, attack.who, attack.by, "defend" if why else said, answer.how)
        number = log.emit(event, rule="SKI-63", because=(state.now.told[attack.by],))
        if why:
            attacks.foiled(log, attack.who, said, why, attack.by, (number,))
    _go_on(log, chance, after="react")


def _flee(log: FightLog, answers: Answers[de.Morale], chance: Chance) -> None:
    """Flees or surrenders, as the GM says; else surrenders with an enemy beside, and flees without (SKI-76)."""
    state, says = log.state, answers.of[GM].says
    for key in list(state.now.wavering):
        beside = zones.close_enemies(state, state.combatants[key])
        how = says.of.get(key) or ("surrender" if beside else "flee")
        fall(log, key, "surrendered" if how == "surrender" else "fled", "SKI-76", ())
    execution.carry_on(log, chance)


def _next(log: FightLog, answers: Answers[de.Next], chance: Chance) -> None:
    """The end of the fight, or another turn: by itself it ends unless somebody able is out of sight (SKI-26)."""
    state = log.state
    says = answers.of[GM].says
    lurking = any(c.able and c.hidden for c in state.combatants.values())
    if says.go == "on" or (says.go == "" and lurking):
        log.emit(ev.Stage("declare"), rule="SKI-26")
    else:
        execution.over(log, says.words.strip())


FOES_ATTITUDE = Phase(
    words="Attitude", steps=("attitude", "parley"), default="let it come to a fight", gms=True, opening=True
)

BEFORE: Of[de.Before] = Decision(
    de.Before,
    step=lambda state: by_gm("before", "Before the fight", "before", "Say who failed to notice whom", opens="end"),
    resolve=_before,
    phase=Phase(
        words="Surprise", steps=("before",), default="let both sides notice each other", gms=True, opening=True
    ),
    words={"Say who failed to notice whom": "Set up surprise"},
)
READY: Of[de.Ready] = Decision(
    de.Ready,
    step=_getting_ready,
    resolve=_surprise,
    phase=Phase(words="Ready", steps=("ready",), default="count as ready", opening=True),
)
ATTITUDE: Of[de.Attitude] = Decision(
    de.Attitude,
    step=lambda state: by_gm("attitude", "Their attitude", "attitude", "Roll for the foes’ attitude"),
    resolve=_attitude,
    phase=FOES_ATTITUDE,
)
PARLEY: Of[de.Parley] = Decision(
    de.Parley,
    step=lambda state: by_gm("parley", "After the roll", "parley", "Say whether it comes to a fight"),
    resolve=_parley,
    phase=FOES_ATTITUDE,
    words={"Say whether it comes to a fight": "Decide whether it comes to a fight"},
)
DECLARE: Of[de.Hand] = Decision(
    de.Hand,
    step=_declaring,
    resolve=_open,
    phase=Phase(words="Declarations", steps=("declare",), default="hold"),
    check=check.hand,
)
RULE: Of[de.Rule] = Decision(
    de.Rule,
    step=lambda state: by_gm(
        _again(state, "rule"),
        _title(state, "gambits"),
        "rule",
        "Decide what is allowed",
        about=tuple(state.now.about),
    ),
    resolve=_rule,
    phase=Phase(words="Odd gambits", steps=("rule",), default="not be allowed", gms=True),
    check=lambda view, ask, says: check.foreign(
        says.of, {who for who, _, _ in view.odd_gambits}, "There is no such gambit in this turn.", ".allowed"
    ),
)
ORDER: Of[de.Ordering] = Decision(
    de.Ordering,
    step=_ordering,
    resolve=_order,
    phase=Phase(words="Order", steps=("order",), default="act in roster order"),
    check=lambda view, ask, says: check.foreign(
        says.of, {key for keys in view.orders.values() for key in keys}, "This combatant does not act in this turn."
    ),
)
REACT: Of[de.React] = Decision(
    de.React,
    step=_reacting,
    resolve=_react,
    phase=Phase(words="Reactions", steps=("react",), default="Defend"),
    check=check.react,
)
MORALE: Of[de.Morale] = Decision(
    de.Morale,
    step=lambda state: by_gm(
        _key(state, f"morale-{state.now.morale}"),
        _title(state, "morale"),
        "morale",
        "Decide who flees and who surrenders",
        about=tuple(state.now.about),
    ),
    resolve=_flee,
    phase=Phase(words="Morale", steps=("morale",), default="flee, or surrender if an enemy is beside them", gms=True),
    check=lambda view, ask, says: check.foreign(says.of, view.wavering, "This combatant’s courage has not failed."),
)
NEXT: Of[de.Next] = Decision(
    de.Next,
    step=_ending,
    resolve=_next,
    phase=Phase(words="The end", steps=("next",), default="end, unless somebody is still out of sight", gms=True),
    words={"End the fight or go on": "End the fight or continue"},
)
DECISIONS: tuple[Of[Any], ...] = (
    BEFORE,
    READY,
    ATTITUDE,
    PARLEY,
    DECLARE,
    RULE,
    ORDER,
    REACT,
    MORALE,
    NEXT,
    DESK,
)  # by default an absent seat's combatants hold and Defend, and the rules take their course (SKI-89)
_IN_PHASE = {one.kind: one for one in DECISIONS}


def open_now(state: State) -> tuple[Step, ...]:
    """The open steps, the GM's optional one always among them."""
    if state.phase == "over":
        return ()
    return (_IN_PHASE.get(state.phase, NEXT).step(state), DESK.step(state))
