"""From Markdown to lessons: every part of the format, and every way to get it wrong."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.core.errors import BpeError, LessonError
from bpe_tui.lessons.checking import check
from bpe_tui.lessons.commands import ChooseCommand, StepCommand, UndoCommand
from bpe_tui.lessons.lesson import CommandBlock, Note
from bpe_tui.lessons.prose import (
    CodeBlock,
    ListBlock,
    Paragraph,
    Quote,
    Span,
    Style,
    Subheading,
    parse_spans,
    plain_text,
)
from bpe_tui.lessons.reading import parse_lesson, read_lesson
from bpe_tui.lessons.subjects import SUBJECTS, CountSubject
from bpe_tui.lessons.training_setup import EmbeddedCorpus
from bpe_tui.lessons.walk import Walk
from tests.lessons.making import FRONT, FRONT_LINES, commands, lesson

PROSE = """\
First words,
on two lines.

## A *page*

- one
- two
  goes on

1. first
2. second

> Said by
> somebody.

### Beneath

```
as it
  is
```

<!-- for
translators -->

---

```note
For me.

And more.
```
Last.
"""


def test_prose_and_pages() -> None:
    pages = lesson(PROSE).pages
    assert [page.number for page in pages] == [1, 2, 3]
    assert [plain_text(page.heading) for page in pages] == ["", "A page", "A page"]
    assert [page.continues for page in pages] == [False, False, True]
    assert pages[0].items == (Paragraph((Span("First words,\non two lines."),)),)
    assert pages[1].items == (
        ListBlock(((Span("one"),), (Span("two\ngoes on"),)), numbered=False),
        ListBlock(((Span("first"),), (Span("second"),)), numbered=True),
        Quote((Span("Said by\nsomebody."),)),
        Subheading((Span("Beneath"),)),
        CodeBlock("as it\n  is"),
    )
    assert pages[2].items == (
        Note((Paragraph((Span("For me."),)), Paragraph((Span("And more."),)))),
        Paragraph((Span("Last."),)),
    )
    assert pages[2].notes == (Paragraph((Span("For me."),)), Paragraph((Span("And more."),)))


def test_running_text() -> None:
    assert parse_spans(r"a `b*c*` *d e* **f** [g](h.md) 2 * 3 * 4 \*i\* ``x`y``.") == (
        Span("a "),
        Span("b*c*", Style.CODE),
        Span(" "),
        Span("d e", Style.EMPHASIS),
        Span(" "),
        Span("f", Style.STRONG),
        Span(" "),
        Span("g", Style.LINK, "h.md"),
        Span(" 2 * 3 * 4 *i* "),
        Span("x`y", Style.CODE),
        Span("."),
    )


def test_spans_know_their_lines() -> None:
    (paragraph,) = lesson("One `two\nlines` of <!-- a\nremark --> *it*,\nthen `more`.").pages[0].items
    assert isinstance(paragraph, Paragraph)
    assert [(span.text, span.line - FRONT_LINES) for span in paragraph.spans] == [
        ("One ", 1),
        ("two lines", 1),
        (" of  ", 2),
        ("it", 3),
        (",\nthen ", 3),
        ("more", 4),
        (".", 4),
    ]


def test_front_matter() -> None:
    read = lesson("Hi.", '---\ntitle: "A: b"\nlanguage: fr\nsummary: Short.\ncorpus: hug\nties: lowest-id\n---\n')
    assert (read.title, read.language, read.summary) == ("A: b", "fr", "Short.")
    assert (read.setup.corpus, read.setup.settings) == ("hug", (("ties", "lowest-id"),))


def test_commands_know_their_lines() -> None:
    read = lesson(
        "Hi.\n\n" + commands("step 3", "", "# a remark", '  choose u "g"', "back to x").replace("back to x", "undo")
    )
    (run,) = (item for item in read.pages[0].items if isinstance(item, CommandBlock))
    line = FRONT_LINES + 4
    assert run.commands == (
        StepCommand(line, "step 3", 3),
        ChooseCommand(line + 3, 'choose u "g"', "u", "g"),
        UndoCommand(line + 4, "undo", 1),
    )
    assert [command.line for command in run.commands] == [line, line + 3, line + 4]


ASK = """\
```ask
How many?

- `three`
- four
  and more
answer: count u + n
hint: Look
  closely.

  Closer.
explain: So.
```
"""


def test_a_question() -> None:
    question = lesson(ASK).pages[0].question
    assert question is not None
    assert question.line == FRONT_LINES + 1
    assert question.prose == (Paragraph((Span("How many?"),)),)
    assert [choice.text for choice in question.choices] == ["three", "four and more"]
    assert question.subject == CountSubject("u", "n")
    assert question.hint == (Paragraph((Span("Look\nclosely."),)), Paragraph((Span("Closer."),)))
    assert question.explanation == (Paragraph((Span("So."),)),)


def test_a_corpus_in_the_lesson() -> None:
    read = lesson(
        "```words runs\naaaa 2\naab 3\n```\n\n```corpus lines\na b\n\n```\n" + commands("open runs", "open lines")
    )
    assert read.pages[0].items[:2] == (
        EmbeddedCorpus("runs", "aaaa 2\naab 3\n", True, 0),
        EmbeddedCorpus("lines", "a b\n\n", False, 0),
    )
    assert Walk(read).trainer.words.words == ["a", " b"]


def test_a_corpus_beside_the_lesson(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("ab ab\n", encoding="utf-8")
    file = tmp_path / "mine.md"
    file.write_text(FRONT.replace("hug", "mine.txt") + "Hi.", encoding="utf-8")
    walk = Walk(read_lesson(file))
    assert walk.trainer.words.words == ["ab", " ab"]
    assert walk.corpus.name == "mine.txt"


def test_a_file_of_a_bundled_name_does_not_get_in_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hug").write_text("something else\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert Walk(lesson("Hi.")).trainer.words.words[0] == "hug"


WRONG_LINES = [
    ("jump 3", "there is no command 'jump'"),
    ("stop 3", "did you mean 'step'?"),
    ("show pear", "did you mean 'pairs'?"),
    ("panes", "the name of a pane is missing"),
    ("panes curves", "there is no pane 'curves'; panes are corpus, pairs"),
    ("outside", "a figure is missing"),
    ('outside "GPT-2"', "a figure is missing"),
    ("outside 5x", "'5x' is no figure"),
    ("expect word: 5", "did you mean 'words'?"),
    ("expect wrods: 5", "did you mean 'words'?"),
    ("expect decoded a b: c", "a colon is missing"),
    ("step x", "the number of merges is a whole number of 1 or more"),
    ("step 0", "the number of merges is a whole number of 1 or more"),
    ("step 1 2", "'2' is one word too many"),
    ("goto", "the number of a merge is missing"),
    ("choose u", "the right half of a pair is missing"),
    ("choose + g", "if it is a text itself, write"),
    ("ties alphabetical", "is no tie rule"),
    ("back home", "back to NAME"),
    ("back to nowhere", "there is no checkpoint 'nowhere' before this line"),
    ("open nothing-like-it", "there is no corpus 'nothing-like-it'"),
    ("open hug lowest-id", "as name=value"),
    ("open hug speed=3", "there is no option 'speed'"),
    ("open hug merges=many", "merges is a whole number"),
    ("open hug ties=x", "--ties 'x' is not one of"),
    ("open hug ties=lowest-id ties=first-seen", "ties is given twice"),
    ('open hug pattern="("', "is not a regular expression"),
    ("encode", "the text to encode is missing"),
    ("encode a unknown=maybe", "unknown= and one of token, fuse"),
    ("show everything", "cannot be shown"),
    ("show pre-tokens a by wordpiece", "there is no pre-tokenizer 'wordpiece'"),
    ("expect mood: good", "nothing can be said of 'mood'"),
    ("expect vocabulary 8", "a colon is missing after 'vocabulary'"),
    ("expect vocabulary: 1,000", "written in digits only"),
    ("expect next: u + g, 20", "what the figure counts is missing"),
    ("expect next: u + g, 20 times, 20 times", "each once"),
    ("expect tie: 2", "write a tie as"),
    ("expect tie: 2 pairs: a + b", "lists all of them"),
    ("expect winner coin: u + g", "is no tie rule"),
    ("expect tokens a: b, c", 'write ","'),
    ("expect merge 0: u + g", "a whole number of 1 or more"),
    ("expect stop: merge", "training does not end for 'merge'; reasons are vocab-size, merges, no-pairs"),
]


@pytest.mark.parametrize(("line", "told"), WRONG_LINES, ids=[line for line, _ in WRONG_LINES])
def test_wrong_commands_name_file_and_line(line: str, told: str) -> None:
    with pytest.raises(LessonError) as caught:
        lesson("Hi.\n\n" + commands("step", line))
    assert str(caught.value).startswith(f"try.md:{FRONT_LINES + 5}: ")
    assert told in str(caught.value)


WRONG_FILES = [
    ("no front", "Hi.", 1, "a lesson begins with a line `---`"),
    ("open front", "---\ntitle: x\n", 1, "does not end"),
    ("no colon", "---\ntitle\n---\nHi.", 2, "each line is `key: value`"),
    ("strange key", "---\ncolour: red\n---\nHi.", 2, "there is no key 'colour'"),
    ("twice", "---\ntitle: x\ntitle: y\n---\nHi.", 3, "title is given twice"),
    ("no title", "---\nlanguage: en\ncorpus: hug\n---\nHi.", 1, "has no title"),
    ("empty title", "---\nlanguage: en\ntitle:\ncorpus: hug\n---\nHi.", 3, "has no title"),
    ("language", "---\ntitle: x\nlanguage: English\ncorpus: hug\n---\nHi.", 3, "is a code such as en"),
    ("no corpus", "---\ntitle: x\nlanguage: en\ncorpus: hogwash\n---\nHi.", 4, "there is no corpus 'hogwash'"),
    ("option", "---\ntitle: x\nlanguage: en\ncorpus: hug\nmerges: a\n---\nHi.", 5, "merges is a whole number"),
    ("value", "---\ntitle: x\nlanguage: en\ncorpus: hug\nties: a\n---\nHi.", 4, "--ties 'a' is not one of"),
    ("nothing", FRONT, 7, "there is nothing on this page"),
    ("open block", FRONT + "```bpe\nstep\n", 8, "does not end"),
    ("open comment", FRONT + "<!-- x\n", 8, "close it with -->"),
    ("title again", FRONT + "# Title\n", 8, "the title is in the front matter"),
    ("empty page", FRONT + "Hi.\n\n---\n\n## Next\n\nHo.\n", 10, "there is nothing on this page"),
    ("table", FRONT + "| a | b |\n| --- | :-: |\n| 1 | 2 |\n", 8, "prose has no tables"),
    ("block's name", FRONT + "```notes\nHush.\n```\n", 8, "there is no block 'notes'; if you mean note"),
    ("block's case", FRONT + "```BPE\nstep\n```\n", 8, "if you mean bpe, write ```bpe"),
    ("picture", FRONT + "A cat:\n![cat](cat.png)\n", 9, "prose has no pictures"),
    ("html", FRONT + "This is `<b>`.\n\n<b>bold</b>\n", 10, "prose has no HTML"),
    ("html in a line", FRONT + "This is\n<b>bold</b>.\n", 9, "prose has no HTML"),
    ("list in a list", FRONT + "- a\n  - b\n", 9, "running text only"),
    ("rule in a note", FRONT + "```note\nHush.\n\n---\n```\n", 11, "a rule begins a page"),
    ("open note", FRONT + "```note\nHush.\n\n```bpe\nstep\n```\n", 8, "not closed before line 11"),
    ("open code", FRONT + "~~~ text\n\n~~~ask\nWhy?\n~~~\n", 8, "not closed before line 10"),
    ("heading", FRONT + "Hi.\n\n## Of {words}\n\nHo.\n", 10, "a heading holds no computed values"),
    ("value", FRONT + "Hi,\nof {wrods}.\n", 9, "did you mean 'words'?"),
    ("open brace", FRONT + "Hi,\nof {words.\n", 9, "a brace begins a computed value and is not closed"),
    ("empty braces", FRONT + "Hi {}.\n", 8, "a brace begins a computed value"),
    ("field", FRONT + "```ask\nWhy?\nacept: a\n```\n", 10, "there is no field 'acept'; did you mean 'accept'?"),
    ("tie in prose", FRONT + "- a {tie}\n", 8, "tie has no value for running text"),
    ("value in a hint", FRONT + "```ask\nWhy?\naccept: a\nhint: b\n  {count u}\n```\n", 12, "is missing"),
    ("minutes", "---\ntitle: x\nminutes: long\nlanguage: en\ncorpus: hug\n---\nHi.", 3, "minutes is a whole number"),
    ("panes", FRONT.replace("merges: 5", "panes: corpus pears") + "Hi.", 5, "there is no pane 'pears'"),
    ("setext", FRONT + "Hi.\n---\n", 9, "leave a blank line before a rule"),
    ("corpus name", FRONT + "```words\na 1\n```\n", 8, "write ```words NAME"),
    ("bad table", FRONT + "```words w\na\n```\n", 8, "no count behind the word"),
    ("same corpus", FRONT + "```words w\na 1\n```\n\n```words w\na 1\n```\n", 12, "in line 8 already"),
    ("checkpoint", FRONT + commands("checkpoint a", "checkpoint a"), 10, "there is a checkpoint 'a' already"),
    ("no question", FRONT + "```ask\n- [x] a\n- b\n```\n", 8, "asks nothing"),
    ("no answer", FRONT + "```ask\nWhy?\n- a\n- b\n```\n", 8, "nothing says what is right"),
    ("one choice", FRONT + "```ask\nWhy?\n- [x] a\n```\n", 10, "one choice is none"),
    ("all right", FRONT + "```ask\nWhy?\n- [x] a\n- [x] b\n```\n", 8, "all choices are marked as right"),
    ("marked", FRONT + "```ask\nWhy?\n- [x] a\n- b\nanswer: next\n```\n", 10, "the answer is computed"),
    ("accept", FRONT + "```ask\nWhy?\n- [x] a\n- b\naccept: a\n```\n", 8, "accept: is for free answers"),
    ("unasked", FRONT + "```ask\nWhy?\nanswer: tie\n```\n", 10, "no answer to a question"),
    ("field twice", FRONT + "```ask\nWhy?\nhint: a\nhint: b\n```\n", 11, "hint is given twice"),
    ("stray", FRONT + "```ask\nWhy?\naccept: a\nstray\n```\n", 11, "after the question come choices"),
    ("after ask", FRONT + "```ask\nWhy?\naccept: a\n```\n\n```bpe\nstep\n```\n", 13, "a question ends its page"),
]


@pytest.mark.parametrize(
    ("text", "line", "told"), [row[1:] for row in WRONG_FILES], ids=[row[0] for row in WRONG_FILES]
)
def test_wrong_files_name_file_and_line(text: str, line: int, told: str) -> None:
    with pytest.raises(LessonError) as caught:
        parse_lesson(text, "try.md")
    assert str(caught.value).startswith(f"try.md:{line}: ")
    assert told in str(caught.value)


def test_files_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_bytes(b"---\ntitle: \xff\n")
    with pytest.raises(LessonError, match=r"a\.md:2: not UTF-8"):
        read_lesson(file)
    with pytest.raises(LessonError, match=r"cannot be read"):
        read_lesson(tmp_path / "none.md")


LINES = st.sampled_from(
    [
        "",
        "---",
        "## Page",
        "### Sub",
        "text *with* `code` [a](b)",
        "- item",
        "- [x] item",
        "  more",
        "> quote",
        "```bpe",
        "```ask",
        "```note",
        "```words w",
        "```corpus c",
        "```",
        "~~~",
        "<!--",
        "-->",
        "title: x",
        "answer: next",
        "answer: tokens thug",
        "accept: a | b",
        "hint: h",
        "  wrong: w",
        "withhold: counts",
        "visible: v",
        "of {words} or {tokens thug}, 12 + 4 = 16",
        "{merge 9}, 1,000 and nineteen",
        "![p](q.png) <b>",
        "step",
        "step 99",
        "undo",
        "goto 3",
        "choose u g",
        "select u n",
        "select u",
        "panes corpus pairs",
        "outside 1,000",
        "expect corpus: ?",
        "count",
        "pick",
        "ties lowest-id",
        "checkpoint a",
        "back to a",
        "open w",
        "open banana ties=lowest-id",
        "encode thug unknown=error",
        "encode thug unknown=error more",
        "trace hugs",
        "why hugs",
        "show pairs 3",
        "show policies x",
        "show curve 1 2",
        "expect next: u + g",
        "expect tie: none",
        *(f"expect {name} a: b" for name in SUBJECTS),
        "w 3",
        "\x00\x1b[2J",
        '"',
    ]
)


@given(st.lists(LINES | st.text(max_size=20), max_size=25), st.booleans())
def test_any_text_is_a_lesson_that_can_be_walked_or_an_error(lines: list[str], fronted: bool) -> None:
    text = (FRONT if fronted else "") + "\n".join(lines)
    message = ""
    try:
        walk = Walk(parse_lesson(text, "try.md"))
    except BpeError as error:
        message = str(error)
    else:
        while walk.can_next:
            walk.next()
        assert walk.position == len(walk.lesson.pages) - 1
        assert all(found.startswith("try.md:") for found in check(walk.lesson, strict=True).messages)
    assert not message or message.startswith("try.md:")
