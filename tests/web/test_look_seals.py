"""Seals: the hash gives the shape, and nothing else about the drawing tells anything of it."""

import hashlib
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.web.drawing import seals

DIGESTS = st.binary(min_size=32, max_size=32).map(bytes.hex)
FACES: tuple[seals.Face, ...] = ("awaited", "draft", "sealed", "taken", "opened", "absent")


@given(DIGESTS, DIGESTS)
def test_every_seal_of_a_name_is_as_long_as_any_other(one: str, other: str) -> None:
    for face in ("sealed", "opened"):
        assert len(seals.seal("Alice", face, one)) == len(seals.seal("Alice", face, other))


@given(DIGESTS)
def test_the_same_hash_is_the_same_seal(digest: str) -> None:
    assert seals.seal("Alice", "sealed", digest) == seals.seal("Alice", "sealed", digest)


def test_different_hashes_look_different() -> None:
    digests = [hashlib.sha256(bytes([n])).hexdigest() for n in range(200)]
    assert len({seals.seal("Alice", "sealed", digest) for digest in digests}) == 200


def test_a_ring_tells_nothing_of_a_hash() -> None:
    for face in ("awaited", "draft", "taken", "absent"):
        assert seals.seal("Alice", face, "00" * 32) == seals.seal("Alice", face, "ff" * 32)


@pytest.mark.parametrize("face", FACES)
def test_a_seal_is_well_formed_named_and_free_of_inline_style(face: seals.Face) -> None:
    drawing = seals.seal('Al"ice <b>', face, "ab" * 32, "b", 40)
    root = ET.fromstring(drawing)
    assert root.get("role") == "img"
    assert (root.get("aria-label") or "").startswith('Al"ice <b> ')
    assert root.get("width") == root.get("height") == "40"
    assert {"seal", f"seal-{face}", "side-b"} == set((root.get("class") or "").split())
    assert not re.search(r"\b(style|on\w+|id|href)=", drawing)


@given(DIGESTS)
def test_all_points_lie_within_the_drawing(digest: str) -> None:
    for x, y in re.findall(r"(-?\d+\.\d+),(-?\d+\.\d+)", seals.seal("Bo", "sealed", digest)):
        assert 0 <= float(x) <= 64
        assert 0 <= float(y) <= 64


def test_a_broken_seal_is_the_whole_one_in_two_halves() -> None:
    digest = "5a" * 32
    points = re.compile(r"\d\d\.\d,\d\d\.\d")
    rim = ET.fromstring(seals.seal("Bo", "sealed", digest)).find("path[@class='wax']")
    halves = ET.fromstring(seals.seal("Bo", "opened", digest)).findall("g/path[@class='wax']")
    assert rim is not None and len(halves) == 2
    whole = set(points.findall(rim.get("d") or ""))
    broken = [set(points.findall(half.get("d") or "")) for half in halves]
    assert whole <= broken[0] | broken[1]
    assert len(broken[0] & broken[1]) == 2 + len(seals.CRACK)


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Alice", "Al"),
        ("Axe goblin", "Ag"),
        ("GM", "GM"),
        ("two Axe goblins", "Tg"),
        ("élan", "Él"),
        ("…", "?"),
        ("7", "7"),
    ],
)
def test_initials_stand_for_a_name(name: str, letters: str) -> None:
    assert seals.initials(name) == letters


def test_each_side_has_a_shape_of_its_own() -> None:
    shapes = {re.sub(r'class="[^"]*"', "", seals.token("Alice", side)) for side in ("a", "b", "c", "d")}
    assert len(shapes) == 4
