"""Many combatants: pairs, first places, joining a combat, who may join one, and splits (CHR-MUL)."""

from app.engine.ruleset import GM
from app.rulesets.chronicle.hand import legal
from app.rulesets.chronicle.hand.grid import SPEAR, Ground, Square, distance
from app.rulesets.chronicle.hand.state import OTHER, Combat, Fight, Side

MOST = 4  # against one (CHR-MUL-01)


def first_side(fight: Fight) -> Side:
    """The side that names the first pair: more people, the best Fighting Mind, its higher sum, side A (CHR-MUL-03)."""
    worth = {}
    for side in OTHER:
        minds = [one.skills["F"] for one in fight.side(side) if fight.able(one.key)]
        worth[side] = (len(minds), max(minds, default=0), sum(minds))
    return "b" if worth["b"] > worth["a"] else "a"


def unpaired(fight: Fight, side: Side) -> list[str]:
    """Able fighters of a side without a combat, in combatant order, except those who wait for a wave."""
    return [
        one.key for one in fight.side(side) if not one.combat and fight.able(one.key) and one.key not in fight.waiting
    ]


def turn(fight: Fight) -> Side:
    """The side whose turn it is to name a pair (CHR-MUL-04)."""
    return fight.first if fight.turn % 2 else OTHER[fight.first]  # a combat with the down may still exist


def pairs(fight: Fight) -> list[tuple[str, str]]:
    """The pairs that the side whose turn it is may name, own fighter first. Empty: a side has none left."""
    side = turn(fight)
    return [(own, other) for own in unpaired(fight, side) for other in unpaired(fight, OTHER[side])]


def left_over(fight: Fight) -> str:
    """The fighter who chooses a combat next, once a side has none left; "": none."""
    left = unpaired(fight, "a") or unpaired(fight, "b")
    return left[0] if left else ""


def rooms(fight: Fight, key: str, among: list[Combat]) -> list[int]:
    """Combats with room for one more of a fighter's side: a third only when all have two, a fourth when all have three.

    CHR-MUL-05, -06. A combat in which the own side is alone against several is left out: that would split it.
    """
    side = fight[key].side
    sizes = {c.number: _able(fight, c, side) for c in among if _able(fight, c, OTHER[side]) == 1}
    return [
        number for number, size in sizes.items() if size < MOST and (size < 2 or all(n >= size for n in sizes.values()))
    ]


def _able(fight: Fight, combat: Combat, side: Side) -> int:
    return sum(fight.able(key) for key in combat.of(side))


def near_combats(fight: Fight, key: str) -> list[int]:
    """Combats that a fighter may join now: an enemy there who defends is within spear distance (CHR-MUL-14)."""
    one = fight[key]
    near = [
        combat
        for combat in fight.combats
        if combat.number != one.combat
        and any(fight.defends(foe) and fight.distance(key, foe) <= SPEAR for foe in combat.of(OTHER[one.side]))
    ]
    sizes = [(c.number, _able(fight, c, one.side), _able(fight, c, OTHER[one.side])) for c in near]
    outnumbered = [number for number, own, foes in sizes if foes > 1 and own >= 1]
    with_the_down = [number for number, own, foes in sizes if foes == 0 and own < MOST]
    return sorted([*rooms(fight, key, near), *outnumbered, *with_the_down])


def near_foes(fight: Fight, key: str) -> list[str]:
    """Enemies without a combat who are near enough to begin one, those who are down included (CHR-WND-11)."""
    return [
        foe.key
        for foe in fight.side(OTHER[fight[key].side])
        if not foe.combat and fight.defends(foe.key) and fight.distance(key, foe.key) <= SPEAR
    ]


def ways_in(fight: Fight, key: str) -> tuple[str, ...]:
    """A fighter's ways into a combat now: its number, or "vs:" and a free enemy's key (CHR-MUL-14)."""
    return (
        *(str(number) for number in near_combats(fight, key)),
        *(f"vs:{foe}" for foe in near_foes(fight, key)),
    )


def split(fight: Fight, combat: Combat) -> list[tuple[int, tuple[str, ...], tuple[str, ...]]]:
    """The combats into which "two and more against many" splits, by nearness, in sizes that differ by one (CHR-MUL-15).

    Everyone of the larger side has an opponent; the first new combat keeps the old number. Empty: no split. Only able
    fighters count; others stay with the nearest combat.
    """
    order = list(fight.fighters)
    a = [key for key in combat.a if fight.able(key)]
    b = [key for key in combat.b if fight.able(key)]
    if min(len(a), len(b)) < 2:
        return []
    many, few = (a, b) if len(a) >= len(b) else (b, a)
    least, more = divmod(len(many), len(few))
    found: dict[str, list[str]] = {key: [] for key in few}
    ways = sorted((distance(fight[m].at, fight[f].at), order.index(m), order.index(f), m, f) for m in many for f in few)
    placed: set[str] = set()
    for _, _, _, one, foe in ways:
        full = len(found[foe]) >= least + (more > 0)
        if one not in placed and not full:
            found[foe].append(one)
            placed.add(one)
            more -= len(found[foe]) > least
    for one in combat.everybody:
        if one not in (*many, *few):
            nearest = min(few, key=lambda foe: (distance(fight[one].at, fight[foe].at), order.index(foe)))
            found[nearest].append(one)
    numbers = [combat.number, *range(fight.combats_ever + 1, fight.combats_ever + len(few))]
    made: list[tuple[int, tuple[str, ...], tuple[str, ...]]] = []
    for number, foe in zip(numbers, sorted(few, key=order.index), strict=True):
        members = sorted([foe, *found[foe]], key=order.index)
        on_a = tuple(key for key in members if fight[key].side == "a")
        made.append((number, on_a, tuple(key for key in members if key not in on_a)))
    return made


