"""The battlefields that a campaign keeps: homebrew of its GMs, painted or typed, and shown to players or not."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

from app.engine.ruleset import Brief, Faults, Homebrew, HomebrewKind, HomebrewPages
from app.rulesets.chronicle.mass.fairness import Fairness, fairness
from app.rulesets.chronicle.mass.field import Field as Battlefield
from app.rulesets.chronicle.mass.field_text import FIELDS, MOST_TEXT, read_field, ready_made, spell_field
from app.rulesets.chronicle.mass.picture import Ground, ground
from app.rulesets.chronicle.mass.placing import room_fault
from app.rulesets.chronicle.mass.random_field import Wishes, random_field
from app.rulesets.chronicle.mass.state import OfferedMap

MAPS = "maps"  # the kind of homebrew
MOST_SHOWN = 12  # each battle begins with all of them
USUAL_ROWS, USUAL_COLUMNS = 23, 20


def _a_map(text: str) -> str:
    read_field(text)
    return text


class KeptMap(BaseModel):
    """A battlefield of a campaign."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_]{0,59}$", json_schema_extra={"x-made": True})]
    name: Annotated[str, Field(min_length=1, max_length=60)]
    shown: Annotated[bool, Field(title="Players can see it and choose it for a battle")] = False
    map: Annotated[str, Field(max_length=MOST_TEXT, title="The map as text"), AfterValidator(_a_map)]

    @property
    def field(self) -> Battlefield:
        return read_field(self.map)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A map on pages. Without `field` it cannot be read, and `fault` says why."""

    field: Battlefield | None
    ground: Ground | None
    fault: str = ""
    seed: str = ""  # of a random map that was just made

    @property
    def fairness(self) -> Fairness | None:
        return fairness(self.field) if self.field else None


def drawn(value: Mapping[str, Any]) -> Drawn:
    """The map of a form, as typed."""
    try:
        field = read_field(str(value.get("map") or ""))
    except ValueError as wrong:
        return Drawn(None, None, str(wrong))
    return Drawn(field, ground(field), seed=str(value.get("seed") or ""))


def made_by_wishes(said: Mapping[str, str], fresh: str) -> tuple[dict[str, JsonValue], Faults]:
    """A random map by a form's wishes and its seed, a fresh one where none is typed."""
    numbers, faults = dict[str, int](), Faults()
    for name in ("rows", "columns", "closed", "impassable", "hills"):
        text = said.get(name, "").strip()
        if text.isascii() and text.isdecimal() and len(text) < 6:
            numbers[name] = int(text)
        else:
            faults[name] = "Enter a whole number."
    if faults:
        return {}, faults
    wishes = Wishes(**numbers, mirrored=said.get("mirrored") != "no")
    if faults := wishes.faults():
        return {}, faults
    seed = said.get("seed", "").strip()[:60] or fresh
    return {"map": spell_field(random_field(seed, wishes)), "seed": seed}, {}


def map_text(one: KeptMap, own: Homebrew) -> tuple[str, ...]:
    """Its size and ground, and who sees it."""
    field = one.field
    closed, impassable = (list(field.kinds.values()).count(kind) for kind in ("closed", "impassable"))
    counts = {"Closed": closed, "Impassable": impassable, "high": len(field.levels)}
    ground = "".join(f", {count} {word}" for word, count in counts.items() if count)
    walls = f", {count} barrier{'s' * (count > 1)}" if (count := len(field.barriers)) else ""
    size = f"{field.rows} rows, {sum(map(field.width, range(field.rows)))} hexes"
    seen = "Players can see it." if one.shown else "Players see it once a battle is fought on it."
    return (f"{size}{ground}{walls}.", seen)


def fits(one: KeptMap, own: Homebrew) -> Faults:
    """A fault where two armies have no room, or where players can choose from too many."""
    if fault := room_fault(one.field):
        return {"map": fault}
    others = [key for key, other in own.get(MAPS, {}).items() if other.shown and key != one.id]
    if one.shown and len(others) >= MOST_SHOWN:
        return {"shown": f"Players can already see {MOST_SHOWN} battlefields. Hide one of those first."}
    return {}


def in_scene(brief: Brief, maps: Mapping[str, Any]) -> frozenset[str]:
    """Those that a battle begins with: the one its form names, and those that players may choose from."""
    if brief.kind != "mass":
        return frozenset()
    named = brief.given.get("field") if isinstance(brief.given, dict) else None
    shown = [key for key, one in maps.items() if one.shown][:MOST_SHOWN]
    return frozenset(shown) | {key for key in maps if key == named}


def offered(own: Homebrew) -> dict[str, OfferedMap]:
    """The maps of a scene that players may choose from, by name."""
    maps = sorted(own.get(MAPS, {}).values(), key=lambda one: (one.name.casefold(), one.id))
    return {one.id: OfferedMap(one.name, one.map) for one in maps if one.shown}


BATTLEFIELDS = HomebrewKind(
    title="Battlefields",
    one="battlefield",
    adapter=TypeAdapter(KeptMap),
    book={key: KeptMap(id=key, name=name, map=spell_field(ready_made(key))) for key, name in FIELDS.items()},
    sample={"map": spell_field(Battlefield(USUAL_ROWS, USUAL_COLUMNS))},
    text=map_text,
    fits=fits,
    scene=in_scene,
    shown=lambda one: one.shown,
    form="mass/own-map.html",
    pages=HomebrewPages(
        card="mass/own-card.html",
        context=drawn,
        make=made_by_wishes,
        again="Show the map",
        again_hint="This draws what you typed. It does not save anything.",
        styles=("mass.css", "painting.css"),
        scripts=("painting.js",),
        wide=True,
    ),
)
