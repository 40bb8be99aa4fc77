"""Tokenizer files of other tools, and our own sessions.

`registry` has the table of formats: it finds out which one a file is in, reads it into a `TokenizerModel` (`model`),
and writes one. Each format is a module of its own: `huggingface`, `gpt2`, `merges`, `tiktoken`, `minbpe`, `session`.
`limits` checks what a format cannot represent, `files` reads and writes files whole.
"""
