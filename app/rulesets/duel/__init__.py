"""Clash! duels: two fighters, one secret action each, a momentum die between them."""

from collections.abc import Mapping

from pydantic import JsonValue, TypeAdapter

from app.engine.events import sees
from app.engine.rulebook import load, load_luck
from app.engine.ruleset import GM, Brief, Outcome, Pages, Ruleset, SceneKind, SheetPages, SoFar
from app.rulesets.duel import so_far
from app.rulesets.duel.check import check, default
from app.rulesets.duel.declarations import DECLARATION
from app.rulesets.duel.events import EVENT
from app.rulesets.duel.film import film
from app.rulesets.duel.opponents import OPPONENTS
from app.rulesets.duel.round import PHASES, WORDS, resolve, steps
from app.rulesets.duel.samples import DEMO, HERO_LINES, heroes
from app.rulesets.duel.settings import Settings
from app.rulesets.duel.sheet_trees import sheet_trees
from app.rulesets.duel.sheets import Given, Pairing, Sheet
from app.rulesets.duel.state import STATE, State, apply, start
from app.rulesets.duel.view import view

CHARACTER: TypeAdapter[Sheet] = TypeAdapter(Sheet)
GIVEN: TypeAdapter[Given] = TypeAdapter(Given)


def needs(brief: Brief, sheets: Mapping[str, Sheet]) -> frozenset[str]:
    """The records of both fighters. Refuses anything but two combatants who can stand (DUE-01, DUE-02)."""
    given = Given.model_validate(brief.given or {})
    Pairing(
        fighters=tuple(sheets),
        opponent=given.opponent,
        known=tuple(OPPONENTS),
        together=any(len(keys) + (seat == GM and bool(given.opponent)) > 1 for seat, keys in brief.seats.items()),
        down=tuple(sheet.name for sheet in sheets.values() if sheet.hp == 0),
    )
    return frozenset(f"record/{key}" for key in sheets)


def outcome(state: State) -> Outcome:
    """HP carry over, 0 for a fallen fighter (DUE-67); after a match of several bouts, those of its last bout."""
    sheets: dict[str, JsonValue] = {
        key: {"hp": max(0, one.hp) if one.hp < one.hp_max else None}
        for key, one in state.fighters.items()
        if one.character
    }
    kept: dict[str, JsonValue] = {
        f"record/{key}": _record(state, key) for key, one in state.fighters.items() if one.character
    }
    bouts: list[JsonValue] = list(state.rounds)
    return Outcome(sheets=sheets, kept=kept, result={"winner": state.winner, "why": state.why, "bouts": bouts})


def _record(state: State, key: str) -> dict[str, JsonValue]:
    """Duels won, lost and drawn, for the campaign's ladder."""
    before = state.records.get(key, {"won": 0, "lost": 0, "drawn": 0})
    what = "drawn" if not state.winner else "won" if state.winner == key else "lost"
    return {**before, what: before[what] + 1}


DUEL = SceneKind(
    key="duel",
    title="A duel",
    state=STATE,
    declaration=DECLARATION,
    event=EVENT,
    given=GIVEN,
    needs=needs,
    start=start,
    steps=steps,
    view=view,
    sees=sees,
    check=check,
    default=default,
    resolve=resolve,
    apply=apply,
    outcome=outcome,
    presets=OPPONENTS,
    by_challenge=True,
    so_far=SoFar(says=TypeAdapter(so_far.SoFar), place=so_far.place),
    pages=Pages(
        styles=("duel.css",),
        scripts=("bring.js",),
        envelopes="envelopes.html",
        ending="ending.html",
        remembered=frozenset({"sides"}),
    ),
    phases=PHASES,
    words=WORDS,
    film=film,
)

RULESET = Ruleset(
    key="duel",
    package=__name__,
    title="Clash! duels",
    blurb="Two fighters choose one action each, in secret. A die between them shows who has the momentum, "
    "and only that fighter may attack.",
    version="2",
    reads=frozenset({"1"}),
    character=CHARACTER,
    settings=TypeAdapter(Settings),
    kinds=(DUEL,),
    rulebook=load(__name__),
    luck=load_luck(__name__),
    heroes=heroes,
    hero_lines=HERO_LINES,
    demo=DEMO,
    sheet_pages=SheetPages(page="sheet.html", form="sheet-form.html", context=sheet_trees),
    unfit=lambda sheet: "down, at 0 HP" if sheet.hp == 0 else "",
    heal=lambda sheet: sheet.model_copy(update={"hp": None}),
    condition=lambda sheet: (
        f"level {sheet.level}",
        "unhurt" if sheet.hp is None else "down" if not sheet.hp else f"{sheet.hp} HP",
    ),
)
