"""The 23 skills in their four groups, in the order of the point draw (CHR-SKL-01), and the meaning of ratings."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill. Its key is a field of forms and sheets; `name` is for people."""

    key: str
    name: str
    scope: str  # its use in a few words


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
            Skill("control", "Control", "coordination of the body, leverage"),
            Skill("fighting_mind", "Fighting Mind", "experience and cunning in a fight"),
            Skill("speed", "Speed", "quickness"),
            Skill("strength", "Strength", "power"),
        ),
    ),
    Group(
        "physical",
        "Physical",
        (
            Skill("endurance", "Endurance", "long effort, heavy loads"),
            Skill("hide", "Hide", "unseen and unheard"),
            Skill("jump_climb", "Jump/Climb", "over, up and down"),
            Skill("ride", "Ride", "any mount, and other animals at need"),
            Skill("run", "Run", "fast on your own feet"),
            Skill("shoot_aim", "Shoot/Aim", "bow, sling, thrown spear; no siege engines"),
            Skill("swim", "Swim", "in and under water"),
        ),
    ),
    Group(
        "knowledge",
        "Knowledge",
        (
            Skill("craft", "Craft", "make and mend"),
            Skill("heal", "Heal", "wounds and disease"),
            Skill("know", "Know", "learning"),
            Skill("notice", "Notice", "details, and things far off or hidden"),
            Skill("sail", "Sail", "all work on a boat or ship"),
            Skill("survive", "Survive", "food, shelter and direction outdoors"),
            Skill("trade", "Trade", "buy, sell and value"),
        ),
    ),
    Group(
        "social",
        "Social",
        (
            Skill("administer", "Administer", "organise and keep records"),
            Skill("convince", "Convince", "win someone over in a discussion"),
            Skill("lead", "Lead", "inspire others"),
            Skill("perform", "Perform", "impress an audience"),
            Skill("tactics", "Tactics", "lead troops in a battle"),
        ),
    ),
)
SKILLS: Mapping[str, Skill] = {skill.key: skill for group in GROUPS for skill in group.skills}
GROUP_OF: Mapping[str, Group] = {skill.key: group for group in GROUPS for skill in group.skills}

LOWEST, HIGHEST, USUAL = 0, 10, 2  # CHR-SKL-02

TERRAINS = ("forest", "hills", "plains", "mountains", "coast", "marsh", "desert")  # CHR-SKL-04, in the order of the die

GUIDE: Mapping[int, str] = {  # CHR-SKL-16
    2: "average person, soldier, servant",
    3: "talented person, soldier, craftsman",
    4: "head of a household, sergeant (of about 15)",
    5: "captain, master craftsman, minor noble (about 100)",
    6: "landowner, knight, lord (about 400)",
    7: "general, great noble (about 4,000)",
    8: "king or queen (about 20,000)",
}
