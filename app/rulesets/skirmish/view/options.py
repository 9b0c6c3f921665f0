"""What a combatant may choose from in a form, in words: targets with their range, ways, things, reactions."""

from dataclasses import dataclass

from app.engine.ruleset import Viewer
from app.rulesets.skirmish.fight import legal, odds, zones
from app.rulesets.skirmish.fight.incoming import Attack, attacks
from app.rulesets.skirmish.fight.state import Combatant, Possession, State
from app.rulesets.skirmish.sheet.gear import UNARMED, Weapon
from app.rulesets.skirmish.sheet.sheets import REACTION_WORDS, REACTIONS, Reaction
from app.rulesets.skirmish.sheet.wording import readied


@dataclass(frozen=True, slots=True)
class Choice:
    """A thing to choose in a form: its key, and words for it."""

    key: str
    words: str
    why_not: str = ""  # why it can't be chosen now; "": it can
    slow: bool = False  # it takes a full turn


@dataclass(frozen=True, slots=True)
class Reach:
    """A possible target: who, the range in words, and which weapons and spells reach there now."""

    who: str
    range: zones.Range
    steps: int  # zones apart
    weapons: tuple[str, ...]  # keys; "" for bare hands


@dataclass(frozen=True, slots=True)
class Options:
    """What one of the viewer's own combatants may choose from."""

    who: str
    weapons: tuple[Choice, ...]  # in hand, and bare hands: "longsword (d8, balanced)"
    spells: tuple[Choice, ...]
    seconds: tuple[Choice, ...]  # for a second weapon at once
    targets: tuple[Reach, ...]  # every enemy in sight, nearest first
    friends: tuple[str, ...]
    moves: tuple[Choice, ...]  # zones next door, with what bars the way; those first that nothing bars
    beside: tuple[Choice, ...]  # whom a move may end beside: anybody else in sight, with their zone
    items: tuple[Choice, ...]  # to reload, draw, take out, or pick up from this zone
    sacrifices: tuple[Choice, ...]
    reactions: tuple[Choice, ...]  # as a standing order: all that this one could ever use
    odds: tuple[odds.Odds, ...]  # of each weapon, spell and save

    @property
    def reaching(self) -> str | None:
        """The weapon or spell, ready now, that reaches the nearest target that any of them reaches; None: none does."""
        ready = {one.key for one in (*self.weapons, *self.spells) if not one.why_not}
        return next((key for one in self.targets for key in one.weapons if key in ready), None)

    @property
    def usual(self) -> str:
        """The action with which an empty form begins: one that is possible now."""
        if self.reaching is None:
            return "move" if self.targets and self.moves else "hold"
        return "cast" if any(spell.key == self.reaching for spell in self.spells) else "attack"

    @property
    def usual_turn(self) -> str:
        """How long the usual action takes: "quick" or "full"."""
        slow = any(spell.slow for spell in self.spells if spell.key == self.reaching)
        return "full" if slow else "quick"


@dataclass(frozen=True, slots=True)
class Incoming:
    """An attack that is about to be carried out, and the reactions to it."""

    attack: str  # "attacker>target", the key of the form
    by: str
    who: str
    with_name: str
    speed: str
    thrown: bool
    reactions: tuple[Choice, ...]  # with the Fatigue, and what is thrown or shot back, in words
    standing: Reaction
    best: Reaction  # the standing one, else one that costs nothing and only lessens the damage: the form's suggestion


BARS = {
    "way": "the way is closed",
    "slow": "takes a full turn",
    "room": "no room left",
    "prone": "prone",
}


def options(state: State, who: Combatant) -> Options:
    """Everything that one of the viewer's own combatants may choose from."""
    weapons = [(t.key, t.gear) for t in who.weapons if isinstance(t.gear, Weapon)]
    hands = [("", UNARMED)] if all(not gear.natural for _, gear in weapons) else []
    with_spells = [*weapons, *hands, *((spell.id, spell) for spell in who.spells)]
    others = [c for c in state.present() if c.key != who.key]
    return Options(
        who=who.key,
        weapons=tuple(Choice(key, weapon_words(gear), _unready(who, key)) for key, gear in (*weapons, *hands)),
        spells=tuple(
            Choice(spell.id, f"{spell.name} (d{spell.die}, {spell.spell})", slow=spell.slow) for spell in who.spells
        ),
        seconds=tuple(Choice(b, gear.name) for b, gear in weapons if any(legal.dual(who, a, b) for a, _ in weapons)),
        targets=tuple(_reach(state, who, c, with_spells) for c in _nearest(state, who)),
        friends=tuple(c.key for c in others if c.side == who.side),
        moves=_ways(state, who),
        beside=tuple(Choice(c.key, f"{c.name} ({state.zones[c.zone].name})") for c in others),
        items=tuple(_items(state, who)),
        sacrifices=tuple(Choice(t.key, t.gear.name) for t in legal.sacrifices(who, special=False)),
        reactions=tuple(
            Choice(one, REACTION_WORDS[one] + fatigue_words(legal.cost(who, one)))
            for one in REACTIONS
            if one in who.reactions or one == "defend"
        ),
        odds=odds.odds(state, who),
    )


