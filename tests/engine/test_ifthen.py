"""If-then declarations: what fires, in which round, and that nothing else than the reveal decides it."""

import itertools
import math
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.ifthen import ANY_ALLY, ANY_ENEMY, ANYONE, ME, THEM, Act, Clause, IfThen, Menu, Verb, evaluate
from app.engine.kdtree import KdTree

SIDE = {"ada": "us", "ben": "us", "cleo": "us", "orc": "them", "troll": "them", "wolf": "them"}
VERBS = ("attacks", "casts", "heals")


def act(actor: str, verb: str, *whom: str, **more: Any) -> Act:
    return Act(actor=actor, does={verb: whom}, **more)


def waits(owner: str, who: str, verb: str, whom: str, *then: Act, **more: Any) -> IfThen:
    return IfThen(owner=owner, clause=Clause(who=who, verb=verb, whom=whom), then=then, **more)


HEAL = waits("ben", "troll", "attacks", "ada", act("ben", "heals", "ada"))


def test_a_clause_that_is_met_fires() -> None:
    """ARC-T24."""
    card = evaluate([HEAL], [act("troll", "attacks", "ada")], side=SIDE).cards["ben"]
    assert (card.verdict, card.why, card.round, card.watched) == ("fired", "met", 1, "troll")


def test_there_is_no_else() -> None:
    """ARC-T26, ARC-42."""
    card = evaluate([HEAL], [act("troll", "attacks", "ben")], side=SIDE).cards["ben"]
    assert (card.verdict, card.why, card.round) == ("not_fired", "not_met", 0)


def test_mutual_waiting_is_a_knot_and_nothing_happens_unless_it_is_let_loose() -> None:
    """ARC-T27, ARC-48."""
    both = [
        waits("ada", "ben", "casts", "", act("ada", "casts", "troll")),
        waits("ben", "ada", "casts", "", act("ben", "casts", "troll")),
        waits("cleo", "ada", "casts", "", act("cleo", "heals", "ada")),
    ]
    held = evaluate(both, [], side=SIDE)
    assert held.cycles == (("ada", "ben"),)
    assert [(card.verdict, card.why) for card in held.cards.values()] == [
        ("not_fired", "knot"), ("not_fired", "knot"), ("not_fired", "waited"),
    ]  # fmt: skip
    loose = evaluate(both, [], side=SIDE, released=frozenset({"ada"}))
    assert loose.rounds == (("ada", "ben"), ("cleo",)) and loose.cycles == ()
    assert [card.why for card in loose.cards.values()] == ["knot_let_loose", "knot_let_loose", "met"]


def test_a_chain_runs_in_rounds_and_dies_with_its_first_link() -> None:
    """ARC-46, ARC-47: a dead chain is no knot, nobody is asked."""
    chain = [
        waits("ada", "troll", "attacks", ANYONE, act("ada", "heals", "ben")),
        waits("ben", "ada", "heals", ME, act("ben", "attacks", "orc")),
        waits("orc", ANY_ENEMY, "attacks", ME, act("orc", "attacks", THEM)),
    ]
    reading = evaluate(chain, [act("troll", "attacks", "cleo")], side=SIDE)
    assert reading.rounds == (("ada",), ("ben",), ("orc",))
    assert reading.cards["orc"].watched == "ben"
    dead = evaluate(chain, [], side=SIDE)
    assert dead.rounds == () and dead.cycles == ()
    assert [card.why for card in dead.cards.values()] == ["not_met", "waited", "waited"]


def test_the_nearest_act_is_watched_and_among_equals_the_lower_id() -> None:
    acts = [act(who, "attacks", "ada") for who in ("wolf", "troll", "orc")]
    one = [waits("ben", ANY_ENEMY, "attacks", ANY_ALLY, act("ben", "attacks", THEM))]
    at = {"ben": (0, 0), "orc": (300, 0), "troll": (0, 200), "wolf": (0, -200)}
    assert evaluate(one, acts, side=SIDE, place=at).cards["ben"].watched == "troll"
    assert evaluate(one, acts, side=SIDE, place=at | {"orc": (100, 100)}).cards["ben"].watched == "orc"


