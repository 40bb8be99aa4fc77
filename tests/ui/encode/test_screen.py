"""The encode screen: what it shows for a text at a moment, policies, sizes."""

from __future__ import annotations

import pytest

from bpe_tui.ui.encode.screen import PANE_IDS, EncodeScreen, panes_in_view
from bpe_tui.ui.encode.token_chips import TokenChips
from bpe_tui.ui.messages import MomentSelected
from tests.ui.encoding import Encoding, settle


async def test_typing_shows_tokens_at_the_moment() -> None:
    app = Encoding()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press(*"bug mug")
        await settle(app, pilot)
        assert app.session.text == "bug mug"
        assert app.words == ["b·ug", "[UNK]·ug"]
        assert "4 tokens · 2.00 per word · 1 unknown · 43% fewer tokens than bytes" in app.lines("tokens")[0]
        assert "7 characters · 7 bytes · 2 words" in str(app.encoding.area.border_title)
        chips = app.text_of("tokens")
        assert "│ ⟦[UNK]⟧ ┃ ug ┃" in chips
        assert "╭────m────╮" in chips
        assert "merge 3/3  vocab 10" in app.encoding.status.render_line(0).text


async def test_labels_stand_over_their_chips() -> None:
    app = Encoding("hXug[UNK]")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        above, chips = app.lines("tokens")[1:3]
        assert above.count("┬") == 4
        corners = [place for place, char in enumerate(above[1:-1], start=1) if char in "╭┬╮"]
        borders = [place for place, char in enumerate(chips) if char in "│┃"]
        assert len(corners) == 8
        assert set(corners) <= set(borders)
        for place, symbol in zip(corners[2:], "[UNK]", strict=False):
            assert symbol in above[place : borders[borders.index(place) + 1]]


async def test_a_typed_unknown_token_is_not_an_unknown() -> None:
    app = Encoding("[UNK]", corpus="story")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        tokenized = app.encoding.chips.tokenized
        assert not any(
            token.text == "[UNK]" and not token.unknown for shape in tokenized.distinct_words for token in shape
        )


async def test_the_timeline_changes_the_tokens_live() -> None:
    app = Encoding("unhug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        assert app.words == ["un·hug"]
        app.encoding.timeline.post_message(MomentSelected(1))
        await settle(app, pilot)
        assert app.words == ["u·n·h·ug"]
        assert "merge 1/3  vocab 8" in app.encoding.status.render_line(0).text
        app.encoding.focus_pane("tokens")
        await pilot.press("right_square_bracket")
        await settle(app, pilot)
        assert app.words == ["un·h·ug"]
        assert app.session.trainer.position == 2


async def test_policies_are_compared_and_switched() -> None:
    app = Encoding("hXug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        shown = app.lines("policies")
        assert any("drop" in line and "1, reads hug!" in line for line in shown)
        assert any("error" in line and "'X' at character 1" in line for line in shown)
        await pilot.press("escape", "k", "k")
        await settle(app, pilot)
        assert app.encoding.reader.policy == "drop"
        assert app.words == ["hug"]
        await pilot.press("5", "home", "down", "enter")
        await settle(app, pilot)
        assert app.encoding.reader.policy == "fuse"
        await pilot.press("k", "k", "k")
        await settle(app, pilot)
        assert app.encoding.reader.policy == "error"
        assert "refuses this text" in app.text_of("why")


async def test_bytes_stand_under_their_character_and_each_can_be_looked_at() -> None:
    app = Encoding("é", corpus="course-fr", merges=0)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        chips = app.lines("tokens")
        assert "╭─────é─────╮" in chips[1]
        assert "┃ ˣC3 ┃ ˣA9 │" in chips[2]
        await pilot.press("escape", "right")
        assert app.encoding.here == 1
        assert "byte A9" in app.text_of("why")
        await pilot.press("left")
        assert app.encoding.here == 0
        assert "byte C3" in app.text_of("why")


async def test_look_alikes_say_so() -> None:
    app = Encoding("cafe\u0301 café", corpus="course-fr")
    async with app.run_test(size=(160, 40)) as pilot:
        await settle(app, pilot)
        assert "they look alike" in app.text_of("tokens")


async def test_ids_are_copied() -> None:
    app = Encoding("thug unhug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape", "c")
        assert app.clipboard == "9 8 9"


async def test_a_click_looks_at_a_chip() -> None:
    app = Encoding("hug unhug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        await pilot.click(TokenChips, offset=(4, 1))
        assert app.encoding.here == 0
        assert app.encoding.focused is app.encoding.chips


@pytest.mark.parametrize("size", [(40, 12), (60, 15), (72, 20), (80, 24), (120, 40), (300, 90), (30, 8), (1, 1)])
async def test_every_pane_is_a_key_away_at_any_size(size: tuple[int, int]) -> None:
    app = Encoding("thug hXug unhugs")
    async with app.run_test(size=size) as pilot:
        await settle(app, pilot)
        if size[0] < 40 or size[1] < 12:
            assert app.encoding.query_one("#too-small").display
            return
        await pilot.press("escape")
        for number, pane in enumerate(PANE_IDS[1:], start=2):
            await pilot.press(str(number))
            await pilot.pause()
            widget = app.encoding.query_one(f"#{pane}")
            assert app.focused is widget
            assert widget.size.height >= 3
        await pilot.press("z")
        await pilot.resize_terminal(100, 30)
        await pilot.press("z")
        await settle(app, pilot)


@pytest.mark.parametrize("chosen", PANE_IDS)
def test_the_chosen_pane_is_always_in_view(chosen: str) -> None:
    for width in (40, 72, 120):
        for height in (12, 20, 32):
            for zoomed in (False, True):
                assert chosen in panes_in_view(width, height, chosen, zoomed=zoomed, unknown=True)


async def test_escape_goes_back_step_by_step_and_help_opens() -> None:
    app = Encoding("hug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape", "z")
        assert app.encoding.query_one("#replay").display is False
        await pilot.press("question_mark")
        await pilot.pause()
        assert not isinstance(app.screen, EncodeScreen)
        await pilot.press("escape", "escape")
        assert app.encoding.query_one("#replay").display is True
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(app.screen, EncodeScreen)


def marked(app: Encoding) -> list[str]:
    """What is marked in the text, by line: struck through and reversed."""
    found = []
    for y in range(app.encoding.area.size.height):
        segments = app.encoding.area.render_line(y)
        found.append("".join(segment.text for segment in segments if segment.style and segment.style.strike))
    return [text for text in found if text]


async def test_characters_that_are_lost_are_counted_named_and_marked_in_the_text() -> None:
    app = Encoding("hXYug hug\nmug")
    app.session.unknown = "drop"
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        assert app.words[0] == "hug"
        assert "4 left out" in app.lines("tokens")[0]
        assert "4 characters are in no token and left out: XY at 1, ␊m at 9." in app.text_of("tokens")
        assert "4 characters are in no token and left out" in app.text_of("why")
        assert marked(app) == ["XY", "m"]
        await pilot.press("end", "backspace")  # the text is another one: m is still lost, and marked where it is now
        await settle(app, pilot)
        assert marked(app) == ["XY", "m"]
        await pilot.press("escape", "k")
        await settle(app, pilot)
        assert "left out" not in app.text_of("tokens")
        assert marked(app) == []
