"""A round of battle in the order of the book: scene, declarations, pairing, checks, application, and on (WHI-01)."""

from collections.abc import Mapping
from typing import Any

from app.engine.chance import Chance
from app.engine.ruleset import GM, NOBODY, Answer, Answers, Ask, Seat, Step, Tale
from app.rulesets.whiskey import checks, pairing
from app.rulesets.whiskey import declarations as de
from app.rulesets.whiskey import events as ev
from app.rulesets.whiskey.desk import at_the_desk
from app.rulesets.whiskey.state import Fighter, State

Table = Tale[State, ev.Event]


def steps(state: State) -> tuple[Step, ...]:
    """What the battle waits for now, the GM's desk always among it."""
    if state.phase == "over":
        return ()
    return (_phase(state), _desk(state))


def _phase(state: State) -> Step:
    key, n = f"r{state.round}", state.round
    match state.phase:
        case "scene":
            ask = Ask(seat=GM, kind="scene", call="Set the scene", opens="end")  # it may name hidden foes
            return Step(key=f"{key}/scene", title=f"Round {n}: the scene", asks=(ask,), pace="rule")
        case "declare":
            return _declare(state)
        case "veto":
            ask = Ask(seat=GM, kind="veto", call="Look at the pairing")
            return Step(key=f"{key}/veto", title=f"Round {n}: the pairing", asks=(ask,), pace="rule")
        case "rule":
            about = tuple(question.key for question in state.last.questions)
            ask = Ask(seat=GM, kind="rule", call="Say what comes of it", about=about)
            return Step(key=f"{key}/rule", title=f"Round {n}: what comes of it", asks=(ask,), pace="rule")
        case _:
            ask = Ask(seat=GM, kind="next", call="Go on or end the battle")
            return Step(key=f"{key}/next", title=f"After round {n}", asks=(ask,), pace="rule")


def _declare(state: State) -> Step:
    """Every seat with an able character declares; the GM's is always asked, for all the GM's (WHI-07, WHI-62)."""
    aloud = state.settings.declaration == "open"
    asks = []
    able_of: dict[str, list[str]] = {}
    for f in state.fighters.values():
        if f.able:
            able_of.setdefault(f.seat, []).append(f.key)
    for seat in state.seats:
        able = able_of.get(seat, [])
        if seat == GM:
            hush = aloud and not state.gm_aloud  # spoken aloud, a hidden foe's intent would give him away
            asks.append(
                Ask(
                    seat=GM,
                    kind="declare",
                    call="Declare for your side",
                    open_to=NOBODY if hush else _who(aloud),
                    opens="end",  # the words name hidden foes, even if they only stand
                )
            )
        elif able:
            names = " and ".join(state.fighters[key].name for key in able)
            asks.append(
                Ask(
                    seat=Seat(seat), kind="declare", call=f"Declare for {names}", about=tuple(able), open_to=_who(aloud)
                )
            )
    again = f"-{state.tries}" if state.tries > 1 else ""
    return Step(
        key=f"r{state.round}/declare{again}",
        title=f"Round {state.round}",
        asks=tuple(asks),
        seconds=state.seconds,
        ranked=state.settings.ranked,
    )


def _who(aloud: bool) -> frozenset[Seat] | None:
    return None if aloud else NOBODY


def _desk(state: State) -> Step:
    # That the GM did something here, and how often, would tell of hidden foes: acts in the open are seen as events.
    ask = Ask(seat=GM, kind="desk", call="Change something in the battle", known_to=frozenset({GM}), opens="end")
    return Step(key=f"gm/{state.desk}", title="The GM's desk", asks=(ask,), pace="whenever")


def resolve(tale: Table, step: Step, answers: Answers[Any], chance: Chance) -> None:
    """Tell what comes of one closed step."""
    kind = step.asks[0].kind
    match kind:
        case "scene":
            _set_scene(tale, answers.of[GM].says)
        case "declare":
            _open(tale, answers.of)
            pairing.pair_up(tale, answers.of, chance)
            if tale.state.settings.veto == "on" and tale.state.last.fights:
                tale.tell(ev.Stage("veto"), rule="WHI-02")  # before any card is drawn
            else:
                _fight(tale, chance)
        case "veto":
            for clash in answers.of[GM].says.strike:
                if clash in tale.state.last.fights:
                    why = (tale.state.last.fights[clash].number,)
                    tale.tell(ev.Struck(clash, answers.of[GM].says.reason), rule="WHI-02", because=why)
            _fight(tale, chance)
        case "rule":
            _rule(tale, answers.of[GM].says)
        case "next":
            _next(tale, answers.of[GM].says)
        case "desk":
            at_the_desk(tale, answers.of[GM].says)
        case _:
            raise AssertionError(f"no step of a battle asks for {kind}")


