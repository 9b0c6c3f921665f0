"""Weapons and armour on the sheet: chosen from the book's lists, and what the words of older sheets count as."""

from typing import Any

import pytest
from pydantic import ValidationError

from app.rulesets.chronicle import RULESET
from app.rulesets.chronicle.arms import ARMOUR, WEAPONS
from app.rulesets.chronicle.gear import Carried, Worn
from app.rulesets.chronicle.hand import HAND
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.muster import FOES, fighter
from app.rulesets.chronicle.sheets import Sheet
from app.web.characters.changes import change_lines
from app.web.forms.reading import TypedPairs
from app.web.forms.schema import SheetForm
from tests.rulesets.chronicle.hand.stage import person, stage

FORM = SheetForm(RULESET.character)


def stored(sheet: Any) -> Any:
    """A sheet as it is stored once the rules have read it."""
    return RULESET.character.dump_python(RULESET.character.validate_python(sheet), mode="json")


@pytest.mark.parametrize("words", ["No armour", "—", "vest", "Bronze cuirass"])
def test_words_that_counted_as_light_armour_do_until_their_owner_chooses(words: str) -> None:
    worn = Worn.of(words)
    assert (worn.armour, worn.counts, worn.name) == ("other", "as-other", words)


@pytest.mark.parametrize(
    ("words", "item", "counts"),
    [
        ("Two-handed sword", "sword", "as-sword"),
        ("Greatsword", "sword", "as-sword"),
        ("Father's old big sword", "big-sword", "as-big-sword"),
        ("Bow", "", "as-none"),
        ("fencing sword", "fencing-sword", "fencing-sword"),
        ("Shield", "shield", "shield"),
    ],
)
def test_words_of_weapons_count_as_they_did(words: str, item: str, counts: str) -> None:
    """CHR-EQP-01: only the book's own word is no guess."""
    one = Carried.of(words)
    assert (one.item, one.counts) == (item, counts)
    assert one.model_dump(mode="json") == words, "a sheet that nobody edits stays as it is stored, to the byte"


def test_a_name_beside_a_choice_is_not_read() -> None:
    for name in ("none", "vest with string ties", "full plate", "Bronze cuirass"):
        assert [Worn(counts=key, name=name).armour for key in ARMOUR] == list(ARMOUR)
    assert [Carried(counts=key, name="Two-handed sword").item for key in WEAPONS] == list(WEAPONS)
    assert Carried(counts="none", name="Dagger").item == ""
    assert [Worn.of(words).armour for words in ("", "none", "no", "-")] == ["none"] * 4
    assert Worn.of("vest with string ties").model_copy(update={"name": "vest"}).armour == "metal", "a guess stays"


def test_everything_of_the_book_is_a_choice_by_its_own_word() -> None:
    for key, weapon in WEAPONS.items():
        assert Carried(counts=key).model_dump(mode="json") == weapon.name
    counts = {it.counts for one in FOES.values() for it in (*one.weapons, one.armour)}
    assert counts <= {*WEAPONS, *ARMOUR}, "nobody who is ready to be used is a guess"


@pytest.mark.parametrize(
    ("where", "given"),
    [
        ("armour", {"counts": "bronze"}),
        ("armour", {"counts": []}),
        ("weapons", [{"counts": "as-bow", "name": "Bow"}]),
        ("weapons", [{"name": "Bow"}]),
        ("weapons", [{"counts": "none"}]),
        ("weapons", ["x" * 121]),
    ],
)
def test_what_is_in_no_list_is_refused(where: str, given: Any) -> None:
    with pytest.raises(ValidationError) as wrong:
        RULESET.character.validate_python({"name": "Ida", where: given})
    assert {fault["loc"][0] for fault in wrong.value.errors()} == {where}


def test_logs_of_words_alone_are_what_they_were() -> None:
    """What comes into a fight says more than it did only where somebody has chosen."""
    plain = Sheet(name="Ida", weapons=(Carried.of("Greatsword"), Carried.of("Bow")), armour=Worn.of("Mail"))
    for sheet, counts in ((plain, None), (plain.model_copy(update={"weapons": (_named(),)}), ["big-sword"])):
        event = ev.Entered(fighter("ida", sheet, "a", "ann"))
        said = HAND.event.dump_python(event, mode="json")["fighter"]
        assert (said.get("counts"), said["armour"]) == (counts, "metal")
        assert said["lines"] == [one.name for one in sheet.weapons]
        assert HAND.event.validate_python(HAND.event.dump_python(event, mode="json")) == event