def test_nobody_waits_for_himself_nor_for_what_he_cannot_notice() -> None:
    """ARC-53."""
    mine = waits("ben", ANYONE, "attacks", ANYONE, act("ben", "heals", "ben"))
    assert evaluate([mine], [act("ben", "attacks", "orc")], side=SIDE).rounds == ()
    unseen = act("orc", "attacks", "ada", unseen_by=frozenset({"ben"}))
    assert evaluate([mine], [unseen], side=SIDE).rounds == ()


def test_a_knot_of_the_unseen_is_no_knot_for_those_who_cannot_notice_it() -> None:
    hidden = act("orc", "casts", unseen_by=frozenset({"ada"}))
    pair = [waits("ada", ANY_ENEMY, "casts", "", act("ada", "casts")), waits("orc", "ada", "casts", "", hidden)]
    assert evaluate(pair, [], side=SIDE).cycles == ()
    assert evaluate(pair, [], side=SIDE).cards["ada"].why == "not_met", "and its card does not tell of it"


def test_only_what_was_revealed_unguarded_is_interrupted() -> None:
    """ARC-49, ARC-53: answers never, later rounds never, attacks out of hiding never."""
    push = waits("ben", "troll", "attacks", "ada", act("ben", "attacks", "troll"), mode="interrupt")
    late = waits("cleo", "ben", "attacks", "troll", act("cleo", "heals", "ben"), mode="interrupt")
    blow = act("troll", "attacks", "ada")
    cards = evaluate([push, late], [blow], side=SIDE).cards
    assert cards["ben"].tries_first and not cards["cleo"].tries_first
    assert not evaluate([push], [replace(blow, forestalled=False)], side=SIDE).cards["ben"].tries_first
    assert not evaluate([replace(push, mode="answer")], [blow], side=SIDE).cards["ben"].tries_first


def test_the_tool_has_to_be_the_one_named() -> None:
    one = IfThen(owner="ben", clause=Clause(who="orc", verb="casts", using="mend"), then=())
    assert not evaluate([one], [act("orc", "casts", "orc", using=("kindle",))], side=SIDE).rounds
    assert evaluate([one], [act("orc", "casts", "orc", using=("mend",))], side=SIDE).rounds


def test_a_place_is_nobody() -> None:
    one = waits("ben", "orc", "moves_to", ANYONE, act("ben", "attacks", "orc"))
    assert not evaluate([one], [act("orc", "moves_to", "place:3,4")], side=SIDE).rounds
    assert evaluate([replace(one, clause=replace(one.clause, whom="place:3,4"))],
                    [act("orc", "moves_to", "place:3,4")], side=SIDE).rounds  # fmt: skip


def test_one_clause_each() -> None:
    """ARC-41."""
    with pytest.raises(ValueError, match="two if-thens"):
        evaluate([HEAL, HEAL], [], side=SIDE)


def test_what_fired_but_could_not_be_done_is_blocked() -> None:
    card = evaluate([HEAL], [act("troll", "attacks", "ada")], side=SIDE).blocked("ben", "stunned")
    assert (card.verdict, card.why, card.note, card.round) == ("blocked", "lost", "stunned", 1)


WORDS = {
    verb.key: verb
    for verb in (
        Verb(key="attacks", says="attacks", whom="needed", using=True),
        Verb(key="moves_to", says="moves to", whom="needed", places=True),
        Verb(key="holds", says="does nothing", whom="none"),
    )
}
MENU = Menu(owner="ada", verbs=WORDS, people={"ada": "Ada", "ben": "Ben", "troll": "the troll"},
            things={"club": "a club"}, places={"place:1,1": "the door"})  # fmt: skip


def test_a_clause_reads_as_a_sentence() -> None:
    blow = Clause(who="troll", verb="attacks", whom="ben", using="club")
    assert MENU.read_back(blow, "I cast Mend on Ben") == (
        "If the troll attacks Ben with a club, then I cast Mend on Ben."
    )
    assert MENU.read_back(Clause(who=ANY_ENEMY, verb="attacks", whom=ME), "I evade") == (
        "If any enemy attacks me, then I evade."
    )


