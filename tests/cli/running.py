"""Run `bpe-tui` inside the test's own process, as a shell would see it."""

import io
import json
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from bpe_tui.cli.main import main


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    status: int
    stdout: bytes
    stderr: str

    @property
    def text(self) -> str:
        """What was printed."""
        return self.stdout.decode()

    @property
    def json(self) -> Any:
        """What was printed, as JSON."""
        return json.loads(self.stdout)

    @property
    def error(self) -> str:
        """The one line on stderr of a request that could not be met."""
        assert self.status == 2
        assert self.stdout == b""
        assert self.stderr.count("\n") == 1
        assert self.stderr.startswith("bpe-tui: ")
        return self.stderr.removeprefix("bpe-tui: ").rstrip("\n")


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Yes."""
        return True


def run(*arguments: object, stdin: bytes = b"", encoding: str = "utf-8", terminal: bool = False) -> Result:
    """Run one command line; `encoding` is that of stdout and stderr, which are terminals if `terminal`."""
    kind = Terminal if terminal else io.TextIOWrapper
    streams = {
        "stdin": kind(io.BytesIO(stdin), encoding="utf-8"),
        "stdout": kind(io.BytesIO(), encoding=encoding),
        "stderr": kind(io.BytesIO(), encoding=encoding),
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, stream in streams.items():
            patch.setattr(sys, name, stream)
        status = main([str(argument) for argument in arguments])
        written = {}
        for name in ("stdout", "stderr"):
            streams[name].flush()
            buffer = streams[name].buffer
            assert isinstance(buffer, io.BytesIO)
            written[name] = buffer.getvalue()
    return Result(status, written["stdout"], written["stderr"].decode(encoding))


def done(*arguments: object, stdin: bytes = b"") -> Result:
    """Run one command line that must succeed."""
    result = run(*arguments, stdin=stdin)
    assert result.status == 0, result.stderr
    return result
