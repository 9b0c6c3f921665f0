"""Somebody by the dice or from the array, the next level, and what a night's sleep gives back."""

from typing import Any

import pytest
from pydantic import ValidationError

from app.engine.chance import ScriptedChance, SeededChance
from app.rulesets.arcana.rules.book import SKILLS, SPECIES
from app.rulesets.arcana.sheet.generation import advised, grown, left_to_give, rolled, unused
from app.rulesets.arcana.sheet.rest import DAY, DAYS, Rest, said, waits
from app.rulesets.arcana.sheet.sheets import ARRAY, CHOSEN, Sheet

PLACES = dict(zip(CHOSEN, range(7), strict=True))
NOBODY = ScriptedChance({})


def sheet(**more: Any) -> Sheet:
    return Sheet.model_validate({"name": "Ada", "attributes": {"ATH": 20, "SPR": 12}, **more})


def rest(one: Sheet, care: Rest | None = None) -> tuple[Sheet, list[str]]:
    after, passed = DAYS.live({"ada": one}, "ada", care or Rest(), NOBODY)
    return Sheet.model_validate(after.model_dump()), [it.text for it in passed]


def test_attributes_follow_from_the_array_the_species_and_its_points() -> None:
    """ARC-121: what is typed as a final number does not count then."""
    goblin = sheet(how="assigned", places=PLACES, species="goblin", points={"INT": 2, "EVL": 1})
    assert goblin.attributes.model_dump() == {
        "ATH": 13 - 2, "FIN": 12 + 4, "SPR": 11, "CHR": 10 - 2, "INT": 9 + 5 + 2, "PER": 9, "POW": 8 - 1, "EVL": 1,
    }  # fmt: skip
    assert left_to_give(goblin) == 0 and Sheet.model_validate(goblin.model_dump()) == goblin
    assert left_to_give(sheet(how="assigned", places=PLACES, species="goblin")) == 3
    assert sheet(species="goblin").attributes.ATH == 20, "written by hand, it is final"


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"places": {**PLACES, "POW": None}}, "places.POW", "Choose a number"),
        ({"places": {**PLACES, "POW": 0}}, "places.POW", "This 13 is already used for ATH"),
        ({"places": {**PLACES, "POW": 9}}, "places.POW", "There are 7 numbers"),
        ({"points": {"FIN": 4}}, "points.FIN", "has 3 free points, and you added 4"),
        ({"points": {"FIN": "x"}}, "points.FIN", "integer"),
        ({"species": "elf"}, "species", "nothing called"),
    ],
)
def test_what_cannot_be_allotted_is_told_at_its_field(change: dict[str, Any], field: str, words: str) -> None:
    """ARC-121."""
    with pytest.raises(ValidationError) as wrong:
        sheet(**{"how": "assigned", "places": PLACES} | change)
    assert [".".join(map(str, fault["loc"])) for fault in wrong.value.errors()] == [field]
    assert words in str(wrong.value)


def test_somebody_is_rolled_with_the_best_seven_allotted() -> None:
    """ARC-121."""
    faces = {f"ARC-121/roll/{n}/{die}": 1 + (n + (die == "b")) % 6 for n in range(1, 11) for die in "ab"}
    ada, dice = rolled("Ada", chance := ScriptedChance(faces))
    assert not chance.unused() and ada.totals == (7, 9, 11, 13, 9, 5, 7, 9, 11, 13)
    assert sorted(unused(ada)) == [5, 7, 7] and (ada.attributes.SPR, ada.attributes.EVL) == (13 + 2, 0)
    assert [len(one.rolls) for one in dice] == [2] * 10 and dice[3].text == "5 + 6 + 2 = 13, initially for SPR."
    other, _ = rolled("Ada", SeededChance(b"1" * 32, b"2" * 32))
    assert all(4 <= total <= 14 for total in other.totals)


def test_a_level_is_grown_with_its_dice_told() -> None:
    """ARC-122, ARC-118, ARC-149, ARC-141: at the fourth level Expertise grows, and Health with it."""
    hurt = sheet(level=3, grown_hp=[1, 1], grown_fp=[1, 1], proficient=["Health"], hp=5, fp=2)
    after, dice = grown(hurt, chance := ScriptedChance({"ARC-122/level-4/hp": 6, "ARC-122/level-4/fp": 3}))
    assert not chance.unused() and (after.level, after.hp_max, after.fp_max) == (4, 20 + 9 + 8, 12 + 5)
    assert (after.hp, after.fp) == (5 + 6 + 3, 2 + 3), "what the maxima gain, the hurt gain too"
    assert dice[0].text == "+6 HP and +3 FP. Now maximum 37 HP and 17 FP, Expertise 3."
    fifth, more = grown(after, ScriptedChance({"ARC-122/level-5/hp": 1, "ARC-122/level-5/fp": 1}))
    assert "novice in every school" in more[0].text and fifth.school("illusion") == "novice"
    assert grown(sheet(), ScriptedChance({"ARC-122/level-2/*": 1}))[0].hp is None, "the unhurt stay unhurt"


