"""The sheet: 23 skills, nine pairs, six parts of the body."""

from collections.abc import Iterator

import pytest
from pydantic import TypeAdapter, ValidationError

from app.engine.chance import ScriptedChance, SeededChance
from app.rulesets import RULESETS
from app.rulesets.chronicle import RULESET
from app.rulesets.chronicle.gear import Carried
from app.rulesets.chronicle.motivations import MOTIVATIONS, OTHER, PAIRS, POOL
from app.rulesets.chronicle.sheets import Motivations, Sheet, Skills
from app.rulesets.chronicle.skills import GROUPS, SKILLS
from app.rulesets.chronicle.wounds import PARTS, Part, Wounds, add_major, add_minor, words
from app.web.forms.reading import TypedPairs
from app.web.forms.schema import Field, SheetForm


def test_skills_and_their_groups() -> None:
    """CHR-SKL-01."""
    assert [len(group.skills) for group in GROUPS] == [4, 7, 7, 5]
    assert len(SKILLS) == 23
    assert list(Skills.model_fields) == list(SKILLS)
    assert [field.title for field in Skills.model_fields.values()] == [skill.name for skill in SKILLS.values()]


def test_motivations_and_their_pairs() -> None:
    """CHR-MOT-01 to -03."""
    assert list(Motivations.model_fields) == list(MOTIVATIONS)
    assert len(PAIRS) == len(POOL) == 9
    assert all(sum(pair) == 12 for pair in POOL)
    assert all(OTHER[OTHER[key]] == key for key in MOTIVATIONS)


def test_a_pair_adds_up_to_twelve_at_most() -> None:
    Motivations(proud=9, modest=2)
    with pytest.raises(ValidationError, match="at most 12"):
        Motivations(proud=10, modest=3)
    with pytest.raises(ValidationError, match="greater than or equal to 2"):
        Motivations(proud=1)


def test_survive_is_better_where_one_is_at_home() -> None:
    """CHR-SKL-03."""
    ella = Sheet(name="Ella", skills=Skills(survive=4), survive_terrain="Marsh")
    assert (ella.rating("survive"), ella.rating("survive", "marsh"), ella.rating("survive", "hills")) == (4, 5, 4)
    assert ella.rating("swim", "marsh") == 2
    assert Sheet(name="Bo").rating("survive", "") == 2


def test_the_third_minor_makes_a_major_and_stays() -> None:
    """CHR-WND-02, CHR-WND-03, EXH-08."""
    wounds = Wounds()
    for _ in range(3):
        wounds = add_minor(wounds, "left_leg")
    assert wounds.left_leg == Part(minor=1, major=True)
    wounds = add_minor(add_minor(add_minor(wounds, "left_leg"), "left_leg"), "left_leg")
    assert wounds.left_leg == Part(minor=4, major=True)
    assert (wounds.majors, wounds.minors) == (("left_leg",), 4)


def test_a_part_has_one_major_at_most() -> None:
    wounds = Wounds(head=Part(major=True, successes=2), aided=True)
    assert add_major(wounds, "head") == wounds
    assert not add_major(Wounds(aided=True), "head").aided, "a new head wound needs care again"


def test_wounds_in_words() -> None:
    wounds = add_minor(add_minor(add_major(Wounds(), "body"), "head"), "head")
    assert words(wounds) == ("Major wound: body", "2 Minor wounds: head")
    assert words(Wounds(dead=True)) == ("Dead",)
    with pytest.raises(KeyError):
        wounds.of("tail")
    assert set(PARTS) < set(Wounds.model_fields)


def test_a_sheet_survives_json() -> None:
    adapter = TypeAdapter(Sheet)
    sheet = Sheet(name="Ella", wounds=add_major(Wounds(), "head"), weapons=(Carried.of("sword"),))
    assert adapter.validate_json(adapter.dump_json(sheet)) == sheet


