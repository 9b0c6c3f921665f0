"""The interception agrees with the slow reference, and whatever is declared, clashes are stars (WHI-11 to WHI-30).

All patterns of six characters take some minutes: python -m tests.rulesets.whiskey.test_interception --six
"""

import argparse
import dataclasses
import itertools
import random
import time
from collections.abc import Hashable, Iterator, Sequence

import pytest

from app.rulesets.whiskey.cards import faults
from app.rulesets.whiskey.interception import Pick, Plan, pair
from tests.rulesets.whiskey.reference import Doing, Reference, is_stars, outcomes


def plan(me: Doing, sides: Sequence[int]) -> Plan:
    """The same declaration as the engine is told it."""
    caught: tuple[Hashable, ...] = ()
    if me.attacks is not None and not me.slips:
        caught = (("who", me.attacks),)
    elif me.advances and not me.slips:
        caught = tuple(("area", me.advances, side) for side in sorted(set(sides)) if side != me.side)
    guards: Hashable = ("area", me.holds, me.side) if me.holds else None
    if me.wards:
        (ward,) = me.wards
        guards = ("who", ward)
    return Plan(me.attacks, guards, caught, me.prefers, me.capacity)


def agree(band: Sequence[Doing], plans: dict[int, Plan], pick: Pick) -> None:
    """Compare one run of both; raises AssertionError that names the declarations."""
    picked: dict[tuple[int, ...], int] = {}

    def remember(loop: tuple[int, ...]) -> int:
        picked[loop] = pick(loop)
        return picked[loop]

    slow = Reference(band, remember).run()
    seen: list[tuple[int, ...]] = []

    def same(loop: tuple[int, ...]) -> int:
        seen.append(loop)
        return picked[loop]

    fast = pair(plans, same)
    assert sorted((m.by, m.other) for m in fast) == sorted(slow.met), band
    assert {m.other for m in fast if m.stopped} == slow.stopped, band
    assert seen == slow.loops, band
    assert is_stars(slow.met), band


def choices(who: int, count: int) -> list[Doing]:
    """Everything a character can declare, as far as the interception is concerned."""
    side, others = who % 2, [other for other in range(count) if other != who]
    return [
        Doing(side),
        *(Doing(side, attacks=other) for other in others),
        *(Doing(side, wards=(other,)) for other in others),
        Doing(side, advances="ford"),
        Doing(side, holds="ford"),
    ]


def patterns(count: int) -> Iterator[tuple[tuple[Doing, ...], dict[int, Plan]]]:
    """All that so many characters can declare together."""
    sides = [who % 2 for who in range(count)]
    each = [[(me, plan(me, sides)) for me in choices(who, count)] for who in range(count)]
    for declared in itertools.product(*each):
        yield tuple(me for me, _ in declared), {who: p for who, (_, p) in enumerate(declared)}


def compare_all(count: int) -> tuple[int, int]:
    """All patterns with all ways in which picks can fall; returns how many of each."""
    found = ways = 0
    for band, plans in patterns(count):
        found += 1
        ways += outcomes(lambda pick, band=band, plans=plans: agree(band, plans, pick))
    return found, ways


@pytest.mark.parametrize(
    ("count", "expected"), [(2, 25), (3, 343), (4, 6_561), pytest.param(5, 161_051, marks=pytest.mark.nightly)]
)
def test_every_pattern_agrees_with_the_reference(count: int, expected: int) -> None:
    found, ways = compare_all(count)
    assert found == expected
    assert ways > found or count < 3  # loops of three and more were broken in every way


def anybody(luck: random.Random, count: int, capacities: Sequence[int]) -> list[Doing]:
    """A random band: three sides, two areas, crowds, preferences, some who slip past, and mostly a loop among them."""
    wanted = [luck.randrange(count) for _ in range(3)]
    band = []
    for who in range(count):
        other = luck.choice([w for w in [*wanted, *range(count)] if w != who])
        what = luck.choice(["attack", "attack", "guard", "guard", "advance", "hold", "stand"])
        band.append(
            Doing(
                side=luck.randrange(3),
                attacks=other if what == "attack" else None,
                wards=(other,) if what == "guard" else (),
                advances=luck.choice(["ford", "gate"]) if what == "advance" else "",
                holds=luck.choice(["ford", "gate"]) if what == "hold" else "",
                prefers=tuple(luck.sample(range(count), luck.randrange(4))),
                capacity=luck.choice(capacities),
                slips=luck.random() < 0.15,
            )
        )
    ring = luck.sample(range(count), luck.choice([0, 3, 4, 5]))
    for place, who in enumerate(ring):
        following, beyond = ring[(place + 1) % len(ring)], ring[(place + 2) % len(ring)]
        guards = place and luck.random() < 0.2
        band[who] = Doing(
            attacks=None if guards else following,
            wards=(beyond,) if guards else (),  # threatens the next one, who attacks the one beyond
            capacity=band[who].capacity,
            prefers=band[who].prefers,
        )
    return band


@pytest.mark.parametrize("capacities", [(1,), (2,), (9,), (1, 1, 2, 9)], ids=str)
def test_larger_bands_agree_with_the_reference(capacities: tuple[int, ...]) -> None:
    luck = random.Random(f"bands of {capacities}")
    loops = many = 0
    for _ in range(2500):
        band = anybody(luck, luck.randint(6, 10), capacities)
        sides = [me.side for me in band]
        plans = {who: plan(me, sides) for who, me in enumerate(band)}
        loops += outcomes(lambda pick, band=band, plans=plans: agree(band, plans, pick)) > 1
        met = pair(plans, lambda loop: loop[0])
        many += any(sum(m.by == who for m in met) > 1 for who in plans)
    assert loops > 20  # the bands are worth comparing: loops came about, and guards who took several
    assert (many > 20) == (max(capacities) > 1)


