"""Components of a tokenizer.json that the package `tokenizers` runs: every normalizer, and what we have no code for.

Its native code panics on some files, never ends on others, and takes all memory for a third kind. So it runs in a
helper process (`native`), started when it is first needed and again after it had to be ended; all that is lost with it
is the answer. Texts are sent many at a time. The package is the extra `hf`; only files with such components need it.
"""

from __future__ import annotations

import importlib.util
import math
import signal
import time
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from threading import Lock
from typing import Any, Final

from bpe_tui.core import system
from bpe_tui.core.corpus.memory import SHARE, free_memory, memory_in_use, memory_limit, size_text
from bpe_tui.core.corpus.patterns import current_should_stop, current_time_limit
from bpe_tui.core.corpus.types import raise_if_stopped
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.helper_process import HelperProcess
from bpe_tui.core.i18n import _, number
from bpe_tui.core.runtime import policy
from bpe_tui.formats.huggingface import native
from bpe_tui.formats.huggingface.aligned_text import AlignedText, is_each_its_own, to_cluster_ends, within

INSTALL: Final = "pip install '.[hf]'"
MEMORY: Final = 2_000_000_000
"""Bytes that a component may take, unless --max-memory says otherwise; there may be less."""
BATCH: Final = 1_000_000
"""Characters of texts that are sent together. The time limit holds for so many."""
NAMED: Final = 3
"""Members of a Sequence that a sentence names."""
_POLL: Final = 0.05
"""Seconds between two looks whether the answer is still wanted."""
_FRESH: Final = 1.0
"""Seconds for which the system's word on how much memory is free is taken; to ask takes as long as a short request."""
_START_TIME: Final = 30.0
"""Seconds that a helper may take to start, beside what it takes for the request."""


class ForeignNormalizer:
    """A normalizer, run by the package `tokenizers`."""

    def __init__(self, component: Any) -> None:
        """Raises TokenizerFileError if the package is not installed or does not accept the component."""
        self._component = ForeignComponent("normalizer", component)

    def texts(self, texts: Sequence[str]) -> list[str]:
        """The texts, each normalized. Raises TokenizerFileError if that fails."""
        return [text for answer, _data in self._component.run("normalize", texts) for text in answer["texts"]]

    def aligned(self, texts: Sequence[AlignedText]) -> list[AlignedText | None]:
        """The texts, each normalized; None where nothing is left. Raises TokenizerFileError if that fails."""
        found: list[AlignedText | None] = []
        for text, (words, starts, ends) in zip(texts, self._component.aligned(texts), strict=True):
            if not words:
                found.append(None)
            elif words[0] == text.text and is_each_its_own(starts, ends, len(text.text)):
                found.append(text)
            else:
                places = within(text, to_cluster_ends(starts, ends, text.text))
                found.append(AlignedText(words[0], places[0][0], places))
        return found


class ForeignPreTokenizer:
    """A pre-tokenizer that the package `tokenizers` runs."""

    def __init__(self, component: Any) -> None:
        """Raises TokenizerFileError if the package is not installed or does not accept the component."""
        self._component = ForeignComponent("pre_tokenizer", component)

    def split(self, texts: Sequence[AlignedText]) -> list[AlignedText]:
        """The words of all texts, none of them empty. Raises TokenizerFileError if that fails."""
        found = []
        for text, (words, starts, ends) in zip(texts, self._component.aligned(texts), strict=True):
            done = 0
            for word in words:
                start, following = starts[done], done + len(word)
                if text.text.startswith(word, start) and ends[following - 1] == start + len(word):
                    found.append(text.slice(start, start + len(word)))
                else:
                    places = within(text, list(zip(starts[done:following], ends[done:following], strict=True)))
                    found.append(AlignedText(word, places[0][0], places))
                done = following
        return found

    def check_growth(self, words: int, length: int) -> None:
        """Raises TokenizerFileError if the words, in characters, have become too much for a text of some length.

        Each of several components may keep to its limit, and all together not.
        """
        if words > native.most_after(length):
            raise TokenizerFileError(_Broken("growth", native.MOST_GROWTH).sentence(self._component.name, length))

    def words(self, texts: Sequence[str]) -> list[list[str]]:
        """The words of each text. Raises TokenizerFileError if that fails."""
        return [words for answer, _data in self._component.run("words", texts) for words in answer["words"]]