def test_who_takes_a_dead_persons_place_keeps_the_ratings_there_are() -> None:
    """CHR-CHA-10."""
    servant = Sheet(name="Tomas", is_main=False, skills=Skills(heal=7), motivations=Motivations(proud=9, modest=3))
    promoted, dice = RULESET.promote(servant, ScriptedChance({}))
    assert promoted == servant.model_copy(update={"is_main": True}) and dice == ()
    assert RULESET.dead is not None and RULESET.dead(servant.model_copy(update={"wounds": Wounds(dead=True)}))


def test_what_was_never_rolled_is_rolled_as_for_a_main_character() -> None:
    """CHR-CHA-10: somebody with nothing but a name gets both sets, by every die."""
    nobody = Sheet(name="Tomas", is_main=False, home="Ford")
    promoted, dice = RULESET.promote(nobody, SeededChance(b"a", b"b"))
    rolled, same = RULESET.generate("Tomas", SeededChance(b"a", b"b"))
    assert promoted == rolled.model_copy(update={"home": "Ford"}) and dice == same
    proud, only = RULESET.promote(
        nobody.model_copy(update={"motivations": Motivations(proud=9, modest=3)}), SeededChance(b"a", b"b")
    )
    assert proud.skills == rolled.skills and proud.motivations.proud == 9 and 0 < len(only) < len(dice)


OLD_DRIVE = {"motivation": "proud", "rating": 10, "context": "at court", "topic": "the insult", "action": ""}


def test_a_drive_of_chronicle_1_is_of_unknown_rating_until_somebody_writes_it() -> None:
    """CHR-MOT-10: it keeps its number; the GM sets it on the sheet's form, from 0 to 10."""
    old = RULESET.character.validate_python({"name": "Ella", "drives": [OLD_DRIVE]})
    assert [(one.rating, one.whose, one.difficulty) for one in old.drives] == [(10, "unknown", 3)]
    form = SheetForm(RULESET.character)
    kept = RULESET.character.dump_python(old, mode="json")
    assert "unknown" in form.words_of(["drives"], kept["drives"])
    typed = {f"sheet.drives.0.{name}": str(said) for name, said in kept["drives"][0].items()} | {"sheet.name": "Ella"}
    for rating, whose in ((0, "talker"), (1, "talker"), (10, "unknown")):
        changed = typed | {"sheet.drives.0.rating": str(rating), "sheet.drives.0.whose": whose}
        sheet, _, faults = form.read(TypedPairs(tuple(changed.items())))
        assert not faults and (sheet["drives"][0]["rating"], sheet["drives"][0]["whose"]) == (rating, whose)
    _, _, faults = form.read(TypedPairs(tuple((typed | {"sheet.drives.0.whose": ""}).items())))
    assert list(faults) == ["sheet.drives.0.whose"]


def test_counts_of_single_minor_wounds_go_with_their_wounds() -> None:
    """CHR-WND-02, CHR-HEA-12: a Major takes two wounds and their counts; what is left is the new one."""
    wounds = Wounds(left_arm=Part(minor=2)).track("left_arm", (3, 1))
    assert wounds.each("left_arm") == (3, 1) and wounds.each("head") == ()
    after = add_minor(wounds, "left_arm")
    assert after.left_arm == Part(minor=1, major=True) and after.each("left_arm") == (0,)
    assert add_minor(wounds, "head").each("left_arm") == (3, 1)
    assert wounds.put("left_arm", Part(minor=1)).each("left_arm") == (3,), "a sheet corrected by hand"
    assert "tracks" not in Wounds().model_dump(mode="json")


def test_no_hint_of_a_form_is_a_docstring() -> None:
    """Finds descriptions of classes, which are for developers, on the page of a sheet."""

    def hints(field: Field) -> Iterator[str]:
        yield field.hint
        for part in (*field.parts, *field.rows):
            yield from hints(part)

    for ruleset in RULESETS:
        classes = ruleset.character.json_schema().get("$defs", {}).values()
        docstrings = {schema["description"] for schema in classes if "description" in schema}
        for sheet in ruleset.heroes().values():
            form = SheetForm(ruleset.character)
            root = form.fields(ruleset.character.dump_python(sheet, mode="json"))
            assert docstrings.isdisjoint(hints(root))
