"""Pictures of the open dialog, the list of lessons and the first start."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpe_tui.ui.widgets import file_picker
from bpe_tui.ui.widgets.file_picker import UP, FileEntry
from tests.snapshots.test_train_pictures import LARGE, SMALL, Compare, driven
from tests.ui.running import make_app

SIZES = [pytest.param(SMALL, id="small"), pytest.param(LARGE, id="large")]


@pytest.fixture(autouse=True)
def empty_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same files on every machine, and nothing saved."""
    files = [FileEntry(UP, is_folder=True, size=0), FileEntry("notes", is_folder=True, size=0)]
    files.append(FileEntry("tides.txt", is_folder=False, size=48_213))
    monkeypatch.chdir("/")  # its name is in the picture
    monkeypatch.setattr(file_picker, "entries_of", lambda folder: files)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


@pytest.mark.parametrize("size", SIZES)
def test_the_open_dialog(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(make_app(), terminal_size=size, run_before=driven("o"))


def test_the_open_dialog_finds_by_name(snap_compare: Compare) -> None:
    assert snap_compare(make_app(), terminal_size=SMALL, run_before=driven("o", "t", "i"))


@pytest.mark.parametrize("size", SIZES)
def test_the_list_of_lessons(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(make_app(), terminal_size=size, run_before=driven("L"))


def test_the_challenges(snap_compare: Compare) -> None:
    assert snap_compare(make_app("banana"), terminal_size=SMALL, run_before=driven("space", "Y", "down", "down"))


@pytest.mark.parametrize("theme", ["bpe-dark", "bpe-light", "bpe-contrast"])
@pytest.mark.parametrize("size", SIZES)
def test_the_first_start(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    app = make_app(theme=theme)
    app.saves = True
    assert snap_compare(app, terminal_size=size, run_before=driven())


def test_the_open_dialog_without_colour(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(make_app(), terminal_size=SMALL, run_before=driven("o", "down"))
