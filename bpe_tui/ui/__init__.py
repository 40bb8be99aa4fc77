"""The Textual app: it shows what the core computes, and computes nothing of the subject itself.

`app` knows all screens, which know one another only as a `navigator`. `train`, `lesson` and `encode` are a screen each,
`board` is what the first two have, `dialogs` what is asked over them. Every action is declared in `actions`.
"""

from bpe_tui.ui.cell_widths import count_spacing_marks

count_spacing_marks()  # before anything is measured
