"""The end of a lesson, below its last page: what was answered, and where to go next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.content import Content
from textual.widgets import Static

from bpe_tui.core.display import displayable
from bpe_tui.core.errors import LessonError
from bpe_tui.core.i18n import _, number
from bpe_tui.lessons.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

    from bpe_tui.lessons.library import LessonEntry
    from bpe_tui.lessons.outcomes import QuestionTally

STYLES: Final = {
    Outcome.FIRST_TRY: ("tally-right", "✓"),
    Outcome.SECOND_TRY: ("tally-right", "✓"),
    Outcome.WRONG: ("tally-wrong", "✗"),
    None: ("tally-open", "·"),
}
"""For what came of a question, a class of style and a sign."""


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
    for outcome, sentence in tally.sentences():
        kind, sign = STYLES[outcome]
        yield kind, f"{sign} {sentence}"


def _next_sentence(following: LessonEntry | None) -> str:
    if following is None:
        return _("→ Press enter for the list of lessons.")
    try:
        front = following.file.front()
    except LessonError:  # its screen will say why
        return _("→ Press enter for lesson {number}.").format(number=number(following.number))
    title = displayable(front.title)
    if front.minutes is None:
        message = _("→ Press enter for lesson {number}: {title}.")
        return message.format(number=number(following.number), title=title)
    message = _("→ Press enter for lesson {number}: {title} ({minutes} min).")
    return message.format(number=number(following.number), title=title, minutes=number(front.minutes))
