"""The lists of the board sorted by their columns, by key and mouse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpe_tui.ui.widgets.sorting import GrowingOrder, SortOrder, some_in_order
from bpe_tui.ui.widgets.virtual_list import VirtualList
from tests.ui.running import lines, make_app, press, text_of, train_screen


def listed(app: Any, pane: str) -> VirtualList[Any]:
    view: VirtualList[Any] = train_screen(app).board.query_one(f"#{pane}", VirtualList)
    return view


async def test_a_key_goes_through_the_columns_of_the_vocabulary() -> None:
    app = make_app("story")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "N", "N", "3")
        view = listed(app, "vocabulary")
        trainer = train_screen(app).board.session.trainer  # type: ignore[union-attr]  # a corpus is open
        everything = [trainer.token(token) for token in range(trainer.vocab_size)]

        def shown() -> list[Any]:
            return [row.row for row in view.rows]

        await press(pilot, "i")
        by_text = sorted(everything, key=lambda row: row.text)
        assert shown() == by_text[: len(view.rows)]
        assert "token▲" in lines(view)[1]
        await press(pilot, "I")
        assert [row.text for row in shown()] == [row.text for row in by_text[::-1]][: len(view.rows)]
        assert "token▼" in lines(view)[1]
        await press(pilot, "i")
        assert [row.length for row in shown()] == sorted((row.length for row in everything), reverse=True)[
            : len(view.rows)
        ]
        await press(pilot, "i")
        counts = sorted((row.count for row in everything), reverse=True)
        assert [row.count for row in shown()] == counts[: len(view.rows)]
        await press(pilot, "space")  # the order holds for the next moment, too
        counts = sorted((trainer.token(token).count for token in range(trainer.vocab_size)), reverse=True)
        assert [row.count for row in shown()] == counts[: len(view.rows)]
        await press(pilot, "i")
        assert view.source.order is None
        assert "▼" not in lines(view)[1]


async def test_a_click_on_a_head_sorts_turns_round_and_ends() -> None:
    heads: list[tuple[str, str, Callable[[Any], Any]]] = [
        ("pairs", "pair", lambda row: (row.row.left, row.row.right)),
        ("vocabulary", "len", lambda row: -row.row.length),
        ("merges", "merge", lambda row: row.step.merge.token),
        ("corpus", "count", lambda row: -row.row.count),
    ]
    app = make_app("story")
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "N", "N", "N")
        for pane, head, value in heads:
            view = listed(app, pane)
            if pane == "corpus":
                await press(pilot, "1", "v")
            own = [*view.rows]
            place = lines(view)[1].index(head)
            values = []
            for _ in range(3):
                await pilot.click(view, offset=(place + 1, 1))
                await pilot.pause()
                values.append([value(row) for row in view.rows])
            assert values[0] == sorted(values[0]), pane
            assert values[1] == sorted(values[1], reverse=True), pane
            assert view.source.order is None, pane
            assert len(own) == len(view.rows), pane


async def test_a_sorted_list_can_be_filtered_and_the_filter_sorted() -> None:
    app = make_app("story")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "N", "N", "N", "N", "4", "i", "i")
        view = listed(app, "merges")
        assert view.source.order == SortOrder("merge", False)
        everything = [row.step.merge.token for row in view.source.fetch(view, 0, view.row_count)]
        await press(pilot, "slash", "e", "enter")
        assert [row.step.merge.token for row in view.source.fetch(view, 0, view.row_count)] == [
            token for token in everything if "e" in token
        ]


async def test_pairs_are_sorted_in_every_way_and_the_cursor_is_on_what_it_merges() -> None:
    app = make_app("banana")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "space", "2", "i", "I", "i")
        view = listed(app, "pairs")
        counts = [row.row.count for row in view.source.fetch(view, 0, view.row_count)]
        assert counts == sorted(counts)
        rarest = view.rows[0].row
        await press(pilot, "home", "enter")
        trainer = train_screen(app).board.session.trainer  # type: ignore[union-attr]  # a corpus is open
        last = trainer.last_step
        assert last is not None
        assert (last.merge.left, last.merge.right) == (rarest.left, rarest.right)
        await press(pilot, "i")
        changes = [row.row.change or 0 for row in view.source.fetch(view, 0, view.row_count)]
        assert changes == sorted(changes, reverse=True)


def test_an_order_that_grows_is_the_order_of_all() -> None:
    texts = [f"{(7919 * place) % 1009:04d}" for place in range(1000)]
    order = GrowingOrder()
    for total in (10, 11, 500, 499, 620, 1000, 3, 40):
        assert order.rows("a", total, texts.__getitem__) == sorted(range(total), key=texts.__getitem__)
    assert order.rows("b", 5, lambda row: -row) == [4, 3, 2, 1, 0]
    assert some_in_order([3, 1, 0, 2], [0, 3]).tolist() == [3, 0]


async def test_in_a_turn_the_pairs_stay_from_a_to_z() -> None:
    app = make_app("hug")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "2", "i", "i", "y")
        view = listed(app, "pairs")
        assert "A to Z" in text_of(view) or "alphabetical" in text_of(view)
        assert "▲" not in lines(view)[1]
