"""Every rating of a fight as a sum with readable terms: skills, locked choices, arms, distance, penalties."""

from app.engine.frozen import frozen
from app.rulesets.chronicle.arms import ARMOUR, ARMOUR_NAMES, HANDS, ONE_HANDED, SHIELD_PARRY, Weapon
from app.rulesets.chronicle.hand.actions import ACTIONS, CHOICES, SKILL_NAMES, Action, Defence, Skill, action_name
from app.rulesets.chronicle.hand.grid import distance_name
from app.rulesets.chronicle.hand.state import Fight, Fighter

HEAD, GRIPPED, OFF_DISTANCE = -2, -2, -1


@frozen()
class Term:
    """One number of a sum, its source in words, and its rule."""

    words: str
    amount: int
    rule: str


@frozen()
class Rating:
    """No rating has a floor (CHR-RND-16)."""

    total: int
    terms: tuple[Term, ...]


def rated(terms: list[Term]) -> Rating:
    """A sum; terms of 0 are left out, except the first."""
    kept = tuple(term for number, term in enumerate(terms) if term.amount or not number)
    return Rating(sum(term.amount for term in kept), kept)


def skill(fight: Fight, key: str, which: Skill) -> list[Term]:
    """A skill with all that lowers it: conditions, head wounds and penalties (CHR-RND-12)."""
    one = fight[key]
    terms = [Term(SKILL_NAMES[which], one.skills[which], "CHR-RND-01")]
    if fight.held(key) and which in "VS":
        terms.append(Term("HELD", GRIPPED, "CHR-CND-02"))
    if fight.tackled(key) and which in "CVS":
        terms.append(Term("TACKLED", GRIPPED, "CHR-CND-04"))
    if head := one.wounds.head.minor:
        flat = fight.settings.wounds_head_stack == "flat"
        terms.append(Term("Minor wounds of the head", HEAD * (1 if flat else head), "CHR-WND-06"))
    return terms + penalties(fight, one, which)


def penalties(fight: Fight, one: Fighter, which: Skill | None) -> list[Term]:
    """The penalties on a skill this round; None: on all defences (CHR-RND-13)."""
    found = [
        Term(_penalty_words(p.action, p.since), p.amount, "CHR-RND-11")
        for p in one.penalties
        if p.active(fight.round) and (which in p.on if which else not p.on)
    ]
    if fight.settings.penalties_stack == "max" and found:
        return [min(found, key=lambda term: term.amount)]  # CHR-RND-13
    return found


def _penalty_words(action: str, since: int) -> str:
    return f"{action_name(action)} of round {since}"


def chosen(fight: Fight, key: str, what: str, options: tuple[Skill, ...]) -> Skill:
    """The locked choice behind a rating, or the only skill (CHR-RND-02, CHR-RND-04)."""
    return fight[key].choices.get(what, options[0]) if what in CHOICES else options[0]


def footwork(fight: Fight, key: str) -> Rating:
    """CHR-FTW-04."""
    return rated(skill(fight, key, chosen(fight, key, "footwork", CHOICES["footwork"])))


def reach(fight: Fight, key: str, action: str) -> int:
    """The distance at which an action is at home: Dagger for grapples and Push, else the weapon's."""
    near = action in ACTIONS and ACTIONS[action].near
    return 1 if near or fight.armless(key) else fight.weapon(key).distance


def action(fight: Fight, key: str, what: str, target: str) -> Rating:
    """The rating of an action against that target now."""
    one, made = fight[key], ACTIONS[what]
    terms = skill(fight, key, chosen(fight, key, what, made.choice))
    terms.append(Term(made.name, made.base, made.rule))
    terms.append(_weapon(fight, key, made, fight[target]))
    if fight.one_handed(key):
        terms.append(Term("Two-handed weapon in one hand", ONE_HANDED, "CHR-EQP-02"))
    d = fight.distance(one.key, target)
    if d != reach(fight, key, what):
        terms.append(Term(f"At {distance_name(d)}", OFF_DISTANCE, "CHR-FTW-08"))
    return rated(terms)


