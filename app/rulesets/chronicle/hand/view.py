"""A viewer's view of a fight: everything but other fighters' standing choices (CHR-FLO-09).

Pages take positions and fighters from `fight`, and for the viewer's own fighters every option, with its rating term by
term and the exact odds against each defence of the enemy.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from app.engine.ruleset import Viewer
from app.rulesets.chronicle import wounds as wd
from app.rulesets.chronicle.arms import ARMOUR_NAMES, WEAPONS, item_name
from app.rulesets.chronicle.checks import ways
from app.rulesets.chronicle.hand import defences, effects, legal, many, moves, ratings
from app.rulesets.chronicle.hand.actions import ACTIONS, DEFENCE_NAMES, SKILL_NAMES, SPECIAL, Defence, action_name
from app.rulesets.chronicle.hand.grid import Square, distance_name
from app.rulesets.chronicle.hand.muster import FOES
from app.rulesets.chronicle.hand.names import called
from app.rulesets.chronicle.hand.picture import Picture, picture
from app.rulesets.chronicle.hand.ratings import Rating
from app.rulesets.chronicle.hand.standing import Standing
from app.rulesets.chronicle.hand.state import ARMS, Fight, Fighter, State
from app.rulesets.chronicle.sheets import Sheet


@dataclass(frozen=True, slots=True)
class Against:
    """One defence against one action: its rating, and the number of 640 ways in which the action is strong."""

    defence: Defence
    name: str
    rating: Rating
    strong: int  # of 640
    squares: tuple[Square, ...] = ()  # of a Dodge


@dataclass(frozen=True, slots=True)
class Option:
    """One action against one enemy; `why_not` is the reason why it cannot be ordered now, "" if it can."""

    action: str
    name: str
    target: str  # "" if it needs none
    why_not: str
    rating: Rating | None = None
    against: tuple[Against, ...] = ()
    strong: str = ""  # effects in words
    weak: str = ""


@dataclass(frozen=True, slots=True)
class Variant:
    """All options with one use of the hands: the grip of a two-handed weapon, and the hand whose weapon counts."""

    grip: str
    uses: str
    name: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Attack:
    """An action against one of mine that waits for a defence."""

    id: str  # "<attacker>:<victim>"
    attacker: str
    victim: str
    action: str
    rating: Rating
    defences: tuple[Against, ...]  # the legal ones; empty: undefended


@dataclass(frozen=True, slots=True)
class Moving:
    """The current move, and its possible squares."""

    who: str
    by: str  # who chooses
    why: str
    squares: tuple[Square, ...]
    usual: Square | None  # the default; None for other viewers, since it would reveal standing choices


@dataclass(frozen=True, slots=True)
class Who:
    """A fighter in words, for tokens, lists and the body picture."""

    key: str
    name: str
    side: str
    mine: bool
    able: bool
    gone: str
    combat: int
    square: Square
    weapon: str
    right: str
    left: str
    armour: str
    conditions: tuple[str, ...]  # PRONE, HELD by Bert, …
    wounds: tuple[str, ...]
    penalties: tuple[tuple[str, int, int], ...]  # action and skills, amount, last round
    weakening: int
    distances: tuple[tuple[str, int, str], ...]  # enemy, squares, in words


@dataclass(frozen=True, slots=True)
class View:
    phase: str
    round: int
    is_gm: bool
    settings: dict[str, Any]
    fight: Fight
    people: dict[str, Who]
    mine: tuple[str, ...]
    stand: dict[str, Standing]  # of mine
    variants: dict[str, tuple[Variant, ...]] = field(default_factory=dict)  # of mine, while actions are chosen
    attacks: dict[str, tuple[Attack, ...]] = field(default_factory=dict)  # on mine, while defences are chosen
    moving: Moving | None = None
    pairs: tuple[tuple[str, str], ...] = ()  # while pairs are named
    rooms: tuple[int, ...] = ()  # combats that the fighter left over may join
    joins: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of mine: combats and free enemies within reach
    parts: dict[str, tuple[str, ...]] = field(default_factory=dict)  # "<attacker>:<victim>" -> parts to name
    mercy: tuple[str, ...] = ()  # fighters who surrender to mine
    speaks: str = ""  # the seat that names the next pair
    templates: dict[str, Sheet] = field(default_factory=dict)

    def name(self, key: str) -> str:
        return self.fight.fighters[key].name if key in self.fight.fighters else key

    def the(self, key: str) -> str:
        """A name within a sentence: "the brigand", "Mara"."""
        return called(self.fight, key)

    def option(self, key: str, action: str, target: str = "") -> Option | None:
        """An option with the hands as they are now."""
        found = self.variants.get(key, ())
        return next((o for o in found[0].options if (o.action, o.target) == (action, target)), None) if found else None

    @property
    def no_round(self) -> str:
        """The reason why there cannot be another round; "" if there can."""
        return legal.why_no_round(self.fight)

    @property
    def picture(self) -> Picture:
        """The picture of the ground."""
        return picture(self.fight)

    def deeds(self, key: str, hands: int = 0) -> list[tuple[Option, ...]]:
        """The options of one of mine by action, each against every enemy; `hands`: the index of the variant."""
        found: dict[str, list[Option]] = {}
        for option in self.variants[key][hands].options:
            found.setdefault(option.action, []).append(option)
        return [tuple(options) for options in found.values()]

    def suggested(self, key: str) -> tuple[str, str]:
        """A sensible action and its target, so that a GM with many fighters has little to press."""
        may = [o for o in self.variants[key][0].options if not o.why_not]
        first = next((o for o in may if o.action in ("stand", "break-tackle")), None)
        if first:
            return first.action, first.target
        worth = {"quick": 10, "vicious": 12, "controlled": 16}
        foes = [o for o in may if o.against and o.target and self.fight.able(o.target) and o.action in ACTIONS]
        best = max(foes, key=lambda o: worth.get(o.action, 8) * min(a.strong for a in o.against), default=None)
        return (best.action, best.target) if best else ("wait", "")

    def joining(self, key: str) -> str:
        """The combat, or the free enemy, that a GM's fighter joins unless the GM changes it; "" for none."""
        return next(iter(self.joins.get(key, ())), "") if self.is_gm else ""

    def deed(self, action: str) -> str:
        """An action's name."""
        return action_name(action)

    def usual(self, key: str) -> tuple[dict[str, Defence], Square | None]:
        """The default defences of one of mine: by attacker, and the square of a Dodge."""
        if self.phase == "dodge":
            return defences.elsewhere(defences.again(self.fight, key), self.stand[key], key)
        return defences.usual(self.fight, self.stand[key], key)

    def best(self, key: str) -> tuple[dict[str, Defence], Square | None]:
        """The defences with the best chances of one of mine, which forms suggest; preferred ones come first."""
        return defences.usual(self.fight, self.stand[key], key, moving=True)


