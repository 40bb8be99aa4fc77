"""A lesson in plain mode: page after page, its questions asked and judged as in the app."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING, Final

from bpe_tui.core.display import displayable
from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.core.readable import TokenStyle
from bpe_tui.lessons.library import LessonEntry, entry_of, following
from bpe_tui.lessons.printing import print_page
from bpe_tui.lessons.prose import NO_BREAK, CodeBlock, ListBlock, Prose, Spans, Style, readable
from bpe_tui.lessons.questions import Question
from bpe_tui.lessons.results import Output, Sentence, TextTable
from bpe_tui.lessons.subjects import NextSubject, WinnerSubject
from bpe_tui.plain.conversation import full_stop
from bpe_tui.plain.views import VIEWS, View, status_sentence
from bpe_tui.ui.cyrillic import LATIN
from bpe_tui.ui.session.lesson_progress import ProgressSaver
from bpe_tui.ui.session.token_display import TokenDisplay
from bpe_tui.ui.session.training import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpe_tui.lessons.questions import AnswerVerdict
    from bpe_tui.lessons.training_setup import EmbeddedCorpus
    from bpe_tui.lessons.walk import Walk
    from bpe_tui.plain.conversation import Conversation

INDENT: Final = "  "
"""Before tables, code and corpora."""
MOST_LINES: Final = 40
"""Rows of a table, and lines of a corpus, that a page shows."""
TYPED: Final = (
    ("enter", mark("the next page")),
    ("b", mark("the page before; back, where a choice is called b")),
    ("r", mark("this page again")),
    ("g N", mark("page N")),
    ("resume", mark("the page that you had reached")),
    ("h", mark("a hint for the question")),
    ("answer TEXT", mark("an answer that looks like one of these words")),
    ("notes", mark("the presenter's notes on this page")),
    *((view.usage, view.help) for view in VIEWS),
    ("q", mark("leave; your progress is saved")),
)
"""What can be typed beside an answer."""


class PageLines:
    """Writes a page for the ear: no marks of emphasis, no underlines, tables as lists where they don't fit."""

    def __init__(self, conversation: Conversation) -> None:
        self._talk = conversation
        self._before: type | None = None
        """Of what kind the last block was; None at the top of a page."""

    def begin(self) -> None:
        """At the top of a page, or of an answer."""
        self._before = None

    def _separate(self, kind: type) -> None:
        """An empty line between two blocks, but not between two sentences."""
        if self._before is not None and not (kind is self._before is Sentence):
            self._talk.pause()
        self._before = kind

    def prose(self, block: Prose) -> None:
        """See `PageWriter`."""
        self._separate(type(block))
        talk = self._talk
        if isinstance(block, CodeBlock):
            for line in block.text.expandtabs().split("\n"):
                talk.show_verbatim(line, INDENT)
            return
        if isinstance(block, ListBlock):
            for place, spans in enumerate(block.items, 1):
                first = f"{place}. " if block.numbered else "- "
                talk.write_lines(talk.wrapped(running_text(spans), first, " " * len(first)))
            return
        talk.write_lines(talk.wrapped(running_text(block.spans)))

    def output(self, output: Output) -> None:
        """See `PageWriter`."""
        self._separate(type(output))
        if not isinstance(output, TextTable):
            self._talk.say(output.text)
            return
        rows = output.rows[:MOST_LINES]
        left_out = output.left_out + len(output.rows) - len(rows)
        self._talk.show_table(TextTable(output.heads, rows, left_out), INDENT)

    def corpus(self, corpus: EmbeddedCorpus) -> None:
        """See `PageWriter`."""
        self._separate(type(corpus))
        talk = self._talk
        talk.say(_("Corpus {name}:").format(name=corpus.name))
        lines = corpus.text.expandtabs().splitlines()
        for line in lines[:MOST_LINES]:
            talk.show_verbatim(line, INDENT)
        if len(lines) > MOST_LINES:
            left_out = len(lines) - MOST_LINES
            talk.say(plural("… and {count} more", "… and {count} more", left_out), INDENT)

    def question(self, number: int, question: Question) -> None:
        """See `PageWriter`; the hint waits until it is asked for."""
        for block in question.prose:
            self.prose(block)
        for letter, choice in zip(ascii_lowercase, question.choices, strict=False):
            self._talk.write_lines(self._talk.wrapped(running_text(choice.spans), f"{letter}) ", "   "))

    def note(self, blocks: tuple[Prose, ...]) -> None:
        """See `PageWriter`."""
        for block in blocks:
            self.prose(block)


def running_text(spans: Spans) -> str:
    """Running text with code in backquotes, because it may hold blanks; other styles are left out."""
    parts = []
    for span in spans:
        if span.style is Style.CODE:
            parts.append("`" + displayable(span.text).replace(" ", NO_BREAK) + "`")
        elif span.style is Style.LINK:
            parts.append(f"{readable(span.text)} ({displayable(span.target)})")
        else:
            parts.append(readable(span.text))
    return "".join(parts)


