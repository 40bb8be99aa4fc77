"""The screens of the program, each with its layout in a `.tcss` file beside it."""
