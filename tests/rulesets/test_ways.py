"""The ways through scenes that browsers follow, checked without any browser."""

import pytest

from tests.kinds import KINDS, Kind
from tests.ways import LUCKS, WAYS, Way, ask_kinds, luck_of, name_of, reached


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
