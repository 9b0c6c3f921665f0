"""The book's things against the ledger's tables 3.3, 3.5, 3.8 and 3.9."""

import pytest

from app.rulesets.skirmish.sheet.foe_templates import TEMPLATES
from app.rulesets.skirmish.sheet.gear import ARMOUR, BOOK, SPELLS, UNARMED, WEAPONS, Armour, Weapon
from app.rulesets.skirmish.sheet.generation import KIT_DIE, KITS
from app.rulesets.skirmish.sheet.homebrew import KINDS

TABLE = """
improvised_small d6 fast b breaks 0
improvised_medium d8 balanced b breaks 0
improvised_large d10 slow b breaks 0
sling d6 fast - near 2
short_bow d6 fast p far,bulky 5
longbow d8 fast p far,bulky,heavy1 15
crossbow d8 fast p far,bulky,reload 15
greatbow d10 fast p far,bulky,draw 40
dagger d6 fast p thrown 5
ceremonial_dagger d6 fast p bleed5 10
parrying_dagger d6 fast p counter1 10
rapier d8 balanced p counter2 15
spear d8 balanced p long,push6,thrown 10
war_pick d8 balanced p bleed7 15
pitchfork d10 slow p - 5
boar_spear d10 slow p bulky,long,push7 40
cudgel d6 fast b - 5
simple_staff d6 fast b long 5
sages_staff d6 fast b long,shock6 10
flail d8 balanced b heavy1 30
mace d8 balanced b shock8 15
spiked_mace d8 balanced b shock7 30
maul d10 slow b bulky,shock6 40
warhammer d10 slow b bulky,shock7 20
shortsword d6 fast s - 5
axe d8 balanced s heavy1,thrown 10
longsword d8 balanced s sweep7 10
katana d8 balanced s quick2 30
scimitar d8 balanced s sweep6 15
headsmans_axe d8 balanced s brutal5 30
flamberge d8 balanced s bleed6 30
halberd d8 balanced s bulky,sweep8 30
greataxe d10 slow s bulky,heavy2 20
greatsword d10 slow s bulky,sweep6 20
claws d6 fast s natural 0
bite d8 balanced p natural 0
hooves d6 fast b natural 0
"""
ROWS = {line.split()[0]: line.split()[1:] for line in TABLE.strip().splitlines()}
TRAITS = ("heavy", "sweep", "push", "counter", "brutal", "shock", "bleed", "quick", "magic")
YES = ("breaks", "thrown", "long", "natural", "blast", "special")


def _tags(one: Weapon, *, bulky: bool) -> set[str]:
    """A weapon's tags as the table writes them."""
    said = {name for name in YES if getattr(one, name)} | ({one.ready} - {""}) | ({one.reach} - {"close"})
    said |= {f"{name}{getattr(one, name)}" for name in TRAITS if getattr(one, name)}
    return said | ({"bulky"} if bulky else set())


@pytest.mark.parametrize("key", ROWS)
def test_weapons_are_those_of_the_table(key: str) -> None:
    """Die, speed, type, every tag and the price (SKI-45); slow and bulky ones need both hands and two slots."""
    die, speed, kind, tags, price = ROWS[key]
    weapon, wanted = WEAPONS[key], set(tags.split(",")) - {"-"}
    both = speed == "slow" or "bulky" in wanted
    assert (f"d{weapon.die}", weapon.speed, weapon.type[:1] or "-", weapon.price) == (die, speed, kind, int(price))
    assert _tags(weapon, bulky="bulky" in wanted) == wanted
    assert (weapon.two_handed, weapon.slots) == (both, 0 if weapon.natural else 2 if both else 1)


def test_breath_bare_hands_and_nothing_else() -> None:
    assert set(WEAPONS) == {*ROWS, "breath"}
    breath = WEAPONS["breath"]
    assert (breath.die, breath.speed, breath.reach, _tags(breath, bulky=False)) == (
        10, "", "near", {"near", "natural", "blast", "special"},
    )  # fmt: skip
    assert (UNARMED.die, UNARMED.speed, UNARMED.type) == (4, "fast", "bludgeoning")


def test_armour_is_that_of_the_table() -> None:
    """SKI-58, and 75 % of the price for a repair, rounded up (SKI-62)."""
    assert {key: (one.armor, one.type, one.slots, one.price) for key, one in ARMOUR.items() if not one.natural} == {
        "crude": (1, "light", 2, 3),
        "light": (1, "light", 1, 10),
        "medium": (2, "medium", 2, 30),
        "fine_medium": (2, "medium", 1, 100),
        "heavy": (3, "heavy", 2, 300),
        "shield": (1, "shield", 1, 10),
    }
    assert {key: (one.armor, one.slots) for key, one in ARMOUR.items() if one.natural} == {
        "light_hide": (1, 0), "medium_hide": (2, 0), "scales": (3, 0),
    }  # fmt: skip
    assert [ARMOUR[key].repair for key in ("crude", "light", "medium")] == [3, 8, 23]


def test_spells_take_no_slot_and_have_no_speed() -> None:
    """SKI-82; the fire bolt of table 3.9."""
    bolt = SPELLS["fire_bolt"]
    assert (bolt.spell, bolt.reach, bolt.die, bolt.special) == ("ordinary", "far", 6, True)
    assert {one.spell for one in SPELLS.values()} == {"fast", "ordinary"}
    assert all((one.slots, one.speed, one.melee) == (0, "", False) for one in SPELLS.values())
    assert len(BOOK) == sum(map(len, (WEAPONS, SPELLS, ARMOUR))) + sum(not _armed(one) for one in BOOK.values())


def _armed(one: object) -> bool:
    return isinstance(one, (Weapon, Armour))


FOES = {
    "bandit": (4, (10, 10, 10), "shortsword", ""),
    "guard_captain": (9, (12, 10, 13), "longsword shield medium", "block"),
    "duellist": (8, (10, 14, 12), "rapier light", "parry dodge"),
    "goblin_mob": (6, (8, 12, 8), "shortsword", ""),
    "ogre": (12, (16, 8, 8), "warhammer light_hide", ""),
    "elite_rider": (12, (10, 15, 15), "scimitar longbow medium", "dodge"),
    "dragon": (15, (15, 10, 15), "claws bite breath scales", ""),
    "horse": (3, (16, 12, 5), "hooves", ""),
}


@pytest.mark.parametrize("key", FOES)
def test_foes_are_those_of_the_table(key: str) -> None:
    hp, scores, gear, reactions = FOES[key]
    one = TEMPLATES[key]
    assert (one.hp, (one.mgt, one.agi, one.wil)) == (hp, scores)
    assert [carried.gear for carried in one.gear] == gear.split() and list(one.reactions) == reactions.split()
    assert one.detachment is (key in ("goblin_mob", "dragon"))


def test_everything_of_the_book_exists_and_can_be_said() -> None:
    """No foe and no kit has what the book lacks, and every line about a thing is a sentence."""
    assert set(KITS) == set(range(1, KIT_DIE + 1))
    named = {key for kit in KITS.values() for key in (*(one.gear for one in kit.gear()), *kit.spells)}
    named |= {key for kind in TEMPLATES.values() for key in (*(one.gear for one in kind.gear), *kind.spells)}
    assert named <= set(BOOK)
    for kind in KINDS.values():
        for key, thing in kind.book.items():
            lines = kind.text(thing, {})
            assert lines and all(line[0].isupper() or line[0].isdigit() for line in lines), (key, lines)
            assert all(line.endswith(".") for line in lines), (key, lines)
            stored = kind.adapter.dump_python(thing, mode="json")
            assert kind.adapter.validate_python(stored) == thing
