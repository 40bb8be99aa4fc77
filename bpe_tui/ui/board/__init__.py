"""The board: six panes over one session, a timeline, sentences and keys; the train and the lesson screen have one.

`board` is the widget and `screen` the screen around it; `modes` says what keys mean, `revealed` what may be shown and
`arrangement` which panes are in view. A pane is one file: `words`, `pairs`, `vocabulary`, `merges`, `algorithm` and
`curve`.
"""
