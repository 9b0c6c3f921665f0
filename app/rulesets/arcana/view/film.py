"""The film of a cycle: its events in order, cut into beats, each with what the map draws over itself."""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from app.engine.film import LOOK_ON, Beat, Card, Fate, at_most, fate_card, with_cues
from app.engine.ifthen import Verdict
from app.engine.sentences import capital
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.roll_parts import words
from app.rulesets.arcana.view.picture import CROWD
from app.rulesets.arcana.view.revealed import Seen
from app.rulesets.arcana.view.view import View

MOST_DRAWN = 240  # drawings of one film; with a thousand combatants only the lines tell the rest
FEW_BEATS = 6  # of a crowd, whose map is long to draw
Op = dict[str, Any]

FILMED = (
    ev.Revealed, ev.Moved, ev.Emerged, ev.Launched, ev.Struck, ev.Resisted, ev.Damaged, ev.Healed, ev.Changed,
    ev.Gained, ev.Slammed, ev.Bled, ev.Judged, ev.Void, ev.Checked,
)  # fmt: skip
"""The events that make a chapter worth a film; a correction by the GM alone does not."""

FOLLOWS: dict[type[Any], tuple[type[Any], ...]] = {
    ev.Paid: (ev.Checked, ev.Launched, ev.Resisted, ev.Struck),
    ev.Launched: (ev.Checked,),
    ev.Worn: (ev.Damaged,),
    ev.Changed: (ev.Damaged, ev.Healed, ev.Slammed, ev.Bled, ev.Used, ev.Changed, ev.Struck),
    ev.ObjectDamaged: (ev.Damaged,),
    ev.Looks: (ev.Changed, ev.Damaged, ev.Healed, ev.Slammed, ev.Bled),
    ev.Gained: (ev.Changed, ev.Damaged, ev.Gained, ev.Checked, ev.Bled, ev.Slammed),
    ev.Ended: (ev.Changed, ev.Damaged, ev.Healed, ev.Ended, ev.Gained),
    ev.Noticed: (ev.Checked, ev.Noticed),
    ev.Moved: (ev.Moved,),
    ev.Emerged: (ev.Moved, ev.Emerged),
    ev.Rested: (ev.Rested,),
    ev.Revealed: (ev.Revealed,),
}
"""Events that join the beat of an earlier one, if they are about the same combatants."""

ALL_AT_ONCE = (ev.Revealed, ev.Moved, ev.Rested, ev.Noticed, ev.Emerged)
"""Events that happen to all combatants at once."""


@dataclass(slots=True)
class _BeatInMaking:
    """A beat in the making: its phase, its events by number, its drawings, and the combatants it is about."""

    phase: str
    events: list[int] = field(default_factory=list)
    do: list[Op] = field(default_factory=list)
    who: set[str] = field(default_factory=set)
    kinds: set[type[Any]] = field(default_factory=set)


def film(events: Sequence[Seen], before: View, after: View) -> tuple[Beat, ...]:
    """Returns the beats of a closed step (ARC-07); none where nothing but a correction by the GM happened.

    Drawings by "op": open {who}; go {who, from, to, how}; fly {who, to | at, name, what}; hit, miss {who, by, sum};
    hurt {who, n}; heal {who, n}; slam {who, n}; falls {who, how}; state {who, word, on}; card {who, verdict}; say {who,
    words}; void {who}; check {who, ok, sum}. Places are cells, combatants ids.
    """
    if not any(isinstance(seen.event, FILMED) for seen in events):
        return ()
    parts = _parts(events, after)
    _thin(parts, frozenset(before.mine))
    beats = [Beat(title=part.phase, events=tuple(part.events), draw=tuple(part.do)) for part in parts]
    told = with_cues(beats, cards=_cards(events, before, after))
    return at_most(told, FEW_BEATS) if len(after.people) > CROWD else told


def _parts(events: Sequence[Seen], view: View) -> list[_BeatInMaking]:
    found: list[_BeatInMaking] = []
    phase = "The cycle continues"
    for seen in events:
        phase = _phase(seen.event, phase)
        drawn = _drawn(seen.event, view)
        if not found or (drawn is not None and not _joins(found[-1], phase, seen.event)):
            found.append(_BeatInMaking(phase))
        part = found[-1]
        part.events.append(seen.number)
        if drawn is not None:
            part.do += drawn
            part.who |= _about(seen.event)
            part.kinds.add(type(seen.event))
    return found


