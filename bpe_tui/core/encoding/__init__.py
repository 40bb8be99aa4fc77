"""Using what was learned: text to tokens and back.

A text is split into words (`splitter`), these into symbols (`symbols`), and the symbols are merged by rank
(`merge_ranks`). `encoder` puts this together over a `token_table`, which follows a `timeline`: a training, or the
merges of a finished vocabulary. `dialect` is what a tokenizer from elsewhere does beyond the options, and `decoder`
turns ids back into text. `tokenized_text` is a text in its tokens, and `replay` how it merged into them, for screens
and the trace.
"""
