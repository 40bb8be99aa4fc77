"""Using what was learned: text to tokens and back.

A text is split into words (`splitter`), these into symbols (`symbols`), and the symbols are merged by rank
(`merge_ranks`). `encoder` puts this together over a `token_table`, which follows a `timeline`: a training, or the merges
of a finished vocabulary. `dialect` says what a tokenizer from elsewhere does beyond the options, and `decoder` turns ids
back into text. `tokenized_text` and `replay` hold a text in its tokens and how it got there, for screens and the trace.
"""
