"""The combatants of a fight, from sheets and the GM's foes, and their places at the start."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from app.engine.form_fields import OpeningForm, Ticked
from app.engine.muster import Group, keys_once, usual_sides, with_muster
from app.engine.ruleset import GM, OWN, Brief, Homebrew, Setup
from app.engine.unused_names import unused
from app.rulesets.arcana.fight.aftermath import afflicted
from app.rulesets.arcana.fight.declarations import Spot
from app.rulesets.arcana.fight.state import Fighter, Habit, State
from app.rulesets.arcana.rules.book import SPELLS
from app.rulesets.arcana.rules.grid import Cell
from app.rulesets.arcana.rules.objects import read_objects
from app.rulesets.arcana.rules.rulings import Cover, Edge
from app.rulesets.arcana.rules.schema import refusal
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.body import of_foe, of_sheet
from app.rulesets.arcana.sheet.foes import FOES, Grade
from app.rulesets.arcana.sheet.foes import Foe as Row
from app.rulesets.arcana.sheet.sheets import Sheet

MOST = 1000  # in one fight
MOST_OF_A_KIND = 60
WIDEST = 400  # cells
APART = 20  # cells between the lines of two sides: ten metres
EDGE = 10  # cells from a line to the edge of the ground
GAP = 3  # cells between neighbours of one line
ROW = 12  # combatants in one line; the others are behind it

Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$")]
SIDE = r"^[a-z][a-z0-9-]{0,19}$"
Side = Annotated[str, Field(pattern=SIDE)]


class Foe(BaseModel):
    """A foe in one fight: a row of the foes with a grade, or a sheet; and its habit.

    A row without `foe` is read as the fields of a sheet.
    """

    model_config = ConfigDict(extra="ignore")

    key: Key
    name: Annotated[str, Field(max_length=60)] = ""  # empty for one of the campaign's own foes: its row's name
    foe: str = ""
    sheet: Sheet | None = None
    grade: Grade = "standard"
    side: Side = "foes"
    habit: Habit = "nearest"
    guards: str = ""
    hidden: Ticked = False
    place: Spot = None

    @model_validator(mode="before")
    @classmethod
    def _of_sheet(cls, given: object) -> object:
        if not isinstance(given, dict) or given.get("foe") or given.get("sheet") is not None:
            return given
        sheet = {name: value for name, value in given.items() if name not in cls.model_fields or name == "name"}
        own = {name: value for name, value in given.items() if name in cls.model_fields}
        return given if set(sheet) <= {"name"} else {**own, "sheet": sheet}

    @model_validator(mode="after")
    def _known(self) -> "Foe":
        if self.sheet is not None:
            return self
        if self.foe not in FOES and not self.foe.startswith(OWN):
            raise ValueError("There is no foe of that kind.")
        if not self.name and self.foe in FOES:
            raise ValueError("Give this foe a name.")
        return self


class Given(OpeningForm):
    """The opening of a fight, besides the characters. Lengths of the ground are cells of half a metre."""

    description: Annotated[str, Field(max_length=4000)] = ""
    width: Annotated[int, Field(ge=0, le=WIDEST)] = 0  # 0: as large as the lines need
    height: Annotated[int, Field(ge=0, le=WIDEST)] = 0
    covers: Annotated[dict[Annotated[str, Field(pattern=r"^\d{1,3},\d{1,3}$")], Cover], Field(max_length=2000)] = {}
    cover_sides: Annotated[dict[str, tuple[Edge, ...]], Field(max_length=2000)] = {}
    objects: Annotated[str, Field(max_length=6000, description="Lines such as “barrel 12,4 1 m +2 15 hp”.")] = ""
    foes: Annotated[tuple[Foe, ...], Field(max_length=MOST)] = ()
    sides: Annotated[dict[str, str], Field(max_length=MOST)] = {}
    hidden: Annotated[tuple[str, ...], Field(max_length=MOST)] = ()  # characters who begin hidden
    at: Annotated[dict[str, Spot], Field(max_length=MOST)] = {}
    lay_out: Annotated[Ticked, Field(description="Whether the GM lays out the ground before the first cycle.")] = True

    @model_validator(mode="after")
    def _objects_read(self) -> "Given":
        read_objects(self.objects, WIDEST, WIDEST)
        return self

    @model_validator(mode="after")
    def _keys_once(self) -> "Given":
        keys_once((foe.key for foe in self.foes), "foes")
        return self


def muster(given: Any) -> Any:
    """Returns a form's {"muster": [{"kind": "troll", "count": "2"}]} as foes with unique names and keys."""
    made = with_muster(given, _name, _several, MOST_OF_A_KIND)
    if made is given:
        return given
    kinds = {foe.get("foe", ""): foe["key"] for foe in reversed(made["foes"])}
    for foe in made["foes"]:
        first = kinds.get(foe.get("guards", ""), foe.get("guards", ""))
        foe["guards"] = "" if first == foe["key"] else first
        foe["habit"] = "guard" if foe["guards"] and foe.get("habit", "nearest") == "nearest" else foe.get("habit")
    return made


