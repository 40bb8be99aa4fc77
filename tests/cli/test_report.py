"""`bpe-tui report`: tables, JSON and a page, and what cannot be reported on."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

from bpe_tui.cli.commands.report import bar
from bpe_tui.core.display import width
from tests.cli.running import done, run

HOSTILE = "<script>alert(1)</script>&\"'\x1b[2J\u202e\u200b"
VOID = {"meta", "br", "hr", "img", "link", "input"}


@pytest.fixture(scope="module")
def hug(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The tokenizer of hug, in the format that keeps all of it."""
    path = tmp_path_factory.mktemp("hug") / "hug.json"
    done("train", "hug", "-o", path)
    return str(path)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A byte-level tokenizer."""
    path = tmp_path_factory.mktemp("story") / "story.json"
    done("train", "story", "--preset", "huggingface", "--merges", "100", "-o", path)
    return str(path)


class Page(HTMLParser):
    """What a page holds, each element closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


# -- as text ---------------------------------------------------------------------------------------------------------


def test_the_tables_of_hug(hug: str) -> None:
    text = done("report", hug, "hug").text
    assert text.splitlines()[:15] == [
        "hug.json on hug",
        "",
        "The vocabulary has 11 tokens: 7 symbols, 3 made by merges, 1 special.",
        "",
        "  tokens per word      1.72  62 tokens, 36 words",
        "  bytes per token      1.82  113 bytes",
        "  words in one token  27.8%  10 of 36 words",
        "  unknown              0.0%  0 of 62 tokens",
        "  vocabulary used     60.0%  6 of 10 tokens",
        "",
        "Words by number of tokens",
        "  A word is a run of letters or of digits. The fewer tokens, the better the",
        "  tokenizer knows the text.",
        "  tokens  words  share",
        "  1          10  27.8%  ████████▍",
    ]
    assert "  pun      12     12  p un\n" in text
    assert "             2   66.7%             77      2.14        75.8%  █" in text
    assert "4 tokens never used\n  Other texts can use them; by id.\n  g h n u\n" in text


def test_no_line_is_wider_than_the_terminal(story: str) -> None:
    for arguments in ((story, "unicode"), (story, "--text", "x" * 500 + " " + HOSTILE * 9), (story,)):
        lines = done("report", *arguments).text.splitlines()
        assert max(map(width, lines)) <= 80
        assert "\x1b" not in "".join(lines)


def test_without_a_corpus_only_the_vocabulary_is_shown(story: str) -> None:
    text = done("report", story).text
    assert "Name a text as well" in text
    assert "13 unreachable tokens" in text
    assert "tokens per word" not in text
    assert done("report", story, "--json").json["corpus"] is None


def test_an_empty_text_is_told(story: str) -> None:
    text = done("report", story, "-", stdin=b"").text
    assert "There is no word in the corpus." in " ".join(text.split())
    assert done("report", story, "-", "--json", stdin=b"").json["corpus"]["tokens"] == 0


def test_bars_are_as_long_as_their_share() -> None:
    assert [bar(share, 4) for share in (0, 0.001, 0.5, 0.53125, 1)] == ["", "▏", "██", "██▏", "████"]
    assert [bar(share, 4, " #") for share in (0, 0.001, 0.5, 1)] == ["", "#", "##", "####"]


def test_a_terminal_without_blocks_gets_signs_that_it_has(hug: str) -> None:
    assert b"#####" in run("report", hug, "hug", encoding="ascii").stdout


# -- as JSON ---------------------------------------------------------------------------------------------------------


def test_where_all_is_unknown_no_merge_makes_half_of_the_tokens(hug: str) -> None:
    text = done("report", hug, "--text", "xyz").text
    assert "unknown" in text
    assert "How many merges the text needs" not in text


@pytest.mark.parametrize("language", ["fr", "ru"])
def test_a_figure_and_its_sign_of_per_cent_stay_on_one_line(hug: str, language: str) -> None:
    text = done("--lang", language, "report", hug, "course-fr").text
    assert "73,9" in text
    assert not [line for line in text.splitlines() if line.lstrip()[:1] in ("%", ":", ";")]


