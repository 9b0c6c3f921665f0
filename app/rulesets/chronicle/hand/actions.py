"""Actions and defences of tables 3.1 and 3.2: their ratings, the defences against them, their effects."""

from dataclasses import dataclass
from typing import Literal

from app.rulesets.chronicle.wounds import PARTS

Skill = Literal["C", "F", "V", "S"]
Defence = Literal["dodge", "parry", "strength", "mind", "none"]

SKILL_NAMES: dict[Skill, str] = {"C": "Control", "F": "Fighting Mind", "V": "Speed", "S": "Strength"}
LIMBS_AND_HEAD = tuple(part for part in PARTS if part != "body")  # the parts next to the body (CHR-ACT-09)
DEFENCE_NAMES: dict[Defence, str] = {
    "dodge": "Dodge",
    "parry": "Parry",
    "strength": "Strength",
    "mind": "Fighting Mind",
    "none": "Undefended",
}
LASTS = 2  # rounds that a penalty lasts after the one in which it was inflicted (CHR-RND-11)


@dataclass(frozen=True, slots=True)
class Action:
    """One way to act against an enemy. `choice`: the skills its rating may be computed from, the default first."""

    key: str
    name: str
    rule: str
    choice: tuple[Skill, ...]
    base: int
    against: tuple[Defence, ...]
    attack: bool = False  # one of the three Attack Actions: armour counts (CHR-ACT-27)
    near: bool = False  # always at Dagger distance; else at the weapon's
    grapple: bool = False  # needs a free hand (CHR-ACT-32)
    hits: tuple[Skill, ...] = ()  # skills of the victim that suffer
    strong: int = 0  # penalty on `hits`
    weak: int = 0
    own: int = 0  # penalty on all of the attacker's defences if weak
    does: tuple[str, str] = ("", "")  # strong and weak effect in words


_FULL: tuple[Defence, ...] = ("dodge", "parry")
ACTIONS: dict[str, Action] = {
    action.key: action
    for action in (
        Action(
            "quick", "Quick Attack", "CHR-ACT-01", ("V", "S"), 0, _FULL, attack=True, own=-2,
            does=("one Minor wound: they protect one part, you choose one of the other five",
                  "one Minor wound where they choose; −2 on your defences for two rounds"),
        ),
        Action(
            "vicious", "Vicious Attack", "CHR-ACT-05", ("S",), -1, _FULL, attack=True, own=-4,
            does=("on a random part, two Minor wounds or (1 in 3) a Major wound", "−4 on your defences for two rounds"),
        ),
        Action(
            "controlled", "Controlled Attack", "CHR-ACT-11", ("C", "V"), -2, _FULL, attack=True, own=-4,
            does=("a Major wound where you choose", "−4 on your defences for two rounds"),
        ),
        Action(
            "tackle", "Tackle", "CHR-ACT-15", ("F", "S"), -1, ("mind", "strength"), near=True, grapple=True,
            hits=("C", "V", "S"), weak=-1, own=-3,
            does=("they are TACKLED", "−1 on their Control, Speed and Strength and −3 on your defences for two rounds"),
        ),
        Action(
            "bash", "Bash", "CHR-ACT-18", ("S",), 0, _FULL, hits=("C", "S"), strong=-3, weak=-1,
            does=("−3 on their Control and Strength for two rounds", "−1 on their Control and Strength for two rounds"),
        ),
        Action(
            "flurry", "Flurry", "CHR-ACT-19", ("V",), 0, _FULL, hits=("F", "C"), strong=-3, weak=-1,
            does=("−3 on their Fighting Mind and Control for two rounds",
                  "−1 on their Fighting Mind and Control for two rounds"),
        ),
        Action(
            "feint", "Feint", "CHR-ACT-20", ("F", "V"), 0, ("mind",), hits=("F", "V"), strong=-3, weak=-1,
            does=("−3 on their Fighting Mind and Speed for two rounds",
                  "−1 on their Fighting Mind and Speed for two rounds"),
        ),
        Action(
            "hold", "Hold", "CHR-ACT-21", ("C", "S"), 0, _FULL, near=True, grapple=True,
            hits=("V", "S"), weak=-1,
            does=("they are HELD", "−1 on their Speed and Strength for two rounds"),
        ),
        Action(
            "push", "Push", "CHR-ACT-22", ("S",), 0, ("dodge", "strength"), near=True,
            hits=("C", "F"), strong=-3, weak=-1,
            does=("they move one square away; −3 on their Control and Fighting Mind for two rounds",
                  "−1 on their Control and Fighting Mind for two rounds"),
        ),
        Action(
            "trip", "Trip", "CHR-ACT-26", ("C",), 0, ("dodge", "strength"), hits=("F", "V"), strong=-3, weak=-1,
            does=("they are PRONE; −3 on their Fighting Mind and Speed for two rounds",
                  "−1 on their Fighting Mind and Speed for two rounds"),
        ),
    )
}  # fmt: skip

SPECIAL: dict[str, tuple[str, str]] = {  # name, rule
    "wait": ("Wait", "CHR-RND-14"),
    "stand": ("Stand Up", "CHR-ACT-28"),
    "break-hold": ("Break Hold", "CHR-ACT-29"),
    "break-tackle": ("Break Tackle", "CHR-ACT-30"),
    "kill": ("Killing Blow", "CHR-WND-09"),
    "ready": ("Ready", "CHR-ACT-34"),
    "flee": ("Flee", "CHR-ACT-35"),
}
CHOICES: dict[str, tuple[Skill, Skill]] = {  # locked before the fight (CHR-RND-03), the default first
    "footwork": ("V", "F"),
    "quick": ("V", "S"),
    "controlled": ("C", "V"),
    "tackle": ("F", "S"),
    "feint": ("F", "V"),
    "hold": ("C", "S"),
    "parry": ("C", "F"),
}


def action_name(key: str) -> str:
    return ACTIONS[key].name if key in ACTIONS else SPECIAL[key][0] if key in SPECIAL else key


def action_rule(key: str) -> str:
    return ACTIONS[key].rule if key in ACTIONS else SPECIAL[key][1]
