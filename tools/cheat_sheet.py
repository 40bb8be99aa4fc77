"""`make cheat-sheet`: byte-pair encoding on one page, A4, black on white, to be printed and hung on a wall.

Everything on it is computed, or read from where the program has it: the example by the trainer and the encoder, keys
from `ui/actions.py`, commands from the command line, rules and presets from their tables. It is in English.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import Final

from bpe_tui.cli.app import COMMANDS, whole_command
from bpe_tui.cli.output import PROGRAM
from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus, options_for
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.options import PRESETS, Options
from bpe_tui.core.readable import CHARACTERS
from bpe_tui.core.teaching.explain import next_sentence, stop_sentence
from bpe_tui.core.tie_rules import RULES
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.formats.files import write_atomically
from bpe_tui.ui.actions import ACTIONS, Action, Group
from bpe_tui.ui.lesson.actions import LESSON_ACTIONS

FILE: Final = Path(__file__).parents[1] / "docs" / "pictures" / "cheat-sheet.svg"
WIDTH, HEIGHT = 595, 842
"""Points of an A4 page."""
LEFT, RIGHT = 34, 561
MIDDLE: Final = 306
"""Where the right one of two columns begins."""
MONO: Final = 0.602
"""Width of a character of a monospace font, in its size."""
ALGORITHM: Final = """\
def train(words, target):      # {("h", "u", "g"): 10, …}
    merges = []
    while len(merges) < target:
        pairs = Counter()                         # count
        for word, count in words.items():
            for pair in zip(word, word[1:]):
                pairs[pair] += count
        if not pairs:
            break
        best = max(pairs, key=pairs.get)          # pick
        words = {join(word, best): count          # merge
                 for word, count in words.items()}
        merges.append(best)
    return merges
"""
JOIN: Final = """\
def join(word, pair):          # left to right
    for at in range(len(word) - 1):
        if word[at : at + 2] == pair:
            rest = join(word[at + 2 :], pair)
            return (*word[:at], "".join(pair), *rest)
    return word
"""
"""What the sheet shows as the algorithm; the tests run it."""
TEXTS: Final = ("bug", "thug", "unhug")
"""New words that the merges of the example are replayed on."""
PHASES: Final = ("count", "pick", "merge")
KEYS_SHOWN: Final = (Group.STEP, Group.ASK, Group.MOVE, Group.PROGRAM, Group.LESSON)


class Drawing:
    """Shapes and texts of one page, in points."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 7.4,
        *,
        mono: bool = False,
        bold: bool = False,
        anchor: str = "start",
        fill: str = "#000",
    ) -> None:
        """A line of text on the base line `y`."""
        family = "monospace" if mono else "sans-serif"
        weight = ' font-weight="bold"' if bold else ""
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" font-family="{family}" font-size="{size:g}"{weight} '
            f'text-anchor="{anchor}" fill="{fill}" xml:space="preserve">{escape(text, quote=False)}</text>'
        )

    def box(self, x: float, y: float, width: float, height: float, *, filled: bool = False) -> None:
        """A box with round corners."""
        fill = "#000" if filled else "none"
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="2" fill="{fill}" '
            f'stroke="#000" stroke-width="0.6"/>'
        )

    def line(self, x: float, y: float, until: float, width: float = 0.5) -> None:
        """A line across."""
        self._parts.append(
            f'<line x1="{x:g}" y1="{y:g}" x2="{until:g}" y2="{y:g}" stroke="#000" stroke-width="{width:g}"/>'
        )

    def heading(self, x: float, y: float, until: float, text: str) -> None:
        """The name of a part of the page, over a line."""
        self.text(x, y, text, 10, bold=True)
        self.line(x, y + 3.5, until, 1)

    def tokens(self, x: float, y: float, tokens: list[str], new: str = "", size: float = 8) -> float:
        """Tokens in boxes on the base line `y`, one that is `new` in black; returns where they end."""
        for token in tokens:
            width = len(token) * size * MONO + 4
            self.box(x, y - size + 0.2, width, size + 2.4, filled=token == new)
            fill = "#fff" if token == new else "#000"
            self.text(x + width / 2, y, token, size, mono=True, bold=token == new, anchor="middle", fill=fill)
            x += width + 1.6
        return x

    def svg(self) -> str:
        """The page."""
        body = "\n".join(self._parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 {WIDTH} {HEIGHT}">\n'
            f'<title>Byte-pair encoding on one page</title>\n<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n'
            f"{body}\n</svg>\n"
        )


