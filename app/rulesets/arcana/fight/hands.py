"""Hands: drawing, changing, picking up; the wand in the dominant hand (ARC-95, ARC-147, ARC-167)."""

from app.rulesets.arcana.fight.state import Fighter, Lying, State
from app.rulesets.arcana.rules.book import ARMOUR, WEAPONS, Weapon
from app.rulesets.arcana.rules.grid import within
from app.rulesets.arcana.rules.items import DRAUGHTS
from app.rulesets.arcana.sheet.body import Body

Hands = tuple[str, str]
"""Contents of the dominant and the other hand; a two-handed weapon is in both."""

BODILY = ("natural", "unarmed")  # classes of weapons that need no hand
WAND = "wand"


def first(body: Body) -> Hands:
    """Returns the initial hands: a caster's wand, else the first weapon; a shield, else the next one-handed weapon."""
    arms = [key for key, one in body.weapons.items() if one.group not in BODILY]
    if body.shield:
        arms = [key for key in arms if body.weapons[key].hands == 1]
    main = WAND if WAND in arms and body.spells else next(iter(arms), "")
    if main and body.weapons[main].hands == 2:
        return main, main
    spare = (key for key in arms if key != main and body.weapons[key].hands == 1)
    return main, body.shield or next(spare, "")


def holding(one: Fighter) -> Hands:
    """Returns the current hands, without things that are no longer carried."""
    main, other = one.hands or first(one.body)
    weapons, shield = one.body.weapons, one.body.shield
    return main if main in weapons or main == shield else "", other if other in weapons or other == shield else ""


def wields(one: Fighter, key: str) -> bool:
    """Whether the weapon can strike now (ARC-167)."""
    weapon = one.body.weapons.get(key)
    return weapon is not None and (weapon.group in BODILY or key in holding(one))


def off_hand(one: Fighter, key: str) -> bool:
    """Whether the weapon is in the non-dominant hand, without the skill for it (ARC-95)."""
    main, other = holding(one)
    return key == other != main and "ambidextrous" not in one.body.skills


def has_wand(one: Fighter) -> bool:
    """Whether a wand is in the dominant hand, or not needed (ARC-147)."""
    if one.body.wandless or "wandless_magic" in one.body.skills:
        return True
    main, other = holding(one)
    return WAND in ((main, other) if "ambidextrous" in one.body.skills else (main,))


def draws(state: State, who: str) -> dict[str, str]:
    """Returns items that a major could take in hand, by id: carried and not in hand, or on the ground within touch."""
    one = state.fighters[who]
    now = holding(one)
    found = {key: arm.name for key, arm in one.body.weapons.items() if arm.group not in BODILY and key not in now}
    if one.slung:
        found[one.slung] = ARMOUR[one.slung].name
    there = {key: arm.name for key, arm in in_reach(state, who).items()}
    there |= {key: DRAUGHTS.get(key, key) for key in things_in_reach(state, who)}
    return found | {key: f"{name}, from the ground" for key, name in there.items()}


def in_reach(state: State, who: str) -> dict[str, Weapon]:
    """Returns weapons on the ground within touch (ARC-26)."""
    return {it.what: it.weapon for it in near(state, who) if it.weapon is not None}


def things_in_reach(state: State, who: str) -> list[str]:
    """Returns other things on the ground within touch (ARC-26)."""
    return [it.what for it in near(state, who) if it.weapon is None]


def near(state: State, who: str) -> list[Lying]:
    """Returns things on the ground within touch, except those put down by combatants hidden from this one."""
    place = state.fighters[who].place
    there = (it for it in state.lying if within(place, it.at, state.settings.touch))
    return [it for it in there if not it.secret or not state.unseen(it.by, who)]


def taken(one: Fighter, key: str, other: bool, weapon: Weapon | None = None) -> Hands:
    """Returns the hands after taking something; a shield goes into the other hand."""
    main, off = holding(one)
    if main == off:
        main = off = ""
    arm = weapon or one.body.weapons.get(key) or WEAPONS.get(key)
    if arm is None:
        return main, key
    if arm.hands == 2:
        return key, key
    if other:
        return main if main != key else "", key
    return key, off if off != key else ""
