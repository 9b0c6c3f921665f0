"""Chronicle: skills, motivations and one check for everything; several kinds of scene around one sheet."""

from pydantic import TypeAdapter

from app.engine.durations import load_durations
from app.engine.rulebook import load, load_luck
from app.engine.ruleset import Ruleset, SheetPages
from app.rulesets.chronicle.discussion import DISCUSSION
from app.rulesets.chronicle.discussion.sample import DEMO as COUNCIL
from app.rulesets.chronicle.draft import DRAFT
from app.rulesets.chronicle.free import FREE
from app.rulesets.chronicle.generation import promoted, rolled
from app.rulesets.chronicle.hand import HAND
from app.rulesets.chronicle.healing import DAYS
from app.rulesets.chronicle.journey import JOURNEY
from app.rulesets.chronicle.journey.sample import DEMO as RIDE
from app.rulesets.chronicle.mass import MASS
from app.rulesets.chronicle.mass.maps import BATTLEFIELDS, MAPS
from app.rulesets.chronicle.mass.sample import DEMO as BATTLE
from app.rulesets.chronicle.samples import DEMO, HERO_LINES, heroes
from app.rulesets.chronicle.settings import BEGINS_WITH, Settings
from app.rulesets.chronicle.sheets import Sheet

CHARACTER: TypeAdapter[Sheet] = TypeAdapter(Sheet)

RULESET = Ruleset(
    key="chronicle",
    package=__name__,
    title="Chronicle",
    blurb="A long story of many people, with one kind of check for everything they try. "
    "Their beliefs, belongings and wounds stay with them from scene to scene.",
    version="2",
    reads=frozenset({"1"}),
    character=CHARACTER,
    settings=TypeAdapter(Settings),
    begins_with=BEGINS_WITH,
    kinds=(FREE, DISCUSSION, JOURNEY, HAND, MASS, DRAFT),
    rulebook=load(
        __name__, "rulebook-checks.toml", "rulebook-people.toml", "rulebook-calendar.toml", "rulebook-healing.toml",
        "discussion/rulebook.toml", "journey/rulebook.toml",
        "hand/rulebook.toml", "hand/rulebook-defence.toml", "mass/rulebook.toml", "mass/rulebook-fighting.toml",
    ),
    homebrew={MAPS: BATTLEFIELDS},
    luck=load_luck(__name__),
    help=("help.md", "discussion/help.md", "journey/help.md", "hand/help.md", "mass/help.md"),
    heroes=heroes,
    hero_lines=HERO_LINES,
    sheet_pages=SheetPages(page="sheet.html", form="sheet-form.html"),
    demo=DEMO,
    demos={"battle": BATTLE, "discussion": COUNCIL, "journey": RIDE},
    days=DAYS,
    dead=lambda sheet: sheet.wounds.dead,
    unfit=lambda sheet: "knocked out by a head wound" if sheet.wounds.head.major else "",
    promote=promoted,
    generate=rolled,
    asks_next=True,
    durations=load_durations(__name__),
)  # fmt: skip
