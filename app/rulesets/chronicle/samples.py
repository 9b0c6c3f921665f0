"""Two sample characters, and a free scene for them: a mill, a flood, and an old insult."""

from pydantic import JsonValue

from app.engine.ruleset import GM, Brief, Demo, Seat
from app.rulesets.chronicle.gear import Carried
from app.rulesets.chronicle.sheets import Drive, Motivations, Sheet, Skills


def heroes() -> dict[str, Sheet]:
    """Ella, who leads and climbs, and Morten, who is proud and mends what is broken."""
    ella = Sheet(
        name="Ella",
        standing="Lady of a small valley",
        home="The house above the mill",
        skills=Skills(
            control=3, fighting_mind=4, speed=3, strength=2, endurance=3, hide=1, jump_climb=3, ride=5, run=4,
            shoot_aim=3, swim=2, craft=1, heal=2, know=3, notice=4, sail=0, survive=3, trade=1, administer=5,
            convince=4, lead=6, perform=3, tactics=4,
        ),
        survive_terrain="hills",
        motivations=Motivations(
            energetic=8, lazy=4, forgiving=4, avenging=8, honest=9, deceitful=3, merciful=7, cruel=5, modest=5, proud=7,
            prudent=4, reckless=8, bold=10, fearful=2, trusting=6, independent=6, generous=9, selfish=3,
        ),
        weapons=(Carried.of("sword"),),
        possessions="A horse, a signet ring, a purse of about 100 coins.",
    )  # fmt: skip
    morten = Sheet(
        name="Morten",
        standing="Smith",
        home="The forge by the bridge",
        skills=Skills(
            control=4, fighting_mind=4, speed=3, strength=5, endurance=4, hide=2, jump_climb=2, ride=1, run=2,
            shoot_aim=1, swim=3, craft=6, heal=4, know=2, notice=3, sail=1, survive=2, trade=4, administer=1,
            convince=2, lead=2, perform=1, tactics=2,
        ),
        survive_terrain="forest",
        motivations=Motivations(
            energetic=5, lazy=7, forgiving=3, avenging=9, honest=8, deceitful=4, merciful=6, cruel=6, modest=2,
            proud=10, prudent=8, reckless=4, bold=7, fearful=5, trusting=9, independent=3, generous=4, selfish=8,
        ),
        drives=(
            Drive(motivation="proud", rating=4, whose="talker", context="in the village", topic="the miller’s insult",
                  action="Ask for no favour."),
        ),
        weapons=(Carried.of("hammer"),),
        possessions="Tools, a lantern, 20 m of rope, bandages.",
    )  # fmt: skip
    return {"ella": ella, "morten": morten}


HERO_LINES = {
    "ella": "Lady of a small valley: leads, rides and administers, and fights with a sword.",
    "morten": "Smith, strong and proud: mends broken things, even wounds, and swings a hammer.",
}


def the_flood_at_the_mill() -> tuple[dict[str, Sheet], Brief]:
    sheets = heroes()
    seats = {Seat(key): (key,) for key in sheets} | {GM: ()}
    given: JsonValue = {
        "description": "The river is over its banks. On the roof of the mill sits the miller with his two children.",
        "terrain": "hills",
    }
    return sheets, Brief(kind="free", title="The flood at the mill", seats=seats, given=given)


DEMO: Demo[Sheet] = Demo(
    title="The Valley Below the Mill",
    about="A small valley, its lady, its smith, and a river that has been rising for a week.",
    set_up=the_flood_at_the_mill,
)
