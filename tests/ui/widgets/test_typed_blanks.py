"""A blank or a joiner that is typed stays, as one that is pasted."""

from __future__ import annotations

import pytest
from textual import events
from textual.app import App, ComposeResult

from bpe_tui.ui.widgets.safe_input import SafeInput
from bpe_tui.ui.widgets.typed_blanks import typed_blank
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
