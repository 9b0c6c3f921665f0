"""The board of a skirmish: cards that do not overlap, and everybody inside the card of their zone."""

from itertools import combinations
from typing import Any

import pytest

from app.engine.ruleset import GM, Brief, Seat, Setup
from app.rulesets.skirmish.fight.settings import Settings
from app.rulesets.skirmish.fight.state import State, start
from app.rulesets.skirmish.sheet.foe_templates import TEMPLATES
from app.rulesets.skirmish.sheet.sheets import Sheet
from app.rulesets.skirmish.sheet.sketch import parse, write
from app.rulesets.skirmish.view.picture import Picture, draw

FIELDS = {
    "one zone": "Hall",
    "a chain of twelve": "\n".join(f"Z{n} -- Z{n + 1}" for n in range(1, 12)),
    "a star of eleven": "\n".join(f"Hub -- Z{n}" for n in range(11)),
    "a ring of six": "\n".join(f"Z{n} -- Z{(n + 1) % 6}" for n in range(6)),
    "a grid of twelve": "\n".join(
        [f"Z{x}{y} -- Z{x + 1}{y}" for x in range(3) for y in range(3)]
        + [f"Z{x}{y} ~~ Z{x}{y + 1}" for x in range(4) for y in range(2)]
    ),
    "all kinds of boundaries": "Yard (8): smoke, slow\nGate: cover, trapped, hazard fire d6\nYard -- Gate\n"
    "Gate || Vault\nGate -> Moat\nMoat ~~ Yard",
    "two rooms with all to all": "A -- B\nA -- C\nA -- D\nB -- C\nB -- D\nC -- D",
}


def fight(sketch: str, foes: int = 6) -> State:
    """Two characters in the first zone, and bandits in the last."""
    zones = parse(sketch)
    bandits = [TEMPLATES["bandit"].foe(f"bandit-{n}", f"Bandit {n}").model_dump(mode="json") for n in range(foes)]
    given: Any = {"zones": [zone.model_dump(mode="json") for zone in zones], "foes": bandits, "at_once": True}
    seats = {Seat("ann"): ("ann",), Seat("bea"): ("bea",), GM: ()}
    brief = Brief(kind="skirmish", title="A test", seats=seats, given=given)
    sheets = {key: Sheet(name=key.title()) for key in ("ann", "bea")}
    return start(Setup(brief=brief, settings=Settings(), sheets=sheets, kept={}))


def overlap(picture: Picture) -> list[tuple[str, str]]:
    return [
        (a.key, b.key)
        for a, b in combinations(picture.cards, 2)
        if a.x < b.x + b.wide and b.x < a.x + a.wide and a.y < b.y + b.high and b.y < a.y + a.high
    ]


@pytest.mark.parametrize("sketch", FIELDS.values(), ids=FIELDS)
@pytest.mark.parametrize("foes", [1, 6, 14, 30])
def test_cards_keep_apart_and_hold_everybody(sketch: str, foes: int) -> None:
    state = fight(sketch, foes)
    picture = draw(state)
    assert overlap(picture) == []
    cards = {card.key: card for card in picture.cards}
    for card in picture.cards:
        assert card.x >= 0 and card.x + card.wide <= picture.width
        assert card.y >= 0 and card.y + card.high <= picture.height
    assert {token.key for token in picture.tokens} == set(state.combatants)
    for token in picture.tokens:
        card = cards[state.combatants[token.key].zone]
        half = 26 * token.size // 100
        assert card.x <= token.x - half and token.x + half <= card.x + card.wide
        assert card.y + 21 <= token.y - half and token.y + token.bar_y <= card.y + card.high
    for a, b in combinations(picture.tokens, 2):
        far = 42 * max(a.size, b.size) // 100
        assert abs(a.x - b.x) >= far or abs(a.y - b.y) >= far, (a, b)


@pytest.mark.parametrize("sketch", FIELDS.values(), ids=FIELDS)
def test_the_company_begins_at_the_left_and_the_same_field_looks_the_same(sketch: str) -> None:
    state = fight(sketch)
    picture = draw(state)
    first = next(card for card in picture.cards if card.key == state.start_zone)
    assert all(first.x <= card.x for card in picture.cards)
    assert draw(fight(write(parse(sketch)))) == picture


def test_those_who_are_close_stand_next_to_each_other() -> None:
    state = fight(FIELDS["one zone"], 5)
    state.close = [("ann", "bandit-3"), ("bea", "bandit-1")]
    picture = draw(state)
    for a, b in state.close:
        one, other = (next(token for token in picture.tokens if token.key == key) for key in (a, b))
        between = [t for t in picture.tokens if t.y == one.y and min(one.x, other.x) < t.x < max(one.x, other.x)]
        assert one.y == other.y and not between
    assert {(tie.a, tie.b) for tie in picture.ties} == set(state.close)


def test_boundaries_say_what_they_are() -> None:
    found = {(edge.a, edge.b): edge.way for edge in draw(fight(FIELDS["all kinds of boundaries"])).edges}
    assert found == {
        ("yard", "gate"): "open",
        ("gate", "vault"): "closed",
        ("gate", "moat"): "oneway",
        ("yard", "moat"): "hindered",
    }


def test_a_name_alone_in_its_row_is_written_out() -> None:
    state = fight("Yard -- Gallery", foes=1)
    state.combatants["bandit-0"].name = "Bandit archer"
    (label,) = [token.label for token in draw(state).tokens if token.key == "bandit-0"]
    assert label == "Bandit archer"
