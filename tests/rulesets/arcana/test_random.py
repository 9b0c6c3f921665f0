"""Random cycles of up to eight people with if-thens: they end, in any order of sealing alike, and are their log."""

import random
from copy import deepcopy
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.chance import SeededChance
from app.engine.ifthen import ANY_ALLY, ANY_ENEMY, ANYONE, ME, THEM
from app.engine.log import Recorder, fold
from app.engine.ruleset import GM, LoggedEvent, Seat, Viewer
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import HOLD, MAJORS, MINORS, PLAN, Action, Free, Plan, React, Turn, When
from app.rulesets.arcana.fight.events import EVENT
from app.rulesets.arcana.fight.fold import apply, sees
from app.rulesets.arcana.fight.ifthens import VERBS
from app.rulesets.arcana.fight.state import STATE, Fighter, Held, State, begin
from app.rulesets.arcana.phases.cycle import resolve
from app.rulesets.arcana.phases.defaults import going_on
from app.rulesets.arcana.phases.legal import check
from app.rulesets.arcana.phases.visibility import OPEN, Veiled, audience
from app.rulesets.arcana.rules.book import ARMOUR, SKILLS, SPELLS, STATUSES, WEAPONS
from app.rulesets.arcana.rules.grid import Cell, gap2
from app.rulesets.arcana.rules.items import DRAUGHTS
from app.rulesets.arcana.rules.objects import may_strike, read_objects
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.body import Body, of_foe
from app.rulesets.arcana.sheet.foes import FOES, GRADES
from app.rulesets.arcana.view.view import view
from tests.rulesets.arcana.plain import plain

NAMES = [f"p{n}" for n in range(8)]
OBJECTS = "barrel 2,1 1 m +2 3 hp\nlamp 5,5 30 cm"


def someone(luck: random.Random, key: str) -> Body:
    if luck.random() < 0.3:
        return of_foe(key, FOES[luck.choice(sorted(FOES))], luck.choice(GRADES))
    scores = {one: luck.randint(2, 19) for one in ("ATH", "FIN", "SPR", "INT", "PER", "POW", "CHR", "EVL")}
    skilled = luck.sample(["Speed", "Strength", "wand", "simple", "heavy", "Stealth", "Observation", "hexes"], 3)
    schools = dict.fromkeys(("malediction", "restoration", "sorcery", "transmutation", "illusion"), "master")
    suits = [one for one in ARMOUR if ARMOUR[one].group != "shield"]
    return replace(plain(key, *skilled, level=luck.randint(1, 20), **scores), spells=tuple(SPELLS), schools=schools,
                   skills=dict.fromkeys(luck.sample(sorted(SKILLS), 4), 2), books=tuple(SPELLS),
                   wardrobe=("vest", "robes"),
                   armour=luck.choice(suits), shield=luck.choice(["", "small_shield"]))  # fmt: skip


def table(luck: random.Random) -> State:
    fighters: dict[str, Fighter] = {}
    places = luck.sample([(x, y) for x in range(6) for y in range(4)], len(NAMES))
    for n, key in enumerate(NAMES[: luck.randint(2, 8)]):
        body = someone(luck, key)
        one = Fighter(body, luck.choice(["us", "foes"]), key, places[n], luck.randint(-3, body.hp_max),
                      luck.randint(0, body.fp_max), hidden=luck.random() < 0.2,
                      items={**dict.fromkeys(DRAUGHTS, 1), "Rope": 2})  # fmt: skip
        for status in luck.sample(sorted(STATUSES), luck.choice([0, 0, 1, 2])):
            one.statuses[status] = Held(luck.randint(0, 4), luck.randint(0, 1), "stun_bolt", luck.choice([0, 12]))
        fighters[key] = one
    chosen = Settings(
        condition_loops=luck.choice(["nothing", "trigger"]), stacking=luck.choice(["cancel", "compound"]),
        range_penalty=luck.choice(["stationary", "all"]),
        absent_default=luck.choice(["hold", "defend"]),
        natural_20=luck.choice(["critical_if_hit", "hit_and_critical"]),
        resistance_mode=luck.choice(["percent", "dice"]),
        equal_distance=luck.choice(["net", "heal_first", "harm_first"]),
        trapped_defence=luck.choice(["stationary", "block"]), damage_modifier=luck.choice(["off", "on"]),
        weapon_attribute=luck.choice(["off", "on"]),
        grappling=luck.choice(["off", "on"]), close_firing=luck.choice(["off", "on"]),
        overkill_clamp=luck.choice(["off", "on"]), quickspell_resist=luck.choice(["advantage", "none"]),
    )  # fmt: skip
    covers = {f"{luck.randint(0, 5)},{luck.randint(0, 3)}": luck.choice(["half", "three_quarter", "full"])}
    state = begin(fighters, chosen, covers, frozenset(luck.sample(list(fighters), 1)))
    state.objects = {one.key: one for one in read_objects(OBJECTS, 9, 9)}
    return state