def _joins(beat: _BeatInMaking, phase: str, event: Any) -> bool:
    """Whether an event joins the beat before it."""
    if beat.phase != phase or not beat.kinds.intersection(FOLLOWS.get(type(event), ())):
        return False
    return isinstance(event, ALL_AT_ONCE) or bool(beat.who & _about(event))


def _about(event: Any) -> set[str]:
    """The target of an event, or its actor if there is none."""
    target = getattr(event, "target", "")
    return {target} if target and not isinstance(event, ev.Launched) else {getattr(event, "who", "")} - {""}


FIRST, LANDINGS, ANSWERS = "Coming first", "Landings", "If-thens answer"
ACTS = {  # captions of actions without a name of their own
    "custom": "tries something", "custom_minor": "tries something", "use_major": "handles something",
    "maintain": "keeps it up", "continue": "continues", "don": "changes clothes", "aim": "takes aim",
    "trade": "offers a trade", "stand": "gets up", "hide": "hides", "shake_off": "struggles", "communicate": "speaks",
    "drop": "puts something down",
}  # fmt: skip
STEPS = {"step": "Steps", "considered": "Careful movement", "move": "Movement"}


def _phase(event: Any, now: str) -> str:
    """The phase of an event; most do not say, and keep the current one."""
    match event:
        case ev.Revealed():
            return "Everything opens"
        case ev.Moved(how=how) if how not in ("push", "leap"):
            return ANSWERS if now in (LANDINGS, ANSWERS) else STEPS[how]  # after landings all movement is conditional
        case ev.Checked(what="stealth" | "search"):
            return "Who notices whom"
        case ev.Checked(what="interrupt" | "quickness"):
            return FIRST
        case ev.Judged(card=card):
            return _of_card(card, event.time)
        case ev.Void(do="considered" | "move"):
            return ANSWERS if now in (LANDINGS, ANSWERS) else STEPS[event.do]
        case ev.Checked(what="casting", guarded=guarded) | ev.Launched(guarded=guarded) | ev.Void(guarded=guarded):
            return "Launches" if not guarded else now if now == FIRST else ANSWERS
        case ev.Struck() | ev.Resisted() | ev.Damaged() | ev.Healed() | ev.Used() | ev.Spoke():
            return LANDINGS if now == "Launches" else now
        case ev.Bled() | ev.Rested() | ev.Ticked():
            return "The cycle ends"
        case _:
            return now


def _of_card(card: Verdict, time: str) -> str:
    if card.verdict == "not_fired":
        return "What the if-thens see"
    return FIRST if time == "in_time" else ANSWERS


def _drawn(event: Any, view: View) -> list[Op] | None:
    """The drawings of an event; []: only its line is read; None: it belongs to the beat before it."""
    match event:
        case ev.Revealed():
            return [{"op": "open", "who": event.who}]
        case ev.Moved():
            return [{"op": "go", "who": event.who, "from": event.start, "to": event.end, "how": event.how}]
        case ev.Launched():
            return _fly(event, view)
        case ev.Struck():
            op = "hit" if event.hit else "miss"
            return [{"op": op, "who": event.target, "by": event.who, "sum": _sum(event.kept, event.bonus, event.value)}]
        case ev.Checked(rolls=()) | ev.Checked(what="rider"):
            return []
        case ev.Checked() | ev.Resisted():
            face = event.kept or max(roll.face for roll in event.rolls)
            sum_ = _sum(face, event.bonus, event.value)
            return [{"op": "check", "who": event.who, "ok": event.ok, "sum": sum_}]
        case ev.Damaged():
            return _hurt(event.target, event.amount - event.absorbed)
        case ev.Healed():
            return [{"op": "heal", "who": event.target, "n": event.amount}]
        case ev.Slammed():
            return [{"op": "slam", "who": event.who, "n": event.roll.face}]
        case ev.Bled():
            return _hurt(event.who, event.hp)
        case ev.Changed() if event.state != "up":
            return [{"op": "falls", "who": event.who, "how": event.state}]
        case ev.ObjectDamaged() if event.hp == 0:
            return [{"op": "falls", "who": event.who, "how": "broken"}]
        case ev.Looks() if event.words in ("down", "dead"):
            return [{"op": "falls", "who": event.who, "how": "dead" if event.words == "dead" else "critical"}]
        case ev.Gained():
            return [{"op": "state", "who": event.who, "word": words(event.status), "on": True}]
        case ev.Ended():
            return [{"op": "state", "who": event.who, "word": words(event.status), "on": False}]
        case ev.Lent():
            return [{"op": "state", "who": event.who, "word": f"+{event.amount} {event.stat}", "on": True}]
        case ev.Judged():
            return [{"op": "card", "who": event.who, "verdict": event.card.verdict}]
        case ev.Watches():
            return None
        case ev.Void():
            return [{"op": "void", "who": event.who}]
        case ev.Spoke():
            return [{"op": "say", "who": event.who, "words": event.words[:60] or "…"}] if event.words else []
        case ev.Stage() | ev.Kept() | ev.Questioned() | ev.Clashing() | ev.Matched() | ev.Round() | ev.Landed():
            return None
        case (
            ev.Faced()
            | ev.Aloft()
            | ev.Ticked()
            | ev.Desk()
            | ev.Armed()
            | ev.Unaware()
            | ev.Laid()
            | ev.Zoned()
            | ev.ObjectsLaid()
            | ev.Tried()
        ):
            return None
        case _:
            return []


