"""What explains training and encoding: sentences, comparisons and games, computed without a screen.

`reference` is byte-pair encoding as in a textbook, which the tests hold the rest to. Of a training, `explain` says what
happens and why, `lineage` where a token comes from, `overlap` why fewer pairs are merged than counted, `divergence`
what other tie rules would do, `comparison` how two trainings differ; `guessing_game` asks for the next merge. Of a
text, `token_facts` says what is known of a token, `why_not` why a word is not one token, `longest_match` how WordPiece
would split it, and `canonical_equivalents` which other code points look the same.
"""
