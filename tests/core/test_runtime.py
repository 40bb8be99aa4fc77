"""The policy of a process, and the first door that asks it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bpe_tui.core.corpus.sources import find_corpus
from bpe_tui.core.errors import CorpusError
from bpe_tui.core.runtime import AT_A_DESK, Policy, impose, policy

SERVED = Policy(is_served=True, text_limit=1000)


@pytest.fixture
def _served() -> Iterator[None]:
    impose(SERVED)
    yield
    impose(AT_A_DESK)


def test_at_a_desk_everything_is_allowed() -> None:
    now = policy()
    assert now is AT_A_DESK
    assert (now.reaches_files, now.keeps_state, now.starts_processes, now.text_limit) == (True, True, True, None)


@pytest.mark.usefixtures("_served")
def test_a_served_process_reaches_no_file_and_keeps_nothing() -> None:
    now = policy()
    assert (now.reaches_files, now.keeps_state, now.starts_processes, now.text_limit) == (False, False, False, 1000)


@pytest.mark.usefixtures("_served")
@pytest.mark.parametrize("name", ["there.txt", "missing.txt", "/etc/passwd", "..", "-", "", "\0", "x" * 5000])
def test_a_served_process_says_the_same_of_files_that_are_there_and_that_are_not(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there.txt").write_text("low lower", encoding="utf-8")
    with pytest.raises(CorpusError, match="files are out of reach here"):
        find_corpus([name])


@pytest.mark.usefixtures("_served")
def test_a_served_process_opens_bundled_corpora_whatever_lies_in_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hug").write_text("not this one", encoding="utf-8")
    assert find_corpus(["hug"]).is_bundled
