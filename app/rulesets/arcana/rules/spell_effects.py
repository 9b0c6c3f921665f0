"""The effects of spells as data: each kind of effect, and the shapes of spells (ARC-128 to ARC-164)."""

from functools import cached_property
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from app.rulesets.arcana.rules.amounts import NAMES, Amount, worth
from app.rulesets.arcana.rules.labels import (
    AGAINST,
    AT,
    CEILINGS,
    FORMS,
    GROUPS,
    LONG_NAMES,
    ON_SUCCESS,
    OVERFLOW,
    SHAKEN,
    STATS,
    STOPS,
    THICK,
    UNTIL,
    among,
    said,
)  # fmt: skip
from app.rulesets.arcana.rules.schema import (
    DAMAGE,
    SCHOOLS,
    SKILLED,
    Attribute,
    DamageKey,
    Die,
    Row,
    StatusKey,
    Words,
    spoken,
)


def _dice(text: str) -> str:
    if worth(text) < 0 or worth(text, pp=NAMES["PP"], level=NAMES["level"]) > MOST_DICE:
        raise ValueError(f"From 0 to {MOST_DICE}, even with 20 power points at level 20.")
    return text


def _one_or_chosen(key: str) -> str:
    if key and key not in DAMAGE:
        raise ValueError(f"there is no damage type {key!r}")
    return key


def _discipline(key: str) -> str:
    if key and key not in DISCIPLINES:
        raise ValueError(f"there is no discipline {key!r}")
    return key


DISCIPLINES = {name: school for school, names in SCHOOLS.items() for name in names}
MOST_DICE = 100
DiceNumber = Annotated[Amount, AfterValidator(_dice), said("How many")]
Sides = Annotated[Die, said("Sides per die")]
Fixed = Annotated[Amount, said("plus a fixed number")]
Lasts = Annotated[Amount, said("Cycles", hint="0: for its usual duration.")]
EachCycle = Annotated[bool, said("Repeats each cycle")]
Against = Annotated[Literal["all", "magic"], said("Against", AGAINST)]


class Damage(Row, title="Damage"):
    op: Literal["damage"]
    n: DiceNumber = "0"
    d: Sides = 1
    flat: Fixed = "0"
    type: Annotated[DamageKey, said("Type of damage")]
    each: Annotated[bool, said("Each missile separately")] = False
    no_rider: Annotated[bool, said("Damage only, no side effects", hint="Fire sets nobody alight, for example.")] = (
        False
    )
    per_cycle: EachCycle = False
    cycles: Annotated[Amount, said("Cycles", hint="0: as long as the spell is held.")] = "0"
    gain: Annotated[bool, said("The caster gains the same number of FP")] = False


class Heal(Row, title="Heal"):
    """`ceiling_if_injured`: the HP up to which it heals a target with a Major Injury (ARC-134)."""

    op: Literal["heal"]
    n: DiceNumber = "0"
    d: Sides = 1
    flat: Fixed = "0"
    ceiling_if_injured: Annotated[
        Literal["1/2", "3/4", "none"],
        said("With a Major Injury, up to", CEILINGS),
    ] = "1/2"
    per_cycle: EachCycle = False


class Gives(Row, title="Give a status"):
    """Gives a status for some cycles, or until something ends it."""

    op: Literal["status"]
    id: Annotated[StatusKey, said("Status")]
    cycles: Lasts = "0"
    until: Annotated[Literal["", "healed", "stood", "held"], said("Until", UNTIL)] = ""
    arms_free: Annotated[bool, said("The arms stay free")] = True
    extra_fp: Annotated[Amount, said("Extra FP the target pays for casting")] = "0"
    shake_off: Annotated[Literal["", "major", "end"], said("Shaken off", SHAKEN)] = ""


class Push(Row, title="Push"):
    op: Literal["push"]
    metres: Annotated[Amount, said("Metres")] = "0"
    to_edge: Annotated[bool, said("To the edge of the area")] = False


class Repeat(Row, title="Do the damage again"):
    op: Literal["repeat_at_end"]
    cycles: Annotated[Amount, said("At the end of this many cycles")]


class Missiles(Row, title="Several missiles"):
    op: Literal["missiles"]
    count: Annotated[DiceNumber, said("How many")]
    split: Annotated[bool, said("Can be split among several targets")] = False


class Cure(Row, title="Cure"):
    op: Literal["cure"]
    ids: Annotated[tuple[StatusKey, ...], said("These statuses")] = ()
    group: Annotated[
        Literal["", "minor", "ills"],
        said("Besides", GROUPS),
    ] = ""
    instead_of_heal: Annotated[bool, said("Instead of healing")] = False
    physical_only: Annotated[bool, said("Only physical ailments")] = False


class Replace(Row, title="Change one status into another"):
    op: Literal["replace_status"]
    old: Annotated[StatusKey, said("From")]
    new: Annotated[StatusKey, said("To")]


class Bonus(Row, title="Raise or lower a number"):
    op: Literal["bonus"]
    stat: Annotated[
        Literal[
            "block", "dodge", "max_hp", "speed_proficiency", "ATH", "FIN", "SPR", "CHR", "INT", "PER", "POW", "EVL"
        ],
        said("Which", STATS),
    ]
    amount: Annotated[Amount, said("By", hint="Use a minus to lower it: -(1+PP).")]
    dice: Annotated[Literal["", "1d4"], said("and a die", {"": "None", "1d4": "1d4"})] = ""
    vs: Against = "all"
    cycles: Annotated[Amount, said("Cycles", hint="0: until the fight ends.")] = "0"
    after: Annotated[StatusKey | Literal[""], said("When it ends, for one cycle")] = ""


