"""GPT-2's two files: the vocabulary with its ids, and the merges in order.

`vocab.json` and `merges.txt`, as `tokenizers` reads and writes them, or `encoder.json` and `vocab.bpe`, as OpenAI
called them. They say neither how a text is cut nor which tokens are special: GPT-2's way is meant, unless the user says
otherwise, and a token that no merge makes is taken for a special one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR, CHAR_TO_BYTE, is_byte_level
from bpe_tui.core.encoding.decoder import Decoder
from bpe_tui.core.encoding.dialect import PLAIN, Dialect
from bpe_tui.core.encoding.token_table import TokenTable
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _, plural
from bpe_tui.core.options import Options, make_options
from bpe_tui.core.system import names_folder
from bpe_tui.core.training.vocabulary import Vocabulary
from bpe_tui.formats import limits
from bpe_tui.formats.files import parse_json, quoted, text_of
from bpe_tui.formats.huggingface.decoders import BYTE_LEVEL, ChainDecoder
from bpe_tui.formats.merges import check_lines, lines_of, parse_lines
from bpe_tui.formats.model import TokenizerModel, assemble, check_ids, in_id_order, tokens_without_merge

TAKES: Final = ("pre_tokenizer", "pattern", "alphabet", "end_of_word", "specials", "unk")
T = TypeVar("T")

PAIRS: Final = (("vocab.json", "merges.txt"), ("encoder.json", "vocab.bpe"))
"""The vocabulary and the merges; both names may have a prefix."""
HEADER: Final = "#version: 0.2"


@dataclass(frozen=True)
class Gpt2Dialect(Dialect):
    """Every token, special or not, is decoded as bytes, which only what is not written in them escapes."""

    def decoder(self, table: TokenTable) -> Decoder:
        """See `Dialect`."""
        return ChainDecoder(table, BYTE_LEVEL, {})


def both_files(path: str) -> tuple[str, str] | None:
    """The vocabulary's and the merges' file, given either of them or the folder they are in; None for other names."""
    place = Path(path)
    if place.is_dir():
        for names in PAIRS:
            if all((place / name).is_file() for name in names):
                return str(place / names[0]), str(place / names[1])
        return None
    for names in PAIRS:
        for name in names:
            if place.name.endswith(name):
                prefix = place.name.removesuffix(name)
                return str(place.with_name(prefix + names[0])), str(place.with_name(prefix + names[1]))
    return None


def files_to_write(path: str) -> tuple[str, str] | None:
    """The vocabulary's and the merges' file that are written for `path`: a folder, or either of the two."""
    if Path(path).is_dir() or names_folder(path):
        return str(Path(path) / PAIRS[0][0]), str(Path(path) / PAIRS[0][1])
    return both_files(path)


def load(path: str, data_of: Callable[[str], bytes], given: Mapping[str, Any]) -> TokenizerModel:
    """Read both files, given either of them or their folder. Raises TokenizerFileError naming the one at fault."""
    found = both_files(path)
    if found is None:
        both_names = _("{vocab} and {merges}")
        pairs = [both_names.format(vocab=vocab, merges=merges) for vocab, merges in PAIRS]
        names = _("{items}, or {last}").format(items=", ".join(pairs[:-1]), last=pairs[-1])
        raise TokenizerFileError(
            _("the two files of this format are called {names}; give one of them, or their folder").format(names=names)
        )
    vocab, merges = Path(found[0]), Path(found[1])

    def text(file: Path) -> str:
        return text_of(data_of(str(file)))

    ids = _naming(vocab, path, lambda: _read_vocab(text(vocab)))
    lines, warnings = _naming(merges, path, lambda: parse_lines(text(merges)).without_repeats(last_counts=True))
    made = _naming(
        merges,
        path,
        lambda: assemble(lines.pairs, ids, lambda place: _("line {line}").format(line=lines.numbers[place])),
    )
    options = _options(ids, lines.pairs, given, len(made))
    tokens = tuple(in_id_order(ids))
    ending = options.end_of_word
    alphabet = tuple(token for token in tokens if len(token.removesuffix(ending) if len(token) > 1 else token) == 1)
    specials = given.get("specials") or tokens_without_merge(filter(None, tokens), made, alphabet)
    for special in specials:
        if special not in ids:
            raise TokenizerFileError(
                _("{vocab}: there is no token {special} to be a special one").format(
                    vocab=vocab.name, special=quoted(special)
                )
            )
    policy = "drop" if given.get("unk") is None else "token"
    if given.get("unk") is not None and given["unk"] not in ids:
        raise TokenizerFileError(
            _("{vocab}: there is no token {unk} for unknown symbols").format(vocab=vocab.name, unk=quoted(given["unk"]))
        )
    if is_byte_level(options) and options.alphabet != "all-bytes" and policy == "drop":
        missing = sum(char not in ids for char in BYTE_TO_CHAR)
        warnings.append(
            plural(
                "{vocab} lacks {count} of the 256 bytes; tokenizers drops it from a text, and so do we",
                "{vocab} lacks {count} of the 256 bytes; tokenizers drops them from a text, and so do we",
                missing,
                vocab=vocab.name,
            )
        )
    vocabulary = Vocabulary(tokens, tuple(specials), alphabet, made, ids)
    dialect = Gpt2Dialect() if is_byte_level(options) else PLAIN
    return TokenizerModel(vocabulary, options.replace(specials=tuple(specials)), policy, tuple(warnings), dialect)


def _naming(file: Path, path: str, work: Callable[[], T]) -> T:
    """The outcome of `work`; its errors name `file` if that is not the file that the user named."""
    try:
        return work()
    except TokenizerFileError as error:
        if str(file) == path:
            raise
        raise TokenizerFileError(_("{name}: {reason}").format(name=file.name, reason=error)) from error


def _read_vocab(text: str) -> dict[str, int]:
    vocab = parse_json(text)
    if not isinstance(vocab, dict):
        raise TokenizerFileError(_("not a vocabulary, no JSON object of tokens and ids"))
    return check_ids(vocab)


def _options(ids: Mapping[str, int], pairs: list[tuple[str, str]], given: Mapping[str, Any], merges: int) -> Options:
    """GPT-2's options, or those given. Raises TokenizerFileError for a vocabulary that cannot be GPT-2's."""
    chosen = {name: value for name, value in given.items() if name != "specials"}
    if "alphabet" not in chosen:
        odd = next((part for pair in pairs for part in pair if not CHAR_TO_BYTE.keys() >= set(part)), None)
        if odd is not None:
            raise TokenizerFileError(
                _(
                    "the token {odd} is not written in GPT-2's byte characters; say --alphabet "
                    "characters, and how a text is cut, as --pre-tokenizer whitespace"
                ).format(odd=quoted(odd))
            )
        whole = all(char in ids for char in BYTE_TO_CHAR)
        chosen["alphabet"] = "all-bytes" if whole else "seen-bytes"
    if "end_of_word" not in chosen and any(right.endswith("</w>") for _, right in pairs):
        raise TokenizerFileError(
            _(
                "its merges hold </w>, which GPT-2's do not; say --end-of-word '</w>' if words end "
                "in it, and how a text is cut, as --pre-tokenizer whitespace"
            )
        )
    raw = chosen["alphabet"] == "all-bytes" and all(ids.get(char) == byte for byte, char in enumerate(BYTE_TO_CHAR))
    return make_options(
        "huggingface", **{"pre_tokenizer": None, **chosen}, raw_byte_ids=raw, specials=(), merges=merges
    )


# -- writing ----------------------------------------------------------------------------------------------------------


def check_options(options: Options) -> None:
    """Raises TokenizerFileError if GPT-2's way of encoding is another one than `options` say."""
    limits.check_no_protected(options, _("{vocab} and {merges}").format(vocab=PAIRS[0][0], merges=PAIRS[0][1]))
    if not is_byte_level(options):
        raise TokenizerFileError(
            _("vocab.json and merges.txt stand for an alphabet of bytes, not of characters; write a tokenizer.json")
        )
    if options.pre_tokenizer != "gpt2":
        raise TokenizerFileError(
            _(
                "vocab.json and merges.txt mean that texts are cut as in GPT-2, not by {how}; write a tokenizer.json"
            ).format(how=limits.how_cut(options))
        )
    if options.end_of_word:
        raise TokenizerFileError(
            _("vocab.json and merges.txt stand for words without an ending; write a tokenizer.json")
        )


