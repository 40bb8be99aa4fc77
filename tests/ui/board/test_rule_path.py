"""What else could have been: other tie rules, the rule's own way, choices marked, and runs in slow motion."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from bpe_tui.core.teaching.divergence import RETRAINING_LIMIT
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.dialogs import ties
from bpe_tui.ui.widgets.virtual_list import VirtualList
from tests.ui.running import app_on_text, lines, make_app, press, text_of, train_screen


async def settled(app: BpeApp, pilot: Pilot[None]) -> None:
    await app.workers.wait_for_complete()
    await pilot.pause()
    await pilot.pause()


def rule_text(app: BpeApp) -> str:
    return str(app.screen.query_one("#rule-text", Static).content)


async def test_the_tie_dialog_tells_where_each_rule_parts() -> None:
    app = make_app("course-en")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "space", "t")
        await settled(app, pilot)
        shown = text_of(app.screen.query_one(VirtualList))
        assert "2: e + r, not i + s" in shown
        assert "2: ␣ + a, not i + s" in shown
        assert rule_text(app).startswith(
            "lowest-id diverges from the current path at merge 2: e + r instead of i + s, 3 tied."
        )
        await press(pilot, "up")
        assert rule_text(app).startswith("first-seen is the current rule.")


async def test_where_no_rule_parts_it_says_so() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "t")
        await settled(app, pilot)
        assert text_of(app.screen.query_one(VirtualList)).count("nowhere") == 3
        assert rule_text(app).startswith("lowest-id makes the same merges all the way.")


async def test_a_limited_search_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ties, "MOST", 2)
    app = make_app("banana")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "t")
        await settled(app, pilot)
        assert "not up to 2" in text_of(app.screen.query_one(VirtualList))
        assert rule_text(app).startswith("lowest-id makes the same first 2 merges; further ones were not compared.")


async def test_a_corpus_too_large_to_train_on_twice_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_tui.core.teaching.divergence.RETRAINING_LIMIT", 10)
    assert RETRAINING_LIMIT > 10
    app = make_app("banana")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "t")
        assert "too large to train it twice" in rule_text(app)
        await press(pilot, "escape", "down", "down", "enter")
        assert "the rule's way: too large" in lines(train_screen(app).board.curve)[-1]


async def test_after_a_choice_the_curve_shows_the_rules_own_way() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = train_screen(app)
        await press(pilot, "space")
        assert "rule" not in text_of(screen.board.curve)
        await press(pilot, "down", "down", "down", "enter", "f")
        await settled(app, pilot)
        assert "your way" in lines(screen.board.curve)[-1]
        assert "2.00 · rule 1.72" in lines(screen.board.curve)[0]
        assert lines(screen.board.timeline)[0].count("◆") == 1
        assert "your choice" in text_of(screen.board.merges)
        await press(pilot, "u", "u")
        await settled(app, pilot)
        assert "rule 2.14" not in lines(screen.board.curve)[0]
        assert lines(screen.board.timeline)[0].count("◆") == 1
        await press(pilot, "down", "enter", "up", "u", "enter")
        await settled(app, pilot)
        assert "your way" not in lines(screen.board.curve)[-1]
        assert "◆" not in lines(screen.board.timeline)[0]


async def test_an_undone_choice_is_what_comes_next() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        await press(pilot, "down", "enter", "u")
        assert next(line for line in lines(screen.board.pairs) if "▸" in line).startswith("│ ▸2 p + u")
        assert "pug×5 + pun×12 = 17" in lines(screen.board.words)[-1]
        assert "again, your own choice" in screen.board.explanation.sentences[1]
        await press(pilot, "space")
        assert screen.board.session is not None
        assert list(screen.board.session.choices) == [1]


async def test_runs_tell_what_is_counted_and_what_is_replaced() -> None:
    app = app_on_text("aaaa", preset="toy", merges=3)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = train_screen(app)
        await pilot.pause()
        assert "a+a·a+a  3, but 2 merge" in text_of(screen.board.words)
        assert "aaaa×1×3: counted 3, replaced 2" in lines(screen.board.words)[-1]
        await press(pilot, "1", "z")
        assert "a+a·a+a   counted 3, replaced 2" in text_of(screen.board.words)
    app = make_app("banana")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        await press(pilot, *["down"] * 4)
        assert "counted 19, replaced 12" in lines(screen.board.words)[-1]
        assert (
            "a + a occurs 19 times in 3 words: counted 19, replaced 12, because"
            in screen.board.explanation.sentences[1]
        )
        assert "a+a·a·b" in text_of(screen.board.words)


async def test_walking_phase_by_phase_tells_what_each_one_does() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = train_screen(app)
        seen = []
        for _ in range(3):
            await press(pilot, "s")
            seen.append(
                (lines(screen.board.algorithm)[0].split("─ ")[1].strip(" ─╮"), screen.board.explanation.sentences[1])
            )
        assert seen == [
            ("count: each pair", "Of 6 pairs the most frequent is u + g, which occurs 20 times."),
            ("pick: the most frequent", "Picked u + g → ug: 20 times, 3 more than p + u."),
            ("merge: into one token", "Press s: now all pairs are counted again."),
        ]
        await press(pilot, "S", "S", "S")
        assert screen.board.explanation.sentences[1] == "Press s: first all pairs of neighbours are counted."
