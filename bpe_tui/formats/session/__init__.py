"""Sessions, `.bpe.json`: a training or a tokenizer as the learner left it.

`file` reads and writes the format, `tokenizer` the tokenizer inside it; `training` makes a session of a trainer and a
trainer of a session; `store` has the folder where sessions are saved by themselves.
"""