def _set_scene(tale: Table, says: de.Scene) -> None:
    """Step 1: what is to be seen, who bars which way; whatever the GM leaves out stays as it was (WHI-02, WHI-57)."""
    state = tale.state
    for key in says.show:
        if key in state.fighters and state.fighters[key].hidden:
            tale.tell(ev.Shown(key, True), rule="WHI-02")
    for key in says.hide:
        if key in state.fighters and not state.fighters[key].hidden and not state.fighters[key].pc:
            tale.tell(ev.Shown(key, False), rule="WHI-02")
    areas = says.areas if says.areas is not None else tuple(state.areas.values())
    tale.tell(
        ev.SceneSet(
            state.round,
            state.description if says.description is None else says.description.strip(),
            tuple((a.key, a.name, tuple(b for b in a.barrers if b in state.fighters), a.exit) for a in areas),
            says.seconds,
        ),
        rule="WHI-02",
    )


def _open(tale: Table, answers: Mapping[Seat, Answer[Any]]) -> None:
    """Step 4: all declarations are open at once (WHI-08). Who is hidden and acts is seen."""
    hands = {seat: answer.says.of for seat, answer in answers.items()}
    for fighter in list(tale.state.fighters.values()):
        answer = answers.get(Seat(fighter.seat))
        if not fighter.able or answer is None:
            continue
        intent = hands[Seat(fighter.seat)].get(fighter.key, de.Intent())
        declared = _declared(fighter, intent, answer)
        if declared.hidden and (declared.intent != "stand" or declared.rider or declared.rider_words):
            tale.tell(ev.Shown(fighter.key, True), rule="WHI-02")
            declared = _declared(fighter, intent, answer)
        rule = "WHI-62" if answer.how == "default" else "WHI-03"
        tale.tell(declared, rule=rule)


def _declared(fighter: Fighter, intent: de.Intent, answer: Answer[Any]) -> ev.Declared:
    """An intent without whatever the form held for the choices not taken."""
    kind, target, area = intent.intent, "", ""
    if kind == "attack":
        target = intent.attack
    elif kind == "advance":
        target, area = intent.engage, intent.area
    elif kind == "defend":
        what, _, name = intent.ward.partition(":")
        target, area = (name, "") if what == "who" else ("", name)
    card = intent.rider == "card"
    return ev.Declared(
        who=fighter.key,
        intent=kind,
        target=target,
        area=area,
        prefer=intent.prefer if kind == "defend" else (),
        words=intent.other.strip() if kind == "other" and not intent.card else "",
        card=intent.card if kind == "other" else "",
        rider=intent.rider_card if card else "",
        rider_target=intent.rider_target if card or kind == "other" else "",
        rider_words=intent.rider_text.strip() if intent.rider == "text" else "",
        how=answer.how,
        rank=answer.rank,
        hidden=fighter.hidden,
    )


def _fight(tale: Table, chance: Chance) -> None:
    """Steps 5 and 6: riders, checks, and everything that lands at the same instant."""
    checks.riders(tale)
    checks.check_all(tale, chance)
    checks.land(tale, chance)
    checks.advances(tale)
    tale.tell(ev.Stage("rule" if tale.state.last.questions else "next"), rule="WHI-01")


def _rule(tale: Table, says: de.Rule) -> None:
    """The GM says what own words and reached areas mean; silence changes nothing (WHI-61, WHI-62)."""
    for question in list(tale.state.last.questions):
        verdict = says.of.get(question.key, de.Verdict())
        because = tuple(n for who, n in tale.state.last.told.items() if who == question.who)
        hp = verdict.hp or 0
        who = verdict.who if hp and verdict.who in tale.state.fighters else ""
        ruled = tale.tell(
            ev.Ruled(question.key, verdict.words.strip(), who, hp if who else 0), rule="WHI-39", because=because
        )
        if who:
            checks.change(tale, who, hp, because=(ruled,))
    tale.tell(ev.Stage("next"), rule="WHI-01")


def _next(tale: Table, says: de.Next) -> None:
    """Step 7: another round while both sides have an able member, else the battle is over."""
    standing = tale.state.standing()
    on = says.go == "on" and len(standing) > 1
    winner = standing[0] if len(standing) == 1 else ""
    tale.tell(ev.RoundOver(tale.state.round, on, winner, says.words.strip()), rule="WHI-01")
