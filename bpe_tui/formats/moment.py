"""A tokenizer as it was after some of its merges, to be written to a file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from bpe_tui.core.i18n import _
from bpe_tui.core.training.vocabulary import Merge, Vocabulary
from bpe_tui.formats.files import quoted
from bpe_tui.formats.huggingface.dialect import FileDialect
from bpe_tui.formats.model import TokenizerModel


def at_moment(model: TokenizerModel, position: int) -> TokenizerModel:
    """The model after its first `position` merges: it encodes as the app does at that moment.

    Tokens that only later merges make are left out, unless a merge uses them all the same, as in files whose merges are
    not in the order of training. Added tokens have to come after all others in a tokenizer.json, so that all tokens
    stay where there are some; where a word that is a token is that token, they cannot stay, and get new ids.
    """
    vocabulary, dialect = model.vocabulary, model.dialect
    merges = vocabulary.in_order()
    if position >= len(merges):
        return replace(model, warnings=())
    applied, births = merges[:position], vocabulary.first_merges()
    later = {token for token, place in births.items() if place >= position}
    later -= {token for _text, token in dialect.specials_in_order}
    if isinstance(dialect, FileDialect):
        later -= {token.id for token in dialect.added}
    if dialect.outside and not dialect.whole_words:
        return replace(model, vocabulary=replace(vocabulary, merges=tuple(applied)), warnings=())
    if dialect.whole_words:  # then such a token would be one for a word, too; a merge that uses it never fires
        applied = [merge for merge in applied if not later & {merge.left_id, merge.right_id}]
    else:
        later -= {part for merge in applied for part in (merge.left_id, merge.right_id)}
    cut = replace(model, vocabulary=_without(vocabulary, later, applied), warnings=())
    return _renumbered(cut, dialect) if isinstance(dialect, FileDialect) and dialect.outside else cut


def _without(vocabulary: Vocabulary, gone: Collection[int], merges: Iterable[Merge]) -> Vocabulary:
    """The vocabulary with these merges, ranked anew, and without some tokens."""
    texts = (
        vocabulary.texts if vocabulary.texts is not None else {token: text for text, token in vocabulary.ids.items()}
    )
    there = {token: text for token, text in sorted(texts.items()) if token not in gone}
    ids: dict[str, int] = {}
    for token, text in there.items():
        ids.setdefault(text, token)
    return replace(
        vocabulary,
        tokens=tuple(there.values()),
        merges=tuple(merge._replace(rank=rank) for rank, merge in enumerate(merges)),
        ids=ids,
        texts=None if vocabulary.texts is None else there,
    )


def _renumbered(model: TokenizerModel, dialect: FileDialect) -> TokenizerModel:
    """The model with the ids of added tokens after all others, as `tokenizers` numbers them.

    Where the others have gaps between their ids, which it would fill, they are numbered without.
    """
    vocabulary = model.vocabulary
    inside = [text for text in vocabulary.tokens if text not in dialect.outside]
    outside = [token.content for token in dialect.added if token.content in dialect.outside]
    ids = {text: vocabulary.ids[text] for text in inside}
    if max(ids.values(), default=-1) >= len(ids):
        ids = {text: number for number, text in enumerate(inside)}
    ids.update((text, len(inside) + place) for place, text in enumerate(outside))
    if ids == dict(vocabulary.ids):
        return model
    new = {number: ids[text] for text, number in vocabulary.ids.items()}
    moved = next(text for text in ids if ids[text] != vocabulary.ids[text])
    note = _("some ids are numbered anew, because added tokens must come last: {token} has {id}, not {before}")
    return replace(
        model,
        vocabulary=replace(
            vocabulary,
            tokens=(*inside, *outside),
            ids=ids,
            merges=tuple(_merge_with(merge, new) for merge in vocabulary.merges),
        ),
        dialect=replace(
            dialect,
            before=tuple(new[token] for token in dialect.before),
            after=tuple(new[token] for token in dialect.after),
            added=tuple(replace(token, id=ids[token.content]) for token in dialect.added),
            post_processor=_with_ids(dialect.post_processor, ids),
        ),
        notes=(note.format(token=quoted(moved), id=ids[moved], before=vocabulary.ids[moved]),),
    )


def _merge_with(merge: Merge, new: Mapping[int, int]) -> Merge:
    return merge._replace(left_id=new[merge.left_id], right_id=new[merge.right_id], id=new[merge.id])


def _with_ids(component: Any, ids: Mapping[str, int]) -> Any:
    """A post-processor with other ids for its tokens."""
    if not isinstance(component, dict):
        return component
    kind = component.get("type")
    if kind == "Sequence":
        return {**component, "processors": [_with_ids(part, ids) for part in component["processors"]]}
    if kind in ("BertProcessing", "RobertaProcessing"):
        pairs = {name: [component[name][0], ids[component[name][0]]] for name in ("sep", "cls")}
        return {**component, **pairs}
    if kind == "TemplateProcessing":
        specials = {
            name: {**entry, "ids": [ids[token] for token in entry["tokens"]]}
            for name, entry in component.get("special_tokens", {}).items()
        }
        return {**component, "special_tokens": specials}
    return component
