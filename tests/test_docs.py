"""The documents tell the truth where a machine can see it: links, files, keys."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bpe_tui.api
from bpe_tui.cli.app import COMMANDS, whole_command
from bpe_tui.core.i18n import LANGUAGES
from bpe_tui.core.options import PRESETS, TIE_RULES
from bpe_tui.formats.settings import BLANKS, KEYS, KINDS, read_settings
from bpe_tui.ui.actions import ACTIONS
from bpe_tui.ui.keymap import CHANGEABLE, give_keys
from bpe_tui.ui.player import SPEEDS, USUAL_SPEED
from bpe_tui.ui.themes import THEMES
from tests.cli.running import run
from tools.commands import EXAMPLES, PAGE, page
from tools.site import REFERENCE, faults, moved, pages

CHECKOUT = Path(__file__).parents[1]
DOCUMENTS = [*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/*.md"), CHECKOUT / "corpora" / "README.md"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_to_a_file_leads_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", document.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (document.parent / target).exists(), target


def test_workflows_bring_the_shells_that_all_tests_ask_for() -> None:
    shells = "zsh fish"
    assert "in bash " + shells in (CHECKOUT / "Makefile").read_text(encoding="utf-8")
    asking = 0
    for workflow in (CHECKOUT / ".github" / "workflows").glob("*.yml"):
        for job in re.split(r"\n  (?=\w+:\n)", workflow.read_text(encoding="utf-8").partition("\njobs:")[2]):
            before, asks, _after = job.partition("run: bash ")
            if asks and (".ci/run" in job or "make test" in job):
                asking += 1
                assert re.search(f"apt-get install .*{shells}$", before, re.MULTILINE), workflow.name
    assert asking == 3


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


def test_the_readme_begins_with_the_moving_picture_and_stays_short() -> None:
    lines = (CHECKOUT / "README.md").read_text(encoding="utf-8").splitlines()
    assert re.search(r"^!\[.+\]\(docs/pictures/walk\.svg\)$", lines[2])
    assert len(lines) <= 100


# -- the page of commands ----------------------------------------------------------------------------------------------


def test_the_page_of_commands_is_what_the_help_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "make commands"
    assert set(EXAMPLES) <= {"", *COMMANDS}


ON_A_SCREEN = {"", "open", "exercise", "serve"}
"""Commands that need a terminal, or don't end by themselves."""


@pytest.mark.parametrize("name", list(EXAMPLES))
def test_the_examples_can_be_typed(name: str) -> None:
    program = whole_command()
    for line, _about in EXAMPLES[name]:
        words = shlex.split(line.rpartition("|")[2])
        assert words[0] == "bpe-tui"
        assert words[1:2] == ([name] if name else [])
        context = program.make_context("bpe-tui", words[1:], resilient_parsing=False) if name else None
        if context is not None:  # raises for an option that there is not
            program.get_command(context, name).make_context(name, words[2:], parent=context)


def test_the_examples_without_a_screen_work_one_after_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "the cat sat on the mat, and the cat that sat on the mat sat.\n" * 20
    Path("notes.txt").write_text(text, encoding="utf-8")
    Path("letters").mkdir()
    Path("letters/first.txt").write_text(text, encoding="utf-8")
    for name in ("a.json", "b.tiktoken"):
        assert run("train", "notes.txt", "--preset", "huggingface", "--vocab-size", "270", "-o", name).status == 0
    printed = {}
    for name, lines in EXAMPLES.items():
        for line, _about in lines:
            words = shlex.split(line)[1:]
            if name not in ON_A_SCREEN and words != ["lesson", "1"] and "--record" not in words:
                result = run(*words)
                assert result.status == 0, (line, result.stderr)
                printed[line] = result.text
    assert printed["bpe-tui encode thug -t hug.json"] == "[UNK] hug\n"
    assert printed["bpe-tui decode 9 5 -t hug.json"] == "hugs"
    assert Path("letters.tsv").read_text(encoding="utf-8").startswith("the\t20\n cat\t40\n")
    assert Path("notes.tiktoken").is_file()


# -- the site ----------------------------------------------------------------------------------------------------------


def places(nav: list[Any]) -> Iterator[str]:
    """The pages that a navigation lists, from top to bottom."""
    for entry in nav:
        if isinstance(entry, str):
            yield entry
        else:
            for below in entry.values():
                yield from places(below if isinstance(below, list) else [below])


def test_the_navigation_of_the_site_lists_every_page_once() -> None:
    with (CHECKOUT / "zensical.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    listed = list(places(project["nav"]))
    assert sorted(listed) == sorted(pages())
    assert project["theme"]["font"] is False


def test_the_reference_names_the_whole_api_once() -> None:
    names = [name for names in REFERENCE.values() for name in names]
    assert sorted(names) == sorted(bpe_tui.api.__all__)


def test_links_lead_to_pages_of_the_site_wherever_those_come_from() -> None:
    index = moved("README.md")
    assert "(pictures/walk.svg)" in index
    assert "(commands.md#bpe-tui-diff)" in index
    assert "(corpora.md)" in index
    assert "(files/LICENSE.txt)" in index
    assert "docs/" not in "".join(re.findall(r"\]\([^)]*\)", index))
    assert "`<|endoftext|>`" in moved("docs/semantics.md")
    fenced = re.search(r"^````markdown\n.*?^````$", moved("docs/lessons.md"), re.MULTILINE | re.DOTALL)
    assert fenced is not None
    assert fenced.group() in (CHECKOUT / "docs" / "lessons.md").read_text(encoding="utf-8")


def test_what_a_site_loads_from_elsewhere_or_lacks_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<link href="style.css"><script src="//cdn.example/x.js"></script><img src="none.png">'
        '<a href="b.html#here">b</a><a href="b.html#there">b</a><a href="https://elsewhere.example/">fine</a>',
        encoding="utf-8",
    )
    (tmp_path / "b.html").write_text('<h1 id="here">b</h1><a href="#here">up</a>', encoding="utf-8")
    (tmp_path / "style.css").write_text('@import "https://fonts.example/f.css"; p { background: url(data:x) }')
    assert faults(tmp_path) == [
        "a.html loads //cdn.example/x.js",
        "a.html links to none.png, which is not there",
        "a.html links to b.html#there, but that page has no such anchor",
        "style.css loads https://fonts.example/f.css",
    ]


# -- settings ----------------------------------------------------------------------------------------------------------


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
