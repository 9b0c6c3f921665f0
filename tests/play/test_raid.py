"""The raid of the rules' own flow test: council, ride, battle, a duel inside it, parley; each from the entry that
the scene before it has left. It finds what single scenes do not: people, wounds, days and rules that are lost between.
"""

import uuid

import pytest

from app.errors import Conflict
from app.play import decisions
from app.table.runtime import Runtime
from tests.play.raid import RIDERS, Raid, ride, sit_down

pytestmark = pytest.mark.anyio

THERE = (*RIDERS, "berta")
SECRET = {"of.a.route": "0", "of.a.pace": "forced", "of.a.alone": "ambush"}


@pytest.fixture
async def raid(runtime: Runtime) -> Raid:
    return await sit_down(runtime)


async def test_a_council_leads_to_a_ride_a_battle_a_duel_and_a_parley(raid: Raid) -> None:
    """CHR-FLO-02, -04, -05; CHR-CAL-02, -06; CHR-TRV-18 to -20."""
    council = await _council(raid)
    riding = await _ride(raid, council)
    battle = await _battle(raid, riding)
    duel = await _duel(raid, battle)
    parley = await _parley(raid, battle)
    await _calendar_tells_it(raid, council, riding, battle)
    for who in ("ella", "sam"):
        before = (await raid.chain(parley, who)).before
        assert [one.scene for one in before] == [council, riding, battle]
    inside = (await raid.chain(duel, "ida")).before
    assert [one.scene for one in inside] == [council, riding, battle]
    assert [one.inside for one in (await raid.chain(battle, "ida")).after] == [True, False]
    for who in ("gm", "ella", "sam"):
        await raid.receipts(who)


async def _council(raid: Raid) -> uuid.UUID:
    """On day 1 they talk; then each marks the ride two days later."""
    brief = raid.brief("discussion", "The council", RIDERS, {"topic": "the herd"})
    await raid.add(1, brief)
    council = await raid.play("The council")
    await raid.lay(council, "ella", "d1/talk/ella", {"what": "say", "words": "We ride."})
    await raid.desk(council, what="end", words="We ride on the third day.")
    assert (await raid.row(council)).status == "over"
    for who in RIDERS:
        pairs = [(f"of.{who}.{name}", value) for name, value in (("when", "on"), ("days", "2"), ("title", "The ride"))]
        pairs += [(f"of.{who}.others[]", one) for one in RIDERS if one != who]
        await raid.lay(decisions.next_id(council), who, "next", pairs)
    return council


async def _ride(raid: Raid, council: uuid.UUID) -> uuid.UUID:
    """The GM fills in what was marked; it begins on its day, goes leg by leg, they meet, and the raiders close in."""
    (marked,) = [one for one in await raid.calendar() if one.state == "open"]
    assert (marked.title, marked.day, sorted(marked.people)) == ("The ride", 3, sorted(RIDERS))
    await raid.fill_in(marked, ride(raid.brief("journey", "The ride", THERE, {})))
    with pytest.raises(Conflict, match="day has not come"):
        await raid.play("The ride")
    assert await raid.days_pass(9) == 3, "time stops at the ride"
    riding = await raid.play("The ride")
    assert await _legs(raid, riding) == [("open", 3)]
    await raid.step(riding, ella=SECRET, gm={"of.b.route": "0", "of.b.station": "5", "of.b.hidden": "yes"})
    assert await _legs(raid, riding) == [("done", 3), ("open", 4)]
    await _keeps_secrets(raid, riding)
    assert await raid.days_pass(9) == 4, "time stops at the second leg"
    assert await raid.step(riding, ella={"of.a.pace": "steady", "of.a.alone": "show"}) == "l2/orders"
    assert await _legs(raid, riding) == [("done", 3), ("open", 4)], "they meet in this leg"
    await raid.step(riding, ella={"of.a.stance": "close"}, gm={"of.b.stance": "stand"})
    assert await _legs(raid, riding) == [("done", 3), ("done", 4)]
    return riding


