"""A round of battle in the order of the book: scene, declarations, pairing, checks, application, next (WHI-01)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from app.engine.chance import Chance
from app.engine.decisions import Decision, by_gm
from app.engine.form_fields import FormModel
from app.engine.ruleset import GM, NOBODY, Answer, Answers, Ask, Phase, Seat, Step
from app.engine.steps import retry_suffix
from app.rulesets.whiskey import check, checks, pairing, rulings
from app.rulesets.whiskey import declarations as de
from app.rulesets.whiskey import events as ev
from app.rulesets.whiskey.cards import CARDS
from app.rulesets.whiskey.desk import DESK
from app.rulesets.whiskey.state import BattleLog, Fighter, State
from app.rulesets.whiskey.view import View

F = TypeVar("F", bound=FormModel)
Of = Decision[State, ev.Event, View, F]
STAND = de.Intent()


def open_now(state: State) -> tuple[Step, ...]:
    """The open steps, the GM's optional one always among them."""
    if state.phase == "over":
        return ()
    of = {"scene": SCENE, "declare": DECLARE, "veto": VETO, "rule": RULE}
    return (of.get(state.phase, NEXT).step(state), DESK.step(state))


def _gms(state: State, kind: str, title: str, call: str, **more: Any) -> Step:
    """A step of the GM. In a battle with a clock it has a deadline too, so that an absent GM delays no one (WHI-62)."""
    seconds = max(60, state.seconds) if state.seconds else None
    return by_gm(f"r{state.round}/{kind}", title, kind.partition("-")[0], call, seconds=seconds, **more)


def _declare(state: State) -> Step:
    """Asks every seat with an able character; the GM's always, for all the GM's characters (WHI-07, WHI-62)."""
    aloud = state.settings.declaration == "open"
    asks = []
    able_of: dict[str, list[str]] = {}
    for f in state.fighters.values():
        if f.able:
            able_of.setdefault(f.seat, []).append(f.key)
    for seat in state.seats:
        able = able_of.get(seat, [])
        if seat == GM:
            # Sealed even if all others declare openly: it may hold a hidden foe's intent, and whether it does must not
            # be seen. Its words name hidden foes, even if they only stand, so they open at the end.
            asks.append(Ask(seat=GM, kind="declare", call="Declare for your side", opens="end"))
        elif able:
            names = " and ".join(state.fighters[key].name for key in able)
            asks.append(
                Ask(
                    seat=Seat(seat),
                    kind="declare",
                    call=f"Declare for {names}",
                    about=tuple(able),
                    open_to=None if aloud else NOBODY,
                )
            )
    return Step(
        key=f"r{state.round}/declare{retry_suffix(state.tries)}",
        title=f"Round {state.round}",
        asks=tuple(asks),
        seconds=state.seconds,
        ranked=state.settings.ranked,
    )


def _set_scene(log: BattleLog, answers: Answers[de.Scene], chance: Chance) -> None:
    """Step 1: the scene, and who bars which way; whatever the GM leaves out does not change (WHI-02, WHI-57)."""
    state, says = log.state, answers.of[GM].says
    for key in says.show:
        if key in state.fighters and state.fighters[key].hidden:
            log.emit(ev.Shown(key, True), rule="WHI-02")
    for key in says.hide:
        if key in state.fighters and not state.fighters[key].hidden and not state.fighters[key].pc:
            log.emit(ev.Shown(key, False), rule="WHI-02")
    areas = says.areas if says.areas is not None else tuple(state.areas.values())
    description = state.description if says.description is None else says.description.strip()
    barred = {a.key: [who for who in a.barrers if who in state.fighters] for a in areas}
    unseen = {key: tuple(who for who in of if state.fighters[who].hidden) for key, of in barred.items()}
    seen = tuple((a.key, a.name, tuple(w for w in barred[a.key] if w not in unseen[a.key]), a.exit) for a in areas)
    log.emit(ev.SceneSet(state.round, description, seen, says.seconds), rule="WHI-02")
    if any(unseen.values()):
        log.emit(ev.Barring(tuple((key, of) for key, of in unseen.items() if of)), rule="WHI-57")


def _declare_all(log: BattleLog, answers: Answers[de.Hand], chance: Chance) -> None:
    """Steps 2 to 4: the declarations open, and pair up; then the GM may look, before any card is drawn."""
    _open(log, answers.of)
    pairing.pair_up(log, answers.of, chance)
    if log.state.settings.veto == "on" and log.state.last.fights:
        log.emit(ev.Stage("veto"), rule="WHI-11")
    else:
        _fight(log, chance)


def _open(log: BattleLog, answers: Mapping[Seat, Answer[Any]]) -> None:
    """Step 4: opens all declarations at once (WHI-08). Hidden characters who act, or are targets, come into sight."""
    fighters = log.state.fighters
    by_seat = {str(seat): answer for seat, answer in answers.items()}
    opened: list[ev.Declared] = []
    for fighter in fighters.values():
        answer = by_seat.get(fighter.seat)
        if answer is not None and fighter.able:
            opened.append(_declared(fighter, answer.says.of.get(fighter.key, STAND), answer))
    hidden = [key for key, fighter in fighters.items() if fighter.hidden]
    seen = {who for d in opened if _acts(d) for who in (d.who, d.target, d.rider_target)} if hidden else set()
    for who in hidden:
        if who in seen:
            log.emit(ev.Shown(who, True), rule="WHI-02")
    for d in opened:
        prefer = tuple([who for who in d.prefer if who in fighters and not fighters[who].hidden]) if d.prefer else ()
        if prefer != d.prefer or d.hidden != fighters[d.who].hidden:
            d = replace(d, prefer=prefer, hidden=fighters[d.who].hidden)
        log.emit(d, rule="WHI-62" if d.how == "default" else "WHI-03")


