"""Acts between checks: proposals, growth, and all acts of the GM."""

from app.engine.chance import Chance
from app.engine.ruleset import GM, Seat
from app.rulesets.chronicle import driving, generation
from app.rulesets.chronicle import motivations as mo
from app.rulesets.chronicle.free import declarations as de
from app.rulesets.chronicle.free import events as ev
from app.rulesets.chronicle.free.frames import tell_frame
from app.rulesets.chronicle.free.state import SceneLog, State
from app.rulesets.chronicle.generation import How
from app.rulesets.chronicle.people import Person, free_key, runner, spelled
from app.rulesets.chronicle.sheets import Sheet
from app.rulesets.chronicle.skills import GROUPS, USUAL


def between(log: SceneLog, seat: str, says: de.Own) -> None:
    """A player's act. Parts that are no longer possible are left out."""
    log.emit(ev.Acted(seat), rule="CHR-CHK-10")
    match says.what:
        case "check":
            if not log.state.busy(seat):
                propose(log, says, seat)
        case "grow":
            driving.grow(log, says.who, says.drive)
        case "guide":
            driving.guide(log, says.who, says.pair or 1)


def at_the_desk(log: SceneLog, says: de.Desk, chance: Chance) -> None:
    """The GM's act."""
    acted(log)
    match says.what:
        case "situation":
            log.emit(ev.Situation(says.words.strip(), says.terrain.strip()), rule="CHR-CHK-13")
        case "call":
            _call(log, says)
        case "stir":
            _stir(log, says, chance)
        case "played":
            driving.play_out(log, says.who, says.drive)
        case "object":
            driving.object_to(log, says.who, says.drive, says.words)
        case "ungrow":
            driving.ungrow(log, says.who, says.drive, says.words)
        case "bring":
            _bring(log, says, chance)
        case "promote":
            _promote(log, log.state.people[says.who], says, chance)
        case "end":
            log.emit(ev.Over(says.words.strip()), rule="CHR-CHK-10")


def acted(log: SceneLog) -> None:
    """The GM's desk opens again."""
    log.emit(ev.Acted(GM), rule="CHR-CHK-10")


def propose(log: SceneLog, says: de.Own | de.Desk, seat: str) -> str:
    """Proposes a check and returns its key. The roller is decided here (CHR-CHK-05)."""
    state = log.state
    key = f"c{len(state.attempts) + 1}"
    against = says.against if says.against in state.people and says.against != says.who else ""
    other = (says.other_skill or says.skill) if against else ""
    event = ev.Proposed(
        key, says.who, says.skill, says.aim.strip(), against, other, _roller(state, says, against), seat
    )
    log.emit(event, rule="CHR-CHK-03" if against else "CHR-CHK-10")
    return key


def _roller(state: State, says: de.Own | de.Desk, against: str) -> str:
    """The acting side; if both act alike, the first in the list; by choice only if the table allows it."""
    if not against:
        return says.who
    if state.settings.check_roller == "either" and says.roller:
        return says.who if says.roller == "me" else against
    if not says.alike:
        return says.who
    return next(key for key in state.people if key in (says.who, against))


def _call(log: SceneLog, says: de.Desk) -> None:
    """The GM asks for a check and frames it at once; without a GM, the table votes on the frame."""
    key = propose(log, says, GM)
    if log.state.settings.table_gm == "none":
        return
    frame = de.Frame(difficulty=says.difficulty, counted=says.counted, consequence=says.consequence)
    tell_frame(log, log.state.attempts[key], frame, "sealed")


def _stir(log: SceneLog, says: de.Desk, chance: Chance) -> None:
    """A d12 against the motivation; a success writes a Driving Motivation (CHR-MOT-07 to -11)."""
    number = driving.stir(log, chance, says.who, says.motivation, f"CHR-MOT-07/{says.who}")
    if not number:
        return
    talker = says.talker if says.talker in log.state.people else ""
    skill = (says.with_skill or mo.TALK) if talker else ""
    rating = driving.talkers_rating(log.state, talker, skill) if talker else says.rating or 0
    driving.write(
        log, says.who, says.motivation, (says.context, says.topic), says.words, (talker, skill, rating), number
    )


def _bring(log: SceneLog, says: de.Desk, chance: Chance) -> None:
    """Brings in a new person, with all dice (CHR-SKL-14, CHR-SKL-17); the first group is best if none is named."""
    state = log.state
    how: How = "main" if says.main else "guide" if state.settings.npc_rating == "guide" else "other"
    key = free_key(state, spelled(says.name))
    rolled = generation.roll_skills(
        chance,
        f"{_rule(how)}/{key}",
        how,
        guide=USUAL if says.guide is None else says.guide,
        best=says.best or GROUPS[0].key,
        terrain=says.terrain.strip() if state.settings.survive_terrain == "chosen" else "",
    )
    moved = generation.roll_motivations(chance, f"CHR-MOT-04/{key}")
    seat = runner(state)
    log.emit(ev.Met(key, says.name.strip(), seat, rolled, moved), rule=_rule(how))
    _anew(log, seat)


def _anew(log: SceneLog, seat: str) -> None:
    """A player's optional step opens again when the people it is about change."""
    if seat != GM:
        log.emit(ev.Acted(seat), rule="CHR-CHA-09")


def _rule(how: How) -> str:
    return {"main": "CHR-SKL-05", "other": "CHR-SKL-14", "guide": "CHR-SKL-17"}[how]


def _promote(log: SceneLog, person: Person, says: de.Desk, chance: Chance) -> None:
    """Makes a person a main character: ratings stay, missing ones are rolled as a main character's (CHR-CHA-10)."""
    chosen = says.terrain.strip() if log.state.settings.survive_terrain == "chosen" else ""
    rolled = moved = None
    if "skills" in person.unknown:
        rolled = generation.roll_skills(chance, f"CHR-CHA-10/{person.key}", "main", terrain=chosen)
    if "motivations" in person.unknown:
        moved = generation.roll_motivations(chance, f"CHR-CHA-10/{person.key}")
    log.emit(ev.Promoted(person.key, rolled, moved), rule="CHR-CHA-10")


def enter(log: SceneLog, seat: Seat, key: str, sheet: Sheet) -> None:
    """Adds a latecomer's character, unless they are in the scene already."""
    if key not in log.state.people:
        log.emit(ev.Joined(key, str(seat), sheet.model_dump_json()), rule="CHR-CHK-10")
        _anew(log, str(seat))