def lines(fight: Fight) -> list[tuple[str, Square]]:
    """First squares: combat by combat in lines at spear distance (CHR-MUL-11), or as the ambusher or the GM wants.

    Waiting and free fighters are behind their side. A taken or blocked square is replaced by the nearest free one.
    """
    wished: dict[str, Square] = {}
    y = 0
    for combat in fight.combats:
        many, few = (combat.b, combat.a) if len(combat.b) >= len(combat.a) else (combat.a, combat.b)
        wished |= {key: (fight.gap, y + row) for row, key in enumerate(many)}
        wished |= {key: (0, y + (len(many) - 1) // 2) for key in few}
        y += len(many) + 1
    free = [one for one in fight.fighters.values() if one.here and one.key not in wished]
    for row, one in enumerate(free):
        wished[one.key] = (fight.gap + 4 if one.side == "b" else -4, row)
    wished |= {key: square for key, square in fight.places.items() if key in wished}
    taken: set[Square] = set()
    placed = []
    for key in sorted(wished, key=lambda key: (key not in fight.places, list(fight.fighters).index(key))):
        square = settle(Ground(fight.width, fight.height, frozenset(fight.blocked), taken), wished[key])
        taken.add(square)
        placed.append((key, square))
    return placed


def settle(ground: Ground, wish: Square) -> Square:
    """The free square nearest to a wish: lowest y, then lowest x among equals. The wish itself if none is near."""
    for ring in range(60):
        x, y = wish
        around = (
            (x + dx, y + dy)
            for dy in range(-ring, ring + 1)
            for dx in range(-ring, ring + 1)
            if max(abs(dx), abs(dy)) == ring and ground.free((x + dx, y + dy))
        )
        if found := next(around, None):
            return found
    return wish


def nearest_foe(fight: Fight, square: Square, side: Side) -> int:
    """The distance of the nearest enemy from a square, able enemies before all others; 999 if there is none."""
    here = list(fight.side(OTHER[side]))
    foes = [one for one in here if fight.able(one.key)] or here
    return min((distance(square, foe.at) for foe in foes), default=999)


def speaker(fight: Fight, side: Side) -> str:
    """The seat that speaks for a side: that of its first able fighter."""
    return next((one.seat for one in fight.side(side) if fight.able(one.key)), GM)


def free_people(fight: Fight) -> list[str]:
    """Able fighters without a combat who have an enemy to fight, or to go to."""
    return [key for key, one in fight.fighters.items() if not one.combat and fight.able(key) and _drawn(fight, key)]


def _drawn(fight: Fight, key: str) -> bool:
    """Whether an enemy can act, can be fought from here, or lies out of reach of a Killing Blow."""
    foes = list(fight.side(OTHER[fight[key].side]))
    if any(fight.able(foe.key) for foe in foes) or ways_in(fight, key):
        return True
    return bool(foes) and not legal.victims(fight, key)


def victors(fight: Fight) -> list[str]:
    """Able fighters with no able enemy in their combat, while an enemy is elsewhere (CHR-MUL-09)."""
    return [
        key
        for key, one in fight.fighters.items()
        if one.combat
        and fight.able(key)
        and not any(fight.able(foe.key) for foe in fight.foes(key))
        and any(foe.combat != one.combat for foe in fight.side(OTHER[one.side]))
    ]


def joining(fight: Fight) -> list[str]:
    """Fighters who choose a combat at the start of a round: free ones and victors, in combatant order."""
    found = {*free_people(fight), *victors(fight)}
    return [key for key in fight.fighters if key in found]


def left_lying(fight: Fight) -> bool:
    """Whether only one side can act, and a fighter of the other is down and still defends (CHR-MUL-20)."""
    able = able_sides(fight)
    return len(able) == 1 and any(fight.defends(one.key) for one in fight.side(OTHER[able[0]]))


def able_sides(fight: Fight) -> list[Side]:
    """The sides with somebody who can act, A first."""
    return [side for side in OTHER if any(fight.able(one.key) for one in fight.side(side))]
