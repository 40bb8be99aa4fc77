"""The documents tell the truth where a machine can see it: links, files, keys."""

import re
from pathlib import Path

import pytest

from bpe_tui.core.i18n import LANGUAGES
from bpe_tui.core.options import PRESETS, TIE_RULES
from bpe_tui.formats.settings import BLANKS, KEYS, KINDS, read_settings
from bpe_tui.ui.actions import ACTIONS
from bpe_tui.ui.keymap import CHANGEABLE, give_keys
from bpe_tui.ui.player import SPEEDS, USUAL_SPEED
from bpe_tui.ui.themes import THEMES

CHECKOUT = Path(__file__).parents[1]
DOCUMENTS = [*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/*.md"), CHECKOUT / "corpora" / "README.md"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_to_a_file_leads_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", document.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (document.parent / target).exists(), target


def test_the_walk_through_the_house_passes_by_files_that_are_there() -> None:
    text = (CHECKOUT / "docs" / "architecture.md").read_text(encoding="utf-8")
    there = {str(path.relative_to(CHECKOUT / "bpe_tui")) for path in (CHECKOUT / "bpe_tui").rglob("*.py")}
    named = set(re.findall(r"`([\w/]+\.py)`", text))
    assert len(named) > 25
    for name in named:
        assert any(path == name or path.endswith("/" + name) for path in there), name


def test_the_readme_lists_every_key() -> None:
    text = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    table = text[text.index("## Keys") : text.index("## Commands")]
    listed = set(re.findall(r"`(\S+)`", table))
    listed.update(str(number) for number in range(1, 7))  # written as 1 … 6
    aliases = {"=": "+", "esc": "escape"}
    for action in ACTIONS:
        for key in re.split(r",? ", action.key_text):
            assert aliases.get(key, key) in listed, action.id


def test_the_semantics_name_every_preset_and_tie_rule() -> None:
    text = (CHECKOUT / "docs" / "semantics.md").read_text(encoding="utf-8")
    for name in (*PRESETS, *TIE_RULES):
        assert f"| `{name}` |" in text


def test_the_example_of_settings_is_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (CHECKOUT / "docs" / "settings.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (tmp_path / "settings.toml").write_text(example, encoding="utf-8")
    monkeypatch.setenv("BPE_TUI_CONFIG", str(tmp_path / "settings.toml"))
    settings = read_settings()
    assert settings.complaints == ()
    assert give_keys(settings.keys) == []
    give_keys({})
    assert None not in (settings.theme, settings.language, settings.blanks, settings.motion, settings.speed)
    assert len(settings.keys) == 3


def test_the_settings_name_every_value_and_every_action() -> None:
    text = (CHECKOUT / "docs" / "settings.md").read_text(encoding="utf-8")
    settings = text[text.index("## What can be set") : text.index("## Keys")]
    assert re.findall(r"^\| `(\w+)` \|", settings, re.MULTILINE) == [*KINDS, KEYS]
    for name in (*BLANKS, *LANGUAGES, *(theme.name for theme in THEMES), f"{USUAL_SPEED:g}"):
        assert f"`{name}`" in settings
    *slower, fastest = (f"{speed:g}" for speed in SPEEDS)
    assert f"{', '.join(slower)} or {fastest}" in settings
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*) \|$", text[text.index("## Keys") :], re.MULTILINE)
    assert [name for name, _, _ in rows] == list(CHANGEABLE)
    for name, keys, does in rows:
        action = CHANGEABLE[name]
        assert (keys.replace("`", ""), does) == (action.key_text, action.help)
