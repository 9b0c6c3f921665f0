"""Hiding, being noticed, warnings and blind blows; what a hidden one does reaches nobody who may not know."""

from typing import Any

from app.engine.chance import Chance, ScriptedChance
from app.engine.ifthen import THEM, Verdict
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, LoggedEvent, Seat, Viewer
from app.rulesets.arcana import RULESET
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import Action, Desk, Plan, Turn, When
from app.rulesets.arcana.fight.events import EVENT
from app.rulesets.arcana.fight.fold import apply, sees
from app.rulesets.arcana.fight.state import Held, State
from app.rulesets.arcana.fight.tasks import Focus
from app.rulesets.arcana.phases.asks import steps
from app.rulesets.arcana.phases.cycle import resolve
from app.rulesets.arcana.phases.legal import check
from app.rulesets.arcana.phases.visibility import Veiled
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.view.view import view
from tests.rulesets.arcana.plain import plain
from tests.rulesets.arcana.ring import at, cast, cell, cycle, fight, mage, major, minors, of, strike, when

HIDE = Action(do="hide")


def veiled(state: State, turns: dict[str, Turn], dice: dict[str, int]) -> list[LoggedEvent[ev.Event]]:
    """A cycle as it is told at the table, with everybody's seats on each event."""
    chance = ScriptedChance(dice)
    log: Recorder[State, ev.Event] = Recorder(state, apply)
    resolve(Veiled(log), turns, chance)
    assert chance.unused() == []
    return log.events


def read(told: list[LoggedEvent[ev.Event]], *seats: str) -> list[Any]:
    viewer = Viewer(seats=frozenset(Seat(one) for one in seats))
    return [one.event for one in told if sees(one.event, viewer)]


def hitting(who: str, where: str, face: int = 15) -> dict[str, int]:
    return {f"ARC-71/accuracy/{who}/1>{where}/1": face}


def test_nobody_hides_before_hostile_eyes() -> None:
    """ARC-30: full cover does it, if no enemy one knows of looks in; the value is kept and the dice are veiled."""
    for covers, ok in ({"0,0": "full"}, True), ({"0,0": "half"}, False), ({}, False):
        state = fight(at(plain("ada", "Stealth"), 0), at(plain("orc"), 5, side="foes"), covers=covers)
        told = veiled(state, {"ada": major(HIDE)}, {"ARC-30/hide/ada/1": 15})
        ada = state.fighters["ada"]
        assert (ada.hidden, ada.stealth, state.unseen("ada", "orc")) == (ok, 17 if ok else 0, ok)
        assert [one.ok for one in read(told, "ada") if isinstance(one, ev.Hid)] == [ok]
        assert not of(told, "checked")[0].to or of(told, "checked")[0].to == (GM,)
        assert not any(isinstance(one, ev.Hid | ev.Checked) for one in read(told, "orc"))
        assert of(told, "checked")[0].rolls[0].stream == "veiled"


def test_whom_one_does_not_know_of_goes_on_seeing() -> None:
    """ARC-30: hiding does not tell that somebody unseen looks on; it only does not work on that one."""
    state = fight(at(plain("ada"), 0), at(plain("imp"), 5, side="foes", hidden=True, stealth=30))
    told = veiled(state, {"ada": major(HIDE)}, {"ARC-30/hide/ada/1": 20})
    assert state.fighters["ada"].hidden and not state.unseen("ada", "imp")
    assert not any(isinstance(one, ev.Noticed) for one in read(told, "ada"))


def test_a_bad_hiding_is_noticed_at_once() -> None:
    """ARC-98: the value has to exceed, and the setting says who wins a tie."""
    for face, tie, noticed in ((9, "hidden", True), (10, "seen", True), (10, "hidden", False)):
        state = fight(at(plain("ada"), 0), at(plain("orc"), 5, side="foes"), covers={"0,0": "full"},
                      settings=Settings(stealth_tie=tie))  # fmt: skip
        cycle(state, {"ada": major(HIDE)}, {"ARC-30/hide/ada/1": face})
        assert ("orc" in state.fighters["ada"].noticed_by) is noticed


