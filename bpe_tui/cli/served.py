"""The processes behind the browsers: the same program, within walls. `bpe_tui.web` starts this; it is no command.

    python -m bpe_tui.cli.served '{"memory": MEGABYTES, "text": BYTES}' open hug …

One process loads the program and then waits for the server, which is at its stdin. Whenever the server asks, it splits
off a client's process, which has all modules in its memory already and shares them with the others: thirty browsers
that come at once are served at once. The command line comes from the person who started the server; a client only
sends keys and texts.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import socket
import sys
from typing import Any, Final

BROKEN: Final = b'{"type": "broken"}'
"""The last message of an app that did not end because the learner asked for it."""


def run() -> None:
    """Load the program; then, in each process that the server asks for, raise the walls and be the program."""
    given = json.loads(sys.argv[1])
    for name in [name for name in os.environ if name.startswith("TEXTUAL")]:
        del os.environ[name]
    os.environ.update(
        TEXTUAL_DRIVER="bpe_tui.ui.served_driver:ServedDriver",
        TEXTUAL_COLOR_SYSTEM="truecolor",
        TEXTUAL_ANIMATIONS="none",
    )
    gc.disable()  # for good here, and in a client until the app is on the screen: see bpe_tui.cli.main
    from bpe_tui.cli import language

    language.choose(sys.argv[2:])  # before the screens are loaded
    _load()
    gc.freeze()
    wanted = _wait(socket.socket(fileno=os.dup(0)))
    if wanted is None:
        return
    os.environ.update(COLUMNS=str(wanted["columns"]), ROWS=str(wanted["rows"]))

    from bpe_tui.cli.main import main
    from bpe_tui.core.corpus.sources import corpora_folder
    from bpe_tui.core.runtime import Policy, impose
    from bpe_tui.web.guard import confine, limit

    impose(Policy(is_served=True, text_limit=given["text"]))
    limit(given["memory"])
    confine([corpora_folder()])
    try:
        status = main(sys.argv[2:])
    except Exception:
        status = 2
    if status:
        # Textual's driver takes its leave in any case; this is the only way to know that nobody has asked for it.
        with contextlib.suppress(OSError):
            os.write(1, b"M" + len(BROKEN).to_bytes(4, "big") + BROKEN)
    sys.exit(status)


def _load() -> None:
    """What every client will need."""
    import bpe_tui.cli.app
    import bpe_tui.cli.commands.lesson
    import bpe_tui.cli.commands.open
    import bpe_tui.core.corpus.counting
    import bpe_tui.core.corpus.word_tables
    import bpe_tui.core.encoding.encoder
    import bpe_tui.core.teaching.divergence
    import bpe_tui.core.teaching.reference
    import bpe_tui.ui.app
    import bpe_tui.ui.dialogs.help
    import bpe_tui.ui.dialogs.open_served
    import bpe_tui.ui.dialogs.save
    import bpe_tui.ui.encode.screen
    import bpe_tui.ui.lesson.screen
    import bpe_tui.ui.served_driver
    import bpe_tui.web.guard

    bpe_tui.web.guard.missing_walls()


def _wait(control: socket.socket) -> dict[str, Any] | None:
    """Serve the server's requests. Returns the request in each new process; None once the server is gone."""
    running: set[int] = set()
    while True:
        message, handles, _, _ = socket.recv_fds(control, 1024, 1)
        if not message:
            for process in running:
                _end(process)
            return None
        wanted = json.loads(message)
        if (process := wanted.get("process")) is not None:
            if process in running:
                match wanted["do"]:
                    case "pause":
                        _signal(process, signal.SIGSTOP)
                    case "resume":
                        _signal(process, signal.SIGCONT)
                    case "end":
                        _end(process)
                        running.discard(process)
            control.sendall(b"0\n")
            continue
        process = os.fork()
        if not process:
            control.close()
            for descriptor in (0, 1):
                os.dup2(handles[0], descriptor)
            os.close(handles[0])
            return dict(wanted)
        os.setpgid(process, process)
        os.close(handles[0])
        running.add(process)
        control.sendall(b"%d\n" % process)


def _end(process: int) -> None:
    """End a client's process and whatever it started. Until it is waited for, its number is not given to another."""
    _signal(process, signal.SIGKILL)
    os.waitpid(process, 0)


def _signal(process: int, signal_: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended by itself
        os.killpg(process, signal_)


if __name__ == "__main__":
    run()