class Absorb(Row, title="A shield that absorbs damage"):
    op: Literal["absorb"]
    points: Annotated[Amount, said("Points")]
    vs: Against = "all"
    cycles: Annotated[Amount, said("Cycles", hint="0: until it is used up.")] = "0"
    overflow: Annotated[
        Literal["through", "half", "lost"],
        said("The excess", OVERFLOW),
    ] = "through"


class Stance(Row, title="Brace or evade"):
    op: Literal["stance"]
    id: Annotated[Literal["brace", "evade"], said("Which")]


class Restore(Row, title="Mend a shield"):
    op: Literal["restore_shield"]
    points: Annotated[Amount, said("Points")]
    per_cycle: EachCycle = False


class Resistance(Row, title="Resist damage"):
    op: Literal["resistance"]
    type: Annotated[
        str, AfterValidator(_one_or_chosen), among({"": "The caster chooses"} | {key: spoken(key) for key in DAMAGE})
    ] = ""
    percent: Annotated[Amount, said("Percent off")]
    cycles: Annotated[Amount, said("Cycles", hint="0: until the fight ends.")] = "0"


class EndSpell(Row, title="End a spell"):
    """Ends a spell whose caster, casting it again, does not reach this casting."""

    op: Literal["end_spell"]
    discipline: Annotated[
        str, AfterValidator(_discipline), among({"": "Any"} | {name: name.capitalize() for name in DISCIPLINES})
    ] = ""


class Drop(Row, title="Drop what is in hand"):
    """To a distance of `metres` plus a die, in any direction."""

    op: Literal["drop_held"]
    metres: Annotated[Amount, said("Metres")] = "0"
    d: Annotated[Die, said("plus a die of metres")] = 1


class Throw(Row, title="Throw the target"):
    """Towards a place the caster names, with damage. `broken`: the damage if the Focus is broken off."""

    op: Literal["throw"]
    metres: Annotated[Amount, said("Metres")]
    n: DiceNumber = "0"
    d: Sides = 1
    flat: Fixed = "0"
    type: Annotated[DamageKey, said("Type of damage")] = "bludgeoning"
    broken: Annotated[Amount, said("Damage if the Focus is broken off")] = "0"


class Choose(Row, title="Bend the next attack"):
    """The caster chooses: the next attack on the target misses, or the target's next attack hits."""

    op: Literal["choose"]


class ExtraMajor(Row, title="One more major action"):
    """In the next cycle, once a day per target."""

    op: Literal["extra_major"]


class Obscure(Row, title="Smoke or darkness"):
    op: Literal["obscure"]
    level: Annotated[Literal["severe", "total"], said("How thick", THICK)]
    cycles: Annotated[Amount, said("Cycles", hint="0: until the fight ends.")] = "0"


class Reveal(Row, title="Sense the living"):
    """Shows distance and direction of every humanoid in the area, including hidden ones."""

    op: Literal["reveal"]


class Stop(Row, title="A field that stops things"):
    """Stops everything of that kind. `once`: one thing only; `dv`: only after an accuracy check against it."""

    op: Literal["stop"]
    what: Annotated[Literal["missiles", "all"], said("What", STOPS)] = "missiles"
    once: Annotated[bool, said("Only one thing")] = False
    dv: Annotated[Annotated[int, Field(ge=1, le=60)] | None, said("With an accuracy check against")] = None


class Reflect(Row, title="Throw spells back"):
    """A spell that the bearer blocks and knows flies back, aimed anew."""

    op: Literal["reflect"]


class Described(Row, title="Something else, in words"):
    """An effect in words only; the rules leave it to the GM."""

    op: Literal["described"]
    words: Annotated[Words, said("In words", hint="The rules add no numbers; the GM says what happens.")]


Effect = Annotated[
    Damage | Heal | Gives | Push | Repeat | Missiles | Cure | Replace | Bonus | Absorb | Stance | Restore | Resistance
    | EndSpell | Drop | Throw | Choose | ExtraMajor | Obscure | Reveal | Stop | Reflect | Described,
    Field(discriminator="op"),
]  # fmt: skip


class Shape(Row):
    """Where a spell works. Bolts, beings, and areas at a point or target reach `metres`, or 100 m."""

    form: Annotated[
        Literal["bolt", "being", "self", "front", "sphere", "circle", "cone", "line", "cube", "cylinder", "disc"],
        said("What it is", FORMS),
    ]
    metres: Annotated[
        Amount, said("Metres", hint="For a bolt, its range (0: 100 m). For a sphere, ring or cylinder, its radius.")
    ] = "0"
    height: Annotated[Amount, said("Height in metres", hint="Of a cylinder.")] = "0"
    at: Annotated[Literal["caster", "target", "point", "front"], said("Centred on, for an area", AT)] = "caster"

    @cached_property
    def area(self) -> bool:
        return self.form not in ("bolt", "being", "self", "front")

    @cached_property
    def aim(self) -> Literal["somebody", "place", "none"]:
        """The target its caster has to choose: a combatant or object, a place or direction, or none."""
        if self.form in ("bolt", "being") or (self.area and self.at == "target"):
            return "somebody"
        return "place" if self.at == "point" or self.form in ("cone", "line") else "none"


SKILLS = [name for names in SKILLED.values() for name in names]


def _skilled(name: str) -> str:
    if name and name not in SKILLS:
        raise ValueError(f"There is nothing called “{name[:40]}”.")
    return name


Skilled = Annotated[str, AfterValidator(_skilled), among({"": "Nothing"} | {name: name for name in SKILLS})]


class Resist(Row):
    attr: Annotated[Attribute, said("With which attribute", LONG_NAMES)]
    prof: Annotated[Skilled, said("Expertise if proficient in")] = ""
    on_success: Annotated[Literal["half", "negate", "no_status", "root_1", "fatigue_2"], said("On success", ON_SUCCESS)]
