"""Resisting a spell: who tries, the roll, the price (ARC-102, ARC-124 to ARC-127)."""

from app.engine.chance import Chance
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.flight import Flight
from app.rulesets.arcana.fight.roll_parts import Parts, by_ways, ills, only, skill, sways, total
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.rules.book import Cure, Resist, Spell

PRICE = 2  # ARC-125
PASSIVE = 10  # ARC-102


def resister(state: State, spell: Spell, target: str) -> str:
    """Returns who resists: the target, or the combatant that holds it; "": none."""
    if spell.resisted_by == "target" or target not in state.fighters:
        return target
    wanted = {key for one in spell.effect if isinstance(one, Cure) for key in one.ids}
    held = state.fighters[target].statuses
    return next((held[key].by for key in sorted(held) if key in wanted and held[key].by in state.fighters), "")


def may_resist(other: Fighter, spell: Spell) -> bool:
    """Whether a Resist can be tried (ARC-125)."""
    limp = other.has("paralysed") or other.has("unconscious")
    helpless = limp and spell.resist is not None and spell.resist.attr in ("ATH", "FIN")
    return spell.resist is not None and not other.dead and not helpless and other.fp >= PRICE


def resists(other: Fighter, spell: Spell, asked: bool | None = None) -> bool:
    """Whether the target tries, by its own choice; with `ask` and no answer it does (ARC-127)."""
    if not may_resist(other, spell):
        return False
    match other.turn.react.resist:
        case "never":
            return False
        case "list":
            return spell.id in other.turn.react.spells
        case "ask":
            return asked is not False
        case _:
            return True


def unnoticed(state: State, flight: Flight, spell: Spell, target: str) -> bool:
    """Whether an illusion's victim does not know of its caster, so that only a passive Resist applies (ARC-102)."""
    return spell.school == "illusion" and spell.resist is not None and target in flight.unaware


def passive(one: Fighter) -> int:
    """Returns the passive Resist (ARC-102)."""
    return PASSIVE + total(skill(one.body, "SPR", "Endurance"))


def meet(log: FightLog, flight: Flight, spell: Spell, target: str, label: str, chance: Chance) -> str:
    """Rolls the target's Resist, if it tries. Returns the effect of a success; "" for none (ARC-124 to ARC-127)."""
    state, resist = log.state, spell.resist
    who = resister(state, spell, target)
    if resist is None or not who:
        return ""
    value = state.fighters[flight.who].body.resist_dv
    if unnoticed(state, flight, spell, target):
        ok = passive(state.fighters[target]) >= value
        log.emit(
            ev.Resisted(target, spell.id, (), passive(state.fighters[target]), value, ok, passive=True),
            rule="ARC-102", because=(flight.number,),
        )  # fmt: skip
        return resist.on_success if ok else ""
    if not resists(state.fighters[who], spell, state.tried.get(label)):
        return ""
    ok = roll(log, who, spell.id, resist, value, f"ARC-124/resist/{label}", chance,
              quick=quickly(state, flight, spell), because=(flight.number,))  # fmt: skip
    return resist.on_success if ok else ""


def quickly(state: State, flight: Flight, spell: Spell) -> bool:
    """Whether the target has advantage because the spell is a quickspell without an accuracy check (ARC-37)."""
    quick = flight.do == "quickspell" and spell.accuracy == "none"
    return quick and state.settings.quickspell_resist == "advantage"


def made_of(other: Fighter, resist: Resist | None, *, quick: bool) -> tuple[Parts, Parts]:
    """Returns the parts of a Resist's bonus, and its sources of advantage and disadvantage (ARC-92, ARC-126)."""
    own: Parts = skill(other.body, resist.attr, resist.prof) if resist else ()
    tried = (("tried before", -other.resists),) if other.resists else ()
    return (*own, *ills(other), *tried), (*only(("quickspell", int(quick))), *sways(other))


def roll(
    log: FightLog, who: str, about: str, resist: Resist | None, value: int, label: str, chance: Chance, *,
    quick: bool = False, because: tuple[int, ...] = (), rule: str = "ARC-124",
) -> bool:  # fmt: skip
    """Rolls one Resist and charges for a success; returns whether it succeeded (ARC-124 to ARC-126)."""
    other = log.state.fighters[who]
    parts, ways = made_of(other, resist, quick=quick)
    thrown = by_ways(ways, chance, label, log.state.settings)
    ok = thrown.kept + total(parts) >= value
    number = log.emit(
        ev.Resisted(who, about, thrown.rolls, total(parts), value, ok, thrown.kept, parts, ways),
        rule=rule, because=because,
    )  # fmt: skip
    if ok:
        log.emit(ev.Paid(who, min(PRICE, other.fp)), rule="ARC-125", because=(number,))
    return ok