def test_a_sheet_says_which_dice_a_level_has() -> None:
    """ARC-122: where an archetype says otherwise."""
    tough = sheet(level_hp="d12", level_fp="d4")
    after, dice = grown(tough, chance := ScriptedChance({"ARC-122/level-2/hp": 11, "ARC-122/level-2/fp": 4}))
    assert not chance.unused() and [roll.size for roll in dice[0].rolls] == [12, 4]
    assert (after.grown_hp, after.grown_fp) == ((11,), (4,))
    with pytest.raises(ValidationError, match="each from 1 to 6"):
        sheet(level=2, grown_hp=[7])


def test_a_maximum_that_falls_cuts_off() -> None:
    """ARC-141."""
    assert (sheet(hp=99, fp=99).hp, sheet(hp=99, fp=99).fp) == (20, 12)
    assert sheet(hp=-3).hp == -3


def test_sleep_gives_all_hp_and_fp() -> None:
    """ARC-140."""
    after, told = rest(sheet(hp=3, fp=1))
    assert (after.hp, after.fp) == (None, None) and not waits(after)
    assert told == ["Ada: sleeps; from 3 to 20 of 20 HP, from 1 to 12 FP."]
    assert rest(sheet()) == (sheet(), []) and not waits(sheet())


def test_who_hardly_sleeps_gets_two_an_hour() -> None:
    """ARC-140."""
    big = sheet(hp_stated=90, hp=10)
    assert rest(big, Rest(night="awake"))[0].hp == 58 and rest(big)[0].hp is None


def test_a_major_injury_has_a_ceiling_that_lowers_nobody() -> None:
    """ARC-134, ARC-140."""
    hurt = sheet(hp=3, ills={"major_injury": 0})
    after, told = rest(hurt)
    assert after.hp == 10 and after.ills == {"major_injury": 0}
    assert told == ["Ada: sleeps; from 3 to 10 of 20 HP. A Major Injury allows no more."]
    assert rest(after) == (after, []) and not waits(after)
    mended = sheet(hp=15, ills={"broken_bone": 0})
    assert rest(mended)[0].hp == 15
    assert "Major Injury" in DAYS.ahead({"ada": hurt}, "ada", Rest())[0].text


def test_ills_run_out_in_a_day_unless_they_stay_until_healed() -> None:
    """ARC-02, ARC-142."""
    after, told = rest(sheet(ills={"burned_mild": 7, "unlucky": DAY + 5, "broken_wand": 0, "exhausted": 0}))
    assert after.ills == {"unlucky": 5, "broken_wand": 0}
    assert told == ["Ada: sleeps; rid of burned (mild), exhausted."]


def test_nothing_happens_to_the_dead() -> None:
    """ARC-136."""
    dead = sheet(hp=-12, dead=True)
    assert rest(dead) == (dead, []) and not waits(dead) and said(dead) == ("Dead",)


def test_how_somebody_stands_is_said() -> None:
    """ARC-133, ARC-140."""
    assert said(sheet()) == ()
    assert said(sheet(hp=14, ills={"major_injury": 0})) == ("14 of 20 HP", "Major Injury")
    assert said(sheet(hp=-2, fp=3)) == ("−2 of 20 HP", "3 of 12 FP")


def test_own_spells_pass_and_blank_lines_are_none() -> None:
    """ARC-147: whether there is such a spell of the campaign's own is looked up in the campaign."""
    one = sheet(spells=["own_fog", "stinger", "stinger"], schools={"illusion": "", "sorcery": "adept"},
                items={"antidote": "", "healing_draught": "2", "spirit_draught": "0", "lantern": "", "rope": "0",
                       " torch ": "2", "Torch": 3, "Spirit Draught": 1})  # fmt: skip
    assert one.spells == ("stinger", "own_fog") and one.schools == {"sorcery": "adept"}
    assert one.items == {"healing_draught": 2, "Lantern": 1, "Torch": 5, "spirit_draught": 1}


def test_skills_have_ranks() -> None:
    """ARC-174."""
    assert sheet(skills=["meditation", "meditation"]).rank("meditation") == 2
    assert all(skill.ranks == 1 or skill.rank for skill in SKILLS.values()) and len(SKILLS) == 30


def test_what_is_advised_grows_with_levels_and_species() -> None:
    """ARC-174: advice, refused to nobody."""
    assert advised(1, "oldblood") == {"proficient": 5, "spells": 5, "skills": 3}
    assert advised(8, "goblin") == {"proficient": 7, "spells": 12, "skills": 3}
    assert all(kin.note or key == "half_siren" for key, kin in SPECIES.items()) and len(ARRAY) == 7
