"""`bpe-tui encode`: text to tokens, with the steps in between if asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bpe_tui.cli import options as opt
from bpe_tui.cli import output
from bpe_tui.cli.language import help_of
from bpe_tui.cli.options import choice_option, training_choices
from bpe_tui.cli.reading import read_model, read_stdin
from bpe_tui.cli.table import last_column, lines, number_column, text_column
from bpe_tui.core.display import visible, width
from bpe_tui.core.i18n import _
from bpe_tui.core.options import UNKNOWN_POLICIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bpe_tui.core.encoding.encoder import Token, TraceRow
    from bpe_tui.formats.model import TokenizerModel


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
        str, typer.Argument(metavar="TEXT|-", help=_("The text; - or nothing reads it from stdin."), show_default=False)
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
    if unknown is not None and unknown not in UNKNOWN_POLICIES:
        message = _("{flag} {value!r} is not one of {names}")
        raise OptionError(message.format(flag="--unknown", value=unknown, names=", ".join(UNKNOWN_POLICIES)))
    model = read_model(tokenizer, training_choices(context), from_name)
    if text == "-":
        text = read_stdin()
    encoder, policy = model.encoder(), unknown or model.unknown
    if trace:
        start, rows = encoder.trace(text, unknown=policy, allow_special=allow_special)
        if as_json:
            final = rows[-1].tokens if rows else start
            output.write_json({"tokens": _described(final), "trace": [_described_row(row) for row in rows]})
        else:
            output.write(trace_lines(start, rows, model))
        return
    if ids:
        numbers = encoder.encode_ids(text, unknown=policy, allow_special=allow_special)
        output.write(" ".join(str(number) if number >= 0 else "none" for number in numbers) + "\n")
        return
    tokens = encoder.encode(text, unknown=policy, allow_special=allow_special)
    if as_json:
        output.write_json({"tokens": _described(tokens)})
    elif table:
        output.write(token_table(tokens, model))
    else:
        output.write(on_one_line(tokens, model) + "\n")


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


def trace_lines(start: Sequence[Token], rows: Sequence[TraceRow], model: TokenizerModel) -> str:
    """The symbols before any merge, then a line for each merge that fired, by its number in the log."""
    merges = ["-", *(f"{visible(row.merge.left)} + {visible(row.merge.right)}" for row in rows)]
    states = [on_one_line(start, model), *(on_one_line(row.tokens, model) for row in rows)]
    return lines(
        number_column("#", ["-", *(row.rank + 1 for row in rows)]),
        text_column(_("merge"), [(text, width(text)) for text in merges]),
        last_column(_("tokens"), states),
    )


def _shown(token: Token, model: TokenizerModel) -> str:
    text = visible(token.text)
    impostor = token.text == model.options.unk and not token.unknown and token.text not in model.vocabulary.specials
    return f"\\{text}" if impostor else text


def _described(tokens: Sequence[Token]) -> list[dict[str, Any]]:
    return [
        {"text": token.text, "id": token.id, "start": token.start, "end": token.end, "unknown": token.unknown}
        for token in tokens
    ]


def _described_row(row: TraceRow) -> dict[str, Any]:
    merge = row.merge
    return {
        "rank": row.rank,
        "left": merge.left,
        "right": merge.right,
        "token": merge.token,
        "tokens": [token.text for token in row.tokens],
    }


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("encode", help=help_of(encode))(encode)
