"""A report as titled tables, the same for the terminal and for HTML: every text in them is fit to be shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bpe_tui.core.display import displayable, visible
from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.core.teaching.report import UnreachableReason

if TYPE_CHECKING:
    from bpe_tui.core.readable import Notation
    from bpe_tui.core.teaching.report import CorpusReport, Report, TextUse, VocabularyReport

LONGEST_SHOWN: Final = 28
"""Code points of a token, a word or a file's name that are shown."""
SINGLE_LENGTHS: Final = 10
"""Up to this length each has a row of its own."""
LENGTH_BANDS: Final = (11, 16, 21, 31, 51, 101)
"""Where the rows of longer tokens begin."""
MOST_TOKENS: Final = 8
"""From this many tokens per word on there is one row for all."""
_REASONS: Final = {
    UnreachableReason.NO_MERGE: mark("nothing makes it"),
    UnreachableReason.MERGES: mark("other merges first"),
    UnreachableReason.CUT: mark("cut before merging"),
    UnreachableReason.NOT_UTF8: mark("not UTF-8"),
}


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A row of a table."""

    cells: tuple[str | tuple[str, ...], ...]
    """Texts; several tokens are a tuple."""
    bar: float | None = None
    """The length of its bar, from 0 to 1; None without one."""


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A part of a report."""

    name: str
    """For links."""
    title: str
    sentence: str
    """What it shows; may be empty."""
    heads: tuple[str, ...] = ()
    numeric: frozenset[int] = frozenset()
    """The columns whose entries are numbers."""
    token_columns: frozenset[int] = frozenset()
    """Those whose entries are tokens or words."""
    rows: tuple[ReportRow, ...] = ()
    tokens: tuple[str, ...] = ()
    """Tokens to be shown without a table."""
    left_out: int = 0
    """Rows or tokens that are not listed."""


@dataclass(frozen=True, slots=True)
class ReportText:
    """A report in words."""

    title: str
    summary: tuple[str, ...]
    """Sentences."""
    figures: tuple[ReportRow, ...]
    """The most important figures: name, value, from what."""
    sections: tuple[ReportSection, ...]
    legend: str
    """What the signs mean that show tokens; may be empty."""


def percent(part: float, whole: float) -> str:
    """A share as people write it."""
    return _("{number}%").format(number=number(100 * part / whole if whole else 0, ".1f"))


def described(
    report: Report, tokenizer: str, corpus: str, notation: Notation, *, most: int, documents: str = ""
) -> ReportText:
    """The report in words; `most` is how many rows are shown of lists, and `documents` what a document is."""
    of = _Described(report, notation, most)
    sections = of.of_vocabulary(report.vocabulary)
    title = displayable(tokenizer)
    if report.corpus is not None:
        title = _("{tokenizer} on {corpus}").format(tokenizer=title, corpus=displayable(corpus))
        sections = [*of.of_corpus(report.corpus), *sections]
    return ReportText(title, tuple(of.summary(documents)), tuple(of.figures()), tuple(sections), of.legend())