def _ways(state: State, who: Combatant) -> tuple[Choice, ...]:
    found = [
        Choice(zone, state.zones[zone].name, BARS.get(legal.barred(state, who, zone, full=False), ""))
        for zone in zones.neighbours(state.zones, who.zone)
    ]
    return tuple(sorted(found, key=lambda way: way.why_not != ""))


def weapon_words(weapon: Weapon) -> str:
    speed = f", {weapon.speed}" if weapon.speed else ""
    return f"{weapon.name} (d{weapon.die}{speed})"


def fatigue_words(cost: int) -> str:
    return f" ({cost} Fatigue)" if cost else ""


def _unready(who: Combatant, key: str) -> str:
    thing = next((t for t in who.things if t.key == key and t.spent), None)
    return f"{_readying(thing)} it first" if thing is not None else ""


def _readying(thing: Possession) -> str:
    return "reload" if readied(thing.gear) == "loaded" else "draw"


def _nearest(state: State, who: Combatant) -> list[Combatant]:
    """Enemies in sight, the nearest first, then in roster order."""
    far = {"close": 0, "near": 1, "far": 2, "distant": 3}
    return sorted(state.enemies(who), key=lambda c: far[zones.range_of(state, who, c)])


def _reach(state: State, who: Combatant, c: Combatant, weapons: list[tuple[str, Weapon]]) -> Reach:
    apart = zones.distance(state.zones, who.zone, c.zone)
    reaching = tuple(key for key, gear in weapons if zones.in_reach(state, who, c, gear))
    return Reach(c.key, zones.range_of(state, who, c), 9 if apart is None else apart, reaching)


def _items(state: State, who: Combatant) -> list[Choice]:
    found = []
    for thing in who.things:
        if thing.spent and thing.at_hand and isinstance(thing.gear, Weapon):
            found.append(Choice(thing.key, f"{_readying(thing)} the {thing.gear.name}"))
        elif thing.held == "pack" and (isinstance(thing.gear, Weapon) or legal.is_shield(thing.gear)):
            found.append(Choice(thing.key, f"take the {thing.gear.name} in hand"))
    lying = [t for c in state.combatants.values() for t in c.things if t.held == "floor" and t.zone == who.zone]
    return found + [Choice(t.key, f"pick up the {t.gear.name}") for t in lying]


def incoming(state: State, viewer: Viewer) -> tuple[Incoming, ...]:
    """The attacks on the viewer's combatants that they may react to or are asked about (SKI-63)."""
    found: list[Incoming] = []
    for attack in attacks(state):
        target = state.combatants[attack.who]
        if target.seat in viewer.seats and (len(attack.reactions) > 1 or attack.key in state.now.about):
            found.append(_incoming(state, attack, target))
    return tuple(found)


def _incoming(state: State, attack: Attack, target: Combatant) -> Incoming:
    weapon = legal.slower(attack.weapons)
    standing = state.now.declared[attack.who].react if attack.who in state.now.declared else "defend"
    return Incoming(
        attack=attack.key,
        by=attack.by,
        who=attack.who,
        with_name=" and ".join(weapon.name for weapon in attack.weapons),
        speed=weapon.speed,
        thrown=attack.thrown,
        reactions=tuple(Choice(one, _reaction_words(attack, target, one)) for one in attack.reactions),
        standing=standing,
        best=standing if standing != "defend" else _best(attack, target),
    )


def _best(attack: Attack, target: Combatant) -> Reaction:
    """A Block or Dodge without Fatigue, which is Defend and a d4 less damage (SKI-67, SKI-68)."""
    free = (one for one in attack.reactions if one in ("block", "dodge") and not legal.cost(target, one))
    return next(free, "defend")


def _reaction_words(attack: Attack, target: Combatant, reaction: Reaction) -> str:
    """A reaction, its Fatigue, and what fighting back would throw: "Fight Back (1 Fatigue, throws the axe)"."""
    words = fatigue_words(legal.cost(target, reaction))
    if reaction == "fight" and attack.back and attack.back.thrown:
        words = f"{words[:-1]}, throws the {attack.back.weapon.name})"
    return REACTION_WORDS[reaction] + words
