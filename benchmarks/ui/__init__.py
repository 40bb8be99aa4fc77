"""How fast the screen answers, measured from outside over a real pseudo-terminal, beside a bare Textual screen."""
