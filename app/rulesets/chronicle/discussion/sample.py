"""A discussion to look around in: Ella wants a raid, and four people and a town have something to say about it."""

from pydantic import JsonValue

from app.engine.ruleset import GM, Brief, Demo, Seat
from app.rulesets.chronicle.gear import Carried
from app.rulesets.chronicle.samples import heroes
from app.rulesets.chronicle.sheets import Drive, Motivations, Sheet, Skills


def the_council_at_the_mill() -> tuple[dict[str, Sheet], Brief]:
    sheets = {**heroes(), "ida": _ida(), "bertram": _bertram(), "alda": _alda()}
    seats = {Seat(key): (key,) for key in sheets} | {GM: ()}
    given: JsonValue = {
        "description": "The Count’s riders have taken eleven cows and a boy. In the hall above the mill Ella has asked "
        "four people for their advice, and outside the door the valley is waiting for a word.",
        "terrain": "hills",
        "topic": "the raid",
        "crowds": "The valley",
    }
    return sheets, Brief(kind="discussion", title="The council at the mill", seats=seats, given=given)


def _ida() -> Sheet:
    return Sheet(
        name="Ida",
        standing="Reeve of the valley",
        home="The long house by the ford",
        skills=Skills(
            control=1, fighting_mind=1, speed=2, strength=2, endurance=2, hide=2, jump_climb=1, ride=3, run=2,
            shoot_aim=1, swim=1, craft=2, heal=3, know=4, notice=3, sail=0, survive=2, trade=5, administer=6,
            convince=5, lead=2, perform=2, tactics=1,
        ),
        survive_terrain="hills",
        motivations=Motivations(
            energetic=7, lazy=5, forgiving=7, avenging=5, honest=8, deceitful=4, merciful=6, cruel=6, modest=8,
            proud=4, prudent=10, reckless=2, bold=3, fearful=9, trusting=5, independent=7, generous=9, selfish=3,
        ),
        drives=(
            Drive(motivation="prudent", rating=5, whose="talker", context="in the council", topic="the raid",
                  action="Send a letter first."),
        ),
        possessions="Tally sticks, a seal, the keys of the granary.",
    )  # fmt: skip


def _bertram() -> Sheet:
    return Sheet(
        name="Bertram",
        standing="Captain of the levy",
        home="The tower over the pass",
        skills=Skills(
            control=4, fighting_mind=5, speed=3, strength=4, endurance=5, hide=3, jump_climb=3, ride=4, run=3,
            shoot_aim=4, swim=1, craft=1, heal=1, know=1, notice=3, sail=0, survive=4, trade=0, administer=2,
            convince=1, lead=5, perform=0, tactics=4,
        ),
        survive_terrain="mountains",
        motivations=Motivations(
            energetic=9, lazy=3, forgiving=2, avenging=10, honest=5, deceitful=7, merciful=4, cruel=8, modest=6,
            proud=6, prudent=4, reckless=8, bold=9, fearful=3, trusting=7, independent=5, generous=4, selfish=8,
        ),
        weapons=(Carried.of("sword"),),
        possessions="A helmet with a dent, a horn, dice.",
    )  # fmt: skip


def _alda() -> Sheet:
    return Sheet(
        name="Alda",
        standing="Healer, and mother of the boy",
        home="The last house before the wood",
        skills=Skills(
            control=2, fighting_mind=1, speed=2, strength=1, endurance=3, hide=2, jump_climb=2, ride=1, run=2,
            shoot_aim=1, swim=2, craft=3, heal=6, know=4, notice=4, sail=0, survive=4, trade=2, administer=1,
            convince=3, lead=1, perform=4, tactics=0,
        ),
        survive_terrain="forest",
        motivations=Motivations(
            energetic=8, lazy=4, forgiving=9, avenging=3, honest=7, deceitful=5, merciful=10, cruel=2, modest=7,
            proud=5, prudent=5, reckless=7, bold=6, fearful=6, trusting=4, independent=8, generous=8, selfish=4,
        ),
        possessions="A basket of herbs, bandages, the boy’s shoe.",
    )  # fmt: skip


DEMO: Demo[Sheet] = Demo(
    title="The Hall Above the Mill",
    about="A stolen herd, a boy who is gone, a lady who wants to ride tonight, and four people who may want otherwise.",
    set_up=the_council_at_the_mill,
)