def test_waiting_in_hiding_is_rolled_for_when_it_comes_to_pass() -> None:
    """ARC-99: a conditional action has its die when triggered, and none if it is not."""
    for moves, dice in ((True, {"ARC-99/stealth/orc/1": 20, "ARC-148/cast/orc/1/1": 8}), (False, {})):
        state = fight(at(plain("ada"), 0), at(mage("orc"), 5, side="foes", hidden=True), cycle_=2)
        turn = major(cast("stone_skin", "orc"), when=when("ada", "moves"))
        go = major(Action(do="move", to=cell(1))) if moves else Turn()
        cycle(state, {"ada": go, "orc": turn}, dice)
        assert state.unseen("orc", "ada") and state.fighters["orc"].stealth == (20 if moves else 0)


def test_hurt_in_hiding() -> None:
    """ARC-104: 15 keeps it, less tells everybody."""
    for face, noticed in ((14, True), (15, False)):
        state = fight(at(plain("ada"), 0), at(plain("orc"), 1, side="foes", hidden=True), cycle_=2)
        told = veiled(
            state, {"ada": major(Action(do="attack", weapon="club", at=cell(1)))},
            hitting("ada", "2,0", 20) | {"ARC-128/damage/ada/1>2,0/1": 3, "ARC-111/natural/ada/1>2,0": 1,
                                         "ARC-104/quiet/orc/1/1": face},
        )  # fmt: skip
        assert state.fighters["orc"].hp == 17 and state.unseen("orc", "ada") is not noticed
        mine = read(told, "ada")
        assert not any(isinstance(one, ev.Damaged) for one in mine), "it is not told what it did"


def test_who_cries_out_is_noticed_by_the_hidden_without_telling_of_them() -> None:
    """ARC-101, ARC-104: one hidden combatant notices another; those who do not know of it read nothing of it."""
    state = fight(
        at(plain("ada"), 0), at(plain("ben"), 4), at(plain("orc"), 1, side="foes", hidden=True),
        at(plain("imp"), 5, side="wolves", hidden=True, stealth=30), cycle_=2,
    )  # fmt: skip
    told = veiled(
        state, {"ada": major(Action(do="attack", weapon="club", at=cell(1)))},
        hitting("ada", "2,0", 20) | {"ARC-128/damage/ada/1>2,0/1": 3, "ARC-111/natural/ada/1>2,0": 1,
                                     "ARC-104/quiet/orc/1/1": 14},
    )  # fmt: skip
    assert state.fighters["orc"].noticed_by == {"ada", "ben", "imp"}
    by = {seat: [one.by for one in read(told, seat) if isinstance(one, ev.Noticed)] for seat in ("ada", "ben", "imp")}
    assert by == {"ada": [("ada", "ben")], "ben": [("ada", "ben")], "imp": [("imp",)]}
    assert not any("imp" in EVENT.dump_json(one).decode() for one in read(told, "ada", "ben"))


def test_the_dice_of_the_confused_do_not_count_hidden_friends() -> None:
    """ARC-145, ARC-101: the size of the die tells among how many friends it picks, and its face which of them."""
    dice = {"ARC-145/confused/orc": 1, "ARC-145/whom/orc": 1, "ARC-145/ally/orc": 1}
    seen = []
    imp = at(plain("imp"), 9, side="foes", hidden=True, stealth=30)
    for hidden in ((), (imp,)):
        orc = at(plain("orc"), 1, side="foes", statuses={"confused": Held(9, 0)})
        state = fight(at(plain("ada"), 0), orc, at(plain("rat"), 3, side="foes"), *hidden, cycle_=2)
        told = veiled(state, {"orc": minors(Action(do="evade"))}, dice)
        seen.append([EVENT.dump_json(one) for one in read(told, "ada")])
    assert seen[0] == seen[1]


def test_words_in_code_do_not_name_a_hidden_friend_to_others() -> None:
    """ARC-32, ARC-101: all hear that something is said, but not to which of the hidden."""
    state = fight(at(plain("ada"), 0), at(plain("ben"), 4, hidden=True, stealth=30), at(plain("cyd"), 5),
                  at(plain("orc"), 9, side="foes"))  # fmt: skip
    told = veiled(state, {"ada": minors(Action(do="communicate", words="Now!", allies=("ben", "cyd")))}, {})
    assert [(one.words, one.allies) for one in read(told, "orc") if isinstance(one, ev.Spoke)] == [("", ("?", "cyd"))]
    assert ("Now!", ("ben", "cyd")) in [(one.words, one.allies) for one in read(told, "ben") if one.kind == "spoke"]


