"""The replay on the encode screen, and why a word is not one token."""

from __future__ import annotations

import pytest

from tests.ui.encoding import Encoding, settle


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
            if not app.encoding.replay_player.is_playing:
                break
        await settle(app, pilot)
        assert app.words == ["un·hug"]
        assert not app.encoding.replay_player.is_playing


async def test_why_not_one_token_follows_the_token_looked_at() -> None:
    app = Encoding("hugs mug hug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        assert "merge 3 made it of h + ug" in app.text_of("why")
        await pilot.press("escape", "home")
        assert app.encoding.facts.source.facts[0].text.startswith(
            "The first merge missing is hug + s: it occurs 5 times"
        )
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
        at_end = app.encoding.facts.source.facts
        await pilot.press("u")
        said = [fact.text for fact in app.encoding.facts.source.facts]
        assert said[0] == ("The replay is after 2 of 3 merges. The next one to fire here is merge 3, h + ug → hug.")
        assert said[1] == ("ug: token 4 of 4" if scope == "word" else "ug: token 5 of 5")
        if scope == "text":
            await pilot.press("2", "left")
            assert app.encoding.facts.source.facts[1].text == "h: token 4 of 5"
            await pilot.press("right")
        await pilot.press("f")
        assert app.encoding.facts.source.facts == at_end


async def test_the_cursor_of_the_text_chooses_the_word() -> None:
    app = Encoding("hugs mug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        assert "mug ·" in app.text_of("replay")
        await pilot.press("home", "right", "right")
        await settle(app, pilot)
        assert "hugs ·" in app.text_of("replay")


async def test_a_word_of_thousands_of_characters_is_not_replayed() -> None:
    app = Encoding("hug" * 3_000)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        assert len(app.encoding.chips.tokenized) == 3_000
        assert app.encoding.replay_list.replay is None
        assert "Nothing is replayed here" in app.text_of("replay")
        assert "A word of" in app.text_of("why")
