"""The settings of a fight with the ledger's defaults, as far as the code uses them (ledger 2.13)."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from app.engine.form_fields import Seconds


def _whole(given: object) -> object:
    """A form sends a choice among numbers as text."""
    return int(given) if isinstance(given, str) and given.isdecimal() and len(given) < 3 else given


INTERRUPTS = {
    "passive_speed": "ten plus the other’s quickness", "opposed": "a roll by the other",
    **{f"fixed_{value}": f"always {value}" for value in (5, 10, 15, 20, 25)}, "gm": "nothing: the GM decides",
}  # fmt: skip


class Settings(BaseModel):
    model_config = ConfigDict(extra="ignore")

    considered_rounding: Annotated[
        Literal["round_then_halve", "halve_then_round"],
        Field(description="Considered movement: round the distance first, or halve it first."),
    ] = "round_then_halve"
    body_slam: Annotated[
        Literal[2, 4, 6, 8, 10, 12], BeforeValidator(_whole), Field(description="The damage die of a body slam.")
    ] = 4
    condition_loops: Annotated[
        Literal["nothing", "trigger"], Field(description="If-thens that wait only for each other.")
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
        Literal["stationary", "all"], Field(description="Who is harder to hit when far away or small.")
    ] = "stationary"
    natural_20: Annotated[
        Literal["critical_if_hit", "hit_and_critical"], Field(description="What a natural 20 does.")
    ] = "critical_if_hit"
    natural_1: Annotated[Literal["miss", "plain"], Field(description="What a natural 1 does.")] = "miss"
    stacking: Annotated[
        Literal["cancel", "compound"], Field(description="Advantage and disadvantage together: one die, or counted.")
    ] = "cancel"
    critical_die: Annotated[
        Literal[4, 6, 8, 10, 12, 20], BeforeValidator(_whole), Field(description="The die of a critical strike.")
    ] = 6
    opportunity_2: Annotated[
        Literal["any_distance", "melee"],
        Field(description="From how far a strike at a caster who targets others is critical."),
    ] = "any_distance"
    major_injury: Annotated[
        Literal["crossing_half", "off"], Field(description="A Major Injury when HP fall below half.")
    ] = "crossing_half"
    damage_riders: Annotated[Literal["on", "off"], Field(description="Burns, poison and frost from damage.")] = "on"
    damage_modifier: Annotated[Literal["off", "on"], Field(description="Whether a modifier is added to damage.")] = (
        "off"
    )
    weapon_attribute: Annotated[
        Literal["off", "on"], Field(description="Whether weapons are aimed with their own attributes.")
    ] = "off"
    resistance_mode: Annotated[
        Literal["percent", "dice"], Field(description="Resistances: percent, or damage dice rolled twice.")
    ] = "percent"
    overkill_clamp: Annotated[Literal["off", "on"], Field(description="Whether a blow stops at 0 HP.")] = "off"
    equal_distance: Annotated[
        Literal["net", "heal_first", "harm_first"],
        Field(description="Healing and damage in one instant: as one change, or one before the other."),
    ] = "net"
    quickspell_resist: Annotated[
        Literal["advantage", "none"], Field(description="Resists against unaimed quickspells.")
    ] = "advantage"
    quickspell_pp: Annotated[Literal["on", "off"], Field(description="Power points for quickspells.")] = "on"
    trapped_defence: Annotated[
        Literal["stationary", "block"], Field(description="Trapped, bound or hoisted: stationary, or able to block.")
    ] = "stationary"
    close_firing: Annotated[
        Literal["off", "on"], Field(description="Whether shooting and casting at close targets is at a disadvantage.")
    ] = "off"
    interrupt_check: Annotated[
        Literal["passive_speed", "opposed", "fixed_5", "fixed_10", "fixed_15", "fixed_20", "fixed_25", "gm"],
        Field(description="What an interrupt rolls against.", json_schema_extra={"x-words": INTERRUPTS}),
    ] = "passive_speed"
    transport_timing: Annotated[
        Literal["before_actions", "with_actions"],
        Field(description="When people run.", json_schema_extra={"x-words": {
            "before_actions": "before anything is launched", "with_actions": "after the launch, before anything lands",
        }}),
    ] = "before_actions"  # fmt: skip
    collision_mode: Annotated[
        Literal["endpoint", "path"],
        Field(description="When bodies collide.", json_schema_extra={"x-words": {
            "endpoint": "only where movements end", "path": "on the way, too",
        }}),
    ] = "endpoint"  # fmt: skip
    grappling: Annotated[Literal["off", "on"], Field(description="Whether grappling and shoving are allowed.")] = "off"
    quick_attack: Annotated[
        Literal["off", "on"], Field(description="Whether a blow or a shot may be a minor action, with disadvantage.")
    ] = "off"
    free_step_m: Annotated[Literal["0.5", "1", "1.5", "2"], Field(description="The longest free step, in metres.")] = (
        "0.5"
    )
    touch_m: Annotated[Literal["0.5", "1", "1.5", "2"], Field(description="The reach of a touch, in metres.")] = "1"
    absent_default: Annotated[
        Literal["hold", "defend"],
        Field(description="Players who do not answer: hold, or take the stance of their better instinct."),
    ] = "hold"
    collisions: Annotated[
        Literal["slam", "ask"], Field(description="Two bodies in one place: a body slam, or the GM decides.")
    ] = "slam"
    free_text_conditions: Annotated[
        Literal["on", "off"], Field(description="Conditions in players' own words, judged by the GM.")
    ] = "on"
    outcome_conditions: Annotated[
        Literal["off", "on"], Field(description="Whether if-thens may wait for results, such as “is hit” or “falls”.")
    ] = "off"
    unseal_until_close: Annotated[
        Literal["on", "off"], Field(description="Whether a seal can be taken back while there is time.")
    ] = "on"
    counterspell_vs_melee: Annotated[
        Literal["off", "on"], Field(description="Whether a prepared counterspell also works against blows.")
    ] = "off"
    surprise: Annotated[
        Literal["hold", "none"], Field(description="What surprised fighters do in the first cycle.")
    ] = "hold"
    stealth_tie: Annotated[Literal["seen", "hidden"], Field(description="When Stealth equals Perception.")] = "seen"
    hidden_questions: Annotated[
        Literal["book", "ask"],
        Field(description="Questions only about hidden people: the book decides, or everyone sees the fight wait."),
    ] = "book"
    special_gait: Annotated[
        Literal["half", "by_gm"], Field(description="How far you can climb, crawl or swim: half, or as the GM says.")
    ] = "half"
    terrain: Annotated[
        Literal["off", "on"], Field(description="Terrain laid out by the GM: mud, caltrops, drops, fog, darkness.")
    ] = "off"
    foe_hp: Annotated[Literal["words", "numbers", "hidden"], Field(description="How foes' HP and FP are shown.")] = (
        "words"
    )
    fp_rest: Annotated[
        Literal["per_minute", "per_hour"],
        Field(description="How FP come back after the fight.", json_schema_extra={"x-words": {
            "per_minute": "5 a minute", "per_hour": "8 an hour",
        }}),
    ] = "per_minute"  # fmt: skip
    planning_seconds: Annotated[Seconds, Field(description="The clock for declarations.")] = 120
    ruling_seconds: Annotated[Seconds, Field(description="The clock for the GM's rulings.")] = 60
    counterspell_seconds: Annotated[
        Seconds, Field(description="How long players have to name a prepared counterspell.")
    ] = 5
    resist_seconds: Annotated[Seconds, Field(description="How long players have to decide whether to resist.")] = 30

    @property
    def step(self) -> int:
        """The length of a free step, in cm (ARC-60)."""
        return round(100 * float(self.free_step_m))

    @property
    def touch(self) -> int:
        """The reach of a touch, in cm (ARC-28)."""
        return round(100 * float(self.touch_m))