def test_no_die_is_named_after_a_hidden_one_who_acts_in_the_same_instant() -> None:
    """ARC-101, ARC-158: the labels of dice stand in the record of all, and decide how they fall."""
    told_of = "ARC-158/keep/ada/ada/1/1"
    focus = Focus("stone_skin", cast("stone_skin", "ada"), 1)
    state = fight(
        at(mage("ada"), 0, focus=focus), at(plain("orc"), 0, side="foes"),
        at(mage("abe"), 9, side="foes", hidden=True), cycle_=2,
    )  # fmt: skip
    turns = {"ada": major(Action(do="maintain")), "orc": major(strike("ada")), "abe": major(cast("stone_skin", "abe"))}
    dice = {"ARC-99/stealth/abe/1": 20, "ARC-148/cast/abe/1/1": 8, "ARC-110/critical/orc/1>ada": 1,
            "ARC-128/damage/orc/1>ada/1": 2, told_of: 20}  # fmt: skip
    told = veiled(state, turns, hitting("orc", "ada") | dice)
    assert "abe" in state.hiders and not [one for one in read(told, "ada") if b"abe/" in EVENT.dump_json(one)]


def test_blind_blows() -> None:
    """ARC-90, ARC-103: −5 until a hit, then none until a miss; the die falls all the same where nobody is."""
    state = fight(at(plain("ada"), 0), at(plain("orc"), 1, side="foes", hidden=True), cycle_=2)
    blow = major(Action(do="attack", weapon="club", at=cell(1)))
    quiet = {"ARC-128/damage/ada/1>2,0/1": 1, "ARC-104/quiet/orc/1/1": 19}
    told = veiled(state, {"ada": blow}, hitting("ada", "2,0", 12))
    whole, shown = of(told, "struck")
    assert (whole.bonus, whole.value, whole.hit) == (-5, 8, False)
    assert (shown.target, shown.rolls, shown.value, shown.hit, shown.at) == ("", (), 0, False, cell(1))
    assert of(veiled(state, {"ada": blow}, hitting("ada", "2,0", 13) | quiet), "struck")[1].hit
    assert of(veiled(state, {"ada": blow}, hitting("ada", "2,0", 8) | quiet), "struck")[0].bonus == 0
    nothing = major(Action(do="attack", weapon="club", at=(0, 2)))
    told = veiled(state, {"ada": nothing}, hitting("ada", "0,2", 20))
    assert [one.hit for one in of(told, "struck")] == [False, False] and not state.fighters["ada"].on_mark
    assert of(told, "launched")[0].target == ""


def test_what_watchers_read_of_a_blind_blow_is_the_same_with_and_without_somebody_there() -> None:
    """ARC-90, ARC-101."""
    seen = []
    for place in (1, 7):
        state = fight(at(plain("ada"), 0), at(plain("orc"), place, side="foes", hidden=True), cycle_=2)
        told = veiled(state, {"ada": major(Action(do="attack", weapon="club", at=cell(1)))}, hitting("ada", "2,0", 3))
        seen.append([EVENT.dump_json(one) for one in read(told, "ada")])
    assert seen[0] == seen[1]


def test_blindly_in_a_direction_and_at_who_is_in_sight() -> None:
    """ARC-90: the first on the line; whoever is seen at the place is aimed at as usual."""
    state = fight(at(mage("ada"), 0), at(plain("orc"), 3, side="foes", hidden=True), at(plain("imp"), 5, side="foes"),
                  cycle_=2)  # fmt: skip
    shot = Action(do="cast", spell="spark_volley", at=cell(9), along=True)
    told = veiled(state, {"ada": major(shot)}, {"ARC-148/cast/ada/1/1": 5} | hitting("ada", "18,0", 2))
    assert of(told, "struck")[0].target == "orc" and of(told, "launched")[0].distance2 == 900**2
    at_imp = major(Action(do="cast", spell="spark_volley", at=cell(5)))
    told = veiled(state, {"ada": at_imp}, {"ARC-148/cast/ada/1/1": 5} | hitting("ada", "imp", 2))
    (struck,) = of(told, "struck")
    assert (struck.target, struck.bonus) == ("imp", 0)


