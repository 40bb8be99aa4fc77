"""`bpe-tui serve`: the app in browsers, for people who have nothing installed."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated

import typer

from bpe_tui.cli import options as opt
from bpe_tui.cli import output
from bpe_tui.cli.language import help_of
from bpe_tui.cli.options import TrainingChoices, name_option, number_option, options_of, training_choices
from bpe_tui.core.i18n import _, current_language, mark
from bpe_tui.core.options import flag_of
from bpe_tui.web.settings import DEFAULTS, LEAST_MEMORY, MOST_KEEP, MOST_MEMORY, Limits, Settings

NETWORK = mark(
    "anyone who reaches this computer by {host} can open the app here, without a password and unencrypted; no file of "
    "this computer can be read or written through it, but each client takes memory and time of it"
)
WALLS = mark(
    "this system lacks {walls}: code that got into a client's process would meet only a guard in Python; "
    "see docs/serving.md"
)


def serve(
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
    corpus: Annotated[
        str, typer.Argument(metavar="CORPUS", help=_("The bundled corpus that opens first."), show_default="hug")
    ] = "hug",
    lesson: Annotated[
        str | None, name_option("--lesson", metavar="NAME", what=_("The bundled lesson that opens first, instead."))
    ] = None,
    host: Annotated[
        str, name_option("--host", metavar="ADDRESS", what=_("Where to listen; 0.0.0.0 is every network."))
    ] = "127.0.0.1",
    port: Annotated[int, number_option("--port", _("Port; 0 takes a free one."), least=0, most=65_535)] = 8000,
    public_url: Annotated[
        str, name_option("--public-url", metavar="URL", what=_("Where browsers find it, behind a reverse proxy."))
    ] = "",
    theme: Annotated[str | None, name_option("--theme", metavar="NAME", what=_("Colours."))] = None,
    clients: Annotated[
        int, number_option("--clients", _("Clients at once."), least=1, most=100_000)
    ] = DEFAULTS.clients,
    per_address: Annotated[
        int | None,
        number_option(
            "--per-address",
            _("Clients at once from one address; half of all unless given, any number from this computer."),
            least=1,
            most=100_000,
        ),
    ] = None,
    memory: Annotated[
        int,
        number_option(
            "--memory",
            _("Address space of each client's process."),
            metavar="MB",
            least=LEAST_MEMORY,
            most=MOST_MEMORY,
        ),
    ] = DEFAULTS.memory,
    idle: Annotated[
        float,
        number_option(
            "--idle",
            _("Send a client away after this time without a key."),
            metavar="MINUTES",
            kind=float,
            least=0.01,
            most=1_000_000,
        ),
    ] = DEFAULTS.idle,
    keep: Annotated[
        float,
        number_option(
            "--keep",
            _("Keep the app of a lost connection for its tab this long; 0 ends it at once."),
            metavar="MINUTES",
            kind=float,
            least=0,
            most=MOST_KEEP,
        ),
    ] = DEFAULTS.keep,
    text: Annotated[
        int, number_option("--text", _("The largest text pasted or uploaded."), metavar="KB", least=1, most=50_000)
    ] = DEFAULTS.text,
) -> None:
    """Serve the app to browsers on this computer, or on a network.

    Clients reach no file of this computer: they open bundled corpora and texts that they paste or upload, and what
    they write is downloaded.
    """
    import os

    from bpe_tui.core.errors import BpeError

    # The event loop's `sendfile` leaves its mark on the number of a connection that is closed meanwhile, and so on the
    # next connection.
    os.environ["AIOHTTP_NOSENDFILE"] = "1"
    try:
        import textual_serve  # noqa: F401 - the extra is there
    except ImportError:
        raise BpeError(
            _("serve needs the package textual-serve; in your clone of bpe-tui: pip install '.[web]'")
        ) from None
    if not hasattr(os, "fork"):
        raise BpeError(
            _("serve splits off a process for each client, which this system cannot; run it on Linux, macOS or in WSL")
        )
    import asyncio

    from bpe_tui.web.server import run

    language = current_language()
    if lesson is None:
        arguments, title = command_of(corpus, training_choices(context), theme), corpus
    else:
        arguments, title, language = lesson_of(lesson, theme)
    settings = Settings(
        arguments=(f"--lang={language}", *arguments),
        title=title,
        language=language,
        host=host,
        port=port,
        public_url=public_url,
        colours=colours_of(theme),
        limits=Limits(clients, memory, idle, keep, text, per_address),
    )
    asyncio.run(run(settings, lambda address: announce(settings, address), output.note))


def announce(settings: Settings, address: str) -> None:
    """Print the address, and warnings about who can reach it and about what this system lacks."""
    from bpe_tui.web.guard import missing_walls

    served = _("{name} is served on {address}").format(name=settings.title, address=address)
    output.write(f"{served}\n{_('ctrl+c ends it')}\n")
    output.flush()
    if not settings.is_local:
        output.note(_(NETWORK).format(host=settings.host))
    if missing := missing_walls():
        output.note(_(WALLS).format(walls=", ".join(missing)))


def command_of(corpus: str, training: TrainingChoices, theme: str | None) -> tuple[str, ...]:
    """The command line of each client's app. Raises `BpeError` for an unknown corpus or a bad option."""
    from bpe_tui.core.corpus.sources import bundled_corpora, find_bundled, find_corpus
    from bpe_tui.core.errors import CorpusError
    from bpe_tui.core.runtime import AT_A_DESK, Policy, impose

    if find_bundled(corpus) is None:
        message = _("{name} is no bundled corpus; serve opens one of {names}, and clients bring their own texts")
        raise CorpusError(message.format(name=corpus, names=", ".join(one.name for one in bundled_corpora())))
    impose(Policy(is_served=True))  # a file of the same name in this folder is not meant
    try:
        options_of(find_corpus([corpus]), training)
    finally:
        impose(AT_A_DESK)
    themed = ("--theme", theme) if theme is not None else ()
    return ("open", *as_arguments(training), *themed, "--", corpus)


