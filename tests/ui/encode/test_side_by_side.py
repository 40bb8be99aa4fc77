"""Two tokenizers on the encode screen: choosing the other one, both rows, moving, ending."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from bpe_tui.core.encoding.tokenized_text import TokenizedText
from bpe_tui.ui.dialogs.compare import CompareScreen, ComparisonChoice
from bpe_tui.ui.encode.side_by_side import ComparedRows
from tests.ui.encoding import Encoding, settle


async def compare(app: Encoding, pilot: Pilot[Any], choice: ComparisonChoice) -> None:
    """Show another tokenizer beside that of the screen."""
    app.encoding._compare_with(choice)
    for _ in range(500):
        if not app.encoding.comparer.is_running:
            break
        await pilot.pause(0.01)
    await settle(app, pilot)


def texts(tokenized: TokenizedText) -> str:
    return "·".join(token.text for token in tokenized.tokens())


async def test_an_earlier_moment_stands_beside_this_one() -> None:
    app = Encoding("hug pun thug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape", "x")
        await pilot.pause()
        assert isinstance(app.screen, CompareScreen)
        await pilot.press("down", "enter")  # merge 0
        for _ in range(100):
            await pilot.pause(0.01)
            if not app.encoding.comparer.is_running and app.encoding.is_comparing:
                break
        await settle(app, pilot)
        title, ours, theirs = app.lines("pair")[:3]
        assert "hug 5 tokens · hug, merge 0 10 tokens · 3 differences" in title
        assert ours[2:].startswith("hug          ┃hug  ┃p┃un ┃⟦[UNK]⟧┃hug  ┃")
        assert theirs[2:].startswith("hug, merge 0 ┃h│u│g┃p┃u│n┃⟦[UNK]⟧┃h│u│g┃")
        assert "hug learned h + ug (merge 3)." in app.text_of("why")
        assert "difference 1 of 3" in app.lines("why")[0]
        await pilot.press("space")
        assert "hug learned u + n (merge 2)." in app.text_of("why")
        assert app.encoding.pair.source.selected == 1
        assert app.encoding._pointed == [(5, 7)]
        await pilot.press("3", "end")
        await settle(app, pilot)
        assert app.encoding.pair.source.selected == 2
        await pilot.press("X")
        await settle(app, pilot)
        assert not app.encoding.is_comparing
        assert "merges" in app.lines("replay")[0]


async def test_a_moment_that_is_held_stays_while_the_timeline_moves() -> None:
    app = Encoding("unhug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape")
        await compare(app, pilot, ComparisonChoice(moment=3))
        assert "no difference" in app.lines("pair")[0]
        await pilot.press("left_square_bracket", "left_square_bracket")
        await settle(app, pilot)
        compared = app.encoding.pair.source.compared
        assert compared is not None
        assert [texts(one) for one in compared.tokenized] == ["u·n·h·ug", "un·hug"]
        assert "hug, merge 3 learned u + n (merge 2)." in app.text_of("why")
        assert "hug learns it later, as merge 2." in " ".join(app.text_of("why").split())


async def test_another_preset_and_a_file(tmp_path: Path) -> None:
    app = Encoding("the mouse's", corpus="story", merges=60)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape")
        await compare(app, pilot, ComparisonChoice(preset="huggingface"))
        compared = app.encoding.pair.source.compared
        assert compared is not None
        assert compared.sides[1].name == "huggingface"
        assert compared.sides[1].encoder.timeline.position == 60
        path = tmp_path / "m.txt"
        path.write_text("#version: 0.2\nt h\nth e</w>\n", encoding="utf-8")
        await compare(app, pilot, ComparisonChoice(path=path))
        compared = app.encoding.pair.source.compared
        assert compared is not None
        assert compared.sides[1].name == "m.txt"
        assert texts(compared.tokenized[1]).startswith("the</w>·m")
        await compare(app, pilot, ComparisonChoice(path=tmp_path / "none.json"))
        assert any("none.json" in str(toast.message) for toast in app._notifications)
        assert app.encoding.is_comparing


async def test_typing_goes_on_beside_another_tokenizer() -> None:
    app = Encoding("hug")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape")
        await compare(app, pilot, ComparisonChoice(moment=0))
        await pilot.press("e", *" pug")
        await settle(app, pilot)
        assert "2 differences" in app.lines("pair")[0]
        await pilot.press("escape", "G")
        await settle(app, pilot)
        assert app.encoding.is_comparing
        app.encoding.area.load_raw("")
        await settle(app, pilot)
        assert "its tokens appear here" in app.text_of("pair")


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (80, 24), (120, 40), (200, 60)])
async def test_both_rows_are_aligned_at_any_size(size: tuple[int, int]) -> None:
    app = Encoding("unhug hugs हिन्दी 😀 " * 12)
    async with app.run_test(size=size) as pilot:
        await settle(app, pilot)
        await pilot.press("escape")
        await compare(app, pilot, ComparisonChoice(moment=1))
        rows: ComparedRows = app.encoding.pair.source
        assert rows.total == 36
        lines = app.lines("pair")[1:-1]
        for ours, theirs in zip(lines[::3], lines[1::3], strict=False):
            places = [
                {cell_len(line[:place]) for place, char in enumerate(line) if char == "┃" and place < len(line) - 2}
                for line in (ours, theirs)
            ]
            assert places[0] == places[1]
