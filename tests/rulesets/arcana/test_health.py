"""Damage and health: the ledger's examples T15, T16 and T20 to T23."""

import pytest

from app.engine.chance import Roll
from app.rulesets.arcana.effects.health import Healing, Health, Loss, damage, settle, split, times
from app.rulesets.arcana.rules.settings import Settings

BOOK = Settings()


def dice(*faces: int) -> list[Roll]:
    return [Roll(label=f"x/{n}", size=6, face=face) for n, face in enumerate(faces)]


def test_a_critical_die_doubles_or_does_not() -> None:
    """ARC-T15, ARC-110."""
    assert [damage(7, critical=times(dice(face))) for face in (6, 3)] == [14, 7]
    assert times(()) == 1


@pytest.mark.parametrize(("faces", "result"), [((1, 3), 10), ((3, 4), 15), ((2, 5), 15), ((6, 2), 20)])
def test_two_critical_dice_are_added(faces: tuple[int, int], result: int) -> None:
    """ARC-T16, ARC-112."""
    assert damage(5, critical=times(dice(*faces))) == result


def test_damage_is_rounded_once_at_the_end() -> None:
    """ARC-129, ARC-132: 5 × 3, halved, and half as much again is 11.25, not 10."""
    assert damage(5, critical=3, halved=True, suffers=50) == 11
    assert damage(7, halved=True, resists=50) == 1
    assert (damage(9, resists=100), damage(0, critical=4), damage(-3)) == (0, 0, 0)


def test_what_each_type_takes() -> None:
    """ARC-130."""

    def lost(kind: str, fp: int = 20, undead: bool = False) -> Loss:
        return split(5, kind, fp=fp, undead=undead)

    assert lost("fire") == Loss(hp=5, fp=0)
    assert lost("fatigue") == Loss(hp=0, fp=5)
    assert lost("necrotic") == Loss(hp=5, fp=5)
    assert lost("psychic") == Loss(hp=5, fp=2)
    assert [lost("cold", fp) for fp in (20, 3, 0)] == [Loss(hp=0, fp=5), Loss(hp=2, fp=3), Loss(hp=5, fp=0)]
    assert [lost("celestial", undead=undead) for undead in (True, False)] == [Loss(hp=5, fp=0), Loss(hp=0, fp=0)]


MEND = Healing(amount=4, ceiling="3/4")


def test_heal_first() -> None:
    """ARC-T20."""
    healed = settle(11, 20, BOOK, healing=[MEND])
    assert healed.hp == 15
    assert settle(healed.hp, 20, BOOK, harm=5) == Health(hp=10, injured=False)


def test_harm_first() -> None:
    """ARC-T21, ARC-133, ARC-134."""
    hurt = settle(11, 20, BOOK, harm=5)
    assert hurt == Health(hp=6, injured=True, gained=True)
    assert settle(hurt.hp, 20, BOOK, healing=[Healing(amount=4)], injured=True).hp == 10
    assert settle(hurt.hp, 20, BOOK, healing=[Healing(amount=40, ceiling="3/4")], injured=True).hp == 15


def test_in_the_same_instant() -> None:
    """ARC-T22, ARC-15."""
    assert settle(11, 20, BOOK, harm=5, healing=[MEND]) == Health(hp=10, injured=False)


def test_the_ceiling_can_change_the_hp_too() -> None:
    """ARC-T23."""
    draught = Healing(amount=10)
    first = settle(settle(11, 20, BOOK, healing=[draught]).hp, 20, BOOK, harm=5).hp
    second = settle(settle(11, 20, BOOK, harm=5).hp, 20, BOOK, healing=[draught], injured=True).hp
    assert (first, second, settle(11, 20, BOOK, harm=5, healing=[draught]).hp) == (15, 10, 16)


def test_healing_never_lowers_and_never_goes_beyond_the_maximum() -> None:
    """ARC-134."""
    assert settle(17, 20, BOOK, healing=[Healing(amount=2)], injured=True).hp == 17
    assert settle(19, 20, BOOK, healing=[Healing(amount=9)]).hp == 20
    assert settle(9, 20, BOOK, healing=[Healing(amount=9, ceiling="none")], injured=True).hp == 18


def test_exactly_half_is_no_major_injury_and_only_crossing_counts() -> None:
    """ARC-133."""
    assert not settle(20, 20, BOOK, harm=10).injured
    assert settle(20, 21, BOOK, harm=10).gained
    assert not settle(9, 20, BOOK, harm=2).injured, "below half before: nothing is crossed"
    assert not settle(11, 20, Settings(major_injury="off"), harm=5).injured


def test_critical_condition_and_death() -> None:
    """ARC-136, ARC-137."""
    assert [settle(5, 20, BOOK, harm=harm).state for harm in (4, 5, 14, 15)] == ["up", "critical", "critical", "dead"]
    assert settle(-3, 20, BOOK, healing=[Healing(amount=3)], injured=True).state == "critical"
    assert settle(-3, 20, BOOK, healing=[Healing(amount=4)], injured=True).state == "up"
