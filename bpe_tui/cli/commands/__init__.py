"""The commands, one file each, and beside them what one command does in a file of its own: `diff_tokenizers` for two
tokenizer files, `record` for `open` and `lesson`, `report_html` and `report_tables` for `report`, `verify` for `train`.
"""
