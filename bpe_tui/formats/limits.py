"""What formats that are only a list of tokens or merges cannot say of a model."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR, is_byte_level
from bpe_tui.core.encoding.merge_ranks import MergeRanks
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _, plural
from bpe_tui.core.options import Options
from bpe_tui.formats.files import quoted
from bpe_tui.formats.huggingface.dialect import FileDialect
from bpe_tui.formats.model import TokenizerModel, tokens_without_merge
from bpe_tui.formats.sentencepiece.dialect import SentencePieceDialect


def check_no_protected(options: Options, what: str) -> None:
    """Raises TokenizerFileError if there are protected tokens, of which `what` knows nothing."""
    if options.protected:
        raise TokenizerFileError(
            _("{what} cannot represent the protected {text}; write a tokenizer.json").format(
                what=what, text=quoted(options.protected[0])
            )
        )


def check_bytes(options: Options, what: str) -> None:
    """Raises TokenizerFileError if `what`, a format of all 256 bytes and a pattern, cannot say `options`."""
    check_no_protected(options, what)
    if not is_byte_level(options):
        raise TokenizerFileError(
            _("{what} merges bytes, and this alphabet is of characters; train with --alphabet all-bytes").format(
                what=what
            )
        )
    if options.alphabet != "all-bytes":
        raise TokenizerFileError(
            _(
                "{what} needs all 256 bytes, and this alphabet holds the bytes seen only; train with "
                "--alphabet all-bytes"
            ).format(what=what)
        )
    if options.end_of_word:
        raise TokenizerFileError(
            _("{what} cannot represent that words end in {end_of_word}").format(
                what=what, end_of_word=quoted(options.end_of_word)
            )
        )
    if options.pre_tokenizer in ("metaspace", "file"):
        raise TokenizerFileError(
            _("{what} cuts texts by a pattern, and {how} cannot be said in one").format(what=what, how=how_cut(options))
        )


def how_cut(options: Options) -> str:
    """What cuts a text, as a sentence names it."""
    if options.pre_tokenizer == "file":
        return _("the components of its own file")
    return _("the pattern {pattern}").format(pattern=options.pattern) if options.pattern else options.pre_tokenizer


def check_dialect(model: TokenizerModel, what: str, *, whole_words: bool = False) -> None:
    """Raises TokenizerFileError if a text would be encoded otherwise by `what`, the format's files.

    With `whole_words` the format has tokens that no merge makes.
    """
    dialect, vocabulary = model.dialect, model.vocabulary
    if isinstance(dialect, SentencePieceDialect):
        raise TokenizerFileError(_("{what} cannot represent what SentencePiece does to a text").format(what=what))
    if dialect.continuing_prefix:
        raise TokenizerFileError(
            _("{what} cannot represent the continuing_subword_prefix {prefix}").format(
                what=what, prefix=quoted(dialect.continuing_prefix)
            )
        )
    if dialect.at_once:
        raise TokenizerFileError(
            _("{what} cannot represent that merges are made in all places at once, which matters here").format(
                what=what
            )
        )
    if dialect.whole_words and not whole_words:
        inside = [text for text in vocabulary.tokens if text and text not in dialect.outside]
        lost = tokens_without_merge(inside, vocabulary.merges, {*vocabulary.alphabet, *vocabulary.specials})
        if lost or not _merges_make_words(model):
            message = _("{what} cannot represent that whole words are tokens that no merge makes")
            if lost:
                message = _("{what} cannot represent that whole words are tokens that no merge makes, as {example}")
            raise TokenizerFileError(message.format(what=what, example=quoted(lost[0]) if lost else ""))
    if model.unknown == "bytes":
        raise TokenizerFileError(
            _("{what} cannot represent that unknown characters become tokens of their bytes").format(what=what)
        )
    if isinstance(dialect, FileDialect) and dialect.normalizer is not None:
        raise TokenizerFileError(_("{what} cannot represent the normalizer").format(what=what))


def left_out(model: TokenizerModel) -> list[str]:
    """Notes about what only a tokenizer.json can hold of a model."""
    dialect, vocabulary = model.dialect, model.vocabulary
    notes = []
    texts = vocabulary.texts
    if texts is None:
        texts = {number: text for text, number in vocabulary.ids.items()}
    around = [texts[number] for number in (*dialect.before, *dialect.after)]
    if around:
        notes.append(_("left out: that {tokens} is put around every text").format(tokens=listed(around)))
    if isinstance(dialect, FileDialect):
        odd = [token.content for token in dialect.added if not token.is_plain]
        if odd:
            notes.append(_("left out: how {tokens} is looked for in a text").format(tokens=listed(odd)))
    return notes


def check_utf8(model: TokenizerModel) -> None:
    """Raises TokenizerFileError naming a text of the model that UTF-8 cannot represent."""
    texts = (*model.vocabulary.tokens, *model.options.specials, model.options.pattern or "", model.options.unk)
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        odd = next(text for text in texts if any("\ud800" <= char <= "\udfff" for char in text))
        raise TokenizerFileError(_("UTF-8 cannot represent the lone surrogate in {text!a}").format(text=odd)) from None


def _merges_make_words(model: TokenizerModel) -> bool:
    """Whether every token that a merge makes is also what the merges make of its own text as a word."""
    if model.options.end_of_word:
        return False
    vocabulary = model.vocabulary
    merges = MergeRanks()
    merges.learn((merge.left_id, merge.right_id, merge.id) for merge in vocabulary.merges)
    symbols = {text: vocabulary.ids[text] for text in vocabulary.alphabet}
    return all(
        all(char in symbols for char in merge.token)
        and merges.merge([symbols[char] for char in merge.token])[0] == [merge.id]
        for merge in vocabulary.merges
    )


def lacks_bytes(model: TokenizerModel) -> bool:
    """Whether a byte alphabet lacks one of the 256."""
    return any(char not in model.vocabulary.ids for char in BYTE_TO_CHAR)


def special_texts(model: TokenizerModel) -> list[str]:
    """The special tokens, and all others that were added to the vocabulary."""
    texts = list(model.vocabulary.specials) or [text for text, _number in model.dialect.specials_in_order]
    if isinstance(model.dialect, FileDialect):
        texts = [token.content for token in model.dialect.added]
    return texts


def cut_beside(options: Options) -> dict[str, Any]:
    """How a text is cut, as options to be given beside a file that does not say it."""
    if options.pattern is not None:
        return {"pattern": options.pattern}
    return {"pre_tokenizer": options.pre_tokenizer}


def flags(options: Mapping[str, Any]) -> str:
    """Options, by their names in `Options`, as they are typed into a shell."""
    return " ".join(f"--{name.replace('_', '-')} {shlex.quote(str(value))}" for name, value in options.items())


def listed(texts: Sequence[str]) -> str:
    """A few of the texts, as an error names them."""
    shown = ", ".join(quoted(text) for text in texts[:3])
    more = len(texts) - 3
    return shown if more <= 0 else plural("{texts} and {count} more", "{texts} and {count} more", more, texts=shown)