@pytest.mark.parametrize(
    ("clause", "fields"),
    [
        (Clause(who="ada", verb="holds"), {"who"}),
        (Clause(who="", verb="attacks"), {"who", "whom"}),
        (Clause(who="nobody", verb="", whom="ben"), {"who", "verb"}),
        (Clause(who="ben", verb="holds", whom="ada"), {"whom"}),
        (Clause(who="ben", verb="attacks", whom="place:1,1"), {"whom"}),
        (Clause(who="ben", verb="moves_to", whom="place:9,9"), {"whom"}),
        (Clause(who="ben", verb="moves_to", whom="troll", using="club"), {"using"}),
        (Clause(who="ben", verb="moves_to", whom="place:1,1"), set()),
        (Clause(who=ANYONE, verb="attacks", whom=ANY_ALLY, using="club"), set()),
    ],
)
def test_a_menu_says_what_is_wrong_and_where(clause: Clause, fields: set[str]) -> None:
    assert set(MENU.check(clause)) == fields


people = st.sampled_from(sorted(SIDE))
whoever = st.sampled_from([*sorted(SIDE), ANYONE, ANY_ENEMY, ANY_ALLY])


@st.composite
def deeds(draw: st.DrawFn, actor: str, whom: Sequence[str]) -> Act:
    verbs = draw(st.lists(st.sampled_from(VERBS), min_size=1, max_size=2, unique=True))
    to = tuple(draw(st.lists(st.sampled_from(whom), max_size=2)))
    unseen = draw(st.frozensets(people, max_size=1)) - {actor}
    return Act(actor=actor, does=dict.fromkeys(verbs, to), unseen_by=unseen)


@st.composite
def reveals(draw: st.DrawFn) -> tuple[list[IfThen], list[Act], dict[str, tuple[int, int]]]:
    acting = draw(st.lists(people, unique=True))
    acts = [draw(deeds(who, sorted(SIDE))) for who in acting]
    owners = draw(st.lists(people, unique=True))
    ifthens = [
        IfThen(
            owner=who,
            clause=Clause(who=draw(whoever.filter(lambda one, who=who: one != who)),
                          verb=draw(st.sampled_from(VERBS)), whom=draw(whoever | st.sampled_from(["", ME]))),
            then=(draw(deeds(who, [*sorted(SIDE), THEM])),),
            mode=draw(st.sampled_from(["answer", "interrupt"])),
        )
        for who in owners
    ]  # fmt: skip
    spots = draw(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=6, max_size=6))
    return ifthens, acts, dict(zip(sorted(SIDE), spots, strict=True))


@settings(deadline=None)
@given(reveals(), st.randoms(use_true_random=False), st.booleans())
def test_the_order_of_sealing_changes_nothing(reveal: Any, luck: random.Random, loose: bool) -> None:
    """And it comes to an end: each clause has one card, each that fired stands in the one round its card names."""
    ifthens, acts, place = reveal
    let = frozenset(SIDE) if loose else frozenset()
    first = evaluate(ifthens, acts, side=SIDE, place=place, released=let)
    again, shuffled = list(ifthens), list(acts)
    luck.shuffle(again)
    luck.shuffle(shuffled)
    assert evaluate(again, shuffled, side=SIDE, place=place, released=let) == first
    assert sorted(first.cards) == sorted(one.owner for one in ifthens)
    fired = {who: number for number, round_ in enumerate(first.rounds, 1) for who in round_}
    assert fired == {card.owner: card.round for card in first.cards.values() if card.verdict == "fired"}
    if loose:
        assert first.cycles == ()


@settings(deadline=None)
@given(reveals())
def test_no_condition_sees_what_was_not_revealed(reveal: Any) -> None:
    """What guarded acts would have been changes nothing in who fires, as long as their clause is not met; and an act
    that somebody cannot notice changes nothing at all on his card."""
    ifthens, acts, place = reveal
    first = evaluate(ifthens, acts, side=SIDE, place=place)
    idle = [one if first.cards[one.owner].verdict == "fired" else replace(one, then=()) for one in ifthens]
    assert evaluate(idle, acts, side=SIDE, place=place).rounds == first.rounds
    for one in ifthens:
        alone = evaluate([one], acts, side=SIDE, place=place).cards
        seen = [act for act in acts if one.owner not in act.unseen_by]
        assert evaluate([one], seen, side=SIDE, place=place).cards == alone


