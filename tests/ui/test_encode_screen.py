"""The encode screen: what it shows for a text at a moment, stepping, policies, sizes; nothing unsafe, nothing slow."""

from __future__ import annotations

import time
from typing import Any

import pytest
from textual import events
from textual.app import App
from textual.pilot import Pilot

from bpe_tui.ui.screens.encode import EncodeScreen
from bpe_tui.ui.screens.encode_view import PANE_IDS, panes_in_view
from bpe_tui.ui.session import Request, Session
from bpe_tui.ui.themes import DEFAULT_VARIABLES, THEMES
from bpe_tui.ui.widgets.timeline import Timeline
from bpe_tui.ui.widgets.token_chips import TokenChips


class Encoding(App[None]):
    """The encode screen on a bundled corpus, trained to its target."""

    def __init__(self, text: str = "", corpus: str = "hug", merges: int | None = None, **overrides: object) -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = "bpe-dark"
        self.session = Session.load(*Request((corpus,), overrides=overrides).find())
        if merges is None:
            self.session.trainer.run()
        else:
            self.session.trainer.goto(merges)
        self.session.text = text

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(DEFAULT_VARIABLES[True])

    def on_mount(self) -> None:
        self.push_screen(EncodeScreen(self.session))

    @property
    def encoding(self) -> EncodeScreen:
        screen = self.screen
        assert isinstance(screen, EncodeScreen)
        return screen

    @property
    def words(self) -> list[str]:
        """The tokens in the chips, by word: `un·hug`."""
        cut = self.encoding.chips.cut
        return ["·".join(token.text for token in cut.word(word)) for word in range(len(cut.spans))]

    def lines(self, pane: str) -> list[str]:
        widget = self.encoding.query_one(f"#{pane}")
        return [widget.render_line(y).text for y in range(widget.size.height)]

    def text_of(self, pane: str) -> str:
        return "\n".join(self.lines(pane))


async def settle(app: Encoding, pilot: Pilot[Any]) -> None:
    await pilot.pause()
    for _ in range(500):
        if not (app.encoding._reader.is_running or app.encoding._replayer.is_running):
            break
        await pilot.pause(0.01)
    await pilot.pause()


async def test_typing_shows_tokens_at_the_moment() -> None:
    app = Encoding()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press(*"bug mug")
        await settle(app, pilot)
        assert app.session.text == "bug mug"
        assert app.words == ["b·ug", "[UNK]·ug"]
        assert "4 tokens · 2.00 a word · 1 unknown · 43% fewer than one a byte" in app.lines("tokens")[0]
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
        cut = app.encoding.chips.cut
        assert not any(token.text == "[UNK]" and not token.unknown for shape in cut.shapes for token in shape)


