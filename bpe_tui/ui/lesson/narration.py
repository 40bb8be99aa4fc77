"""The narration: a page of a lesson, to be read, answered and turned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from bpe_tui.core.display import displayable
from bpe_tui.core.i18n import _, mark, number
from bpe_tui.lessons.lesson import CommandBlock, Note
from bpe_tui.lessons.prose import CodeBlock
from bpe_tui.lessons.questions import Question
from bpe_tui.lessons.subjects import NextSubject, WinnerSubject
from bpe_tui.lessons.training_setup import EmbeddedCorpus
from bpe_tui.ui.actions import at_start
from bpe_tui.ui.lesson.actions import HINT
from bpe_tui.ui.lesson.choice_line import ChoiceLine
from bpe_tui.ui.lesson.prose import Running, block, running
from bpe_tui.ui.lesson.shown_blocks import PaneLink, result_widgets
from bpe_tui.ui.widgets.safe_input import SafeInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from textual import events
    from textual.app import ComposeResult
    from textual.widget import Widget

    from bpe_tui.lessons.prose import Prose
    from bpe_tui.lessons.walk import Walk

ANSWER: Final = mark("Your answer ▸")
TYPE_PAIR: Final = mark("a pair, such as a + b")
TYPE_ANSWER: Final = mark("type your answer, then press enter")
CORPUS_LINES: Final = 8
"""Lines of a corpus in the lesson file that are shown in the narration; the pane has all of it."""


class AnswerInput(SafeInput):
    """Where a free answer is typed; as long as it is empty, the arrows turn the pages."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn('before')", show=False),
        Binding("right", "turn('next')", show=False),
    ]

    async def action_turn(self, where: str) -> None:
        """Turn the page, or move the cursor."""
        if not self.value:
            await self.run_action("screen.next_page" if where == "next" else "screen.page_before")
        elif where == "next":
            self.action_cursor_right()
        else:
            self.action_cursor_left()


