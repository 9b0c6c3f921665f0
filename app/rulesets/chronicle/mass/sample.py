"""A mass battle to look around in: Ella waits in the woods above the pass, and a count's army comes up the road."""

from pydantic import JsonValue

from app.engine.ruleset import GM, Brief, Demo, Seat
from app.rulesets.chronicle.gear import Carried, Worn
from app.rulesets.chronicle.samples import heroes
from app.rulesets.chronicle.sheets import Motivations, Sheet, Skills


def the_road_through_the_pass() -> tuple[dict[str, Sheet], Brief]:
    sheets = {"ella": heroes()["ella"], "anselm": _anselm()}
    seats = {Seat(key): (key,) for key in sheets} | {GM: ()}
    given: JsonValue = {
        "description": "The Count’s army comes up the forest road in one long column, without scouts. Behind the trees "
        "on both sides Ella’s people wait for a sign. The road is open, but nobody keeps a line in the woods.",
        "sides": {"ella": "a", "anselm": "b"},
        "names": {"a": "Ella’s levy", "b": "Anselm’s army"},
        "attacker": "a",
        "how": "ambush",
        "armies": {
            "a": {"LI": 250, "MI": 150, "LC": 60, "BW": 120},
            "b": {"MI": 150, "HI": 150, "PK": 120, "MC": 60, "HC": 45, "BW": 80},
        },
        "field": "pass",
    }
    return sheets, Brief(kind="mass", title="The road through the pass", seats=seats, given=given)


def _anselm() -> Sheet:
    return Sheet(
        name="Anselm",
        standing="Count of the plain beyond the pass",
        home="The castle by the salt road",
        skills=Skills(
            control=3, fighting_mind=4, speed=2, strength=4, endurance=3, hide=0, jump_climb=1, ride=5, run=2,
            shoot_aim=2, swim=1, craft=0, heal=1, know=4, notice=2, sail=1, survive=2, trade=3, administer=5,
            convince=4, lead=5, perform=2, tactics=5,
        ),
        survive_terrain="plains",
        motivations=Motivations(
            energetic=7, lazy=5, forgiving=4, avenging=8, honest=7, deceitful=5, merciful=5, cruel=6, modest=2,
            proud=10, prudent=3, reckless=8, bold=9, fearful=3, trusting=4, independent=7, generous=5, selfish=7,
        ),
        weapons=(Carried.of("sword"),),
        armour=Worn.of("plate"),
        shield=True,
        possessions="A warhorse, a tent with carpets, a deed to the valley with a doubtful seal.",
    )  # fmt: skip


DEMO: Demo[Sheet] = Demo(
    title="The Pass Above the Valley",
    about="A count with a deed to the valley and an army to prove it, a lady who knows the woods, and one road.",
    set_up=the_road_through_the_pass,
)
