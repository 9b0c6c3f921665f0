"""What a fight leaves on sheets, and the next one begins with (ledger 1.9, ARC-136)."""

from app.engine.ruleset import GM, Brief, Seat, Setup
from app.rulesets.arcana import CHARACTER, FIGHT
from app.rulesets.arcana.fight.state import Held, State
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.sheets import Sheet

FOES = {"foes": [{"key": "imp", "name": "Imp", "foe": "imp"}], "lay_out": "no"}


def begin(ada: Sheet) -> State:
    brief = Brief(kind="fight", title="Again", seats={Seat("ada"): ("ada",), GM: ()}, given=FOES)
    return FIGHT.start(Setup(brief=brief, settings=Settings(), sheets={"ada": ada}, kept={}))


def left(state: State, before: Sheet) -> Sheet:
    """The sheet as the table writes it."""
    kept = FIGHT.outcome(state).sheets["ada"]
    assert isinstance(kept, dict)
    return CHARACTER.validate_python({**before.model_dump(mode="json"), **kept})


def test_wounds_and_lasting_ills_go_to_the_sheet_and_into_the_next_fight() -> None:
    sheet = Sheet(name="Ada")
    state = begin(sheet)
    state.settings = Settings(fp_rest="per_hour")
    ada = state.fighters["ada"]
    ada.hp, ada.fp = 4, 3
    ada.statuses = {"major_injury": Held(0, 1), "blinded": Held(1200, 1), "stunned": Held(3, 1), "prone": Held(0, 1)}
    after = left(state, sheet)
    assert (after.hp, after.fp, dict(after.ills), after.dead) == (4, 3, {"major_injury": 0, "blinded": 1200}, False)
    again = begin(after).fighters["ada"]
    assert (again.hp, again.fp, sorted(again.statuses)) == (4, 3, ["blinded", "major_injury"])


def test_whoever_is_dying_goes_on_dying_and_the_dead_stay_dead() -> None:
    """ARC-136: HP of 0 and less are Critical Condition, in the next fight too, unless somebody has seen to it."""
    sheet = Sheet(name="Ada", hp=-4)
    dying = begin_with_friend(sheet)
    assert dying.fighters["ada"].has("critical") and not dying.fighters["ada"].able
    stable = begin_with_friend(sheet.model_copy(update={"ills": {"stable": 0}}))
    assert stable.fighters["ada"].has("stable") and not stable.fighters["ada"].has("critical")
    dead = begin_with_friend(sheet.model_copy(update={"dead": True}))
    assert dead.fighters["ada"].dead


def begin_with_friend(ada: Sheet) -> State:
    seats = {Seat("ada"): ("ada",), Seat("ben"): ("ben",), GM: ()}
    brief = Brief(kind="fight", title="Again", seats=seats, given=FOES)
    sheets = {"ada": ada, "ben": Sheet(name="Ben")}
    return FIGHT.start(Setup(brief=brief, settings=Settings(), sheets=sheets, kept={}))