class Narration(VerticalScroll, inherit_bindings=False):
    """One page, in a frame like that of the panes."""

    ALLOW_SELECT = True
    DEFAULT_CSS = """
    Narration {
        height: 1fr;
        padding: 0 0 0 1;
        background: $surface;
        border: round $border-blurred;
        border-title-color: $foreground;
        border-title-style: bold;
        border-subtitle-color: $text-muted;
        scrollbar-size-vertical: 1;
        &:focus, &:focus-within { border: round $border; border-title-color: $border; }
        Static { width: 1fr; height: auto; margin: 0 1 0 0; }
        .heading { color: $strong; text-style: bold; margin: 0 1 1 0; }
        .paragraph, .subheading, .verbatim, .quote { margin: 0 1 1 0; }
        .subheading { color: $accent; text-style: bold; }
        .quote { border-left: outer $border-blurred; padding-left: 1; color: $text-muted; }
        .verbatim { background: $panel; padding: 0 1; }
        .item { height: auto; margin: 0 1 0 0; }
        .item > Static { margin: 0; }
        .item > .bullet { width: 4; color: $accent; text-align: right; padding-right: 1; }
        .items-end { height: 1; }
        .output { color: $text-muted; }
        .failure { color: $warn; margin: 0 1 1 0; }
        .note { border-left: thick $accent; padding-left: 1; height: auto; margin: 0 1 1 0; background: $panel; }
        .note > .title { color: $accent; text-style: bold; }
        .asked { color: $strong; }
        .right { color: $new; text-style: bold; margin: 1 1 1 0; }
        .wrong { color: $warn; text-style: bold; margin: 1 1 1 0; }
        .evidence { color: $accent; margin: 0 1 1 0; }
        .remark { color: $text-muted; margin: 0 1 1 0; }
        .tally-right { color: $new; }
        .tally-wrong { color: $warn; }
        .tally-open { color: $text-muted; }
        .typed { height: 1; margin: 0 1 1 0; }
        .typed > Static { width: auto; margin: 0; color: $accent; text-style: bold; padding-right: 1; }
        .typed > SafeInput { width: 1fr; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Line or choice up", show=False),
        Binding("down", "move(1)", "Line or choice down", show=False),
        Binding("pageup", "page_up", "Page up", show=False),
        Binding("pagedown", "page_down", "Page down", show=False),
        Binding("home", "scroll_home", "To the top", show=False),
        Binding("end", "scroll_end", "To the end", show=False),
    ]

    @dataclass
    class Answered(Message):
        """The learner answers the question."""

        answer: str

    class Typing(Message):
        """The field for the answer is in view, and nobody has turned away from it."""

    class Scrolled(Message):
        """The page continues below what is in view, or no longer does."""

    def __init__(self, walk: Walk, ending: Callable[[], Iterable[Widget]], *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        """`ending` makes what follows the last page once it is read and answered."""
        super().__init__(id=id)
        self._walk = walk
        self._ending = ending
        self.shows_notes = False
        """Are the presenter's notes in view?"""
        self._hint_wanted = False
        self.cursor = 0
        """The choice that is marked, from 0."""
        self._to_end = False
        self._went_on = False
        self._offers_field = False
        """Is the field for the answer still to be offered?"""
        self.border_title = Content.assemble(("⁰", ""), displayable(walk.lesson.title))

    @property
    def shows_hint(self) -> bool:
        """Is the hint in view? It is once it was asked for, or an answer was wrong."""
        return self._hint_wanted or (self._walk.is_asking and self._walk.verdict is not None)

    def show_hint(self) -> None:
        """Bring the hint into view."""
        self._hint_wanted = True
        self.show_again(to_end=True)

    @property
    def is_asking(self) -> bool:
        """Is a question open?"""
        return self._walk.is_asking

    @property
    def field(self) -> SafeInput | None:
        """Where a free answer is typed."""
        return next(iter(self.query(SafeInput)), None)

    # -- the page ---------------------------------------------------------------------------------------------

    def show_page(self) -> None:
        """Show the page that the walk is at, from its top."""
        self.cursor, self._hint_wanted = 0, False
        self.scroll_home(animate=False)
        self.show_again()

    def show_again(self, *, to_end: bool = False) -> None:
        """Show the same page as it is now, its end in view if asked for."""
        self._to_end = to_end
        self._offers_field = True
        self.refresh(recompose=True)

    async def recompose(self) -> None:
        """Make the page anew, then scroll."""
        await super().recompose()
        if self._to_end:
            self.scroll_end(animate=False)
        self.call_after_refresh(self._show_place)

    def watch_virtual_size(self) -> None:
        """The page is longer or shorter."""
        self._show_place()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Less or more is left below."""
        super().watch_scroll_y(old_value, new_value)
        self._show_place()

    def on_resize(self) -> None:
        """More or less fits."""
        self._show_place()

    def _show_place(self) -> None:
        """Which page this is, and whether it continues below what is in view."""
        text = _("page {page} of {pages}").format(
            page=number(self._walk.page.number), pages=number(len(self._walk.lesson.pages))
        )
        self.border_subtitle = Content(f"↓ {text}" if self.goes_on else text)
        if self.has_more != self._went_on:
            self._went_on = self.has_more
            self.post_message(self.Scrolled())
        if self._offers_field and self.field is not None and not self.has_more:
            self._offers_field = False
            self.post_message(self.Typing())

    @property
    def goes_on(self) -> bool:
        """Is there more of the page below what is in view?"""
        return self.scroll_offset.y < self.max_scroll_y

    @property
    def has_more(self) -> bool:
        """Is there more to read before the page can be answered or turned?"""
        if not self.goes_on:
            return False
        marked = next((line for line in self.query(ChoiceLine) if line.is_marked), None)
        answer = self.field or marked
        return answer is None or not self.can_view_entire(answer)

    def compose(self) -> ComposeResult:
        """All that the page holds, from top to bottom."""
        walk = self._walk
        page = walk.page
        if page.heading:
            yield Running(running(page.heading), classes="heading")
        results = iter(walk.results)
        for item in page.items:
            if isinstance(item, CommandBlock):
                yield from result_widgets(
                    [next(results) for _command in item.commands], page.commands, walk.visit.panes
                )
            elif isinstance(item, Note):
                if self.shows_notes:
                    yield Static(Content(_("Presenter's note")), classes="note title")
                    yield from self._prose(item.prose, "note")
            elif isinstance(item, EmbeddedCorpus):
                lines = item.text.splitlines()
                more = ["…"] if len(lines) > CORPUS_LINES else []
                yield from self._prose([CodeBlock("\n".join([*lines[:CORPUS_LINES], *more]))])
            elif isinstance(item, Question):
                yield from self._question(item)
            else:
                yield from self._prose([item])
        for failure in walk.visit.failures:
            message = _("✗ Line {line} of the lesson does not hold: {sentence}.")
            message = message.format(line=failure.line, sentence=failure.sentence.rstrip("."))
            yield Static(Content(displayable(message)), classes="failure")
        if self.is_ending:
            yield from self._ending()

    @property
    def is_ending(self) -> bool:
        """Is this the last page, with nothing left to answer on it?"""
        return not self._walk.can_next and not self._walk.is_asking

    def _prose(self, parts: Iterable[Prose], extra: str = "") -> Iterable[Widget]:
        for part in parts:
            kind, lines = block(part)
            for bullet, text in lines:
                if bullet:
                    yield Horizontal(Static(Content(bullet), classes="bullet"), Running(text), classes=f"item {extra}")
                else:
                    yield Running(text, classes=f"{kind} {extra}")
            if kind == "item":
                yield Static("", classes="items-end")

    def _question(self, question: Question) -> Iterable[Widget]:
        yield from self._prose(question.prose, "asked")
        walk = self._walk
        verdict, key, is_open = walk.verdict, walk.visit.key, walk.is_asking
        tried = {answer.strip() for answer in walk.answers.get(walk.position, ())}
        untried = [place for place, choice in enumerate(question.choices) if choice.text.strip() not in tried]
        if is_open and untried and self.cursor not in untried:
            self.cursor = untried[0]
        for place, choice in enumerate(question.choices):
            is_tried = choice.text.strip() in tried
            sign = "✗" if is_tried else ""
            if key is not None and not is_open and key.is_right(choice.text):
                sign = "✓"
            is_marked = is_open and place == self.cursor
            yield ChoiceLine(place, choice.spans, sign, is_open=is_open and not is_tried, is_marked=is_marked)
        if verdict is not None:
            if not question.choices:
                yield Static(Content.assemble((_(ANSWER) + " ", "bold $accent"), displayable(verdict.answer)))
            sign = "✓" if verdict.is_right else "✗"
            yield Static(
                Content(f"{sign} {displayable(verdict.sentence)}"), classes="right" if verdict.is_right else "wrong"
            )
            yield from self._prose(verdict.reason)
            if verdict.evidence:
                yield Static(Content(f"› {displayable(verdict.evidence)}"), classes="evidence")
            yield from self._prose(verdict.explanation)
        if is_open:
            if not question.choices:
                is_pair = isinstance(question.subject, NextSubject | WinnerSubject)
                placeholder = _(TYPE_PAIR) if is_pair else _(TYPE_ANSWER)
                yield Horizontal(Static(Content(_(ANSWER))), AnswerInput(placeholder), classes="typed")
            if question.hint and self.shows_hint:
                yield Static(Content(_("Hint")), classes="subheading")
                yield from self._prose(question.hint)
            yield Static(Content(self._remark(question)), classes="remark")

    def _remark(self, question: Question) -> str:
        """Which keys matter for the question."""
        if question.choices:
            message = _("A letter, or ↑ ↓ and enter, answers.")
            if question.hint and not self.shows_hint:
                message = _("{keys} {hint} gives a hint.").format(keys=message, hint=at_start(HINT.first_key))
            return message
        if isinstance(question.subject, NextSubject):
            message = _(
                "Type the pair and press enter; or escape, 2, and enter on it. The counts are hidden until then."
            )
        else:
            message = _("Type the answer and press enter. Escape gives the keys back.")
        if question.hint and not self.shows_hint:
            message = _("{keys} Then {hint} gives a hint.").format(keys=message, hint=HINT.first_key)
        return message

    # -- keys and mouse ---------------------------------------------------------------------------------------

    def action_move(self, by: int) -> None:
        """A line up or down; among open choices, a choice."""
        lines = list(self.query(ChoiceLine))
        if not (self.is_asking and lines):
            self.scroll_relative(y=by, animate=False)
            return
        self.cursor = min(max(0, self.cursor + by), len(lines) - 1)
        for place, line in enumerate(lines):
            line.is_marked = place == self.cursor
        self.scroll_to_widget(lines[self.cursor], animate=False)

    def action_page_up(self) -> None:
        """A screenful up, but for a line."""
        self.scroll_relative(y=-max(1, self.size.height - 1), animate=False)

    def action_page_down(self) -> None:
        """A screenful down, but for a line."""
        self.scroll_relative(y=max(1, self.size.height - 1), animate=False)

    def choose(self, place: int) -> None:
        """Answer with a choice, if it is offered."""
        question = self._walk.page.question
        if not self.is_asking or question is None or place >= len(question.choices):
            return
        answer = question.choices[place].text
        if answer not in self._walk.answers.get(self._walk.position, ()):
            self.post_message(self.Answered(answer))

    def on_choice_line_chosen(self, event: ChoiceLine.Chosen) -> None:
        """A choice was clicked."""
        event.stop()
        self.choose(event.place)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A free answer was typed."""
        event.stop()
        if event.value.strip():
            self.post_message(self.Answered(event.value))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Nobody else has to know of what is being typed."""
        event.stop()

    def on_click(self, event: events.Click) -> None:
        """A click anywhere in the narration brings the keys here."""
        if not isinstance(event.widget, Input | PaneLink):
            self.focus(scroll_visible=False)
