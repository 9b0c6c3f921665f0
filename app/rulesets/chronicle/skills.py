"""The 23 skills in their four groups, in the order of the point draw (CHR-SKL-01), and the meaning of ratings."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill. Its key is a field of forms and sheets; `name` is for people."""

    key: str
    name: str
    scope: str  # its use in a few words
    example: str  # something to try with it


@dataclass(frozen=True, slots=True)
class Group:
    """Skills that share one bank of points, in the order of the die that distributes them."""

    key: str
    name: str
    skills: tuple[Skill, ...]


GROUPS: tuple[Group, ...] = (
    Group(
        "hand_to_hand",
        "Hand-to-Hand",
        (
            Skill("control", "Control", "coordination of the body, leverage", "pull someone up by one arm"),
            Skill("fighting_mind", "Fighting Mind", "experience and cunning in a fight", "see if they mean to attack"),
            Skill("speed", "Speed", "quickness", "catch it before it falls"),
            Skill("strength", "Strength", "power", "force the door open"),
        ),
    ),
    Group(
        "physical",
        "Physical",
        (
            Skill("endurance", "Endurance", "long effort, heavy loads", "walk through the night"),
            Skill("hide", "Hide", "unseen and unheard", "get past them unseen"),
            Skill("jump_climb", "Jump/Climb", "over, up and down", "climb up to the roof"),
            Skill("ride", "Ride", "any mount, and other animals at need", "catch up with the rider"),
            Skill("run", "Run", "fast on your own feet", "get there first"),
            Skill("shoot_aim", "Shoot/Aim", "bow, sling, thrown spear; no siege engines", "throw the rope across"),
            Skill("swim", "Swim", "in and under water", "swim to the other bank"),
        ),
    ),
    Group(
        "knowledge",
        "Knowledge",
        (
            Skill("craft", "Craft", "make and mend", "mend it well enough for today"),
            Skill("heal", "Heal", "wounds and disease", "see what ails them"),
            Skill("know", "Know", "learning", "remember what is said of this place"),
            Skill("notice", "Notice", "details, and things far off or hidden", "look for tracks"),
            Skill("sail", "Sail", "all work on a boat or ship", "bring a boat alongside"),
            Skill("survive", "Survive", "food, shelter and direction outdoors", "find a dry way round"),
            Skill("trade", "Trade", "buy, sell and value", "find out what it is worth"),
        ),
    ),
    Group(
        "social",
        "Social",
        (
            Skill("administer", "Administer", "organise and keep records", "find out who owes whom"),
            Skill("convince", "Convince", "win someone over in a discussion", "win them over"),
            Skill("lead", "Lead", "inspire others", "get everyone to lend a hand"),
            Skill("perform", "Perform", "impress an audience", "draw all eyes away"),
            Skill("tactics", "Tactics", "lead troops in a battle", "choose where to make a stand"),
        ),
    ),
)
SKILLS: Mapping[str, Skill] = {skill.key: skill for group in GROUPS for skill in group.skills}

LOWEST, HIGHEST, USUAL = 0, 10, 2  # CHR-SKL-02

TERRAINS = ("forest", "hills", "plains", "mountains", "coast", "marsh", "desert")  # CHR-SKL-04, in the order of the die
