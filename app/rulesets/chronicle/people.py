"""The people of a scene without a battle, their Driving Motivations, and what events change about both."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Protocol

from pydantic import Field, JsonValue

from app.engine.ruleset import GM, Setup
from app.engine.unused_names import unused
from app.rulesets.chronicle import people_events as ev
from app.rulesets.chronicle.settings import Settings
from app.rulesets.chronicle.sheets import Drive, Motivations, Sheet, Skills


class Extra(Sheet):
    """A person in the scene who is not a character of the campaign. Missing fields were never rolled."""

    key: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]{0,59}$")]
    is_main: bool = False


@dataclass(slots=True)
class Person:
    """A person in the scene. `drives` are stored here under separate ids, not on the sheet."""

    key: str
    seat: str  # the seat that plays them
    sheet: Sheet
    character: bool  # of the campaign
    drives: dict[str, Drive] = field(default_factory=dict)
    grown: list[str] = field(default_factory=list)  # drives that have brought growth in this scene (CHR-MOT-15)
    unknown: tuple[str, ...] = ()  # "skills", "motivations": never rolled

    @property
    def name(self) -> str:
        return self.sheet.name


class Peopled(Protocol):
    """A state with people in it."""

    settings: Settings
    seats: tuple[str, ...]  # the GM last
    people: dict[str, Person]
    drives: int  # how many Driving Motivations there have been, for their ids


def place_cast(state: Peopled, setup: Setup[Sheet, Settings]) -> None:
    """Places the characters of all seats."""
    for seat, keys in setup.brief.seats.items():
        for key in keys:
            place(state, key, str(seat), setup.sheets[key], character=True)


def place_extra(state: Peopled, extra: Extra) -> None:
    """Places a person of the story; whoever has no ratings of their own was never rolled."""
    key = free_key(state, extra.key)
    place(state, key, runner(state), Sheet.model_validate(extra.model_dump()), character=False)
    plain = {"skills": extra.skills == Skills(), "motivations": extra.motivations == Motivations()}
    state.people[key].unknown = tuple(part for part, never in plain.items() if never)


def place(state: Peopled, key: str, seat: str, sheet: Sheet, *, character: bool) -> None:
    """Puts a person into the scene, with ids for their Driving Motivations."""
    drives: dict[str, Drive] = {}
    for drive in sheet.drives:
        state.drives += 1
        drives[f"d{state.drives}"] = drive
    state.people[key] = Person(key, seat, sheet.model_copy(update={"drives": ()}), character, drives)


def free_key(state: Peopled, key: str) -> str:
    """The key itself, or with a number behind it."""
    return unused(key, state.people, lambda number: f"{key[:55]}-{number}")


def spelled(name: str) -> str:
    """A key from a name."""
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in name.lower()).strip("-")[:60] or "somebody"


def runner(state: Peopled) -> str:
    """The seat that runs people without an owner: the GM; else a seat without a main character here, with the fewest
    extras, in seat order (CHR-CHA-09).
    """
    players = [seat for seat in state.seats if seat != GM]
    if state.settings.table_gm == "seat" or not players:
        return GM
    people = state.people.values()
    mains = {one.seat for one in people if one.sheet.is_main}
    extras = {seat: sum(one.seat == seat and not one.character for one in people) for seat in players}
    return min(players, key=lambda seat: (seat in mains, extras[seat], players.index(seat)))


def voters(state: Peopled) -> tuple[str, ...]:
    """The deciding seats at a table without a GM: those without a main character here, or all, if each has one."""
    players = [seat for seat in state.seats if seat != GM]
    mains = {one.seat for one in state.people.values() if one.sheet.is_main}
    return tuple(seat for seat in players if seat not in mains) or tuple(players)


def left_behind(people: Mapping[str, Person]) -> dict[str, JsonValue]:
    """What a scene changes on the sheets of its characters: motivations and Driving Motivations."""
    return {
        key: {
            "motivations": one.sheet.motivations.model_dump(mode="json"),
            "drives": [drive.model_dump(mode="json") for drive in one.drives.values()],
        }
        for key, one in people.items()
        if one.character
    }


def write_drive(state: Peopled, event: ev.Driven | ev.Swayed) -> None:
    """Folds a new Driving Motivation, which may replace another one."""
    person = state.people[event.who]
    person.drives.pop(event.replaces, None)
    person.drives[event.drive] = Drive(
        motivation=event.motivation,
        rating=event.rating,
        whose="talker" if isinstance(event, ev.Swayed) else "unknown",
        context=event.context,
        topic=event.topic,
        action=event.action,
    )
    state.drives += 1


def grow(person: Person, event: ev.Grew) -> None:
    """Folds growth: the motivation is weaker, and its Driving Motivation brings no more in this scene."""
    changed = person.sheet.motivations.model_copy(update={event.motivation: event.after})
    person.sheet = person.sheet.model_copy(update={"motivations": changed})
    person.grown.append(event.drive)


def ungrow(person: Person, event: ev.Ungrew) -> None:
    """Folds an objection to growth, after which the same Driving Motivation may bring it once more."""
    changed = person.sheet.motivations.model_copy(update={event.motivation: event.after})
    person.sheet = person.sheet.model_copy(update={"motivations": changed})
    person.grown.remove(event.drive)


def join(state: Peopled, event: ev.Joined) -> None:
    """Folds a latecomer, who sits before the GM."""
    if event.seat not in state.seats:
        state.seats = (*(one for one in state.seats if one != GM), event.seat, GM)
    place(state, event.key, event.seat, Sheet.model_validate_json(event.sheet), character=True)


def come_back(state: Peopled, event: ev.CameBack) -> None:
    """Folds the sheet that somebody comes back with; Driving Motivations that stayed the same keep their ids."""
    person, sheet = state.people[event.who], Sheet.model_validate_json(event.sheet)
    before, left = dict(person.drives), list(sheet.drives)
    person.drives.clear()
    for key, drive in before.items():
        if drive in left:
            left.remove(drive)
            person.drives[key] = drive
    for drive in left:
        state.drives += 1
        person.drives[f"d{state.drives}"] = drive
    person.sheet = sheet.model_copy(update={"drives": ()})