def somewhere(luck: random.Random) -> Cell:
    return luck.randint(-2, 8), luck.randint(-2, 6)


def action(luck: random.Random, state: State, who: str, do: str) -> Action:
    body = state.fighters[who].body
    target = luck.choice([*state.fighters, *state.fighters, *state.objects, *state.objects, THEM, ""])
    if target in state.objects and do in ("quickspell", *MAJORS):
        do = do if do == "quickspell" else luck.choice(["attack", "cast"])
    bolts = [key for key in body.spells if may_strike(SPELLS[key])] if target in state.objects else ()
    return Action.model_validate({
        "do": do, "target": target, "at": somewhere(luck), "to": somewhere(luck), "pp": luck.choice([0, 0, 1, 3]),
        "weapon": luck.choice(sorted(body.weapons)), "spell": luck.choice(bolts or body.spells or ("mend",)),
        "book": luck.random() < 0.3, "cycles": luck.choice([1, 1, 2, 3]),
        "item": luck.choice([*DRAUGHTS, "Rope", *WEAPONS, *body.wardrobe]),
        "gives": (luck.choice([*DRAUGHTS, "Rope", *WEAPONS]),),
        "along": luck.random() < 0.3, "words": "now!", "gait": luck.choice(["walk", "special"]),
        "split": luck.choice([(), (), tuple(luck.sample([*state.fighters, *state.objects], 2))]),
        "choice": luck.choice(["", "hits", "misses", "fire"]),
    })  # fmt: skip


def turn(luck: random.Random, state: State, who: str) -> Turn:
    """A random declaration that may be sealed; what is under way is often gone on with."""
    on, body = going_on(state, who), state.fighters[who].body
    skills = body.skills
    if on is not None and luck.random() < 0.6:
        return on
    for _ in range(20):
        big = luck.random() < 0.6
        made = Turn(
            free=Free(step=somewhere(luck) if luck.random() < 0.1 else None, emerge=luck.random() < 0.3),
            major=action(luck, state, who, luck.choice(sorted(MAJORS))) if big else None,
            minors=() if big else tuple(
                action(luck, state, who, luck.choice(sorted(MINORS))) for _ in range(luck.randint(0, 2))
            ) if luck.random() < 0.8 or "quickloose" not in skills else (
                action(luck, state, who, "considered"),
                action(luck, state, who, "attack").model_copy(update={"quick": True}),
            ),
            back=Action(
                do="attack", weapon=luck.choice(sorted(body.weapons)), target=luck.choice(["", *state.fighters])
            ) if luck.random() < 0.5 and "instinctive_retribution" in skills else None,
            extra=action(luck, state, who, luck.choice(["attack", "cast"])) if luck.random() < 0.1 else None,
            when=When(
                who=luck.choice([*state.fighters, ANYONE, ANY_ENEMY, ANY_ALLY]), verb=luck.choice(sorted(VERBS)),
                whom=luck.choice([*state.fighters, *state.objects, ANYONE, ME, "", ""]),
                mode=luck.choice(["answer", "interrupt"]),
                guards=luck.choice(["all", "1", "2"]),
            ) if luck.random() < 0.6 else None,
            react=React(
                resist=luck.choice(["always", "never"]), on_critical=luck.choice(["damage", "armour"]),
                on_killing=luck.choice(["fell", "spare"]) if "merciful" in skills else "fell",
                on_area=luck.choice(["stay", "leap"]) if "area_dodge" in skills else "stay",
                watch=tuple(one for one in state.fighters if "sentinel" in skills and not state.unseen(one, who)),
            ),
        )  # fmt: skip
        if not check(state, who, made):
            return made
    return HOLD