@settings(deadline=None)
@given(reveals())
def test_it_does_what_the_ledger_says_slowly(reveal: Any) -> None:
    """Against the ledger's algorithm word for word (1.6), asking each clause of each act."""
    ifthens, acts, place = reveal
    fired: dict[str, int] = {}
    new, number = list(acts), 0
    while True:
        number += 1
        now = [one for one in ifthens if one.owner not in fired and any(_meets(one, act) for act in new)]
        if not now:
            break
        watched = {
            one.owner: min(
                (act for act in new if _meets(one, act)), key=lambda act, at=place[one.owner]: _far(at, act, place)
            )
            for one in now
        }
        fired |= {one.owner: number for one in now}
        new = [
            replace(act, does={verb: tuple(watched[one.owner].actor if who == THEM else who for who in whom)
                               for verb, whom in act.does.items()})
            for one in now for act in one.then
        ]  # fmt: skip
    reading = evaluate(ifthens, acts, side=SIDE, place=place)
    assert {card.owner: card.round for card in reading.cards.values() if card.round} == fired


def _far(at: tuple[int, int], act: Act, place: dict[str, tuple[int, int]]) -> tuple[int, str]:
    x, y = place[act.actor]
    return (at[0] - x) ** 2 + (at[1] - y) ** 2, act.actor


def _meets(one: IfThen, act: Act) -> bool:
    def means(name: str, who: str) -> bool:
        if name == ANYONE:
            return True
        if name in (ANY_ENEMY, ANY_ALLY):
            return (SIDE[who] == SIDE[one.owner]) == (name == ANY_ALLY)
        return who == (one.owner if name == ME else name)

    clause = one.clause
    if act.actor == one.owner or one.owner in act.unseen_by or clause.verb not in act.does:
        return False
    whom = act.does[clause.verb]
    return means(clause.who, act.actor) and (not clause.whom or any(means(clause.whom, who) for who in whom))


@settings(deadline=None)
@given(st.lists(st.tuples(st.tuples(st.integers(0, 9), st.integers(0, 9)), st.sampled_from("abcd")), max_size=60),
       st.tuples(st.integers(-3, 12), st.integers(-3, 12)), st.integers(1, 3))  # fmt: skip
def test_the_nearest_is_the_nearest(things: list[Any], at: tuple[int, int], step: int) -> None:
    entries = [(place, key, number) for number, (place, key) in enumerate(things)]
    kept = [(_squared(at, place), key, number) for place, key, number in entries if number % step == 0]
    found = KdTree(entries).nearest(at, lambda number: number % step == 0)
    assert found == (min(kept)[2] if kept else None)


def _squared(a: tuple[int, int], b: tuple[int, int]) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _lines(count: int, shape: str) -> int:
    """Lines of ours that run for so many people: a measure that no other work on the machine can change."""
    names = [f"p{n:04}" for n in range(count)]
    side = {name: "us" if n % 2 else "foes" for n, name in enumerate(names)}
    luck = random.Random(7)
    place = {name: (luck.randrange(10_000), luck.randrange(10_000)) for name in names}
    half = names[: count // 2]
    if shape == "chain":
        ifthens = [waits(b, a, "attacks", "", act(b, "attacks", a)) for a, b in itertools.pairwise(half)]
        acts = [act(half[0], "attacks", names[-1])]
    elif shape == "crowd":
        ifthens = [waits(one, ANY_ENEMY, "attacks", ANY_ALLY, act(one, "attacks", THEM)) for one in half]
        acts = [act(one, "attacks", luck.choice(names)) for one in names[count // 2 :]]
    else:  # everybody waits for anybody: one great knot
        ifthens = [waits(one, ANYONE, "attacks", "", act(one, "attacks", THEM)) for one in half]
        acts = []
    ran = 0

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal ran
        ran += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        evaluate(ifthens, acts, side=side, place=place)
    finally:
        sys.settrace(before)
    return ran


@pytest.mark.parametrize("shape", ["chain", "crowd", "knot"])
def test_work_grows_hardly_faster_than_people(shape: str) -> None:
    few, many = 100, 800
    exponent = math.log(_lines(many, shape) / _lines(few, shape)) / math.log(many / few)
    assert exponent <= 1.15