def _named() -> Carried:
    return Carried(counts="big-sword", name="Two-handed sword")


@pytest.mark.parametrize(
    ("lost", "left"),
    [
        ("big-sword", ["Greatsword", "Dagger"]),
        ("sword", [{"counts": "big-sword", "name": "Two-handed sword"}, "Dagger"]),
    ],
)
def test_what_stays_behind_is_what_it_counts_as(lost: str, left: list[Any]) -> None:
    """CHR-ACT-34: not the first thing whose name has a sword in it."""
    weapons = (_named(), Carried.of("Greatsword"), Carried.of("Dagger"))
    one = fighter("ann", Sheet(name="Ann", weapons=weapons), "a", "ann", character="ann")
    one.lost, one.gone = [lost], "fled"
    after: Any = HAND.outcome(stage(one, person("bea", 1)).state).sheets["ann"]
    assert after["weapons"] == left


OLD = {"name": "Ida", "is_main": False, "weapons": ["Two-handed sword", "dagger"], "armour": "Bronze cuirass"}


def posted(sheet: Any) -> dict[str, str]:
    """What the form of a sheet sends of its belongings, if nobody touches it."""
    root = FORM.fields(sheet)
    places = [*(part for row in root.of("weapons").rows for part in row.parts), *root.of("armour").parts]
    return {"sheet.name": "Ida", **{place.name: str(place.value or "") for place in places}}


def test_the_form_keeps_what_nobody_touches_and_says_what_was_guessed() -> None:
    typed = posted(stored(OLD))
    assert typed["sheet.weapons.0.counts"] == "as-sword" and typed["sheet.armour.counts"] == "as-other"
    root = FORM.fields(stored(OLD))
    assert root.of("weapons").rows[0].of("counts").said == "Sword, guessed from its name. Sword distance"
    assert all(not key.startswith("as-") for key, _ in root.of("weapons").rows[1].of("counts").choices)
    sheet, _, faults = FORM.read(TypedPairs(tuple(typed.items())))
    assert not faults and sheet == stored(OLD)

    renamed, _, _ = FORM.read(TypedPairs(tuple((typed | {"sheet.armour.name": "Full plate"}).items())))
    assert renamed["armour"] == {"counts": "as-other", "name": "Full plate"}, "a new name is not guessed from"
    assert RULESET.character.validate_python(renamed).armour.armour == "other"


def test_choices_and_names_go_round() -> None:
    typed = posted(stored(OLD)) | {"sheet.weapons.0.counts": "big-sword", "sheet.armour.counts": "metal"}
    dropped = {"sheet.weapons.1.counts": "", "sheet.weapons.1.name": ""}
    sheet, _, faults = FORM.read(TypedPairs(tuple((typed | dropped).items())))
    assert not faults
    assert sheet["weapons"] == [{"counts": "big-sword", "name": "Two-handed sword"}]
    assert sheet["armour"] == {"counts": "metal", "name": "Bronze cuirass"}
    assert FORM.read(TypedPairs(tuple(posted(sheet).items())))[0] == sheet
    row = FORM.fields(sheet).of("weapons").rows[0]
    assert not any(part.required for part in row.parts), "a row can be emptied, which drops it"
    lines = {(line.label, line.was, line.now, line.lost) for line in change_lines(FORM, _changes(stored(OLD), sheet))}
    assert lines == {
        ("Weapons, Two-handed sword: counts as", "–", "Big sword", ()),
        ("Weapons", "", "", ("dagger",)),
        ("Armour, counts as", "–", "Metal armour", ()),
    }


def _changes(old: Any, new: Any) -> Any:
    return {key: [old[key], new[key]] for key in ("weapons", "armour")}


def test_a_page_from_before_the_list_still_sends_words() -> None:
    lines = {"sheet.name": "Ida", "sheet.weapons": "Two-handed sword\r\n\r\ndagger", "sheet.armour": "Bronze cuirass"}
    sheet, _, faults = FORM.read(TypedPairs(tuple(lines.items())))
    assert not faults and sheet == stored(OLD)
    sheet, typed, faults = FORM.read(TypedPairs(tuple((lines | {"sheet.name": ""}).items())))
    assert sheet is None and list(faults) == ["sheet.name"]
    assert FORM.fields(typed, faults).of("weapons").rows[0].of("name").value == "Two-handed sword"