class ForeignDecoder:
    """A decoder that the package `tokenizers` runs."""

    def __init__(self, component: Any) -> None:
        """Raises TokenizerFileError if the package is not installed or does not accept the component."""
        self._component = ForeignComponent("decoder", component)

    def decode(self, texts: Sequence[str]) -> str:
        """The text that the tokens' texts make. Raises TokenizerFileError if that fails."""
        answer, _data = self._component.ask("decode", texts)
        text: str = answer["text"]
        return text


class ForeignComponent:
    """A normalizer, pre_tokenizer or decoder in the helper process."""

    def __init__(self, part: str, component: Any) -> None:
        """Raises TokenizerFileError, naming the component, if the package is not installed or does not accept it."""
        self.name = name_of(part, component)
        """As a sentence names it."""
        self._key = next(_keys)
        self._given = {"part": part, "component": component}
        check_usable(self.name)
        try:
            _helper.load(self._key, self._given)
        except _Refused as error:
            sentence = _("{name} is not one that tokenizers accepts: {reason}")
            raise TokenizerFileError(sentence.format(name=self.name, reason=error)) from None
        except _Broken as error:
            raise TokenizerFileError(error.sentence(self.name, 0)) from None

    def run(self, task: str, texts: Sequence[str]) -> Iterator[tuple[dict[str, Any], bytes]]:
        """The answers for texts, several texts at a time. Raises TokenizerFileError, naming the component."""
        for batch in batches(texts):
            yield self.ask(task, batch)

    def ask(self, task: str, texts: Sequence[str]) -> tuple[dict[str, Any], bytes]:
        """The answer for texts. Raises TokenizerFileError, naming the component, if it fails on them."""
        request = {"task": task, "with": self._key, "part": self._given["part"], "texts": texts}
        length = sum(map(len, texts))
        try:
            return _helper.ask(request, seconds=current_time_limit() * max(1, -(-length // BATCH)), given=self._given)
        except _Refused as error:
            sentence = _("{what} failed on a text: {reason}")
            raise TokenizerFileError(sentence.format(what=self.name, reason=error)) from None
        except _Broken as error:
            raise TokenizerFileError(error.sentence(self.name, length)) from None

    def aligned(self, texts: Sequence[AlignedText]) -> Iterator[tuple[list[str], array[int], array[int]]]:
        """For each text the words that are left of it, and the starts and ends of all their characters in the text."""
        for answer, data in self.run("align", [text.text for text in texts]):
            numbers = array("I", data)
            done, half = 0, len(numbers) // 2
            for words in answer["words"]:
                following = done + sum(map(len, words))
                yield words, numbers[done:following], numbers[half + done : half + following]
                done = following


def batches(texts: Iterable[str]) -> Iterator[list[str]]:
    """Texts in their order, some together, as long as these are not longer than `BATCH`."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and size + len(text) > BATCH:
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


def is_installed() -> bool:
    """Whether there is the package `tokenizers`."""
    return importlib.util.find_spec("tokenizers") is not None


def check_usable(name: str) -> None:
    """Raises TokenizerFileError, naming a component, if the package cannot be run for it."""
    if not policy().starts_processes:
        sentence = _("{name} needs a process of its own, which a program in the browser does not get")
        raise TokenizerFileError(sentence.format(name=name))
    if not is_installed():
        sentence = _("{name} needs the package tokenizers; in your clone of bpe-tui: {install}")
        raise TokenizerFileError(sentence.format(name=name, install=INSTALL))


def canonical(text: str) -> str:
    """A tokenizer.json as the package writes it. Raises TokenizerFileError if it does not read it."""
    name = _("the tokenizer")
    check_usable(name)
    try:
        answer, _data = _helper.ask({"task": "canonical", "text": text}, seconds=current_time_limit())
    except _Refused as error:
        raise TokenizerFileError(str(error)) from None
    except _Broken as error:
        raise TokenizerFileError(error.sentence(name, len(text))) from None
    written: str = answer["text"]
    return written


def train(texts: Iterable[str], pre_tokenizer: Any, options: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The BPE model that the package learns from texts, and the package's version; it may take its time.

    `options` are those of its `BpeTrainer`. Raises TokenizerFileError.
    """
    name = _("training with tokenizers")
    request = {"task": "train", "component": pre_tokenizer, "options": options}
    helper = Helper()  # of its own: nothing else waits for it
    try:
        answer, _data = helper.ask(request, seconds=None, more=texts)
    except _Refused as error:
        raise TokenizerFileError(_("tokenizers cannot cut a text this way: {reason}").format(reason=error)) from None
    except _Broken as error:
        raise TokenizerFileError(error.sentence(name, 0)) from None
    finally:
        helper.end()
    return answer["model"], answer["version"]


def name_of(part: str, component: Any) -> str:
    """A component as a sentence names it."""
    names = {
        "normalizer": _("the normalizer {kind}"),
        "pre_tokenizer": _("the pre-tokenizer {kind}"),
        "decoder": _("the decoder {kind}"),
        "post_processor": _("the post-processor {kind}"),
    }
    return names[part].format(kind=_kind_of(component))


def _kind_of(component: Any) -> str:
    if isinstance(component, dict) and component.get("type") == "Sequence":
        members = next((part for part in component.values() if isinstance(part, list)), [])
        named = [_kind_of(member) for member in members[:NAMED]]
        return " + ".join([*named, "…"] if len(members) > NAMED else named) or "Sequence"
    has_type = isinstance(component, dict) and isinstance(component.get("type"), str)
    return str(component["type"]) if has_type else _("without a type")


# -- the process ------------------------------------------------------------------------------------------------------


class _Refused(Exception):
    """The package says no; `str(error)` is its reason, on one line."""


class _Broken(Exception):
    """There is no answer: `time`, `memory`, `growth`, or the status of a process that has ended."""

    def __init__(self, cause: str, limit: float = 0) -> None:
        super().__init__(cause)
        self._cause = cause
        self._limit = limit

    def sentence(self, what: str, length: int) -> str:
        """Why `what` gave no answer on a text of that length."""
        if self._cause == "time":
            message = _("{what} did not finish on a text of {length} characters within {limit} s")
        elif self._cause == "memory":
            message = _("{what} needs more than {limit} of memory on a text of {length} characters")
        elif self._cause == "growth":
            message = _("{what} makes a text of {length} characters more than {limit} times as long")
        else:
            message = _("{what} broke off on a text of {length} characters ({cause})")
        limit = size_text(self._limit) if self._cause == "memory" else format(self._limit, ".0f")
        return message.format(what=what, length=number(length), limit=limit, cause=self._cause)


class Helper:
    """The helper process, or none while nobody has asked for anything."""

    def __init__(self) -> None:
        self._process: HelperProcess | None = None
        self._unread = bytearray()
        """What it has written and nobody has looked at."""
        self._loaded: set[int] = set()
        """Components that the process knows."""
        self._free = (0, -math.inf)
        """Bytes that a request may take of the machine's memory, and when that was asked."""
        self._lock = Lock()

    def load(self, key: int, given: dict[str, Any]) -> None:
        """Have a component ready. Raises `_Refused` and `_Broken`."""
        with self._lock:
            self._load(key, given)

    def ask(
        self,
        request: dict[str, Any],
        *,
        seconds: float | None,
        given: dict[str, Any] | None = None,
        more: Iterable[str] | None = None,
    ) -> tuple[dict[str, Any], bytes]:
        """The answer to a request, and the bytes with it.

        `seconds` is its limit in processor time, `given` the component that it needs, `more` the texts that it streams.
        Raises `_Refused`, `_Broken`, and `Cancelled` soon after nobody wants the answer any more.
        """
        with self._lock:
            if given is not None and (self._process is None or request["with"] not in self._loaded):
                self._load(request["with"], given)
            return self._ask(request, seconds, more)

    def end(self) -> None:
        """End the process, if there is one."""
        with self._lock:
            self._end()

    def _load(self, key: int, given: dict[str, Any]) -> None:
        self._ask({"task": "load", "with": key, **given}, current_time_limit(), None)
        self._loaded.add(key)

    def _end(self) -> None:
        if self._process is not None:
            self._process.end()
        self._process = None
        self._unread.clear()
        self._loaded.clear()

    def _ask(
        self, request: dict[str, Any], seconds: float | None, more: Iterable[str] | None
    ) -> tuple[dict[str, Any], bytes]:
        memory = self._memory()
        try:
            if self._process is None:
                try:
                    self._process = HelperProcess(native.__name__)
                except OSError as error:
                    raise _Broken(str(error.strerror)) from None
            try:
                native.send(self._process.stdin, {**request, "seconds": seconds, "memory": memory})
                if more is not None:
                    for batch in batches(more):
                        native.send(self._process.stdin, {"texts": batch})
                    native.send(self._process.stdin, {"texts": None})
            except OSError as error:
                if not system.is_closed_pipe(error):
                    raise
                # It has ended, and its status says so.
            # The kernel holds it to processor time; this is for what only waits, or a machine that is very busy.
            until = None if seconds is None else time.monotonic() + _START_TIME + 5 * seconds
            size, rest = native.HEAD.unpack(self._read(native.HEAD.size, until, seconds, memory))
            answer = native.parse(self._read(size, until, seconds, memory))
            data = self._read(rest, until, seconds, memory)
        except BaseException:
            self._end()
            raise
        failure = answer.get("failure")
        if failure == "error":
            raise _Refused(answer["reason"])
        if failure is not None:
            self._end()  # with all that it holds
            raise _Broken(failure, memory if failure == "memory" else native.MOST_GROWTH)
        return answer, data

    def _memory(self) -> int:
        """Bytes that the process may take for a request."""
        limit = memory_limit()
        if limit is not None:
            return max(1, limit - memory_in_use())
        memory, asked = self._free
        if time.monotonic() - asked >= _FRESH:
            free = free_memory()
            memory = MEMORY if free is None else min(MEMORY, int(free * SHARE))
            self._free = memory, time.monotonic()
        return memory

    def _read(self, size: int, until: float | None, seconds: float | None, memory: int) -> bytes:
        """So many bytes of the answer."""
        assert self._process is not None
        should_stop = current_should_stop()
        while len(self._unread) < size:
            part = self._process.read(_POLL)
            if part:
                self._unread += part
            elif part is not None:
                raise self._end_of(seconds, memory)
            elif until is not None and time.monotonic() > until:
                raise _Broken("time", seconds or 0)
            raise_if_stopped(should_stop)
        found = bytes(self._unread[:size])
        del self._unread[:size]
        return found

    def _end_of(self, seconds: float | None, memory: int) -> _Broken:
        """Why the process has ended."""
        assert self._process is not None
        status = self._process.wait()
        if system.used_its_time(status):
            return _Broken("time", seconds or 0)
        if b"memory allocation" in self._process.report or system.was_killed(status):
            return _Broken("memory", memory)
        try:
            return _Broken(signal.Signals(-status).name)
        except ValueError:
            return _Broken(str(status))


_helper: Final = Helper()
_keys: Final = count()
"""Of components."""