def hug() -> tuple[Trainer, Options]:
    """The example, before its first merge."""
    corpus = find_corpus(["hug"])
    options = options_for(corpus, None)
    return Trainer(count_words(corpus, options), options), options


def sheet() -> str:
    """The whole page as SVG."""
    page = Drawing()
    page.text(LEFT, 50, "Byte-pair encoding", 25, bold=True)
    page.text(RIGHT, 50, "bpe-tui", 11, mono=True, bold=True, anchor="end")
    page.text(LEFT, 66, "Start from letters. Merge the two neighbours that occur side by side most often. Repeat.", 9)
    _draw_algorithm(page, 88)
    _draw_training(page, 88)
    _draw_encoding(page, 320)
    _draw_tables(page, _draw_keys(page, 392) + 27)
    return page.svg()


def _draw_algorithm(page: Drawing, y: float) -> None:
    page.heading(LEFT, y, MIDDLE - 16, "The algorithm")
    y += 17
    for line in (ALGORITHM + "\n" + JOIN).splitlines():
        code, sign, note = line.partition("#")
        page.text(LEFT, y, code.rstrip(), 7, mono=True)
        if sign:
            page.text(LEFT + len(code) * 7 * MONO, y, f"#{note}", 7, mono=True, bold=note.strip() in PHASES)
        y += 9.6 if line else 5


def _draw_training(page: Drawing, y: float) -> None:
    page.heading(MIDDLE, y, RIGHT, "Five words, three merges")
    trainer, _options = hug()
    y += 16
    while True:
        step = trainer.last_step
        if step is None:
            page.text(MIDDLE, y, "At first every word is split into its letters.", 7.4)
        else:
            merge = CHARACTERS.merge(step.merge.left, step.merge.right)
            page.text(MIDDLE, y, f"Merge {step.number}:  {merge}  {step.counted} times", 7.4, bold=True)
        y += 13
        x = float(MIDDLE)
        for index in range(trainer.word_count):
            row = trainer.word(index)
            page.text(x + 14, y, f"{row.count}×", 7, anchor="end")
            tokens = [trainer.texts[token] for token in row.tokens]
            new = "" if step is None or index not in trainer.words_changed().indices else step.merge.token
            page.tokens(x + 16, y, tokens, new, 6.8)
            x += 49.5
        y += 14
        following = stop_sentence(trainer) or next_sentence(trainer, CHARACTERS)
        page.text(MIDDLE, y, following, 7.4)
        y += 20
        if trainer.stop is not None or trainer.step() is None:
            break


def _draw_encoding(page: Drawing, y: float) -> None:
    page.heading(LEFT, y, RIGHT, "New words: replay the merges in the order in which they were learned")
    trainer, _options = hug()
    trainer.run()
    encoder = Encoder(trainer)
    y += 19
    x = float(LEFT)
    for text in TEXTS:
        page.text(x, y, f"{text}  →", 8, mono=True)
        tokens = [token.text for token in encoder.encode(text)]
        end = page.tokens(x + (len(text) + 3) * 8 * MONO + 4, y, tokens)
        x = end + 26
    y += 16
    page.text(
        LEFT,
        y,
        "t is not in the alphabet, so it is unknown: [UNK]. Byte-level tokenizers know all 256 bytes, and nothing"
        " is ever unknown to them.",
    )
    y += 11
    page.text(
        LEFT,
        y,
        "Not the longest token first, and not the vocabulary alone: to encode, a tokenizer needs its merges and"
        " their order.",
    )