def _acts(d: ev.Declared) -> bool:
    return d.intent != "stand" or bool(d.rider or d.rider_words)


def _declared(fighter: Fighter, intent: de.Intent, answer: Answer[Any]) -> ev.Declared:
    """An intent without the form's values for the choices not taken."""
    kind, target, area = intent.intent, "", ""
    if kind == "attack":
        target = intent.attack
    elif kind == "advance":
        target, area = intent.engage, intent.area
    elif kind == "defend":
        what, _, name = intent.ward.partition(":")
        target, area = (name, "") if what == "who" else ("", name)
    main = intent.card if kind == "other" else ""
    rider = intent.rider_card if intent.rider == "card" else ""
    aimed = (main and CARDS[main].needs_target) or (rider and CARDS[rider].needs_target)
    return ev.Declared(
        who=fighter.key,
        intent=kind,
        target=target,
        area=area,
        prefer=intent.prefer if kind == "defend" else (),
        words=intent.other.strip() if kind == "other" and not main else "",
        card=main,
        rider=rider,
        rider_target=intent.rider_target if aimed else "",
        rider_words=intent.rider_text.strip() if intent.rider == "text" else "",
        how=answer.how,
        rank=answer.rank,
        hidden=fighter.hidden,
    )


def _strike(log: BattleLog, answers: Answers[de.Veto], chance: Chance) -> None:
    """The GM strikes out clashes, before any card is drawn (WHI-11)."""
    says = answers.of[GM].says
    for clash in says.strike:
        if clash in log.state.last.fights:
            why = (log.state.last.fights[clash].number,)
            log.emit(ev.Struck(clash, says.reason), rule="WHI-11", because=why)
    _fight(log, chance)


def _fight(log: BattleLog, chance: Chance) -> None:
    """Steps 5 and 6: riders, checks, and all changes at the same instant."""
    checks.riders(log)
    checks.check_all(log, chance)
    checks.land(log, chance)
    rulings.advances(log)
    log.emit(ev.Stage("rule" if log.state.last.questions else "next"), rule="WHI-01")


def _next(log: BattleLog, answers: Answers[de.Next], chance: Chance) -> None:
    """Step 7: another round, or the end of the battle, as the GM decides."""
    says = answers.of[GM].says
    standing = log.state.standing()
    on = says.go == "on"  # possible even if only one side is left: the GM may bring in more
    winner = standing[0] if len(standing) == 1 and not on else ""
    log.emit(ev.RoundOver(log.state.round, on, winner, says.words.strip()), rule="WHI-01")


SCENE: Of[de.Scene] = Decision(
    de.Scene,
    # Its answer may name hidden foes, so its words open at the end.
    step=lambda state: _gms(state, "scene", f"Round {state.round}: the scene", "Set the scene", opens="end"),
    resolve=_set_scene,
    phase=Phase(words="Set the scene", steps=("scene",), default="leave the scene as it is", gms=True),
    check=check.scene,
    default=lambda view, ask: de.Scene(seconds=view.seconds),
)
DECLARE: Of[de.Hand] = Decision(
    de.Hand,  # an absent seat's characters stand (WHI-62)
    step=_declare,
    resolve=_declare_all,
    phase=Phase(words="Declarations", steps=("declare",), default="stand ready"),
    check=check.hand,
)
VETO: Of[de.Veto] = Decision(
    de.Veto,
    step=lambda state: _gms(state, "veto", f"Round {state.round}: the pairing", "Look at the pairing"),
    resolve=_strike,
    phase=Phase(words="Pairing", steps=("veto",), default="keep every clash as it is paired", gms=True),
    check=check.veto,
    words={"Look at the pairing": "Check who fights whom"},
)
RULE: Of[de.Rule] = Decision(
    de.Rule,
    step=lambda state: _gms(
        state,
        f"rule{retry_suffix(state.last.turn)}",
        f"Round {state.round}: what comes of it",
        "Say what comes of it",
        about=tuple(question.key for question in state.last.asked),
    ),
    resolve=lambda log, answers, chance: rulings.rule(log, answers.of[GM].says, chance),
    phase=Phase(words="Outcome", steps=("rule",), default="answer as the rules usually do", gms=True),
    check=check.rule,
    words={
        "Say what comes of it": "Decide what happens",
        "Round <n>: what comes of it": "Round <n>: the GM’s rulings",
    },
)
NEXT: Of[de.Next] = Decision(
    de.Next,
    step=lambda state: _gms(state, "next", f"After round {state.round}", "Go on or end the battle"),
    resolve=_next,
    phase=Phase(
        words="Next round", steps=("next",), default="start another round while both sides can fight", gms=True
    ),
    default=lambda view, ask: de.Next(go="on" if len(view.standing) > 1 else "end"),
    words={"Go on or end the battle": "Start another round or end the battle"},
)
DECISIONS = (SCENE, DECLARE, VETO, RULE, NEXT, DESK)
