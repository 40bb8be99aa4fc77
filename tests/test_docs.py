"""The documents tell the truth where a machine can see it: links, files, keys."""

import re
from pathlib import Path

import pytest

from bpe_tui.core.options import PRESETS, TIE_RULES
from bpe_tui.ui.actions import ACTIONS

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


def test_the_page_on_using_it_lists_every_key() -> None:
    text = (CHECKOUT / "docs" / "using.md").read_text(encoding="utf-8")
    table = text[text.index("## Keys") : text.index("## Lessons")]
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