def _hurt(who: str, amount: int) -> list[Op]:
    """The drawing of harm; none of a hit without damage."""
    return [{"op": "hurt", "who": who, "n": amount}] if amount else []


def _fly(event: ev.Launched, view: View) -> list[Op]:
    """The drawing of a launch, to its target or place; targets inside an area are not named: some may be unseen."""
    what = "spell" if event.do in ("cast", "quickspell") else "blow" if event.do == "attack" else "act"
    name = view.thing(event.using, event.who) if event.using else ACTS.get(event.do, words(event.do))
    op: Op = {"op": "fly", "who": event.who, "what": what, "name": name, "to": event.target or event.who}
    at = event.at if not event.target else None
    return [{**op, "to": "", "at": at} if at is not None else op]


def _sum(face: int, bonus: int, value: int) -> str:
    total = str(face + bonus).replace("-", "−")
    return f"{total} against {value}" if value else total


# ------------------------------------------------------------------------------------------------- great moments

DOWN: Fate = ("falls", "goes down", f"Your character can do nothing until someone helps. {LOOK_ON}")
DEAD: Fate = ("dies", "dies", "Your character is dead. You can still talk, and the GM can give you another character.")


def _cards(events: Sequence[Seen], before: View, after: View) -> Iterator[Card]:
    down = {key for key, one in before.people.items() if one.down}
    dead = {key for key, one in before.people.items() if one.dead}
    for seen in events:
        match seen.event:
            case ev.Changed(who=who, state="dead") | ev.Looks(who=who, words="dead") if who not in dead:
                dead.add(who)
                yield fate_card(DEAD, capital(after.the(who)), who, seen.number, mine=_own(who, before))
            case ev.Changed(who=who, state="critical") | ev.Looks(who=who, words="down") if who not in down | dead:
                down.add(who)
                yield fate_card(DOWN, capital(after.the(who)), who, seen.number, mine=_own(who, before))
            case ev.Over(side=side):
                title = f"{capital(after.those(side))} win" if side else "The fight is over"
                yield Card(what="wins" if side else "over", title=title, event=seen.number)
            case _:
                pass


def _own(who: str, view: View) -> bool:
    return who in view.mine and not view.is_gm


# ------------------------------------------------------------------------------------------------- crowds


def _thin(parts: Iterable[_BeatInMaking], mine: Set[str]) -> None:
    """Leaves no more drawings than MOST_DRAWN: those about `mine`, then falls, then the rest in order."""
    room = MOST_DRAWN
    for part in sorted(parts, key=lambda one: _rank(one, mine)):
        part.do = sorted(part.do, key=lambda op: op["who"] not in mine)[: min(room, max(12, MOST_DRAWN // 4))]
        room -= len(part.do)


def _rank(part: _BeatInMaking, mine: Set[str]) -> int:
    if part.who & mine:
        return 0
    return 1 if any(op["op"] == "falls" for op in part.do) else 2