def _weapon(fight: Fight, key: str, made: Action, victim: Fighter) -> Term:
    """The weapon's bonus on attacks; with the setting `all`, on every action at the weapon's distance (CHR-EQP-03)."""
    weapon = fight.weapon(key)
    wider = fight.settings.weapons_attack_scope == "all" and not made.near and weapon is not HANDS
    if not (made.attack or wider):
        return Term(weapon.name, 0, "CHR-EQP-03")
    plate = victim.armour == "plate" and weapon.against_plate is not None
    amount = weapon.against_plate if plate and weapon.against_plate is not None else weapon.attacks
    rule = "CHR-EQP-04" if plate else "CHR-EQP-05" if weapon.attacks < -1 else "CHR-EQP-01"
    return Term(weapon.name, amount, rule)


def breaking(fight: Fight, key: str, what: str) -> Rating:
    """The Hold or Tackle rating in a Break check: skills with penalties and one hand, nothing else (CHR-ACT-31)."""
    made = ACTIONS[what]
    terms = skill(fight, key, chosen(fight, key, what, made.choice))
    terms.append(Term(made.name, made.base, made.rule))
    if fight.one_handed(key):
        terms.append(Term("Two-handed weapon in one hand", ONE_HANDED, "CHR-EQP-02"))
    return rated(terms)


def parries_with(fight: Fight, key: str, attacker: str) -> Weapon | str | None:
    """The parrying item: a ready shield, else the weapon; bare hands against bare hands only (CHR-DEF-11, EQP-05)."""
    if fight.shield(key):
        return "shield"
    weapon = fight.weapon(key)
    if weapon is HANDS:
        able = not fight.empty_handed(key)
        return HANDS if able and fight.weapon(attacker) is HANDS and not fight.shield(attacker) else None
    return weapon if weapon.parry is not None else None


def defence(fight: Fight, key: str, how: Defence, attacker: str, what: str) -> Rating:
    """The rating of a defence against that attacker's action now, with everything counted (CHR-DEF)."""
    one, made = fight[key], ACTIONS[what]
    terms = _defence(fight, key, how, attacker)
    if fight.one_handed(key) and how != "none":
        terms.append(Term("Two-handed weapon in one hand", ONE_HANDED, "CHR-EQP-02"))
    if made.attack:
        terms.append(Term(ARMOUR_NAMES[one.armour], ARMOUR[one.armour], "CHR-EQP-07"))
    terms += penalties(fight, one, None)
    terms.append(Term("Weakening", -one.weakening, "CHR-DEF-14"))
    return rated(terms)


def _defence(fight: Fight, key: str, how: Defence, attacker: str) -> list[Term]:
    match how:
        case "dodge":
            return skill(fight, key, "V")
        case "strength":
            return skill(fight, key, "S")
        case "mind":
            return skill(fight, key, "F")
        case "parry":
            return _parry(fight, key, attacker)
        case _:
            return [Term("Undefended", fight.settings.defence_none_rating, "CHR-DEF-17")]


def _parry(fight: Fight, key: str, attacker: str) -> list[Term]:
    terms = skill(fight, key, chosen(fight, key, "parry", CHOICES["parry"]))
    terms.append(Term("Parry", -2, "CHR-DEF-08"))
    tool = parries_with(fight, key, attacker)
    if tool == "shield":
        return [*terms, Term("Shield", SHIELD_PARRY, "CHR-EQP-06")]
    weapon = tool if isinstance(tool, Weapon) else HANDS
    terms.append(Term(weapon.name, weapon.parry or 0, "CHR-EQP-01"))
    d = fight.distance(key, attacker)
    if d != weapon.distance:
        terms.append(Term(f"At {distance_name(d)}", OFF_DISTANCE, "CHR-FTW-08"))
    return terms


def better(skills: dict[Skill, int], what: str) -> Skill:
    """The choice with the higher rating; in a tie, the first one in the book (step B1)."""
    first, second = CHOICES[what]
    return second if skills[second] > skills[first] else first
