"""The translations: in step with their compiled form, with the same placeholders, and spoken when asked for."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from bpe_tui.cli.language import choose, choose_for_lesson
from bpe_tui.core import i18n as language
from bpe_tui.core.errors import OptionError
from bpe_tui.ui.actions import ACTIONS
from bpe_tui.ui.encode.actions import ENCODE_ACTIONS
from tests.cli.running import done, run
from tools import catalogue

TRANSLATIONS = pytest.mark.parametrize("code", catalogue.TRANSLATIONS)


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    """Leave no other language behind."""
    yield
    language.use("en")


@cache
def collected() -> Catalog:
    """The messages of the source; collecting them takes a second."""
    return catalogue.collected()


def forms(message: Message) -> list[tuple[tuple[str, ...], str]]:
    """Each form of a message's translation, with the texts that it may stand for."""
    if isinstance(message.id, str):
        assert isinstance(message.string, str)
        return [((message.id,), message.string)]
    assert isinstance(message.string, (tuple, list))
    # Of two forms the first is for one thing only, so the number may be left out as in English; of three it is not.
    firsts = tuple(message.id) if len(message.string) == 2 else tuple(message.id[1:])
    return [(firsts if place == 0 else tuple(message.id[1:]), text) for place, text in enumerate(message.string)]


def placeholders(message: str) -> set[str]:
    """The names in braces that the program fills in."""
    return set(re.findall(r"\{(\w+)(?:![ars])?\}", message))


def filled(translation: Catalog) -> list[tuple[tuple[str, ...], str]]:
    """All that is translated."""
    return [form for message in translation if message.id for form in forms(message) if form[1]]


@TRANSLATIONS
def test_every_message_is_translated_and_no_other(code: str) -> None:
    translation = catalogue.translation(code)
    wanted = {message.id for message in collected() if message.id}
    assert {message.id for message in translation if message.id} == wanted, "run `make catalogue`"
    assert catalogue.missing(translation) == []


def test_messages_are_found_in_calls_in_tables_in_f_strings_and_in_the_help_of_commands() -> None:
    source = """
def train():
    '''Train on it.'''
text = _("one " "two"), f"{_('inside')} x", mark("marked"), plural("{count} a", "{count} b", 3), other("not this")
keys = Action("step", ("n",), "label", "what it does", 1), help_of(train), _(text)
"""
    assert sorted(map(str, catalogue.messages_in(source))) == sorted(
        map(
            str,
            [
                "one two",
                "inside",
                "marked",
                ("{count} a", "{count} b"),
                "label",
                "what it does",
                "Train on it.",
            ],
        )
    )


def test_every_action_is_in_the_catalogue() -> None:
    known = {message.id for message in collected()}
    for action in (*ACTIONS, *ENCODE_ACTIONS):
        assert {action.label, action.help} <= known, action.id


@TRANSLATIONS
def test_the_compiled_form_is_that_of_the_translation(code: str) -> None:
    assert catalogue.mo_path(code).read_bytes() == catalogue.mo_bytes(catalogue.translation(code))


@TRANSLATIONS
def test_a_translation_has_the_placeholders_of_its_message(code: str) -> None:
    for texts, translated in filled(catalogue.translation(code)):
        assert placeholders(translated) in [placeholders(text) for text in texts], texts


@TRANSLATIONS
def test_a_translation_begins_and_ends_as_its_message_does(code: str) -> None:
    for (*_others, text), translated in filled(catalogue.translation(code)):
        assert text.strip() == text, "blanks at the ends belong to the code"
        assert translated.strip() == translated
        if " " in text:  # a single word may be an abbreviation elsewhere
            assert text.endswith(".") == translated.endswith("."), text


def test_no_message_formats_a_number_by_itself() -> None:
    for message in collected():
        assert ":," not in str(message.id), "numbers in sentences are written by core.language.number"


