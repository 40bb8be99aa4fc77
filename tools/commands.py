"""`make commands`: docs/commands.md, made of the command line's own help and of the examples here."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any, Final

from bpe_tui.cli import output
from bpe_tui.cli.app import COMMANDS, whole_command
from bpe_tui.formats.files import write_atomically

PAGE: Final = Path(__file__).parents[1] / "docs" / "commands.md"
SHARED_BY: Final = 4
"""An option of so many commands, or more, is described once for all of them."""
BEGINNING: Final = """\
# Commands

<!-- Made by `make commands` from the program's own help; change that, or the examples in tools/commands.py. -->

Every command has `--help`, which says what this page says. [using.md](using.md) explains what goes beyond it: exit
status, languages, tables of words, what needs which extra.
"""
EXAMPLES: Final = {
    "": (("bpe-tui", "the app, on the corpus hug"),),
    "open": (
        ("bpe-tui open story", "another bundled corpus"),
        ("bpe-tui open notes.txt letters/", "your own files and folders"),
        ("cat notes.txt | bpe-tui open -", "the output of a pipe"),
        ("bpe-tui open words.tsv --ties lowest-id", "a table of words and counts, with another tie rule"),
        ("bpe-tui open notes.bpe.json", "where you left a session saved with w"),
        ("bpe-tui open old.txt --encoding latin-1", "a text that is not UTF-8"),
        ("bpe-tui open letters/ --from notes.json", "go on training a tokenizer, step by step"),
        ("bpe-tui open hug --plain", "without a full screen, in sentences"),
        ('bpe-tui open hug --record demo.cast --keys "space space e thug"', "a recording of these keys"),
    ),
    "train": (
        ("bpe-tui train hug", "the merge log as a table"),
        ("bpe-tui train course-en --json", "everything, for programs"),
        ("bpe-tui train hug -o hug.json", "… and the tokenizer, in a file"),
        ("bpe-tui train notes.txt --preset huggingface --vocab-size 2000 -o notes.json", "as tokenizers trains"),
        ("bpe-tui train notes.txt --like notes.json", "cut the text as that tokenizer does"),
        ("bpe-tui train notes.txt --ties lowest-id --verify", "… and does tokenizers learn the same?"),
        ("bpe-tui train letters/ --from notes.json --merges 500 -o more.json", "go on training a tokenizer"),
        ("bpe-tui train hug --protect pug --seed-token hugs", "a word that is never split, and a token from the start"),
    ),
    "report": (
        ("bpe-tui report hug.json hug", "what is good and bad about a tokenizer for a text"),
        ("bpe-tui report notes.json notes.txt --html report.html", "… also as a page for the browser"),
    ),
    "encode": (
        ("bpe-tui encode thug -t hug.json", "its tokens: [UNK] hug"),
        ("bpe-tui encode unhug --trace -t hug.json", "… and each merge that fired"),
    ),
    "decode": (("bpe-tui decode 9 5 -t hug.json", "ids back to text: hugs"),),
    "convert": (("bpe-tui convert notes.json notes.tiktoken", "to another tool's format"),),
    "diff": (
        ("bpe-tui diff banana --ties first-seen --ties lowest-id", "where two tie rules, or presets, diverge"),
        ('bpe-tui diff a.json b.tiktoken --text "naïve café"', "two tokenizers on one text, and why they differ"),
    ),
    "lesson": (
        ("bpe-tui lesson --list", "list the lessons"),
        ("bpe-tui lesson 1", "open one"),
        ("bpe-tui lesson 1 --plain", "… page by page without a full screen"),
        ("bpe-tui lesson 1 --print", "… as plain text with tables, without the app"),
        ("bpe-tui lesson 1 --record lesson.cast", "… playing by itself, as an asciinema recording"),
    ),
    "exercise": (
        ("bpe-tui exercise my_bpe.py", "write the algorithm yourself, checked whenever you save"),
        ("bpe-tui exercise my_bpe.py --once", "… checked once, for scripts"),
    ),
    "count": (("bpe-tui count letters/ -o letters.tsv", "words and how often each occurs"),),
    "corpora": (("bpe-tui corpora", "list the bundled corpora"),),
    "vocabularies": (("bpe-tui vocabularies", "list the vocabularies that installed packages hold"),),
    "settings": (("bpe-tui settings", "where your settings are, and what is in force"),),
    "serve": (
        ("bpe-tui serve --host 0.0.0.0", "for anyone on this network"),
        ("bpe-tui serve --host 0.0.0.0 --lesson hug", "… and everyone starts with this lesson"),
    ),
}
"""Of each command, the program itself included: lines to type, with what they do."""

Record = tuple[str, str]
"""An option or argument as the help writes it, and what it does."""


def page() -> str:
    """The whole page."""
    program = whole_command()
    context = program.make_context(output.PROGRAM, [], resilient_parsing=True)
    commands = {name: program.get_command(context, name) for name in COMMANDS}
    contexts = {
        name: command.make_context(name, [], parent=context, resilient_parsing=True)
        for name, command in commands.items()
    }
    records = {name: _records(commands[name], contexts[name]) for name in COMMANDS}
    users: dict[Record, list[str]] = defaultdict(list)
    for name, (_arguments, options) in records.items():
        for option in options:
            users[option].append(name)
    shared = {option: names for option, names in users.items() if len(names) >= SHARED_BY}
    parts = [
        BEGINNING,
        _section(output.PROGRAM, program, context, "", [_table("option", _records(program, context)[1])]),
    ]
    for name in COMMANDS:
        arguments, options = records[name]
        tables = [_table("argument", arguments), _table("option", [one for one in options if one not in shared])]
        also = [f"`{_long_name(one)}`" for one in options if one in shared]
        tables.append(f"[Shared options](#shared-options): {', '.join(also)}.\n" if also else "")
        parts.append(_section(f"{output.PROGRAM} {name}", commands[name], contexts[name], name, tables))
    rows = [(option, f"{text} | {', '.join(names)}") for (option, text), names in shared.items()]
    parts.append("## Shared options\n\n" + _table("option", rows, ("what it does", "of")))
    return "\n".join(parts)


def _records(command: Any, context: Any) -> tuple[list[Record], list[Record]]:
    """Arguments and options of a command, those that every command has left out."""
    arguments: list[Record] = []
    options: list[Record] = []
    for each in command.get_params(context):
        record = each.get_help_record(context)
        if record is not None and each.name != "help":
            (arguments if each.param_type_name == "argument" else options).append((record[0], _in_a_cell(record[1])))
    return arguments, options


def _section(title: str, command: Any, context: Any, name: str, tables: list[str]) -> str:
    usage = " ".join([title, *command.collect_usage_pieces(context)])
    paragraphs = [" ".join(paragraph.split()) for paragraph in command.help.split("\n\n")]
    lines = EXAMPLES.get(name, ())
    width = max((len(line) for line, _about in lines), default=0)
    examples = "".join(f"{line:{width}}  # {about}\n" for line, about in lines)
    parts = [f"## {title}\n", *(f"{_escaped(text)}\n" for text in paragraphs), f"```\n{usage}\n```\n", *tables]
    return "\n".join(filter(None, [*parts, f"```\n{examples}```\n" if lines else ""]))


def _table(head: str, rows: list[Record], others: tuple[str, ...] = ("what it does",)) -> str:
    if not rows:
        return ""
    heads = " | ".join((head, *others))
    lines = [f"| {heads} |", "|---" * (1 + len(others)) + "|"]
    lines += [f"| `{_in_a_cell(name)}` | {_escaped(text)} |" for name, text in rows]
    return "\n".join(lines) + "\n"


def _long_name(option: Record) -> str:
    return next(word for word in option[0].replace(",", " ").split() if word.startswith("--"))


def _in_a_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _escaped(text: str) -> str:
    """Help as Markdown: what looks like a tag or a link is none."""
    return text.replace("<", "&lt;").replace("*", "\\*").replace("[", "\\[")


if __name__ == "__main__":
    write_atomically(str(PAGE), page().encode())