async def _legs(raid: Raid, riding: uuid.UUID) -> list[tuple[str, int]]:
    return [(one.state, one.day) for one in await raid.calendar() if one.scene_id == riding]


async def _keeps_secrets(raid: Raid, riding: uuid.UUID) -> None:
    """Nobody reads the orders of the other side (CHR-TRV-10)."""
    for who in ("ella", "ida", "gm", "sam"):
        view = (await raid.sight(riding, who)).view
        known = {side for side, one in view.sides.items() if one.course is not None}
        assert known == ({"a"} if who in RIDERS else {"b"} if who == "gm" else set()), who


async def _battle(raid: Raid, riding: uuid.UUID) -> uuid.UUID:
    """Both armies meet on the day of the last leg, and the raiders attack."""
    left = await raid.entry("against")
    assert (left.day, left.state, sorted(left.people)) == (4, "open", sorted(THERE))
    assert left.title == "Battle: The raiders against The town watch" and "valley road" in left.place
    battle = await raid.play(left.title)
    state = await raid.state(battle)
    assert (state.attacker, state.how, state.names) == ("a", "set", {"a": "The raiders", "b": "The town watch"})
    assert state.armies == {"a": {"LC": 30, "MI": 40}, "b": {"MI": 60, "BW": 20}}
    assert (set(state.people["a"]), state.people["b"]) == (set(RIDERS), ["berta"]), "the GM’s people come along"
    assert state.commanders == {"a": "ella", "b": "gm"}
    while not (await raid.waits_for(battle)).endswith("intent"):
        await raid.step(battle)
    return battle


async def _duel(raid: Raid, battle: uuid.UUID) -> uuid.UUID:
    """Ella fights Berta while the battle waits, and comes out with a wound."""
    given = {"sides": {"ella": "a", "berta": "b"}}
    duel = await raid.open_in(battle, "hand", "Ella against Berta", ("ella", "berta"), given)
    with pytest.raises(Conflict, match="waits for another"):
        await raid.lay(battle, "ella", await raid.waits_for(battle), {"of.a.intent": "retreat"})
    await raid.step(duel)
    await raid.desk(duel, what="correct", who="ella", reason="A cut.", **{"wounds.left_arm.minor": "2"})
    await raid.desk(duel, what="end", reason="They are parted.")
    assert (await raid.row(duel)).status == "over" and (await raid.sheet("ella")).wounds.left_arm.minor == 2
    row = await raid.row(battle)
    assert row.status == "open" and row.waits_for is None and row.paused_at is None, "the battle goes on"
    return duel


async def _parley(raid: Raid, battle: uuid.UUID) -> uuid.UUID:
    """The watch surrenders; both sides talk about what becomes of it, with what the battle has done to them."""
    await raid.step(battle, gm={"of.b.intent": "surrender"})
    await raid.step(battle)
    assert (await raid.row(battle)).status == "over"
    left = await raid.entry("Terms")
    assert (left.day, left.kind, sorted(left.people)) == (4, "scene", sorted(THERE))
    parley = await raid.play(left.title)
    state = await raid.state(parley)
    assert set(state.people) == set(THERE) and state.people["ella"].sheet.wounds.left_arm.minor == 2
    await raid.desk(parley, what="end", words="They hand over the herd.")
    return parley


async def _calendar_tells_it(raid: Raid, *scenes: uuid.UUID) -> None:
    """Each entry was made by the scene before it, none is earlier than its maker, and all are done."""
    found = [one for one in await raid.calendar() if one.kind in ("scene", "leg")]
    made = [(one.title.split(":")[0], one.day, one.state, one.data.get("from_scene")) for one in found]
    council, riding, battle = map(str, scenes)
    assert made == [
        ("The council", 1, "done", None),
        ("The ride", 3, "done", council),
        ("The ride", 4, "done", council),
        ("Battle", 4, "done", riding),
        ("Terms of surrender for the town watch", 4, "done", battle),
    ]


