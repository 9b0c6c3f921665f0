"""The sealed step on a real database: laying, replacing, taking back, revealing, absence, hidden seats, mishaps."""

import asyncio
import json
import uuid

import pytest
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import people
from app.errors import Conflict, NotThere, Refusal
from app.models.people import Character
from app.models.scenes import CampaignMemory, Claim, Envelope
from app.table import gm_actions, join_midscene, pauses, reading
from app.table.envelopes import Illegal
from app.table.opening import BadBrief, InUse
from app.table.runtime import Retried, Runtime, retry_stuck
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

KNOCK = "r1/knock"


@pytest.fixture
async def table(runtime: Runtime) -> Table:
    return await sit_down(runtime)


def events(sight: reading.SceneSight, kind: str) -> list[object]:
    return [e.event for chapter in sight.chapters for e in chapter.events if e.event.kind == kind]


async def test_who_looks_while_it_opens_sees_all_of_it_or_nothing(table: Table) -> None:
    await table.open(thief=False)
    await table.lay("ann", KNOCK, {"times": 3})
    runtime = table.runtime

    async def look(session: AsyncSession) -> reading.SceneSight:
        return await reading.sight(session, runtime.vault, table.campaign, table.scene, table.people["sam"])

    async with runtime.repeatable_read() as session:
        before = await look(session)
        await table.lay("bea", KNOCK, {"times": 1})
        session.expire_all()
        meanwhile = await look(session)
    assert (meanwhile.chapters, meanwhile.head, meanwhile.view) == ((), before.head, before.view)
    assert [step.key for step in meanwhile.steps] == [step.key for step in before.steps]
    async with runtime.repeatable_read() as session:
        assert len((await look(session)).chapters) == 2


async def test_the_last_seal_opens_all_at_once(table: Table) -> None:
    await table.open(thief=False)
    first = await table.lay("ann", KNOCK, {"times": 3, "note": "softly"})
    assert first.ready and not first.closed
    before = await table.sight("bea")
    ask = next(a for a in before.steps[1].asks if a.seat == "ann")
    assert ask.status == "ready" and ask.commitment == first.commitment.hex()
    assert ask.mine is None and ask.spoken is None
    assert before.chapters == () and before.mine_now[0][1].seat == "bea"
    assert "softly" not in repr(before)
    last = await table.lay("bea", KNOCK, {"times": 4})
    assert last.closed
    after = await table.sight("sam")
    assert [(e.seat, e.times, e.note) for e in events(after, "knocked")] == [("ann", 3, "softly"), ("bea", 4, "")]
    assert [c.step.key for c in after.chapters] == [KNOCK, "r1/roll"]
    assert [s.key for s in after.steps] == ["bell/0", "r2/knock"]
    assert [a.how for a in after.chapters[0].step.asks] == ["sealed", "sealed"]


async def test_answers_come_in_seat_order_not_in_order_of_arrival(table: Table) -> None:
    await table.open(thief=False)
    await table.lay("bea", KNOCK, {"times": 1})
    await table.lay("ann", KNOCK, {"times": 2})
    assert [e.seat for e in events(await table.sight("gm"), "knocked")] == ["ann", "bea"]


async def test_a_seal_can_be_replaced_until_the_reveal_and_never_after(table: Table) -> None:
    await table.open(thief=False)
    await table.lay("ann", KNOCK, {"times": 1})
    second = await table.lay("ann", KNOCK, {"times": 2})
    assert second.revision == 2
    await table.lay("bea", KNOCK, {"times": 4})
    assert [e.times for e in events(await table.sight("gm"), "knocked")] == [2, 4]
    with pytest.raises(Conflict, match="already open"):
        await table.lay("ann", KNOCK, {"times": 9})
    with pytest.raises(Conflict):
        await table.take_back("ann", KNOCK)


