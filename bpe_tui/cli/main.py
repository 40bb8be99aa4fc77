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
    from bpe_tui.cli import output

    output.prepare_streams()
    stdout = sys.stdout
    try:
        status = _carry_out(arguments)
        output.flush()
    except BrokenPipeError:
        output.abandon()
        return 0
    except SystemExit as leaving:
        if sys.stdout is stdout:
            return leaving.code if isinstance(leaving.code, int) else 0
        # Typer wraps stdout and leaves when the reader went away.
        sys.stdout = stdout
        output.abandon()
        return 0
    except Exception as error:
        from bpe_tui.cli.errors import UNMET, Interrupted, sentence

        if isinstance(error, Interrupted):
            raise KeyboardInterrupt from None
        line = sentence(error)
        if line is None:
            raise
        output.complain(line)
        return UNMET
    return status


def _carry_out(arguments: list[str]) -> int:
    """Do what a command line asks for."""
    from bpe_tui.cli import language, output

    arguments = language.choose(arguments)
    if not arguments and output.is_terminal(sys.stdin) and output.is_terminal(sys.stdout):
        # Without a word the app opens, and is on the screen sooner if nothing is loaded that reads words.
        from bpe_tui.ui.app import run_app

        run_app()
        return 0
    from bpe_tui.cli.plain import plain_training

    asked = plain_training(arguments)
    if asked is not None:
        from bpe_tui.cli.training import carry_out_training

        return carry_out_training(**asked)
    from bpe_tui.cli.commands import carry_out

    return carry_out(arguments)


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
        from bpe_tui.cli.errors import tell_bug

        status = tell_bug(error)
    if "numpy" in sys.modules and not {"textual", "distributed"} & sys.modules.keys():
        # Freeing what a training has made, one object at a time, would take a while. Screens and clusters have more
        # to put away than memory.
        from bpe_tui.cli import output

        output.leave(status)
    sys.exit(status)