def chance(seed: int) -> SeededChance:
    return SeededChance(seed.to_bytes(32, "big"), (seed + 1).to_bytes(32, "big"))


def played(state: State, turns: dict[str, Turn], seed: int) -> tuple[State, list[LoggedEvent[ev.Event]], SeededChance]:
    log: Recorder[State, ev.Event] = Recorder(deepcopy(state), apply)
    luck = chance(seed)
    resolve(log, turns, luck)
    return log.state, log.events, luck


@settings(max_examples=80)
@given(st.integers(0, 2**40))
def test_any_cycle_ends_the_same_in_every_order_and_is_its_log(seed: int) -> None:
    luck = random.Random(seed)
    state = table(luck)
    for _ in range(3):
        turns = {who: turn(luck, state, who) for who in state.fighters if luck.random() < 0.9}
        before = deepcopy(state)
        after, told, used = played(state, turns, seed)
        assert state == before, "recorder writes nowhere but in its own state"
        shuffled = list(turns.items())
        luck.shuffle(shuffled)
        assert played(state, dict(shuffled), seed)[1] == told
        assert fold(deepcopy(before), apply, told) == after
        assert STATE.validate_json(STATE.dump_json(after)) == after
        for one in told:
            assert EVENT.validate_json(EVENT.dump_json(one.event)) == one.event
        sane(before, after, told, turns)
        faces = {roll.label for one in told for roll in rolls(one.event)}
        assert faces == used.used | used.veiled.used, "every die that fell is in the log"
        state = after


def rolls(event: ev.Event) -> list[ev.Roll]:
    """Every roll in an event, wherever it stands."""
    found: list[ev.Roll] = []
    for name in event.__dataclass_fields__:
        value = getattr(event, name)
        found += [one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, ev.Roll)]
    return found


def sane(before: State, after: State, told: list[LoggedEvent[ev.Event]], turns: dict[str, Turn]) -> None:
    """What must hold whatever happened."""
    cells = [one.place for one in after.fighters.values()]
    assert len(set(cells)) == len(cells), "nobody shares a cell (ARC-21)"
    for who, one in after.fighters.items():
        assert 0 <= one.fp <= max(one.body.fp_max, before.fighters[who].fp), "never below nothing (ARC-152)"
        assert one.hp <= max(one.body.hp_max, before.fighters[who].hp)
        assert not before.fighters[who].dead or one.dead
    judged = [one.event.who for one in told if isinstance(one.event, ev.Judged)]
    assert len(judged) == len(set(judged)), "one card each"
    opened = {one.event.who: one.event.turn for one in told if isinstance(one.event, ev.Revealed)}
    waiting = {
        who for who, made in opened.items()
        if made.when and before.fighters[who].able
    }  # fmt: skip
    assert waiting == set(judged), "every clause has its card"
    for one in told:
        if isinstance(one.event, ev.Moved) and one.event.how in ("step", "considered", "move"):
            assert gap2(one.event.start, one.event.end) <= gap2(one.event.start, one.event.goal)


@settings(max_examples=40)
@given(st.integers(0, 2**40))
def test_what_a_hidden_one_declares_changes_no_form_of_those_who_do_not_know(seed: int) -> None:
    """Whom one may name is asked of what one knows: legality and menu are the same with and without the hidden one."""
    luck = random.Random(seed)
    state = table(luck)
    for who in state.fighters:
        hidden = [key for key in state.fighters if state.unseen(key, who)]
        gone = deepcopy(state)
        for key in hidden:
            del gone.fighters[key]
        made = turn(luck, state, who)
        assert check(gone, who, made) == check(state, who, made)


