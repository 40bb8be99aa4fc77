"""The settings file: what is read of it, what is said of mistakes in it, and that a change leaves all else alone."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from platformdirs import user_config_path

from bpe_tui.core.errors import SettingsError
from bpe_tui.formats.settings import (
    DEFAULT,
    FILE,
    KINDS,
    OPTION,
    UserSettings,
    asked_language,
    read_settings,
    settings_path,
    write_settings,
)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings file, which is not there yet, in a folder that is not there yet."""
    path = tmp_path / "config" / "settings.toml"
    monkeypatch.setenv("BPE_TUI_CONFIG", str(path))
    return path


def written(file: Path, text: str) -> UserSettings:
    """The settings in a text."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return read_settings()


def test_everything_that_can_be_set(file: Path) -> None:
    text = 'theme = "bpe-light"\nlanguage = "fr"\nblanks = "table"\nmotion = false\nspeed = 4\n'
    assert written(file, text + '[keys]\nstep = "j"\nundo = ["k", "left"]\n') == UserSettings(
        "bpe-light", "fr", "table", False, 4, {"step": ("j",), "undo": ("k", "left")}
    )
    assert asked_language() == "fr"


def test_no_file_says_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings() == UserSettings()
    assert asked_language() is None
    monkeypatch.setenv("BPE_TUI_CONFIG", "/dev/null")
    assert read_settings() == UserSettings()
    write_settings({"theme": "bpe-light"})
    assert read_settings() == UserSettings()


def test_the_file_is_where_the_system_wants_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for unset in ("", None):
        if unset is None:
            monkeypatch.delenv("BPE_TUI_CONFIG")
        else:
            monkeypatch.setenv("BPE_TUI_CONFIG", unset)
        assert settings_path() == user_config_path("bpe-tui", appauthor=False) / "settings.toml"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("theme = 5", "theme is 5, but must be the name of a theme"),
        ('theme = ""', 'theme is "", but must be the name of a theme'),
        ('language = "de"', 'language is "de", but must be one of "en", "fr", "ru"'),
        ("blanks = true", 'blanks is true, but must be one of "sign", "table", "plain"'),
        ('motion = "no"', 'motion is "no", but must be true or false'),
        ("speed = true", "speed is true, but must be a number of merges per second, such as 2"),
        ("speed = 0", "speed is 0, but must be"),
        ("speed = nan", "speed is NaN, but must be"),
        ("speed = inf", "speed is Infinity, but must be"),
        (f"speed = 1{'0' * 400}", "speed is 1000"),
        (f"speed = 0x{'f' * 5000}", "speed is ..., but must be"),
        (f"theme.{'a.' * 2000}a = 1", "theme is "),  # how much of it is shown depends on Python, but it is short
        ("keys = 4", "keys is 4, but must be a table of actions and their keys"),
        ("[keys]\nstep = 4", 'keys.step is 4, but must be a key such as "j", or a list of keys'),
        ("[keys]\nstep = []", "keys.step is [], but must be"),
        ('[keys]\nstep = ["j", ""]', 'keys.step is ["j", ""], but must be'),
        ("them = 1", 'there is no setting "them"; there are theme, language, blanks, motion, speed, keys'),
    ],
)
def test_a_wrong_value_is_said_and_counts_as_not_given(file: Path, text: str, complaint: str) -> None:
    found = written(file, text)
    assert len(found.complaints) == 1
    assert found.complaints[0].startswith(f"{file}: {complaint}")
    assert len(found.complaints[0]) < len(str(file)) + 200
    assert found == UserSettings(complaints=found.complaints)
    assert asked_language() is None


def test_one_mistake_does_not_spoil_the_rest(file: Path) -> None:
    found = written(file, 'motion = "no"\ntheme = "bpe-light"\n[keys]\nstep = 4\nundo = "k"\n')
    assert (found.theme, found.motion, dict(found.keys), len(found.complaints)) == (
        "bpe-light",
        None,
        {"undo": ("k",)},
        2,
    )


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"theme = \n", "is not TOML (Invalid value (at line 1, column 9)): correct it"),
        (b"a = 1\na = 2\n", "is not TOML (Cannot overwrite a value"),
        (b"\xff", "is not TOML ('utf-8' codec can't decode"),
        (b"a = " + b"[" * 5000, "is not TOML ("),
        (b"#" * (1 << 19), "is larger than 256 kB, so no settings file"),
    ],
)
def test_a_broken_file_is_said_in_one_sentence_and_never_written(file: Path, data: bytes, complaint: str) -> None:
    file.parent.mkdir()
    file.write_bytes(data)
    found = read_settings()
    assert len(found.complaints) == 1
    assert found.complaints[0].startswith(f"{file} {complaint}")
    assert "\n" not in found.complaints[0]
    assert asked_language() is None
    with pytest.raises(SettingsError) as error:
        write_settings({"theme": "bpe-light"})
    assert str(error.value) == found.complaints[0]
    assert file.read_bytes() == data


def test_what_is_no_file_is_said(file: Path) -> None:
    file.mkdir(parents=True)
    assert read_settings().complaints == (f"{file} cannot be read: Is a directory",)
    with pytest.raises(SettingsError, match="Is a directory"):
        write_settings({"theme": "bpe-light"})


def test_a_folder_that_cannot_be_made_is_said(file: Path) -> None:
    file.parent.write_text("in the way")
    with pytest.raises(SettingsError, match=r"settings\.toml cannot be written: "):
        write_settings({"theme": "bpe-light"})


def test_a_change_keeps_comments_order_and_what_is_unknown(file: Path) -> None:
    text = "# mine\nspeed = 2 # slow\n\nfuture = [1, 2]  # unknown\n\n[keys]\n# right hand\nstep = 'j'\n\n[more]\na=1"
    written(file, text)
    write_settings({"speed": 8.0, "theme": "bpe-light"})
    lines = file.read_text().splitlines()
    kept = [line for line in text.splitlines() if line and not line.startswith("speed")]
    assert [line for line in lines if line in kept] == kept
    assert [line for line in lines if line and line not in kept] == ["speed = 8.0 # slow", 'theme = "bpe-light"']
    assert read_settings().theme == "bpe-light"


def test_a_new_file_says_what_it_is(file: Path) -> None:
    write_settings({"motion": False})
    assert file.read_text() == "# Settings of bpe-tui; `bpe-tui settings` lists what is in force.\nmotion = false\n"


def test_of_two_programs_each_keeps_what_the_other_has_changed(file: Path) -> None:
    written(file, 'theme = "bpe-dark"\n')
    write_settings({"theme": "bpe-light"})
    file.write_text(file.read_text() + "speed = 4\n")  # another program, since this one has read the file
    write_settings({"blanks": "plain"})
    assert tomllib.loads(file.read_text()) == {"theme": "bpe-light", "speed": 4, "blanks": "plain"}


def test_a_link_stays_one(file: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text('theme = "bpe-dark"\n')
    file.parent.mkdir()
    file.symlink_to(real)
    write_settings({"theme": "bpe-light"})
    assert file.is_symlink()
    assert real.read_text() == 'theme = "bpe-light"\n'
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config", "dotfiles.toml"]


_NAMES = st.sampled_from(["theme", "speed", "motion", "x", "y"])
_VALUES = st.one_of(
    st.booleans(), st.integers(-9, 9), st.sampled_from(['"a"', "'b # c'", '"""d\ne"""', "[1, 2]", "{a = 1}"])
)
_LINES = st.one_of(
    st.tuples(_NAMES, _VALUES, st.sampled_from(["", "  # why"])).map(
        lambda line: f"{line[0]} = {str(line[1]).lower() if isinstance(line[1], bool) else line[1]}{line[2]}"
    ),
    st.sampled_from(
        ["", "# a word", "[keys]", "[other]", "[[many]]", "a.b = 1", "[theme]", "[speed.x]", "theme.a = 1"]
    ),
)


@given(
    st.lists(_LINES, max_size=12).map("\n".join),
    st.dictionaries(_NAMES.filter(KINDS.__contains__), st.booleans(), min_size=1),
)
def test_a_change_changes_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, text: str, changes: dict[str, Any]
) -> None:
    file = tmp_path_factory.mktemp("settings") / "s.toml"
    file.write_text(text)
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        before = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BPE_TUI_CONFIG", str(file))
        if before is None or any(isinstance(before.get(name), dict | list) for name in changes):
            with pytest.raises(SettingsError):
                write_settings(changes)
            assert file.read_text() == text
            return
        write_settings(changes)
    after = file.read_text()
    assert tomllib.loads(after) == {**before, **changes}
    for line in text.splitlines():
        if line.startswith("#"):
            assert after.splitlines().count(line) >= text.splitlines().count(line)


def test_what_comes_first() -> None:
    settings = UserSettings(theme="bpe-light", motion=False)
    assert settings.themes("a", {"TEXTUAL_THEME": "b"}) == [("a", OPTION), ("b", "TEXTUAL_THEME"), ("bpe-light", FILE)]
    assert settings.themes(None, {"TEXTUAL_THEME": ""}) == [("bpe-light", FILE)]
    assert UserSettings().themes(None, {}) == []
    assert settings.has_motion({}) == (False, FILE)
    assert settings.has_motion({"TEXTUAL_ANIMATIONS": "full"}) == (True, "TEXTUAL_ANIMATIONS")
    assert settings.has_motion({"TEXTUAL_ANIMATIONS": "full", "NO_MOTION": "1"}) == (False, "NO_MOTION")
    assert UserSettings().has_motion({"NO_MOTION": ""}) == (True, DEFAULT)
    assert UserSettings(motion=True).has_motion({}) == (True, FILE)
