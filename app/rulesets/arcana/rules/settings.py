"""The settings of a fight with the ledger's defaults, as far as the code uses them (ledger 2.13)."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from app.engine.form_fields import Seconds


def _whole(given: object) -> object:
    """A form sends a choice among numbers as text."""
    return int(given) if isinstance(given, str) and given.isdecimal() and len(given) < 3 else given


INTERRUPTS = {
    "passive_speed": "ten and the other’s quickness", "opposed": "a die of the other’s",
    **{f"fixed_{value}": f"always {value}" for value in (5, 10, 15, 20, 25)}, "gm": "nothing: the GM’s word is enough",
}  # fmt: skip


class Settings(BaseModel):
    model_config = ConfigDict(extra="ignore")

    considered_rounding: Annotated[
        Literal["round_then_halve", "halve_then_round"],
        Field(description="A considered movement: first round the distance, or first halve it."),
    ] = "round_then_halve"
    body_slam: Annotated[
        Literal[2, 4, 6, 8, 10, 12], BeforeValidator(_whole), Field(description="The die of harm of a body slam.")
    ] = 4
    condition_loops: Annotated[
        Literal["nothing", "trigger"], Field(description="If-thens that wait only for one another.")
    ] = "nothing"
    accuracy_expertise: Annotated[
        Literal["weapon", "weapon_or_precision"],
        Field(description="What gives Expertise on accuracy."),
    ] = "weapon"
    instinct_expertise: Annotated[
        Literal["either_gated", "bracket_gated", "armour_only"],
        Field(description="What gives Expertise on Block and Dodge."),
    ] = "either_gated"
    range_penalty: Annotated[
        Literal["stationary", "all"], Field(description="Whom distance and small size make harder to hit.")
    ] = "stationary"
    natural_20: Annotated[
        Literal["critical_if_hit", "hit_and_critical"], Field(description="What a natural 20 does.")
    ] = "critical_if_hit"
    natural_1: Annotated[Literal["miss", "plain"], Field(description="What a natural 1 does.")] = "miss"
    stacking: Annotated[
        Literal["cancel", "compound"], Field(description="Advantage and disadvantage at once: one die, or counted.")
    ] = "cancel"
    critical_die: Annotated[
        Literal[4, 6, 8, 10, 12, 20], BeforeValidator(_whole), Field(description="The die of a critical strike.")
    ] = 6
    opportunity_2: Annotated[
        Literal["any_distance", "melee"], Field(description="From where somebody who casts at others may be surprised.")
    ] = "any_distance"
    major_injury: Annotated[
        Literal["crossing_half", "off"], Field(description="A Major Injury on falling below half of the HP.")
    ] = "crossing_half"
    damage_riders: Annotated[Literal["on", "off"], Field(description="Burns, poison and frost from damage.")] = "on"
    damage_modifier: Annotated[Literal["off", "on"], Field(description="Whether a modifier is added to damage.")] = (
        "off"
    )
    weapon_attribute: Annotated[
        Literal["off", "on"], Field(description="Whether weapons are aimed with attributes of their own.")
    ] = "off"
    resistance_mode: Annotated[
        Literal["percent", "dice"], Field(description="Resistances: percent, or damage dice thrown twice.")
    ] = "percent"
    overkill_clamp: Annotated[Literal["off", "on"], Field(description="Whether a blow stops at 0 HP.")] = "off"
    equal_distance: Annotated[
        Literal["net", "heal_first", "harm_first"],
        Field(description="Healing and harm in one instant: as one change, or one before the other."),
    ] = "net"
    quickspell_resist: Annotated[
        Literal["advantage", "none"], Field(description="Resists against quickspells that are not aimed.")
    ] = "advantage"
    quickspell_pp: Annotated[Literal["on", "off"], Field(description="Power points for quickspells.")] = "on"
    trapped_defence: Annotated[
        Literal["stationary", "block"], Field(description="Who is trapped, bound or hoisted: stationary, or blocks.")
    ] = "stationary"
    close_firing: Annotated[
        Literal["off", "on"], Field(description="Whether shooting and casting at somebody close by is awkward.")
    ] = "off"
    interrupt_check: Annotated[
        Literal["passive_speed", "opposed", "fixed_5", "fixed_10", "fixed_15", "fixed_20", "fixed_25", "gm"],
        Field(description="What an interrupt rolls against.", json_schema_extra={"x-words": INTERRUPTS}),
    ] = "passive_speed"
    transport_timing: Annotated[
        Literal["before_actions", "with_actions"],
        Field(description="When people run.", json_schema_extra={"x-words": {
            "before_actions": "before anything is launched", "with_actions": "once all is launched, before it lands",
        }}),
    ] = "before_actions"  # fmt: skip
    collision_mode: Annotated[
        Literal["endpoint", "path"],
        Field(description="When bodies are in one another’s way.", json_schema_extra={"x-words": {
            "endpoint": "where movements end", "path": "on the way, too",
        }}),
    ] = "endpoint"  # fmt: skip
    grappling: Annotated[Literal["off", "on"], Field(description="Whether people grapple and shove.")] = "off"
    quick_attack: Annotated[
        Literal["off", "on"], Field(description="Whether a blow or a shot may be a minor action, with disadvantage.")
    ] = "off"
    free_step_m: Annotated[
        Literal["0.5", "1", "1.5", "2"], Field(description="How many metres a free step goes at most.")
    ] = "0.5"
    touch_m: Annotated[
        Literal["0.5", "1", "1.5", "2"], Field(description="Within how many metres one can touch somebody.")
    ] = "1"
    absent_default: Annotated[
        Literal["hold", "defend"],
        Field(description="Who says nothing: holds, or takes the stance of the better instinct."),
    ] = "hold"
    collisions: Annotated[
        Literal["slam", "ask"], Field(description="Two bodies in one place: a body slam, or the GM says.")
    ] = "slam"
    free_text_conditions: Annotated[
        Literal["on", "off"], Field(description="Conditions in one's own words, judged by the GM.")
    ] = "on"
    outcome_conditions: Annotated[
        Literal["off", "on"], Field(description="Whether if-thens may wait for how things end: is hit, falls.")
    ] = "off"
    unseal_until_close: Annotated[
        Literal["on", "off"], Field(description="Whether a sealed declaration may be taken back while there is time.")
    ] = "on"
    counterspell_vs_melee: Annotated[
        Literal["off", "on"], Field(description="Whether a prepared counterspell waits for blows too.")
    ] = "off"
    surprise: Annotated[
        Literal["hold", "none"], Field(description="Whether those hold who do not know of their attackers at first.")
    ] = "hold"
    stealth_tie: Annotated[
        Literal["seen", "hidden"], Field(description="Stealth exactly as high as what it is compared with.")
    ] = "seen"
    hidden_questions: Annotated[
        Literal["book", "ask"],
        Field(
            description="What would be asked in mid-cycle about hidden people alone: it goes as the book says, or it "
            "is asked, and everybody sees the fight wait."
        ),
    ] = "book"
    special_gait: Annotated[
        Literal["half", "by_gm"], Field(description="How far one climbs, crawls and swims: half, or as the GM says.")
    ] = "half"
    terrain: Annotated[
        Literal["off", "on"], Field(description="Terrain that the GM lays out: mud, caltrops, drops, fog, darkness.")
    ] = "off"
    foe_hp: Annotated[Literal["words", "numbers", "hidden"], Field(description="How foes' HP and FP are shown.")] = (
        "words"
    )
    fp_rest: Annotated[
        Literal["per_minute", "per_hour"],
        Field(description="How FP come back after the fight.", json_schema_extra={"x-words": {
            "per_minute": "5 a minute: all of them soon", "per_hour": "8 an hour: with the day",
        }}),
    ] = "per_minute"  # fmt: skip
    planning_seconds: Annotated[Seconds, Field(description="The clock of each cycle's planning.")] = 120
    ruling_seconds: Annotated[Seconds, Field(description="How long the GM is asked in the middle of a cycle.")] = 60
    counterspell_seconds: Annotated[Seconds, Field(description="How long a prepared spell may be named.")] = 5
    resist_seconds: Annotated[Seconds, Field(description="How long somebody is asked whether they resist.")] = 30

    @property
    def step(self) -> int:
        """The length of a free step, in cm (ARC-60)."""
        return round(100 * float(self.free_step_m))

    @property
    def touch(self) -> int:
        """The reach of a touch, in cm (ARC-28)."""
        return round(100 * float(self.touch_m))