class _Described:
    def __init__(self, report: Report, notation: Notation, most: int) -> None:
        self._report = report
        self._notation = notation
        self._most = most

    # -- the whole ---------------------------------------------------------------------------------------------

    def summary(self, documents: str) -> list[str]:
        """What a newcomer should know first."""
        own, corpus = self._report.vocabulary, self._report.corpus
        sentences = [
            plural(
                "The vocabulary has {count} token: {parts}.",
                "The vocabulary has {count} tokens: {parts}.",
                own.size,
                parts=", ".join(_parts(own)),
            )
        ]
        if own.unreachable:
            sentences.append(
                plural(
                    "No text is ever encoded to {count} of them.",
                    "No text is ever encoded to {count} of them.",
                    len(own.unreachable),
                )
            )
        if corpus is None:
            return [*sentences, _("Name a text as well to see how the tokenizer does on it.")]
        total = corpus.total
        if documents:
            kinds = {
                "files": _("Each file is encoded as a whole."),
                "lines-keepends": _("Each line is encoded by itself, with its end."),
                "lines": _("Each line is encoded by itself, without its end."),
            }
            sentences.append(kinds[documents])
        if not total.tokens:
            return [*sentences, _("There is no word in the corpus.")]
        if total.unknown:
            sentences.append(
                _("Unknown symbols are {share} of the tokens: the tokenizer cannot represent this text fully.").format(
                    share=percent(total.unknown, total.tokens)
                )
            )
        if total.left_out:
            sentences.append(
                plural(
                    "{count} character is lost, as its symbol is unknown and dropped.",
                    "{count} characters are lost, as their symbols are unknown and dropped.",
                    total.left_out,
                )
            )
        return sentences

    def figures(self) -> list[ReportRow]:
        """The most important figures."""
        own, corpus = self._report.vocabulary, self._report.corpus
        if corpus is None or not corpus.total.tokens:
            return []
        total = corpus.total
        tokens = plural("{count} token", "{count} tokens", total.tokens)
        words = plural("{count} word", "{count} words", total.words)
        size = plural("{count} byte", "{count} bytes", total.bytes)
        used = sum(band.tokens for band in corpus.by_use if band.least)
        plain = own.size - own.specials
        return [
            ReportRow(
                (
                    _("tokens per word"),
                    number(total.per_word, ".2f"),
                    _("{tokens}, {words}").format(tokens=tokens, words=words),
                )
            ),
            ReportRow((_("bytes per token"), number(total.bytes_per_token, ".2f"), size)),
            ReportRow(
                (
                    _("words in one token"),
                    percent(total.whole_words, total.words),
                    _("{part} of {whole}").format(part=number(total.whole_words), whole=words),
                )
            ),
            ReportRow(
                (
                    _("unknown"),
                    percent(total.unknown, total.tokens),
                    _("{part} of {whole}").format(part=number(total.unknown), whole=tokens),
                )
            ),
            ReportRow(
                (
                    _("vocabulary used"),
                    percent(used, plain),
                    _("{part} of {whole}").format(
                        part=number(used), whole=plural("{count} token", "{count} tokens", plain)
                    ),
                )
            ),
        ]

    def legend(self) -> str:
        """What the signs mean that show tokens."""
        own, corpus = self._report.vocabulary, self._report.corpus
        texts = [*(text for text, _length in own.longest), *(token.text for token in own.unreachable[: self._most])]
        if corpus is not None:
            texts += [use.text for use in (*corpus.most_used[: self._most], *corpus.never_used[: self._most * 4])]
            texts += [token for word in corpus.costly[: self._most] for token in word.tokens]
        return ", ".join(self._notation.legend(texts, spaces=True))

    # -- the corpus --------------------------------------------------------------------------------------------

    def of_corpus(self, corpus: CorpusReport) -> list[ReportSection]:
        """Its sections; those that have nothing to say are left out."""
        if not corpus.total.tokens:
            return []
        found = [self._words_by_tokens(corpus), self._kinds(corpus)]
        if len(corpus.by_script) > 1:
            found.append(self._scripts(corpus))
        found += [self._costly(corpus), self._unknown(corpus), self._depths(corpus), self._files(corpus)]
        found += [self._uses(corpus), self._most_used(corpus), self._never_used(corpus)]
        return [section for section in found if section.rows or section.tokens]

    def _words_by_tokens(self, corpus: CorpusReport) -> ReportSection:
        counts: dict[int, int] = {}
        for tokens, words in corpus.by_tokens.items():
            counts[min(tokens, MOST_TOKENS)] = counts.get(min(tokens, MOST_TOKENS), 0) + words
        total = max(1, corpus.total.words)
        return ReportSection(
            "words",
            _("Words by number of tokens"),
            _("A word is a run of letters or of digits. The fewer tokens, the better the tokenizer knows the text."),
            (_("tokens"), _("words"), _("share")),
            frozenset((1, 2)),
            rows=tuple(
                ReportRow((_number_of_tokens(tokens), number(words), percent(words, total)), words / total)
                for tokens, words in counts.items()
            ),
        )

    def _kinds(self, corpus: CorpusReport) -> ReportSection:
        most = max((group.per_word for group in corpus.by_class.values()), default=0)
        return ReportSection(
            "kinds",
            _("Tokens per word, by kind of word"),
            _("White space in front of a word counts for the word."),
            (_("kind of word"), _("words"), _("tokens"), _("share"), _("per word")),
            frozenset((1, 2, 3, 4)),
            rows=tuple(
                ReportRow(
                    (
                        _(kind),
                        number(group.words),
                        number(group.tokens),
                        percent(group.tokens, corpus.total.tokens),
                        number(group.per_word, ".2f"),
                    ),
                    group.per_word / most if most else 0,
                )
                for kind, group in corpus.by_class.items()
            ),
        )

    def _scripts(self, corpus: CorpusReport) -> ReportSection:
        most = max((group.per_word for group in corpus.by_script.values()), default=0)
        return ReportSection(
            "scripts",
            _("Tokens per word, by script"),
            _("A script that needs many tokens per word was rare in what the tokenizer was trained on."),
            (_("script"), _("words"), _("tokens"), _("share"), _("per word")),
            frozenset((1, 2, 3, 4)),
            rows=tuple(
                ReportRow(
                    (
                        _(script),
                        number(group.words),
                        number(group.tokens),
                        percent(group.tokens, corpus.total.tokens),
                        number(group.per_word, ".2f"),
                    ),
                    group.per_word / most if most else 0,
                )
                for script, group in corpus.by_script.items()
            ),
        )

    def _costly(self, corpus: CorpusReport) -> ReportSection:
        shown = corpus.costly[: self._most]
        costs = [word.count * (len(word.tokens) - 1) for word in shown]
        return ReportSection(
            "costly",
            _("Words that cost most"),
            _("If each were one token, the text would have that many fewer tokens."),
            (_("word"), _("times"), _("saved"), _("tokens")),
            frozenset((1, 2)),
            frozenset((0, 3)),
            rows=tuple(
                ReportRow(
                    (
                        _short(self._notation.text(word.text)),
                        number(word.count),
                        number(cost),
                        tuple(map(self._token, word.tokens[:LONGEST_SHOWN])),
                    )
                )
                for word, cost in zip(shown, costs, strict=True)
            ),
        )

    def _unknown(self, corpus: CorpusReport) -> ReportSection:
        shown = corpus.unknown_symbols[: self._most]
        most = max((count for _text, count in shown), default=1)
        return ReportSection(
            "unknown",
            _("Unknown symbols"),
            _("They are not in the vocabulary: what they were cannot be told from the tokens."),
            (_("symbol"), _("times")),
            frozenset((1,)),
            frozenset((0,)),
            rows=tuple(
                ReportRow((_short(self._notation.text(text)) or "–", number(count)), count / most)
                for text, count in shown
            ),
        )

    def _depths(self, corpus: CorpusReport) -> ReportSection:
        total, merges = corpus.total, self._report.vocabulary.merges
        known = max(1, total.tokens - total.unknown)
        rows = tuple(
            ReportRow(
                (
                    number(depth.merges),
                    percent(depth.merges, merges),
                    number(depth.needed),
                    number(depth.needed / total.words if total.words else 0, ".2f"),
                    percent(depth.made, known),
                ),
                depth.made / known,
            )
            for depth in corpus.depths
        )
        return ReportSection(
            "depth",
            _("How many merges the text needs"),
            _("By merge {half} half of its tokens can be made, by merge {most} nine tenths.").format(
                half=number(total.half), most=number(total.most)
            ),
            (_("first merges"), _("of all"), _("tokens needed"), _("per word"), _("tokens made")),
            frozenset((0, 1, 2, 3, 4)),
            rows=rows if merges and total.tokens > total.unknown else (),  # no merge helps what is unknown
        )

    def _files(self, corpus: CorpusReport) -> ReportSection:
        files = sorted(corpus.files, key=lambda file: -file.per_word)
        return ReportSection(
            "files",
            _("Files"),
            _(
                "Those with the most tokens per word first; with so many of the first merges half and nine tenths of "
                "their tokens can be made."
            ),
            (_("file"), _("tokens"), _("per word"), _("bytes/token"), _("unknown"), "50%", "90%"),
            frozenset(range(1, 7)),
            rows=tuple(_file_row(file, files[0].per_word) for file in files[: self._most]),
            left_out=max(0, len(files) - self._most),
        )

    def _uses(self, corpus: CorpusReport) -> ReportSection:
        plain = self._report.vocabulary.size - self._report.vocabulary.specials
        return ReportSection(
            "use",
            _("Vocabulary by use"),
            _("Tokens that this text seldom or never uses take up room in a model; other texts may need them."),
            (_("used"), _("tokens"), _("share"), _("of the text")),
            frozenset((1, 2, 3)),
            rows=tuple(
                ReportRow(
                    (
                        _times(band.least, band.most),
                        number(band.tokens),
                        percent(band.tokens, plain),
                        percent(band.occurrences, corpus.total.tokens),
                    ),
                    band.tokens / plain if plain else 0,
                )
                for band in corpus.by_use
                if band.tokens or not band.least
            ),
        )

    def _most_used(self, corpus: CorpusReport) -> ReportSection:
        shown = corpus.most_used[: self._most]
        return ReportSection(
            "most-used",
            _("Most used tokens"),
            "",
            (_("token"), "id", _("times"), _("of the text")),
            frozenset((1, 2, 3)),
            frozenset((0,)),
            rows=tuple(
                ReportRow(
                    (self._token(use.text), str(use.id), number(use.count), percent(use.count, corpus.total.tokens)),
                    use.count / shown[0].count,
                )
                for use in shown
            ),
        )

    def _never_used(self, corpus: CorpusReport) -> ReportSection:
        shown = corpus.never_used[: self._most * 4]
        return ReportSection(
            "never-used",
            plural("{count} token never used", "{count} tokens never used", len(corpus.never_used)),
            _("Other texts can use them; by id."),
            tokens=tuple(self._token(use.text) for use in shown),
            left_out=len(corpus.never_used) - len(shown),
        )

    # -- the vocabulary ----------------------------------------------------------------------------------------

    def of_vocabulary(self, own: VocabularyReport) -> list[ReportSection]:
        """Its sections; those that have nothing to say are left out."""
        found = [self._unreachable(own), self._lengths(own), self._vocabulary_scripts(own)]
        found.append(self._longest(own))
        return [section for section in found if section.rows or section.tokens]

    def _longest(self, own: VocabularyReport) -> ReportSection:
        return ReportSection(
            "longest",
            _("Longest tokens"),
            "",
            (_("token"), _("characters")),
            frozenset((1,)),
            frozenset((0,)),
            rows=tuple(ReportRow((self._token(text), number(length))) for text, length in own.longest[: self._most]),
        )

    def _unreachable(self, own: VocabularyReport) -> ReportSection:
        shown = own.unreachable[: self._most]
        return ReportSection(
            "unreachable",
            plural("{count} unreachable token", "{count} unreachable tokens", len(own.unreachable)),
            _("They are in the vocabulary, but no text is encoded to them."),
            (_("token"), "id", _("because"), _("its text becomes")),
            frozenset((1,)),
            frozenset((0, 3)),
            rows=tuple(
                ReportRow(
                    (
                        self._token(token.text),
                        str(token.id),
                        _(_REASONS[token.reason]),
                        tuple(map(self._token, token.becomes[:LONGEST_SHOWN])) or "–",
                    )
                )
                for token in shown
            ),
            left_out=len(own.unreachable) - len(shown),
        )

    def _lengths(self, own: VocabularyReport) -> ReportSection:
        bands = _banded(own.by_length)
        most, plain = max(bands.values(), default=1), own.size - own.specials
        return ReportSection(
            "length",
            _("Vocabulary by length"),
            _("In characters, without special tokens; a byte that is no whole character counts as one."),
            (_("characters"), _("tokens"), _("share")),
            frozenset((1, 2)),
            rows=tuple(
                ReportRow((length, number(tokens), percent(tokens, plain)), tokens / most)
                for length, tokens in bands.items()
            ),
        )

    def _vocabulary_scripts(self, own: VocabularyReport) -> ReportSection:
        return ReportSection(
            "vocabulary-scripts",
            _("Vocabulary by script"),
            _("By the first letter of each token."),
            (_("script"), _("tokens"), _("share")),
            frozenset((1, 2)),
            rows=tuple(
                ReportRow((_(script), number(tokens), percent(tokens, own.size)), tokens / own.size)
                for script, tokens in own.by_script.items()
            ),
        )

    def _token(self, text: str) -> str:
        return _short(self._notation.token(text)) or "–"