def view(state: State, viewer: Viewer) -> View:
    """The fight for this viewer."""
    fight, phase = _unnumbered(state.fight), state.fight.phase
    mine = tuple(key for key, one in fight.fighters.items() if one.seat in viewer.seats)
    stand = {key: state.stands(key) for key in mine}
    left = many.left_over(fight) if phase == "pair" and not many.pairs(fight) else ""
    return View(
        phase=phase,
        round=fight.round,
        is_gm=viewer.gm,
        settings=fight.settings.model_dump(),
        fight=fight,
        people={key: _who(fight, one, key in mine) for key, one in fight.fighters.items()},
        mine=mine,
        stand=stand,
        variants={key: variants(fight, key) for key in mine if legal.acts(fight, key)} if phase == "act" else {},
        attacks=_attacks(fight, mine),
        moving=_moving(state, fight, mine),
        pairs=tuple(many.pairs(fight)) if phase == "pair" else (),
        rooms=tuple(many.rooms(fight, left, fight.combats)) if left else (),
        joins={key: many.ways_in(fight, key) for key in many.joining(fight) if key in mine} if phase == "join" else {},
        parts=_parts(fight, mine),
        mercy=tuple(key for key in fight.orders if fight.orders[key].surrender) if phase == "mercy" else (),
        speaks=many.speaker(fight, many.turn(fight)) if phase == "pair" else "",
        templates=dict(FOES) if viewer.gm else {},
    )


def _unnumbered(fight: Fight) -> Fight:
    """The public part without the numbers of events: gaps in them would reveal how many standing choices there are."""
    orders = {key: replace(order, number=0, cause=0) for key, order in fight.orders.items()}
    return replace(fight, orders=orders, contests={})


def variants(fight: Fight, key: str) -> tuple[Variant, ...]:
    """Options with the hands as they are first, then with another grip or the other hand's weapon."""
    one = fight[key]
    armed = [arm for arm in ARMS if one.holds(arm) in WEAPONS and one.arm_able(arm) and not fight.busy(key, arm)]
    ways = [(one.grip, one.uses)]
    uses = [arm for arm in armed if arm != fight.weapon_arm(key)]
    ways += [(one.grip, arm) for arm in uses]
    if fight.weapon(key).hands == 2:
        ways.append(("one" if one.grip == "two" else "two", one.uses))
    made = []
    for grip, hand in ways:
        seen = legal.with_hands(fight, key, (), grip, hand)
        hands = " in one hand" if seen.one_handed(key) else " in both hands" if seen.two_hands(key) else ""
        made.append(Variant(grip, hand, f"{seen.weapon(key).name}{hands}", tuple(_options(seen, key))))
    return tuple(made)


