"""Anything that people may do at a table, in any order, against a short model: Hypothesis looks for the difference."""

import asyncio
import uuid
from collections import Counter
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import async_sessionmaker

from app.campaign import people
from app.crypto.vault import Vault
from app.db.engine import make_engine
from app.errors import Conflict, NotThere, Refusal
from app.models.people import Character
from app.play import decisions
from app.table import awaited_seats, envelopes, gm_actions, join_midscene, pauses
from app.table.bus import PostgresBus
from app.table.envelopes import Illegal, Receipt, Submission
from app.table.reading import SceneSight
from app.table.runtime import Runtime
from tests.selection import nightly
from tests.table.integrity import check_scene
from tests.table.model import GM_SEAT, Model, Question, Word, heard
from tests.table.table import Table, sit_down

MEMBERS = ("gm", "ann", "bea", "cyd", "sam")
PLAYERS = ("ann", "bea", "cyd")
LEGAL = st.integers(0, 4)
PICK = st.integers(0, 11)


class Evening(RuleBasedStateMachine):
    """One scene from its opening to its end, or as far as the steps go."""

    runner: asyncio.Runner
    runtime: Runtime

    def do(self, doing: Coroutine[Any, Any, Any]) -> Any:
        return self.runner.run(doing)

    def refused(self, kind: type[Exception], doing: Coroutine[Any, Any, Any]) -> None:
        """Refused in this way, and nothing else happened: the invariants look at that."""
        with pytest.raises(kind) as raised:
            self.do(doing)
        assert raised.type is kind

    @initialize(cyd=st.sampled_from(["steals", "comes late and steals", "comes late and knocks"]))
    def sit_down(self, cyd: str) -> None:
        late, thief = cyd == "comes late and knocks", cyd == "steals"
        self.table: Table = self.do(sit_down(self.runtime))
        self.do(self.table.open(thief=thief, rounds=3, late=late))
        seats = ("ann", "bea", "cyd", "gm")
        here = ["ann", "bea", "cyd"] if thief else ["ann", "bea"]
        self.model = Model(3, late, here, {seat: seat for seat in seats}, dict.fromkeys(seats, 0))
        self.model.ask()
        self.presses: list[tuple[str, Submission, Receipt]] = []
        self.secrets: list[str] = []  # every text that was ever sent
        self.turn = 0

    # ---- envelopes -----------------------------------------------------------------------------------------------

    def asked(self, pick: int) -> tuple[Question, str]:
        """One of the seats that are asked now, the GM's bell aside."""
        open_ones = reversed(self.model.open)  # the hidden step first: small numbers are picked most
        found = [(question, seat) for question in open_ones if question.kind != "bell" for seat in question.seats]
        return found[pick % len(found)]

    def sealed(self, pick: int) -> tuple[Question, str, Word] | None:
        """One of the envelopes that lie there now."""
        found = [(q, seat, word) for q in self.model.open if q.kind != "bell" for seat, word in q.laid.items()]
        return found[pick % len(found)] if found else None

    def laid(
        self, question: Question, seat: str, times: int, ready: bool, use_draft: bool, older: int = 0
    ) -> Submission:
        """What a page sends that knows of the newest envelope, or of an `older` one. No other has its words."""
        seen = question.laid[seat].revision if seat in question.laid else 0
        words = f"words-{uuid.uuid4().hex}"
        self.secrets.append(words)
        pairs = [("what", words)] if question.kind == "steal" else [("times", str(times)), ("note", words)]
        return Submission(question.key, seat, pairs, seen - older, uuid.uuid4(), ready, use_draft)

    def taken(self, question: Question, seat: str, times: int, ready: bool, use_draft: bool = False) -> None:
        """Lay it, and see it taken."""
        member, laid = self.model.holder[seat], self.laid(question, seat, times, ready, use_draft)
        receipt = self.do(self._lay(member, laid))
        assert (receipt.revision, receipt.ready, receipt.stuck) == (laid.revision_seen + 1, ready, False)
        self.presses.append((member, laid, receipt))
        times = 0 if question.kind == "steal" else times
        words = laid.pairs[-1][1]
        word = Word(receipt.revision, ready, use_draft and not ready, words, times, self.model.tenure[seat])
        self.model.lay(question, seat, word)
        assert receipt.closed == (question not in self.model.open)

    @precondition(lambda self: not self.model.over)
    @rule(pick=PICK, times=LEGAL)
    def seal(self, pick: int, times: int) -> None:
        self.taken(*self.asked(pick), times, ready=True)

    @precondition(lambda self: not self.model.over)
    @rule(pick=PICK, times=LEGAL)
    def seal_the_last(self, pick: int, times: int) -> None:
        """Whoever is missing in one question seals, the last of them too."""
        question, _ = self.asked(pick)
        for seat in question.seats:
            if question in self.model.open and self.model.status(question, seat) != "ready":
                self.taken(question, seat, times, ready=True)

    @precondition(lambda self: self.sealed(0))
    @rule(pick=PICK, times=LEGAL)
    def replace(self, pick: int, times: int) -> None:
        found = self.sealed(pick)
        assert found is not None
        self.taken(found[0], found[1], times, ready=True)

    @precondition(lambda self: not self.model.over)
    @rule(pick=PICK, times=st.integers(3, 5), use_draft=st.booleans())
    def draft(self, pick: int, times: int, use_draft: bool) -> None:
        """Words that lie there for their author alone; five knocks are not legal, and are not used."""
        self.taken(*self.asked(pick), times, ready=False, use_draft=use_draft)

    @precondition(lambda self: not self.model.over)
    @rule(pick=PICK, times=st.integers(3, 5))
    def choose(self, pick: int, times: int) -> None:
        question, seat = self.asked(pick)
        laid = self.laid(question, seat, times, False, False)  # it is not laid, and nobody reads it before it counts
        doing = self.table.choose(seat, question.key, dict(laid.pairs), self.model.holder[seat])
        self.refused(Conflict, doing) if seat in question.laid else self.do(doing)
        if seat not in question.laid:
            said = laid.pairs[-1][1], times * (question.kind != "steal"), self.model.tenure[seat]
            question.quiet[seat] = Word(0, False, True, *said)

    @precondition(lambda self: self.sealed(0))
    @rule(pick=PICK)
    def take_back(self, pick: int) -> None:
        found = self.sealed(pick)
        assert found is not None
        self._taken_back(*found[:2])

    def _taken_back(self, question: Question, seat: str) -> None:
        before = question.laid[seat]
        receipt = self.do(self._take_back(self.model.holder[seat], question.key, seat, before.revision))
        assert (receipt.revision, receipt.ready) == (before.revision + 1, False)
        word = Word(receipt.revision, False, False, before.text, before.times, before.tenure)
        self.model.lay(question, seat, word)

    @precondition(lambda self: not self.model.over)
    @rule(pick=PICK, stranger=st.sampled_from(MEMBERS), older=st.sampled_from([1, 2, -1]))
    def what_is_refused(self, pick: int, stranger: str, older: int) -> None:
        """From an old page, by somebody who does not sit there, against the rules: refused, and nothing changes."""
        question, seat = self.asked(pick)
        holder, before = self.model.holder[seat], question.laid.get(seat)
        if stranger != holder:
            self.refused(NotThere, self._lay(stranger, self.laid(question, seat, 1, True, False)))
            self.refused(NotThere, self._take_back(stranger, question.key, seat, before.revision if before else 0))
        self.refused(Conflict, self._lay(holder, self.laid(question, seat, 1, True, False, older)))
        self.refused(Conflict, self._take_back(holder, question.key, seat, (before.revision if before else 0) - older))
        if question.kind != "steal":
            self.refused(Illegal, self._lay(holder, self.laid(question, seat, 5, True, False)))

    @precondition(lambda self: not self.model.over and self.model.bells < 3)
    @rule(loud=st.booleans())
    def ring(self, loud: bool) -> None:
        """The GM interjects; a loud bell withdraws the knocks, and they are asked anew."""
        question = self.model.open[[q.kind for q in self.model.open].index("bell")]
        seen = question.laid[GM_SEAT].revision if GM_SEAT in question.laid else 0
        pairs = [("loud", str(loud).lower())]
        self.do(self._lay("gm", Submission(question.key, GM_SEAT, pairs, seen, uuid.uuid4(), True)))
        self.model.lay(question, GM_SEAT, Word(seen + 1, True, False, "", int(loud), 0))

    @precondition(lambda self: self.presses)
    @rule(pick=PICK)
    def press_again(self, pick: int) -> None:
        """A request whose answer was lost comes again, perhaps much later: the first receipt, and nothing more."""
        member, laid, receipt = self.presses[-1 - pick % len(self.presses)]
        again = self.do(self._lay(member, laid))
        assert (again.revision, again.commitment, again.ready) == (receipt.revision, receipt.commitment, receipt.ready)

    @precondition(lambda self: self.model.round > 1)
    @rule(pick=PICK)
    def too_late(self, pick: int) -> None:
        """Nothing gets into a step that was opened."""
        keys = [key for key in self.model.closed if "/knock" in key]
        laid = Submission(keys[pick % len(keys)], "ann", [("times", "1")], pick % 3, uuid.uuid4(), True)
        self.refused(Conflict, self._lay(self.model.holder["ann"], laid))

    async def _lay(self, member: str, laid: Submission) -> Receipt:
        async with self.runtime.locked_scene(self.table.campaign, self.table.scene) as (session, live):
            return await envelopes.lay(session, live, self.table.people[member].id, laid)

    async def _take_back(self, member: str, key: str, seat: str, seen: int) -> Receipt:
        who = self.table.people[member].id
        async with self.runtime.locked_scene(self.table.campaign, self.table.scene) as (session, live):
            return await envelopes.take_back(session, live, who, key, seat, seen, uuid.uuid4())

    # ---- the table itself ----------------------------------------------------------------------------------------

    @precondition(lambda self: "cyd" not in self.model.people and not self.model.over)
    @rule()
    def join(self) -> None:
        self.do(self.table.act(join_midscene.enter, "cyd"))
        self.model.enter("cyd")

    @precondition(lambda self: not self.model.over)
    @rule(pick=PICK, other=st.integers(0, 1), then=st.sampled_from(["ring", "take it back"]))
    def hand_over(self, pick: int, other: int, then: str) -> None:
        """A seat in which words lie passes on: they stay their former holder's, whatever the new one does with them."""
        question = next(question for question in self.model.open if question.kind == "knock")
        seat = question.seats[pick % len(question.seats)]
        if seat not in question.laid:
            self.taken(question, seat, 3, ready=False)
        if then == "ring":
            self.ring(loud=True)
        to = [member for member in PLAYERS if member != self.model.holder[seat]][other]
        self.do(self._hand_over(seat, to))
        self.model.hand_over(seat, to)
        if then == "take it back":
            self._taken_back(question, seat)
        self._sees(to, self.do(self.table.sight(to)))

    async def _hand_over(self, seat: str, to: str) -> None:
        by = self.table.people
        async with self.runtime.sessions.begin() as session:
            character = (
                await session.scalars(select(Character).filter_by(campaign_id=self.table.campaign, slug=seat))
            ).one()
            await people.hand_over(session, self.table.campaign, character.id, by[to], by["gm"])

    @precondition(lambda self: not self.model.over)
    @rule()
    def pause_or_go_on(self) -> None:
        if self.model.paused:
            self.refused(Conflict, self.table.act(pauses.pause))
            self.do(self.table.act(pauses.go_on))
            self.model.go_on()
        else:
            self.refused(Conflict, self.table.act(pauses.go_on))
            self.do(self.table.act(pauses.pause))
            self.model.paused = True

    @precondition(lambda self: not self.model.over)
    @rule(pick=PICK, seconds=st.integers(600, 9000))
    def give_time(self, pick: int, seconds: int) -> None:
        question, _ = self.asked(pick)
        self.do(self.table.act(gm_actions.give_time, question.key, seconds))
        question.clock = True

    @precondition(lambda self: not self.model.over)
    @rule(pick=PICK, hours=st.sampled_from([-1, 1, 48, 2000]))
    def set_deadline(self, pick: int, hours: int) -> None:
        question, _ = self.asked(pick)
        doing = self.table.act(gm_actions.set_deadline, question.key, datetime.now(UTC) + timedelta(hours=hours))
        if self.model.paused or hours not in (1, 48):
            self.refused(Refusal, doing)
        else:
            self.do(doing)
            question.clock = True

    @precondition(lambda self: not self.model.over)
    @rule(pick=PICK)
    def remove_limit(self, pick: int) -> None:
        question, _ = self.asked(pick)
        doing = self.table.act(gm_actions.remove_limit, question.key)
        if question.clock:
            self.do(doing)
            question.clock = False
        else:
            self.refused(Conflict, doing)

    @precondition(lambda self: not self.model.over)
    @rule(how=st.sampled_from(["renewed", "its time is up", "by vote"]))
    def a_pause_ends(self, how: str) -> None:
        """Renewed, over by itself whoever looks first, or ended by most of the players after a day."""
        if not self.model.paused:
            self.refused(Conflict, self.table.act(pauses.renew))
            self.refused(Conflict, self.table.act(pauses.vote_to_resume, who=self.model.holder["ann"]))
        elif how == "renewed":
            self.do(self.table.act(pauses.renew))
        elif how == "its time is up":
            self.do(self.table.paused_for(73))
            assert self.do(self.runtime.sweep()) == 1
            self.model.go_on()
        else:
            self.refused(Refusal, self.table.act(pauses.vote_to_resume, who=self.model.holder["ann"]))
            self.do(self.table.paused_for(25))
            voters = {self.model.holder[seat] for seat in self.model.people}
            for number, who in enumerate(sorted(voters), start=1):
                over = self.do(self.table.act(pauses.vote_to_resume, who=who))
                assert over == (2 * sum(self.model.holder[s] in sorted(voters)[:number] for s in self.model.people)
                                > len(self.model.people))  # fmt: skip
                if over:
                    break
            self.model.go_on()

    @precondition(lambda self: not self.model.over)
    @rule(pick=PICK)
    def go_without(self, pick: int) -> None:
        """The GM goes on without a seat, or waits for it again; whoever seals until the step opens is counted."""
        question, seat = self.asked(pick)
        if seat in question.excused:
            self.do(self.table.act(awaited_seats.wait_again, question.key, seat))
            question.excused.discard(seat)
        elif self.model.status(question, seat) == "ready":
            self.refused(Conflict, self.table.act(awaited_seats.go_without, question.key, seat))
        else:
            self.refused(Conflict, self.table.act(awaited_seats.wait_again, question.key, seat))
            assert self.do(self.table.act(awaited_seats.go_without, question.key, seat))
            question.excused.add(seat)
            if question.complete and not self.model.paused:
                self.model.close(question)

    @precondition(lambda self: not self.model.over)
    @rule(pick=PICK)
    def hold_or_release(self, pick: int) -> None:
        """Only at the GM's word: the last seal opens nothing; its release opens what is complete."""
        question, _ = self.asked(pick)
        if not question.held:
            self.do(self.table.act(gm_actions.hold, question.key))
            question.held = True
            return
        assert self.do(self.table.act(gm_actions.release, question.key))
        question.held = False
        if question.complete and not self.model.paused:
            self.model.close(question)

    @precondition(lambda self: not self.model.over)
    @rule(pick=PICK, whose=st.sampled_from(["one", "all"]))
    def give_back(self, pick: int, whose: str) -> None:
        """What is sealed is a draft again, the GM waits for it again, and its owner reads the same words."""
        question, seat = self.asked(pick)
        sealed = [one for one in question.seats if self.model.status(question, one) == "ready"]
        sealed = [one for one in sealed if whose == "all" or one == seat]
        doing = self.table.act(awaited_seats.give_back, question.key, seat if whose == "one" else "")
        if not sealed:
            self.refused(Conflict, doing)
            return
        self.do(doing)
        for one in sealed:
            question.excused.discard(one)
            before = question.laid[one]
            word = Word(before.revision + 1, False, False, before.text, before.times, before.tenure)
            self.model.lay(question, one, word)

    @precondition(lambda self: not self.model.over)
    @rule(pick=PICK, whose=st.sampled_from(["one", "all"]))
    def nudge(self, pick: int, whose: str) -> None:
        """Whom the table waits for, and nobody again within ten minutes."""
        question, seat = self.asked(pick)
        missing = {one for one in question.seats if self.model.status(question, one) != "ready"} - question.excused
        missing &= {seat} if whose == "one" else missing
        doing = self.table.act(awaited_seats.nudge, question.key, seat if whose == "one" else "")
        if self.model.paused or missing <= question.nudged:
            self.refused(Refusal if self.model.paused or missing else Conflict, doing)
        else:
            self.do(doing)
            question.nudged |= missing

    @precondition(lambda self: not self.model.over)
    @rule(pick=PICK)
    def open_early(self, pick: int) -> None:
        question, _ = self.asked(pick)
        doing = self.table.act(gm_actions.open_now, question.key)
        if self.model.paused:
            self.refused(Refusal, doing)
        else:
            assert self.do(doing)
            self.model.close(question)

    @precondition(lambda self: not self.model.over and not self.model.paused)
    @rule(pick=PICK, how=st.sampled_from(["sweep", "look", "press"]))
    def the_time_is_up(self, pick: int, how: str) -> None:
        """Whoever comes first after a deadline closes the step: the sweeper, a reader, or a seal that is too late."""
        question, _ = self.asked(pick)
        if not question.clock:
            self.give_time(pick, 600)
        self.do(self._run_down(question.key))
        if how == "sweep":
            assert self.do(self.runtime.sweep()) == 1
        elif how == "look":
            self.do(self.runtime.close_if_due(self.table.campaign, self.table.scene))
        else:
            seat = question.seats[0]
            seen = question.laid[seat].revision if seat in question.laid else 0
            pairs = [("what", "late")] if question.kind == "steal" else [("times", "3")]
            laid = Submission(question.key, seat, pairs, seen, uuid.uuid4(), True)
            self.refused(Conflict, self._lay(self.model.holder[seat], laid))
        self.model.close(question)

    async def _run_down(self, key: str) -> None:
        here = {"campaign": self.table.campaign, "scene": self.table.scene, "key": key}
        past = "clock_timestamp() - interval '1 second'"
        async with self.runtime.sessions.begin() as session:
            for table, column, where in (
                ("steps", "due_at", "scene_id = :scene AND key = :key"),
                ("scenes", "next_due_at", "id = :scene"),
            ):
                change = f"UPDATE {table} SET {column} = {past} WHERE campaign_id = :campaign AND {where}"
                await session.execute(text(change), here)

    # ---- what must hold at any time ------------------------------------------------------------------------------

    @invariant()
    def the_database_is_whole(self) -> None:
        statuses = self.do(self._whole())
        assert {key for key, status in statuses if status == "open"} == {q.key for q in self.model.open}
        assert Counter(key for key, status in statuses if status == "closed") == Counter(self.model.closed)
        assert all(status != "stuck" for _, status in statuses)

    async def _whole(self) -> list[tuple[str, str]]:
        async with self.runtime.sessions() as session:
            steps = await check_scene(session, self.runtime.vault, self.table.campaign, self.table.scene)
        return [(step.key, step.status) for step in steps]

    @invariant()
    def everybody_sees_what_they_may(self) -> None:
        """One of the five after each step, in turn, and all at the end; always read anew, as after a reconnect."""
        self.turn += 1
        member = MEMBERS[self.turn % 5]
        self._sees(member, self.do(self.table.sight(member)))

    def _sees(self, member: str, seen: SceneSight) -> None:
        model, held = self.model, self.model.seats_of(member)
        assert (seen.status, seen.paused) == ("over" if model.over else "open", model.paused and not model.over)
        shown = {step.key: step for step in seen.steps}
        asked = {question.key: question for question in model.open if model.knows(member, question.kind)}
        assert set(shown) == set(asked)
        readable = {event[3] for event in model.events if event[0] == "knocked"}
        for key, question in asked.items():
            assert [ask.seat for ask in shown[key].asks] == list(question.seats)
            assert shown[key].held == question.held
            for ask in shown[key].asks:
                assert ask.status == model.status(question, ask.seat)
                assert ask.awaited == (question.kind != "bell" and ask.seat not in question.excused)
                assert (ask.nudged_at is not None) == (ask.seat in question.nudged)
                assert (ask.commitment is not None) == (ask.status == "ready") and ask.is_mine == (ask.seat in held)
                assert ask.spoken is None and ask.how is None
                mine = model.mine(question, ask.seat) if ask.is_mine and ask.seat != GM_SEAT else None
                if mine is None:
                    assert ask.mine is None or ask.seat == GM_SEAT
                    continue
                assert ask.mine is not None and (ask.mine.revision, ask.mine.ready) == mine[:2]
                words = {value for name, value in ask.mine.pairs if name in ("note", "what")}
                assert words == ({mine[2]} if mine[2] is not None else set())
                readable |= words
        readable |= {event[1] for event in model.events if event[0] == "stolen" and model.knows(member, "stolen")}
        whole = repr(seen)
        told = {words for words in self.secrets if words in whole}
        assert told <= readable, "somebody read what they may not"
        assert [heard(e.event) for chapter in seen.chapters for e in chapter.events if e.event.kind != "came"] == [
            event for event in model.events if model.knows(member, str(event[0])) and event[0] != "came"
        ]
        closed = [key for key in model.closed if model.knows(member, key.split("/")[1])]
        told_first = any(model.knows(member, str(event[0])) for event in model.events)
        early = [step.key for step in seen.steps][:1] if told_first else []  # before anything has closed
        assert Counter(chapter.step.key for chapter in seen.chapters) == Counter(closed or early)

    def teardown(self) -> None:
        if hasattr(self, "table"):
            for member in MEMBERS:
                self._sees(member, self.do(self.table.sight(member)))


@pytest.mark.usefixtures("toy")
def test_an_evening_is_as_the_model_says(db_url: str) -> None:
    with asyncio.Runner() as runner:
        engine = make_engine(db_url, pool_size=2)
        Evening.runner = runner
        Evening.runtime = Runtime(
            async_sessionmaker(engine, expire_on_commit=False),
            Vault([b"test key of thirty-two bytes, ok"]),
            PostgresBus(db_url),
            decisions.after,
        )
        try:
            run_state_machine_as_test(
                Evening,
                settings=settings(
                    max_examples=25 if nightly() else 6,
                    stateful_step_count=20,
                    phases=[Phase.generate],  # twenty steps can be read as they are; shrinking takes minutes
                    suppress_health_check=list(HealthCheck),
                ),
            )
        finally:
            runner.run(engine.dispose())