def shown_actions() -> list[tuple[Group, list[Action]]]:
    """The actions under their headings; a lesson's own ones last."""
    actions = [*ACTIONS, *LESSON_ACTIONS]
    panes = [action for action in actions if action.id.startswith("go_pane")]
    found: list[tuple[Group, list[Action]]] = []
    for group in KEYS_SHOWN:
        own = [action for action in actions if action.group is group and action not in panes[1:]]
        if group is Group.LESSON:
            own = [action for action in own if not action.id.startswith("choice")]
        found.append((group, own))
    return found


def _draw_keys(page: Drawing, y: float) -> float:
    """The keys in three columns; returns where the longest one ends."""
    page.heading(LEFT, y, RIGHT, "Keys")
    rows: list[tuple[str, list[str]]] = []
    for group, actions in shown_actions():
        rows.append(("", [str(group)]))
        for action in actions:
            keys = action.first_key if group is Group.LESSON else action.key_text
            text = action.help.partition(";")[0]
            if action.id.startswith("go_pane"):
                keys, text = "1 … 6", "To a pane: corpus, pairs, vocabulary, merges, algorithm, curve"
            rows.append((keys, wrap(text, 35)))
    columns = 3
    height = -(-sum(len(lines) for _keys, lines in rows) // columns)
    column, used, bottom = 0, 0.0, y
    for keys, lines in rows:
        if used + len(lines) + (not keys) > height + 1 and column < columns - 1:
            column, used = column + 1, 0.0
        if not keys and used:
            used += 0.4
        x = LEFT + column * 178
        for place, line in enumerate(lines):
            base = y + 17 + (used + place) * 9.1
            bottom = max(bottom, base)
            if not keys:
                page.text(x, base, line, 7.4, bold=True)
                continue
            if place == 0:
                page.text(x, base, keys, 6.4, mono=True, bold=True)
            page.text(x + 49, base, line, 6.3)
        used += len(lines)
    return bottom


def commands() -> list[tuple[str, str]]:
    """The commands, and the first sentence of each one's help."""
    found = []
    program = whole_command()
    context = program.make_context(PROGRAM, [], resilient_parsing=True)
    for name in COMMANDS:
        text = " ".join(program.get_command(context, name).help.split("\n\n")[0].split())
        text = re.sub(r" \([^)]*\)|, in order.*", "", text.partition(":")[0].partition(". ")[0])
        found.append((name, text.rstrip(".").replace("`", "")))
    return found


def presets() -> list[tuple[str, str]]:
    """The presets, and what sets each apart."""
    found = []
    for name, options in PRESETS.items():
        target = f"vocab {options.vocab_size:,}" if options.vocab_size is not None else f"{options.merges:,} merges"
        facts = [options.pre_tokenizer, options.alphabet, options.ties, target]
        if options.end_of_word:
            facts.append(options.end_of_word)
        found.append((name, " · ".join(facts)))
    return found


def _draw_tables(page: Drawing, y: float) -> None:
    page.heading(LEFT, y, MIDDLE - 16, "Commands")
    base = y + 16
    for name, text in commands():
        page.text(LEFT, base, name, 7, mono=True, bold=True)
        for line in wrap(text, 56):
            page.text(LEFT + 56, base, line, 6.4)
            base += 9.2
    page.heading(MIDDLE, y, RIGHT, "When pairs are equally frequent")
    base = y + 16
    for rule in RULES.values():
        page.text(MIDDLE, base, rule.name, 7, mono=True, bold=True)
        page.text(MIDDLE + 66, base, f"the pair {rule.prefers} ({rule.used_by})", 6.4)
        base += 10.6
    base += 12
    page.heading(MIDDLE, base, RIGHT, "Presets: a tool's dialect by name")
    base += 16
    for name, text in presets():
        page.text(MIDDLE, base, name, 7, mono=True, bold=True)
        page.text(MIDDLE + 54, base, text, 6.4)
        base += 10.6
    page.text(MIDDLE, base + 7, "bpe-tui COMMAND --help says all about one; --plain needs no screen.", 6.8, bold=True)


def main() -> None:
    """Write the file."""
    write_atomically(str(FILE), sheet().encode())


if __name__ == "__main__":
    main()
