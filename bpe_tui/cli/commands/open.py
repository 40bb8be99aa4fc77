"""`bpe-tui open`: the app on a corpus or a tokenizer."""

from __future__ import annotations

import os
import select
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bpe_tui.cli import options as opt
from bpe_tui.cli import output
from bpe_tui.cli.language import help_of
from bpe_tui.cli.options import TrainingChoices, name_option, number_option, training_choices
from bpe_tui.cli.text import as_file_name
from bpe_tui.core.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from bpe_tui.ui.recording import Pause
    from bpe_tui.ui.session.request import Request

PATIENCE: Final = 0.2
"""Seconds in which stdin must have ended for its text to be read before the app is up."""


def open_corpus(
    context: typer.Context,
    preset: opt.Preset = None,
    documents: opt.Documents = None,
    pre_tokenizer: opt.PreTokenizer = None,
    pattern: opt.Pattern = None,
    alphabet: opt.Alphabet = None,
    end_of_word: opt.EndOfWord = None,
    end_of_word_style: opt.EndOfWordStyle = None,
    ties: opt.Ties = None,
    specials: opt.Specials = None,
    specials_in_corpus: opt.SpecialsInCorpus = None,
    protected: opt.Protected = None,
    seed_tokens: opt.SeedTokens = None,
    unk: opt.Unk = None,
    min_frequency: opt.MinFrequency = None,
    max_token_length: opt.MaxTokenLength = None,
    limit_alphabet: opt.LimitAlphabet = None,
    initial_alphabet: opt.InitialAlphabet = None,
    vocab_size: opt.VocabSize = None,
    merges: opt.Merges = None,
    word_counts: opt.IsWordCounts = False,
    encoding: opt.Encoding = None,
    max_memory: opt.MaxMemory = None,
    corpora: opt.AnyCorpora = None,
    theme: opt.Theme = None,
    from_name: opt.FromFormatOrTokenizer = None,
    record: opt.Record = None,
    keys: Annotated[
        str | None,
        name_option(
            "--keys",
            metavar="KEYS",
            what=_("With --record: the keys to press, such as 'space space e thug'; a word is typed letter by letter."),
        ),
    ] = None,
    pace: Annotated[
        float | None,
        number_option(
            "--pace",
            _("With --record: seconds for which the screen is shown after each key; 1.5 if not given."),
            metavar="SECONDS",
            kind=float,
            least=0.1,
            most=60,
        ),
    ] = None,
    size: opt.RecordingSize = None,
    plain: opt.Plain = False,
) -> None:
    """Open the app on a corpus (`hug` if none is named) or a tokenizer.

    Of a tokenizer it shows the merges, and any text in its tokens.

    With - the text comes from stdin, and the keys from the terminal. For a tokenizer that does not say how a text is
    cut, --pre-tokenizer and its like say it.
    """
    from bpe_tui.core.errors import OptionError

    names, training = tuple(corpora or ()), training_choices(context)
    if plain:
        if any(given is not None for given in (record, keys, pace, size, theme)):
            raise OptionError(_("--plain shows no screen; leave --theme, --record and its like out"))
        step_plainly(names or ("hug",), training, from_name)
    elif record is None:
        if keys is not None or pace is not None or size is not None:
            raise OptionError(_("--keys, --pace and --size are those of a recording; give --record as well"))
        start_app(names, training, theme=theme, from_name=from_name)
    elif keys is None:
        raise OptionError(_("--record needs the keys to press: give --keys as well, such as 'space space e thug'"))
    else:
        record_keys(names, training, record, keys, pace=pace, size=size, theme=theme, from_name=from_name)


def record_keys(
    names: tuple[str, ...],
    training: TrainingChoices,
    to: str,
    keys: str,
    *,
    pace: float | None,
    size: str | None,
    theme: str | None,
    from_name: str | None = None,
) -> None:
    """Press keys in an app without a terminal, and write what it shows. Raises `BpeError`."""
    from bpe_tui.cli.commands.record import record
    from bpe_tui.core.errors import CorpusError
    from bpe_tui.ui.app import BpeApp
    from bpe_tui.ui.recording import PACE, film_training, parse_keys

    if "-" in names:
        raise CorpusError(_("--record cannot read a corpus from stdin; give a file"))
    wanted = parse_keys(keys)
    request = request_for(names or ("hug",), training, from_name)
    if request.continued is not None:
        request = request.with_session()
    app = BpeApp(*request.find(), theme=theme, request=request)

    def film(cells: tuple[int, int], progress: Callable[[int, int], None]) -> Coroutine[object, object, list[Pause]]:
        return film_training(app, wanted, cells, pace=PACE if pace is None else pace, progress=progress)

    record(to, size, theme, app.title, film)


def request_for(names: tuple[str, ...], training: TrainingChoices, from_name: str | None = None) -> Request:
    """What is asked for; `from_name` is the format of a tokenizer, or a tokenizer that the corpus is put under."""
    from bpe_tui.ui.session.request import Request

    continued = None
    if from_name is not None and not _is_format(from_name, names):
        continued, from_name = as_file_name(from_name), None
    return Request(
        names,
        training.preset,
        training.overrides(),
        training.word_counts,
        encoding=training.encoding,
        reading=training.reading(),
        format_name=from_name,
        continued=continued,
    )


