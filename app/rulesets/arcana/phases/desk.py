"""Acts of the GM between the steps: the ground, corrections with a reason, hiding, showing, newcomers, the end."""

from app.engine.ruleset import GM, Log, Seat
from app.engine.unused_names import unused_name
from app.rulesets.arcana.fight import declarations as de
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.muster import Foe, free_key, of_character, of_row, rekeyed
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.phases.asks import steps
from app.rulesets.arcana.phases.habits import inside
from app.rulesets.arcana.phases.visibility import Veiled
from app.rulesets.arcana.rules.cover import read_sides, read_walls
from app.rulesets.arcana.rules.grid import Cell
from app.rulesets.arcana.rules.objects import Object, read_objects
from app.rulesets.arcana.rules.rulings import Cover, Edge
from app.rulesets.arcana.rules.terrain import read_zones
from app.rulesets.arcana.sheet.sheets import Sheet


def lay_out(log: Veiled, says: de.Setting) -> None:
    """Lays out the ground before the first cycle; without changes from the GM it stays as it is."""
    state = log.state
    description = state.description if says.description is None else says.description.strip()
    wide, high = size(state, says)
    covers = dict(state.covers) if says.walls is None else read_walls(says.walls, wide, high)
    sides = dict(state.cover_sides) if says.walls is None else read_sides(says.walls, wide, high)
    covers |= says.covers
    sides = {cell: some for cell, some in sides.items() if cell not in says.covers}
    log.emit(_laid(description, wide, high, covers, sides), rule="ARC-70")
    if says.terrain is not None and state.settings.terrain == "on":
        log.emit(ev.Zoned(read_zones(says.terrain, wide, high)), rule="ARC-68")
    if says.objects is not None:
        _objects(log, read_objects(says.objects, wide, high))
    _hide(log, says)
    _put(log, {key: cell for key, cell in says.at.items() if cell is not None and key in state.fighters})
    for key, hide in sorted(says.hidden.items()):
        if key in state.fighters and state.fighters[key].hidden and hide == "no":
            log.emit(ev.Shown(key, False), rule="ARC-96")
    log.emit(ev.Unaware(tuple(sorted(set(says.unaware) & set(state.fighters)))), rule="ARC-11")


def _objects(log: Veiled, objects: tuple[Object, ...], reason: str = "") -> None:
    """Emits an event only on a change: a form without objects sends none, too."""
    if objects != tuple(log.state.objects.values()):
        log.emit(ev.ObjectsLaid(objects, reason), rule="ARC-79")


def _laid(
    description: str, wide: int, high: int, covers: dict[str, Cover], sides: dict[str, tuple[Edge, ...]]
) -> ev.Laid:
    there = {cell: cover for cell, cover in sorted(covers.items()) if cover != "none"}
    return ev.Laid(description, wide, high, tuple(there.items()), tuple(sorted(sides.items())))


def _hide(log: Veiled, says: de.Setting) -> None:
    """Comes before any placing, and only allies see it: a combatant hidden at the start was never seen."""
    fighters = log.state.fighters
    for key, hide in sorted(says.hidden.items()):
        if key in fighters and not fighters[key].hidden and hide == "yes":
            friends = tuple(dict.fromkeys(one.seat for one in fighters.values() if one.side == fighters[key].side))
            log.emit(ev.Shown(key, True, to=friends), rule="ARC-96")


def size(state: State, says: de.Setting) -> tuple[int, int]:
    """Returns the new width and height of the ground, in cells."""
    return (2 * says.wide if says.wide else state.width), (2 * says.high if says.high else state.height)


def _put(log: Veiled, places: dict[str, Cell]) -> None:
    """Places combatants in separate cells; a combatant whose cell is taken stays where it is."""
    taken = {one.place: key for key, one in log.state.fighters.items() if key not in places}
    for key, cell in sorted(places.items()):
        goal = inside(log.state, cell)
        if goal in taken:
            goal = log.state.fighters[key].place
        while goal in taken:
            goal = (goal[0] + 1, goal[1])
        taken[goal] = key
        if goal != log.state.fighters[key].place:
            log.emit(ev.Placed(key, goal), rule="ARC-20")