def check_model(model: TokenizerModel) -> None:
    """Raises TokenizerFileError for a model that the files cannot represent."""
    check_options(model.options)
    limits.check_dialect(model, _("{vocab} and {merges}").format(vocab=PAIRS[0][0], merges=PAIRS[0][1]))
    limits.check_utf8(model)
    check_lines(model.vocabulary.merges)


def options_beside(model: TokenizerModel) -> dict[str, Any]:
    """The options with which the files have to be read."""
    beside: dict[str, Any] = {"alphabet": model.options.alphabet}
    inside = model.vocabulary.ids.keys() - model.dialect.outside
    specials = tuple(text for text in limits.special_texts(model) if text in inside)
    return {**beside, "specials": specials} if specials else beside


def files(model: TokenizerModel, path: str) -> tuple[dict[str, bytes], list[str]]:
    """Both files, and notes for the user. Raises TokenizerFileError for a path that has no such name."""
    found = files_to_write(path)
    if found is None:
        raise TokenizerFileError(_("the files of this format are vocab.json and merges.txt; name one, or a folder"))
    notes = limits.left_out(model)
    ids = {text: number for text, number in model.vocabulary.ids.items() if text not in model.dialect.outside}
    options = model.options
    if limits.lacks_bytes(model):
        if model.unknown != "drop":
            ids.setdefault(options.unk, max(ids.values(), default=-1) + 1)
            message = _("give tokenizers unk_token={unk!r}, or it drops unknown bytes; the files cannot")
            notes.append(message.format(unk=options.unk))
        else:
            notes.append(_("tokenizers drops the bytes that the vocabulary lacks"))
    added = [text for text in limits.special_texts(model) if text in ids]
    if added:
        message = _("vocab.json cannot mark {tokens} as special; pass them to the tool that reads it")
        notes.append(message.format(tokens=limits.listed(added)))
    vocab = json.dumps({token: ids[token] for token in in_id_order(ids)}, ensure_ascii=False).encode()
    return {found[0]: vocab + b"\n", found[1]: lines_of(model.vocabulary.merges, HEADER)}, notes
