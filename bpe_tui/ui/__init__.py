"""The Textual program: it looks at the core and presses its buttons, and owns no algorithm."""
