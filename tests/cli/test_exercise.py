"""`bpe-tui exercise`: a file is made, never overwritten, checked once or whenever it is saved."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from bpe_tui.cli.commands import exercise
from tests.cli.running import done, run
from tests.core.teaching.test_exercise import RIGHT


def test_right_and_wrong(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(RIGHT)
    text = done("exercise", path, "--once").text
    assert text.startswith("✓ hug: 7 merges\n✓ banana: ")
    assert text.endswith("All three functions are right: this is byte-pair encoding.\n")
    path.write_text(RIGHT.replace("+ count", "+ 1"))
    result = run("exercise", path, "--once")
    assert (result.status, result.stderr) == (1, "")
    assert result.text == (
        "✗ hug, merge 1, count_pairs: another value is expected.\n"
        "    called with: h u g ×10 · h u g s ×5\n    expected: ('h', 'u'): 15\n    but got: ('h', 'u'): 2\n"
    )
    path.write_text("print('a\\nb\\x1b[31m')\nraise ValueError('no.')\n")
    assert run("exercise", path, "--once").text == (
        "✗ an exception, ValueError: no.\n    line 2: raise ValueError('no.')\n    printed: a …\n"
    )


def test_a_file_is_made_and_never_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.py"
    assert "without --once makes it" in run("exercise", path, "--once").error
    monkeypatch.setattr(exercise, "changes", lambda path: iter(()))
    assert done("exercise", path).text.startswith(f"{path} is new: open it in your editor.\n")
    text = path.read_text()
    assert all(f"def {name}(" in text for name in ("count_pairs", "pick", "merge_all"))
    path.write_text("# mine")
    assert "is new" not in done("exercise", path).text
    assert path.read_text() == "# mine"
    with pytest.raises(FileExistsError):
        exercise.make(path)
    assert "no/mine.py: " in run("exercise", tmp_path / "no" / "mine.py").error
    assert run("exercise", tmp_path, "--once").status == 2


def test_it_is_checked_again_when_it_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exercise, "POLL", 0.01)
    path = tmp_path / "mine.py"
    path.write_text("")

    def save() -> None:
        time.sleep(0.5)
        new = tmp_path / "new.py"
        new.write_text(RIGHT)
        path.unlink()  # as some editors do
        time.sleep(0.1)
        new.replace(path)

    editor = threading.Thread(target=save)
    editor.start()
    text = done("exercise", path).text
    editor.join()
    assert "✗ count_pairs: there is no function of this name in the file.\n" in text
    assert text.endswith("this is byte-pair encoding.\n")
