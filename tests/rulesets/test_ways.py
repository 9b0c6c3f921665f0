"""The ways through scenes that browsers follow, checked without any browser."""

import pytest

from app.engine.wording import in_words
from tests.kinds import KINDS, Kind
from tests.ways import LUCKS, WAYS, Way, ask_kinds, luck_of, name_of, reached, walk


@pytest.mark.parametrize("way", WAYS, ids=name_of)
def test_a_way_leads_to_what_it_is_for(way: Way) -> None:
    """Finds answers that the rules refuse by now, so that a page is never measured any more."""
    some = set().union(*(reached(way, luck) for luck in range(3)))
    assert luck_of(way) is not None, f"not under any of {LUCKS} lucks; often missed: {set(way.to) - some}"


def test_every_ask_is_at_the_end_of_some_way() -> None:
    """Finds an ask whose page no browser measures; kinds of scene that share their declarations share their asks."""

    def led_to(kind: Kind) -> set[str]:
        return {ask for way in WAYS if way.found[1].declaration is kind.declaration for ask in way.to}

    missed = {kind.key: lost for _, kind in KINDS if (lost := ask_kinds(kind) - led_to(kind))}
    assert missed == {}, "write a way in tests/ways.py"
    assert {kind.key for _, kind in KINDS} == {way.kind for way in WAYS}


def test_better_words_are_for_what_some_step_says() -> None:
    """Finds an entry of `SceneKind.words` that no stored text has, mistyped or long gone, or that changes nothing."""
    said: dict[str, set[str]] = {}
    for way in WAYS:
        for _, steps, _ in walk(way, luck_of(way) or 0):
            texts = {text for step in steps for text in (step.title, *(ask.call for ask in step.asks))}
            said.setdefault(way.kind, set()).update(texts)
    for _, kind in KINDS:
        for stored, better in kind.words.items():
            heard = {in_words({stored: better}, text) for text in said[kind.key]} - said[kind.key]
            assert heard, f"{kind.key}: no step says {stored!r}"
            assert not any("<" in text for text in heard), heard
