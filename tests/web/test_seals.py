"""Seals: one hash, one seal; and nothing of the hash shows in how long its drawing is."""

import os
import xml.etree.ElementTree as ElementTree

import pytest

from app.web.drawing.seals import initials, seal, token


def test_the_same_hash_gives_the_same_seal_and_another_another() -> None:
    one, two = os.urandom(32).hex(), os.urandom(32).hex()
    assert seal("Alice", "sealed", one) == seal("Alice", "sealed", one) != seal("Alice", "sealed", two)


@pytest.mark.parametrize("face", ["sealed", "opened"])
def test_every_hash_is_drawn_at_the_same_length(face: str) -> None:
    drawn = {len(seal("Alice", face, bytes([n] * 32).hex())) for n in range(256)}  # type: ignore[arg-type]
    drawn |= {len(seal("Alice", face, os.urandom(32).hex())) for _ in range(500)}  # type: ignore[arg-type]
    assert len(drawn) == 1


@pytest.mark.parametrize("face", ["awaited", "sealed", "taken", "opened", "absent", "draft"])
def test_a_seal_is_well_formed_whatever_the_name(face: str) -> None:
    for name in ("Alice", '<script>"&', "", "é́", "7", "🗡 Sting", "x" * 1000):
        tree = ElementTree.fromstring(str(seal(name, face)).replace("<svg ", '<svg xmlns:x="x" ', 1))  # type: ignore[arg-type]
        assert tree.attrib["role"] == "img" and tree.attrib["aria-label"].startswith(name[:5])
        assert "style" not in str(seal(name, face))  # type: ignore[arg-type]


def test_initials() -> None:
    assert [initials(n) for n in ("Alice", "Axe goblin", "Sir Bob the Bold", "", "!!", "élan")] == [
        "Al", "Ag", "Sb", "?", "?", "Él"
    ]  # fmt: skip
    assert "side-b" in token("Ogre", "b") and "is-down" in token("Ogre", "b", down=True)