async def test_a_seal_taken_back_is_a_draft_and_is_not_used(table: Table) -> None:
    await table.open(thief=False)
    await table.lay("ann", KNOCK, {"times": 8})
    await table.take_back("ann", KNOCK)
    seen = await table.sight("bea")
    ask = seen.steps[1].asks[0]
    assert ask.status == "taken" and ask.commitment is None
    mine = (await table.sight("ann")).steps[1].asks[0].mine
    assert mine is not None and not mine.ready and mine.pairs == [("times", "8")]
    last = await table.lay("bea", KNOCK, {"times": 1})
    assert not last.closed
    await table.act(gm_actions.open_now, KNOCK)
    after = await table.sight("sam")
    assert [(e.times, e.how) for e in events(after, "knocked")] == [(0, "default"), (1, "sealed")]


async def test_a_draft_is_kept_for_its_author_alone_and_used_only_if_they_said_so(table: Table) -> None:
    await table.open(thief=False)
    await table.lay("ann", KNOCK, {"times": 8}, ready=False)
    await table.lay("bea", KNOCK, {"times": 9}, ready=False, use_draft=True)
    ask = (await table.sight("gm")).steps[1].asks[0]
    assert ask.status == "waiting" and ask.commitment is None and ask.mine is None
    mine = (await table.sight("ann")).steps[1].asks[0].mine
    assert mine is not None and mine.form() == {"times": "8"} and not mine.ready
    await table.act(gm_actions.open_now, KNOCK)
    found = events(await table.sight("sam"), "knocked")
    assert [(e.times, e.how) for e in found] == [(0, "default"), (9, "draft")]


async def test_an_illegal_draft_gives_way_to_the_default(table: Table) -> None:
    await table.open(thief=False)
    await table.lay("ann", KNOCK, {"times": "many"}, ready=False, use_draft=True)
    await table.lay("bea", KNOCK, {"times": 5}, ready=False, use_draft=True)
    await table.act(gm_actions.open_now, KNOCK)
    assert [(e.times, e.how) for e in events(await table.sight("sam"), "knocked")] == [(0, "default"), (0, "default")]


async def test_faults_are_named_as_the_form_names_its_fields(table: Table) -> None:
    await table.open(thief=False)
    with pytest.raises(Illegal) as wrong:
        await table.lay("ann", KNOCK, {"times": "many"})
    assert list(wrong.value.faults) == ["times"]
    with pytest.raises(Illegal) as wrong:
        await table.lay("ann", KNOCK, {"times": 5})
    assert "watch's sign" in wrong.value.faults["times"]
    for hostile in (
        {"times": 1, "note": "\ud800"},
        {"times.x.y": 1, "times": 1},
        {"a" * 70000: 1},
        {"times": "9" * 5000},
    ):
        with pytest.raises(Illegal):
            await table.lay("ann", KNOCK, hostile)
    assert (await table.sight("ann")).steps[1].asks[0].mine is None


async def test_signs_the_log_cannot_hold_are_refused_before_they_are_sealed(table: Table) -> None:
    await table.open(thief=False)
    for ready in (True, False):
        with pytest.raises(Illegal) as wrong:
            await table.lay("ann", KNOCK, {"times": 1, "note": "a\x00b"}, ready=ready)
        assert list(wrong.value.faults) == ["note"]


async def test_a_repeated_press_is_one_seal_and_a_late_repeat_undoes_nothing(table: Table) -> None:
    await table.open(thief=False)
    press = uuid.uuid4()
    first = await table.lay("ann", KNOCK, {"times": 1}, request=press)
    await table.lay("ann", KNOCK, {"times": 2})
    again = await table.lay("ann", KNOCK, {"times": 1}, seen=0, request=press)
    assert (again.revision, again.commitment) == (first.revision, first.commitment)
    table.seen[KNOCK, "ann"] = 2
    await table.lay("bea", KNOCK, {"times": 4})
    assert [e.times for e in events(await table.sight("gm"), "knocked")] == [2, 4]


async def test_two_tabs_the_older_page_is_told(table: Table) -> None:
    await table.open(thief=False)
    await table.lay("ann", KNOCK, {"times": 1})
    with pytest.raises(Conflict, match="another page"):
        await table.lay("ann", KNOCK, {"times": 2}, seen=0)


async def test_nobody_answers_for_another_seat(table: Table) -> None:
    await table.open()
    for member in ("bea", "gm", "sam"):
        with pytest.raises(NotThere):
            await table.lay("ann", KNOCK, {"times": 1}, member=member)
    with pytest.raises(NotThere):
        await table.lay("ann", "r1/steal", {"what": "the moon"})
    with pytest.raises(NotThere):
        await table.lay("ann", "r9/knock", {"times": 1})


