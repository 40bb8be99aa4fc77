"""The algorithm pane: the textbook loop in Python, with the line of the current phase marked.

What it shows is the text of `bpe_tui.core.teaching.reference` itself, the module that the tests hold the fast trainer
against, so it cannot drift from what the program does. Comments of the form `# phase: count` in that module say
which lines belong to a phase: the block after a comment on a line of its own, or the line that ends in one.
"""

from __future__ import annotations

import inspect
import io
import keyword
import re
import textwrap
import tokenize
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.widgets import Static

from bpe_tui.core.display import displayable
from bpe_tui.core.i18n import _, mark, plural
from bpe_tui.core.teaching import reference
from bpe_tui.core.training.states import Phase
from bpe_tui.ui.text import cells
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bpe_tui.ui.board.revealed import Revealed
    from bpe_tui.ui.session.training import Session

MARK: Final = "▸"
CONTEXT: Final = 2
"""Lines kept in view above the marked ones."""
_MARKER: Final = re.compile(r"^(?P<before>.*?)\s*#\s*phase:\s*(?P<phase>[a-z]+)\s*$")

PHASE_OF_STATE: Final = {"counted": "count", "picked": "pick", "merged": "merge"}
"""What the loop has just done in each state of the trainer."""

MEANING: Final = {
    "count": mark("count: each pair"),
    "pick": mark("pick: the most frequent"),
    "merge": mark("merge: into one token"),
}
"""What each phase does, for a first look; where there is little room, the word before the colon."""

Piece = tuple[str, str]
"""Text of a code line and the kind of its style: `plain`, `word`, `text`, `note`."""


class CodeLine(NamedTuple):
    """A line of the loop."""

    pieces: tuple[Piece, ...]
    phase: str
    """`count`, `pick`, `merge`, or empty."""


class AlgorithmRow(NamedTuple):
    """What a line of the pane depends on."""

    number: int
    line: CodeLine
    current: bool
    remark: str
    """What the line has found, on the first line of the phase."""


class AlgorithmRows(RowSource[AlgorithmRow]):
    """The lines of the loop, those of a phase marked."""

    def __init__(self) -> None:
        self.phase = ""
        """The phase whose lines are marked: `count`, `pick`, `merge`; empty for none."""
        self.remark = ""
        """What the phase has found, shown behind its first line where there is room; untrusted."""

    @property
    def empty_text(self) -> str:
        """The source of the program may be missing."""
        return _("The text of the reference is not here.")

    def count(self, view: VirtualList[Any]) -> int:
        """Lines of the loop."""
        return len(loop_lines())

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[AlgorithmRow]:
        """Lines `start` to `stop`, the current ones marked."""
        lines = loop_lines()
        rows = []
        for number in range(start, stop):
            line = lines[number]
            current = bool(self.phase) and line.phase == self.phase
            first = current and (number == 0 or lines[number - 1].phase != self.phase)
            rows.append(AlgorithmRow(number + 1, line, current, self.remark if first else ""))
        return rows

    def draw(self, view: VirtualList[Any], row: AlgorithmRow) -> list[Segment]:
        """The mark, the code, and what it has found."""
        palette, width = view.palette, view.inner_width
        styles = {"plain": Style.null(), "word": palette.tokens[0], "text": palette.tokens[1], "note": palette.muted}
        base = palette.raised + Style(bold=True) if row.current else Style.null()
        segments = [Segment(MARK if row.current else " ", base + palette.accent)]
        segments += [Segment(text, base + styles[kind]) for text, kind in row.line.pieces]
        used = sum(cells(segment.text) for segment in segments)
        remark = f"  ← {displayable(row.remark)}" if row.remark else ""
        if remark and used + cells(remark) <= width:
            segments.append(Segment(remark, base + palette.accent))
            used += cells(remark)
        if row.current and used < width:
            segments.append(Segment(" " * (width - used), base))
        return segments

    def figures(self, view: VirtualList[Any]) -> tuple[str, ...]:
        """The phase, in a few words where there is room."""
        if not self.phase:
            return ()
        meaning = _(MEANING[self.phase])
        return meaning, meaning.partition(":")[0].rstrip()

    def note(self, view: VirtualList[Any]) -> str:
        """Where the text comes from."""
        return "core/teaching/reference.py"


class Algorithm(VirtualList[AlgorithmRow]):
    """The textbook loop; `set_phase` moves the mark."""

    source: AlgorithmRows

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(mark("Algorithm"), AlgorithmRows(), number="⁵", id=id)
        self._session: Session | None = None

    def show_session(self, session: Session, revealed: Revealed) -> None:
        """Look at another session from now on."""
        self._session = session
        self.show_moment(revealed)

    def show_moment(self, revealed: Revealed) -> None:
        """Mark the phase of the moment."""
        if self._session is not None and self.display:
            self.set_phase(str(self._session.trainer.phase), found_by_loop(self._session, revealed))

    def set_phase(self, state: str, remark: str = "") -> None:
        """Mark the lines of a phase and bring them into view.

        Args:
            state: The trainer's state (`counted`, `picked`, `merged`); any other marks nothing.
            remark: What the phase has found, shown behind its first line where there is room; untrusted.
        """
        phase = PHASE_OF_STATE.get(state, "")
        if (phase, remark) == (self.source.phase, self.source.remark):
            return
        self.source.phase, self.source.remark = phase, remark
        self._show_marked()
        self.reload()

    def _show_marked(self) -> None:
        phase = self.source.phase
        marked = [number for number, line in enumerate(loop_lines()) if line.phase == phase]
        if phase and marked and self.size:
            self.show_row(marked[-1])
            self.show_row(max(0, marked[0] - CONTEXT))
            self.show_row(marked[0])

    def on_resize(self) -> None:
        """With another size, or in view again: the marked lines are what to look at."""
        super().on_resize()
        self._show_marked()


