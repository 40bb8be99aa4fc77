"""The end of a lesson, below its last page: what was answered, and where to go next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from bpe_tui.core.display import displayable
from bpe_tui.core.errors import LessonError
from bpe_tui.core.i18n import _, number, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.widget import Widget

    from bpe_tui.lessons.library import LessonEntry
    from bpe_tui.lessons.outcomes import QuestionTally


class NextLesson(Static):
    """Names the lesson that enter opens; a click does, too."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    NextLesson { color: $accent; text-style: bold; &:hover { text-style: bold underline; } }
    """

    async def on_click(self) -> None:
        """Open it."""
        await self.run_action("screen.next_lesson")


def ending(tally: QuestionTally, following: LessonEntry | None) -> Iterable[Widget]:
    """What the narration shows once the last page is read and its question answered."""
    yield Static(Content(_("End of the lesson")), classes="subheading")
    for kind, line in tally_lines(tally):
        yield Static(Content(line), classes=kind)
    yield Static("", classes="items-end")
    yield NextLesson(Content(_next_sentence(following)))


def tally_lines(tally: QuestionTally) -> Iterable[tuple[str, str]]:
    """How the questions were answered: a class of style and a sentence for each way that occurs."""
    if tally.first_try:
        count = len(tally.first_try)
        yield "tally-right", "✓ " + plural("{count} right at the first try", "{count} right at the first try", count)
    if tally.second_try:
        count = len(tally.second_try)
        yield "tally-right", "✓ " + plural("{count} right at the second try", "{count} right at the second try", count)
    if tally.wrong:
        yield "tally-wrong", "✗ " + _on_pages(plural("{count} wrong", "{count} wrong", len(tally.wrong)), tally.wrong)
    if tally.unanswered:
        yield (
            "tally-open",
            "· "
            + _on_pages(
                plural("{count} not answered", "{count} not answered", len(tally.unanswered)), tally.unanswered
            ),
        )


def _on_pages(what: str, pages: Sequence[int]) -> str:
    """`1 wrong: page 9`."""
    numbers = ", ".join(map(number, pages))
    return plural("{what}: page {pages}", "{what}: pages {pages}", len(pages), what=what, pages=numbers)


def _next_sentence(following: LessonEntry | None) -> str:
    if following is None:
        return _("→ Press enter for the list of lessons.")
    try:
        front = following.file.document().front
    except LessonError:  # its screen will say why
        return _("→ Press enter for lesson {number}.").format(number=number(following.number))
    title = displayable(front.title)
    if front.minutes is None:
        message = _("→ Press enter for lesson {number}: {title}.")
        return message.format(number=number(following.number), title=title)
    message = _("→ Press enter for lesson {number}: {title} ({minutes} min).")
    return message.format(number=number(following.number), title=title, minutes=number(front.minutes))