async def test_the_timeline_changes_the_tokens_live() -> None:
    app = Encoding("unhug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        assert app.words == ["un·hug"]
        app.encoding.timeline.post_message(Timeline.Moved(app.encoding.timeline, 1))
        await settle(app, pilot)
        assert app.words == ["u·n·h·ug"]
        assert "merge 1/3  vocab 8" in app.encoding.status.render_line(0).text
        app.encoding.focus_pane("tokens")
        await pilot.press("right_square_bracket")
        await settle(app, pilot)
        assert app.words == ["un·h·ug"]
        assert app.session.trainer.position == 2


async def test_the_replay_of_a_word_steps_and_undoes_with_the_keys_of_training() -> None:
    app = Encoding("hug unhug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape")
        states = [app.words]
        for key in ("u", "b", "u", "u"):
            await pilot.press(key)
            states.append(app.words)
        assert states == [
            ["hug", "un·hug"],
            ["hug", "un·h·ug"],
            ["hug", "u·n·h·ug"],
            ["hug", "u·n·h·u·g"],
            ["hug", "u·n·h·u·g"],
        ]
        replayed = app.text_of("replay")
        assert "unhug · 0 of 3 merges" in replayed
        assert "▸" in next(line for line in app.lines("replay") if "start" in line)
        for key, word in (("space", "u·n·h·ug"), ("n", "un·h·ug"), ("f", "un·hug"), ("r", "u·n·h·u·g")):
            await pilot.press(key)
            assert app.words[1] == word


async def test_the_replay_of_the_whole_text() -> None:
    app = Encoding("hug unhug bun")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape", "v")
        await settle(app, pilot)
        assert "the whole text · 3 of 3 merges" in app.text_of("replay")
        assert "2× " in app.text_of("replay")
        states = [app.words]
        for _ in range(3):
            await pilot.press("u")
            states.append(app.words)
        assert states == [
            ["hug", "un·hug", "b·un"],
            ["h·ug", "un·h·ug", "b·un"],
            ["h·ug", "u·n·h·ug", "b·u·n"],
            ["h·u·g", "u·n·h·u·g", "b·u·n"],
        ]
        await pilot.press("v")
        await settle(app, pilot)
        assert app.words == states[0]


async def test_playing_the_replay_ends_at_its_end() -> None:
    app = Encoding("unhug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape", *["plus"] * 6, "p")
        for _ in range(100):
            await pilot.pause(0.02)
            if not app.encoding._film.is_playing:
                break
        assert app.words == ["un·hug"]
        assert not app.encoding._film.is_playing


async def test_why_not_one_token_follows_the_token_looked_at() -> None:
    app = Encoding("hugs mug hug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        assert "merge 3 made it of h + ug" in app.text_of("why")
        await pilot.press("escape", "home")
        assert "The first merge missing is hug + s: it stands 5" in app.text_of("why")
        await pilot.press("right", "right")
        assert "m is not in the alphabet" in app.text_of("why")
        assert "mug · 1 of 1 merge" in app.text_of("replay")


@pytest.mark.parametrize("scope", ["word", "text"])
async def test_why_describes_the_token_at_the_moment_of_the_replay(scope: str) -> None:
    app = Encoding("hug unhug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape", *(["v"] if scope == "text" else []))
        await settle(app, pilot)
        at_end = app.encoding.facts.facts
        await pilot.press("u")
        said = [fact.text for fact in app.encoding.facts.facts]
        assert said[0] == ("The replay stands after 2 of 3 merges. The next one to fire here is merge 3, h + ug → hug.")
        assert said[1] == ("ug: token 4 of 4" if scope == "word" else "ug: token 5 of 5")
        if scope == "text":
            await pilot.press("2", "left")
            assert app.encoding.facts.facts[1].text == "h: token 4 of 5"
            await pilot.press("right")
        await pilot.press("f")
        assert app.encoding.facts.facts == at_end


async def test_the_cursor_of_the_text_chooses_the_word() -> None:
    app = Encoding("hugs mug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        assert "mug ·" in app.text_of("replay")
        await pilot.press("home", "right", "right")
        await settle(app, pilot)
        assert "hugs ·" in app.text_of("replay")


async def test_policies_are_compared_and_switched() -> None:
    app = Encoding("hXug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        shown = app.lines("policies")
        assert any("drop" in line and "1, reads hug!" in line for line in shown)
        assert any("error" in line and "'X' at character 1" in line for line in shown)
        await pilot.press("escape", "k", "k")
        await settle(app, pilot)
        assert app.encoding.policy == "drop"
        assert app.words == ["hug"]
        await pilot.press("5", "home", "down", "enter")
        await settle(app, pilot)
        assert app.encoding.policy == "fuse"
        await pilot.press("k", "k", "k")
        await settle(app, pilot)
        assert app.encoding.policy == "error"
        assert "refuses this text" in app.text_of("why")


async def test_bytes_stand_under_their_character_and_each_can_be_looked_at() -> None:
    app = Encoding("é", corpus="course-fr", merges=0)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        chips = app.lines("tokens")
        assert "╭────é────╮" in chips[1]
        assert "┃ Ã  ┃ ©  │" in chips[2]
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


@pytest.mark.parametrize(
    "text", ["[/]", "\x1b[2J\x9b", "a\u202eb\u200b", "\ud800", "\r\n\u2028\x00", "👩‍👩‍👧 é日本\n\n\n", " ", "\n"]
)
@pytest.mark.parametrize("corpus", ["hug", "course-fr"])
async def test_any_text(text: str, corpus: str) -> None:
    app = Encoding(text, corpus=corpus)
    async with app.run_test(size=(100, 34)) as pilot:
        await settle(app, pilot)
        assert app.session.text == text
        await pilot.press("escape", "home", "right", "end", "v", "u", "u", "k", "2", "3", "4", "5", "1")
        await settle(app, pilot)
        shown = app.export_screenshot()
        assert not any(char in shown for char in "\x1b\x9b\u202e\u200b\x00")
        assert app.encoding.area.raw == text


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
                assert chosen in panes_in_view(width, height, chosen, zoomed=zoomed)


async def test_a_hundred_thousand_characters() -> None:
    text = ("the hugs of 日本 déjà unhug\n" * 5_000)[:100_000]
    app = Encoding(corpus="story")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        started = time.monotonic()
        app.post_message(events.Paste(text))
        await settle(app, pilot)
        assert time.monotonic() - started < 3
        assert app.session.text == text
        assert len(app.encoding.chips.cut) == len(app.session.encoder.encode(text))
        await pilot.press("escape", "v")
        await settle(app, pilot)
        started = time.monotonic()
        await pilot.press("u")
        await settle(app, pilot)
        assert time.monotonic() - started < 1


async def test_old_tokens_say_that_they_are_old_until_a_long_paste_is_read() -> None:
    app = Encoding("hug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        assert "1 token ·" in app.text_of("tokens")
        app.encoding.session.text = "hug" * 100_000
        app.encoding.read_again()
        assert app.encoding._reader.is_running
        for pane in ("tokens", "replay", "why"):
            assert "encoding…" in app.lines(pane)[0]
            assert "hug ·" not in app.text_of(pane)
        assert str(app.encoding.area.border_title) == "¹Text ─ encoding…"
        await settle(app, pilot)
        assert "100,000 tokens · 100,000.00 a word" in app.text_of("tokens")
        assert not any("encoding…" in app.text_of(pane) for pane in PANE_IDS[1:])


async def test_a_word_of_thousands_of_characters_is_not_replayed() -> None:
    app = Encoding("hug" * 3_000)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        assert len(app.encoding.chips.cut) == 3_000
        assert app.encoding.replay_list.replay is None
        assert "Nothing to replay" in app.text_of("replay")


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
