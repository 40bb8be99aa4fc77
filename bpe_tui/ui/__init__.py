"""The Textual program: it looks at the core and presses its buttons, and owns no algorithm."""

from bpe_tui.ui.cell_widths import count_spacing_marks

count_spacing_marks()  # before anything is measured
