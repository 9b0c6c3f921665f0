"""The field as text: what is written is read again, and every mistake names its line."""

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from app.rulesets.skirmish.sheet.fields import FIELDS
from app.rulesets.skirmish.sheet.muster import muster
from app.rulesets.skirmish.sheet.sheets import Hazard, Link, SkirmishOpening, Zone
from app.rulesets.skirmish.sheet.sketch import SIGNS, key_of, parse, write

WORDS = st.text("aäbcdeghinorstuyz '’", min_size=1, max_size=12).map(str.strip).filter(bool)


@st.composite
def fields(draw: Any) -> tuple[Zone, ...]:
    """Some zones, each linked with an earlier one, as a sketch could say them."""
    names = draw(st.lists(WORDS, unique_by=str.casefold, min_size=1, max_size=7))
    keys: list[str] = []
    for name in names:
        keys.append(key_of(name, keys))
    links: dict[str, list[Link]] = {key: [] for key in keys}
    for number, key in enumerate(keys[1:], 1):
        ends = [key, keys[draw(st.integers(0, number - 1))]]
        one, other = draw(st.permutations(ends))
        links[one].append(Link(to=other, way=draw(st.sampled_from(list(SIGNS)))))
    hazards = st.builds(
        Hazard, name=st.one_of(st.just(""), WORDS.map(lambda text: " ".join(text.split()))),
        die=st.sampled_from([1, 4, 6, 8, 10, 12]), to=st.sampled_from(["hp", "mgt", "agi", "wil"]), save=st.booleans(),
    )  # fmt: skip
    flags = {name: st.booleans() for name in ("cover", "smoke", "slow", "trapped")}
    more = st.fixed_dictionaries({**flags, "most": st.none() | st.integers(1, 99), "hazard": st.none() | hazards})
    return tuple(
        Zone(key=key, name=name, links=tuple(links[key]), **draw(more)) for key, name in zip(keys, names, strict=True)
    )


@given(fields())
@settings(max_examples=60, deadline=None)
def test_what_is_written_is_read_again(zones: tuple[Zone, ...]) -> None:
    assert parse(write(zones)) == zones


def test_the_example_of_the_form() -> None:
    zones = parse(
        """
        Courtyard (6): cover
        # a comment
        Courtyard -- Gallery
        courtyard ~~ Gate        (hindered)
        Cellar || Courtyard      (closed)
        Gallery → Moat           (one-way)
        Moat: water, hazard fire d6
        Gate: hazard bad air 1 to mgt no save
        """
    )
    assert [zone.key for zone in zones] == ["courtyard", "gallery", "gate", "cellar", "moat"]
    yard, gallery, gate, cellar, moat = zones
    assert (yard.most, yard.cover, moat.slow) == (6, True, True)
    assert [(link.to, link.way) for link in yard.links] == [("gallery", "open"), ("gate", "hindered")]
    assert (gallery.links[0].way, cellar.links[0].way) == ("oneway", "closed")
    assert moat.hazard == Hazard(name="fire", die=6) and gate.hazard == Hazard(
        name="bad air", die=1, to="mgt", save=False
    )
    assert parse("") == () and parse("Clearing")[0].name == "Clearing"
    assert [link.to for zone in parse("A -- B -- C") for link in zone.links] == ["b", "c"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A -- B\nA == C", "Line 2, “A == C”: Write a zone as “.*”, or a link as"),
        ("A -- A", "Line 1, “A -- A”: this links a zone with itself"),
        ("A -- B\nB ~~ A", "Line 2, .*line 1 links these two already"),
        ("A -> B\nA -> B", "Line 2, .*line 1 links these two already"),
        ("A: cover\nA -- B\na: smoke", "Line 3, .*line 1 describes this zone already"),
        ("A: lava", "Line 1, .*“lava” is not known. There is: cover"),
        ("A: hazard fire", "Line 1, .*write a hazard as"),
        ("A: hazard fire d7", "Line 1, .*write a hazard as"),
        ("A (0)", "Line 1, .*from 1 to 99"),
        ("A (many)", "Line 1, .*from 1 to 99"),
        ("(6)", "Line 1, .*Write a zone as"),
        ("A (6", "Line 1, .*Write a zone as"),
        ("A --B -- C", "Line 1, .*Write a zone as"),
        (f"{'x' * 61} -- B", "at most 60"),
        ("\n".join(f"A{n} -- A{n + 1}" for n in range(40)), "Line 30, .*at most 30"),
        (f"A (0099{'9' * 5000})", "from 1 to 99"),
        ("A -- B\nC: cover", "Line 2: C has no link, so nobody can go there. Add “A -- C”"),
    ],
)
def test_mistakes_name_their_line(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse(text)


@pytest.mark.parametrize("line", ["A{}(", "A{}x ( y", "A -- B{}("])
def test_many_spaces_cost_what_their_number_costs(line: str) -> None:
    begun = time.process_time()
    for space in " \t\u2003":
        with pytest.raises(ValueError, match="Write a zone as"):
            parse(line.format(space * 1000))
    assert time.process_time() - begun < 1, "each way to share them out is tried: seven seconds"


def test_two_one_ways_are_two_links() -> None:
    assert [len(zone.links) for zone in parse("A -> B\nB -> A")] == [1, 1]


def test_the_form_reads_a_sketch_or_a_ready_made_field() -> None:
    """Names of zones become keys, and a mistake stays at its field."""
    read = SkirmishOpening.model_validate(
        muster({"sketch": "Hall -- Cold store", "start": "cold Store", "foes_start": ""})
    )
    assert [zone.key for zone in read.zones] == ["hall", "cold-store"] and read.start == "cold-store"
    for key, field in FIELDS.items():
        ready = SkirmishOpening.model_validate(muster({"field": key, "sketch": "ignored (", "start": ""}))
        assert len(ready.zones) > 3 and ready.start and ready.foes_start and ready.start != ready.foes_start
        assert parse(write(ready.zones)) == ready.zones == parse(field.sketch)
        assert SkirmishOpening.model_validate(muster(ready.model_dump(mode="json"))) == ready
    rows = SkirmishOpening.model_validate(
        muster({"zones": [{"name": "Old mill", "links": [{"to": "race"}]}, {"name": "Race"}]})
    )
    assert [zone.key for zone in rows.zones] == ["old-mill", "race"] and rows.zones[0].links[0].to == "race"
    for form, place in (
        ({"sketch": "A (("}, "sketch"),
        ({"sketch": "A -- B", "start": "C"}, "start"),
        ({"sketch": "A -- B", "muster": [{"kind": "wolf", "count": "1", "zone": "C"}]}, "foes"),
    ):
        with pytest.raises(ValidationError) as refused:
            muster(form)
        assert refused.value.errors()[0]["loc"] == (place,)