async def test_the_time_is_up_by_the_databases_clock(table: Table) -> None:
    await table.open(thief=False, seconds=600)
    await table.lay("ann", KNOCK, {"times": 3})
    assert await table.runtime.sweep() == 0
    await table.age(KNOCK)
    with pytest.raises(Conflict):
        await table.lay("bea", KNOCK, {"times": 4})
    found = events(await table.sight("sam"), "knocked")
    assert [(e.times, e.how) for e in found] == [(3, "sealed"), (0, "default")]
    assert (await table.sight("sam")).chapters[0].step.closed_by == "due"


async def test_two_sweepers_close_a_step_once(table: Table) -> None:
    await table.open(thief=False, seconds=600, rounds=1)
    await table.age(KNOCK)
    swept = await asyncio.gather(*(table.runtime.sweep() for _ in range(6)))
    assert sum(swept) >= 1
    assert len(events(await table.sight("sam"), "knocked")) == 2


async def test_more_time_pause_and_going_on(table: Table) -> None:
    await table.open(thief=False, seconds=60)
    await table.act(gm_actions.give_time, KNOCK, 60)
    step = (await table.sight("ann")).steps[1]
    assert step.due_at is not None and 100 < (step.due_at - (await table.sight("ann")).now).total_seconds() <= 120
    await table.act(pauses.pause)
    paused = await table.sight("ann")
    assert paused.paused and paused.steps[1].due_at is None and 100 < (paused.steps[1].left_seconds or 0) <= 120
    await table.lay("ann", KNOCK, {"times": 1})
    receipt = await table.lay("bea", KNOCK, {"times": 2})
    assert receipt.ready and not receipt.closed, "nothing opens while the scene is paused"
    with pytest.raises(Refusal):
        await table.act(gm_actions.open_now, KNOCK)
    await table.act(pauses.go_on)
    after = await table.sight("sam")
    assert [e.times for e in events(after, "knocked")] == [1, 2] and not after.paused
    assert [line.text for line in after.lines] == [
        "Gm gave another one minute.",
        "Gm paused the scene.",
        "Gm resumed the scene.",
    ]


async def test_nobody_opens_or_times_what_they_may_not_know_of(table: Table) -> None:
    """Guessing the key of a hidden step tells no more than guessing one that never was."""
    await table.open(seconds=60)
    with pytest.raises(Conflict) as never_was:
        await table.act(gm_actions.open_now, "r1/stroll", who="bea")
    before = (await table.sight("cyd")).steps
    for hidden in ((gm_actions.open_now, "r1/steal"), (gm_actions.give_time, "r1/steal", 60)):
        with pytest.raises(Conflict) as refused:
            await table.act(*hidden, who="bea")
        assert str(refused.value) == str(never_was.value)
    assert (await table.sight("cyd")).steps == before
    await table.act(gm_actions.give_time, "r1/steal", 60, who="cyd")
    assert (await table.sight("cyd")).steps != before


async def test_a_clock_starts_where_there_was_none(table: Table) -> None:
    await table.open(thief=False)
    await table.act(gm_actions.give_time, KNOCK, 90)
    assert (await table.sight("ann")).steps[1].due_at is not None
    assert (await table.sight("ann")).lines[0].text == "Gm set a time limit of 90 seconds."
    with pytest.raises(Refusal):
        await table.act(gm_actions.give_time, "bell/0", 90)
    with pytest.raises(Refusal):
        await table.act(gm_actions.give_time, KNOCK, 10**12)


async def test_a_hidden_seat_leaves_no_trace_for_others(table: Table) -> None:
    await table.open()
    await table.lay("cyd", "r1/steal", {"what": "the crown jewels"})
    for who in ("ann", "bea", "sam"):
        sight = await table.sight(who)
        assert [s.key for s in sight.steps] == ["bell/0", KNOCK]
        assert sight.waiting_for in (("Bea",), ("Ann",), ("Ann", "Bea"))
        assert sight.chapters == () and "jewel" not in repr(sight) and "dark" not in repr(sight)
    for who in ("cyd", "gm"):
        assert events(await table.sight(who), "stolen")[0].what == "the crown jewels"
    await table.lay("ann", KNOCK, {"times": 1})
    await table.lay("bea", KNOCK, {"times": 1})
    numbers = [e.number for c in (await table.sight("ann")).chapters for e in c.events]
    assert numbers == [1, 2, 3]
    numbers = [e.number for c in (await table.sight("gm")).chapters for e in c.events]
    assert numbers == [1, 2, 3, 4]