def lesson_of(name: str, theme: str | None) -> tuple[tuple[str, ...], str, str]:
    """The command line that opens a bundled lesson, its name, its language. Raises `LessonError` if there is none."""
    from bpe_tui.lessons.library import bundled, unknown

    entry = bundled(name, current_language())
    if entry is None:
        raise unknown(name, current_language())
    themed = ("--theme", theme) if theme is not None else ()
    return ("lesson", *themed, entry.slug), entry.slug, entry.language


def as_arguments(training: TrainingChoices) -> tuple[str, ...]:
    """The training options as words of a command line."""
    arguments: list[str] = []
    for field in fields(training):
        value = getattr(training, field.name)
        flag = flag_of(field.name)
        if value is True:
            arguments.append(flag)
        elif isinstance(value, tuple):
            arguments += [f"{flag}={each}" for each in value]
        elif value is not None and value is not False:
            arguments.append(f"{flag}={value}")
    return tuple(arguments)


def colours_of(theme: str | None) -> tuple[str, str]:
    """Background and foreground of a theme. Raises `OptionError` if there is none of that name."""
    from textual.theme import BUILTIN_THEMES

    from bpe_tui.core.errors import OptionError
    from bpe_tui.ui.themes import THEMES

    known = {one.name: one for one in (*BUILTIN_THEMES.values(), *THEMES)}
    chosen = known.get(theme or THEMES[0].name)
    if chosen is None:
        message = _("there is no theme {name!r}; choose one of {names}")
        raise OptionError(message.format(name=theme, names=", ".join(one.name for one in THEMES)))
    return chosen.background or "#121212", chosen.foreground or "#e0e0e0"


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("serve", help=help_of(serve))(serve)