def test_the_blinded_name_places() -> None:
    """ARC-90, ARC-144."""
    state = fight(at(plain("ada"), 0, statuses={"blinded": Held(9, 0)}), at(plain("orc"), 1, side="foes"))
    assert "target" in str(check(state, "ada", major(strike("orc"))))
    blow = major(Action(do="attack", weapon="club", at=cell(1)))
    assert check(state, "ada", blow) == {}
    told = cycle(state, {"ada": blow}, hitting("ada", "2,0", 12))
    assert of(told, "struck")[0].by == "unseen"


def test_a_warning() -> None:
    """ARC-33: the named friends know of it; it knows that it is discovered, unless the words are coded."""
    for allies, coded in (((), False), (("ben",), True)):
        orc = at(plain("orc"), 5, side="foes", hidden=True, noticed_by={"ada"})
        state = fight(at(plain("ada"), 0), at(plain("ben"), 1), at(plain("cleo"), 2), orc, cycle_=2)
        said = Action(do="communicate", words="Behind the tree!", target="orc", allies=allies)
        told = veiled(state, {"ada": minors(said)}, {})
        assert state.fighters["orc"].noticed_by == {"ada", "ben"} | (set() if coded else {"cleo"})
        assert state.fighters["orc"].discovered is not coded
        assert any(isinstance(one, ev.Discovered) for one in read(told, "orc")) is not coded
        assert not any(isinstance(one, ev.Discovered) for one in read(told, "cleo"))


def test_words_do_not_name_the_hidden_to_who_does_not_know() -> None:
    """ARC-07, ARC-101: the declaration is open, with somebody in place of the name; afterwards too."""
    orc = at(plain("orc"), 1, side="foes", hidden=True, noticed_by={"ada"}, seat=str(GM))
    state = fight(at(plain("ada"), 0), at(plain("cleo"), 8), orc, cycle_=2)
    told = veiled(state, {"ada": major(strike("orc"))}, hitting("ada", "orc", 2))
    for seat, name in (("ada", "orc"), ("cleo", "?")):
        (opened,) = [one for one in read(told, seat) if isinstance(one, ev.Revealed) and one.who == "ada"]
        assert opened.turn.major and opened.turn.major.target == name
        assert seat == "ada" or "orc" not in "".join(EVENT.dump_json(one).decode() for one in read(told, seat))
    state.fighters["ada"].turn = major(strike("orc"))
    cleo = view(state, Viewer(seats=frozenset({Seat("cleo")})))
    major_ = cleo.people["ada"].turn.major
    assert "orc" not in cleo.people and major_ is not None and cleo.name(major_.target) == "someone"


def test_the_public_record_does_not_say_who_knows_of_the_hidden() -> None:
    """ARC-07, ARC-101: what anybody may download of such a declaration is the same whoever knows; whoever has seats
    that know and seats that do not reads it once."""
    public = set()
    for knowing in ({"ada"}, {"ada", "ben"}):
        orc = at(plain("orc"), 1, side="foes", hidden=True, noticed_by=knowing, seat=str(GM))
        state = fight(at(plain("ada"), 0), at(plain("ben"), 9), at(plain("cleo"), 8), orc, cycle_=2)
        told = veiled(state, {"ada": major(strike("orc"))}, hitting("ada", "orc", 2))
        for seats, name in ((("cleo",), "?"), (("ben", "cleo"), "orc" if "ben" in knowing else "?"), ((), "?")):
            (opened,) = [one for one in read(told, *seats) if isinstance(one, ev.Revealed) and one.who == "ada"]
            assert opened.turn.major and opened.turn.major.target == name, seats
        public.add(EVENT.dump_json(opened))
    assert len(public) == 1, public


