"""Watch byte-pair encoding learn, one merge at a time.

`import bpe_tui as bpe` gives the names of `bpe_tui.api`: `bpe.train("hug", merges=3)`.
"""

from typing import TYPE_CHECKING, Any

from bpe_tui.version import __version__ as __version__

if TYPE_CHECKING:
    from bpe_tui.api import (
        BpeError,
        Encoding,
        PairRow,
        Report,
        Step,
        Table,
        Token,
        Tokenizer,
        TraceRow,
        Training,
        TrainingWord,
        open_corpus,
        read_tokenizer,
        report,
        train,
    )

__all__ = [
    "BpeError",
    "Encoding",
    "PairRow",
    "Report",
    "Step",
    "Table",
    "Token",
    "Tokenizer",
    "TraceRow",
    "Training",
    "TrainingWord",
    "open_corpus",
    "read_tokenizer",
    "report",
    "train",
]


def __getattr__(name: str) -> Any:
    """The names of the API, loaded with the first that is asked for: the command line starts without them."""
    if name in __all__:
        from bpe_tui import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
