"""Driving Motivations told: one is stirred, played out, objected to, and brings growth (CHR-MOT-07 to -16)."""

from typing import Any

from app.engine.chance import Chance
from app.engine.ruleset import Log
from app.rulesets.chronicle import motivations as mo
from app.rulesets.chronicle import people_events as ev
from app.rulesets.chronicle.motivations import PAIRS
from app.rulesets.chronicle.people import Peopled, Person

PeopleLog = Log[Any, Any]
"""The log of a scene whose state is `Peopled`."""


def current(person: Person, context: str, topic: str) -> str:
    """The id of the Driving Motivation of that context and topic; "": there is none (CHR-MOT-09)."""
    about = (_fold(context), _fold(topic))
    return next((key for key, one in person.drives.items() if one.about == about), "")


def _fold(text: str) -> str:
    return text.casefold().strip()


def stir(
    log: PeopleLog,
    chance: Chance,
    who: str,
    motivation: str,
    label: str,
    rule: str = "CHR-MOT-07",
    because: tuple[int, ...] = (),
) -> int:
    """A d12 against a motivation. Returns the number of the event where it is stirred, else 0 (CHR-MOT-07)."""
    rating = log.state.people[who].sheet.motivations.of(motivation)
    roll = chance.die(mo.DIE, label)
    told = ev.Stirred(who, motivation, rating, roll, roll.face <= rating)
    number = log.emit(told, rule=rule, because=because)
    return number if told.success else 0


def write(
    log: PeopleLog,
    who: str,
    motivation: str,
    about: tuple[str, str],
    action: str,
    talker: tuple[str, str, int],
    stirred: int,
) -> None:
    """Writes a Driving Motivation, in place of one of the same context and topic (CHR-MOT-09 to -11, CHR-DIS-15).

    `about`: context and topic. `talker`: their key, or "" for no one in the scene; their skill; its plain rating.
    """
    person = log.state.people[who]
    context, topic = about[0].strip(), about[1].strip()
    rule = "CHR-MOT-09"
    if old := current(person, context, topic):
        rule = "CHR-MOT-11" if person.drives[old].motivation == motivation else "CHR-MOT-10"
    key, skill, rating = talker
    drive = f"d{log.state.drives + 1}"
    written = ev.Swayed(who, drive, motivation, rating, context, topic, action.strip(), old, key, skill)
    log.emit(written, rule=rule, because=(stirred,))


def play_out(log: PeopleLog, who: str, drive: str) -> None:
    """Removes a Driving Motivation whose context and topic are over (CHR-MOT-12)."""
    if found := log.state.people[who].drives.get(drive):
        log.emit(ev.PlayedOut(who, drive, found.motivation, found.topic), rule="CHR-MOT-12")


def object_to(log: PeopleLog, who: str, drive: str, words: str) -> None:
    """Tells that somebody acted against a Driving Motivation (CHR-MOT-08)."""
    if found := log.state.people[who].drives.get(drive):
        log.emit(ev.Objected(who, drive, found.motivation, found.topic, words.strip()), rule="CHR-MOT-08")


def grow(log: PeopleLog, who: str, drive: str) -> None:
    """Lowers a motivation by 1, if it may (CHR-MOT-13 to -15)."""
    person: Person = log.state.people[who]
    if drive not in person.drives or not may_grow(person, drive):
        return
    motivation = person.drives[drive].motivation
    before = person.sheet.motivations.of(motivation)
    log.emit(ev.Grew(who, drive, motivation, before, before - 1), rule="CHR-MOT-13")


def may_grow(person: Person, drive: str) -> bool:
    """Whether it can grow: once per Driving Motivation and scene, and never below 2 (CHR-MOT-15)."""
    rating = person.sheet.motivations.of(person.drives[drive].motivation)
    return drive not in person.grown and rating > mo.LOWEST


def ungrow(log: PeopleLog, who: str, drive: str, words: str) -> None:
    """Gives back what growth has taken in this scene, since the table objects to it (CHR-MOT-13)."""
    person: Person = log.state.people[who]
    if not may_ungrow(person, drive):
        return
    motivation = person.drives[drive].motivation
    before = person.sheet.motivations.of(motivation)
    log.emit(ev.Ungrew(who, drive, motivation, before, before + 1, words.strip()), rule="CHR-MOT-13")


def may_ungrow(person: Person, drive: str) -> bool:
    """Whether a Driving Motivation has brought growth in this scene that can be given back: a pair has at most 12."""
    if drive not in person.drives or drive not in person.grown:
        return False
    moved, motivation = person.sheet.motivations, person.drives[drive].motivation
    return moved.of(motivation) + moved.of(mo.OTHER[motivation]) < mo.DIE


def guide(log: PeopleLog, who: str, number: int) -> None:
    """Tells which half of a pair is the stronger one (CHR-MOT-16)."""
    pair = PAIRS[number - 1]
    moved = log.state.people[who].sheet.motivations
    left, right = moved.of(pair.left.key), moved.of(pair.right.key)
    higher = "" if left == right else pair.left.key if left > right else pair.right.key
    log.emit(ev.Guided(who, number, higher), rule="CHR-MOT-16")


def talkers_rating(state: Peopled, talker: str, skill: str) -> int:
    """The talker's plain rating, without the bonus of the land (CHR-DIS-16)."""
    return state.people[talker].sheet.skills.of(skill)
