"""Hand-to-hand combat: footwork, secret actions, defences, lasting wounds (chapter 4)."""

from pydantic import JsonValue, TypeAdapter

from app.engine.decisions import derived
from app.engine.events import sees
from app.engine.ruleset import Outcome, Pages, SceneKind, Viewer
from app.rulesets.chronicle.arms import SHIELD
from app.rulesets.chronicle.hand.desk import enter
from app.rulesets.chronicle.hand.events import EVENT
from app.rulesets.chronicle.hand.film import film
from app.rulesets.chronicle.hand.foes import FOES as IN_FIGHT
from app.rulesets.chronicle.hand.foes import vitals
from app.rulesets.chronicle.hand.fold import apply
from app.rulesets.chronicle.hand.muster import FOES, GIVEN, belongings, needs, start
from app.rulesets.chronicle.hand.round import DECISIONS, go_on, open_now
from app.rulesets.chronicle.hand.state import STATE, Fighter, State
from app.rulesets.chronicle.hand.suggestions import suggest
from app.rulesets.chronicle.hand.view import view


def _left(one: Fighter) -> dict[str, JsonValue]:
    """A fighter's wounds, and the items left behind by one who dropped them and left the fight (CHR-ACT-34)."""
    after: dict[str, JsonValue] = {"wounds": one.wounds.model_dump(mode="json")}
    if one.lost and one.gone in ("fled", "surrendered", "left"):
        left = belongings(one)
        for item in one.lost:
            dropped = next((thing for thing in left if thing.item == item), None)
            if dropped is not None:
                left.remove(dropped)
        after["weapons"] = [thing.model_dump(mode="json") for thing in left]
        if SHIELD in one.lost:
            after["shield"] = False
    return after


def outcome(state: State) -> Outcome:
    """Wounds and deaths go to the sheets; the result holds the winner, the rounds and the fate of every fighter."""
    fight = state.fight
    sheets: dict[str, JsonValue] = {one.character: _left(one) for one in fight.fighters.values() if one.character}
    fates: dict[str, JsonValue] = {key: one.gone or "there" for key, one in fight.fighters.items()}
    lost: dict[str, JsonValue] = {key: list(one.lost) for key, one in fight.fighters.items() if one.lost}
    return Outcome(sheets=sheets, result={"winner": fight.winner, "rounds": fight.round, "fates": fates, "lost": lost})


def as_gm_knows(state: State, gm: Viewer) -> State:
    """The fight with the standing choices of the GM's own fighters only."""
    own = {key for key, one in state.fight.fighters.items() if one.seat in gm.seats}
    return State(state.fight, {key: stands for key, stands in state.standing.items() if key in own})


HAND = SceneKind(
    key="hand",
    title="Hand-to-hand combat",
    state=STATE,
    event=EVENT,
    given=TypeAdapter(GIVEN),
    needs=needs,
    start=start,
    view=view,
    sees=sees,
    apply=apply,
    outcome=outcome,
    enter=enter,
    as_gm_knows=as_gm_knows,
    presets=FOES,
    by_challenge=True,
    pages=Pages(folder="hand", styles=("body.css", "hand.css"), ending="ending.html"),
    suggest=suggest,
    vitals=vitals,
    foes=IN_FIGHT,
    film=film,
    **derived(DECISIONS, open_now, settle=go_on),
)
