"""Forms of questions in the middle of a cycle: hits to resist, attacks that a counterspell may meet (ledger 1.2)."""

from dataclasses import dataclass

from app.engine.ifthen import THEM
from app.engine.sentences import and_list, capital
from app.rulesets.arcana.effects.resisting import PRICE, made_of, quickly
from app.rulesets.arcana.fight.counterspells import Coming, aims
from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.roll_parts import Parts, extra_dice_of, total
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.phases import questions
from app.rulesets.arcana.phases.action_phases import next_batch
from app.rulesets.arcana.rules import wording
from app.rulesets.arcana.view import declaration_text
from app.rulesets.arcana.view.view_values import Visible

AVAILS = {
    "half": "you take half of its damage",
    "negate": "it does nothing to you",
    "no_status": "only its damage is left",
    "root_1": "you only cannot move for one cycle",
    "fatigue_2": "it only costs you 2 points of fatigue",
}


@dataclass(frozen=True, slots=True)
class Hit:
    """A spell that hit a combatant of the viewer, who may resist it. `value` is what the Resist has to reach."""

    label: str
    who: str
    spell: str
    name: str
    by: str
    does: str
    avails: str
    value: int
    parts: Parts
    extra_dice: int  # negative: the worst die counts (ARC-92)
    tried: int  # Resists already tried this cycle
    price: int

    @property
    def bonus(self) -> int:
        return total(self.parts)

    @property
    def chance(self) -> float:
        """The probability of success."""
        one_die = min(20, max(0, 21 - (self.value - self.bonus))) / 20
        dice = 1 + abs(self.extra_dice)
        return one_die**dice if self.extra_dice < 0 else 1 - (1 - one_die) ** dice

    @property
    def which_die(self) -> str:
        """Which of several dice counts: ", the better of two"; "" for a single die."""
        if not self.extra_dice:
            return ""
        return (
            f", the {'better' if self.extra_dice > 0 else 'worse'} of {'two' if abs(self.extra_dice) == 1 else 'three'}"
        )


def resists(state: State, mine: tuple[str, ...]) -> tuple[Hit, ...]:
    """Returns hits on the viewer's combatants that wait for an answer, in the answers' order (ARC-124, ARC-127)."""
    batch = next_batch(state)
    found: list[Hit] = []
    for label, who, key in questions.resists(state, batch):
        spell = state.spell(key)
        flight = next(one for one in batch if label.startswith(f"{one.label}>"))
        if who not in mine or spell is None or spell.resist is None:
            continue
        one, caster = state.fighters[who], state.fighters[flight.who]
        parts, ways = made_of(one, spell.resist, quick=quickly(state, flight, spell))
        found.append(
            Hit(
                label=label, who=who, spell=key, name=spell.name,
                by="" if flight.sprung or state.unseen(flight.who, who) else flight.who,
                does=wording.spell(spell, caster.body.level), avails=AVAILS[spell.resist.on_success],
                value=caster.body.resist_dv, parts=parts, extra_dice=extra_dice_of(ways, state.settings),
                tried=one.resists, price=PRICE,
            )
        )  # fmt: skip
    return tuple(found)


def coming(state: State, who: str) -> Coming:
    """Returns the attacks that a combatant's counterspell may meet, without those of unknown attackers (ARC-55)."""
    return {key: found for key in state.fighters if not state.unseen(key, who) and (found := aims(state, who, key))}


def incoming(view: Visible, who: str) -> tuple[str, ...]:
    """Returns the attackers of a combatant, in words: "The troll casts Mend on Ada"."""
    acts = {
        key: [_act(view, key, number, who) for number in found]
        for key, found in view.coming.get(who, {}).items()
        if key in view.people
    }
    return tuple(
        f"{capital(view.the(key))} {and_list(declaration_text.action(view, key, action) for action in found)}"
        for key, found in acts.items()
    )


def _act(view: Visible, key: str, number: int, who: str) -> Action:
    """One action by its position; an if-then's “them” becomes the combatant it is aimed at."""
    turn = view.people[key].turn
    action = (*turn.plain(), *turn.guarded())[number]
    return action.model_copy(update={"target": who}) if action.target == THEM else action
