"""`bpe-tui train --like`: another tokenizer's normalizer and pre-tokenizer."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from tests.cli.running import done, run

TEXT = "The Cafés of PARIS, the cafés.\nTHE END, isn't it? 123 12\nÉté été Ete\n"


def put(path: Path, normalizer: Any, pre_tokenizer: Any) -> Tokenizer:
    """A file of `tokenizers` with these components, and nothing learned."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.save(str(path))
    return tokenizer


BERT = (normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer())
MIXED = (
    normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()]),
    pre_tokenizers.Sequence([pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel(add_prefix_space=True)]),
)


@pytest.mark.parametrize("components", [BERT, MIXED], ids=["BERT", "digits and bytes"])
def test_it_learns_what_tokenizers_learns_with_these_components(components: Any, tmp_path: Path) -> None:
    corpus, like, out = tmp_path / "corpus.txt", tmp_path / "like.json", tmp_path / "out.json"
    corpus.write_text(TEXT, encoding="utf-8")
    theirs = put(like, *components)
    options = ("--ties", "lowest-id", "--documents", "lines-keepends", "--merges", "25", "--special", "<s>")
    result = done("train", corpus, "--like", like, *options, "-o", out, "--json").json
    size = len(result["vocab"])
    theirs.train([str(corpus)], trainers.BpeTrainer(vocab_size=size, special_tokens=["<s>"], show_progress=False))
    learned = json.loads(theirs.to_str())["model"]["merges"]
    assert [[merge["left"], merge["right"]] for merge in result["merges"]] == learned
    written = Tokenizer.from_file(str(out))
    for text in ("the CAFÉ 12 isn't", "naïve paris"):
        ours = done("encode", text, "-t", out, "--json").json["tokens"]
        assert [token["id"] for token in ours] == written.encode(text).ids
        assert [token["text"] for token in ours if not token["unknown"]] == theirs.encode(text).tokens


def test_a_plain_pre_tokenizer_is_as_if_its_option_were_given(tmp_path: Path) -> None:
    like = tmp_path / "tokenizer.json"
    put(like, None, pre_tokenizers.ByteLevel(add_prefix_space=False))
    for place in (like, tmp_path):
        assert done("train", "course-en", "--like", place).text == done("train", "course-en").text
    put(like, None, pre_tokenizers.Metaspace())
    told = done("train", "course-en", "--alphabet", "characters", "--pre-tokenizer", "metaspace").text
    assert done("train", "course-en", "--like", like).text == told


def test_llama_2_s_decoder_gives_the_spaces_back_and_its_alphabet_is_told(tmp_path: Path) -> None:
    corpus, like, out = tmp_path / "corpus.txt", tmp_path / "llama.json", tmp_path / "out.json"
    corpus.write_text("Hello world\nHello word\nhello Hello\n", encoding="utf-8")
    tokenizer = Tokenizer(models.BPE(byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tokenizer.save(str(like))
    trained = done("train", corpus, "--like", like, "--preset", "huggingface", "--documents", "lines", "-o", out)
    assert "note: the alphabet is characters" in trained.stderr
    assert "not all-bytes, as in the preset huggingface" in trained.stderr
    assert "note: the alphabet" not in done("train", corpus, "--like", like, "--alphabet", "characters").stderr
    written = Tokenizer.from_file(str(out))
    assert written.decode(written.encode("Hello world").ids) == "Hello world"
    given = [str(token) for token in written.encode("Hello world").ids]
    assert done("decode", *given, "-t", out).text.rstrip("\n") == "Hello world"


def test_the_model_may_be_of_any_kind(tmp_path: Path) -> None:
    like = tmp_path / "like.json"
    tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0}, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = BERT
    tokenizer.save(str(like))
    assert done("train", "course-en", "--like", like, "--json").json["options"]["pre_tokenizer"] == "file"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--pre-tokenizer", "gpt2"], "give it without --pre-tokenizer"),
        (["--pattern", "x"], "give it without --pattern"),
        (["--alphabet", "all-bytes"], "has an alphabet of characters"),
        (["--verify", "--ties", "lowest-id"], "--verify cannot be given with this --like"),
    ],
)
def test_what_contradicts_it_is_refused(arguments: list[str], says: str, tmp_path: Path) -> None:
    like = tmp_path / "like.json"
    put(like, *BERT)
    assert says in run("train", "course-en", "--like", like, *arguments).error
    assert "a table of words is cut already" in run("train", "hug", "--like", like).error
    assert "is not UTF-8: byte 1 is 0xFF" in run("train", "-", "--like", like, stdin=b"a\xff").error


def test_special_tokens_in_the_corpus_are_told_of(tmp_path: Path) -> None:
    like = tmp_path / "like.json"
    put(like, *BERT)
    report = run("train", "-", "--like", like, "--special", "<s>", "--merges", "1", stdin=b"a<s>b\n<s>\n")
    assert "2 special tokens were found in the corpus and cut out first" in report.stderr


def test_a_name_on_the_hub_needs_the_package_and_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(name: str, file: str) -> str:
        raise OSError(f"cannot connect\nfor {name}")

    monkeypatch.setattr("huggingface_hub.hf_hub_download", unreachable)
    monkeypatch.setattr("bpe_tui.formats.huggingface.like._find_the_hub", lambda: None)
    assert run("train", "story", "--like", "org/name").error == (
        "org/name: no such file, and not available from the Hugging Face Hub either: cannot connect for org/name"
    )
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    assert "pip install '.[hf]'" in run("train", "story", "--like", "gpt2").error
    assert "no such file" in run("train", "story", "--like", "gpt2.json").error


def test_a_name_on_the_hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    put(tmp_path / "x.json", *BERT)
    monkeypatch.setattr("huggingface_hub.hf_hub_download", lambda name, file: str(tmp_path / "x.json"))
    monkeypatch.setattr("bpe_tui.formats.huggingface.like._find_the_hub", lambda: None)
    assert done("train", "story", "--like", "bert-base-uncased", "--json").json["options"]["pre_tokenizer"] == "file"
