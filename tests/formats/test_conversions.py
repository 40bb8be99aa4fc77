"""From every format to every other: what is written encodes in its own tool as what was read, or is refused."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.formats import merges
from bpe_tui.formats.huggingface.read import read as read_json
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.registry import FORMATS, read_tokenizer, write_tokenizer
from tests.formats import hf_files
from tests.formats.in_tools import NAMES, compare
from tests.formats.models import trained
from tests.formats.test_merges import CODES
from tests.formats.test_tiktoken import CASES, written


@cache
def sources() -> dict[str, TokenizerModel]:
    """Models from every format, and trained ones."""
    found = {f"trained, {preset}": trained(preset) for preset in ("huggingface", "course", "minbpe", "subword-nmt")}
    found["trained, characters"] = trained("course", alphabet="characters", pre_tokenizer="metaspace")
    found["trained, no special tokens"] = trained("huggingface", pre_tokenizer="cl100k", specials=())
    found |= {f"tiktoken, {name}": _tiktoken(ranks) for name, ranks in CASES.items()}
    found |= {f"subword-nmt, {name}": merges.read(codes, {}) for name, codes in CODES.items()}
    for seed in range(2000, 2030):
        file = hf_files.file(random.Random(seed), foreign=seed % 2 == 0)
        try:
            found[f"huggingface, {seed}"] = read_json(json.dumps(file))
        except TokenizerFileError:
            continue
    return found


def _tiktoken(ranks: dict[bytes, int]) -> TokenizerModel:
    from bpe_tui.formats import tiktoken as ours

    return ours.read(written(ranks), {})


@pytest.mark.parametrize("name", NAMES)
def test_every_model_is_written_truly_or_refused(name: str, tmp_path: Path) -> None:
    done = 0
    for number, (source, model) in enumerate(sources().items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / NAMES[name]
        try:
            notes = write_tokenizer(str(path), model, name)
        except TokenizerFileError as error:
            sentence = str(error)
            if list(folder.iterdir()) or "\n" in sentence or not sentence.startswith(str(path)):
                raise AssertionError(f"{source}: {sentence}") from error
            continue
        done += 1
        compare(name, model, path, notes, source)
    assert done >= (2 if name == "gpt2" else 4)


def test_there_is_a_name_for_every_format() -> None:
    assert set(NAMES) == {one.name for one in FORMATS if one.is_written}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_reads_back_as_it_was(name: str, tmp_path: Path) -> None:
    preset = "minbpe" if name == "minbpe" else "huggingface"
    model = trained(preset, specials=())
    path = str(tmp_path / NAMES[name])
    write_tokenizer(path, model, name)
    given: dict[str, Any] = {"tiktoken": {"pre_tokenizer": "gpt2"}, "merges": {"preset": preset, "specials": ()}}
    again = read_tokenizer(path, given.get(name))
    assert again.vocabulary.merges == model.vocabulary.merges
    assert again.options.replace(merges=1) == model.options.replace(merges=1) or name in ("tiktoken", "merges")
    once_more = tmp_path / "again"
    once_more.mkdir()
    write_tokenizer(str(once_more / NAMES[name]), again, name)
    assert (once_more / NAMES[name]).read_bytes() == (tmp_path / NAMES[name]).read_bytes()


def test_a_write_that_fails_at_the_second_file_leaves_no_half(tmp_path: Path) -> None:
    (tmp_path / "merges.txt").mkdir()
    with pytest.raises(TokenizerFileError, match="cannot be written"):
        write_tokenizer(str(tmp_path / "vocab.json"), trained("huggingface"))
    assert [path.name for path in tmp_path.iterdir()] == ["merges.txt"]
