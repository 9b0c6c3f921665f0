"""Rounds of two to ten fighters who do anything they may never come to an illegal state.

A hundred rounds in the suite; a thousand with SIGNET_ROUNDS=1000 in front of pytest and this file.
"""

import os
import random
from collections import Counter

from app.rulesets.chronicle.hand import HAND
from app.rulesets.chronicle.hand.settings import HandSettings
from tests.rulesets.chronicle.hand.ring import begin, play, setup
from tests.rulesets.chronicle.hand.soundness import sound

ROUNDS = int(os.environ.get("SIGNET_ROUNDS", "100"))


def _settings(luck: random.Random) -> HandSettings:
    return HandSettings(
        footwork_winner_min=luck.choice(("1", "0")),
        defence_timing=luck.choice(("after-reveal", "after-reveal", "with-action")),
        penalties_stack=luck.choice(("add", "max")),
        weapons_attack_scope=luck.choice(("attack-actions", "all")),
        tackle_break_leaves_prone=luck.choice(("off", "on")),
        wounds_head_stack=luck.choice(("per-wound", "flat")),
        wounds_body_major=luck.choice(("down", "none", "like-leg")),
        hand_between=luck.choice(("ask", "go-on")),
    )


def test_random_rounds_stay_sound() -> None:
    luck = random.Random(1215)
    rounds, kinds, told = 0, Counter[str](), Counter[str]()
    number = 0
    while rounds < ROUNDS:
        number += 1
        a = luck.randint(1, 5)
        given = setup(a, luck.randint(1, 10 - a), luck.choice, _settings(luck))
        try:
            log = begin(given)
        except ValueError:
            continue  # nobody able on one side
        most = luck.choice((30, 60, 400))
        for step in play(log, luck, most, silent=0.1, desk=luck.choice((0, 0, 0.05))):
            sound(log.state)
            kinds.update(ask.kind for ask in step.asks)
        rounds += log.state.fight.round
        told.update(t.event.kind for t in log.events)
        HAND.outcome(log.state)
        for one in log.events:
            assert one.rule.startswith("CHR-")
    assert kinds.keys() >= {"setting", "ready", "pair", "act", "defend", "move", "protect", "pick", "next", "desk"}
    if ROUNDS >= 1000:
        assert kinds.keys() >= {"join", "join_pair", "mercy", "dodge"}, kinds
        assert told.keys() >= {"split", "gone", "broke", "wild", "weakened", "expired", "refused", "hands"}, told