async def test_two_open_steps_close_each_on_its_own(table: Table) -> None:
    await table.open()
    await table.lay("ann", KNOCK, {"times": 1})
    receipt = await table.lay("cyd", "r1/steal", {"what": "a spoon"})
    assert receipt.closed
    assert [s.key for s in (await table.sight("gm")).steps] == ["bell/0", KNOCK]
    ask = (await table.sight("ann")).steps[1].asks[0]
    assert ask.status == "ready" and ask.mine is not None and ask.mine.ready


async def test_a_ruling_and_a_follow_up(table: Table) -> None:
    await table.open(thief=False, rounds=1)
    await table.lay("ann", KNOCK, {"times": 13})
    await table.lay("bea", KNOCK, {"times": 7})
    assert [s.key for s in (await table.sight("gm")).steps] == ["bell/0", "r1/rule"]
    assert (await table.sight("gm")).mine_now[0][1].kind == "ruling"
    await table.lay("gm", "r1/rule", {"allow": "true"})
    assert [a.seat for a in (await table.sight("bea")).steps[1].asks] == ["bea"]
    await table.lay("bea", "r1/reply", {"words": "who is there?"})
    over = await table.sight("sam")
    assert over.status == "over" and over.steps == ()
    assert [c.step.key for c in over.chapters] == [KNOCK, "r1/rule", "r1/reply", "r1/roll"]


async def test_a_withdrawn_question_gives_the_envelopes_back_unopened(table: Table) -> None:
    await table.open(thief=False)
    await table.lay("ann", KNOCK, {"times": 3, "note": "wait for me"})
    await table.lay("gm", "bell/0", {"loud": "true"})
    seen = await table.sight("ann")
    assert [s.key for s in seen.steps] == ["bell/1", "r1/knock-2"]
    mine = seen.steps[1].asks[0].mine
    assert mine is not None and mine.returned and mine.form()["note"] == "wait for me" and mine.revision == 0
    assert "wait for me" not in repr(await table.sight("gm"))
    with pytest.raises(Conflict, match="new question"):
        await table.lay("bea", KNOCK, {"times": 3})


async def test_an_interjection_leaves_open_seals_alone(table: Table) -> None:
    await table.open(thief=False)
    await table.lay("ann", KNOCK, {"times": 3})
    await table.lay("gm", "bell/0", {})
    seen = await table.sight("bea")
    assert [s.key for s in seen.steps] == ["bell/1", KNOCK] and seen.steps[1].asks[0].status == "ready"


async def test_spoken_aloud_is_heard_at_once_and_still_resolved_together(table: Table) -> None:
    await table.open(thief=False, aloud=True)
    await table.lay("ann", KNOCK, {"times": 3, "note": "hear me"})
    assert (await table.sight("sam")).steps[1].asks[0].spoken.note == "hear me"
    await table.lay("ann", KNOCK, {"times": 2}, ready=False)
    assert (await table.sight("sam")).steps[1].asks[0].spoken is None


async def test_ranks_are_public_and_count_the_last_change(table: Table) -> None:
    await table.open(thief=False, ranked=True)
    await table.lay("ann", KNOCK, {"times": 1})
    await table.lay("bea", KNOCK, {"times": 1}, ready=False)
    assert [a.rank for a in (await table.sight("sam")).steps[1].asks] == [1, None]
    await table.act(pauses.pause)
    await table.lay("bea", KNOCK, {"times": 2})
    await table.lay("ann", KNOCK, {"times": 3})
    assert [a.rank for a in (await table.sight("sam")).steps[1].asks] == [2, 1]
    await table.act(pauses.go_on)
    assert [(e.seat, e.rank) for e in events(await table.sight("sam"), "knocked")] == [("ann", 2), ("bea", 1)]


