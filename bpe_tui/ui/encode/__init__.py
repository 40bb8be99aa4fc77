"""The encode screen: a text, its tokens as chips, the replay of the merges that made them, and facts about them.

`screen` is the screen. `reading` reads the text and `replay` its words, in slices; `token_chips`, `policies` and
`word_facts` are panes.
"""