class AlgorithmLine(Static):
    """The line of the loop that belongs to the phase, where there is no room for all of it."""

    def show_moment(self, session: Session, revealed: Revealed) -> None:
        """Show the first line of the moment's phase and what it has found; before the first, the loop's head."""
        phase = PHASE_OF_STATE.get(str(session.trainer.phase), "")
        lines = loop_lines()
        line = next((line for line in lines if line.phase == phase), None) if phase else lines[0] if lines else None
        text = "".join(piece for piece, _kind in line.pieces).strip() if line is not None else ""
        found = found_by_loop(session, revealed)
        remark = f"  ← {displayable(found)}" if found else ""
        self.update(Content(f"⁵ {MARK} {text}{remark}"))


def found_by_loop(session: Session, revealed: Revealed) -> str:
    """What the lines of the current phase have found, as far as it may be shown."""
    trainer = session.trainer
    if trainer.phase is Phase.COUNTED:
        return plural("{count} pair", "{count} pairs", trainer.pair_count)
    if trainer.phase is Phase.PICKED and revealed.next_pair is not None:
        return session.pair_text(revealed.next_pair)
    if trainer.phase is Phase.MERGED and (last := trainer.last_step) is not None:
        return session.pair_text((last.merge.left_id, last.merge.right_id))
    return ""


@cache
def loop_lines() -> tuple[CodeLine, ...]:
    """The loop of the reference that holds the phases, then the functions that its marked lines call."""
    sources = {
        name: inspect.getsource(value)
        for name, value in vars(reference).items()
        if inspect.isfunction(value) and value.__module__ == reference.__name__
    }
    loops = [excerpt(source) for source in sources.values() if "# phase:" in source]
    marked = " ".join(line for loop in loops for line in loop.splitlines() if _MARKER.match(line))
    called = [
        without_docstring(source).rstrip()
        for name, source in sources.items()
        if "# phase:" not in source and re.search(rf"\b{name}\(", marked)
    ]
    return parse("\n\n".join([*loops, *called]))


def excerpt(source: str) -> str:
    """The outermost loop of a function, moved to the left."""
    lines = source.rstrip().splitlines()
    for start, line in enumerate(lines):
        if re.match(r"\s+(while|for)\b", line):
            indent = len(line) - len(line.lstrip())
            stop = next(
                (at for at in range(start + 1, len(lines)) if lines[at].strip() and _indent(lines[at]) <= indent),
                len(lines),
            )
            return textwrap.dedent("\n".join(lines[start:stop]))
    return without_docstring(source).rstrip()


def without_docstring(source: str) -> str:
    """The source of a function less its docstring: the pane has a dozen lines."""
    return re.sub(r'(?s)(:\n)\s+""".*?"""\n', r"\1", source, count=1)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def parse(source: str) -> tuple[CodeLine, ...]:
    """Split marked source into lines; the markers are not shown, and the indentation is halved to save room."""
    texts: list[str] = []
    phases: list[str] = []
    phase, depth = "", 0
    for text in source.splitlines():
        indent = _indent(text)
        marker = _MARKER.match(text)
        if marker and not marker["before"].strip():
            phase, depth = marker["phase"], indent
            continue
        if phase and (not text.strip() or indent < depth):
            phase = ""
        texts.append(marker["before"] if marker else text)
        phases.append(marker["phase"] if marker else phase)
    return tuple(CodeLine(pieces, phase) for pieces, phase in zip(_highlight(texts), phases, strict=True))


def _highlight(texts: Sequence[str]) -> list[tuple[Piece, ...]]:
    """The lines in pieces: keywords, strings and comments each in pieces of their own."""
    kinds: list[list[str]] = [["plain"] * len(text) for text in texts]
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(texts) + "\n").readline):
            if token.type == tokenize.COMMENT:
                kind = "note"
            elif token.type == tokenize.STRING:
                kind = "text"
            elif token.type == tokenize.NAME and keyword.iskeyword(token.string):
                kind = "word"
            else:
                continue
            (row, start), (_, stop) = token.start, token.end
            if token.start[0] == token.end[0]:
                kinds[row - 1][start:stop] = [kind] * (stop - start)
    except (tokenize.TokenError, IndentationError):
        pass  # an excerpt that is no whole program is shown plain
    halves = [_indent(text) // 2 for text in texts]
    return [_pieces(text[half:], line[half:]) for text, line, half in zip(texts, kinds, halves, strict=True)]


def _pieces(text: str, kinds: Sequence[str]) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for char, kind in zip(text, kinds, strict=True):
        if pieces and pieces[-1][1] == kind:
            pieces[-1] = (pieces[-1][0] + char, kind)
        else:
            pieces.append((char, kind))
    return tuple(pieces)
