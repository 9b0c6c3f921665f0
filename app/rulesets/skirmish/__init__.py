"""Zone skirmish: quick and full turns in zones, Tests of three tiers, reactions, morale."""

from typing import Annotated

from pydantic import BeforeValidator, JsonValue, TypeAdapter

from app.engine.decisions import derived
from app.engine.events import sees
from app.engine.rulebook import load, load_luck
from app.engine.ruleset import Outcome, Pages, Ruleset, SceneKind, SheetPages
from app.rulesets.skirmish.desk import FOES, enter, vitals
from app.rulesets.skirmish.fight.events import EVENT
from app.rulesets.skirmish.fight.fold import apply
from app.rulesets.skirmish.fight.settings import Settings
from app.rulesets.skirmish.fight.state import STATE, State, sheet_of, start
from app.rulesets.skirmish.round import DECISIONS, open_now
from app.rulesets.skirmish.sheet import sheet_state
from app.rulesets.skirmish.sheet.foe_templates import TEMPLATES
from app.rulesets.skirmish.sheet.generation import rolled
from app.rulesets.skirmish.sheet.homebrew import KINDS
from app.rulesets.skirmish.sheet.muster import muster
from app.rulesets.skirmish.sheet.samples import DEMO, HERO_LINES, TRIAL, heroes
from app.rulesets.skirmish.sheet.sheet_figures import blank, sheet_figures
from app.rulesets.skirmish.sheet.sheets import Sheet, SkirmishOpening
from app.rulesets.skirmish.view.film import film
from app.rulesets.skirmish.view.suggestions import suggest
from app.rulesets.skirmish.view.view import view

CHARACTER: TypeAdapter[Sheet] = TypeAdapter(Sheet)


def outcome(state: State) -> Outcome:
    """HP, attributes, Fatigue, wounds and gear go to the sheets of the campaign's characters, the GM's included."""
    sheets: dict[str, JsonValue] = {c.character: sheet_of(c) for c in state.combatants.values() if c.character}
    return Outcome(sheets=sheets, result={"winner": state.winner, "turns": state.turn})


SKIRMISH = SceneKind(
    key="skirmish",
    title="A skirmish",
    state=STATE,
    event=EVENT,
    given=TypeAdapter(Annotated[SkirmishOpening, BeforeValidator(muster)]),
    start=start,
    view=view,
    sees=sees,
    apply=apply,
    outcome=outcome,
    enter=enter,
    presets=TEMPLATES,
    pages=Pages(styles=("skirmish.css",), scripts=("zones.js",), ending="ending.html"),
    suggest=suggest,
    vitals=vitals,
    foes=FOES,
    film=film,
    **derived(DECISIONS, open_now),
)

RULESET = Ruleset(
    key="skirmish",
    package=__name__,
    title="Zone skirmish",
    blurb="Everyone seals a quick or a full turn on a field of zones; one player calls odd or even, and two dice say "
    "who goes first. Fighters under attack choose in secret how to react: block, dodge, parry or fight back.",
    version="3",
    reads=frozenset({"1", "2"}),
    character=CHARACTER,
    settings=TypeAdapter(Settings),
    kinds=(SKIRMISH,),
    rulebook=load(__name__),
    luck=load_luck(__name__),
    generate=rolled,
    generation_note="Three dice for each attribute, one for HP, a d20 for the kit. You may then swap two attributes.",
    condition=sheet_state.condition,
    dead=sheet_state.dead,
    unfit=sheet_state.unfit,
    heal=sheet_state.heal,
    homebrew=KINDS,
    heroes=heroes,
    hero_lines=HERO_LINES,
    sheet_pages=SheetPages(page="sheet.html", form="sheet-form.html", blank=blank, context=sheet_figures),
    demo=DEMO,
    trial=TRIAL,
)