def test_the_fields_of_json(hug: str) -> None:
    report = done("report", hug, "hug", "--json").json
    assert list(report) == ["tokenizer", "vocabulary", "corpus"]
    own, corpus = report["vocabulary"], report["corpus"]
    assert list(own) == [
        *("size", "specials", "symbols", "merged", "others", "merges", "by_length", "by_script", "longest"),
        "unreachable",
    ]
    assert own["by_length"] == [{"length": 1, "tokens": 7}, {"length": 2, "tokens": 2}, {"length": 3, "tokens": 1}]
    assert list(corpus) == [
        *("name", "characters", "bytes", "words", "tokens", "unknown", "left_out", "whole_words"),
        *("merges_for_half", "merges_for_nine_tenths", "documents", "document", "pre_tokens", "distinct"),
        *("by_tokens", "by_class", "by_script", "by_use", "most_used", "never_used", "costly", "unknown_symbols"),
        *("depths", "files"),
    ]
    assert corpus["by_class"] == [{"name": "lower case", "words": 36, "tokens": 62}]
    assert corpus["depths"][1] == {"merges": 1, "needed": 93, "made": 31}
    assert corpus["costly"][0] == {"text": "pun", "count": 12, "tokens": ["p", "un"]}
    assert (corpus["document"], corpus["files"]) == (None, [])


