"""`bpe-tui settings`, and the language that a settings file asks for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bpe_tui.core import i18n
from bpe_tui.ui.actions import use_keys
from bpe_tui.ui.keymap import CHANGEABLE
from bpe_tui.web.fork_server import environment
from tests.cli.running import done, run


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """The settings file, which is not there yet; afterwards language and keys are the usual ones."""
    path = tmp_path / "settings.toml"
    monkeypatch.setenv("BPE_TUI_CONFIG", str(path))
    monkeypatch.delenv("NO_MOTION", raising=False)
    yield path
    i18n.use("en")
    use_keys({})


def test_without_a_file_all_is_as_usual(file: Path) -> None:
    assert done("settings").text == (
        f"{file} (not there yet)\n"
        "setting   value     comes from\n"
        "theme     bpe-dark  default\n"
        "language  en        default\n"
        "blanks    sign      default\n"
        "motion    true      default\n"
        "speed     2.0       default\n"
    )


def test_where_each_value_comes_from(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = 'language = "fr"\ntheme = "bpe-light"\nspeed = 5\nmotion = true\n'
    file.write_text(values + '[keys]\nstep = ["j", "f5", "é"]\nundo = "J"\n', encoding="utf-8")
    monkeypatch.setenv("NO_MOTION", "1")
    monkeypatch.setenv("BPE_TUI_LANG", "en")
    assert done("settings").text == (
        f"{file}\n"
        "setting    value      comes from\n"
        "theme      bpe-light  the file\n"
        "language   en         BPE_TUI_LANG\n"
        "blanks     sign       default\n"
        "motion     false      NO_MOTION\n"
        "speed      4.0        the file\n"
        "keys.step  j, f5, é   the file\n"
        "keys.undo  J          the file\n"
    )
    assert done("settings", "--json", "--lang", "en").json == {
        "file": str(file),
        "theme": {"value": "bpe-light", "from": "file"},
        "language": {"value": "en", "from": "--lang"},
        "blanks": {"value": "sign", "from": "default"},
        "motion": {"value": False, "from": "NO_MOTION"},
        "speed": {"value": 4.0, "from": "file"},
        "keys": {"step": ["j", "f5", "é"], "undo": ["J"]},
    }


def test_what_is_wrong_is_noted_and_the_status_is_one(file: Path) -> None:
    file.write_text('theme = "red"\nfoo = 1\n[keys]\nstep = "u"\n')
    result = run("settings")
    assert result.status == 1
    assert "bpe-dark  default" in result.text
    assert [line.partition(": ")[2] for line in result.stderr.splitlines()] == [
        f'{file}: there is no setting "foo"; there are theme, language, blanks, motion, speed, keys',
        f"{file}: there is no theme 'red'; choose one of bpe-dark, bpe-light, bpe-contrast",
        f'{file}: u would be a key of both "step" and "undo"; give one of them another key',
    ]
    file.write_text("broken\n")
    assert run("settings", "--json").status == 1


def test_all_actions_are_listed(file: Path) -> None:
    lines = done("settings", "--keys").text.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(CHANGEABLE)
    assert "undo           u, b, ←      One merge back" in lines
    assert done("settings", "--keys", "--json").json[0] == {
        "name": "step",
        "keys": ["space", "n", "right"],
        "help": "One merge forward",
    }


def test_the_language_of_the_file_comes_after_variable_and_before_lesson_and_locale(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "ru_RU.UTF-8")
    file.write_text('language = "fr"\n')
    done("corpora")
    assert i18n.current_language() == "fr"
    done("corpora", "--lang", "en")
    assert i18n.current_language() == "en"
    monkeypatch.setenv("BPE_TUI_LANG", "ru")
    done("corpora")
    assert i18n.current_language() == "ru"
    monkeypatch.setenv("BPE_TUI_LANG", "xx")  # passed over
    done("lesson", "--print", "bpe_tui/lessons/files/en/1-what-bpe-is.md")
    assert i18n.current_language() == "fr"
    file.write_text('language = "xx"\n')  # passed over, too
    done("lesson", "--print", "bpe_tui/lessons/files/en/1-what-bpe-is.md")
    assert i18n.current_language() == "en"
    done("corpora")
    assert i18n.current_language() == "ru"


def test_clients_of_a_server_have_no_settings_file(file: Path) -> None:
    assert environment()["BPE_TUI_CONFIG"] in ("/dev/null", "nul")


def test_reading_settings_loads_nothing_heavy(file: Path) -> None:
    file.write_text('language = "fr"\n')
    code = (
        "import sys; from bpe_tui.cli.main import run; sys.argv = ['bpe-tui', 'corpora']\n"
        "try: run()\n"
        "finally: print([name for name in ('tomlkit', 'textual', 'numpy') if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == "[]\n"
