"""The helper process in which the package `tokenizers` runs: its native code may never end, or abort the process.

It answers one request after the other, each a JSON object with bytes behind it; see `foreign`, its only client. Nothing
but the standard library and that package is loaded for it.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import sys
from array import array
from collections.abc import Iterator
from itertools import chain
from typing import IO, Any, Final

from bpe_tui.core import system

HEAD: Final = struct.Struct(">QQ")
"""Before each message: the bytes of its JSON, and those behind it."""
MOST_GROWTH: Final = 100
"""A component may make a text so many times as long, ..."""
ALWAYS_ALLOWED: Final = 1_000_000
"""... or this many characters long."""


_MODEL: Final = {"type": "BPE", "vocab": {"unknown": 0}, "merges": [], "unk_token": "unknown"}


def most_after(length: int) -> int:
    """Characters that a component may make of a text of some length."""
    return max(ALWAYS_ALLOWED, MOST_GROWTH * length)


def send(stream: IO[bytes], message: object, data: bytes = b"") -> None:
    """Write one message."""
    # Lone surrogates, which the package refuses, travel as they are.
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    stream.write(HEAD.pack(len(text), len(data)) + text)
    stream.write(data)
    stream.flush()


def parse(text: bytes) -> Any:
    """The JSON of a message."""
    return json.loads(text.decode("utf-8", "surrogatepass"))


def work() -> None:
    """Answer requests until there are no more."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever the package may print
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    worker = _Worker(requests)
    while (request := worker.receive()) is not None:
        try:
            answer, data = worker.answer(request)
        except MemoryError:
            answer, data = {"failure": "memory"}, b""
        except _TooLong:
            answer, data = {"failure": "growth"}, b""
        except BaseException as error:  # a panic of the package is no Exception
            answer, data = {"failure": "error", "reason": " ".join(str(error).split())}, b""
        system.end_after_processor_time(0)
        send(answers, answer, data)
        if request["task"] == "train":  # if that failed, there are texts that nobody has read
            break


class _TooLong(Exception):
    """A text became too long."""


class _Worker:
    def __init__(self, requests: IO[bytes]) -> None:
        self._requests = requests
        self._tokenizers: dict[int, Any] = {}
        """For each component one that has it."""

    def receive(self) -> Any:
        """The next message; None if there are no more."""
        head = self._requests.read(HEAD.size)
        if len(head) < HEAD.size:
            return None
        size, more = HEAD.unpack(head)
        message = parse(self._requests.read(size))
        self._requests.read(more)
        return message

    def answer(self, request: dict[str, Any]) -> tuple[Any, bytes]:
        """The outcome of a request, and bytes to be sent with it."""
        import tokenizers  # within the reach of the errors above

        _limit_memory(request["memory"])
        system.end_after_processor_time(request["seconds"] or 0)
        task = request["task"]
        if task == "load":
            self._tokenizers[request["with"]] = _tokenizer(request["part"], request["component"])
            return {}, b""
        if task == "canonical":
            return {"text": tokenizers.Tokenizer.from_str(request["text"]).to_str()}, b""
        if task == "train":
            return {"model": self._train(request), "version": tokenizers.__version__}, b""
        tokenizer, texts = self._tokenizers[request["with"]], request["texts"]
        runner = getattr(tokenizer, request["part"])
        most = most_after(sum(map(len, texts)))
        if task == "align":
            return _aligned(texts, tokenizer, request["part"], most)
        if task == "decode":
            text = runner.decode(texts)
            _check_growth([text], most)
            return {"text": text}, b""
        if task == "normalize":
            found = []
            for text in texts:
                found.append(runner.normalize_str(text))
                most -= _check_growth(found[-1:], most)
            return {"texts": found}, b""
        words = []
        for text in texts:
            words.append([word for word, _place in runner.pre_tokenize_str(text)])
            most -= _check_growth(words[-1], most)
        return {"words": words}, b""

    def _train(self, request: dict[str, Any]) -> Any:
        from tokenizers import Tokenizer
        from tokenizers.trainers import BpeTrainer

        tokenizer = _tokenizer("pre_tokenizer", request["component"])
        trainer = BpeTrainer(**request["options"], show_progress=False)

        def texts() -> Iterator[str]:
            while (message := self.receive()) is not None and message["texts"] is not None:
                yield from message["texts"]

        assert isinstance(tokenizer, Tokenizer)
        tokenizer.train_from_iterator(texts(), trainer)
        return json.loads(tokenizer.to_str())["model"]


def _tokenizer(part: str, component: Any) -> Any:
    """A tokenizer with this one component, to whose model every character is an unknown token."""
    from tokenizers import Tokenizer

    return Tokenizer.from_str(json.dumps({"version": "1.0", part: component, "model": _MODEL}))


def _check_growth(texts: list[str], most: int) -> int:
    """The length of some texts. Raises `_TooLong`."""
    size = sum(map(len, texts))
    if size > most:
        raise _TooLong
    return size


def _limit_memory(more: int) -> None:
    """Let this process take that many bytes more than it has, where the system can hold it to that."""
    with contextlib.suppress(OSError, ValueError):
        system.limit_address_space(system.memory_taken()[0] + more)


# -- texts whose characters know where they were ----------------------------------------------------------------------


def _aligned(texts: list[str], tokenizer: Any, part: str, most: int) -> tuple[Any, bytes]:
    """The words of each text; and, as two arrays of 32-bit numbers, the starts and ends of their characters in it.

    The places come from the package's own encoding, in which each character is a token; asked of it one by one they
    would cost five times as much.
    """
    starts, ends = array("I"), array("I")
    words = []
    for text in texts:
        if part == "normalizer":
            normalized = tokenizer.normalizer.normalize_str(text)
            placed = [(normalized, (0, 0))] if normalized else []
        else:
            placed = tokenizer.pre_tokenizer.pre_tokenize_str(text)
        words.append([word for word, _ in placed])
        most -= _check_growth(words[-1], most)
        if part == "pre_tokenizer" and all(word == text[start:end] for word, (start, end) in placed):
            for _word, (start, end) in placed:
                starts.extend(range(start, end))
                ends.extend(range(start + 1, end + 1))
            continue
        offsets = array("I", chain.from_iterable(tokenizer.encode(text, add_special_tokens=False).offsets))
        starts += offsets[::2]
        ends += offsets[1::2]
    return {"words": words}, starts.tobytes() + ends.tobytes()
