"""Whiskey: group battles with declarations, interception, clashes, one card and one d6."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BeforeValidator, JsonValue, TypeAdapter

from app.engine.decisions import derived
from app.engine.events import sees
from app.engine.rulebook import load, load_luck
from app.engine.ruleset import Brief, Outcome, Pages, Ruleset, SceneKind, SheetPages
from app.rulesets.whiskey.desk import FOES, enter, vitals
from app.rulesets.whiskey.events import EVENT
from app.rulesets.whiskey.film import film
from app.rulesets.whiskey.muster import muster
from app.rulesets.whiskey.round import DECISIONS, open_now
from app.rulesets.whiskey.samples import DEMO, HERO_LINES, TRIAL, heroes
from app.rulesets.whiskey.settings import Settings
from app.rulesets.whiskey.sheet_figures import sheet_figures
from app.rulesets.whiskey.sheets import Given, Sheet
from app.rulesets.whiskey.state import STATE, State, apply, kept_decks, sheet_of, start
from app.rulesets.whiskey.suggestions import suggest
from app.rulesets.whiskey.templates import TEMPLATES
from app.rulesets.whiskey.view import view

CHARACTER: TypeAdapter[Sheet] = TypeAdapter(Sheet)


def needs(brief: Brief, sheets: Mapping[str, Sheet]) -> frozenset[str]:
    """The decks of all factions in the battle, one each (WHI-47), and of those that newcomers may bring."""
    given = Given.model_validate(brief.given or {})
    factions = {sheet.faction for sheet in sheets.values()} | {foe.faction for foe in given.foes}
    return frozenset(f"deck/{faction}" for faction in factions | {"players", "friends", "enemies"})


def outcome(state: State) -> Outcome:
    """Wounds go to the sheets of the campaign's characters, the GM's included; the cards left go to the decks."""
    sheets: dict[str, JsonValue] = {
        f.character: sheet_of(f).model_dump(mode="json", exclude={"note"})
        for f in state.fighters.values()
        if f.character
    }
    return Outcome(sheets=sheets, kept=kept_decks(state), result={"winner": state.winner, "rounds": state.round})


BATTLE = SceneKind(
    key="battle",
    title="A battle",
    state=STATE,
    event=EVENT,
    given=TypeAdapter(Annotated[Given, BeforeValidator(muster)]),
    needs=needs,
    start=start,
    view=view,
    sees=sees,
    apply=apply,
    outcome=outcome,
    enter=enter,
    presets=TEMPLATES,
    pages=Pages(scripts=("aim.js", "sentence.js"), ending="ending.html"),
    suggest=suggest,
    vitals=vitals,
    foes=FOES,
    film=film,
    **derived(DECISIONS, open_now),
)

RULESET = Ruleset(
    key="whiskey",
    package=__name__,
    title="Whiskey battles",
    blurb="Everyone secretly declares whom to attack and whom to guard; Signet works out who clashes with whom. "
    "One card and one die decide each clash: not whether you hit, but who hits.",
    version="2",
    reads=frozenset({"1"}),
    character=CHARACTER,
    settings=TypeAdapter(Settings),
    kinds=(BATTLE,),
    rulebook=load(__name__),
    luck=load_luck(__name__),
    heroes=heroes,
    hero_lines=HERO_LINES,
    demo=DEMO,
    trial=TRIAL,
    sheet_pages=SheetPages(page="sheet.html", form="sheet-form.html", context=sheet_figures),
    unfit=lambda sheet: "" if sheet.hp > 0 else f"at {sheet.hp} HP",
    heal=lambda sheet: sheet.model_copy(update={"hp": sheet.hp_max}),
    condition=lambda sheet: (f"{sheet.hp} of {sheet.hp_max} HP",),
)