async def test_rules_that_break_cost_no_seal(table: Table) -> None:
    await table.open(thief=False, explode=True)
    await table.lay("ann", KNOCK, {"times": 66, "note": "the boom"})
    receipt = await table.lay("bea", KNOCK, {"times": 4})
    assert receipt.ready and receipt.stuck and not receipt.closed
    stuck = await table.sight("bea")
    assert [s.status for s in stuck.steps] == ["open", "stuck"] and stuck.chapters == ()
    assert [a.status for a in stuck.steps[1].asks] == ["ready", "ready"]
    with pytest.raises(Conflict, match="safe"):
        await table.lay("ann", KNOCK, {"times": 1})
    assert await retry_stuck(table.runtime) == [Retried("At the door", KNOCK, False)]
    await _mend(table)
    assert await retry_stuck(table.runtime) == [Retried("At the door", KNOCK, True)]
    assert [e.times for e in events(await table.sight("sam"), "knocked")] == [66, 4]


async def _mend(table: Table) -> None:
    async with table.runtime.locked_scene(table.campaign, table.scene) as (_, live):
        live.state.explode = False
        live.put_state()


async def test_the_end_writes_sheets_and_memory_and_lets_go(table: Table) -> None:
    await table.open(thief=False, rounds=1)
    await table.lay("gm", "bell/0", {})
    await table.lay("ann", KNOCK, {"times": 1})
    await table.lay("bea", KNOCK, {"times": 2})
    async with table.runtime.sessions() as session:
        sheets = (await session.execute(text("SELECT slug, sheet, version FROM characters ORDER BY slug"))).all()
        kept = (await session.scalars(select(CampaignMemory))).one()
        assert (await session.scalars(select(Claim))).all() == []
    assert sheets[0].version == 2 and sheets[0].sheet["luck"] == sheets[1].sheet["luck"] >= 4
    assert kept.name == "bell" and kept.body == {"is": 1}
    with pytest.raises(Conflict):
        await table.act(pauses.pause)


async def test_a_character_lies_in_one_open_scene_at_a_time(table: Table) -> None:
    first = await table.open(thief=False)
    with pytest.raises(InUse, match=r"Ann.* are in “At the door”"):
        await table.open(thief=False)
    await table.open(thief=False, held="copy", rounds=1)
    await table.lay("ann", KNOCK, {"times": 1})
    await table.lay("bea", KNOCK, {"times": 2})
    async with table.runtime.sessions() as session:
        versions = (await session.scalars(text("SELECT version FROM characters"))).all()
    assert set(versions) == {1}, "nothing flows back from a copy"
    table.scene = first
    await table.act(gm_actions.leave)
    await table.open(thief=False)
    async with table.runtime.sessions() as session:
        versions = (await session.scalars(text("SELECT version FROM characters"))).all()
    assert set(versions) == {1}, "a scene that was broken off changes nobody"


async def test_a_brief_that_names_nobody_is_refused_in_words(table: Table) -> None:
    from app.engine.ruleset import Brief, Seat
    from app.table.opening import open_scene

    for seats, kind in (({"x": ("nobody",)}, "door"), ({"a": ("ann",), "b": ("ann",)}, "door"), ({}, "window")):
        brief = Brief(kind=kind, title="?", seats={Seat(s): c for s, c in seats.items()})
        async with table.runtime.sessions() as session:
            with pytest.raises(BadBrief):
                await open_scene(session, table.runtime.vault, table.campaign, "toy", brief)


async def test_a_seat_handed_over_can_be_replaced_but_not_read(table: Table) -> None:
    await table.open(thief=False)
    await table.lay("ann", KNOCK, {"times": 3, "note": "my secret"})
    async with table.runtime.sessions.begin() as session:
        ann = (await session.scalars(select(Character).where(Character.slug == "ann"))).one()
        await people.hand_over(session, table.campaign, ann.id, table.people["cyd"], table.people["gm"])
    seen = await table.sight("cyd")
    mine = seen.steps[1].asks[0].mine
    assert mine is not None and not mine.readable and mine.pairs == [] and "my secret" not in repr(seen)
    assert "my secret" not in repr(await table.sight("ann"))
    with pytest.raises(NotThere):
        await table.lay("ann", KNOCK, {"times": 4}, member="ann")
    await table.take_back("ann", KNOCK, member="cyd")
    mine = (await table.sight("cyd")).steps[1].asks[0].mine
    assert mine is not None and not mine.readable and "my secret" not in repr(await table.sight("cyd"))
    await table.lay("ann", KNOCK, {"times": 9}, member="cyd")
    await table.lay("bea", KNOCK, {"times": 1})
    assert [e.times for e in events(await table.sight("sam"), "knocked")] == [9, 1]


