"""`bpe-tui encode`: text to tokens, with the steps in between if asked."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from bpe_tui.cli import options as opt
from bpe_tui.cli import output
from bpe_tui.cli.language import help_of
from bpe_tui.cli.options import choice_option, number_option, training_choices
from bpe_tui.cli.reading import read_model, read_stdin
from bpe_tui.cli.table import last_column, lines, number_column, text_column
from bpe_tui.cli.text import as_text
from bpe_tui.core.display import visible, width
from bpe_tui.core.i18n import _, number, plural
from bpe_tui.core.options import UNKNOWN_POLICIES
from bpe_tui.core.readable import AS_IN_FILES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bpe_tui.core.encoding.encoder import Dropped, Encoder, Token
    from bpe_tui.core.encoding.replay import Dropout, Replay
    from bpe_tui.core.encoding.tokenized_text import TokenizedText
    from bpe_tui.formats.model import TokenizerModel

LONG_TRACE: Final = 1_000_000
"""Characters from which on it is said beforehand that a trace is long."""


def encode(
    context: typer.Context,
    tokenizer: opt.TokenizerFile,
    preset: opt.Preset = None,
    pre_tokenizer: opt.PreTokenizer = None,
    pattern: opt.Pattern = None,
    alphabet: opt.Alphabet = None,
    end_of_word: opt.EndOfWord = None,
    end_of_word_style: opt.EndOfWordStyle = None,
    specials: opt.Specials = None,
    unk: opt.Unk = None,
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXT|-",
            help=_("The text; - or nothing reads it from stdin."),
            parser=as_text,
            show_default=False,
        ),
    ] = "-",
    as_json: opt.AsJson = False,
    trace: Annotated[
        bool, typer.Option("--trace", help=_("Show each merge that fires, and the tokens after it."))
    ] = False,
    ids: Annotated[bool, typer.Option("--ids", help=_("Print ids instead of tokens."))] = False,
    table: Annotated[
        bool, typer.Option("--table", help=_("Print a line for each token: id, start, end, token."))
    ] = False,
    unknown: Annotated[
        str | None,
        choice_option("--unknown", _("What becomes of an unknown symbol: {names}."), UNKNOWN_POLICIES),
    ] = None,
    allow_special: Annotated[
        bool, typer.Option("--allow-special", help=_("Special tokens in the text are themselves, not plain text."))
    ] = False,
    dropout: Annotated[
        float | None,
        number_option(
            "--dropout",
            _("Drop each possible merge at random with this probability (BPE-dropout)."),
            metavar="RATE",
            kind=float,
            least=0,
            most=1,
        ),
    ] = None,
    seed: Annotated[
        int | None, number_option("--seed", _("Start the random numbers of --dropout here; 0 by default."), least=0)
    ] = None,
    times: Annotated[
        int | None,
        number_option("--times", _("Encode this many times with --dropout, each with the next seed."), least=1),
    ] = None,
    from_name: opt.ReadFormat = None,
) -> None:
    """Encode a text: its tokens on one line, a space between them.

    The text is taken as it is, the last newline included. A space inside a token is shown as ␣, a newline as ␊, and
    a token that only looks like the unknown token has a backslash before it.
    """
    from bpe_tui.core.errors import OptionError

    if ids + table + as_json + trace > 1 and not (as_json and trace and not ids and not table):
        raise OptionError(
            _("--ids, --table, --trace and --json each print another thing; give one (--json and --trace go)")
        )
    for flag, given in ("--seed", seed), ("--times", times):
        if given is not None and dropout is None:
            raise OptionError(_("{flag} only has a meaning with --dropout").format(flag=flag))
    if dropout is not None and table:
        raise OptionError(_("--table cannot be combined with --dropout; --ids, --trace and --json can"))
    if unknown is not None and unknown not in UNKNOWN_POLICIES:
        message = _("{flag} {value!r} is not one of {names}")
        raise OptionError(message.format(flag="--unknown", value=unknown, names=", ".join(UNKNOWN_POLICIES)))
    model = read_model(tokenizer, training_choices(context), from_name)
    if text == "-":
        text = read_stdin()
    encoder, policy = model.encoder(), unknown or model.unknown
    if dropout is not None:
        from bpe_tui.core.encoding.replay import Dropout
        from bpe_tui.core.encoding.replay import trace as trace_text

        first = seed or 0
        draws = (Dropout(dropout, first + time) for time in range(times or 1))
        runs = (
            (draw, *trace_text(encoder, text, unknown=policy, allow_special=allow_special, dropout=draw))
            for draw in draws
        )
        if as_json:
            described = (_described_run(*run, with_trace=trace) for run in runs)
            output.write_json(next(described) if times is None else {"encodings": described})
        else:
            for draw, words, replay in runs:
                if trace and times is not None:
                    output.write(_("seed {seed}").format(seed=draw.seed) + "\n")
                for line in trace_lines(words, replay, model) if trace else [_one_run(words, replay, model, ids)]:
                    output.write(line)
        return
    if trace:
        from bpe_tui.core.encoding.replay import trace as trace_text

        words, replay = trace_text(encoder, text, unknown=policy, allow_special=allow_special)
        dropped = words.dropped
        size = trace_size(words, replay, around=len('"", ') if as_json else len(" "))
        if size > LONG_TRACE:
            output.note(
                plural(
                    "the trace has {count} row, about {size} MB of text",
                    "the trace has {count} rows, about {size} MB of text",
                    len(replay),
                    size=number(size / 1e6, ",.0f"),
                )
            )
        if as_json:
            fields: dict[str, Any] = {"tokens": _described(words.tokens()), "dropped": _described_dropped(dropped)}
            output.write_json({**fields, "trace": _described_rows(words, replay)})
        else:
            for line in trace_lines(words, replay, model):
                output.write(line)
    elif ids:
        numbers, dropped = encoder.ids_and_dropped(text, unknown=policy, allow_special=allow_special)
        if not dropped:
            _note_on_decoding(model, encoder, text, numbers)
        output.write(" ".join(str(token) if token >= 0 else "none" for token in numbers) + "\n")
    else:
        spans = encoder.spans(text, allow_special=allow_special)
        tokens = encoder.trimmed(text, encoder.tokens_of(spans, unknown=policy))
        dropped = encoder.dropped(text, unknown=policy, spans=spans)
        if not dropped:
            _note_on_decoding(model, encoder, text, [None if token.unknown else token.id for token in tokens])
        if as_json:
            output.write_json({"tokens": _described(tokens), "dropped": _described_dropped(dropped)})
        elif table:
            output.write(token_table(tokens, model))
        else:
            output.write(on_one_line(tokens, model) + "\n")
    if dropped:
        from bpe_tui.core.teaching.token_facts import dropped_sentence

        output.note(dropped_sentence(dropped))


def _note_on_decoding(model: TokenizerModel, encoder: Encoder, text: str, ids: Sequence[int | None]) -> None:
    """Say it if decoding gives another text, but for unknown symbols, of which nobody expects it."""
    from bpe_tui.formats.round_trip import note_on_decoding

    known = [token for token in ids if token is not None and token >= 0]
    if len(known) == len(ids) and (note := note_on_decoding(model, encoder, text, known)):
        output.note(note)


def on_one_line(tokens: Sequence[Token], model: TokenizerModel) -> str:
    """The tokens as a terminal may see them, a space between two of them."""
    return " ".join(_shown(token, model) for token in tokens)


def token_table(tokens: Sequence[Token], model: TokenizerModel) -> str:
    """A line for each token: id, offsets in code points, text."""
    texts = [_shown(token, model) for token in tokens]
    return lines(
        number_column(_("id"), ["none" if token.id is None else token.id for token in tokens]),
        number_column(_("start"), [token.start for token in tokens]),
        number_column(_("end"), [token.end for token in tokens]),
        text_column(_("token"), [(text, width(text)) for text in texts]),
        last_column("", [_("unknown") if token.unknown else "" for token in tokens]),
    )


def trace_size(words: TokenizedText, replay: Replay, around: int) -> int:
    """How many characters, about, the trace has; each row writes all tokens, with so many characters around each."""
    tokens = words.with_distinct(replay.all_tokens(0)).tokens()
    row = sum(len(token.text) + around for token in tokens)
    return row + sum(row := row - fired.places * around for fired in replay.rows)


def _one_run(words: TokenizedText, replay: Replay, model: TokenizerModel, ids: bool) -> str:
    """The tokens, or the ids, that merging with dropout has led to."""
    tokens = words.with_distinct(replay.all_tokens(len(replay))).tokens()
    if ids:
        return " ".join("none" if token.id is None else str(token.id) for token in tokens) + "\n"
    return on_one_line(tokens, model) + "\n"


def _described_run(draw: Dropout, words: TokenizedText, replay: Replay, *, with_trace: bool) -> dict[str, Any]:
    """What merging with dropout has led to, for JSON."""
    tokens = words.with_distinct(replay.all_tokens(len(replay))).tokens()
    run = {"rate": draw.rate, "seed": draw.seed, "tokens": _described(tokens)}
    run["dropped"] = _described_dropped(words.dropped)
    if with_trace:
        rows = zip(replay.rows, _described_rows(words, replay), strict=True)
        run["trace"] = [{**row, "made": fired.places, "left_out": fired.dropped} for fired, row in rows]
    return run


def trace_lines(words: TokenizedText, replay: Replay, model: TokenizerModel) -> Iterator[str]:
    """The symbols before any merge, then a line for each merge that fired, by its number in the log.

    A merge that dropout left out has a line, too, which says so.
    """
    from bpe_tui.core.teaching.explain import dropped_note

    merges = [row.merge for row in replay.rows]
    notes = map(dropped_note, replay.rows)
    pairs = [AS_IN_FILES.pair(merge.left, merge.right) for merge in merges]
    pairs = ["-", *(f"{pair} ({note})" if note else pair for pair, note in zip(pairs, notes, strict=True))]
    numbers = number_column("#", ["-", *(merge.rank + 1 for merge in merges)])
    texts = text_column(_("merge"), [(text, width(text)) for text in pairs])
    states = map(" ".join, _states(words, replay, cache(lambda text, is_unknown: _visible(text, is_unknown, model))))
    yield f"{numbers.title}  {texts.title}  {_('tokens')}\n"
    for rank, text, state in zip(numbers.entries, texts.entries, states, strict=True):
        yield f"{rank}  {text}  {state}".rstrip() + "\n"


def _states(words: TokenizedText, replay: Replay, written: Callable[[str, bool], str]) -> Iterator[list[str]]:
    """The tokens before any merge, then those after each; `written` is how a token is, by its text and whether it is
    unknown."""
    by_kind = [[written(token.text, token.unknown) for token in word] for word in replay.all_tokens(0)]
    yield list(chain.from_iterable(map(by_kind.__getitem__, words.kinds)))
    for row, fired in enumerate(replay.rows, 1):
        for word in fired.words:
            by_kind[word] = [written(token.text, token.unknown) for token in replay.tokens(word, row)]
        yield list(chain.from_iterable(map(by_kind.__getitem__, words.kinds)))


def _shown(token: Token, model: TokenizerModel) -> str:
    return _visible(token.text, token.unknown, model)


def _visible(token: str, is_unknown: bool, model: TokenizerModel) -> str:
    text = visible(token)
    is_itself = token == model.options.unk and not is_unknown
    return f"\\{text}" if is_itself else text


def _described(tokens: Sequence[Token]) -> list[dict[str, Any]]:
    return [
        {"text": token.text, "id": token.id, "start": token.start, "end": token.end, "unknown": token.unknown}
        for token in tokens
    ]


def _described_dropped(dropped: Sequence[Dropped]) -> list[dict[str, Any]]:
    return [run._asdict() for run in dropped]


def _described_rows(words: TokenizedText, replay: Replay) -> Iterator[dict[str, Any]]:
    states = _states(words, replay, lambda text, _is_unknown: text)
    next(states)
    for row, tokens in zip(replay.rows, states, strict=True):
        merge = row.merge
        yield {
            "rank": merge.rank,
            "left": merge.left,
            "right": merge.right,
            "token": merge.token,
            "tokens": tokens,
        }


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("encode", help=help_of(encode))(encode)
