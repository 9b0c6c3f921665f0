"""The ruleset Arcana: wizards declare in secret, in cycles of three seconds, and if-thens answer what is revealed."""

from pydantic import TypeAdapter

from app.engine.rulebook import load, load_luck
from app.engine.ruleset import Pages, Ruleset, SceneKind, SheetPages
from app.rulesets.arcana.fight.aftermath import outcome
from app.rulesets.arcana.fight.declarations import DECLARATION
from app.rulesets.arcana.fight.events import EVENT
from app.rulesets.arcana.fight.fold import apply, sees
from app.rulesets.arcana.fight.known_state import as_gm_knows, gm_reads
from app.rulesets.arcana.fight.muster import GIVEN, needs, start
from app.rulesets.arcana.fight.state import STATE
from app.rulesets.arcana.phases.asks import PHASES, WORDS, steps
from app.rulesets.arcana.phases.desk import enter
from app.rulesets.arcana.phases.round import resolve
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.foes import FOES
from app.rulesets.arcana.sheet.generation import grown, rewritten, rolled
from app.rulesets.arcana.sheet.homebrew import KINDS
from app.rulesets.arcana.sheet.rest import DAYS, said
from app.rulesets.arcana.sheet.samples import DEMO, TRIAL, blank, heroes
from app.rulesets.arcana.sheet.sheet_page import shown
from app.rulesets.arcana.sheet.sheets import Sheet
from app.rulesets.arcana.view.check import check, default
from app.rulesets.arcana.view.film import film
from app.rulesets.arcana.view.foes import FOES as IN_FIGHT
from app.rulesets.arcana.view.foes import vitals
from app.rulesets.arcana.view.suggestions import suggest
from app.rulesets.arcana.view.view import view

CHARACTER: TypeAdapter[Sheet] = TypeAdapter(Sheet)


FIGHT = SceneKind(
    key="fight",
    title="A wizards' fight",
    state=STATE,
    declaration=DECLARATION,
    event=EVENT,
    given=TypeAdapter(GIVEN),
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
    enter=enter,
    as_gm_knows=as_gm_knows,
    gm_reads=gm_reads,
    may_invalidate_sealed=lambda view: view.spoilt,
    presets=FOES,
    pages=Pages(
        ending="ending.html",
        styles=("arcana.css", "arcana-form.css", "arcana-film.css"),
        scripts=("ground.js", "wizard.js", "plan-pages.js", "film-draw.js"),
    ),
    phases=PHASES,
    words=WORDS,
    suggest=suggest,
    vitals=vitals,
    foes=IN_FIGHT,
    film=film,
    film_seconds=20,
)

RULESET = Ruleset(
    key="arcana",
    package=__name__,
    title="Arcana",
    blurb="Wizards fight in cycles of three seconds, and everyone declares at once. Say what you do, or what you "
    "do if someone does something else: the if-thens react to what is revealed, never to what is hidden.",
    version="3",
    reads=frozenset({"1", "2"}),
    character=CHARACTER,
    settings=TypeAdapter(Settings),
    kinds=(FIGHT,),
    rulebook=load(__name__),
    luck=load_luck(__name__),
    days=DAYS,
    condition=said,
    dead=lambda sheet: sheet.dead,
    unfit=lambda sheet: "" if sheet.hp_now > 0 else f"at {sheet.hp_now} HP",
    heal=lambda sheet: sheet.model_copy(update={"hp": None}),
    generate=rolled,
    generation_note="Two dice plus two, ten times; then you assign seven results to attributes. Every die is shown.",
    level_up=grown,
    rewrite=rewritten,
    homebrew=KINDS,
    heroes=heroes,
    hero_lines={key: one.note for key, one in heroes().items()},
    sheet_pages=SheetPages(page="sheet.html", form="sheet-form.html", blank=blank, context=shown),
    demo=DEMO,
    trial=TRIAL,
)
