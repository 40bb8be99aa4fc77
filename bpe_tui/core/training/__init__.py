"""From counted words to merges: byte-pair training that can go back and forth in time.

`trainer` is the whole of it: a state machine with its history, which answers in frozen `states` and `rows`. It has the
corpus as one flat array (`segmentation`, built by `base_vocabulary`), the counts of all pairs (`pair_table`), the pair
to merge next (`selection`), exact merging and undoing (`merging`), and for screens all pairs in order (`ranking`) and a
search over words (`word_search`). `vocabulary` is what training leaves behind; `arrays` holds what all of them store
numbers in.
"""
