"""A tokenizer that reads, writes and encodes as minbpe does, in as few lines; our files are held to it.

As there, `load` does not take the pattern of the file: it stays the one that the tokenizer was made with. In two things
it is less careless than minbpe: the pattern keeps the spaces at its ends, and special tokens may hold spaces.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import regex

GPT4 = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
"""The pattern that minbpe's RegexTokenizer has unless it is given another."""


class MinbpeTool:
    """Merges of ids under a pattern, with special tokens: `RegexTokenizer`, or `BasicTokenizer` without a pattern."""

    def __init__(self, pattern: str = GPT4) -> None:
        self.pattern = pattern
        self.special_tokens: dict[str, int] = {}
        self.merges: dict[tuple[int, int], int] = {}
        self.vocab: dict[int, bytes] = {}

    def train(self, text: str, merges: int) -> None:
        """Merge the most frequent pair; of equally frequent ones the first."""
        chunks = [list(part.encode()) for part in self._parts(text)]
        for number in range(256, 256 + merges):
            counts = Counter(pair for ids in chunks for pair in pairwise(ids))
            if not counts:
                break
            pair = max(counts, key=counts.__getitem__)
            chunks = [self._merged(ids, pair, number) for ids in chunks]
            self.merges[pair] = number
        self._build()

    def encode(self, text: str, *, specials: bool = False) -> list[int]:
        """Ids of a text; special tokens in it are found if `specials`."""
        found: list[int] = []
        parts = [text]
        if specials and self.special_tokens:
            parts = regex.split("(" + "|".join(map(regex.escape, self.special_tokens)) + ")", text)
        for part in parts:
            if specials and part in self.special_tokens:
                found.append(self.special_tokens[part])
                continue
            for chunk in self._parts(part):
                found += self._encoded(list(chunk.encode()))
        return found

    def decode(self, ids: list[int]) -> str:
        """The text of ids."""
        return b"".join(self.vocab[number] for number in ids).decode("utf-8", "replace")

    def save(self, path: Path) -> None:
        """Write the model file."""
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.write(f"minbpe v1\n{self.pattern}\n{len(self.special_tokens)}\n")
            for special, number in self.special_tokens.items():
                file.write(f"{special} {number}\n")
            for left, right in self.merges:
                file.write(f"{left} {right}\n")

    def load(self, path: Path) -> MinbpeTool:
        """Read a model file, but for its pattern."""
        with path.open(encoding="utf-8") as file:
            assert file.readline().strip() == "minbpe v1"
            file.readline()
            for _ in range(int(file.readline().strip())):
                special, number = file.readline().removesuffix("\n").rsplit(" ", 1)
                self.special_tokens[special] = int(number)
            for token, line in enumerate(file, start=256):
                left, right = map(int, line.split())
                self.merges[left, right] = token
        self._build()
        return self

    @classmethod
    def as_told(cls, notes: Iterable[str]) -> MinbpeTool:
        """The tokenizer that the notes say to load a file with."""
        for note in notes:
            if "BasicTokenizer()" in note:
                return cls("")
            made = re.search(r"RegexTokenizer\((.+?)\)$", note)
            if made is not None:
                return cls(ast.literal_eval(made[1]))
        return cls()

    def _parts(self, text: str) -> list[str]:
        parts: list[str] = regex.findall(self.pattern, text) if self.pattern else [text]
        return parts

    def _encoded(self, ids: list[int]) -> list[int]:
        while len(ids) > 1:
            pair = min(pairwise(ids), key=lambda one: self.merges.get(one, 1 << 40))
            if pair not in self.merges:
                break
            ids = self._merged(ids, pair, self.merges[pair])
        return ids

    def _build(self) -> None:
        self.vocab = {byte: bytes([byte]) for byte in range(256)}
        for (left, right), number in self.merges.items():
            self.vocab[number] = self.vocab[left] + self.vocab[right]
        for special, number in self.special_tokens.items():
            self.vocab[number] = special.encode()

    @staticmethod
    def _merged(ids: list[int], pair: tuple[int, int], number: int) -> list[int]:
        made = []
        place = 0
        while place < len(ids):
            if tuple(ids[place : place + 2]) == pair:
                made.append(number)
                place += 2
            else:
                made.append(ids[place])
                place += 1
        return made
