"""A blank or a joiner that is typed stays, as one that is pasted; and keys act in the order in which they come."""

from __future__ import annotations

import pytest
from textual import events
from textual.app import App, ComposeResult

from bpe_tui.ui.widgets.safe_input import SafeInput
from bpe_tui.ui.widgets.typed_keys import typed_blank
from bpe_tui.ui.widgets.verbatim_area import VerbatimArea

BLANKS = ["\u00a0", "\u202f", "\u200d", "\ufeff", "\u00ad", "\u2009"]


class Fields(App[None]):
    """Both inputs of the app."""

    def compose(self) -> ComposeResult:
        """An editor, and an input of one line."""
        yield VerbatimArea()
        yield SafeInput()


@pytest.mark.parametrize("blank", BLANKS)
async def test_a_typed_blank_stays(blank: str) -> None:
    app = Fields()
    async with app.run_test() as pilot:
        area, field = app.query_one(VerbatimArea), app.query_one(SafeInput)
        for widget in (area, field):
            widget.focus()
            await pilot.pause()
            for char in f"a{blank}b":
                widget.post_message(events.Key(char, char))
            await pilot.pause()
        assert area.raw == f"a{blank}b"
        assert field.value == f"a{blank}b"
        area.select_all()
        area.post_message(events.Key(blank, blank))
        field.select_all()
        field.post_message(events.Key(blank, blank))
        await pilot.pause()
        assert area.raw == field.value == blank


@pytest.mark.parametrize(("key", "char"), [("a", "a"), ("ctrl+a", "\x01"), ("f1", None), ("<ignore>", "\x1b[I")])
def test_other_keys_are_left_to_the_input(key: str, char: str | None) -> None:
    assert typed_blank(events.Key(key, char)) is None


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (["a", "b", "backspace", "c"], "ac"),
        (["a", "b", "left", "c", "end", "d"], "acbd"),
        (["a", "b", "home", "delete", "c"], "cb"),
        (["a", "space", "b", "ctrl+w", "c"], "a c"),
        (["a", "b", "home", "ctrl+k", "c"], "c"),
        (["a", "b", "ctrl+a", "c"], "cab"),
    ],
)
async def test_keys_that_come_at_once_act_in_their_order(keys: list[str], text: str) -> None:
    app = Fields()
    async with app.run_test() as pilot:
        area, field = app.query_one(VerbatimArea), app.query_one(SafeInput)
        for widget in (area, field):
            widget.focus()
            await pilot.pause()
            for key in keys:
                app.post_message(events.Key(key, {"space": " "}.get(key, key if len(key) == 1 else None)))
            await pilot.pause()
        assert (area.raw, field.value) == (text, text)


async def test_a_key_that_an_input_has_no_use_for_goes_on() -> None:
    app = Fields()
    async with app.run_test() as pilot:
        field = app.query_one(SafeInput)
        field.focus()
        await pilot.pause()
        await pilot.press("a", "ctrl+c")  # nothing is selected: the app says how to leave
        assert len(app._notifications) == 1
        await pilot.press("shift+home", "ctrl+c")
        assert (app.clipboard, len(app._notifications)) == ("a", 1)