async def test_who_flees_is_hunted_caught_and_fights_again(raid: Raid) -> None:
    """CHR-ACT-35, CHR-TRV-22: the wounds and the sides of the first fight are those of the second."""
    given = {"sides": {"morten": "a", "ida": "a", "berta": "b"}, "gap": 4}
    brief = raid.brief("hand", "The ambush", ("morten", "ida", "berta"), given)
    await raid.add(1, brief)
    first = await raid.play("The ambush")
    while not (await raid.waits_for(first)).endswith("act"):
        await raid.step(first)
    await raid.desk(first, what="correct", who="morten", reason="A blow.", **{"wounds.right_leg.minor": "1"})
    await raid.desk(first, what="correct", who="morten", reason="He runs.", x="-30", y="0")
    await raid.step(first, morten={"of.morten.action": "flee"})
    await raid.desk(first, what="end", reason="He is gone.")
    flight = await raid.entry("Flight")
    assert (flight.day, sorted(flight.people)) == (1, ["berta", "morten"])
    hunt = await raid.play(flight.title)
    assert (await raid.state(hunt)).side_of == {"morten": "a", "berta": "b"}
    assert (await raid.state(hunt)).people["morten"].sheet.wounds.right_leg.minor == 1
    await raid.step(hunt, gm={"of.b.stance": "close"})
    assert (await raid.row(hunt)).status == "over"
    caught = await raid.entry("Fight:")
    again = await raid.play(caught.title)
    fight = (await raid.state(again)).fight
    assert {key: one.side for key, one in fight.fighters.items()} == {"morten": "a", "berta": "b"}
    assert fight.fighters["morten"].wounds.right_leg.minor == 1
    assert [one.scene for one in (await raid.chain(again, "morten")).before] == [first, hunt]
    await raid.receipts("morten")


async def test_the_rules_of_the_house_hold_in_every_scene_that_follows(raid: Raid) -> None:
    """A battle knows nothing of wounds, but the parley after it, and a fight in that, do."""
    house = {"table_gm": "none", "host_acts": "at-once", "wounds_body_major": "none", "battle_end_rounding": "up"}
    brief = ride(raid.brief("journey", "The ride", THERE, {}), aims={"a": "reach", "b": "catch"}, comes={"b": "meet"})
    await raid.add(1, brief, settings=house)
    riding = await raid.play("The ride")
    while not (await raid.waits_for(riding)).endswith("stance"):
        await raid.step(riding)
    await raid.step(riding, ella={"of.a.stance": "close"}, gm={"of.b.stance": "close"})
    await raid.days_pass((await raid.entry("Battle")).day)
    battle = await raid.play("Battle")
    while not (await raid.waits_for(battle)).endswith("intent"):
        await raid.step(battle)
    await raid.step(battle, gm={"of.b.intent": "surrender"})
    await raid.step(battle)
    parley = await raid.play("Terms")
    for scene in (riding, battle, parley):
        settings = (await raid.row(scene)).settings
        assert {key: settings[key] for key in house} == house, (await raid.row(scene)).title


async def test_what_follows_a_duel_on_the_way_is_not_before_the_leg(raid: Raid) -> None:
    """A scene inside another one has no entry; its day is that of the scene around it (CHR-CAL-06)."""
    await raid.add(1, ride(raid.brief("journey", "The ride", THERE, {})))
    riding = await raid.play("The ride")
    halt = {"of.a.pace": "halt"}
    await raid.step(riding, ella=halt)
    await raid.step(riding, ella=halt)
    assert (await _legs(raid, riding))[-1] == ("open", 3)
    given = {"sides": {"morten": "a", "ida": "b"}}
    quarrel = await raid.open_in(riding, "hand", "A quarrel", ("morten", "ida"), given)
    while not (await raid.waits_for(quarrel)).endswith("act"):
        await raid.step(quarrel)
    await raid.step(quarrel, ida={"of.ida.surrender": "yes"})
    while await raid.waits_for(quarrel):
        await raid.step(quarrel)
    terms = await raid.entry("Terms for Ida")
    assert (terms.day, terms.data["from_scene"]) == (3, str(quarrel))
    assert (await raid.row(riding)).waits_for is None
