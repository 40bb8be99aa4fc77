"""Tokenizer files that abort, hang or fill whatever runs them in native code."""

from __future__ import annotations

import base64
import json
import os
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bpe_tui.core.corpus.patterns import stoppable, time_limit
from bpe_tui.core.errors import Cancelled, TokenizerFileError
from bpe_tui.core.runtime import Policy
from bpe_tui.formats.huggingface import foreign
from bpe_tui.formats.huggingface.foreign import ForeignDecoder, ForeignNormalizer, ForeignPreTokenizer

ENDLESS = {"type": "Replace", "pattern": {"Regex": "(a|aa)+$"}, "content": "x"}
HUNDREDFOLD = {"type": "Replace", "pattern": {"String": "h"}, "content": "h" * 100}
TOKENIZER: dict[str, Any] = {
    "version": "1.0",
    "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "h": 2, "ab": 3}, "merges": ["a b"], "unk_token": None},
}


def file(path: Path, **parts: Any) -> Path:
    path.write_text(json.dumps({**TOKENIZER, **parts}), encoding="utf-8")
    return path


def attack(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bpe_tui", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def assert_one_sentence(done: subprocess.CompletedProcess[str], says: str) -> None:
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert says in done.stderr


def test_a_pattern_that_makes_the_package_panic(tmp_path: Path) -> None:
    path = file(tmp_path / "t.json", normalizer=ENDLESS)
    assert_one_sentence(attack("encode", "-t", path, "a" * 48 + "b"), "the normalizer Replace")


def test_a_crafted_charsmap(tmp_path: Path) -> None:
    trie = b"".join(struct.pack("<I", 0xFFFFFFFF) for _ in range(64))
    charsmap = base64.b64encode(struct.pack("<I", len(trie)) + trie + b"\xff").decode()
    path = file(tmp_path / "t.json", normalizer={"type": "Precompiled", "precompiled_charsmap": charsmap})
    assert_one_sentence(attack("encode", "-t", path, "héllo ab"), "the normalizer Precompiled")


def test_texts_that_explode(tmp_path: Path) -> None:
    path = file(tmp_path / "t.json", normalizer={"type": "Sequence", "normalizers": [HUNDREDFOLD] * 2})
    for how in ("--ids", "--json"):
        done = attack("encode", "-t", path, how, "h" * 1000)
        assert_one_sentence(
            done, "the normalizer Replace + Replace makes a text of 1,000 characters more than 100 times"
        )


def test_pre_tokenizers_that_explode_together(tmp_path: Path) -> None:
    doubling = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": False}
    path = file(tmp_path / "t.json", pre_tokenizer={"type": "Sequence", "pretokenizers": [doubling] * 30})
    for how in ("--ids", "--json"):
        done = attack("encode", "-t", path, how, "é")
        assert_one_sentence(done, "the pre-tokenizer ByteLevel makes a text of 1 characters more than 100 times")


def test_a_sentence_names_few_of_many_components(tmp_path: Path) -> None:
    normalizers = [HUNDREDFOLD] * 2 + [{**HUNDREDFOLD, "pattern": {"String": "a"}}] * 7
    path = file(tmp_path / "t.json", normalizer={"type": "Sequence", "normalizers": normalizers})
    done = attack("encode", "-t", path, "h" * 1000)
    assert_one_sentence(done, "the normalizer Replace + Replace + Replace + … ")


def test_decoders_that_explode_here_or_in_the_package(tmp_path: Path) -> None:
    for last in ([], [{"type": "CTC", "pad_token": "x", "word_delimiter_token": "|", "cleanup": False}]):
        path = file(tmp_path / "t.json", decoder={"type": "Sequence", "decoders": [HUNDREDFOLD] * 4 + last})
        assert_one_sentence(attack("decode", "-t", path, "2"), "times as long" if not last else "the decoder Replace")


def test_training_with_such_a_file(tmp_path: Path) -> None:
    path = file(tmp_path / "t.json", normalizer={"type": "Sequence", "normalizers": [HUNDREDFOLD] * 4})
    corpus = tmp_path / "c.txt"
    corpus.write_text("h" * 1000, encoding="utf-8")
    assert_one_sentence(attack("train", corpus, "--like", path, "--max-memory", "300MB"), "the normalizer Replace")


def test_max_memory_holds_for_the_helper(tmp_path: Path) -> None:
    path = file(tmp_path / "t.json", normalizer={"type": "Sequence", "normalizers": [HUNDREDFOLD] * 3})
    corpus = tmp_path / "c.txt"
    corpus.write_text("h" * 1000, encoding="utf-8")
    said = attack("train", corpus, "--like", path, "--max-memory", "200MB").stderr
    assert "of memory on a text of 1,000 characters" in said


def test_the_time_limit_is_one_sentence_and_the_next_text_is_answered() -> None:
    slow = ForeignNormalizer(HUNDREDFOLD)
    with time_limit(0.05), pytest.raises(TokenizerFileError, match=r"did not finish on a text of 90,000 characters"):
        slow.texts(["h" * 90_000])
    assert slow.texts(["ah"]) == ["a" + "h" * 100]
    assert ForeignNormalizer({"type": "Lowercase"}).texts(["ÀB", "\udc80"[:0], "Ç"]) == ["àb", "", "ç"]


def test_what_nobody_waits_for_any_more_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    normalizer = ForeignNormalizer({"type": "NFKD"})
    with stoppable(lambda: True), pytest.raises(Cancelled):
        normalizer.texts(["ﬁ" * 900_000])
    assert normalizer.texts(["ﬁ"]) == ["fi"]


def test_many_texts_come_back_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "BATCH", 10)
    texts = [f"Ä{number} B" for number in range(100)]
    assert ForeignNormalizer({"type": "Lowercase"}).texts(texts) == [text.lower() for text in texts]
    words = ForeignPreTokenizer({"type": "BertPreTokenizer"}).words(texts)
    assert words == [text.split() for text in texts]
    assert ForeignDecoder({"type": "WordPiece", "prefix": "##", "cleanup": False}).decode(["a", "##b"]) == "ab"


def test_served_programs_refuse_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_tui.core.runtime._policy", Policy(is_served=True))
    with pytest.raises(TokenizerFileError, match=r"^the normalizer NFC needs a process of its own"):
        ForeignNormalizer({"type": "NFC"})


def test_the_helper_does_not_outlive_a_parent_that_is_killed() -> None:
    code = (
        "from bpe_tui.formats.huggingface import foreign\n"
        "one = foreign.ForeignNormalizer({'type': 'NFKD'})\n"
        "print(foreign._helper._process.number, flush=True)\n"
        "one.texts(['ﬁ' * 900_000] * 10_000)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    helper = int(parent.stdout.readline())
    time.sleep(0.3)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    for _ in range(100):
        try:
            os.kill(helper, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.kill(helper, signal.SIGKILL)
    pytest.fail("the helper is still there")