def test_the_tokens_are_those_of_the_tool(story: str, tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("DON'T shout:\n\n  the mouse, naïve café Привет 2024 हिन्दी\n" * 30, encoding="utf-8")
    report = done("report", story, path, "--json").json["corpus"]
    theirs = Tokenizer.from_file(story).encode(path.read_text(encoding="utf-8"))
    assert report["tokens"] == len(theirs.ids)
    counted = {token: theirs.ids.count(token) for token in set(theirs.ids)}
    assert all(counted[use["id"]] == use["count"] for use in report["most_used"])
    assert {use["id"] for use in report["never_used"]}.isdisjoint(counted)
    assert report["document"] == "files"


def test_files_are_told_apart_and_add_up(story: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("the mouse " * 50, encoding="utf-8")
    (tmp_path / "b.txt").write_text("Привет мир, the end", encoding="utf-8")
    report = done("report", story, tmp_path, "--json").json["corpus"]
    assert [Path(file["name"]).name for file in report["files"]] == ["a.txt", "b.txt"]
    for field in ("characters", "bytes", "words", "tokens", "unknown", "whole_words"):
        assert sum(file[field] for file in report["files"]) == report[field] > -1
    assert report["files"][1]["tokens"] == done("report", story, tmp_path / "b.txt", "--json").json["corpus"]["tokens"]
    assert report["documents"] == 2
    text = done("report", story, tmp_path).text
    assert text.index("b.txt") < text.index("a.txt")  # the one with the most tokens per word is first


# -- tokenizers whose own components cut the text --------------------------------------------------------------------


@pytest.fixture(scope="module")
def lower(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tokenizer.json that lowers the case, and that has a word that is a token by itself."""
    tokenizer = Tokenizer(models.BPE({"a": 0, "b": 1, "ab": 2, "A": 3, "[UNK]": 4}, [("a", "b")], unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.decoder = decoders.Fuse()
    tokenizer.add_tokens(["whole"])
    path = tmp_path_factory.mktemp("lower") / "lower.json"
    tokenizer.save(str(path))
    return str(path)


def test_components_of_a_file_cut_the_text(lower: str, tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("AB ab whole c\nwhole AAB\n", encoding="utf-8")
    report = done("report", lower, path, "--json").json
    corpus = report["corpus"]
    theirs = Tokenizer.from_file(lower).encode(path.read_text(encoding="utf-8"))
    assert corpus["tokens"] == len(theirs.ids) == 7
    assert corpus["most_used"] == [
        {"id": 2, "text": "ab", "count": 3},
        {"id": 5, "text": "whole", "count": 2},
        {"id": 0, "text": "a", "count": 1},
    ]
    assert corpus["unknown_symbols"] == [{"text": "c", "count": 1}]
    assert corpus["document"] == "lines-keepends"
    assert report["vocabulary"]["unreachable"] == [{"id": 3, "text": "A", "reason": "cut", "becomes": ["a"]}]


def test_a_table_is_refused_where_a_text_is_changed_before_it_is_cut(lower: str) -> None:
    error = run("report", lower, "hug").error
    assert error == "hug is a word-count table, and this tokenizer changes a text before it is cut; give the text"


# -- as a page -------------------------------------------------------------------------------------------------------


def test_a_page_needs_nothing_from_elsewhere(story: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    done("report", story, "story", "--html", path)
    text = path.read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == []
    assert page.tags.isdisjoint({"script", "link", "img", "iframe", "object", "base"})
    assert {"svg", "table", "figure", "main", "h1"} <= page.tags
    for word in ("http", "src=", "href", "url(", "<script", "@import", "javascript:"):
        assert word not in text
    assert ("html", "lang", "en") in page.attributes
    assert {value for _tag, name, value in page.attributes if name == "aria-labelledby"} <= {
        value for _tag, name, value in page.attributes if name == "id"
    }
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_a_page_shows_hostile_text_as_text(tmp_path: Path) -> None:
    table = tmp_path / "words.json"
    table.write_text(json.dumps({HOSTILE: 5, "<b>": 3}), encoding="utf-8")
    tokenizer, path = tmp_path / "<i>&.json", tmp_path / "report.html"
    done("train", table, "--merges", 5, "-o", tokenizer)
    done("report", tokenizer, table, "--html", path)
    text = path.read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == []
    assert page.tags.isdisjoint({"script", "i"})
    assert not {"\x1b", "\u202e", "\u200b"} & set(text)
    assert any("<i>&.json" in part for part in page.texts)
    assert any("<script>alert" in part for part in page.texts)


def test_a_page_says_its_language(story: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    done("--lang", "fr", "report", story, "--html", path)
    assert '<html lang="fr">' in path.read_text(encoding="utf-8")


def test_a_page_and_json_go_together(hug: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    both = done("report", hug, "hug", "--json", "--html", path)
    assert both.json == done("report", hug, "hug", "--json").json
    assert Page(path.read_text(encoding="utf-8")).open == []


# -- what cannot be done ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nothing.json",), "nothing.json: no such file"),
        (("HUG", "nothing.txt"), "there is no file or bundled corpus nothing.txt"),
        (("TEXT", "hug"), "no tokenizer file of a kind that is known"),
        (("HUG", "HUG"), "is a tokenizer"),
        (("HUG", "hug", "--text", "x"), "--text and a corpus are two things to report on; give one of them"),
        (("HUG", "hug", "--html", "nowhere/r.html"), "nowhere/r.html cannot be written, its folder does not exist"),
        (("HUG", "hug", "--html", "FOLDER"), "is a folder; name a file in it"),
        (("HUG", "hug", "--html", ""), "--html needs the name of a file"),
        (("HUG", "hug", "--html", "HUG"), "is one of the inputs; name another file to write to"),
        (("HUG", "TEXT", "--html", "TEXT"), "is one of the inputs; name another file to write to"),
        (("HUG", "TEXT", "--documents", "pages"), "'pages' is not one of lines"),
        (("HUG", "BYTES"), "not UTF-8"),
    ],
)
def test_what_is_refused(
    hug: str, words: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text("Some text, and no tokenizer.", encoding="utf-8")
    (tmp_path / "bytes.txt").write_bytes(b"caf\xe9 au lait")
    before = Path(hug).read_bytes()
    named = {"HUG": hug, "TEXT": "text.txt", "BYTES": "bytes.txt", "FOLDER": str(tmp_path)}
    assert sentence in run("report", *(named.get(word, word) for word in words)).error
    assert Path(hug).read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bytes.txt", "text.txt"]
