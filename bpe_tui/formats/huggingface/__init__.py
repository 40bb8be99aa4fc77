"""Hugging Face's tokenizer.json with a BPE model.

`read` and `write` are the format; `schema` knows the fields of its components, and `components` translates between them
and our options. What the components of a file do to a text is in `dialect`, which puts together `added_tokens`, `steps`
(pre-tokenizers), `post_processors` and `decoders`; `foreign` runs what we have no code for in the package `tokenizers`,
`oniguruma` its patterns in `regex`. `like` trains with the components of another tokenizer.
"""
