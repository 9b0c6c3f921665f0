"""What must hold of every state of a fight, whoever does whatever (from the ledger's rows)."""

from app.rulesets.chronicle.hand.state import OTHER, Fight, State
from app.rulesets.chronicle.wounds import PARTS


def sound(state: State) -> None:
    fight = state.fight
    _ground(fight)
    _combats(fight)
    _grips(fight)
    _people(fight)
    _orders(fight)


def _ground(fight: Fight) -> None:
    """CHR-FTW-15: nobody shares a square, stands on an obstacle or outside."""
    if not fight.round:
        return
    here = [one for one in fight.fighters.values() if one.here]
    assert len({one.at for one in here}) == len(here), [one.at for one in here]
    for one in here:
        assert one.at not in fight.blocked
        assert not fight.width or (0 <= one.x < fight.width and 0 <= one.y < fight.height), one.at


def _combats(fight: Fight) -> None:
    """CHR-MUL-01: one against one to four; who is in a combat is in exactly one."""
    seen: list[str] = []
    for combat in fight.combats:
        seen += combat.everybody
        for side in OTHER:
            assert all(fight[key].side == side and fight[key].combat == combat.number for key in combat.of(side))
        able = [sum(fight.able(key) for key in combat.of(side)) for side in OTHER]
        if fight.phase not in ("pair", "join"):
            assert min(able) <= 1 or fight.desk > 1, (combat.a, combat.b)  # the desk may heal somebody in mid-round
        assert max(able) <= 4
    assert len(seen) == len(set(seen))
    for one in fight.fighters.values():
        assert (one.combat > 0) == (one.key in seen), one.key
        assert not (one.gone and one.combat)


def _grips(fight: Fight) -> None:
    """CHR-ACT-32, CHR-CND: a hand keeps one person; who keeps and who is kept are there."""
    hands = [(grip.holder, grip.arm) for grip in fight.grips]
    assert len(hands) == len(set(hands))
    for grip in fight.grips:
        assert fight[grip.holder].here and fight[grip.victim].here
        assert fight[grip.holder].side != fight[grip.victim].side
        assert not fight[grip.holder].holds(grip.arm), "the hand that keeps somebody holds something"
        if fight.phase in ("next", "join", "foot"):
            assert fight.able(grip.holder) or fight.tries > 1 or fight.desk > 1


def _people(fight: Fight) -> None:
    for one in fight.fighters.values():
        assert 0 <= one.weakening <= fight.round // 2 or fight.desk > 1  # CHR-DEF-14
        since = {p.since for p in one.penalties}
        assert all(fight.round - 2 <= n <= fight.round for n in since), (fight.round, since)  # CHR-RND-11
        for part in PARTS:
            wound = one.wounds.of(part)
            assert wound.major or wound.minor <= 2 or fight.desk > 1  # CHR-WND-02
        if fight.helpless(one.key):
            assert not fight.able(one.key)  # CHR-WND-08
        if one.wounds.left_leg.major or one.wounds.right_leg.major:
            assert fight.prone(one.key)  # CHR-WND-05


def _orders(fight: Fight) -> None:
    for order in fight.orders.values():
        if order.target:
            assert fight[order.target].side != fight[order.who].side
        if order.defence == "dodge":
            assert order.square is not None
        if order.protect and order.part:
            assert order.protect != order.part  # CHR-ACT-02
