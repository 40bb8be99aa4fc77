"""Text, chips and replay in step: the fills of the text, what the mouse points at, the tree of a word."""

from __future__ import annotations

from textual.widgets import TextArea

from bpe_tui.ui.encode.replay import ReplayList
from bpe_tui.ui.encode.token_chips import TokenChips
from tests.ui.encoding import Encoding, settle


def fills(app: Encoding, y: int = 0) -> list[tuple[str, bool, bool, bool]]:
    """The stretches of a line of the text as they are drawn: text, underlined, bold, reversed."""
    app.encoding.area._line_cache.clear()
    found: list[tuple[str, bool, bool, bool]] = []
    for segment in app.encoding.area.render_line(y):
        style = segment.style
        if style is not None and segment.text.strip():
            found.append((segment.text, bool(style.underline), bool(style.bold), bool(style.reverse)))
    return found


async def test_the_text_is_filled_token_by_token_and_neighbours_differ_without_colour() -> None:
    app = Encoding("unhugs hug\nbun")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape", "home")
        await settle(app, pilot)
        assert fills(app) == [
            ("un", False, True, True),
            ("hug", True, False, False),
            ("s", False, False, False),
            ("hug", True, False, False),
        ]
        assert [text for text, *_rest in fills(app, 1)] == ["b", "un"]
        backgrounds = [
            segment.style.bgcolor
            for segment in app.encoding.area.render_line(0)
            if segment.style is not None and segment.text in ("hug", "s")
        ]
        assert backgrounds[0] == backgrounds[2] != backgrounds[1]


async def test_the_fills_follow_the_replay_and_the_moment() -> None:
    app = Encoding("unhug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape", "u")
        assert [text for text, *_rest in fills(app)] == ["un", "h", "ug"]
        await pilot.press("left_square_bracket")
        await settle(app, pilot)
        assert [text for text, *_rest in fills(app)] == ["un", "h", "ug"]
        await pilot.press("left_square_bracket")
        await settle(app, pilot)
        assert [text for text, *_rest in fills(app)] == ["u", "n", "h", "ug"]


async def test_a_long_line_is_filled_wherever_it_is_wrapped() -> None:
    app = Encoding("unhug bun " * 300)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape", "home")
        await settle(app, pilot)
        for y in range(3):
            shown = [text for text, *_rest in fills(app, y)]
            assert shown[:2] == ["un", "hug"]
            assert set(shown) == {"un", "hug", "b"}


async def test_the_mouse_points_at_a_chip_and_its_place_in_text_and_replay() -> None:
    app = Encoding("hug unhug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape")
        await pilot.hover(TokenChips, offset=(4, 1))
        await pilot.pause()
        assert app.encoding.chips.source.pointed == {0}
        assert fills(app)[0] == ("hug", False, True, False)
        await pilot.hover(TextArea, offset=(6, 1))
        await pilot.pause()
        assert app.encoding.chips.source.pointed == {1}
        assert any("•" in line and "u + n → un" in line for line in app.lines("replay"))
        await pilot.hover(ReplayList, offset=(8, 3))
        await pilot.pause()
        assert app.encoding._pointed == [(7, 9)]
        assert app.encoding.chips.source.pointed == {2}
        await pilot.hover("#why")
        await pilot.pause()
        assert not app.encoding.chips.source.pointed


async def test_the_word_is_drawn_as_a_tree_beside_its_merges() -> None:
    app = Encoding("unhugs")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        rows = [line[2:-2].rstrip() for line in app.lines("replay")[2:6]]
        assert rows[0].endswith("u  n  h  u  g  s")
        assert rows[1].endswith("u  n  h  ╰ug╯  s")
        assert rows[2].endswith("╰un╯  h   ug   s")
        assert rows[3].endswith(" un   ╰─hug─╯  s")


async def test_a_tree_that_has_no_room_is_a_line_of_tokens() -> None:
    app = Encoding("unhugs" * 6)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(app, pilot)
        assert "╰" not in "".join(app.lines("replay")[1:-1])
        assert "un·h" in app.text_of("replay")


async def test_policies_are_shown_only_where_something_is_unknown() -> None:
    app = Encoding("hug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        assert not bool(app.encoding.query_one("#policies").display)
        await pilot.press("escape", "5", "k")
        await settle(app, pilot)
        assert app.encoding.reader.policy == "token"
        assert app.focused is app.encoding.query_one("#tokens")
        await pilot.press("e", *" mug")
        await settle(app, pilot)
        assert bool(app.encoding.query_one("#policies").display)
        await pilot.press("escape", "home")
        await settle(app, pilot)
        assert any("drop" in line and "reads ug!" in line for line in app.lines("policies"))
        await pilot.press("k", "k", "k")
        await settle(app, pilot)
        assert app.encoding.policies.display
        await pilot.press("5")
        app.encoding.area.load_raw("hug")
        await settle(app, pilot)
        assert app.focused is app.encoding.query_one("#why")


async def test_signs_are_explained() -> None:
    app = Encoding("the café\n", corpus="course-fr", alphabet="all-bytes")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        assert "␣ = a space, ␊ = a newline" in app.lines("tokens")[-1]
        await pilot.press("escape", "G")
        await settle(app, pilot)
        assert "Ġ = a space, Ċ = a newline" in app.lines("tokens")[-1]