def _options(fight: Fight, key: str) -> list[Option]:
    found = []
    for foe in fight.foes(key):
        for what, made in ACTIONS.items():
            reason = legal.why_not(fight, key, what, foe.key)
            rating = ratings.action(fight, key, what, foe.key)
            against = _against(fight, foe.key, key, what, rating)
            found.append(Option(what, made.name, foe.key, reason, rating, against, *made.does))
    for what, (name, _) in SPECIAL.items():
        for target in _special_targets(fight, key, what):
            reason = legal.why_not(fight, key, what, target)
            rating, against = None, ()
            if what in ("break-hold", "break-tackle"):
                rated = "hold" if what == "break-hold" else "tackle"
                rating, held = ratings.breaking(fight, key, rated), ratings.breaking(fight, target, rated)
                against = (Against("none", ACTIONS[rated].name, held, ways(rating.total, held.total)),)
            found.append(Option(what, name, target, reason, rating, against))
    return found


def _special_targets(fight: Fight, key: str, what: str) -> list[str]:
    if what in ("break-hold", "break-tackle"):
        kind = "held" if what == "break-hold" else "tackled"
        return [grip.holder for grip in fight.grips_on(key) if grip.kind == kind]
    if what == "kill":
        return [foe.key for foe in legal.victims(fight, key)]
    return [""]


def _against(fight: Fight, victim: str, attacker: str, what: str, mine: Rating) -> tuple[Against, ...]:
    """Every defence the victim has now, or none, with the odds of the strong effect."""
    found: list[Against] = []
    for how in legal.defences(fight, victim, attacker, what) or ["none"]:
        theirs = ratings.defence(fight, victim, how, attacker, what)
        strong = 640 if fight.helpless(victim) else ways(mine.total, theirs.total)
        squares = tuple(legal.dodge_squares(fight, victim, attacker)) if how == "dodge" else ()
        found.append(Against(how, DEFENCE_NAMES[how], theirs, strong, squares))
    return tuple(found)


def _attacks(fight: Fight, mine: tuple[str, ...]) -> dict[str, tuple[Attack, ...]]:
    if fight.phase not in ("defend", "dodge"):
        return {}
    found = {}
    for key in mine:
        seen = defences.again(fight, key) if key in fight.contested else fight
        made = []
        for order in legal.attacks_on(seen, key):
            rating = ratings.action(seen, order.who, order.action, key)
            against = _against(seen, key, order.who, order.action, rating)
            made.append(Attack(f"{order.who}:{key}", order.who, key, order.action, rating, against))
        if made:
            found[key] = tuple(made)
    return found


def _moving(state: State, fight: Fight, mine: tuple[str, ...]) -> Moving | None:
    if fight.phase not in ("foot", "free", "move") or not fight.work:
        return None
    move = fight.work[0]
    by = moves.chooser(move)
    usual = moves.usual(fight, state.stands(by), move) if by in mine else None
    return Moving(move.who, by, move.why, tuple(moves.options(fight, move)), usual)


def _parts(fight: Fight, mine: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    if fight.phase == "protect":
        orders = [order for order in effects.protectors(fight) if order.target in mine]
        return {f"{order.who}:{order.target}": wd.PARTS for order in orders}
    if fight.phase == "pick":
        picks = [(who, order) for who, order in effects.pickers(fight) if who in mine]
        return {f"{order.who}:{order.target}": tuple(effects.parts(fight, order)) for _, order in picks}
    return {}


def _who(fight: Fight, one: Fighter, mine: bool) -> Who:
    key = one.key
    return Who(
        key=key,
        name=one.name,
        side=one.side,
        mine=mine,
        able=fight.able(key),
        gone=one.gone,
        combat=one.combat,
        square=one.at,
        weapon=fight.weapon(key).name,
        right=item_name(one.right),
        left=item_name(one.left),
        armour=ARMOUR_NAMES[one.armour],
        conditions=tuple(_conditions(fight, key)),
        wounds=wd.words(one.wounds),
        penalties=tuple(
            (
                f"{ACTIONS[p.action].name}: {', '.join(SKILL_NAMES[skill] for skill in p.on) or 'all defences'}",
                p.amount,
                p.since + 2,
            )
            for p in one.penalties
        ),
        weakening=one.weakening,
        distances=tuple(
            (foe.key, fight.distance(key, foe.key), distance_name(fight.distance(key, foe.key)))
            for foe in fight.foes(key)
        ),
    )


def _conditions(fight: Fight, key: str) -> list[str]:
    found = ["PRONE"] if fight.prone(key) else []
    found += [f"{grip.kind.upper()} by {called(fight, grip.holder)}" for grip in fight.grips_on(key)]
    if fight.helpless(key):
        found.append("Helpless")
    elif fight.down(key):
        found.append("Down")
    return found