def test_a_launch_names_nobody_hidden_in_an_area() -> None:
    """ARC-101, ARC-162: who is inside is not told with the launch."""
    state = fight(at(mage("ada"), 0), at(plain("orc"), 2, side="foes", hidden=True), cycle_=2)
    told = veiled(state, {"ada": major(cast("wail", ""))},
                  {"ARC-148/cast/ada/1/1": 8, "ARC-104/quiet/orc/1/1": 20})  # fmt: skip
    assert "orc" not in "".join(EVENT.dump_json(one).decode() for one in read(told, "ada"))
    assert state.fighters["orc"].hp < 20


def test_bodies_that_bump_know_of_each_other() -> None:
    """ARC-21."""
    state = fight(at(plain("ada"), 0), at(plain("orc"), 2, side="foes", hidden=True), at(plain("ben"), 9), cycle_=2)
    veiled(state, {"ada": major(Action(do="move", to=cell(2)))},
           {"ARC-21/slam/move/ada": 1, "ARC-21/slam/move/orc": 1, "ARC-104/quiet/orc/1/1": 20})  # fmt: skip
    assert state.fighters["orc"].noticed_by == {"ada"}


def test_those_who_notice_no_attacker_hold() -> None:
    """ARC-11: by the dice of the attackers in the first cycle, unless the table plays without surprise."""
    for face, surprise, held in ((11, "hold", True), (10, "hold", False), (11, "none", False)):
        state = fight(at(plain("ada"), 0), at(plain("orc"), 5, side="foes", hidden=True),
                      settings=Settings(surprise=surprise))  # fmt: skip
        told = cycle(state, {"ada": minors(Action(do="brace")), "orc": minors(Action(do="evade"))},
                     {"ARC-99/stealth/orc/1": face})  # fmt: skip
        assert (of(told, "revealed")[0].how == "surprised") is held


def test_whoever_cannot_see_the_target_does_not_see_who_struck() -> None:
    """ARC-100: attacking gives one away to those who see the target; talking to who hears it."""
    orc = at(plain("orc"), 1, side="foes", hidden=True)
    asleep = at(plain("ben"), 4, statuses={"asleep": Held(9, 0)})
    dazzled = at(plain("cleo"), 6, statuses={"blinded": Held(9, 0)})
    state = fight(at(plain("ada"), 0), asleep, dazzled, orc, cycle_=2)
    cycle(state, {"orc": major(strike("ada"))}, hitting("orc", "ada", 2) | {"ARC-99/stealth/orc/1": 20})
    assert state.fighters["orc"].noticed_by == {"ada"}
    cycle(state, {"orc": minors(Action(do="communicate", words="Ha!"))}, {"ARC-99/stealth/orc/1": 20})
    assert state.fighters["orc"].noticed_by == {"ada", "cleo"}


def test_hidden_friends_are_known_on_their_own_side_alone() -> None:
    """ARC-101: whoever may not know of somebody has nothing of them in any list."""
    state = fight(at(plain("ada"), 0, hidden=True), at(plain("ben"), 1), at(plain("orc"), 5, side="foes"))
    looks = {key: view(state, Viewer(seats=frozenset({Seat(key)}))) for key in state.fighters}
    assert "ada" in looks["ben"].people and "ada" not in looks["orc"].people
    assert "ada" not in f"{looks['orc'].known}{looks['orc'].menus}"


def test_what_somebody_hidden_puts_down_is_known_to_who_knows_of_them() -> None:
    """ARC-34, ARC-101."""
    ada = at(plain("ada"), 0, hidden=True, stealth=20, items={"Rope": 1})
    state = fight(ada, at(plain("ben"), 1), at(plain("orc"), 1.5, side="foes"), cycle_=2)
    veiled(state, {"ada": minors(Action(do="drop", item="Rope"))}, {"ARC-99/stealth/ada/1": 20})
    lying = {key: view(state, Viewer(seats=frozenset({Seat(key)}))).known.lying for key in state.fighters}
    assert [it.what for it in lying["ben"]] == ["Rope"] and not lying["orc"]


def test_a_search_finds_who_keeps_still() -> None:
    """ARC-29, ARC-30: the value of hiding is kept for those who look later."""
    state = fight(at(plain("ada"), 0, hidden=True, stealth=14), at(plain("orc"), 5, side="foes"), cycle_=2)
    luck: Chance = ScriptedChance({"ARC-29/search/orc/1": 12})
    cycle(state, {"orc": major(Action(do="search"))}, luck)
    assert state.fighters["ada"].noticed_by == {"orc"}