async def test_nothing_sealed_stands_readable_in_the_database(table: Table) -> None:
    await table.open()
    await table.lay("ann", KNOCK, {"times": 3, "note": "canary-in-a-seal"})
    await table.lay("bea", KNOCK, {"times": 3, "note": "canary-in-a-draft"}, ready=False)
    await table.lay("cyd", "r1/steal", {"what": "canary-in-the-dark"})
    async with table.runtime.sessions() as session:
        for name in ("scenes", "steps", "asks", "envelopes", "events", "lines", "kept", "claims"):
            rows = (await session.execute(text(f"SELECT t::text FROM {name} t"))).scalars().all()
            dump = "\n".join(rows)
            for spelt in ("canary", b"canary".hex()):
                assert spelt not in dump, name
        boxes = (await session.scalars(select(Envelope.box).where(Envelope.box.is_not(None)))).all()
    assert len({len(box) for box in boxes if box}) == 1, "the size of a box tells nothing of a short text"


async def test_an_envelope_opens_only_where_it_lies(table: Table) -> None:
    await table.open(thief=False)
    await table.lay("ann", KNOCK, {"times": 3})
    await table.lay("bea", KNOCK, {"times": 4}, ready=False)
    async with table.runtime.sessions.begin() as session:
        await session.execute(
            text("UPDATE envelopes SET box = (SELECT box FROM envelopes WHERE seat = 'bea') WHERE seat = 'ann'")
        )
    receipt = await table.lay("bea", KNOCK, {"times": 4})
    assert receipt.stuck, "an envelope that was moved is no answer"


async def test_the_log_can_be_read_and_folded_again(table: Table) -> None:
    from app.engine.log import fold
    from app.models.scenes import EventRow
    from app.table.loaded_scene import read, read_event

    await table.open()
    await table.lay("cyd", "r1/steal", {"what": "a spoon"})
    await table.lay("ann", KNOCK, {"times": 13})
    await table.lay("bea", KNOCK, {"times": 7})
    async with table.runtime.sessions() as session:
        live = await read(session, table.runtime.vault, table.campaign, table.scene)
        rows = await session.scalars(select(EventRow).order_by(EventRow.number))
        again = fold(live.kind.start(live.setup()), live.kind.apply, [read_event(live, row) for row in rows])
    assert live.kind.state.dump_json(again) == live.kind.state.dump_json(live.state)
    assert json.loads(live.kind.state.dump_json(again))["stolen"] == ["a spoon"]


async def test_a_latecomer_is_seated_and_asked(table: Table) -> None:
    await table.open(thief=False, late=True)
    await table.lay("ann", KNOCK, {"times": 3, "note": "early"})
    await table.act(join_midscene.enter, "cyd")
    seen = await table.sight("cyd")
    assert [a.seat for a in seen.steps[1].asks] == ["ann", "bea", "cyd"] and seen.mine_now[0][1].seat == "cyd"
    mine = (await table.sight("ann")).steps[1].asks[0].mine
    assert mine is not None and mine.returned and mine.form()["note"] == "early"
    with pytest.raises(Refusal, match="not in another scene"):
        await table.act(join_midscene.enter, "cyd")
    with pytest.raises(Refusal, match="not in another scene"):
        await table.act(join_midscene.enter, "nobody")
    for who in ("ann", "bea", "cyd"):
        await table.lay(who, "r1/knock-2", {"times": 1})
    assert [e.seat for e in events(await table.sight("sam"), "knocked")] == ["ann", "bea", "cyd"]
    assert [line.text for line in (await table.sight("sam")).lines] == ["Cyd comes in."]
