"""The corpus follows the merge: where not all words fit, those that it changed and those that hold the next pair."""

from __future__ import annotations

import random
from functools import cache

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import text_corpus
from bpe_tui.core.options import make_options
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.ui.board.word_groups import GroupKind, groups_of, rows_of
from bpe_tui.ui.board.words import contexts
from tests.ui.running import app_on_text, lines, make_app, press, text_of, train_screen

SYLLABLES = ("ba", "re", "mo", "ti", "sul", "ne", "ko", "ran", "vi", "dor")


@cache
def long_text(words: int = 4_000, seed: int = 14) -> str:
    """Words of one to four syllables, the same ones for the same seed."""
    chance = random.Random(seed)
    return " ".join("".join(chance.choices(SYLLABLES, k=chance.randint(1, 4))) for _ in range(words))


def trainer_on(text: str, merges: int) -> Trainer:
    options = make_options("course")
    trainer = Trainer(count_words(text_corpus(text), options), options)
    trainer.goto(merges)
    return trainer


async def test_what_was_merged_and_what_is_next_are_in_view_in_the_smallest_window_of_two_columns() -> None:
    app = make_app("banana")
    async with app.run_test(size=(80, 24)) as pilot:
        words = train_screen(app).board.words
        await press(pilot, *["space"] * 10)
        assert "2 changed · 2 next" in lines(words)[0]
        assert [line.strip("│ ┃") for line in lines(words)[1:-1] if line.strip("│ ┃")] == [
            "merged  m + iss → miss, in 2 words",
            "4  m·iss·iss·i·… → miss·iss·i·…",
            "4  m·iss           → miss",
            "next  i + p → ip, in 2 words",
            "•    4  miss·iss·i+p·p·i",
            "2  s·i+p·s",
        ]
        assert "mississippi×4 + sips×2 = 6" in lines(words)[-1]


async def test_in_a_low_list_labels_take_the_place_of_heads() -> None:
    app = app_on_text(long_text(), merges=20)
    async with app.run_test(size=(40, 12)) as pilot:
        await press(pilot, "1", *["space"] * 5)
        first, *others = lines(train_screen(app).board.words)[1:-1]
        assert first.startswith("│ changed ")
        assert " → " in first
        assert sum(line.startswith("│ next ") for line in others) == 1


async def test_a_key_switches_to_the_corpus_in_its_own_order_and_back() -> None:
    text = long_text()
    app = app_on_text(text, merges=20)
    async with app.run_test(size=(120, 40)) as pilot:
        words = train_screen(app).board.words
        await press(pilot, "space", "space")
        assert "next" in text_of(words)
        await press(pilot, "v")
        assert words.row_count == len(set(text.split())) + 1  # the first word has no space before it
        assert text.split()[0] in lines(words)[2].replace("·", "").replace("+", "")
        await press(pilot, "v")
        assert "next" in text_of(words)


async def test_where_all_words_fit_there_is_nothing_to_switch() -> None:
    app = make_app("hug")
    async with app.run_test(size=(80, 24)) as pilot:
        board = train_screen(app).board
        await press(pilot, "space", "v")
        assert board.notice
        assert board.words.row_count == 5


async def test_phase_by_phase_the_next_pair_appears_only_once_it_is_picked() -> None:
    app = app_on_text(long_text(), merges=20)
    async with app.run_test(size=(120, 40)) as pilot:
        words = train_screen(app).board.words
        await press(pilot, "space", "space", "s")
        assert "changed" in lines(words)[0]
        assert "next" not in text_of(words)
        assert "+" not in "".join(lines(words)[2:-1])
        await press(pilot, "s")
        assert "next" in text_of(words)


async def test_while_the_counts_are_hidden_all_words_are_listed() -> None:
    app = app_on_text(long_text(), merges=20)
    async with app.run_test(size=(120, 40)) as pilot:
        board = train_screen(app).board
        await press(pilot, "space", "y")
        assert board.words.row_count == board.words.source.trainer.word_count
        assert "next" not in text_of(board.words)


async def test_the_words_that_hold_the_pair_looked_at_are_listed_the_heaviest_first() -> None:
    app = app_on_text(long_text(), merges=20)
    async with app.run_test(size=(120, 40)) as pilot:
        board = train_screen(app).board
        await press(pilot, "down", "down")
        trainer, pair = board.words.source.trainer, board.words.source.session.selected
        assert pair is not None
        found = trainer.pair_words(*pair)
        assert board.words.row_count == len(found)
        counts = [share.added for share in found.heaviest(0, 5)]
        assert counts == sorted(counts, reverse=True)
        assert f"= {found.total:,}" in lines(board.words)[-1]


def test_the_changed_words_leave_room_for_the_others() -> None:
    trainer = trainer_on(long_text(), 3)
    pair = trainer.next_pair
    assert pair is not None
    changed, following = groups_of(trainer, pair, 12, looked_at=False)
    assert (changed.kind, following.kind) == (GroupKind.CHANGED, GroupKind.NEXT)
    assert changed.row_count == 6
    assert changed.words.total == trainer.steps[2].replaced
    assert following.listed == len(trainer.pair_words(*pair))
    rows = [(group.kind, place) for group, place in rows_of((changed, following), 4, 8)]
    kinds = GroupKind.CHANGED, GroupKind.NEXT
    assert rows == [(kinds[0], 3), (kinds[0], 4), (kinds[1], None), (kinds[1], 0)]


def test_at_the_start_nothing_is_changed_and_at_the_end_nothing_is_next() -> None:
    trainer = trainer_on("ab ab ab b", 0)
    assert [group.kind for group in groups_of(trainer, trainer.next_pair, 12, looked_at=False)] == [GroupKind.NEXT]
    trainer.goto(1)
    assert [group.kind for group in groups_of(trainer, None, 12, looked_at=False)] == [GroupKind.CHANGED]


def test_what_two_splits_have_in_common_may_be_left_out_at_their_ends() -> None:
    def parts(before: tuple[int, ...], after: tuple[int, ...]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        return [(before[old], after[new]) for old, new in contexts(before, after)]

    assert parts((1, 2, 3, 4, 5), (1, 9, 4, 5)) == [
        ((1, 2, 3, 4, 5), (1, 9, 4, 5)),
        ((1, 2, 3, 4), (1, 9, 4)),
        ((1, 2, 3), (1, 9)),
        ((2, 3), (9,)),
        ((2, 3), (9,)),
    ]
    assert parts((1, 1), (2,)) == [((1, 1), (2,)), ((1, 1), (2,))]
    # Of what was merged in two places the first one is left.
    assert parts((2, 3, 4, 2, 3), (9, 4, 9))[-1] == ((2, 3), (9,))