def _parts(own: VocabularyReport) -> list[str]:
    parts = [plural("{count} symbol", "{count} symbols", own.symbols)]
    parts.append(plural("{count} made by merges", "{count} made by merges", own.merged))
    if own.specials:
        parts.append(plural("{count} special", "{count} special", own.specials))
    if own.others:
        parts.append(plural("{count} other", "{count} others", own.others))
    return parts


def _number_of_tokens(tokens: int) -> str:
    if not tokens:
        return _("part of one")
    return _("{count} or more").format(count=tokens) if tokens == MOST_TOKENS else str(tokens)


def _times(least: int, most: int | None) -> str:
    if not least:
        return _("never")
    if most is None:
        return _("{count} times or more").format(count=number(least))
    if least == most:
        return plural("{count} time", "{count} times", least)
    return _("{least} to {most} times").format(least=number(least), most=number(most))


def _banded(by_length: Mapping[int, int]) -> dict[str, int]:
    """Tokens by length, the long ones in bands."""
    found: dict[str, int] = {}
    starts: Sequence[int] = LENGTH_BANDS
    for length, tokens in by_length.items():
        name = number(length)
        if length > SINGLE_LENGTHS:
            least = max(start for start in starts if start <= length)
            following = next((start for start in starts if start > length), None)
            if following is None:
                name = _("{count} or more").format(count=number(least))
            else:
                name = f"{least}–{following - 1}"
        found[name] = found.get(name, 0) + tokens
    return found


def _file_row(file: TextUse, most: float) -> ReportRow:
    return ReportRow(
        (
            _short_name(file.name),
            number(file.tokens),
            number(file.per_word, ".2f"),
            number(file.bytes_per_token, ".2f"),
            percent(file.unknown, file.tokens),
            number(file.half),
            number(file.most),
        ),
        file.per_word / most if most else 0,
    )


def _short(shown: str) -> str:
    return shown if len(shown) <= LONGEST_SHOWN else shown[: LONGEST_SHOWN - 1] + "…"


def _short_name(name: str) -> str:
    """The end of a file's name, which says most."""
    shown = visible(name)
    return shown if len(shown) <= LONGEST_SHOWN else "…" + displayable(shown[1 - LONGEST_SHOWN :])
