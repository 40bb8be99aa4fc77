"""Opening a corpus: the bundled ones with a line on each, and any text or word-count table on the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.getters import query_one
from textual.widgets import Input, Static

from bpe_tui.core.corpus.sources import BundledCorpus, bundled_corpora, find_bundled
from bpe_tui.core.display import displayable
from bpe_tui.core.i18n import _, mark, number
from bpe_tui.formats.unsupported import may_be_tokenizer
from bpe_tui.formats.vocabularies import PackagedVocabulary, installed
from bpe_tui.ui.actions import Action, Group, Scope, bindings
from bpe_tui.ui.dialogs.dialog import CANCEL, Dialog
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.text import cells, plain
from bpe_tui.ui.widgets.columns import left
from bpe_tui.ui.widgets.file_picker import FilePicker
from bpe_tui.ui.widgets.safe_input import SafeInput, line_ends
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from textual import events
    from textual.screen import Screen

    from bpe_tui.formats.continuing import Continuation
    from bpe_tui.lessons.library import LessonEntry  # noqa: F401 (in the base of the class)
    from bpe_tui.ui.dialogs.lessons import LessonRow

    OpenRow = BundledCorpus | PackagedVocabulary | LessonRow

HINT: Final = mark("a text, a folder, or a word-count table (.tsv, .json)")
SHORT_HINT: Final = mark("text, folder, .tsv or .json")
BUNDLED: Final = mark("Bundled corpora")
BUNDLED_AND_INSTALLED: Final = mark("Bundled corpora, installed vocabularies")
FOUND: Final = mark("Corpora and lessons")
"""Titles of the upper list, before and while a name is typed."""
WIDE: Final = 72
"""Cells from which on there is room for the longer hint."""


class BundledRows(RowSource["OpenRow"]):
    """The bundled corpora and the vocabularies that packages hold; once something is typed, what fits, lessons too."""

    def __init__(self, *, has_lessons: bool = False) -> None:
        """`has_lessons`: are lessons found too?"""
        self._all = bundled_corpora()
        self._vocabularies = installed()
        self._shown: list[OpenRow] = [*self._all, *self._vocabularies]
        self.best: OpenRow | None = None
        """The first row whose name begins with what was typed."""
        self._has_lessons = has_lessons
        self._lessons: list[LessonRow] | None = None

    def look(self, typed: str) -> None:
        """List what fits `typed`: corpora and lessons whose name begins so, then those that hold it anywhere."""
        wanted = typed.strip().casefold()
        self.best = None
        if not wanted:
            self._shown = [*self._all, *self._vocabularies]
            return
        if self._lessons is None:
            from bpe_tui.ui.dialogs.lessons import LessonRows  # not at the top: reading lessons takes a moment

            self._lessons = LessonRows(saves=False).rows if self._has_lessons else []
        known: list[tuple[OpenRow, tuple[str, ...]]] = [
            *((corpus, (corpus.name, _(corpus.description))) for corpus in self._all),
            *((vocabulary, (vocabulary.name, vocabulary.package)) for vocabulary in self._vocabularies),
            *((row, (row.title, row.entry.slug, str(row.entry.number), row.summary)) for row in self._lessons),
        ]
        named: list[tuple[bool, OpenRow]] = []
        for row, names in known:
            texts = [name.casefold() for name in names]
            if any(wanted in text for text in texts):
                named.append((not any(text.startswith(wanted) for text in texts[:-1]), row))
        named.sort(key=lambda ranked: ranked[0])
        self._shown = [row for _rank, row in named]
        self.best = named[0][1] if named and not named[0][0] else None

    @property
    def title(self) -> str:
        """What the list is called while nothing is typed."""
        return BUNDLED_AND_INSTALLED if self._vocabularies else BUNDLED

    @property
    def empty_text(self) -> str:
        """Nothing fits, or the program was installed without them."""
        return _("No bundled corpus or lesson has such a name.") if self._all else _("There are none here.")

    def count(self, view: VirtualList[Any]) -> int:
        """All that fit."""
        return len(self._shown)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[OpenRow]:
        """Those in view."""
        return self._shown[start:stop]

    def draw(self, view: VirtualList[Any], row: OpenRow) -> list[Segment]:
        """Name, preset or `lesson`, description."""
        palette = view.palette
        names = [*(one.name for one in self._all), *(one.name for one in self._vocabularies)]
        name = max(map(len, names), default=0) + 2
        if isinstance(row, BundledCorpus):
            title, kind, text = row.name, row.preset, displayable(_(row.description))
        elif isinstance(row, PackagedVocabulary):
            title, kind = row.name, _("tokenizer")
            text = _("{count} tokens, from the package {package}").format(count=number(row.tokens), package=row.package)
        else:
            title, kind, text = _("lesson {number}").format(number=number(row.entry.number)), "", row.title
        room = max(name, cells(title) + 2)
        preset = [Segment(left(kind, 13), palette.muted)] if view.inner_width >= 60 else []
        return [Segment(left(title, room), palette.strong), *preset, Segment(text)]


def bundled_list(rows: BundledRows) -> VirtualList[OpenRow]:
    """A list of the corpora that come with the program, and of what `rows` finds."""
    return VirtualList(rows.title, rows, id="bundled")


OPENING: Final = (
    Action("use", ("enter",), "open", "Open the row or the path", Group.PROGRAM, footer=80),
    Action("focus_next", ("tab",), "files, path", "To the next of lists and path", Group.MOVE, Scope.APP, footer=70),
    Action("focus_previous", ("shift+tab",), "before", "To the one before", Group.MOVE, Scope.APP),
    CANCEL,
)
"""What can be done where something is opened; the library itself moves the focus."""


LESSONS: Final = Action("lessons", ("L",), "lessons", "To the lessons", Group.PROGRAM, footer=60)
"""What else the train screen opens."""
UNDER: Final = Action(
    "under", ("ctrl+t",), "under", "Put the corpus under the tokenizer, or not", Group.PROGRAM, footer=88
)
"""What is offered where a tokenizer is open."""


class OpenScreen(Dialog["Request | LessonEntry"]):
    """Ends with what to open, or None."""

    CSS_PATH = "open.tcss"
    AUTO_FOCUS = "#bundled"
    ACTIONS: ClassVar[tuple[Action, ...]] = (*OPENING, LESSONS, UNDER)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    picker = query_one(FilePicker)

    def __init__(
        self, message: str = "", path: str = "", *, under: Continuation | None = None, is_under: bool = False
    ) -> None:
        """Ask what to open.

        Args:
            message: Why one is asked, in a sentence; untrusted.
            path: What is in the input to begin with.
            under: A tokenizer that a corpus may be put under.
            is_under: Is it, unless the learner says otherwise?
        """
        super().__init__()
        self._tokenizer = under
        self._is_under = is_under
        self._under = Static(id="open-under")
        self._under.display = under is not None
        self._path = path
        self._rows = BundledRows(has_lessons=True)
        self._message = Static(plain(message), id="open-message")
        self._message.display = bool(message)

    def compose(self) -> ComposeResult:
        """What happened, bundled corpora, files, a path, the keys."""
        yield Static(Content(_("Open a corpus")), id="open-title")
        yield self._message
        yield self._under
        yield bundled_list(self._rows)
        yield FilePicker(_(HINT))
        yield self.key_bar()

    def on_mount(self) -> None:
        """Begin with what was pasted."""
        self._show_choice()
        if self._path:
            self.picker.put(self._path)

    def on_paste(self, event: events.Paste) -> None:
        """A path pasted or dropped while a list has the focus goes where names are typed."""
        event.stop()
        self.picker.put(line_ends(event.text).strip())

    def on_resize(self, event: events.Resize) -> None:
        """Say what may be opened as fully as there is room."""
        self.picker.input.placeholder = _(HINT if event.size.width >= WIDE else SHORT_HINT)

    def on_key(self, event: events.Key) -> None:
        """A letter typed in a list begins a name: it goes where names are typed."""
        if self.picker.input.has_focus or any(event.key in action.bound_keys for action in self.ACTIONS):
            return
        if event.character and (event.character.isalnum() or event.character in "./~_-"):
            event.stop()
            self.picker.type(event.character)

    @on(Input.Changed)
    def _find(self, event: Input.Changed) -> None:
        """The message has been read; list the corpora and lessons that fit what is typed."""
        if event.value != self._path:
            self._show_message("")
        self._rows.look(event.value)
        found = self.query_one("#bundled", VirtualList)
        found.list_title = FOUND if event.value else self._rows.title
        found.to_top()

    @on(VirtualList.Selected, "#bundled")
    def _open_bundled(self, event: VirtualList.Selected) -> None:
        event.stop()
        self._take(event.row)

    def _take(self, row: OpenRow | None) -> None:
        """Open a bundled corpus, a vocabulary, or a lesson."""
        if row is not None:
            match row:
                case BundledCorpus():
                    self.dismiss(self._request(row.name))
                case PackagedVocabulary():
                    self.dismiss(Request((row.name,)))
                case _:
                    self.dismiss(row.entry)

    def _request(self, name: str) -> Request:
        """A corpus, under the tokenizer if the learner wants that; a tokenizer or a session opens by itself."""
        if self._tokenizer is None or not self._is_under:
            return Request((name,))
        from bpe_tui.formats.registry import recognise  # heavy, and needed for this only

        is_corpus = find_bundled(name) is not None or not may_be_tokenizer(name) or recognise(name) is None
        return Request((name,), under=self._tokenizer if is_corpus else None)

    @property
    def offered(self) -> Sequence[Action]:
        """All actions, without a choice where there is none."""
        return self.ACTIONS if self._tokenizer is not None else [one for one in self.ACTIONS if one is not UNDER]

    def action_under(self) -> None:
        """Put the corpus under the tokenizer, or not."""
        self._is_under = not self._is_under
        self._show_choice()

    def _show_choice(self) -> None:
        """Whether the corpus goes under the tokenizer, with how to change that."""
        if self._tokenizer is None:
            return
        sentence = (
            _("[x] under {tokenizer}: its merges first, then new ones from the corpus (ctrl+t: a new start)")
            if self._is_under
            else _("[ ] under {tokenizer}: a new start; ctrl+t puts the corpus under it, to go on from its merges")
        )
        self._under.update(plain(sentence.format(tokenizer=self._tokenizer.name)))

    def on_click(self, event: events.Click) -> None:
        """A click on the choice changes it; one beside the dialog is a way back."""
        if event.widget is self._under:
            self.action_under()
        else:
            super().on_click(event)

    @on(FilePicker.Picked)
    def _open_path(self, event: FilePicker.Picked) -> None:
        event.stop()
        path = event.path
        if is_pipe(path):
            message = _("{name} is a pipe or a device, which may keep the program waiting; save it as a file.")
            self._show_message(message.format(name=path))
        elif is_there(path) or find_bundled(str(path)) is not None:
            self.dismiss(self._request(str(path)))
        elif (row := self._rows.best) is not None:
            self._take(row)
        elif (file := self.picker.only_file) is not None:
            self.dismiss(self._request(str(file)))
        else:
            self._show_message(_("There is no {path}.").format(path=path))

    def _show_message(self, sentence: str) -> None:
        self._message.update(plain(sentence))
        self._message.display = bool(sentence)

    def action_use(self) -> None:
        """Open what has the focus."""
        use_focused(self)

    def action_lessons(self) -> None:
        """A lesson instead: the screen below lists them."""
        app = self.app
        self.dismiss(None)
        app.call_later(app.run_action, "screen.lessons")


def use_focused(screen: Screen[Any]) -> None:
    """Open the row, or the path, that has the focus on a screen."""
    focused = screen.focused
    if isinstance(focused, VirtualList):
        focused.action_select()
    elif isinstance(focused, SafeInput):
        focused.post_message(Input.Submitted(focused, focused.value))


def is_pipe(path: Path) -> bool:
    """Is it something that reading may wait for?"""
    try:
        return path.exists() and not path.is_file() and not path.is_dir()
    except (OSError, ValueError):
        return False


def is_there(path: Path) -> bool:
    """Is there a file or a folder of that name?"""
    try:
        return path.exists()
    except (OSError, ValueError):  # such as a name that is too long, or no name
        return False