def _name(kind: str) -> str:
    if kind not in FOES and not kind.startswith(OWN):
        raise ValueError("There is no foe of that kind.")
    return FOES[kind].name if kind in FOES else ""


def _several(group: Group) -> list[dict[str, Any]]:
    chosen = ("grade", "habit", "hidden", "guards", "side")
    more = {name: group.row[name] for name in chosen if group.row.get(name)}
    return [
        {"habit": "nearest", **more, "key": f"{group.kind}{behind.replace(' ', '_')}", "name": name, "foe": group.kind}
        for behind, name in zip(group.keys, group.names, strict=True)
    ]


GIVEN = Annotated[Given, BeforeValidator(muster)]


def needs(brief: Brief, sheets: Mapping[str, Sheet]) -> frozenset[str]:
    """Returns the names in `kept` that a fight claims: none, since sheets hold all that lasts between fights."""
    return frozenset()


def people(brief: Brief, sheets: Mapping[str, Sheet], own: Homebrew) -> dict[str, Fighter]:
    """Returns all combatants by id, each in a separate place. Raises ValidationError if there is no fight: fewer than
    two sides, too many combatants, or a foe or spell that no longer exists."""
    given = Given.model_validate(muster(brief.given or {}))
    found: dict[str, Fighter] = {}
    side = _sides(brief, given)
    for seat, keys in brief.seats.items():
        for key in keys:
            found[key] = of_character(key, sheets[key], side[key], str(seat), hidden=key in given.hidden)
    rows = {**FOES, **own.get("foes", {})}
    for foe in given.foes:
        if foe.sheet is not None:
            found[free_key(found, foe.key)] = _of_npc(foe, foe.sheet)
            continue
        if foe.foe not in rows:
            raise refusal("Foe", "", f"There is no foe {foe.foe} among your own. Remove it, or make it again.")
        found[free_key(found, foe.key)] = of_row(foe, rows[foe.foe])
    for key, one in found.items():
        if one.body.key != key:
            found[key] = rekeyed(one, key)
    if len({one.side for one in found.values() if not one.dead and one.hp > 0}) < 2:
        words = "A fight needs an able fighter on each of two sides. Add foes, or move someone to another side."
        raise refusal("Sides", "", words)
    if len(found) > MOST:
        raise refusal("People", "", f"Here are {len(found)} people; a fight can have at most {MOST}.")
    _all_known(found, own)
    _line_up(found, given)
    return dict(sorted(found.items()))


def _all_known(found: Mapping[str, Fighter], own: Homebrew) -> None:
    there = {**SPELLS, **own.get("spells", {})}
    for one in found.values():
        if missing := next((key for key in one.body.spells if key not in there), ""):
            who, spell = one.body.name, missing.removeprefix(OWN).replace("_", " ")
            words = f"{who} knows one of your own spells, “{spell}”, which no longer exists."
            raise refusal("Spells", "", f"{words} Add a spell with that name, or remove it from {who}’s sheet.")


def _sides(brief: Brief, given: Given) -> dict[str, str]:
    usual = usual_sides(brief, "players", "foes", foes=bool(given.foes))
    return {key: given.sides.get(key) or side for key, side in usual.items()}


def of_character(key: str, sheet: Sheet, side: str, seat: str, *, hidden: bool = False) -> Fighter:
    body = of_sheet(key, sheet)
    hp = body.hp_max if sheet.hp is None else sheet.hp
    fp = body.fp_max if sheet.fp is None else sheet.fp
    one = Fighter(body, side, seat, (0, 0), hp, fp, hidden=hidden, character=key, items=dict(sheet.items))
    return afflicted(one, sheet)


def of_row(foe: Foe, row: Row) -> Fighter:
    """Returns a foe by its row; one of the campaign's own without a name gets the row's name and its number."""
    number = foe.key.removeprefix(foe.foe).replace("_", " ")
    body = of_foe(foe.key, row, foe.grade, foe.name or f"{row.name}{number}")
    return Fighter(
        body, foe.side, str(GM), foe.place or (0, 0), body.hp_max, body.fp_max, hidden=foe.hidden, habit=foe.habit,
        guards=foe.guards, foe=foe.foe, items=row.carried,
    )  # fmt: skip