def test_who_names_a_counterspell_reads_what_it_may_meet_and_nothing_else() -> None:
    """ARC-55, ARC-101: no blow, and nobody of whom they do not know, though another one of the same seat does."""
    orc = at(plain("orc"), 1, side="foes", turn=major(strike("ada")))
    imp = at(mage("imp"), 9, side="foes", turn=major(cast("stun_bolt", "ada")))
    bird = at(mage("bird"), 8, side="foes", seat=GM)
    bird.turn = major(Action(do="cast", spell="spark_volley", split=("ben", "ada")))
    ghost = at(mage("ghost"), 6, side="foes", hidden=True, noticed_by=frozenset({"ben"}))
    ghost.turn = major(cast("stun_bolt", "ada"))
    ada, ben = at(mage("ada"), 0, turn=minors(Action(do="counterspell"))), at(mage("ben"), 3, seat="ada")
    wasp = at(mage("wasp"), 7, side="foes")
    wasp.turn = Turn(major=cast("stun_bolt", THEM), when=When(who="ada", verb="defends"))
    state = fight(ada, ben, orc, imp, bird, ghost, wasp)
    state.cards["wasp"] = Verdict(owner="wasp", verdict="fired", why="met", round=1, watched="ada")
    state.stage = "counter"
    hers = view(state, Viewer(seats=frozenset({Seat("ada")})))
    assert "ghost" in hers.people and hers.names == ("ada",)
    bolts = ("Imp casts Stun Bolt on Ada", "Wasp casts Stun Bolt on Ada")
    assert hers.incoming("ada") == ("Bird casts Spark Volley on Ben and Ada", *bolts)
    assert hers.incoming("ben") == (), "who is not asked reads nothing"


def test_what_was_sealed_before_the_gm_moved_somebody_hidden_is_done_if_it_still_can_be() -> None:
    """ARC-101, ARC-09: the others are not asked anew; who cannot do it any more does what the silent do."""
    orc = at(plain("orc"), 5, side="foes", seat=GM, hidden=True, noticed_by=frozenset({"ben"}))
    imp = at(plain("imp"), 9, side="foes", seat=GM)
    state = fight(at(plain("ada"), 0), at(plain("ben"), 2), orc, imp, settings=Settings(surprise="none"))
    (plan, desk) = steps(state)
    sealed = {
        Seat("ada"): Plan(of={"ada": minors(Action(do="evade"))}),
        Seat("ben"): Plan(of={"ben": major(Action(do="search"))}),
        GM: Plan(of={"imp": minors(Action(do="brace")), "orc": major(Action(do="move", to=cell(5, 2)))}),
    }
    views = {seat: view(state, Viewer(seats=frozenset({seat}), gm=seat == GM)) for seat in sealed}
    assert not any(RULESET.kind("fight").may_invalidate_sealed(one) for one in views.values())
    log: Recorder[State, ev.Event] = Recorder(state, apply)
    put = Answers(of={GM: Answer(says=Desk(what="place", who="orc", at=cell(90)), how="sealed")})
    RULESET.kind("fight").resolve(log, desk, put, ScriptedChance({}))
    assert steps(state)[0] == plan
    spoilt = {seat: view(state, Viewer(seats=frozenset({seat}), gm=seat == GM)) for seat in sealed}
    uncertain = RULESET.kind("fight").may_invalidate_sealed
    assert [str(seat) for seat, one in spoilt.items() if uncertain(one)] == ["ben", "gm"]
    answers = Answers(of={seat: Answer(says=says, how="sealed") for seat, says in sealed.items()})
    luck = ScriptedChance({"ARC-29/search/ben/1": 1})
    RULESET.kind("fight").resolve(log, plan, answers, luck)
    assert [(one.who, one.how) for one in of(log.events, "revealed")] == [
        ("ada", "sealed"), ("ben", "sealed"), ("imp", "sealed"), ("orc", "default")]  # fmt: skip
    assert state.fighters["orc"].place == cell(90) and not state.spoilt
