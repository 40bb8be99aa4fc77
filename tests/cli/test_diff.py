"""`bpe-tui diff`: where two ways to train part, in words and as JSON."""

import pytest

from tests.cli.running import done, run


def test_two_tie_rules_on_banana_read_like_this() -> None:
    text = done("diff", "banana", "--ties", "first-seen", "--ties", "lowest-id", "--sample", "bananas").text
    assert text.splitlines() == [
        "first-seen and lowest-id diverge at merge 4, after 3 merges that are the same.",
        "There 2 pairs occur 15 times each, and the tie rules differ:",
        "",
        "pair     token  count  picked by",
        "an + an  anan      15  first-seen",
        "an + a   ana       15  lowest-id",
        "",
        "At the end both vocabularies share 18 tokens.",
        "Only first-seen has 1: anan",
        "Only lowest-id has 1: ana",
        "",
        "Sample: bananas",
        "",
        "            tokens",
        "first-seen       2  banana s",
        "lowest-id        2  banana s",
    ]


def test_json_names_the_step_the_tied_pairs_and_what_is_shared() -> None:
    report = done("diff", "course-en", "--ties", "first-seen", "--ties", "lowest-id", "--sample", "This", "--json").json
    assert list(report) == ["equal", "sides", "parting", "shared", "only", "sample"]
    assert report["equal"] is False
    assert [(side["name"], side["preset"], side["merges"]) for side in report["sides"]] == [
        ("first-seen", "course", 19),
        ("lowest-id", "course", 19),
    ]
    assert report["parting"]["merge"] == 2
    assert report["parting"]["same_state"] is True
    first, second = report["parting"]["sides"]
    assert first["picked"] == {"left": "i", "right": "s", "token": "is", "count": 5}
    assert second["picked"] == {"left": "e", "right": "r", "token": "er", "count": 5}
    assert first["tied"] == second["tied"] == 3
    assert {(pair["left"], pair["right"], pair["count"]) for pair in first["pairs"]} == {
        ("i", "s", 5),
        ("e", "r", 5),
        ("Ġ", "a", 5),
    }
    assert report["shared"] == 44
    assert [len(only) for only in report["only"]] == [6, 6]
    assert report["sample"]["text"] == "This"
    encoded = [done("train", "course-en", "--ties", rule, "--json").json for rule in ("first-seen", "lowest-id")]
    for side, trained in zip(report["sample"]["sides"], encoded, strict=True):
        assert [token["text"] for token in side] == [trained["vocab"][token["id"]] for token in side]
        assert "".join(token["text"] for token in side) == "This"


def test_two_presets_with_different_words_and_alphabets() -> None:
    report = done("diff", "story", "--preset", "course", "--preset", "subword-nmt", "--merges", "20", "--json").json
    assert [side["name"] for side in report["sides"]] == ["course", "subword-nmt"]
    assert report["parting"]["same_state"] is False
    text = done("diff", "story", "--preset", "course", "--preset", "subword-nmt", "--merges", "20").text
    assert text.startswith("course and subword-nmt diverge at merge 1.\ncourse merges Ġ + ")


def test_a_tie_rule_of_its_own_for_each_preset() -> None:
    report = done(
        *("diff", "story", "--preset", "course", "--ties", "first-seen"),
        *("--preset", "huggingface", "--ties", "greatest-pair", "--merges", "5", "--json"),
    ).json
    assert [side["name"] for side in report["sides"]] == ["course with first-seen", "huggingface with greatest-pair"]
    assert [side["options"]["ties"] for side in report["sides"]] == ["first-seen", "greatest-pair"]


def test_one_that_ends_earlier_is_said_to_end() -> None:
    text = done("diff", "story", "--preset", "course", "--preset", "minbpe").text
    assert "course ends there. No merge was made: the base vocabulary alone has 50 tokens" in text
    assert "minbpe merges Ġ + t, which occurs 417 times, more often than any other pair." in text


def test_equal_ones_are_said_to_be_equal() -> None:
    result = run("diff", "hug", "--ties", "first-seen", "--ties", "greatest-pair", "--exit-code")
    assert result.status == 0
    assert result.text.startswith("first-seen and greatest-pair make the same 3 merges.\n")
    assert "Only" not in result.text


def test_exit_code_tells_a_difference() -> None:
    arguments = ("diff", "banana", "--ties", "first-seen", "--ties", "lowest-id")
    assert run(*arguments).status == 0
    result = run(*arguments, "--exit-code")
    assert result.status == 1
    assert result.text == run(*arguments).text
    assert run(*arguments, "--exit-code", "--json").status == 1
    assert run(*arguments, "--merges", "3", "--exit-code").status == 0


def test_stdin_is_read_once_and_counted_twice() -> None:
    text = b"one two three\n" * 3
    report = done("diff", "-", "--preset", "course", "--preset", "minbpe", "--merges", "4", "--json", stdin=text).json
    assert [side["merges"] for side in report["sides"]] == [4, 4]
    table = done("diff", "-", "--word-counts", "--ties", "first-seen", "--ties", "lowest-id", stdin=b"hug 10\npug 5\n")
    assert "make the same" in table.text


def test_what_is_in_the_corpus_cannot_reach_the_terminal() -> None:
    text = done(
        "diff", "-", "--ties", "first-seen", "--ties", "lowest-id", stdin=b"b\x1b[31m\x1b[31 \xe2\x80\xae\n" * 3
    ).text
    assert "\x1b" not in text
    assert "\u202e" not in text


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["hug"], ["nothing to compare", "--ties"]),
        (["hug", "--ties", "first-seen"], ["--ties twice"]),
        (["hug", "--ties", "first-seen", "--ties", "first-seen"], ["first-seen", "one way"]),
        (["hug", "--ties", "a", "--ties", "b", "--ties", "c"], ["--ties", "3 times"]),
        (["hug", "--ties", "first-seen", "--ties", "mine"], ["'mine'", "lowest-id"]),
        (["hug", "--preset", "toy", "--preset", "mine"], ["'mine'", "subword-nmt"]),
        (["no-such", "--ties", "first-seen", "--ties", "lowest-id"], ["no-such"]),
        (["--ties", "first-seen", "--ties", "lowest-id"], ["CORPUS"]),
    ],
)
def test_what_cannot_be_compared_is_one_line(arguments: list[str], named: list[str]) -> None:
    error = run("diff", *arguments).error
    for part in named:
        assert part in error
