"""The trainer: a state machine that learns merge after merge, and can go back and forth in time.

    ready → counted → picked → merged → counted → … → done(reason)

It owns the history. Every moment is reached again exactly by undo and redo, without copies of the corpus: a merge is
undone by its record (see `merging`). Merges that were undone stay known until another pair is chosen.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

import numpy as np

from bpe_tui.core.corpus.alphabet import alphabet_text, chars_to_bytes, is_byte_level
from bpe_tui.core.corpus.types import OnProgress, Progress, ShouldStop, WordCounts
from bpe_tui.core.errors import Cancelled, OptionError
from bpe_tui.core.i18n import _
from bpe_tui.core.options import Options
from bpe_tui.core.readable import spellings
from bpe_tui.core.training.arrays import Indices, Positions
from bpe_tui.core.training.base_vocabulary import StartingPoint, base_vocabulary
from bpe_tui.core.training.exclusions import NEVER, Exclusions
from bpe_tui.core.training.merging import Merger, MergeRecord
from bpe_tui.core.training.pair_table import PairTable
from bpe_tui.core.training.ranking import Ranking
from bpe_tui.core.training.rows import PairRow, TokenRow, WordRow
from bpe_tui.core.training.seeds import merged, seed_symbols
from bpe_tui.core.training.selection import Leader
from bpe_tui.core.training.states import LeadingPair, Origin, Phase, Step, StopReason
from bpe_tui.core.training.vocabulary import Merge, Vocabulary
from bpe_tui.core.training.word_occurrences import WordOccurrences
from bpe_tui.core.training.word_search import WordSearch

REMEMBERED: Final = 8
"""Pairs and tokens whose words are remembered at a time: those of a frequent pair may take megabytes."""


class Trainer:
    """Learns merges from word counts under `options`, one at a time, forward and back.

    Its attributes are for reading. Text, counts and rows are those of the current moment; `steps`, `totals` and
    `own_choices` cover all merges known, those undone included.
    """

    def __init__(
        self,
        words: WordCounts,
        options: Options,
        start: StartingPoint | None = None,
        *,
        should_stop: ShouldStop | None = None,
        progress: OnProgress | None = None,
    ) -> None:
        """Split every word into symbols, count the pairs, and make the merges that are there before any by count.

        Raises `CorpusError`, `OptionError` for a seed token that cannot be made, or `Cancelled`.
        """
        if progress is not None:
            progress(Progress("indexing", 0, 0))
        self.counted_words = words
        """The words as they were counted."""
        self.start = start
        self.options = options
        """The current options: `set_ties` replaces them."""
        base = (
            base_vocabulary(words, options, should_stop) if start is None else start.base(words, options, should_stop)
        )
        self.base = base
        self.words = base.words
        """The words as far as they are trained on."""
        self.base_count = len(base.texts) - len(base.absent)
        """Tokens before the first merge."""
        self.base_size = min((merge.id for merge in base.merges), default=len(base.texts))
        """Ids from here on are of tokens that merges have made, but for those of odd tokenizers."""
        self.texts = base.texts
        """Token texts by id, those of undone merges included as long as they can be redone; empty for a gap."""
        self._ids = dict(base.ids) if base.ids is not None else {text: at for at, text in enumerate(self.texts)}
        self._births = [NEVER if token in base.absent else 0 for token in range(len(self.texts))]
        """By id, the number of the merge that has added the token; 0 for the base vocabulary."""
        self._brought = len(self.texts)
        """Ids below this are the base vocabulary's and the continued tokenizer's; later ones are given out in turn."""
        self._there: tuple[object, list[int]] = (None, [])
        self.segmentation = base.segmentation
        self.table = PairTable(self.segmentation, should_stop)
        self.table.limit_length(options.max_token_length, len(self.texts))
        self._merger = Merger(self.segmentation, self.table)
        self._use_rule(options.ties)
        self._token_counts = self._count_tokens()
        """Occurrences of each token in the corpus now, by id, weighted by word frequency."""
        self.initial_tokens = self.total_tokens = sum(self._token_counts)
        self._steps: list[Step] = []
        self._records: list[MergeRecord] = []
        """For each of the steps what undoing and redoing it takes."""
        self._sizes: list[int] = []
        """For each of the steps the size of the vocabulary after it."""
        self._totals: list[int] = [self.initial_tokens]
        self._own_choices: list[int] = []
        self.position = 0
        """How many merges are applied now."""
        self.drops: list[int] = []
        """Grows each time that known merges are dropped: by how many were kept. Whatever caches merges looks here."""
        self._phase = Phase.READY
        self._changes: tuple[int, dict[int, int]] = (-1, {})
        self._occurrences: tuple[int, dict[object, WordOccurrences]] = (-1, {})
        if base.merges:
            self._inherit(base.merges, should_stop, progress)
        self.inherited = len(self._steps)
        """Merges of the tokenizer that the training continues."""
        for seed in options.seed_tokens:
            self._plant(seed)
        self.given = len(self._steps)
        """Merges that are there before any is chosen by its count: the tokenizer's and those of seed tokens."""

    def _inherit(self, merges: Sequence[Merge], should_stop: ShouldStop | None, progress: OnProgress | None) -> None:
        """Make the merges of a tokenizer in their order, those that do not occur as well."""
        table, births, base = self.table, self._births, self.base
        first_keys = table.left.view().astype(np.int64) << 32 | table.right.view()  # ascending, as they were counted
        created: dict[int, list[tuple[int, int]]] = {}
        """By token, the ranges of the slots of its pairs with older tokens; several if it is made in several ways."""

        def slot_of(left: int, right: int) -> int | None:
            if not births[left] and not births[right]:
                key = left << 32 | right
                slot = int(np.searchsorted(first_keys, key))
                if slot < first_keys.size and first_keys[slot] == key:
                    return slot
            younger, older = (left, right) if births[left] > births[right] else (right, left)
            ranges, others = created.get(younger, []), created.get(older, [])
            # A merge may make a token once more, or a special token; then its pairs need not be the younger one's.
            is_made_late = len(ranges) > 1 or len(others) > 1 or not births[older]
            for first, end in [*ranges, *others] if is_made_late else ranges:
                here = table.left.data[first:end] == left
                here &= table.right.data[first:end] == right
                if here.any():
                    return first + int(here.argmax())
            return None

        for place, merge in enumerate(merges):
            slot, first = slot_of(merge.left_id, merge.right_id), table.size
            self._make(merge._replace(rank=place), slot, 0, Origin.TOKENIZER)
            if table.size > first:
                created.setdefault(merge.id, []).append((first, table.size))
            if self._interrupted(len(merges), should_stop, progress):
                raise Cancelled("stopped")
        self.table.exclusions = Exclusions(
            self._inherited_pairs(), self._excluded_since if base.closed or base.apart else None
        )
        self.table.exclusions.moment = self.position
        self._leader.forget()

    def _plant(self, seed: str) -> None:
        """Make the merges that make a seed token. Raises `OptionError` if none can.

        Merges that are known already are made in it first; then, of its neighbours, the pair with the highest count is
        merged, and of equal ones the one that the tie rule prefers, as far as they occur at all.
        """
        table, rule = self.table, self._leader.rule
        tokens = [self._symbol_of(seed, symbol) for symbol in seed_symbols(seed, self.options, self.base.prefix)]
        longest = self.options.max_token_length
        if longest is not None and len(tokens) >= longest and len(tokens) != 2:
            raise OptionError(
                _(
                    "--seed-token {seed} has {count} symbols, and --max-token-length {most} allows fewer; give a "
                    "larger one, or a shorter seed"
                ).format(seed=repr(seed), count=len(tokens), most=longest)
            )
        made = {(step.merge.left_id, step.merge.right_id): step.merge for step in self._steps}

        def standing(pair: tuple[int, int]) -> tuple[int, Any, int]:
            slot, place = table.find(*pair), pairs.index(pair)
            first = self.segmentation.size + place if slot is None else table.first_position(slot)
            return -self.pair_frequency(*pair), rule.key(self.texts, *pair, first), place

        while len(tokens) > 1:
            pairs = list(pairwise(tokens))
            known = [pair for pair in pairs if pair in made]
            if known:
                pair = min(known, key=lambda one: made[one].rank)
            else:
                pair = min(pairs, key=standing)
                made[pair] = self._make(self._merge_of(*pair), table.find(*pair), 0, Origin.SEED).merge
            tokens = merged(tokens, pair, made[pair].id)
        self._leader.forget()

    def _symbol_of(self, seed: str, symbol: str) -> int:
        """The id of a symbol of a seed token. Raises `OptionError` if the alphabet lacks it."""
        token = self._ids.get(symbol)
        if token is None or token not in self.base.alphabet_ids:
            if self.start is not None:  # its alphabet is given
                raise OptionError(
                    _(
                        "--seed-token {seed}: {symbol} is not in the alphabet of {name}; leave the seed out, or train "
                        "without --from"
                    ).format(seed=repr(seed), symbol=repr(symbol), name=self.start.name)
                )
            raise OptionError(
                _(
                    "--seed-token {seed}: {symbol} is not in the alphabet; name its characters in --initial-alphabet, "
                    "or leave the seed out"
                ).format(seed=repr(seed), symbol=repr(symbol))
            )
        return token

    def _inherited_pairs(self) -> dict[tuple[int, int], int]:
        """The pairs that the tokenizer merges, as far as its merges are known, by the numbers of the merges."""
        merges = (step.merge for step in self._steps if step.origin is Origin.TOKENIZER)
        return {(merge.left_id, merge.right_id): merge.rank + 1 for merge in merges}

    def _excluded_since(self, left_id: int, right_id: int) -> int:
        """The merge from which on a pair is excluded because of the token that it would make."""
        base, text = self.base, self.joined(left_id, right_id)
        token = self._ids.get(text, self._brought)
        if text in base.apart or (base.closed and token < self._brought):
            return self._births[token]
        return NEVER

    def _count_tokens(self) -> list[int]:
        counts = np.zeros(len(self.texts), dtype=np.int64)
        size = self.segmentation.size
        np.add.at(counts, self.segmentation.ids[:size], self.segmentation.weight[:size].astype(np.int64))
        return counts.tolist()

    def _use_rule(self, rule: str) -> None:
        self._leader = Leader(self.table, rule, self.texts)
        self._ranking = Ranking(self.table, rule, self.texts)

    # -- this moment ---------------------------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """Where in the loop the trainer is."""
        return self._phase

    @property
    def vocab_size(self) -> int:
        """Tokens at this moment: special tokens, alphabet and the merges that added one."""
        return self._sizes[self.position - 1] if self.position else self.base_count

    @property
    def token_ids(self) -> Sequence[int]:
        """The ids of the tokens at this moment, ascending; without gaps unless a tokenizer brought some."""
        if self.start is None:
            return range(self.vocab_size)
        if self._there[0] != (self.table.version, len(self.drops)):
            there: list[int] = np.flatnonzero(np.array(self._births) <= self.position).tolist()
            self._there = ((self.table.version, len(self.drops)), there)
        return self._there[1]

    @property
    def target(self) -> int:
        """Merges wanted, those of the tokenizer that is continued included, and at least those that are given.

        For a vocabulary size: as many as the room above the base and known reuses ask for.
        """
        if self.options.merges is not None:
            return max(self.given, self.inherited + self.options.merges)
        wanted = self.options.vocab_size or 0
        if wanted <= self.base_count:
            return self.given
        last = self._sizes[-1] if self._sizes else self.base_count
        if last < wanted:
            return self.known + wanted - last
        return max(self.given, bisect_left(self._sizes, wanted) + 1)

    @property
    def stop(self) -> StopReason | None:
        """Why training ends here; None if it does not."""
        if self.position == self.target:
            if self.options.vocab_size is None:
                return StopReason.MERGES
            return StopReason.VOCAB_SIZE if self.target else StopReason.BASE_TOO_LARGE
        leader = self.leader()
        if leader is None:
            return StopReason.NO_PAIRS
        return StopReason.MIN_FREQUENCY if leader.count < self.options.min_frequency else None

    @property
    def state(self) -> str:
        """The phase in a word, or `done: ` and the reason."""
        if self.phase in (Phase.READY, Phase.MERGED) and (stop := self.stop) is not None:
            return f"done: {stop}"
        return str(self.phase)

    @property
    def last_step(self) -> Step | None:
        """The last merge applied; None at the start."""
        return self._steps[self.position - 1] if self.position else None

    def leader(self) -> LeadingPair | None:
        """The pair that the rule picks next; None if no pair is left."""
        found = self._winner()
        return None if found is None else self._pair(*found)

    def leader_under(self, rule: str) -> LeadingPair | None:
        """The pair that another tie rule would pick next; None if no pair is left."""
        leader = Leader(self.table, rule, self.texts)
        slot = leader.find()
        return None if slot is None else self._pair(slot, leader.tied)

    @property
    def next_pair(self) -> tuple[int, int] | None:
        """The pair that `step` would merge: the one undone before, else what the rule picks; None if none is left."""
        if self.position < self.known:
            merge = self.merge_at(self.position)
            return merge.left_id, merge.right_id
        leader = self.leader()
        return None if leader is None else (leader.left_id, leader.right_id)

    def _winner(self) -> tuple[int, int] | None:
        """The slot of the pair that the rule picks next, and how many are tied; None if no pair is left."""
        if self.position < len(self._steps):
            ahead = self._steps[self.position]
            if not ahead.own_choice and ahead.rule == self.options.ties and ahead.origin is Origin.COUNT:
                return self._records[self.position].slot, ahead.tied
        slot = self._leader.find()
        return None if slot is None else (slot, self._leader.tied)

    def joined(self, left_id: int, right_id: int) -> str:
        """The text of the token that merging these two makes."""
        right = self.texts[right_id]
        return self.texts[left_id] + (right.removeprefix(self.base.prefix) if self.base.prefix else right)

    def _pair(self, slot: int, tied: int) -> LeadingPair:
        left, right = self.table.left.items[slot], self.table.right.items[slot]
        texts = self.texts
        count = self.table.count.items[slot]
        return LeadingPair(left, right, texts[left], texts[right], self.joined(left, right), count, tied)

    def vocabulary(self, merges: int | None = None) -> Vocabulary:
        """The vocabulary at this moment, or after `merges` merges."""
        return self.taking_vocabulary(merges)()

    def taking_vocabulary(self, merges: int | None = None) -> Callable[[], Vocabulary]:
        """The same for a thread: it looks at nothing that training changes."""
        base, start = self.base, self.start
        applied = tuple(self._steps[: self.position if merges is None else merges])
        size = self._sizes[len(applied) - 1] if applied else self.base_count
        texts = tuple(self.texts) if start is not None else tuple(self.texts[:size])
        births = tuple(self._births) if start is not None else ()

        def vocabulary() -> Vocabulary:
            known = dict(enumerate(texts))
            if start is not None:
                known = {token: text for token, text in known.items() if births[token] <= len(applied)}
            ids: dict[str, int] = {}
            for token, text in known.items():
                ids.setdefault(text, token)
            return Vocabulary(
                tokens=tuple(known.values()),
                specials=base.specials,
                protected=base.protected,
                alphabet=base.alphabet,
                merges=tuple([step.merge for step in applied]),
                ids=ids,
                texts=known if len(ids) < len(known) else None,
            )

        return vocabulary

    # -- history -------------------------------------------------------------------------------------------------

    @property
    def steps(self) -> Sequence[Step]:
        """All merges known, applied ones first; it follows what happens."""
        return self._steps

    @property
    def totals(self) -> Sequence[int]:
        """Tokens of the corpus after 0, 1, 2, … of the merges known; it follows what happens."""
        return self._totals

    @property
    def own_choices(self) -> Sequence[int]:
        """Numbers of the known merges that were chosen against the rule, ascending; it follows what happens."""
        return self._own_choices

    @property
    def history_bytes(self) -> int:
        """Bytes of memory, roughly, that undo and redo need beside the corpus and the pair table."""
        return sum(record.nbytes for record in self._records)

    @property
    def known(self) -> int:
        """Merges in the history: the applied ones and those that can be redone."""
        return len(self._steps)

    def merge_at(self, rank: int) -> Merge:
        """The merge of that rank, applied or undone."""
        return self._steps[rank].merge

    def made_by(self, token: int) -> Merge | None:
        """The merge that added a token to the vocabulary; None for the base vocabulary."""
        birth = self._births[token]
        return None if birth in (0, NEVER) else self._steps[birth - 1].merge

    def merges_into(self, token: int) -> list[int]:
        """The ranks of the merges, of those applied now, that make a token; more than one if later ones make it too."""
        return [step.merge.rank for step in self._steps[: self.position] if step.merge.id == token]

    def merges_with(self, token: int) -> list[int]:
        """The ranks of the merges, of those applied now, that have a token as one of their halves."""
        merges = (step.merge for step in self._steps[: self.position])
        return [merge.rank for merge in merges if token in (merge.left_id, merge.right_id)]

    # -- one merge forward, one back -----------------------------------------------------------------------------

    def step(self) -> Step | None:
        """One merge forward: the one undone before if there is one, else what the rule picks.

        Returns None, and changes nothing, if no pair is left or the best one is below the minimum frequency. The
        target may be run past.
        """
        if self.position < self.known:
            return self.redo()
        found = self._winner()
        if found is None or self.table.count.items[found[0]] < self.options.min_frequency:
            return None
        return self._apply(*found, own_choice=False)

    def choose(self, left_id: int, right_id: int) -> Step:
        """Merge this pair, whatever the rule says. Raises `OptionError` if it does not occur now."""
        slot = self.table.find(left_id, right_id)
        if slot is None:
            raise OptionError(_("this pair does not occur in the corpus as it is split now"))
        if not self.table.is_candidate(slot):
            if not self.table.is_excluded(slot):
                raise OptionError(_("the token of this pair would be longer than --max-token-length allows"))
            raise OptionError(_("the tokenizer that is continued has this merge, or its token, already"))
        if self.position < self.known:
            is_ahead = self._records[self.position].slot == slot
            if is_ahead and self._steps[self.position].rule == self.options.ties:
                return self._reapply()
        found = self._winner()
        assert found is not None
        self._drop_undone()
        return self._apply(slot, found[1], own_choice=slot != found[0])

    def undo(self) -> Step | None:
        """One merge back. Returns the step undone; None, and changes nothing, at the start."""
        if self.position == 0:
            self._phase = Phase.READY
            return None
        return self._revert()

    def redo(self) -> Step | None:
        """One merge forward again. Returns the step redone; None, and changes nothing, if there is none."""
        return self._reapply() if self.position < self.known else None

    def _apply(self, slot: int, tied: int, *, own_choice: bool) -> Step:
        """Merge a pair for the first time, at the end of the history."""
        merge = self._merge_of(self.table.left.items[slot], self.table.right.items[slot])
        return self._make(merge, slot, tied, Origin.COUNT, own_choice=own_choice)

    def _merge_of(self, left: int, right: int) -> Merge:
        """The next merge, of these two; its token gets an id if it has none."""
        texts = self.texts
        text = self.joined(left, right)
        token = self._ids.get(text)
        if token is None:
            token = self._ids[text] = len(texts)
            texts.append(text)
            self._births.append(NEVER)
            self._token_counts.append(0)
        return Merge(texts[left], texts[right], text, left, right, token, len(self._steps))

    def _make(self, merge: Merge, slot: int | None, tied: int, origin: Origin, *, own_choice: bool = False) -> Step:
        """Make a merge at the end of the history; `slot` is that of its pair, None if it has none."""
        table, token, leader, number = self.table, merge.id, self._leader, merge.rank + 1
        existed = self._births[token] < number
        if not existed:
            self._births[token] = number
            if table.exclusions is not None and token < self._brought:
                table.exclusions.resize(0)
        if not existed or (self._births[token] == 0 and token not in self.base.alphabet_ids):
            table.spell(token, merge.left_id, merge.right_id)
        if slot is None or not table.count.items[slot]:
            record = self._merger.apply_nowhere()
        else:
            record = self._merger.apply(slot, token, existed=existed, leader=leader)
        replaced = record.replaced
        rule = leader.rule.name
        step = Step(number, merge, record.counted, replaced, tied, own_choice, existed, rule, origin)
        self._steps.append(step)
        self._records.append(record)
        self._sizes.append((self._sizes[-1] if self._sizes else self.base_count) + (not existed))
        self._totals.append(self._totals[-1] - replaced)
        if own_choice:
            self._own_choices.append(number)
        self._account(merge, replaced, 1)
        return step

    def _revert(self) -> Step:
        """Undo the last merge."""
        step = self._steps[self.position - 1]
        self._merger.revert(self._records[self.position - 1])
        self._leader.forget()
        self._account(step.merge, -step.replaced, -1)
        return step

    def _reapply(self) -> Step:
        """Redo the merge that comes next in the history."""
        step = self._steps[self.position]
        self._merger.reapply(self._records[self.position], step.merge.id)
        self._leader.forget()
        self._account(step.merge, step.replaced, 1)
        return step

    def _account(self, merge: Merge, replaced: int, by: int) -> None:
        """Account for a merge applied (`by` 1) or undone (-1, and `replaced` below 0)."""
        counts = self._token_counts
        counts[merge.left_id] -= replaced
        counts[merge.right_id] -= replaced
        counts[merge.id] += replaced
        self.total_tokens -= replaced
        self.position += by
        if self.table.exclusions is not None:
            self.table.exclusions.moment = self.position
        self._phase = Phase.MERGED if self.position else Phase.READY

    def _drop_undone(self) -> None:
        """Drop the merges that were undone: they can no longer be redone."""
        if self.position == len(self._steps):
            return
        self.drops.append(self.position)
        self._merger.drop(self._records[self.position])
        births = self._births
        for step in self._steps[self.position :]:
            if births[step.merge.id] > self.position:
                births[step.merge.id] = NEVER
        del self._steps[self.position :], self._records[self.position :], self._sizes[self.position :]
        del self._totals[self.position + 1 :], self._own_choices[bisect_right(self._own_choices, self.position) :]
        size = len(births)
        while size > self._brought and births[size - 1] == NEVER:
            size -= 1
        for text in self.texts[size:]:
            del self._ids[text]
        del self.texts[size:], self._token_counts[size:], births[size:]
        self.table.symbols.size = min(self.table.symbols.size, size)
        if self.table.exclusions is not None and self.position < self.inherited:
            self.table.exclusions.replace(self._inherited_pairs())
        self._leader.forget()

    # -- many merges ---------------------------------------------------------------------------------------------

    def run(self, should_stop: ShouldStop | None = None, progress: OnProgress | None = None) -> None:
        """Train to the target, or to the end that comes before it. Past the target: nothing happens."""
        while self.position < (target := self.target):
            before = self.position
            self.goto(target, should_stop, progress)
            if self.position == before or (should_stop is not None and should_stop()):
                return

    def goto(self, merges: int, should_stop: ShouldStop | None = None, progress: OnProgress | None = None) -> None:
        """Go to the moment after that many merges, training on where they are not known yet.

        Stops early where no pair is left, or the best is below the minimum frequency, or at once when `should_stop`.
        """
        start = self.position
        while self.position > merges:
            self._revert()
            if self._interrupted(start - merges, should_stop, progress):
                return
        while self.position < min(merges, len(self._steps)):
            self._reapply()
            if self._interrupted(merges, should_stop, progress):
                return
        leader, least = self._leader, self.options.min_frequency
        while self.position < merges:
            slot = leader.find()
            if slot is None or leader.top < least:
                break
            self._apply(slot, leader.tied, own_choice=False)
            if not self.position & 63 and self._interrupted(merges, should_stop, progress):
                return
        self._phase = Phase.MERGED if self.position else Phase.READY

    def _interrupted(self, total: int, should_stop: ShouldStop | None, progress: OnProgress | None) -> bool:
        """Every 64 merges: report progress, and ask whether to stop."""
        if self.position & 63:
            return False
        if progress is not None:
            progress(Progress("merging", self.position, total))
        return should_stop is not None and should_stop()

    # -- phases and rules ----------------------------------------------------------------------------------------

    def step_phase(self) -> Phase:
        """One phase forward: count → pick → merge. Stays where it is if there is nothing to pick."""
        if self.phase in (Phase.READY, Phase.MERGED):
            self._phase = Phase.COUNTED
        elif self.phase is Phase.COUNTED:
            leader = self.leader()
            known = self.position < self.known
            if known or (leader is not None and leader.count >= self.options.min_frequency):
                self._phase = Phase.PICKED
        else:
            self.step()
        return self.phase

    def step_phase_back(self) -> Phase:
        """One phase back, over the last merge as well. Stays at `ready` at the start."""
        if self.phase is Phase.PICKED:
            self._phase = Phase.COUNTED
        elif self.phase is Phase.COUNTED:
            self._phase = Phase.MERGED if self.position else Phase.READY
        elif self.undo() is not None:
            self._phase = Phase.PICKED
        return self.phase

    def show_phase(self, phase: Phase) -> None:
        """Go to this phase of the moment; `READY` and `MERGED` are one phase, named by whether there is a merge."""
        if phase in (Phase.READY, Phase.MERGED):
            phase = Phase.MERGED if self.position else Phase.READY
        self._phase = phase

    def set_ties(self, rule: str) -> None:
        """Another tie rule from here on; merges that were undone can no longer be redone."""
        self.options = self.options.replace(ties=rule)
        self._drop_undone()
        self._use_rule(rule)

    # -- words ---------------------------------------------------------------------------------------------------

    @property
    def word_count(self) -> int:
        """Distinct words."""
        return len(self.words.words)

    def word(self, index: int, limit: int | None = None) -> WordRow:
        """One word, by its place in order of first appearance; `limit`: its text and tokens only up to so many."""
        text = alphabet_text(self.words.words[index][:limit], self.options)
        return WordRow(index, self.words.counts[index], text, tuple(self.segmentation.word(index, limit)))

    def word_before(self, index: int, limit: int | None = None) -> tuple[int, ...]:
        """The tokens of a word before the last merge; with `limit` only that many from its beginning."""
        if self.position == 0:
            return tuple(self.segmentation.word(index, limit))
        merge = self._steps[self.position - 1].merge
        return tuple(self.segmentation.word_before(index, self._last_halves(), (merge.left_id, merge.right_id), limit))

    def words_changed(self) -> WordOccurrences:
        """The words that the last merge rewrote, and its replacements in each; none at the start."""
        return self._words_of(None, self._last_halves)

    def _last_halves(self) -> Positions:
        """Where the right halves were that the last merge replaced, ascending."""
        halves = self._records[self.position - 1].halves if self.position else ()
        return np.asarray(halves, dtype=np.int32)

    def _words_of(self, key: object, positions: Callable[[], Positions]) -> WordOccurrences:
        """The words that hold `positions`; until the next merge the last few are remembered under their `key`."""
        if self._occurrences[0] != self.table.version:
            self._occurrences = (self.table.version, {})
        known = self._occurrences[1]
        if key not in known:
            if len(known) == REMEMBERED:
                del known[next(iter(known))]
            words, occurrences = self.segmentation.words_at(positions())
            known[key] = WordOccurrences(words, occurrences, self.segmentation.frequencies(words))
        return known[key]

    def find_words(self, query: str) -> Indices:
        """The words that hold `query`, written as text or as tokens show it, ascending."""
        wanted = set(spellings(query, byte_level=False))
        if is_byte_level(self.options):
            with suppress(UnicodeError):  # not byte-level text: only the text itself is looked for
                wanted.add(chars_to_bytes(query).decode())
        return self._word_search.find(wanted)

    def _spellings(self, query: str) -> tuple[str, ...]:
        return spellings(query, byte_level=is_byte_level(self.options))

    @cached_property
    def _word_search(self) -> WordSearch:
        return WordSearch(self.words.words)

    # -- pairs ---------------------------------------------------------------------------------------------------

    @property
    def pair_count(self) -> int:
        """Distinct pairs that occur now."""
        return self._ranking.live

    def pairs(self, start: int = 0, stop: int | None = None) -> list[PairRow]:
        """A page of the ranking: by count, highest first, then in the tie rule's order."""
        return self.pair_rows(self._ranking.slots(start, self.pair_count if stop is None else stop))

    def pairs_before(self, most: int) -> list[PairRow]:
        """The top of the ranking as it was before the last merge, at most so many rows; tied pairs in today's order."""
        changes, created = self._last_changes(), self._last_created()
        if self.position == 0:
            return self.pairs(0, most)
        merge = self._steps[self.position - 1].merge
        table, texts = self.table, self.texts
        merged = next(
            (
                slot
                for slot in changes
                if (table.left.items[slot], table.right.items[slot]) == (merge.left_id, merge.right_id)
            ),
            None,
        )
        unchanged = self._ranking.slots(0, most + len(changes))
        today = {slot: place for place, slot in enumerate(unchanged)}
        counts = {
            slot: was
            for slot in (*unchanged, *changes)
            if slot not in created
            and table.is_candidate(slot)
            and (was := table.count.items[slot] - changes.get(slot, 0)) > 0  # a reused token brings pairs back
        }
        slots = sorted(counts, key=lambda slot: (-counts[slot], slot != merged, today.get(slot, len(today)), slot))
        places: dict[int, int] = {}
        rows = []
        for place, slot in enumerate(slots[:most], 1):
            left, right = table.left.items[slot], table.right.items[slot]
            rows.append(
                PairRow(
                    place=places.setdefault(counts[slot], place),
                    left_id=left,
                    right_id=right,
                    left=texts[left],
                    right=texts[right],
                    token=self.joined(left, right),
                    count=counts[slot],
                    change=None,
                    is_new=False,
                    leads=counts[slot] == counts[slots[0]],
                    wins=slot == merged,
                )
            )
        return rows

    def find_pairs(self, query: str) -> Indices:
        """The pairs whose left, right or merged text holds `query`, as any style shows it: slots in order."""
        return self._ranking.find(self._spellings(query))

    def sort_pairs(self, column: str, query: str = "") -> Indices:
        """The pairs that hold `query`, ascending by `pair` (the texts of its halves), `count`, or `change`: slots."""
        slots = self.find_pairs(query)[::-1]
        table = self.table
        if column == "count":
            return slots
        if column == "change":
            changes = np.zeros(len(table.left.view()), dtype=np.int64)
            for slot, change in self._last_changes().items():
                changes[slot] = change
            return slots[np.argsort(changes[slots], kind="stable")]
        rank = np.empty(len(self.texts), dtype=np.int64)
        rank[sorted(range(len(self.texts)), key=self.texts.__getitem__)] = np.arange(len(self.texts))
        return slots[np.lexsort((rank[table.right.data[slots]], rank[table.left.data[slots]]))]

    def pair_rows(self, slots: Sequence[int]) -> list[PairRow]:
        """Rows for pairs by slot."""
        if not slots:
            return []
        table, texts, ranking = self.table, self.texts, self._ranking
        winner = self._winner()
        changes, created = self._last_changes(), self._last_created()
        lefts, rights, counts = table.left.items, table.right.items, table.count.items
        top = ranking.top
        rows = []
        places: dict[int, int] = {}
        for slot in slots:
            left, right, count = lefts[slot], rights[slot], counts[slot]
            if count not in places:
                places[count] = ranking.place(count)
            rows.append(
                PairRow(
                    place=places[count],
                    left_id=left,
                    right_id=right,
                    left=texts[left],
                    right=texts[right],
                    token=self.joined(left, right),
                    count=count,
                    change=changes.get(slot) or None,
                    is_new=slot in created,
                    leads=count == top,
                    wins=winner is not None and slot == winner[0],
                )
            )
        return rows

    def gone_pairs(self) -> list[tuple[int, int]]:
        """The pairs (left id, right id) that the last merge made vanish, the merged one included."""
        table, created = self.table, self._last_created()
        counts = table.count.items
        return [
            (table.left.items[slot], table.right.items[slot])
            for slot in self._last_changes()
            if counts[slot] == 0 and slot not in created and table.is_candidate(slot)
        ]

    def pair_frequency(self, left_id: int, right_id: int) -> int:
        """How often two tokens are neighbours in the corpus now, weighted by word frequency."""
        slot = self.table.find(left_id, right_id)
        return 0 if slot is None else self.table.count.items[slot]

    def pair_words(self, left_id: int, right_id: int) -> WordOccurrences:
        """The words in which a pair occurs, and what each adds to its count; none if it does not occur now."""

        def positions() -> Positions:
            slot = self.table.find(left_id, right_id)
            return np.zeros(0, dtype=np.int32) if slot is None else self.table.positions(slot)

        return self._words_of((left_id, right_id), positions)

    def _last_changes(self) -> dict[int, int]:
        """What the last merge did to the counts of pairs, by slot."""
        if self._changes[0] != self.table.version:
            changes = self._merger.changes(self._records[self.position - 1]) if self.position else {}
            self._changes = (self.table.version, changes)
        return self._changes[1]

    def _last_created(self) -> range:
        """The slots of the pairs that the last merge created."""
        return range(*self._records[self.position - 1].created) if self.position else range(0)

    # -- tokens --------------------------------------------------------------------------------------------------

    @property
    def ids(self) -> Mapping[str, int]:
        """Ids by token text, those of undone merges included as long as they can be redone."""
        return self._ids

    def has_token(self, token: int) -> bool:
        """Is there a token with this id at this moment?"""
        return 0 <= token < len(self._births) and self._births[token] <= self.position

    def id_of(self, text: str) -> int | None:
        """The id of the token with this text; None if there is none at this moment."""
        token = self._ids.get(text)
        return token if token is not None and self.has_token(token) else None

    @property
    def token_counts(self) -> Sequence[int]:
        """How often each token occurs in the corpus now, by id."""
        return self._token_counts

    def token(self, token: int) -> TokenRow:
        """One entry of the vocabulary."""
        text = self.texts[token]
        if token in self.base.alphabet_ids:
            origin = "letter"
        else:
            origin = "merge" if self._births[token] else "protected" if text in self.base.protected else "special"
        merge = self.made_by(token) if origin == "merge" else None
        return TokenRow(token, text, len(text), self._token_counts[token], origin, merge)

    def token_words(self, token: int) -> WordOccurrences:
        """The words in which a token occurs now, and how often."""
        return self._words_of(token, lambda: self.segmentation.positions_of(token))
