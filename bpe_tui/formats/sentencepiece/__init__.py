"""SentencePiece's `.model` files with a BPE model: read, and followed exactly; they are not written.

`beginning` tells such files from others, `charsmap` has the rules by which a model rewrites characters, `normalizer`
what becomes of a text by them, `dialect` cuts and decodes as the model does, and `read` puts a tokenizer together from
the file.
"""
