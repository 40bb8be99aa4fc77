"""The programs that are compared, as command lines: each reads a text, trains, and ends."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.measure import Command

# All cut by GPT-2's pattern and train on all 256 bytes, by the rule lowest-id where they have a say in it.
_TRAIN: Final = {
    "tokenizers": """
import sys
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
tokenizer = Tokenizer(models.BPE())
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tokenizer.train([sys.argv[1]], trainers.BpeTrainer(
    vocab_size=int(sys.argv[2]), special_tokens=["<|endoftext|>"], show_progress=False,
    initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
))
""",
    "rustbpe": """
import sys
import rustbpe
with open(sys.argv[1], encoding="utf-8") as lines:
    rustbpe.Tokenizer().train_from_iterator(lines, int(sys.argv[2]), pattern=sys.argv[3])
""",
    "gigabpe": """
import sys
import gigabpe
gigabpe.train_bpe([sys.argv[1]], int(sys.argv[2]), special_tokens=["<|endoftext|>"], pretokenizer="bytelevel")
""",
}

_ENCODE: Final = """
import hashlib, json, sys, time
from tokenizers import Tokenizer
tokenizer = Tokenizer.from_file(sys.argv[1])
with open(sys.argv[2], encoding="utf-8", newline="") as file:
    text = file.read()
begin = time.perf_counter()
encoding = tokenizer.encode(text)
ids = encoding.ids
seconds = time.perf_counter() - begin
tokens = encoding.tokens, encoding.offsets
places = time.perf_counter() - begin
found = hashlib.sha256(json.dumps(ids).encode()).hexdigest()
print(json.dumps({"seconds": seconds, "places": places, "tokens": len(ids), "hash": found}))
"""


@dataclass(frozen=True, slots=True)
class Programs:
    """Command lines of ourselves and of the peers."""

    peers: Path
    """The Python that has the peers."""
    folder: Path
    """Where what is trained may be written."""

    def train(self, name: str, text: Path, vocab_size: int) -> Command:
        """A peer by its name, or one of our own tie rules."""
        if name in _TRAIN:
            from bpe_tui.core.corpus.pretokenize import PATTERNS

            return [self.peers, "-c", _TRAIN[name], text, str(vocab_size), PATTERNS["gpt2"]]
        options = ("--preset", "huggingface", "--ties", name, "--vocab-size", str(vocab_size))
        return [sys.executable, "-m", "bpe_tui", "train", text, *options, "-o", self.tokenizer]

    @property
    def tokenizer(self) -> Path:
        """What our last training has written."""
        return self.folder / "ours.json"

    def inside(self, what: str, *arguments: str | Path) -> Command:
        """A part of our own program that is timed from inside; see `benchmarks.inside`."""
        return [sys.executable, "-m", "benchmarks.inside", what, *arguments]

    def encode_by_peer(self, text: Path) -> Command:
        """The peer encodes a text with the tokenizer of our last training."""
        return [self.peers, "-c", _ENCODE, self.tokenizer, text]
