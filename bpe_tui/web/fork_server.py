"""The fork server: one process that has the program loaded, and forks a process for each client."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import sys
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import DEVNULL, Process
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bpe_tui.formats.settings import VARIABLE as SETTINGS_FILE
from bpe_tui.web.settings import Settings

INHERITED: Final = ("PATH", "HOME", "TZ", "LANG", "LC_", "PYTHON", "VIRTUAL_ENV", "LD_LIBRARY_", "DYLD_", "BPE_TUI_")
"""How the names of variables begin that a client's process inherits."""
PACKAGE: Final = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Child:
    """A client's process."""

    number: int
    """Of the process, and of its group."""
    stdout: StreamReader
    stdin: StreamWriter


class ForkServer:
    """Starts, pauses and ends clients' processes."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: Process | None = None
        self._control: socket.socket | None = None
        self._lock = asyncio.Lock()

    async def warm_up(self) -> None:
        """Have the program loaded before the first client comes."""
        async with self._lock:
            await self._start()

    async def begin(self, columns: int, rows: int) -> Child:
        """A new process of the app. Raises OSError if none can be started."""
        ours, theirs = socket.socketpair()
        try:
            number = await self._ask_twice({"columns": columns, "rows": rows}, theirs.fileno())
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        reader, writer = await asyncio.open_connection(sock=ours)
        return Child(number, reader, writer)

    async def end(self, child: Child) -> None:
        """End a process, and whatever it may have started, at once."""
        child.stdin.close()
        await self._tell("end", child)

    async def pause(self, child: Child) -> None:
        """Stop a process where it is: until it is resumed it computes nothing and writes nothing."""
        await self._tell("pause", child)

    async def resume(self, child: Child) -> None:
        """Let a process go on."""
        await self._tell("resume", child)

    async def close(self) -> None:
        """End all of them."""
        async with self._lock:
            if self._control is not None and self._process is not None:
                self._control.close()
                self._control = None
                await self._process.wait()

    async def _tell(self, what: str, child: Child) -> None:
        # If all are gone already, so is this one.
        with contextlib.suppress(OSError):
            await asyncio.shield(self._ask({"do": what, "process": child.number}))

    async def _ask_twice(self, wanted: dict[str, Any], *handles: int) -> int:
        """Ask; if the process that is asked turns out to have died, ask its successor."""
        try:
            return await self._ask(wanted, *handles)
        except ConnectionError:
            return await self._ask(wanted, *handles)

    async def _ask(self, wanted: dict[str, Any], *handles: int) -> int:
        async with self._lock:
            if self._process is None or self._process.returncode is not None:
                if "process" in wanted:
                    raise ProcessLookupError
                await self._start()
            assert self._control is not None
            assert self._process is not None
            try:
                socket.send_fds(self._control, [json.dumps(wanted).encode()], handles)
                answer = await asyncio.get_running_loop().sock_recv(self._control, 64)
                if not answer:
                    raise ConnectionResetError
            except ConnectionError:
                with contextlib.suppress(ProcessLookupError):
                    self._process.kill()
                await self._process.wait()
                raise
            return int(answer)

    async def _start(self) -> None:
        """Start the process that the others come from, in a session of its own: no key in our terminal ends it."""
        if self._control is not None:
            self._control.close()
        self._control, theirs = socket.socketpair()
        self._control.setblocking(False)
        limits = self._settings.limits
        given = {"memory": limits.memory, "text": limits.text_bytes}
        with theirs:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "bpe_tui.cli.served", json.dumps(given), *self._settings.arguments),
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),  # where the others will have a socket too
                stderr=DEVNULL,
                cwd=PACKAGE,  # a folder that holds nobody's files
                env=environment(),
                start_new_session=True,
            )


def environment() -> dict[str, str]:
    """The environment of the clients' processes: of ours what Python needs, and nothing that may be secret."""
    path = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **{name: value for name, value in os.environ.items() if name.startswith(INHERITED)},
        "PYTHONPATH": os.pathsep.join(path),
        "PYTHONIOENCODING": "utf-8",
        SETTINGS_FILE: os.devnull,  # those of the person who serves are no concern of the clients
        # One thread each for arithmetic and memory: with many clients more would only cost room.
        "OPENBLAS_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
    }
