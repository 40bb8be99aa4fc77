"""From files to counted words: what training starts from.

`sources` finds and opens texts, `encodings` reads those that are not UTF-8, `alphabet` writes words as symbols,
`pretokenize` cuts documents into words. `counting` counts them: block by block in `tally`, cut at safe places by
`chunking`, in several processes by `workers`, within the `memory` there is. `word_tables` reads and writes counts.
"""
