"""Checks a declaration in a free scene; faults are in words for the player, by form field."""

from typing import Any, assert_never

from app.engine.ruleset import Ask, Faults
from app.rulesets.chronicle.free import declarations as de
from app.rulesets.chronicle.free.view import View
from app.rulesets.chronicle.motivations import MOTIVATIONS, PAIRS
from app.rulesets.chronicle.people_view import objection_faults
from app.rulesets.chronicle.skills import GROUPS, HIGHEST, LOWEST, SKILLS


def check(view: View, ask: Ask, says: Any) -> Faults:
    """Returns faults by form field; empty: the answer may be sealed."""
    match says:
        case de.Own():
            return _own(view, ask, says)
        case de.Frame():
            if says.difficulty is not None and says.verdict != "roll":
                return {"difficulty": "Without a roll there is no difficulty: leave this empty."}
            return {}
        case de.Go():
            if says.go == "change" and not says.words.strip():
                return {"words": "Say what you do differently, so that it can be judged again."}
            return {}
        case de.Desk():
            return _desk(view, says)
        case de.Back():
            return {}
        case _:
            assert_never(says)


def default(view: View, ask: Ask) -> Any:
    """Absent: difficulty 3 and lost time, or a refusal if it was tried before (CHR-CHK-06, -13); no roll."""
    match ask.kind:
        case "frame":
            return de.Frame(verdict="refuse" if view.attempts[ask.about[0]].usual == "refuse" else "roll")
        case "go":
            return de.Go(go="leave")
        case "back":
            return de.Back()
        case "own":
            return de.Own(what="guide", who=ask.about[0], pair=1)  # never used: desks have no deadline
        case _:
            return de.Desk(words="Time passes.")


def _own(view: View, ask: Ask, says: de.Own) -> Faults:
    if says.who not in ask.about:
        return {"who": "Choose one of your own characters."}
    match says.what:
        case "check":
            if view.busy:
                return {"": "You already have a check under way: settle that one first."}
            return _try(view, says)
        case "grow":
            return _grow(view, says)
        case _:
            return {} if says.pair and 1 <= says.pair <= len(PAIRS) else {"pair": "Choose the pair that fits."}


def _try(view: View, says: de.Own | de.Desk) -> Faults:
    faults: Faults = {}
    if says.skill not in SKILLS:
        faults["skill"] = "Choose a skill."
    if not says.aim.strip():
        faults["aim"] = "Say what you want to achieve."
    if says.against and says.against not in view.people:
        faults["against"] = "Nobody with that name is here."
    elif says.against and says.against == says.who:
        faults["against"] = "A character cannot oppose themselves."
    elif says.against and says.other_skill and says.other_skill not in SKILLS:
        faults["other_skill"] = "Choose a skill."
    if not says.against and (says.who, says.skill) in {
        (who, skill) for who, skill, aim in view.failed if _eq(aim, says)
    }:
        faults["aim"] = "This has already failed. Wait until the situation changes, or try something else."
    return faults


def _eq(aim: str, says: de.Own | de.Desk) -> bool:
    return aim.casefold() == says.aim.strip().casefold()


def _grow(view: View, says: de.Own) -> Faults:
    drive = next((one for one in view.people[says.who].drives if one.key == says.drive), None)
    if drive is None:
        return {"drive": "Choose a Driving Motivation of this character."}
    if not drive.may_grow:
        return {"drive": "This motivation has already brought growth in this scene, or it is as low as it can get."}
    return {}


def _desk(view: View, says: de.Desk) -> Faults:
    if says.what in ("call", "stir", "played", "object", "ungrow", "promote") and says.who not in view.people:
        return {"who": "Choose a person."}
    match says.what:
        case "situation":
            return {} if says.words.strip() else {"words": "Say what is different now."}
        case "call":
            return _try(view, says)
        case "stir":
            return _stir(view, says)
        case "played" | "object":
            known = [one.key for one in view.people[says.who].drives]
            return {} if says.drive in known else {"drive": "Choose a Driving Motivation of this character."}
        case "ungrow":
            return objection_faults(view, says.who, says.drive, says.words)
        case "bring":
            return _bring(view, says)
        case "promote":
            return {} if not view.people[says.who].main else {"who": "This is already a main character."}
        case _:
            return {}


def _stir(view: View, says: de.Desk) -> Faults:
    faults: Faults = {}
    if says.talker and says.talker not in view.people:
        faults["talker"] = "Nobody with that name is here."
    if says.with_skill and says.with_skill not in SKILLS:
        faults["with_skill"] = "Choose a skill."
    if says.rating is not None and says.talker:
        faults["rating"] = "People who are here have their own rating: leave this empty."
    elif says.rating is not None and not LOWEST <= says.rating <= HIGHEST:
        faults["rating"] = f"A rating must be {LOWEST} to {HIGHEST}."
    if says.motivation not in MOTIVATIONS:
        faults["motivation"] = "Choose a motivation."
    if not says.context.strip():
        faults["context"] = "Enter the context in which it binds."
    if not says.topic.strip():
        faults["topic"] = "Enter what it is about."
    return faults


def _bring(view: View, says: de.Desk) -> Faults:
    faults: Faults = {}
    if not says.name.strip():
        faults["name"] = "Give them a name."
    if says.guide is not None and not 0 <= says.guide <= HIGHEST:
        faults["guide"] = f"A rating must be 0 to {HIGHEST}."
    if says.best and says.best not in [group.key for group in GROUPS]:
        faults["best"] = "Choose one of the four groups."
    if view.chosen and not says.terrain.strip():
        faults["terrain"] = "Choose the land they survive best in."
    return faults
