"""The entry point, and what becomes of an error.

A request that cannot be met ends in one line on stderr and status 2, an interrupt in status 130 without a word,
and a reader that went away (`| head`) in silence. A traceback means a bug of ours.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit status: 0 done, 1 a check failed, 2 it cannot be met, 130 Ctrl-C."""
    try:
        return _main(list(arguments))
    except KeyboardInterrupt:  # also while modules are loaded
        return 130


def _main(arguments: list[str]) -> int:
    from bpe_tui.cli import errors, language, output
    from bpe_tui.core.system import is_closed_pipe

    output.prepare_streams()
    stdout = sys.stdout
    try:
        arguments = language.choose(arguments)
        # Tables of texts are made at import, in the current language.
        from bpe_tui.cli import app

        status = app.run(arguments)
        output.flush()
    except SystemExit as leaving:
        if sys.stdout is stdout:
            return leaving.code if isinstance(leaving.code, int) else 0
        # Typer wraps stdout and leaves when the reader went away.
        sys.stdout = stdout
        output.abandon()
        return 0
    except Exception as error:
        if is_closed_pipe(error):
            output.abandon()
            return 0
        line = errors.sentence(error)
        if line is None:
            raise
        output.complain(line)
        return errors.UNMET
    return status


def run() -> None:
    """The console entry point."""
    # A command makes hundreds of thousands of objects, none of them in a cycle, and ends: looking for garbage among
    # them would only cost time. The app turns the collector on again.
    gc.disable()
    # Nothing here is linear algebra: numpy need not start a thread a core for it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        status = main(sys.argv[1:])
    except Exception as error:
        from bpe_tui.cli.errors import report_bug

        status = report_bug(error)
    sys.exit(status)
