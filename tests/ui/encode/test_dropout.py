"""BPE-dropout on the encode screen: merges left out at a rate and a seed that its keys change."""

from __future__ import annotations

from bpe_tui.core.encoding.replay import Dropout, encode_with_dropout
from tests.ui.encoding import Encoding, settle

TEXT = "hug unhug hug bun hugs unhug"


def shown(app: Encoding) -> list[str]:
    tokenized = app.encoding.chips.tokenized
    return [tokenized.token(index).text for index in range(len(tokenized))]


def expected(app: Encoding, rate: float, seed: int) -> list[str]:
    return [token.text for token in encode_with_dropout(app.session.encoder, TEXT, Dropout(rate, seed))]


async def test_a_key_goes_through_the_rates_and_another_through_the_seeds() -> None:
    app = Encoding(TEXT)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        plain = shown(app)
        await pilot.press("escape", "D")  # without dropout there is nothing to seed
        assert app.encoding.reader.dropout is None
        for rate in (0.1, 0.3, 0.5):
            await pilot.press("d")
            await settle(app, pilot)
            assert shown(app) == expected(app, rate, 0)
            assert f"dropout {rate}, seed 0" in app.lines("tokens")[0]
        found = {tuple(shown(app))}
        for seed in (1, 2, 3):
            await pilot.press("D")
            await settle(app, pilot)
            assert f"dropout 0.5, seed {seed}" in app.lines("tokens")[0]
            assert shown(app) == expected(app, 0.5, seed)
            found.add(tuple(shown(app)))
        assert len(found) > 1
        await pilot.press("d")
        await settle(app, pilot)
        assert shown(app) == plain
        assert "dropout" not in app.lines("tokens")[0]


async def test_the_replay_shows_the_merges_that_were_dropped() -> None:
    app = Encoding(TEXT)
    async with app.run_test(size=(160, 50)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape", "d", "d", "d", "v")
        await settle(app, pilot)
        steps = app.encoding.replay_list.replay
        assert steps is not None
        notes = [fired.dropped for fired in steps.rows]
        assert sum(notes) > 0
        assert sum("dropped" in line for line in app.lines("replay")[1:-1]) == sum(note > 0 for note in notes)
        assert f"{sum(note > 0 for note in notes)} dropped · dropout 0.5, seed 0" in app.lines("replay")[0]
        at_end = shown(app)
        await pilot.press("r")
        assert shown(app) == list(TEXT.replace(" ", ""))
        await pilot.press(*["space"] * len(steps))
        assert shown(app) == at_end


async def test_the_replay_of_a_word_is_its_part_of_the_text() -> None:
    app = Encoding(TEXT)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape", "d", "d", "d", "home")
        await settle(app, pilot)
        words = list(app.words)
        for word in range(6):
            app.encoding._look_at(app.encoding.chips.tokenized.spans[word][1])
            await settle(app, pilot)
            assert app.words == words
            await pilot.press("r")
            assert app.words[word].replace("·", "") == TEXT.split()[word]
            assert app.words[word].count("·") == len(TEXT.split()[word]) - 1
            await pilot.press("f")
            assert app.words == words


async def test_why_says_what_dropout_did_and_nothing_that_does_not_hold() -> None:
    app = Encoding(TEXT)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape", "d", "d", "d")
        await settle(app, pilot)
        plain = [len(app.session.encoder.tokens_of([span])) for span in app.encoding.chips.tokenized.spans]
        now = [word.count("·") + 1 for word in app.words]
        changed = next(word for word in range(6) if now[word] > plain[word])
        app.encoding._look_at(app.encoding.chips.tokenized.spans[changed][1])
        await settle(app, pilot)
        facts = [fact.text for fact in app.encoding.facts.source.facts]
        assert facts[0].startswith("Dropout left out ")
        assert "without dropout this word is " in facts[0]
        assert not any("is one token: merge" in fact for fact in facts)
