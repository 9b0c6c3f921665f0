"""What comes of strong actions: parts protected and named, surrenders, and the effects of the round (steps R9, R10)."""

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.options import Choice, Options
from app.engine.ruleset import Answers, Ask, Phase, Seat, Step
from app.rulesets.chronicle.hand import asks, effects
from app.rulesets.chronicle.hand import declarations as de
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.asks import Of
from app.rulesets.chronicle.hand.state import State
from app.rulesets.chronicle.hand.view import View
from app.rulesets.chronicle.wounds import NAMES, PARTS

WOUNDS = Phase(words="Wounds", steps=("protect", "pick"), default="follow their standing choice")
IMPOSSIBLE = "Choose another part: this one is not possible here."


def _parts(view: View, ask: Ask) -> Options:
    """A part for each attack, or none: then the standing choice decides."""
    found = {}
    for about in ask.about:
        may = view.parts.get(about, ())
        parts = (Choice(part, NAMES[part], why_not="" if part in may else IMPOSSIBLE) for part in PARTS)
        found[f"of.{about.partition(':')[0]}"] = (Choice("", "as the rules say"), *parts)
    return found


def _protecting(state: State) -> Step:
    about: dict[str, list[str]] = {}
    for order in effects.protectors(state.fight):
        if state.stands(order.target).protect == "ask":
            about.setdefault(order.target, []).append(f"{order.who}:{order.target}")
    asked = asks.by_seat(state.fight, "protect", "Protect a part of", about)
    return asks.step(state.fight, "protect", "Protecting a part", asked, "react")


def _protect(log: ev.FightLog, answers: Answers[de.Protect], chance: Chance) -> None:
    """Protects the victims' choices, by default the head; all at once (step R9b)."""
    fight = log.state.fight
    for order in effects.protectors(fight):
        victim = fight[order.target]
        answer = answers.of.get(Seat(victim.seat))
        part = answer.says.of.get(order.who, "") if answer else ""
        stand = log.state.stands(victim.key).protect
        came = answer.how if answer and part else "standing"
        part = part or (stand if stand in PARTS else "head")
        event = ev.Chosen(victim.combat, victim.key, order.who, victim.key, part, "protect", came)
        log.emit(event, rule="CHR-ACT-02", because=(order.cause,))
    log.emit(ev.Stage("pick"), rule="CHR-ACT-02")


PROTECT: Of[de.Protect] = Decision(
    de.Protect,
    step=_protecting,
    resolve=_protect,
    phase=WOUNDS,
    options=_parts,
    default=lambda view, ask: de.Protect(),
    words={"Protect a part of <name>": "Choose what to protect, for <name>"},
)


def _picking(state: State) -> Step:
    about: dict[str, list[str]] = {}
    for who, order in effects.pickers(state.fight):
        stand = state.stands(who)
        wish = stand.strike if who == order.who else stand.suffer
        if wish == "ask" and len(effects.parts(state.fight, order)) > 1:
            about.setdefault(who, []).append(f"{order.who}:{order.target}")
    asked = asks.by_seat(state.fight, "pick", "Choose where it hits:", about)
    return asks.step(state.fight, "pick", "Where it hits", asked, "react")


def _pick(log: ev.FightLog, answers: Answers[de.Pick], chance: Chance) -> None:
    fight = log.state.fight
    for who, order in effects.pickers(fight):
        answer = answers.of.get(Seat(fight[who].seat))
        part = answer.says.of.get(order.who, "") if answer else ""
        came = answer.how if answer and part else "standing"
        if part not in effects.parts(fight, order):
            part = effects.usual_part(fight, log.state.stands(who), order)
        event = ev.Chosen(fight[who].combat, who, order.who, order.target, part, "hit", came)
        rule = "CHR-ACT-12" if order.action == "controlled" else "CHR-ACT-02" if order.strong else "CHR-ACT-03"
        log.emit(event, rule=rule if part else "CHR-ACT-04", because=(order.cause,))
    log.emit(ev.Stage("mercy"), rule="CHR-ACT-36")


PICK: Of[de.Pick] = Decision(
    de.Pick,
    step=_picking,
    resolve=_pick,
    phase=WOUNDS,
    options=_parts,
    default=lambda view, ask: de.Pick(),
    words={"Choose where it hits: <name>": "Choose where it hits, for <name>"},
)


def _giving_up(state: State) -> Step:
    """Able enemies of the same combat may refuse a surrender (CHR-ACT-36)."""
    fight = state.fight
    about: dict[str, list[str]] = {}
    for key in effects.surrendering(fight):
        for foe in fight.foes(key):
            if fight.able(foe.key):
                about.setdefault(foe.key, []).append(key)
    asked = asks.by_seat(fight, "mercy", "Take or refuse the surrender, for", about)
    return asks.step(fight, "mercy", "Taking a surrender", asked, "react")


def _refusals(view: View, ask: Ask) -> Options:
    return {"refuse": tuple(Choice(key, f"refuse the surrender of {view.the(key)}") for key in ask.about)}


def _mercy(log: ev.FightLog, answers: Answers[de.Mercy], chance: Chance) -> None:
    """A surrender is accepted unless an enemy of the combat refuses (CHR-ACT-36); then all effects of the round."""
    fight = log.state.fight
    for key in effects.surrendering(fight):
        for foe in fight.foes(key):
            answer = answers.of.get(Seat(foe.seat))
            if answer and fight.able(foe.key) and key in answer.says.refuse and not fight.orders[key].refused:
                because = (fight.orders[key].number,)
                log.emit(ev.Refused(foe.combat, key, foe.key, answer.how), rule="CHR-ACT-36", because=because)
    effects.close(log, chance)
    log.emit(ev.Stage("next"), rule="CHR-RND-08")


MERCY: Of[de.Mercy] = Decision(
    de.Mercy,
    step=_giving_up,
    resolve=_mercy,
    phase=Phase(words="Surrenders", steps=("mercy",), default="show mercy"),
    options=_refusals,
    words={
        "Take or refuse the surrender, for <name>": "Accept or refuse the surrender, for <name>",
        "Round <n>: taking a surrender": "Round <n>: surrenders",
    },
)
