"""Logs of battles and skirmishes: who does what, why each number is, and two fights of a round one after the other."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from markupsafe import Markup

from app.engine.chance import Roll
from app.engine.ruleset import GM, Brief, LoggedEvent, Seat, Setup, Viewer
from app.rulesets import find
from app.rulesets.skirmish.fight import events as ski
from app.rulesets.skirmish.sheet.wording import armed
from app.rulesets.whiskey import events as whi
from app.rulesets.whiskey.film import film
from app.rulesets.whiskey.state import Fight
from app.web.drawing.fights import by_fight
from app.web.drawing.sentences import event_line, event_reason
from app.web.http.templating import environment, ruleset_template

HEROES = {"whiskey": ("alice", "bob", "charlie"), "skirmish": ("maren", "sefton")}
MUSTER = {"whiskey": ("sword-goblin", "axe-goblin"), "skirmish": ("bandit", "wolf")}


def begun(key: str, *, gm: bool = False) -> tuple[Any, Any, Any]:
    """A kind of scene with its first heroes and two foes, its state, and its view."""
    ruleset = find(key)
    kind, heroes = ruleset.kinds[0], ruleset.heroes()
    given = {"muster": [{"kind": one, "count": "1", "shown": "yes"} for one in MUSTER[key]]}
    seats = {Seat(who): (who,) for who in HEROES[key]} | {GM: ()}
    brief = Brief(
        kind=kind.key, title="A fight", seats=seats, given=kind.given.dump_python(kind.given.validate_python(given))
    )
    sheets = {who: heroes[who] for who in HEROES[key]}
    state = kind.start(Setup(brief=brief, settings=ruleset.settings.validate_python({}), sheets=sheets, kept={}))
    return kind, state, kind.view(state, Viewer(seats=frozenset(map(Seat, HEROES[key])), gm=gm))


class Told:
    """The log of a step with these events, each with its rule and the numbers of its causes."""

    def __init__(self, key: str, *events: Any) -> None:
        ruleset = find(key)
        kind, _, view = begun(key)
        told = [one if isinstance(one, tuple) else (one, "", ()) for one in events]
        self.events = tuple(
            SimpleNamespace(number=n, event=event, rule=rule, because=because, step_key="r1")
            for n, (event, rule, because) in enumerate(told, 1)
        )
        chapter = SimpleNamespace(step=SimpleNamespace(key="r1"), events=self.events)
        at = dict(enumerate(self.events, 1))
        self.sight = SimpleNamespace(view=view, chapters=(chapter,), ruleset=ruleset, kind=kind.key, event=at.get)
        template = environment().get_template(ruleset_template(ruleset, kind.key, "log.html"))
        self.words: Any = template.make_module({"sight": self.sight})

    def lines(self) -> list[tuple[Any, Markup]]:
        lines = [(one, event_line(self.words, one, self.sight, None, self.events)) for one in self.events]
        return list(by_fight(self.words, [one for one in lines if one[1]], self.events, self.sight.view.fighters))

    def line(self, number: int) -> str:
        return next(plain(line) for one, line in self.lines() if one.number == number)

    def why(self, number: int) -> str:
        return plain(event_reason(self.words, self.events[number - 1], self.sight, None))


def plain(text: Markup) -> str:
    return " ".join(text.striptags().split())


def attacks(who: str, whom: str) -> whi.Declared:
    return whi.Declared(who, "attack", whom)


def test_two_fights_of_a_round_are_told_one_after_the_other() -> None:
    met = [
        whi.Met(f"{by}>{other}", by, other, "mutual")
        for by, other in (("alice", "sword-goblin"), ("bob", "axe-goblin"))
    ]
    told = Told(
        "whiskey",
        attacks("alice", "sword-goblin"),
        attacks("bob", "axe-goblin"),
        whi.Declared("charlie", "defend", "alice"),
        attacks("sword-goblin", "alice"),
        *met,
        whi.Idle("charlie"),
        whi.RoundOver(1, False, "", ""),
        whi.Shown("bob", True),
    )
    assert [one.number for one, _ in told.lines()] == [1, 3, 4, 5, 7, 2, 6, 8, 9], "guards belong to their wards"
    one_fight = Told(
        "whiskey", attacks("alice", "sword-goblin"), attacks("bob", "sword-goblin"), *met[:1], attacks("charlie", "bob")
    )
    assert [one.number for one, _ in one_fight.lines()] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("intent", "line"),
    [
        ("attack", "The sword goblin reaches Alice and stops that attack."),
        ("advance", "The sword goblin reaches Alice and stops the advance."),
        ("stand", "The sword goblin reaches Alice."),
    ],
)
def test_who_is_reached_is_stopped_only_in_what_they_meant_to_do(intent: str, line: str) -> None:
    met = whi.Met("sword-goblin>alice", "sword-goblin", "alice", "free")
    stopped = whi.Stopped("alice", "sword-goblin")
    told = Told("whiskey", whi.Declared("alice", intent, area="bridge"), met, stopped)
    assert told.line(2) == line


def test_a_battle_says_what_each_number_is() -> None:
    die = Roll(label="WHI-36/die/alice>sword-goblin", size=6, face=3)
    clash = "alice>sword-goblin"
    told = Told(
        "whiskey",
        whi.Worked("alice", "steady-hand"),
        whi.Worked("bob", "battle-chant"),
        whi.Checked(clash, "alice", "sword-goblin", 14, 5, 10, die, True),
        whi.Hit(clash, "alice", "sword-goblin", 3, 1, 3, 3, 0, 9),
        (whi.Changed("sword-goblin", 8, 0, True), "WHI-45", (4,)),
        (whi.Failed("charlie", "mend"), "WHI-25", ()),
        whi.Healed("bob", "charlie", 4, die, "mend"),
        (whi.Changed("bob", 15, 15, False), "WHI-44", (7,)),
    )
    assert "Alice has combat 11 + 2 (Steady hand) + 1 (Bob’s Battle chant) = 14; the card drawn is +5." in told.why(3)
    assert "the sword goblin’s number: combat 10. It is, so Alice hits." in told.why(3)
    assert "for 9: 3 (the weapon) + 1 × 3 (the d6 of this clash) + 3 (cards)" in told.why(4)
    assert "8 − 9 (Alice’s hit) leaves 0 HP." in told.why(5)
    assert "attacked by their own target can’t use a card" in told.why(6)
    assert told.line(7) == "Bob isn’t hurt, so Charlie’s Mend does nothing."
    assert not [line for one, line in told.lines() if one.number == 8], "nothing has changed"


def test_a_skirmish_says_what_each_number_is() -> None:
    def roll(size: int, face: int, label: str = "SKI-36/damage/x") -> Roll:
        return Roll(label=label, size=size, face=face)

    def harm(**given: Any) -> ski.Damage:
        parts: dict[str, Any] = {"enhanced": None, "impaired": None, "bonus": 0, "armor": 0}
        return ski.Damage("bandit", "maren", "shortsword", **{**parts, "roll": roll(6, 6), **given})

    told = Told(
        "skirmish",
        ski.Reacted("bandit>maren", "maren", "bandit", "block", "sealed"),
        ski.Tested("bandit", "maren", "attack", "shortsword", "mgt", 10, (roll(20, 9),), 2),
        (harm(impaired=roll(4, 2), armor=3, total=4, damage=1), "SKI-32", (2, 1)),
        ski.Changed("maren", "hp", 6, 5, True),
        ski.Saved("maren", "critical", "mgt", 9, roll(20, 12), False),
        (harm(total=6, damage=6), "SKI-32", (2,)),
        (ski.Item("maren", "maren-2", "shield", "sacrificed"), "SKI-59", (6,)),
        ski.Declared("sefton", "quick", (ski.Deed("hold"),), "defend", (), "standing", False),
    )
    assert told.line(2) == "The bandit attacks Maren with a shortsword: 9 against MGT 10, a hit, minus Armor."
    assert "up to 5 (half of it) is a full success, up to 10 a partial one" in told.why(2)
    assert told.line(3) == "Maren takes 1 damage (d6 6 − d4 2 − Armor 3)."
    assert "d6 6 is the weapon’s die, d4 2 comes off because Maren blocks, and Maren’s Armor takes off 3." in told.why(
        3
    )
    assert told.line(4) == "Maren is down to 5 HP, from 6."
    assert "has to show 9 or less: Maren’s MGT is 9 after this hit." in told.why(5)
    assert told.line(6).startswith("6 damage would hit Maren"), "the shield takes it"
    assert told.why(8) == "Sefton holds. This was a standing choice."


def test_the_last_fall_of_a_side_has_a_card_for_everybody() -> None:
    kind, state, before = begun("whiskey")
    for key in ("sword-goblin", "axe-goblin"):
        state.fighters[key].hp = 0
    viewer = Viewer(seats=frozenset({Seat("alice")}), gm=False)
    falls = [
        LoggedEvent(number=n, rule="WHI-45", because=(), event=whi.Changed(key, 3, 0, True))
        for n, key in enumerate(("sword-goblin", "axe-goblin"), 1)
    ]
    cards = [card for beat in film(falls, before, kind.view(state, viewer)) for card in beat.cards]
    assert [(card.title, card.event) for card in cards] == [
        ("The sword goblin goes down", 1),
        ("The axe goblin goes down", 2),
        ("Nobody in sight stands against the players", 2),
    ]
    state.fighters["axe-goblin"].hp = 3
    cards = [card for beat in film(falls[:1], before, kind.view(state, viewer)) for card in beat.cards]
    assert len(cards) == 1, "one still stands"


def test_a_hit_without_effect_is_not_drawn() -> None:
    kind, state, _ = begun("whiskey")
    state.last.fights["alice>sword-goblin"] = Fight(
        "alice>sword-goblin", "alice", "sword-goblin", "free", winner="alice", damage=4, cosmetic=True
    )
    seen = Viewer(seats=frozenset(), gm=False)
    assert [clash.damage for clash in kind.view(state, seen).picture.clashes] == [0]
    state.last.fights["alice>sword-goblin"].cosmetic = False
    assert [clash.damage for clash in kind.view(state, seen).picture.clashes] == [4]


def test_a_blow_that_a_shield_took_is_not_drawn() -> None:
    declared = ski.Declared("bandit", "quick", (ski.Deed("attack", "maren"),), "defend", (), "sealed", False)
    die = Roll(label="SKI-36/damage/x", size=6, face=6)
    harm = ski.Damage("bandit", "maren", "shortsword", die, None, None, 0, 6, 0, 6)
    gone = ski.Item("maren", "maren-2", "shield", "sacrificed")
    for events, drawn in (((declared, harm), True), ((declared, harm, (gone, "SKI-59", (2,))), False)):
        sight = Told("skirmish", *events).sight
        template = environment().get_template(ruleset_template(sight.ruleset, sight.kind, "board.html"))
        assert ("−6" in template.render(sight=replace_in(sight, steps=(), is_gm=False))) == drawn


def replace_in(sight: SimpleNamespace, **given: Any) -> SimpleNamespace:
    return SimpleNamespace(**{**vars(sight), **given})


def test_a_defence_that_costs_nothing_stands_in_the_form_and_silence_keeps_the_books() -> None:
    kind, state, view = begun("skirmish")
    state.phase, state.now.turn = "react", 1
    deed = ski.Deed("attack", target="sefton", weapon_name="shortsword")
    for who in ("bandit", "wolf"):
        weapon = state.combatants[who].weapons[0]
        declared = replace(deed, weapon=weapon.key, target="sefton")
        state.now.declared[who] = ski.Declared(who, "quick", (declared,), "defend", (), "sealed", False)
    state.combatants["sefton"].things = [t for t in state.combatants["sefton"].things if t.gear.id != "longbow"]
    found = {one.by: one for one in kind.view(state, Viewer(seats=frozenset({Seat("sefton")}), gm=False)).incoming}
    assert found
    for one in found.values():
        free = {choice.key for choice in one.reactions if "Fatigue" not in choice.words} & {"block", "dodge"}
        assert one.best == (free.pop() if free else "defend") and one.standing == "defend"
    assert {one.best for one in found.values()} > {"defend"}
    ask = SimpleNamespace(kind="react")
    assert kind.default(view, ask).of == {}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("longsword", "a longsword"),
        ("axe", "an axe"),
        ("claws", "claws"),
        ("bare hands", "bare hands"),
        ("mace and dagger", "mace and dagger"),
        ("improvised weapon, small", "a small improvised weapon"),
        ("Moon blade", "Moon blade"),
        ("breath", "its breath"),
    ],
)
def test_what_somebody_attacks_with(name: str, said: str) -> None:
    assert armed(name) == said