@settings(max_examples=60)
@given(st.integers(0, 2**40))
def test_whoever_does_not_know_of_a_hidden_one_reads_nothing_of_it(seed: int) -> None:
    """ARC-98, ARC-101: an event is read by nobody from whom somebody it names is hidden as it is told."""
    luck = random.Random(seed)
    state = table(luck)
    for one in state.fighters.values():
        one.seat = "gm" if one.side == "foes" else one.seat
    for _ in range(2):
        turns = {who: turn(luck, state, who) for who in state.fighters}
        log: Recorder[State, ev.Event] = Recorder(state, apply)
        spy = Spy(log)
        resolve(Veiled(spy), turns, chance(seed))
        resolved = {key: Viewer(seats=frozenset({Seat(one.seat)})) for key, one in state.fighters.items()}
        for told, unknown in spy.unknown:
            if isinstance(told, ev.Watches) and told.lost:
                continue  # whoever watched somebody knew of them until they hid, just now
            words = EVENT.dump_json(told).decode()
            for key, hidden in unknown.items():
                if sees(told, resolved[key]):
                    assert not [one for one in hidden if f'"{one}"' in words or f">{one}" in words], (key, told)
        for viewer in resolved.values():
            if viewer.seats != {GM}:
                page = view(state, viewer)
                gone = [one for one in state.fighters if one not in page.people]
                assert not [one for one in gone if f"'{one}'" in f"{page.known}{page.menus}{page.cards}"]


class Spy:
    """A log that notes who was hidden from whom after each event."""

    def __init__(self, log: Recorder[State, ev.Event]) -> None:
        self.log, self.unknown = log, list[tuple[ev.Event, dict[str, list[str]]]]()

    @property
    def state(self) -> State:
        return self.log.state

    def emit(self, event: ev.Event, *, rule: str, because: tuple[int, ...] = ()) -> int:
        before = self.hidden()
        number = self.log.emit(event, rule=rule, because=because)
        after = self.hidden()
        self.unknown.append((event, {key: [one for one in before[key] if one in after[key]] for key in before}))
        return number

    def hidden(self) -> dict[str, list[str]]:
        """By person, who is hidden from all of that seat's people."""
        people = self.state.fighters
        return {
            key: [
                one for one in sorted(self.state.hiders)
                if all(self.state.unseen(one, other) for other in people if people[other].seat == people[key].seat)
            ]
            for key in people if people[key].seat != GM
        }  # fmt: skip


def test_the_forms_words_become_a_plan() -> None:
    """Numbers and cells come as text."""
    words = {"ask": "plan", "of": {"ada": {
        "major": {"do": "cast", "spell": "mend", "target": "ben", "pp": "2"}, "free": {"face": "3,-4", "step": ""},
        "when": {"who": "orc", "verb": "attacks", "whom": "ben"},
    }}}  # fmt: skip
    plan = PLAN.validate_python(words)
    made = plan.of["ada"]
    assert isinstance(plan, Plan) and made.major and made.major.pp == 2
    assert (made.free.face, made.free.step, made.plain(), len(made.guarded())) == ((3, -4), None, (), 1)


@settings(max_examples=30)
@given(st.integers(0, 2**40))
def test_what_is_told_without_a_look_at_the_seats_is_for_everybody(seed: int) -> None:
    """`OPEN` is a shorter way to what `audience` says of a table at which nobody hides."""
    luck = random.Random(seed)
    state = table(luck)
    state.settings = state.settings.model_copy(update={"foe_hp": luck.choice(["numbers", "words", "hidden"])})
    for one in state.fighters.values():
        one.hidden, one.seat = False, "gm" if one.side == "foes" else one.seat
    turns = {who: turn(luck, state, who) for who in state.fighters}
    asked: Recorder[State, ev.Event] = Recorder(deepcopy(state), apply)

    class Asking(Veiled):
        def emit(self, event: ev.Event, *, rule: str, because: tuple[int, ...] = ()) -> int:
            if type(event) in OPEN and not self.state.hiders:
                assert audience(self.state, event) is None, event
            return super().emit(event, rule=rule, because=because)

    resolve(Asking(asked), turns, chance(seed))
