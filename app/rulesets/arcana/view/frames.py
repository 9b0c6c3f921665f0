"""A cycle as a film: its events in order, cut into beats, for a script to draw on the map.

It is made only of events that the viewer sees. A beat names its events by their numbers in that viewer's log, whose
lines are the captions; drawings name places as cells and combatants by id.
"""

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from app.engine.ifthen import Verdict
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.roll_parts import words
from app.rulesets.arcana.view.revealed import Seen

MOST = 70  # beats of one film
CROWD = 240  # drawings in one film; with a thousand combatants the log has the rest
Op = dict[str, Any]
Things = Callable[[str, str], str]

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
class Beat:
    """One step of a film: its phase, its events by number, its drawings, and the combatants it is about."""

    phase: str
    events: list[int] = field(default_factory=list)
    do: list[Op] = field(default_factory=list)
    who: set[str] = field(default_factory=set)
    kinds: set[type[Any]] = field(default_factory=set)

    def as_json(self) -> Op:
        return {"phase": self.phase, "events": self.events[:12], "do": self.do}


def newest(chapters: Sequence[Iterable[Seen]]) -> int | None:
    """Returns the index of the last closed step worth a film; None: there is none."""
    return next((n for n in range(len(chapters) - 1, -1, -1) if worth_it(chapters[n])), None)


def worth_it(events: Iterable[Seen]) -> bool:
    """Whether these events are worth a film."""
    return any(isinstance(seen.event, FILMED) for seen in events)


def of_cycle(chapters: Sequence[Sequence[Seen]], mine: Set[str], things: Things) -> Op:
    """Returns the newest cycle from its reveal on, across all its closed steps: as `film`, and "from", the first beat
    of the last of these steps."""
    last = newest(chapters)
    if last is None:
        return {"beats": [], "more": 0, "from": 0}
    first = next((n for n in range(last, -1, -1) if any(isinstance(s.event, ev.Revealed) for s in chapters[n])), last)
    made = film([seen for chapter in chapters[first : last + 1] for seen in chapter], mine, things)
    since = min((seen.number for seen in chapters[last]), default=0)
    begins = (n for n, beat in enumerate(made["beats"]) if beat["events"] and beat["events"][-1] >= since)
    return {**made, "from": next(begins, 0)}


def _plainly(key: str, who: str) -> str:
    return words(key)


def film(events: Sequence[Seen], mine: Set[str] = frozenset(), things: Things = _plainly) -> Op:
    """Returns {"beats": [{"phase", "events", "do"}], "more": beats left out}. `mine` take precedence in a crowd;
    `things(id, who)` returns names of spells and weapons.

    Drawings by "op": open {who}; go {who, from, to, how}; fly {who, to | at, name, what}; hit, miss {who, by, sum};
    hurt {who, n}; heal {who, n}; slam {who, n}; falls {who, how}; state {who, word, on}; card {who, verdict}; say {who,
    words}; void {who}; check {who, ok, sum}.
    """
    beats = _beats(events, things)
    kept = beats if _fits(beats) else _cut(beats, mine)
    return {"beats": [beat.as_json() for beat in kept], "more": len(beats) - len(kept)}


def _beats(events: Sequence[Seen], things: Things) -> list[Beat]:
    found: list[Beat] = []
    phase = "The cycle continues"
    for seen in events:
        phase = _phase(seen.event, phase)
        drawn = _drawn(seen.event, things)
        if drawn is None:
            continue
        if not (found and _joins(found[-1], phase, seen.event)):
            found.append(Beat(phase))
        beat = found[-1]
        beat.events.append(seen.number)
        beat.do += drawn
        beat.who |= _about(seen.event)
        beat.kinds.add(type(seen.event))
    return found


def _joins(beat: Beat, phase: str, event: Any) -> bool:
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
    "trade": "would trade", "stand": "gets up", "hide": "hides", "shake_off": "struggles", "communicate": "speaks",
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


def _drawn(event: Any, things: Things) -> list[Op] | None:
    """The drawings of an event; []: only its line is read; None: it is not part of the film."""
    match event:
        case ev.Revealed():
            return [{"op": "open", "who": event.who}]
        case ev.Moved():
            return [{"op": "go", "who": event.who, "from": event.start, "to": event.end, "how": event.how}]
        case ev.Launched():
            return _fly(event, things)
        case ev.Struck():
            op = "hit" if event.hit else "miss"
            return [{"op": op, "who": event.target, "by": event.who, "sum": _sum(event.kept, event.bonus, event.value)}]
        case ev.Checked() if event.rolls and event.what != "rider":
            face = event.kept or max(roll.face for roll in event.rolls)
            sum_ = _sum(face, event.bonus, event.value)
            return [{"op": "check", "who": event.who, "ok": event.ok, "sum": sum_}]
        case ev.Resisted():
            face = event.kept or max(roll.face for roll in event.rolls)
            sum_ = _sum(face, event.bonus, event.value)
            return [{"op": "check", "who": event.who, "ok": event.ok, "sum": sum_}]
        case ev.Damaged():
            return [{"op": "hurt", "who": event.target, "n": event.amount - event.absorbed}]
        case ev.Healed():
            return [{"op": "heal", "who": event.target, "n": event.amount}]
        case ev.Slammed():
            return [{"op": "slam", "who": event.who, "n": event.roll.face}]
        case ev.Bled():
            return [{"op": "hurt", "who": event.who, "n": event.hp}]
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


def _fly(event: ev.Launched, things: Things) -> list[Op]:
    """The drawing of a launch, to its target or place; targets inside an area are not named: some may be unseen."""
    what = "spell" if event.do in ("cast", "quickspell") else "blow" if event.do == "attack" else "act"
    name = things(event.using, event.who) if event.using else ACTS.get(event.do, words(event.do))
    op: Op = {"op": "fly", "who": event.who, "what": what, "name": name, "to": event.target or event.who}
    at = event.at if not event.target else None
    return [{**op, "to": "", "at": at} if at is not None else op]


def _sum(face: int, bonus: int, value: int) -> str:
    total = str(face + bonus).replace("-", "−")
    return f"{total} against {value}" if value else total


# ------------------------------------------------------------------------------------------------- crowds


def _fits(beats: Sequence[Beat]) -> bool:
    return len(beats) <= MOST and sum(len(beat.do) for beat in beats) <= CROWD


def _cut(beats: Sequence[Beat], mine: Set[str]) -> list[Beat]:
    """The beats about `mine`, then falls, then the rest in order; a beat of many is not divided."""
    ranked = sorted(range(len(beats)), key=lambda n: (_rank(beats[n], mine), n))
    kept: list[int] = []
    room = CROWD
    for number in ranked[: 4 * MOST]:
        beat = beats[number]
        few = sorted(beat.do, key=lambda op: op["who"] not in mine)[: max(12, room // 4)]
        if len(kept) == MOST or room < len(few):
            break
        beat.do, room = few, room - len(few)
        kept.append(number)
    return [beats[number] for number in sorted(kept)]


def _rank(beat: Beat, mine: Set[str]) -> int:
    if beat.who & mine:
        return 0
    return 1 if any(op["op"] == "falls" for op in beat.do) else 2