def at_the_desk(log: Veiled, says: de.Desk) -> None:
    """Carries out one act of the GM. Open asks start again, since their options may have changed; but not after an act
    about a hidden combatant, which would reveal it (ARC-101)."""
    state, reason = log.state, says.reason.strip()
    know = _know(state, says.who) if says.what in ("correct", "place", "out") else ()
    asked = steps(state)[0]
    match says.what:
        case "correct":
            _correct(log, says, reason)
        case "place":
            _put(log, {says.who: says.at} if says.at is not None else {})
        case "cover":
            _cover(log, says)
        case "walls":
            frame = state.width, state.height
            covers, sides = read_walls(says.walls, *frame), read_sides(says.walls, *frame)
            log.emit(_laid(state.description, *frame, covers, sides), rule="ARC-70")
        case "terrain":
            log.emit(ev.Zoned(read_zones(says.terrain, state.width, state.height)), rule="ARC-68")
        case "objects":
            _objects(log, read_objects(says.objects, state.width, state.height), reason)
        case "show" | "hide":
            log.emit(ev.Shown(says.who, says.what == "hide"), rule="ARC-96")
        case "join":
            know = _know(state, _join(log, says))
        case "out":
            log.emit(ev.Left(says.who, reason), rule="ARC-01")
        case "end":
            standing = state.standing
            log.emit(ev.Over(standing[0] if len(standing) == 1 else "", reason), rule="ARC-01")
            return
    secretly = bool(know) and state.stage == "plan" and steps(state)[0] == asked
    told = ev.Desk(False, know) if secretly else ev.Desk(True)
    log.emit(told, rule="ARC-101" if secretly else "ARC-01")


def _know(state: State, who: str) -> tuple[str, ...]:
    """The seats that know of a hidden combatant; (): it is not hidden."""
    return tuple(sorted({GM, *state.knowing(who)})) if who in state.hiders else ()


def _correct(log: Veiled, says: de.Desk, reason: str) -> None:
    """Corrects numbers. A foe's are for the GM only: the others read that there was a correction, and why."""
    who = says.who
    public = log.emit(ev.Corrected(who, reason, None, None, says.status, says.off, says.cycles), rule="ARC-136")
    if says.hp is not None or says.fp is not None:
        log.emit(ev.Corrected(who, "", says.hp, says.fp), rule="ARC-136", because=(public,))


def _cover(log: Veiled, says: de.Desk) -> None:
    state = log.state
    if says.at is None:
        return
    cell = f"{says.at[0]},{says.at[1]}"
    sides = {key: some for key, some in state.cover_sides.items() if key != cell}
    covers = {**state.covers, cell: says.cover}
    log.emit(_laid(state.description, state.width, state.height, covers, sides), rule="ARC-70")


def _join(log: Veiled, says: de.Desk) -> str:
    """Brings in a foe from the list under a unique name; returns its id."""
    state, row = log.state, log.state.foes[says.template]
    taken = {one.body.name for one in state.fighters.values()}
    name = says.name.strip() or row.name
    foe = Foe(
        key=free_key(state.fighters, says.template), name=unused_name(name, taken),
        foe=says.template, grade=says.grade, side=says.side, habit=says.habit, guards=says.guards, hidden=says.hidden,
    )  # fmt: skip
    _enter(log, foe.key, of_row(foe, row), says.at)
    return foe.key


def _enter(log: Veiled, key: str, one: Fighter, at: Cell | None = None) -> None:
    """Places a newcomer near its side, or where the GM said."""
    state = log.state
    friends = [friend.place for friend in state.fighters.values() if friend.side == one.side]
    x, y = at or (friends[0] if friends else (state.width // 2, state.height // 2))
    taken = {other.place for other in state.fighters.values()}
    cell = inside(state, (x, y))
    while cell in taken:
        cell = (cell[0], cell[1] + 1)
    one.place = cell
    number = log.emit(ev.Armed(key, one), rule="ARC-01")
    log.emit(ev.Joined(key, one.body.name, one.side), rule="ARC-01", because=(number,))


def enter(log: Log[State, ev.Event], seat: Seat, key: str, sheet: Sheet) -> None:
    """Adds a latecomer's character, on the side of the seat's other characters or with the players."""
    veiled, state = Veiled(log), log.state
    if any(one.character == key for one in state.fighters.values()):
        return
    own = next((one.side for one in state.fighters.values() if one.seat == seat), None)
    who = free_key(state.fighters, key)
    one = of_character(key, sheet, own or ("foes" if seat == GM else "players"), str(seat))
    _enter(veiled, who, rekeyed(one, who))
    veiled.emit(ev.Desk(True), rule="ARC-01")