def _is_format(name: str, opened: tuple[str, ...]) -> bool:
    """Is it the name of a format of tokenizers? gpt2 is a vocabulary as well: before a tokenizer it is the format."""
    from bpe_tui.core.corpus.sources import find_bundled
    from bpe_tui.formats import vocabularies
    from bpe_tui.formats.registry import FORMATS
    from bpe_tui.formats.unsupported import may_be_tokenizer

    if not any(name == one.name for one in FORMATS):
        return False
    opens_corpora = any(find_bundled(one) is not None or not may_be_tokenizer(one) for one in opened)
    return not opens_corpora or vocabularies.called(name) is None


def start_app(
    names: tuple[str, ...], training: TrainingChoices, *, theme: str | None, from_name: str | None = None
) -> None:
    """Check the request, then hand it to the app. Raises BpeError before the screen is taken, never after."""
    from bpe_tui.core.errors import BpeError, CorpusError

    names = names or ("hug",)
    if "-" in names and len(names) > 1:
        raise CorpusError(_("- is stdin and must be the only corpus when the app opens; give the files without it"))
    if not output.has_screen(keys="-" not in names):
        if output.has_screen(keys=False):
            raise BpeError(_("keys come from the terminal; to open a text from a pipe, use bpe-tui open -"))
        message = _(
            "the app needs a terminal; without one, use open --plain, bpe-tui train, or bpe-tui lesson NAME --print"
        )
        raise BpeError(message)
    output.need_drawing()
    request = request_for(names, training, from_name)
    tokenizer = None
    if not request.is_large:  # else it is read behind the screen
        request = request.with_session()
        if request.is_tokenizer:
            tokenizer = request.read_tokenizer()
        else:
            request.find()
    if names == ("-",):
        request = _take_stdin(request)
    from bpe_tui.ui.app import run_app

    output.say(run_app(request=request, theme=theme, tokenizer=tokenizer))


def step_plainly(names: tuple[str, ...], training: TrainingChoices, from_name: str | None) -> None:
    """Step through a training in sentences, by typed lines. Raises `BpeError`, also if a script has failed."""
    from bpe_tui.core.errors import BpeError, CorpusError, OptionError
    from bpe_tui.plain.conversation import Conversation
    from bpe_tui.plain.training import FreeTraining, refusal
    from bpe_tui.ui.session.training import Session

    if "-" in names and len(names) > 1:
        raise CorpusError(_("- is stdin and must be the only corpus when the app opens; give the files without it"))
    request = request_for(names, training, from_name).with_session()
    if request.is_tokenizer:
        message = _("{name} is a tokenizer, and --plain steps through a training; use bpe-tui encode -t {name}")
        raise OptionError(message.format(name=names[0]))
    if names == ("-",):
        request = _take_stdin(request)
    talk = Conversation(sys.stdin, sys.stdout)
    corpus, options = request.find()
    if request.is_large:
        is_under = request.under is not None  # then the merges of the tokenizer take the time
        sentence = (
            _("The first merges are being made on {corpus}.")
            if is_under
            else _("{corpus} is large: its words are being counted.")
        )
        talk.say(sentence.format(corpus=corpus.name))
        output.flush()
    if request.saved is None:
        session = Session.load(corpus, options, request.under)
    else:
        session = Session.resume(request.saved, corpus, options, request.origin)
    free = FreeTraining(session, talk)
    free.run()
    if free.refused and not talk.is_typed:
        raise BpeError(refusal(free.refused))


def _take_stdin(request: Request) -> Request:
    """The request with stdin as a text; if that is long or slow as a pipe, which is read behind the screen.

    The terminal takes the place of stdin, for the keys. Raises BpeError.
    """
    from bpe_tui.core.corpus.memory import read_all
    from bpe_tui.core.corpus.pipes import OpenPipe
    from bpe_tui.core.corpus.sources import STDIN_NAME, Source
    from bpe_tui.core.errors import BpeError

    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        message = _("the app needs a terminal for its keys; to train without one, use bpe-tui train -")
        raise BpeError(message) from None
    stdin = os.open(os.devnull, os.O_RDONLY) if sys.stdin is None else os.dup(sys.stdin.fileno())
    os.dup2(terminal, 0)
    os.close(terminal)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    head, has_ended = _begin(stdin)
    pipe = OpenPipe(stdin, head)
    if not has_ended:
        return replace(request, pipe=pipe)
    stream = Source(STDIN_NAME, encoding=request.encoding, pipe=pipe).open()
    return replace(request, text=_decoded(read_all(stream, STDIN_NAME)))


def _begin(descriptor: int) -> tuple[bytes, bool]:
    """What a small text that is there at once holds, or the first of it; and was that all?"""
    from bpe_tui.ui.session.training import SMALL

    head, end = b"", time.monotonic() + PATIENCE
    is_typed = os.isatty(descriptor)  # then it ends before the keys begin
    while is_typed or len(head) <= SMALL:
        if not is_typed and not select.select([descriptor], [], [], max(0, end - time.monotonic()))[0]:
            return head, False
        fresh = os.read(descriptor, SMALL)
        if not fresh:
            return head, True
        head += fresh
    return head, False


def _decoded(data: bytes) -> str:
    """The text of stdin. Raises CorpusError for anything but UTF-8."""
    from bpe_tui.core.corpus.encodings import not_utf8, refuse_other_encodings
    from bpe_tui.core.corpus.sources import STDIN_NAME

    refuse_other_encodings(data, STDIN_NAME)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise not_utf8(STDIN_NAME, error.start, data[error.start], line) from None


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("open", help=help_of(open_corpus))(open_corpus)