@pytest.mark.parametrize("capacity", [2, 9])
def test_every_pattern_of_four_with_strong_guards(capacity: int) -> None:
    for band, _ in patterns(4):
        strong = [Doing(d.side, d.attacks, d.advances, d.wards, d.holds, capacity=capacity) for d in band]
        plans = {who: plan(me, [d.side for d in strong]) for who, me in enumerate(strong)}
        outcomes(lambda pick, strong=strong, plans=plans: agree(strong, plans, pick))


def one_guard_a_ward(band: Sequence[Doing]) -> list[Doing]:
    """The band, where whoever guards the same as somebody before only stands."""
    found: dict[Hashable, int] = {}
    for who, me in enumerate(band):
        found.setdefault(me.wards or me.holds or who, who)
    return [me if found[me.wards or me.holds or who] == who else Doing(me.side) for who, me in enumerate(band)]


def elsewhere(me: Doing, place: Sequence[int]) -> Doing:
    """The same plan where everybody stands in another place of the roster."""
    attacks = None if me.attacks is None else place[me.attacks]
    wards, prefers = (tuple(place[who] for who in those) for those in (me.wards, me.prefers))
    return dataclasses.replace(me, attacks=attacks, wards=wards, prefers=prefers)


def test_guards_of_different_wards_meet_the_same_people_in_any_order() -> None:
    """Who is looked at first changes nothing; only guards of one ward divide it by the roster (WHI-16, WHI-18)."""
    luck = random.Random("any order")
    moved = many = 0
    for _ in range(4000):
        band = one_guard_a_ward(anybody(luck, luck.randint(6, 10), (1, 2, 9)))
        guards = [who for who, me in enumerate(band) if me.wards or me.holds]
        place = list(range(len(band)))
        for who, there in zip(guards, luck.sample(guards, len(guards)), strict=True):
            place[who] = there
        stood = sorted(range(len(band)), key=place.__getitem__)  # who stands in each place
        other = [elsewhere(band[who], place) for who in stood]
        met, again = (
            pair({who: plan(me, [me.side for me in those]) for who, me in enumerate(those)}, pick)
            for those, pick in (
                (band, min),
                (other, lambda loop, place=place, stood=stood: place[min(stood[who] for who in loop)]),
            )
        )
        assert {(m.by, m.other) for m in met} == {(stood[m.by], stood[m.other]) for m in again}, (band, place)
        moved += place != stood
        many += any(sum(m.by == who for m in met) > 1 for who in guards)
    assert moved > 500
    assert many > 50


def test_a_guard_of_two_must_not_take_who_is_attacked_himself() -> None:
    """The first variant that fails: Q attacks A, A and B attack Q, and g, who guards Q, takes both (WHI-22)."""
    q, a, b, g = range(4)
    band = [Doing(attacks=a), Doing(1, attacks=q), Doing(1, attacks=q), Doing(wards=(q,), capacity=2)]
    loose = Reference(band, min, careful=False).run()
    assert loose.met == [(g, a), (g, b), (q, a)]
    assert not is_stars(loose.met)
    plans = {who: plan(me, [0, 1, 1, 0]) for who, me in enumerate(band)}
    agree(band, plans, min)
    assert [(m.by, m.other) for m in pair(plans, min)] == [(g, a), (b, q)]


def test_a_guard_with_two_wards_would_make_chains() -> None:
    """The second variant that fails; the engine has no words for it, and no card can say it (WHI-06, WHI-31)."""
    band = [Doing(wards=(1, 4)), Doing(attacks=4), Doing(attacks=1), Doing(attacks=1), Doing(attacks=0)]
    results: list[list[tuple[int, int]]] = []
    outcomes(lambda pick: results.append(Reference(band, pick).run().met))
    assert [met for met in results if not is_stars(met)] == [[(0, 1), (2, 1), (3, 1), (4, 0)]]
    for ward in (1, 4):
        single = [Doing(wards=(ward,)), *band[1:]]
        plans = {who: plan(me, [me.side for me in single]) for who, me in enumerate(single)}
        outcomes(lambda pick, single=single, plans=plans: agree(single, plans, pick))
    assert faults({"key": "two-shields", "name": "Two shields", "text": "Guard two.", "wards": 2})


@pytest.mark.parametrize(
    ("clashes", "stars"),
    [
        ([], True),
        ([(0, 1)], True),
        ([(0, 1), (2, 1), (1, 3)], True),
        ([(0, 1), (2, 3)], True),
        ([(0, 1), (1, 2), (2, 3)], False),
        ([(0, 1), (1, 2), (2, 0)], False),
        ([(0, 1), (1, 0)], False),
    ],
)
def test_stars_are_told_from_chains(clashes: list[tuple[int, int]], stars: bool) -> None:
    assert is_stars(clashes) is stars


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare all declarations of a band with the reference.")
    parser.add_argument("--six", action="store_true", help="six characters: 4,826,809 patterns, some minutes")
    count = 6 if parser.parse_args().six else 5
    began = time.monotonic()
    found, ways = compare_all(count)
    seconds = time.monotonic() - began
    print(f"{count} characters: {found:,} patterns, {ways:,} outcomes, all alike, all stars; {seconds:.0f} s")  # noqa: T201


if __name__ == "__main__":
    main()