class LessonReading:
    """One reader's way through a lesson, by typed lines."""

    def __init__(self, walk: Walk, conversation: Conversation) -> None:
        self._walk = walk
        self._talk = conversation
        self._writer = PageLines(conversation)
        self._progress = ProgressSaver(walk)
        self._following = _following(walk)
        self._status = ""
        """The status that was said last."""
        self._has_told_keys = False
        self._is_at_end = False

    def run(self) -> LessonEntry | None:
        """Go through the lesson until the reader leaves; the lesson to open then, if any. Raises `EOFError`."""
        walk, talk = self._walk, self._talk
        pages = len(walk.lesson.pages)
        talk.say(readable(walk.lesson.title))
        if walk.lesson.summary:
            talk.say(readable(walk.lesson.summary))
        if walk.lesson.minutes is None:
            talk.say(plural("{count} page.", "{count} pages.", pages))
        else:
            message = plural(
                "{count} page, {minutes} minutes.",
                "{count} pages, {minutes} minutes.",
                pages,
                minutes=number(walk.lesson.minutes),
            )
            talk.say(message)
        talk.say(_("Enter goes on, b goes back, q quits, ? lists what can be typed."))
        if self._progress.can_resume:
            message = _("Type resume to continue at page {page} of {pages}.")
            talk.say(message.format(page=number(self._progress.furthest + 1), pages=number(pages)))
        self._show_page()
        while True:
            line = self._by_place(talk.ask(self._prompt()))
            if line.lower() in ("q", "quit"):
                return None
            if not line and not walk.can_next:
                if self._is_at_end or not walk.is_asking:
                    return self._following
                self._show_end()  # the question is left open
                continue
            self._obey(line)

    def _by_place(self, line: str) -> str:
        """The Latin letter for a Cyrillic one at its place, as the app takes it, unless it may be a free answer."""
        question = self._walk.page.question
        is_free = self._walk.is_asking and question is not None and not question.choices
        return line if is_free else LATIN.get(line, line)

    def _prompt(self) -> str:
        """What is expected: an answer of some kind, or a key."""
        walk, question = self._walk, self._walk.page.question
        if question is None or not walk.is_asking:
            return ">"
        if len(question.choices) == 2:
            return _("Your answer, a or b:")
        if question.choices:
            return _("Your answer, a to {letter}:").format(letter=ascii_lowercase[len(question.choices) - 1])
        if isinstance(question.subject, NextSubject | WinnerSubject):
            return _("Your answer, a pair such as a + b:")
        return _("Your answer:")

    def _obey(self, line: str) -> None:
        """Do what is typed, or take it for an answer."""
        name, _blank, argument = line.partition(" ")
        word, argument = name.lower(), argument.strip()
        view = next((view for view in VIEWS if view.name == word), None)
        try:
            if word == "answer" and argument and self._walk.is_asking:
                self._answer(argument)
            elif view is not None:
                self._look(view, argument)
            elif word in ("g", "go") and argument.isdecimal():
                self._turn_to(int(argument[:9]) - 1)
            elif not argument and word in self._keys and not self._is_choice(word):
                self._keys[word]()
            elif self._walk.is_asking:
                self._answer(line)
            else:
                self._talk.say(_("Nothing is asked here. Enter goes on, ? lists what can be typed."))
        except BpeError as error:
            self._talk.say(_("Not done: {reason}").format(reason=full_stop(str(error))))

    def _is_choice(self, word: str) -> bool:
        """Is this the letter of a choice that is offered now?"""
        question = self._walk.page.question
        if question is None or not self._walk.is_asking or len(word) != 1:
            return False
        return word in ascii_lowercase[: len(question.choices)]

    @property
    def _keys(self) -> dict[str, Callable[[], None]]:
        position = self._walk.position
        return {
            "": lambda: self._turn_to(position + 1),
            "n": lambda: self._turn_to(position + 1),
            "b": lambda: self._turn_to(position - 1),
            "back": lambda: self._turn_to(position - 1),
            "r": self._show_page,
            "resume": self._resume,
            "h": self._hint,
            "hint": self._hint,
            "notes": self._notes,
            "?": self._help,
            "help": self._help,
        }

    # -- pages ----------------------------------------------------------------------------------------------------

    def _turn_to(self, page: int) -> None:
        """Show a page by its place, from 0."""
        if not 0 <= page < len(self._walk.lesson.pages):
            message = _("This is the first page.") if page < 0 else _("This is the last page.")
            self._talk.say(message)
            return
        self._walk.goto(page)
        self._save()
        self._show_page()

    def _resume(self) -> None:
        """To the page that was reached earlier, with the answers given."""
        if not self._progress.can_resume:
            self._talk.say(_("There is no page to resume at; you are as far as you were."))
            return
        self._progress.resume()
        self._turn_to(self._walk.position)

    def _show_page(self) -> None:
        """The page from top to bottom; then where the training is, if that is news."""
        walk, talk, page = self._walk, self._talk, self._walk.page
        self._is_at_end = False
        talk.pause()
        place = {"page": number(walk.position + 1), "pages": number(len(walk.lesson.pages))}
        if page.heading and not page.continues:
            message = _("Page {page} of {pages}: {heading}")
            talk.write_lines(talk.wrapped(message.format(heading=running_text(page.heading), **place)))
        else:
            talk.say(_("Page {page} of {pages}").format(**place))
        status = status_sentence(walk.trainer, frozenset(map(str, walk.withheld)))
        if status != self._status:
            self._status = status
            talk.say(status)
        talk.pause()
        self._writer.begin()
        print_page(self._writer, walk.visit, 0, notes=False)
        for failure in walk.visit.failures:
            message = _("✗ Line {line} of the lesson does not hold: {sentence}.")
            talk.say(message.format(line=failure.line, sentence=failure.sentence.rstrip(".")))
        if walk.is_asking and not self._has_told_keys:
            self._has_told_keys = True
            talk.say(_("Type an answer. Enter goes on without one, h gives a hint if there is one."))
        if walk.verdict is not None:
            self._show_verdict(walk.verdict)
        if not walk.can_next and not walk.is_asking:
            self._show_end()

    def _show_end(self) -> None:
        """What was answered, and what comes after the lesson."""
        walk, talk = self._walk, self._talk
        self._is_at_end = True
        talk.pause()
        talk.say(_("End of the lesson"))
        for _outcome, sentence in self._progress.progress.with_walk(walk).tally(walk.lesson).sentences():
            talk.say(full_stop(sentence))
        if self._following is None:
            talk.say(_("Enter ends the program."))
            return
        title = self._following.file.front().title
        message = _("Enter opens lesson {number}: {title}. Type q to leave.")
        talk.say(message.format(number=number(self._following.number), title=title))

    def _save(self) -> None:
        """Remember how far the reader is."""
        self._talk.say(self._progress.save())

    # -- questions ------------------------------------------------------------------------------------------------

    def _answer(self, answer: str) -> None:
        """Judge an answer; a choice is named by its letter or its text."""
        walk, talk, question = self._walk, self._talk, self._walk.page.question
        assert question is not None
        if question.choices:
            texts = [choice.text for choice in question.choices]
            offered = dict(zip(ascii_lowercase, texts, strict=False)) | {text.strip(): text for text in texts}
            if answer.lower() not in offered and answer not in offered:
                message = _("Type the letter of a choice, a to {letter}.")
                talk.say(message.format(letter=ascii_lowercase[len(texts) - 1]))
                return
            answer = offered.get(answer) or offered[answer.lower()]
            if answer in walk.answers.get(walk.position, ()):
                talk.say(_("You have tried that one; choose another."))
                return
        verdict = walk.answer(answer)
        self._save()
        if verdict is not None:
            self._show_verdict(verdict)
        if not walk.can_next and not walk.is_asking:
            self._show_end()

    def _show_verdict(self, verdict: AnswerVerdict) -> None:
        """Right or wrong, and why; what proves it, and what the author adds."""
        self._writer.begin()
        self._talk.say(verdict.sentence)
        for block in verdict.reason:
            self._writer.prose(block)
        self._talk.say(verdict.evidence)
        for block in verdict.explanation:
            self._writer.prose(block)

    def _hint(self) -> None:
        question = self._walk.page.question
        if question is None or not question.hint or not self._walk.is_asking:
            self._talk.say(_("There is no hint here."))
            return
        self._writer.begin()
        for block in question.hint:
            self._writer.prose(block)

    # -- looking --------------------------------------------------------------------------------------------------

    def _look(self, view: View, argument: str) -> None:
        """List what a view shows, unless that would give away what the lesson asks for. Raises `BpeError`."""
        walk = self._walk
        if walk.withheld & view.clues:
            if walk.is_asking:
                self._talk.say(_("That would give the answer away. Answer the question first."))
            else:
                self._talk.say(_("The lesson will ask about this moment: read on."))
            return
        session = Session.of(walk.corpus, walk.trainer)
        session.display, session.unknown = TokenDisplay(TokenStyle.TABLE), walk.visit.unknown  # as lessons write tokens
        for line in view.lines(session, argument):
            self._talk.say(line, "", "  ")

    def _notes(self) -> None:
        notes = self._walk.page.notes
        if not notes:
            self._talk.say(_("This page has no notes."))
        self._writer.begin()
        self._writer.note(notes)

    def _help(self) -> None:
        for usage, what in TYPED:
            self._talk.say(_("{usage}: {help}").format(usage=usage, help=_(what)), "- ", "  ")


def _following(walk: Walk) -> LessonEntry | None:
    entry = entry_of(walk.lesson.path)
    return None if entry is None else following(entry)