# -- which language ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "environment", "spoken"),
    [
        ([], {}, "en"),
        ([], {"LANG": "C.UTF-8"}, "en"),
        ([], {"LANG": "de_DE.UTF-8"}, "en"),
        ([], {"LANG": "fr_CA.UTF-8"}, "fr"),
        ([], {"LANG": "fr_FR", "LC_ALL": "ru_RU"}, "ru"),
        ([], {"LANG": "fr_FR", "LANGUAGE": "de:ru"}, "ru"),
        ([], {"LANG": "fr_FR", "BPE_TUI_LANG": "ru"}, "ru"),
        ([], {"LANG": "fr_FR", "BPE_TUI_LANG": "klingon"}, "fr"),
        (["--lang", "en"], {"BPE_TUI_LANG": "ru"}, "en"),
        (["--lang=fr"], {}, "fr"),
    ],
)
def test_option_variable_locale_in_this_order(
    arguments: list[str], environment: dict[str, str], spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert choose([*arguments, "train"]) == ["train"]
    assert language.current_language() == spoken


def test_the_option_stands_before_or_after_the_command_but_not_in_its_text() -> None:
    assert choose(["--lang", "fr", "train", "hug"]) == ["train", "hug"]
    assert choose(["train", "hug", "--lang", "fr"]) == ["train", "hug"]
    assert language.current_language() == "fr"
    assert choose(["encode", "--", "--lang", "fr"]) == ["encode", "--", "--lang", "fr"]
    assert language.current_language() == "en"


def test_a_lesson_chooses_the_language_unless_the_user_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    choose([])
    choose_for_lesson("fr")
    assert language.current_language() == "fr"
    choose(["--lang", "ru"])
    choose_for_lesson("fr")
    assert language.current_language() == "ru"
    monkeypatch.setenv("BPE_TUI_LANG", "en")
    choose([])
    choose_for_lesson("fr")
    assert language.current_language() == "en"


def test_a_language_that_is_not_there_is_one_sentence() -> None:
    assert run("--lang", "xx", "corpora").error == "there is no language 'xx' here; choose one of en, fr, ru"
    assert run("corpora", "--lang").error == "--lang needs the name of a language: en, fr, ru"
    with pytest.raises(OptionError):
        language.use("xx")


def test_numbers_are_written_as_the_language_does() -> None:
    assert language.number(1234567) == "1,234,567"
    assert language.number(1234.5, ",.2f") == "1,234.50"
    language.use("fr")
    assert language.number(1234567) == "1 234 567"
    assert language.number(1234.5, ",.2f") == "1 234,50"


def test_what_machines_read_is_the_same_in_every_language() -> None:
    english = done("train", "hug", "--json").stdout
    for code in catalogue.TRANSLATIONS:
        assert done("--lang", code, "train", "hug", "--json").stdout == english


def test_english_loads_no_catalogue(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(language, "FOLDER", tmp_path)  # without any
    language.use("en")
    assert language._("Permission denied") == "Permission denied"
    with pytest.raises(FileNotFoundError):
        language.use("fr")


def test_a_command_line_is_answered_in_its_language() -> None:
    told = done("train", "hug", "--lang", "fr").text
    assert "paire" in told.splitlines()[0]
    assert told.splitlines()[-1] == "Terminé : les 3 fusions sont apprises."
    assert run("--lang=ru", "train", "nowhere.txt").error == (
        "нет ни файла, ни встроенного корпуса nowhere.txt; `bpe-tui corpora` перечисляет встроенные"
    )
    assert "Quatre phrases russes" in done("corpora", "--lang", "fr").text


@pytest.mark.parametrize("code", catalogue.TRANSLATIONS)
def test_the_help_keeps_no_english_but_names(code: str) -> None:
    command = [sys.executable, "-m", "bpe_tui", "train", "--help"]
    environment = {**os.environ, "BPE_TUI_LANG": code, "PYTHONIOENCODING": "utf-8"}
    told = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, env=environment).stdout
    english = {text for message in collected() if message.id for text in [message.id] if isinstance(text, str)}
    same = {text for texts, text in filled(catalogue.translation(code)) if text in texts}
    whole = " ".join(told.replace("\u00a0", " ").split())
    assert [text for text in english - same if " " in text and text in whole] == []
    assert "Usage:" not in told
    assert "Show this message" not in told
