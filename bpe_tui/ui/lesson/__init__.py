"""The lesson screen: a board with a narration beside its panes, and the mode in which a lesson withholds something."""