def _of_npc(foe: Foe, sheet: Sheet) -> Fighter:
    """A foe with a sheet."""
    one = of_character(foe.key, sheet, foe.side, str(GM), hidden=foe.hidden)
    one.place, one.habit, one.guards, one.character = foe.place or (0, 0), foe.habit, foe.guards, ""
    return one


def rekeyed(one: Fighter, key: str) -> Fighter:
    return replace(one, body=replace(one.body, key=key))


def free_key(taken: Collection[str], key: str) -> str:
    return unused(key, taken, lambda number: f"{key[:50]}_{number}")


def _line_up(found: dict[str, Fighter], given: Given) -> None:
    """Lines up each side, facing the others; combatants with a given place stay there.

    Hidden ones come last, behind their side's line, so that neither a gap nor the size of the ground reveals them.
    """
    seen = sorted({one.side for one in found.values() if not one.hidden}, key=_order)
    sides = [*seen, *sorted({one.side for one in found.values()} - set(seen), key=_order)]
    placed = {foe.key: foe.place for foe in given.foes if foe.place} | {k: v for k, v in given.at.items() if v}
    taken: set[Cell] = set()
    free = dict(found)
    for key, cell in sorted(placed.items(), key=lambda pair: (pair[0] in found and found[pair[0]].hidden, pair[0])):
        if key in free and cell is not None and cell not in taken:
            free.pop(key).place = cell
            taken.add(cell)
    front = EDGE
    lines: dict[str, tuple[int, int, int]] = {}
    for number, side in enumerate(sides):
        line = [one for one in free.values() if one.side == side and not one.hidden]
        deep = 2 * max(0, (len(line) - 1) // ROW)
        front += deep if number == 0 else APART if side in seen else 0
        lines[side] = (front, -2 if number == 0 else 2, len(line))
        _stand(line, lines[side], 0, taken)
        front += 0 if number == 0 else deep
    for side in sides:
        behind = [one for one in free.values() if one.side == side and one.hidden]
        _stand(behind, lines[side], ROW * -(-lines[side][2] // ROW), taken, ground(found, given)[0] - 1)
    for one in found.values():
        one.facing = (1, 0) if one.side == sides[0] else (-1, 0)


def _order(side: str) -> tuple[bool, str]:
    return side != "players", side


def _stand(line: list[Fighter], at: tuple[int, int, int], first: int, taken: set[Cell], most: int = 9999) -> None:
    """Places a line in columns of `ROW`, from position `first` on, each in a free cell from the left edge to `most`."""
    front, back, _ = at
    for place, one in enumerate(line, first):
        column, row = divmod(place, ROW)
        cell = (min(most, max(0, front + back * column)), EDGE + GAP * row)
        while cell in taken:
            cell = (cell[0], cell[1] + 1)
        one.place = cell
        taken.add(cell)


def ground(found: Mapping[str, Fighter], given: Given) -> tuple[int, int]:
    """Returns width and height in cells, large enough for all visible combatants and objects."""
    seen = [one.place for one in found.values() if not one.hidden]
    wide = max((x for x, _ in seen), default=0) + EDGE
    high = max((y for _, y in seen), default=0) + EDGE
    there = [one.at for one in read_objects(given.objects, WIDEST, WIDEST)]
    wide, high = max([wide, *(x + 1 for x, _ in there)]), max([high, *(y + 1 for _, y in there)])
    return max(given.width, wide, 40), max(given.height, high, 30)


def start(setup: Setup[Sheet, Settings]) -> State:
    """Returns the initial state; the GM may lay out the ground first."""
    given = Given.model_validate(muster(setup.brief.given or {}))
    found = people(setup.brief, setup.sheets, setup.own)
    width, height = ground(found, given)
    stage: Literal["setting", "plan"] = "setting" if given.lay_out else "plan"
    return State(
        setup.settings, found, stage=stage, description=given.description, width=width, height=height,
        covers=dict(given.covers), cover_sides=dict(given.cover_sides),
        objects={one.key: one for one in read_objects(given.objects, WIDEST, WIDEST)},
        hiders=frozenset(key for key, one in found.items() if one.hidden),
        own_spells=dict(setup.own.get("spells", {})), own_foes=dict(setup.own.get("foes", {})),
    )  # fmt: skip
